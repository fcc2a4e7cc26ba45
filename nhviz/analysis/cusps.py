"""Cusps of the sleigh's contact path, for the flow in closed form and for maps from the path, and the total turn.

The flow's cusp is where v = 0, that is m b p_theta + (J + m (a^2 + b^2)) p_1 = 0: with
tau = beta t + c, sinh tau = -sign b sqrt(m / A). A map has its cusp at the vertex where the chord, measured along the
mean heading, changes sign.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nhviz.maps.sleigh_branches import inertias
from nhviz.methods import ellipse
from nhviz.problem import Pairs, Trajectory
from nhviz.system import Array, Values
from nhviz.systems.sleigh import PLANE, STATE, exact_orbit


@dataclass(frozen=True)
class Cusp:
    """Where the contact point turns back: when, where, in which heading, with which momenta."""

    t: float
    x: float
    y: float
    theta: float
    p_theta: float
    p_1: float


def flow_cusp(params: Values, initial: Values) -> Cusp | None:
    """The one cusp of the flow through a start, at any time; None for motions without one (a = 0 or at rest)."""
    start = np.array([initial[name] for name in STATE])
    arc = ellipse.solve(PLANE, params, start[3:])
    if arc.rate == 0.0:
        return None
    total, _ = inertias(params)
    tau = np.arcsinh(-arc.sign * params["b"] * np.sqrt(params["m"] / total))
    t = float((tau - arc.phase) / arc.rate)
    state = np.empty((5, 2))
    exact_orbit(params, start, np.array([0.0, t]), state)
    theta, x, y, p_theta, p_1 = map(float, state[:, 1])
    return Cusp(t, x, y, theta, p_theta, p_1)


@lru_cache(maxsize=64)
def cusp_of_flow(params: Pairs, initial: Pairs) -> Cusp | None:
    """The same for the values of a problem: a page marks the cusp and tells it."""
    return flow_cusp(dict(params), dict(initial))


def cusps(run: Trajectory) -> list[Cusp]:
    """The cusps within a run of the sleigh."""
    if not run.system.method(run.problem.method).discrete:
        cusp = cusp_of_flow(run.problem.params, run.problem.initial)
        return [cusp] if cusp and 0.0 <= cusp.t <= run.t[-1] else []
    return vertices(run.t, {name: run[name] for name in STATE})


def vertices(t: Array, path: Mapping[str, Array]) -> list[Cusp]:
    """Samples of a discrete path at which its chord changes sign; time and momenta are interpolated to the change."""
    chord, middle = chords(path), 0.5 * (t[1:] + t[:-1])
    # A step of no length at all belongs to neither side.
    moving = np.flatnonzero(chord)
    turns = np.flatnonzero(chord[moving[1:]] * chord[moving[:-1]] < 0.0)
    return [vertex(t, path, chord, middle, *moving[[turn, turn + 1]]) for turn in turns]


def vertex(t: Array, path: Mapping[str, Array], chord: Array, middle: Array, before: int, after: int) -> Cusp:
    """The cusp between two steps whose chords have opposite signs."""
    weight = chord[before] / (chord[before] - chord[after])
    when = (1.0 - weight) * middle[before] + weight * middle[after]
    p_theta, p_1 = (float(np.interp(when, t, path[name])) for name in ("p_theta", "p_1"))
    x, y, theta = (float(path[name][after]) for name in ("x", "y", "theta"))
    return Cusp(float(when), x, y, theta, p_theta, p_1)


def chords(path: Mapping[str, Array]) -> Array:
    """Signed length of each step along the mean heading."""
    middle = 0.5 * (path["theta"][1:] + path["theta"][:-1])
    return np.diff(path["x"]) * np.cos(middle) + np.diff(path["y"]) * np.sin(middle)


def total_turn(params: Values) -> float | None:
    """Angle between the flow's asymptotic directions, pi sqrt(1 + J/(m a^2)); None for a = 0, which turns for ever."""
    total, mu = inertias(params)
    return float(np.pi * np.sqrt(total / mu)) if mu > 0.0 else None
