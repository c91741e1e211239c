"""The drawing kit of the samples: matplotlib figures to small palette PNGs with the same pixels every time.

Points are (x, y) pairs in the units of the drawing; `axes` is always a matplotlib Axes.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

Point = tuple[float, float]

INK, GREY, PALE = "#1f2933", "#7b8794", "#e4e7eb"
BLUE, RED, GREEN, ORANGE, PURPLE = "#2f6fb0", "#c8412f", "#3d9950", "#e69f1f", "#7d5ba6"
COLOURS = (BLUE, ORANGE, GREEN, RED, PURPLE)

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "mathtext.fontset": "dejavusans",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 13,
    "axes.axisbelow": True,
    "grid.color": PALE,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "patch.linewidth": 1.8,
}


def picture(draw: Callable[[Any], Any], size: tuple[int, int] = (360, 280), caption: str = "") -> tuple[bytes, Any]:
    """Run `draw(axes)` on a blank figure.

    Args:
        draw: draws, and returns whatever its caller wants back.
        size: width and height in units of 1/100 inch; blank margins are cut off, one pixel is 1/150 inch.
        caption: text to write above the drawing; the picture grows by its height.

    Returns:
        the picture as a palette PNG without metadata, and what `draw` returned.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image, ImageChops, ImageOps

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        words = [part for line in caption.splitlines() for part in textwrap.wrap(line, size[0] // 9)]
        height = size[1] / 100 + 0.25 * len(words)
        figure = Figure(figsize=(size[0] / 100, height), dpi=150)
        canvas: Any = FigureCanvasAgg(figure)
        value = draw(figure.add_subplot())
        figure.text(0.02, 0.98, "\n".join(words), va="top", linespacing=1.3)
        figure.tight_layout(pad=0.5, rect=(0, 0, 1, size[1] / 100 / height))
        canvas.draw()
        image = Image.frombuffer("RGBA", canvas.get_width_height(), bytes(canvas.buffer_rgba())).convert("RGB")
    drawn = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
    image = ImageOps.expand(image.crop(drawn), 12, "white")
    png = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(png, "PNG", optimize=True)
    return png.getvalue(), value


def plane(axes: Any, left: float, right: float, bottom: float, top: float) -> None:
    """Turn the axes into a bare sheet with equal scales in both directions."""
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", anchor="N")
    axes.axis("off")


def line(axes: Any, *points: Point, colour: str = INK, style: str = "-", width: float = 1.8) -> None:
    """Draw an open line through the points."""
    axes.plot(*zip(*points, strict=True), color=colour, linestyle=style, linewidth=width, solid_capstyle="round")


def polygon(axes: Any, *points: Point, fill: str = "none", colour: str = INK) -> None:
    """Draw a closed polygon."""
    axes.fill(*zip(*points, strict=True), facecolor=fill, edgecolor=colour, joinstyle="round", zorder=2)


def box(axes: Any, x: float, y: float, width: float, height: float, fill: str = "none", colour: str = INK) -> None:
    """Draw an upright rectangle by its lower left corner."""
    polygon(axes, (x, y), (x + width, y), (x + width, y + height), (x, y + height), fill=fill, colour=colour)


def circle(axes: Any, at: Point, radius: float, fill: str = "none", colour: str = INK) -> None:
    """Draw a circle."""
    ellipse(axes, at, radius, radius, fill=fill, colour=colour)


def ellipse(
    axes: Any,
    at: Point,
    a: float,
    b: float,
    arc: tuple[float, float] = (0, 360),
    fill: str = "none",
    colour: str = INK,
    style: str = "-",
) -> None:
    """Draw an ellipse with half axes a and b, or its part between two angles in degrees."""
    turn = [math.radians(arc[0] + (arc[1] - arc[0]) * i / 120) for i in range(121)]
    x, y = [at[0] + a * math.cos(t) for t in turn], [at[1] + b * math.sin(t) for t in turn]
    if fill != "none":
        axes.fill(x, y, facecolor=fill, edgecolor="none", zorder=2)
    axes.plot(x, y, color=colour, linestyle=style)


def text(axes: Any, at: Point, words: str, size: float = 13, colour: str = INK, **where: Any) -> None:
    """Write words centred on a point, or aligned as `ha` and `va` say."""
    axes.text(*at, words, fontsize=size, color=colour, **{"ha": "center", "va": "center", **where})


def names(axes: Any, off: float, **points: tuple[float, float, str]) -> None:
    """Write each point's name `off` away from it, in the compass direction given: A=(0, 0, "sw")."""
    for name, (x, y, side) in points.items():
        step = (("e" in side) - ("w" in side), ("n" in side) - ("s" in side))
        text(axes, (x + off * step[0], y + off * step[1]), name)


def angle(axes: Any, at: Point, a: Point, b: Point, label: str = "", radius: float = 0.6, far: float = 1.8) -> None:
    """Mark the angle between the rays from `at` to a and to b (counter-clockwise), its label `far` radii away."""
    start, end = (math.degrees(math.atan2(p[1] - at[1], p[0] - at[0])) for p in (a, b))
    end += 360 * (end < start)
    ellipse(axes, at, radius, radius, (start, end), colour=BLUE)
    middle = math.radians((start + end) / 2)
    text(axes, (at[0] + far * radius * math.cos(middle), at[1] + far * radius * math.sin(middle)), label, 12, BLUE)


def right_angle(axes: Any, at: Point, a: Point, b: Point, side: float = 0.3) -> None:
    """Mark the right angle between the rays from `at` to a and to b with a small square."""
    (ux, uy), (vx, vy) = (
        ((p[0] - at[0]) / math.dist(p, at) * side, (p[1] - at[1]) / math.dist(p, at) * side) for p in (a, b)
    )
    corner = (at[0] + ux + vx, at[1] + uy + vy)
    line(axes, (at[0] + ux, at[1] + uy), corner, (at[0] + vx, at[1] + vy), colour=BLUE, width=1.4)


def arrow(axes: Any, start: Point, end: Point, colour: str = INK, style: str = "-|>") -> None:
    """Draw an arrow; style "<|-|>" has a head at both ends."""
    shape = {"arrowstyle": style, "color": colour, "lw": 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
    axes.annotate("", end, start, arrowprops=shape)


def measure(axes: Any, start: Point, end: Point, label: str, off: Point = (0, 0)) -> None:
    """Draw a double arrow from start to end, with its label `off` from its middle."""
    arrow(axes, start, end, GREY, "<|-|>")
    text(axes, ((start[0] + end[0]) / 2 + off[0], (start[1] + end[1]) / 2 + off[1]), label)


def grid(axes: Any, cells: Sequence[Sequence[Any]], wide: float = 1, high: float = 1, head: bool = False) -> None:
    """Write a table of cells from the origin downwards; `head` shades the first row."""
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            fill = PALE if head and i == 0 else "white"
            box(axes, j * wide, -(i + 1) * high, wide, high, fill=fill)
            text(axes, ((j + 0.5) * wide, -(i + 0.5) * high), str(cell))


def coordinates(axes: Any, left: int, right: int, bottom: int, top: int, numbers: bool = True) -> None:
    """Draw x and y axes through the origin, with a grid and numbers or bare."""
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", anchor="N")
    for side in ("left", "bottom"):
        axes.spines[side].set_position("zero")
    axes.set_xticks([x for x in range(left, right) if x] if numbers else [])
    axes.set_yticks([y for y in range(bottom, top) if y] if numbers else [])
    axes.tick_params(labelsize=10)
    axes.grid(visible=numbers)
    axes.plot(right, 0, ">", color=INK, clip_on=False)
    axes.plot(0, top, "^", color=INK, clip_on=False)
    axes.annotate("x", (right, 0), (0, -15), textcoords="offset points", ha="center", va="center")
    axes.annotate("y", (0, top), (-14, 0), textcoords="offset points", ha="center", va="center")


def clock(axes: Any, hour: int, minute: int) -> None:
    """Draw a clock face of radius 1 around the origin."""
    circle(axes, (0, 0), 1, fill="white")
    for number in range(1, 13):
        turn = math.radians(90 - 30 * number)
        text(axes, (0.82 * math.cos(turn), 0.82 * math.sin(turn)), str(number), 12)
    for turn, length, width in ((30 * (hour + minute / 60), 0.45, 5.0), (6 * minute, 0.68, 2.5)):
        way = math.radians(90 - turn)
        line(axes, (0, 0), (length * math.cos(way), length * math.sin(way)), width=width)
    circle(axes, (0, 0), 0.03, fill=INK)


def person(axes: Any, x: float, shirt: str, hair: str) -> None:
    """Draw a person, two units wide, standing on the line y = 0."""
    polygon(axes, (x - 0.9, 0), (x - 0.6, 1.6), (x + 0.6, 1.6), (x + 0.9, 0), fill=shirt)
    circle(axes, (x, 2.2), 0.6, fill="#f2cfa7")
    ellipse(axes, (x, 2.3), 0.6, 0.52, (0, 180), fill=hair, colour=hair)
    for side in (-0.22, 0.22):
        circle(axes, (x + side, 2.2), 0.05, fill=INK)
    ellipse(axes, (x, 2.0), 0.22, 0.12, (180, 360))


def cube(axes: Any, x: float, y: float, side: float = 1, colour: str = BLUE) -> None:
    """Draw a cube in cavalier perspective by its lower left front corner."""
    d = 0.4 * side
    box(axes, x, y, side, side, fill=shade(colour, 0.9))
    top = (x, y + side), (x + side, y + side), (x + side + d, y + side + d), (x + d, y + side + d)
    polygon(axes, *top, fill=shade(colour, 0.55))
    right = (x + side, y), (x + side + d, y + d), (x + side + d, y + side + d), (x + side, y + side)
    polygon(axes, *right, fill=shade(colour, 1.25))


def sphere(axes: Any, x: float, y: float, radius: float, colour: str) -> None:
    """Draw a shining ball by its centre."""
    circle(axes, (x, y), radius, fill=shade(colour, 1.1))
    for part, tone in ((0.7, 0.85), (0.4, 0.6), (0.18, 0.25)):
        ellipse(
            axes,
            (x - 0.25 * radius, y + 0.25 * radius),
            part * radius,
            part * radius,
            fill=shade(colour, tone),
            colour=shade(colour, tone),
        )


def cylinder(axes: Any, x: float, y: float, radius: float, height: float, colour: str = "none") -> None:
    """Draw an upright cylinder by the centre of its base; the hidden edge is dashed."""
    flat = 0.3 * radius
    if colour != "none":
        box(axes, x - radius, y, 2 * radius, height, fill=colour, colour="none")
        ellipse(axes, (x, y), radius, flat, fill=colour, colour="none")
    for side in (-radius, radius):
        line(axes, (x + side, y), (x + side, y + height))
    ellipse(axes, (x, y), radius, flat, (180, 360))
    ellipse(axes, (x, y), radius, flat, (0, 180), style="--")
    ellipse(axes, (x, y + height), radius, flat, fill="none" if colour == "none" else shade(colour, 0.6))


def shade(colour: str, tone: float) -> str:
    """Return the colour darker (tone above 1) or nearer to white (below 1)."""
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = [255 - (255 - p) * tone if tone <= 1 else p * (2 - tone) for p in parts]
    return "#" + "".join(f"{round(p):02x}" for p in mixed)
