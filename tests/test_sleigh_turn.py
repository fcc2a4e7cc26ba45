"""The total turn of the discrete sleigh depends on the phase of the start, beyond all orders."""

import mpmath
import numpy as np
import pytest

import nhviz
from nhviz.analysis import sleigh_turn
from nhviz.parameters import ParameterError
from tests.sleighs import UNIT


def test_total_turn_depends_on_the_phase():
    """5.6e-8, 2.3e-5, 1.1e-3 at steps .6, .8, 1 for the unit sleigh at E = 1; the symmetric orbits are the extremes."""
    for step, said in ((0.6, 5.6e-8), (0.8, 2.3e-5), (1.0, 1.1e-3)):
        spread_found = sleigh_turn.turn_spread(UNIT, step, 1.0)
        assert spread_found == pytest.approx(said, rel=0.05)
        # From c = 0 through more than one step of the orbit.
        turns = [sleigh_turn.total_turn(UNIT, step, 1.0, angle) for angle in np.linspace(0.0, 1.0, 41)]
        assert max(turns) == pytest.approx(turns[0], abs=1e-13)
        assert np.ptp(turns) <= spread_found + 1e-13
        assert np.ptp(turns) >= 0.98 * spread_found
        run = nhviz.simulate("sleigh", "fedorov_zenkov", UNIT, {"p_theta": 2.0, "p_1": 0.0}, step, 120 * step)
        assert 2 * run["theta"][-1] == pytest.approx(turns[0], abs=1e-12)


def exact_spread(step, digits=70):
    """The same for the unit sleigh with E = 1, in numbers of many digits, with nothing of nhviz."""
    with mpmath.workdps(digits):
        level = 2 * mpmath.mpf(step) ** 2

        def all_turns(p, c):
            total = mpmath.mpf(0)
            tau = p / 4
            while p > mpmath.mpf(10) ** (-digits):
                q = c + 2
                for _ in range(100):
                    change = (((q * tau - p) * tau + q + 2) * tau - p) / ((3 * q * tau - 2 * p) * tau + q + 2)
                    tau -= change
                    if abs(change) < mpmath.mpf(10) ** (-digits) * abs(tau):
                        break
                total += 2 * mpmath.atan(tau)
                p, c = 8 * tau / (1 + tau**2) - p, c + 4 * tau**2 / (1 + tau**2)
            return total

        s = level / (2 * (2 + mpmath.sqrt(4 - level)))
        turn = 2 * mpmath.asin(mpmath.sqrt(s))
        through, across = all_turns(mpmath.sqrt(2 * level), mpmath.mpf(0)), all_turns(2 * mpmath.sin(turn), 2 * s)
        return 2 * through - turn - 2 * across


def test_the_dependence_is_beyond_all_orders():
    """Observed over 29 powers of ten: log spread = const - pi^2/lambda + O(eps^2), so its power of eps has no bound."""
    steps = np.array([0.15, 0.2, 0.3, 0.4, 0.6])
    spreads = [exact_spread(step) for step in steps]
    assert float(spreads[-1]) == pytest.approx(sleigh_turn.turn_spread(UNIT, 0.6, 1.0), abs=1e-13)
    logs = np.array([float(mpmath.log(value)) for value in spreads])
    assert logs[-1] - logs[0] > 29 * np.log(10.0)
    c = 2**0.5 * steps
    constant = logs + np.pi**2 / np.log((4 + c) / (4 - c))
    # What remains is a function of eps^2, nearly linear, while pi^2/lambda changes by 70.
    slopes = np.diff(constant) / np.diff(steps**2)
    assert np.all((slopes > 0.25) & (slopes < 0.35))
    assert np.exp(constant[0] - slopes[0] * steps[0] ** 2) == pytest.approx(452.5, rel=2e-3)
    # The local power of eps, d log spread/d log eps, grows without bound.
    powers = np.diff(logs) / np.diff(np.log(steps))
    assert np.all(np.diff(powers) < 0.0)
    assert powers[0] > 75.0


def test_total_turn_asks_for_a_single_valued_map():
    for step, energy in ((5.0, 1.0), (0.1, 0.0), (0.0, 1.0)):
        with pytest.raises(ParameterError, match="single-valued"):
            sleigh_turn.turn_spread(UNIT, step, energy)
    with pytest.raises(ParameterError, match="single-valued"):
        sleigh_turn.total_turn({**UNIT, "a": 0.0}, 0.1, 1.0, 0.0)
