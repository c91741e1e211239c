"""A scorecard of a whole run, as lm-eval leaves it, and ways to spoil it."""

from mmmath_tasks.problem import Score, Scorecard

COMMIT = "2b6ad69445fbb5695c9b165475e8decdbeb97747"


def card(value=0.679, provenance=(), counts=()):
    """MathVista testmini, 1,000 problems."""
    scores = (
        Score("acc", "", "", value, 1000, value - 0.029, value + 0.028),
        Score("acc_verified", "", "", 0.681, 1000, 0.652, 0.71),
        Score("share_empty", "", "", 0.007, 1000, 0.003, 0.014),
        Score("acc", "task", "geometry problem solving", 0.7, 208, 0.63, 0.76),
    )
    origin = {
        "rule_version": "1",
        "task": "mathvista_testmini",
        "task_version": 1.0,
        "data_revision": f"AI4Math/MathVista@{COMMIT}",
        "prompt_style": "default",
        "prompt_hash": "0123456789abcdef",
        "generation": {"temperature": 0.0, "max_gen_toks": 1024},
        "limit": None,
        "samples": {"original": 1000, "effective": 1000},
        "model": "org/model",
        "harness": "lm_eval 0.4.13",
        "package_version": "0.1.0",
        "answers_read_by": {"rules": 993, "nobody": 7},
        **dict(provenance),
    }
    found = {"total": 1000, "scored": 1000, "unscored": 0, "missing": 0, "empty": 7, **dict(counts)}
    return Scorecard("mathvista", "acc", scores, found, origin)


def written(folder, name="scorecard_mathvista_testmini_2026-11-28T00-41-10.123456.json", **changes):
    """Write it and return the path."""
    path = folder / name
    path.write_text(card(**changes).to_json() + "\n")
    return path
