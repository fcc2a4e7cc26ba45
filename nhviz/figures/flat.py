"""Layouts of pictures in the plane: quiet axes, and words at the things that they name."""

from collections.abc import Sequence
from typing import Any

from nhviz.figures.style import SERIF, Theme, common, fade


def flat_layout(
    theme: Theme,
    x: str,
    y: str,
    equal: bool = False,
    words: Sequence[dict[str, Any]] = (),
    handles: Sequence[dict[str, Any]] = (),
    clicks: bool = True,
) -> dict[str, Any]:
    """Layout of a two-dimensional plot: zoom survives updates, clicks on empty area count.

    The titles of the axes and other `words` stand inside; `handles` are what can be dragged by hand.
    """
    layout = {
        **common(theme),
        "margin": {"l": 3.1 * theme.size, "r": 0.9 * theme.size, "t": 4, "b": 1.9 * theme.size},
        "xaxis": flat_axis(theme),
        "yaxis": flat_axis(theme),
        "annotations": [inside(theme, x, "across"), inside(theme, y, "upwards"), *words],
        "clickanywhere": clicks,
    }
    if equal:
        layout["yaxis"]["scaleanchor"] = "x"
    if handles:
        layout["meta"] = {"handles": list(handles)}
    return layout


def flat_axis(theme: Theme) -> dict[str, Any]:
    """An axis with few quiet ticks."""
    return {
        "gridcolor": theme.grid, "zerolinecolor": theme.line, "zerolinewidth": 1, "ticks": "", "nticks": 6,
        "tickfont": {"size": theme.size - 0.5, "color": theme.soft}, "ticklabelstandoff": 2,
    }  # fmt: skip


def inside(theme: Theme, text: str, way: str, panel: str = "", above: bool = False) -> dict[str, Any]:
    """The title of an axis within its panel: that across at the lower right, that upwards at the upper left.

    In a low panel it would hide curves: there it stands `above`.
    """
    corner = (
        {"x": 1, "y": 0, "xanchor": "right", "yanchor": "bottom"}
        if way == "across"
        else {"x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom" if above else "top"}
    )
    return {
        "text": text, "name": way, "xref": f"x{panel} domain", "yref": f"y{panel} domain", **corner,
        "showarrow": False, "font": {"size": theme.size + 0.5, "color": theme.soft, "family": SERIF},
        "bgcolor": fade(theme.paper, 0.8), "borderpad": 1,
    }  # fmt: skip


def word(theme: Theme, x: float, y: float, text: str, **more: Any) -> dict[str, Any]:
    """A word at a place of a flat picture; called "wide" it is shown only where there is room.

    Called "free" in a picture with notes, the browser moves it to where nothing is drawn.
    """
    font = {"size": theme.size, "color": theme.soft} | more.pop("font", {})
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": font, **more}
