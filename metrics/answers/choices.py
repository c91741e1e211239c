"""Which option a response finally commits to."""

from __future__ import annotations

import re
from typing import NamedTuple

from mmmath_tasks.metrics.answers import polarity, units
from mmmath_tasks.metrics.answers.boxes import final_box
from mmmath_tasks.metrics.answers.clock import time_words
from mmmath_tasks.metrics.answers.dress import undress
from mmmath_tasks.metrics.answers.expressions import parse
from mmmath_tasks.metrics.answers.letters import letter_at_end, letter_at_start, letters_in
from mmmath_tasks.metrics.answers.options import (
    LETTERS,
    Options,
    matching,
    mentions,
    options,
    subsequences,
    words,
)
from mmmath_tasks.metrics.answers.quantities import pick, read_number
from mmmath_tasks.metrics.answers.question import Question, overlap, question
from mmmath_tasks.metrics.answers.records import Expectation, Reading
from mmmath_tasks.metrics.answers.refusals import refuses, rejects
from mmmath_tasks.metrics.answers.sentences import CONCLUSION, Sentence, announcements, cut_off, sentences
from mmmath_tasks.metrics.answers.wrappers import in_json, tagged


class Claim(NamedTuple):
    """What a part of a response commits to; `choice` None: to something that is not offered."""

    choice: int | None
    text: str
    rule: str
    confidence: float


_NOTHING = Claim(None, "", "", 0.0)


def read_choice(text: str, expectation: Expectation) -> Reading | None:
    """Return the option that a text commits to; None where nothing in it does."""
    reader = _Reader(options(expectation.choices), question(expectation.question))
    claim = reader.whole(text.strip())
    if claim is _NOTHING:
        return None
    if claim is None:
        return _not_offered(text, expectation)
    if claim.choice is None:
        return Reading(claim.text[:200], None, claim.rule, claim.confidence, "unextracted")
    return Reading(LETTERS[claim.choice], claim.choice, claim.rule, claim.confidence)


def _not_offered(text: str, expectation: Expectation) -> Reading | None:
    """Return what stands in the answer's place but matches no option: a short text, a number."""
    if refuses(text) or cut_off(sentences(text)):
        return None
    bare = undress(text)
    if 0 < len(bare) < 40 and "\n" not in text.strip() and not text.rstrip().endswith("?"):
        return Reading(bare, None, "whole", 0.3, "unextracted")
    if options(expectation.choices).numeric:
        found = read_number(text, Expectation("float", question=expectation.question))
        if found is not None and found.text is not None:
            return Reading(found.text, None, found.rule, 0.3, "unextracted")
    return None


class _Reader:
    """The options and the question that one response is read for."""

    def __init__(self, offered: Options, asked: Question) -> None:
        self.offered = offered
        self.asked = asked
        self.yes_no = polarity.yes_and_no(offered)

    def whole(self, text: str) -> Claim | None:
        if len(text) < 300 and "boxed" not in text:
            claim = self.short(text, "whole", 0.97)
            if claim is not None and claim.choice is not None:
                return claim
        if _several(text, self.offered):
            return _NOTHING
        box = final_box(text)
        for rule, inside in (("tag", tagged(text)), ("json", in_json(text)), ("box", box and box[0])):
            if inside and inside.strip():
                later = self.announced(sentences(text[box[1] :])) if rule == "box" and box else None
                if later is not None and later.choice is not None:
                    return later
                found = self.short(inside, rule, 0.97)
                if found is None and _several(inside, self.offered):
                    return _NOTHING
                if found is None and not _is_formula(inside):
                    found = self.sentence(inside, rule)
                return found or Claim(None, undress(inside), rule, 0.6)
        parts = sentences(text)
        if not parts:
            return None
        if self.repeated(text, parts):
            return _NOTHING
        claim = self.announced(parts)
        if claim is None and any(rejects(p.text) for p in parts[-3:]):
            return self.none_of_them()
        if claim is None and cut_off(parts):
            return None
        return claim or self.unannounced(parts)

    def none_of_them(self) -> Claim:
        """Return the option that says "none of the above" where there is one; else nothing."""
        found = [i for i, text in enumerate(self.offered.texts) if rejects(text)]
        return Claim(found[0], self.offered.texts[found[0]], "none", 0.7) if len(found) == 1 else _NOTHING

    def short(self, text: str, rule: str, confidence: float) -> Claim | None:
        """Read a text that is an answer and nothing else: "B", "(B) text", "B: text", the option's text."""
        bare = undress(text)
        if not bare:
            return None
        behind = re.match(r"\s*(?:A|Ans)\s*[:-]\s*(?=\S)", text)
        if behind and len(sentences(text)) == 1:  # "A: No" is "Answer: No"
            found = matching(text[behind.end() :], self.offered)
            if found is None and self.yes_no is not None:
                said = polarity.plain_word(text[behind.end() :], *self.yes_no)
                found = None if said is None else said.choice
            if found is not None:
                return Claim(found, text, rule, 0.9)
        if len(bare.strip("()[]*. ")) == 1 and bare.strip("()[]*. ").isalpha():
            letter = letter_at_start(bare, self.offered)
            if letter is not None:
                index = letter[1] if letter[1] is not None else matching(bare, self.offered)
                return Claim(index, letter[0], rule, confidence)
        found = matching(text, self.offered)
        if found is not None:
            return Claim(found, text, rule, confidence)
        if "\n" in text.strip() or len(bare) > 120 or len(sentences(bare)) > 1:
            return None
        letter = letter_at_start(text, self.offered) or letter_at_start(bare, self.offered)
        if letter is not None and letter[1] is not None and matching(bare[1:], self.offered) == letter[1]:
            return Claim(letter[1], letter[0], rule, confidence)
        end = letter_at_end(bare, self.offered)
        if letter is not None and end is not None and end[0] != letter[0]:
            return None  # "B. Wait, ... so it is C"
        if letter is not None and re.match(r"\W*[A-Za-z]\s*[).:\]}]|\W*[A-Za-z]\W*$", bare):
            return self.lettered(text, letter, rule, confidence - 0.05)
        return None

    def repeated(self, text: str, parts: list[Sentence]) -> bool:
        """Tell whether a text is the question or the list of options again, and no answer."""
        if _ECHO.search(text):
            return True
        marks = [m[1] for m in (_MARK.match(p.text) for p in parts) if m]
        if len(set(marks)) >= 2 and len(marks) >= len(parts) - 2:
            return not any(announcements(p.text) and not _HEADING.match(p.text) for p in parts)
        return all(p.text.rstrip().endswith("?") for p in parts) and overlap(text, self.asked) > 0.7

    def announced(self, parts: list[Sentence]) -> Claim | None:
        """Read the last sentence that announces the answer, unless a later conclusion replaces it."""
        unoffered = conditional = None
        for i in range(len(parts) - 1, -1, -1):
            for end in reversed(announcements(parts[i].text)):
                span = parts[i].text[end:]
                if not re.search(r"\w", span):
                    if i + 1 >= len(parts):
                        continue
                    span = parts[i + 1].text
                    if len(parts) - i > 3 and letter_at_start(span, self.offered) is None:
                        continue  # "Here is the answer:" before a whole derivation
                claim = self.span(span)
                if claim is not None and claim.choice is not None:
                    if re.match(r"\W*(?:if|suppose|assuming)\b", parts[i].text, re.I):
                        if conditional is not None and conditional.choice != claim.choice:
                            return _NOTHING  # "if ..., the answer is A; if not, the answer is B"
                        conditional = claim
                        continue
                    return self.replaced(claim, parts[i + 1 :]) or (self.restated(claim, parts) if i == 0 else claim)
                if claim is None and len(span) < 60 and re.search(r"\d", span) and _is_formula(span):
                    claim = Claim(None, undress(span), "statement", 0.6)
                unoffered = unoffered or claim
        if conditional is not None:
            return conditional
        return unoffered

    def span(self, text: str) -> Claim | None:
        """Read what follows "the answer is"."""
        whole = matching(text, self.offered)
        letter = letter_at_start(text, self.offered)
        if letter is not None and (whole is None or len(text.strip(" .()*$")) == 1):
            return self.lettered(text, letter, "statement", 0.95)
        if whole is not None:
            return Claim(whole, text, "statement", 0.95)
        found = letters_in(text, self.offered)
        if len({f[1] for f in found}) == 1:
            return Claim(found[0][2], found[0][1], "statement", 0.92)
        if len(found) > 1 or refuses(text):
            return None
        if self.yes_no is not None:
            said = polarity.plain_word(text, *self.yes_no)
            if said is not None:
                return Claim(said.choice, text, "statement", 0.92)
        if _several(text, self.offered):
            return None
        named = mentions(text, self.offered)
        if re.search(r"\bor\b", text) and len({n[1] for n in named}) > 1:
            return None
        if named and (len({n[1] for n in named}) == 1 or named[0][0] < 6):
            return Claim(named[0][1], text, "statement", 0.9)
        compared = polarity.comparison(text, self.offered)
        return None if compared is None else Claim(compared.choice, text, "statement", 0.85)

    def lettered(self, text: str, letter: tuple[str, int | None], rule: str, confidence: float) -> Claim | None:
        """Return the claim of a text that begins with a letter; none if it goes on "or B"."""
        if _OR_ANOTHER.match(text) or _LISTING.match(text):
            return None
        if letter[1] is not None:
            return Claim(letter[1], letter[0], rule, confidence)
        # A letter that is not offered is no answer, whatever stands behind it, unless an option's text is that letter.
        alone = re.fullmatch(r"\W*[A-Za-z]\W*", text) is not None
        return Claim(matching(letter[0], self.offered) if alone else None, letter[0], rule, 0.6)

    def replaced(self, claim: Claim, later: list[Sentence]) -> Claim | None:
        """Return a later conclusion that names another option by its letter."""
        for part in reversed(later):
            if CONCLUSION.match(part.text):
                found = [f for f in letters_in(part.text, self.offered) if f[2] is not None]
                if not found:
                    end = letter_at_end(part.text, self.offered)
                    found = [] if end is None or end[1] is None else [(0, *end)]
                if len({f[1] for f in found}) == 1 and found[0][2] != claim.choice:
                    return Claim(found[0][2], found[0][1], "conclusion", 0.8)
        return None

    def begins_elsewhere(self, text: str) -> bool:
        """Tell whether a text begins with a letter that is not offered: "(C) Yes" of two options."""
        letter = letter_at_start(text, self.offered)
        return letter is not None and letter[1] is None

    def restated(self, claim: Claim, parts: list[Sentence]) -> Claim:
        """Return what the last sentence restates where the answer was announced at the start; else the announced."""
        last = parts[-1].text
        if len(parts) > 2 and self.offered.numeric and overlap(last, self.asked) >= 0.5:
            end = self.sentence(last, "restated")
            if end is not None and end.choice is not None:
                return end
        return claim

    def unannounced(self, parts: list[Sentence]) -> Claim | None:
        """Read a response that never says "the answer is"."""
        first, last = parts[0].text, parts[-1].text
        if self.yes_no is not None and not self.begins_elsewhere(first):
            plain = self.plain_yes_no(parts) or self.unknown(parts)
            if plain is not None:
                return plain
        letter = letter_at_start(last, self.offered) if len(last.strip()) < 40 else None
        letter = letter or letter_at_end(last, self.offered)
        if letter is not None and letter[1] is not None and not last.rstrip().endswith("?"):
            return Claim(letter[1], letter[0], "last_letter", 0.88)
        letter = letter_at_start(first, self.offered)
        start = None if letter is None else self.lettered(first, letter, "first_letter", 0.85)
        if refuses(last) and not letters_in(last, self.offered):
            return start or self.sentence(last, "last_sentence")
        end = None
        for part in reversed(parts):
            if CONCLUSION.match(part.text):
                end = self.sentence(part.text, "conclusion")
                if end is not None:
                    return end
        if start is not None:
            other = re.search(r"\b(?:other|others|incorrect|wrong)\b", last)
            if len(parts) > 1 and self.yes_no is None and not other and overlap(last, self.asked) >= 0.5:
                end = self.sentence(last, "restated")
            return end or start
        return self.best(parts)

    def unknown(self, parts: list[Sentence]) -> Claim | None:
        """Return the option that says that nothing can be known where the first or the last sentence says so."""
        found = [i for i, text in enumerate(self.offered.texts) if refuses(text)]
        said = refuses(parts[0].text) or refuses(parts[-1].text)
        return Claim(found[0], parts[-1].text, "sentence", 0.8) if said and len(found) == 1 else None

    def plain_yes_no(self, parts: list[Sentence]) -> Claim | None:
        assert self.yes_no is not None  # noqa: S101 - called only where it is known
        for part in reversed(parts):
            said = polarity.plain_word(part.text, *self.yes_no)
            if said is not None:
                return Claim(said.choice, part.text, "yes_no", said.confidence)
        return None

    def best(self, parts: list[Sentence]) -> Claim | None:
        """Return the claim of the sentence nearest to the question: the first or the last where several are."""
        found: list[tuple[float, Claim]] = []
        if self.yes_no is not None and any(refuses(p.text) for p in (parts[0], parts[-1])):
            return None
        for i, part in enumerate(parts[-60:]):
            claim = self.sentence(part.text, "sentence")
            if (
                claim is not None
                and claim.confidence <= 0.6
                and len(parts) > 2
                and overlap(part.text, self.asked) < 0.4
            ):
                continue  # named in passing
            if claim is not None and claim.choice is not None:
                weight = claim.confidence + 0.5 * overlap(part.text, self.asked)
                first, last = (0.35, 0.1) if self.yes_no else (0.15, 0.2)
                weight += last * (i == len(parts) - 1) + first * (i == 0) + 0.25 * bool(CONCLUSION.match(part.text))
                found.append((weight, claim))
        if len({claim.choice for _, claim in found}) > 2 and not any(overlap(p.text, self.asked) for p in parts):
            return None  # several things said of several options, none of them of the question
        return max(found, key=lambda f: f[0])[1] if found else None

    def sentence(self, text: str, rule: str) -> Claim | None:
        """Read a sentence that gives the answer in its own words."""
        found = [f for f in letters_in(text, self.offered) if f[2] is not None]
        if found and len({f[1] for f in found}) == 1:
            return Claim(found[0][2], found[0][1], rule, 0.85)
        letter = letter_at_end(text, self.offered)
        if letter is not None and letter[1] is not None:
            return Claim(letter[1], letter[0], rule, 0.85)
        if self.yes_no is not None:
            said = polarity.plain_word(text, *self.yes_no) or polarity.restated(text, *self.yes_no, self.asked)
            return None if said is None else Claim(said.choice, text, rule, said.confidence)
        if text.rstrip().endswith("?"):
            return None
        if refuses(text):
            unknown = [i for i, option in enumerate(self.offered.texts) if refuses(option)]
            return Claim(unknown[0], text, rule, 1.0) if len(unknown) == 1 else None
        compared = polarity.comparison(text, self.offered)
        if compared is not None:
            return Claim(compared.choice, text, rule, compared.confidence)
        return self.named(text, rule)

    def named(self, text: str, rule: str) -> Claim | None:
        """Read the option whose text or value a sentence names."""
        named = mentions(text, self.offered)
        if not named:
            time = time_words(text, tuple(item.words for item in self.offered.items))
            if time is not None:
                return Claim(time, text, rule, 0.75)
            if self.offered.numeric:
                picked = pick(text, self.asked)
                value = None if picked is None or picked.weight < 1 or picked.value is None else picked.text
                return None if value is None else Claim(None, value, rule, 0.4)
            loose = subsequences(text, self.offered)
            return Claim(loose[0], text, rule, 0.6) if len(loose) == 1 else None
        if self.offered.numeric:
            picked = pick(text, self.asked)
            if picked is not None and picked.value is not None:
                equal = [i for i, item in enumerate(self.offered.items) if item.value == picked.value]
                if not equal and picked.weight < 2 and len({n[1] for n in named}) == 1:
                    return Claim(named[0][1], text, rule, 0.6)
                return Claim(equal[0] if equal else None, picked.text, rule, 0.8 if equal else 0.4)
        if len({n[1] for n in named}) == 1:
            return Claim(named[0][1], text, rule, 0.8)
        predicate = _PREDICATE.search(text)
        claims = [m[1] for m in _SUPERLATIVE.finditer(text) if m[2].lower() in self.asked.text]
        for said in [*claims, *([predicate[1]] if predicate else [])]:
            index = matching(said, self.offered)
            if index is not None:
                return Claim(index, text, rule, 0.75)
        main = _ASIDE.split(text, maxsplit=1)[0]
        if len(main) < len(text):
            claim = self.named(main, rule)
            if claim is not None and claim.choice is not None:
                return claim._replace(confidence=0.7)
        fresh = [n for n in named if self.offered.items[n[1]].words not in self.asked.text]
        if len({n[1] for n in fresh}) == 1:
            return Claim(fresh[0][1], text, rule, 0.7)
        return None


_ASIDE = re.compile(
    r",? (?:as|because|since|while|whereas|than|although|but not|compared (?:to|with)|rather than)\b", re.I
)
_PREDICATE = re.compile(r"\b(?:is|are|was|were)\s+([^,;:]{1,60})$", re.I)
_SUPERLATIVE = re.compile(
    r"(?:^\W*|[,;]\s|\s(?=and |while |whereas |but ))(?:(?:and|while|whereas|but)\s)?([^,;:\n]{1,60}?)\s+"
    r"(?:is|are|has|have|was|had)\s+the\s+(\w+est|most|least)\b",
    re.I,
)
_ECHO = re.compile(r"\n\s*Choices?:\s*\n\(A\)[^\n]*\n(?:\([A-Z]\)[^\n]*(?:\n|$))+\s*(?:$|Question)")
_LISTING = re.compile(r"\W*A\b[^\n]{1,60}?\bB\b[^\n]{1,60}?\bC\b", re.S)
_HEADING = re.compile(r"\W*(?:answer )?(?:choices|options)\W*$", re.I)
_MARK = re.compile(r"\s*[-*]?\s*\(?([A-Z]{1,2}|[a-h])[).:]\s")
_OR_ANOTHER = re.compile(r"\W*(?:either\W+)?[A-H]\b[^.\n]{0,40}\bor\W+(?:option |choice )?[A-H]\b(?! [a-z])", re.I)


_JOINED = re.compile(r",? and |,? or |[,;&]")
_LETTERS_ONLY = re.compile(
    r"[\s$(\[{*\\\"]*(?:\b(?:both|options?|text|mathrm|textbf)\b[\s{(*:]*)*[A-Za-z]"
    r"(?:[\s,;&/()\[\]{}.*$\\-]+(?:(?:and|or|text|option)\b[\s{(*]*)*[A-Za-z])+[\s)\]}.*$\"]*"
)


def _several(text: str, offered: Options) -> bool:
    """Tell whether a text is two or more different letters, or texts of options, and nothing else."""
    head = text[:300]
    parts = [words(part) for part in _JOINED.split(head)]
    if len(set(parts)) > 1 and all(part in offered.by_words for part in parts) and words(head) not in offered.by_words:
        return True
    return _LETTERS_ONLY.fullmatch(head) is not None and len(set(re.findall(r"\b[A-Za-z]\b", head.upper()))) > 1


def _is_formula(text: str) -> bool:
    """Tell whether a text is mathematics and no words, so that no option is named within it."""
    bare = undress(text)
    return parse(units.split(bare)[0]) is not None or not re.search(r"[A-Za-z]{3}", re.sub(r"\\[A-Za-z]+", "", bare))
