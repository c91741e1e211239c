"""The power of a comparison: against enumeration, textbook formulas and simulation, and the command's table."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from mmmath_tasks import papers
from mmmath_tasks.cli import main
from mmmath_tasks.metrics.power import discordance, power, problems_for, samples_for, smallest_difference
from mmmath_tasks.scoring import benchmarks


@pytest.mark.parametrize(("difference", "differing"), [(0.0, 0.4), (0.2, 0.5), (-0.3, 0.3), (0.4, 0.6)])
def test_power_by_enumeration(difference, differing):
    """Every way in which 12 problems can come out: gained, lost, the same."""
    gained, lost = (differing + difference) / 2, (differing - difference) / 2
    shown = 0.0
    for g, lo in itertools.product(range(13), repeat=2):
        if g + lo <= 12 and g + lo and binomtest(g, g + lo).pvalue <= 0.05:
            ways = math.comb(12, g) * math.comb(12 - g, lo)
            shown += ways * gained**g * max(0.0, lost) ** lo * (1 - differing) ** (12 - g - lo)
    assert power(12, difference, differing) == pytest.approx(shown, abs=1e-9)


@given(st.floats(0.1, 0.8), st.floats(0.02, 0.1), st.floats(0.3, 1.2))
def test_the_number_of_problems_is_near_the_formula_of_the_textbooks(accuracy, difference, ratio):
    """Miettinen 1968 and Connor 1987 without the exact test's steps, which take up to a twelfth more here."""
    differing = discordance(accuracy, difference, ratio)
    if differing < 3 * difference:
        return
    spread = norm.ppf(0.975) * math.sqrt(differing) + norm.ppf(0.8) * math.sqrt(differing - difference**2)
    expected = spread**2 / difference**2
    assert 0.97 * expected <= problems_for(difference, differing) <= 1.12 * expected + 10


@pytest.mark.parametrize(("accuracy", "difference", "ratio"), [(0.3, 0.05, 0.7), (0.6, 0.03, 0.9)])
def test_the_number_of_problems_by_simulation(accuracy, difference, ratio):
    differing = discordance(accuracy, difference, ratio)
    count = problems_for(difference, differing)
    dice = np.random.default_rng(2)
    parts = [(differing + difference) / 2, (differing - difference) / 2, 1 - differing]
    draws = dice.multinomial(count, parts, size=2000)
    shown = np.mean([binomtest(int(g), int(g + lo)).pvalue <= 0.05 for g, lo, _ in draws])
    assert shown == pytest.approx(0.8, abs=0.03)


def test_the_number_of_responses_by_simulation():
    """Chances to be right that differ by problem; the normal test of the mean differences shows them as promised."""
    dice = np.random.default_rng(4)
    first = dice.beta(0.5, 0.5, 400_000)
    second = np.clip(first + dice.normal(0.04, 0.05, 400_000), 0, 1)
    difference = (second - first).mean()
    differing = (first * (1 - second) + second * (1 - first)).mean()
    noise = 1 - np.var(second - first) / (differing - difference**2)
    each = samples_for(600, difference, differing, noise)
    assert each is not None
    assert each > 1
    shown = 0
    for start in range(0, 400_000 - 600, 600):
        own = slice(start, start + 600)
        gaps = (dice.binomial(each, second[own]) - dice.binomial(each, first[own])) / each
        shown += abs(gaps.mean()) > norm.ppf(0.975) * gaps.std(ddof=1) / math.sqrt(600)
    assert 0.78 <= shown / (400_000 // 600) <= 0.86  # whole responses: a little more than was asked


def test_the_smallest_difference_is_just_shown():
    least = smallest_difference(1000, 0.5, 0.7)
    assert power(1000, least, discordance(0.5, least, 0.7)) >= 0.8
    assert power(1000, least - 0.001, discordance(0.5, least - 0.001, 0.7)) < 0.8
    assert smallest_difference(3, 0.9, 1.0) is None
    assert problems_for(0.0005, 0.5) is None
    assert samples_for(100, 0.01, 0.5, 0.5) is None
    assert samples_for(100_000, 0.05, 0.3, 0.5) == 1


@pytest.mark.parametrize(
    ("accuracy", "difference", "ratio", "share"),
    [(0.5, 0.0, 1.0, 0.5), (0.9, -0.2, 1.0, 0.34), (0.2, 0.1, 0.5, 0.19), (0.2, -0.1, 0.1, 0.1), (0.5, 0.0, 3.0, 1.0)],
)
def test_how_often_one_of_two_is_right(accuracy, difference, ratio, share):
    assert discordance(accuracy, difference, ratio) == pytest.approx(share)


def test_nothing_is_shown_by_nothing():
    assert power(0, 0.2, 0.5) == power(100, 0.0, 0.0) == 0.0
    assert power(1, 1.0, 1.0) == power(5, 1.0, 1.0) == 0.0  # of five problems even five won are none
    assert power(6, 1.0, 1.0) == power(6, -1.0, 1.0) == pytest.approx(1.0)
    assert power(100_000, 0.01, 0.3) > 0.999


@pytest.mark.parametrize(
    ("difference", "differing", "wanted"), [(1.0, 1.0, 0.8), (0.6, 0.7, 0.8), (0.6, 0.7, 0.5), (0.2, 0.3, 0.9)]
)
def test_the_fewest_problems_by_trying_them_all(difference, differing, wanted):
    """Where power is no saw before the first that will do; else a problem or two more (see the docstring)."""
    first = next(n for n in range(1, 500) if power(n, difference, differing) >= wanted)
    found = problems_for(difference, differing, wanted)
    assert power(found, difference, differing) >= wanted
    assert first <= found <= first + 4


@pytest.mark.parametrize("noise", [0.2, 0.5, 1.0])
def test_responses_are_as_many_as_the_normal_test_needs(noise):
    difference, differing, count, wanted = 0.04, 0.3, 700, 0.9
    found = samples_for(count, difference, differing, noise, wanted)

    def shown(n):
        variance = (differing - difference**2) * (1 - noise + noise / n) / count
        return norm.cdf(difference / math.sqrt(variance) - norm.ppf(0.975)) >= wanted

    assert found == next((n for n in range(1, 1000) if shown(n)), None)


def test_published_pairs_and_sizes():
    assert papers.pairs("mathvista").low < papers.pairs("mathvista").middle < papers.pairs("mathvista").high
    assert papers.pairs("wemath") is None
    assert papers.sizes("mathverse")["testmini"] == 788
    assert papers.sizes("mathvista") == papers.counted("mathvista") == {"testmini": 1000, "test": 5141}


def test_the_command_names_every_split_and_what_it_rests_on(capsys):
    assert main(["power"]) == 0
    said = capsys.readouterr().out
    for name in benchmarks():
        for split in papers.counted(name):
            assert f"\n{name} {split} " in said
    assert "55 pairs of 11 published" in said
    assert "wemath: one of two only is right 1.00 times" in said
    assert main(["power", "mathvista", "--ratio", "0.5", "--difference", "0.1"]) == 0
    assert "0.50 times as often as by chance, as asked" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--difference", "0"], "--difference should be between 0 and 1, is 0.0"),
        (["--accuracy", "0.9", "--difference", "0.2"], "should be 1 together at most"),
        (["--ratio", "nan"], "--ratio should be over 0"),
        (["--noise", "2"], "--noise should be from 0 to 1, is 2.0"),
        (["nothing"], "unknown benchmark 'nothing'"),
    ],
)
def test_bad_options(capsys, options, message):
    assert main(["power", *options]) == 2
    assert message in capsys.readouterr().err
