"""Largest steps of the Suslov maps, against brute force, a continuation and the papers' examples."""

import numpy as np
import pytest
from hypothesis import Phase, assume, example, given, settings

from nhviz.maps import cayley_folds, steiner, suslov_branches
from tests import suslov_ends
from tests.strategies import log_uniform
from tests.tops import (
    FOLDING,
    LONG,
    LONGER,
    ROD,
    SKEW,
    branches,
    follow,
    jacobian,
    momentum,
    tensors,
    values,
)

SETTINGS = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
)
FEW = settings(SETTINGS, max_examples=12)
GENERIC = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}


def test_largest_steps_of_the_papers_examples():
    energy = 41.07400078**2 / 6 + 99.38251558**2 / 8
    assert steiner.largest_step(GENERIC, energy) == pytest.approx(0.03273, abs=5e-6)
    special = {"I11": 3.0, "I22": 3.0, "I33": 5.0, "I13": 0.0, "I23": 0.5}
    energy = (179.9836568**2 + 2.4255507998**2) / 6
    assert steiner.largest_step(special, energy) == pytest.approx(0.016667, abs=5e-7)


def ellipse_momenta(tensor, energy, eps, count=360):
    """Scaled momenta (eps/2) M of one energy."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False) + 0.001
    radius = 0.5 * eps * np.sqrt(2.0 * energy)
    return radius * np.sqrt(tensor["I11"]) * np.cos(angle), radius * np.sqrt(tensor["I22"]) * np.sin(angle)


@FEW
@given(tensors(most=0.5), log_uniform(0.1, 100.0))
@example(GENERIC, 10.0)
def test_moser_veselov_largest_step_by_brute_force(tensor, energy):
    """Just below the bound the followed branch reaches the whole ellipse; above it some ray of a fine fan ends."""
    # The rays of a fan's folds are not generic if a product of inertia vanishes.
    assume(min(abs(tensor["I13"]), abs(tensor["I23"])) > 1e-6)
    bound = steiner.largest_step(tensor, energy)
    alive, _, _ = follow("moser_veselov", tensor, *ellipse_momenta(tensor, energy, 0.98 * bound))
    assert alive.all()
    check_least_end(tensor, energy, bound)


def check_least_end(tensor, energy, bound):
    """The bound is the infimum of the ends of an independent fan of rays, or the next one if its wedge is thin."""
    inertia = np.array(suslov_branches.inertia(tensor))
    least = suslov_ends.suslov_largest_steps("moser_veselov", inertia, energy)
    assert any(bound == pytest.approx(step, rel=1e-6) for step, _ in least)


@pytest.mark.parametrize("tensor", [LONG, LONGER], ids=["long", "longer"])
def test_elongated_bodies_fold_before_half_a_turn(tensor):
    """On a fine ellipse just below the bound every momentum has a principal displacement; above it some have none."""
    bound = steiner.largest_step(tensor, 1.0)
    for factor, everywhere in ((0.999, True), (1.02, False)):
        momenta = list(zip(*ellipse_momenta(tensor, 1.0, factor * bound, count=2400), strict=True))
        found = [any(b["principal"] for b in branches("moser_veselov", tensor, m1, m2)) for m1, m2 in momenta]
        assert all(found) == everywhere


@pytest.mark.parametrize("tensor", [GENERIC, SKEW], ids=["generic", "skew"])
def test_moser_veselov_largest_step_is_where_branches_end(tensor):
    """Below the bound every momentum of the energy has a real displacement; above it some have none."""
    bound = steiner.largest_step(tensor, 1.0)
    for factor, everywhere in ((0.98, True), (1.03, False)):
        momenta = zip(*ellipse_momenta(tensor, 1.0, factor * bound), strict=True)
        assert all(branches("moser_veselov", tensor, m1, m2) for m1, m2 in momenta) == everywhere


@pytest.mark.parametrize("tensor", [SKEW, FOLDING, LONG, LONGER, ROD], ids=["skew", "folding", "long", "longer", "rod"])
def test_moser_veselov_largest_step_of_unsymmetric_tensors(tensor):
    """The same for strongly unsymmetric tensors, real bodies among them."""
    bound = steiner.largest_step(tensor, 1.0)
    alive, _, _ = follow("moser_veselov", tensor, *ellipse_momenta(tensor, 1.0, 0.97 * bound), stages=1500)
    assert alive.all()
    if tensor["I23"] != 0.0:
        check_least_end(tensor, 1.0, bound)


@pytest.mark.parametrize(
    "tensor", [FOLDING, FOLDING | {"I22": 1.0}, SKEW, ROD], ids=["folding", "equal", "skew", "rod"]
)
def test_cayley_folds_by_brute_force(tensor):
    """The least energy among all displacements with a Jacobian that is not positive, on a fine grid.

    That point is a cusp: below it every momentum has one displacement. Beyond it three displacements share a momentum,
    in a very thin wedge, but rays need not end there: with equal moments none ever does.
    """
    i11, i22, _, _ = inertia = suslov_branches.inertia(tensor)
    rho, psi = np.meshgrid(np.geomspace(1e-3, 20.0, 1500), np.linspace(0.0, 2.0 * np.pi, 1441))
    x, y = rho * np.cos(psi), rho * np.sin(psi)
    a, b, c, d = jacobian("cayley", values(tensor), x, y, 0.0, 0.0)
    m1, m2 = momentum("cayley", values(tensor), x, y)
    energy = np.where(a * d - b * c <= 0.0, m1**2 / i11 + m2**2 / i22, np.inf)
    # M = m with eps = 2: energy 1 has m1^2/I11 + m2^2/I22 = eps^2 / 2.
    simple = np.sqrt(2.0 * cayley_folds.simple_level(inertia) / (i11 * i22))
    assert simple == pytest.approx(np.sqrt(2.0 * energy.min()), rel=0.02)
    bound = cayley_folds.largest_step(tensor, 1.0)
    assert (bound is None) == (i11 == i22)
    bound = bound or 10.0 * simple
    assert bound >= simple
    ends = suslov_ends.suslov_ends("cayley", np.array(inertia), 1.0, np.linspace(0.0, 2.0 * np.pi, 500) + 0.001)
    assert np.all(ends >= bound * (1.0 - 1e-6))


def test_cayley_does_not_fold_for_the_papers_tensors():
    for tensor in (GENERIC, {"I11": 3.0, "I22": 3.0, "I33": 5.0, "I13": 0.0, "I23": 0.5}):
        assert cayley_folds.largest_step(tensor, 1.0) is None
        rho, psi = np.meshgrid(np.linspace(0.0, 20.0, 400), np.linspace(0.0, 2.0 * np.pi, 361))
        a, b, c, d = jacobian("cayley", values(tensor), rho * np.cos(psi), rho * np.sin(psi), 0.0, 0.0)
        assert np.all(a * d - b * c > 0)
