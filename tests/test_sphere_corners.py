"""Rare corners of the sphere: other branches nearby, the end of a run, next to -e3, the way back, half turns."""

from dataclasses import replace

import numpy as np
import pytest

import nhviz
from tests.balls import DEFAULT, UP, Ball, finite_rotations, not_orthogonal, principal_rotation, vectors

JUMPS = {
    86: (
        Ball(
            (7.096506101172865, 56.46421767723608, 0.0135281773405033), 0.0650514265438601, 1.0,
            (-0.3842507668133478, 0.884892164590661, 0.26328160826272834),
            (-1.5808554455055794, -0.8546514698367423, 0.7051415271220325),
        ),
        0.5087569621878725,
    ),
    44: (
        Ball(
            (0.001419522385116301, 1.1234572739552684, 22.353650837615863), 0.07790691230383653, 1.0,
            (-0.39132483913180915, -0.7415123143434851, -0.5449994109679682),
            (-0.546685654598086, -1.149107059602859, 0.5880553799746937),
        ),
        0.6958869269983389,
    ),
    54: (
        Ball(
            (7.110930480540297, 0.08505435474785483, 34.56046144912635), 0.04004042141831157, 1.0,
            (-0.361380066452938, 0.5269172477644267, -0.7692611140431004),
            (1.8456565220074874, -1.281667548078943, -1.5472110445012663),
        ),
        0.37823258052335806,
    ),
}  # fmt: skip


@pytest.mark.parametrize("k", JUMPS)
def test_a_run_never_jumps_to_another_branch(k):
    ball, step = JUMPS[k]
    orbit = ball.run("fedorov", step, (k + 1) * step)
    taken = finite_rotations(orbit)[k]
    reached, principal, _ = principal_rotation(ball, vectors(orbit, "gamma")[k], vectors(orbit, "K")[k], step)
    assert reached == pytest.approx(step, rel=1e-9)
    alone = finite_rotations(ball.at(orbit, k).run("fedorov", step, step))[0]
    np.testing.assert_allclose(alone, principal, atol=1e-7)
    np.testing.assert_allclose(taken, principal, atol=1e-7)


@pytest.mark.parametrize("duration", [0.0, 1.2])
def test_a_complete_run_has_not_stopped(duration):
    speed = 9.0 if duration == 0.0 else 1.3
    orbit = nhviz.simulate(
        "sphere", initial={"omega1": speed, "omega2": -0.8, "omega3": 0.9}, step=0.6, duration=duration
    )
    assert len(orbit) == orbit.problem.samples
    assert orbit.stopped is None


@pytest.mark.parametrize("method", ["fedorov", "reference"])
@pytest.mark.parametrize("gamma", [(3e-162, 4e-162, 0.0), (3e-162, 4e-162, -1.0), (0.0, 4e-160, -1.0), (1e-200, 0, 0)])
def test_tiny_parts_of_the_vertical(method, gamma):
    orbit = replace(DEFAULT, gamma=gamma).run(method, 0.1, 1.0)
    assert not_orthogonal(orbit) < 4e-15
    np.testing.assert_allclose(np.linalg.norm(vectors(orbit, "gamma"), axis=1), 1.0, atol=4e-15)
    np.testing.assert_allclose(orbit["R"][0] @ vectors(orbit, "gamma")[0], UP, atol=4e-15)
    np.testing.assert_allclose(orbit.quantity("K_K"), orbit.quantity("K_K")[0], rtol=1e-14)


def test_a_branch_passes_a_half_turn():
    """A rod-like ball: the branch passes q0 = 0, where the Cayley vector is infinite, just before it folds."""
    tensor, d = np.array([8.80684422e-02, 5.88807882e-03, 7.76083649e01]), 3.515421767387575
    up = np.array([-0.22064707, 0.13248878, 0.9663134])
    up /= np.linalg.norm(up)
    k = np.array([1.77192986e-01, -9.84176112e-01, 1.63858149e-04])
    ball = Ball(tuple(tensor), d, 1.0, tuple(up), (0.0, 0.0, 0.0))
    ball = replace(ball, omega=tuple(np.linalg.solve(ball.about_contact(up), k)))
    fold, _, _ = principal_rotation(ball, ball.up, ball.K)
    assert ball.largest == pytest.approx(fold, rel=1e-9)


def test_the_reason_of_a_backward_run_is_that_of_the_way_back():
    """K -> -K has another fold: g x I g is even. The sentence gives the fold of the way back."""
    ball = Ball((0.0573, 0.7663, 0.0554), 6.946, 1.0, (-0.036166, 0.966916, 0.25252), (-0.48221, -1.426566, -0.116282))
    step = 0.8726
    there = ball.run("fedorov", step, step)
    back = ball.at(there, 1).run("fedorov", step, 2 * step, backward=True)
    assert back.stopped is not None
    last = ball.at(back, -1)
    fold, _, _ = principal_rotation(ball, last.up, -vectors(back, "K")[-1])
    assert fold < step
    assert float(back.stopped.rstrip(".").split()[-1]) == pytest.approx(fold, rel=1e-5)
