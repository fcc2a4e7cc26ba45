"""The peers in plain Python: every step of a map by `scipy.optimize.fsolve`, from the step before."""

import math

import numpy as np
from scipy.optimize import fsolve


def suslov_orbit(params: dict, initial: dict, step: float, steps: int) -> dict[str, np.ndarray]:
    """One Moser-Veselov orbit with its attitude."""
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    m1, m2 = 0.5 * step * initial["M1"], 0.5 * step * initial["M2"]
    guess, attitude = np.array([m1 / i11, m2 / i22]), np.eye(3)
    states, attitudes = np.empty((steps + 1, 5)), np.empty((steps + 1, 3, 3))

    def residual(point: np.ndarray, m1: float, m2: float) -> list[float]:
        x, y = point
        k, d = i13 * x + i23 * y, 1.0 + x * x + y * y
        return [i11 * x + y * k - m1 * d, i22 * y - x * k - m2 * d]

    for n in range(steps + 1):
        guess = fsolve(residual, guess, args=(m1, m2))
        x, y = guess.tolist()
        k, d = i13 * x + i23 * y, 1.0 + x * x + y * y
        states[n] = x, y, m1, m2, (k + (i22 - i11) * x * y) / d
        attitudes[n] = attitude
        m1, m2 = m1 - 2.0 * y * k / d, m2 + 2.0 * x * k / d
        attitude = attitude @ cayley(x, y)
    return dict(zip(("u", "v", "M1", "M2", "M3"), states.T * 2.0 / step, strict=True)) | {"R": attitudes}


def cayley(x: float, y: float) -> np.ndarray:
    """The rotation with the Cayley vector (x, y, 0)."""
    d = 1.0 + x * x + y * y
    rows = [
        [1.0 + x * x - y * y, 2.0 * x * y, 2.0 * y],
        [2.0 * x * y, 1.0 - x * x + y * y, -2.0 * x],
        [-2.0 * y, 2.0 * x, 2.0 - d],
    ]
    return np.array(rows) / d


def sleigh_orbit(params: dict, initial: dict, step: float, steps: int) -> dict[str, np.ndarray]:
    """One Fedorov-Zenkov orbit, from the two equations of the paper for the turn and V1 (FZ (7.5) with (7.12))."""
    spin, m, a, b = (params[name] for name in "Jmab")
    theta, x, y, p_theta, p_1 = (initial[name] for name in ("theta", "x", "y", "p_theta", "p_1"))
    total = spin + m * a * a + m * b * b
    guess = np.array([step * (p_theta + b * p_1) / (spin + m * a * a), step * p_1 / m])
    states = np.empty((steps + 1, 5))

    def residual(point: np.ndarray, p_theta: float, p_1: float) -> list[float]:
        turn, forward = point
        sideways = forward * math.tan(0.5 * turn)
        return [
            total * math.sin(turn) + a * m * sideways - b * m * forward - step * p_theta,
            m * forward - a * m * (1.0 - math.cos(turn)) - b * m * math.sin(turn) - step * p_1,
        ]

    for n in range(steps + 1):
        states[n] = theta, x, y, p_theta, p_1
        guess = fsolve(residual, guess, args=(p_theta, p_1))
        turn, forward = guess.tolist()
        chord = forward / math.cos(0.5 * turn)
        x, y = x + chord * math.cos(theta + 0.5 * turn), y + chord * math.sin(theta + 0.5 * turn)
        theta += turn
        p_theta -= 2.0 * a * m * forward * math.tan(0.5 * turn) / step
        p_1 += 2.0 * a * m * (1.0 - math.cos(turn)) / step
    return dict(zip(("theta", "x", "y", "p_theta", "p_1"), states.T, strict=True))
