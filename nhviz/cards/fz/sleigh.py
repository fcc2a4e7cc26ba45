"""FZ sections 5 and 7: the Chaplygin sleigh and its discrete map."""

from functools import partial
from math import cos, degrees

import numpy as np

from nhviz.analysis import cusps, printed_turns, sleigh_paths, whole_arcs
from nhviz.frame.records import Card
from nhviz.frame.said import Sentence, number, percent, sentence, whole
from nhviz.frame.shown import Shown
from nhviz.maps import loci, sleigh_branches
from nhviz.system import Array
from nhviz.views.claims import ROUND_OFF, STILL, first_map, keeps_energy, only, told_energy


def turns(shown: Shown) -> bool:
    """Whether something runs, and every run moves and turns the blade."""
    return bool(shown.runs) and all(sleigh_paths.turns(run) for run in shown.runs.values())


@only(turns, False)
def blade_and_frame(shown: Shown) -> bool:
    """Figure 5.1: the blade does not slip, and the energy is that of a body with its centre of mass at (a, b)."""
    run, params = shown.smooth(shown.first), shown.params
    energy = run.quantity("energy")
    own = 0.5 * params["m"] * centre_speed(shown) ** 2 + 0.5 * params["J"] * run["omega"] ** 2
    return not sleigh_paths.slips(run) and bool(np.abs(own - energy).max() <= ROUND_OFF * len(run) * energy[0])


def centre_speed(shown: Shown) -> Array:
    """The speed of the centre of mass: (v - b omega, a omega) in the frame of the blade."""
    run, params = shown.smooth(shown.first), shown.params
    return np.hypot(run["v"] - params["b"] * run["omega"], params["a"] * run["omega"])


@only(turns, STILL)
def told_frame(shown: Shown) -> Sentence:
    """The speed of the centre of mass where the blade stands still."""
    found = cusps.cusps(shown.lead)
    if not found:
        return sentence("The centre of mass runs at up to ", number(float(centre_speed(shown).max()), "m/s"), ".")
    at_cusp = float(np.interp(found[0].t, shown.smooth(shown.first).t, centre_speed(shown)))
    when, speed = number(found[0].t, "s", 3), number(at_cusp, "m/s", 3)
    return sentence("After ", when, " the blade stands still; the centre of mass swings past it at ", speed, ".")


def arcs_connect(shown: Shown) -> bool:
    """Figure 5.2: the orbit runs along its ellipse, from the lower, unstable half of the line to the upper one."""
    run = shown.lead
    arc = whole_arcs.whole_arc(run)
    upwards = arc is not None and bool(arc["p_1"][0] < 0.0 < arc["p_1"][-1])
    return upwards and whole_arcs.connects(run) and whole_arcs.stays_on_its_ellipse(run)


def told_arcs(shown: Shown) -> Sentence:
    """Where the arc begins and ends."""
    arc = whole_arcs.whole_arc(shown.lead)
    if arc is None:
        return sentence("Nothing moves here: every momentum rests.")
    low, high = (number(float(arc["p_1"][end]), digits=3) for end in (0, -1))
    return sentence("The momentum along the blade climbs from ", low, " to ", high, " kg m/s, and never falls.")


def has_one_cusp(shown: Shown) -> bool:
    """Figure 5.3: the whole path has one cusp, where its momentum crosses the line, and turns as the inertia says."""
    arc, turn, (j, m, a, b) = whole_arcs.whole_arc(shown.lead), cusps.total_turn(shown.params), body(shown)
    if arc is None or turn is None:
        return False
    stops = np.flatnonzero(np.diff(np.sign(arc["v"])))
    crosses = np.flatnonzero(np.diff(np.sign(m * b * arc["p_theta"] + (j + m * (a**2 + b**2)) * arc["p_1"])))
    # What is left of the turn at both ends: the phase's rest times sqrt(A/(m a^2)).
    left = 2.0 * whole_arcs.SLACK * whole_arcs.GAP * turn
    whole_turn = abs(float(arc["theta"][-1] - arc["theta"][0]))
    return len(stops) == 1 and bool(np.array_equal(stops, crosses)) and abs(whole_turn - turn) <= left


def body(shown: Shown) -> tuple[float, float, float, float]:
    """J, m, a and b."""
    j, m, a, b = (shown.params[name] for name in ("J", "m", "a", "b"))
    return j, m, a, b


def told_cusp(shown: Shown) -> Sentence:
    """When it stops, and how far it turns in all."""
    found, turn = cusps.cusps(shown.lead), cusps.total_turn(shown.params)
    if not found or turn is None:
        return sentence("This path has no cusp.")
    when, whole_turn = number(found[0].t, "s"), number(degrees(turn), "°")
    return sentence("It stops once, after ", when, "; in all it turns by ", whole_turn, ", whatever the start.")


@only(turns, False)
def touches_a_circle(shown: Shown) -> bool:
    """Figure 7.1: in each step both blades touch one circle."""
    run = first_map(shown)
    size = float(np.hypot(np.diff(run["x"]), np.diff(run["y"])).max())
    moving = [k for k in range(len(run) - 1) if run["theta"][k + 1] != run["theta"][k]]
    off = [sleigh_paths.step_circle(run, k)[2] for k in moving]
    # The places are sums of all steps: their round-off is that of the whole path.
    return bool(off) and max(off) <= ROUND_OFF * len(run) * (size + float(np.abs([run["x"], run["y"]]).max()))


@only(turns, STILL)
def told_circle(shown: Shown) -> Sentence:
    """The first step."""
    radius, turn, _ = sleigh_paths.step_circle(first_map(shown))
    return sentence(
        "The first step turns the blade by ", number(degrees(turn), "°", 3), " along a circle of radius ",
        number(abs(radius), "m", 3), ".",
    )  # fmt: skip


def cubic(shown: Shown, p: Array, q: Array, z: Array) -> tuple[Array, Array]:
    """The left side of (7.16) and its derivative by z."""
    j = shown.params["J"]
    middle = q**2 + 2.0 * j * q + p**2
    value = j**2 * z**3 - 2.0 * j * p * z**2 + middle * z - 2.0 * p * q
    return value, 3.0 * j**2 * z**2 - 4.0 * j * p * z + middle


def off_the_cubic(shown: Shown) -> float:
    """How far the sines of the turns of the first map are from their roots of (7.16), at most."""
    run = first_map(shown)
    at = loci.sleigh_point(shown.params, shown.step, run["p_theta"][:-1], run["p_1"][:-1], np.diff(run["theta"]))
    value, slope = cubic(shown, *at.T)
    return float(np.abs(value / slope).max())


@only(turns, False)
def lies_on_the_cubic(shown: Shown) -> bool:
    """Figure 7.2: all steps obey (7.16), and the surface touches z = 1 and z = -1 along the printed lines."""
    headings = first_map(shown)["theta"]
    # A turn is a difference of headings.
    exact = off_the_cubic(shown) <= ROUND_OFF * max(float(np.abs(headings).max()), 1.0)
    return exact and all(touches_along(shown, line) for line in loci.tangent_lines(shown.params, 2.0))


def touches_along(shown: Shown, line: Array) -> bool:
    """Whether a line is on the surface and all beside it below its height: there (7.16) is the square of a distance."""
    (p, q, z), j = line.T, shown.params["J"]
    scale = ROUND_OFF * (j + np.abs(p) + np.abs(q)) ** 2
    on_it = np.abs(cubic(shown, p, q, z)[0]) <= scale
    moved = [cubic(shown, p + aside, q, z)[0] * z - aside**2 for aside in (-0.5 * j, 0.5 * j)]
    return bool(on_it.all() and all((np.abs(one) <= 4.0 * scale).all() for one in moved))


@only(turns, STILL)
def told_cubic(shown: Shown) -> Sentence:
    """How many steps, how exactly."""
    count, off = len(first_map(shown)) - 1, off_the_cubic(shown)
    return sentence("The ", number(whole(count)), " steps of this run obey the cubic equation to ", number(off), ".")


def follows_the_path(shown: Shown) -> bool:
    """Figure 7.3: flow and map have one cusp each, and half the step divides their distance as order 2 does."""
    return sleigh_paths.follows(first_map(shown), shown.lead)


def told_path(shown: Shown) -> Sentence:
    """The step and the distance."""
    far = sleigh_paths.farthest_apart(first_map(shown), shown.lead)
    step, apart = number(shown.step, "s", 2), number(far, "m", 2)
    return sentence("With steps of ", step, " the dots keep the cusp and stay within ", apart, " of the curve.")


@only(turns, False)
def spirals(shown: Shown) -> bool:
    """Footnote 5: the naive map's chords shrink by cos(turn) each step; those of the right map are all the same."""
    if "naive" not in shown.runs:
        return False
    naive, others = shown.runs["naive"], [run for name, run in shown.runs.items() if name != "naive"]
    ratios, turn = sleigh_paths.shrinking(naive), float(naive["theta"][1] - naive["theta"][0])
    # A chord is a difference of places, whose round-off counts more the shorter it is.
    small = ROUND_OFF * len(naive) / float(ratios.prod())
    shrinks = cos(turn) < 1.0 - small and bool(np.abs(ratios - cos(turn)).max() <= small)
    return shrinks and all(sleigh_paths.moves_on_a_circle(run) for run in others)


@only(turns, STILL)
def told_spiral(shown: Shown) -> Sentence:
    """How much shorter each step is, and the last."""
    ratios = sleigh_paths.shrinking(shown.runs.get("naive", shown.lead))
    shorter, left = percent(float(1.0 - ratios.mean())), percent(float(ratios.prod()))
    return sentence("Each naive step is ", shorter, " shorter; the last has ", left, " of the length of the first.")


def complex_turns(shown: Shown) -> Array:
    """All complex turns of a step with the momentum of the start."""
    return printed_turns.turns(shown.params, shown.step, shown.initial["p_theta"], shown.initial["p_1"])


def four_displacements(shown: Shown) -> bool:
    """Section 7: a generic momentum pair comes from four displacements."""
    return len(complex_turns(shown)) == 4


def told_displacements(shown: Shown) -> Sentence:
    """How many there are, and how many are real."""
    found = complex_turns(shown)
    real = number(whole(int((np.abs(np.abs(found) - 1.0) < printed_turns.SAME).sum())))
    b, count = number(shown.params["b"], "m", 2), number(whole(len(found)))
    return sentence(
        "With b = ", b, " there are ", count, ", ", real, " of them real; the fourth root is no turn at all."
    )


def map_keeps_energy(shown: Shown) -> bool:
    """Theorem 7.3: the first map keeps the energy up to round-off."""
    return keeps_energy(first_map(shown))


def has_one_branch(shown: Shown) -> bool:
    """Theorem 7.4: one real step from every momentum up to this energy, and a connection between both ends."""
    _, m, a, _ = body(shown)
    energy = float(first_map(shown).quantity("energy")[0])
    total, mu = sleigh_branches.inertias(shown.params)
    angle, radius = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 721), shown.step * np.sqrt(np.linspace(0.05, 1.0, 20)))
    p = radius * np.sqrt(2.0 * energy * total) * np.cos(angle)
    q = 2.0 * mu + a * radius * np.sqrt(2.0 * energy * m) * np.sin(angle)
    return bool((sleigh_branches.discriminant(shown.params, p, q) > 0.0).all()) and whole_arcs.connects(
        first_map(shown)
    )


def told_bound(shown: Shown) -> Sentence:
    """The theorem's bound of the step, and the true one."""
    energy = float(first_map(shown).quantity("energy")[0])
    bound, sharp = (
        ask(shown.params, energy)
        for ask in (sleigh_branches.single_valued_step, sleigh_branches.sharp_single_valued_step)
    )
    if bound is None or sharp is None:
        return sentence("At rest every step is short enough.")
    return sentence(
        "Sure up to ", number(bound, "s"), "; in fact there is one real step up to ", number(sharp, "s"), "."
    )


figure = partial(Card, paper="FZ", ours=True)
claim = partial(Card, paper="FZ", ours=True, drawn=False)

CONTINUOUS = (
    figure(
        id="fz-5-1",
        figure="5.1",
        title="The sleigh and its frame",
        claim="A blade lets the contact point move along itself only; the centre of mass is at (a, b) in its frame.",
        state="sleigh?a=1&b=0.5&J=1&duration=6&methods=exact",
        view="motion",
        check=blade_and_frame,
        told=told_frame,
        look="The blade always points along its path. The centre of mass is ahead of it and to its left.",
        ideas=("path",),
    ),
    figure(
        id="fz-5-2",
        figure="5.2",
        title="Momentum of the sleigh",
        claim="Momenta run along half ellipses, from the unstable lower half of a line to its stable upper half.",
        state="sleigh?b=0.5&methods=exact&layout=focus.plane",
        view="plane",
        check=arcs_connect,
        told=told_arcs,
        look="Open circles are left, full ones are reached. With b different from 0 their line is tilted.",
        ideas=("phase",),
    ),
    figure(
        id="fz-5-3",
        figure="5.3",
        title="The path has one cusp",
        claim="The path of the contact point has one cusp; its shape depends on the body, not on the start.",
        state="sleigh?b=0.5&methods=exact&duration=9",
        view="motion",
        check=has_one_cusp,
        told=told_cusp,
        look="At the cusp the blade stands still and the sleigh turns on the spot. Far from it the path is straight.",
        ideas=("path",),
        correction="fz-5-cusp",
    ),
)
DISCRETE = (
    figure(
        id="fz-7-1",
        figure="7.1",
        title="One step: two blades, one circle",
        claim="A step carries the blade along a circle that it touches before and after.",
        state="sleigh?step=0.9&p_theta=1.9&p_1=0.3&methods=fedorov_zenkov&duration=9&layout=focus.detail",
        view="step",
        check=touches_a_circle,
        told=told_circle,
        look="Both blades are tangent to the circle. The chord makes the same angle with each of them.",
        ideas=("path",),
    ),
    figure(
        id="fz-7-2",
        figure="7.2",
        title="Surface of the discrete sleigh",
        claim="Momenta and turns of all steps make a cubic surface between two planes, tangent to both along lines.",
        state="sleigh?J=1.5&step=0.9&duration=18&methods=fedorov_zenkov&layout=focus.locus",
        view="locus",
        check=lies_on_the_cubic,
        told=told_cubic,
        look="The dots are steps; on the dark lines a turn is 90°. Where the surface folds a momentum has three turns.",
        ideas=("surface", "branches"),
        ours=False,
    ),
    figure(
        id="fz-7-3",
        figure="7.3",
        title="Discrete path against the flow",
        claim="The discrete sleigh goes the way of the continuous one, with its cusp.",
        state="sleigh?step=0.5&methods=exact.fedorov_zenkov&duration=9",
        view="motion",
        check=follows_the_path,
        told=told_path,
        look="Dots are the map, the line is the flow. Both turn back once, and both straighten out.",
        ideas=("path", "order"),
    ),
    figure(
        id="fz-note-5",
        figure="footnote 5",
        title="The wrong constraint spirals",
        claim="With a = 0 the naive discrete constraint makes a spiral of the circle.",
        state="sleigh?a=0&p_theta=1&p_1=1&step=0.2&duration=40&methods=exact.fedorov_zenkov.naive",
        view="motion",
        check=spirals,
        told=told_spiral,
        look="The flow and the right map run round one circle for ever. The naive map winds inwards.",
        ideas=("path", "integrals"),
    ),
    claim(
        id="fz-7-quartic",
        figure="section 7",
        title="Four displacements for every pair?",
        claim="A generic pair of momenta comes from four complex displacements.",
        state="sleigh?b=0.5&step=0.6&methods=fedorov_zenkov&detail=branches&layout=focus.locus",
        view="locus",
        check=four_displacements,
        told=told_displacements,
        look="A vertical line meets the surface once or three times. Its equation is cubic for every b.",
        ideas=("branches", "surface"),
        correction="fz-7-cubic",
    ),
    claim(
        id="fz-theorem-7-3",
        figure="Theorem 7.3",
        title="The discrete sleigh keeps the energy",
        claim="The map keeps the energy of the flow, for every position of the centre of mass.",
        state="sleigh?b=0.5&step=0.4&methods=fedorov_zenkov.naive&layout=focus.detail",
        view="drift",
        check=map_keeps_energy,
        told=told_energy,
        look="One curve is round-off. The naive map has another constraint and loses energy.",
        ideas=("integrals",),
    ),
    claim(
        id="fz-theorem-7-4",
        figure="Theorem 7.4",
        title="One real step below a bound",
        claim="Up to a bound of step and energy the map has one real step and connects both rests.",
        state="sleigh?step=0.6&methods=exact.fedorov_zenkov&duration=12&layout=focus.plane",
        view="plane",
        check=has_one_branch,
        told=told_bound,
        look="The dots stay on one side of the line and reach the full circle. The bound is not sharp.",
        ideas=("branches", "phase"),
    ),
)
