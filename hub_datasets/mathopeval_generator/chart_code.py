"""The Matplotlib scripts of charts, plain and annotated, and the lines of a script that hold a chart's data."""

from __future__ import annotations

from collections.abc import Sequence

from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart

_HEAD = "import matplotlib.pyplot as plt\n"


def script(chart: Chart, annotated: bool = False) -> str:
    """Return the script that draws the chart, with the values written into it if `annotated`."""
    body: str = {"bar": _bar, "line": _line, "pie": _pie}[chart.type](chart, annotated)
    numpy = "import numpy as np\n" if "np." in body else ""
    return f"{_HEAD}{numpy}\n{data_lines(chart)}\n\n{body}{_margins(chart)}plt.show()\n"


def data_lines(chart: Chart, look: bool = True) -> str:
    """Return the lines that hold the labels, values and, unless `look` is false, colours."""
    lines = [label_line(chart), value_lines(chart)]
    if look and (len(chart.series) > 1 or chart.by_label):
        lines.append(f"colors = {_list(chart.colours)}")
    if look and "explode" in chart.look:
        lines.append(f"explode = {_list(chart.look['explode'])}")
    return "\n".join(lines)


def label_line(chart: Chart) -> str:
    """Return the line that holds the labels; years are numbers."""
    years = chart.x_name == "Year"
    labels: Sequence[object] = [int(x) for x in chart.labels] if years else chart.labels
    return f"{_names(chart)} = {_list(labels)}"


def value_lines(chart: Chart) -> str:
    """Return the line or lines that hold the values."""
    if len(chart.series) == 1 and not chart.series[0][0]:
        return f"{'sizes' if chart.type == 'pie' else 'values'} = {_list(chart.series[0][1])}"
    inner = "".join(f"    {name!r}: {_list(values)},\n" for name, values in chart.series)
    return f"data = {{\n{inner}}}"


def shown(value: float) -> str:
    """Return a value as scripts and annotations write it."""
    return f"{value:g}"


def _margins(chart: Chart) -> str:
    """Return the line that makes room for long labels and legends; tight_layout would double the drawing time."""
    room = {}
    if chart.style == "horizontal":
        room["left"] = 0.24
    if chart.look.get("rotation"):
        room["bottom"] = 0.24
    if len(chart.series) > 1 or chart.style == "legend":
        room["right"] = 0.74
    return f"plt.subplots_adjust({', '.join(f'{side}={value}' for side, value in room.items())})\n" if room else ""


def _names(chart: Chart) -> str:
    return {"bar": "categories", "line": chart.x_name.lower() + "s", "pie": "labels"}[chart.type]


def _list(things: Sequence[object]) -> str:
    return "[" + ", ".join(shown(t) if isinstance(t, float | int) else repr(t) for t in things) + "]"


def _axes(chart: Chart, axis: str) -> str:
    """Return the lines for titles, limits and grid; `axis` is the axis of values."""
    other = "x" if axis == "y" else "y"
    look = chart.look
    lines = [
        f"ax.set_title({chart.title!r})",
        f"ax.set_{other}label({chart.x_name!r})",
        f"ax.set_{axis}label({chart.y_name!r})",
        f"ax.set_{axis}lim(0, {shown(chart.top)})",
    ]
    if look["grid"]:
        lines += [f"ax.grid(axis={axis!r}, linestyle={look['grid']!r}, alpha=0.6)", "ax.set_axisbelow(True)"]
    if look["rotation"]:
        lines.append(f"plt.xticks(rotation={look['rotation']}, ha='right')")
    if len(chart.series) > 1:
        lines.append("ax.legend(loc='upper left', bbox_to_anchor=(1.01, 1))")
    return "\n".join(lines) + "\n"


def _subplots(chart: Chart) -> str:
    width, height = chart.look["size"]
    return f"fig, ax = plt.subplots(figsize=({width:g}, {height:g}))\n"


def _bar(chart: Chart, annotated: bool) -> str:
    look = chart.look
    edge = "" if look["edge"] == "none" else f", edgecolor={look['edge']!r}"
    if chart.style == "grouped":
        width = round(0.8 / len(chart.series), 2)
        middle = (len(chart.series) - 1) / 2
        loop = (
            f"x = np.arange(len(categories))\nwidth = {width}\n"
            "for i, (name, values) in enumerate(data.items()):\n"
            f"    bars = ax.bar(x + (i - {middle:g}) * width, values, width, label=name, color=colors[i]{edge})\n"
        )
        crowded = len(chart.series) * len(chart.labels) > 11 or any(v % 1 for _, vs in chart.series for v in vs)
        label = f"    ax.bar_label(bars, padding=2, fontsize={7 if crowded else 8})\n" if annotated else ""
        return _subplots(chart) + loop + label + "ax.set_xticks(x, categories)\n" + _axes(chart, "y")
    if chart.style == "stacked":
        loop = (
            "bottom = np.zeros(len(categories))\n"
            "for color, (name, values) in zip(colors, data.items()):\n"
            f"    bars = ax.bar(categories, values, {look['width']}, bottom=bottom, label=name, color=color{edge})\n"
        )
        label = "    ax.bar_label(bars, label_type='center', fontsize=9)\n" if annotated else ""
        return _subplots(chart) + loop + label + "    bottom += np.array(values)\n" + _axes(chart, "y")
    colour = "colors" if chart.by_label else repr(chart.colours[0])
    label = "ax.bar_label(bars, padding=3)\n" if annotated else ""
    if chart.style == "horizontal":
        bars = f"bars = ax.barh(categories, values, height={look['width']}, color={colour}{edge})\n"
        return _subplots(chart) + bars + label + "ax.invert_yaxis()\n" + _axes(chart, "x")
    hatch = f", hatch={look['hatch']!r}, edgecolor='black'" if chart.style == "hatched" else edge
    bars = f"bars = ax.bar(categories, values, width={look['width']}, color={colour}{hatch})\n"
    return _subplots(chart) + bars + label + _axes(chart, "y")


def _line(chart: Chart, annotated: bool) -> str:
    look, places = chart.look, _names(chart)
    style = f"linestyle={look['dash']!r}, linewidth={look['width']:g}"
    ticks = f"ax.set_xticks({places})\n" if chart.x_name == "Year" else ""
    if len(chart.series) > 1:
        loop = (
            f"markers = {_list(look['markers'])}\n"
            "for color, marker, (name, values) in zip(colors, markers, data.items()):\n"
            f"    ax.plot({places}, values, color=color, marker=marker, {style}, label=name)\n"
        )
        note = _points(places, "    ", ", fontsize=8") if annotated else ""
        return _subplots(chart) + loop + note + ticks + _axes(chart, "y")
    colour = chart.colours[0]
    plot = f"ax.plot({places}, values, color={colour!r}, marker={look['markers'][0]!r}, {style})\n"
    area = f"ax.fill_between({places}, values, color={colour!r}, alpha=0.2)\n" if chart.style == "filled" else ""
    note = _points(places, "", "") if annotated else ""
    return _subplots(chart) + plot + area + note + ticks + _axes(chart, "y")


def _points(places: str, indent: str, look: str) -> str:
    return (
        f"{indent}for x, y in zip({places}, values):\n"
        f"{indent}    ax.annotate(str(y), (x, y), textcoords='offset points', xytext=(0, 6), ha='center'{look})\n"
    )


def _pie(chart: Chart, annotated: bool) -> str:
    look = chart.look
    parts = ["sizes", "labels=labels", "colors=colors", f"startangle={look['start']}"]
    if "explode" in look:
        parts.append("explode=explode")
    if chart.style == "shadow":
        parts.append("shadow=True")
    if chart.style == "ring":
        parts.append("wedgeprops={'width': 0.45, 'edgecolor': 'white'}")
    if chart.style == "legend":
        parts.append("labeldistance=None")
    if annotated:
        parts.append("autopct='%.1f%%'")
        if chart.style == "ring":
            parts.append("pctdistance=0.78")
    legend = "ax.legend(loc='center left', bbox_to_anchor=(1, 0.5))\n" if chart.style == "legend" else ""
    return f"{_subplots(chart)}ax.pie({', '.join(parts)})\nax.set_title({chart.title!r}, pad=18)\n{legend}"
