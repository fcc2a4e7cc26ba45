"""The present point of the ball's map: its momentum and vertical, all rotations of a step, and where they lead."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nhviz.analysis.branches import branches as find_branches
from nhviz.frame.shown import Shown
from nhviz.maps import sphere_branches, sphere_curves, sphere_folds, sphere_starts
from nhviz.maps.sphere_folds import Ball, Triple
from nhviz.once import once
from nhviz.system import Array, Values

HALF_TURN = np.radians(150.0)
BEYOND = 1.2
"""Rotations are followed up to so many times the fold, or the step."""
PRINCIPAL = "principal"
START = tuple(f"{name}{i}" for name in ("gamma", "omega") for i in (1, 2, 3))
TURNS = np.linspace(0.0, np.pi, 91)


@dataclass(frozen=True)
class Rotation:
    """A real rotation of one step: unit Euler parameters, its angle, its unit axis in the body."""

    q: Array
    angle: float
    principal: bool
    certified: bool

    @once
    def axis(self) -> Array:
        """Its axis, about which it turns to the left; of none, the first."""
        size = float(np.linalg.norm(self.q[1:]))
        return self.q[1:] / size if size > 0.0 else np.array([1.0, 0.0, 0.0])

    @once
    def matrix(self) -> Array:
        """Omega, which takes the next frame of the body to the present one (CS (5.1), corrected)."""
        q0, q = self.q[0], self.q[1:]
        cross = np.array([[0.0, -q[2], q[1]], [q[2], 0.0, -q[0]], [-q[1], q[0], 0.0]])
        return np.eye(3) + 2.0 * (q0 * cross + cross @ cross)


@dataclass(frozen=True)
class Here:
    """A ball (I1, I2, I3, D), the unit vertical, the momentum, the step."""

    ball: Ball
    gamma: Array
    k: Array
    step: float
    rotations: tuple[Rotation, ...]
    largest: float

    @property
    def principal(self) -> Rotation | None:
        """The rotation that grows out of rest, unless it has folded."""
        return next((one for one in self.rotations if one.principal), None)

    @property
    def last(self) -> float:
        """The step up to which rotations are followed."""
        return BEYOND * max(self.step, self.largest if np.isfinite(self.largest) else 0.0)

    @once
    def curves(self) -> list[sphere_curves.Curve]:
        """Every rotation as the step grows; none for a ball at rest."""
        return curves_of(self.ball, triple(self.gamma), triple(self.k), self.last) if self.k.any() else []

    @once
    def folds(self) -> Array:
        """The largest steps with K turned to the `TURNS`, in their plane with gamma; infinite for a ball at rest."""
        if not self.k.any():
            return np.full(TURNS.size, np.inf)
        return folds_of(self.ball, triple(self.gamma), triple(self.k))


def triple(vector: Array) -> Triple:
    """A vector as plain numbers, by which things can be found again."""
    x, y, z = vector.tolist()
    return x, y, z


@lru_cache(maxsize=16)
def curves_of(ball: Ball, gamma: Triple, k: Triple, last: float) -> list[sphere_curves.Curve]:
    """Curves of rotations: a matter of the last step, not of the present one, and found once for many of these."""
    return sphere_curves.curves(ball, np.array(gamma), np.array(k), last)


@lru_cache(maxsize=16)
def folds_of(ball: Ball, gamma: Triple, k: Triple) -> Array:
    """Folds over the angle of K to gamma, found once for many steps."""
    return sphere_folds.along_turn(ball, np.array(gamma), np.array(k), TURNS)


def here(shown: Shown) -> Here:
    """The point of the start that is shown."""
    params = tuple((name, float(value)) for name, value in shown.params.items())
    return found(params, tuple(float(shown.initial[name]) for name in START), float(shown.step))


@lru_cache(maxsize=16)
def found(params: tuple[tuple[str, float], ...], start: tuple[float, ...], step: float) -> Here:
    """The same, once for all views of an answer."""
    values = dict(params)
    at = sphere_branches.point_of_start(values, dict(zip(START, start, strict=True)))
    k, gamma = (np.array([at[f"{name}{i}"] for i in (1, 2, 3)]) for name in ("K", "gamma"))
    rows = find_branches("sphere", "fedorov", values, step, at)
    rotations = tuple(
        Rotation(np.array([row[f"q{i}"] for i in range(4)]), row["angle"], row["principal"], row["certified"])
        for row in rows
    )
    largest = sphere_branches.largest_step_at_momentum(values, gamma, k)
    return Here(sphere_branches.ball(values), gamma, k, step, rotations, largest)


def followed(shown: Shown, point: Here) -> Rotation | None:
    """The rotation that the switch of the view names: the principal one, or one by its number; none if it is not."""
    name = shown.choice("bodies.follow")
    if name == PRINCIPAL:
        return point.principal
    return point.rotations[int(name) - 1] if int(name) <= len(point.rotations) else None


def start_of(params: Values, gamma: Array, k: Array) -> dict[str, float]:
    """The initial values of a vertical and a momentum."""
    omega = sphere_starts.velocity(sphere_branches.ball(params), gamma, k)
    return dict(zip(START, (*gamma.tolist(), *omega.tolist()), strict=True))
