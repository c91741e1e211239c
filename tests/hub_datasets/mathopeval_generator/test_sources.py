"""Figures that a user has: files shaped as Geometry3K's and ChartX's, written here."""

import json

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.mathopeval_generator.__main__ import main
from mmmath_tasks.hub_datasets.mathopeval_generator.sources import take
from mmmath_tasks.hub_datasets.publishing.scratch import alone

FORM = {
    "point_positions": {"A": [10, 200], "B": [90, 20], "C": [260, 200], "D": [130, 200]},
    "line_instances": ["AB", "BC", "AC", "BD"],
    "circle_instances": [],
    "diagram_logic_form": ["PointLiesOnLine(D, Line(A, C))"],
}
BAR = {
    "chart_type": "bar chart",
    "topic": "Energy",
    "title": "Power by source",
    "csv": "Source \t Power (GW) \n Wind \t 42 \n Solar \t 61.5 \n Hydro \t 20 \n Gas \t 83 \n Coal \t 12",
}
LINE = {
    **BAR,
    "chart_type": "line_chart",
    "csv": "Year,North,South\n2019,10,70\n2020,21,55\n2021,33,82\n2022,46,94\n2023,58,63",
}
PIE = {**BAR, "chart_type": "pie_chart", "csv": "Part\tShare\nRent\t40%\nFood\t25%\nFun\t20%\nRest\t15%"}


def folder(path, forms=(), charts=()):
    for i, form in enumerate(forms):
        (path / str(i)).mkdir()
        (path / str(i) / "logic_form.json").write_text(json.dumps(form))
    if charts:
        (path / "ChartX_annotation.json").write_text(json.dumps(list(charts)))
    return path


def test_charts_keep_what_they_say(tmp_path):
    taken = take(folder(tmp_path, charts=[BAR, LINE, PIE]))
    assert taken.left == {}
    bar, line, pie = taken.samples
    assert [s.type for s in taken.samples] == ["bar", "line", "pie"]
    code = bar.states["original"].code
    assert "['Wind', 'Solar', 'Hydro', 'Gas', 'Coal']" in code
    assert "[42, 61.5, 20, 83, 12]" in code
    assert "'Power by source'" in code
    assert bar.topic == "Energy"
    assert "'North': [10, 21, 33, 46, 58]" in line.states["original"].code
    assert "sizes = [40, 25, 20, 15]" in pie.states["original"].code
    assert all(len(s.decks) == 5 for s in taken.samples)


def test_figures_keep_their_points(tmp_path):
    (made,) = take(folder(tmp_path, forms=[FORM])).samples
    code = made.states["original"].code
    assert made.language == "latex"
    assert "\\coordinate (A) at (1.00,1.00);" in code
    assert "\\coordinate (C) at (7.00,1.00);" in code
    for segment in ("(A) -- (B)", "(B) -- (C)", "(A) -- (D)", "(C) -- (D)", "(B) -- (D)"):
        assert segment in code
    assert "(A) -- (C)" not in code
    truth = made.decks[0]
    assert all(line in code for line in truth.options[truth.truth].splitlines())


def test_what_cannot_carry_a_sample_is_counted(tmp_path):
    short = {**BAR, "csv": "Source\tPower\nWind\t42\nSolar\t61"}
    words = {**BAR, "csv": BAR["csv"].replace("42", "many")}
    ragged = {**BAR, "csv": BAR["csv"].replace("42", "42 \t 7")}
    close = {**BAR, "csv": "Source\tPower\nA\t100\nB\t100.5\nC\t101\nD\t100.2"}
    scatter = {**BAR, "chart_type": "radar"}
    taken = take(folder(tmp_path, charts=[BAR, short, words, ragged, close, scatter]))
    assert len(taken.samples) == 1
    assert sum(taken.left.values()) == 4
    assert "a cell that is no number" in taken.left


def test_neither_is_named(tmp_path):
    with pytest.raises(InputError, match="neither Geometry3K's"):
        take(tmp_path)
    with pytest.raises(InputError, match=r"logic_form\.json: expected an object"):
        take(folder(tmp_path, forms=[{"lines": []}]))


def test_two_generators_do_not_share_a_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["mathopeval_generator", str(tmp_path / "out"), "--samples", "1"])
    with alone(tmp_path / "out"):
        assert main() == 2
    assert "/out: another build is at work there" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_sources_of_which_none_can_carry_a_sample_are_named(tmp_path, monkeypatch, capsys):
    place = folder(tmp_path, charts=[{**BAR, "csv": "Source\tPower\nWind\t42"}])
    monkeypatch.setattr("sys.argv", ["mathopeval_generator", str(tmp_path / "out"), "--sources", str(place)])
    assert main() == 2
    assert capsys.readouterr().err == f"mathopeval_generator: {place}: no figure there can carry a sample\n"
