"""When does the difference Lagrangian keep the energy? A symmetric pair, and what really does it: odd powers.

FZ's Theorems 6.2 and 7.3 say that the map with l_d(W) = <W - 1, W - 1>/(2 eps), <X, Y> = tr(X m Y^T), keeps the
reduced constrained energy (1/2) <P, (I|d)^-1 P> for the Suslov top and the sleigh. Both constraints d have a complement
h that makes a symmetric pair: [h, h] in h, [d, d] in h, [h, d] in d (FZ (3.3)). It holds in every dimension, for every
mass matrix m:

**Theorem.** If d moves rigidly (its matrices are skew on the space V that their images span: so on SO(n), SE(n) and
their products) and x^3 is in d for every x in d, then `difference` keeps the reduced constrained energy exactly, on
every branch.

*Proof.* Let W = exp X, S = sinh X = (W - W^-1)/2 and C = cosh X - 1, so that W - 1 = C + S. As X and xi are skew on V,
tr(xi N m N^T) = 0 for N = W - 1: the momentum before a step is eps <P, xi> = <W - 1, xi>. As W turns V, it also gives
l_d(W) = l_d(W^-1), so that the momentum after the step is eps <P', xi> = <1 - W^-1, xi>. Hence
eps (P + P') = 2 <S, .> and eps (P - P') = 2 <C, .>. All odd powers of X are in d (X^5 is the symmetrised product of X,
X and X^3, and so on), so S is, and (I|d)^-1 (P + P') = 2 S/eps. The energy changes by
(1/2) <P' - P, (I|d)^-1 (P + P')> = -2 <C, S>/eps^2, and <C, S> is a multiple of l_d(W) - l_d(W^-1) = 0.

A symmetric pair whose involution is X -> T X T^-1 for a matrix T has the property as soon as the cubes of d are in the
algebra: on SO(n) and SE(n) they are. Being a symmetric pair is neither enough nor needed. The energy is lost, by a
share of order eps^2, on SO(3) in five dimensions (cubes leave the algebra), on SO(8) over Sp(2) Sp(1) (no such T) and
on SE(2) x S^1 with w + 0.7 phi and v1 allowed; and on SL(2) over SO(2), which does not move rigidly. Without a pair it
is lost on SE(3) with all turns and v1 allowed. The theorem is not sharp either: a constraint without its property may
keep the energy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from nhviz.groups import SMALL, Group, moves_rigidly
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
    """Whether the theorem guarantees that `difference` keeps the energy exactly for every mass matrix, and why."""

    guaranteed: bool
    why: str
    pair: Pair


def energy_verdict(system: LLSystem) -> EnergyVerdict:
    """Test a constraint for the property of the theorem."""
    pair = symmetric_pair(system.group, system.directions)
    note = f"It is {'a' if pair.holds else 'no'} symmetric pair: {pair.why}"
    if not moves_rigidly(system.parts):
        why = (
            f"The energy is not guaranteed: the constraint does not move rigidly on {system.group.name}, so that a "
            f"displacement and its inverse may differ in energy. {note}"
        )
        return EnergyVerdict(False, why, pair)
    cube, rest = worst_cube(system)
    if rest > SMALL:
        why = (
            f"The energy is not guaranteed: of the cube of {cube} a part {rest:.3g} is not allowed, and a change of "
            f"the order of the step squared is to be expected. {note}"
        )
        return EnergyVerdict(False, why, pair)
    why = (
        "The constraint moves rigidly and the cube of every allowed motion is allowed: difference keeps the energy "
        f"exactly, for every mass matrix. {note}"
    )
    return EnergyVerdict(True, why, pair)


def worst_cube(system: LLSystem) -> tuple[str, float]:
    """The sum of allowed directions whose symmetrised triple product leaves the constraint most, and by which share."""
    names = direction_names(system.group, system.directions)
    sizes = np.linalg.norm(system.parts, axis=(1, 2))
    frame = np.linalg.qr(system.parts.reshape(system.freedom, -1).T)[0]
    worst, most = "", 0.0
    for triple in combinations_with_replacement(range(system.freedom), 3):
        a, b, c = (system.parts[i] / sizes[i] for i in triple)
        cube = (a @ (b @ c + c @ b) + b @ (a @ c + c @ a) + c @ (a @ b + b @ a)).ravel()
        share = float(np.linalg.norm(cube - frame @ (frame.T @ cube)))
        if share > most:
            worst, most = " + ".join(names[i] for i in sorted(set(triple))), share
    return worst, most


def symmetric_pair(group: Group, directions: Array) -> Pair:
    """Whether there is a complement h of d with [h, h] in h, [d, d] in h and [h, d] in d."""
    names, allowed = direction_names(group, directions), span(directions, 0.0)
    small = SMALL * max(float(np.abs(group.structure).max()), 1e-300)
    base = span(group.bracket(allowed[:, None], allowed[None, :]).reshape(-1, group.dimension), small)
    common = len(base) + len(allowed) - len(span(np.vstack([base, allowed]), small))
    if common:
        i, j = shared_bracket(group, directions, base, common)
        return Pair(False, f"[d, d] and d have a part in common, most of it in [{names[i]}, {names[j]}].")
    complement = completed(group, allowed, base, small)
    for words, first, second, target in (
        ("[h, d] is not in d", complement, allowed, allowed),
        ("[h, h] is not in h", complement, complement, complement),
    ):
        rest = np.abs(outside_span(target, group.bracket(first[:, None], second[None, :])))
        if rest.size and rest.max() > small:
            return Pair(False, f"{words} for any complement h that contains [d, d].")
    sizes = f"d has dimension {len(allowed)} and its complement h has {len(complement)}"
    return Pair(True, f"{sizes}, with [h, h] and [d, d] in h and [h, d] in d.", complement)


def shared_bracket(group: Group, directions: Array, base: Array, common: int) -> tuple[int, int]:
    """The two directions whose bracket has the largest part in what [d, d] and d have in common."""
    units = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    # The common part is where a combination of base equals one of d: the least singular directions of their difference.
    left = np.linalg.svd(np.vstack([base, -span(directions, 0.0)]).T)[2][-common:, : len(base)]
    parts = group.bracket(units[:, None], units[None, :]) @ (left @ base).T
    i, j = np.unravel_index(np.argmax(np.linalg.norm(parts, axis=-1)), parts.shape[:2])
    return int(i), int(j)


def completed(group: Group, allowed: Array, base: Array, small: float) -> Array:
    """b = [d, d] with what is missing to a complement of d, chosen so that it makes a symmetric pair if any does.

    What is missing is e + T e for e outside b + d and a linear map T into d. [h, d] in d is linear in T and fixes it up
    to elements of d that commute with d; [h, h] in h is linear in what is left, as these commute with each other.
    """
    spanned = span(np.vstack([base, allowed]), small)
    rest = np.linalg.svd(spanned)[2][len(spanned) :]
    if not len(rest):
        return base
    frame = np.vstack([allowed, base, rest])

    def members(entries: Array) -> Array:
        return rest + entries.reshape(len(rest), len(allowed)) @ allowed

    def spill(entries: Array) -> Array:
        return outside_span(allowed, group.bracket(members(entries)[:, None], allowed[None, :])).ravel()

    first, freedom = affine_root(spill, len(rest) * len(allowed), small)

    def left(shares: Array) -> Array:
        entries = first + shares @ freedom
        added = members(entries)
        products = np.linalg.solve(frame.T, group.bracket(added[:, None], added[None, :]).reshape(-1, len(frame)).T)
        # In coordinates of (d, b, rest): what is in d once the members are taken away.
        inside, outside = products[: len(allowed)], products[len(allowed) + len(base) :]
        return (inside - entries.reshape(len(rest), len(allowed)).T @ outside).ravel()

    shares, _ = affine_root(left, len(freedom), small)
    return np.vstack([base, members(first + shares @ freedom)])


def affine_root(function: Callable[[Array], Array], size: int, small: float) -> tuple[Array, Array]:
    """The shortest x at which an affine function is smallest, and a basis (rows) of what may be added to it."""
    at_zero = function(np.zeros(size))
    columns = np.array([function(unit) - at_zero for unit in np.eye(size)]).reshape(size, at_zero.size).T
    _, sizes, right = np.linalg.svd(columns)
    used = int(np.count_nonzero(sizes > small))
    return -np.linalg.pinv(columns, rcond=SMALL) @ at_zero, right[used:]


def direction_names(group: Group, directions: Array) -> list[str]:
    """A direction's label where it is a direction of the basis, else its place in the list."""
    names = []
    for number, row in enumerate(directions, start=1):
        places = np.flatnonzero(np.abs(row) > SMALL * np.abs(row).max())
        names.append(group.labels[places[0]] if len(places) == 1 else f"direction {number}")
    return names


def span(rows: Array, small: float) -> Array:
    """An orthonormal basis of what rows span; what is below `small`, or below SMALL of the largest, is nothing."""
    _, sizes, right = np.linalg.svd(rows)
    return right[: int(np.count_nonzero(sizes > max(small, SMALL * sizes[0])))]
