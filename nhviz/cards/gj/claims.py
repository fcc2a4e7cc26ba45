"""What the cards of GJ ask of what is shown, and what they tell of it."""

from dataclasses import dataclass, replace

import numpy as np

from nhviz.analysis import convergence, errors, ladder
from nhviz.figures.style import Look
from nhviz.frame.said import Sentence, method, number, percent, sentence
from nhviz.frame.shown import Shown
from nhviz.maps import loci, suslov_branches
from nhviz.problem import Problem, Trajectory
from nhviz.system import Array
from nhviz.views import pictures

NON_CONSISTENT, CONSISTENT = "moser_veselov", "cayley"
SCHEMES = (NON_CONSISTENT, CONSISTENT)
ROUND_OFF = 1e-12
"""What a few hundred steps of round-off may add up to, relative to what is measured."""
CLOSER = 0.25
"""A slope is known to so much where the next power of the step is still seen."""
HALVINGS = 2.0 ** -np.arange(4.0, 8.0)
"""Steps, in units of the present one, at which the order of a single step is plain."""
GENERIC = "suslov?I11=3&I22=4&I33=5&I13=1&I23=0.5&M1=41.07400078&M2=-99.38251558&duration=1"
SPECIAL = "suslov?I11=3&I22=3&I33=5&I13=0&I23=0.5&M1=179.9836568&M2=2.4255507998&duration=1"
TWO_STEPS = "exact.moser_veselov.cayley.half"
RACE = GENERIC.replace("suslov?", "feedback?scene=suslov&", 1)


def look(shown: Shown, variant: str) -> Look:
    """How a scheme looks, whether or not it runs."""
    return shown.looks[variant]


def longest(momenta: Array) -> float:
    """The size of the longest of momenta (..., 3)."""
    return float(np.linalg.norm(momenta, axis=-1).max())


def sheet(shown: Shown, farthest: float, rational: bool) -> Array:
    """The momenta of rotations by up to twice `farthest` on the surface of a scheme."""
    return loci.suslov_momentum(shown.params, shown.step, loci.displacements(0.0, farthest, 33, 72), rational)


def is_cayley(shown: Shown) -> bool:
    """Whether the surface that is shown is that of the consistent scheme."""
    return shown.choice("locus.surface") == CONSISTENT


def off_plane(shown: Shown, farthest: float) -> float:
    """How far the surface is from the plane d*, in lengths of its momenta there, for rotations by twice `farthest`."""
    momenta = sheet(shown, farthest, is_cayley(shown))[-1]
    away = np.abs(loci.distance_to_plane(shown.params, *momenta.T))
    return float(away.max()) / longest(momenta)


def touches_plane(shown: Shown) -> bool:
    """Whether the surface is tangent to d* at 0: its angle with it halves when rotations do."""
    far, near = off_plane(shown, 1e-3), off_plane(shown, 5e-4)
    return abs(far / near - 2.0) < 0.01


def bound(shown: Shown) -> float:
    """No Moser-Veselov momentum is longer: 2/step times a matrix norm of what is quadratic in Euler parameters."""
    p = shown.params
    products = abs(p["I13"]) + abs(p["I23"])
    rows = products + np.array([p["I11"], p["I22"], abs(p["I22"] - p["I11"])])
    return float(2.0 / shown.step * np.linalg.norm(rows))


def is_bounded(shown: Shown) -> bool:
    """Whether momenta stay below the bound up to a half turn, and the surface touches the plane."""
    return longest(sheet(shown, 0.5 * np.pi - 1e-6, is_cayley(shown))) <= bound(shown) and touches_plane(shown)


def told_bounded(shown: Shown) -> Sentence:
    """The longest momentum, against that of the run."""
    most, start = longest(sheet(shown, 0.5 * np.pi, False)), float(np.hypot(*shown.initial.values()))
    return sentence(
        "No step has a momentum beyond ", number(most, "kg m^2/s"), "; the run starts at ", number(start), "."
    )


def crossing(shown: Shown) -> float:
    """The angle at 0, in degrees, between both arms of the curve in which the surface meets the plane."""
    p, psi = shown.params, loci.contact_directions(shown.params)
    u, v = np.cos(psi), np.sin(psi)
    arms = np.stack([p["I11"] * u, p["I22"] * v, p["I13"] * u + p["I23"] * v], axis=1)
    first, second = arms / np.linalg.norm(arms, axis=1)[:, None]
    return float(np.degrees(np.arccos(abs(first @ second))))


def is_unbounded(shown: Shown) -> bool:
    """Whether momenta grow as the cube of tan(angle/2), and the red curve crosses itself at 0 in the plane."""
    tangents = np.array([1e3, 2e3])
    far, farther = (longest(sheet(shown, float(np.arctan(rho)), is_cayley(shown))) for rho in tangents)
    cubic = abs(float(np.log2(farther / far)) - 3.0) < 0.01
    return cubic and touches_plane(shown) and meets_in_curve(shown)


def meets_in_curve(shown: Shown) -> bool:
    """Whether what is drawn red lies in the plane, and passes 0 twice."""
    pieces = loci.cayley_contact(shown.params, shown.step)
    away = max(float(np.abs(loci.distance_to_plane(shown.params, *piece)).max()) for piece in pieces)
    most = max(float(np.abs(piece).max()) for piece in pieces)
    return away <= ROUND_OFF * most and len(loci.contact_directions(shown.params)) == 2


def told_unbounded(shown: Shown) -> Sentence:
    """How momenta grow, and how the curve crosses itself."""
    grown = [longest(sheet(shown, np.radians(degrees / 2.0), True)) for degrees in (90.0, 170.0)]
    return sentence(
        "A step by 170° has ", number(grown[1] / grown[0], digits=3), " times the momentum of 90°. The curve crosses ",
        "itself at ", number(crossing(shown), "°", 3), ".",
    )  # fmt: skip


def off_flow(shown: Shown, variant: str) -> float:
    """The greatest error of a run's momenta, in lengths of the greatest momentum."""
    run = shown.runs[variant]
    return float(errors.distance(run, pictures.truth_beside(shown, variant), "Momenta").max())


def lost(shown: Shown, variant: str) -> float:
    """The greatest energy drift of a run, relative to its start."""
    return float(shown.drifts[variant]["energy"].max())


def is_better(shown: Shown) -> bool:
    """Whether the non-consistent scheme is nearer to the flow, and alone keeps the energy."""
    near, far = (off_flow(shown, name) for name in SCHEMES)
    return near < far and lost(shown, NON_CONSISTENT) < ROUND_OFF < lost(shown, CONSISTENT)


def told_better(shown: Shown) -> Sentence:
    """How far both are off, and who loses energy."""
    near, far = (off_flow(shown, name) for name in SCHEMES)
    return sentence(
        method(look(shown, NON_CONSISTENT)), " is off by ", percent(near), ", ", method(look(shown, CONSISTENT)),
        " by ", percent(far), " and ", percent(lost(shown, CONSISTENT)), " in energy.",
    )  # fmt: skip


def both_keep_energy(shown: Shown) -> bool:
    """Whether both schemes keep the energy to round-off."""
    return all(lost(shown, name) < ROUND_OFF for name in SCHEMES)


def greatest_lead(shown: Shown, variant: str) -> float:
    """The phase lead of a run where it is largest, negative behind the flow."""
    lead = shown.leads[variant]
    return float(lead[abs(lead).argmax()])


def told_both_keep(shown: Shown) -> Sentence:
    """What both lose, and who is ahead."""
    most, ahead, behind = (max(lost(shown, n) for n in SCHEMES), *(greatest_lead(shown, n) for n in SCHEMES))
    return sentence(
        "Energy drifts below ", number(most), " in both; phases stray by ", number(ahead, "rad", 3), " and ",
        number(behind, "rad", 3), ".",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Line:
    """The errors of a scheme at the end over its steps, longest first, and their slope at the shortest ones."""

    steps: Array
    errors: Array
    slope: float


def diagram(shown: Shown) -> dict[str, Line]:
    """The lines of both schemes, as the picture has them: errors of momenta and attitude together."""
    problem = shown.problems[NON_CONSISTENT]
    duration = ladder.lasting(problem.steps, problem.step)
    truth = shown.run(replace(problem, duration=duration).by(shown.system.truth.id, duration, 1, {}))
    steps = duration / np.array(ladder.counts(problem.steps), dtype=float)
    found = {}
    for name in SCHEMES:
        runs = [shown.run(to_the_end(problem, name, float(step), duration)) for step in steps]
        off = np.array([ladder.final_error(run, truth) for run in runs])
        slope = ladder.slope(list(steps), off, ladder.scale_of(truth))
        found[name] = Line(steps, off, np.nan if slope is None else slope)
    return found


def to_the_end(problem: Problem, name: str, step: float, duration: float) -> Problem:
    """A run of a scheme to the same end, of which only that is kept."""
    return replace(problem, duration=duration).by(name, step, round(duration / step), {})


def at_end(run: Trajectory, truth: Trajectory) -> float:
    """The largest error of the momenta at the end."""
    return max(abs(float(run[name][-1] - truth[name][-1])) for name in ("M1", "M2"))


def is_second_order_and_better(shown: Shown) -> bool:
    """Whether both lines have slope 2, and the non-consistent scheme has the smaller errors at the shortest steps."""
    found = shown.remember(diagram)
    near, far = (found[name].errors[-3:] for name in SCHEMES)
    return all(abs(line.slope - 2.0) < CLOSER for line in found.values()) and bool(np.all(near < far))


def told_diagram(shown: Shown) -> Sentence:
    """Both slopes, and how much smaller one error is."""
    near, far = (shown.remember(diagram)[name] for name in SCHEMES)
    return sentence(
        "Slopes ", number(near.slope, digits=3), " and ", number(far.slope, digits=3), "; ",
        method(look(shown, NON_CONSISTENT)), "’s errors are ", number(far.errors[-1] / near.errors[-1], digits=2),
        " times smaller.",
    )  # fmt: skip


def is_slower_and_faster(shown: Shown) -> bool:
    """What the remark says: the non-consistent scheme lags behind the flow, the consistent one runs ahead."""
    return greatest_lead(shown, NON_CONSISTENT) < 0.0 < greatest_lead(shown, CONSISTENT)


def told_leads(shown: Shown) -> Sentence:
    """Who is ahead, and by how much."""
    parts = []
    for name in SCHEMES:
        lead = greatest_lead(shown, name)
        parts += [method(look(shown, name)), " leads by " if lead > 0.0 else " lags by ", number(abs(lead), "rad", 2)]
    return sentence(*parts[:3], ", ", *parts[3:], ".")


def local_orders(shown: Shown) -> dict[str, float]:
    """The powers of the step by which a single step of each scheme is off."""
    problem, steps = shown.problems[NON_CONSISTENT], shown.step * HALVINGS
    found = {}
    for name in SCHEMES:
        off = [one_step(shown, problem, name, float(step)) for step in steps]
        found[name] = convergence.Convergence(steps, np.array(off)).order
    return found


def one_step(shown: Shown, problem: Problem, name: str, step: float) -> float:
    """How far a single step of a scheme is off the flow."""
    truth = shown.run(replace(problem, duration=step).by("exact", step, 1, {}))
    return at_end(shown.run(to_the_end(problem, name, step, step)), truth)


def agree_to_second_order(shown: Shown) -> bool:
    """Whether a step of both is off by the cube of its length."""
    return all(abs(order - 3.0) < CLOSER for order in shown.remember(local_orders).values())


def told_orders(shown: Shown) -> Sentence:
    """By which power of the step one step is off."""
    orders = shown.remember(local_orders)
    return sentence(
        "One step is off by the power ", number(orders[NON_CONSISTENT], digits=3), " of its length, and ",
        number(orders[CONSISTENT], digits=3), ": both second order.",
    )  # fmt: skip


def level(shown: Shown, momenta: Array) -> Array:
    """I22 M1^2 + I11 M2^2 of momenta (..., 2 or 3)."""
    return np.asarray(shown.params["I22"] * momenta[..., 0] ** 2 + shown.params["I11"] * momenta[..., 1] ** 2)


def branch_changes(shown: Shown) -> tuple[Array, int]:
    """By how much a step by each real displacement changes the energy, relative to it, and how many there are."""
    run, changes, count = shown.runs[NON_CONSISTENT], [], 0
    for m1, m2 in zip(run["M1"], run["M2"], strict=True):
        found = suslov_branches.moser_veselov(shown.params, shown.step, {"M1": float(m1), "M2": float(m2)})
        q = np.array([[one["q1"], one["q2"], one["q0"]] for one in found]).T
        before = level(shown, np.array([m1, m2]))
        # The step keeps the first two momenta of the same displacement seen from its end: that with the sign of q0.
        after = level(shown, loci.suslov_momentum(shown.params, shown.step, q * [[1.0], [1.0], [-1.0]], False))
        changes.append(np.abs(after / before - 1.0).max())
        count += len(found)
    return np.array(changes), count


def every_branch_keeps(shown: Shown) -> bool:
    """Whether all real displacements of all points keep the energy, and so does the run."""
    changes, _ = shown.remember(branch_changes)
    return float(changes.max()) < ROUND_OFF and lost(shown, NON_CONSISTENT) < ROUND_OFF


def told_branches_keep(shown: Shown) -> Sentence:
    """How many displacements, and what they lose."""
    changes, count = shown.remember(branch_changes)
    return sentence(
        "All ", number(str(count)), " real displacements at its points keep the energy to ",
        number(float(changes.max()), digits=2), ".",
    )  # fmt: skip


def energy_steps(shown: Shown) -> tuple[Array, Array]:
    """What each step of the Cayley map adds to I22 M1^2 + I11 M2^2, and what the formula says, relative to it."""
    run, p, eps = shown.runs[CONSISTENT], shown.params, shown.step_of(CONSISTENT)
    levels = level(shown, np.stack([run["M1"], run["M2"]], axis=1))
    u, v = run["u"][:-1], run["v"][:-1]
    s, k = p["I11"] * u**2 + p["I22"] * v**2, p["I13"] * u + p["I23"] * v
    formula = 0.5 * eps**3 * u * v * (p["I11"] - p["I22"]) * s * k
    return np.diff(levels) / levels[0], formula / levels[0]


def changes_by_formula(shown: Shown) -> bool:
    """Whether the energy changes, in every step by what the formula says."""
    made, formula = energy_steps(shown)
    return bool(np.abs(made - formula).max() < ROUND_OFF < np.abs(made).max())


def told_formula(shown: Shown) -> Sentence:
    """What it loses, and how well the formula tells it."""
    made, formula = energy_steps(shown)
    return sentence(
        "Its energy strays by ", percent(lost(shown, CONSISTENT)), "; the formula tells every step to ",
        number(float(np.abs(made - formula).max()), digits=2), ".",
    )  # fmt: skip


def displacements(run: Trajectory) -> Array:
    """The rotations from each sample of a run to the next, (n, 3, 3)."""
    return np.einsum("nji,njk->nik", run["R"][:-1], run["R"][1:])


def symmetric_parts(shown: Shown) -> Array:
    """The size of the symmetric part of (W - 1)/step for each displacement W, over that of the whole."""
    difference = displacements(shown.runs[NON_CONSISTENT]) - np.eye(3)
    symmetric = 0.5 * (difference + np.swapaxes(difference, 1, 2))
    return np.asarray(np.linalg.norm(symmetric, axis=(1, 2)) / np.linalg.norm(difference, axis=(1, 2)))


def forbidden_turns(shown: Shown) -> Array:
    """The forbidden part of the Cayley coordinates of each displacement, over their size."""
    w = displacements(shown.runs[NON_CONSISTENT])
    skew = np.stack([w[:, 2, 1] - w[:, 1, 2], w[:, 0, 2] - w[:, 2, 0], w[:, 1, 0] - w[:, 0, 1]], axis=1)
    return np.asarray(np.abs(skew[:, 2]) / np.linalg.norm(skew, axis=1))


def is_not_consistent(shown: Shown) -> bool:
    """Whether its velocities (W - 1)/step are none of a rotation, although its displacements are allowed ones."""
    return bool(symmetric_parts(shown).min() > 1e-6 and forbidden_turns(shown).max() < ROUND_OFF / shown.step)


def told_not_consistent(shown: Shown) -> Sentence:
    """How much of a velocity is no rotation."""
    return sentence(
        "Up to ", percent(float(symmetric_parts(shown).max())), " of a velocity (W − 1)/ε is no rotation; it is ",
        "second order all the same.",
    )  # fmt: skip


def counts(shown: Shown) -> Array:
    """How many real displacements each momentum of the run has."""
    run = shown.runs[NON_CONSISTENT]
    places = [{"M1": float(m1), "M2": float(m2)} for m1, m2 in zip(run["M1"], run["M2"], strict=True)]
    return np.array([len(suslov_branches.moser_veselov(shown.params, shown.step, place)) for place in places])


def two_are_real(shown: Shown) -> bool:
    """Whether two of four displacements are real at every point of the run."""
    return bool(np.all(shown.remember(counts) == 2))


def told_counts(shown: Shown) -> Sentence:
    """How many displacements there are."""
    found = shown.remember(counts)
    return sentence(
        "At all ", number(str(found.size)), " points of the run ", number(str(found.max())), " of 4 displacements are ",
        "real. The run takes the smaller.",
    )  # fmt: skip


def with_step(shown: Shown, variant: str, step: float) -> Trajectory:
    """The same run with another step."""
    return shown.run(shown.problems[variant].by(variant, step, 1, {}))


def ends_between(shown: Shown) -> bool:
    """Whether the run completes with the step that is shown, and with a third more it does not."""
    longer = with_step(shown, NON_CONSISTENT, 4.0 / 3.0 * shown.step)
    return shown.runs[NON_CONSISTENT].stopped is None and longer.stopped is not None


def told_bound(shown: Shown) -> Sentence:
    """The largest step, and the share that is taken."""
    most = shown.largest_steps[NON_CONSISTENT]
    assert most is not None
    return sentence(
        "The largest step is ", number(most, "s"), ": ", number(shown.step, "s", 1), " is ",
        percent(shown.step / most), " of it. Printed are ten times these.",
    )  # fmt: skip


def has_no_bound(shown: Shown) -> bool:
    """Whether the Cayley map has no largest step, and completes a run with the present one."""
    return shown.largest_steps[CONSISTENT] is None and shown.runs[CONSISTENT].stopped is None


def told_no_bound(shown: Shown) -> Sentence:
    """The step that it takes, against the bound of the other map."""
    problem = shown.problems[CONSISTENT]
    energy = float(shown.runs[CONSISTENT].quantity("energy")[0])
    bound_of = shown.system.method(NON_CONSISTENT).bound
    assert bound_of is not None
    assert bound_of.at_energy is not None
    most = bound_of.at_energy(shown.params, energy)
    assert most is not None
    return sentence(
        method(look(shown, CONSISTENT)), " takes ", number(str(problem.steps)), " steps of ",
        number(shown.step, "s", 1), ", ", number(shown.step / most, digits=2), " times the other map’s bound.",
    )  # fmt: skip
