"""Every entry of the lexicon is read in its example, and every language has what announces an answer."""

import re
from pathlib import Path

import pytest

from mmmath_tasks.metrics.answers import Expectation, lexicon, read
from mmmath_tasks.metrics.answers.letters import letters_in
from mmmath_tasks.metrics.answers.lexicon import cue, refuses, rejects
from mmmath_tasks.metrics.answers.numbers import UNITS, numbers, split_unit
from mmmath_tasks.metrics.answers.options import options
from mmmath_tasks.metrics.answers.sentences import announcements, begins_conclusion

ENTRIES = lexicon.entries()
COMMON = {entry.language: entry.pattern for entry in ENTRIES if entry.role == "common"}
SOURCES = [path.read_text(encoding="utf-8") for path in Path(lexicon.__file__).parent.glob("*.py")]
OFFERED = options(("12", "18", "27"))
CHOICE = Expectation("choice", ("12", "18", "27"), question="How long is it?")
NUMBER = Expectation("integer", question="How many are there?")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: f"{e.role} {e.language} {e.example[:20]}")
def test_an_entry_is_read_in_its_example(entry):
    example = entry.example
    pattern = entry.pattern.replace(" ", "|") if entry.role in {"unit", "common"} else entry.pattern
    assert re.search(pattern, example, re.IGNORECASE), "its pattern is not in its example"
    match entry.role:
        case "noun" | "verb" | "filler" | "announcement":
            ends = announcements(example)
            assert ends
            assert example[ends[-1] :].strip() == entry.reads
        case "conclusion":
            assert begins_conclusion(example)
            assert not begins_conclusion("The side is 5.")
        case "refusal":
            assert refuses(example)
        case "rejection":
            assert rejects(example)
        case "subject":
            assert [letter for letter, _ in letters_in(example, OFFERED)] == [entry.reads]
        case "scale":
            assert [n.value for n in numbers(example, words=True)] == [2 * entry.value]
        case "part":
            assert [1 / n.value for n in numbers(example, words=True)] == [entry.value]
        case "ones" | "tens":
            assert [n.value for n in numbers(f"It is {example}", words=True)] == [entry.value]
        case "han":
            assert [n.value for n in numbers(example, words=True)] == [entry.value]
        case "han_scale":
            assert [n.value for n in numbers(example, words=True)] == [2 * entry.value]
        case "unit":
            assert all(split_unit(f"5 {name}") == ("5", UNITS[name]) for name in entry.pattern.split())
        case "word":
            assert entry.means in lexicon.in_english(f"{COMMON[entry.language]} {example}", entry.language)
        case "common":
            assert lexicon.language(example) in {entry.language, "en"}
        case role:
            assert cue(role).search(example)
            assert any(f'"{role}"' in source for source in SOURCES), "nothing looks for it"


@pytest.mark.parametrize(
    "sentence",
    [
        "The answer is {}.",
        "\u6240\u4ee5\u7b54\u6848\u662f{}\u3002",
        "\u56e0\u6b64\u7b54\u6848\u70ba {}\u3002",
        "Die Antwort ist {}.",
        "La r\u00e9ponse est {}.",
        "La respuesta es {}.",
        "\u7b54\u3048\u306f{}\u3067\u3059\u3002",
        "\uc815\ub2f5\uc740 {}\uc785\ub2c8\ub2e4.",
    ],
)
def test_eight_languages_announce_letters_and_numbers(sentence):
    for i, letter in enumerate("ABC"):
        assert read(sentence.format(letter), CHOICE).choice == i
    for value in ("7", "40"):
        assert read(sentence.format(value), NUMBER).text == value
    assert read(sentence.format("D"), CHOICE).choice is None
