"""VLMEvalKit: our tasks as data set classes of its own runner. The only importer of vlmeval.

VLMEvalKit has no hook: `register` puts one class in front of those that its runner scans. The class hands every model
the prompt and pictures of the lm-eval task of the same name (`mmmath_` before it), and scores with the Python face.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import runpy
import ssl
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.files import open_atomic, write_atomic, write_json_lines
from mmmath_tasks.harnesses.lm_eval_documents import documents
from mmmath_tasks.harnesses.task_files import prefixed, task
from mmmath_tasks.outputs.run import score_file
from mmmath_tasks.problem import Problem, Scorecard, Verdict
from mmmath_tasks.score_labels import label
from mmmath_tasks.scoring import Benchmark, benchmark

if TYPE_CHECKING:
    import pandas as pd
    from datasets import Dataset


def register() -> type[Any]:
    """Put our class in front of VLMEvalKit's; a second call changes nothing.

    Returns:
        the class.

    Raises:
        InputError: VLMEvalKit is not installed.
    """
    vlmeval = _vlmeval()
    scanned = vlmeval.dataset.DATASET_CLASSES
    known = next((c for c in scanned if c.__name__ == "MMMathTasks"), None)
    if known is None:
        known = _dataset_class(vlmeval)
        scanned.insert(0, known)
        vlmeval.dataset.SUPPORTED_DATASETS.extend(known.supported_datasets())
        vlmeval.dataset.MMMathTasks = known  # for --config files, which name classes
    found: type[Any] = known
    return found


def run(arguments: Sequence[str], run_py: Path | None = None) -> None:
    """Register, then hand `arguments` to VLMEvalKit's own runner: the installed module's, or a clone's run.py.

    Raises:
        InputError: VLMEvalKit or run.py is not there.
    """
    if run_py is not None:
        if not run_py.is_file():
            raise InputError(f"{run_py}: no such file; expected run.py of a clone of VLMEvalKit")
        sys.path.insert(0, str(run_py.parent))
    register()
    sys.argv = [str(run_py or "vlmeval"), *arguments]
    if run_py is not None:
        runpy.run_path(str(run_py), run_name="__main__")
        return
    from vlmeval.run import main

    main()


def _vlmeval() -> Any:
    """Import vlmeval, which switches TLS verification off for the whole process, and switch it on again."""
    verified = ssl._create_default_https_context
    try:
        import vlmeval
        import vlmeval.dataset
    except ModuleNotFoundError as error:
        raise InputError(
            f"VLMEvalKit cannot be imported ({error}); install it as its README says, or ms-vlmeval from PyPI"
        ) from None
    finally:
        ssl._create_default_https_context = verified
    return vlmeval


def _dataset_class(vlmeval: Any) -> type[Any]:
    """Make the class; here, because its base exists only once vlmeval is imported."""

    class MMMathTasks(vlmeval.dataset.image_base.ImageBaseDataset):  # type: ignore[misc]
        """Every mmmath task, as VLMEvalKit's runner wants a data set."""

        TYPE = "mmmath"  # a type of its own: "VQA" and "MCQ" make models change prompts
        DATASET_URL = dict.fromkeys(prefixed(), "")
        force_use_dataset_prompt = True
        DEFAULT_JUDGE = "none"

        def __init__(self, dataset: str, skip_noimg: bool = False) -> None:
            """Load the task; rows without a picture stay, whatever `skip_noimg` says."""
            self.task = prefixed()[dataset]
            self.metadata = task(self.task)
            self.documents = documents(**self.metadata)
            self.places = {doc["id"]: i for i, doc in enumerate(self.documents)}
            super().__init__(dataset, skip_noimg=False)

        def load_data(self, dataset: str) -> pd.DataFrame:
            import pandas as pd

            pairs = zip(_problems(self.benchmark, self.documents), self.documents, strict=True)
            return pd.DataFrame(
                {"index": p.id, "question": doc["prompt"], "answer": p.answer or ""} for p, doc in pairs
            )

        @property
        def benchmark(self) -> Benchmark:
            return benchmark(self.metadata["benchmark"])

        def dump_image(self, line: Mapping[str, Any]) -> list[str]:
            pictures = self.documents[self.places[str(line["index"])]]["pictures"]
            return _saved(Path(self.img_root), str(line["index"]), [picture.encoded() for picture in pictures])

        def build_prompt(self, line: Any) -> list[dict[str, str]]:
            row = self.data.iloc[line] if isinstance(line, int) else line
            pictures = [{"type": "image", "value": path} for path in self.dump_image(row)]
            return [*pictures, {"type": "text", "value": row["question"]}]

        def evaluate(self, eval_file: str, **judge_kwargs: Any) -> dict[str, float | None]:
            problems = _problems(self.benchmark, self.documents)
            asked = {str(index) for index in self.data["index"]}  # --limit leaves some out
            asked_for = [problem for problem in problems if problem.id in asked]
            card = scored(Path(eval_file), self.task, asked_for, self.documents[0]["provenance"], judge_kwargs)
            return table(card)

        @classmethod
        def report_primary_metric(cls, metrics: Any) -> dict[str, float]:
            value = metrics.get("overall") if isinstance(metrics, dict) else None
            return {} if value is None else {"overall": value}

    return MMMathTasks


def scored(
    path: Path, name: str, problems: Sequence[Problem], origin: Mapping[str, Any], judge: Mapping[str, Any]
) -> Scorecard:
    """Score what VLMEvalKit's inference wrote; put `<table>_scorecard.json` and `<table>_samples.jsonl` beside it.

    `origin` has data revision, prompt style and prompt hash, as documents do. Where VLMEvalKit's `judge` arguments name
    a `model` and the authors judge answers, our engine asks it (`api_base`, `nproc`, `timeout`, `retry` are heeded, and
    `prompts`, the authors' own file; the key comes from the environment).
    """
    samples: list[tuple[Problem, str, Verdict]] = []
    run = score_file(
        path,
        name=task(name)["benchmark"],
        problems=problems,
        revision=str(origin["data_revision"]),
        sink=lambda problem, response, verdict, _: samples.append((problem, response, verdict)),
    )
    card = run.card
    if judge.get("model"):
        samples, account = _judged(card.benchmark, samples, judge)
        verdicts = [verdict for _, _, verdict in samples]
        judged = benchmark(card.benchmark).summarise(problems, verdicts)
        card = replace(judged, provenance={**card.provenance, **judged.provenance, "judge": account})
    asked = {name: origin[name] for name in ("prompt_style", "prompt_hash")}
    provenance = {
        **card.provenance,
        **asked,
        "task": name,
        "task_version": task(name)["version"],
        "harness": _harness(),
    }
    card = replace(card, provenance=provenance)
    rows = ({"problem": p.to_dict(), "response": r, "verdict": v.to_dict()} for p, r, v in samples)
    write_json_lines(path.with_name(f"{path.stem}_samples.jsonl"), rows)
    write_atomic(path.with_name(f"{path.stem}_scorecard.json"), card.to_json() + "\n")
    return card


def _judged(
    name: str, samples: Sequence[tuple[Problem, str, Verdict]], judge: Mapping[str, Any]
) -> tuple[list[tuple[Problem, str, Verdict]], Mapping[str, Any]]:
    """Return the samples with the judge's verdicts, and the account of the judge.

    Raises:
        InputError: the benchmark's authors judge no answers, or the judge's settings cannot work.
    """
    from mmmath_tasks.judge import need_extra

    need_extra()
    from mmmath_tasks.judge.case import Case
    from mmmath_tasks.judge.judging import judge_with
    from mmmath_tasks.judge.settings import Settings

    names = {"nproc": "concurrency", "timeout": "timeout", "retry": "attempts", "prompts": "prompts"}
    heeded = {ours: judge[theirs] for theirs, ours in names.items() if judge.get(theirs)}
    base_url = str(judge.get("api_base") or "").removesuffix("/chat/completions")
    settings = Settings(base_url, str(judge["model"]), **heeded)
    cases = [Case(problem, response) for problem, response, _ in samples]
    judged, account = judge_with(settings, name, cases)
    return [(p, r, j.verdict) for (p, r, _), j in zip(samples, judged, strict=True)], account


def table(card: Scorecard) -> dict[str, float | None]:
    """Return what VLMEvalKit prints: "overall", the headline in percent, then every score in percent; None for nan.

    Where rules stood in for the model that the authors ask, the scores say so: "acc, read by rules".
    """
    scores = {" ".join(filter(None, (label([card], s.metric), s.group, s.slice))): s.value for s in card.scores}
    values = {"overall": card.value(card.headline), **scores}
    return {name: None if value != value else round(100 * value, 4) for name, value in values.items()}


def export(name: str, path: Path) -> int:
    """Write a task as an LMUData TSV for a stock VLMEvalKit, where the file's name without ending is the data set's.

    Returns:
        the number of rows. The table has no option columns, or a stock VLMEvalKit would write a prompt of its own.

    Raises:
        InputError: no such task, or a row without a picture (a stock VLMEvalKit drops those).
    """
    docs = documents(**task(name))
    problems = {problem.id: problem for problem in _problems(benchmark(task(name)["benchmark"]), docs)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_atomic(path, newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["index", "image", "question", "answer"])
        for doc in docs:
            pictures = [base64.b64encode(p.encoded()).decode() for p in doc["pictures"]]
            if not pictures:
                raise InputError(
                    f"task {name}, problem {doc['id']}: has no picture; a stock VLMEvalKit drops such rows"
                )
            image = pictures[0] if len(pictures) == 1 else str(pictures)
            writer.writerow([doc["id"], image, doc["prompt"], problems[doc["id"]].answer])
    return len(docs)


def _problems(known: Benchmark, docs: Dataset) -> list[Problem]:
    return [known.problem(doc) for doc in docs]


def _saved(folder: Path, problem_id: str, pictures: Sequence[bytes]) -> list[str]:
    """Write pictures as files, which is how VLMEvalKit's models take them; a file of the same bytes is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for data in pictures:
        ending = "png" if data.startswith(b"\x89PNG") else "jpg"
        path = folder / f"{hashlib.sha256(data).hexdigest()[:24]}.{ending}"
        if not path.is_file():
            write_atomic(path, data)  # several processes may write the same pictures at once
        paths.append(str(path))
    return paths


def _harness() -> str:
    from importlib.metadata import PackageNotFoundError, version

    for distribution in ("ms-vlmeval", "vlmeval"):
        try:
            return f"{distribution} {version(distribution)}"
        except PackageNotFoundError:
            continue
    return "VLMEvalKit"
