"""Rotations against the step: their angles, and the angles of their axes to the momentum, in two panels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nhviz.figures.flat import flat_axis, inside, word
from nhviz.figures.style import Array, Canvas, Look, Picture, Theme, common, text_colour

DOMAINS = ([0.0, 0.44], [0.56, 1.0])
TITLES = ("Angle (°)", "Axis to <i>K</i> (°)")
TOPS = ((190.0, [0, 90, 180]), (95.0, [0, 30, 60, 90]))


@dataclass(frozen=True)
class Branch:
    """A piece of a curve of rotations on which the step grows or falls: steps, angles and axes to K, in degrees."""

    steps: Array
    angles: Array
    axes: Array
    kind: str = ""

    @property
    def parts(self) -> tuple[Array, Array]:
        """What both panels show."""
        return self.angles, self.axes


@dataclass(frozen=True)
class Merging:
    """All branches, the rotations at the present step (angles, axes to K), and the fold (step, angle, axis to K)."""

    branches: Sequence[Branch]
    here: Sequence[tuple[float, float, str]]
    step: float
    fold: tuple[float, float, float] | None
    last: float


def merging(theme: Theme, look: Look, shown: Merging) -> Picture:
    """Curves that end in pairs; the principal in the method's colour, the one that is followed wide, in ink."""
    canvas = Canvas(theme)
    styles = {"": (theme.soft, 1.6), "followed": (theme.ink, 3.2), "principal": (look.colour, 3.2)}
    for kind, (colour, width) in styles.items():
        for panel, name in enumerate(("", "2")):
            chosen = [branch for branch in shown.branches if branch.kind == kind]
            if chosen:
                x, y = (
                    np.concatenate([np.append(part, np.nan) for part in parts])
                    for parts in ([b.steps for b in chosen], [b.parts[panel] for b in chosen])
                )
                # A rotation by no angle has no axis: there is a gap.
                canvas.add(
                    "scatter", name=kind or "other", x=np.where(np.isnan(y), np.nan, x), y=y, xaxis=f"x{name}",
                    yaxis=f"y{name}", mode="lines", line={"color": colour, "width": width * theme.weight},
                )  # fmt: skip
    add_dots(canvas, look, shown)
    layout = two_panels(theme, shown)
    if shown.fold is not None:
        place = {"xanchor": "right", "xshift": -9, "font": {"color": theme.ink}}
        layout["annotations"].append(word(theme, shown.fold[0], shown.fold[1], "fold", **place))
    principal = [branch for branch in shown.branches if branch.kind == "principal"]
    if principal:
        steps, angles = principal[0].steps, principal[0].angles
        middle = int(np.searchsorted(steps, 0.5 * steps[-1]))
        note = {"xanchor": "left", "yanchor": "top", "xshift": 5, "font": {"color": text_colour(theme, look.colour)}}
        layout["annotations"].append(word(theme, float(steps[middle]), float(angles[middle]), "principal", **note))
    return canvas.picture(layout)


def add_dots(canvas: Canvas, look: Look, shown: Merging) -> None:
    """The rotations at the present step, and the fold as an open dot."""
    theme = canvas.theme
    edge = {"color": theme.paper, "width": 1.5 * theme.weight}
    for panel, name in enumerate(("", "2")):
        axes = {"xaxis": f"x{name}", "yaxis": f"y{name}", "mode": "markers"}
        for kind in ("", "followed", "principal"):
            values = [here[panel] for here in shown.here if here[2] == kind]
            if values:
                colour = look.colour if kind == "principal" else theme.ink if kind else theme.soft
                marker = {"color": colour, "size": (10.0 if kind else 6.5) * theme.weight, "line": edge}
                canvas.add("scatter", name="here", x=[shown.step] * len(values), y=values, marker=marker, **axes)
        if shown.fold is not None:
            ring = {
                "color": theme.paper,
                "size": 8 * theme.weight,
                "line": {"color": theme.ink, "width": 1.8 * theme.weight},
            }
            canvas.add("scatter", name="fold", x=[shown.fold[0]], y=[shown.fold[1 + panel]], marker=ring, **axes)


def two_panels(theme: Theme, shown: Merging) -> dict[str, Any]:
    """The axes of both panels, their titles, and a line at the present step in each."""
    layout = common(theme) | {
        "margin": {"l": 2.8 * theme.size, "r": 0.9 * theme.size, "t": 1.8 * theme.size, "b": 1.9 * theme.size},
        "clickanywhere": True, "annotations": [], "shapes": [],
    }  # fmt: skip
    for panel, name in enumerate(("", "2")):
        top, ticks = TOPS[panel]
        layout[f"xaxis{name}"] = flat_axis(theme) | {
            "domain": DOMAINS[panel], "range": [0.0, shown.last], "anchor": f"y{name}", "nticks": 4, "zeroline": False,
        }  # fmt: skip
        layout[f"yaxis{name}"] = flat_axis(theme) | {
            "range": [0.0, top], "tickvals": ticks, "anchor": f"x{name}", "zeroline": False,
        }  # fmt: skip
        layout["shapes"].append(
            {"type": "line", "xref": f"x{name}", "yref": f"y{name} domain", "x0": shown.step, "x1": shown.step,
             "y0": 0, "y1": 1, "line": {"color": theme.faint, "width": theme.weight}, "layer": "below"}
        )  # fmt: skip
        layout["annotations"] += [
            inside(theme, "<i>ε</i> (s)", "across", name),
            {"text": f"<b>{TITLES[panel]}</b>", "name": "upwards", "xref": f"x{name} domain", "yref": "paper", "x": 0,
             "y": 1, "xanchor": "left", "yanchor": "bottom", "showarrow": False,
             "font": {"size": theme.size + 0.5, "color": theme.ink}},
        ]  # fmt: skip
    return layout
