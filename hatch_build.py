"""What an editable install carries: the start-up hook, and no copies of what the links in the package lead to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOOK = {f"startup/mmmath_tasks_startup.{ending}": f"mmmath_tasks_startup.{ending}" for ending in ("py", "pth")}
FOLDERS = ("metrics", "hub_datasets", "yaml_tasks")


class StartupHook(BuildHookInterface):
    """Adds the hook to both kinds of wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Tell hatchling what to include beside the package; `version` is "editable" or "standard".

        Raises:
            RuntimeError: an editable install of a checkout in which the links are plain files.
        """
        links = [f"mmmath_tasks/{name}" for name in FOLDERS if not (Path(self.root) / "mmmath_tasks" / name).is_dir()]
        if version == "editable" and links:
            raise RuntimeError(
                f"{', '.join(links)} should be links to the folders of the same names at the top level: check the "
                "project out with `git config core.symlinks true`, or install it without --editable"
            )
        build_data["force_include_editable" if version == "editable" else "force_include"].update(HOOK)
