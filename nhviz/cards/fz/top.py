"""FZ sections 4 and 6: the Suslov top and its discrete map."""

from functools import partial
from math import atan, cos, degrees

import numpy as np

from nhviz.analysis import algebraic, whole_arcs
from nhviz.analysis.branches import branches
from nhviz.analysis.limit_axes import limit_axes_angle
from nhviz.frame.records import Card
from nhviz.frame.said import Sentence, number, percent, sentence, whole
from nhviz.frame.shown import Shown
from nhviz.maps import loci, steiner
from nhviz.problem import Trajectory
from nhviz.system import Array
from nhviz.views.claims import ROUND_OFF, first_map, keeps_energy, told_energy

SECTION = (0.4, 0.8)
DEGREE = 4
GRID = {"rows": 13, "columns": 25}


def limit_velocities(run: Trajectory) -> Array:
    """The angular velocities (2, 3) in the body at both ends of the arc through a run; zeros without an arc."""
    arc = whole_arcs.whole_arc(run)
    if arc is None:
        return np.zeros((2, 3))
    return np.array([[arc["u"][end], arc["v"][end], 0.0] for end in (0, -1)])


def limits_in_space(run: Trajectory) -> Array:
    """The same in space."""
    arc, velocities = whole_arcs.whole_arc(run), limit_velocities(run)
    return velocities if arc is None else np.array([arc["R"][end] @ velocities[end] for end in (0, -1)])


def are_opposite(vectors: Array) -> bool:
    """Whether two vectors are opposite, as far as the ends of an arc have been followed."""
    size = float(np.linalg.norm(vectors[0]))
    return size > 0.0 and float(np.linalg.norm(vectors.sum(axis=0))) <= 2.0 * whole_arcs.SLACK * whole_arcs.GAP * size


def arcs_connect(shown: Shown) -> bool:
    """Figure 4.1: the orbit runs along its ellipse, from the unstable rotation to the opposite stable one."""
    run = shown.lead
    return whole_arcs.connects(run) and whole_arcs.stays_on_its_ellipse(run) and are_opposite(limit_velocities(run))


def told_arcs(shown: Shown) -> Sentence:
    """The rate of both limit rotations."""
    rate = float(np.linalg.norm(limit_velocities(shown.lead)[1]))
    return sentence("From ", number(rate, "rad/s"), " about one axis to the same rate, the other way round.")


def space_axes_differ(shown: Shown) -> bool:
    """Section 4: one axis in the body, two in space, at the angle that the closed form gives."""
    first, last = limits_in_space(shown.lead)
    formula = limit_axes_angle(shown.params)
    if formula is None or not are_opposite(limit_velocities(shown.lead)):
        return False
    # The attitude gathers what is left of the way at both ends.
    small = 4.0 * whole_arcs.SLACK * whole_arcs.GAP
    cosine = float(first @ last / (np.linalg.norm(first) * np.linalg.norm(last)))
    across = float(np.linalg.norm(np.cross(first, last)) / (np.linalg.norm(first) * np.linalg.norm(last)))
    return across > small and abs(cosine - cos(formula)) <= small


def told_space_axes(shown: Shown) -> Sentence:
    """The angle between both rotation vectors in space."""
    first, last = limits_in_space(shown.lead)
    angle = degrees(np.arctan2(np.linalg.norm(np.cross(first, last)), first @ last))
    return sentence(
        "One axis in the body, turned round; in space the two rotations are ", number(angle, "°"), " apart."
    )


def part_of(shown: Shown) -> tuple[float, float]:
    """The values of q0 between which the surface is shown."""
    return SECTION if shown.choice("locus.part") != "whole" else (0.0, 1.0)


def sheet(shown: Shown) -> Array:
    """Points (n, 3) of the surface that is shown, times the step: whole, or between two values of q0."""
    if shown.choice("locus.surface") == "cayley":
        return shown.step * loci.cayley_locus(shown.params, shown.step, GRID | {"angle": 1.6}).points.reshape(-1, 3)
    low, high = part_of(shown)
    points = loci.moser_veselov_locus(shown.params, shown.step, GRID | {"q0_min": low, "q0_max": high}).points
    return shown.step * points.reshape(-1, 3)


def off_the_quartic(shown: Shown) -> float:
    """The greatest value at the steps of the first map of a polynomial of degree 4 that vanishes on the surface."""
    points = sheet(shown)
    steps = shown.step * np.stack([first_map(shown)[name] for name in ("M1", "M2", "M3")], axis=1)
    found = algebraic.vanishing(points, DEGREE)
    return float(np.abs(algebraic.values(found, DEGREE, steps, float(np.abs(points).max()))).max(initial=0.0))


def lie_on_a_quartic(shown: Shown) -> bool:
    """Figure 6.1: one polynomial of degree 4 vanishes on the surface, none of degree 3, and all steps are on it."""
    found = [algebraic.vanishing(sheet(shown), degree).shape[1] for degree in (DEGREE - 1, DEGREE)]
    return found == [0, 1] and off_the_quartic(shown) <= algebraic.SMALL


def told_quartic(shown: Shown) -> Sentence:
    """How many steps are on it, and how exactly."""
    count, off = number(whole(len(first_map(shown)) - 1)), number(off_the_quartic(shown))
    return sentence("All ", count, " steps lie on one surface of degree 4, up to ", off, ".")


def winds_once(shown: Shown) -> bool:
    """Figure 6.2: each rotation angle gives a closed curve once round rest, on the same surface of degree 4."""
    points = sheet(shown)
    rows = points.reshape(GRID["rows"], GRID["columns"], 3)
    turns = np.diff(np.unwrap(np.arctan2(rows[..., 1], rows[..., 0]), axis=1)[:, [0, -1]], axis=1) / (2.0 * np.pi)
    clear = float(np.hypot(rows[..., 0], rows[..., 1]).min()) > ROUND_OFF * float(np.abs(points).max())
    closed = bool(np.allclose(rows[:, 0], rows[:, -1], rtol=0.0, atol=ROUND_OFF * np.abs(points).max()))
    return clear and closed and bool((np.round(turns, 6) == 1.0).all()) and lie_on_a_quartic(shown)


def told_section(shown: Shown) -> Sentence:
    """The rotations that make the band."""
    least, most = (2.0 * degrees(np.arccos(q0)) for q0 in reversed(part_of(shown)))
    return sentence("Rotations by ", number(least, "°"), " to ", number(most, "°"), ": a closed band, once round rest.")


def saddles_and_centres(shown: Shown) -> bool:
    """Figure 6.3, corrected: two saddles inside at h*, two centres at h**, and one more saddle, on the rim."""
    points = steiner.critical_points(shown.params)
    inner = [point for point in points if point.saddle and not point.on_rim]
    rim = [point for point in points if point.saddle and point.on_rim]
    centres = [point for point in points if not point.saddle]
    if (len(inner), len(rim), len(centres)) != (2, 1, 2):
        return False
    summits, _ = steiner.summit(shown.params, np.linspace(0.0, np.pi, 721))
    bounds = inner[0].level * (1.0 - ROUND_OFF), centres[0].level * (1.0 + ROUND_OFF)
    opposite = all(np.hypot(p.q1 + q.q1, p.q2 + q.q2) <= ROUND_OFF for p, q in (inner, centres))
    return opposite and bool(bounds[0] <= summits.min() and summits.max() <= bounds[1])


def told_saddles(shown: Shown) -> Sentence:
    """How many saddles there are, and h* against h**."""
    points = [point for point in steiner.critical_points(shown.params) if point.saddle]
    share = steiner.mountain_pass(shown.params) / steiner.top_level(shown.params)
    count = number(whole(len(points)))
    return sentence(
        "The figure's two saddles are at h* = ", number(share), " h**; with the rim's there are ", count, "."
    )


def step_level(shown: Shown) -> float:
    """The level h of the first map over h*."""
    energy = float(first_map(shown).quantity("energy")[0])
    return steiner.level_of(shown.params, energy, shown.step) / steiner.mountain_pass(shown.params)


def runs_along_ovals(shown: Shown) -> bool:
    """Figure 6.4: each map goes along one level of H, on one side of the equilibrium line, to its stable half."""
    return bool(shown.maps) and all(
        whole_arcs.connects(run) and keeps_its_level(shown, run) for run in shown.maps.values()
    )


def keeps_its_level(shown: Shown, run: Trajectory) -> bool:
    """Whether all displacements of a run have the same H."""
    levels = steiner.integral(shown.params, *steiner.disk_point(run["u"], run["v"], run.problem.step))
    return bool(np.ptp(levels) <= ROUND_OFF * len(run) * levels.max())


def told_ovals(shown: Shown) -> Sentence:
    """How far from the pass the orbit is."""
    count = number(whole(len(first_map(shown)) - 1))
    return sentence(
        "The ", count, " steps of the larger oval stay at ", percent(step_level(shown)), " of the level h*."
    )


def all_branches_keep_energy(shown: Shown) -> bool:
    """Theorem 6.2: the first map keeps the constrained energy up to round-off, and so does every branch of a step."""
    run = first_map(shown)
    energy = float(run.quantity("energy")[0])
    return keeps_energy(run) and all(abs(after - energy) <= ROUND_OFF * energy for after in energies_after(shown, run))


def energies_after(shown: Shown, run: Trajectory) -> list[float]:
    """The energies after one step of a map from its start, by each of its real displacements: F(W; -eps)."""
    if not shown.maps:
        return []
    rational, i11, i22 = run.problem.method == "cayley", shown.params["I11"], shown.params["I22"]
    energies = []
    for one in real_displacements(shown, run.problem.method):
        q0 = 1.0 / np.sqrt(1.0 + 0.25 * shown.step**2 * (one["u"] ** 2 + one["v"] ** 2))
        q = -0.5 * shown.step * q0 * np.array([one["u"], one["v"], 0.0]) + np.array([0.0, 0.0, q0])
        m1, m2, _ = loci.suslov_momentum(shown.params, -shown.step, q, rational)
        energies.append(float(m1**2 / (2.0 * i11) + m2**2 / (2.0 * i22)))
    return energies


def real_displacements(shown: Shown, of: str = "moser_veselov") -> list[dict[str, float]]:
    """All real displacements with the momentum of the start."""
    at = {name: shown.initial[name] for name in ("M1", "M2")}
    found: list[dict[str, float]] = branches("suslov", of, shown.params, shown.step, at)
    return found


def two_at_most(shown: Shown) -> bool:
    """Section 6: a momentum pair has two real displacements at most."""
    return len(real_displacements(shown)) <= 2


def told_displacements(shown: Shown) -> Sentence:
    """How many there are, and their angles."""
    found = real_displacements(shown)
    if not found:
        return sentence("This momentum has ", number("no"), " real displacement with this step.")
    angles = [degrees(2.0 * np.arccos(min(one["q0"], 1.0))) for one in found]
    least, most = number(min(angles), "°", 3), number(max(angles), "°", 3)
    return sentence("This momentum has ", number(whole(len(found))), " real rotations, by ", least, " to ", most, ".")


def stable_side(shown: Shown, end: int) -> float:
    """Q of FZ at one end of the arc, positive in Theta_+: J13 = -I13, J23 = -I23, J22 + J33 = I11, J11 + J33 = I22."""
    u, v, _ = limit_velocities(first_map(shown))[end]
    return float(shown.params["I22"] * shown.params["I13"] * v - shown.params["I11"] * shown.params["I23"] * u)


def tends_to_inverse_rotations(shown: Shown) -> bool:
    """Theorem 6.3, corrected: from Theta_- to Theta_+ on one branch and on one side, to the inverse rotation."""
    run = first_map(shown)
    return (
        whole_arcs.connects(run)
        and keeps_its_level(shown, run)
        and are_opposite(limit_velocities(run))
        and stable_side(shown, 0) < 0.0 < stable_side(shown, 1)
    )


def told_inverse(shown: Shown) -> Sentence:
    """The angle of both limit rotations."""
    rate = float(np.linalg.norm(limit_velocities(first_map(shown))[1]))
    angle = degrees(2.0 * atan(0.5 * shown.step * rate))
    return sentence(
        "Both limits turn by ", number(angle, "°"), " a step, in opposite senses about one axis of the body."
    )


figure = partial(Card, paper="FZ", ours=True)
claim = partial(Card, paper="FZ", ours=True, drawn=False)

CONTINUOUS = (
    figure(
        id="fz-4-1",
        figure="4.1",
        title="Arcs between permanent rotations",
        claim="Every motion of the top's momentum is half an ellipse, from an unstable to a stable rotation.",
        state="suslov?M1=33&M2=-101&duration=1&methods=exact&layout=focus.plane",
        view="plane",
        check=arcs_connect,
        told=told_arcs,
        look="Follow the arc from the open circle to the full one. Every start does the same on its own ellipse.",
        ideas=("phase",),
    ),
    claim(
        id="fz-limit-axes",
        figure="section 4",
        title="One axis in the body, two in space",
        claim="The top ends in the rotation it came from, turned round; in space the two axes differ.",
        state="suslov?I11=0.1&I22=1&I33=0.98&I13=0.2&I23=0&M1=0.05&M2=-2&step=0.02&duration=1.7&methods=exact&layout=focus.motion",
        view="motion",
        check=space_axes_differ,
        told=told_space_axes,
        look="The two lines are the axes of the first and the last rotation. Turn the picture to see them apart.",
        ideas=("phase",),
    ),
)
DISCRETE = (
    figure(
        id="fz-6-1",
        figure="6.1",
        title="The generalised Steiner surface",
        claim="The momenta of all steps fill a bounded surface of degree 4 with pinch points and self-intersections.",
        state="suslov?methods=exact.moser_veselov&step=0.03&layout=focus.locus",
        view="locus",
        check=lie_on_a_quartic,
        told=told_quartic,
        look="Turn the surface until you see where it passes through itself. The dots are the steps of one run.",
        ideas=("surface",),
    ),
    figure(
        id="fz-6-2",
        figure="6.2",
        title="Its section 0.4 ≤ q₀ ≤ 0.8",
        claim="Rotations that are neither small nor near a half turn make a closed band of the surface.",
        state="suslov?methods=moser_veselov&step=0.03&locus.part=0.4-0.8&layout=focus.locus",
        view="locus",
        check=winds_once,
        told=told_section,
        look="The edges of the band are the least and the greatest of these rotations. Small ones are in its hole.",
        ideas=("surface",),
    ),
    figure(
        id="fz-6-3",
        figure="6.3",
        title="Invariant curves on RP²",
        claim="Two saddles part small from large rotations; above them the curves close in on two centres.",
        state="suslov?methods=moser_veselov&step=0.02&layout=focus.detail",
        view="disk",
        check=saddles_and_centres,
        told=told_saddles,
        look="Crosses are saddles, dots are centres. Opposite points of the rim are one, and one saddle is there.",
        ideas=("surface", "branches"),
        correction="fz-6-saddle",
    ),
    figure(
        id="fz-6-4",
        figure="6.4",
        title="Discrete dynamics near the origin",
        claim="Small steps run along ovals round the origin, from the unstable half of a line to its stable half.",
        state="suslov?M1=33&M2=-101&duration=1&step=0.024&methods=moser_veselov.half&layout=focus.detail",
        view="disk",
        check=runs_along_ovals,
        told=told_ovals,
        look="Each orbit stays on its oval and on one side of the line. Half the step makes an oval of half the size.",
        ideas=("phase", "branches"),
    ),
    claim(
        id="fz-theorem-6-2",
        figure="Theorem 6.2",
        title="The map keeps the constrained energy",
        claim="The discrete top keeps the quadratic energy of the flow exactly, on every branch.",
        state="suslov?methods=moser_veselov.cayley&step=0.03&layout=focus.detail",
        view="drift",
        check=all_branches_keep_energy,
        told=told_energy,
        look="One curve is round-off, whatever the step. The other map keeps it only if both moments are equal.",
        ideas=("integrals",),
    ),
    claim(
        id="fz-6-preimages",
        figure="section 6",
        title="Two real solutions at most?",
        claim="For a positive definite body a momentum pair comes from two real rotations at most.",
        state="suslov?I11=0.11&I22=4.896&I33=4.99&I13=0.0328&I23=0.021&M1=0.251468&M2=-3.4028742&step=0.1&duration=20"
        "&methods=exact.moser_veselov&detail=branches&layout=focus.locus",
        view="locus",
        check=two_at_most,
        told=told_displacements,
        look="A line along the third axis can meet the surface of this thin rod four times. Most bodies have two.",
        ideas=("branches", "surface"),
        correction="fz-6-12",
    ),
    claim(
        id="fz-theorem-6-3",
        figure="Theorem 6.3",
        title="From a rotation to its inverse",
        claim="Small steps stay on one branch and one side, and lead from an unstable rotation to its stable inverse.",
        state="suslov?M1=33&M2=-101&duration=1&step=0.024&methods=exact.moser_veselov&layout=focus.plane",
        view="plane",
        check=tends_to_inverse_rotations,
        told=told_inverse,
        look="The dots stay on the flow's ellipse, on one side of the line. The stable half is not the printed one.",
        ideas=("phase", "branches"),
        correction="fz-6-3",
    ),
)
