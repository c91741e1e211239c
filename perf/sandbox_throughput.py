"""Figure scripts a second and core: the jail's zygote against one cold process a script, in the same run.

    python perf/sandbox_throughput.py [SCRIPTS] [COLD]

Scripts are the generator's bar, line and pie charts. Seconds are of processor time, of all processes together and the
jail's start included, so that the figures hold on a busy machine; wall time is printed beside.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample
from mmmath_tasks.sandbox.jail import Jail, Limits
from mmmath_tasks.sandbox.records import parse


def processor_seconds():
    """Return the seconds that this process and its ended children took; processes in a jail are not among them."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def measured(name, count, act):
    wall, busy = time.perf_counter(), processor_seconds()
    inside = act()
    wall, busy = time.perf_counter() - wall, processor_seconds() - busy + inside
    print(f"{name:44} {count:5d} {count / busy:12.1f} {busy / count * 1000:12.0f} {wall:9.1f}")
    return count / busy


def in_one_jail(codes, pictures):
    """Run the scripts; return the seconds that the jail's processes took, its start included."""
    with Jail() as jail:
        for code in codes:
            ended = jail.run("matplotlib", code, Limits(), pictures)
            reply = parse(ended.left)
            if ended.cause or reply.cause or bool(reply.png) != pictures:
                raise SystemExit(f"a script failed: {ended.cause} {reply.message}")
        return jail.seconds


def cold_pythons(codes):
    environment = {**os.environ, "MPLBACKEND": "agg"}
    with tempfile.TemporaryDirectory() as folder:
        for code in codes:
            script = Path(folder) / "figure.py"
            script.write_text(code.replace("plt.show()", "plt.savefig('x.png')"))
            subprocess.run([sys.executable, script], check=True, cwd=folder, env=environment)  # noqa: S603
    return 0.0


def main(count=240, cold=6):
    samples = [sample(0, kind, i, 1) for i in range(count // 12 + 1) for kind in ("bar", "line", "pie")]
    codes = [state.code for sample in samples for state in sample.states.values()][:count]
    print(f"{'':44} {'codes':>5} {'a CPU second':>12} {'CPU ms each':>12} {'wall s':>9}")
    fast = measured("zygote, elements", count, lambda: in_one_jail(codes, False))
    measured("zygote, elements and picture", count, lambda: in_one_jail(codes, True))
    slow = measured("a cold jail a script, elements", cold, lambda: sum(in_one_jail([c], False) for c in codes[:cold]))
    bare = measured("a cold Python a script, no jail, PNG only", cold, lambda: cold_pythons(codes[:cold]))
    print(f"zygote against cold jail: {fast / slow:.1f} times; against cold Python: {fast / bare:.1f} times")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
