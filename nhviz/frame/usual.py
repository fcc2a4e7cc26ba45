"""The lab of a system that has none of its own: everything from its declarations."""

from nhviz import registry
from nhviz.frame.records import Lab, Panel, Place, Scene, View
from nhviz.views import numbers, pictures, texts

FIXED = 3
"""So many pictures have a place of their own; the others share one, behind tabs."""


def usual_lab(name: str) -> Lab:
    """Motion, portraits, components and drift in four places; branches, equations and Python behind tabs."""
    system = registry.find(name)
    shown = [
        pictures.motion_view(system),
        *(pictures.portrait_view(system, portrait) for portrait in system.portraits),
        View("time", "Components in time", pictures.components_in_time),
    ]
    drift = View("drift", "Drift", pictures.drift)
    error = View("error", "Error", pictures.error)
    behind = (drift, error, *shown[FIXED:], *texts.text_views(any(method.branches for method in system.methods)))
    scene = Scene(
        panels=(Panel(name),),
        views=(*shown[:FIXED], Place("detail", behind)),
        readout=numbers.usual,
    )
    return Lab(
        id=name,
        try_first="press play, then compare the methods.",
        scenes=(scene,),
        position=system.position,
    )
