"""Make lm-evaluation-harness find the tasks and models of mmmath-tasks, without a flag.

A .pth file imports this at every start of the interpreter, so it must cost next to nothing, say nothing and never fail.
It puts one finder on sys.meta_path, which waits for the imports of lm_eval.tasks, right after which it registers us,
and of lm_eval.evaluator, whose functions we surround before anyone takes them from there. Where lm-eval reads the entry
points that this distribution declares too, registering does nothing (see mmmath_tasks.harnesses.lm_eval_plugin). Set
MMMATH_NO_PLUGIN=1 to switch it off.
"""

import os
import sys

STEPS = {"lm_eval.tasks": ("lm_eval_plugin", "register"), "lm_eval.evaluator": ("lm_eval_surround", "surround")}


class LmEvalFinder:
    """Finds the modules of STEPS by the other finders and calls our function when one has run."""

    searching = False

    def find_spec(self, name, path=None, target=None):
        """Return the spec of one of STEPS with a loader that takes the step afterwards; None for any other module."""
        if name not in STEPS or self.searching:
            return None
        self.searching = True
        try:
            found = (f.find_spec(name, path, target) for f in sys.meta_path if hasattr(f, "find_spec"))
            spec = next((s for s in found if s is not None), None)
            if spec is not None and spec.loader is not None:
                _step_after(spec.loader, *STEPS[name])
            return spec
        except Exception:  # whatever goes wrong here must not be what breaks `import lm_eval`
            return None
        finally:
            self.searching = False


def _step_after(loader, ours, step):
    run = loader.exec_module

    def exec_module(module):
        run(module)
        try:
            from importlib import import_module

            getattr(import_module(f"mmmath_tasks.harnesses.{ours}"), step)()
        except Exception:
            import logging

            logging.getLogger("mmmath_tasks").debug("not registered in lm-eval", exc_info=True)

    loader.exec_module = exec_module


def install():
    """Put the finder first on sys.meta_path, once; a virtual environment may run a .pth file twice."""
    if os.environ.get("MMMATH_NO_PLUGIN", "") not in ("", "0"):
        return
    if not any(type(finder).__name__ == LmEvalFinder.__name__ for finder in sys.meta_path):
        sys.meta_path.insert(0, LmEvalFinder())


install()
