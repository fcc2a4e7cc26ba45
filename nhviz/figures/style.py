"""How everything looks: themes, the looks of runs, and figures as plain dicts with typed arrays."""

from binascii import b2a_base64
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

Array = np.ndarray
Trace = dict[str, Any]


@dataclass(frozen=True)
class Theme:
    """Colours and sizes of one theme; `methods` are colours that can be told apart by colour-blind people.

    Runs take them by their slot (`nhviz.figures.palette`). Lines and marks are `weight` times as thick as in the lab.
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
    size: float
    weight: float
    methods: tuple[str, ...]


THEMES = {
    "light": Theme(
        "#171b21", "#ffffff", "#f3f5f7", "#56616d", "#86909b", "#e2e6eb", "#eceff2", "#0b6e4f", "#b3261e", "#f1f3f5",
        "#7f9dbd", "#dce7f2", "#6d86a0", 11.5, 1.0,
        ("#0072b2", "#6b7280", "#d55e00", "#009e73", "#b8568f", "#a67c00", "#3a86c8", "#6a3d9a", "#8c510a", "#b2182b"),
    ),
    "dark": Theme(
        "#e9ecf0", "#161b21", "#0e1216", "#a3adb8", "#717c88", "#2a323b", "#232a32", "#5fd3a8", "#ff8a80", "#1d242c",
        "#2c4156", "#7d97b1", "#93abc4", 11.5, 1.0,
        ("#56b4e9", "#9aa3ad", "#ff8c42", "#2fcf9f", "#e79bc6", "#f0c94b", "#8fd0ff", "#b794f4", "#d9a066", "#ff8a80"),
    ),
    "projector": Theme(
        "#000000", "#ffffff", "#ffffff", "#2f363e", "#59626c", "#b9c0c8", "#dfe3e7", "#00573c", "#9b0000", "#e9ecef",
        "#8fa9c4", "#e9eff6", "#6d86a0", 11.5, 1.0,
        ("#005a9c", "#4b5563", "#b34700", "#007a58", "#8f2f6b", "#7a5b00", "#1f6fb2", "#4c1d8a", "#6b3a00", "#8b0015"),
    ),
}  # fmt: skip
THEMES["presenter"] = replace(THEMES["projector"], size=18.0, weight=1.55)
SANS = '"Fira Sans", "Segoe UI", Roboto, "Helvetica Neue", system-ui, sans-serif'
SERIF = '"Source Serif 4", "STIX Two Text", Cambria, Georgia, serif'
"""Quoted: a family whose name has a number in it is none otherwise."""
GREEK = {"theta": "θ", "omega": "ω", "gamma": "γ", "psi": "ψ", "phi": "φ"}
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MARGIN = 0.06
"""The part of an axis that is left free at each end."""


@dataclass(frozen=True)
class Look:
    """How a run is told from the others: the key of its variant, what it is called, its colour and its marker."""

    key: str
    label: str
    colour: str
    symbol: str


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

    def places(self, axis: str) -> list[Array]:
        """The coordinates along an axis that the trace ever has, if they move."""
        i = "xyz".index(axis)
        if self.shape is None or self.rotations is None or self.translations is None:
            return [self.positions[i]] if i < len(self.positions) else []
        return [self.rotations[:, i] @ self.shape.T + self.translations[:, i, None]]

    def frames(self, like: int | None = None) -> dict[str, Any]:
        """Plain data for the browser, which plays it without asking again; `like` numbers a cursor with these poses."""
        if self.shape is None or self.rotations is None or self.translations is None:
            positions = [typed(values) for values in self.positions]
            return {"trace": self.trace, "track": self.track, "points": self.points, "positions": positions}
        found: dict[str, Any] = {"trace": self.trace, "track": self.track, "shape": typed(self.shape.ravel())}
        if like is not None:
            return found | {"like": like}
        return found | {
            "dimension": self.rotations.shape[1],
            "columns": self.rotations.shape[2],
            "rotations": typed(self.rotations.reshape(-1)),
            "translations": typed(self.translations.reshape(-1)),
        }


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
    """A figure and what moves in it."""

    figure: dict[str, Any]
    cursors: tuple[Cursor, ...] = ()

    def frames(self) -> list[dict[str, Any]]:
        """What moves, for the browser. The shapes of a body move alike: its poses are sent once."""
        first: dict[int, int] = {}
        found = []
        for number, cursor in enumerate(self.cursors):
            found.append(cursor.frames(first.get(id(cursor.rotations))))
            if cursor.rotations is not None:
                first.setdefault(id(cursor.rotations), number)
        return found


@dataclass
class Canvas:
    """Traces under construction; `add` returns the index of the new trace."""

    theme: Theme
    traces: list[Trace] = field(default_factory=list)
    cursors: list[Cursor] = field(default_factory=list)
    reach: dict[str, list[Array]] = field(default_factory=lambda: {axis: [] for axis in "xyz"})

    def add(self, kind: str, **properties: Any) -> int:
        """Append a trace; arrays become typed arrays."""
        trace = {"type": kind, "showlegend": False, "hoverinfo": "skip", **properties}
        for axis in "xyz":
            if isinstance(trace.get(axis), np.ndarray):
                self.reach[axis].append(trace[axis])
                trace[axis] = typed(trace[axis])
        self.traces.append(trace)
        return len(self.traces) - 1

    def cursor(self, look: Look, *positions: Array) -> None:
        """A marker that runs through positions with the clock."""
        start = {axis: [float(values[0])] for axis, values in zip("xyz", positions, strict=False)}
        index = self.add(
            "scatter3d" if len(positions) == 3 else "scatter",
            mode="markers",
            marker={
                "color": look.colour, "size": 6 if len(positions) == 3 else 12,
                "line": {"color": self.theme.ink, "width": 2},
            },
            **start,
        )  # fmt: skip
        self.cursors.append(Cursor(index, look.key, positions))

    def picture(self, layout: dict[str, Any]) -> Picture:
        """The finished picture. A flat one stands still while things move in it: its axes hold all they ever reach."""
        if self.cursors and "xaxis" in layout:
            for axis in "xy":
                moving = [places for cursor in self.cursors for places in cursor.places(axis)]
                hold(layout[f"{axis}axis"], [*self.reach[axis], *moving])
        return Picture({"data": self.traces, "layout": layout}, tuple(self.cursors))


def typed(values: Array) -> dict[str, Any]:
    """An array as base64 of 32-bit floats, which plotly and the player read directly."""
    data = np.ascontiguousarray(values, dtype="<f4")
    result = {"dtype": "f4", "bdata": b2a_base64(data.data, newline=False).decode("ascii")}
    if data.ndim > 1:
        result["shape"] = ", ".join(map(str, data.shape))
    return result


@lru_cache(maxsize=64)
def thin(samples: int, limit: int = 700) -> Array:
    """Indices of at most `limit` evenly spread samples, first and last included."""
    return np.unique(np.linspace(0, samples - 1, min(samples, limit)).round().astype(int))


def flat_layout(theme: Theme, x: str, y: str, equal: bool = False, **more: Any) -> dict[str, Any]:
    """Layout of a two-dimensional plot: zoom survives updates, clicks on empty area count."""
    axis = {
        "gridcolor": theme.grid, "zerolinecolor": theme.faint, "linecolor": theme.faint, "ticks": "outside",
        "tickcolor": theme.faint,
    }  # fmt: skip
    layout = {
        **common(theme),
        "xaxis": {**axis, "title": {"text": x}},
        "yaxis": {**axis, "title": {"text": y}},
        "clickanywhere": True,
        "hovermode": "closest",
        **more,
    }
    if equal:
        layout["yaxis"]["scaleanchor"] = "x"
        layout["xaxis"]["constrain"] = layout["yaxis"]["constrain"] = "domain"
    return layout


def hold(axis: dict[str, Any], arrays: list[Array]) -> None:
    """Give an axis the range of everything on it and a little more; plotly's own would follow what moves."""
    logarithmic = axis.get("type") == "log"
    values = np.concatenate([each.ravel() for each in arrays])
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    if logarithmic:
        low, high = np.log10(low), np.log10(high)
    # What differs by less than the browser's 32-bit floats is one value.
    room = MARGIN * (high - low) if high - low > 1e-6 * max(abs(low), abs(high)) else 1.0
    axis["range"] = [float(low - room), float(high + room)]


def label(name: str, unit: str) -> str:
    """An axis label: p_theta (kg m^2/s) as p_θ (kg m²/s), gamma1 as γ₁."""
    pretty = name
    for word, letter in GREEK.items():
        if word in pretty:
            pretty = pretty.replace(word, letter).translate(LOWERED)
    return f"{pretty} ({unit.replace('^2', '²')})" if unit else pretty


def labels(names: list[tuple[str, str]]) -> str:
    """The label of an axis with several things on it, as (name, unit): a unit that all share is told once."""
    units = {unit for _, unit in names}
    if len(units) > 1:
        return ", ".join(label(name, unit) for name, unit in names)
    return label(", ".join(label(name, "") for name, _ in names), *units)


def common(theme: Theme) -> dict[str, Any]:
    """What all layouts share."""
    return {
        "paper_bgcolor": theme.paper,
        "plot_bgcolor": theme.paper,
        "font": {"color": theme.ink, "size": theme.size, "family": SANS},
        "margin": {"l": 4.8 * theme.size, "r": theme.size, "t": 2.2 * theme.size, "b": 3.4 * theme.size},
        "uirevision": "keep",
        "dragmode": "pan",
        "legend": {
            "orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0.0, "font": {"size": theme.size - 1},
            "bgcolor": "rgba(0,0,0,0)",
        },
    }  # fmt: skip


def notice(theme: Theme, text: str | None) -> list[dict[str, Any]]:
    """An annotation on the plot, for a run that stopped early."""
    if not text:
        return []
    words, lines = text.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 58:
            lines.append("")
        lines[-1] += f"{word} "
    return [
        {
            "text": "<br>".join(line.strip() for line in lines), "xref": "paper", "yref": "paper", "x": 0.01, "y": 0.01,
            "xanchor": "left", "yanchor": "bottom", "showarrow": False, "align": "left", "bgcolor": theme.paper,
            "opacity": 0.88, "bordercolor": theme.ink, "borderpad": 3,
            "font": {"size": theme.size - 2, "color": theme.ink},
        }
    ]  # fmt: skip
