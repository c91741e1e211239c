"""A sixth benchmark, made up: how many corners a figure has."""

from mmmath_tasks.hub_datasets.fields import load_json_lines, text_field
from mmmath_tasks.problem import Problem

HUB_ID = ""
REVISION = "1"
LICENCE = "CC0-1.0"
PAPER = "0000.00000"
SPLITS = ("test",)
PROMPT_STYLES = ("default",)
OWN_COLUMNS = ("gid", "corners")


def problem(row):
    name = text_field(row, "gid", "GeoMark")
    return Problem(
        benchmark="geomark",
        id=name,
        question=text_field(row, "asked", f"GeoMark id {name}"),
        choices=(),
        answer=text_field(row, "corners", f"GeoMark id {name}"),
        question_type="free_form",
        answer_type="integer",
        groups={"shape": (row["shape"],), "size": (row["size"],)},
    )


def prompt(problem, style="default"):
    return problem.question


def read(folder, split):
    yield from load_json_lines(folder / f"{split}.jsonl")


def pictures(row):
    return [row["figure"]]


def features(split):
    from datasets import Features, Image, Value

    texts = {name: Value("string") for name in ("gid", "asked", "corners", "shape", "size")}
    return Features({**texts, "figure": Image()})


def saved_ids(row):
    return [row["gid"]] if "gid" in row else []
