"""The Matplotlib scripts of the first edition's charts, and their lines that hold a chart's data."""

from __future__ import annotations

from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart
from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import listed, when

_ROOM = {"right": 0.74, "bottom": 0.24, "left": 0.24}


def script(chart: Chart, annotated: bool) -> str:
    """Return the script that draws the chart, with the values written into it if `annotated`."""
    width, height = chart.look["size"]
    figure = f"fig, ax = plt.subplots(figsize=({width:g}, {height:g}))"
    body = [figure, *{"bar": _bar, "line": _line, "pie": _pie}[chart.type](chart, annotated)]
    imports = ["import matplotlib.pyplot as plt"]
    if any("np." in line for line in body):
        imports.append("import numpy as np")
    return "\n".join([*imports, "", data_lines(chart), "", *body, *_margins(chart), "plt.show()\n"])


def data_lines(chart: Chart, look: bool = True) -> str:
    """Return the lines that hold the labels, values and, unless `look` is false, colours; years are numbers."""
    labels = list(map(int, chart.labels)) if chart.x_name == "Year" else chart.labels
    lines = [f"{_names(chart)} = {listed(labels)}", value_lines(chart)]
    if look and (len(chart.series) > 1 or chart.by_label):
        lines.append(f"colors = {listed(chart.colours)}")
    if look and "explode" in chart.look:
        lines.append(f"explode = {listed(chart.look['explode'])}")
    return "\n".join(lines)


def value_lines(chart: Chart) -> str:
    """Return the line or lines that hold the values."""
    if len(chart.series) == 1 and not chart.series[0][0]:
        return f"{'sizes' if chart.type == 'pie' else 'values'} = {listed(chart.series[0][1])}"
    inner = "".join(f"    {name!r}: {listed(values)},\n" for name, values in chart.series)
    return f"data = {{\n{inner}}}"


def _names(chart: Chart) -> str:
    return {"bar": "categories", "line": chart.x_name.lower() + "s", "pie": "labels"}[chart.type]


def _margins(chart: Chart) -> list[str]:
    """Return the line that makes room for long labels and legends; tight_layout would double the drawing time."""
    wanted = {
        "left": chart.style == "horizontal",
        "bottom": chart.look.get("rotation"),
        "right": len(chart.series) > 1 or chart.style == "legend",
    }
    room = ", ".join(f"{side}={_ROOM[side]}" for side, there in wanted.items() if there)
    return [f"plt.subplots_adjust({room})"] if room else []


def _axes(chart: Chart) -> list[str]:
    """Return the lines for titles, limits, grid and legend."""
    look, (axis, other) = chart.look, "xy" if chart.style == "horizontal" else "yx"
    lines = [
        f"ax.set_title({chart.title!r})",
        f"ax.set_{other}label({chart.x_name!r})",
        f"ax.set_{axis}label({chart.y_name!r})",
        f"ax.set_{axis}lim(0, {chart.top:g})",
    ]
    if look["grid"]:
        lines += [f"ax.grid(axis={axis!r}, linestyle={look['grid']!r}, alpha=0.6)", "ax.set_axisbelow(True)"]
    if look["rotation"]:
        lines.append(f"plt.xticks(rotation={look['rotation']}, ha='right')")
    return [*lines, "ax.legend(loc='upper left', bbox_to_anchor=(1.01, 1))"] if len(chart.series) > 1 else lines


def _bar(chart: Chart, annotated: bool) -> list[str]:
    look = chart.look
    edge = "" if look["edge"] == "none" else f", edgecolor={look['edge']!r}"
    count = len(chart.series)
    if chart.style == "grouped":
        crowded = count * len(chart.labels) > 11 or any(v % 1 for _, vs in chart.series for v in vs)
        shift = f"(i - {(count - 1) / 2:g}) * width"
        return [
            "x = np.arange(len(categories))",
            f"width = {round(0.8 / count, 2)}",
            "for i, (name, values) in enumerate(data.items()):",
            f"    bars = ax.bar(x + {shift}, values, width, label=name, color=colors[i]{edge})",
            *when(annotated, f"    ax.bar_label(bars, padding=2, fontsize={7 if crowded else 8})"),
            "ax.set_xticks(x, categories)",
            *_axes(chart),
        ]
    if chart.style == "stacked":
        how = f"{look['width']}, bottom=bottom, label=name, color=color{edge}"
        return [
            "bottom = np.zeros(len(categories))",
            "for color, (name, values) in zip(colors, data.items()):",
            f"    bars = ax.bar(categories, values, {how})",
            *when(annotated, "    ax.bar_label(bars, label_type='center', fontsize=9)"),
            "    bottom += np.array(values)",
            *_axes(chart),
        ]
    flat = chart.style == "horizontal"
    if chart.style == "hatched":
        edge = f", hatch={look['hatch']!r}, edgecolor='black'"
    colour = "colors" if chart.by_label else repr(chart.colours[0])
    how = f"{'height' if flat else 'width'}={look['width']}, color={colour}{edge}"
    return [
        f"bars = ax.bar{'h' if flat else ''}(categories, values, {how})",
        *when(annotated, "ax.bar_label(bars, padding=3)"),
        *when(flat, "ax.invert_yaxis()"),
        *_axes(chart),
    ]


def _line(chart: Chart, annotated: bool) -> list[str]:
    look, places, several = chart.look, _names(chart), len(chart.series) > 1
    indent, size = ("    ", ", fontsize=8") if several else ("", "")
    how = f"linestyle={look['dash']!r}, linewidth={look['width']:g}"
    if several:
        lines = [
            f"markers = {listed(look['markers'])}",
            "for color, marker, (name, values) in zip(colors, markers, data.items()):",
            f"    ax.plot({places}, values, color=color, marker=marker, {how}, label=name)",
        ]
    else:
        colour = f"color={chart.colours[0]!r}"
        lines = [f"ax.plot({places}, values, {colour}, marker={look['markers'][0]!r}, {how})"]
        if chart.style == "filled":
            lines.append(f"ax.fill_between({places}, values, {colour}, alpha=0.2)")
    if annotated:
        offset = f"textcoords='offset points', xytext=(0, 6), ha='center'{size}"
        lines.append(f"{indent}for x, y in zip({places}, values):")
        lines.append(f"{indent}    ax.annotate(str(y), (x, y), {offset})")
    ticks = [f"ax.set_xticks({places})"] if chart.x_name == "Year" else []
    return [*lines, *ticks, *_axes(chart)]


def _pie(chart: Chart, annotated: bool) -> list[str]:
    parts = {
        "explode=explode": "explode" in chart.look,
        "shadow=True": chart.style == "shadow",
        "wedgeprops={'width': 0.45, 'edgecolor': 'white'}": chart.style == "ring",
        "labeldistance=None": chart.style == "legend",
        "autopct='%.1f%%'": annotated,
        "pctdistance=0.78": annotated and chart.style == "ring",
    }
    how = ", ".join(part for part, there in parts.items() if there)
    start = f"sizes, labels=labels, colors=colors, startangle={chart.look['start']}"
    legend = ["ax.legend(loc='center left', bbox_to_anchor=(1, 0.5))"] if chart.style == "legend" else []
    return [f"ax.pie({start}{', ' if how else ''}{how})", f"ax.set_title({chart.title!r}, pad=18)", *legend]
