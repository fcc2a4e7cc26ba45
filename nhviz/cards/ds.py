"""Fedorov and Zenkov, Dynamics of the discrete Chaplygin sleigh: its figures and claims."""

from functools import partial

import numpy as np

from nhviz.analysis import sleigh_paths, whole_arcs
from nhviz.analysis.equilibria import equilibria
from nhviz.frame.records import Card
from nhviz.frame.said import Sentence, number, percent, sentence
from nhviz.frame.shown import Shown
from nhviz.maps.sleigh_branches import inertias
from nhviz.views.claims import ROUND_OFF, STILL, first_map, only


def turns(shown: Shown) -> bool:
    """Whether something runs, and every run moves and turns the blade."""
    return bool(shown.runs) and all(sleigh_paths.turns(run) for run in shown.runs.values())


def flow_connects(shown: Shown) -> bool:
    """Figure 1: from one equilibrium to another of this energy; deviations grow at the first and die at the last."""
    run = shown.lead
    found = equilibria("sleigh", float(run.quantity("energy")[0]), shown.params, step=shown.step)
    unstable_first = [rest.stable for rest in found] == [False, True]
    return unstable_first and whole_arcs.connects(run) and whole_arcs.stays_on_its_ellipse(run)


def told_flow(shown: Shown) -> Sentence:
    """How fast deviations die."""
    found = equilibria("sleigh", float(shown.lead.quantity("energy")[0]), shown.params, step=shown.step)
    if not found:
        return sentence("With a = 0 every momentum rests.")
    rate = number(float(-np.log(found[1].multiplier) / shown.step), "per second", 3)
    return sentence("Near the full circle deviations die at ", rate, ", near the open one they grow.")


def map_connects(shown: Shown) -> bool:
    """Figure 2: the discrete momentum leads from an unstable to a stable equilibrium, too."""
    return whole_arcs.connects(first_map(shown))


@only(turns, STILL)
def told_map(shown: Shown) -> Sentence:
    """How far the energy strays on the way."""
    energy = first_map(shown).quantity("energy")
    steps, strays = number(f"{len(energy) - 1}"), percent(float(np.ptp(energy) / energy[0]))
    return sentence("In these ", steps, " steps it comes to rest as the flow does; its energy strays by ", strays, ".")


def path_keeps_cusp(shown: Shown) -> bool:
    """Figure 3: flow and map have one cusp each, and half the step divides their distance as order 2 does."""
    return sleigh_paths.follows(first_map(shown), shown.lead)


def told_path(shown: Shown) -> Sentence:
    """The step and the distance."""
    far = sleigh_paths.farthest_apart(first_map(shown), shown.lead)
    step, apart = number(shown.step, "s", 2), number(far, "m", 2)
    return sentence("With steps of ", step, " the path keeps its cusp and stays within ", apart, " of the flow's.")


@only(turns, False)
def keeps_momentum(shown: Shown) -> bool:
    """Theorem 5: without an offset the map keeps both momenta, and its path lies on a circle."""
    run = first_map(shown)
    kept = all(np.ptp(run[name]) == 0.0 for name in ("p_theta", "p_1"))
    return kept and sleigh_paths.moves_on_a_circle(run)


@only(turns, STILL)
def told_circle(shown: Shown) -> Sentence:
    """The radius of the map's circle against that of the flow."""
    run = first_map(shown)
    chord, turn = np.hypot(run["x"][1] - run["x"][0], run["y"][1] - run["y"][0]), run["theta"][1] - run["theta"][0]
    own, flow = abs(chord / (2.0 * np.sin(0.5 * turn))), abs(run["v"][0] / run["omega"][0])
    radius, ideal = number(float(own), "m"), number(float(flow), "m")
    return sentence(
        "Its circle has the radius ", radius, ", the flow's ", ideal, "; both momenta stay to the last bit."
    )


def printed_multiplier(shown: Shown) -> float:
    """By which factor a deviation from the last momentum of the map changes in a step, as in the proof of Theorem 6."""
    j, m, a = (shown.params[name] for name in ("J", "m", "a"))
    push = a * shown.step * float(first_map(shown)["p_1"][-1])
    return 1.0 - 2.0 * push / (2.0 * (j + m * a**2) + push)


def measured_multiplier(shown: Shown) -> float:
    """The last factor of p_theta that the run has."""
    last, end = first_map(shown)["p_theta"][-2:]
    return float(end / last)


@only(turns, False)
def deviations_die(shown: Shown) -> bool:
    """Theorem 6: near its end the run falls by the printed factor, below 1.

    The map is odd in p_theta, so that the factor is off by the square of it, p_theta^2/A against twice the energy.
    """
    run, factor = first_map(shown), printed_multiplier(shown)
    total, _ = inertias(shown.params)
    share = float(run["p_theta"][-2] ** 2 / (2.0 * run.quantity("energy")[-2] * total))
    return 0.0 < factor < 1.0 and abs(measured_multiplier(shown) - factor) <= share + ROUND_OFF * len(run)


@only(turns, STILL)
def told_multiplier(shown: Shown) -> Sentence:
    """Both factors."""
    measured, printed = number(measured_multiplier(shown)), number(printed_multiplier(shown))
    return sentence("At the end each step leaves ", measured, " of the deviation; the theorem says ", printed, ".")


figure = partial(Card, paper="DS", ours=True)
claim = partial(Card, paper="DS", ours=True, drawn=False)

CARDS = (
    figure(
        id="ds-1",
        figure="1",
        title="Momentum of the unbalanced sleigh",
        claim="Each pair of opposite equilibria is joined by half ellipses; the upper one is stable.",
        state="sleigh?methods=exact&layout=focus.plane",
        view="plane",
        check=flow_connects,
        told=told_flow,
        look="Arcs leave the open circles and end at the full ones. The dashed line is where the blade stands still.",
        ideas=("phase",),
    ),
    figure(
        id="ds-2",
        figure="2",
        title="The discrete momentum near the origin",
        claim="Near the origin the discrete momentum moves like that of the flow, from unstable to stable rest.",
        state="sleigh?methods=exact.midpoint&step=0.4&duration=12&layout=focus.plane",
        view="plane",
        check=map_connects,
        told=told_map,
        look="The dots are not quite on the flow's ellipse. They reach the full circle all the same.",
        ideas=("phase", "integrals"),
    ),
    figure(
        id="ds-3",
        figure="3",
        title="The other discrete sleigh",
        claim="The discrete path has a cusp as the continuous one has, and straight ends.",
        state="sleigh?methods=exact.midpoint&step=0.5&duration=9",
        view="motion",
        check=path_keeps_cusp,
        told=told_path,
        look="Dots are the map, the line is the flow. Both turn back once, and both straighten out.",
        ideas=("path", "order"),
    ),
    claim(
        id="ds-theorem-5",
        figure="Theorem 5",
        title="Balanced: a circle for ever",
        claim="With the centre of mass on the blade the map keeps both momenta and runs round a circle.",
        state="sleigh?a=0&p_theta=1&p_1=1&step=0.5&duration=20&methods=exact.midpoint",
        view="motion",
        check=keeps_momentum,
        told=told_circle,
        look="The dots come round again and again. Their circle is a little larger than that of the flow.",
        ideas=("path", "integrals"),
    ),
    claim(
        id="ds-theorem-6",
        figure="Theorem 6",
        title="Which rests are stable",
        claim="A rest is stable if the sleigh glides forwards; deviations then fall by a factor in each step.",
        state="sleigh?methods=midpoint&step=0.4&duration=16&layout=focus.detail",
        view="time",
        check=deviations_die,
        told=told_multiplier,
        look="The first momentum dies out like a power of one number. The other one does not come back.",
        ideas=("phase", "integrals"),
    ),
)
