"""Which option a response finally commits to."""

from __future__ import annotations

import re

from mmmath_tasks.metrics.answers import statements
from mmmath_tasks.metrics.answers.claims import (
    EITHER,
    Claim,
    asking,
    bold,
    impossible,
    is_formula,
    last_value,
    left_open,
    lettered,
    none_of_them,
    repeated,
    sentence,
    several,
    short,
    span,
    ticked,
    undecided,
    unknown,
    without_list,
)
from mmmath_tasks.metrics.answers.document import MAX_DEPTH, Enclosed, enclosed
from mmmath_tasks.metrics.answers.dress import in_words, undress
from mmmath_tasks.metrics.answers.letters import letter_at_end, letter_at_start, letters_in, picture_at_end
from mmmath_tasks.metrics.answers.lexicon import beyond, cue, denies, refuses, rejects
from mmmath_tasks.metrics.answers.options import LETTERS, matching, mentions, options
from mmmath_tasks.metrics.answers.quantities import read_number
from mmmath_tasks.metrics.answers.records import Expectation, Reading, nearness, overlap
from mmmath_tasks.metrics.answers.sentences import (
    Sentence,
    announcements,
    begins_conclusion,
    cut_off,
    own,
    sentences,
)

_NOTHING = Claim(None, "", "")


def read_choice(text: str, expectation: Expectation) -> Reading | None:
    """Return the option that a text commits to; None where nothing in it does."""
    reader = _Reader(expectation)
    claim = reader.whole(text.strip())
    if claim is _NOTHING:
        return None
    if claim is None:
        return _not_offered(text, expectation)
    if claim.choice is None:
        return Reading(claim.text[:200], None, claim.rule, reason="unextracted", passage=claim.text)
    letter = LETTERS[claim.choice] if claim.choice < len(LETTERS) else expectation.choices[claim.choice]
    return Reading(letter, claim.choice, claim.rule, passage=claim.text)


def _not_offered(text: str, expectation: Expectation) -> Reading | None:
    """Return what stands in the answer's place but matches no option: a short text, a number."""
    if refuses(text) or cut_off(sentences(text)):
        return None
    bare = undress(text)
    if 0 < len(bare) < 40 and "\n" not in text.strip() and not text.rstrip().endswith("?"):
        return Reading(bare, None, "whole", reason="unextracted", passage=bare)
    if options(expectation.choices).numeric:
        found = read_number(text, Expectation("float", question=expectation.question))
        if found is not None and found.text is not None:
            return Reading(found.text, None, found.rule, reason="unextracted", passage=found.passage)
    return None


class _Reader:
    """One response to a choice question, read from its outer forms to its sentences."""

    def __init__(self, expectation: Expectation) -> None:
        self.asking = asking(expectation)
        self.offered = self.asking.offered
        self.asked = self.asking.question
        self.yes_no = self.asking.yes_no
        self.depth = 0

    def whole(self, text: str) -> Claim | None:
        if all(":" in option for option in self.offered.texts):
            text = _RATIO.sub(r"\1:\2", text)
        if "(A" in text or "[A" in text:
            text = _LETTERS_LISTED.sub("", text)
        if len(text) < 300 and "boxed" not in text:
            claim = short(text, "whole", self.asking)
            if claim is not None and claim.choice is not None:
                return claim
        if (len(text) < 300 and several(text, self.offered)) or (len(text) < 120 and EITHER.match(text)):
            return _NOTHING
        apart = enclosed(text)
        if apart is not None:
            return self.set_apart(apart)
        parts = own(sentences(text))
        if not parts:
            return None
        shown = without_list(parts, self.offered)
        if len(shown) < len(parts):
            return self.announced(shown) or _NOTHING
        judged = None if self.yes_no else ticked(parts, self.offered)
        if repeated(text, parts, self.asking):
            return judged or _NOTHING
        if self.yes_no is not None and len(cue("yes no alone").findall(text[:1_000])) > 3:
            return _NOTHING  # "Yes. No. Yes. No."
        claim = judged or self.announced(parts)
        if claim not in (None, _NOTHING) and claim.choice is None and begins_conclusion(parts[-1].text):
            claim = sentence(parts[-1].text, "conclusion", self.asking) or claim
        ends = letter_at_end(parts[-1].text, self.offered)
        if claim is None and ends is None and any(rejects(p.text) for p in parts[-3:]):
            return none_of_them(self.offered, parts[-1].text) or _NOTHING
        if claim is None and cut_off(parts):
            said = statements.plain_start(parts[0].text, *self.yes_no) if self.yes_no else None
            return None if said is None else Claim(said.choice, parts[0].text, "yes_no")
        return claim or self.unannounced(parts)

    def set_apart(self, apart: Enclosed) -> Claim | None:
        """Read an answer in a tag, a JSON reply or a box, unless the text behind it announces another."""
        rule, passage = apart.rule, apart.passage
        later = self.announced(sentences(apart.behind))
        if later is not None and later.choice is not None:
            return later
        found = short(apart.inside, rule, self.asking)
        if found is not None:
            return found if found.choice is None else found._replace(text=passage)
        inside = in_words(apart.inside)
        named = self.value_and_letter(inside)
        if named is not None:
            return Claim(named, passage, rule)
        if several(inside, self.offered):
            return _NOTHING
        if self.depth < MAX_DEPTH and ("boxed" in inside or not is_formula(inside)):
            self.depth += 1
            found = self.whole(inside)
        return found or Claim(None, undress(inside), rule)

    def announced(self, parts: list[Sentence]) -> Claim | None:
        """Read the last sentence that announces the answer, unless a later conclusion replaces it."""
        unoffered = conditional = None
        for i in range(len(parts) - 1, -1, -1):
            if rejects(parts[i].text) and not letter_at_end(parts[i].text, self.offered):
                if announcements(parts[i].text):
                    return none_of_them(self.offered, parts[i].text) or _NOTHING  # the answer is that there is none
                continue
            if cue("heading").match(parts[i].text) and i < len(parts) - 1:
                continue
            for end in reversed(announcements(parts[i].text)):
                rest = self.behind(parts, i, end)
                if rest is None:
                    continue
                claim = None if left_open(rest, self.offered) else span(rest, self.asking)
                whole = parts[i].text if rest in parts[i].text else f"{parts[i].text} {rest}"
                if claim is None and left_open(rest, self.offered):
                    return _NOTHING  # "The answers are A and D."
                if claim is not None and claim.choice is not None:
                    claim = claim._replace(text=whole)
                    if cue("supposes").search(parts[i].text):
                        other = conditional is not None and conditional.choice != claim.choice
                        if other or cue("otherwise").search(parts[i].text):
                            return _NOTHING  # "if ..., the answer is A; if not, the answer is B"
                        conditional = claim
                        continue
                    return self.replaced(claim, parts[i + 1 :]) or claim
                if claim is None and re.search(r"\d", rest) and is_formula(rest):
                    claim = Claim(None, undress(rest), "statement")
                unoffered = unoffered or claim
        if conditional is not None:
            return _NOTHING if refuses(parts[-1].text) and cue("either one").search(parts[-1].text) else conditional
        return unoffered

    def behind(self, parts: list[Sentence], i: int, end: int) -> str | None:
        """Return what stands behind an announcement, in its sentence or the next one; None where nothing fits."""
        said = parts[i].text
        if re.search(r"\w", said[end:]):
            return said[end:]
        if said.rstrip(" *").endswith(".") or i + 1 >= len(parts) or cue("the choices").search(said):
            return None  # "... is what I choose.", "Comparing with the choices:"
        rest = parts[i + 1].text
        if len(parts) - i > 3 and letter_at_start(rest, self.offered) is None:
            return None  # "Here is the answer:" before a whole derivation
        return rest

    def replaced(self, claim: Claim, later: list[Sentence]) -> Claim | None:
        """Return a later conclusion that names another option by its letter."""
        for part in reversed(later):
            if begins_conclusion(part.text):
                named = {index for _, _, index in letters_in(part.text, self.offered)}
                end = letter_at_end(part.text, self.offered)
                named = named or ({end[1]} if end else set())
                if len(named) == 1 and not named & {claim.choice, None}:
                    return Claim(named.pop(), part.text, "conclusion")
        return None

    def unannounced(self, parts: list[Sentence]) -> Claim | None:
        """Read a response that never says "the answer is"."""
        first, last = parts[0].text, beyond(parts[-1].text)
        if self.yes_no is not None:
            plain = self.plain_yes_no(parts) or unknown(parts, self.offered)
            if plain is not None:
                return plain
        if undecided(last, self.offered):
            return _NOTHING
        return self.set_off(parts) or self.last_letter(last) or self.told(first, last, parts)

    def set_off(self, parts: list[Sentence]) -> Claim | None:
        """Read what is in bold or ticked, that it cannot be, or the value with which a derivation ends."""
        found = None if self.yes_no else bold(parts, self.asking)
        last = parts[-1].text
        if found is None and (begins_conclusion(last) or cue("so").search(last) or cue("reasoned").match(last)):
            found = impossible(last, self.asking)
        return found or (last_value(parts, self.asking) if len(parts) > 1 else None)

    def value_and_letter(self, text: str) -> int | None:
        """Return the option of which a line gives the text, maybe as a result, and then the letter: "x = 6 (B)"."""
        ends = _ENDS_IN_LETTER.search(text) if "\n" not in text else None
        named = None if ends is None else matching(text[: ends.start()].rpartition("=")[2], self.offered)
        return named if ends is not None and named == LETTERS.index(ends[1]) else None

    def last_letter(self, last: str) -> Claim | None:
        """Read the letter with which the last sentence ends, or which it is."""
        named = self.value_and_letter(undress(last))
        if named is not None:
            return Claim(named, last, "last_letter")
        letter = letter_at_start(last, self.offered) if len(last.strip()) < 40 else None
        letter = letter or letter_at_end(last, self.offered)
        if letter is None or letter[1] is None:
            return None
        return Claim(letter[1], last, "last_letter")

    def told(self, first: str, last: str, parts: list[Sentence]) -> Claim | None:
        """Read what the sentences say: a letter at the start, a conclusion, the sentence nearest to the question."""
        discussed = {found[0] for p in parts if (found := letter_at_start(p.text, self.offered)) is not None}
        letter = letter_at_start(first, self.offered) if len(discussed) < 3 else None
        start = None if letter is None else lettered(first, letter, "first_letter", self.asking)
        named = {i for _, i in mentions(last, self.offered)}
        if len(named) == 1 and denies(last) and denies(self.asked.text):
            return Claim(named.pop(), last, "last_sentence")  # "Which can't be made?", "A can't be made."
        if refuses(last) and not letters_in(last, self.offered):
            return start or sentence(last, "last_sentence", self.asking)
        end = None
        if start is None and len(parts) > 1 and self.offered.numeric and nearness(last, self.asked) >= 0.5:
            end = sentence(last, "restated", self.asking)
            if end is not None and end.choice is not None:
                return end
        for part in reversed(parts):
            if begins_conclusion(part.text):
                end = sentence(part.text, "conclusion", self.asking)
                if end is not None:
                    return end
        if start is not None:
            # "the others are wrong"
            other = re.search(r"\b(?:other|others|incorrect|wrong)\b", last)
            if len(parts) > 1 and self.yes_no is None and not other and overlap(last, self.asked) >= 0.5:
                end = sentence(last, "restated", self.asking)
            return end or start
        if len(discussed) > 2:  # one option after the other, and then what follows
            return self.best([p for p in parts if letter_at_start(p.text, self.offered) is None] or parts)
        best = self.best(parts) or (impossible(last, self.asking) if overlap(last, self.asked) >= 0.25 else None)
        picture = picture_at_end(last, self.offered) if best is None else None
        return best if picture is None else Claim(picture, last, "last_letter")

    def plain_yes_no(self, parts: list[Sentence]) -> Claim | None:
        assert self.yes_no is not None  # noqa: S101 - called only where it is known
        for part in reversed(parts):
            named = {index for _, _, index in letters_in(part.text, self.offered)}
            if part is parts[-1] and len(named) == 1 and None not in named and not refuses(part.text):
                return Claim(named.pop(), part.text, "sentence")  # "Option B is correct" says no, and not yes
            said = statements.plain_word(part.text, *self.yes_no)
            if said is not None:
                return Claim(said.choice, part.text, "yes_no")
        return None

    def best(self, parts: list[Sentence]) -> Claim | None:
        """Return the claim of the sentence nearest to the question: the first or the last where several are."""
        found: list[tuple[float, Claim]] = []
        if self.yes_no is not None and any(refuses(p.text) for p in (parts[0], parts[-1])):
            return None
        shares = [overlap(p.text, self.asked) for p in parts]
        for i, (part, share) in enumerate(zip(parts, shares, strict=True)):
            claim = sentence(part.text, "sentence", self.asking)
            if claim is None or claim.choice is None:
                continue
            inside = 0 < i < len(parts) - 1
            passing = claim.weight <= 0.6 and len(parts) > 2 and not (i == len(parts) - 1 and len(part.text) < 60)
            if (passing and share < 0.4) or (inside and share < 0.25 and max(shares) > 0.6):
                continue  # named in passing
            first, last = (0.35, 0.1) if self.yes_no else (0.15, 0.2)
            concludes = begins_conclusion(part.text) or cue("so").search(part.text)
            weight = claim.weight + 0.5 * share + 0.25 * bool(concludes)
            found.append((weight + last * (i == len(parts) - 1) + first * (i == 0), claim))
        if len({claim.choice for _, claim in found if claim.rule == "trend"}) > 1:
            return None  # of several things it is said what becomes of them
        found.sort(key=lambda f: f[0], reverse=True)
        every = {claim.choice for _, claim in found} == set(range(len(self.offered.texts)))
        if every and len(self.offered.texts) > 2 and found[0][0] - found[1][0] < 0.15:
            return None  # something is said of each
        return found[0][1] if found else None


# "the ratio is 3:1 (B)."
_ENDS_IN_LETTER = re.compile(r"(?<=\S)[\s,:;=$]*\(\s*([A-H])\s*\)[\s.$]*$")
# "(A, B, C, or D)"
_LETTERS_LISTED = re.compile(r"[(\[]A(?:\s?,\s?(?:or |and )?[A-H]){2,7}(?:,? (?:or|and) [A-H])?\s*[)\]]")
# "3 to 4", "3 : 4"
_RATIO = re.compile(r"(?<![\d.:])(\d{1,4})\s?(?:to|:)\s?(\d{1,4})(?!\d|[.:]\d)")
