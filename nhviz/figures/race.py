"""A race in the plane: the motion itself in ink, and ghosts where each integrator thinks that it is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nhviz.figures import path
from nhviz.figures.flat import flat_layout, word
from nhviz.figures.notes import Note, add_notes
from nhviz.figures.orbits import HOVER, add_heads, in_order
from nhviz.figures.style import Array, Canvas, Cursor, Look, Orbit, Picture, Theme, fade
from nhviz.once import once
from nhviz.shapes import Curve, Motion, Part

VISIBLE = 0.006
"""A ghost that is off by less than this share of the picture's size cannot be told from the truth."""
LATER = 0.16
"""The truth is outlined at its start and when it has done this share of its way."""
MARKED = 24
"""So many points of a way have the marker of their run."""
FILLED = 0.1
"""How opaque a ghost is."""


@dataclass(frozen=True)
class Runner:
    """A run in a race: what it draws at all its samples, and which of these are the instants of the clock.

    `places` (n, d) is where it is at each instant, `line` (d, m) its way, perhaps through more points than these.
    """

    look: Look
    motion: Motion
    instants: Array
    times: Array
    places: Array
    line: Array
    discrete: bool = True
    stopped: bool = False

    @once
    def orbit(self) -> Orbit:
        """Its way as pictures show it."""
        stride = max(1, (self.line.shape[1] - 1) // max(len(self.places) - 1, 1)) if not self.discrete else 1
        return Orbit(tuple(self.line), tuple(self.places.T.copy()), self.look, self.discrete, stride, self.stopped)


@dataclass(frozen=True)
class Ghost(Runner):
    """A run that is not the truth: how far it is `off` at each instant, where the truth is then, and in which unit."""

    off: Array = field(default_factory=lambda: np.zeros(1))
    beside: Array = field(default_factory=lambda: np.zeros((1, 2)))
    words: str = ""
    unit: str = "m"


def flat_race(
    theme: Theme, truth: Runner | None, ghosts: Sequence[Ghost], axes: tuple[str, str], handles: Any = ()
) -> Picture:
    """The ways of all runs, the truth, if it runs, with its outline at two times, and those that are off it."""
    canvas = Canvas(theme)
    runners: list[Runner] = [*([] if truth is None else [truth]), *ghosts]
    box = box_of(runners)
    size = float((box[1] - box[0]).max())
    seen = [ghost for ghost in ghosts if ghost.off.max() >= VISIBLE * size]
    words = [] if truth is None else add_outlines(canvas, truth)
    orbits = in_order([runner.orbit for runner in runners])
    for orbit in orbits:
        add_way(canvas, orbit)
    for ghost in seen[::-1]:
        add_ghost(canvas, ghost)
    for ghost in seen:
        add_error(canvas, ghost)
    if truth is not None:
        path.add_parts(canvas, path.Moving(truth.motion, truth.instants, truth.times, truth.look))
    add_heads(canvas, [orbit for orbit in orbits if truth is None or orbit.look != truth.look])
    add_notes(canvas, notes_of(seen, VISIBLE * size))
    words += hidden_words(theme, [ghost for ghost in ghosts if ghost not in seen])
    return canvas.picture(flat_layout(theme, *axes, equal=True, words=words, handles=handles))


def add_way(canvas: Canvas, orbit: Orbit) -> None:
    """The way of a run: that of the truth as a line, of the others as a thin one with some markers."""
    theme, look = canvas.theme, orbit.look
    marker = {"color": look.colour, "symbol": look.symbol, "size": 5.5 * theme.weight, "maxdisplayed": MARKED,
              "line": {"color": look.colour, "width": 1.1 * theme.weight}}  # fmt: skip
    canvas.add(
        "scatter", x=orbit.drawn[0], y=orbit.drawn[1], name=look.label, meta=orbit.meta, hoverinfo="all",
        hovertemplate=HOVER, mode="lines+markers" if orbit.discrete else "lines", marker=marker,
        line={"color": look.colour, "width": (0.9 if orbit.discrete else 2.2) * theme.weight},
    )  # fmt: skip


def box_of(runners: Sequence[Runner]) -> tuple[Array, Array]:
    """The corners of the room that all runs take, with their bodies."""
    reach = max(reach_of(runner.motion.parts[0]) for runner in runners)
    low = np.min([runner.line.min(axis=1) for runner in runners], axis=0)
    high = np.max([runner.line.max(axis=1) for runner in runners], axis=0)
    return low - reach, high + reach


def reach_of(part: Part) -> float:
    """How far a part reaches from its own origin."""
    return max(float(np.sqrt((curve.points**2).sum(axis=1).max())) for curve in curves_of(part))


def curves_of(part: Part) -> list[Curve]:
    """The curves of a part."""
    return [shape for shape in part.shapes if isinstance(shape, Curve)]


def add_outlines(canvas: Canvas, truth: Runner) -> list[dict[str, Any]]:
    """The body of the truth at its start and a little later, faintly; returns these times as words."""
    theme, look = canvas.theme, truth.look
    chosen = np.unique([0, round(LATER * (len(truth.instants) - 1))])
    for closed, more in ((True, {"fill": "toself", "fillcolor": fade(look.colour, 0.05)}), (False, {})):
        found = [
            path.outlines(part, curves, truth.instants[chosen])
            for part in truth.motion.parts
            if (curves := [curve for curve in curves_of(part) if path.is_closed(curve) == closed])
        ]
        if found:
            x, y = np.concatenate(found).T
            line = {"color": fade(look.colour, 0.35), "width": theme.weight}
            canvas.add("scatter", x=x, y=y, mode="lines", name="outlines", meta={"track": look.key}, line=line, **more)
    moving = path.Moving(truth.motion, truth.instants, truth.times, look)
    words = path.time_words(theme, truth.motion.parts[0], moving, chosen)
    for axis in "xy":
        canvas.reach[axis].append(np.array([one[axis] for one in words]))
    return words


def add_ghost(canvas: Canvas, ghost: Ghost) -> None:
    """The body of a ghost, outlined in its hue; what is closed is filled faintly."""
    theme, look = canvas.theme, ghost.look
    for part in ghost.motion.parts:
        rotations, translations = part.rotations[ghost.instants], part.translations[ghost.instants]
        for curve in curves_of(part):
            x, y = (curve.points @ rotations[0].T + translations[0]).T
            filled = {"fill": "toself", "fillcolor": fade(look.colour, FILLED)} if path.is_closed(curve) else {}
            index = canvas.add(
                "scatter", x=x, y=y, mode="lines", name="ghost", meta={"track": look.key},
                line={"color": look.colour, "width": 1.5 * theme.weight}, **filled,
            )  # fmt: skip
            body = Cursor(index, look.key, shape=curve.points, rotations=rotations, translations=translations)
            canvas.cursors.append(body)


def add_error(canvas: Canvas, ghost: Ghost) -> None:
    """A dashed line from where the truth is to where the ghost is."""
    positions = tuple(np.stack([ghost.beside, ghost.places], axis=1).reshape(-1, 2).T.copy())
    line = {"color": ghost.look.colour, "width": 1.6 * canvas.theme.weight, "dash": "dash"}
    index = canvas.add(
        "scatter", x=positions[0][:2], y=positions[1][:2], mode="lines", name="error", meta={"track": ghost.look.key},
        line=line,
    )  # fmt: skip
    canvas.cursors.append(Cursor(index, ghost.look.key, positions, points=2))


def notes_of(ghosts: Sequence[Ghost], least: float) -> list[Note]:
    """Who thinks that it is where its ghost is, and how far off that is."""
    return [
        Note(
            ghost.look, ghost.orbit.moving, ghost.off, ghost.words, "" if number else " thinks it is here,",
            f" {ghost.unit} off", least,
        )
        for number, ghost in enumerate(ghosts)
    ]  # fmt: skip


def hidden_words(theme: Theme, ghosts: Sequence[Ghost]) -> list[dict[str, Any]]:
    """Which runs cannot be told from the truth, near the upper right corner, where the browser finds room."""
    if not ghosts:
        return []
    text = f"on the truth: {', '.join(ghost.words for ghost in ghosts)}"
    corner = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top"}
    return [word(theme, 1, 1, text, name="free", **corner)]
