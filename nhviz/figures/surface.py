"""Momentum loci in space: the part of them that shows the runs, and the whole in a corner if that is far more.

A surface is a grid (rows, columns, 3), a curve on it (3, n).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nhviz.figures import space
from nhviz.figures.space import Camera, corners
from nhviz.figures.style import Array, Canvas, Orbit, Picture, Theme
from nhviz.shapes import cube_walk

ROOM = 0.3
"""Of the part that is shown, the runs take this share of one side at least."""
INSET = {"x": [0.74, 1.0], "y": [0.65, 0.99]}
"""Where in the picture the whole is."""
CLOSE = 0.8
"""A smaller part has no room for words beside its curves."""
ASIDE = 0.16
"""How far words stand beside a curve."""
SMALL = 0.5
"""A part that is smaller than this, side by side, comes with the whole in a corner."""


@dataclass(frozen=True)
class Part:
    """A box of momenta: its corners, and how large it is beside the box of the whole surface."""

    low: Array
    high: Array
    share: float

    @property
    def is_small(self) -> bool:
        """Whether one would like to see where in the whole it is."""
        return self.share < SMALL

    def touches(self, points: Array) -> Array:
        """Which rows of points (rows, columns, 3) come into the box."""
        return np.all((points >= self.low) & (points <= self.high), axis=-1).any(axis=1)


@dataclass(frozen=True)
class Locus:
    """What a picture of a locus shows: curves in ink, and dashed ones by their words.

    Where the part is small, `wholes` are the surfaces and `far_curves` the curves seen from afar.
    """

    axes: tuple[str, str, str]
    camera: Camera
    ratio: tuple[float, float, float]
    part: Part
    surfaces: Sequence[Array]
    curves: Sequence[Array]
    wholes: Sequence[Array]
    far_curves: Sequence[Array]
    plane: Array | None = None
    named: dict[str, Array] = field(default_factory=dict)


def part_with(whole: tuple[Array, Array], runs: tuple[Array, Array], enough: float = ROOM) -> Part:
    """The whole while the runs take `enough` of one of its sides, else a part of its shape about them.

    How large the part is depends continuously on the runs: the fourth power leads from the whole, on which they may be
    small, to where they take their share of it.
    """
    whole = with_depth(*whole)
    sides = whole[1] - whole[0]
    extent = float(np.max((runs[1] - runs[0]) / sides))
    if extent == 0.0:
        return Part(*whole, 1.0)
    # The runs fit whatever their sides are.
    share = min(1.0, max(extent / ROOM, (extent / enough) ** 4))
    middle = 0.5 * (runs[0] + runs[1])
    low = np.clip(middle - 0.5 * share * sides, whole[0], whole[1] - share * sides)
    return Part(low, low + share * sides, share)


def with_depth(low: Array, high: Array) -> tuple[Array, Array]:
    """A box with a little room about it that is no sheet: each side at least a hundredth of the longest."""
    middle, half = 0.5 * (low + high), 0.52 * (high - low)
    half = np.maximum(half, 0.01 * half.max() if half.max() > 0.0 else 1.0)
    return middle - half, middle + half


def locus(theme: Theme, shown: Locus, orbits: Sequence[Orbit]) -> Picture:
    """Surfaces in calm colours, geometry in ink, and the runs in theirs."""
    canvas = Canvas(theme)
    part = shown.part
    for number, points in enumerate(shown.surfaces):
        add_surface(canvas, points, number, part.low[2], part.high[2])
    if shown.plane is not None:
        x, y, z = np.moveaxis(shown.plane, -1, 0)
        scale = [[0, theme.faint], [1, theme.faint]]
        canvas.add("surface", x=x, y=y, z=z, opacity=0.05, showscale=False, colorscale=scale, name="plane")
    add_geometry(canvas, shown, shown.curves)
    lift = space.LIFT * float(part.high[2] - part.low[2])
    for orbit in orbits:
        space.add_orbit(canvas, orbit, lift)
    for orbit in orbits:
        space.add_head(canvas, orbit, 3.0 * lift)
    layout = space.scene_layout(theme, shown.axes, shown.camera, near=True)
    space.show_box(layout["scene"], part.low, part.high, shown.ratio)
    if part.is_small:
        layout["scene2"] = add_inset(canvas, shown)
    return canvas.picture(layout)


def add_surface(canvas: Canvas, points: Array, number: int, low: float, high: float, **more: Any) -> None:
    """A surface coloured by its height between low and high; the second is greyer than the first."""
    theme = canvas.theme
    bottom, top = (theme.surface_low, theme.surface_high) if number == 0 else (theme.faint, theme.line)
    x, y, z = np.moveaxis(points, -1, 0)
    canvas.add(
        "surface", x=x, y=y, z=z, opacity=0.66 if number == 0 else 0.5, showscale=False, cmin=float(low),
        cmax=float(high), colorscale=[[0, bottom], [1, top]], hoverinfo="x+y+z", lighting=space.LIGHT,
        lightposition=space.LIGHT_FROM, contours={axis: {"highlight": False} for axis in "xyz"}, **more,
    )  # fmt: skip


def add_geometry(canvas: Canvas, shown: Locus, curves: Sequence[Array], **more: Any) -> None:
    """Curves in ink; dashed ones with their words."""
    theme = canvas.theme
    for curve in curves:
        space.add_line(canvas, curve, theme.ink, 2.6, name="curve", **more)
    for words, curve in shown.named.items():
        space.add_line(canvas, curve, theme.ink, 3.4, name=words, line={"dash": "dash"}, **more)
        if shown.part.share > CLOSE:
            space.add_words(canvas, beside(shown, curve), words, "middle left", name="words")


def beside(shown: Locus, curve: Array) -> Array:
    """A place to the left of where a curve is leftmost in the opening view, off the surface."""
    eye, sides = shown.camera.eye, shown.part.high - shown.part.low
    left = sides * np.array([eye[1], -eye[0], 0.0]) / shown.ratio
    leftmost = curve[:, np.argmax(left / sides**2 @ curve)]
    return np.asarray(leftmost + ASIDE * left)


def add_inset(canvas: Canvas, shown: Locus) -> dict[str, Any]:
    """The whole in a second scene, with the part as a box in it; its layout."""
    theme, part = canvas.theme, shown.part
    low, high = with_depth(*corners(*map(space.sketched, shown.wholes)))
    for number, points in enumerate(shown.wholes):
        add_surface(canvas, points[::2, ::2], number, low[2], high[2], scene="scene2")
    add_geometry(canvas, shown, shown.far_curves, scene="scene2")
    edges = 0.5 * (part.low + part.high) + 0.5 * (part.high - part.low) * cube_walk(3)
    space.add_line(canvas, edges.T, theme.ink, 2.0, name="part", scene="scene2")
    x, y, z = (np.array([value]) for value in 0.5 * (part.low + part.high))
    marker = {"color": theme.ink, "size": 3.0 * theme.weight}
    canvas.add("scatter3d", x=x, y=y, z=z, mode="markers", marker=marker, name="here", scene="scene2")
    scene: dict[str, Any] = space.scene_layout(theme, (), shown.camera)["scene"]
    space.show_box(scene, low, high, shown.ratio)
    return scene | {"domain": INSET}
