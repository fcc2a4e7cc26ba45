"""The Sleigh lab: a blade on ice that stops at a cusp and turns round by itself, and three discrete maps."""

from collections.abc import Mapping
from dataclasses import replace
from math import degrees

import numpy as np

from nhviz.analysis import backdrop, cusps, starts
from nhviz.analysis.branches import branches
from nhviz.figures import space, step, surface
from nhviz.figures.path import Mark
from nhviz.figures.style import Orbit, Picture
from nhviz.frame import said
from nhviz.frame.records import Lab, Panel, Place, Scene, View
from nhviz.frame.said import Said, Sentence, Statistic, number
from nhviz.frame.shown import Shown
from nhviz.maps import loci, sleigh_branches
from nhviz.problem import Trajectory
from nhviz.views import numbers, pictures, sentences, texts
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
    if method.discrete and (method.id != "fedorov_zenkov" or shown.step_of(name) != shown.step):
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


def in_time(shown: Shown) -> Picture:
    """The momenta and the heading over time."""
    return pictures.components_in_time(shown, ("p_theta", "p_1", "theta"))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, lead of the first map, total turn of the flow, the first cusp, energy drift."""
    turn, found = cusps.total_turn(shown.params), cusps.cusps(shown.lead)
    whole = Statistic("Total turn", "for ever") if turn is None else numbers.measured("Total turn", degrees(turn), "°")
    cusp = numbers.measured("Cusp", found[0].t, "s", rare=True) if found else Statistic("Cusp", "none in this run")
    return (*numbers.energies(shown), *numbers.lead_now(shown), whole, cusp, *numbers.energy_drift(shown))


def sentence(shown: Shown) -> Sentence:
    """The cusp and the whole turn of the flow, and who keeps the energy."""
    return sentences.joined(said.sentence(*what_it_does(shown)), sentences.keeping(shown))


def what_it_does(shown: Shown) -> tuple[str | Said, ...]:
    """The motion itself, in words: a cusp, a straight line or a circle."""
    problem = shown.lead.problem
    turn, cusp = cusps.total_turn(shown.params), cusps.cusp_of_flow(problem.params, problem.initial)
    if not shown.initial["p_theta"] and not shown.initial["p_1"]:
        return ("The sleigh rests.",)
    if turn is None and shown.lead["omega"][0]:
        return ("With a = 0 the sleigh runs round a circle for ever.",)
    if turn is None or cusp is None:
        return ("The sleigh glides straight on.",)
    whole = number(degrees(turn), "°")
    if cusp.t < 0.0:
        return ("The sleigh has left its cusp behind and turns by ", whole, " in all.")
    return ("The sleigh stops at its cusp after ", number(cusp.t, "s", 3), " and turns by ", whole, " in all.")


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
                View(
                    "plane",
                    "Momentum plane",
                    momentum_plane,
                    start=("p_theta", "p_1"),
                    caption="From sliding backwards to gliding forwards",
                    long="Every orbit runs along half an ellipse; on the dashed line the blade stands still: the cusp.",
                    short="Plane",
                ),
                View(
                    "motion",
                    "Contact path",
                    path,
                    caption="Where the blade has been; outlines show the sleigh at marked times",
                    short="Path",
                ),
                View(
                    "locus",
                    "Momentum locus",
                    locus,
                    kind="space",
                    start=start_on_locus,
                    caption="The momenta of all steps, and how much each turns",
                    long="P = ε(p_θ + b p₁), Q = ε a p₁ + 2ma²; figure 7.2 of Fedorov and Zenkov.",
                    short="Locus",
                    waits=True,
                ),
                Place(
                    "detail",
                    (
                        View("drift", "Drift", pictures.drift, short="Drift"),
                        View("time", "Time", in_time, short="Time"),
                        View("lead", "Phase lead", pictures.lead, short="Lead"),
                        View("error", "Error", pictures.error, short="Error"),
                        View("step", "One step", one_step, short="Step"),
                        *texts.text_views(branches=True),
                    ),
                ),
            ),
            instant=0.42,
            readout=readout,
            sentence=sentence,
            layout="focus.motion",
        ),
    ),
)
