"""The whole arc that a run is part of: whether it leads from an unstable equilibrium to a stable one.

On the energy ellipse (`nhviz.methods.ellipse`) every momentum has two parts: along the line of equilibria, towards its
stable half, and across it. A connection has its ends on the line, runs on one side of it, and never back along it.
"""

import numpy as np

from nhviz.analysis.connections import Connection, connection
from nhviz.analysis.equilibria import momentum_plane
from nhviz.methods import ellipse
from nhviz.parameters import ParameterError
from nhviz.problem import Trajectory
from nhviz.system import Array

GAP = 1e-6
"""An arc is followed until its phase has this share of its greatest speed."""
SMOOTH, MOST = 1000, 100_000
"""Steps on half an arc of a flow; of a map no more than so many, which differ from finer ones by round-off."""
SLACK = 10.0
"""Next to rest a map may be slower than the flow by its multiplier, a number of order 1."""
ROUND_OFF = 1e-13
"""Of parts of the momentum that are of order 1."""


def whole_arc(run: Trajectory) -> Connection | None:
    """The connection through the start of a run, found once; None where there is none, or no way back along it."""
    return run.remember(found)


def found(run: Trajectory) -> Connection | None:
    """The same, found now."""
    problem = run.problem
    try:
        return connection(problem.system, problem.method, run.params, dict(problem.initial), step_along(run), gap=GAP)
    except ParameterError:
        return None


def step_along(run: Trajectory) -> float:
    """The step of a map, unless that would be too many; a flow is the same with any, and gets a smooth line."""
    plane, problem = momentum_plane(run.system), run.problem
    start = np.array([dict(problem.initial)[name] for name in plane.axes])
    speed = float(np.sqrt(2.0 * ellipse.energy(plane, run.params, start)) * abs(plane.swing(run.params)[0]))
    if speed == 0.0:
        return problem.step
    whole = np.log(2.0 / GAP) / speed
    return max(problem.step, whole / MOST) if run.method.discrete else float(whole / SMOOTH)


def parts(run: Trajectory, arc: Connection) -> tuple[Array, Array]:
    """Parts of the momentum on an arc: along the equilibrium line, to its stable half, and across it; over |z|."""
    plane = momentum_plane(run.system)
    kappa, delta = plane.swing(run.params)
    z = plane.matrix(run.params) @ np.stack([arc[name] for name in plane.axes])
    z = z / np.hypot(*z)
    sense = 1.0 if kappa > 0.0 else -1.0
    return sense * (np.cos(delta) * z[1] - np.sin(delta) * z[0]), np.cos(delta) * z[0] + np.sin(delta) * z[1]


def connects(run: Trajectory) -> bool:
    """Whether the orbit through a run leads from an unstable equilibrium to a stable one, on one side of their line."""
    arc = whole_arc(run)
    if arc is None or any(arc.stopped):
        return False
    along, across = parts(run, arc)
    at_rest = bool(np.abs(across[[0, -1]]).max() <= SLACK * GAP)
    one_sided = bool((across > -ROUND_OFF).all() or (across < ROUND_OFF).all())
    return at_rest and one_sided and bool(along[0] < 0.0 < along[-1]) and bool((np.diff(along) >= -ROUND_OFF).all())


def stays_on_its_ellipse(run: Trajectory) -> bool:
    """Whether the whole arc through a run has one energy."""
    arc = whole_arc(run)
    if arc is None:
        return False
    plane = momentum_plane(run.system)
    energy = ellipse.energy(plane, run.params, np.stack([arc[name] for name in plane.axes]))
    return bool(np.ptp(energy) <= ROUND_OFF * len(energy) * energy.max())
