"""Principal branches of all maps with a fold, against an independent continuation: branches, runs and largest steps.

NHVIZ_BODIES is how many seeded bodies of each system are asked about; `tests/disagreements.py` asks.
"""

import os

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from tests import continuation, seeded_bodies, suslov_ends
from tests.disagreements import (
    COMPLAINTS,
    euler_parameters,
    marked_as_expected,
    sleigh_n_complaints,
    sphere_complaints,
    sphere_n_start,
    sphere_start,
    suslov_momentum,
    suslov_n_start,
    suslov_run,
    suslov_tensor,
)

BODIES = {"suslov": 6, "sphere": 12, "sphere_n": 9, "suslov_n": 20, "sleigh_n": 8}
"""How many bodies are asked about in an ordinary run of the tests."""


def seeds(system):
    return range(int(os.environ.get("NHVIZ_BODIES", BODIES[system])))


@pytest.mark.parametrize(("system", "seed"), [(system, seed) for system in COMPLAINTS for seed in seeds(system)])
def test_seeded_bodies(system, seed):
    """Branches, runs and the largest step follow the principal branch of the oracle, and end where it ends."""
    assert COMPLAINTS[system](seed) == []


def suslov(i11, i22, i33, i13, i23):
    return {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}


WANDERING = suslov(0.182, 0.24, 2.0, 0.464, 0.243)
THIN_ROD = suslov(2.27, 2.3, 300.0, -24.0, 4.31)


@pytest.mark.parametrize(
    ("step", "after"), [(0.42, -0.35686104), (0.4275, -0.36230625), (0.43, -0.36404059), (0.44, -0.37059678)]
)
def test_one_step_of_a_top_does_not_jump_to_another_branch(step, after):
    start = {"M1": 0.133076, "M2": -0.465454}
    run = nhviz.simulate("suslov", method="moser_veselov", params=WANDERING, initial=start, step=step, duration=step)
    assert run["M1"][1] == pytest.approx(after, abs=1e-8)
    assert suslov_run("moser_veselov", WANDERING, np.array([0.133076, -0.465454]), step, 5) == []


@pytest.mark.parametrize(
    ("params", "energy", "largest"),
    [
        (suslov(2.14, 0.365, 5.0, 1.59, 1.1), 0.5, 0.6768243988),
        (suslov(0.1916, 0.9997, 0.8205, 0.3782, -0.000951), 0.5, 0.7510659657),
        # A wedge of rays five thousandths wide, with a jump on either side.
        (suslov(3.0, 4.0, 5.0, -2.85, 2.55), 1515.79, 0.0336627441),
        (WANDERING, 0.5 * (0.133076**2 / 0.182 + 0.465454**2 / 0.24), 0.30816748464),
    ],
)
def test_largest_step_of_elongated_tops(params, energy, largest):
    [(step, angle)] = suslov_ends.suslov_largest_steps("moser_veselov", suslov_tensor(params), energy)
    assert step == pytest.approx(largest, rel=1e-9)
    # Its own ray, followed without the formula, next to the jump.
    ends = [
        continuation.suslov_moser_veselov(suslov_tensor(params), suslov_momentum(params, energy, angle + beside)).end
        for beside in (-1e-8, 1e-8)
    ]
    assert min(ends) == pytest.approx(largest, rel=1e-6)
    assert largest_step("suslov", "moser_veselov", params=params, energy=energy) == pytest.approx(largest, rel=1e-6)


def test_neighbouring_energies_have_the_same_largest_step_in_their_own_units():
    """eps^2 E is all that matters: it must not depend on which energy is asked."""
    params = suslov(3.0, 4.0, 5.0, -2.85, 2.55)
    energies = (1515.0, 1515.79, 1516.0, 0.5)
    products = [
        energy * largest_step("suslov", "moser_veselov", params=params, energy=energy) ** 2 for energy in energies
    ]
    assert products == pytest.approx([products[0]] * 4, rel=1e-6)


def test_cayley_of_a_thin_rod_folds_only_in_a_wedge_that_no_start_meets():
    """At 0.28746638663 it has a cusp whose wedge is 3e-14 wide; beside it nothing ends before 3326."""
    tensor = suslov_tensor(THIN_ROD)
    said = largest_step("suslov", "cayley", params=THIN_ROD, energy=0.5)
    assert said == pytest.approx(3326.646, rel=1e-5)
    for beside in (-1e-6, 1e-6):
        angle = 1.394225577993 + beside
        ends = suslov_ends.suslov_ends("cayley", tensor, 0.5, np.array([angle]))
        assert ends[0] > 3000.0
        momentum = suslov_momentum(THIN_ROD, 0.5, angle)
        branch = continuation.suslov_cayley(tensor, momentum, 2.0)
        for step in (0.28, 0.2875, 0.3, 1.0, 2.0):
            expected = euler_parameters("cayley", branch.at(step))
            at = {"M1": float(momentum[0]), "M2": float(momentum[1])}
            assert marked_as_expected("suslov", "cayley", THIN_ROD, step, at, ("q1", "q2", "q0"), expected) == []


def test_top_in_n_dimensions_goes_on_past_a_half_turn():
    mass, products = np.array([3.8687, 0.0104, 0.0244]), np.array([-0.3408, 0.9077])
    assert suslov_n_start(mass, products, np.array([-0.17736, 0.49317])) == []


def test_top_in_three_dimensions_is_the_explicit_one():
    """Two ways to the same end: the conic of `suslov`, and the continuation of `suslov_n`."""
    random = np.random.default_rng(5)
    for _ in range(5):
        mass, products, p = seeded_bodies.suslov_n_case(random, 3, "elongated")
        end = continuation.suslov_n(mass[:-1] + mass[-1], products, p).end
        inertia = np.array([mass[1] + mass[2], mass[0] + mass[2], -products[0], -products[1]])
        explicit = suslov_ends.moser_veselov_ends(inertia, np.array([-0.5 * p[1]]), np.array([0.5 * p[0]]))[0]
        assert end == pytest.approx(explicit, rel=1e-9)


@pytest.mark.parametrize("seed", [15, 43, 47])
def test_sleigh_goes_on_past_a_half_turn(seed):
    """It turns by half a circle where eps p_1 = -2 m a_1: a step, not an end."""
    assert sleigh_n_complaints(seed) == []


def test_sphere_folds_where_its_branch_folds():
    """A heavy rod whose end was a millionth too low."""
    assert sphere_complaints(17) == []


def test_sphere_does_not_step_past_its_fold():
    """A heavy ball that folds at 0.52005 and was followed to 0.545, found among seven thousand."""
    mass, d, gamma, skew = seeded_bodies.sphere_case(np.random.default_rng([3, 707]), 3, "heavy")
    omega = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
    momentum = (mass.sum() - mass) * omega + d * (omega - (omega @ gamma) * gamma)
    shape = np.diag(mass) + d * np.outer(gamma, gamma)
    ends = (
        continuation.sphere(mass, d, gamma, momentum).end,
        continuation.sphere_n(mass, d, gamma, shape @ skew + skew @ shape).end,
    )
    # Euler parameters and orthogonal matrices tell the same.
    assert ends == pytest.approx([0.5200530851736753] * 2, rel=1e-9)
    assert sphere_start(mass, d, gamma, omega) == []
    assert sphere_n_start(mass, d, gamma, skew) == []
