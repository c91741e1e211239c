"""Sentences in which a model declines or says that the answer cannot be known."""

from __future__ import annotations

import re

_REFUSAL = re.compile(
    r"(?:can(?: ?not|'t)|could(?: not|n't)|unable to|not able to|(?:im|not )possible to|insufficient|hard to|difficult to)"
    r"[^.\n]{0,60}?(?:determin|answer|solv|provid|calculat|find|identif|comput|confirm|give|see|view|tell|be known"
    r"|conclude|estimate|make|access|say|select|choose|assist|help|measure|specify)"
    r"|cannot be (?:determin|answer|solv|provid|calculat|found|identif)"
    r"|(?:\bnot\b|n't\b|\bno\b|\binsufficient|\bwithout)[^.\n]{0,40}? (?:information|context|details?|data|image|figure|picture|specific)\b"
    r"|(?:please|could you) (?:provide|share|clarify|upload|specify|give)"
    r"|(?:i'm|i am|we are) sorry|i apologi[sz]e|unfortunately|as an ai\b|is not (?:provided|given|specified|clear|known)"
    r"|(?:\bnot|n't) (?:provide|give|contain|include|specify|mention)\b"
    r"|\b(?:need|needs|require|requires)\s+(?:more|additional|further|specific|the specific|information|access)\b"
    r"|\bmore (?:information|context|details) (?:is|are|would be|about)"
    r"|\u65e0\u6cd5|\u4e0d\u80fd\u786e\u5b9a|\u62b1\u6b49|\u6ca1\u6709\u63d0\u4f9b",
    re.I,
)


def refuses(text: str) -> bool:
    """Tell whether a sentence declines to answer."""
    return _REFUSAL.search(text) is not None


_REJECTION = re.compile(
    r"\b(?:none|neither|no) of (?:the |these |those )?(?:given |provided |above |listed |available |answer )*"
    r"(?:options?|choices?|answers?|above)\b"
    r"|\bnot (?:in|one of|among|available|listed|present|an option|provided|given|included|match\w*)\b[^.\n]{0,40}"
    r"\b(?:options?|choices?|list)\b"
    r"|(?:options?|choices?) (?:given |provided )?(?:do|does|are|is)(?: not|n't) (?:match|correct|include|contain)"
    r"|\b(?:mistake|error|typo)\b[^.\n]{0,40}\b(?:question|problem|options?|choices?)\b"
    r"|\u9009\u9879\u90fd\u4e0d|\u6ca1\u6709[^.\n]{0,8}\u9009\u9879|\u4e0d\u5728\u9009[\u62e9\u9879]|\u6ca1\u6709\u6b63\u786e",
    re.I,
)


def rejects(text: str) -> bool:
    """Tell whether a sentence says that no option offered is right."""
    return _REJECTION.search(text) is not None
