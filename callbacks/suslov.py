"""The Suslov lab: its views, its numbers, and where a click starts an orbit."""

from dataclasses import replace
from math import degrees
from typing import Any

from callbacks import views
from callbacks.session import Session
from nhviz.analysis import drift, limit_axes, starts
from nhviz.figures import disk, motion, surface
from nhviz.figures.style import Orbit, Picture
from nhviz.maps import loci, steiner

SURFACES = {"moser_veselov": ("moser_veselov",), "cayley": ("cayley",), "both": ("moser_veselov", "cayley")}


def locus(session: Session) -> Picture:
    """Steiner surface and Cayley locus with the plane d*, where they meet, and the orbits on them."""
    shown = SURFACES[session.choice("locus")]
    whole = session.choice("section") == "whole"
    grid = {"rows": 37, "columns": 73}
    surfaces, curves = {}, []
    if "moser_veselov" in shown:
        view = grid | {"q0_min": 0.0 if whole else 0.4, "q0_max": 1.0 if whole else 0.8}
        surfaces["moser_veselov"] = loci.moser_veselov_locus(session.params, session.step, view).points
        curves += loci.moser_veselov_contact(session.params, session.step, 91)
    if "cayley" in shown:
        view = grid | {"angle": 1.6}
        surfaces["cayley"] = loci.cayley_locus(session.params, session.step, view).points
        curves += loci.cayley_contact(session.params, session.step, 1.6, 181)
    extent = 0.8 * max(float(abs(points[..., :2]).max()) for points in surfaces.values())
    return surface.locus(
        session.theme,
        ("M1", "M2", "M3"),
        surfaces,
        loci.plane_patch(session.params, extent),
        curves,
        session.orbits("M1", "M2", "M3"),
        session.stopped,
        cube=True,
    )


def body(session: Session) -> Picture:
    """The turning body, with the axes of its first and last rotation in space."""
    chosen = session.points(session.lead)
    drawing = session.system.draw(session.lead)
    if not session.discrete[session.lead.problem.method]:
        # The path of the forbidden axis is a smooth curve, however long the step.
        drawing = replace(
            drawing, background=session.system.draw(session.smooth(session.lead.problem.method)).background
        )
    return motion.space_motion(session.theme, drawing, chosen, drift.rotation_axes(session.lead), session.stopped)


def projective_plane(session: Session) -> Picture:
    """RP^2 with the invariant curves of the Moser-Veselov map."""
    pass_level, top = steiner.mountain_pass(session.params), steiner.top_level(session.params)
    levels = [share * pass_level for share in (0.1, 0.3, 0.6, 0.85)]
    levels += [pass_level + share * (top - pass_level) for share in (0.25, 0.6)]
    points = steiner.critical_points(session.params)
    orbits = {}
    for name, orbit in session.maps.items():
        points_on = steiner.disk_point(*session.part(orbit, "u", "v"), session.step)
        orbits[name] = Orbit(points_on, points_on, discrete=True)
    return disk.displacement_disk(
        session.theme,
        steiner.joined([curve for level in levels for curve in steiner.invariant_curves(session.params, level, 181)]),
        steiner.joined(steiner.invariant_curves(session.params, 0.999999 * pass_level)),
        steiner.equilibrium_line(session.params),
        [(p.q1, p.q2) for p in points if p.saddle],
        [(p.q1, p.q2) for p in points if not p.saddle],
        orbits,
        session.stopped,
    )


def readout(session: Session) -> dict[str, str]:
    """Numbers of the run."""
    energy = session.lead.quantity("energy")[0]
    angle = limit_axes.limit_axes_angle(session.params)
    return {
        "energy": f"{energy:.6g} J",
        "limit axes of the flow": "every rotation stays" if angle is None else f"{degrees(angle):.2f}° apart",
        "drift of energy": f"{session.lead_drifts['energy'].max():.1e}",
    }


LAUNCH: dict[str, Any] = {
    "plane": lambda session, x, y, *_: {"M1": x, "M2": y},
    "locus": lambda session, x, y, *_: {"M1": x, "M2": y},
    "disk": lambda session, x, y, *_: starts.from_disk(session.params, session.step, x, y),
}
VIEWS: dict[str, views.View] = {
    "plane": views.momentum_plane,
    "locus": locus,
    "motion": body,
    "drift": views.drift,
    "time": lambda session: views.components_in_time(session, ["M1", "M2"]),
    "lead": views.lead,
    "disk": projective_plane,
}
TEXTS: dict[str, views.Text] = {
    "branches": views.branch_table,
    "equations": views.equations,
    "python": views.python,
}
