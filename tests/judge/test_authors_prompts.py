"""MathVerse judged by its authors' prompts: what is sent, what is read, and what the result is called."""

import json

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.judge import metric
from mmmath_tasks.judge.authors_prompts import filled, load
from mmmath_tasks.judge.case import Case
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import benchmark
from support import authors_prompts
from support.authors_prompts import EXTRACT, SCORE

VERSE = benchmark("mathverse")


def verse(id, gold, response, version="Text Lite", question="Find L."):
    groups = {"version": (version,), "subject": ("Plane Geometry",), "subfield": ("Plane Geometry: Length",)}
    extra = {"question_for_eval": "The can is 13 cm high. Find L.", "problem_index": id}
    return Case(
        Problem("mathverse", id, question, (), gold, answer_type="expression", groups=groups, extra=extra), response
    )


CASES = [
    verse("1", "\\frac{1}{2}", "x " * 40 + "The answer is \\frac{1}{2}."),
    verse("2", "14", "The answer is 14."),
    verse("3", "14", "The answer is 14cm."),  # a missing unit in the gold is forgiven by our prompts only
    verse("4", "14", "The answer is 15."),
    verse("5", "14", ""),
    verse("6", "14", "The answer is 14.", "Vision Only", ""),
    verse("7", "14", "The answer is 13.", "Text Only"),
    verse("8", None, "The answer is 13."),
    verse("9", "unclear", "The answer is 13."),
]


def test_messages_and_verdicts_are_theirs(tmp_path, endpoint, judge_for):
    server = endpoint("--full")
    judge_answers = metric("mathverse", str(authors_prompts.write(tmp_path)))
    judged = judge_answers(judge_for(server), CASES)
    assert not (tmp_path / "ran").exists()
    assert [j.verdict.official for j in judged] == [True, True, False, False, False, True, False, None, None]
    assert judged[8].verdict.reason.startswith("judge_failed: invalid reply")
    assert judged[1].detail == {"extraction": "14", "agrees": 1}
    assert judged[1].prompts[0].startswith("mathverse_authors_extraction@")

    sent = [request["body"]["messages"] for request in server.requests()]
    assert all(len(messages) == 1 and messages[0]["role"] == "user" for messages in sent)
    texts = [messages[0]["content"] for messages in sent]
    response = " ".join(CASES[0].response.split(" ")[-30:])
    assert f"{EXTRACT.strip()}\n\nModel response: '{response}'\nExtracted Answer: " in texts
    examples = SCORE.strip().split("[Question]: {question}")[0].replace("{{", "{").replace("}}", "}")

    def asked(question, gold, answer):
        return f"{examples}[Question]: {question}\n[Standard Answer]: {gold}\n[Model_answer] : {answer}\nJudgement:"

    assert asked("Find L.", "\\frac{1}{2}", "\\frac{1}{2}") in texts
    assert asked("Find L.", "14", "14cm") in texts
    assert asked("The can is 13 cm high. Find L.", "14", "14") in texts  # Vision Only: the listed deviation
    assert texts.count(asked("Find L.", "unclear", "13")) == 2  # asked again as it is, then given up


def test_only_their_prompts_make_it_acc(tmp_path, endpoint, judge_for):
    judge, problems = judge_for(endpoint()), [case.problem for case in CASES[:7]]
    file = str(authors_prompts.write(tmp_path))

    def summed(prompts, **options):
        verdicts = [j.verdict for j in metric("mathverse", prompts)(judge, CASES[:7], **options)]
        card = VERSE.summarise(problems, verdicts)
        table = [set(VERSE.metrics.table_scores(p, v)) for p, v in zip(problems, verdicts, strict=True)]
        return card, {score.metric for score in card.scores}, table

    card, names, table = summed(file)
    assert card.headline == "acc"
    assert card.value("acc") == pytest.approx((2 / 5 + 1) / 2)
    assert {"acc", "acc_text_only"} <= names
    assert not any("judged" in name for name in names)
    assert table[0] == table[4] == set()
    assert any("Vision Only" in note and "upstream's without" in note for note in card.notes)

    for prompts, options in ((None, {}), (file, {"sure": 0.99})):
        card, names, table = summed(prompts, **options)
        assert card.headline == "acc_judged"
        assert {"acc_judged", "acc_text_only_judged"} <= names
        assert not {"acc", "acc_text_only"} & names
        assert table[0] == table[4] == {"acc", "acc_judged"}
        assert table[6] == {"acc", "acc_verified", "acc_text_only_judged", "acc_text_only_verified"}
        assert any("not their acc" in note for note in card.notes)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"extract": "open('x').read()"}, "demo_prompt_extract should be a plain string"),
        ({"score": "f'{1}'"}, "demo_prompt_score should be a plain string"),
        ({"score": "'{question} {gt}'"}, "should have places for {question}, {gt} and {extraction}"),
        ({"score": "'{question.__class__} {gt} {extraction}'"}, "unknown field '{question.__class__}'"),
        ({"score": "'{question} {gt} {extraction} }'"}, "single '}'"),
        ({"score": "'a' +"}, "not a Python file"),
        ({"score": "'a'\ndemo_prompt_extract: str = 5"}, "demo_prompt_extract should be a plain string"),
    ],
)
def test_other_files_are_refused(tmp_path, given, message):
    with pytest.raises(InputError) as error:
        metric("mathverse", str(authors_prompts.write(tmp_path, **given)))
    assert message in str(error.value)
    assert "prompts.py" in str(error.value)


def test_a_file_without_the_names_is_refused(tmp_path):
    (tmp_path / "prompts.py").write_text("prompt = 'x'\n")
    with pytest.raises(InputError, match="no text named demo_prompt_extract or demo_prompt_score"):
        metric("mathverse", str(tmp_path / "prompts.py"))


def test_names_go_by_their_role_where_the_authors_names_are_absent(tmp_path):
    (tmp_path / "prompts.py").write_text("EXTRACT_PROMPT = 'e'\nscore_demo: str = '{question}' + 's'\nother = 1\n")
    names = ("demo_prompt_extract", "demo_prompt_score")
    assert load(tmp_path / "prompts.py", names) == dict(zip(names, ("e", "{question}s"), strict=True))
    (tmp_path / "prompts.py").write_text("extract_a = extract_b = 'e'\ndemo_prompt_score = 's'\n")
    with pytest.raises(InputError, match="nor one other whose name says extract; names in the file: extract_a, extra"):
        load(tmp_path / "prompts.py", names)


@pytest.mark.parametrize("template", ["a {{x}} {gt}{{", "{gt}", "", "}}{{ {gt}"])
def test_templates_are_filled_as_python_does(template):
    assert filled(template, {"gt": "{y} }}"}) == template.format(gt="{y} }}")


def test_command_line(tmp_path, endpoint, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    problems, _ = problems_of("mathverse", "sample", None)
    rows = [{"id": p.id, "response": f"The answer is {p.answer}."} for p in problems]
    saved = tmp_path / "said.jsonl"
    saved.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["judge", str(saved), "--benchmark", "mathverse", "--sample", "--model", "scripted"]
    command += ["--base-url", endpoint().url]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "  acc_judged " in said
    assert "  acc " not in said
    assert "note: acc_judged: by a judge, but not" in said
    assert main([*command, "--prompts", str(authors_prompts.write(tmp_path))]) == 0
    said = capsys.readouterr().out
    assert "  acc " in said
    assert "acc_judged" not in said
    card = json.loads((tmp_path / "scorecard_said_answer.json").read_text())
    assert [p.split("@")[0] for p in card["provenance"]["judge"]["prompts"]] == [
        "mathverse_authors_extraction",
        "mathverse_authors_match",
    ]
    assert main([*command, "--prompts", str(tmp_path / "absent.py")]) == 2
    assert "absent.py: not a Python file that can be read" in capsys.readouterr().err
    assert main([*command, "--metric", "cot_e", "--prompts", "x"]) == 2
    assert "--prompts belongs to --metric answer" in capsys.readouterr().err
