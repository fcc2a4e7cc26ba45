"""The Sleigh lab: a blade on ice that stops at a cusp and turns round by itself, and three discrete maps."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from nhviz.analysis import backdrop, cusps, starts
from nhviz.analysis.branches import branches
from nhviz.figures import space, step, surface
from nhviz.figures.path import Mark
from nhviz.figures.style import Orbit, Picture
from nhviz.frame.records import Lab, Panel, Place, Scene, View
from nhviz.frame.shown import Shown
from nhviz.maps import loci, sleigh_branches
from nhviz.problem import Trajectory
from nhviz.views import numbers, pictures, texts
from nhviz.views.texts import NO_BRANCH

ENOUGH = 0.04
"""The whole surface, with the largest step on it, is shown while the run takes this share of one side."""
NOT_PRINCIPAL = "The map has no step here: its principal branch has ended. This is another one with these momenta."


def momentum_plane(shown: Shown) -> Picture:
    """The momentum plane with the line on which the path has its cusp."""
    return pictures.momentum_plane(shown, backdrop.cusp_line)


def path(shown: Shown) -> Picture:
    """Contact paths with their cusps, and the sleigh itself."""
    found = [(orbit, cusp) for orbit in shown.runs.values() for cusp in cusps.cusps(orbit)]
    return pictures.path_of(shown, [cusp_mark(orbit, cusp) for orbit, cusp in found])


def cusp_mark(orbit: Trajectory, cusp: cusps.Cusp) -> Mark:
    """A cusp with what happens there: the speed v of the blade changes its sign."""
    after = orbit["v"][np.searchsorted(orbit.t, cusp.t, side="right") :]
    way = "forwards" if after.size and after.max() > 0.0 else "backwards"
    more = f"the blade stops,<br>then the sleigh runs {way}"
    return Mark((cusp.x, cusp.y), f"<b>cusp</b> at {cusp.t:.3g} s", more)


def locus(shown: Shown) -> Picture:
    """FZ figure 7.2 with its tangent lines, the runs, and where those of their energy are at the largest step."""
    params = shown.params
    whole = loci.fedorov_zenkov_locus(params, shown.step, {"extent": 3.0, "rows": 61, "columns": 21}).points
    ring = loci.largest_ring(params, float(shown.lead.quantity("energy")[0]))
    named = {} if ring is None else {"largest step": ring}
    orbits = [orbit for name in shown.runs if (orbit := on_locus(shown, name)) is not None]
    rest = np.array([[0.0], [2.0 * sleigh_branches.inertias(params)[1]], [0.0]])
    runs = space.corners(rest, *(np.array(orbit.drawn) for orbit in orbits))
    part = surface.part_with(space.corners(*runs, space.sketched(whole), *named.values()), runs, ENOUGH)
    lines = [line.T for line in loci.tangent_lines(params, 2.0 * sleigh_branches.inertias(params)[0])]
    view = surface.Locus(
        axes=("P (kg m²)", "Q (kg m²)", "sin Δθ"),
        camera=space.Camera((-1.02, 0.68, 0.92), (0.0, 0.04, -0.1)),
        ratio=(1.1, 1.1, 0.75),
        part=part,
        surfaces=[whole if part.share == 1.0 else loci.sleigh_patch(params, part.low, part.high, 37, 21)],
        curves=lines,
        wholes=[whole],
        far_curves=lines,
        named=named,
    )
    return surface.locus(shown.theme, view, orbits)


def on_locus(shown: Shown, name: str) -> Orbit | None:
    """A run of the Fedorov-Zenkov map, or a flow, where its momenta are on the map's surface."""
    method = shown.method(name)
    if method.discrete and method.id != "fedorov_zenkov":
        return None
    orbit = shown.orbit(name, "p_theta", "p_1")
    drawn, moving = (loci.orbit_on_sleigh_locus(shown.params, shown.step, *way) for way in (orbit.drawn, orbit.moving))
    if method.discrete and orbit.stopped:
        # From the last momentum no step leads on.
        drawn = moving = moving[:, :-1]
    # The sine is 0 at P different from 0 only where the map has no step.
    lost = any(((way[2] == 0.0) & (way[0] != 0.0)).any() for way in (drawn, moving))
    return None if lost or not moving.size else replace(orbit, drawn=tuple(drawn), moving=tuple(moving))


def one_step(shown: Shown) -> Picture:
    """FZ figure 7.1 for the first step of the Fedorov-Zenkov map."""
    at = {name: shown.initial[name] for name in ("p_theta", "p_1")}
    found = branches("sleigh", "fedorov_zenkov", shown.params, shown.step, at)
    if not found:
        return step.nowhere(shown.theme, NO_BRANCH)
    chosen = next((branch for branch in found if branch["principal"]), found[0])
    note = "" if chosen["principal"] else NOT_PRINCIPAL
    return step.displacement(
        shown.theme, shown.looks["fedorov_zenkov"], chosen["dtheta"], chosen["V1"], chosen["V2"], note
    )


def readout(shown: Shown) -> Mapping[str, str]:
    """Numbers of the run: energy, total turn, cusp."""
    turn = cusps.total_turn(shown.params)
    found = cusps.cusps(shown.lead)
    return {
        "energy": f"{shown.lead.quantity('energy')[0]:.6g} J",
        "total turn of the flow": "turns for ever" if turn is None else f"{turn * 57.29577951308232:.2f}°",
        "cusp": f"t = {found[0].t:.4g} s at ({found[0].x:.4g}, {found[0].y:.4g}) m" if found else "none in this run",
        **numbers.drifts(shown, "energy"),
    }


def start_on_locus(shown: Shown, p: float, q: float, *_: float) -> Mapping[str, float]:
    """The start of an orbit at a point of the locus."""
    return starts.from_sleigh_locus(shown.params, shown.step, p, q)


LAB = Lab(
    id="sleigh",
    try_first="press play and watch the sleigh stop at its cusp; then move a, the mass offset.",
    scenes=(
        Scene(
            panels=(Panel("sleigh", chosen=("exact", "fedorov_zenkov", "naive")),),
            views=(
                View("plane", "Momentum plane", momentum_plane, start=("p_theta", "p_1")),
                View("motion", "Contact path", path),
                View(
                    "locus",
                    "Momentum locus: P = ε(p_θ + b p₁), Q = ε a p₁ + 2ma²",
                    locus,
                    kind="space",
                    start=start_on_locus,
                    caption="FZ figure 7.2: the momenta of all steps, and how much each turns",
                    waits=True,
                ),
                Place(
                    "detail",
                    (
                        View("drift", "drift", pictures.drift),
                        View("time", "time", partial(pictures.components_in_time, names=("p_theta", "p_1", "theta"))),
                        View("lead", "phase lead", pictures.lead),
                        View("error", "Error", pictures.error),
                        View("step", "one step", one_step),
                        *texts.text_views(branches=True),
                    ),
                ),
            ),
            readout=readout,
        ),
    ),
)
