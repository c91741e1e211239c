"""MathOPEval's two task families, whole runs of the real lm_eval on the sample."""

from importlib.metadata import version

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses.lm_eval_results import scorecards
from support.answered import replay
from support.needs import skip_without
from support.sample_rows import rows

MC, GEN = "mathopeval_sample", "mathopeval_sample_gen"


def of_format(format):
    found = [row for row in rows("mathopeval") if row["format"] == format]
    assert found
    return found


def fenced(code):
    return f"Here it is.\n```\n{code}```\n"


@pytest.fixture
def sandbox():
    skip_without("sandbox", "bwrap", "tex")


def test_right_and_wrong_letters(run, tmp_path):
    right = {row["id"]: row["answer"] for row in of_format("multiple_choice")}
    table = run("mmmath-replay", MC, model_args=replay(tmp_path, right))["results"][MC]
    names = ("acc_macro", "acc_verified_macro", "acc", "acc_verified", "extracted", "acc_mcg", "acc_mce_deletion")
    assert {table[f"{name},none"] for name in (*names, "acc_geometry", "acc_pie")} == {1}
    assert table["parse_failure,none"] == 0
    wrong = {name: "ABCD"[("ABCD".index(letter) + 1) % 4] for name, letter in right.items()}
    table = run("mmmath-replay", MC, model_args=replay(tmp_path, wrong))["results"][MC]
    assert table["acc_macro,none"] == table["acc,none"] == table["acc_verified,none"] == 0


def test_what_cannot_be_parsed_is_wrong_and_counted(run, tmp_path):
    found = of_format("multiple_choice")
    responses = {row["id"]: row["answer"] if i % 2 else "no idea" for i, row in enumerate(found)}
    results = run("mmmath-replay", MC, model_args=replay(tmp_path, responses))
    share = sum(text == "no idea" for text in responses.values()) / len(found)
    assert results["results"][MC]["parse_failure,none"] == pytest.approx(share)
    assert results["results"][MC]["acc,none"] == pytest.approx(1 - share)
    assert scorecards(results)[MC].counts["total"] == len(found)


def test_the_tiny_model_answers_both_formats(run, tiny_model, sandbox):
    arguments = f"pretrained={tiny_model},max_images=2,dtype=float32"
    table = run("hf-multimodal", MC, model_args=arguments, limit=3, gen_kwargs="max_gen_toks=4", device="cpu")[
        "results"
    ][MC]
    assert 0 <= table["acc,none"] <= 1
    options = {"limit": 3, "gen_kwargs": "max_gen_toks=4", "device": "cpu", "confirm_run_unsafe_code": True}
    table = run("hf-multimodal", GEN, model_args=arguments, **options)["results"][GEN]
    assert table["execution,execution"] == 0


def test_all_that_running_code_takes_is_said_at_once_consent_first(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError) as refused:
        run("mmmath-random-chance", "mathopeval_gen_cot", metadata={"data_dir": f"{tmp_path}/none"})
    lines = str(refused.value).splitlines()
    assert "--confirm_run_unsafe_code" in lines[0]
    assert "texlive" in lines[-2]
    assert f"{tmp_path}/none" in lines[-1]


def test_reference_scores_one_and_an_unedited_copy_nothing(run, tmp_path, sandbox):
    found = of_format("free_form")
    right = {row["id"]: fenced(row["answer"]) for row in found}
    results = run("mmmath-replay", GEN, model_args=replay(tmp_path, right), confirm_run_unsafe_code=True)
    table = results["results"][GEN]
    assert table["execution,execution"] == table["execution_macro,execution"] == pytest.approx(1)
    assert table["execution_mce_annotation,execution"] == table["execution_geometry,execution"] == pytest.approx(1)
    assert table["code_failure,execution"] == 0
    origin = scorecards(results)[GEN].provenance["sandbox"]
    assert origin["versions"]["matplotlib"] == version("matplotlib")
    assert "TeX" in origin["versions"]["tex"]
    copied = {row["id"]: fenced(row["original_code"] or "plt.plot(") for row in found}
    results = run("mmmath-replay", GEN, model_args=replay(tmp_path, copied), confirm_run_unsafe_code=True)
    assert results["results"][GEN]["execution,execution"] == 0
    card = scorecards(results)[GEN]
    assert card.value("code_failure", "task", "mce_deletion") == 0
    scripts = [row for row in found if row["task"] == "mcg" and row["language"] == "python"]
    assert card.counts["syntax"] == len(scripts)


def test_hostile_responses_score_nothing_each_with_its_cause(run, tmp_path, sandbox):
    outside = tmp_path / "escaped"
    causes = {
        "unextracted": "No code, only words. " * 50_000,
        "exit": fenced("import os\nos._exit(0)\n"),
        "blank": fenced(f"import os\nos.system('touch {outside}')\n"),
        "memory": fenced("x = bytearray(10**11)\n"),
    }
    scripts = [row for row in of_format("free_form") if row["language"] == "python"]
    figures = [row for row in of_format("free_form") if row["language"] == "latex"]
    kinds = [list(causes)[i % len(causes)] for i in range(len(scripts))]
    responses = {row["id"]: causes[kind] for row, kind in zip(scripts, kinds, strict=True)}
    shell = "\\immediate\\write18{touch " + str(outside) + "}\n"
    responses |= {row["id"]: fenced("\\documentclass{article}\n\\begin{document}\n" + shell) for row in figures}
    results = run("mmmath-replay", GEN, model_args=replay(tmp_path, responses), confirm_run_unsafe_code=True)
    assert results["results"][GEN]["execution,execution"] == 0
    counts = scorecards(results)[GEN].counts
    assert {cause: counts[cause] for cause in causes} == {cause: kinds.count(cause) for cause in causes}
    assert counts["exception"] == len(figures)
    assert not outside.exists()


def test_a_draft_before_and_a_command_after_the_code_do_no_harm(run, tmp_path, sandbox):
    found = of_format("free_form")
    command = "```bash\npython figure.py\n```\n"
    responses = {row["id"]: fenced("first try\n") + fenced(row["answer"]) + command for row in found}
    table = run("mmmath-replay", GEN, model_args=replay(tmp_path, responses), confirm_run_unsafe_code=True)["results"]
    assert table[GEN]["execution,execution"] == pytest.approx(1)


def test_a_forged_reply_costs_one_score_of_forty(run, tmp_path, sandbox):
    found = of_format("free_form")[:40]
    responses = {row["id"]: fenced(row["answer"]) for row in of_format("free_form")}
    hostile = next(row for row in found if row["language"] == "python")
    code = "import ctypes\nopen('/reply/reply', 'w').write('{}')\nctypes.CDLL(None)._exit(0)\n"
    responses[hostile["id"]] = fenced(code)
    results = run("mmmath-replay", GEN, model_args=replay(tmp_path, responses), confirm_run_unsafe_code=True, limit=40)
    scored = {row["doc"]["id"]: row["execution"] for row in results["samples"][GEN]}
    verdicts = scorecards(results)[GEN]
    assert verdicts.counts["forged"] == 1
    assert len(scored) == len(found)
    assert verdicts.value("execution", "", "") == pytest.approx((len(found) - 1) / len(found))
