"""Sphinx's settings: `python -m sphinx -W --keep-going docs built` makes the site, with warnings as errors."""

import sys
from pathlib import Path

import mmmath_tasks

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "mmmath-tasks"
author = "the mmmath-tasks maintainers"
project_copyright = "the mmmath-tasks maintainers, Apache-2.0"
release = version = mmmath_tasks.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "generated"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_ext", "built"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", r".*")]  # names of the standard library and of records that are not on the page

autodoc_typehints = "signature"
autodoc_member_order = "bysource"

html_theme = "furo"
html_title = f"mmmath-tasks {release}"
html_static_path: list[str] = []
html_show_sourcelink = False
