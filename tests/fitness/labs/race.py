"""A race: the same method twice with other options, against the flow."""

from nhviz.frame.records import Lab, Panel, Place, Scene, Variant, View
from nhviz.views import numbers, pictures, texts

LAB = Lab(
    id="race",
    title="A race of feedback integrators",
    summary="Euler against RK4, both pulled back.",
    scenes=(
        Scene(
            panels=(
                Panel(
                    "roller_racer",
                    variants=(
                        Variant("truth", "reference", "The flow"),
                        Variant("euler", "feedback", "Euler with feedback", {"base": "euler"}),
                        Variant("rk4", "feedback", "RK4 with feedback", {"base": "rk4"}),
                        Variant("loose", "feedback", "RK4 without", {"base": "rk4", "k1": 0.0, "k2": 0.0, "k3": 0.0}),
                    ),
                    values={"step": 0.02},
                ),
            ),
            views=(
                View("motion", "The racers", pictures.drawn_motion, start=("x", "y")),
                Place("detail", (View("drift", "Drift", pictures.drift), *texts.text_views(branches=False))),
            ),
            readout=numbers.usual,
        ),
    ),
)
