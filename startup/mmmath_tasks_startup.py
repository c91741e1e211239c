"""Make lm-evaluation-harness find the tasks and models of mmmath-tasks, without a flag.

A .pth file imports this at every start of the interpreter, so it must cost next to nothing, say nothing and never fail.
It puts one finder on sys.meta_path, which waits for the import of lm_eval.tasks and registers us right after it. Where
lm-eval reads the entry points that this distribution declares too, registering does nothing (see
mmmath_tasks.harnesses.lm_eval_plugin). Set MMMATH_NO_PLUGIN=1 to switch it off.
"""

import os
import sys


class LmEvalFinder:
    """Finds lm_eval.tasks by the other finders and registers mmmath-tasks when the module has run."""

    searching = False

    def find_spec(self, name, path=None, target=None):
        """Return the spec of lm_eval.tasks with a loader that registers us afterwards; None for any other module."""
        if name != "lm_eval.tasks" or self.searching:
            return None
        self.searching = True
        try:
            found = (f.find_spec(name, path, target) for f in sys.meta_path if hasattr(f, "find_spec"))
            spec = next((s for s in found if s is not None), None)
            if spec is not None and spec.loader is not None:
                _register_after(spec.loader)
            return spec
        except Exception:  # whatever goes wrong here must not be what breaks `import lm_eval`
            return None
        finally:
            self.searching = False


def _register_after(loader):
    run = loader.exec_module

    def exec_module(module):
        run(module)
        try:
            from mmmath_tasks.harnesses.lm_eval_plugin import register

            register()
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
