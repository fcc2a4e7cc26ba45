"""Corrections: a blade that turns half as fast, and a sign."""

import numpy as np

from nhviz.figures.style import Picture, Theme
from nhviz.frame.records import Correction
from nhviz.frame.said import Sentence, number, sentence

TIMES = np.linspace(0.0, 6.0, 61)


def sideways(rate: float) -> float:
    """The largest sideways speed of a blade on the cycloid x = (1 - cos t)/2, y = (t - sin t)/2 at the angle rate t."""
    x, y = 0.5 * np.sin(TIMES), 0.5 * (1.0 - np.cos(TIMES))
    return float(np.abs(x * np.sin(rate * TIMES) - y * np.cos(rate * TIMES)).max())


def decides() -> Sentence:
    """Which rate keeps the blade along its path."""
    printed, corrected = number(sideways(1.0), "m/s"), number(sideways(0.5))
    return sentence("Sideways speed: ", printed, " printed, ", corrected, " corrected.")


def pictures(theme: Theme) -> tuple[Picture, ...]:
    """Both angles."""
    lines = [
        {"type": "scatter", "mode": "lines", "x": TIMES.tolist(), "y": (rate * TIMES).tolist(), "line": {"color": ink}}
        for rate, ink in ((1.0, theme.alarm), (0.5, theme.methods[0]))
    ]
    axes = {"color": theme.soft, "gridcolor": theme.grid}
    look = {"paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "showlegend": False, "margin": {"t": 10}}
    return (Picture({"data": lines, "layout": look | {"xaxis": axes, "yaxis": axes}}),)


CORRECTIONS = (
    Correction(
        id="try-slow-blade",
        paper="CP",
        place="3.2",
        title="The blade turns half as fast",
        words="For $m = J = g = 1$ the printed angle breaks the constraint.",
        printed=r"\varphi = t",
        corrected=r"\varphi = \tfrac12 t",
        test="tests/fitness/corrections/slope.py",
        decides=decides,
        pictures=pictures,
        state="knife_edge?step=0.05",
        system="knife_edge",
        ideas=("path",),
    ),
    Correction(
        id="try-sign",
        paper="FZ",
        place="(5.1)",
        title="A sign",
        words="The printed sign makes the energy grow.",
        printed=r"\dot p = +q",
        corrected=r"\dot p = -q",
        test="tests/fitness/corrections/slope.py",
        decides=lambda: sentence("It grows by ", number(np.exp(2.0)), "."),
        ideas=("integrals",),
    ),
)
