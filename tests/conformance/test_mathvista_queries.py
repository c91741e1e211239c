"""MathVista's queries for language models: upstream's own, from its files of captions and detected text as they are."""

import dataclasses
import json

from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.hub_datasets.mathvista_texts import description, detected
from mmmath_tasks.scoring import benchmark
from support.published import lines

MATHVISTA = benchmark("mathvista")
FILES = {"caption": "captions_bard.json", "ocr": "ocrs_easyocr.json"}


def test_all_queries_are_upstreams_to_the_letter(shared):
    folder = shared / "data" / "mathvista"
    problems = {row["pid"]: MATHVISTA.problem(row) for row in MATHVISTA.rows.read(folder, "testmini")}
    texts = {name: json.loads((folder / "texts" / file).read_text())["texts"] for name, file in FILES.items()}
    rows = list(lines(shared / "oracle" / "mathvista_queries.jsonl.gz"))
    assert len(rows) == 4000
    equal = 0
    for row in rows:
        problem = problems[row["pid"]]
        added = {name: by_id.get(problem.id, "") for name, by_id in texts.items() if row[name]}
        asked = dataclasses.replace(problem, extra={**problem.extra, **added})
        equal += MATHVISTA.prompt(asked, row["shot_type"]) == row["query"]
    assert equal == 4000


def test_the_task_takes_upstreams_files_as_they_are(shared):
    folder = shared / "data" / "mathvista"
    files = {"captions": str(folder / "texts" / FILES["caption"]), "ocr": str(folder / "texts" / FILES["ocr"])}
    metadata = {"benchmark": "mathvista", "split": "testmini", "text_only": True, "data_dir": str(folder), **files}
    docs = documents(augmented=True, prompt_style="solution", **metadata)
    prompts = {doc["id"]: doc["prompt"] for doc in docs}
    wanted = {
        row["pid"]: row["query"]
        for row in lines(shared / "oracle" / "mathvista_queries.jsonl.gz")
        if row["shot_type"] == "solution" and row["caption"] and row["ocr"]
    }
    assert {pid: prompts[pid] for pid in wanted} == wanted
    said = docs[0]["provenance"]["texts"]
    assert said == {"caption": "captions_bard.json: 930 of 1,000", "ocr": "ocrs_easyocr.json: 1,000 of 1,000"}


def test_every_text_that_is_kept_back_is_read_too(shared):
    """Not only those whose queries are known: no list stays as EasyOCR wrote it, no stock phrase stays."""
    texts = shared / "data" / "mathvista" / "texts"
    listed = json.loads((texts / FILES["ocr"]).read_text())["texts"].values()
    assert not [text for text in listed if text.startswith("[([[") and detected(text).startswith("[([[")]
    told = json.loads((texts / FILES["caption"]).read_text())["texts"].values()
    assert not [text for text in told if "I hope this helps!" in description(text) or "Sure. " in description(text)]
