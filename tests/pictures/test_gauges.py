"""How far a number can go: bounds, scales and what mends a run that ended early, each found here in another way."""

from dataclasses import replace

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.frame.records import Lab, Panel, Scene, Variant, View
from nhviz.frame.shown import panels
from nhviz.frame.state import opening
from nhviz.methods.stability import largest_eigenvalues
from nhviz.systems import heisenberg, knife_edge, oscillator, roller_racer, rolling_disk, sleigh, suslov
from nhviz.views import numbers, pictures, sentences
from tests.pictures import flows
from tests.pictures.bodies import BALL, SLEIGH, SUSLOV, TWO, USUAL
from tests.pictures.reading import page

LIMITS = {"euler": 2.0, "rk4": 2.785293563405282}
EXTENSIONS = {
    "knife_edge": knife_edge.EXTENSION,
    "rolling_disk": rolling_disk.EXTENSION,
    "roller_racer": roller_racer.EXTENSION,
    "heisenberg": heisenberg.EXTENSION,
    "oscillator": oscillator.EXTENSION,
    "suslov": suslov.EXTENSION,
    "sleigh": sleigh.EXTENSIONS["angle"],
}
FOLDS = {
    "suslov": SUSLOV,
    "sleigh": SLEIGH,
    "sphere": BALL + TWO,
    **{lab: USUAL[lab] for lab in ("suslov_n", "sleigh_n", "sphere_n")},
}


def steps_on(lab, here, method, step):
    """Whether a map that keeps the energy can step once from every phase of the start's energy."""
    params, names = here.panel.params, ("M1", "M2") if lab == "suslov" else ("p_theta", "p_1")
    start = np.array([here.panel.initial[name] for name in names])
    angles = np.linspace(0.0, 2.0 * np.pi, 721)
    if lab == "suslov":
        size = np.sqrt(2.0 * flows.suslov_energy(params, start))
        momenta = size * np.stack([np.sqrt(params["I11"]) * np.cos(angles), np.sqrt(params["I22"]) * np.sin(angles)])
    else:
        size, total = np.sqrt(2.0 * flows.sleigh_energy(params, start)), params["J"] + params["m"] * params["a"] ** 2
        p_1 = size * np.sqrt(params["m"]) * np.sin(angles)
        momenta = np.stack([size * np.sqrt(total) * np.cos(angles) - params["b"] * p_1, p_1])
    starts = dict(zip(names, momenta, strict=True))
    runs = nhviz.ensemble(lab, method, params, starts, step, step)
    return all(length == 2 for length in runs.lengths)


@pytest.mark.parametrize(
    ("lab", "query", "method"),
    [
        ("suslov", SUSLOV, "moser_veselov"),
        ("sleigh", SLEIGH, "fedorov_zenkov"),
        ("sleigh", SLEIGH.replace("a=0.6", "a=-0.9"), "fedorov_zenkov"),
    ],
)
def test_up_to_the_largest_step_every_phase_of_the_energy_can_step(lab, query, method):
    here = page(lab, query)
    bounds = here.panel.largest_steps
    assert list(bounds) == [name for name in here.panel.runs if here.panel.system.method(name).discrete]
    assert steps_on(lab, here, method, 0.995 * bounds[method])
    # The grid of phases comes within a quarter of a degree of the worst one.
    assert not steps_on(lab, here, method, 1.02 * bounds[method])


def test_the_largest_step_of_a_start_lets_it_step():
    here = page("suslov_n", USUAL["suslov_n"] + "&p1=1.4&p2=0.7&p3=-0.6")
    (bound,) = here.panel.largest_steps.values()
    start = {name: here.panel.initial[name] for name in ("p1", "p2", "p3")}
    for share, samples in ((0.99, 2), (1.01, 1)):
        run = nhviz.simulate("suslov_n", "moser_veselov", None, start, share * bound, share * bound)
        assert len(run) == samples


@pytest.mark.parametrize("lab", FOLDS)
def test_the_lanes_of_the_step_end_at_the_largest_one(lab):
    here = page(lab, FOLDS[lab])
    (gauge,) = numbers.gauges(here.panel)
    assert gauge.word == "step"
    assert [lane.key for lane in gauge.lanes] == list(here.panel.maps)
    for lane in gauge.lanes:
        assert lane.bound == largest_step(lab, lane.key, here.panel.params, here.panel.initial)
        assert lane.label == here.panel.system.method(lane.key).title
        assert (lane.what, lane.note) == ("fold", "no fold" if lane.bound is None else "")
    most = max(lane.bound for lane in gauge.lanes if lane.bound is not None)
    assert 1.25 * most <= gauge.end * (1.0 + 1e-12)
    assert gauge.end <= 1.4 * most * (1.0 + 1e-12)


def test_the_scale_holds_the_step_itself_and_without_maps_the_slider():
    (gauge,) = numbers.gauges(page("suslov", "step=0.2").panel)
    assert 0.2 < gauge.end <= 0.25
    (gauge,) = numbers.gauges(page("suslov", "methods=exact").panel)
    assert gauge.lanes == ()
    assert gauge.end == page("suslov").panel.system.step.slider[1]


def stability(lab, here, base, gains):
    """step * Lambda along the motion itself with these gains."""
    extension, step = EXTENSIONS[lab], here.panel.step
    truth = next(m.id for m in here.panel.system.methods if m.truth)
    run = here.panel.runs.get(truth)
    parameters, states = extension.parameters(here.panel.params), extension.state(run.components)
    return step * largest_eigenvalues(extension, parameters, np.array(gains) / step, states).max()


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize("lab", EXTENSIONS)
def test_a_gain_goes_as_far_as_the_scheme_is_stable_along_the_motion(lab, base):
    """The eigenvalue reaches its limit at the bound, and only there: it grows with the gain."""
    truth = "reference" if lab in ("oscillator", "roller_racer") else "exact"
    start = {"suslov": SUSLOV, "sleigh": SLEIGH, "sphere": BALL + TWO, **USUAL}[lab]
    here = page(lab, f"{start}&methods={truth}.feedback&base={base}&k1=0.021&k2=0.013")
    gauges = {gauge.word: gauge for gauge in numbers.gauges(here.panel)}
    extension = EXTENSIONS[lab]
    assert list(gauges) == ["step", *dict.fromkeys(extension.gains), "pull"]
    (lane,) = gauges["step"].lanes
    assert (lane.bound, lane.what) == (None, "stable")
    for name in dict.fromkeys(extension.gains):
        (lane,) = gauges[name].lanes
        assert (lane.key, lane.what) == ("feedback", "stable")
        for share, sign in ((0.99, -1.0), (1.0, 0.0), (1.01, 1.0)):
            gains = [share * lane.bound if one == name else here.panel.values[one] for one in extension.gains]
            reached = stability(lab, here, base, gains) / LIMITS[base] - 1.0
            assert reached == pytest.approx(0.0, abs=1e-4) if sign == 0.0 else sign * reached > 0.0
        assert 1.25 * lane.bound <= gauges[name].end <= 1.4 * lane.bound
    (lane,) = gauges["pull"].lanes
    gains = [lane.bound * here.panel.values[one] for one in extension.gains]
    assert stability(lab, here, base, gains) == pytest.approx(LIMITS[base], rel=1e-4)


def test_a_gain_has_no_room_where_the_others_are_too_large():
    here = page("knife_edge", "k1=1.05&duration=5&step=0.005")
    lanes = {gauge.word: gauge.lanes[0] for gauge in numbers.gauges(here.panel)}
    assert lanes["k2"].bound == 0.0
    assert lanes["k2"].note == "the other gains are too large"
    assert lanes["k1"].note == ""


def test_a_lost_run_alone_has_the_bounds_of_the_motion():
    bounds = []
    for methods in ("exact.feedback", "feedback"):
        here = page("knife_edge", f"k1=1.3&step=0.002&duration=30&methods={methods}")
        assert here.panel.runs["feedback"].stopped
        bounds.append([gauge.lanes[0].bound for gauge in numbers.gauges(here.panel)])
    # The reference flow is accurate to 1e-9 here.
    assert bounds[0][1:] == pytest.approx(bounds[1][1:], rel=1e-8)


def test_a_gain_of_its_own_has_no_gauge_and_words_have_the_name_of_their_panel():
    ways = (Variant("fixed", "feedback", options={"k1": 0.2}), Variant("open", "feedback"))
    panel = Panel("knife_edge", "left", variants=ways)
    views = (View("drift", "drift", pictures.drift, panel="left"),)
    lab = Lab("both", (Scene((panel,), views, readout=numbers.usual),))
    (shown,) = panels(opening(lab, lab.scenes[0])).values()
    gauges = {gauge.word: gauge for gauge in numbers.gauges(shown)}
    assert list(gauges) == ["left.step", "left.k2", "left.k3", "left.pull", "left.k1"]
    assert [lane.key for lane in gauges["left.k1"].lanes] == ["left.open"]
    assert [lane.key for lane in gauges["left.k2"].lanes] == ["left.fixed", "left.open"]


EARLY = {
    "suslov": ("suslov", "step=0.034", "moser_veselov"),
    "generic": ("suslov", SUSLOV.replace("step=0.12", "step=0.9") + "&methods=exact.moser_veselov", "moser_veselov"),
    "sleigh": ("sleigh", SLEIGH.replace("step=0.2", "step=3") + "&methods=exact.naive", "naive"),
    "sphere": ("sphere", BALL + TWO + "&step=1.5", "fedorov"),
    "suslov_n": ("suslov_n", "step=0.5&p1=9", "moser_veselov"),
    "sphere_n": ("sphere_n", "n=5&omega12=3&omega34=-2&step=0.7", "fedorov"),
    "knife_edge": ("knife_edge", "k1=1.3&step=0.002&duration=30", "feedback"),
}


@pytest.mark.parametrize("case", EARLY)
def test_what_mends_a_run_lets_it_complete(case):
    lab, query, variant = EARLY[case]
    here = page(lab, query)
    (stop,) = numbers.stops(here.panel)
    run = here.panel.runs[variant]
    assert stop.key == variant
    assert run.stopped
    ((word, most_of_it),) = stop.values.items()
    assert word == ("k1" if lab == "knife_edge" else "step")
    assert float(f"{most_of_it:.3g}") == most_of_it
    assert stop.label == (f"Use k1 = {most_of_it:g}/step" if lab == "knife_edge" else f"Use {most_of_it:g} s")
    other = changed(here.state, stop.values)
    (mended,) = panels(other).values()
    assert mended.runs[variant].stopped is None
    assert mended.runs[variant].t[-1] > run.t[-1]
    bound = here.panel.system.method(variant).bound
    if bound is not None and bound.at_energy is not None:
        most = largest_step(lab, variant, here.panel.params, here.panel.initial)
        assert 0.989 * most < most_of_it <= most
    else:
        # Not much more would do.
        more = changed(here.state, {word: 1.1 * most_of_it})
        assert next(iter(panels(more).values())).runs[variant].stopped


def test_a_pull_that_is_too_large_is_lowered():
    here = page("knife_edge", "pull=13&step=0.002&duration=30")
    (stop,) = numbers.stops(here.panel)
    assert list(stop.values) == ["pull"]
    assert stop.label == f"Use pull = {stop.values['pull']:g}"
    (mended,) = panels(changed(here.state, stop.values)).values()
    assert mended.runs["feedback"].stopped is None
    bound = numbers.stable_pull(here.panel, "feedback")
    assert 0.9 * bound < stop.values["pull"] <= 0.95 * bound
    said = "".join(part.text for part in sentences.ended(here.panel, "feedback"))
    assert said.endswith(f": the pull is past its largest stable value {bound:.1f}.")


def changed(state, values):
    """A state with other numbers."""
    return replace(state, numbers=tuple((word, values.get(word, value)) for word, value in state.numbers))


def test_a_stop_says_after_how_many_steps():
    here = page("suslov", "step=0.034")
    made = len(here.alone("moser_veselov")) - 1
    (stop,) = numbers.stops(here.panel)
    assert stop.text == f"Stopped at the fold after step {made}"
    assert stop.label == "Use 0.0327 s"
    assert numbers.stops(page("suslov", "step=0.04").panel)[0].text == "Stopped at the fold before the first step"
    assert numbers.stops(page("suslov").panel) == ()
    lost = numbers.stops(page("knife_edge", "k1=1.3&step=0.002&duration=30").panel)[0]
    assert lost.text.startswith("Lost its integrals after step ")


def test_gains_that_are_too_large_together_are_lowered_together():
    here = page("knife_edge", "k1=1.3&k3=3&k2=2.5&step=0.002&duration=30")
    (stop,) = numbers.stops(here.panel)
    share = stop.values["k3"] / 3.0
    assert stop.values == pytest.approx({"k1": 1.3 * share, "k2": 2.5 * share, "k3": 3.0 * share}, rel=0.02)
    assert stop.label == f"Use {share:.2f} of the gains"
    (mended,) = panels(changed(here.state, stop.values)).values()
    assert mended.runs["feedback"].stopped is None
    (beyond,) = panels(changed(here.state, {word: 1.15 * gain for word, gain in stop.values.items()})).values()
    assert beyond.runs["feedback"].stopped
