# ruff: noqa: E501 (lines of code that models write)
r"""Responses as models write them, whose figure is the reference's by construction; written to honest_responses.jsonl.

    python tests/sandbox/honest_responses.py

A response is a figure (its data in Python or TeX), drawn in one manner, wrapped in one manner. Every row has the
response and the same one with one wrong value: the first must score 1, the second less.
"""

import json
from pathlib import Path

FILE = Path(__file__).with_suffix(".jsonl")

# The value that stands for @V@
RIGHT = {"bar": 3, "line": 14, "pie": 20, "function": 2, "geometry": 4}
WRONG = {"bar": 5, "line": 18, "pie": 33, "function": 3, "geometry": 3}

# Data, and how they are drawn on axes `ax`
DATA = {
    "bar": "names = ['Mon', 'Tue', 'Wed', 'Thu']\nvalues = [4, 7, @V@, 6]\n",
    "line": "names = [2019, 2020, 2021, 2022]\nvalues = [10, @V@, 9, 17]\n",
    "pie": "names = ['Rent', 'Food', 'Fun']\nvalues = [50, @V@, 30]\n",
    "function": "names = [i / 20 - 5 for i in range(201)]\nvalues = [@V@ * x * x - 1 for x in names]\n",
}
DRAW = {
    "bar": "ax.bar(names, values)\n",
    "line": "ax.plot(names, values, marker='o')\nax.set_xticks(names)\n",
    "pie": "ax.pie(values, labels=names)\n",
    "function": "ax.plot(names, values)\nax.grid(True)\n",
}
PYPLOT = {kind: draw.replace("ax.set_xticks", "plt.xticks").replace("ax.", "plt.") for kind, draw in DRAW.items()}
HEAD = "import matplotlib.pyplot as plt\n"
AXES = "fig, ax = plt.subplots()\n"


def indented(code):
    return "".join(f"    {line}\n" if line else "\n" for line in code.splitlines())


# name: what comes before data and drawing, what after; or a function of (data, draw, pyplot)
MANNERS = {
    "show": (HEAD + AXES, "plt.show()\n"),
    "saved and shown": (
        HEAD + AXES,
        "plt.tight_layout()\nplt.savefig('chart.png', dpi=300, bbox_inches='tight')\nplt.show()\n",
    ),
    "saved as PDF": (HEAD + AXES, "fig.savefig('chart.pdf')\n"),
    "saved as SVG without a suffix": (HEAD + AXES, "fig.savefig('chart', format='svg')\n"),
    "saved and closed": (HEAD + AXES, "fig.savefig('chart.png')\nplt.close(fig)\n"),
    "saved and cleared": (HEAD + AXES, "plt.savefig('chart.png')\nplt.clf()\nplt.cla()\nplt.close('all')\n"),
    "saved transparent": (HEAD + AXES, "fig.savefig('chart.png', transparent=True)\n"),
    "read back": (
        HEAD + AXES,
        "fig.savefig('chart.png')\nimage = plt.imread('chart.png')\nassert image.shape[0] > 100\n",
    ),
    "read back with Pillow": (
        "from PIL import Image\n" + HEAD + AXES,
        "fig.savefig('chart.png', dpi=80)\nwith Image.open('chart.png') as picture:\n    assert picture.size[0] > 100\n",
    ),
    "read back as bytes": (
        "import base64\n" + HEAD + AXES,
        "fig.savefig('chart.png')\ntext = base64.b64encode(open('chart.png', 'rb').read())\nassert len(text) > 1000\n",
    ),
    "its size looked at": (
        "import os\n" + HEAD + AXES,
        "fig.savefig('chart.png')\nassert os.path.getsize('chart.png') > 1000\nprint('saved')\n",
    ),
    "copied": (
        "import shutil\n" + HEAD + AXES,
        "fig.savefig('chart.png')\nshutil.copy2('chart.png', 'copy.png')\nplt.imread('copy.png')\n",
    ),
    "beside itself": (
        "from pathlib import Path\n" + HEAD + AXES,
        "fig.savefig(Path(__file__).resolve().parent / 'chart.png')\n",
    ),
    "reads itself": (
        "import os\n" + HEAD + AXES,
        "assert 'names' in open(os.path.abspath(__file__)).read()\nplt.show()\n",
    ),
    "changes its folder": (
        "import os\n" + HEAD + "os.chdir(os.path.dirname(os.path.abspath(__file__)))\n" + AXES,
        "os.makedirs('out/plots', exist_ok=True)\nfig.savefig('out/plots/chart.png')\n",
    ),
    "argparse": (
        "import argparse\n"
        + HEAD
        + "parser = argparse.ArgumentParser()\nparser.add_argument('--out', default='a.png')\n"
        "options = parser.parse_args()\n" + AXES,
        "fig.savefig(options.out)\n",
    ),
    "sys.argv": (
        "import sys\n" + HEAD + "out = sys.argv[1] if len(sys.argv) > 1 else 'a.png'\n" + AXES,
        "fig.savefig(out)\n",
    ),
    "sys.exit": ("import sys\n" + HEAD + AXES, "plt.show()\nsys.exit(0)\n"),
    "os._exit": ("import os\n" + HEAD + AXES, "plt.savefig('a.png')\nos._exit(0)\n"),
    "a GIF": (
        HEAD + "from matplotlib.animation import FuncAnimation, PillowWriter\n" + AXES,
        "moving = FuncAnimation(fig, lambda frame: [], frames=3)\nmoving.save('a.gif', writer=PillowWriter(fps=5))\n",
    ),
    "PdfPages": (
        HEAD + "from matplotlib.backends.backend_pdf import PdfPages\n" + AXES,
        "with PdfPages('a.pdf') as pages:\n    pages.savefig(fig)\n",
    ),
    "large": (HEAD + "fig, ax = plt.subplots(figsize=(16, 12), dpi=300)\n", "fig.savefig('a.png')\nplt.show()\n"),
    "large and read back": (
        HEAD + "fig, ax = plt.subplots(figsize=(16, 12))\n",
        "fig.savefig('a.png', dpi=100)\nprint(plt.imread('a.png').shape)\n",
    ),
    "print_figure": (HEAD + AXES, "fig.canvas.print_figure('a.png', dpi=100)\n"),
    "print_png": (HEAD + AXES, "fig.canvas.print_png('a.png')\n"),
    "a canvas of its own": (
        "from matplotlib.figure import Figure\nfrom matplotlib.backends.backend_agg import FigureCanvasAgg\n"
        "fig = Figure(figsize=(6, 4))\ncanvas = FigureCanvasAgg(fig)\nax = fig.add_subplot(111)\n",
        "canvas.draw()\ncanvas.print_png('a.png')\n",
    ),
    "pixels from a canvas": (
        "from PIL import Image\n" + HEAD + AXES,
        "fig.canvas.draw()\nImage.fromarray(__import__('numpy').asarray(fig.canvas.buffer_rgba())).save('a.png')\n",
    ),
    "into memory": (
        "import io\n" + HEAD + AXES,
        "buffer = io.BytesIO()\nfig.savefig(buffer, format='png')\nbuffer.seek(0)\nassert buffer.read(4) == b'\\x89PNG'\n",
    ),
    "into memory, as SVG": (
        "import io\n" + HEAD + AXES,
        "buffer = io.StringIO()\nfig.savefig(buffer, format='svg')\nassert '<svg' in buffer.getvalue()\n",
    ),
    "a temporary file": (
        "import tempfile\n" + HEAD + AXES,
        "with tempfile.NamedTemporaryFile(suffix='.png') as file:\n    fig.savefig(file.name)\nplt.show()\n",
    ),
    "a timer": (
        "import threading\n" + HEAD + AXES,
        "threading.Timer(0.01, lambda: print('done')).start()\nplt.show()\n",
    ),
    "a timer that saves": (
        "import threading\n" + HEAD + AXES,
        "threading.Timer(0.01, fig.savefig, args=('a.png',)).start()\n",
    ),
    "a pool of threads": (
        "from concurrent.futures import ThreadPoolExecutor\n" + HEAD + AXES,
        "with ThreadPoolExecutor(4) as pool:\n    print(list(pool.map(str, names))[:3])\nplt.show()\n",
    ),
    "asyncio": (
        "import asyncio\n" + HEAD + AXES,
        "async def main():\n    await asyncio.sleep(0.01)\n    fig.savefig('a.png')\n\nasyncio.run(main())\n",
    ),
    "at exit": ("import atexit\n" + HEAD + AXES, "atexit.register(lambda: fig.savefig('a.png'))\n"),
    "a window asked for": ("import matplotlib\nmatplotlib.use('TkAgg')\n" + HEAD + AXES, "plt.show(block=True)\n"),
    "no window asked for": ("import matplotlib\nmatplotlib.use('Agg')\n" + HEAD + AXES, "plt.savefig('a.png')\n"),
    "interactive": (HEAD + "plt.ion()\n" + AXES, "plt.draw()\nplt.pause(0.01)\nplt.ioff()\nplt.show()\n"),
    "a style": (HEAD + "plt.style.use('ggplot')\nplt.rcParams['font.family'] = 'serif'\n" + AXES, "plt.show()\n"),
    "seaborn's style": ("import seaborn as sns\n" + HEAD + "sns.set_theme(style='whitegrid')\n" + AXES, "plt.show()\n"),
    "pandas and numpy beside": (
        "import numpy as np\nimport pandas as pd\n" + HEAD + AXES,
        "print(pd.DataFrame(list(zip(names, values))).head())\nprint(np.mean(values))\nplt.show()\n",
    ),
    "logging and warnings": (
        "import logging, warnings\nwarnings.filterwarnings('ignore')\nlogging.basicConfig(level=logging.INFO)\n"
        + HEAD
        + AXES,
        "logging.getLogger(__name__).info('drawn')\nplt.show()\n",
    ),
    "an alarm": (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\nsignal.alarm(60)\n" + HEAD + AXES,
        "plt.show()\nsignal.alarm(0)\n",
    ),
    "descriptors closed": ("import os\n" + HEAD + AXES, "plt.show()\nos.closerange(3, 256)\n"),
    "a folder made read-only": ("import os\n" + HEAD + AXES, "plt.show()\nos.chmod('.', 0o500)\n"),
    "standard output closed": ("import sys\n" + HEAD + AXES, "plt.show()\nsys.stdout.close()\n"),
    "a text of notes": (HEAD + AXES, "with open('notes.txt', 'w') as file:\n    file.write('done')\nplt.show()\n"),
}


def in_main(data, draw, pyplot):
    body = indented(data + AXES + draw + "plt.show()\n")
    return f'{HEAD}\n\ndef main() -> None:\n    """Draw."""\n{body}\n\nif __name__ == \'__main__\':\n    main()\n'


def by_pyplot(data, draw, pyplot):
    return "from matplotlib import pyplot as plt\n\nplt.figure(figsize=(8, 5))\n" + data + pyplot + "plt.show()\n"


def by_class(data, draw, pyplot):
    body = indented(indented(data + AXES + draw + "self.fig = fig\n"))
    return f"{HEAD}\nclass Chart:\n    def draw(self):\n{body}\n        return self\n\n\nChart().draw().fig.savefig('a.png')\n"


def by_dataclass(data, draw, pyplot):
    head = "from __future__ import annotations\nfrom dataclasses import dataclass\n" + HEAD
    body = f"\n@dataclass\nclass Data:\n    names: list\n    values: list\n\n{data}data = Data(names, values)\n"
    return head + body + AXES + draw.replace("names", "data.names").replace("values", "data.values") + "plt.show()\n"


def by_json(data, draw, pyplot):
    head = "import json\n" + HEAD + data + "with open('data.json', 'w') as f:\n    json.dump([names, values], f)\n"
    return head + "with open('data.json') as f:\n    names, values = json.load(f)\n" + AXES + draw + "plt.show()\n"


def by_csv(data, draw, pyplot):
    head = (
        "import pandas as pd\n" + HEAD + data + "pd.DataFrame({'n': names, 'v': values}).to_csv('d.csv', index=False)\n"
    )
    return (
        head
        + "df = pd.read_csv('d.csv')\nnames, values = list(df['n']), list(df['v'])\n"
        + AXES
        + draw
        + "plt.show()\n"
    )


WHOLE = {f.__name__: f for f in (in_main, by_pyplot, by_class, by_dataclass, by_json, by_csv)}

# Manners of one type of figure only
OWN = {
    "bar": {
        "three dimensions": HEAD
        + "ax = plt.figure().add_subplot(projection='3d')\nvalues = [4, 7, @V@, 6]\n"
        + "ax.bar3d([0, 1, 2, 3], [0] * 4, [0] * 4, 0.6, 0.6, values)\n"
        + "ax.set_xticks([0.3, 1.3, 2.3, 3.3], ['Mon', 'Tue', 'Wed', 'Thu'])\nplt.show()\n",
        "three dimensions beside": HEAD
        + "fig = plt.figure()\nax = fig.add_subplot(1, 2, 1)\nax.bar(['Mon', 'Tue', 'Wed', 'Thu'], [4, 7, @V@, 6])\n"
        + "other = fig.add_subplot(1, 2, 2, projection='3d')\nother.scatter([1, 2], [1, 2], [1, 2])\nplt.show()\n",
        "pandas": "import pandas as pd\n"
        + HEAD
        + "pd.DataFrame({'day': ['Mon', 'Tue', 'Wed', 'Thu'], 'n': [4, 7, @V@, 6]}).plot.bar(x='day', y='n', legend=False)\n"
        + "plt.show()\n",
        "seaborn": "import seaborn as sns\n"
        + HEAD
        + "sns.barplot(x=['Mon', 'Tue', 'Wed', 'Thu'], y=[4, 7, @V@, 6])\nplt.show()\n",
        "labelled bars": HEAD
        + AXES
        + "bars = ax.bar(['Mon', 'Tue', 'Wed', 'Thu'], [4, 7, @V@, 6])\nax.bar_label(bars)\nplt.show()\n",
        "lying": HEAD + "plt.barh(['Mon', 'Tue', 'Wed', 'Thu'], [4, 7, @V@, 6])\nplt.show()\n",
    },
    "function": {
        "sympy": "import numpy as np\nimport sympy as sp\n"
        + HEAD
        + "x = sp.symbols('x')\nf = sp.lambdify(x, @V@ * x**2 - 1, 'numpy')\nt = np.linspace(-5, 5, 400)\nplt.plot(t, f(t))\n"
        + "plt.axhline(0, color='k')\nplt.show()\n",
        "scipy": "import numpy as np\nfrom scipy.interpolate import CubicSpline\n"
        + HEAD
        + "t = np.linspace(-5, 5, 101)\ns = CubicSpline(t, @V@ * t**2 - 1)\nu = np.linspace(-5, 5, 1001)\nplt.plot(u, s(u))\nplt.show()\n",
        "vectorised": "import numpy as np\n"
        + HEAD
        + "x = np.linspace(-5, 5, 20000)\nplt.plot(x, np.vectorize(lambda t: @V@ * t * t - 1)(x))\nplt.show()\n",
    },
    "line": {
        "seaborn": "import seaborn as sns\n"
        + HEAD
        + "ax = sns.lineplot(x=[2019, 2020, 2021, 2022], y=[10, @V@, 9, 17])\nax.set_xticks([2019, 2020, 2021, 2022])\nplt.show()\n",
        "pandas": "import pandas as pd\n"
        + HEAD
        + "ax = pd.Series([10, @V@, 9, 17], index=[2019, 2020, 2021, 2022]).plot(xticks=[2019, 2020, 2021, 2022])\nplt.show()\n",
    },
    "pie": {
        "per cent and explode": HEAD
        + "plt.pie([50, @V@, 30], labels=['Rent', 'Food', 'Fun'], autopct='%1.1f%%', explode=[0, 0.1, 0], shadow=True)\n"
        + "plt.axis('equal')\nplt.show()\n",
        "pandas": "import pandas as pd\n"
        + HEAD
        + "pd.Series([50, @V@, 30], index=['Rent', 'Food', 'Fun']).plot.pie(ylabel='')\nplt.show()\n",
    },
}

# What stands around the code: {code} is it, {head} and {tail} its imports and the rest
WRAPPED = {
    "python": "Here is the code:\n\n```python\n{code}```\n\nIt draws the chart that was asked for.",
    "py": "```py\n{code}```",
    "Python": "Sure!\n```Python\n{code}```\n",
    "python3": "```python3\n{code}\n```",
    "attributes": "```{{.python .numberLines}}\n{code}```",
    "title": '```python title="chart.py"\n{code}```',
    "unmarked": "The chart:\n\n```\n{code}```\n",
    "tildes": "~~~python\n{code}~~~\n",
    "four": "````python\n{code}````\n",
    "space": "``` python \n{code}``` \n",
    "behind words": "**Code:** ```python\n{code}```\n",
    "list": "1. The code:\n\n   ```python\n{indented}   ```\n\n2. Run it.",
    "bullet": "- ```python\n{indented}  ```\n- That is all.",
    "quote": "> Here it is:\n>\n> ```python\n{quoted}> ```\n>\n> Done.",
    "open": "I will draw it.\n```python\n{code}",
    "closed in line": "```python\n{tight}```",
    "shell after": "```python\n{code}```\nRun it:\n```bash\npip install matplotlib\npython chart.py\n```\n",
    "output after": "```python\n{code}```\n\nOutput:\n\n```\nsaved 4 values\n```\n",
    "table after": "```python\n{code}```\n```text\nMon  4\nTue  7\n```\n",
    "draft before": "<think>\nMaybe\n```python\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n```\n</think>\n```python\n{code}```",
    "two blocks": "First the imports:\n\n```python\n{head}```\n\nThen the plot:\n\n```python\n{tail}```\n",
    "two blocks, CRLF": "Imports\r\n```python\r\n{head}```\r\nPlot\r\n```python\r\n{tail}```\r\n",
    "CRLF": "```python\r\n{code}```\r\n",
    "CR": "```python\r{code}```\r",
    "BOM": "\ufeff```python\n{code}```",
    "BOM inside": "```python\n\ufeff{code}```",
    "comment": "# Draw the chart\n{code}",
    "coding": "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n{code}",
    "docstring": '"""Draw the chart."""\n\n{code}',
    "assignment": "TITLE = 'Chart'\n{code}",
    "bare": "{code}",
    "bare after words": "Here is the script you asked for:\n\n{code}",
    "bare between words": "Here is the script you asked for:\n\n{code}\nThis script shows the chart. Run it with Python",
    "markdown": "````markdown\n## Answer\n```python\n{code}```\n````\n",
    "heading": "## Code\n\n```python\n{code}```\n\n## Explanation\n\n- `plt.show()` shows it.\n",
    "two spaces": "  ```python\n{indented}  ```",
    "tab": "\t```python\n{tabbed}\t```\n",
}

TEX_BODY = {
    "triangle": "\\draw (0,0) -- (@V@,0) -- (1,3) -- cycle;\n\\node[below] at (0,0) {$A$};\n\\node[below] at (@V@,0) {$B$};\n"
    "\\node[above] at (1,3) {$C$};\n",
    "circle": "\\draw (0,0) -- (@V@,0) -- (@V@,3) -- cycle;\n\\draw (1,5) circle (1);\n\\node[left] at (0,0) {$P$};\n"
    "\\node[right] at (@V@,0) {$Q$};\n\\node[right] at (@V@,3) {$R$};\n",
}
TEX = {
    "document": "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\begin{tikzpicture}\n@BODY@"
    "\\end{tikzpicture}\n\\end{document}\n",
    "standalone": "\\documentclass[tikz,border=2mm]{standalone}\n\\usetikzlibrary{calc,angles,quotes}\n\\begin{document}\n"
    "\\begin{tikzpicture}[scale=1]\n@BODY@\\end{tikzpicture}\n\\end{document}\n",
    "picture": "\\begin{tikzpicture}\n@BODY@\\end{tikzpicture}\n",
    "library": "\\usetikzlibrary{calc}\n\\begin{tikzpicture}\n@BODY@\\end{tikzpicture}\n",
    "packages": "\\usepackage{tikz}\n\\usepackage{amsmath}\n\\usetikzlibrary{calc}\n\\begin{tikzpicture}\n@BODY@\\end{tikzpicture}\n",
    "no class": "\\usepackage{tikz}\n\\begin{document}\n\\begin{tikzpicture}\n@BODY@\\end{tikzpicture}\n\\end{document}\n",
    "tikz": "\\tikz {\n@BODY@}\n",
    "comment": "% A triangle\n\\begin{tikzpicture}\n@BODY@\\end{tikzpicture}\n",
}
TEX_WRAPPED = {
    "latex": "```latex\n{code}```",
    "tex": "The figure:\n```tex\n{code}```\nCompile it.",
    "LaTeX": "```LaTeX\n{code}```\n",
    "tikz": "```tikz\n{code}```\n",
    "unmarked": "```\n{code}```\n",
    "CRLF": "```latex\r\n{code}```\r\n",
    "list": "1. Code:\n   ```latex\n{indented}   ```\n",
    "quote": "> ```latex\n{quoted}> ```\n",
    "open": "```latex\n{code}",
    "behind words": "Code: ```latex\n{code}```",
    "shell after": "```latex\n{code}```\n```bash\npdflatex figure.tex\n```",
    "bare": "{code}",
    "bare after words": "Here is the drawing:\n\n{code}\n",
    "BOM": "\ufeff{code}",
    "two blocks": "Preamble:\n```latex\n\\usetikzlibrary{{calc}}\n```\nPicture:\n```latex\n{code}```\n",
}


def wrapped(around, code):
    lines = code.splitlines()
    cut = next((i for i, line in enumerate(lines) if line and not line.startswith(("import ", "from ", "#"))), 0)
    parts = {
        "code": code,
        "tight": code.rstrip("\n"),
        "head": "\n".join(lines[:cut]) + "\n",
        "tail": "\n".join(lines[cut:]) + "\n",
        "indented": "".join(f"   {line}\n" if line else "\n" for line in lines),
        "quoted": "".join(f"> {line}\n" for line in lines),
        "tabbed": "".join(f"\t{line}\n" for line in lines),
    }
    text = around.format(**parts)
    if "\r\n" in around:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    elif "\r" in around:
        text = text.replace("\n", "\r")
    return text


def scripts():
    """Yield (name, type, template of a script with @V@)."""
    kinds = list(DATA)
    number = 0
    for name, (before, after) in MANNERS.items():
        for kind in (kinds[number % 4], kinds[(number + 1) % 4]) if number % 3 == 0 else (kinds[number % 4],):
            yield f"{kind}: {name}", kind, before + DATA[kind] + DRAW[kind] + after
        number += 1
    for name, whole in WHOLE.items():
        kind = kinds[number % 4]
        yield f"{kind}: {name}", kind, whole(DATA[kind], DRAW[kind], PYPLOT[kind])
        number += 1
    for kind, own in OWN.items():
        for name, template in own.items():
            yield f"{kind}: {name}", kind, template


def rows():
    """Yield every case: id, type, reference, response, wrong."""
    found = []
    arounds = list(WRAPPED)
    plain = {kind: HEAD + AXES + DATA[kind] + DRAW[kind] + "plt.show()\n" for kind in DATA}
    fenced = [name for name in arounds if "```" in WRAPPED[name] and "head" not in WRAPPED[name]]
    for number, (name, kind, template) in enumerate(scripts()):
        around = fenced[number % len(fenced)]
        found.append((f"{name} / {around}", kind, plain[kind], template, WRAPPED[around]))
    for number, around in enumerate(arounds):
        for kind in list(DATA)[number % 2 :: 2]:
            found.append((f"{kind}: plain / {around}", kind, plain[kind], plain[kind], WRAPPED[around]))
    texs = list(TEX)
    for number, around in enumerate([*TEX_WRAPPED, *list(TEX_WRAPPED)[:9]]):
        manner = texs[number % len(texs)] if around != "two blocks" else "picture"
        body = TEX_BODY[list(TEX_BODY)[number % 2]]
        reference = TEX["document"].replace("@BODY@", body)
        template = TEX[manner].replace("@BODY@", body)
        found.append((f"geometry: {manner} / {around}", "geometry", reference, template, TEX_WRAPPED[around]))
    for name, kind, reference, template, around in found:
        right, wrong = (wrapped(around, template.replace("@V@", str(v[kind]))) for v in (RIGHT, WRONG))
        yield {
            "id": name,
            "type": kind,
            "reference": reference.replace("@V@", str(RIGHT[kind])),
            "response": right,
            "wrong": wrong,
        }


if __name__ == "__main__":
    lines = [json.dumps(row, ensure_ascii=False) for row in rows()]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(lines))
