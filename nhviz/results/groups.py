"""New results about left-invariant systems on matrix groups, and the top in n dimensions."""

import numpy as np

from nhviz import ll
from nhviz.analysis.symmetric_pairs import energy_verdict
from nhviz.frame.records import Result
from nhviz.frame.said import Sentence, number, sentence
from nhviz.groups import Group, circle, product, special_euclidean, special_orthogonal
from nhviz.simulate import simulate
from nhviz.system import Array

STEP, DURATION = 0.2, 20.0
SIZE, STEP_OF_TOP = 5, 0.1
Case = tuple[Group, list[str | dict[str, float]]]
RIGID: Case = (special_orthogonal(4), ["w14", "w24", "w34"])
TILTED: Case = (product(special_euclidean(2), circle()), [{"w": 1.0, "phi": 0.7}, "v1"])
"""A symmetric pair whose cubes leave the constraint."""


def mass_of(size: int) -> Array:
    """A mass matrix without any symmetry."""
    rows = np.arange(1.0, size + 1.0)
    return np.diag(rows) + 0.3 * np.exp(-np.abs(rows[:, None] - rows)) + 0.1 * np.outer(np.sin(rows), np.sin(rows))


def energy_band(case: Case) -> float:
    """How far the energy of the difference map strays, as a share of it."""
    group, allowed = case
    system = ll.define(group, mass_of(group.size), allowed)
    velocity = np.linspace(0.8, 1.6, len(allowed))
    run = system.orbit(velocity, step=STEP, duration=DURATION, lagrangian="difference")
    return float(np.ptp(run.energies) / run.energies[0])


def told_of_energy() -> Sentence:
    """A constraint with the property, and one without."""
    return sentence(
        "On SO(4) the energy strays by ", number(energy_band(RIGID), "", 2), " of its size; on SE(2) × S¹ with a "
        "tilted turn, a symmetric pair too, by ", number(energy_band(TILTED), "", 2), ".",
    )  # fmt: skip


def guaranteed(case: Case) -> bool:
    """Whether the theorem applies."""
    group, allowed = case
    return energy_verdict(ll.define(group, mass_of(group.size), allowed)).guaranteed


def heights() -> Array:
    """<j, p> along a run of the top in five dimensions."""
    run = simulate("suslov_n", "moser_veselov", {"n": SIZE}, None, STEP_OF_TOP, 40.0)
    products = [float(run.params[f"J{i}n"]) for i in range(1, SIZE)]
    return np.array(products) @ np.array([run[f"p{i}"] for i in range(1, SIZE)])


def told_of_heights() -> Sentence:
    """A run in five dimensions."""
    found = heights()
    falls = int(np.sum(np.diff(found) < 0.0))
    return sentence(
        "In five dimensions it falls from ", number(float(found[0]), "", 3), " to ", number(float(found[-1]), "", 3),
        ", in ", number(str(falls)), " of ", number(str(len(found) - 1)), " steps.",
    )  # fmt: skip


RESULTS = (
    Result(
        id="energy-theorem",
        title="When a discrete map keeps the energy",
        statement="If the constraint moves rigidly, and contains the cube of everything in it, the difference map "
        "keeps the reduced energy exactly, for every mass, on every branch: FZ’s Theorems 6.2 and 7.3 in every "
        "dimension.",
        formula=r"x \in \mathfrak d \Rightarrow x^3 \in \mathfrak d,\quad \mathfrak d \text{ rigid}\ \Longrightarrow\ "
        r"\langle P, (I|_{\mathfrak d})^{-1} P\rangle = \text{const}",
        status="proved",
        because="With W = e^X, sinh X and cosh X − 1 the momenta before and after a step add up to 2 sinh X and "
        "differ by 2(cosh X − 1). Odd powers of X stay in the constraint, so that the energy changes by ⟨cosh X − 1, "
        "sinh X⟩, which is a multiple of l(W) − l(W⁻¹) = 0. A symmetric pair is neither enough nor needed: SE(2) × "
        "S¹ with a tilted turn is one, and loses energy.",
        told=told_of_energy,
        state="suslov_n?n=5",
        view="drift",
        parameters="SO(4), planes with e₄; SE(2) × S¹, w + 0.7 φ and v₁; the mass matrix of the test; ε = 0.02, one "
        "unit of time.",
        test="tests/test_symmetric_pairs.py::test_pairs_keep_the_energy",
        system="suslov_n",
        ideas=("integrals",),
    ),
    Result(
        id="lyapunov",
        title="A height that only falls",
        statement="The top in n dimensions runs from one permanent turn to its reverse, and ⟨j, p⟩ falls all the "
        "way: in the flow and in every step of the map. There are no other equilibria, and no cycles.",
        formula=r"\langle j, p\rangle' = \langle j, w\rangle^2 - |j|^2 |w|^2 \le 0",
        status="proved",
        because="That is the inequality of Cauchy and Schwarz, with equality only where w is parallel to j, the "
        "permanent turns. In a step the bracket of the momenta gives the same difference, with the displacement for "
        "the velocity.",
        told=told_of_heights,
        state=f"suslov_n?n=5&step={STEP_OF_TOP}",
        view="momentum",
        parameters="The opening body of the lab with n = 5; ε = 0.1 s, 40 s.",
        test="tests/test_suslov_n_motions.py::test_orbits_run_from_source_to_sink",
        system="suslov_n",
        ideas=("path", "phase"),
    ),
)
