"""The conformance matrix: 200 problems of every benchmark whose real rows are at hand, with a response each.

Every harness is held to the Python face on them, so that all give the same verdicts.
"""

import json
from pathlib import Path

import mmmath_tasks as mm
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.harnesses.task_files import task
from support.answered import responses

COUNT = 200
TASKS = {
    "mathvista_testmini_text": "mathvista",
    "mathvision_testmini": "mathvision",
    "mathverse_testmini_text_only": "mathverse",
    "wemath_testmini": "wemath",
}


def lay_out(shared, folder):
    """Lay the first 200 real rows of each benchmark (for We-Math those with pictures) out as upstream's own files."""
    for name in set(TASKS.values()):
        (folder / name).mkdir(parents=True)
    data = shared / "data"
    vista = json.loads((data / "mathvista" / "testmini.json").read_text())
    write(folder / "mathvista" / "testmini.json", dict(list(vista.items())[:COUNT]))
    verse = json.loads((data / "mathverse" / "testmini_text_only.json").read_text())
    write(folder / "mathverse" / "testmini_text_only.json", verse[:COUNT])
    vision = (data / "mathvision" / "testmini.jsonl").read_text().splitlines(keepends=True)
    (folder / "mathvision" / "testmini.jsonl").write_text("".join(vision[:COUNT]))
    (folder / "mathvision" / "images").symlink_to(data / "mathvision" / "images")
    wemath = json.loads((data / "wemath" / "testmini.json").read_text())
    there = [row for row in wemath if (data / "wemath" / "images" / row["image_path"]).is_file()]
    write(folder / "wemath" / "testmini.json", there[:COUNT])
    for path in (data / "wemath").iterdir():
        if path.name != "testmini.json":
            (folder / "wemath" / path.name).symlink_to(path)
    return folder


def write(path: Path, content):
    path.write_text(json.dumps(content))


def asked(name, **options):
    """Return a task's documents, its problems, and its responses by prompt and by id."""
    docs = list(documents(**task(name), **options))
    problems = [mm.benchmark(doc["benchmark"]).problem(doc) for doc in docs]
    given = responses(problems)
    prompts = {doc["prompt"]: given[doc["id"]] for doc in docs}
    return docs, problems, prompts, {doc["id"]: prompts[doc["prompt"]] for doc in docs}
