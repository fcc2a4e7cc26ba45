"""A body that moves in the plane: its path, its outline at some times, its cusps, and itself at the clock's instant."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_layout, word
from nhviz.figures.orbits import add_cross, add_heads, add_orbit, in_order
from nhviz.figures.style import Array, Canvas, Cursor, Look, Orbit, Picture, Theme, fade, picked
from nhviz.shapes import Curve, Motion, Part, Points, Shape, points_of

GHOSTS = 5
"""So many outlines are left behind."""
EVENLY = np.linspace(0.0, 1.0, GHOSTS)
NOWHERE = np.full((1, 2), np.nan)
WIDTHS = {"body": 1.6, "blade": 4.0}


@dataclass(frozen=True)
class Mark:
    """A cusp: where it is, what is said of it, and what more where there is room."""

    place: tuple[float, float]
    text: str = "<b>cusp</b>"
    more: str = ""


@dataclass(frozen=True)
class Moving:
    """What a run draws: its motion, its samples at the instants of the clock, and the times of these."""

    motion: Motion
    instants: Array
    times: Array
    look: Look


def plane_motion(
    theme: Theme,
    paths: Sequence[Orbit],
    moving: Moving,
    marks: Sequence[Mark] = (),
    axes: tuple[str, str] = ("<i>x</i> (m)", "<i>y</i> (m)"),
    angle: str = "",
) -> Picture:
    """Paths of runs, or what the motion draws, and the body of one run.

    The first of the marks has its words. `angle` names the initial value of the heading, by which it can be turned.
    """
    canvas = Canvas(theme)
    painted = in_order(paths)
    words = add_ghosts(canvas, moving)
    for orbit in painted:
        add_orbit(canvas, orbit)
    for shape in () if paths else moving.motion.background:
        add_flat_shape(canvas, shape, np.eye(2), np.zeros(2))
    add_parts(canvas, moving)
    add_heads(canvas, [orbit for orbit in painted if orbit.look != moving.look])
    for orbit in painted:
        if orbit.stopped and orbit.look == moving.look:
            add_cross(canvas, orbit.look, *(float(values[-1]) for values in orbit.drawn))
    words += add_marks(canvas, marks)
    handles = handles_of(moving, angle) if paths else []
    return canvas.picture(flat_layout(theme, *axes, equal=True, words=words, handles=handles))


def handles_of(moving: Moving, angle: str) -> list[dict[str, Any]]:
    """The start, and the tip of the body as a handle for its heading."""
    part = moving.motion.parts[0]
    start = part.translations[moving.instants[0]]
    found: list[dict[str, Any]] = [{"at": start.tolist(), "names": ["x", "y"]}]
    if angle:
        ahead = max(float(points_of(shape)[:, 0].max()) for shape in part.shapes)
        tip = start + ahead * part.rotations[moving.instants[0], :, 0]
        found.append({"at": tip.tolist(), "pivot": start.tolist(), "angle": angle})
    return found


def add_marks(canvas: Canvas, marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """Cusps as stars; returns the words at the first."""
    theme = canvas.theme
    places = np.array([mark.place for mark in marks]).reshape(-1, 2)
    canvas.add(
        "scatter", x=places[:, 0], y=places[:, 1], mode="markers", name="cusp",
        marker={
            "symbol": "star", "size": 12 * theme.weight, "color": theme.ink,
            "line": {"color": theme.paper, "width": 1.5},
        },
    )  # fmt: skip
    if not marks:
        return []
    x, y = marks[0].place
    font, away = {"color": theme.ink}, {"ax": 26 * theme.weight, "ay": 44 * theme.weight}
    pointed = {
        "showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.faint, "xanchor": "left",
        "bgcolor": fade(theme.paper, 0.85), **away,
    }  # fmt: skip
    words = [word(theme, x, y, marks[0].text, font=font, **pointed)]
    if marks[0].more:
        below = away["ay"] + 0.8 * theme.size
        words.append(
            word(
                theme, x, y, marks[0].more, name="wide", font=font, align="left",
                **pointed | {"arrowwidth": 0.1, "arrowcolor": "rgba(0,0,0,0)", "ay": below, "yanchor": "top"},
            )
        )  # fmt: skip
    return words


def add_ghosts(canvas: Canvas, moving: Moving) -> list[dict[str, Any]]:
    """The body at some times, evenly along its way; returns the times as words."""
    theme, look, part = canvas.theme, moving.look, moving.motion.parts[0]
    chosen = along_the_way(picked(part.translations, moving.instants))
    for closed, more in (
        (True, {"line": {"color": fade(look.colour, 0.35), "width": theme.weight}, "fill": "toself",
                "fillcolor": fade(look.colour, 0.05)}),
        (False, {"line": {"color": fade(look.colour, 0.4), "width": 1.4 * theme.weight}}),
    ):  # fmt: skip
        found = [
            outlines(one, curves, moving.instants[chosen])
            for one in moving.motion.parts
            if (curves := [shape for shape in one.shapes if isinstance(shape, Curve) and is_closed(shape) == closed])
        ]
        if found:
            x, y = np.concatenate(found).T
            canvas.add("scatter", x=x, y=y, mode="lines", name="outlines", meta={"track": look.key}, **more)
    words = time_words(theme, part, moving, chosen)
    # They are within the picture too.
    for axis in "xy":
        canvas.reach[axis].append(np.array([one[axis] for one in words]))
    return words


def along_the_way(places: Array) -> Array:
    """Indices of some places of a path (n, 2), evenly along it, first and last included."""
    steps = np.diff(places, axis=0)
    way = np.concatenate([[0.0], np.cumsum(np.sqrt(steps[:, 0] ** 2 + steps[:, 1] ** 2))])
    found = np.searchsorted(way, way[-1] * EVENLY)
    return np.array(sorted({min(index, len(places) - 1) for index in found.tolist()}))


def outlines(part: Part, curves: Sequence[Curve], samples: Array) -> Array:
    """Curves of a part at some samples as one curve (n, 2), with NaN after each; what is nowhere stays so, turned."""
    points = np.concatenate([piece for curve in curves for piece in (curve.points, NOWHERE)])
    placed = np.einsum("tij,pj->tpi", part.rotations[samples], points) + part.translations[samples, None]
    return placed.reshape(-1, 2)


def time_words(theme: Theme, part: Part, moving: Moving, chosen: Array) -> list[dict[str, Any]]:
    """The time at each outline, beside it."""
    aside = 1.6 * max(float(np.abs(points_of(shape)[:, 1]).max()) for shape in part.shapes)
    samples = moving.instants[chosen]
    at, across = part.translations[samples], part.rotations[samples, :, 1]
    # On the side that looks away from the others.
    outwards = np.where(np.sum((at - at.mean(axis=0)) * across, axis=1) < 0.0, -aside, aside)
    places = at + outwards[:, None] * across
    font = {"size": theme.size - 0.5}
    return [
        word(theme, x, y, f"{t:.2g} s", name="wide", font=font)
        for (x, y), t in zip(places.tolist(), moving.times[chosen].tolist(), strict=True)
    ]


def is_closed(shape: Curve) -> bool:
    """Whether a curve ends where it begins."""
    return len(shape.points) > 2 and bool((shape.points[0] == shape.points[-1]).all())


def add_parts(canvas: Canvas, moving: Moving) -> None:
    """Every shape of every part at its first pose, with its poses for the player."""
    for part in moving.motion.parts:
        rotations, translations = part.rotations[moving.instants], part.translations[moving.instants]
        for shape in part.shapes:
            index = add_flat_shape(canvas, shape, rotations[0], translations[0], meta={"track": moving.look.key})
            canvas.cursors.append(
                Cursor(
                    index,
                    moving.look.key,
                    shape=points_of(shape),
                    rotations=rotations,
                    translations=translations,
                )
            )


def add_flat_shape(canvas: Canvas, shape: Shape, rotation: Array, translation: Array, **more: Any) -> int:
    """One shape at one pose: a closed curve hides what is behind it, a point is a wheel or the centre of mass."""
    theme, weight = canvas.theme, canvas.theme.weight
    x, y = (points_of(shape) @ rotation.T + translation).T
    if isinstance(shape, Points):
        marker = {
            "symbol": "circle-cross", "size": 9 * weight, "color": theme.paper,
            "line": {"color": theme.ink, "width": 1.5 * weight},
        }  # fmt: skip
        return canvas.add("scatter", x=x, y=y, mode="markers", marker=marker, name=shape.role, **more)
    assert isinstance(shape, Curve)
    if is_closed(shape):
        more |= {"fill": "toself", "fillcolor": fade(theme.paper, 0.78)}
    line = {"color": theme.ink, "width": WIDTHS.get(shape.role, 2.0) * weight}
    return canvas.add("scatter", x=x, y=y, mode="lines", line=line, name=shape.role, **more)
