"""The geometry of one displacement of the sleigh (FZ figure 7.1): both blades touch one circle."""

import numpy as np

from nhviz.figures.style import Array, Canvas, Picture, Theme, flat_layout, notice


def displacement(theme: Theme, turn: float, forward: float, sideways: float, stopped: str | None = None) -> Picture:
    """The step from (0, 0) with heading 0 to (forward, sideways) with heading `turn`; `stopped` says what is amiss."""
    canvas = Canvas(theme)
    end = np.array([forward, sideways])
    size = max(float(np.hypot(*end)), 1e-3)
    if abs(turn) > 1e-9 and sideways != 0.0:
        # The circle through both contact points that touches the first blade, on the side to which the step goes.
        centre = np.array([0.0, float(end @ end) / (2.0 * sideways)])
        radius = abs(centre[1])
        if radius < 20.0 * size:
            angle = np.linspace(0.0, 2.0 * np.pi, 181)
            circle = centre[:, None] + radius * np.array([np.cos(angle), np.sin(angle)])
            canvas.add("scatter", x=circle[0], y=circle[1], mode="lines", line={"color": theme.faint, "width": 1})
            for point in (np.zeros(2), end):
                spoke = np.array([centre, point]).T
                canvas.add(
                    "scatter",
                    x=spoke[0],
                    y=spoke[1],
                    mode="lines",
                    line={"color": theme.faint, "width": 1, "dash": "dot"},
                )
    canvas.add(
        "scatter", x=np.array([0.0, forward]), y=np.array([0.0, sideways]), mode="lines", name="chord", showlegend=True,
        line={"color": theme.methods[2], "width": 2.0 * theme.weight, "dash": "dash"},
    )  # fmt: skip
    for point, heading, name in ((np.zeros(2), 0.0, "before"), (end, turn, "after")):
        blade = blade_at(point, heading, 0.7 * size)
        canvas.add(
            "scatter", x=blade[0], y=blade[1], mode="lines+markers", name=name, showlegend=True,
            line={"color": theme.ink if name == "after" else theme.methods[0], "width": 4.0 * theme.weight},
            marker={"size": [0, 9, 0], "color": theme.ink},
        )  # fmt: skip
    layout = flat_layout(theme, "V₁ (m)", "V₂ (m)", equal=True, clickanywhere=False, annotations=notice(theme, stopped))
    return canvas.picture(layout)


def nowhere(theme: Theme, reason: str) -> Picture:
    """The blade before a step that does not exist, and why it does not."""
    canvas = Canvas(theme)
    blade = blade_at(np.zeros(2), 0.0, 1.0)
    canvas.add(
        "scatter", x=blade[0], y=blade[1], mode="lines+markers", name="before", showlegend=True,
        line={"color": theme.methods[0], "width": 4.0 * theme.weight}, marker={"size": [0, 9, 0], "color": theme.ink},
    )  # fmt: skip
    layout = flat_layout(theme, "V₁ (m)", "V₂ (m)", equal=True, clickanywhere=False, annotations=notice(theme, reason))
    return canvas.picture(layout)


def blade_at(point: Array, heading: float, length: float) -> Array:
    """A blade as three points (2, 3), its contact point in the middle."""
    along = length * np.array([np.cos(heading), np.sin(heading)])
    return np.stack([point - along, point, point + along], axis=1)
