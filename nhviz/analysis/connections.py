"""Heteroclinic connections of the flow and of each map, from the unstable to the stable equilibrium.

The forward half is the map, the backward half its inverse; each is run until the momentum no longer moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz import registry
from nhviz.analysis.equilibria import momentum_plane
from nhviz.analysis.steps import level
from nhviz.methods import ellipse
from nhviz.parameters import ParameterError
from nhviz.problem import Problem, Trajectory
from nhviz.simulate import run
from nhviz.system import Array

STEPS_LIMIT = 2_000_000


@dataclass(frozen=True)
class Connection:
    """An orbit from end to end: t < 0 came from the inverse map.

    `gaps` tells how far the ends still are from rest: the speed of the phase over its greatest value on the ellipse.
    `stopped` says for each half why it ended before the gap was closed, if it did.
    """

    t: Array
    components: Mapping[str, Array]
    gaps: tuple[float, float]
    stopped: tuple[str | None, str | None]

    def __getitem__(self, name: str) -> Array:
        return self.components[name]


def connection(
    system: str,
    method: str | None = None,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    step: Any = None,
    energy: Any = None,
    side: int = 1,
    gap: float = 1e-6,
) -> Connection:
    """The connection through a start; with an energy, through the middle of that energy's arc on one side."""
    model = registry.find(system)
    problem = Problem.create(system, method, params, initial, step, 0.0)
    plane = momentum_plane(model)
    if energy is not None:
        middle = arc_middle(problem, level(energy), side)
        start = {**dict(problem.initial), **dict(zip(plane.axes, map(float, middle), strict=True))}
        problem = Problem.create(system, method, params, start, step, 0.0)
    first, first_gap, first_stop = half(problem, gap, backward=True)
    second, second_gap, second_stop = half(problem, gap, backward=False)
    components = {name: np.concatenate([first[name][:0:-1], second[name]]) for name in second.components}
    t = np.concatenate([first.t[:0:-1], second.t])
    return Connection(t, components, (first_gap, second_gap), (first_stop, second_stop))


def arc_middle(problem: Problem, energy: float, side: int) -> Array:
    """The momentum where an arc moves fastest: chi = 0 (side 1) or pi (side -1)."""
    if side not in (1, -1):
        raise ParameterError(f"side must be 1 or -1, not {side!r}.", "side")
    plane, params = momentum_plane(registry.find(problem.system)), dict(problem.params)
    _, delta = plane.swing(params)
    z = side * np.sqrt(2.0 * energy) * np.array([np.cos(delta), np.sin(delta)])
    return np.linalg.solve(plane.matrix(params), z)


def half(problem: Problem, gap: float, backward: bool) -> tuple[Trajectory, float, str | None]:
    """One half of a connection, lengthened until its gap is closed, it stops, or the limit is reached."""
    plane, params = momentum_plane(registry.find(problem.system)), dict(problem.params)
    start = np.array([dict(problem.initial)[name] for name in plane.axes])
    speed = np.sqrt(2.0 * ellipse.energy(plane, params, start)) * abs(plane.swing(params)[0]) * problem.step
    if speed == 0.0:
        raise ParameterError("Every momentum rests here: there is no connection.", "initial")
    steps = int(np.clip(np.log(2.0 / gap) / speed, 2, STEPS_LIMIT)) + 2
    while True:
        longer = Problem.create(
            problem.system,
            problem.method,
            dict(problem.params),
            dict(problem.initial),
            problem.step,
            steps * problem.step,
            options=dict(problem.options),
        )
        orbit = run(longer, backward)
        left = remaining_speed(orbit)
        if orbit.stopped or left <= gap:
            return orbit, left, orbit.stopped
        if steps >= STEPS_LIMIT:
            return orbit, left, f"not at rest after {steps:,} steps: the gap is {left:.3g}."
        steps = min(2 * steps, STEPS_LIMIT)


def remaining_speed(orbit: Trajectory) -> float:
    """Phase speed at the last step over the greatest one, r kappa, on the ellipse there."""
    if len(orbit) < 2:
        return 1.0
    plane, params = momentum_plane(orbit.system), orbit.params
    last = np.stack([orbit[name][-2:] for name in plane.axes])
    z = plane.matrix(params) @ last
    radius = np.hypot(z[0, -1], z[1, -1])
    greatest = radius**2 * abs(plane.swing(params)[0]) * orbit.problem.step
    return float(np.hypot(*(z[:, 1] - z[:, 0])) / greatest) if greatest > 0.0 else 0.0
