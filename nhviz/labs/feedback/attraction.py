"""How the runs of the race fall onto the level set of their integrals: over time, and in the space where it is seen."""

from dataclasses import replace
from typing import Any

import numpy as np

from nhviz.analysis import attraction, level_sets
from nhviz.analysis.attraction import Fall
from nhviz.figures import falling
from nhviz.figures import portrait as portraits_in
from nhviz.figures.panels import Curves
from nhviz.figures.style import Orbit, Picture
from nhviz.frame.said import readable
from nhviz.frame.shown import Shown
from nhviz.labs.feedback.racers import METHOD, PULLED_EULER
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Mesh, Points, Shape, points_of
from nhviz.system import Array

RAISE = "raise δ to start off the level set"
STILL = "nothing pulls: raise the pull"
FAR = 1.5
"""A run that is farther from the middle of its level set than so many times its size has left it."""


def options_of(shown: Shown, orbit: Trajectory) -> dict[str, Any]:
    """The options of a run, or for one of another method those of a feedback that does not pull."""
    own = dict(orbit.problem.options)
    return own if "base" in own else weights(shown) | {"pull": 0.0}


def weights(shown: Shown) -> dict[str, Any]:
    """The options whose gains V is made of: those of Euler's scheme with feedback; without a pull, as if it were 1."""
    found = dict(shown.state.problem(shown.panel, shown.panel.ways[PULLED_EULER], shown.admitted).options)
    return found if found["pull"] > 0.0 else found | {"pull": 1.0}


def falls(shown: Shown) -> dict[str, Fall]:
    """How each run falls, at the instants of the clock."""
    common = weights(shown)
    return {
        name: attraction.fall(orbit, options_of(shown, orbit), common, shown.points(orbit))
        for name, orbit in shown.runs.items()
    }


def fall(shown: Shown) -> Picture:
    """The distance of the constraint's function and V over time, with the law of the runs that fall."""
    runs, laws = [], []
    for name, found in falls(shown).items():
        orbit, look = shown.runs[name], shown.looks[name]
        parts = {"off": found.distances[found.constraint], "V": found.potential}
        stopped = orbit.stopped is not None
        runs.append(Curves(look, shown.method(name).discrete, shown.part(orbit, "t")[0], parts, stopped))
        if found.rate is not None and found.expected is not None and is_pulled(shown, name):
            past = slice(found.first + 1)
            text = f"{readable(found.rate, 3)}/s, law {readable(found.expected, 3)}/s"
            laws.append(falling.Law(look, orbit.t[past], found.predicted[past], text))
    if not runs:
        runs = [Curves(shown.looks[shown.first], False, shown.part(shown.start, "t")[0], nothing())]
    return falling.falling(shown.theme, {"off": "Off the constraint", "V": "V"}, runs, laws, remark(shown))


def remark(shown: Shown) -> str:
    """What is said where no run falls in a way that has a rate."""
    pulled = [name for name in shown.runs if is_pulled(shown, name)]
    if not pulled:
        return STILL
    return "" if dict(shown.problems[pulled[0]].options).get("off") else RAISE


def nothing() -> dict[str, Array]:
    """The distances of a page without runs."""
    return {"off": np.zeros(1), "V": np.zeros(1)}


def is_pulled(shown: Shown, variant: str) -> bool:
    """Whether some gain of a run pulls."""
    options = dict(shown.problems[variant].options)
    method = shown.system.method(METHOD)
    assert method.extension is not None
    return (
        "base" in options and options["pull"] > 0.0 and any(options[k] > 0.0 for k in method.extension(options).gains)
    )


def level_set(shown: Shown) -> Picture:
    """The level set in the coordinates of its system, and the runs that fall onto it."""
    level = level_sets.LEVELS[shown.system.id]
    behind = shapes(shown, level)
    return portraits_in.in_space(shown.theme, level.axes, placed(shown, level, behind), background=behind)


def placed(shown: Shown, level: level_sets.Level, behind: list[Shape]) -> list[Orbit]:
    """The runs in the coordinates of a level set, each up to where it leaves it for good; the start without runs."""
    runs = shown.runs or {shown.first: shown.start}
    found = []
    for name, orbit in runs.items():
        places = level.places(orbit.params, orbit.components)[:, shown.points(orbit)]
        near = places[:, : near_by(places, np.concatenate([points_of(shape) for shape in behind]).T)]
        drawn, moving = rows(near), rows(held(near, places.shape[1]))
        discrete, stopped = shown.method(name).discrete, orbit.stopped is not None
        found.append(Orbit(drawn, moving, shown.looks[name], discrete, stopped=stopped))
    return found


def near_by(places: Array, around: Array) -> int:
    """How many of the first places (3, n) are no farther from the middle of points (3, m) than `FAR` of their size."""
    middle = 0.5 * (around.min(axis=1) + around.max(axis=1))
    size = max(float(np.ptp(around, axis=1).max()), float(np.abs(places[:, 0] - middle).max()), 1e-9)
    far = np.flatnonzero(np.abs(places - middle[:, None]).max(axis=0) > FAR * size)
    return int(far[0]) if far.size else places.shape[1]


def held(near: Array, count: int) -> Array:
    """So many places, the last one repeated."""
    return near[:, np.minimum(np.arange(count), near.shape[1] - 1)]


def rows(places: Array) -> tuple[Array, ...]:
    """Places (3, n) by coordinate."""
    return tuple(np.ascontiguousarray(row) for row in places)


def on_level(shown: Shown) -> Trajectory:
    """The start on the constraint, as a run of no duration."""
    problem = shown.state.problem(shown.panel, shown.panel.ways[shown.system.truth.id], shown.admitted)
    return shown.run(replace(problem, duration=0.0))


def shapes(shown: Shown, level: level_sets.Level) -> list[Shape]:
    """The level set as shapes: a curve or a surface, and the start on it."""
    start = on_level(shown)
    params, at = start.params, start.components
    found: list[Shape] = []
    if level.surface is not None:
        found.append(mesh(level.surface(params, at)))
    if level.curve is not None:
        found.append(Curve(level.curve(params, at), "equilibria"))
    return [*found, Points(level.places(params, at)[:, :1].T, "start")]


def mesh(grid: Array) -> Mesh:
    """A surface (rows, columns, 3) as triangles."""
    rows, columns, _ = grid.shape
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    lower = np.stack([corner, corner + 1, corner + columns], axis=1)
    upper = np.stack([corner + 1, corner + columns + 1, corner + columns], axis=1)
    return Mesh(grid.reshape(-1, 3), np.concatenate([lower, upper]), "level set")
