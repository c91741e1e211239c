"""The cache of answers: opened by several processes at once, and asked by later releases."""

import hashlib
import re
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import ExitStack
from typing import get_args

from mmmath_tasks.judge import cot_e, mathopeval, mathverse, mathvista, taxonomy_of
from mmmath_tasks.judge.cache import Cache
from mmmath_tasks.judge.error_types import prompt
from mmmath_tasks.judge.plan import example
from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.pictures import Picture
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import benchmarks

OPEN = """
import sys, time
from pathlib import Path
from mmmath_tasks.judge.cache import Cache, Entry
print("ready", flush=True)
for line in sys.stdin:
    path, when = line.rsplit(maxsplit=1)
    while time.monotonic() < float(when):
        pass
    try:
        cache = Cache(Path(path))
        cache.put(Entry(sys.argv[1], "m", "p@1", "{}", 1, 1))
        cache.close()
        print("kept", flush=True)
    except Exception as error:
        print(error, flush=True)
"""


def test_processes_that_open_a_new_cache_together_all_keep_their_answers(tmp_path):
    pipe, names = subprocess.PIPE, ["a", "b", "c", "d"]
    words = [sys.executable, "-c", OPEN]
    with ExitStack() as stack:  # which closes their input, at which they end, and waits
        opened = [
            stack.enter_context(subprocess.Popen([*words, name], stdin=pipe, stdout=pipe, text=True)) for name in names
        ]
        assert [process.stdout.readline() for process in opened] == ["ready\n"] * 4
        for number in range(20):
            file, when = tmp_path / f"{number}.sqlite", time.monotonic() + 0.01
            for process in opened:
                process.stdin.write(f"{file} {when}\n")
                process.stdin.flush()
            assert [process.stdout.readline() for process in opened] == ["kept\n"] * 4
            cache = Cache(file)
            assert sorted(cache.get(names)) == names
            cache.close()


BOUGHT = {
    "cot": "9e858d7cc2d51511",
    "mathopeval": "86710b970153a9d0",
    "mathverse": "2e9613a897904a58",
    "mathvision": "16e086b05d22a5dc",
    "mathvista": "d8c675c6054d1b14",
    "wemath": "f0b127e440975d56",
}
"""What 0.3.0 asked, hashed by benchmark. An answer under another key is paid for again, and judged by other words: a
prompt's version moves with it, and the changelog names it."""


def test_an_answer_that_an_older_release_bought_is_found():
    asked = [cot_e.STEPS, cot_e.MARKS, mathverse.EXTRACTION, mathverse.MATCH, mathvista.EXTRACTION]
    kinds = ((task, figure) for task in get_args(mathopeval.Task) for figure in get_args(mathopeval.Figure))
    asked += [mathopeval.rating_prompt(*kind) for kind in kinds]
    for name in benchmarks():
        if (classes := taxonomy_of(name)) is not None:
            asked += [prompt(classes, name, answer) for answer in ("wrong", *(("right",) if classes.right else ()))]
    keys = defaultdict(set)
    for one in asked:
        material = {field: f"the {field}" for field in re.findall(r"\{(\w+)\}", one.user)}
        context = {"classes": [str(one.example.get("error_type"))], "flaws": [], "steps": 5}
        question = Question(one, material, (Picture(b"p", None, ""),), context)
        assert isinstance(example(question), one.reply)  # which a dry run counts in place of the answer
        keys[one.id.split("_")[0]].add(question.key("m", {"temperature": 0}))
    theirs = mathverse.TheirPrompts("Examples.", "{question} {gt} {extraction}")
    problem = Problem("mathverse", "1", "How many?", answer="5", answer_type="integer")
    keys["mathverse"] |= {q.key("m", {}) for q in (theirs.extraction("It is 5."), theirs.match(problem, "5"))}
    found = {name: hashlib.sha256("".join(sorted(one)).encode()).hexdigest()[:16] for name, one in keys.items()}
    assert found == BOUGHT
