"""What the cards of CP ask of what is shown, and what they tell of it."""

from dataclasses import replace

import numpy as np

from nhviz.analysis import errors
from nhviz.analysis.oscillator_section import ReturnMap, return_map
from nhviz.analysis.sections import Section, section
from nhviz.frame.said import Sentence, method, number, sentence
from nhviz.frame.shown import Shown
from nhviz.problem import Trajectory
from nhviz.system import Array
from nhviz.views import pictures

PULLED, PLAIN, DLA = "euler_feedback", "euler", "dla"
PULLED_RK4, RK4 = "rk4_feedback", "rk4"
FEW = 2.0
"""Integrals are kept to step/gain up to such a factor: half a second derivative, over the size of a gradient."""
FIRST_ORDER = 10.0
"""The error of a scheme of first order is its step times a number of this size at most, where feedback holds it."""
REFERENCE = 1e-9
"""What is left of the accuracy of a reference run after some hundred units of time."""
ROUND_OFF = 1e-12
SAMPLES = 40_000
"""A crossing is looked for between so many samples of a run at most, as in the race."""
SIMILAR = 0.1
"""Sections look alike if their points are apart by no more of the circle's radius."""
DIES_OUT = 0.01
"""An error of which less is left at the end has died out."""
FALLEN = 1e-3
"""What has fallen to such a share of where it began has been attracted."""

TOP = "feedback?scene=suslov&step=0.001&duration=10&pull=0.1&methods=exact.euler.euler_feedback"
CYCLOID = "knife_edge?step=0.001&duration=20&base=euler&k1=1&k2=1&k3=1&methods=exact.feedback"
KNIFE = "feedback?scene=knife_edge&step=0.001&duration=200&pull=1&methods=exact.euler_feedback"
OSCILLATOR = "feedback?scene=oscillator&step=0.001&pull=0.5&k2=0.6&k3=0.6&methods=reference.euler_feedback.dla"


def strayed(run: Trajectory, quantity: str) -> float:
    """How far a quantity of a run goes from its start."""
    values = run.quantity(quantity)
    return float(np.abs(values - values[0]).max())


def gain(run: Trajectory, name: str) -> float:
    """A gain of a run, with the pull on all of them."""
    options = dict(run.problem.options)
    return float(options[name] * options["pull"])


def kept(run: Trajectory, gains: dict[str, str]) -> bool:
    """Whether a run keeps quantities, each named with its gain, to step/gain; it must have a gain for that."""
    return run.stopped is None and all(
        gain(run, name) > 0.0 and strayed(run, quantity) <= FEW * run.problem.step / gain(run, name)
        for quantity, name in gains.items()
    )


def momentum_errors(shown: Shown, variant: str) -> Array:
    """The errors of all three momenta, (3, samples)."""
    run, truth = shown.runs[variant], pictures.truth_beside(shown, variant)
    return np.abs(np.stack([run[name] - truth[name] for name in ("M1", "M2", "M3")]))


def momenta_are_near(shown: Shown) -> bool:
    """Whether the errors are of the size of the step, smaller than without feedback, and die out in the end."""
    pulled, plain = (momentum_errors(shown, name) for name in (PULLED, PLAIN))
    most = min(FIRST_ORDER * shown.step, plain.max())
    return bool(pulled.max() < most and pulled[:, -1].max() < DIES_OUT * pulled.max())


def told_momenta(shown: Shown) -> Sentence:
    """Both greatest errors, and what is left at the end."""
    pulled, plain = (momentum_errors(shown, name) for name in (PULLED, PLAIN))
    return sentence(
        "Error at most ", number(float(pulled.max()), digits=2), ", at the end ",
        number(float(pulled[:, -1].max()), digits=2), "; plain Euler ends with ",
        number(float(plain[:, -1].max()), digits=2), ".",
    )  # fmt: skip


TOP_GAINS = {"orthogonality": "k0", "constraint": "k1", "energy": "k2"}


def top_is_kept(shown: Shown) -> bool:
    """Whether the top keeps rotation, constraint and energy to step/gain, the plain scheme less well."""
    plain = shown.runs[PLAIN]
    lost = [strayed(plain, name) > strayed(shown.runs[PULLED], name) for name in ("orthogonality", "energy")]
    return kept(shown.runs[PULLED], TOP_GAINS) and all(lost)


def told_kept(shown: Shown) -> Sentence:
    """How well each integral is kept, and the growth of the body without feedback."""
    run = shown.runs[PULLED]
    values = [number(strayed(run, name), digits=2) for name in TOP_GAINS]
    return sentence(
        "Kept to ", values[0], ", ", values[1], ", ", values[2], "; without feedback R grows by ",
        number(strayed(shown.runs[PLAIN], "orthogonality"), digits=2), ".",
    )  # fmt: skip


def printed_cycloid(t: Array) -> tuple[Array, Array, Array]:
    """x, y and phi as the paper prints them."""
    return 1.0 - np.cos(t), 0.5 * (t - np.sin(t)), t


def arrived(shown: Shown) -> bool:
    """Whether no run ended early."""
    return all(run.stopped is None for run in shown.runs.values())


def off_cycloid(shown: Shown) -> float:
    """How far the map of the page strays from the corrected cycloid."""
    name, run = next(iter(shown.maps.items()))
    return float(errors.distance(run, pictures.truth_beside(shown, name), "Path").max())


def is_on_cycloid(shown: Shown) -> bool:
    """Whether the blade stays on the corrected cycloid as well as a scheme of first order can."""
    return arrived(shown) and off_cycloid(shown) < FIRST_ORDER * shown.step


def told_cycloid(shown: Shown) -> Sentence:
    """How far it is off the corrected and off the printed solution."""
    run = next(iter(shown.maps.values()))
    x, _, _ = printed_cycloid(run.t)
    return sentence(
        "Within ", number(1000.0 * off_cycloid(shown), "mm", 2), " of the corrected cycloid for ",
        number(float(run.t[-1]), "s", 3), "; the printed one is ",
        number(float(np.abs(run["x"] - x).max()), "m", 2), " off.",
    )  # fmt: skip


def blade_errors(shown: Shown) -> dict[str, float]:
    """The greatest errors of x, y and phi."""
    run, truth = shown.runs[PULLED], pictures.truth_beside(shown, PULLED)
    return {name: float(np.abs(run[name] - truth[name][: len(run)]).max()) for name in ("x", "y", "phi")}


def blade_is_near(shown: Shown) -> bool:
    """Whether all three errors are of the size of the step."""
    return arrived(shown) and max(blade_errors(shown).values()) < FIRST_ORDER * shown.step


def told_blade(shown: Shown) -> Sentence:
    """All three errors, and that of the printed angle."""
    found, run = blade_errors(shown), shown.runs[PULLED]
    printed = float(np.abs(run["phi"] - printed_cycloid(run.t)[2]).max())
    return sentence(
        "x, y off by ", number(1000.0 * found["x"], "", 2), ", ", number(1000.0 * found["y"], "mm", 2), ", φ by ",
        number(1000.0 * found["phi"], "mrad", 2), "; from the printed φ by ", number(printed, "rad", 3), ".",
    )  # fmt: skip


BLADE_GAINS = {"constraint": "k1", "p_phi": "k2", "energy": "k3"}


def blade_is_kept(shown: Shown) -> bool:
    """Whether the blade keeps its three integrals to step/gain."""
    return kept(shown.runs[PULLED], BLADE_GAINS)


def told_integrals(shown: Shown) -> Sentence:
    """How well each integral is kept, and how near to its bound the pull is."""
    run = shown.runs[PULLED]
    values = [number(strayed(run, name), digits=2) for name in BLADE_GAINS]
    return sentence(
        "Kept to ", values[0], ", ", values[1], " and ", values[2], ", with step × Λ at its bound: ",
        number(run.greatest("stability"), digits=4), " of 2.",
    )  # fmt: skip


OSCILLATOR_GAINS = {"energy": "k1", "energy_y": "k2", "constraint": "k3"}


def dla_loses_energy(shown: Shown) -> bool:
    """Whether feedback keeps all three to step/gain, and DLA the last two to its step but not the energy."""
    run = shown.runs[DLA]
    others = [strayed(run, name) for name in ("energy_y", "constraint")]
    return kept(shown.runs[PULLED], OSCILLATOR_GAINS) and max(others) < shown.step < strayed(run, "energy")


def told_energy(shown: Shown) -> Sentence:
    """What both lose."""
    pulled, plain = (strayed(shown.runs[name], "energy") for name in (PULLED, DLA))
    worst = max(strayed(shown.runs[PULLED], name) for name in OSCILLATOR_GAINS)
    return sentence(
        method(shown.looks[DLA]), " loses ", number(plain, "J", 2), " of energy, feedback ", number(pulled, "J", 2),
        "; nothing strays by more than ", number(worst, digits=2), ".",
    )  # fmt: skip


def exact_section(shown: Shown) -> ReturnMap:
    """The exact section of the start."""
    return return_map(dict(shown.initial))


def crossings(shown: Shown) -> dict[str, Section]:
    """The crossings of both integrators, from runs with enough samples."""
    found = {}
    for name in (PULLED, DLA):
        problem = shown.problems[name]
        every = max(1, -(-problem.steps // SAMPLES))
        run = shown.runs[name] if problem.every == every else shown.run(replace(problem, every=every))
        found[name] = section(run, {"y": 1.0})
    return found


def section_errors(shown: Shown) -> dict[str, float]:
    """The greatest distance of each integrator’s crossings to the exact ones; infinite if their numbers differ."""
    exact, found = shown.remember(exact_section), {}
    for name, one in shown.remember(crossings).items():
        places = np.stack([one["x"], one["z"], one["p_z"]], axis=1)
        same = abs(len(one) - (shown.problems[name].steps * shown.step - exact.time) / (2.0 * np.pi)) < 1.0
        away = np.linalg.norm(places - exact.crossings(len(one)), axis=1) if same else np.array([np.inf])
        found[name] = float(away.max())
    return found


def sections_look_alike(shown: Shown) -> bool:
    """Whether the crossings of both are near the exact ones, as far as an eye can tell."""
    return max(section_errors(shown).values()) < SIMILAR * shown.remember(exact_section).radius


def told_sections(shown: Shown) -> Sentence:
    """How many crossings there are, and how far they are off."""
    found = section_errors(shown)
    return sentence(
        "Of ", number(str(len(shown.remember(crossings)[DLA]))), " crossings none is off by more than ",
        number(found[PULLED], digits=2), " (feedback) or ", number(found[DLA], digits=2), " (",
        method(shown.looks[DLA]), ").",
    )  # fmt: skip


def is_attracted(shown: Shown) -> bool:
    """Whether a start off the constraint falls onto it with feedback, and stays off without."""
    pulled, plain = (np.abs(shown.runs[name].quantity("constraint")) for name in (PULLED_RK4, RK4))
    return bool(pulled[-1] < FALLEN * pulled[0] and plain[-1] > 0.5 * plain[0] and pulled[0] > 0.0)


def told_attracted(shown: Shown) -> Sentence:
    """How far off it is at first and at the end."""
    pulled, plain = (np.abs(shown.runs[name].quantity("constraint")) for name in (PULLED_RK4, RK4))
    return sentence(
        "Off by ", number(float(pulled[0]), digits=2), " at first, by ", number(float(pulled[-1]), digits=2),
        " at the end; without feedback by ", number(float(plain[-1]), digits=2), " still.",
    )  # fmt: skip


def told_lost(shown: Shown) -> Sentence:
    """When it is lost, and the number that explains it."""
    run = shown.runs[PULLED]
    if run.stopped is None:
        return sentence("It arrives after ", number(float(run.t[-1]), "s", 3), ".")
    return sentence(
        "Lost after ", number(float(run.t[-1]), "s", 3), ": step × Λ must stay below 2, and has reached ",
        number(run.greatest("stability"), digits=3), ".",
    )  # fmt: skip


def off_constraint_drifts(shown: Shown) -> dict[str, float]:
    """How far the integrals of the plain run go, which starts off the constraint."""
    return {name: strayed(shown.runs[RK4], name) for name in BLADE_GAINS}


def has_three_integrals(shown: Shown) -> bool:
    """Whether all three stand still off the constraint, as well as a scheme of fourth order can tell."""
    start = abs(float(shown.runs[RK4].quantity("constraint")[0]))
    return start > 0.0 and max(off_constraint_drifts(shown).values()) < shown.step**4


def printed_loss(shown: Shown) -> float:
    """How much energy the field as printed would lose along the run: the integral of p_par J1 p_phi/(sqrt(m) J)."""
    run, p = shown.runs[RK4], shown.params
    along = run["p_x"] * np.cos(run["phi"]) + run["p_y"] * np.sin(run["phi"])
    rate = along * run.quantity("constraint") * run["p_phi"] / (np.sqrt(p["m"]) * p["J"])
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(run.t)
    return float(np.abs(np.cumsum(steps)).max())


def told_three(shown: Shown) -> Sentence:
    """How well they stand still in the repaired field, against the printed one."""
    most = max(off_constraint_drifts(shown).values())
    return sentence(
        "In the repaired field they stand still to ", number(most, digits=2), "; printed, H would move by ",
        number(printed_loss(shown), "J", 2), ".",
    )  # fmt: skip


def beginning(run: Trajectory) -> tuple[Array, Array]:
    """Times and logarithms of what is off, as long as more than a thousandth of it is left."""
    off_by = np.abs(run.quantity("constraint_1"))
    first = np.flatnonzero(off_by > FALLEN * off_by[0])
    return run.t[first], np.log(off_by[first])


def falls_exponentially(shown: Shown) -> bool:
    """Whether it falls to a thousandth, and its logarithm in a straight line, to a hundredth of that fall."""
    run = shown.runs[PULLED_RK4]
    t, logarithms = beginning(run)
    if not 3 < t.size < len(run):
        return False
    line = np.polyfit(t, logarithms, 1)
    return bool(np.abs(logarithms - np.polyval(line, t)).max() < -0.01 * np.log(FALLEN))


def told_rate(shown: Shown) -> Sentence:
    """How fast it falls."""
    measured = -float(np.polyfit(*beginning(shown.runs[PULLED_RK4]), 1)[0])
    return sentence(
        "What is off falls as e^(−κt) with κ = ", number(measured, "1/s", 3), ": to a half in ",
        number(float(np.log(2.0) / measured), "s", 2), ".",
    )  # fmt: skip


def top_by_hand(t: Array) -> Array:
    """Momenta of the top as the paper gives them, (3, samples)."""
    return np.stack([-np.tanh(t), 1.0 / np.cosh(t), 1.0 / np.cosh(t)])


def hand_errors(shown: Shown, variant: str) -> float:
    """How far the momenta of a run are from that closed form."""
    run = shown.runs[variant]
    return float(np.abs(np.stack([run[name] for name in ("M1", "M2", "M3")]) - top_by_hand(run.t)).max())


def is_closed_form(shown: Shown) -> bool:
    """Whether our closed form agrees to round-off and the plain scheme of fourth order as well as it can."""
    return hand_errors(shown, "exact") < ROUND_OFF and hand_errors(shown, RK4) < shown.step**4


def told_closed_form(shown: Shown) -> Sentence:
    """Both agreements."""
    return sentence(
        "Our closed form agrees to ", number(hand_errors(shown, "exact"), digits=2), ", a fourth-order run to ",
        number(hand_errors(shown, RK4), digits=2), ".",
    )  # fmt: skip


def paired(shown: Shown, before: bool) -> float:
    """The greatest |p_x + y p_z| of DLA, with y before or after its step."""
    run = shown.runs[DLA]
    y = run["y"][:-1] if before else run["y"][1:]
    return float(np.abs(run["p_x"][1:] + y * run["p_z"][1:]).max())


def dla_keeps_constraint(shown: Shown) -> bool:
    """Whether DLA keeps its constraint exactly with y before the step, and only to the step with y after it."""
    return paired(shown, before=True) < ROUND_OFF * shown.runs[DLA].problem.steps < paired(shown, before=False)


def told_paired(shown: Shown) -> Sentence:
    """Both pairings."""
    return sentence(
        "With y before the step it is kept to ", number(paired(shown, before=True), digits=2), ", with y after it to ",
        number(paired(shown, before=False), digits=2), ".",
    )  # fmt: skip


def is_cosine(shown: Shown) -> bool:
    """Whether y is cos t in the motion itself."""
    run = shown.runs["reference"]
    return bool(np.abs(run["y"] - np.cos(run.t)).max() < REFERENCE)


def told_cosine(shown: Shown) -> Sentence:
    """How well it is, and how many periods there are."""
    run = shown.runs["reference"]
    turns = float(run.t[-1]) / (2.0 * np.pi)
    return sentence(
        "The reference is cos t to ", number(float(np.abs(run["y"] - np.cos(run.t)).max()), digits=2), " over ",
        number(turns, digits=3), " periods.",
    )  # fmt: skip
