"""What the runs of the race lose: the drift of their integrals, and beside it how far they are off the truth."""

import numpy as np

from nhviz.figures import series
from nhviz.figures.panels import Curves
from nhviz.figures.style import Picture, picked
from nhviz.frame.shown import Shown
from nhviz.labs.feedback.racers import RACERS
from nhviz.labs.feedback.thing import is_truth, off
from nhviz.system import Array
from nhviz.views import pictures

OFF = "off"
LINE = 0.045
"""The share of the height that a line of a title takes: the picture is higher than elsewhere."""
PANELS = 4
"""So many panels at most; what all runs keep gives way first."""


def drift(shown: Shown) -> Picture:
    """Drifts of the integrals on a logarithmic scale, and the distance from the motion itself."""
    if not shown.runs:
        return pictures.drift(shown)
    straying = strays(shown)
    titles = {q.id: pictures.in_words(q) for q in shown.system.quantities if q.id in straying}
    titles[OFF] = f"Off the truth ({pictures.MEASURED_IN[RACERS[shown.system.id].part]})"
    runs = []
    for name, orbit in shown.runs.items():
        chosen = shown.points(orbit)
        parts = {quantity: picked(shown.drifts[name][quantity], chosen) for quantity in titles if quantity != OFF}
        parts[OFF] = picked(away(shown, name), chosen)
        stopped, discrete = orbit.stopped is not None, shown.method(name).discrete
        runs.append(Curves(shown.looks[name], discrete, picked(orbit.t, chosen), parts, stopped))
    return series.drift(shown.theme, titles, runs, LINE)


def strays(shown: Shown) -> list[str]:
    """The quantities with panels: the energy first, and of the others those that some run does not keep."""
    names = [q.id for q in shown.system.quantities]
    greatest = {name: max(float(found[name].max()) for found in shown.drifts.values()) for name in names}
    lost = [name for name in names[1:] if greatest[name] >= series.KEPT]
    return [names[0], *(lost or names[1:2])][: PANELS - 1]


def away(shown: Shown, variant: str) -> Array:
    """How far a run is from the motion itself, at its samples; where the motion cannot be told, as far as it was."""
    count = len(shown.runs[variant])
    if is_truth(shown, variant):
        return np.zeros(count)
    found = off(shown, variant)
    return found[np.minimum(np.arange(count), len(found) - 1)]
