"""The scripts of the second edition's charts, in the idioms of pyplot, Axes, pandas and seaborn."""

from __future__ import annotations

from collections.abc import Sequence

from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart, listed, shown, written
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2 import scripts
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.plot_area import margins, size_of_numbers, title_size

_PLACE = {"outside": "loc='upper left', bbox_to_anchor=(1.01, 1)"}


def script(chart: Chart, annotated: bool = False) -> str:
    """Return the script that draws the chart, with the values written into it if `annotated`."""
    look = chart.look
    plot, notes = {"bar": _bar, "line": _line, "pie": _pie}[chart.type](chart, annotated)
    blocks = {"style": _style(chart), "data": _data(chart), "plot": plot, "values": notes, "dress": _dress(chart)}
    return scripts.assembled(blocks, look, look["idiom"])


def brief(chart: Chart) -> str:
    """Return a whole script that draws what the chart says and nothing of its look."""
    labels = _labels(chart)
    if len(chart.series) > 1:
        inner = ", ".join(f"{name!r}: {listed(values)}" for name, values in chart.series)
        call = {"stacked": "plot.bar(stacked=True)", "grouped": "plot.bar()"}.get(chart.style, "plot()")
        lines = ["import pandas as pd", f"df = pd.DataFrame({{{inner}}}, {listed(labels)})", f"df.{call}"]
    else:
        name = "sizes" if chart.type == "pie" else "values"
        calls = {"bar": "bar(labels, values)", "line": "plot(labels, values, 'o-')", "pie": "pie(sizes, labels=labels)"}
        call = "barh(labels, values)" if chart.style == "horizontal" else calls[chart.type]
        lines = [f"labels = {listed(labels)}", f"{name} = {listed(chart.series[0][1])}", f"plt.{call}"]
        lines.append(f"plt.title({chart.title!r})")
    return "\n".join(["import matplotlib.pyplot as plt", *lines, "plt.show()"])


def _labels(chart: Chart) -> list[object]:
    """Return the labels; years on an axis of lines are numbers."""
    return [int(x) for x in chart.labels] if _numeric(chart) else list(chart.labels)


def _numeric(chart: Chart) -> bool:
    return chart.type == "line" and chart.x_name == "Year"


def _style(chart: Chart) -> list[str]:
    look = chart.look
    if look["idiom"] == "seaborn":
        return [f"sns.set_theme(style={'whitegrid' if look['grid'] else 'ticks'!r}, font={look['font']!r})"]
    return scripts.style(look)


def _data(chart: Chart) -> list[str]:
    """Return the lines that hold the labels, values and lists of looks."""
    look, labels, several = chart.look, _labels(chart), len(chart.series) > 1
    tall = 1 if look["layout"] == "tall" else 4
    names = f"labels = {listed(labels)}"
    if tall == 1 and (several or look["data"] == "lists") and len(labels) < (8 if several else 99):
        names = f"labels = {_block(list(map(written, labels)), '[', ']', 1)}"
    values = "sizes" if chart.type == "pie" else "values"
    pairs = list(zip(map(written, labels), map(shown, chart.series[0][1]), strict=True))
    if several and look["data"] == "pairs":
        lines = [names, f"data = {_block([f'({n!r}, {listed(v)})' for n, v in chart.series], 'dict([', '])', 1)}"]
    elif several:
        lines = [names, f"data = {_block([f'{n!r}: {listed(v)}' for n, v in chart.series], '{', '}', 1)}"]
    elif look["data"] == "lists":
        lines = [names, f"{values} = {listed(chart.series[0][1])}"]
    elif look["data"] == "dict":
        lines = [f"data = {_block([f'{label}: {value}' for label, value in pairs], '{', '}', tall)}"]
        lines += ["labels = list(data)", f"{values} = list(data.values())"]
    else:
        lines = [f"data = {_block([f'({label}, {value})' for label, value in pairs], '[', ']', tall)}"]
        lines.append(f"labels, {values} = zip(*data)")
    if len(chart.colours) > 1:
        lines.append(f"colors = {listed(chart.colours)}")
    return [*lines, f"explode = {listed(look['explode'])}"] if "explode" in look else lines


def _block(parts: Sequence[str], start: str, end: str, a_line: int) -> str:
    """Return parts in brackets, so many a line."""
    rows = [", ".join(parts[i : i + a_line]) for i in range(0, len(parts), a_line)]
    return "\n".join([start, *(f"    {row}," for row in rows), end])


def _open(chart: Chart) -> list[str]:
    """Return the line that makes figure and axes."""
    width, height = chart.look["size"]
    if chart.look["panel"]:
        return [f"fig, (ax, side) = plt.subplots(1, 2, figsize=({width + 2:g}, {height:g}), width_ratios=[3, 1])"]
    if chart.look["idiom"] == "seaborn":
        return [f"fig = plt.figure(figsize=({width:g}, {height:g}))"]
    return [f"fig, ax = plt.subplots(figsize=({width:g}, {height:g}))"]


def _table(chart: Chart) -> list[str]:
    """Return the line that makes pandas' table."""
    if chart.look["idiom"] == "seaborn" and len(chart.series) > 1:
        name = chart.x_name
        return [
            f"table = pd.DataFrame(data, index=labels).rename_axis({name!r}).reset_index()",
            f"table = table.melt({name!r}, var_name='Series', value_name={chart.y_name!r})",
        ]
    if chart.look["idiom"] == "pandas":
        several = len(chart.series) > 1
        values = "sizes" if chart.type == "pie" else "values"
        return [f"table = pd.{'DataFrame(data' if several else f'Series({values}'}, index=labels)"]
    return []


def _bar(chart: Chart, annotated: bool) -> tuple[list[str], list[str]]:
    look, idiom, several, flat = chart.look, chart.look["idiom"], len(chart.series) > 1, chart.style == "horizontal"
    edge = f", edgecolor={look['edge']!r}" if look["edge"] else ""
    if chart.style == "hatched":
        edge = f", edgecolor='black', hatch={look['hatches'][0]!r}"
    colour = "colors" if len(chart.colours) > 1 else repr(chart.colours[0])
    size = f"figsize=({look['size'][0]:g}, {look['size'][1]:g})"
    lines = _table(chart)
    if idiom == "pandas":
        kind = "barh" if flat else "bar"
        stacked = ", stacked=True" if chart.style == "stacked" else ""
        how = f"{size}, color={colour}, width={look['width']}{stacked}{edge}, rot={look['rotation']}"
        lines.append(f"ax = table.plot(kind={kind!r}, {how})")
    elif idiom == "seaborn" and several:
        ends = f"x={chart.x_name!r}, y={chart.y_name!r}, hue='Series', palette=colors"
        lines += [*_open(chart), f"ax = sns.barplot(data=table, {ends}, errorbar=None{edge})"]
    elif idiom == "seaborn":
        x, y = ("values", "labels") if flat else ("labels", "values")
        fill = "hue=labels, palette=colors, legend=False" if colour == "colors" else f"color={colour}"
        lines += [*_open(chart), f"ax = sns.barplot(x={x}, y={y}, {fill}, width={look['width']}, errorbar=None{edge})"]
    elif chart.style == "grouped":
        lines += [
            *_open(chart),
            "places = np.arange(len(labels))",
            f"width = {round(0.8 / len(chart.series), 2)}",
            "for i, (name, values) in enumerate(data.items()):",
            f"    shift = (i - {(len(chart.series) - 1) / 2:g}) * width",
            f"    ax.bar(places + shift, values, width, label=name, color=colors[i]{edge})",
            "ax.set_xticks(places, labels)",
        ]
    elif chart.style == "stacked":
        lines += [
            *_open(chart),
            "bottom = np.zeros(len(labels))",
            f"hatches = {listed(look['hatches'])}",
            "for color, hatch, (name, values) in zip(colors, hatches, data.items()):",
            f"    ax.bar(labels, values, {look['width']}, bottom=bottom, label=name, color=color, hatch=hatch{edge})",
            "    bottom += np.array(values)",
        ]
    else:
        thick = "height" if flat else "width"
        call = f"ax.bar{'h' if flat else ''}(labels, values, {thick}={look['width']}, color={colour}{edge})"
        lines += [*_open(chart), f"bars = {call}"]
    if flat:
        lines.append("ax.invert_yaxis()" if idiom != "seaborn" else "ax.margins(y=0.02)")
    if look["panel"]:
        running = "for values in data.values():\n    side.plot(np.cumsum(values), marker='.')" if several else ""
        lines += [*(running or "side.plot(np.cumsum(values), marker='.', color='gray')").split("\n")]
        lines.append("side.set_title('Running total', fontsize=9)")
    return lines, _bar_notes(chart) if annotated else []


def _bar_notes(chart: Chart) -> list[str]:
    look = chart.look
    size = size_of_numbers(chart)
    how = f"padding=2, fontsize={size:g}"
    if chart.style == "stacked":
        how = f"label_type='center', fontsize={size:g}, bbox={{'facecolor': 'white', 'alpha': 0.8, 'pad': 1}}"
    upright = chart.style not in ("horizontal", "stacked")
    if look["notes"] == "loop" and upright and look["idiom"] != "seaborn":
        return [
            "for patch in ax.patches:",
            "    height = patch.get_height()",
            "    middle = patch.get_x() + patch.get_width() / 2",
            f"    ax.text(middle, height, f'{{height:g}}', ha='center', va='bottom', fontsize={size:g})",
        ]
    if look["notes"] == "helper":
        return [
            "def write_values(axes):",
            "    for bars in axes.containers:",
            f"        axes.bar_label(bars, {how})",
            "",
            "write_values(ax)",
        ]
    return ["for bars in ax.containers:", f"    ax.bar_label(bars, {how})"]


def _line(chart: Chart, annotated: bool) -> tuple[list[str], list[str]]:
    look, idiom, several = chart.look, chart.look["idiom"], len(chart.series) > 1
    marker, dash, width = look["markers"][0], look["dashes"][0], look["line_width"]
    colour = "colors" if several else repr(chart.colours[0])
    lines = _table(chart)
    if idiom == "pandas":
        size = f"figsize=({look['size'][0]:g}, {look['size'][1]:g})"
        if several:
            pairs = zip(look["markers"], look["dashes"] * 4, strict=False)
            style = listed([m + d for m, d in pairs][: len(chart.series)])
        else:
            style = repr(marker + dash)
        lines.append(f"ax = table.plot({size}, color={colour}, style={style}, linewidth={width:g})")
        if not _numeric(chart):
            lines.append("ax.set_xticks(range(len(labels)), labels)")
    elif idiom == "seaborn":
        ends = "x=labels, y=values, color=" + colour
        if several:
            ends = f"data=table, x={chart.x_name!r}, y={chart.y_name!r}, hue='Series', palette=colors"
        more = f"marker={marker!r}, linewidth={width:g}, estimator=None, sort=False"
        lines += [*_open(chart), f"ax = sns.lineplot({ends}, {more})"]
    elif several:
        dashes = listed((look["dashes"] * 4)[: len(chart.series)])
        lines += [
            *_open(chart),
            f"markers, dashes = {listed(look['markers'][: len(chart.series)])}, {dashes}",
            "for color, marker, dash, (name, values) in zip(colors, markers, dashes, data.items()):",
            "    ax.plot(labels, values, color=color, marker=marker, linestyle=dash,",
            f"            linewidth={width:g}, label=name)",
        ]
    else:
        how = f"color={colour}, marker={marker!r}, linestyle={dash!r}, linewidth={width:g}"
        lines += [*_open(chart), f"ax.plot(labels, values, {how})"]
    if chart.style == "filled":
        places = "labels" if _numeric(chart) or idiom != "pandas" else "range(len(labels))"
        lines.append(f"ax.fill_between({places}, values, color={colour}, alpha=0.2)")
    if _numeric(chart):
        lines.append("ax.set_xticks(labels)")
    if look["panel"]:
        bars = (
            "list(data), [np.mean(values) for values in data.values()]"
            if several
            else "['Low', 'Mean', 'High'], [min(values), np.mean(values), max(values)]"
        )
        lines += [
            f"side.bar({bars}, color='silver')",
            f"side.set_title({'Mean' if several else 'Range'!r}, fontsize=9)",
        ]
        lines.append("side.tick_params(axis='x', labelrotation=60)")
    return lines, _line_notes(chart) if annotated else []


def _line_notes(chart: Chart) -> list[str]:
    """Return the lines that write the values, each at its own distance from its point."""
    notes, several = chart.look["notes"], len(chart.series) > 1
    how = f"textcoords='offset points', ha='center', va='center', fontsize={size_of_numbers(chart):g}"
    x = "labels[i]" if _numeric(chart) else "i"
    loop = ["for i, y in enumerate(values):", f"    axes.annotate(f'{{y:g}}', ({x}, y), xytext=offsets[i], {how})"]
    if notes == "loop":
        pairs = "zip(labels, values)" if _numeric(chart) else "enumerate(values)"
        loop = [f"for xy, offset in zip({pairs}, offsets):"]
        loop += [f"    axes.annotate(f'{{xy[1]:g}}', xy, xytext=offset, {how})"]
    names = "values, offsets"
    if notes == "helper":
        head = ["def write_values(axes, values, offsets):", *(f"    {line}" for line in loop), ""]
        loop = [f"write_values(ax, {names})"]
    else:
        head, loop = [], [line.replace("axes.", "ax.") for line in loop]
    offsets = [listed(line) for line in chart.look["offsets"]]
    if not several:
        return [*head, f"offsets = {offsets[0]}", *loop]
    return [
        *head,
        "places = [",
        *(f"    {line}," for line in offsets),
        "]",
        f"for {names} in zip(data.values(), places):",
        *(f"    {line}" for line in loop),
    ]


def _pie(chart: Chart, annotated: bool) -> tuple[list[str], list[str]]:
    look, idiom = chart.look, chart.look["idiom"]
    if chart.style == "legend" and idiom == "pandas":
        idiom = "axes"
    parts = [] if idiom == "pandas" else ["labels=labels"]
    parts += ["colors=colors", f"startangle={look['start']}"]
    if look["clock"]:
        parts.append("counterclock=False")
    if "explode" in look:
        parts.append("explode=explode")
    if chart.style == "shadow":
        parts.append("shadow=True")
    ring = f"'width': {look['hole']}, " if chart.style == "ring" else ""
    if ring or look["edge"]:
        parts.append(f"wedgeprops={{{ring}'edgecolor': {look['edge'] or 'white'!r}, 'linewidth': 1}}")
    if chart.style == "legend":
        parts.append("labeldistance=None")
    head: list[str] = []
    if annotated:
        if look["notes"] == "helper":
            head = ["def percent(share):", "    return f'{share:.1f}%'", ""]
        parts.append(
            {"library": "autopct='%.1f%%'", "loop": "autopct=lambda share: f'{share:.1f}%'"}.get(
                look["notes"], "autopct=percent"
            )
        )
        parts.append(f"pctdistance={1 - look['hole'] / 2 if ring else 0.85:g}")
    parts.append("textprops={'fontsize': 9}")
    rows = "".join(f"    {part},\n" for part in parts)
    if idiom == "pandas":
        lines = [*_table(chart), f"ax = table.plot.pie(\n    figsize=(6.4, 5),\n    ylabel='',\n{rows})"]
    else:
        lines = [*_open(chart), f"ax.pie(\n    sizes,\n{rows})"]
    return [*head, *lines], []


def _dress(chart: Chart) -> list[str]:
    """Return the lines for titles, limits, grid, legend, and the room that they need."""
    look, several, flat = chart.look, len(chart.series) > 1, chart.style == "horizontal"
    weight = f", fontweight={look['title_weight']!r}" if look["title_weight"] else ""
    at = f", loc={look['title_at']!r}" if look["title_at"] != "center" else ""
    lines = [f"ax.set_title({chart.title!r}, fontsize={title_size(chart)}{weight}{at})"]
    if look["source"]:
        lines.append(f"fig.text(0.98, 0.01, 'Source: {look['source']}', ha='right', fontsize=7, color='gray')")
    if look["idiom"] == "pandas":
        lines = [line.replace("fig.", "ax.figure.") for line in lines]
    room = margins(chart)
    if chart.type == "pie":
        if chart.style == "legend":
            lines.append("ax.legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize=8)")
        lines.append("ax.set_aspect('equal')")
    else:
        value, other = ("x", "y") if flat else ("y", "x")
        lines += [
            f"ax.set_{other}label({chart.x_name!r})",
            f"ax.set_{value}label({chart.y_name!r}, fontsize=10)",
            f"ax.set_{value}lim(0, {shown(chart.top)})",
        ]
        if look["idiom"] != "seaborn":
            if look["grid"]:
                lines += [f"ax.grid(axis={value!r}, linestyle={look['grid']!r}, alpha=0.6)", "ax.set_axisbelow(True)"]
            else:
                lines.append("ax.grid(False)")
        if look["face"]:
            lines.append(f"ax.set_facecolor({look['face']!r})")
        if look["spines"]:
            lines.append("ax.spines[['top', 'right']].set_visible(False)")
        if look["rotation"] and not (chart.type == "bar" and look["idiom"] == "pandas"):
            lines.append(f"ax.tick_params(axis='x', labelrotation={look['rotation']}, labelsize=8)")
        if look["mean"]:
            values = "np.concatenate(list(data.values()))" if several else "values"
            mean = f"np.mean({values}), color='dimgray', linestyle='--', linewidth=1"
            lines.append(f"ax.ax{'v' if flat else 'h'}line({mean})")
        if several:
            lines.append(f"ax.legend({_PLACE.get(look['legend'], f'''loc={look['legend']!r}''')}, fontsize=8)")
    if look["panel"]:
        lines.append("fig.tight_layout()")
    elif room:
        lines.append(f"plt.subplots_adjust({', '.join(f'{side}={value}' for side, value in room.items())})")
    return lines
