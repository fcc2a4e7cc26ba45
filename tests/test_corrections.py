"""Every correction: its id, its test, its formulas, what decides, and its pictures."""

import ast
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from nhviz.figures.against import FLOOR, legend
from nhviz.figures.style import THEMES
from nhviz.frame import checks, find
from nhviz.frame.records import IDEAS
from nhviz.frame.said import spoken
from nhviz.registry import systems
from nhviz.views import leftovers
from tests.correction_ids import IDS
from tests.pictures.reading import numbers

ROOT = Path(__file__).parent.parent
CORRECTIONS = find.corrections()
NAMED = ("cp-3-2", "cs-2-5", "cp-58", "cs-5-3", "fz-7-4", "fz-6-saddle")
"""Those that must be seen."""
ROUNDED = 6e-8
"""The browser's numbers have 24 bits."""
every = pytest.mark.parametrize("one", CORRECTIONS.values(), ids=CORRECTIONS)


def test_ids():
    """None is lost, and each says whose it is."""
    assert {name for names in IDS.values() for name in names} == set(CORRECTIONS)
    for paper, names in IDS.items():
        assert all(name.startswith(f"{paper.lower()}-") and CORRECTIONS[name].paper == paper for name in names)


@cache
def functions_of(path):
    """The names of the tests in a file, read without running it."""
    return {node.name for node in ast.parse((ROOT / path).read_text()).body if isinstance(node, ast.FunctionDef)}


@every
def test_the_named_test_exists(one):
    path, _, name = one.test.partition("::")
    assert name.startswith("test_")
    assert name in functions_of(path)


def test_no_two_share_a_title_or_a_test_of_their_own():
    assert len({one.title for one in CORRECTIONS.values()}) >= len(CORRECTIONS) - len(IDS) + 2
    own = [one.test for one in CORRECTIONS.values() if "test_corrections" in one.test]
    assert len(own) == len(set(own))


@every
def test_formulas_are_balanced_and_mark_what_changed(one):
    for text in (one.printed, one.corrected):
        bare = re.sub(r"\\[{}|]", "", text)
        depth = 0
        for letter in bare:
            depth += (letter == "{") - (letter == "}")
            assert depth >= 0
        assert depth == 0
        assert len(re.findall(r"\\left\b", bare)) == len(re.findall(r"\\right\b", bare))
        assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)
        assert text.count(r"\bigl") == text.count(r"\bigr")
        assert text.count(r"\Bigl") == text.count(r"\Bigr")
        assert "$" not in text
    assert one.printed != one.corrected
    assert r"\boxed" in one.printed + one.corrected


@every
def test_words(one):
    """Short, without names of programs, and about something that can be found."""
    assert 3 < len(one.title) < 60
    assert not one.title.endswith(".")
    assert one.words.endswith(".")
    assert "_" not in one.words + one.title + one.place
    assert one.system in systems()
    assert one.ideas
    assert set(one.ideas) <= set(IDEAS)
    if one.state:
        checks.check_state(one.id, one.state, find.labs())


@every
def test_decides_with_finite_numbers(one):
    said = one.decides()
    values = [part.text for part in said if part.kind == "number"]
    assert values
    assert all(re.search(r"\d", text) for text in values)
    text = spoken(said)
    assert text.endswith(".")
    assert not re.search(r"\bnan\b|\binf\b|_", text)
    assert len(text) < 330


def curves(picture, name):
    """The coordinates of the traces of one role."""
    return [
        (numbers(trace["x"]), numbers(trace["y"]))
        for trace in picture.figure["data"]
        if trace["name"] == name and trace["mode"] in ("lines", "markers")
    ]


@every
def test_pictures_have_both_forms(one):
    if one.pictures is None:
        assert one.id not in NAMED
        return
    for theme in (THEMES["light"], THEMES["dark"]):
        for picture in one.pictures(theme):
            for name, colour in (("printed", theme.alarm), ("corrected", theme.methods[0])):
                found = [trace for trace in picture.figure["data"] if trace["name"] == name]
                assert len(found) == 1
                look = found[0]["line"] if found[0]["mode"] == "lines" else found[0]["marker"]
                assert look["color"] == colour
                if found[0]["mode"] == "lines":
                    assert look["dash"] == ("dash" if name == "printed" else "solid")
                ((x, y),) = curves(picture, name)
                assert x.size == y.size > 1
                assert np.array_equal(np.isnan(x), np.isnan(y))
            assert legend(theme) in picture.figure["layout"]["annotations"]


def test_a_leftover_is_drawn_and_told_as_it_is():
    """The numbers of the picture and of the sentence are those of the formulas, zero at the floor of the scale."""
    x = np.array([0.0, 0.7, 1.9, 2.3])
    printed, corrected = np.array([0.3, -12.0, 0.0, 1e-3]), np.array([0.0, -2e-16, 1e-16, 0.0])
    found = leftovers.Leftover("The rest", "x", x, printed, corrected)
    (picture,) = leftovers.drawn(lambda: found)(THEMES["light"])
    for name, values in (("printed", found.printed), ("corrected", found.corrected)):
        ((across, upwards),) = curves(picture, name)
        np.testing.assert_allclose(across, x, rtol=ROUNDED)
        np.testing.assert_allclose(upwards, np.maximum(np.abs(values), FLOOR), rtol=ROUNDED)
    low, high = picture.figure["layout"]["yaxis"]["range"]
    assert low < np.log10(FLOOR)
    assert high > np.log10(12.0)
    told = leftovers.decided(lambda: found)()
    assert spoken(told) == "The rest is up to 12.00 for the printed form and 2.0 · 10⁻¹⁶ for the corrected one."
