"""Pictures that every lab can have."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from nhviz.analysis import backdrop, phase
from nhviz.figures import motion, plane, series
from nhviz.figures import portrait as portraits_in
from nhviz.figures.style import Canvas, Picture, flat_layout, label, labels
from nhviz.frame.records import View
from nhviz.frame.shown import Shown
from nhviz.methods import ellipse
from nhviz.system import Array, MomentumPlane, Portrait, System, Values


def momentum_plane(shown: Shown, cusp_line: Callable[[Values, float], Array] | None = None) -> Picture:
    """The momentum plane of a system that has one; `cusp_line` gives a line of parameters and an energy."""
    reduced = plane_of(shown.system)
    start = np.array([shown.initial[name] for name in reduced.axes])
    energy = float(ellipse.energy(reduced, shown.params, start))
    arguments = (reduced, shown.params, energy)
    first, second = (label(name, shown.components[name].unit) for name in reduced.axes)
    rests = {
        name: backdrop.rest_curve(reduced, shown.method(name), shown.params, shown.step, energy) for name in shown.maps
    }
    return plane.momentum_plane(
        shown.theme,
        (first, second),
        backdrop.arcs(*arguments),
        backdrop.line_of_equilibria(*arguments),
        backdrop.ends_of_arcs(*arguments),
        shown.orbits(*reduced.axes),
        shown.stopped,
        None if cusp_line is None else cusp_line(shown.params, energy),
        [(shown.looks[name], curve) for name, curve in rests.items() if curve is not None],
    )


def plane_of(system: System) -> MomentumPlane:
    """The momentum plane of a system; only labs of systems that have one show it."""
    assert system.plane is not None
    return system.plane


def components_in_time(shown: Shown, names: tuple[str, ...] = ()) -> Picture:
    """Scalar components over time."""
    declared = [name for name in shown.system.in_time if name in shown.components]
    scalars = [c.name for c in shown.components.values() if not c.shape][:4]
    chosen = list(names) or declared or scalars
    values = labels([(name, shown.components[name].unit) for name in chosen])
    return series.components(shown.theme, "t (s)", chosen, shown.orbits("t", *chosen), shown.stopped, values)


def drift(shown: Shown) -> Picture:
    """Drift of every quantity on a logarithmic scale."""
    runs = []
    for name, orbit in shown.runs.items():
        chosen = shown.points(orbit)
        parts = {quantity: values[chosen] for quantity, values in shown.drifts[name].items()}
        runs.append(series.Drifts(shown.looks[name], shown.method(name).discrete, orbit.t[chosen], parts))
    if not runs:
        return Canvas(shown.theme).picture(flat_layout(shown.theme, "t (s)", ""))
    return series.drift(shown.theme, "t (s)", runs, shown.stopped)


def lead(shown: Shown) -> Picture:
    """Phase lead of the maps that declare their one-step defect."""
    runs = []
    for name, orbit in shown.maps.items():
        local = shown.method(name).local
        if local is not None and local.defect is not None:
            chosen = shown.points(orbit)
            measured, predicted = phase.phase_lead(orbit)[chosen], phase.predicted_lead(orbit)[chosen]
            runs.append(series.Lead(shown.looks[name], orbit.t[chosen], measured, predicted))
    return series.lead(shown.theme, "t (s)", runs)


def portrait(shown: Shown, declared: Portrait) -> Picture:
    """Two or three components against each other, as the system declares them; those that these runs have."""
    names = [name for name in declared.components if name in shown.components]
    axes = [label(name, shown.components[name].unit) for name in names]
    orbits = shown.orbits(*names)
    shapes = declared.background(shown.lead) if declared.background else ()
    if len(axes) == 3:
        return portraits_in.in_space(
            shown.theme, (axes[0], axes[1], axes[2]), orbits, declared.on_sphere, shown.stopped, shapes
        )
    equal = shown.components[names[0]].unit == shown.components[names[1]].unit
    return portraits_in.in_plane(shown.theme, (axes[0], axes[1]), orbits, equal, shown.stopped, shapes)


def start_in_portrait(shown: Shown, *place: float, declared: Portrait) -> Mapping[str, float]:
    """The initial values at a place of a portrait: those of the components that these runs have, axis by axis."""
    return dict(zip((name for name in declared.components if name in shown.components), place, strict=False))


def portrait_view(system: System, declared: Portrait, panel: str = "") -> View:
    """A portrait as a view; a click in it starts there, if its components are initial values."""
    starts = {p.name for p in system.initial}
    always = {p.name for p in system.initial if p.needs is None}
    names = declared.components if set(declared.components) <= starts else ()
    return View(
        id=declared.id,
        title=declared.title,
        show=partial(portrait, declared=declared),
        kind="space" if len(declared.components) == 3 else "plane",
        # Which of them a picture has may be a matter of the dimension.
        start=names if set(names) <= always else partial(start_in_portrait, declared=declared),
        panel=panel,
    )


def drawn_motion(shown: Shown) -> Picture:
    """What the system draws, in the plane or in space; a system that draws nothing shows its components."""
    if shown.system.draw is None:
        return components_in_time(shown)
    drawing = shown.system.draw(shown.lead)
    moving: Mapping[str, Any] = {"instants": shown.points(shown.lead), "track": shown.looks[shown.first].key}
    if drawing.parts[0].translations.shape[1] == 3:
        return motion.space_motion(shown.theme, drawing, **moving, axes=[], stopped=shown.stopped)
    paths = shown.orbits("x", "y") if {"x", "y"} <= set(shown.lead.components) else []
    return motion.plane_motion(shown.theme, paths, drawing, **moving, marks=[], stopped=shown.stopped)


def motion_view(system: System, panel: str = "") -> View:
    """The drawing as a view; a click in the plane starts there."""
    starts = {p.name for p in system.initial}
    flat = {"x", "y"} <= starts and "z" not in {c.name for c in system.components}
    return View("motion", "Motion", drawn_motion, start=("x", "y") if flat else (), panel=panel)
