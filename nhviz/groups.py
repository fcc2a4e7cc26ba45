"""Matrix groups by a basis of their algebra: brackets, exp, log, Cayley, Ad and Ad*, for whole arrays of elements.

A group is given by matrices E_1, ..., E_N that span its algebra; an element of the algebra is the matrix
xi = sum x_i E_i or its coordinates x, a momentum is the covector of its values on the basis. Arrays may have any
leading axes. With [E_i, E_j] = sum c_ijk E_k:

* Ad_g xi = g xi g^-1, <Ad*_g p, xi> = <p, Ad_g xi>;  ad_xi eta = [xi, eta], <ad*_xi p, eta> = <p, [xi, eta]>.
* Cay(xi) = (1 - xi/2)^-1 (1 + xi/2) is in the group if x y x is in the algebra for all its x and y, as on SO(n) and
  SE(n), but not on SL(3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from nhviz.once import once
from nhviz.parameters import ParameterError

Array = np.ndarray
SMALL = 1e-9
"""A part of an element that is smaller than this share of it counts as round-off."""


@dataclass(frozen=True, eq=False)
class Group:
    """A matrix group. `rotations` are its diagonal blocks (first row, size) that are rotation matrices.

    Long products are kept orthogonal in these blocks; a group without any is multiplied as it is.
    """

    name: str
    basis: Array
    labels: tuple[str, ...] = ()
    rotations: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        """Check the basis and freeze it."""
        basis = checked_basis(self.name, self.basis)
        basis.flags.writeable = False
        object.__setattr__(self, "basis", basis)
        labels = tuple(self.labels) or tuple(f"x{i + 1}" for i in range(len(basis)))
        if len(labels) != len(basis) or len(set(labels)) != len(basis):
            raise ParameterError(f"{self.name} needs {len(basis)} different labels, not {', '.join(labels)}.", "labels")
        object.__setattr__(self, "labels", labels)
        self.check_closed()
        self.check_rotations()

    def check_closed(self) -> None:
        """The bracket of two elements of an algebra is one too."""
        for i, j in combinations(range(self.dimension), 2):
            product = commutator(self.basis[i], self.basis[j])
            rest = float(np.abs(self.outside(product)).max())
            if rest > SMALL * float(np.abs(self.basis[i]).max() * np.abs(self.basis[j]).max()):
                raise ParameterError(
                    f"The basis of {self.name} does not close under the bracket: [{self.labels[i]}, {self.labels[j]}] "
                    f"has a part of size {rest:.3g} outside its span; add what is missing or leave one of them out.",
                    "basis",
                )

    def check_rotations(self) -> None:
        """A block of rotations has a skew-symmetric algebra."""
        for first, size in self.rotations:
            block = self.basis[:, first : first + size, first : first + size]
            inside = first >= 0 and size > 0 and first + size <= self.size
            if not inside or np.abs(block + np.swapaxes(block, 1, 2)).max() > SMALL:
                raise ParameterError(
                    f"The block ({first}, {size}) of {self.name} is no block of rotations: "
                    "its algebra must be skew-symmetric.",
                    "rotations",
                )

    @property
    def dimension(self) -> int:
        """Dimension of the group."""
        return len(self.basis)

    @property
    def size(self) -> int:
        """Rows of its matrices."""
        return self.basis.shape[1]

    @once
    def dual(self) -> Array:
        """Turns a matrix of the algebra, row by row, into coordinates."""
        return np.linalg.pinv(self.basis.reshape(self.dimension, -1).T)

    @once
    def structure(self) -> Array:
        """c[i, j, k] with [E_i, E_j] = sum over k of c[i, j, k] E_k."""
        return self.coordinates(commutator(self.basis[:, None], self.basis[None, :]))

    def matrix(self, x: Array) -> Array:
        """The element of the algebra with coordinates x."""
        return np.tensordot(np.asarray(x, dtype=float), self.basis, axes=(-1, 0))

    def coordinates(self, xi: Array) -> Array:
        """Coordinates of an element of the algebra."""
        xi = np.asarray(xi, dtype=float)
        return xi.reshape(*xi.shape[:-2], -1) @ self.dual.T

    def outside(self, xi: Array) -> Array:
        """The part of a matrix that is not in the algebra."""
        return xi - self.matrix(self.coordinates(xi))

    def bracket(self, x: Array, y: Array) -> Array:
        """Coordinates of [x, y]."""
        return np.einsum("...i,...j,ijk->...k", x, y, self.structure)

    def ad(self, x: Array) -> Array:
        """The matrix of y -> [x, y]."""
        return np.einsum("...i,ijk->...kj", x, self.structure)

    def ad_star(self, x: Array, p: Array) -> Array:
        """ad*_x p."""
        return np.einsum("...i,ijk,...k->...j", x, self.structure, p)

    def adjoint(self, g: Array) -> Array:
        """The matrix of Ad_g."""
        g = np.asarray(g, dtype=float)[..., None, :, :]
        return np.swapaxes(self.coordinates(g @ self.basis @ np.linalg.inv(g)), -1, -2)

    def adjoint_star(self, g: Array, p: Array) -> Array:
        """Ad*_g p."""
        return np.einsum("...ki,...k->...i", self.adjoint(g), p)

    def exp(self, x: Array) -> Array:
        """The element at the end of the one-parameter subgroup of x."""
        # Imported on use: it costs more than the rest of nhviz together.
        from scipy import linalg

        return np.asarray(linalg.expm(self.matrix(x)))

    def log(self, g: Array) -> Array:
        """Coordinates of the principal logarithm, where there is one: no turn by half a circle or more."""
        from scipy import linalg

        g = np.asarray(g, dtype=float)
        flat = [np.real(linalg.logm(one)) for one in g.reshape(-1, self.size, self.size)]
        return self.coordinates(np.array(flat).reshape(g.shape))

    def cayley(self, x: Array) -> Array:
        """Cay(x)."""
        half, one = 0.5 * self.matrix(x), np.eye(self.size)
        return np.linalg.solve(one - half, one + half)

    def cayley_inverse(self, g: Array) -> Array:
        """Coordinates x with Cay(x) = g, where g + 1 can be inverted."""
        one = np.eye(self.size)
        return self.coordinates(2.0 * np.linalg.solve(g + one, g - one))

    @once
    def has_cayley(self) -> bool:
        """Whether Cay maps the algebra into the group: x y z + z y x stays in the algebra."""
        x, y, z = self.basis[:, None, None], self.basis[None, :, None], self.basis[None, None, :]
        triple = x @ y @ z + z @ y @ x
        return bool(np.abs(self.outside(triple)).max() <= SMALL * np.abs(self.basis).max() ** 3)

    @once
    def moves_rigidly(self) -> bool:
        """Whether the group turns the space that its algebra reaches, as SO(n) and SE(n) do."""
        return moves_rigidly(self.basis)

    def product(self, *factors: Array) -> Array:
        """The product of elements, from left to right."""
        result = np.eye(self.size)
        for factor in factors:
            result = result @ factor
        return result


def checked_basis(name: str, basis: Array | Sequence[Array]) -> Array:
    """A basis as an array (N, r, r) of independent matrices, or a ParameterError."""
    try:
        found = np.array(basis, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim != 3 or found.shape[1] != found.shape[2] or not found.size:
        raise ParameterError(f"The basis of {name} must be a list of square matrices of one size.", "basis")
    if not np.isfinite(found).all():
        raise ParameterError(f"The basis of {name} must consist of finite numbers.", "basis")
    rank = np.linalg.matrix_rank(found.reshape(len(found), -1), tol=SMALL * np.abs(found).max())
    if rank < len(found):
        raise ParameterError(
            f"The basis of {name} must be independent: its {len(found)} matrices span {rank} dimensions only.", "basis"
        )
    return found


def moves_rigidly(matrices: Array) -> bool:
    """Whether matrices (k, r, r) are skew on the space that their images span.

    Then W = exp X turns that space for every X that they span, and (W - 1) x is as long as (W^-1 - 1) x.
    """
    size = matrices.shape[1]
    left, sizes, _ = np.linalg.svd(np.moveaxis(matrices, 0, 1).reshape(size, -1), full_matrices=False)
    reached = left[:, sizes > SMALL * sizes[0]]
    inner = reached.T @ matrices @ reached
    return bool(np.abs(inner + np.swapaxes(inner, 1, 2)).max() <= SMALL * np.abs(matrices).max())


def commutator(a: Array, b: Array) -> Array:
    """a b - b a."""
    return a @ b - b @ a


def plane(size: int, i: int, j: int) -> Array:
    """The turn in the plane (e_i, e_j) with entry (i, j) = 1."""
    matrix = np.zeros((size, size))
    matrix[i, j], matrix[j, i] = 1.0, -1.0
    return matrix


def turns(n: int, size: int) -> dict[str, Array]:
    """A basis of so(n) in matrices of a size, by label: w for n = 2, axes w1, w2, w3 for n = 3, planes w12, ... else.

    w turns e_1 towards e_2; w1 turns e_2 towards e_3, and so on; w12 is the entry (1, 2).
    """
    if n == 2:
        return {"w": plane(size, 1, 0)}
    if n == 3:
        return {"w1": plane(size, 2, 1), "w2": plane(size, 0, 2), "w3": plane(size, 1, 0)}
    return {f"w{i + 1}{j + 1}": plane(size, i, j) for i, j in combinations(range(n), 2)}


def special_orthogonal(n: int) -> Group:
    """SO(n): rotations of n dimensions."""
    return rotations(checked_size(n))


def special_euclidean(n: int) -> Group:
    """SE(n): rotations and translations of n dimensions, as matrices of n + 1 rows; v1, v2, ... are translations."""
    return motions(checked_size(n))


@cache
def rotations(n: int) -> Group:
    """SO(n), made once."""
    basis = turns(n, n)
    return Group(f"SO({n})", np.array(list(basis.values())), tuple(basis), ((0, n),))


@cache
def motions(n: int) -> Group:
    """SE(n), made once."""
    basis = turns(n, n + 1)
    for i in range(n):
        basis[f"v{i + 1}"] = np.outer(np.eye(n + 1)[i], np.eye(n + 1)[n])
    return Group(f"SE({n})", np.array(list(basis.values())), tuple(basis), ((0, n),))


def circle(label: str = "phi") -> Group:
    """S^1: the angle of a wheel."""
    return Group("S^1", plane(2, 1, 0)[None], (label,), ((0, 2),))


def product(*factors: Group) -> Group:
    """The direct product: one diagonal block for each factor. Labels that occur twice get the factor's number."""
    if not factors:
        raise ParameterError("A product needs at least one group.", "factors")
    size = sum(factor.size for factor in factors)
    every = [label for factor in factors for label in factor.labels]
    basis, labels, rotations, first = [], [], [], 0
    for number, factor in enumerate(factors, start=1):
        for matrix, label in zip(factor.basis, factor.labels, strict=True):
            block = np.zeros((size, size))
            block[first : first + factor.size, first : first + factor.size] = matrix
            basis.append(block)
            labels.append(f"{label}_{number}" if every.count(label) > 1 else label)
        rotations += [(first + start, length) for start, length in factor.rotations]
        first += factor.size
    return Group(" x ".join(factor.name for factor in factors), np.array(basis), tuple(labels), tuple(rotations))


def checked_size(n: int) -> int:
    """A dimension from 2 to 8: the algebra of SO(8) has 28 dimensions already."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 2 <= n <= 8:
        raise ParameterError(f"The dimension of a group must be a whole number between 2 and 8, not {n!r}.", "n")
    return int(n)
