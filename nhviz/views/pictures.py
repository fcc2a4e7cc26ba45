"""Pictures that every lab can have."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from nhviz.analysis import backdrop, errors, phase
from nhviz.figures import body, path, plane, series
from nhviz.figures import portrait as portraits_in
from nhviz.figures.arcs import VISIBLE, Lead
from nhviz.figures.flat import flat_layout
from nhviz.figures.panels import Curves
from nhviz.figures.style import Canvas, Picture, label, picked
from nhviz.frame.records import View
from nhviz.frame.shown import Shown
from nhviz.methods import ellipse
from nhviz.problem import Trajectory
from nhviz.system import Array, MomentumPlane, Portrait, Quantity, System, Values

OUTSIDE = 1.09
"""The arc of a lead is drawn on an ellipse so much larger than that of the runs."""
MEASURED_IN = {"Momenta": "relative", "Velocities": "relative", "Path": "m", "Attitude": "rad"}
"""What the errors of each part of a state are."""


def momentum_plane(shown: Shown, cusp_line: Callable[[Values, float], Array] | None = None) -> Picture:
    """The momentum plane of a system that has one; `cusp_line` gives a line of parameters and an energy."""
    reduced = plane_of(shown.system)
    start = np.array([shown.initial[name] for name in reduced.axes])
    energy = float(ellipse.energy(reduced, shown.params, start))
    arguments = (reduced, shown.params, energy)
    rests = {
        name: backdrop.rest_curve(reduced, shown.method(name), shown.params, shown.step_of(name), energy)
        for name in shown.maps
    }
    behind = plane.Backdrop(
        backdrop.arcs(*arguments),
        ellipse.ellipse(*arguments, 121),
        backdrop.line_of_equilibria(*arguments),
        backdrop.ends_of_arcs(*arguments),
        None if cusp_line is None else cusp_line(shown.params, energy),
        [(shown.looks[name], curve) for name, curve in rests.items() if curve is not None],
    )
    first, second = (written(shown, name) for name in reduced.axes)
    return plane.momentum_plane(
        shown.theme, (first, second), reduced.axes, behind, shown.orbits(*reduced.axes), leads(shown, energy)
    )


def written(shown: Shown, name: str) -> str:
    """A component as an axis has it: its symbol and its unit."""
    component = shown.components[name]
    return label(component.symbol or name, component.unit)


def leaders(shown: Shown) -> dict[str, Trajectory]:
    """The runs of maps that declare their one-step defect."""
    local = {name: shown.method(name).local for name in shown.maps}
    return {name: shown.maps[name] for name, known in local.items() if known is not None and known.defect is not None}


def leads(shown: Shown, energy: float) -> list[Lead]:
    """How far each map is ahead of a flow that runs beside it, where that can be seen."""
    if not any(shown.method(name).truth for name in shown.runs):
        return []
    outside = OUTSIDE * np.sqrt(2.0 * energy) * ellipse.inverse(plane_of(shown.system).matrix(shown.params))
    found = [lead_of(shown, name, orbit, outside) for name, orbit in leaders(shown).items()]
    return [lead for lead in found if lead.turn.any()]


def lead_of(shown: Shown, name: str, orbit: Trajectory, outside: Array) -> Lead:
    """The lead of a map; what cannot be seen has none, nor has a run that has ended, from which the flow goes on."""
    chosen = shown.points(orbit)
    here, there, sense = shown.phases[name]
    turn = (here - there)[chosen]
    turn[np.abs(turn) < VISIBLE] = 0.0
    turn[-1] *= orbit.stopped is None
    return Lead(shown.looks[name], here[chosen], turn, sense, outside)


def plane_of(system: System) -> MomentumPlane:
    """The momentum plane of a system; only labs of systems that have one show it."""
    assert system.plane is not None
    return system.plane


def components_in_time(shown: Shown, names: tuple[str, ...] = ()) -> Picture:
    """Scalar components over time."""
    declared = [name for name in shown.system.in_time if name in shown.components]
    scalars = [c.name for c in shown.components.values() if not c.shape][:4]
    chosen = list(names) or declared or scalars
    return series.components(shown.theme, [written(shown, name) for name in chosen], shown.orbits("t", *chosen))


def drift(shown: Shown) -> Picture:
    """Drift of every quantity on a logarithmic scale."""
    runs = []
    for name, orbit in shown.runs.items():
        chosen = shown.points(orbit)
        parts = {quantity: picked(values, chosen) for quantity, values in shown.drifts[name].items()}
        discrete = shown.method(name).discrete
        runs.append(Curves(shown.looks[name], discrete, picked(orbit.t, chosen), parts, orbit.stopped is not None))
    if not runs:
        return Canvas(shown.theme).picture(flat_layout(shown.theme, "t (s)", ""))
    return series.drift(shown.theme, {q.id: in_words(q) for q in shown.system.quantities}, runs)


def in_words(quantity: Quantity) -> str:
    """What a quantity is called above its panel: by its id if that is a word, else by its title."""
    text = quantity.id if quantity.id.isalpha() and quantity.id.islower() else quantity.title
    return text[0].upper() + text[1:]


def lead(shown: Shown) -> Picture:
    """Phase lead of the maps that declare their one-step defect."""
    runs = []
    for name, orbit in leaders(shown).items():
        chosen = shown.points(orbit)
        measured, predicted = shown.leads[name][chosen], phase.predicted_lead(orbit)[chosen]
        stopped = orbit.stopped is not None
        runs.append(series.Lead(shown.looks[name], orbit.t[chosen], measured, predicted, stopped))
    return series.lead(shown.theme, runs)


def error(shown: Shown) -> Picture:
    """Distance of every run to the motion itself: the closed form where there is one, else the reference."""
    runs: list[Curves] = []
    for name, orbit in shown.runs.items():
        if shown.method(name).id != shown.system.truth.id:
            truth = truth_beside(shown, name)
            chosen = shown.points(orbit)
            chosen = chosen[chosen < len(truth)]
            parts = {part: values[chosen] for part, values in errors.errors(orbit, truth).items()}
            stopped = orbit.stopped is not None and len(truth) >= len(orbit)
            runs.append(Curves(shown.looks[name], shown.method(name).discrete, orbit.t[chosen], parts, stopped))
    titles = {part: f"{part} ({MEASURED_IN[part]})" for part in errors.parts_of_state(shown.lead)}
    clock = (shown.looks[shown.first].key, shown.part(shown.lead, "t")[0])
    return series.error(shown.theme, titles, runs, clock)


def truth_beside(shown: Shown, variant: str) -> Trajectory:
    """The motion itself at the instants of a run; it is run for this if it is not among those shown."""
    problem = shown.problems[variant]
    beside = shown.admitted(replace(problem, method=shown.system.truth.id, options=()))
    chosen = next((name for name, other in shown.problems.items() if other == beside), None)
    return shown.runs[chosen] if chosen is not None else shown.run(beside)


def portrait(shown: Shown, declared: Portrait) -> Picture:
    """Two or three components against each other, as the system declares them; those that these runs have."""
    names = [name for name in declared.components if name in shown.components]
    axes = [written(shown, name) for name in names]
    orbits = shown.orbits(*names)
    shapes = declared.background(shown.lead) if declared.background else ()
    if len(axes) == 3:
        return portraits_in.in_space(shown.theme, (axes[0], axes[1], axes[2]), orbits, declared.on_sphere, shapes)
    equal = shown.components[names[0]].unit == shown.components[names[1]].unit
    starts = names if set(names) <= set(shown.initial) else []
    upwards = f"{axes[1]} {declared.down}" if declared.down else axes[1]
    return portraits_in.in_plane(
        shown.theme, (axes[0], upwards), orbits, equal, shapes, starts, down=bool(declared.down)
    )


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
    drawing = shown.drawing
    if drawing.parts[0].translations.shape[1] == 3:
        look, stopped = shown.looks[shown.first], shown.lead.stopped is not None
        return body.in_space(shown.theme, drawing, shown.points(shown.lead), look, stopped=stopped)
    return path_of(shown)


def path_of(shown: Shown, marks: Sequence[path.Mark] = ()) -> Picture:
    """What moves in the plane, with the paths of all runs; marks are cusps."""
    instants, look = shown.points(shown.lead), shown.looks[shown.first]
    moving = path.Moving(shown.drawing, instants, shown.lead.t[instants], look)
    paths = shown.orbits("x", "y") if {"x", "y"} <= set(shown.lead.components) else []
    turned = "theta" if {"x", "y", "theta"} <= set(shown.initial) else ""
    return path.plane_motion(shown.theme, paths, moving, marks, angle=turned)


def motion_view(system: System, panel: str = "") -> View:
    """The drawing as a view; a click in the plane starts there."""
    starts = {p.name for p in system.initial}
    flat = {"x", "y"} <= starts and "z" not in {c.name for c in system.components}
    return View("motion", "Motion", drawn_motion, start=("x", "y") if flat else (), panel=panel)
