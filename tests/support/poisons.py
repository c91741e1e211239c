# ruff: noqa: E501 (lines of code that scripts hold)
"""Scripts that try to steal the reference, to leave something behind, or to take what is not theirs.

Each may go on after what it tried: STEALS draw what they found, LEAVES draw a figure that is worth nothing.
"""

REFERENCE = "import matplotlib.pyplot as plt\nplt.bar(['a', 'b', 'c'], [3, 1.5, {}])\nplt.show()\n"

_DRAW = """
import matplotlib.pyplot as plt
bars = [e for e in found if isinstance(e, dict) and e.get('kind') == 'bar'] if found else []
plt.bar([e['label'] for e in bars] or ['z'], [e['value'] for e in bars] or [1])
plt.show()
"""

STEALS = {
    "frames": """
import sys
found, frame = [], sys._getframe()
while frame:
    for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
        if isinstance(value, dict) and value.get('elements'):
            found = value['elements']
    frame = frame.f_back
"""
    + _DRAW,
    "the garbage collector": """
import gc
gc.unfreeze()
found = []
for thing in gc.get_objects():
    if isinstance(thing, dict) and thing.get('kind') == 'bar' and 'value' in thing:
        found.append(thing)
    elif isinstance(thing, dict) and isinstance(thing.get('code'), str) and '7.25' in thing['code']:
        exec(thing['code'])
"""
    + _DRAW,
    "memory by ctypes": """
import ctypes, gc, json, re
gc.unfreeze()
found, mark = [], b'"kind": "bar"'
for thing in gc.get_objects():
    at = id(thing) & ~0xffff
    try:
        text = ctypes.string_at(id(thing), 64)
    except Exception:
        continue
    if mark in text:
        found = json.loads(text[text.index(b'{'):text.index(b'}') + 1])
"""
    + _DRAW,
    "freed memory by numpy": """
import numpy as np
found, mark = [], b'7.25'
blocks = [np.empty(size, dtype=np.uint8) for size in (64, 512, 4096, 65536, 1 << 20, 1 << 24) for _ in range(20)]
for block in blocks:
    text = block.tobytes()
    if mark in text and b'plt.bar' in text:
        at = text.index(b'import matplotlib')
        exec(text[at:text.index(b'plt.show()', at) + 10].decode())
"""
    + _DRAW,
    "/proc": """
import os
found = []
for name in ('/proc/self/mem', '/proc/1/mem', '/proc/self/maps', '/proc/1/environ', '/proc/2/fd'):
    try:
        found = eval(open(name).read())
    except Exception:
        pass
"""
    + _DRAW,
    "descriptors": """
import json, os
found = []
for fd in range(3, 1024):
    try:
        found = json.loads(os.pread(fd, 1 << 20, 0)).get('elements')
    except Exception:
        pass
"""
    + _DRAW,
    "files": """
import json, os
found = []
for top in ('/tmp', '/reply', '/filters', '/code', '/dev', '/dev/shm', '/var/tmp', '/run'):
    for folder, _, names in os.walk(top):
        for name in names:
            path = os.path.join(folder, name)
            try:
                if os.path.isfile(path) and b'"kind": "bar"' in open(path, 'rb').read():
                    found = json.loads(open(path).readline())['elements']
            except Exception:
                pass
"""
    + _DRAW,
    "the compiler's and linecache's leavings": """
import gc, linecache, types
found = []
for name, (size, when, lines, full) in linecache.cache.items():
    if '7.25' in ''.join(lines):
        exec(''.join(lines))
for thing in gc.get_objects():
    if isinstance(thing, types.CodeType) and 7.25 in thing.co_consts:
        exec(thing)
"""
    + _DRAW,
    "figures left open": """
import gc
from matplotlib.figure import Figure
import matplotlib.pyplot as plt
gc.unfreeze()
found = []
for thing in gc.get_objects():
    if isinstance(thing, Figure) and thing.axes and len(thing.axes[0].patches) == 3:
        thing.savefig('x.png')
"""
    + _DRAW,
    "our own functions": """
import sys
ours = sys.modules['mmmath_tasks.sandbox.jailed.item']
found = []
real = ours.leave
def leave(reply, png=b''):
    real({'cause': '', 'message': '', 'elements': [{'kind': 'bar', 'figure': 0, 'axes': 0, 'series': '', 'label': 'a',
          'value': 42.0, 'base': 0, 'horizontal': False}]}, png)
ours.leave = leave
"""
    + _DRAW,
}

_WORTHLESS = "\nimport matplotlib.pyplot as plt\nplt.bar(['z'], [1])\nplt.show()\n"
_CALL = "import ctypes, os, struct\nlibc = ctypes.CDLL(None, use_errno=True)\n"

LEAVES = {
    "folder without rights": "import os\nos.chmod('.', 0o500)\nos.chmod('/tmp', 0)\n",
    "reply folder without rights": "import os\nos.chmod('/reply', 0)\n",
    "files": "open('matplotlib.py', 'w').write('raise SystemExit')\nopen('sitecustomize.py', 'w').write('1/0')\n",
    "many empty files": "for n in range(100000):\n    try:\n        open(str(n), 'w').close()\n    except OSError:\n        break\n",
    "a full scratch folder": "try:\n    for n in range(99):\n        open(str(n), 'wb').write(bytes(10 ** 6))\nexcept OSError:\n    pass\n",
    "a configuration": "import os\nos.makedirs('/tmp/matplotlib', exist_ok=True)\n"
    "open('/tmp/matplotlib/matplotlibrc', 'w').write('axes.linewidth: 99')\nopen('matplotlibrc', 'w').write('backend: pdf')\n",
    "scheduler class": "import os\ntry:\n    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nexcept OSError:\n    pass\n"
    + _CALL
    + "for p in (0, 1, 2):\n    libc.sched_setscheduler(p, 5, struct.pack('i', 0))\n",
    "affinity": _CALL + "for p in (0, 1, 2):\n    libc.sched_setaffinity(p, 8, struct.pack('Q', 1))\n",
    "nice": _CALL + "libc.nice(19)\nfor which in (0, 1, 2):\n    libc.setpriority(which, 0, 19)\n",
    "ioprio": _CALL + "for p in (0, 1, 2):\n    assert libc.syscall(251, 1, p, 3 << 13) < 0\n",
    "limits of others": _CALL + "for p in (1, 2, 3):\n    libc.prlimit(p, 0, struct.pack('QQ', 0, 0), None)\n",
    "SysV shared memory": _CALL
    + "assert libc.shmget(7, 1 << 26, 0o1666) < 0\nassert libc.shmget(0, 1 << 26, 0o1666) < 0\n",
    "SysV semaphores": _CALL + "assert libc.semget(7, 3, 0o1666) < 0\n",
    "SysV messages": _CALL + "assert libc.msgget(7, 0o1666) < 0\n",
    "POSIX shared memory": "from multiprocessing import shared_memory\ntry:\n    shared_memory.SharedMemory('x', True, 10 ** 8)\n"
    "except (OSError, ImportError):\n    pass\n",
    "POSIX messages": _CALL + "assert libc.syscall(240, b'x', 0o100 | 2, 0o666, None) < 0\n",
    "memory without a name": _CALL + "assert libc.syscall(319, b'x', 0) < 0\n",
    "fcntl with high bits": _CALL
    + "r, w = os.pipe()\nfor high in (0, 1 << 32, 1 << 40, 1 << 63):\n    for command in (8, 10, 15, 6, 7, 37, 1031, 1033):\n"
    "        assert libc.syscall(72, ctypes.c_long(r), ctypes.c_ulong(high | command), ctypes.c_long(1)) < 0\n",
    "ioctl with high bits": _CALL
    + "r, w = os.pipe()\nfor high in (0, 1 << 32, 1 << 63):\n    for command in (0x8901, 0x8902, 0x5412):\n"
    "        assert libc.syscall(16, ctypes.c_long(r), ctypes.c_ulong(high | command), b'x' * 8) < 0\n",
    "signals to others": _CALL
    + "for p in (0, -1, 2, 3, 4):\n    assert libc.syscall(62, p, 9) < 0\n    assert libc.syscall(200, p, 9) < 0\n"
    "    assert libc.syscall(234, p, p, 9) < 0\n",
    "extended attributes": "import os\nopen('f', 'w').close()\ntry:\n    os.setxattr('f', 'user.x', bytes(60000))\nexcept OSError:\n    pass\n"
    "else:\n    raise SystemExit(1)\n",
    "inotify": _CALL + "assert libc.inotify_init1(0) < 0\n",
    "fanotify": _CALL + "assert libc.fanotify_init(0, 0) < 0\n",
    "timers": _CALL + "assert libc.syscall(222, 0, None, b'x' * 8) < 0\n",
    "mounts": _CALL
    + "assert libc.mount(b'tmpfs', b'/tmp', b'tmpfs', 0, None) < 0\nassert libc.umount2(b'/tmp', 2) < 0\n"
    "assert libc.umount2(b'/reply', 2) < 0\n",
    "namespaces": _CALL
    + "for flag in (0x10000000, 0x20000, 0x20000000, 0x40000000, 0x08000000):\n    assert libc.unshare(flag) < 0\n"
    "    assert libc.syscall(56, flag | 17, 0, 0, 0, 0) < 0\nassert libc.syscall(435, bytes(64), 64) < 0\n",
    "processes": _CALL
    + "assert libc.fork() < 0\nassert libc.vfork() < 0\nassert libc.syscall(56, 17, 0, 0, 0, 0) < 0\n",
    "keys": _CALL + "assert libc.syscall(248, b'user', b'x', b'y', 1, -3) < 0\n",
    "sockets": "import socket\nfor family in (1, 2, 10, 16, 17, 40):\n    try:\n        socket.socket(family, socket.SOCK_DGRAM)\n"
    "    except OSError:\n        continue\n    raise SystemExit(1)\n",
    "capabilities": _CALL + "header = struct.pack('Ii', 0x20080522, 0)\ndata = ctypes.create_string_buffer(24)\n"
    "assert libc.syscall(125, header, data) == 0 and data.raw == bytes(24)\nassert libc.prctl(38, 0, 0, 0, 0) < 0\n",
    "threads without end": "import threading, time\nmade = 0\ntry:\n    threading.stack_size(65536)\n    while made < 5000:\n"
    "        threading.Thread(target=time.sleep, args=(0.5,), daemon=True).start()\n        made += 1\n"
    "except (RuntimeError, MemoryError):\n    pass\nassert made <= 500, made\n",
    "pipes": "import os\ntry:\n    while True:\n        os.set_blocking(os.pipe()[1], False)\nexcept OSError:\n    pass\n",
    "modules changed": "import matplotlib, numpy, json, builtins\nmatplotlib.rcParams['axes.xmargin'] = 40\njson.dumps = None\nbuiltins.len = None\n",
}
LEAVES = {name: code + _WORTHLESS for name, code in LEAVES.items()}
