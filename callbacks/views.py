"""Views that every lab can have: functions from a session to a picture, or to text."""

from collections.abc import Callable
from typing import Any

from dash import dcc, html

from callbacks.session import Session
from nhviz.analysis import backdrop, phase
from nhviz.analysis.branches import branches as find_branches
from nhviz.analysis.branches import point_of_start
from nhviz.analysis.steps import largest_step
from nhviz.figures import motion, plane, series
from nhviz.figures import portrait as portraits_in
from nhviz.figures.style import Picture, label
from nhviz.methods import ellipse

View = Callable[[Session], Picture]
Text = Callable[[Session], Any]


def momentum_plane(session: Session, cusp_line: Any = None) -> Picture:
    """The momentum plane of a system that has one."""
    axes = session.system.plane.axes
    start = [session.initial[name] for name in axes]
    energy = float(ellipse.energy(session.system.plane, session.params, start))
    arguments = (session.system.plane, session.params, energy)
    labels = [label(c.name, c.unit) for c in session.components.values() if c.name in axes]
    rests = {
        name: backdrop.rest_curve(
            session.system.plane, session.system.method(name), session.params, session.step, energy
        )
        for name in session.maps
    }
    return plane.momentum_plane(
        session.theme,
        (labels[0], labels[1]),
        backdrop.arcs(*arguments),
        backdrop.line_of_equilibria(*arguments),
        backdrop.ends_of_arcs(*arguments),
        session.orbits(*axes),
        session.stopped,
        cusp_line,
        {name: (session.system.method(name).title, curve) for name, curve in rests.items() if curve is not None},
    )


def components_in_time(session: Session, names: list[str] | None = None) -> Picture:
    """Scalar components over time."""
    declared = [name for name in session.system.in_time if name in session.components]
    chosen = names or declared or [c.name for c in session.components.values() if not c.shape][:4]
    return series.components(session.theme, "t (s)", chosen, session.orbits("t", *chosen), session.stopped)


def drift(session: Session) -> Picture:
    """Drift of every quantity on a logarithmic scale."""
    values = {}
    for method, orbit in session.runs.items():
        chosen = session.points(orbit)
        parts = {name: series[chosen] for name, series in session.drifts[method].items()}
        values[method] = (orbit.t[chosen], parts)
    return series.drift(session.theme, "t (s)", values, session.discrete, session.stopped)


def portrait(session: Session, number: int) -> Picture:
    """Two or three components against each other, as the system declares them."""
    declared = session.system.portraits[number]
    names = portrait_components(session, number)
    axes = [label(name, session.components[name].unit) for name in names]
    orbits = session.orbits(*names)
    shapes = declared.background(session.lead) if declared.background else ()
    if len(axes) == 3:
        return portraits_in.in_space(
            session.theme, (axes[0], axes[1], axes[2]), orbits, declared.on_sphere, session.stopped, shapes
        )
    equal = session.components[names[0]].unit == session.components[names[1]].unit
    return portraits_in.in_plane(session.theme, (axes[0], axes[1]), orbits, equal, session.stopped, shapes)


def portrait_components(session: Session, number: int) -> list[str]:
    """The components of a portrait that these runs have."""
    return [name for name in session.system.portraits[number].components if name in session.components]


def start_in_portrait(session: Session, *place: float, number: int) -> dict[str, float]:
    """Where a click in a portrait starts a run: its components, if they are initial values."""
    names = portrait_components(session, number)
    if len(place) != len(names) or not set(names) <= set(session.initial):
        return {}
    return dict(zip(names, place, strict=True))


def start_in_motion(session: Session, *place: float) -> dict[str, float]:
    """Where a click in a drawing of the plane starts a run."""
    return dict(zip(("x", "y"), place, strict=True)) if len(place) == 2 and {"x", "y"} <= set(session.initial) else {}


def lead(session: Session) -> Picture:
    """Phase lead of the maps that declare their one-step defect."""
    curves = {}
    for method, orbit in session.maps.items():
        local = session.system.method(method).local
        if local is not None and local.defect is not None:
            chosen = session.points(orbit)
            curves[method] = (orbit.t[chosen], phase.phase_lead(orbit)[chosen], phase.predicted_lead(orbit)[chosen])
    return series.lead(session.theme, "t (s)", curves)


def largest_steps(session: Session) -> dict[str, float | None]:
    """Largest admissible steps of the chosen maps at the start; its values were checked when the runs were made."""
    bounds: dict[str, float | None] = {}
    for name in session.maps:
        bound = session.system.method(name).bound
        if bound is not None and bound.at_energy is not None:
            bounds[name] = bound.at_energy(session.params, float(session.lead.quantity("energy")[0]))
        elif bound is not None:
            bounds[name] = largest_step(session.system.id, name, session.params, session.initial)
    return bounds


def drawn_motion(session: Session) -> Picture:
    """What the system draws, in the plane or in space; a system that draws nothing shows its components."""
    if session.system.draw is None:
        return components_in_time(session)
    drawing = session.system.draw(session.lead)
    chosen = session.points(session.lead)
    if drawing.parts[0].translations.shape[1] == 3:
        return motion.space_motion(session.theme, drawing, chosen, [], session.stopped)
    paths = session.orbits("x", "y") if {"x", "y"} <= set(session.lead.components) else {}
    return motion.plane_motion(session.theme, paths, drawing, chosen, [], stopped=session.stopped)


def equations(session: Session) -> Any:
    """The system's equations, typeset, with what they mean and where they stand."""
    lines = [
        f"$$\n{equation.tex}\n$$\n\n{equation.meaning}" + (f" *({equation.source})*" if equation.source else "")
        for equation in session.system.equations
    ]
    kept = ", ".join(q.title for q in session.system.quantities if q.conserved)
    keeps = [
        f"* **{m.title}** keeps {', '.join(m.preserves) or 'none of them'}. {m.remark}" for m in session.system.methods
    ]
    text = "\n\n".join([*lines, f"**Conserved by the flow:** {kept}.", "\n".join(keeps)])
    return dcc.Markdown(text, mathjax=True, className="equations")


def python(session: Session) -> Any:
    """The Python lines that give the same arrays."""
    return html.Div(
        [dcc.Clipboard(target_id="python-lines", title="copy"), html.Pre(python_lines(session), id="python-lines")]
    )


def python_lines(session: Session) -> str:
    """One simulate call per method, with every number written out."""
    lines = ["import nhviz", "", "runs = {}"]
    for method, problem in session.problems.items():
        facts = problem.to_dict()
        options = "".join(f", {name}={value!r}" for name, value in facts["options"].items())
        lines += [
            f"runs[{method!r}] = nhviz.simulate(",
            f"    {facts['system']!r}, method={method!r},",
            f"    params={facts['params']!r},",
            f"    initial={facts['initial']!r},",
            f"    step={facts['step']!r}, duration={facts['duration']!r}, every={facts['every']!r}{options})",
        ]
    return "\n".join(lines)


def branch_table(session: Session) -> Any:
    """Every real displacement at the start, for each chosen map."""
    blocks = []
    for method in session.maps:
        declared = session.system.method(method)
        if declared.branches is None:
            continue
        at = point_of_start(declared.branches, session.params, session.initial)
        found = find_branches(session.system.id, method, session.params, session.step, at)
        blocks += [html.H3(declared.title), branch_rows(found)]
    return html.Div(blocks or html.P("Choose a discrete method to see its branches."))


def branch_rows(found: list[dict[str, Any]]) -> Any:
    """One table; the principal branch is named."""
    if not found:
        return html.P("No real displacement has this momentum with this step.")
    names = [name for name in found[0] if name not in ("principal", "certified")]
    head = html.Tr([html.Th("branch"), *(html.Th(name) for name in names)])
    rows = [
        html.Tr(
            [html.Td("principal" if branch["principal"] else str(i)), *(html.Td(f"{branch[n]:.5g}") for n in names)]
        )
        for i, branch in enumerate(found)
    ]
    table = html.Table([html.Thead(head), html.Tbody(rows)])
    if found[0].get("certified", True):
        return table
    doubt = "Not certified: two rotations are too close together here, or there is a whole curve of them."
    return html.Div([table, html.P(doubt)])
