"""Pictures whose numbers a sweep computes: a map with empty cells, a curve, and a map that takes its time."""

from dataclasses import replace

import numpy as np

from nhviz.figures.flat import flat_layout
from nhviz.figures.style import Canvas, Coming
from nhviz.frame.records import Lab, Panel, Place, Scene, View
from nhviz.sweeps.value import Sweep
from nhviz.views import numbers, pictures


def body(shown):
    """The parameters of the top that are no axes."""
    return {name: shown.params[name] for name in ("I11", "I22", "I33")}


def mapped(shown, sweep, scale=1.0):
    """A heat map of a sweep, which the figure itself has nothing of."""
    canvas = Canvas(shown.theme)
    canvas.add("heatmap", name="map", x=sweep.x.values, y=sweep.y.values, showscale=False)
    return replace(
        canvas.picture(flat_layout(shown.theme, "I13", "I23")), coming=(Coming(0, sweep.to_dict(), "z", scale),)
    )


def angles(shown):
    """The angle between both limit axes, in degrees; a corner has no such body."""
    axes = ("I13", -1.3, 3.9, 40), ("I23", -0.9, 3.7, 35)
    return mapped(shown, Sweep.create("suslov", "axes_angle", *axes, params=body(shown)), 180.0 / np.pi)


def drifts(shown):
    """The drift of the energy in long runs."""
    axes = ("I13", -1.3, 1.1, 48), ("I23", -0.9, 0.7, 40)
    return mapped(
        shown, Sweep.create("suslov", "energy_drift", *axes, "cayley", params=body(shown), step=0.01, duration=400.0)
    )


def curve(shown):
    """The angle again along a line; until its numbers come the figure has zeros."""
    sweep = Sweep.create("suslov", "axes_angle", ("I13", -1.3, 2.9, 50), params={**body(shown), "I23": 0.4})
    canvas = Canvas(shown.theme)
    canvas.add("scatter", name="curve", mode="lines", x=sweep.x.values, y=np.zeros(50))
    return replace(canvas.picture(flat_layout(shown.theme, "I13", "angle")), coming=(Coming(0, sweep.to_dict(), "y"),))


LAB = Lab(
    id="filling",
    title="Pictures that fill in",
    summary="Maps and a curve that sweeps compute.",
    scenes=(
        Scene(
            panels=(Panel("suslov", chosen=("exact",), values={"duration": 0.5}),),
            views=(
                View("map", "Limit axes", angles),
                View("curve", "Along a line", curve),
                Place(
                    "detail", (View("plane", "Momentum plane", pictures.momentum_plane), View("slow", "Drift", drifts))
                ),
            ),
            readout=numbers.usual,
            grid=("map curve", "map detail"),
        ),
    ),
)
