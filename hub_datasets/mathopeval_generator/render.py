"""Pictures of scripts and documents: Matplotlib scripts run in this process, TikZ by one pdflatex run a batch.

Only code that this package's generator wrote is ever run here; code of a model belongs in mmmath_tasks.sandbox.
"""

from __future__ import annotations

import io
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from shutil import which

from mmmath_tasks.errors import InputError

DPI = {"python": 80, "latex": 120}
_PICTURE = r"\begin{tikzpicture}", r"\end{tikzpicture}"
# One page per picture, as large as the picture and 4 mm on every side.
_BATCH = r"""\documentclass{article}
\usepackage{tikz}
\pdfhorigin=4mm \pdfvorigin=4mm
\newcommand\pic[1]{\setbox0=\hbox{#1}%
  \pdfpagewidth=\wd0 \advance\pdfpagewidth 8mm
  \pdfpageheight=\ht0 \advance\pdfpageheight \dp0 \advance\pdfpageheight 8mm
  \shipout\box0 }
\begin{document}
"""


_TOOLS = (("pdflatex", "texlive-latex-base and texlive-pictures"), ("pdftoppm", "poppler-utils"))


def need(languages: Collection[str]) -> None:
    """Check, before any work, that figures in these languages ("python", "latex") can be drawn.

    Raises:
        InputError: a Python package or a program is missing; the message says how to install it.
    """
    for package in ("matplotlib", "numpy", "pandas", "seaborn") if "python" in languages else ():
        if find_spec(package) is None:
            raise InputError(f"drawing MathOPEval's figures needs {package}: pip install 'mmmath-tasks[sandbox]'")
    for tool, package in _TOOLS if "latex" in languages else ():
        if which(tool) is None:
            raise InputError(f"{tool} was not found: geometry pictures need it (Debian: {package})")


def matplotlib_pictures(scripts: Sequence[str]) -> Iterator[bytes]:
    """Run the generator's own Matplotlib scripts; yield the PNG that each draws.

    Raises:
        whatever a script raises: the generator is wrong then.
    """
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.show = lambda: None
    for script in scripts:
        plt.close("all")
        raw = io.BytesIO()
        with matplotlib.rc_context():  # a script may set a style
            exec(compile(script, "<generated figure>", "exec"), {"__name__": "__main__"})  # noqa: S102 (our own code)
            plt.gcf().savefig(raw, format="png", dpi=DPI["python"])
        yield shrink(raw.getvalue())
    plt.close("all")


def shrink(png: bytes) -> bytes:
    """Return the same picture in 256 colours or fewer, a third of the size."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        flat = picture.convert("RGB").quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    flat.save(out, format="png", optimize=False, compress_level=6)
    return out.getvalue()


def tikz_pictures(documents: Sequence[str], scratch: Path) -> list[bytes]:
    """Typeset the documents' pictures in one run; return their PNGs.

    Args:
        documents: LaTeX with one tikzpicture each.
        scratch: a folder in which LaTeX's files stand while it runs.

    Raises:
        InputError: LaTeX stopped at an error.
    """
    pages = "".join(f"\\pic{{{tikz(document)}}}\n" for document in documents)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        Path(folder, "batch.tex").write_text(f"{_BATCH}{pages}\\end{{document}}\n", "utf-8")
        run = subprocess.run(
            ["pdflatex", "-no-shell-escape", "-interaction=batchmode", "-halt-on-error", "batch.tex"],  # noqa: S607
            cwd=folder,
            capture_output=True,
            check=False,
        )
        if run.returncode:
            log = Path(folder, "batch.log").read_text("latin-1")
            error = next((line for line in log.splitlines() if line.startswith("!")), "no message in its log")
            raise InputError(f"pdflatex failed on a batch of {len(documents)} figures: {error}")
        subprocess.run(  # noqa: S603 (no text from outside)
            ["pdftoppm", "-r", str(DPI["latex"]), "-png", "batch.pdf", "page"],  # noqa: S607
            cwd=folder,
            capture_output=True,
            check=True,
        )
        return [shrink(page.read_bytes()) for page in sorted(Path(folder).glob("page-*.png"))]


def tikz(document: str) -> str:
    """Return the tikzpicture environment of a document."""
    start, end = (document.index(mark) for mark in _PICTURE)
    return document[start : end + len(_PICTURE[1])]
