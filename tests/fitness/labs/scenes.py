"""A lab with two scenes, each with controls, chips and a clock of its own."""

from nhviz.frame.records import Lab, Panel, Scene, View
from nhviz.parameters import Choice
from nhviz.views import numbers, pictures


def chosen_component(shown):
    """The component that the view's option names, over time."""
    return pictures.components_in_time(shown, (shown.choice("one.component"),))


LAB = Lab(
    id="bench",
    title="A bench of two scenes",
    summary="The top, then the sleigh.",
    try_first="go from one scene to the other.",
    scenes=(
        Scene(
            id="top",
            title="Top",
            panels=(Panel("suslov", chosen=("exact",), values={"M1": 30.0, "duration": 0.5}),),
            views=(
                View("plane", "Momentum plane", pictures.momentum_plane, start=("M1", "M2")),
                View(
                    "one",
                    "One component",
                    chosen_component,
                    options=(Choice("component", "M2", ("M1", "M2"), "which"),),
                ),
            ),
            readout=numbers.usual,
            grid=("plane", "one"),
        ),
        Scene(
            id="ice",
            title="Ice",
            panels=(Panel("sleigh", chosen=("naive", "fedorov_zenkov"), values={"a": -0.6, "duration": 7.0}),),
            views=(
                View("motion", "Path", pictures.drawn_motion, start=("x", "y")),
                View("drift", "Drift", pictures.drift),
            ),
            readout=numbers.usual,
        ),
    ),
)
