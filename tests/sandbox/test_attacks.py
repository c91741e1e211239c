"""Hostile scripts: each is contained, leaves nothing outside, fails with its cause, and the next script is served."""

import socket
import threading
from dataclasses import replace

import pytest

from mmmath_tasks.sandbox import Limits, run_figures, run_programs
from mmmath_tasks.sandbox.figures import _jail
from support.needs import needs

pytestmark = [pytest.mark.medium, needs("sandbox", "bwrap")]

GOOD = "import matplotlib.pyplot as plt\nplt.bar(['a', 'b'], [1, 2])\nplt.show()\n"


def limits(cause):
    """Cut short what would not end; what ends by itself is not hurried, since on a busy machine it takes its time."""
    hurry = {"seconds": 3, "cpu_seconds": 2} if cause == "timeout" else {"seconds": 120, "cpu_seconds": 60}
    return Limits(**hurry, memory=2**30)


# name: (code, cause); {port}, {here} and {pid} are those of the test
ATTACKS = {
    "network": ("import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)", "exception"),
    "network by urllib": ("import urllib.request as u\nu.urlopen('http://127.0.0.1:{port}', timeout=2)", "exception"),
    "read the project": ("print(open('{here}').read())", "exception"),
    "read the shadow file": ("print(open('/etc/shadow').read())", "exception"),
    "read passwords": ("print(open('/etc/passwd').read())", "exception"),
    "list homes": ("import os\nprint(os.listdir('/root'), os.listdir('/home'))", "exception"),
    "look at processes": ("import os\nprint(os.listdir('/proc'))", "exception"),
    "fork bomb": ("import os\nwhile True:\n    os.fork()", "exception"),
    "fork bomb that shrugs": (
        "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
        "timeout",
    ),
    "fork past the library": ("import ctypes\nassert ctypes.CDLL(None).fork() >= 0", "exception"),
    "thread bomb": (
        "import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(9,)).start()",
        "exception",
    ),
    "shell": ("import subprocess\nsubprocess.run('id; touch /tmp/x', shell=True, check=True)", "exception"),
    "os.system": ("import os\nassert os.system('true') == 0", "exception"),
    "exec": ("import os\nos.execv('/usr/bin/id', ['id'])", "exception"),
    "memory": ("x = bytearray(50 * 2**30)", "memory"),
    "memory bit by bit": ("x = []\nwhile True:\n    x.append(bytearray(2**26))", "memory"),
    "sleep": ("import time\ntime.sleep(3600)", "timeout"),
    "endless loop": ("while True:\n    pass", "timeout"),
    "endless loop that catches": (
        "import signal\nfor n in range(1, 65):\n    try:\n        signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n        pass\nwhile True:\n    pass",
        "timeout",
    ),
    "exit": ("import os\nos._exit(0)", "exit"),
    "exit with a status": ("import sys\nsys.exit(3)", "exit"),
    "daemon": ("import os\nif os.fork() == 0:\n    os.setsid()\n    while True:\n        pass", "exception"),
    "daemon with closed pipes": ("import os, time\nos.closerange(0, 64)\ntime.sleep(3600)", "timeout"),
    "symlink out": (
        "import os\nos.symlink('{outside}', 'link')\nopen('link', 'w').write('out')",
        "exception",
    ),
    "figure saved through a symlink": (
        "import os, matplotlib.pyplot as plt\nos.symlink('{outside}', 'x.png')\nplt.bar([1], [2])\n"
        "plt.savefig('x.png')",
        "exception",
    ),
    "ten gigabytes in one file": (
        "with open('big', 'wb') as f:\n    for _ in range(10240):\n        f.write(bytes(2**20))",
        "disk",
    ),
    "ten gigabytes in many files": (
        "for n in range(10240):\n    with open(f'big{{n}}', 'wb') as f:\n        f.write(bytes(2**20))",
        "disk",
    ),
    "write outside the scratch folder": ("open('/usr/x', 'w')", "exception"),
    "change our code": ("open('/code/mmmath_tasks/sandbox/jailed/artists.py', 'a').write('x')", "exception"),
    "remount": ("import ctypes\nassert ctypes.CDLL(None).umount2(b'/usr', 2) == 0", "exception"),
    "kill the parent": ("import os\nos.kill(os.getppid(), 9)", "exception"),
    "have the parent killed by the kernel": (
        "import fcntl, os\nr, w = os.pipe()\nfcntl.fcntl(r, 10, 9)\nfcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())\n"
        "fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)\nos.write(w, b'x')\n",
        "exception",
    ),
    "kill everything": ("import os\nos.kill(-1, 9)", "exception"),
    "trace the parent": (
        "import ctypes, os\nassert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0",
        "exception",
    ),
    "starve the parent": (
        "import resource, os\nresource.prlimit(2, resource.RLIMIT_CPU, (0, 0))",
        "exception",
    ),
    "raise the limits": (
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))",
        "exception",
    ),
    "flood of output": ("while True:\n    print('x' * 65536)", "timeout"),
    "answer in our place": ("open('/reply/reply', 'w').write('{{}}')\n" + GOOD, "forged"),
    "answer on every descriptor": (
        "import os\nfor n in range(3, 256):\n    os.write(n, b'{{}}')\n" + GOOD,
        "exception",
    ),
    "huge picture": (
        "import io, matplotlib.pyplot as plt\nplt.figure(figsize=(600, 600))\nplt.bar([1], [2])\n"
        "plt.savefig(io.BytesIO())",
        "memory",
    ),
    "crash": ("import ctypes\nctypes.string_at(0)", "killed"),
    "deep recursion": ("def f(): return f()\nf()", "exception"),
    "recursion in the compiler": ("-" * 100_000 + "1", "memory"),
    "null byte": ("x = 1\0", "syntax"),
    "surrogate": ("x = '\ud800'", "exception"),
}


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.02)
        calls = []

        def accept():
            while not calls or calls[-1] != "stop":
                try:
                    calls.append(server.accept())
                except TimeoutError:
                    continue
                except OSError:
                    return

        thread = threading.Thread(target=accept)
        thread.start()
        yield server.getsockname()[1], calls
        calls.append("stop")
        thread.join()


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_contained(name, listener, tmp_path):
    code, cause = ATTACKS[name]
    port, calls = listener
    outside = tmp_path / "outside"
    if "{" in code:
        code = code.format(port=port, here=__file__, outside=outside)
    before = _jail(0)._process
    (attacked,) = run_figures([code], limits=limits(cause))
    (after,) = run_figures([GOOD])
    assert (attacked.ok, attacked.cause) == (False, cause), attacked.message
    assert attacked.elements == ()
    assert attacked.png is None
    assert after.ok, after.message
    assert calls == []
    assert list(tmp_path.iterdir()) == []
    assert before is None or _jail(0)._process is before, "the jail had to be rebuilt"


BARS = "import matplotlib.pyplot as plt\nbars = plt.bar(['a', 'b'], [1, 2])\n"
# each tries to have bars of 1 and 2 reported as 42
FORGERIES = {
    "method of a class": "from matplotlib.patches import Rectangle\nRectangle.get_height = lambda self: 42.0\n" + BARS,
    "method of one bar": BARS + "for b in bars: b.get_height = lambda: 42.0\n",
    "our reader": (
        "import sys\nours = sys.modules['mmmath_tasks.sandbox.jailed.artists']\n"
        "ours.elements = lambda f: [{'kind': 'bar', 'label': 'a', 'series': '', 'value': 42.0, 'base': 0}]\n" + BARS
    ),
    "our reader's helper": (
        "import sys\nours = sys.modules['mmmath_tasks.sandbox.jailed.artists']\nours._number = lambda v: 42.0\n" + BARS
    ),
    "built-in float": "import builtins\nreal = float\n" + BARS + "builtins.float = lambda *a: 42.0\n",
    "the encoder": (
        "import json\nreal = json.dumps\njson.dumps = lambda x, **k: real(x).replace('1.0', '42.0')\n" + BARS
    ),
    "the supervisor's functions": (
        "import sys\nours = sys.modules['mmmath_tasks.sandbox.jailed.item']\nours.leave = lambda *a: None\n" + BARS
    ),
    "a profiler": (
        "import sys\n" + BARS + "def spy(frame, event, arg):\n"
        "    if event == 'call' and frame.f_code.co_name == '_number': frame.f_locals['value'] = 42.0\n"
        "sys.setprofile(spy)\n"
    ),
    "savefig": "from matplotlib.figure import Figure\n" + BARS + "Figure.savefig = lambda *a, **k: None\n",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forgery_does_not_work(name):
    (found,) = run_figures([FORGERIES[name] + "plt.show()\n"])
    assert found.ok, found.message
    assert [e["value"] for e in found.elements if e["kind"] == "bar"] == [1.0, 2.0]


def test_nothing_is_left_to_the_next_script():
    leave = (
        "import os, builtins\nos.mkdir('d')\nopen('d/f', 'w').write('x')\nos.chmod('d', 0)\nbuiltins.mine = 1\n" + GOOD
    )
    look = "import os, builtins\nprint(os.listdir('.'), hasattr(builtins, 'mine'))"
    assert [d.ok for d in run_figures([leave])] == [True]
    assert run_programs([look])[0].stdout == "[] False\n"


def test_a_broken_jail_costs_one_sample():
    run_figures([GOOD])
    process = _jail(0)._process
    process.kill()
    assert process.stderr.read() is not None  # all that is in it has ended
    first, second = run_figures([GOOD, GOOD])
    assert (first.ok, first.cause) == (False, "killed")
    assert second.ok


TEX_ATTACKS = {
    "shell escape": (r"\immediate\write18{touch /tmp/x} \input{|id}", "exception"),
    "read the shadow file": (r"\input{/etc/shadow}", "exception"),
    "read the project": (r"\input{{here}}", "exception"),
    "write outside": (r"\newwrite\w\immediate\openout\w=../x.tex\immediate\write\w{y}\input{../x.tex}", "exception"),
    "endless loop": (r"\def\x{\x}\x", "timeout"),
    "memory": (r"\def\x#1{\x{#1#1}}\x{a}", "exception"),
    "write without end": (
        r"\newwrite\w\immediate\openout\w=x\def\a{aaaaaaaaaa}\edef\a{\a\a\a\a\a\a\a\a\a\a}\edef\a{\a\a\a\a\a\a\a\a\a\a}"
        r"\edef\a{\a\a\a\a\a\a\a\a\a\a}\def\x{\immediate\write\w{\a}\x}\x",
        "disk",
    ),
    "undefined command": (r"\drw (0,0) -- (1,1);", "exception"),
    "nothing drawn": (r"", "blank"),
}


@needs("tex")
@pytest.mark.parametrize("name", TEX_ATTACKS)
def test_tex_attack_is_contained(name):
    body, cause = TEX_ATTACKS[name]
    body = body.replace("{here}", __file__)
    code = r"\documentclass{article}\usepackage{tikz}\begin{document}%s\end{document}" % body  # noqa: UP031 (TeX is full of braces)
    good = r"\begin{tikzpicture}\draw (0,0) -- (2,1);\end{tikzpicture}"
    (attacked,) = run_figures([code], "tikz", limits=replace(limits(cause), file_bytes=2**20))
    (after,) = run_figures([good], "tikz")
    assert (attacked.ok, attacked.cause) == (False, cause), attacked.message
    assert after.ok, after.message
