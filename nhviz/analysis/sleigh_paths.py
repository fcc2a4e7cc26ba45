"""The path of a sleigh: whether its blade slips, the circle of a step, shrinking steps, and how near the flow it is."""

import numpy as np

from nhviz.analysis.cusps import chords, cusps
from nhviz.problem import Trajectory
from nhviz.simulate import simulate
from nhviz.system import Array

ROUND_OFF = 1e-12
"""Of sums of some hundred steps, relative to their size."""
SECOND = 2.0**1.5
"""Half the step divides an error by more than this if its order is nearer to 2 than to 1."""


def turns(run: Trajectory) -> bool:
    """Whether a run has two steps at least, and its first one both moves and turns the blade."""
    if len(run) < 3:
        return False
    theta, x, y = (run[name][1] - run[name][0] for name in ("theta", "x", "y"))
    return bool(theta != 0.0 and np.hypot(x, y) > 0.0)


def slips(run: Trajectory) -> bool:
    """Whether the contact point leaves the direction of the blade.

    Over two steps it must come as far as its speed along the blade says. Simpson's rule is nearer to that than to the
    trapezoidal rule, so that their difference bounds its error.
    """
    steps = run.t[1:2] - run.t[:1]
    velocity = run["v"] * np.array([np.cos(run["theta"]), np.sin(run["theta"])])
    place = np.array([run["x"], run["y"]])
    first, middle, last = velocity[:, :-2], velocity[:, 1:-1], velocity[:, 2:]
    trapezoids = steps * (first + 2.0 * middle + last) / 2.0
    simpson = steps * (first + 4.0 * middle + last) / 3.0
    off = np.abs(place[:, 2:] - place[:, :-2] - simpson).max()
    return bool(off > np.abs(trapezoids - simpson).max() + ROUND_OFF * np.abs(place).max())


def step_circle(run: Trajectory, step: int = 0) -> tuple[float, float, float]:
    """Radius and turn of the circle that touches the blade before a step, and how far the blade after it is off.

    The circle has the new heading where it has turned as much; what is off is the distance to the contact point there.
    """
    heading, turn = run["theta"][step], run["theta"][step + 1] - run["theta"][step]
    forward, sideways = across(np.diff(run["x"])[step], np.diff(run["y"])[step], heading)
    radius = forward / np.sin(turn)
    return float(radius), float(turn), float(abs(sideways - radius * (1.0 - np.cos(turn))))


def across(x: float, y: float, heading: float) -> tuple[float, float]:
    """A vector along a heading and to its left."""
    return x * np.cos(heading) + y * np.sin(heading), y * np.cos(heading) - x * np.sin(heading)


def shrinking(run: Trajectory) -> Array:
    """Each chord of the path over the one before it."""
    lengths = np.hypot(np.diff(run["x"]), np.diff(run["y"]))
    return lengths[1:] / lengths[:-1]


def moves_on_a_circle(run: Trajectory) -> bool:
    """Whether all steps of a path are as long, and turn by as much: then it lies on a circle or a line."""
    turns, lengths = np.diff(run["theta"]), chords({name: run[name] for name in ("theta", "x", "y")})
    small = ROUND_OFF * max(float(np.abs(run["theta"]).max()), 1.0)
    return bool(np.ptp(turns) <= small and np.ptp(lengths) <= small * np.abs(lengths).max())


def farthest_apart(run: Trajectory, other: Trajectory) -> float:
    """How far apart two paths with the same times come."""
    both = min(len(run), len(other))
    return float(np.hypot(run["x"][:both] - other["x"][:both], run["y"][:both] - other["y"][:both]).max())


def follows(run: Trajectory, flow: Trajectory) -> bool:
    """Whether the path of a map is that of the flow: one cusp each, and a distance that falls as order 2 says."""
    problem, start = run.problem, dict(run.problem.initial)
    methods = (problem.method, flow.problem.method)
    finer = [simulate("sleigh", m, run.params, start, 0.5 * problem.step, problem.duration, 2) for m in methods]
    closer = farthest_apart(run, flow) > SECOND * farthest_apart(*finer)
    return closer and [len(cusps(one)) for one in (run, flow)] == [1, 1]
