"""How runs fall onto the level set of a feedback, that set itself, and turns of sections, against other derivations."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nhviz
from nhviz import registry
from nhviz.analysis import attraction, ladder, turns
from nhviz.analysis.convergence import convergence
from nhviz.analysis.level_sets import LEVELS
from nhviz.analysis.oscillator_section import return_map
from nhviz.analysis.sections import section
from nhviz.methods.extensions import gains_of
from tests.extensions import PARAMS, RUNS, STARTS, all_gains, extension_of, run_of, values_of, within

EVERY = [*RUNS, ("heisenberg", {})]


def fall_of(run, **more):
    return attraction.fall(run, dict(run.problem.options), dict(run.problem.options), **more)


@pytest.mark.parametrize(("system", "options"), EVERY)
def test_distances_and_v_are_those_of_the_functions(system, options):
    """By the uncompiled functions, at some samples; V with other gains than the run's own."""
    extension, weights = extension_of(system, options), all_gains(system, options, 3.0) | {"pull": 0.7}
    run = run_of(system, options, 5.0, 0.01, 0.6, off=0.2)
    samples = np.array([0, 7, 41, 60])
    found = attraction.fall(run, dict(run.problem.options), weights, samples)
    p = extension.parameters(PARAMS[system])
    start = extension.start(PARAMS[system], {name: np.array([value]) for name, value in STARTS[system].items()})[:, 0]
    targets, states = values_of(extension, p, start), extension.state(run.components)
    for i, sample in enumerate(samples):
        away = values_of(extension, p, states[sample]) - targets
        for name in extension.gains:
            mine = [one for one, gain in zip(away, extension.gains, strict=True) if gain == name]
            assert found.distances[name][i] == pytest.approx(np.linalg.norm(mine), abs=1e-13)
        assert found.potential[i] == pytest.approx(0.5 * 3.0 * 0.7 * (away @ away), abs=1e-13)
    assert found.off[0] == pytest.approx(0.2, rel=1e-12)


@pytest.mark.parametrize(("system", "options"), EVERY)
def test_a_small_fall_follows_its_law(system, options):
    """Of a start that is hardly off; with short steps the scheme adds nothing of its own."""
    run = run_of(system, options, 4.0, 1e-3, 3.0, base="rk4", off=1e-4)
    found = fall_of(run)
    assert len(found.off) == len(found.predicted) == attraction.HEAD
    # The law is linear: what it leaves out is of the second order in the distance, or of the fourth in the step.
    within(found.predicted, found.off, 4e-3 * 1e-4)
    assert found.rate == pytest.approx(found.expected, rel=0.02)


def test_the_law_is_that_of_the_equations_for_distances():
    """d' = -G K d along the run, by an integrator of its own, with a Gram matrix by finite differences."""
    system, options = "sleigh", {"rotation": "angle"}
    run, extension = run_of(system, options, 6.0, 1e-3, 0.5, base="rk4", off=1e-3), extension_of(system, options)
    p, gains = extension.parameters(PARAMS[system]), gains_of(extension, dict(run.problem.options))
    states = extension.state(run.components)

    def gram(y):
        each = 1e-6 * np.eye(y.size)
        slopes = np.array([(values_of(extension, p, y + e) - values_of(extension, p, y - e)) / 2e-6 for e in each])
        return slopes.T @ slopes

    def field(t, d):
        return -gram(np.array([np.interp(t, run.t, row) for row in states.T])) @ (gains * d)

    law = solve_ivp(field, (0.0, 0.5), [1e-3, 0.0], rtol=1e-8, atol=1e-14, t_eval=[0.1, 0.3, 0.5])
    within(fall_of(run).predicted[[100, 300, 500]], np.abs(law.y[0]), 1e-3 * 1e-3)


@pytest.mark.parametrize(("base", "factor"), [("euler", 0.7), ("rk4", 1 - 0.3 + 0.045 - 0.0045 + 0.3**4 / 24.0)])
def test_the_disk_falls_by_the_polynomial_of_its_scheme(base, factor):
    """Its functions are momenta: every step multiplies the distance by R(-step k), in a thinned run too."""
    run = nhviz.simulate("rolling_disk", "feedback", None, None, 0.1, 8.0, 2, base=base, off=0.3, k3=3.0)
    found = fall_of(run)
    within(found.off / (0.3 * factor ** (2.0 * np.arange(len(run)))), 1.0, 1e-10)
    within(found.predicted / found.off, 1.0, 1e-10)
    assert found.rate == pytest.approx(-np.log(factor) / 0.1, rel=1e-10)


def test_without_a_fall_there_is_no_rate():
    for more in ({}, {"off": 0.1, "pull": 0.0}):
        found = fall_of(run_of("roller_racer", {}, 5.0, 0.01, 2.0, **more))
        assert (found.first, found.rate, found.expected) == (0, None, None)


def test_a_law_that_is_unstable_has_finite_numbers():
    found = fall_of(run_of("knife_edge", {}, 1e9, 0.05, 1.0, off=0.1))
    assert np.isfinite(found.predicted).all()


# --- Level sets ------------------------------------------------------------------------------------------------------


def distance(points, places):
    """How far places (3, n) are from a polygon through points (m, 3)."""
    begin, along = points[:-1], np.diff(points, axis=0)
    size = np.maximum(np.sum(along**2, axis=1), 1e-300)
    found = []
    for place in places.T:
        share = np.clip(np.sum((place - begin) * along, axis=1) / size, 0.0, 1.0)
        found.append(np.linalg.norm(begin + share[:, None] * along - place, axis=1).min())
    return np.array(found)


@pytest.mark.parametrize("system", [name for name in LEVELS if LEVELS[name].curve is not None])
def test_the_motion_is_on_the_curve_and_what_is_off_is_above_it(system):
    level, params = LEVELS[system], PARAMS[system]
    truth = nhviz.simulate(system, registry.find(system).truth.id, params, STARTS[system], 0.02, 2.0)
    curve = level.curve(truth.params, truth.components)
    places = level.places(truth.params, truth.components)
    # A polygon of 120 sides is inside its circle by 3e-4 of its radius; that of a parabola differs as much.
    size = np.abs(curve).max()
    assert distance(curve, places).max() < 2e-3 * size
    assert distance(curve, places + 0.1 * size * np.array([[1.0], [-1.0], [0.0]])).max() > 0.02 * size
    options = {"rotation": "angle"} if system == "sleigh" else {}
    away = run_of(system, options, 5.0, 0.01, 0.01, off=0.15)
    first = level.places(away.params, away.components)[:, 0]
    gone = first - places[:, 0]
    if system == "heisenberg":
        # A blow along (-y, x, 1)/(1 + x^2 + y^2) changes J2 and p_z, and the energy by its own.
        x, y = STARTS[system]["x"], STARTS[system]["y"]
        norm = 1.0 + x * x + y * y
        within(gone, [0.15 * (norm - 1.0) / norm, 0.5 * 0.15**2 / norm, 0.15 / norm], 1e-12)
    else:
        within(gone, [0.0, 0.0, 0.15], 1e-12)


@pytest.mark.parametrize("system", ["suslov", "sleigh", "roller_racer"])
def test_the_first_two_coordinates_have_the_allowed_energy(system):
    """E = (a^2 + b^2)/2 at every place: the energy of the motion itself, and of its allowed part off the constraint."""
    options = {"rotation": "angle"} if system == "sleigh" else {}
    for off in (0.0, 0.3):
        run = run_of(system, options, 5.0, 0.01, 0.8, off=off, base="rk4")
        a, b, c = LEVELS[system].places(run.params, run.components)
        whole = run.quantity("energy") - (0.5 * c**2 if system == "roller_racer" else 0.0)
        within(0.5 * (a**2 + b**2), whole, 1e-12 * np.abs(whole).max())
    assert abs(c[0]) == pytest.approx(0.3, rel=1e-12)


def test_the_saddle_of_the_oscillator_is_its_constraint():
    truth = nhviz.simulate("oscillator", "reference", None, STARTS["oscillator"], 0.02, 30.0)
    level = LEVELS["oscillator"]
    surface = level.surface({}, truth.components)
    y, p_z, p_x = np.moveaxis(surface, -1, 0)
    within(p_x + y * p_z, 0.0, 1e-14)
    places = level.places({}, truth.components)
    within(places[2] + places[0] * places[1], 0.0, 1e-9)
    for row in (0, 1):
        assert np.abs(places[row]).max() <= (1.0 + 1e-6) * surface[..., row].max()


# --- Order ------------------------------------------------------------------------------------------------------------


def test_a_ladder_is_bounded_and_holds_the_present_run():
    assert ladder.counts(200) == [50, 100, 200, 400, 800, 1600]
    assert ladder.counts(3) == [4, 6, 12, 24]
    for steps in (1, 17, 3000, 400_000):
        assert max(ladder.counts(steps)) <= ladder.MOST
        assert ladder.lasting(steps, 0.5) == 0.5 * min(steps, 3000)


def test_errors_at_the_end_are_those_of_convergence():
    steps, gains = [0.1, 0.05, 0.025], {"k1": 2.0, "k2": 2.0, "k3": 2.0}
    expected = convergence("roller_racer", "feedback", steps, 4.0, base="rk4", **gains)
    truth = nhviz.simulate("roller_racer", "reference", None, None, 4.0, 4.0)
    runs = [nhviz.simulate("roller_racer", "feedback", None, None, h, 4.0, base="rk4", **gains) for h in steps]
    errors = np.array([ladder.final_error(run, truth) for run in runs])
    assert np.array_equal(errors, expected.errors)
    assert ladder.slope(steps, errors, 1.0) == pytest.approx(expected.order, rel=1e-12)


def test_a_slope_leaves_out_round_off_and_what_is_missing():
    steps = [1.0, 0.5, 0.25, 0.125, 0.0625]
    errors = np.array([np.nan, 1e-5, 1e-5 / 16.0, 1e-5 / 256.0, 1e-13])
    assert ladder.slope(steps, errors, 1.0) == pytest.approx(4.0, rel=1e-12)
    assert ladder.slope(steps, errors, 1e4) is None
    lost = nhviz.simulate("knife_edge", "feedback", duration=40.0, pull=30.0)
    assert np.isnan(ladder.final_error(lost, nhviz.simulate("knife_edge", "exact", step=40.0, duration=40.0)))


# --- Turns of sections ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0.4126094445, 0.07, 0.31, 0.93])
def test_points_that_go_round_have_their_turns(rho):
    angle = 2.0 * np.pi * rho * np.arange(400)
    places = np.stack([3.0 + 2.0 * np.cos(angle), -1.0 + 0.05 * np.sin(angle)], axis=1)
    assert turns.turns_of(places) == pytest.approx(min(rho, 1.0 - rho), abs=2e-4)


def test_points_that_do_not_go_round_have_none():
    line = np.stack([np.linspace(0.0, 5.0, 40), np.linspace(1.0, -2.0, 40)], axis=1)
    chance = np.random.default_rng(3).normal(size=(60, 2))
    for places in (line, chance, line[:5], np.ones((50, 2)), np.stack([line[:, 0], 0.0 * line[:, 0]], axis=1)):
        assert turns.turns_of(places) is None


def test_the_turns_of_the_oscillator():
    """Of the exact crossings the exact number, of those of a run to the order of its step."""
    exact = return_map({"x": 0.3, "y": -0.7, "z": 0.2, "p_y": 0.8, "p_z": 1.1})
    assert turns.turns_about(exact, exact.crossings(40)) == pytest.approx(exact.rotation_number, abs=1e-12)
    paper = return_map()
    run = nhviz.simulate("oscillator", "feedback", step=1e-3, duration=400.0, every=10, k1=500, k2=300, k3=300)
    found = section(run, {"y": 1.0})
    places = np.stack([found["x"], found["z"], found["p_z"]], axis=1)
    assert len(places) == 63
    # Section points are off by 6.3e-2 at most (specification E), on a circle of radius 1.36, after 62 crossings.
    assert turns.turns_about(paper, places) == pytest.approx(0.4126094445, abs=2 * 0.063 / 1.36 / (2.0 * np.pi * 62))
    assert np.max(np.abs(places - paper.crossings(63))) == pytest.approx(6.3e-2, rel=0.06)
