"""The frame carries what is to come: each of these is one small file in a folder of one's own.

A lab with scenes, panels side by side under one clock, a race of one method with itself, a card, a lesson.
"""

import shutil

import numpy as np
import orjson
import pytest

import nhviz
from callbacks import about, questions, shell
from layouts.shell import layout as header
from nhviz.figures import palette
from nhviz.frame import find
from nhviz.frame.experiments import suggestions
from nhviz.frame.shown import panels
from nhviz.frame.state import State
from tests.conftest import ROOT
from tests.frames import asked, opening, painted, panel, picture
from tests.pictures.reading import numbers as array


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The files of `tests/fitness` in folders of one's own."""
    for kind in ("labs", "cards", "lessons"):
        shutil.copytree(ROOT / "tests" / "fitness" / kind, tmp_path / kind)
        monkeypatch.setenv(f"NHVIZ_{kind.upper()}", str(tmp_path / kind))
    return tmp_path


def test_they_are_found_beside_the_others_and_are_gone_without_their_folder(folders, monkeypatch):
    assert {"bench", "filling", "pair", "race"} < set(find.labs())
    shown = {name for lab in find.labs().values() for name in lab.systems}
    assert set(nhviz.systems()) <= shown
    assert "A bench of two scenes" in str(header())
    monkeypatch.delenv("NHVIZ_LABS")
    assert set(find.labs()) - {"feedback", "convergence"} < set(nhviz.systems())
    # A system that a lab of another one shows has none of its own.
    assert set(nhviz.systems()) - set(find.labs()) == {"sphere_vertical"}


def test_a_lab_of_two_scenes_with_controls_and_a_clock_each(folders):
    top, ice = opening("bench"), opening("bench", "ice")
    assert ("M1" in dict(top.numbers), "M1" in dict(ice.numbers)) == (True, False)
    assert (top.query(), ice.query()) == ("", "scene=ice")
    assert State.from_query(find.lab("bench"), "scene=ice&a=0.3") == (opening("bench", "ice", a=0.3), [])
    first, second = painted(top), painted(ice)
    assert (set(first.figures), set(second.figures)) == ({"plane", "one"}, {"motion", "drift"})
    assert (array(first.tracks["exact"])[-1], set(second.tracks)) == (
        pytest.approx(0.495),
        {"fedorov_zenkov", "naive"},
    )
    assert array(second.tracks["naive"])[-1] == pytest.approx(7.0)
    page = str(shell.page("/bench", "?scene=ice"))
    assert "mass offset" in page.lower() or "'a'" in page
    assert "/bench?scene=top" in page


def test_an_option_belongs_to_its_view(folders):
    for component in ("M1", "M2"):
        state = opening("bench", options={"one.component": component})
        assert state.query() == ("" if component == "M2" else "one.component=M1")
        line = picture(state, "one").figure["data"][0]
        run = nhviz.simulate("suslov", "exact", initial={"M1": 30.0}, duration=0.5)
        assert array(line["y"])[0] == pytest.approx(run[component][0], rel=1e-6)


def test_panels_side_by_side_under_one_clock(folders):
    state = opening("pair", **{"behind.b": 0.2})
    assert state.query() == "behind.b=0.2"
    assert State.from_query(find.lab("pair"), state.query()) == (state, [])
    shown = panels(state)
    assert (shown["front"].params["a"], shown["behind"].params["a"]) == (0.6, -0.6)
    assert (shown["front"].params["b"], shown["behind"].params["b"]) == (0.0, 0.2)
    result = painted(state)
    assert set(result.tracks) == {"front.exact", "behind.exact", "top.exact", "top.cayley"}
    ends = {key: array(track)[-1] for key, track in result.tracks.items()}
    assert ends["front.exact"] == pytest.approx(6.0)
    assert ends["behind.exact"] == pytest.approx(143 * 0.07)
    for place, key in (("left", "front.exact"), ("right", "behind.exact")):
        assert {cursor["track"] for cursor in result.moving[place]} == {key}
    assert {cursor["track"] for cursor in result.moving["plane"]} == {"top.exact", "top.cayley"}
    for name, place in (("front", "left"), ("behind", "right")):
        one = shown[name]
        path = next(trace for trace in result.figures[place]["data"] if trace.get("name") == one.looks["exact"].label)
        run = nhviz.simulate("sleigh", "exact", one.params, one.initial, one.step, one.values["duration"])
        assert array(path["x"])[-1] == pytest.approx(run["x"][-1], abs=1e-5)
        assert array(path["y"])[-1] == pytest.approx(run["y"][-1], abs=1e-5)


def test_experiments_of_several_panels_say_whose_they_are(folders):
    lab = find.lab("pair")
    offered = {one.title: one.state for one in suggestions(lab, lab.scenes[0])}
    assert offered["Mass behind: A long step"].query() == "behind.step=0.5"
    assert "Mass in front: A long step" in offered


def test_a_bad_value_of_a_panel_is_told_beside_it(folders):
    errors = painted(opening("pair", **{"behind.J": -1.0, "top.I11": 1e9})).errors
    assert set(errors) == {"behind.J", "top.I11"}
    assert "behind.J must be between" in errors["behind.J"]


def test_no_two_variants_of_a_page_share_a_colour(folders):
    for lab in find.labs().values():
        for scene in lab.scenes:
            assert len(set(scene.slots.values())) == len(scene.slots) == sum(len(p.ways) for p in scene.panels)


def test_a_race_of_one_method_with_other_options(folders):
    state = opening("race")
    shown = panel(state)
    assert list(shown.runs) == ["truth", "euler", "rk4", "loose"]
    step = 0.02
    for name, base, gain in (("euler", "euler", 0.1), ("rk4", "rk4", 0.1), ("loose", "rk4", 0.0)):
        options = {"base": base} | dict.fromkeys(("k1", "k2", "k3"), gain / step)
        alone = nhviz.simulate("roller_racer", "feedback", step=step, every=shown.problems[name].every, **options)
        assert np.array_equal(shown.runs[name]["x"], alone["x"])
    drifts = {name: found["energy"].max() for name, found in shown.drifts.items()}
    assert drifts["euler"] > 10 * drifts["rk4"]
    looks = [shown.looks[name] for name in shown.runs]
    assert len({look.colour for look in looks}) == 4
    assert [look.label for look in looks] == ["The flow", "Euler with feedback", "RK4 with feedback", "RK4 without"]
    assert "base" not in dict(state.options), "an option that every variant fixes has no control"
    assert "Energy drift, RK4 without" in [one["label"] for one in painted(state).said["statistics"]]


def test_a_gain_turned_on_the_page_leaves_the_variant_that_fixes_it(folders):
    shown = panel(opening("race", k1=0.3, k2=0.0))
    gains = {name: dict(problem.options) for name, problem in shown.problems.items() if name != "truth"}
    assert gains["euler"]["k1"] == gains["rk4"]["k1"] == pytest.approx(15.0)
    assert gains["loose"]["k1"] == 0.0


def test_what_a_sweep_computes_is_told_with_the_answer_and_once(folders):
    state = opening("filling", I33=6.1)
    result = painted(state)
    (angle,), (line,) = result.coming["map"], result.coming["curve"]
    assert (angle["trace"], angle["into"], line["into"]) == (0, "z", "y")
    assert angle["scale"] == pytest.approx(180.0 / np.pi)
    assert (line["scale"], result.coming["detail"]) == (1.0, [])
    for one in (angle, line):
        sweep = nhviz.Sweep.from_dict(one["sweep"])
        assert sweep.to_dict() == one["sweep"]
        assert dict(sweep.params)["I33"] == 6.1
    first = orjson.loads(questions.answered(asked(state), "light", {}))
    assert first["answer"]["coming"] == result.coming
    again = orjson.loads(questions.answered(asked(state), "light", first["sent"]))
    assert again["answer"]["coming"] == {}
    other = orjson.loads(questions.answered(asked(opening("filling", I33=6.2)), "light", first["sent"]))
    assert set(other["answer"]["coming"]) == {"map", "curve"}
    brought, sums, _ = questions.at_first(asked(state), "light")
    assert orjson.loads(orjson.dumps(brought))["coming"] == result.coming
    assert {"coming map", "coming curve", "coming detail"} < set(sums)


def test_a_card_shows_its_state_and_whether_its_claim_holds(folders):
    assert about.state_of("card/turns-once") == "sleigh?a=0.8&duration=12&detail=time&layout=focus.detail"
    page = str(shell.page("/card/turns-once", ""))
    assert "exactly one cusp" in page
    lab, query = shell.target("card/turns-once")
    state, complaints = State.from_query(lab, query)
    assert (complaints, dict(state.tabs)) == ([], {"detail": "time"})
    assert painted(state, about="card/turns-once").said["verdict"] == "It holds."
    still = opening("sleigh", a=0.0, p_1=1.0, duration=2.0)
    assert painted(still, about="card/turns-once").said["verdict"] == "It does not hold."


def test_a_lesson_is_steps_with_words(folders):
    first, second = (str(shell.page(f"/lesson/cusp/{step}", "")) for step in (1, 2))
    assert "The blade **stops**" in first
    assert ("/lesson/cusp/2" in first, "/lesson/cusp/1" in second) == (True, True)
    assert "without a cusp?" in second
    asking = opening("sleigh", a=0.8, duration=12.0)
    assert painted(asking, about="lesson/cusp/1").said["verdict"] == ""
    assert painted(asking, about="lesson/cusp/2").said["verdict"] == "Not yet."
    assert painted(opening("sleigh", a=0.0, p_1=1.0), about="lesson/cusp/2").said["verdict"] == "Yes: that is it."
    for path in ("/lesson/cusp/3", "/lesson/cusp/0", "/lesson/none/1", "/card/none", "/lesson"):
        assert "There is no such lab" in str(shell.page(path, ""))


MANY = """from dataclasses import replace
from nhviz.system import Portrait
from nhviz.systems.sphere import SYSTEM as ball

pairs = "omega1 omega2, omega2 omega3, omega3 omega1, gamma1 gamma2, x y, gamma2 gamma3".split(", ")
portraits = tuple(Portrait(f"p{i}", f"Portrait {i}", tuple(pair.split())) for i, pair in enumerate(pairs))
SYSTEM = replace(ball, id="many", portraits=portraits)
"""


def test_a_system_may_have_as_many_portraits_as_it_likes(tmp_path, monkeypatch):
    (tmp_path / "many.py").write_text(MANY)
    monkeypatch.setenv("NHVIZ_SYSTEMS", str(tmp_path))
    run = nhviz.simulate("many", "fedorov")
    for i, (across, up) in enumerate([("omega1", "omega2"), ("x", "y"), ("gamma2", "gamma3")]):
        view = f"p{(0, 4, 5)[i]}"
        drawn = picture(opening("many"), view).figure["data"]
        dots = next(trace for trace in drawn if trace.get("meta", {}).get("track") == "fedorov")
        assert np.allclose(array(dots["x"]), run[across], rtol=1e-6, atol=1e-6)
        assert np.allclose(array(dots["y"]), run[up], rtol=1e-6, atol=1e-6)


def test_methods_that_nobody_knows_have_colours_of_their_own():
    found = palette.slots([("a", "mine", None), ("b", "yours", None), ("c", "cayley", None), ("d", "theirs", 3)])
    assert len(set(found.values())) == 4
    assert found["d"] == 3
    assert palette.slots([("x", "exact", None), ("y", "exact", None)])["x"] == 0
