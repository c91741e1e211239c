"""`mmmath audit`: what is drawn, what a labeller sees, what the labels make of the score, and what is refused."""

import csv
import dataclasses
import json
import re

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.metrics.tally import wilson
from mmmath_tasks.model_card import results
from mmmath_tasks.problem import Scorecard
from mmmath_tasks.score_labels import LABELLED
from support import counting_rows
from support.needs import needs
from support.sample_rows import rows_without_pictures
from support.saved_formats import as_authors
from support.whole_run import card as whole_card

COUNT = 60


@pytest.fixture
def responses(tmp_path):
    """Every third answer is wrong, some are not found by rules."""
    wrong = [i if i % 3 else i + 1 for i in range(COUNT)]
    said = [f"The answer is {n}." if i % 10 else "=IT() cannot be seen." for i, n in enumerate(wrong)]
    return counting_rows.write(tmp_path / "run.jsonl", said)


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fill(path, **columns):
    """Write the table anew, cells by functions of the row."""
    found = table(path)
    for row in found:
        row.update({name: make(row) for name, make in columns.items()})
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, found[0])
        writer.writeheader()
        writer.writerows(found)
    return path


def scored(folder):
    return Scorecard.from_json((folder / "scorecard_run.json").read_text())


def test_a_draw_is_named_repeats_and_shows_no_verdict(tmp_path, responses, capsys):
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        assert (
            main(["audit", str(responses), "--size", "20", "--seed", str(seed), "--out", str(tmp_path / folder)]) == 0
        )
    assert "20 of 60 responses drawn with seed 3" in capsys.readouterr().out
    first, again, other = ((tmp_path / folder / "audit_run.csv").read_bytes() for folder in "abc")
    assert first == again != other
    drawn = table(tmp_path / "a" / "audit_run.csv")
    assert len({row["id"] for row in drawn}) == 20
    assert [*drawn[0]] == ["id", "drawn", "question", "choices", "response", "answer", "right"]
    assert not [row for row in drawn if row["answer"] or row["right"]]
    assert {row["response"] for row in drawn if int(row["id"]) % 10 == 0} == {"'=IT() cannot be seen."}
    assert "20 of 60" in drawn[0]["drawn"]
    assert "seed 3" in drawn[0]["drawn"]
    samples = [json.loads(line) for line in (tmp_path / "a" / "audit_run.jsonl").read_text().splitlines()]
    assert [sample["problem"]["id"] for sample in samples] == [row["id"] for row in drawn]


def test_labels_by_hand_give_one_number_with_its_error(tmp_path, responses, capsys):
    assert main(["audit", str(responses), "--size", "30", "--seed", "1"]) == 0
    # the reader finds in every response what its problem asks for, also where the rules find nothing
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"] if int(row["id"]) % 3 else "none")
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    card, said = scored(tmp_path), capsys.readouterr().out
    plain, found = card.get("acc_verified"), card.get("acc_verified_audited")
    here, alone = card.get("acc_verified_audited_here"), card.get("acc_verified_labels_alone")
    assert plain.value == pytest.approx(36 / 60)
    assert plain.value < found.value == here.value == alone.value
    assert here.low <= 40 / 60 <= here.high
    assert here.high - here.low < found.high - found.low < alone.high - alone.low
    assert (alone.low, alone.high) == pytest.approx(wilson(30 * found.value, 30))
    assert card.provenance["audit"]["verified"]["labels"] == 30
    assert card.provenance["audit"]["verified"]["labelled_by"] == {"hand": 30}
    assert "seed 1" in card.provenance["audit"]["verified"]["drawn"]
    assert "sampling and reading error" in said
    assert "labelled otherwise than the rules' verdict: " in said
    assert any("reading error" in note for note in card.notes)


def test_a_scorecard_that_is_there_keeps_what_it_says(tmp_path, responses, capsys):
    assert main(["rescore", str(responses), "--out", str(tmp_path)]) == 0
    path = tmp_path / "scorecard_run.json"
    before = dataclasses.replace(scored(tmp_path), provenance={"task": "mathvista_testmini"}, notes=("Mine.",))
    path.write_text(before.to_json())
    assert main(["audit", str(responses), "--size", "30"]) == 0
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"])
    for _ in "ab":  # a second audit takes the first one's place
        assert main(["audit", str(responses), "--labels", str(labels)]) == 0
        card = scored(tmp_path)
        assert card.scores[: len(before.scores)] == before.scores
        assert [s.metric for s in card.scores[len(before.scores) :]] == [f"acc_verified{e}" for e in LABELLED]
        assert (card.notes[0], len(card.notes)) == ("Mine.", 2)
        assert card.provenance.keys() == {"task", "audit"}
    other = [dataclasses.replace(s, value=0.1) if s.metric == "acc_verified" else s for s in before.scores]
    part = [dataclasses.replace(s, value=0.1) if (s.metric, s.group) == ("acc", "task") else s for s in before.scores]
    of_others = {"verified": {"labels": 30, "verdicts": "0123456789abcdef"}}
    for changed in (
        {"scores": tuple(other)},
        {"scores": tuple(part)},
        {"provenance": {"audit": of_others}},  # as many right, but other rows
    ):
        path.write_text(text := dataclasses.replace(before, **changed).to_json())
        assert main(["audit", str(responses), "--labels", str(labels)]) == 2
        assert "scorecard_run.json: is the scorecard of other verdicts; name another" in capsys.readouterr().err
        assert path.read_text() == text


def test_audits_of_both_rules_stand_side_by_side(tmp_path, responses):
    for rule in ("official", "verified", "official"):
        assert main(["audit", str(responses), "--size", "20", "--rule", rule]) == 0
        labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"])
        assert main(["audit", str(responses), "--rule", rule, "--labels", str(labels)]) == 0
    card = scored(tmp_path)
    endings = [f"{metric}{ending}" for metric in ("acc_verified", "acc") for ending in LABELLED]
    assert [score.metric for score in card.scores if score.metric.endswith(LABELLED)] == endings
    assert [note.partition(" ")[0] for note in card.notes[-2:]] == ["acc_verified_audited", "acc_audited"]
    assert sorted(card.provenance["audit"]) == ["official", "verified"]
    assert results.notes(card, results.subject(whole_card())).count("audited by 20 labels: acc") == 2


def test_an_audit_that_0_2_wrote_stays(tmp_path, responses):
    assert main(["audit", str(responses), "--size", "20", "--rule", "official"]) == 0
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"])
    assert main(["audit", str(responses), "--rule", "official", "--labels", str(labels)]) == 0
    card = scored(tmp_path)
    old = {"rule": "official", "labels": 20}
    (tmp_path / "scorecard_run.json").write_text(dataclasses.replace(card, provenance={"audit": old}).to_json())
    assert "audited by 20 labels: acc " in results.notes(scored(tmp_path), results.subject(whole_card()))
    assert main(["audit", str(responses), "--size", "30"]) == 0
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"])
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    assert scored(tmp_path).provenance["audit"]["official"] == old
    assert scored(tmp_path).get("acc_audited") == card.get("acc_audited")


def test_what_an_audit_says_in_full(tmp_path, responses, capsys):
    """Every response labelled but two, three otherwise than the rules."""
    assert main(["audit", str(responses), "--size", "60"]) == 0
    drawn = (
        f"60 of 60 by verified verdicts {table(tmp_path / 'audit_run.csv')[0]['drawn'].split()[6].strip(',')}, seed 0"
    )
    other = {"10": "10", "3": "3", "20": "20"}  # what the rules did not find, or called wrong
    said = {str(i): str(i) if i % 3 and i % 10 else "none" for i in range(COUNT)} | other | {"1": "", "2": ""}
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: said[row["id"]])
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    lines = capsys.readouterr().out.splitlines()[3:]
    card = scored(tmp_path)
    account = card.provenance["audit"]["verified"]
    strata = account.pop("strata")
    assert len(account.pop("verdicts")) == 16
    assert account == {"labels": 58, "labelled_by": {"hand": 58}, "drawn": drawn}
    assert sum(int(text.split()[0]) for text in strata.values()) == 58
    assert sum(int(text.split()[2]) for text in strata.values()) == 60
    assert sum(int(text.split()[4]) for text in strata.values()) == 3

    def row(name, about):
        score = card.get(name)
        ends = f"[{100 * score.low:.1f}, {100 * score.high:.1f}]"
        return f"  {name:<26} {100 * score.value:>5.1f} {ends:<14} {about}"

    *lines, otherwise, wrote = lines
    assert lines == [
        "run: 60 responses, 58 labelled (58 by hand)",
        "  2 drawn responses have no label and are left out",
        *(f"  {name}: {text}" for name, text in strata.items()),
        row("acc_verified", "as the rules read; sampling error"),
        row("acc_verified_audited", "sampling and reading error"),
        row("acc_verified_audited_here", "of these responses; reading error"),
        row("acc_verified_labels_alone", "the 58 labels without the rules"),
    ]
    assert wrote == f"wrote {tmp_path / 'scorecard_run.json'}"
    before, ids = otherwise.split(": ")
    assert before == "  labelled otherwise than the rules' verdict"
    assert set(ids.split(", ")) == set(other)
    assert (card.get("acc_verified_audited").count, card.get("acc_verified_labels_alone").count) == (60, 58)
    assert card.notes[-1] == (
        "acc_verified_audited is the share right by 58 labels (58 by hand) and the rules' verdicts on all 60 "
        "responses; its interval holds sampling and reading error, that of acc_verified_audited_here reading error "
        "only, that of "
        "acc_verified_labels_alone what the labels tell without the verdicts."
    )


@pytest.mark.parametrize(("yes", "no"), [("Yes", " no"), ("RIGHT", "wrong"), ("1", "0"), ("true", "False")])
def test_right_and_wrong_in_any_words(tmp_path, responses, yes, no):
    assert main(["audit", str(responses), "--size", "60"]) == 0
    labels = fill(tmp_path / "audit_run.csv", right=lambda row: yes if int(row["id"]) % 4 else no)
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    assert scored(tmp_path).value("acc_verified_audited") == 45 / 60


@pytest.mark.parametrize("column", ["answer", "right"])
def test_part_of_the_labels_will_do(tmp_path, responses, capsys, column):
    assert main(["audit", str(responses), "--size", "40"]) == 0
    told = {"answer": lambda row: row["id"], "right": lambda row: "Yes"}[column]
    ids = [row["id"] for row in table(tmp_path / "audit_run.csv")][:25]
    labels = fill(tmp_path / "audit_run.csv", **{column: lambda row: told(row) if row["id"] in ids else ""})
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    assert "15 drawn responses have no label and are left out" in capsys.readouterr().out
    assert scored(tmp_path).get("acc_verified_labels_alone").count == 25


def test_the_official_verdict_is_audited_where_its_authors_read_answers(tmp_path, responses, capsys):
    assert main(["audit", str(responses), "--size", "20", "--rule", "official"]) == 0
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"])
    assert main(["audit", str(responses), "--rule", "official", "--labels", str(labels)]) == 0
    assert scored(tmp_path).get("acc_audited").value > scored(tmp_path).value("acc")
    assert main(["audit", str(responses), "--labels", str(labels)]) == 2
    assert "the verdicts are others now" in capsys.readouterr().err
    fill(labels, right=lambda row: "yes")
    assert main(["audit", str(responses), "--rule", "official", "--labels", str(labels)]) == 2
    assert "fill in answer, not right" in capsys.readouterr().err


def test_the_official_verdict_is_not_audited_where_it_rests_on_no_reading(tmp_path, capsys):
    path = tmp_path / "run.json"
    as_authors(path, "mathvision", (rows := rows_without_pictures("mathvision")), ["A"] * len(rows))
    assert main(["audit", str(path), "--benchmark", "mathvision", "--rule", "official"]) == 2
    assert "rests on no reading" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"right": lambda row: "perhaps"}, "row 1: right should be yes or no, is 'perhaps'"),
        ({"right": lambda row: "2"}, "row 1: right should be yes or no, is '2'"),
        ({"id": lambda row: "999"}, "row 1: '999' is the id of none of the responses"),
        ({"id": lambda row: "5", "right": lambda row: "no"}, "row 2: id '5' stands there twice"),
        ({}, "no labels; expected a column answer, right"),
    ],
)
def test_labels_that_cannot_be_used(tmp_path, responses, capsys, columns, message):
    assert main(["audit", str(responses), "--size", "20"]) == 0
    labels = fill(tmp_path / "audit_run.csv", **columns)
    assert main(["audit", str(responses), "--labels", str(labels)]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "scorecard_run.json").exists()


def test_labels_of_other_verdicts_are_refused(tmp_path, responses, capsys):
    assert main(["audit", str(responses), "--size", "20"]) == 0
    labels = fill(tmp_path / "audit_run.csv", right=lambda row: "yes")
    lines = responses.read_text().splitlines(keepends=True)
    responses.write_text("".join([lines[0].replace("=IT() cannot be seen", "The answer is 0"), *lines[1:]]))
    assert main(["audit", str(responses), "--labels", str(labels)]) == 2
    assert "draw anew" in capsys.readouterr().err


def test_nothing_can_be_drawn_of_size_0(responses, capsys):
    assert main(["audit", str(responses), "--size", "0"]) == 2
    assert "--size should be at least 1, is 0" in capsys.readouterr().err


def test_the_card_entry_says_it(tmp_path, responses):
    assert main(["audit", str(responses), "--size", "30"]) == 0
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"])
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    card = scored(tmp_path)
    about = results.subject(whole_card())
    said = results.notes(card, about)
    assert "audited by 30 labels: acc_verified" in said
    assert "audited" not in results.notes(whole_card(), about)


@needs("report")
def test_the_page_shows_it_by_either_rule(tmp_path, responses):
    assert main(["audit", str(responses), "--size", "30"]) == 0
    labels = fill(tmp_path / "audit_run.csv", answer=lambda row: row["id"])
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    assert main(["report", str(tmp_path / "scorecard_run.json"), "-o", str(tmp_path / "page")]) == 0
    heads = re.findall(r"<th([^>]*)>(acc [^<]*)<", (tmp_path / "page" / "index.html").read_text())
    always = {name for attributes, name in heads if "by-verified" not in attributes}
    assert "acc audited verified" in always
    assert "acc labels alone verified" in {name for _, name in heads} - always
