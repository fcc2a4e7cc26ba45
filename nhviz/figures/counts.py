"""How many rotations a step has, as stepped colours: on the globe of verticals, and over step and angle.

More rotations are farther from the paper: darker on a light page, brighter on a dark one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nhviz.figures import space, verticals
from nhviz.figures.arrays import outer
from nhviz.figures.flat import flat_layout
from nhviz.figures.space import Camera, add_line, add_words
from nhviz.figures.style import SERIF, Array, Canvas, Coming, Orbit, Picture, Theme
from nhviz.sweeps.value import Sweep

COUNTS = (0, 2, 4, 6, 8)
LIGHT_SET = ("#eef1f4", "#fbdcc2", "#f3a56b", "#cf6118", "#6e2700")
DARK_SET = ("#262e37", "#5e3313", "#a54d12", "#e58638", "#ffdcb8")
UNKNOWN = -2.0
"""What is not counted yet: one step below nothing."""
LIGHT = {"ambient": 0.78, "diffuse": 0.3, "specular": 0.06, "roughness": 0.8, "fresnel": 0.0}
LIGHT_FROM = {"x": 12000, "y": 1000, "z": 12000}
FROM = Camera((0.9, 0.34, 0.5), (0.0, 0.0, 0.04))
REACH, NEAR = 1.45, 1.0
"""Half the side of the room about the globe, and how near that is: nothing outside of it is seen."""
WIDE = 1.1
"""In a picture that is not so many times as wide as high it is seen from farther away."""
BELOW = 3.6
"""So much of a narrow one is left free below for the legend, in sizes of its font."""
BETWEEN = 4
"""So many pieces lead from one point of a fold to the next."""
WAY = np.arange(BETWEEN) / BETWEEN
HERMITE = (1.0 - WAY) ** 2 * (1.0 + 2.0 * WAY), WAY * (1.0 - WAY) ** 2, WAY**2 * (WAY - 1.0)
"""What the first point, and the directions at both, add to a cubic between two points."""
SAME = 1e-9
"""What is nearer is one point."""
ABOVE, DOT = 1.006, (1.05, 1.07)
"""How far the fold and the two discs of the present vertical stand from the middle of the globe."""


def colours(theme: Theme) -> tuple[str, ...]:
    """A colour for each count, away from the paper."""
    return DARK_SET if theme.paper < theme.ink else LIGHT_SET


def stepped(theme: Theme) -> dict[str, Any]:
    """The colour scale, a band for what is unknown and for each count, and the numbers at its ends."""
    bands = (theme.paper, *colours(theme))
    scale = [[(i + side) / len(bands), colour] for i, colour in enumerate(bands) for side in (0, 1)]
    return {"colorscale": scale, "cmin": UNKNOWN - 1.0, "cmax": COUNTS[-1] + 1.0, "showscale": False}


@dataclass(frozen=True)
class Globe:
    """What stands on the globe: counts by latitude (y) and longitude (x), the fold (3, n), unit vectors K and gamma.

    `axis` is that of a rotation, in its colour. `runs` are where gamma and K go on from there, as unit vectors.
    """

    sweep: Sweep
    folds: Sequence[Array]
    momentum: Array | None
    vertical: Array
    axis: tuple[Array, str] | None
    runs: Sequence[Orbit] = ()


def globe(theme: Theme, shown: Globe) -> Picture:
    """The globe of verticals, coloured by counts that come as a sweep."""
    canvas = Canvas(theme)
    latitude, longitude = shown.sweep.y.values if shown.sweep.y else np.zeros(1), shown.sweep.x.values
    number = canvas.add(
        "surface", name="counts", x=outer(np.cos(latitude), np.cos(longitude)),
        y=outer(np.cos(latitude), np.sin(longitude)), z=outer(np.sin(latitude), np.ones(longitude.size)),
        surfacecolor=outer(np.full(latitude.size, UNKNOWN), np.ones(longitude.size)), hoverinfo="text",
        lighting=LIGHT, lightposition=LIGHT_FROM, contours={axis: {"highlight": False} for axis in "xyz"},
        **stepped(theme),
    )  # fmt: skip
    for curve in shown.folds:
        add_line(canvas, ABOVE * rounded(curve), theme.ink, 6.0, name="fold")
    add_axes(canvas)
    if shown.momentum is not None:
        add_arrow(canvas, shown.momentum, "<i>K</i>")
    if shown.axis is not None:
        add_axis(canvas, *shown.axis)
    for run in shown.runs:
        verticals.add_dots(canvas, run)
    for away, colour, size in zip(DOT, (theme.paper, theme.ink), (8.5, 6.0), strict=True):
        x, y, z = (away * shown.vertical[:, None]).astype(float)
        marker = {"color": colour, "size": size * theme.weight, "line": {"width": 0}}
        canvas.add("scatter3d", x=x, y=y, z=z, mode="markers", name="vertical", marker=marker)
    layout = space.scene_layout(theme, (), FROM, near=True)
    space.show_box(layout["scene"], np.full(3, -REACH), np.full(3, REACH), (NEAR, NEAR, NEAR))
    layout["annotations"] = legend(theme)
    layout["meta"] |= {"wide": WIDE, "below": BELOW * theme.size}
    made = canvas.picture(layout)
    # The area of a cell; the last meridian is the first one again.
    around = np.ones(longitude.size)
    around[0] = around[-1] = 0.5
    coming = Coming(
        number, shown.sweep.to_dict(), "surfacecolor", rows=np.cos(latitude), columns=around,
        words="{value} real rotations",
    )  # fmt: skip
    return replace(made, coming=(coming,))


def rounded(curve: Array) -> Array:
    """A curve of unit vectors (3, n) without corners, through all its points; it may be closed.

    Between two of them it is a cubic; at each, its direction is that of the parabola through it and its neighbours.
    """
    points = curve[:, np.append(np.abs(np.diff(curve, axis=1)).max(axis=0) > SAME, True)]
    if points.shape[1] < 3:
        return curve
    closed = np.array_equal(points[:, 0], points[:, -1])
    ends = points[:, [-2, 1]] if closed else 2.0 * points[:, [0, -1]] - points[:, [1, -2]]
    steps = np.diff(np.column_stack([ends[:, 0], points, ends[:, 1]]), axis=1)
    sizes = np.sqrt((steps * steps).sum(axis=0))
    slopes = steps / sizes
    before, after = sizes[:-1], sizes[1:]
    tangents = (after * slopes[:, :-1] + before * slopes[:, 1:]) / (before + after)
    here, there, size = points[:, :-1, None], points[:, 1:, None], sizes[1:-1, None]
    found = (
        here * HERMITE[0] + there * (1.0 - HERMITE[0])
        + size * (tangents[:, :-1, None] * HERMITE[1] + tangents[:, 1:, None] * HERMITE[2])
    ).reshape(3, -1)  # fmt: skip
    found = np.column_stack([found, points[:, -1]])
    return np.asarray(found / np.sqrt((found * found).sum(axis=0)))


def add_axes(canvas: Canvas) -> None:
    """The axes of the body where they leave the globe, with their names."""
    for i in range(3):
        ends = np.outer(np.eye(3)[i], [1.0, 1.1])
        add_line(canvas, ends, canvas.theme.ink, 2.0, name="axis")
        font = {"size": canvas.theme.size + 1.5, "color": canvas.theme.soft, "family": SERIF}
        add_words(canvas, 1.19 * np.eye(3)[i], f"γ{'₁₂₃'[i]}", "middle center", name="words")
        canvas.traces[-1]["textfont"] = font


def add_arrow(canvas: Canvas, along: Array, text: str) -> None:
    """An arrow that leaves the globe along a unit vector."""
    theme = canvas.theme
    add_line(canvas, np.outer(along, [1.0, 1.2]), theme.ink, 6.0, name="momentum")
    x, y, z = (1.3 * along[:, None]).astype(float)
    u, v, w = (0.12 * along).tolist()
    canvas.add(
        "cone", x=x, y=y, z=z, u=[u], v=[v], w=[w], anchor="tip", sizemode="absolute", sizeref=0.14, showscale=False,
        colorscale=[[0, theme.ink], [1, theme.ink]], name="momentum",
        lighting={"ambient": 1.0, "diffuse": 0.0, "specular": 0.0},
    )  # fmt: skip
    add_words(canvas, 1.14 * along, text, "top left", name="momentum words")
    canvas.traces[-1]["textfont"] = {"size": theme.size + 4.0, "color": theme.ink, "family": SERIF}


def add_axis(canvas: Canvas, axis: Array, colour: str) -> None:
    """The axis of a rotation: both its ends outside the globe, a knob on the one about which it turns to the left."""
    for sign in (1.0, -1.0):
        add_line(canvas, np.outer(sign * axis, [1.0, 1.28]), colour, 5.0, name="rotation axis")
    x, y, z = (1.28 * axis[:, None]).astype(float)
    marker = {"color": colour, "size": 5.0 * canvas.theme.weight, "line": {"width": 0}}
    canvas.add("scatter3d", x=x, y=y, z=z, mode="markers", name="rotation axis", marker=marker)


def legend(theme: Theme) -> list[dict[str, Any]]:
    """A swatch for each count with its share of the globe: at the left; where there is no room for it, below."""
    line, found = 1.65 * theme.size, [said(theme, "of the globe", 0.0, 8.0, 5.0 * 1.65 * theme.size + 8.0, "wide")]
    for i, (count, colour) in enumerate(zip(COUNTS, colours(theme), strict=True)):
        up, text = (4 - i) * line + 8.0, f"<b>{count}</b>&nbsp; {{share {count}}}"
        below = f"<b>{count}</b><br>{{share {count}}}"
        for name, x, shift, high, words in (("wide", 0.0, 10.0, up, text), ("narrow", 0.2 * i, 10.0, 8.0, below)):
            found += [
                swatch(theme, colour, x, shift, high + 2.0, name),
                said(theme, words, x, shift + 1.5 * theme.size, high, name),
            ]
    return found


def said(theme: Theme, text: str, x: float, right: float, up: float, name: str) -> dict[str, Any]:
    """Words so many pixels to the right of a share of the picture, and above its lower edge; `name` says when."""
    return {
        "text": text, "name": name, "xref": "paper", "yref": "paper", "x": x, "y": 0.0, "xanchor": "left",
        "yanchor": "bottom", "xshift": right, "yshift": up, "showarrow": False, "align": "left",
        "font": {"size": theme.size, "color": theme.soft},
    }  # fmt: skip


def swatch(theme: Theme, colour: str, x: float, right: float, up: float, name: str) -> dict[str, Any]:
    """A patch of a colour in the place of words."""
    look = {"bgcolor": colour, "bordercolor": theme.faint, "borderwidth": 0.8, "borderpad": 0}
    return said(theme, "&nbsp;&nbsp;&nbsp;", x, right, up, name) | look | {"font": {"size": theme.size - 2.0}}


def plane(theme: Theme, sweep: Sweep, fold: tuple[Array, Array], at: tuple[float, float]) -> Picture:
    """Counts over the step and the angle of K to gamma (degrees), which come as a sweep; the fold in ink, a dot."""
    canvas = Canvas(theme)
    steps, angles = sweep.x.values, np.degrees(sweep.y.values if sweep.y else np.zeros(1))
    scale = {"z" + name[1:] if name in ("cmin", "cmax") else name: value for name, value in stepped(theme).items()}
    number = canvas.add(
        "heatmap", name="counts", x=steps, y=angles, **scale, hoverinfo="all", zsmooth=False,
        hovertemplate="%{z} real rotations<extra></extra>",
    )  # fmt: skip
    # The line leaves the picture at its edge; a gap is one in both coordinates.
    near = fold[0] <= 2.0 * steps[-1]
    canvas.add(
        "scatter", name="fold", x=np.where(near, fold[0], np.nan), y=np.where(near, np.degrees(fold[1]), np.nan),
        mode="lines",
        line={"color": theme.ink, "width": 2.6 * theme.weight},
    )  # fmt: skip
    edge = {"color": theme.paper, "width": 2 * theme.weight}
    marker = {"color": theme.ink, "size": 10 * theme.weight, "line": edge}
    canvas.add("scatter", name="here", x=[at[0]], y=[float(np.degrees(at[1]))], mode="markers", marker=marker)
    layout = flat_layout(theme, "step <i>ε</i> (s)", "angle of <i>K</i> to <i>γ</i> (°)")
    half = 0.5 * float(steps[1] - steps[0])
    layout["xaxis"] |= {
        "range": [float(steps[0]) - half, float(steps[-1]) + half],
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] |= {"range": [0.0, 180.0], "tickvals": [0, 45, 90, 135, 180], "showgrid": False, "zeroline": False}
    return replace(canvas.picture(layout), coming=(Coming(number, sweep.to_dict(), "z"),))
