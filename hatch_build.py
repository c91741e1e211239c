"""What an editable install carries: the start-up hook, and no copies of the folders that stay in the checkout."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOOK = {f"startup/mmmath_tasks_startup.{ending}": f"mmmath_tasks_startup.{ending}" for ending in ("py", "pth")}


class StartupHook(BuildHookInterface):
    """Adds the hook to both kinds of wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Tell hatchling what to include beside the package; `version` is "editable" or "standard"."""
        build_data["force_include_editable" if version == "editable" else "force_include"].update(HOOK)
