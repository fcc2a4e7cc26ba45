"""The Sleigh lab: a blade on ice that stops at a cusp and turns round by itself, and three discrete maps."""

from collections.abc import Mapping
from math import degrees

from nhviz.analysis import backdrop, cusps, starts
from nhviz.analysis.branches import branches
from nhviz.figures import motion, step, surface
from nhviz.figures.style import Orbit, Picture
from nhviz.frame import said
from nhviz.frame.records import Lab, Panel, Place, Scene, View
from nhviz.frame.said import Said, Sentence, Statistic, number
from nhviz.frame.shown import Shown
from nhviz.maps import loci, sleigh_branches
from nhviz.views import numbers, pictures, sentences, texts
from nhviz.views.texts import NO_BRANCH

NOT_PRINCIPAL = "The map has no step here: its principal branch has ended. This is another one with these momenta."


def momentum_plane(shown: Shown) -> Picture:
    """The momentum plane with the line on which the path has its cusp."""
    return pictures.momentum_plane(shown, backdrop.cusp_line)


def path(shown: Shown) -> Picture:
    """Contact paths with their cusps, and the sleigh itself."""
    marks = [(cusp.x, cusp.y) for orbit in shown.runs.values() for cusp in cusps.cusps(orbit)]
    draw = shown.system.draw
    assert draw is not None
    drawing, instants, track = draw(shown.lead), shown.points(shown.lead), shown.looks[shown.first].key
    return motion.plane_motion(
        shown.theme, shown.orbits("x", "y"), drawing, instants, track, marks, stopped=shown.stopped
    )


def locus(shown: Shown) -> Picture:
    """FZ figure 7.2 with its tangent lines, the discriminant curve below it and the orbits on it."""
    view = {"extent": 3.0, "rows": 61, "columns": 21}
    points = loci.fedorov_zenkov_locus(shown.params, shown.step, view).points
    curves = [line.T for line in loci.tangent_lines(shown.params, 2.0 * sleigh_branches.inertias(shown.params)[0])]
    curves.append(loci.discriminant_curve(shown.params))
    orbits = []
    for name, orbit in shown.maps.items():
        if shown.method(name).id == "fedorov_zenkov":
            momenta = shown.part(orbit, "p_theta", "p_1")
            points_on = tuple(loci.orbit_on_sleigh_locus(shown.params, shown.step, *momenta))
            orbits.append(Orbit(points_on, points_on, shown.looks[name], discrete=True))
    axes = ("P (kg m²)", "Q (kg m²)", "sin Δθ")
    return surface.locus(shown.theme, axes, [points], None, curves, orbits, shown.stopped, cube=True)


def one_step(shown: Shown) -> Picture:
    """FZ figure 7.1 for the first step of the Fedorov-Zenkov map."""
    at = {name: shown.initial[name] for name in ("p_theta", "p_1")}
    found = branches("sleigh", "fedorov_zenkov", shown.params, shown.step, at)
    if not found:
        return step.nowhere(shown.theme, NO_BRANCH)
    chosen = next((branch for branch in found if branch["principal"]), found[0])
    note = None if chosen["principal"] else NOT_PRINCIPAL
    return step.displacement(shown.theme, chosen["dtheta"], chosen["V1"], chosen["V2"], note)


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
    turn, cusp = cusps.total_turn(shown.params), cusps.flow_cusp(shown.params, shown.initial)
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
                        View("step", "One step", one_step, short="Step"),
                        *texts.text_views(branches=True),
                    ),
                ),
            ),
            readout=readout,
            sentence=sentence,
            layout="focus.motion",
        ),
    ),
)
