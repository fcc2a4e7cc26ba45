"""Declarations of labs, cards and lessons are read before they are used: what is wrong is said in one sentence."""

from dataclasses import replace

import pytest

from nhviz.frame import checks, find
from nhviz.frame.records import Card, Lab, Lesson, Panel, Place, Scene, Step, Variant, View
from nhviz.parameters import Choice, ParameterError
from nhviz.views import numbers, pictures

PLANE = View("plane", "Momentum plane", pictures.momentum_plane, start=("M1", "M2"))
DRIFT = View("drift", "Drift", pictures.drift)
SCENE = Scene(panels=(Panel("suslov"),), views=(PLANE, DRIFT), readout=numbers.usual)


def lab(**scene):
    return Lab(id="trial", scenes=(replace(SCENE, **scene),))


def panel(**fields):
    return lab(panels=(replace(Panel("suslov"), **fields),))


def two(first="left", second="right"):
    return lab(panels=(Panel("suslov", first), Panel("sleigh", second)))


WRONG = {
    "no scene": (Lab(id="trial", scenes=()), "has no scene"),
    "an id with a blank": (Lab(id="a lab", scenes=(SCENE,)), "called 'a lab'; use letters"),
    "two scenes of one id": (Lab(id="trial", scenes=(SCENE, replace(SCENE))), "two scenes called 'main'"),
    "no panel": (lab(panels=()), "has no panel"),
    "no view": (lab(views=()), "has no view"),
    "panels without names": (two("", "right"), "each needs a name"),
    "panels of one name": (two("left", "left"), "two panels called 'left'"),
    "an unknown system": (lab(panels=(Panel("suslow"),)), "There is no system 'suslow'"),
    "an unknown method": (panel(variants=(Variant("euler"),)), "There is no method of suslov 'euler'"),
    "an unknown option": (
        panel(variants=(Variant("cayley", options={"branch": 1}),)),
        "There is no option of cayley 'branch'",
    ),
    "two variants of one id": (panel(variants=(Variant("exact"), Variant("exact"))), "two variants called 'exact'"),
    "a colour that is not there": (panel(variants=(Variant("exact", slot=14),)), "has colours 0 to 13"),
    "too many variants": (
        panel(variants=tuple(Variant(f"v{i}", "cayley") for i in range(11))),
        "has 11 variants; at most 10 can be told apart",
    ),
    "a start in something else": (panel(start="energy"), 'starts in "momenta", or in what its system is given by'),
    "a start in momenta that there are not": (panel(start="momenta"), "has no momenta to start in"),
    "an unknown choice at first": (panel(chosen=("naive",)), "There is no variant 'naive'"),
    "an unknown value": (panel(values={"J": 1.0}), "There is no value 'J'"),
    "a value out of range": (panel(values={"I11": -1.0}), "cannot open: I11 must be between"),
    "values that do not go together": (panel(values={"I13": 90.0}), "cannot open: The inertia tensor"),
    "a click that sets nothing known": (lab(views=(replace(PLANE, start=("M1", "p_1")),)), "initial value 'p_1'"),
    "a click that sets one value": (lab(views=(replace(PLANE, start=("M1",)),)), "two or three values"),
    "an unknown panel": (lab(views=(replace(PLANE, panel="left"),)), "There is no panel 'left'"),
    "two views of one id": (lab(views=(PLANE, Place("detail", (PLANE, DRIFT)))), "two views called 'plane'"),
    "a place called like a parameter": (
        lab(views=(PLANE, Place("I11", (DRIFT, replace(DRIFT, id="other"))))),
        "two things with the word 'I11'",
    ),
    "an option of a view called like another": (
        lab(views=(replace(PLANE, options=(Choice("a", "x", ("x",), "m"), Choice("a", "x", ("x",), "m"))),)),
        "two options called 'a'",
    ),
    "a grid of ragged rows": (lab(grid=("plane drift", "plane")), "rows of different lengths"),
    "a grid that names nothing": (lab(grid=("plane other",)), "There is no place 'other'"),
    "a grid that leaves a place out": (lab(grid=("plane",)), "leaves the place drift out"),
    "a translation to nowhere": (replace(lab(), former={"old": "new"}), "translates old of old links to new"),
    "a translation of a word that is used": (replace(lab(), former={"I11": "I22"}), "has a meaning of its own"),
    "an experiment that cannot be shown": (
        replace(lab(), experiments=(Step("t", "w", "trial?I11=x"),)),
        "cannot be used. The link says I11",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_with_a_lab_is_said_in_one_sentence(what):
    declared, words = WRONG[what]
    with pytest.raises(ParameterError) as error:
        checks.check_lab(declared)
    sentence = str(error.value)
    assert words in sentence
    assert "\n" not in sentence
    assert declared.id in sentence


def test_all_labs_pass():
    for declared in find.labs().values():
        checks.check_lab(declared)
    checks.check_lab(lab())


def card(**fields):
    return replace(Card("c", "GJ", "figure 1", "it turns", "sleigh?a=0.3", "motion", lambda shown: True), **fields)


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        (card(state="sled?a=0.3"), "There is no lab 'sled'"),
        (card(state="sleigh?a=x"), "which is not a number"),
        (card(state="sleigh?methods=other"), "does not have"),
        (card(view="disk"), "There is no view 'disk'"),
        (card(id="a/b"), "use letters"),
    ],
)
def test_what_is_wrong_with_a_card(declared, words):
    with pytest.raises(ParameterError, match="The card"):
        checks.check_card(declared, find.labs())
    with pytest.raises(ParameterError) as error:
        checks.check_card(declared, find.labs())
    assert words in str(error.value)
    checks.check_card(card(), find.labs())


def test_what_is_wrong_with_a_lesson():
    good = Step("Look", "Words", "sleigh")
    checks.check_lesson(Lesson("l", "t", (good,)), find.labs())
    for steps, words in (
        ((), "has no step"),
        ((replace(good, ask="Why?"),), "both a question and what answers it"),
        ((replace(good, state="nowhere"),), "There is no lab"),
    ):
        with pytest.raises(ParameterError, match=words):
            checks.check_lesson(Lesson("l", "t", steps), find.labs())


def test_two_of_one_id_and_a_file_that_exports_nothing(tmp_path, monkeypatch):
    (tmp_path / "again.py").write_text("from nhviz.labs.suslov import LAB\n")
    monkeypatch.setenv("NHVIZ_LABS", str(tmp_path))
    with pytest.raises(ParameterError, match="Two labs are called 'suslov'"):
        find.labs()
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "empty.py").write_text("")
    monkeypatch.delenv("NHVIZ_LABS")
    monkeypatch.setenv("NHVIZ_CARDS", str(tmp_path / "cards"))
    with pytest.raises(ParameterError, match="must export CARDS"):
        find.cards()
