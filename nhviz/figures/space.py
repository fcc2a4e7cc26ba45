"""Scenes in space: their axes and their light, where the eye is, what of a scene is shown, and runs in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nhviz.figures.arrays import Array, Written, letters, typed
from nhviz.figures.orbits import FULL
from nhviz.figures.style import SANS, SERIF, Canvas, Cursor, Look, Orbit, Theme, Trace, common

LIGHT = {"ambient": 0.5, "diffuse": 0.62, "specular": 0.12, "roughness": 0.6, "fresnel": 0.1}
LIGHT_FROM = {"x": -9000, "y": 2000, "z": 6000}
WORDS_FROM = 560
"""A narrower scene has no room for the names and ticks of its axes."""
SYMBOLS = {"circle", "circle-open", "cross", "diamond", "diamond-open", "square", "square-open", "x"}
"""All markers that there are in space."""
CROSS = 13.0
"""Width of a cross in px."""
LIFT = 0.008
"""Runs on a surface stand above it by this part of the scene's height, their heads three times as high."""
MOST_COUNTED = 65535
"""The largest number of 16 bits."""


@dataclass(frozen=True)
class Camera:
    """Where the eye is and what it looks at, in units of the scene's size."""

    eye: tuple[float, float, float]
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def place(self) -> dict[str, Any]:
        """As plotly wants it."""
        eye, centre = (dict(zip("xyz", point, strict=True)) for point in (self.eye, self.centre))
        return {"eye": eye, "center": centre}


@dataclass(frozen=True)
class Trail(Cursor):
    """The part of a curve up to the clock: at each instant its first `counts` points."""

    counts: Array = ()  # type: ignore[assignment]

    def whole(self) -> Trace:
        """The whole curve."""
        return {axis: typed(values) for axis, values in zip("xyz", self.positions, strict=False)}

    def frames(self, written: Written, like: int | None = None) -> dict[str, Any]:
        """Plain data for the browser."""
        positions = [written.typed(values) for values in self.positions]
        return {"trace": self.trace, "track": self.track, "positions": positions, "counts": counted(self.counts)}


def scene_layout(theme: Theme, names: Sequence[str], camera: Camera, near: bool = False) -> dict[str, Any]:
    """Layout of a scene without walls; one without names has no axes. What a user turns it to survives updates.

    The eye may be so `near` that the picture is cut off where a view is not wide.
    """
    axes = named_axes(theme, names) if names else {f"{axis}axis": {"visible": False} for axis in "xyz"}
    return {
        **common(theme),
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "scene": {
            **axes, "domain": {"x": [0.0, 1.0], "y": [0.0, 1.0]}, "camera": camera.place(), "bgcolor": "rgba(0,0,0,0)",
            "dragmode": "orbit", "uirevision": "keep",
        },
        "meta": {"scene_words_from": WORDS_FROM} | ({"near": True} if near else {}),
    }  # fmt: skip


def named_axes(theme: Theme, names: Sequence[str]) -> dict[str, Any]:
    """Three axes that hardly show: a light grid, few ticks, and symbols as in a text."""
    quiet = {
        "showbackground": False, "showspikes": False, "gridcolor": theme.grid, "zeroline": False, "showline": True,
        "linecolor": theme.line, "nticks": 4, "tickfont": {"size": 7.0 + 0.42 * theme.size, "color": theme.soft},
    }  # fmt: skip
    font = {"size": theme.size + 1.0, "color": theme.soft, "family": SERIF}
    titles = zip("xyz", names, strict=True)
    return {f"{axis}axis": {**quiet, "title": {"text": name, "font": font}} for axis, name in titles}


def show_box(scene: dict[str, Any], low: Array, high: Array, ratio: Sequence[float]) -> None:
    """Show the box from corner low to corner high, its sides as long as `ratio` says."""
    for i, axis in enumerate("xyz"):
        scene[f"{axis}axis"] |= {"range": [float(low[i]), float(high[i])]}
    scene["aspectmode"] = "manual"
    scene["aspectratio"] = {axis: float(side) for axis, side in zip("xyz", ratio, strict=True)}


def frame(layout: dict[str, Any], low: Array, high: Array) -> None:
    """Show the box from corner low to corner high with one scale on all axes, wholly in sight."""
    low, high = thickened(low, high)
    middle, half = 0.5 * (low + high), 0.53 * (high - low)
    share = half / half.max()
    scene = layout["scene"]
    show_box(scene, middle - half, middle + half, share)
    for i, axis in enumerate("xyz"):
        if scene[f"{axis}axis"].get("visible", True):
            scene[f"{axis}axis"]["nticks"] = 4 if share[i] > 0.4 else 2
    # A cube needs a camera farther away than a needle; in a low picture, what stands upright one farther still.
    away = max(0.8, 0.6 * float(np.linalg.norm(share)))
    layout["meta"]["upright"] = max(1.0, 1.06 * float(share[2]) / away)
    scene["camera"] = Camera((0.62 * away, -1.02 * away, 0.6 * away), (0.0, 0.0, 0.12 * float(share[2]) - 0.2)).place()


def thickened(low: Array, high: Array) -> tuple[Array, Array]:
    """Corners of a box without short sides: what hardly leaves a line or a plane would become a needle or a sheet."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    half = np.maximum(half, 0.25 * half.max() if half.max() > 0.0 else 1.0)
    return middle - half, middle + half


def sketched(points: Array) -> Array:
    """Every other point of a grid (rows, columns, 3), coordinates first: enough to tell how far it reaches."""
    return np.moveaxis(points[::2, ::2], -1, 0)


def corners(*clouds: Array) -> tuple[Array, Array]:
    """The least and the greatest coordinates of points (3, ...)."""
    points = np.concatenate([cloud.reshape(3, -1) for cloud in clouds], axis=1)
    return points.min(axis=1), points.max(axis=1)


def add_orbit(canvas: Canvas, orbit: Orbit, lift: float = 0.0) -> None:
    """A flow as a line, a map as small dots, `lift` above where they are."""
    look, weight = orbit.look, canvas.theme.weight
    x, y, z = orbit.drawn
    size = {"size": 1.9 * weight} if len(x) <= FULL else dot_sizes(len(x), 1.9 * weight)
    canvas.add(
        "scatter3d", x=x, y=y, z=z + lift, mode="markers" if orbit.discrete else "lines", name=look.label,
        hoverinfo="name", marker={"color": look.colour, "symbol": in_space(look.symbol),
                "line": {"color": look.colour, "width": 0}, "opacity": 1.0, **size},
        line={"color": look.colour, "width": 2.6 * weight}, meta=orbit.meta,
    )  # fmt: skip
    if orbit.stopped:
        add_cross(canvas, look, np.array([x[-1], y[-1], z[-1] + lift]))


@lru_cache(maxsize=64)
def dot_sizes(count: int, size: float) -> dict[str, Any]:
    """The diameters of so many dots, of which few are drawn in full and the others small, so that they are no band."""
    sizes: Array = np.full(count, 0.45 * size)
    sizes[:: -(-count // FULL)] = sizes[-1] = size
    # plotly halves the sizes of a list in space, and of nothing else.
    return {"size": typed(sizes), "sizeref": 0.5}


def add_head(canvas: Canvas, orbit: Orbit, lift: float = 0.0) -> None:
    """Where the clock is in a run."""
    look, (x, y, z) = orbit.look, orbit.moving
    positions = (x, y, z + lift)
    index = canvas.add(
        "scatter3d", mode="markers", meta={"track": look.key},
        marker={"color": look.colour, "symbol": in_space(look.head),
                "size": 5.0 * canvas.theme.weight, "line": {"width": 0}},
        **{axis: [float(values[0])] for axis, values in zip("xyz", positions, strict=True)},
    )  # fmt: skip
    canvas.cursors.append(Cursor(index, look.key, positions))


def add_cross(canvas: Canvas, look: Look, place: Array) -> None:
    """A cross where a run ended before its time."""
    theme = canvas.theme
    x, y, z = (np.array([value]) for value in place)
    # Plotly's own cross in space is a letter that few fonts have; this one is about half as wide as it is high.
    canvas.add(
        "scatter3d", x=x, y=y, z=z, mode="text", text=["×"], textposition="middle center", name="stopped",
        textfont={"size": 2.0 * CROSS * theme.weight, "color": theme.alarm, "family": SANS}, meta={"track": look.key},
    )  # fmt: skip


def add_line(canvas: Canvas, points: Array, colour: str, width: float, **more: Any) -> int:
    """A curve through points (3, n); `width` is in units of the theme's weight."""
    line = {"color": colour, "width": width * canvas.theme.weight} | more.pop("line", {})
    return canvas.add("scatter3d", x=points[0], y=points[1], z=points[2], mode="lines", line=line, **more)


def add_words(canvas: Canvas, place: Array, text: str, where: str, **more: Any) -> int:
    """Words at a place, on the side of it that plotly calls `where`."""
    theme = canvas.theme
    x, y, z = (np.array([value]) for value in place)
    return canvas.add(
        "scatter3d", x=x, y=y, z=z, mode="text", text=[text], textposition=where,
        textfont={"size": theme.size + 0.5, "color": theme.soft}, **more,
    )  # fmt: skip


def in_space(symbol: str) -> str:
    """The marker of a run in space, where there are few."""
    return symbol if symbol in SYMBOLS else ("circle-open" if symbol.endswith("-open") else "circle")


@lru_cache(maxsize=64)
def mixed(colour: str, other: str, share: float) -> str:
    """`share` of a colour #rrggbb and the rest of another."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * one + (1.0 - share) * two):02x}" for one, two in pairs)


def counted(counts: Array) -> dict[str, Any]:
    """Counts for the browser: 16-bit whole numbers, or floats where these would not do."""
    if int(np.max(counts, initial=0)) > MOST_COUNTED:
        return typed(counts)
    return {"dtype": "u2", "letters": letters(counts.astype("<u2").data)}


@lru_cache(maxsize=16)
def whole_numbers(data: bytes, rows: int = 1) -> list[dict[str, str]]:
    """Rows of 16-bit whole numbers for the browser; bodies hardly ever change."""
    length = len(data) // rows
    parts = (data[row * length : (row + 1) * length] for row in range(rows))
    return [{"dtype": "u2", "letters": letters(part)} for part in parts]
