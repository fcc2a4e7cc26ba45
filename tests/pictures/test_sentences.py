"""The sentence of a page: every number in it is measured here in another way, at bodies without symmetry."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.frame import said
from nhviz.views import sentences
from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV, USUAL
from tests.pictures.reading import page, told
from tests.pictures.test_readouts import cusp_time, lead_of, turned

LONG = "I11=2&I22=3.7&I33=6&I13=0.9&I23=0.4&M1=3.1&M2=4.3&step=0.4&duration=6"
"""Long steps of a top with both products: Moser-Veselov leads, Cayley lags."""


def largest(here, method):
    return largest_step(here.panel.system.id, method, here.panel.params, here.panel.initial)


def drift(here, method, quantity="energy"):
    values = here.alone(method).quantity(quantity)
    return float(np.abs(values - values[0]).max() / abs(values[0]))


def close(found, wanted, digits=3):
    """Whether numbers are those wanted, to their digits; those of round-off must be round-off too."""
    assert len(found) == len(wanted), (found, wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, rel=0.51 * 10.0 ** (1 - digits), abs=1e-13)


@pytest.mark.parametrize("query", [LONG, LONG.replace("I13=0.9", "I13=-1.4"), SUSLOV])
def test_the_top_tells_who_leads_and_who_lags(query):
    here = page("suslov", query)
    leads = {name: lead_of("suslov", here, here.alone(name), ("M1", "M2")) for name in ("moser_veselov", "cayley")}
    most = {name: lead[np.abs(lead).argmax()] for name, lead in leads.items()}
    share = 100.0 * here.panel.step / largest(here, "moser_veselov")
    first, second, step = told(here.sentence)
    close([first, second], [abs(most["moser_veselov"]), abs(most["cayley"])], 2)
    assert step == pytest.approx(share, abs=0.51)
    sides = ["ahead" if lead > 0.0 else "behind" for lead in most.values()]
    words = here.sentence.split(".")[0] + here.sentence
    assert here.sentence.startswith("Moser–Veselov runs up to ")
    assert f" rad {sides[0]}{' of' if sides[0] == 'ahead' else ''} the flow, Cayley " in words
    assert f" rad {sides[1]}. The step uses " in here.sentence


def test_a_step_past_the_bound_that_goes_on_is_told():
    here = page("suslov", LONG.replace("step=0.4", "step=0.5"))
    assert not any(run.stopped for run in here.panel.runs.values())
    close(told(here.sentence)[-1:], [largest(here, "moser_veselov")])
    assert " s." in here.sentence
    assert "The step is past the largest safe one, " in here.sentence


def test_both_sides_occur():
    assert "rad ahead of the flow, Cayley" in page("suslov", LONG).sentence
    assert "rad behind. The step" in page("suslov", LONG).sentence


def test_the_words_of_a_method_have_its_key():
    parts = sentences.said(page("suslov", LONG).panel)
    assert [(one.text, one.key) for one in parts if one.kind == "method"] == [
        ("Moser–Veselov", "moser_veselov"),
        ("Cayley", "cayley"),
    ]
    assert all(told(one.text) for one in parts if one.kind == "number")
    assert not any(told(one.text) for one in parts if one.kind == "")


def test_the_flow_alone_tells_its_limit_axes():
    here = page("suslov", SUSLOV + "&methods=exact")
    assert told(here.sentence) == told(here.readout["Limit axes"])
    balanced = page("suslov", SUSLOV.replace("I13=0.9&I23=-1.3", "I13=0&I23=0") + "&methods=exact")
    assert balanced.sentence == "This balanced top keeps every rotation."


@pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("a=0.6", "a=0.9")])
def test_the_sleigh_tells_its_cusp_its_turn_and_who_keeps_the_energy(query):
    here = page("sleigh", query)
    when, turn, lost = told(here.sentence)
    close([when], [cusp_time(here)])
    close([turn], [turned(here)], 4)
    close([lost], [100.0 * drift(here, "naive")], 2)
    energy = here.alone("naive").quantity("energy")
    verb = "gains" if energy[-1] > energy[0] else "loses"
    assert f"Fedorov–Zenkov keeps the energy, Naive constraint {verb} " in here.sentence


def test_sleighs_without_a_cusp():
    turned_round = SLEIGH.replace("p_1=-1.1", "p_1=1.1") + "&methods=exact"
    assert page("sleigh", turned_round).sentence.startswith("The sleigh has left its cusp behind and turns by ")
    straight = SLEIGH.replace("p_theta=0.9", "p_theta=0").replace("b=-0.35", "b=0") + "&methods=exact"
    assert page("sleigh", straight).sentence == "The sleigh glides straight on."
    assert page("sleigh", straight.replace("a=0.6", "a=0")).sentence == "The sleigh glides straight on."
    circle = SLEIGH.replace("a=0.6", "a=0") + "&methods=exact"
    assert page("sleigh", circle).sentence == "With a = 0 the sleigh runs round a circle for ever."
    rest = straight.replace("p_1=-1.1", "p_1=0")
    assert page("sleigh", rest).sentence == "The sleigh rests."


@pytest.mark.parametrize(("step", "steps"), [(0.034, 3), (0.04, 0), (0.0333, None)])
def test_past_the_fold_the_page_says_what_breaks_once(step, steps):
    here = page("suslov", f"step={step}")
    made = len(here.alone("moser_veselov")) - 1
    assert steps in (None, made)
    bound = largest(here, "moser_veselov")
    after = f"after {made} steps" if made > 1 else "after 1 step" if made else "from the start"
    assert here.sentence == (
        f"Moser–Veselov finds no next position {after}: the step is past its fold at {bound:.4f} s. "
        "Cayley has no fold and goes on."
    )


def test_a_lost_feedback_names_the_gain_that_is_too_large():
    here = page("knife_edge", "k1=1.3&step=0.002&duration=30")
    run = here.panel.runs["feedback"]
    assert run.stopped
    steps, bound = told(here.sentence.replace("k1", ""))
    # From rest at phi = 0 the constraint's gradient has the square 1 + v^2, v up to g sin(alpha)/p_phi = 1.
    assert bound == pytest.approx(1.0, rel=6e-3)
    assert run.problem.step * steps == pytest.approx(run.t[-1], abs=run.problem.every * run.problem.step)
    assert here.sentence.endswith("/step.")


def test_a_run_that_leaves_every_bound_says_so():
    here = page("oscillator", "step=2.5&duration=200&methods=dla")
    assert here.sentence.startswith("Lagrange–d’Alembert runs away after ")
    assert here.sentence.endswith(" steps: its step 2.50 s is too long.")


def test_the_knife_edge_tells_where_it_turns_back():
    query = "m=1.3&J=0.8&g=1.2&alpha=0.4&phi=0.5&p_phi=0.6&v=0.4&step=0.01&duration=14"
    here = page("knife_edge", query)
    run = here.alone("exact")
    x, y = run["x"] - run["x"][0], run["y"] - run["y"][0]
    feedback = here.alone("feedback")
    gap = np.hypot(feedback["x"] - run["x"], feedback["y"] - run["y"]).max()
    down, across, off = told(here.sentence)
    close([down, across], [x.max(), abs(y[-1])])
    close([off], [gap], 2)
    assert here.sentence.startswith("The edge turns back after ")
    assert " down the slope, but wanders " in here.sentence
    falling = page("knife_edge", "p_phi=0&phi=0.3&duration=3&methods=exact")
    # Without spin it slides along its heading by g sin(alpha) cos(phi) t^2/2.
    fall = 0.25 * np.cos(0.3) * 9.0
    close(told(falling.sentence), [fall * np.cos(0.3), fall * np.sin(0.3)])
    assert " m down the slope and " in falling.sentence
    assert " m up the slope" in page("knife_edge", "alpha=-0.5&duration=3&methods=exact").sentence


def test_the_disk_tells_its_circle():
    here = page("rolling_disk", USUAL["rolling_disk"])
    run, feedback = here.alone("exact"), here.alone("feedback")
    speed = np.hypot(np.diff(run["x"]), np.diff(run["y"])).sum() / run.t[-1]
    rate = (run["theta"][-1] - run["theta"][0]) / run.t[-1]
    gap = np.hypot(feedback["x"] - run["x"], feedback["y"] - run["y"]).max()
    radius, once, off = told(here.sentence)
    # A chord is shorter than its arc by a share of (turn)^2/24.
    close([radius, once], [speed / abs(rate), 2.0 * np.pi / abs(rate)])
    close([off], [gap], 2)
    straight = page("rolling_disk", "Pi_theta=0&duration=5&methods=exact")
    close(told(straight.sentence), [np.hypot(*(straight.alone("exact")[name][-1] for name in "xy"))])


def test_the_racer_tells_its_speeds_and_its_turn():
    here = page("roller_racer", USUAL["roller_racer"])
    run, feedback = here.alone("reference"), here.alone("feedback")
    gap = np.hypot(feedback["x"] - run["x"], feedback["y"] - run["y"]).max()
    before, after, turn, off = told(here.sentence)
    close([before, after, turn], [run["u"][0], run["u"][-1], np.degrees(abs(run["theta"][-1] - run["theta"][0]))])
    close([off], [gap], 2)
    assert ("falls" in here.sentence) == (abs(run["u"][-1]) < abs(run["u"][0]))


def test_the_particle_tells_its_way_and_the_tilt_of_its_plane():
    here = page("heisenberg", USUAL["heisenberg"])
    x, y, p_x, p_y = (here.panel.initial[name] for name in ("x", "y", "p_x", "p_y"))
    p_z, t = y * p_x - x * p_y, here.alone("exact").t[-1]
    before, after = np.array([-y, x, 1.0]), np.array([-(y + p_y * t), x + p_x * t, 1.0])
    cosine = before @ after / np.linalg.norm(before) / np.linalg.norm(after)
    length, tilt, share = told(here.sentence)
    close([length, tilt], [t * np.sqrt(p_x**2 + p_y**2 + p_z**2), np.degrees(np.arccos(cosine))])
    assert share == pytest.approx(100.0 * here.alone("feedback").quantity("stability").max() / 2.0, abs=0.51)


def test_the_oscillator_tells_its_swing():
    here = page("oscillator", USUAL["oscillator"])
    swing, lost = told(here.sentence)
    close([swing], [np.hypot(here.panel.initial["y"], here.panel.initial["p_y"])])
    close([lost], [100.0 * drift(here, "dla")], 2)


def test_the_top_in_n_dimensions_tells_how_near_its_sink_it_is():
    here = page("suslov_n", USUAL["suslov_n"])
    params, run = here.panel.params, here.alone("reference")
    c = np.array([params[f"J{i}"] + params["Jn"] for i in (1, 2, 3)])
    j = np.array([params[f"J{i}n"] for i in (1, 2, 3)])
    dimension, began, near, share = told(here.sentence)
    angles = []
    for sample in (0, -1):
        p = np.array([run[f"p{i}"][sample] for i in (1, 2, 3)])
        # In the metric of the energy the sink is along -C j.
        cosine = -(p @ j) / np.sqrt((p @ (p / c)) * (j @ (c * j)))
        angles.append(np.degrees(np.arccos(cosine)))
    assert dimension == 4
    close([began, near], angles)
    assert share == pytest.approx(100.0 * here.panel.step / largest(here, "moser_veselov"), rel=0.06)


def test_the_sleigh_in_n_dimensions_tells_its_cusp_and_its_course():
    here = page("sleigh_n", USUAL["sleigh_n"])
    run = here.alone("reference")
    when, angle = told(here.sentence)
    assert np.interp(when, run.t, run["v"]) == pytest.approx(0.0, abs=0.01 * np.abs(run["v"]).max())
    place = np.stack([run[f"x{i}"] for i in (1, 2, 3)], axis=1)
    first, last = place[1] - place[0], place[-1] - place[-2]
    cosine = first @ last / np.linalg.norm(first) / np.linalg.norm(last)
    # Chords of a fiftieth of a second, not tangents.
    assert angle == pytest.approx(np.degrees(np.arccos(cosine)), abs=3.0)


def test_the_sphere_in_n_dimensions_tells_how_far_it_rolls():
    here = page("sphere_n", USUAL["sphere_n"])
    run = here.alone("reference")
    place = np.stack([run[f"x{i}"] for i in (1, 2, 3)])
    dimension, off, rolled, energy = told(here.sentence)
    assert dimension == 4
    assert off < 1e-13
    close([rolled], [np.linalg.norm(np.diff(place, axis=1), axis=0).sum()])
    close([energy], [drift(here, "fedorov") * (100.0 if "%" in here.sentence else 1.0)], 2)


def test_of_any_system_it_is_told_who_keeps_the_energy():
    here = page("suslov", SUSLOV + "&methods=moser_veselov.cayley")
    text = said.spoken(sentences.usual(here.panel))
    energy = nhviz.simulate("suslov", "cayley", here.panel.params, here.panel.initial, 0.12, 6.0).quantity("energy")
    off = np.abs(energy / flows.suslov_energy(here.panel.params, [3.1, 4.3]) - 1.0).max()
    kept, share = told(text)
    close([kept], [100.0 * off], 2)
    assert share == pytest.approx(100.0 * 0.12 / largest(here, "moser_veselov"), rel=0.06)
    assert text.startswith("Moser–Veselov keeps the energy, Cayley ")
