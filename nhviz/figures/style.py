"""How everything looks: themes, the looks of runs, and figures as plain dicts with typed arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.figures import symbols
from nhviz.figures.arrays import Array, Written, resolved, typed

label = symbols.label
Trace = dict[str, Any]


@dataclass(frozen=True)
class Theme:
    """Colours and sizes of one theme; `methods` are colours that can be told apart by colour-blind people.

    Ink is geometry, `soft` small text, `faint` marks that are no text, `line` and `grid` what stays behind. Runs take
    the colours of methods by their slot (`nhviz.figures.palette`). `size` is that of text in px, `weight` multiplies
    the widths of lines and the sizes of dots.
    """

    ink: str
    paper: str
    ground: str
    soft: str
    faint: str
    line: str
    grid: str
    accent: str
    alarm: str
    band: str
    surface_low: str
    surface_high: str
    surface_line: str
    methods: tuple[str, ...]
    size: float = 11.5
    weight: float = 1.0

    @property
    def is_dark(self) -> bool:
        """Whether its ink is brighter than its paper."""
        paper, ink = (sum(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in (self.paper, self.ink))
        return paper < ink


THEMES = {
    "light": Theme(
        ink="#171b21", paper="#ffffff", ground="#f3f5f7", soft="#56616d", faint="#86909b", line="#e2e6eb",
        grid="#eceff2", accent="#0b6e4f", alarm="#b3261e", band="#f1f3f5", surface_low="#7f9dbd",
        surface_high="#dce7f2", surface_line="#6d86a0",
        methods=(
            "#0072b2", "#6b7280", "#d55e00", "#009e73", "#b8568f", "#a67c00", "#3a86c8", "#6a3d9a", "#8c510a",
            "#b2182b",
        ),
    ),
    "dark": Theme(
        ink="#e9ecf0", paper="#161b21", ground="#0e1216", soft="#a3adb8", faint="#717c88", line="#2a323b",
        grid="#232a32", accent="#5fd3a8", alarm="#ff8a80", band="#1d242c", surface_low="#2c4156",
        surface_high="#7d97b1", surface_line="#93abc4",
        methods=(
            "#56b4e9", "#9aa3ad", "#ff8c42", "#2fcf9f", "#e79bc6", "#f0c94b", "#8fd0ff", "#b794f4", "#d9a066",
            "#ff8a80",
        ),
    ),
    "projector": Theme(
        ink="#000000", paper="#ffffff", ground="#ffffff", soft="#2f363e", faint="#59626c", line="#b9c0c8",
        grid="#dfe3e7", accent="#00573c", alarm="#9b0000", band="#e9ecef", surface_low="#8fa9c4",
        surface_high="#e9eff6", surface_line="#6d86a0",
        methods=(
            "#005a9c", "#4b5563", "#b34700", "#007a58", "#8f2f6b", "#7a5b00", "#1f6fb2", "#4c1d8a", "#6b3a00",
            "#8b0015",
        ),
    ),
}  # fmt: skip
THEMES["presenter"] = replace(THEMES["projector"], size=18.0, weight=1.55)
SANS = '"Fira Sans", "Segoe UI", Roboto, "Helvetica Neue", system-ui, sans-serif'
SERIF = '"Source Serif 4", "STIX Two Text", Cambria, Georgia, serif'
"""Quoted: a family whose name has a number in it is none otherwise."""
MARGIN = 0.06
"""The part of an axis that is left free at each end."""


@dataclass(frozen=True)
class Look:
    """How a run is told from the others: the key of its variant, what it is called, its colour and its marker.

    Its dots are `scale` times as large as usual: one method with a longer step has larger ones of the same colour.
    """

    key: str
    label: str
    colour: str
    symbol: str
    scale: float = 1.0

    @property
    def head(self) -> str:
        """The marker at the clock's instant: that of its dots, filled."""
        return self.symbol.removesuffix("-open")

    @property
    def open(self) -> bool:
        """Whether its dots are rings, through which others are seen."""
        return self.symbol.endswith("-open")


@dataclass(frozen=True)
class Cursor:
    """A trace that moves with the clock: `points` coordinates at every instant, or a shape with a pose at each.

    Its instants are those of the run whose key is `track`.
    """

    trace: int
    track: str
    positions: tuple[Array, ...] = ()
    points: int = 1
    shape: Array | None = None
    rotations: Array | None = None
    translations: Array | None = None

    @property
    def shared(self) -> object:
        """What is sent once, with the first of the cursors that share it."""
        return self.rotations if self.shape is not None else self.positions

    def whole(self) -> Trace:
        """Where the trace is when nothing of it is to come; nothing for what is at one place at a time."""
        return {}

    def frames(self, written: Written, like: int | None = None) -> dict[str, Any]:
        """Plain data for the browser, which plays it without asking again; `like` numbers a cursor with these poses."""
        if self.shape is None or self.rotations is None or self.translations is None:
            moved: dict[str, Any] = {"trace": self.trace, "track": self.track, "points": self.points}
            return moved | ({"positions": list(map(written.typed, self.positions))} if like is None else {"like": like})
        found: dict[str, Any] = {"trace": self.trace, "track": self.track, "shape": typed(self.shape.ravel())}
        if like is not None:
            return found | {"like": like}
        # What does not turn has one rotation for all instants.
        turns = bool((self.rotations != self.rotations[0]).any())
        return found | {
            "dimension": self.rotations.shape[1],
            "columns": self.rotations.shape[2],
            "rotations": typed((self.rotations if turns else self.rotations[:1]).reshape(-1)),
            "translations": typed(self.translations.reshape(-1)),
        }


@dataclass(frozen=True)
class Coming:
    """Numbers of a trace that a sweep computes: they fill in, coarse to fine, while the picture is in sight.

    `sweep` is the plain data of a sweep (`Sweep.to_dict`). Its values times `scale` become the property `into` of the
    trace: "z" or "surfacecolor", a row for each value along y, or "y" for a curve. Which part of all cells, by the
    weights of `rows` and `columns`, has the value 2 is written for {share 2} in the words of its picture and in the
    sentence of the page. `words` are said of a cell of a surface that is pointed at, with its {value}.
    """

    trace: int
    sweep: dict[str, Any]
    into: str
    scale: float = 1.0
    rows: Array | None = None
    columns: Array | None = None
    words: str = ""

    def describe(self) -> dict[str, Any]:
        """Plain data for the browser."""
        found = {"trace": self.trace, "sweep": self.sweep, "into": self.into, "scale": self.scale}
        found |= {"words": self.words} if self.words else {}
        if self.rows is None or self.columns is None:
            return found
        return found | {"weights": [typed(self.rows), typed(self.columns)]}


@dataclass(frozen=True)
class Orbit:
    """A run in a picture: what is drawn, where the clock is in it, and how it looks.

    A flow is drawn through `stride` times as many points as the clock has instants, a map at its instants. A run that
    `stopped` ended before its time.
    """

    drawn: tuple[Array, ...]
    moving: tuple[Array, ...]
    look: Look
    discrete: bool
    stride: int = 1
    stopped: bool = False

    @property
    def meta(self) -> dict[str, Any]:
        """Whose run it is, and what the player needs to turn a hovered point into an instant."""
        return {"track": self.look.key, "stride": self.stride}


@dataclass(frozen=True)
class Picture:
    """A figure, what moves in it, and what is still to come; and its arrays as they are written in the figure."""

    figure: dict[str, Any]
    cursors: tuple[Cursor, ...] = ()
    coming: tuple[Coming, ...] = field(default=(), kw_only=True)
    written: Written = field(default_factory=Written, repr=False, compare=False)

    def runs(self) -> list[Trace]:
        """The traces of runs without what moves: what is left of a picture that is kept to compare with."""
        moving, traces = {cursor.trace: cursor for cursor in self.cursors}, resolved(self.figure["data"])
        own = [number for number, trace in enumerate(traces) if trace.get("meta", {}).get("track")]
        still = [traces[number] for number in own if number not in moving]
        return still + [traces[n] | moving[n].whole() for n in own if n in moving and moving[n].whole()]

    def frames(self) -> list[dict[str, Any]]:
        """What moves, for the browser. The shapes of a body move alike: its poses are sent once."""
        first: dict[int, int] = {}
        found = []
        for number, cursor in enumerate(self.cursors):
            found.append(cursor.frames(self.written, first.get(id(cursor.shared))))
            if cursor.shared is not None:
                first.setdefault(id(cursor.shared), number)
        return found


@dataclass
class Canvas:
    """Traces under construction; `add` returns the index of the new trace."""

    theme: Theme
    traces: list[Trace] = field(default_factory=list)
    cursors: list[Cursor] = field(default_factory=list)
    reach: dict[str, list[Array]] = field(default_factory=lambda: {axis: [] for axis in "xyz"})
    written: Written = field(default_factory=Written)
    holders: dict[tuple[int, str], tuple[Array, int]] = field(default_factory=dict)

    def add(self, kind: str, **properties: Any) -> int:
        """Append a trace; arrays become typed arrays."""
        trace = {"type": kind, "hoverinfo": "skip", **properties}
        for axis in "xyz":
            if isinstance(trace.get(axis), np.ndarray):
                self.reach[axis].append(trace[axis])
                trace[axis] = self.written.sent(trace[axis])
        self.traces.append(trace)
        return len(self.traces) - 1

    def shared(self, values: Array, axis: str) -> Array | dict[str, Any]:
        """An array for a trace that is next: where it is already, if an earlier trace has it on this axis."""
        key = (id(values), axis)
        if key in self.holders:
            return {"as": [self.holders[key][1], axis]}
        # With the array itself: as long as it is here, no other has its identity.
        self.holders[key] = values, len(self.traces)
        return values

    def cursor(self, look: Look, *positions: Array) -> None:
        """A marker that runs through positions with the clock."""
        weight = self.theme.weight
        start = {axis: [float(values[0])] for axis, values in zip("xyz", positions, strict=False)}
        index = self.add(
            "scatter",
            mode="markers",
            marker={
                "color": look.colour, "symbol": look.head, "size": 11 * weight,
                "line": {"color": self.theme.paper, "width": 2 * weight},
            },
            meta={"track": look.key},
            **start,
        )  # fmt: skip
        self.cursors.append(Cursor(index, look.key, positions))

    def picture(self, layout: dict[str, Any]) -> Picture:
        """The finished picture. A flat one stands still while things move in it: its axes hold all they ever reach.

        Axes that have a range already keep it.
        """
        if self.cursors and "range" not in layout.get("xaxis", {"range": None}):
            for axis, moving in zip("xy", places_of(self.cursors), strict=True):
                hold(layout[f"{axis}axis"], [*self.reach[axis], *moving])
        return Picture({"data": self.traces, "layout": layout}, tuple(self.cursors), self.written)


def places_of(cursors: Sequence[Cursor]) -> tuple[list[Array], list[Array]]:
    """The coordinates along x and y that cursors of a flat picture ever have, if they move."""
    x: list[Array] = []
    y: list[Array] = []
    bodies: dict[tuple[int, int], tuple[Array, Array, list[Array]]] = {}
    for cursor in cursors:
        if cursor.shape is None or cursor.rotations is None or cursor.translations is None:
            x += cursor.positions[:1]
            y += cursor.positions[1:2]
        else:
            poses = cursor.rotations, cursor.translations
            bodies.setdefault((id(poses[0]), id(poses[1])), (*poses, []))[2].append(cursor.shape)
    # What moves alike is placed in one product.
    for rotations, translations, shapes in bodies.values():
        points = np.concatenate(shapes).T
        x.append(rotations[:, 0] @ points + translations[:, 0, None])
        y.append(rotations[:, 1] @ points + translations[:, 1, None])
    return x, y


@lru_cache(maxsize=64)
def thin(samples: int, limit: int = 700) -> Array:
    """Indices of at most `limit` evenly spread samples, first and last included."""
    return np.unique(np.linspace(0, samples - 1, min(samples, limit)).round().astype(int))


def picked(values: Array, samples: Array) -> Array:
    """The values at the samples that `thin` has chosen: a part of them, or all, which need not be copied."""
    return values if len(samples) == len(values) else values[samples]


@lru_cache(maxsize=64)
def fade(colour: str, opacity: float) -> str:
    """A colour #rrggbb that lets what is behind it through."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def text_colour(theme: Theme, colour: str) -> str:
    """The colour of a run as that of words: mixed with ink, so that it can be read on the paper."""
    parts = [0.76 * int(colour[i : i + 2], 16) + 0.24 * int(theme.ink[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def hold(axis: dict[str, Any], arrays: list[Array]) -> None:
    """Give an axis the range of everything on it and a little more; plotly's own would follow what moves."""
    logarithmic = axis.get("type") == "log"
    values = np.concatenate([each.ravel() for each in arrays])
    # Gaps of lines are passed over.
    low, high = float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
    if logarithmic:
        low, high = np.log10(low), np.log10(high)
    # What differs by less than the browser's 32-bit floats is one value.
    room = MARGIN * (high - low) if high - low > 1e-6 * max(abs(low), abs(high)) else 1.0
    axis["range"] = [float(low - room), float(high + room)]


def common(theme: Theme) -> dict[str, Any]:
    """What all layouts share. The page's chips are the legend."""
    return {
        "paper_bgcolor": theme.paper,
        "plot_bgcolor": theme.paper,
        "font": {"color": theme.ink, "size": theme.size, "family": SANS},
        "hoverlabel": {
            "bgcolor": theme.ink, "bordercolor": theme.ink, "namelength": -1,
            "font": {"color": theme.paper, "size": theme.size, "family": SANS},
        },
        "uirevision": "keep",
        "dragmode": "pan",
        "hovermode": "closest",
        "showlegend": False,
    }  # fmt: skip
