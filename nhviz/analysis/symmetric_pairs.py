"""When does the difference Lagrangian keep the energy? A symmetric pair, and what really does it: odd powers.

FZ's Theorems 6.2 and 7.3 say that the map with l_d(W) = <W - 1, W - 1>/(2 eps), <X, Y> = tr(X m Y^T), keeps the
reduced constrained energy (1/2) <P, (I|d)^-1 P> for the Suslov top and the sleigh. Both constraints d have a complement
h that makes a symmetric pair: [h, h] in h, [d, d] in h, [h, d] in d (FZ (3.3)). It holds in every dimension, for every
mass matrix m:

**Theorem.** If the group moves rigidly (`Group.moves_rigidly`: SO(n), SE(n), their products) and x^3 is in d for every
x in d, then `difference` keeps the reduced constrained energy exactly, on every branch.

*Proof.* Let W = exp X, S = sinh X = (W - W^-1)/2 and C = cosh X - 1, so that W - 1 = C + S. As the group turns what its
algebra reaches, tr(xi N m N^T) = 0 for N = W - 1: the momentum before a step is eps <P, xi> = <W - 1, xi>. It also
gives l_d(W) = l_d(W^-1), so that the momentum after the step is eps <P', xi> = <1 - W^-1, xi>. Hence
eps (P + P') = 2 <S, .> and eps (P - P') = 2 <C, .>. All odd powers of X are in d (X^5 is the symmetrised product of X,
X and X^3, and so on), so S is, and (I|d)^-1 (P + P') = 2 S/eps. The energy changes by
(1/2) <P' - P, (I|d)^-1 (P + P')> = -2 <C, S>/eps^2, and <C, S> is a multiple of l_d(W) - l_d(W^-1) = 0.

A symmetric pair whose involution is X -> T X T^-1 for a matrix T has the property as soon as the cubes of d are in the
algebra: on SO(n) and SE(n) they are. In the five-dimensional representation of SO(3) they are not, and the energy is
lost. It is lost as well on SE(3) with all turns and v1 allowed, each time by a share of order eps^2, and on SL(2) over
SO(2), which does not move rigidly.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from nhviz.groups import SMALL, Group
from nhviz.ll import LLSystem, outside_span
from nhviz.system import Array


@dataclass(frozen=True, eq=False)
class Pair:
    """Whether a constraint has a complement, in coordinates of the algebra, that makes a symmetric pair, and why."""

    holds: bool
    why: str
    complement: Array | None = None


@dataclass(frozen=True, eq=False)
class EnergyVerdict:
    """Whether `difference` keeps the reduced constrained energy exactly for every mass matrix, and why."""

    kept: bool
    why: str
    pair: Pair


def energy_verdict(system: LLSystem) -> EnergyVerdict:
    """Test a constraint for the property of the theorem."""
    pair = symmetric_pair(system.group, system.directions)
    note = "It is a symmetric pair" if pair.holds else "It is no symmetric pair"
    if not system.group.moves_rigidly:
        return EnergyVerdict(
            False,
            f"{system.group.name} does not move rigidly: a displacement and its inverse differ in energy, so the "
            f"energy changes with every step. {note}: {pair.why}",
            pair,
        )
    cube, rest = worst_cube(system)
    if rest > SMALL:
        return EnergyVerdict(
            False,
            f"The cube of {cube} is not allowed: a part {rest:.3g} of it is outside the constraint, so the energy "
            f"changes by a share of the order of the step squared. {note}: {pair.why}",
            pair,
        )
    return EnergyVerdict(
        True,
        f"{system.group.name} moves rigidly and the cube of every allowed motion is allowed: difference keeps the "
        f"energy exactly, for every mass matrix. {note}: {pair.why}",
        pair,
    )


def worst_cube(system: LLSystem) -> tuple[str, float]:
    """The sum of allowed directions whose symmetrised triple product leaves the constraint most, and by which share."""
    group, names = system.group, direction_names(system.group, system.directions)
    worst, most = "", 0.0
    for triple in combinations_with_replacement(range(system.freedom), 3):
        a, b, c = (system.parts[i] for i in triple)
        cube = a @ (b @ c + c @ b) + b @ (a @ c + c @ a) + c @ (a @ b + b @ a)
        inside = group.coordinates(cube)
        rest = np.abs(group.outside(cube)).max() + np.abs(outside_span(system.directions, inside)).max()
        share = float(rest / max(np.abs(cube).max(), SMALL))
        if share > most:
            worst, most = " + ".join(names[i] for i in sorted(set(triple))), share
    return worst, most


def symmetric_pair(group: Group, directions: Array) -> Pair:
    """Whether there is a complement h of d with [h, h] in h, [d, d] in h and [h, d] in d.

    h contains b = [d, d]. What is missing to a complement is e + T e for e outside b + d, where the linear map T into
    d is fixed by [h, d] in d up to elements of d that commute with d.
    """
    names = direction_names(group, directions)
    products = group.bracket(directions[:, None], directions[None, :])
    base = span(products.reshape(-1, group.dimension))
    if rank(np.vstack([base, directions])) < len(base) + len(directions):
        i, j = np.unravel_index(np.argmax(np.abs(products).max(axis=-1)), products.shape[:2])
        return Pair(False, f"[d, d] and d have a part in common, as [{names[i]}, {names[j]}] shows.")
    complement = completed(group, directions, base)
    for words, first, second, target in (
        ("[h, d] is not in d", complement, directions, directions),
        ("[h, h] is not in h", complement, complement, complement),
    ):
        rest = outside_span(target, group.bracket(first[:, None], second[None, :]))
        if np.abs(rest).max() > SMALL:
            return Pair(False, f"{words}: {np.abs(rest).max():.3g} of a bracket is outside.")
    sizes = f"d has dimension {len(directions)} and its complement h has {len(complement)}"
    return Pair(True, f"{sizes}, with [h, h] and [d, d] in h and [h, d] in d.", complement)


def completed(group: Group, directions: Array, base: Array) -> Array:
    """b with what is missing to a complement of d, chosen so that brackets with d stay in d as far as possible."""
    spanned = np.vstack([base, directions])
    rest = np.linalg.svd(spanned)[2][rank(spanned) :]
    if not len(rest):
        return base
    k = len(directions)
    frame = np.vstack([directions, base, rest])
    # The part of [e, d_j] outside d must be that of -[T e, d_j]; both in coordinates of (d, b, rest).
    turned, wanted = (
        np.linalg.solve(frame.T, group.bracket(first[:, None], directions[None, :]).reshape(len(first) * k, -1).T)[k:]
        for first in (directions, rest)
    )
    rows, right = (
        part.reshape(-1, count, k).transpose(0, 2, 1).reshape(-1, count)
        for part, count in ((turned, k), (wanted, len(rest)))
    )
    return np.vstack([base, rest - np.linalg.lstsq(rows, right, rcond=None)[0].T @ directions])


def direction_names(group: Group, directions: Array) -> list[str]:
    """A direction's label where it is a direction of the basis, else its place in the list."""
    names = []
    for number, row in enumerate(directions, start=1):
        places = np.flatnonzero(np.abs(row) > SMALL * np.abs(row).max())
        names.append(group.labels[places[0]] if len(places) == 1 else f"direction {number}")
    return names


def span(rows: Array) -> Array:
    """An orthonormal basis of what rows span."""
    return np.linalg.svd(rows)[2][: rank(rows)]


def rank(rows: Array) -> int:
    """Dimension of what rows span."""
    return int(np.linalg.matrix_rank(rows, tol=SMALL * max(float(np.abs(rows).max()), 1.0))) if rows.size else 0
