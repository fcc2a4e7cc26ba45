"""Pictures of the ball with vertical momentum: its staircase, circle map, increments, densities, and its curve."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from nhviz.analysis import locking
from nhviz.figures import cobweb, oval, over_circle, staircase
from nhviz.figures.staircase import Stair
from nhviz.figures.style import Coming, Look, Picture
from nhviz.frame.said import readable
from nhviz.frame.shown import Shown
from nhviz.maps import vertical
from nhviz.maps.vertical import Oval
from nhviz.parameters import ParameterError
from nhviz.sweeps.value import Sweep
from nhviz.system import Array, Values

CURVE, WINDOW, GRAPH, RINGS, DENSITY = 241, 121, 201, 17, 241
"""So many values make each curve."""
DRIFT, AWAY = 420, 0.4
"""So many steps of a start show where it drifts, from such a share of the way between both cycles."""
BALL = ("J1", "J2", "J3", "m", "rho")
U, NEXT = "<i>u</i> / 2<i>K</i>", "next <i>u</i> / 2<i>K</i>"
NEAR_FOLD = 0.9995
"""Such a share of the fold tells how high a staircase is."""
LEVELS = (0.12, 0.35, 0.6, 0.85)
"""Curves at such shares of an interval of levels show the sphere's."""
AMPLITUDES = np.linspace(0.0, 2.0 * np.pi, 97)
ROUND = np.cos(AMPLITUDES), np.sin(AMPLITUDES)
SQUARES = ROUND[1] ** 2
NAMED = 0.035
"""A click so near to the height of a step, in shares of the picture, and left of it, is one on its name."""


def curve_of(shown: Shown) -> Oval:
    """The curve of the start."""
    return vertical.oval(shown.params, shown.initial["level"])


def scaled_h(shown: Shown) -> float:
    """The h of CS: momentum times step."""
    return float(shown.initial["h"] * shown.step)


def looks(shown: Shown) -> tuple[Look | None, Look | None]:
    """The looks of the flow and of the map, of those that are chosen."""
    flow = next((shown.looks[name] for name in shown.runs if not shown.method(name).discrete), None)
    return flow, next((shown.looks[name] for name in shown.maps), None)


def stairs_of(curve: Oval, step: float) -> list[Stair]:
    """The plateaus as a picture shows them, over the momentum of the page."""
    return [
        Stair(one.name, one.p / one.q, one.low / step, one.high / step, readable(one.width / step, 2))
        for one in locking.plateaus(curve)
    ]


def nearest(stairs: list[Stair], h: float) -> Stair | None:
    """The step that h is on or whose window it is in; else the widest."""
    here = next((one for one in stairs if one.window[0] <= h <= one.window[1]), None)
    return here or max(stairs, key=lambda one: one.high - one.low, default=None)


def sweep_of(curve_params: Values, level: float, low: float, high: float, count: int) -> Sweep:
    """Rotation numbers over h at one level."""
    return sweep_at(tuple((name, curve_params[name]) for name in BALL), level, low, high, count)


@lru_cache(maxsize=64)
def sweep_at(ball: tuple[tuple[str, float], ...], level: float, low: float, high: float, count: int) -> Sweep:
    """The same, remembered."""
    params = dict(ball)
    return Sweep.create("sphere", "rotation_number", ("h", low, high, count), params=params, options={"level": level})


def stairs(shown: Shown) -> Picture:
    """The rotation number over h; its heights come as sweeps, in half ovals, by their size."""
    curve, step, (flow, look) = curve_of(shown), shown.step, looks(shown)
    fold, found = locking.largest_h(curve), stairs_of(curve, step)
    near = nearest(found, shown.initial["h"])
    sweeps = {staircase.CURVE: sweep_of(shown.params, curve.level, 0.004 * fold, fold, CURVE)}
    reach = (0.0, 0.0)
    if near is not None:
        low, high = near.window[0] * step, min(near.window[1] * step, fold)
        sweeps[staircase.ENLARGED] = sweep_of(shown.params, curve.level, low, high, WINDOW)
        reach = near.value - rise(curve, near, low, step), near.value + rise(curve, near, high, step)
    top = locking.mean_increment(curve, NEAR_FOLD * fold)
    heights = sweeps[staircase.CURVE].x.values / step
    drawn = staircase.Staircase(
        h=shown.initial["h"], rotation=locking.rotation(curve, scaled_h(shown)), fold=fold / step, top=1.1 * top,
        slope=locking.flow_rotation(curve, step), stairs=found, curve=heights, near=near,
        window=None if near is None else sweeps[staircase.ENLARGED].x.values / step, reach=reach,
    )  # fmt: skip
    part = shown.choice("staircase.part") == "plateau" and near is not None and look is not None
    picture = (
        staircase.part(shown.theme, drawn, look)
        if part and look is not None
        else staircase.whole(shown.theme, drawn, flow, look)
    )
    coming = [
        Coming(i, sweeps[trace["name"]].to_dict(), "y", -2.0)
        for i, trace in enumerate(picture.figure["data"])
        if trace["name"] in sweeps
    ]
    return replace(picture, coming=tuple(coming))


def rise(curve: Oval, near: Stair, h: float, step: float) -> float:
    """About how far the staircase is from a step at an end of its window: the square root of the normal form."""
    low, high = near.low * step, near.high * step
    slope = (locking.mean_increment(curve, high) - locking.mean_increment(curve, low)) / (high - low)
    return float(slope * np.sqrt(abs((h - low) * (h - high))))


def start_on_stairs(shown: Shown, h: float, height: float) -> Mapping[str, float | str]:
    """The momentum that was clicked; on the name of a step, its middle, enlarged."""
    curve = curve_of(shown)
    top = 1.1 * locking.mean_increment(curve, NEAR_FOLD * locking.largest_h(curve))
    if shown.choice("staircase.part") == "whole":
        for one in stairs_of(curve, shown.step):
            left = one.middle - h
            if abs(height - one.value) < NAMED * top and 0.0 < left < 0.3 * one.middle and left > one.high - one.low:
                return {"h": one.middle, "staircase.part": "plateau"}
    return {"h": h}


def circle_map(shown: Shown) -> Picture:
    """The next place over the place, with the cobweb of the run, and both cycles where the map is locked."""
    curve, h = curve_of(shown), scaled_h(shown)
    places = np.linspace(0.0, 1.0, GRAPH)
    walk = None
    for name, orbit in shown.maps.items():
        walk = cobweb.Walk(shown.looks[name], shown.part(orbit, "u")[0], orbit.stopped is not None)
    found = locking.cycles(curve, h)
    rounds = [cobweb.Round(one.places, one.multiplier) for one in found or ()]
    drift = None if found is None else locking.orbit(curve, h, between(found[1], found[0]), DRIFT)
    return cobweb.circle_map(
        shown.theme, (U, NEXT), (places, locking.graph(curve, h, GRAPH)), walk, rounds[::-1], drift
    )


def between(repelling: locking.Cycle, attracting: locking.Cycle) -> float:
    """A place that is on its way from one cycle to the other."""
    first = repelling.places[0]
    return first + AWAY * min((place - first) % 1.0 for place in attracting.places)


def start_on_circle(shown: Shown, u: float, _: float) -> Mapping[str, float]:
    """The place that was clicked."""
    return {"u": u % 1.0}


def increments(shown: Shown) -> Picture:
    """How far each step goes, by the explicit relation and by the map itself, and how far these are apart."""
    curve, h = curve_of(shown), scaled_h(shown)
    line, rings = np.linspace(0.0, 1.0, GRAPH), np.linspace(0.0, 1.0, RINGS)
    explicit, direct = locking.graph(curve, h, GRAPH), locking.direct_increments(curve, h, rings)
    apart = np.abs(locking.increments(curve, h, rings) - direct)
    told = f"they differ by {readable(float(np.nanmax(apart)), 2)}" if np.isfinite(apart).any() else "beyond the fold"
    near = nearest(stairs_of(curve, shown.step), shown.initial["h"])
    low, high = (float(np.nanmin(explicit)), float(np.nanmax(explicit))) if np.isfinite(explicit).any() else (0.0, 0.0)
    inside = near is not None and low <= -near.value <= high
    fraction = (f"−{near.name}", -near.value) if near is not None and inside else None
    look = shown.looks[next(iter(shown.maps), shown.first)]
    return over_circle.increments(
        shown.theme, (U, "Δ<i>u</i> / 2<i>K</i>"), (line, explicit), (rings, direct), look, fraction, told
    )


def densities(shown: Shown) -> Picture:
    """Where runs spend their time: evenly in the flow; the map's own, one to compare with, or spikes where locked."""
    curve, h, (flow, look) = curve_of(shown), scaled_h(shown), looks(shown)
    found, inside = locking.cycles(curve, h), locking.locked(curve, h)
    # A locked map is compared with one just outside of its plateau.
    own_h = h if inside is None else inside.high + 0.32 * inside.width
    other_h = shown.state.number("density.other") * shown.step
    own, other = (
        None if (values := locking.density(curve, one, DENSITY)) is None
        else over_circle.Density(values, f"<i>h</i> = {one / shown.step:.6g}")
        for one in (own_h, other_h)
    )  # fmt: skip
    spikes = found[0].places if found else ()
    return over_circle.densities(shown.theme, (U, "<i>density</i>"), flow, look, own, other, spikes)


@lru_cache(maxsize=64)
def levels(moments: tuple[float, float, float], d: float) -> Array:
    """Some curves of a ball, on both sides, as one line (3, n) with gaps."""
    ovals = [
        Oval(moments, d, low + share * (high - low))
        for low, high in Oval(moments, d, 1.0).intervals
        for share in LEVELS
    ]
    found = np.full((len(ovals), 2, 3, AMPLITUDES.size + 1), np.nan)
    for curve, room in zip(ovals, found, strict=True):
        room[0, :, :-1] = 0.99 * whole(curve)
    found[:, 1] = -found[:, 0]
    return np.ascontiguousarray(np.moveaxis(found, 2, 0)).reshape(3, -1)


def whole(curve: Oval) -> Array:
    """A curve (3, n) all the way round; its amplitude grows evenly, for which no elliptic functions are needed."""
    (c, s), (c1, c2, c3) = ROUND, curve.semi_axes.tolist()
    sign = float(curve.frame.sum()) / 3.0
    points = np.empty((3, AMPLITUDES.size))
    one, two, three = curve.order
    points[one], points[two] = sign * c1 * c, sign * c2 * s
    points[three] = sign * c3 * np.sqrt(1.0 - curve.parameter * SQUARES)
    return points


def globe(shown: Shown) -> Picture:
    """The vertical in the body: the curve on which it runs, the runs, and the cycles, whose points come in pairs."""
    curve, h, (_, look) = curve_of(shown), scaled_h(shown), looks(shown)
    found = locking.cycles(curve, h)
    cycles = [
        (curve.gamma(2.0 * curve.quarter * unwound(one.places)), one.multiplier < 1.0) for one in found or ()
    ]  # fmt: skip
    direction = np.sign(curve.gamma(0.0)[curve.axis]) * np.eye(3)[curve.axis]
    name = f"γ{'₁₂₃'[curve.axis]}"
    orbits = shown.orbits("gamma1", "gamma2", "gamma3")
    return oval.on_sphere(
        shown.theme, levels(curve.moments, curve.d), whole(curve), (name, direction), orbits, cycles, look,
        len(found[0].places) if found else 0,
    )  # fmt: skip


def unwound(places: tuple[float, ...]) -> Array:
    """Both rounds of a cycle along the whole oval, from step to step: after one round the vertical is mirrored."""
    falling = [places[0]]
    for place in (*places[1:], *places):
        falling.append(place + np.floor(falling[-1] - place))
    return np.array(falling)


def start_on_globe(shown: Shown, *gamma: float) -> Mapping[str, float]:
    """The level and the place of a vertical that was clicked, on the side of the sphere where the curve is."""
    size = float(np.linalg.norm(gamma))
    if not size > 0.0:
        raise ParameterError("A vertical has a direction: click on the sphere, not in its middle.", "level")
    direction = np.array(gamma) / size
    curve = curve_of(shown)
    level = float(direction**2 @ (1.0 / (np.array(curve.moments) + curve.d)))
    there = vertical.oval(shown.params, level)
    vertical.check_level(there)
    return {"level": level, "u": float(there.u(direction) / (2.0 * there.quarter)) % 1.0}
