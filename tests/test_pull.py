"""The pull of a feedback, a factor on all its gains, and starts that are off the constraint."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import registry
from nhviz.methods import extensions, feedback, stability
from tests.extensions import PARAMS, RUNS, STARTS, all_gains, extension_of, run_of, sane, values_of, within
from tests.strategies import spread

EVERY = [*RUNS, ("heisenberg", {})]
OFF = 0.17
SETTINGS = settings(max_examples=12, deadline=None, derandomize=True, database=None)


def values_along(system, options, run):
    """The controlled functions along a run (samples, functions)."""
    extension = extension_of(system, options)
    return extensions.evaluate(extension, extension.parameters(PARAMS[system]), extension.state(run.components))[0]


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize(("system", "options"), EVERY)
def test_a_pull_is_a_factor_on_all_gains(system, options, base):
    """With a power of two there is no rounding between them. The start is off, so that there is something to pull."""

    def made(gain, **more):
        return run_of(system, options, gain, 1e-3, 0.3, base=base, off=0.1, **more)

    stronger, pulled, weaker = made(44.0), made(11.0, pull=4.0), made(11.0)
    plain, none = made(0.0), made(11.0, pull=0.0)
    for name in stronger.components:
        assert np.array_equal(stronger[name], pulled[name])
        assert np.array_equal(plain[name], none[name])
    assert np.array_equal(stronger.quantity("stability"), pulled.quantity("stability"))
    for other in (weaker, plain):
        assert any(not np.array_equal(other[name], pulled[name]) for name in other.components)


@pytest.mark.parametrize("off", [OFF, -0.4])
@pytest.mark.parametrize(("system", "options"), EVERY)
def test_a_start_is_off_by_exactly_what_is_asked(system, options, off):
    """The constraint's function is, places are not, and energy is added as the square of a normalised function."""
    extension = extension_of(system, options)
    on, away = (run_of(system, options, 11.0, 1e-3, 0.01, off=one) for one in (0.0, off))
    change = (values_along(system, options, away) - values_along(system, options, on))[0]
    own = extension.gains.index(extension.constraint)
    assert change[own] == pytest.approx(off, rel=1e-13)
    for name in STARTS[system]:
        if not name.startswith(("p_", "Pi_", "M", "u", "omega", "v")):
            assert away[name][0] == on[name][0] == STARTS[system][name]
    if system != "heisenberg":
        # Its functions are no normalised ones: the angular momentum is off with the constraint.
        within(np.delete(change, own), 0.0, 1e-14)
    energies = (run.quantity("energy")[0] for run in (away, on))
    x, y = (STARTS["heisenberg"][name] for name in ("x", "y"))
    mass = {"heisenberg": 1.0 + x * x + y * y, "rolling_disk": PARAMS["rolling_disk"]["m"]}.get(system, 1.0)
    if system not in ("suslov", "sleigh"):
        # The energy of these two is that of the allowed velocity.
        assert np.subtract(*energies) == pytest.approx(0.5 * off * off / mass, rel=1e-12)
    else:
        assert np.subtract(*energies) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(("system", "options"), EVERY)
def test_a_blow_does_no_work_on_allowed_motions(system, options):
    """What the field does to places at a displaced start is what it does at the start, by the uncompiled field."""
    extension, params = extension_of(system, options), PARAMS[system]
    start = extension.start(params, {name: np.array([value]) for name, value in STARTS[system].items()})[:, 0]
    p, gradients = extension.parameters(params), np.zeros((len(extension.gains), start.size))
    extension.conserved(start, p, np.zeros(len(extension.gains)), gradients)
    first = feedback.displaced(extension, OFF, p, start, gradients)
    moved = np.flatnonzero(first != start)
    rates = []
    for y in (start, first):
        dy = np.zeros(y.size)
        extension.field(y, p, dy)
        rates.append(dy)
    if system != "heisenberg":
        # The first of the momenta that a blow may change comes after all places.
        places = {"suslov": 9, "sleigh": start.size - 3 - (start.size > 6), "rolling_disk": 4, "roller_racer": 4}.get(
            system, 3
        )
        within(rates[1][:places], rates[0][:places], 1e-13)
        assert moved.min() >= places
    within(values_of(extension, p, first)[extension.gains.index(extension.constraint)], OFF, 1e-13)


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize(("system", "options"), EVERY)
def test_a_run_falls_back_with_the_rate_of_its_gain(system, options, base):
    """From d/dt c = -k |grad c|^2 c at the start, the other functions being where they should."""
    extension, gain, step = extension_of(system, options), 20.0, 1e-5
    own = extension.gains.index(extension.constraint)
    off = 1e-3
    fallen, kept = (
        run_of(system, options, gain, step, 20 * step, base=base, off=off, pull=pull) for pull in (1.5, 0.0)
    )
    values = values_along(system, options, fallen)[:, own]
    states = extension.state(fallen.components)
    gradients = extensions.evaluate(extension, extension.parameters(PARAMS[system]), states)[1][0]
    others = (
        values_along(system, options, fallen)[0]
        - values_along(system, options, run_of(system, options, gain, step, step))[0]
    )
    pull = 1.5 * gain * gradients @ gradients[own] @ others
    rate = (values[0] - values[-1]) / (20 * step)
    assert rate == pytest.approx(pull, rel=0.02)
    within(values_along(system, options, kept)[:, own], off, 2e-6)


@pytest.mark.parametrize(("system", "options"), EVERY)
def test_a_long_run_falls_back_onto_the_constraint(system, options):
    extension = extension_of(system, options)
    own = extension.gains.index(extension.constraint)
    run = run_of(system, options, 20.0, 1e-3, 3.0, base="rk4", off=0.3)
    assert run.stopped is None
    assert abs(values_along(system, options, run)[-1, own]) < 1e-5


@pytest.mark.parametrize("base", ["euler", "rk4"])
@pytest.mark.parametrize(("system", "options"), EVERY)
def test_the_largest_pull_is_where_the_stability_number_meets_its_bound(system, options, base):
    gains = all_gains(system, options, 30.0)
    truth = nhviz.simulate(system, registry.find(system).truth.id, PARAMS[system], STARTS[system], 1e-3, 1.0)
    ask = registry.find(system).method("feedback").stable_pull
    most = ask(truth, {"base": base, **gains, "pull": 0.3})
    extension = extension_of(system, options)
    states, p = extension.state(truth.components), extension.parameters(PARAMS[system])
    strengths = np.full(len(extension.gains), most * 30.0)
    reached = 1e-3 * stability.largest_eigenvalues(extension, p, strengths, states).max()
    assert reached == pytest.approx(stability.BOUNDS[base], rel=1e-10)
    nothing = {**dict.fromkeys(extension.gains, 0.0), **options, "base": base}
    assert ask(truth, nothing) is None


def test_the_largest_gains_of_a_pull_are_those_that_it_leaves():
    run = run_of("knife_edge", {}, 100.0, 1e-3, 1.0)
    ask = registry.find("knife_edge").method("feedback").stable_gains
    gains = {"base": "euler", "k1": 100.0, "k2": 60.0, "k3": 80.0}
    most = ask(run, {**gains, "pull": 2.0})
    doubled = ask(run, {"base": "euler", "k1": 200.0, "k2": 120.0, "k3": 160.0, "pull": 1.0})
    assert {name: 2.0 * gain for name, gain in most.items()} == pytest.approx(doubled, rel=1e-12)
    assert ask(run, {**gains, "pull": 0.0}) == dict.fromkeys(("k1", "k2", "k3"))


def test_a_lost_run_names_the_largest_pull():
    lost = nhviz.simulate("knife_edge", "feedback", duration=40.0, pull=12.0)
    assert lost.stopped is not None
    told = float(lost.stopped.rsplit(" is ", 1)[1].rstrip("."))
    assert "the largest stable pull for this run is" in lost.stopped
    assert nhviz.simulate("knife_edge", "feedback", duration=40.0, pull=0.99 * told).stopped is None
    # C2 of the specification: gains of 1000 at steps of 1/1000 are the border, that is ten times the usual ones.
    assert told == pytest.approx(10.0, rel=0.01)


def test_an_off_start_far_away_is_no_loss():
    """An integral that is off by more than a hundredth is what was asked for, not a sign of an unstable feedback."""
    run = nhviz.simulate("oscillator", "feedback", step=1e-3, duration=5.0, off=0.5)
    assert run.stopped is None
    assert abs(run.quantity("constraint")[0]) > 0.5
    assert abs(run.quantity("constraint")[-1]) < 1e-4


@pytest.mark.parametrize(("system", "options"), EVERY)
@settings(SETTINGS)
@given(st.data())
def test_anywhere_in_the_ranges(system, options, data):
    off, pull = data.draw(spread(-1e3, 1e3)), data.draw(spread(0.0, 1e6))
    step, base = data.draw(spread(1e-9, 100.0)), data.draw(st.sampled_from(["euler", "rk4"]))
    sane(run_of(system, options, data.draw(spread(0.0, 1e3)), step, 30 * step, base=base, off=off, pull=pull))


@pytest.mark.parametrize(("name", "value"), [("pull", -1.0), ("pull", 1e7), ("off", 2e3), ("off", float("nan"))])
def test_bad_values_are_refused(name, value):
    with pytest.raises(nhviz.ParameterError, match=f"{name} must be"):
        nhviz.simulate("knife_edge", "feedback", **{name: value})
