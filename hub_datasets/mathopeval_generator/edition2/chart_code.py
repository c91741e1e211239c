"""The scripts of the second edition's charts, in the idioms of pyplot, Axes, pandas and seaborn."""

from __future__ import annotations

from collections.abc import Sequence

from mmmath_tasks.hub_datasets.mathopeval_generator import scripts
from mmmath_tasks.hub_datasets.mathopeval_generator.charts import Chart
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2.plot_area import margins, size_of_numbers, title_size
from mmmath_tasks.hub_datasets.mathopeval_generator.scripts import listed, shown, when, written


def script(chart: Chart, annotated: bool) -> str:
    """Return the script that draws the chart, with the values written into it if `annotated`."""
    look = chart.look
    style = scripts.style(look)
    if look["idiom"] == "seaborn":
        style = [f"sns.set_theme(style={'whitegrid' if look['grid'] else 'ticks'!r}, font={look['font']!r})"]
    notes: list[str] = []
    if chart.type == "bar":
        plot, notes = _bar(chart), _bar_notes(chart) if annotated else []
    elif chart.type == "line":
        plot, notes = _line(chart), _line_notes(chart) if annotated else []
    else:
        plot = _pie(chart, annotated)
    blocks = {"style": style, "data": _data(chart), "plot": plot, "values": notes, "dress": _dress(chart)}
    return scripts.assembled(blocks, look, look["idiom"])


def brief(chart: Chart) -> str:
    """Return a whole script that draws what the chart says and nothing of its look."""
    labels = listed(_labels(chart))
    if len(chart.series) > 1:
        inner = ", ".join(f"{name!r}: {listed(values)}" for name, values in chart.series)
        call = {"stacked": "plot.bar(stacked=True)", "grouped": "plot.bar()"}.get(chart.style, "plot()")
        lines = ["import pandas as pd", f"df = pd.DataFrame({{{inner}}}, {labels})", f"df.{call}"]
    else:
        name = "sizes" if chart.type == "pie" else "values"
        calls = {"bar": "bar(labels, values)", "line": "plot(labels, values, 'o-')", "pie": "pie(sizes, labels=labels)"}
        call = "barh(labels, values)" if chart.style == "horizontal" else calls[chart.type]
        lines = [f"labels = {labels}", f"{name} = {listed(chart.series[0][1])}", f"plt.{call}"]
        lines.append(f"plt.title({chart.title!r})")
    return "\n".join(["import matplotlib.pyplot as plt", *lines, "plt.show()"])


def _labels(chart: Chart) -> list[object]:
    """Return the labels; years on an axis of lines are numbers."""
    return [int(x) for x in chart.labels] if _numeric(chart) else list(chart.labels)


def _numeric(chart: Chart) -> bool:
    return chart.type == "line" and chart.x_name == "Year"


def _data(chart: Chart) -> list[str]:
    """Return the lines that hold the labels, values and lists of looks."""
    look, labels, several = chart.look, list(map(written, _labels(chart))), len(chart.series) > 1
    values, way = "sizes" if chart.type == "pie" else "values", look["data"]
    a_line = 1 if look["layout"] == "tall" else 4
    in_rows = a_line == 1 and not (several and len(labels) > 7)
    names = f"labels = {_block(labels, '[', ']', 1) if in_rows else listed(_labels(chart))}"
    pairs = list(zip(labels, map(shown, chart.series[0][1]), strict=True))
    if several and way == "pairs":
        lines = [names, f"data = {_block([f'({n!r}, {listed(v)})' for n, v in chart.series], 'dict([', '])', 1)}"]
    elif several:
        lines = [names, f"data = {_block([f'{n!r}: {listed(v)}' for n, v in chart.series], '{', '}', 1)}"]
    elif way == "lists":
        lines = [names, f"{values} = {listed(chart.series[0][1])}"]
    elif way == "dict":
        lines = [f"data = {_block([f'{label}: {value}' for label, value in pairs], '{', '}', a_line)}"]
        lines += ["labels = list(data)", f"{values} = list(data.values())"]
    else:
        lines = [f"data = {_block([f'({label}, {value})' for label, value in pairs], '[', ']', a_line)}"]
        lines.append(f"labels, {values} = zip(*data)")
    colours = when(len(chart.colours) > 1, f"colors = {listed(chart.colours)}")
    return [*lines, *colours, *when("explode" in look, f"explode = {listed(look.get('explode', ()))}")]


def _block(parts: Sequence[str], start: str, end: str, a_line: int) -> str:
    """Return parts in brackets, so many a line."""
    rows = [", ".join(parts[i : i + a_line]) for i in range(0, len(parts), a_line)]
    return "\n".join([start, *(f"    {row}," for row in rows), end])


def _figure(chart: Chart, idiom: str) -> list[str]:
    """Return the lines that make figure and axes, or pandas' table, which makes them itself when it is plotted."""
    width, height = chart.look["size"]
    several, values = len(chart.series) > 1, "sizes" if chart.type == "pie" else "values"
    if idiom == "pandas":
        return [f"table = pd.{'DataFrame(data' if several else f'Series({values}'}, index=labels)"]
    if idiom == "seaborn":
        long = [
            f"table = pd.DataFrame(data, index=labels).rename_axis({chart.x_name!r}).reset_index()",
            f"table = table.melt({chart.x_name!r}, var_name='Series', value_name={chart.y_name!r})",
        ]
        return [*when(several, *long), f"fig = plt.figure(figsize=({width:g}, {height:g}))"]
    if chart.look["panel"]:
        return [f"fig, (ax, side) = plt.subplots(1, 2, figsize=({width + 2:g}, {height:g}), width_ratios=[3, 1])"]
    return [f"fig, ax = plt.subplots(figsize=({width:g}, {height:g}))"]


def _bar(chart: Chart) -> list[str]:
    look, idiom, several, flat = chart.look, chart.look["idiom"], len(chart.series) > 1, chart.style == "horizontal"
    edge = f", edgecolor={look['edge']!r}" if look["edge"] else ""
    if chart.style == "hatched":
        edge = f", edgecolor='black', hatch={look['hatches'][0]!r}"
    colour = "colors" if len(chart.colours) > 1 else repr(chart.colours[0])
    width = f"width={look['width']}"
    if idiom == "pandas":
        size = f"figsize=({look['size'][0]:g}, {look['size'][1]:g})"
        stacked = ", stacked=True" if chart.style == "stacked" else ""
        how = f"{size}, color={colour}, {width}{stacked}{edge}, rot={look['rotation']}"
        lines = [f"ax = table.plot(kind={'barh' if flat else 'bar'!r}, {how})"]
    elif idiom == "seaborn" and several:
        ends = f"x={chart.x_name!r}, y={chart.y_name!r}, hue='Series', palette=colors"
        lines = [f"ax = sns.barplot(data=table, {ends}, errorbar=None{edge})"]
    elif idiom == "seaborn":
        ends = "x=values, y=labels" if flat else "x=labels, y=values"
        fill = "hue=labels, palette=colors, legend=False" if colour == "colors" else f"color={colour}"
        lines = [f"ax = sns.barplot({ends}, {fill}, {width}, errorbar=None{edge})"]
    elif chart.style == "grouped":
        lines = [
            "places = np.arange(len(labels))",
            f"width = {round(0.8 / len(chart.series), 2)}",
            "for i, (name, values) in enumerate(data.items()):",
            f"    shift = (i - {(len(chart.series) - 1) / 2:g}) * width",
            f"    ax.bar(places + shift, values, width, label=name, color=colors[i]{edge})",
            "ax.set_xticks(places, labels)",
        ]
    elif chart.style == "stacked":
        lines = [
            "bottom = np.zeros(len(labels))",
            f"hatches = {listed(look['hatches'])}",
            "for color, hatch, (name, values) in zip(colors, hatches, data.items()):",
            f"    ax.bar(labels, values, {look['width']}, bottom=bottom, label=name, color=color, hatch=hatch{edge})",
            "    bottom += np.array(values)",
        ]
    else:
        bar, thick = ("barh", "height") if flat else ("bar", "width")
        lines = [f"bars = ax.{bar}(labels, values, {thick}={look['width']}, color={colour}{edge})"]
    total = ["side.plot(np.cumsum(values), marker='.', color='gray')"]
    if several:
        total = ["for values in data.values():", "    side.plot(np.cumsum(values), marker='.')"]
    return [
        *_figure(chart, idiom),
        *lines,
        *when(flat, "ax.invert_yaxis()" if idiom != "seaborn" else "ax.margins(y=0.02)"),
        *when(look["panel"], *total, "side.set_title('Running total', fontsize=9)"),
    ]


def _bar_notes(chart: Chart) -> list[str]:
    notes, size = chart.look["notes"], f"fontsize={size_of_numbers(chart):g}"
    how = f"padding=2, {size}"
    if chart.style == "stacked":
        how = f"label_type='center', {size}, bbox={{'facecolor': 'white', 'alpha': 0.8, 'pad': 1}}"
    if notes == "loop" and chart.style not in ("horizontal", "stacked") and chart.look["idiom"] != "seaborn":
        return [
            "for patch in ax.patches:",
            "    height = patch.get_height()",
            "    middle = patch.get_x() + patch.get_width() / 2",
            f"    ax.text(middle, height, f'{{height:g}}', ha='center', va='bottom', {size})",
        ]
    if notes == "helper":
        loop = ["    for bars in axes.containers:", f"        axes.bar_label(bars, {how})"]
        return ["def write_values(axes):", *loop, "", "write_values(ax)"]
    return ["for bars in ax.containers:", f"    ax.bar_label(bars, {how})"]


def _line(chart: Chart) -> list[str]:
    look, idiom, count = chart.look, chart.look["idiom"], len(chart.series)
    several, numeric = count > 1, _numeric(chart)
    markers, dashes = look["markers"], (look["dashes"] * 4)[:count]
    width, colour = f"linewidth={look['line_width']:g}", "colors" if several else repr(chart.colours[0])
    if idiom == "pandas":
        size = f"figsize=({look['size'][0]:g}, {look['size'][1]:g})"
        styles = [marker + dash for marker, dash in zip(markers, dashes, strict=False)]
        style = listed(styles) if several else repr(styles[0])
        lines = [f"ax = table.plot({size}, color={colour}, style={style}, {width})"]
        lines += when(not numeric, "ax.set_xticks(range(len(labels)), labels)")
    elif idiom == "seaborn":
        ends = f"x=labels, y=values, color={colour}"
        if several:
            ends = f"data=table, x={chart.x_name!r}, y={chart.y_name!r}, hue='Series', palette=colors"
        lines = [f"ax = sns.lineplot({ends}, marker={markers[0]!r}, {width}, estimator=None, sort=False)"]
    elif several:
        lines = [
            f"markers, dashes = {listed(markers[:count])}, {listed(dashes)}",
            "for color, marker, dash, (name, values) in zip(colors, markers, dashes, data.items()):",
            "    ax.plot(labels, values, color=color, marker=marker, linestyle=dash,",
            f"            {width}, label=name)",
        ]
    else:
        how = f"color={colour}, marker={markers[0]!r}, linestyle={dashes[0]!r}, {width}"
        lines = [f"ax.plot(labels, values, {how})"]
    places = "labels" if numeric or idiom != "pandas" else "range(len(labels))"
    bars = "['Low', 'Mean', 'High'], [min(values), np.mean(values), max(values)]"
    if several:
        bars = "list(data), [np.mean(values) for values in data.values()]"
    beside = [
        f"side.bar({bars}, color='silver')",
        f"side.set_title({'Mean' if several else 'Range'!r}, fontsize=9)",
        "side.tick_params(axis='x', labelrotation=60)",
    ]
    return [
        *_figure(chart, idiom),
        *lines,
        *when(chart.style == "filled", f"ax.fill_between({places}, values, color={colour}, alpha=0.2)"),
        *when(numeric, "ax.set_xticks(labels)"),
        *when(look["panel"], *beside),
    ]


def _line_notes(chart: Chart) -> list[str]:
    """Return the lines that write the values, each at its own distance from its point."""
    notes, numeric = chart.look["notes"], _numeric(chart)
    how = f"textcoords='offset points', ha='center', va='center', fontsize={size_of_numbers(chart):g}"
    at = f"f'{{y:g}}', ({'labels[i]' if numeric else 'i'}, y), xytext=offsets[i]"
    loop = ["for i, y in enumerate(values):", f"    axes.annotate({at}, {how})"]
    if notes == "loop":
        pairs = "zip(labels, values)" if numeric else "enumerate(values)"
        loop = [f"for xy, offset in zip({pairs}, offsets):"]
        loop.append(f"    axes.annotate(f'{{xy[1]:g}}', xy, xytext=offset, {how})")
    head: list[str] = []
    if notes == "helper":
        head = ["def write_values(axes, values, offsets):", *(f"    {line}" for line in loop), ""]
        loop = ["write_values(ax, values, offsets)"]
    loop = [line.replace("axes.", "ax.") for line in loop]
    first, *more = (listed(line) for line in chart.look["offsets"])
    if not more:
        return [*head, f"offsets = {first}", *loop]
    places = ["places = [", *(f"    {line}," for line in (first, *more)), "]"]
    return [*head, *places, "for values, offsets in zip(data.values(), places):", *(f"    {line}" for line in loop)]


def _pie(chart: Chart, annotated: bool) -> list[str]:
    look = chart.look
    idiom = "axes" if chart.style == "legend" else look["idiom"]
    ring = f"'width': {look['hole']}, " if chart.style == "ring" else ""
    percent = {"library": "'%.1f%%'", "loop": "lambda share: f'{share:.1f}%'", "helper": "percent"}[look["notes"]]
    parts = [
        *(["figsize=(6.4, 5)", "ylabel=''"] if idiom == "pandas" else ["sizes", "labels=labels"]),
        "colors=colors",
        f"startangle={look['start']}",
        *when(look["clock"], "counterclock=False"),
        *when("explode" in look, "explode=explode"),
        *when(chart.style == "shadow", "shadow=True"),
        *when(ring or look["edge"], f"wedgeprops={{{ring}'edgecolor': {look['edge'] or 'white'!r}, 'linewidth': 1}}"),
        *when(chart.style == "legend", "labeldistance=None"),
        *when(annotated, f"autopct={percent}", f"pctdistance={1 - look['hole'] / 2 if ring else 0.74:g}"),
        "textprops={'fontsize': 9}",
    ]
    return [
        *when(annotated and percent == "percent", "def percent(share):", "    return f'{share:.1f}%'", ""),
        *_figure(chart, idiom),
        _block(parts, "ax = table.plot.pie(" if idiom == "pandas" else "ax.pie(", ")", 1),
    ]


def _dress(chart: Chart) -> list[str]:
    """Return the lines for titles, limits, grid, legend, and the room that they need."""
    look, idiom = chart.look, chart.look["idiom"]
    weight = f", fontweight={look['title_weight']!r}" if look["title_weight"] else ""
    at = f", loc={look['title_at']!r}" if look["title_at"] != "center" else ""
    figure = "ax.figure" if idiom == "pandas" else "fig"
    source = f"0.98, 0.01, 'Source: {look['source']}', ha='right', fontsize=7, color='gray'"
    room = ", ".join(f"{side}={value}" for side, value in margins(chart).items())
    return [
        f"ax.set_title({chart.title!r}, fontsize={title_size(chart)}{weight}{at})",
        *when(look["source"], f"{figure}.text({source})"),
        *when(chart.style == "legend", "ax.legend(loc='center left', bbox_to_anchor=(1, 0.5), fontsize=8)"),
        *(["ax.set_aspect('equal')"] if chart.type == "pie" else _axes(chart)),
        *(["fig.tight_layout()"] if look["panel"] else when(room, f"plt.subplots_adjust({room})")),
    ]


def _axes(chart: Chart) -> list[str]:
    look, idiom, several, flat = chart.look, chart.look["idiom"], len(chart.series) > 1, chart.style == "horizontal"
    value, other = "xy" if flat else "yx"
    turned = look["rotation"] and not (chart.type == "bar" and idiom == "pandas")
    grid = f"axis={value!r}, linestyle={look['grid']!r}, alpha=0.6" if look["grid"] else "False"
    mean = f"np.mean({'np.concatenate(list(data.values()))' if several else 'values'})"
    legend = f"loc={look['legend']!r}"
    if look["legend"] == "outside":
        legend = "loc='upper left', bbox_to_anchor=(1.01, 1)"
    return [
        f"ax.set_{other}label({chart.x_name!r})",
        f"ax.set_{value}label({chart.y_name!r}, fontsize=10)",
        f"ax.set_{value}lim(0, {shown(chart.top)})",
        *when(idiom != "seaborn", f"ax.grid({grid})", *when(look["grid"], "ax.set_axisbelow(True)")),
        *when(look["face"], f"ax.set_facecolor({look['face']!r})"),
        *when(look["spines"], "ax.spines[['top', 'right']].set_visible(False)"),
        *when(turned, f"ax.tick_params(axis='x', labelrotation={look['rotation']}, labelsize=8)"),
        *when(look["mean"], f"ax.ax{'v' if flat else 'h'}line({mean}, color='dimgray', linestyle='--', linewidth=1)"),
        *when(several, f"ax.legend({legend}, fontsize=8)"),
    ]
