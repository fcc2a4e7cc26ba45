"""What the cards of CS ask of what is shown, and what they tell of it."""

from fractions import Fraction

import numpy as np

from nhviz.analysis import energy_band, errors, locking
from nhviz.frame.said import Sentence, method, number, percent, sentence
from nhviz.frame.shown import Shown
from nhviz.maps import sphere_branches, vertical
from nhviz.problem import Trajectory
from nhviz.system import Array
from nhviz.views import pictures

FLOW, MAP = "reference", "fedorov"
ROUND_OFF = 1e-12
"""What some hundred steps of round-off may add up to, relative to what is measured."""
REFERENCE = 1e-9
"""What is left of the accuracy of a reference run after some hundred units of time."""
PLACES = np.linspace(0.0, 1.0, 401)
LARGEST_Q = 7
"""Fractions of larger denominators have plateaus too narrow to be seen."""
CLOSER = 0.2
"""An order is known to so much where the next power of the step is still seen."""

NEAR = 1e-4
"""So far apart are places between which a slope is taken; it is off by about the square of that."""

VERTICAL, ROLLING = "sphere?scene=vertical", "sphere?scene=rolling"
FREE = f"{VERTICAL}&h=0.45&u=0.2"


def curve_of(shown: Shown) -> vertical.Oval:
    """The curve of the start."""
    return vertical.oval(shown.params, shown.initial["level"])


def scaled_h(shown: Shown) -> float:
    """The h of the paper: momentum times step."""
    return float(shown.initial["h"] * shown.step)


def vectors(run: Trajectory, name: str) -> Array:
    """A vector of a run, name1 to name3, (samples, 3)."""
    return np.stack([run[f"{name}{i}"] for i in (1, 2, 3)], axis=1)


def lam(shown: Shown) -> Array:
    """Lam = I + D along the axes of the body."""
    p = shown.params
    i = np.array([p["J2"] + p["J3"], p["J1"] + p["J3"], p["J1"] + p["J2"]])
    return np.asarray(i + p["m"] * p["rho"] ** 2)


def off_curve(shown: Shown, variant: str) -> float:
    """How far a run is from the curve (5.7) at its own places u, with the corrected C3."""
    run, curve = shown.runs[variant], curve_of(shown)
    there = curve.gamma(2.0 * curve.quarter * run["u"])
    return float(np.linalg.norm(vectors(run, "gamma") - there, axis=1).max())


def runs_on_curve(shown: Shown) -> bool:
    """Whether flow and map stay on the curve, which is real: all three of its semi-axes are."""
    real = bool(np.isfinite(curve_of(shown).semi_axes).all())
    return real and off_curve(shown, MAP) < REFERENCE and off_curve(shown, FLOW) < REFERENCE


def printed_square(shown: Shown) -> float:
    """The square of C3 as printed: that with 1 - Lam1 l."""
    a, _, c = curve_of(shown).lam
    return c * (1.0 - a * shown.initial["level"]) / (a - c)


def told_curve(shown: Shown) -> Sentence:
    """How well both stay on the curve, and that the printed one is not real."""
    most = max(off_curve(shown, name) for name in (FLOW, MAP))
    return sentence(
        "Flow and map stay on it to ", number(most, digits=2), "; the printed C₃² would be ",
        number(printed_square(shown), digits=3), ", less than 0.",
    )  # fmt: skip


def increments(shown: Shown) -> Array:
    """The increments of u all round the circle, in half ovals."""
    return locking.increments(curve_of(shown), scaled_h(shown), PLACES)


def spread(shown: Shown) -> float:
    """How much the increments differ, over their mean."""
    found = increments(shown)
    return float(np.ptp(found) / abs(found.mean()))


def two_ways(shown: Shown) -> float:
    """How far the increments of the explicit relation are from those of the map itself."""
    direct = locking.direct_increments(curve_of(shown), scaled_h(shown), PLACES[::20])
    return float(np.abs(direct - increments(shown)[::20]).max())


def depends_on_place(shown: Shown) -> bool:
    """Whether the step depends on the place, by far more than both ways to find it differ."""
    return two_ways(shown) < REFERENCE < spread(shown) / 10.0


def told_increments(shown: Shown) -> Sentence:
    """How much steps differ, and how well two ways to find them agree."""
    return sentence(
        "Between places the step differs by ", percent(spread(shown)), "; the relation and the map agree to ",
        number(two_ways(shown), digits=2), ".",
    )  # fmt: skip


def rounds(shown: Shown) -> tuple[Fraction, Array]:
    """The simple fraction next to the rotation, p/q, and by how much q steps from each place miss p turns."""
    curve, h = curve_of(shown), scaled_h(shown)
    near = Fraction(locking.mean_increment(curve, h)).limit_denominator(LARGEST_Q)
    places = PLACES
    for _ in range(near.denominator):
        places = places + locking.increments(curve, h, places)
    return near, places - PLACES + near.numerator


def is_conjugate(shown: Shown) -> bool:
    """Whether the map can be a rotation in another coordinate.

    Of a rotation q steps miss p turns to one side from all places alike, or from none. Both sides at once refute it.
    """
    _, missed = rounds(shown)
    return not bool(missed.min() < -ROUND_OFF and missed.max() > ROUND_OFF)


def told_conjugate(shown: Shown) -> Sentence:
    """The plateau that h is in, or how far q steps miss."""
    near, missed = rounds(shown)
    inside = locking.locked(curve_of(shown), scaled_h(shown))
    if inside is None:
        return sentence(
            "Not locked: ", number(str(near.denominator)), " steps miss by ", number(float(missed.mean())), "."
        )
    edges = [number(f"{edge / shown.step:.6f}") for edge in (inside.low, inside.high)]
    return sentence(
        "Locked at ", number(inside.name), " for h in [", edges[0], ", ", edges[1],
        "]: no rotation. Numerical evidence.",
    )  # fmt: skip


def path_errors(shown: Shown) -> Array:
    """The greatest errors of the path for half, the whole and one and a half of the step."""
    return np.array(
        [
            float(errors.distance(shown.runs[name], pictures.truth_beside(shown, name), "Path").max())
            for name in ("half", MAP, "longer")
        ]
    )


def path_order(shown: Shown) -> float:
    """The power of the step by which paths are off."""
    off = path_errors(shown)
    return float(np.log2(off[1] / off[0]))


def path_converges(shown: Shown) -> bool:
    """Whether the paths come near that of the flow with the square of the step."""
    return abs(path_order(shown) - 2.0) < CLOSER


def told_path(shown: Shown) -> Sentence:
    """How far two paths are off, and the order."""
    half, whole, _ = path_errors(shown)
    return sentence(
        "The path is off by ", number(whole, "m", 2), ", with half the step by ", number(half, "m", 2), ": order ",
        number(path_order(shown), digits=3), ".",
    )  # fmt: skip


def wandering(run: Trajectory) -> float:
    """How far the momentum in space strays from its start, over its length."""
    momentum = np.einsum("nij,nj->ni", run["R"], vectors(run, "K"))
    return float(np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum[0]))


def momenta_are_kept(shown: Shown) -> bool:
    """Whether the momentum stands still in space, with its size and its vertical part."""
    drifts = [float(shown.drifts[name][quantity].max()) for name in shown.maps for quantity in ("K_K", "K_gamma")]
    return max(*drifts, *(wandering(run) for run in shown.maps.values())) < ROUND_OFF


def told_momenta(shown: Shown) -> Sentence:
    """How still it stands, in how many steps."""
    most = max(wandering(run) for run in shown.maps.values())
    count = sum(problem.steps for name, problem in shown.problems.items() if name in shown.maps)
    return sentence(
        "In ", number(str(count)), " steps of three lengths the momentum stands still in space to ",
        number(most, digits=2), ".",
    )  # fmt: skip


def width(run: Trajectory) -> float:
    """How wide the band of the energy is."""
    low, high = energy_band.band(run)
    return high - low


def energy_is_lost(shown: Shown) -> bool:
    """Whether the energy changes by more than round-off along the map, and not along the flow."""
    return width(shown.runs[FLOW]) < REFERENCE < width(shown.runs[MAP])


def told_band(shown: Shown) -> Sentence:
    """The band, that of half the step, and whether it drifts."""
    whole, half = (width(shown.runs[name]) for name in (MAP, "half"))
    run = shown.runs[MAP]
    swings = energy_band.oscillates(run.t, run.remember(energy_band.strayed))
    return sentence(
        "It stays in a band of ", percent(whole), ", with half the step of ", percent(half),
        ": it swings and does not drift." if swings else ".",
    )  # fmt: skip


def energies(shown: Shown) -> tuple[Array, Array]:
    """(2.5) along the flow in terms of K and gamma: as printed, and with the sign corrected."""
    run, scale, p = shown.runs[FLOW], 1.0 / lam(shown), shown.params
    k, gamma = vectors(run, "K"), vectors(run, "gamma")
    d = p["m"] * p["rho"] ** 2
    first, mixed = np.sum(k * k * scale, axis=1), np.sum(gamma * k * scale, axis=1)
    second = d * mixed**2 / (1.0 - d * np.sum(gamma * gamma * scale, axis=1))
    return first - second, first + second


def energy_is_kept(shown: Shown) -> bool:
    """Whether the corrected form stands still along the flow, and is its energy."""
    _, corrected = energies(shown)
    energy = float(shown.runs[FLOW].quantity("energy")[0])
    return float(np.abs(corrected - energy).max()) < REFERENCE * energy


def told_energy(shown: Shown) -> Sentence:
    """What both forms do along the flow."""
    printed, corrected = (np.ptp(values) / abs(values[0]) for values in energies(shown))
    return sentence(
        "With + it is constant to ", number(float(corrected), digits=2), " along the flow; the printed − moves it by ",
        percent(float(printed)), ".",
    )  # fmt: skip


def rotations(shown: Shown) -> int:
    """How many real rotations a step from the start can be."""
    at = sphere_branches.point_of_start(shown.params, shown.initial)
    return len(sphere_branches.fedorov(shown.params, shown.step, at))


def two_to_four(shown: Shown) -> bool:
    """Whether there are at least two and at most four."""
    return 2 <= rotations(shown) <= 4


def told_rotations(shown: Shown) -> Sentence:
    """How many there are here, and with ten times the step."""
    at = sphere_branches.point_of_start(shown.params, shown.initial)
    none = len(sphere_branches.fedorov(shown.params, 10.0 * shown.step, at))
    return sentence(
        "This step can be ", number(str(rotations(shown))), " real rotations; one ten times as long, ",
        number(str(none)), ".",
    )  # fmt: skip


def level_is_kept(shown: Shown) -> bool:
    """Whether the map keeps <gamma, Lam^-1 gamma> to round-off."""
    return level_drift(shown) < ROUND_OFF


def level_drift(shown: Shown) -> float:
    """How far <gamma, Lam^-1 gamma> strays along the map, relative to it."""
    gamma = vectors(shown.runs[MAP], "gamma")
    level = np.sum(gamma**2 / lam(shown), axis=1)
    return float(np.abs(level / level[0] - 1.0).max())


def told_level(shown: Shown) -> Sentence:
    """How well it is kept, in how many steps."""
    return sentence(
        "In ", number(str(shown.problems[MAP].steps)), " steps the level l = ", number(shown.initial["level"]),
        " is kept to ", number(level_drift(shown), digits=2), ".",
    )  # fmt: skip


def implicit(shown: Shown, squared: bool) -> float:
    """How far steps are from the form (5.10) with (5.11), with the square of sigma under the root or without."""
    gamma, scale, h, p = vectors(shown.runs[MAP], "gamma"), 1.0 / lam(shown), scaled_h(shown), shown.params
    total, change, d = gamma[1:] + gamma[:-1], np.diff(gamma, axis=0), p["m"] * p["rho"] ** 2
    sigma = h / (1.0 - 0.25 * d * np.sum(total * total * scale, axis=1))
    under = 1.0 - 0.25 * (sigma**2 if squared else 1.0) * np.sum((total * scale) ** 2, axis=1)
    kappa = 2.0 * sigma / (1.0 + np.sqrt(np.maximum(under, 0.0)))
    return float(np.linalg.norm(change - 0.25 * kappa[:, None] * np.cross(total, total * scale), axis=1).max())


def has_implicit_form(shown: Shown) -> bool:
    """Whether all steps fulfil the corrected form to round-off."""
    return implicit(shown, squared=True) < ROUND_OFF


def told_implicit(shown: Shown) -> Sentence:
    """The residuals of both forms."""
    return sentence(
        "Each step fulfils it to ", number(implicit(shown, squared=True), digits=2),
        " with σ² under the root, as printed to ", number(implicit(shown, squared=False), digits=2), ".",
    )  # fmt: skip


def uneven(run: Trajectory) -> float:
    """How unevenly u grows: its largest distance from the straight line between its ends, over its way."""
    u = run["u"]
    line = u[0] + (u[-1] - u[0]) * run.t / run.t[-1]
    return float(np.abs(u - line).max() / abs(u[-1] - u[0]))


def residual(shown: Shown) -> float:
    """How far gamma, with a u that grows evenly, is from gamma' = gamma x omega, over the size of that."""
    run, curve = shown.runs[FLOW], curve_of(shown)
    half = 2.0 * curve.quarter
    rate = half * (run["u"][-1] - run["u"][0]) / run.t[-1]
    places, gamma = half * run["u"], vectors(run, "gamma")
    velocity = rate * (curve.gamma(places + NEAR) - curve.gamma(places - NEAR)) / (2.0 * NEAR)
    omega = shown.initial["h"] / (1.0 - curve.d * curve.level) * gamma / lam(shown)
    wanted = np.cross(gamma, omega)
    return float(np.linalg.norm(velocity - wanted, axis=1).max() / np.linalg.norm(wanted, axis=1).max())


def flow_is_even(shown: Shown) -> bool:
    """Whether u grows evenly along the flow, and what does so solves the equations of motion."""
    return uneven(shown.runs[FLOW]) < ROUND_OFF and residual(shown) < 10.0 * NEAR**2


def told_even(shown: Shown) -> Sentence:
    """How well an even u solves the equations, and how evenly u grows along the map."""
    return sentence(
        "An even u solves the flow’s equations to ", number(residual(shown), digits=2), "; along ",
        method(shown.looks[MAP]), " it is even to ", number(uneven(shown.runs[MAP]), digits=2), ".",
    )  # fmt: skip


def liouville(shown: Shown) -> float | None:
    """How far the invariant density is from fulfilling the discrete Liouville equation; None if there is none."""
    curve, h, count = curve_of(shown), scaled_h(shown), 256
    density = locking.density(curve, h, count + 1)
    if density is None:
        return None
    places = np.arange(count) / count
    coefficients = np.fft.rfft(density[:-1]) / count
    turns = locking.increments(curve, h, places)
    slopes = np.fft.irfft(2j * np.pi * np.arange(count // 2 + 1) * np.fft.rfft(turns), count)
    waves = np.exp(2j * np.pi * np.outer(places + turns, np.arange(count // 2 + 1)))
    after = 2.0 * (waves @ coefficients).real - coefficients[0].real
    return float(np.abs(after * (1.0 + slopes) - density[:-1]).max())


def has_measure(shown: Shown) -> bool:
    """Whether there is an invariant density."""
    found = liouville(shown)
    return found is not None and found < REFERENCE


def told_measure(shown: Shown) -> Sentence:
    """How well Liouville's equation is fulfilled, and how uneven the density is."""
    found = liouville(shown)
    density = locking.density(curve_of(shown), scaled_h(shown), 257)
    if found is None or density is None:
        return sentence("Locked: it spends all its time on a cycle.")
    return sentence(
        "The density fulfils Liouville’s equation to ", number(found, digits=2), ", from ",
        number(float(density.min()), digits=3), " to ", number(float(density.max()), digits=3), " times its mean.",
    )  # fmt: skip


def is_diffeomorphism(shown: Shown) -> bool:
    """Whether the next place always grows with the place."""
    return least_slope(shown) > 0.0


def least_slope(shown: Shown) -> float:
    """The least slope of the circle map."""
    return float((1.0 + np.diff(increments(shown)) / np.diff(PLACES)).min())


def told_slope(shown: Shown) -> Sentence:
    """The least slope, and the rotation number."""
    turn = locking.rotation(curve_of(shown), scaled_h(shown))
    return sentence(
        "The slope of the map is ", number(least_slope(shown), digits=3), " at least; it turns by ",
        number("nothing" if turn is None else f"{turn:.4f}"), " of a half oval a step.",
    )  # fmt: skip
