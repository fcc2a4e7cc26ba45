"""Pictures of all rotations that a momentum allows: on the globe, in the plane, against the step, and as balls."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from nhviz import kernels
from nhviz.figures import balls, counts, merging, series
from nhviz.figures.style import Array, Orbit, Picture
from nhviz.frame.shown import Shown
from nhviz.labs.sphere.here import (
    HALF_TURN,
    PRINCIPAL,
    START,
    TURNS,
    Here,
    Rotation,
    followed,
    here,
    start_of,
)
from nhviz.maps import sphere_branches, sphere_folds, sphere_starts
from nhviz.maps.sphere_curves import Curve
from nhviz.sweeps.value import Sweep

ROWS, COLUMNS = 121, 241
"""Verticals of the globe, by latitude and longitude."""
STEPS, ANGLES = 150, 121
"""Cells of the plane."""
WIDE = 3.0
"""The plane reaches so many times as far as its least fold."""


def globe(shown: Shown) -> Picture:
    """Counts over all verticals with K fixed in the body; the fold of the principal rotation in ink."""
    point = here(shown)
    sweep = Sweep.create(
        "sphere", "branch_count", ("longitude", 0.0, 2.0 * np.pi, COLUMNS),
        ("latitude", -0.5 * np.pi, 0.5 * np.pi, ROWS), "fedorov", params=shown.params,
        initial=some_start(shown, point), step=point.step,
    )  # fmt: skip
    size, one = float(np.linalg.norm(point.k)), followed(shown, point)
    axis = None if one is None else (one.axis, colour_of(shown, one))
    view = counts.Globe(
        sweep, sphere_folds.on_globe(point.ball, point.k, point.step), point.k / size if size else None, point.gamma,
        axis, on_globe(shown),
    )  # fmt: skip
    return counts.globe(shown.theme, view)


def on_globe(shown: Shown) -> list[Orbit]:
    """The vertical and the direction of the momentum in the body, along each run; a ball at rest has none of this."""
    if not here(shown).k.any():
        return []
    names = [tuple(f"{vector}{i}" for i in (1, 2, 3)) for vector in ("gamma", "K")]
    moving = [shown.orbit(run, *vector) for run in shown.runs for vector in names]
    return [replace(orbit, drawn=unit(orbit.drawn), moving=unit(orbit.moving)) for orbit in moving]


def unit(vectors: tuple[Array, ...]) -> tuple[Array, ...]:
    """Vectors, coordinates first, of length one."""
    size = np.sqrt(sum(part * part for part in vectors))
    return tuple(part / size for part in vectors)


def some_start(shown: Shown, point: Here) -> dict[str, float]:
    """A start with this K, which is all that matters: the same for all verticals, so that what is counted stays.

    It is the one with the slowest velocity, Lam^-1 K; that of the page, if even this is beyond the ranges.
    """
    slowest = point.k / (np.array(point.ball[:3]) + point.ball[3])
    size = float(np.linalg.norm(slowest))
    gamma = sphere_starts.aside(slowest / size, slowest) if size else np.array([0.0, 0.0, 1.0])
    if np.abs(slowest).max() < max(p.maximum for p in shown.system.initial if p.name == "omega1"):
        return start_of(shown.params, gamma, point.k)
    return own_start(shown)


def own_start(shown: Shown) -> dict[str, float]:
    """The vertical and the velocity of the page."""
    return {name: shown.initial[name] for name in shown.initial if name.startswith(("gamma", "omega"))}


def colour_of(shown: Shown, one: Rotation) -> str:
    """The method's colour for the principal rotation, ink for another."""
    return shown.looks[shown.first].colour if one.principal else shown.theme.ink


def plane(shown: Shown) -> Picture:
    """Counts over the step and the angle of K to gamma."""
    point = here(shown)
    least = float(point.folds.min())
    last = min(max(WIDE * least if np.isfinite(least) else 0.0, 1.1 * point.step), shown.system.step.maximum)
    sweep = Sweep.create(
        "sphere", "branch_count", ("step", last / STEPS, last, STEPS), ("turn", 0.0, np.pi, ANGLES), "fedorov",
        params=shown.params, initial=own_start(shown),
    )  # fmt: skip
    turn = float(sphere_starts.angle_between(point.gamma, point.k))
    return counts.plane(shown.theme, sweep, (point.folds, TURNS), (point.step, turn))


def merges(shown: Shown) -> Picture:
    """Every rotation as the step grows, and the fold at which the principal one merges with another."""
    point, one = here(shown), followed(shown, here(shown))
    pieces = [piece for curve in point.curves for piece in monotone(curve)]
    chosen = nearest(pieces, one, point.step)
    kinds = [PRINCIPAL if i == 0 else "followed" if i == chosen else "" for i in range(len(pieces))]
    drawn = [branch for curve in point.curves for branch in branches_of(curve, point.k)]
    found = [replace(branch, kind=kind) for branch, kind in zip(drawn, kinds, strict=True)]
    now = [
        (np.degrees(each.angle), axis_to(each, point.k), kind_of(each, one)) for each in point.rotations
    ]  # fmt: skip
    view = merging.Merging(found, now, point.step, fold_of(point), point.last or 1.0)
    return merging.merging(shown.theme, shown.looks[shown.first], view)


def between_folds(curve: Curve) -> list[slice]:
    """The parts of a curve on which the step only grows or only falls."""
    grows = np.diff(curve.steps) > 0.0
    turns = np.flatnonzero(grows[1:] != grows[:-1]) + 1
    ends = [0, *turns.tolist(), len(curve.steps) - 1]
    return [slice(a, b + 1) for a, b in pairwise(ends) if b > a]


def monotone(curve: Curve) -> list[Curve]:
    """The pieces of a curve between the folds."""
    return [Curve(curve.rotations[part], curve.steps[part]) for part in between_folds(curve)]


def nearest(pieces: list[Curve], one: Rotation | None, step: float) -> int | None:
    """The number of the piece that a rotation of this step is on."""
    if one is None or not pieces:
        return None
    away = []
    for piece in pieces:
        covers = piece.steps.min() <= step <= piece.steps.max()
        match = float(np.abs(piece.rotations @ one.q).max())
        away.append(match if covers else -1.0)
    return int(np.argmax(away))


def branches_of(curve: Curve, k: Array) -> list[merging.Branch]:
    """The pieces of a curve in degrees."""
    angles, axes = np.degrees(curve.angles), np.degrees(curve.axes_to(k))
    return [merging.Branch(curve.steps[part], angles[part], axes[part], "") for part in between_folds(curve)]


def kind_of(each: Rotation, one: Rotation | None) -> str:
    """How a rotation is shown."""
    return PRINCIPAL if each.principal else "followed" if each is one else ""


def axis_to(one: Rotation, k: Array) -> float:
    """The angle of the axis of a rotation to K, in degrees; 0 for a ball at rest."""
    return float(np.degrees(sphere_starts.angle_between(one.axis, k)))


def fold_of(point: Here) -> tuple[float, float, float] | None:
    """The step, the angle and the axis to K of the fold of the principal rotation."""
    if not np.isfinite(point.largest):
        return None
    u, v, w = point.gamma.tolist()
    x, y, z = (0.5 * point.largest * point.k).tolist()
    _, g = kernels.sphere.follow(point.ball, (u, v, w), (x, y, z), np.inf)
    q = np.array([1.0, *g]) / np.sqrt(1.0 + float(np.dot(g, g)))
    end = Rotation(q, 2.0 * float(np.arctan2(np.linalg.norm(q[1:]), q[0])), True, True)
    return point.largest, float(np.degrees(end.angle)), axis_to(end, point.k)


def bodies(shown: Shown) -> Picture:
    """The ball after its step, once for each rotation."""
    point = here(shown)
    u, v, w = point.gamma.tolist()
    upright = Rotation(np.asarray(kernels.sphere.upright((u, v, w))), 0.0, False, True).matrix
    one, partner = followed(shown, point), partner_of(point)
    found = [
        balls.Ball(
            upright @ each.matrix, upright @ each.axis, title_of(each, each is partner), told(each), kind_of(each, one)
        )
        for each in point.rotations
    ]  # fmt: skip
    return balls.row_of_balls(shown.theme, shown.looks[shown.first], found)


def title_of(one: Rotation, merging_with_it: bool) -> str:
    """What a rotation is, in two lines."""
    if one.principal:
        return "<br>principal"
    if merging_with_it:
        return "merges<br>with it"
    return "near a<br>half turn" if one.angle > HALF_TURN else "<br>another"


def told(one: Rotation) -> str:
    """The angle of a rotation, and whether it is certified."""
    angle = np.degrees(one.angle)
    return f"<b>{angle:.{1 if angle < 150.0 else 2}f}°</b><br>{'certified' if one.certified else 'not certified'}"


def partner_of(point: Here) -> Rotation | None:
    """The rotation with which the principal one merges at its fold, if it is there at this step."""
    if point.principal is None or not point.curves:
        return None
    pieces = monotone(point.curves[0])[1:2]
    others = [one for one in point.rotations if not one.principal]
    if not pieces or not others or point.step < pieces[0].steps.min():
        return None
    match = [float(np.abs(pieces[0].rotations @ one.q).max()) for one in others]
    return others[int(np.argmax(match))]


def along(shown: Shown) -> Picture:
    """How many rotations each step of the run has: vertical and momentum move on in the body."""
    found = []
    for name, run in shown.runs.items():
        (t,), number_of = shown.part(run, "t"), counted(shown, name)
        found.append(Orbit((t, number_of), (t, number_of), shown.looks[name], True))
    return series.components(shown.theme, ["real rotations"], found or shown.orbits("t", "gamma3"))


def counted(shown: Shown, name: str) -> Array:
    """How many rotations there are at each instant of a run."""
    starts = np.stack(shown.part(shown.runs[name], *START), axis=1)
    found, ball = np.empty(len(starts)), sphere_branches.ball(shown.params)
    balls, steps = np.tile(np.array(ball), (len(starts), 1)), np.full(len(starts), float(shown.step))
    kernels.sphere_points.branch_counts(balls, starts, steps, found)
    return found
