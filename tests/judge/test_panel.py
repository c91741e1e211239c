"""Several judges: Fleiss' kappa against published and other figures, the majority's verdicts, what is refused."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.judge.agreement import agreement
from mmmath_tasks.judge.panel import fleiss
from mmmath_tasks.outputs.run import score_file
from mmmath_tasks.problem import Scorecard
from support import counting_rows

FLEISS = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
"""Ten subjects by fourteen raters in five classes, the much reprinted example: kappa is 0.210, agreement 0.378."""


def test_kappa_of_the_example_in_books():
    items = [[c for c, n in enumerate(map(int, row.split())) for _ in range(n)] for row in FLEISS.split("|")]
    labels = [{str(i): float(item[rater]) for i, item in enumerate(items)} for rater in range(14)]
    share, kappa = fleiss(labels, draws=50)
    assert (round(share.value, 3), round(kappa.value, 3)) == (0.378, 0.210)
    assert kappa.low < kappa.value < kappa.high
    assert kappa.count == 10


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_of_two_judges_it_is_scotts_pi_beside_the_same_agreement(pairs):
    labels = [{str(i): float(pair[side]) for i, pair in enumerate(pairs)} for side in (0, 1)]
    share, kappa = fleiss(labels, draws=2)
    assert share.value == pytest.approx(agreement(*labels, draws=2).scores[0].value)
    right = sum(map(sum, pairs)) / (2 * len(pairs))
    chance = right**2 + (1 - right) ** 2
    expected = (share.value - chance) / (1 - chance) if chance < 1 else math.nan
    assert kappa.value == pytest.approx(expected, nan_ok=True)


def test_items_that_one_judge_left_out_do_not_count():
    share, _ = fleiss([{"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 0.0}, {"a": 1.0}], draws=2)
    assert (share.value, share.count) == (1, 1)
    assert fleiss([{"a": 1.0}, {"b": 1.0}], draws=2)[0].count == 0


@pytest.fixture
def judged(tmp_path):
    """Samples of three judges of four responses: as `mmmath judge` writes them, "-" where one failed."""
    rows = counting_rows.counting_rows([f"The answer is {i}." for i in range(4)])
    known = mm.benchmark("mathvista")

    def write(name, said):
        lines = []
        for row, answer in zip(rows, said.split(), strict=True):
            problem = known.problem(row)
            verdict = known.score(problem, row["response"], extraction=answer).to_dict()
            verdict |= {"rule": f"judge:{name}", "reader": f"judge:{name}"}
            detail = {"extraction": answer}
            if answer == "-":
                verdict, detail = mm.Verdict(problem.id, None, None, reason="judge_failed: timeout").to_dict(), {}
            account = {"model": name, "tokens_in": 10, "tokens_out": 1, "cost": 0.2512}
            account = {"model": name} if answer == "-" else account
            line = {"problem": problem.to_dict(), "response": row["response"], "verdict": verdict, "detail": detail}
            lines.append(json.dumps({**line, "judge": account}))
        path = tmp_path / f"samples_{name}.jsonl"
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    return write


def test_the_majority_is_written_with_who_said_what_and_the_cost(tmp_path, judged, capsys):
    files = [judged("x", "0 1 9 -"), judged("y", "0 9 9 3"), judged("z", "0 1 2 9")]
    assert main(["judge-agreement", *files, "--out", str(tmp_path / "out"), "--draws", "20"]) == 0
    said = capsys.readouterr().out
    assert "3 items labelled by all 3" in said
    assert "kappa_fleiss" in said
    assert "A and C: 3 items labelled by both" in said
    assert "majority of x, y, z: 4 responses, 1 tied and unscored" in said
    assert "cost of all: 2.7632 US dollars" in said
    card = Scorecard.from_json((tmp_path / "out" / "scorecard_panel.json").read_text())
    assert (card.value("acc"), card.get("acc").count) == (pytest.approx(2 / 3), 3)
    assert card.counts["unscored"] == card.counts["panel_tied"] == 1
    assert card.provenance["judge"]["model"] == "panel of x, y, z"
    assert (card.provenance["judge"]["tokens"], card.provenance["judge"]["cost"]) == (121, 2.7632)
    assert card.provenance["judge"]["agreement"]["agreement"] == pytest.approx((1 + 1 / 3 + 1 / 3) / 3)
    assert card.provenance["answers_read_by"] == {"judge:panel of x, y, z": 3}
    assert any("1 tied, left unscored" in note for note in card.notes)
    samples = tmp_path / "out" / "samples_panel.jsonl"
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    assert [line["verdict"]["official"] for line in lines] == [True, True, False, None]
    assert [line["detail"]["extraction"] for line in lines[:3]] == ["0", "1", "9"]
    who = "judge:panel of x, y, z"
    readings = [(line["verdict"]["rule"], line["verdict"]["reader"]) for line in lines]
    assert readings == [*[(who, who)] * 3, ("", "")]
    assert lines[1]["detail"]["votes"] == {"x": [True, True], "y": [False, False], "z": [True, True]}
    assert [v.official for v in score_file(samples).verdicts][:3] == [True, True, False]


def test_two_judges_and_json(tmp_path, judged, capsys):
    files = [judged("x", "0 1 9 3"), judged("y", "0 9 9 3")]
    assert main(["judge-agreement", *files, "--out", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["count"] == 4
    card = Scorecard.from_json((tmp_path / "out" / "scorecard_panel.json").read_text())
    assert card.counts["panel_tied"] == 1
    assert main(["judge-agreement", *files, judged("z", "0 1 2 9"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [pair["judges"] for pair in found["pairs"]] == [["A", "B"], ["A", "C"], ["B", "C"]]
    assert found["count"] == 4


def test_judges_of_other_responses_make_no_panel(tmp_path, judged, capsys):
    first, second = judged("x", "0 1 2 3"), judged("y", "0 1 2 3")
    text = (tmp_path / "samples_y.jsonl").read_text().replace("The answer is 2.", "It is 2.")
    (tmp_path / "samples_y.jsonl").write_text(text)
    assert main(["judge-agreement", first, second, "--out", str(tmp_path / "out")]) == 2
    assert "samples_y.jsonl: not about the same responses as" in capsys.readouterr().err
    (tmp_path / "labels.csv").write_text("id,label\n0,1\n1,1\n2,0\n3,1\n")
    assert main(["judge-agreement", first, str(tmp_path / "labels.csv"), "--out", str(tmp_path / "out")]) == 2
    assert "expected a line of samples that `mmmath judge` wrote" in capsys.readouterr().err
