"""Three panels under one clock: a sleigh with two settings, and a top."""

from nhviz.frame.records import Lab, Panel, Scene, Variant, View
from nhviz.views import numbers, pictures

LAB = Lab(
    id="pair",
    title="Side by side",
    summary="Two sleighs and a top.",
    scenes=(
        Scene(
            panels=(
                Panel("sleigh", "front", "Mass in front", (Variant("exact"),), values={"a": 0.6, "duration": 6.0}),
                Panel("sleigh", "behind", "Mass behind", (Variant("exact"),), values={"a": -0.6, "step": 0.07}),
                Panel("suslov", "top", "A top", (Variant("exact"), Variant("cayley"))),
            ),
            views=(
                View("left", "Mass in front", pictures.drawn_motion, panel="front", start=("x", "y")),
                View("right", "Mass behind", pictures.drawn_motion, panel="behind", start=("x", "y")),
                View("plane", "Momenta of the top", pictures.momentum_plane, panel="top", start=("M1", "M2")),
            ),
            readout=numbers.usual,
            grid=("left right", "plane plane"),
        ),
    ),
)
