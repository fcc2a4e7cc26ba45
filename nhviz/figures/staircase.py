"""A rotation number over a parameter: the straight line of a flow, the staircase of a map, one of its steps enlarged.

Numbers of the parameter are written in full: a step may be narrower than a browser's 32-bit floats can tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nhviz.figures.flat import flat_axis, flat_layout, word
from nhviz.figures.orbits import ringed
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, fade, text_colour

CURVE, ENLARGED = "staircase", "enlarged"
"""The traces whose heights a sweep computes."""
ACROSS, UPWARDS = (0.03, 0.47), (0.41, 0.92)
"""Where the enlarged step stands in the picture, in shares of it."""
EDGE = 0.015
"""The share of the picture that is left of 0 and below it, so that both zeros have room."""
AHEAD = 1.13
"""The picture shows so many times the fold."""
DIGITS = 8


@dataclass(frozen=True)
class Stair:
    """A step: its fraction in words, its height, and the interval of the parameter; `width` as it is told."""

    name: str
    value: float
    low: float
    high: float
    width: str

    @property
    def middle(self) -> float:
        """Middle of the interval."""
        return 0.5 * (self.low + self.high)

    @property
    def window(self) -> tuple[float, float]:
        """The part of the parameter that an enlarged picture shows."""
        room = 1.55 * (self.high - self.low)
        return self.middle - room, self.middle + room


@dataclass(frozen=True)
class Staircase:
    """What is drawn: where it is now (h, rotation), the fold, the slope of the flow, the steps, and one to enlarge.

    `curve` and `window` are the values of h at which heights are to come, `reach` how high both ends of the window are.
    """

    h: float
    rotation: float | None
    fold: float
    top: float
    slope: float
    stairs: Sequence[Stair]
    curve: Array
    near: Stair | None = None
    window: Array | None = None
    reach: tuple[float, float] = (0.0, 0.0)


def whole(theme: Theme, drawn: Staircase, flow: Look | None, look: Look | None) -> Picture:
    """The whole staircase up to the fold, with one step enlarged in its empty corner."""
    canvas, words = Canvas(theme), []
    end = AHEAD * drawn.fold
    shapes = [
        beyond(theme, drawn.fold, end),
        {"type": "line", "x0": drawn.fold, "x1": drawn.fold, "y0": 0, "y1": 1, "yref": "y domain",
         "line": {"color": theme.ink, "width": 1.2 * theme.weight}},
    ]  # fmt: skip
    words.append(word(theme, drawn.fold, 1.0, "fold", yref="y domain", xanchor="left", xshift=4, yanchor="top"))
    if flow is not None:
        words.append(add_flow(canvas, drawn, flow, end))
    if look is not None:
        words += add_stairs(canvas, drawn, look)
        if drawn.near is not None and drawn.window is not None:
            more, inside = add_enlarged(canvas, drawn, look, "2")
            edge = {"color": theme.line, "width": 1}
            paper = box(drawn, drawn.near.window, "2", fillcolor=theme.paper, line=edge)
            shapes += [*wedge(theme, drawn, end), paper, *more]
            words += inside
        add_present(canvas, drawn, look)
    layout = flat_layout(theme, "<i>h</i>", "half ovals per step", words=words)
    layout["xaxis"] |= {"range": [-EDGE * end, end], "zeroline": False}
    layout["yaxis"] |= {"range": [-EDGE * drawn.top, drawn.top], "zeroline": False}
    layout["shapes"] = shapes
    if look is not None and drawn.near is not None:
        layout |= inset(theme, drawn)
    return canvas.picture(layout)


def part(theme: Theme, drawn: Staircase, look: Look) -> Picture:
    """One step alone, as large as the picture."""
    canvas = Canvas(theme)
    shapes, words = add_enlarged(canvas, drawn, look, "")
    add_present(canvas, drawn, look)
    layout = flat_layout(theme, "<i>h</i>", "half ovals per step", words=words)
    assert drawn.near is not None
    low, high = drawn.near.window
    layout["xaxis"] |= {"range": [low, high], "zeroline": False, "nticks": 4, "tickformat": ".8~f"}
    layout["yaxis"] |= {"range": list(heights(drawn)), "zeroline": False, "tickformat": ".6~f"}
    layout["shapes"] = shapes
    return canvas.picture(layout)


def heights(drawn: Staircase) -> tuple[float, float]:
    """The heights that an enlarged step needs, with room for its words."""
    low, high = drawn.reach
    room = 0.22 * (high - low)
    return low - room, high + 1.6 * room


def beyond(theme: Theme, low: float, high: float) -> dict[str, Any]:
    """A band behind everything between two values of the parameter."""
    return {
        "type": "rect", "x0": low, "x1": high, "y0": 0, "y1": 1, "yref": "y domain", "fillcolor": theme.band,
        "line": {"width": 0}, "layer": "below",
    }  # fmt: skip


def box(drawn: Staircase, across: tuple[float, float], axis: str, **more: Any) -> dict[str, Any]:
    """A rectangle below an enlarged step, as high as it is; plotly wants it in numbers of the axes."""
    low, high = heights(drawn)
    return {
        "type": "rect", "x0": across[0], "x1": across[1], "y0": low, "y1": high, "xref": f"x{axis}", "yref": f"y{axis}",
        "layer": "between", "line": {"width": 0}, **more,
    }  # fmt: skip


def wedge(theme: Theme, drawn: Staircase, end: float) -> list[dict[str, Any]]:
    """Two thin lines from the enlarged step to where it is."""
    assert drawn.near is not None
    at = {"x0": ACROSS[1] * end, "x1": drawn.near.middle, "y1": drawn.near.value, "xref": "x", "yref": "y"}
    line = {"color": theme.faint, "width": 0.8}
    return [
        {"type": "line", **at, "y0": share * drawn.top, "line": line, "layer": "between"} for share in UPWARDS
    ]  # fmt: skip


def inset(theme: Theme, drawn: Staircase) -> dict[str, Any]:
    """The axes of the enlarged step."""
    assert drawn.near is not None
    quiet = flat_axis(theme) | {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True}
    return {
        "xaxis2": quiet | {"domain": list(ACROSS), "anchor": "y2", "range": list(drawn.near.window)},
        "yaxis2": quiet | {"domain": list(UPWARDS), "anchor": "x2", "range": list(heights(drawn))},
    }


def add_flow(canvas: Canvas, drawn: Staircase, flow: Look, end: float) -> dict[str, Any]:
    """The straight line of the flow, which never locks; returns its words."""
    theme = canvas.theme
    canvas.add(
        "scatter", x=[0.0, end], y=[0.0, drawn.slope * end], mode="lines", name=flow.label, meta={"track": flow.key},
        line={"color": flow.colour, "width": 1.8 * theme.weight},
    )  # fmt: skip
    font = {"color": text_colour(theme, flow.colour)}
    x = 0.44 * drawn.fold
    return word(theme, x, drawn.slope * x, "flow: never locks", font=font, xanchor="left", yanchor="top", yshift=-4)


def add_stairs(canvas: Canvas, drawn: Staircase, look: Look) -> list[dict[str, Any]]:
    """The curve of the map, and its steps with their names; returns these."""
    theme = canvas.theme
    canvas.add(
        "scatter", x=drawn.curve.tolist(), mode="lines", name=CURVE,
        line={"color": look.colour, "width": 2.2 * theme.weight}, meta={"track": look.key}, hoverinfo="all",
        hovertemplate="%{y:.6f} at h = %{x:.6f}<extra></extra>",
    )  # fmt: skip
    canvas.add(
        "scatter", x=[one.middle for one in drawn.stairs], y=[one.value for one in drawn.stairs], mode="markers",
        name="steps", meta={"track": look.key},
        marker=ringed(theme, theme.paper, look.colour, 7, 1.6),
    )  # fmt: skip
    return [one for stair in drawn.stairs for one in named(theme, stair, look, stair is drawn.near)]


def named(theme: Theme, stair: Stair, look: Look, near: bool) -> list[dict[str, Any]]:
    """The fraction of a step at its left, and how wide it is, where there is room."""
    colour = text_colour(theme, look.colour) if near else theme.ink
    place: dict[str, Any] = {"xanchor": "right", "yanchor": "bottom" if near else "middle", "yshift": 2 if near else 0}
    place |= {"bgcolor": fade(theme.paper, 0.85), "borderpad": 0}
    size = theme.size
    found = [word(theme, stair.middle, stair.value, f"<b>{stair.name}</b>", xshift=-9 * theme.weight, **place,
                  font={"color": colour, "size": size + 1.0})]  # fmt: skip
    shift = -9 * theme.weight - 2.4 * size
    return [*found, word(theme, stair.middle, stair.value, f"{stair.width} wide", name="wide", xshift=shift, **place)]


def add_enlarged(
    canvas: Canvas, drawn: Staircase, look: Look, axis: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """One step with its edges in full: shapes behind it, and its words."""
    theme, near = canvas.theme, drawn.near
    assert near is not None
    assert drawn.window is not None
    where = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    at = {"xref": f"x{axis}", "yref": f"y{axis}"}
    canvas.add(
        "scatter", x=drawn.window.tolist(), mode="lines",
        name=ENLARGED, line={"color": look.colour, "width": 2.2 * theme.weight}, meta={"track": look.key}, **where,
        hoverinfo="all", hovertemplate="%{y:.8f} at h = %{x:.8f}<extra></extra>",
    )  # fmt: skip
    canvas.add(
        "scatter", x=[near.low, near.high], y=[near.value] * 2, mode="lines+markers", name="edges", **where,
        meta={"track": look.key}, line={"color": look.colour, "width": 2.2 * theme.weight},
        marker=ringed(theme, theme.paper, look.colour, 7, 1.6),
    )  # fmt: skip
    strip = box(drawn, (near.low, near.high), axis, fillcolor=fade(look.colour, 0.14))
    middle = {
        "type": "line", "x0": near.window[0], "x1": near.window[1], "y0": near.value, "y1": near.value, **at,
        "line": {"color": theme.faint, "width": 1, "dash": "dot"}, "layer": "between",
    }  # fmt: skip
    font = {"color": text_colour(theme, look.colour)}
    wide = {"name": "wide"} if axis else {}
    words = [
        word(theme, near.middle, near.value, "locked", yanchor="bottom", yshift=7, font=font, **at, **wide),
        word(theme, near.low, near.value, f"{near.low:.{DIGITS}f}", xanchor="right", yanchor="bottom", xshift=-5,
             yshift=12, **at, **wide),
        word(theme, near.high, near.value, f"{near.high:.{DIGITS}f}", xanchor="left", yanchor="top", xshift=5,
             yshift=-12, **at, **wide),
        word(theme, 0.02, 1.0, f"<b>The {near.name} plateau</b>, {near.width} wide", xref=f"x{axis} domain",
             yref=f"y{axis} domain", xanchor="left", yanchor="top", font={"color": theme.ink}, **wide)
        if axis else None,
    ]  # fmt: skip
    return [strip, middle, *folded_part(theme, drawn, axis)], [one for one in words if one is not None]


def folded_part(theme: Theme, drawn: Staircase, axis: str) -> list[dict[str, Any]]:
    """What of an enlarged step is beyond the fold, if any."""
    assert drawn.near is not None
    end = drawn.near.window[1]
    if drawn.fold >= end:
        return []
    line = {"color": theme.ink, "width": 1.2 * theme.weight}
    return [
        box(drawn, (drawn.fold, end), axis, fillcolor=theme.band),
        box(drawn, (drawn.fold, drawn.fold), axis, type="line", line=line),
    ]


def add_present(canvas: Canvas, drawn: Staircase, look: Look) -> None:
    """Where the page is now, in the whole and in what is enlarged."""
    if drawn.rotation is None:
        return
    theme = canvas.theme
    near, axes = drawn.near, ["", "2"] if any(t.get("name") == CURVE for t in canvas.traces) else [""]
    inside = near is not None and near.window[0] <= drawn.h <= near.window[1]
    for axis in axes if inside else [""]:
        canvas.add(
            "scatter", x=[drawn.h], y=[drawn.rotation], mode="markers", name="now", meta={"track": look.key},
            xaxis=f"x{axis}", yaxis=f"y{axis}",
            marker=ringed(theme, look.colour, theme.paper, 10, 1.5),
        )  # fmt: skip
