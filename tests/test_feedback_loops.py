"""Compiled loops of feedback integrators: those of one system, the largest stable gains, the greatest eigenvalue."""

import dataclasses

import numpy as np
import pytest

import nhviz
from nhviz import kernels
from nhviz.methods import extensions, feedback
from nhviz.methods.reference import compiled_field
from nhviz.system import Task
from tests.extensions import EXTENSIONS, PARAMS, RUNS, STARTS, complex_gradient, run_of, values_of, within

OWN_LOOPS = [name for name, (extension, _) in EXTENSIONS.items() if extension.orbit is not None]
BASES = ["euler", "rk4"]
SIZES = {"suslov": 12, "sleigh matrix": 10, "rolling_disk": 8, "roller_racer": 8}
"""How many variables a state has; six in the other systems."""
LEVEL = 700.0


def generic(name, samples):
    """States near each other that satisfy nothing, and gains without any symmetry, one for each name."""
    extension, params = EXTENSIONS[name]
    hand = np.random.default_rng(3)
    middle = hand.uniform(0.3, 1.2, SIZES.get(name, 6))
    wave = np.sin(np.linspace(0.0, 2.9, samples))[:, None] * hand.uniform(-0.3, 0.5, middle.size)
    names = list(dict.fromkeys(extension.gains))
    gains = dict(zip(names, hand.uniform(11.0, 47.0, len(names)), strict=True))
    return extension, extension.parameters(params), middle + wave, gains


# --- Loops of a system's own ------------------------------------------------------------------------------------------


def by_both(name, base, pull, steps, every, slack, limit, off):
    """Samples of a system's own loop and of the general one, and how many steps each has taken.

    The start is not where the feedback pulls to, and no two gains are equal: each gradient has its part in the motion.
    """
    extension, p, (start,), _ = generic(name, 1)
    gains = pull * np.random.default_rng(5).uniform(11.0, 47.0, len(extension.gains))
    targets = values_of(extension, p, start) + off * np.arange(1.0, gains.size + 1.0)
    ours, general = np.zeros((2, steps // every + 1, start.size))
    stages = feedback.STAGES[base]
    taken = extension.orbit()(start, p, gains, targets, 1e-3, steps, every, stages, limit, slack, ours)
    columns = extensions.columns(extension, p, start.size)
    functions = compiled_field(extension.field), extensions.compiled_conserved(extension.conserved)
    expected = kernels.feedback.orbit(
        *functions, start, p, gains if pull else gains[:0], targets, columns, 1e-3, steps, every, stages, limit, slack,
        general,
    )  # fmt: skip
    return (ours, taken), (general, expected)


def test_every_system_has_a_loop_of_its_own():
    assert set(EXTENSIONS) - set(OWN_LOOPS) == {"sleigh matrix"}


@pytest.mark.parametrize("pull", [0.0, 1.0])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", OWN_LOOPS)
def test_a_loop_of_its_own_is_the_general_one_off_the_integrals(name, base, pull):
    (ours, taken), (general, expected) = by_both(name, base, pull, 600, 7, np.inf, 1e6, 0.01)
    assert taken == expected == 600
    # Round-off of each step, which the motion does not magnify in so short a time.
    within(ours, general, 600 * 1e-15)
    moving = np.abs(np.diff(ours, axis=0)).max(axis=0) > 0.0
    assert moving.all() or not pull


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", OWN_LOOPS)
def test_a_loop_of_its_own_ends_where_the_general_one_does(name, base):
    for slack, limit, off in ((0.004, 1e6, 0.01), (np.inf, 1.06, 0.01), (0.02, 1e6, 0.0)):
        (ours, taken), (general, expected) = by_both(name, base, 1.0, 3000, 10, slack, limit, off)
        assert taken == expected
        within(ours[: taken // 10 + 1], general[: taken // 10 + 1], 3000 * 1e-15)
    assert by_both(name, base, 1.0, 3000, 10, 0.004, 1e6, 0.01)[0][1] == 0
    assert 0 < by_both(name, base, 1.0, 3000, 10, np.inf, 1.06, 0.01)[0][1] < 3000


@pytest.mark.parametrize("every", [1, 7])
@pytest.mark.parametrize("gain", [20.0, 150.0, 1300.0])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("system", ["knife_edge", "roller_racer", "suslov"])
def test_a_run_by_a_loop_of_its_own_is_that_of_the_general_one(system, base, gain, every):
    """Kept, or lost after the same step and for the same reason; a run that is being lost magnifies round-off."""
    fast = EXTENSIONS[system][0]
    starts = {name: np.array([value]) for name, value in STARTS[system].items()}
    options = {"base": base, "k0": 2.0 * gain, "k1": gain, "k2": 0.6 * gain, "k3": 0.7 * gain}
    task = Task(PARAMS[system], starts, 1e-3, 4000, every, options)
    ours, general = feedback.run(fast, task), feedback.run(dataclasses.replace(fast, orbit=None), task)
    assert (ours.reasons[0] is None) == (gain < 500.0)
    assert ours.reasons == general.reasons
    assert ours.lengths == general.lengths
    for name, part in general.components.items():
        within(ours.components[name], part, 1e-11 if ours.reasons[0] is None else feedback.SLACK)


def test_a_run_that_is_no_number_is_never_kept():
    """A gain so large that the first step overflows: what is kept is the start."""
    # The plain scheme keeps the momenta of the disk to the last digit: nothing pulls.
    for name in set(OWN_LOOPS) - {"rolling_disk"}:
        run = run_of(name, {}, 1e12, 50.0, 5000.0)
        assert all(np.isfinite(part).all() for part in run.components.values())
        assert run.stopped is not None


# --- How large gains can be -------------------------------------------------------------------------------------------


def gradients_at(extension, p, y):
    """Gradients of the conserved functions by the complex step."""
    return complex_gradient(lambda z: values_of(extension, p, z), y)


def largest_by_definition(extension, p, states, gains, name, level):
    """The least k over all states at which the largest eigenvalue of N + k X^T X reaches the level; as large as it is.

    It is 1/the largest eigenvalue of X (L - N)^-1 X^T with all matrices written down.
    """
    found = []
    for y in states:
        rows = gradients_at(extension, p, y)
        own = np.array([one == name for one in extension.gains])
        strengths = np.array([gains[one] for one in extension.gains])
        others = level * np.eye(y.size) - rows[~own].T @ (strengths[~own, None] * rows[~own])
        if np.linalg.eigvalsh(others)[0] <= 0.0:
            return 0.0
        found.append(np.linalg.eigvalsh(rows[own] @ np.linalg.solve(others, rows[own].T))[-1])
    return 1.0 / max(found)


def inverse_gains(extension, p, states, gains, level):
    """1/k of each name by the compiled loop."""
    names = list(gains)
    found, owners = np.empty(len(names)), np.array([names.index(name) for name in extension.gains])
    strengths = np.array([gains[name] for name in extension.gains])
    conserved = extensions.compiled_conserved(extension.conserved)
    kernels.feedback.inverse_gains(conserved, states, p, strengths, owners, level, found)
    return dict(zip(names, found.tolist(), strict=True))


@pytest.mark.parametrize("name", EXTENSIONS)
def test_the_largest_gain_is_where_the_eigenvalue_reaches_the_level(name):
    extension, p, states, gains = generic(name, 29)
    found = inverse_gains(extension, p, states, gains, LEVEL)
    for one in gains:
        most = largest_by_definition(extension, p, states, gains, one, LEVEL)
        assert most > 0.0
        assert 1.0 / found[one] == pytest.approx(most, rel=1e-11)
        roots = np.sqrt([most if other == one else gains[other] for other in extension.gains])[:, None]
        scaled = [roots * gradients_at(extension, p, y) for y in states]
        assert max(np.linalg.eigvalsh(each @ each.T)[-1] for each in scaled) == pytest.approx(LEVEL, rel=1e-10)


def test_the_worst_state_of_a_long_run_is_found_between_the_ones_looked_at_first():
    extension, p, states, gains = generic("roller_racer", 2900)
    found = inverse_gains(extension, p, states, gains, LEVEL)
    each = [inverse_gains(extension, p, state[None], gains, LEVEL) for state in states]
    worst = {one: int(np.argmax([single[one] for single in each])) for one in gains}
    assert found == {one: each[index][one] for one, index in worst.items()}
    assert any(index % -(-2900 // kernels.feedback.COARSE) for index in worst.values())


def test_gains_without_a_bound_and_without_room():
    extension, p, states, gains = generic("knife_edge", 5)
    assert inverse_gains(extension, p, states, gains | {"k1": 1e9}, LEVEL)["k2"] == np.inf
    # Straight along the slope without weight and at rest the energy does not change: nothing bounds its gain.
    resting = np.zeros((3, 6))
    assert inverse_gains(extension, np.array([1.3, 0.8, 0.0]), resting, gains, LEVEL)["k3"] == 0.0


# --- The greatest eigenvalue ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXTENSIONS)
def test_the_greatest_eigenvalue_is_that_of_the_gradients(name):
    extension, p, states, gains = generic(name, 83)
    strengths = np.array([gains[one] for one in extension.gains])
    scaled = [np.sqrt(strengths)[:, None] * gradients_at(extension, p, y) for y in states]
    expected = [np.linalg.eigvalsh(each @ each.T)[-1] for each in scaled]
    conserved = extensions.compiled_conserved(extension.conserved)
    for part, values in ((slice(None), expected), (slice(None, None, -1), expected), (slice(1), expected[:1])):
        rows = np.ascontiguousarray(states[part])
        found = kernels.feedback.greatest_eigenvalue(conserved, rows, p, strengths)
        assert found == pytest.approx(max(values), rel=1e-12)
    assert kernels.feedback.greatest_eigenvalue(conserved, states, p, 0.0 * strengths) == 0.0


@pytest.mark.parametrize(("system", "options"), RUNS)
def test_the_greatest_stability_number_of_a_run_is_the_greatest_of_all(system, options):
    alone, asked = (run_of(system, options, 40.0, 1e-3, 0.8) for _ in range(2))
    greatest = alone.greatest("stability")
    assert "stability" not in alone.known
    assert greatest == pytest.approx(asked.quantity("stability").max(), rel=1e-13)
    assert asked.greatest("stability") == asked.quantity("stability").max()
    assert alone.greatest("energy") == alone.quantity("energy").max()


def test_a_quantity_that_is_none_has_no_greatest_value():
    with pytest.raises(nhviz.ParameterError, match="nonsense"):
        run_of("knife_edge", {}, 40.0, 1e-3, 0.1).greatest("nonsense")
