"""With vertical momentum the ball is a circle that a map turns: the flow never locks, its map does."""

import numpy as np

from nhviz.analysis import locking
from nhviz.frame.records import Panel, Place, Scene, Step, Variant, View
from nhviz.frame.said import Gauge, Lane, Said, Sentence, Statistic, method, number, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.labs.sphere import circle
from nhviz.maps import vertical
from nhviz.parameters import Choice, Parameter
from nhviz.problem import Problem
from nhviz.sweeps.value import Sweep
from nhviz.views import numbers, pictures, texts

AXES = ("first", "second", "third")
DIGITS = 6
"""So many digits tell the edges of a plateau in a sentence."""


def gauges(shown: Shown) -> tuple[Gauge, ...]:
    """How far h can go, with the plateaus above it, and the intervals of l."""
    curve, step = circle.curve_of(shown), shown.step
    fold = locking.largest_h(curve) / step
    lanes = tuple(Lane(shown.looks[name].key, shown.looks[name].label, fold, "fold") for name in shown.maps)
    value = shown.initial["h"]
    end = numbers.round_number(1.06 * fold, 1.2 * fold)
    end = end if value <= end else numbers.round_number(1.05 * value, 1.25 * value)
    marks = tuple((one.name, one.middle / step) for one in locking.plateaus(curve) if one.q < locking.LARGEST_Q)
    low, high = min(a for a, _ in curve.intervals), max(b for _, b in curve.intervals)
    room = 0.1 * (high - low)
    word = shown.panel.word
    return (
        Gauge(word("h"), lanes, end, marks=marks),
        Gauge(
            word("level"), (), high + room, begin=max(low - room, 0.0), intervals=tuple(sorted(curve.intervals)),
            note=f"round the {AXES[curve.axis]} axis",
        ),
    )  # fmt: skip


def said(shown: Shown) -> Sentence:
    """Whether the map is locked, for which h, and how fast starts come near; else how far it turns."""
    curve, h = circle.curve_of(shown), circle.scaled_h(shown)
    if not shown.maps:
        return sentence("The flow never locks: ", *turns(locking.flow_rotation(curve, h)), " in a unit of time.")
    look = shown.looks[next(iter(shown.maps))]
    inside, found = locking.locked(curve, h), locking.cycles(curve, h)
    if inside is None or found is None:
        return unlocked(shown, method(look))
    edges = [number(f"{edge / shown.step:.{DIGITS}f}") for edge in (inside.low, inside.high)]
    return sentence(
        "The flow never locks. ", method(look), "’s map does: for ", "h from ", edges[0], " to ", edges[1],
        f" every start but {words_of(inside.q)} ends on one ", number(f"{inside.q}-cycle"), ", nearer by ",
        number(f"× {found[0].multiplier:.3f}"), " a round.",
    )  # fmt: skip


def unlocked(shown: Shown, name: Said) -> Sentence:
    """How far the map turns, against the flow; the nearest plateau."""
    curve, h = circle.curve_of(shown), circle.scaled_h(shown)
    rotation = locking.rotation(curve, h)
    if rotation is None:
        return sentence("h is past the fold, ", number(locking.largest_h(curve) / shown.step), ": some starts stop.")
    ahead = rotation / locking.flow_rotation(curve, h) - 1.0
    start: list[str | Said] = [name, " turns ", *turns(rotation), ", ", number(f"{100.0 * ahead:.2g}", "%"),
                               " farther than the flow, and is not locked. "]  # fmt: skip
    plateaus = locking.plateaus(curve)
    if not plateaus:
        return sentence(*start, "No plateau of this curve is wide enough to be told from round-off.")
    near = min(plateaus, key=lambda one: abs(one.middle - h))
    away = (near.low - h if h < near.low else h - near.high) / shown.step
    return sentence(*start, "The plateau ", number(near.name), " is ", number(readable(away, 2)), " away.")


def turns(rotation: float) -> tuple[str | Said, ...]:
    """A rotation in words."""
    return number(readable(rotation)), " of a half oval"


def words_of(count: int) -> str:
    """A small number as a word."""
    return ("no", "one", "two", "three", "four", "five", "six", "seven")[count]


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Rotation, the width of the plateau, and how far the vertical is from where it was after two rounds."""
    curve, h = circle.curve_of(shown), circle.scaled_h(shown)
    inside, rotation, found = locking.locked(curve, h), locking.rotation(curve, h), locking.cycles(curve, h)
    flow = numbers.measured("Flow", locking.flow_rotation(curve, h), "of a half oval", rare=True)
    if not shown.maps or rotation is None:
        return (flow,)
    if inside is None or found is None:
        largest = max(locking.plateaus(curve), key=lambda one: one.width, default=None)
        widest = (
            ()
            if largest is None
            else (Statistic(f"Widest plateau, {largest.name}", readable(largest.width / shown.step), "wide"),)
        )
        return (numbers.measured("Rotation", rotation, "of a half oval"), flow, *widest, *numbers.energy_drift(shown))
    return (
        Statistic("Rotation", inside.name, "of a half oval"),
        flow,
        Statistic("Plateau", readable(inside.width / shown.step), "wide"),
        Statistic(f"After {2 * inside.q} steps", readable(returned(shown, found[0].places, 2 * inside.q), 2), "off"),
    )


def returned(shown: Shown, places: tuple[float, ...], steps: int) -> float:
    """How far from a point of a cycle the vertical is after so many steps of the map itself."""
    curve, h = circle.curve_of(shown), circle.scaled_h(shown)
    first = np.ascontiguousarray(curve.gamma(2.0 * curve.quarter * np.array(places[:1])))
    after = first
    for _ in range(steps):
        after = locking.step_of(curve, h, after)
    return float(np.linalg.norm(after - first))


def tongues(problem: Problem) -> Sweep:
    """Rotation numbers over h and l, of both intervals, up to the largest fold."""
    params = dict(problem.params)
    curve = vertical.oval(params, dict(problem.initial)["level"])
    a, b = next((a, b) for a, b in curve.intervals if a < curve.level < b)
    low, high = a + 0.02 * (b - a), b - 0.02 * (b - a)
    folds = [locking.largest_h(vertical.oval(params, level)) for level in (low, 0.5 * (low + high), high)]
    return Sweep.create(
        "sphere", "rotation_number", ("h", 0.02 * max(folds), max(folds), 161), ("level", low, high, 121), params=params
    )


STAIRCASE = View(
    "staircase",
    "Rotation number",
    circle.stairs,
    start=circle.start_on_stairs,
    options=(Choice("part", "whole", ("whole", "plateau"), "part", ("whole", "one plateau")),),
    caption="Click sets h; a staircase, nearly all of its steps invisibly thin",
    long="Click a fraction to enlarge its step. “Sweep this”, in the menu for sharing, shows tongues over h and l.",
    short="Staircase",
    digits=12,
)
COBWEB = View(
    "cobweb",
    "Circle map",
    circle.circle_map,
    start=circle.start_on_circle,
    caption="Where the next step leads",
    long="Up to the curve, across to the diagonal: a step. Where the map is locked, all starts drift to one cycle.",
    short="Circle map",
)
INCREMENT = View(
    "increment",
    "Increment Δu(u)",
    circle.increments,
    caption="How far a step goes, in two ways",
    short="Increment",
)
DENSITY = View(
    "density",
    "Invariant density",
    circle.densities,
    options=(Parameter("other", 0.6142, 0.0, 1e3, "h to compare with", "h", "", (0.0, 1.0)),),
    caption="Where it spends its time",
    short="Density",
    waits=True,
)
CYCLE = View(
    "curve",
    "On the sphere",
    circle.globe,
    kind="space",
    start=circle.start_on_globe,
    caption="0, 1, 2, …, then mirrored",
    long="Full dots attract, open ones repel. After one round the vertical is mirrored, after two it is back.",
    short="Cycle",
)

SCENE = Scene(
    id="vertical",
    title="Vertical",
    panels=(
        Panel(
            "sphere_vertical",
            variants=(Variant("reference", label="Flow", slot=0), Variant("fedorov")),
            values={
                "J1": 0.01,
                "J2": 0.2,
                "J3": 1.0,
                "m": 0.2,
                "h": 0.6146,
                "level": 1.149,
                "u": 0.2339969191908,
                "duration": 30.0,
            },
            heroes=("h", "level"),
            gauges=gauges,
        ),
    ),
    views=(
        STAIRCASE,
        COBWEB,
        Place("increments", (INCREMENT, *texts.text_views(branches=False))),
        Place(
            "densities",
            (
                DENSITY,
                View("drift", "Drift", pictures.drift, short="Drift"),
                View("series", "Time", pictures.components_in_time, short="Time"),
            ),
        ),
        Place("globe", (CYCLE, View("motion", "The ball", pictures.drawn_motion, kind="space", short="Ball"))),
    ),
    grid=(
        f"{'staircase ' * 7}{'cobweb ' * 5}",
        f"{'increments ' * 4}{'densities ' * 4}{'globe ' * 4}",
    ),
    instant=0.05,
    readout=readout,
    sentence=said,
    summary=(
        "With vertical momentum, K = hγ, a step is a map of a circle. The rolling ball never locks; its map does."
    ),
    try_first="click the staircase at 1/3.",
    swept=tongues,
)

EXPERIMENTS: tuple[Step, ...] = (
    Step(
        "Locked at 1/3",
        "Press play: after three steps the cobweb closes, and it repeats itself for ever. Other starts come nearer.",
        "sphere?scene=vertical",
    ),
    Step(
        "Just outside",
        "A little more momentum, and it is not locked: it lingers where the cycle was, slips, and lingers again.",
        "sphere?scene=vertical&h=0.61468&duration=300",
    ),
    Step(
        "Can a real ball lock?",
        "Yes: nearly all mass of this one is near two opposite poles. It locks at 1/4, next to its fold.",
        "sphere?scene=vertical&J1=0.01&J2=0.08&J3=0.85&m=1&level=0.6744&h=0.5397&u=0.06&density.other=0.53",
    ),
)
