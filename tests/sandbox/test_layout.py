"""Without a picture axes are not painted: what is read, and what fails, is as with one."""

import pytest

from mmmath_tasks.sandbox import run_figures
from mmmath_tasks.sandbox.figures import _jails
from support.needs import needs

pytestmark = [pytest.mark.medium, needs("sandbox", "bwrap")]

START = "import matplotlib.pyplot as plt, numpy as np\nfig, ax = plt.subplots()\n"
DRAWN = {
    "categories": (
        "bars = ax.bar(['a', 'long name', 'b'], [1, 2, 3], label='s')\nax.bar_label(bars)\n"
        "ax.tick_params(rotation=60)\nax.set_title('t', y=1.1)\nax.legend()\nax.grid()\n"
    ),
    "logarithms": "ax.loglog([1, 10, 90], [2, 30, 4], label='$x$')\nax.set_xlabel(r'$\\alpha$')\nax.text(5, 5, 'p')\n",
    "constrained": "fig.set_layout_engine('constrained')\nax.set_title('a\\nb')\nax.plot([1, 2])\nax.text(1, 2, 'p')\n",
    "tight": "ax.plot([1, 2])\nax.set_xlabel('x\\ny\\nz')\nax.text(1, 2, 'p')\nfig.tight_layout()\n",
    "two scales": "ax.plot([1, 2])\nother = ax.twinx()\nother.bar(['a', 'b'], [30, 40])\nother.text(0, 9, 'p')\n",
    "no axis": "ax.plot([1, 2])\nax.axis('off')\nax.text(0.5, 1.5, 'p')\n",
    "hidden axis": "ax.barh(['a', 'b'], [1, 2])\nax.xaxis.set_visible(False)\n",
    "aspect": "ax.imshow(np.eye(3))\nax.text(1, 1, 'p')\nfig.colorbar(ax.images[0])\n",
    "polar": "ax.remove()\nax = fig.add_subplot(projection='polar')\nax.plot([0, 1], [1, 2])\nax.text(1, 2, 'p')\n",
    "solid": "ax.remove()\nax = fig.add_subplot(projection='3d')\nax.bar3d([0, 1], [0, 0], [0, 0], 1, 1, [3, 4])\n",
    "dates": "ax.plot(np.array(['2024-01-01', '2024-02-01'], 'M8[D]'), [1, 2])\n",
    "worded ticks": "ax.bar([0, 1], [2, 3])\nax.xaxis.set_major_formatter(lambda x, _: f'year {x:.0f}')\n",
    "minor ticks": "ax.plot([1, 2])\nax.minorticks_on()\n",
}
FAIL = {
    "title": "ax.set_title(r'$\\frac{1}$')\n",
    "label of an axis": "ax.set_ylabel(r'$\\frac{1}$')\n",
    "tick": "ax.set_xticks([0, 1], ['a', r'$\\frac{1}$'])\n",
    "words of ticks": "ax.xaxis.set_major_formatter(lambda x, _: ['a', 'b'][int(x) + 7])\n",
    "LaTeX": "ax.set_ylabel('y', usetex=True)\n",
}
# What is saved afterwards is whole
AGAIN = "import io, zlib\nfile = io.BytesIO()\nfig.savefig(file)\nprint(zlib.crc32(file.getvalue()))\n"


def both(codes):
    return zip(codes, run_figures(list(codes.values())), run_figures(list(codes.values()), pictures=False), strict=True)


def test_elements_are_the_same():
    codes = {name: f"{START}{code}plt.show()\n{AGAIN}" for name, code in DRAWN.items()}
    for name, drawn, laid_out in both(codes):
        assert drawn.ok, (name, drawn.message)
        assert laid_out.elements == drawn.elements, name
        assert laid_out.stdout == drawn.stdout, name
        assert (drawn.png or b"").startswith(b"\x89PNG")
        assert laid_out.png is None


def test_what_fails_is_the_same():
    codes = {name: f"{START}ax.plot([0, 1])\n{code}plt.show()\n" for name, code in FAIL.items()}
    for name, drawn, laid_out in both(codes):
        assert (drawn.cause, laid_out.cause) == ("exception", "exception"), name
        assert drawn.message == laid_out.message, name


def test_a_script_finds_what_it_imports_and_nothing_else():
    look = f"import sys\nprint('sea' + 'born' in sys.modules)\n{START}ax.bar(['a'], [1])\nplt.show()\n"
    heavy = f"import seaborn as sns\n{START}sns.barplot(x=['a'], y=[1])\nplt.show()\n"
    plain, drawn, after = run_figures([look, heavy, look], pictures=False)
    assert (plain.stdout, after.stdout) == ("False\n", "False\n")
    assert drawn.ok, drawn.message
    assert {heavy for _, _, heavy in _jails} == {False, True}
