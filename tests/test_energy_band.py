"""The band of the discrete ball's energy: against whole runs, its order in the step, and what counts as a drift."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis import energy_band

BALL = {"J1": 0.04, "J2": 0.2, "J3": 0.75, "m": 1.0, "rho": 1.3}
START = {"gamma1": 2 / 7, "gamma2": 3 / 7, "gamma3": 6 / 7, "omega1": 0.2, "omega2": 0.6, "omega3": 1.2}


def test_widths_are_those_of_whole_runs():
    steps = np.array([0.05, 0.11, 0.3])
    found = energy_band.widths(BALL, START, steps, 12.0)
    for step, width in zip(steps, found, strict=True):
        run = nhviz.simulate("sphere", "fedorov", BALL, START, step=step, duration=12.0)
        k = np.stack([run[f"K{i}"] for i in (1, 2, 3)])
        energy = (k * np.stack([run[f"omega{i}"] for i in (1, 2, 3)])).sum(axis=0)
        assert width == pytest.approx((energy.max() - energy.min()) / energy[0], rel=1e-9)
        low, high = energy_band.band(run)
        assert high - low == pytest.approx(width, rel=1e-9)
        assert low <= 0.0 <= high


def test_the_width_falls_with_the_square_of_the_step():
    steps = np.array([0.01, 0.02, 0.04])
    small, middle, large = energy_band.widths(BALL, START, steps, 20.0)
    # The next term is of the fourth order: the ratio is 4 up to the square of the step.
    assert middle / small == pytest.approx(4.0, rel=0.01)
    assert large / middle == pytest.approx(4.0, rel=0.02)


def test_a_run_that_folds_has_no_width_and_the_others_do():
    found = energy_band.widths(BALL, START, np.array([0.1, 3.0]), 10.0)
    assert np.isfinite(found[0])
    assert np.isnan(found[1])


def test_rest_has_no_width():
    still = START | {"omega1": 0.0, "omega2": 0.0, "omega3": 0.0}
    assert np.isnan(energy_band.widths(BALL, still, np.array([0.1]), 1.0)).all()
    run = nhviz.simulate("sphere", "fedorov", BALL, still, step=0.1, duration=1.0)
    assert energy_band.band(run) == (0.0, 0.0)


def test_the_present_step_is_among_those_tried_and_nothing_takes_long():
    for step, duration in ((0.4, 20.0), (1e-3, 500.0), (50.0, 1e5)):
        steps = energy_band.tried_steps(step)
        assert steps[energy_band.HERE] == step
        assert steps[0] == pytest.approx(step / 8.0)
        assert steps[-1] == pytest.approx(2.0 * step)
        assert 1.2 < np.exp(np.diff(np.log(steps))).min() < np.exp(np.diff(np.log(steps))).max() < 2.01
        lasting = energy_band.lasting(steps, duration)
        assert lasting <= duration
        assert np.sum(lasting / steps) <= energy_band.MOST * (1.0 + 1e-12)


@pytest.mark.parametrize(
    ("values", "swings"),
    [
        (lambda t: np.sin(2.0 * t), True),
        (lambda t: np.sin(2.0 * t) + 0.02 * t, True),
        (lambda t: np.sin(2.0 * t) + 0.2 * t, False),
        (lambda t: 0.1 * t, False),
        (lambda t: np.sin(0.2 * t), False),
        (lambda t: 0.0 * t, False),
        (lambda t: -(t**2), False),
    ],
)
def test_oscillating_means_several_swings_about_a_level_line(values, swings):
    t = np.linspace(0.0, 20.0, 101)
    assert energy_band.oscillates(t, values(t)) == swings


def test_the_map_oscillates_and_a_drifting_scheme_does_not():
    run = nhviz.simulate("sphere", "fedorov", BALL, START, step=0.3, duration=40.0)
    assert energy_band.oscillates(run.t, energy_band.strayed(run))
    losing = energy_band.strayed(run) - 2e-3 * run.t
    assert not energy_band.oscillates(run.t, losing)
