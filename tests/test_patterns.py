"""Every regular expression that is not plain has an example of what it matches in a comment before or behind it.

Plain is what a reader takes in at a glance: fewer than 40 characters, at most three alternatives, no look-around. In
an example `\\n`, `\\t` and `\\x07` may stand for the character. Patterns put together at run time are beyond this
test, unless they are constants of a module.
"""

import ast
import importlib
import io
import re
import tokenize
from pathlib import Path

import pytest

import mmmath_tasks

PACKAGE = Path(mmmath_tasks.__file__).parent
FUNCTIONS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
ESCAPED = re.compile(r"\\(?:n|t|x[0-9a-f]{2})")
QUOTED = re.compile(r'"(.*?)"')


def plain(pattern):
    return len(pattern) < 40 and pattern.count("|") < 3 and not re.search(r"\(\?<?[=!]", pattern)


def flags(call):
    """Return the flags that a call of a function of `re` is given: re.I | re.S."""
    names = (n.attr for a in [*call.args[1:], *(k.value for k in call.keywords)] for n in ast.walk(a) if is_re(n))
    return sum(getattr(re, name) for name in names if isinstance(getattr(re, name), re.RegexFlag))


def is_re(node):
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"


def patterns(path, tree):
    """Yield first line, last line and compiled form of every pattern in a module that no function puts together."""
    constants = {id(s.value): s for s in tree.body if isinstance(s, ast.Assign | ast.AnnAssign)}
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and is_re(call.func) and call.func.attr in FUNCTIONS and call.args):
            continue
        first = call.args[0]
        if isinstance(first, ast.Constant):
            start = constants[id(call)].lineno if id(call) in constants else call.lineno
            yield start, call.end_lineno, re.compile(first.value, flags(call))
        elif id(call) in constants and call.func.attr == "compile":
            statement = constants[id(call)]
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            name = ".".join(["mmmath_tasks", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(
                ".__init__"
            )
            yield statement.lineno, call.end_lineno, getattr(importlib.import_module(name), target.id)


def comments(source):
    """Return the comment of each line that has one, and whether the line has nothing else."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {t.start[0]: (t.string, not t.line[: t.start[1]].strip()) for t in tokens if t.type == tokenize.COMMENT}


def examples(beside):
    """Return what is quoted in comments, as written and with its escapes read."""
    quoted = [
        text for comment in beside for text in (*QUOTED.findall(comment), comment.partition('"')[2].rpartition('"')[0])
    ]
    return quoted + [ESCAPED.sub(lambda found: found[0].encode().decode("unicode_escape"), text) for text in quoted]


def missing(path, source):
    """Yield the line of each pattern that has no example."""
    tree = ast.parse(source)
    said = comments(source)
    for first, last, pattern in patterns(path, tree):
        if plain(pattern.pattern):
            continue
        beside = [said[line][0] for line in range(first, last + 1) if line in said]
        line = first - 1
        while line in said and said[line][1]:
            beside.append(said[line][0])
            line -= 1
        if not any(found and found[0] for text in examples(beside) for found in [pattern.search(text)]):
            yield first


@pytest.mark.parametrize("folder", ["", *sorted(p.parent.name for p in PACKAGE.glob("*/__init__.py"))])
def test_every_pattern_that_is_not_plain_has_an_example(folder):
    files = (PACKAGE / folder).rglob("*.py") if folder else PACKAGE.glob("*.py")
    sources = {path: path.read_text("utf-8") for path in files}
    lacking = [f"{path.relative_to(PACKAGE)}:{line}" for path, text in sources.items() for line in missing(path, text)]
    assert not lacking, f"no example beside the pattern that it matches: {' '.join(lacking)}"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('import re\n# "ab"\nre.search(r"a(?=b)", "")\n', []),
        ('import re\n# "ac"\nre.search(r"a(?=b)", "")\n', [3]),
        ('import re\n# no example\nre.search(r"a(?=b)", "")\n', [3]),
        ('import re\nre.search(r"a(?=b)", "")  # "ab"\n', []),
        ('import re\n# "AB"\nre.search(r"a(?=b)", "", re.I | re.S)\n', []),
        ('import re\n# "a\\nb"\nre.search(r"a(?=\\n)", "")\n', []),
        ('import re\nre.search(r"a|b", "")\n', []),
    ],
)
def test_what_is_held_missing(source, lines):
    assert list(missing(PACKAGE / "nowhere.py", source)) == lines
