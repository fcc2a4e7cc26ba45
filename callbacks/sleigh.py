"""The Sleigh lab: its views, its numbers, and where a click starts an orbit."""

from typing import Any

from callbacks import views
from callbacks.session import Session
from nhviz.analysis import backdrop, cusps, starts
from nhviz.analysis.branches import branches
from nhviz.figures import motion, step, surface
from nhviz.figures.style import Orbit, Picture
from nhviz.maps import loci, sleigh_branches


def momentum_plane(session: Session) -> Picture:
    """The momentum plane with the line on which the path has its cusp."""
    reach = 2.0 * max(abs(value) for orbit in session.runs.values() for value in orbit["p_theta"][:1]) + 1.0
    return views.momentum_plane(session, backdrop.cusp_line(session.params, reach))


def path(session: Session) -> Picture:
    """Contact paths with their cusps, and the sleigh itself."""
    marks = [(cusp.x, cusp.y) for orbit in session.runs.values() for cusp in cusps.cusps(orbit)]
    chosen = session.points(session.lead)
    drawing = session.system.draw(session.lead)
    return motion.plane_motion(session.theme, session.orbits("x", "y"), drawing, chosen, marks, stopped=session.stopped)


def locus(session: Session) -> Picture:
    """FZ figure 7.2 with its tangent lines, the discriminant curve below it and the orbits on it."""
    view = {"extent": 3.0, "rows": 61, "columns": 21}
    points = loci.fedorov_zenkov_locus(session.params, session.step, view).points
    curves = [line.T for line in loci.tangent_lines(session.params, 2.0 * sleigh_branches.inertias(session.params)[0])]
    curves.append(loci.discriminant_curve(session.params))
    orbits = {}
    if "fedorov_zenkov" in session.maps:
        momenta = session.part(session.maps["fedorov_zenkov"], "p_theta", "p_1")
        points_on = tuple(loci.orbit_on_sleigh_locus(session.params, session.step, *momenta))
        orbits["fedorov_zenkov"] = Orbit(points_on, points_on, discrete=True)
    axes = ("ε(p_θ + b p₁)", "ε a p₁ + 2ma²", "sin Δθ")
    return surface.locus(
        session.theme, axes, {"fedorov_zenkov": points}, None, curves, orbits, session.stopped, cube=True
    )


def one_step(session: Session) -> Picture:
    """FZ figure 7.1 for the first step of the Fedorov-Zenkov map."""
    at = {name: session.initial[name] for name in ("p_theta", "p_1")}
    found = branches("sleigh", "fedorov_zenkov", session.params, session.step, at)
    if not found:
        return step.nowhere(session.theme, "No real displacement has this momentum with this step.")
    chosen = next((branch for branch in found if branch["principal"]), found[0])
    return step.displacement(session.theme, chosen["dtheta"], chosen["V1"], chosen["V2"])


def readout(session: Session) -> dict[str, str]:
    """Numbers of the run: energy, total turn, cusp."""
    turn = cusps.total_turn(session.params)
    found = cusps.cusps(session.lead)
    return {
        "energy": f"{session.lead.quantity('energy')[0]:.6g} J",
        "total turn of the flow": "turns for ever" if turn is None else f"{turn * 57.29577951308232:.2f}°",
        "cusp": f"t = {found[0].t:.4g} s at ({found[0].x:.4g}, {found[0].y:.4g}) m" if found else "none in this run",
        "drift of energy": f"{session.lead_drifts['energy'].max():.1e}",
    }


LAUNCH: dict[str, Any] = {
    "plane": lambda session, x, y, *_: {"p_theta": x, "p_1": y},
    "locus": lambda session, x, y, *_: starts.from_sleigh_locus(session.params, session.step, x, y),
}
VIEWS: dict[str, views.View] = {
    "plane": momentum_plane,
    "motion": path,
    "locus": locus,
    "drift": views.drift,
    "time": lambda session: views.components_in_time(session, ["p_theta", "p_1", "theta"]),
    "lead": views.lead,
    "step": one_step,
}
TEXTS: dict[str, views.Text] = {
    "branches": views.branch_table,
    "equations": views.equations,
    "python": views.python,
}
