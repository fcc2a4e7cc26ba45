"""The discrete Euler-Poincare-Suslov map of any matrix group (FZ (3.8)), for three discrete Lagrangians.

A displacement is W = exp(X), or Cay(X) for CAYLEY, with X = sum x_i D_i in the constraint d. With mass matrix m, the
form <X, Y> = tr(X m Y^T) and N = W - 1, the momenta on d, times eps, are

    DIFFERENCE  l_d = <N, N>/2:  before tr(D_i W m N^T),              after tr(W D_i m N^T),
    CAYLEY      l_d = <X, X>/2:  before <X, (1 - X/2) D_i (1 + X/2)>, after with -X/2 and X/2 exchanged,
    LOGARITHM   l_d = <X, X>/2:  before <X, B(ad_X) D_i>,             after <X, B(-ad_X) D_i>,  B(z) = z/(e^z - 1).

For LOGARITHM X is the principal logarithm of W: rotations turn by less than half a circle, and the brackets are small
enough for the series of B, |ad_X| < 0.89 (2 pi).

The map solves "before = P" for W and answers "after"; its inverse solves "after = P" and answers "before". Newton's
derivatives are analytic; `side` is +1 for before, -1 for after.
"""

import math

import numpy as np
from numba import types
from scipy.special import zeta

from nhviz.kernels.compile import CUBE, MATRIX, kernel, piece
from nhviz.kernels.linear import orthogonalise, product, solve, transposed
from nhviz.kernels.polynomials import settled

DIFFERENCE, CAYLEY, LOGARITHM = 0, 1, 2
BLOCKS = types.int64[:, ::1]
BODY = types.Tuple((MATRIX, CUBE, MATRIX, MATRIX, CUBE, BLOCKS))
"""(mass, parts, inertia, directions, brackets, blocks)."""
NEWTON_ROUNDS = 25
DEGREE = 14
TIDY = 8
LONGEST_STRIDE, SHORTEST_STRIDE = 0.3, 1e-9
"""Shares by which the momentum grows along the principal branch; at the smaller one it has ended."""
BERNOULLI = np.zeros(400)
BERNOULLI[:2] = 1.0, -0.5
BERNOULLI[2::2] = [-2.0 * (-1.0) ** k * zeta(2 * k) * (2.0 * math.pi) ** (-2 * k) for k in range(1, 200)]
"""Coefficients of z/(e^z - 1): B_k/k!. The series converges for |z| < 2 pi."""


@kernel("nothing(vector, cube, matrix)")
def combine(x, parts, out):
    """out = sum of x_i parts_i."""
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            total = 0.0
            for i in range(x.size):
                total += x[i] * parts[i, a, b]
            out[a, b] = total


@kernel("nothing(number, matrix, matrix, matrix)")
def add_product(factor, a, b, out):
    """out += factor a b, for square matrices."""
    n = a.shape[0]
    for i in range(n):
        for k in range(n):
            entry = factor * a[i, k]
            for j in range(n):
                out[i, j] += entry * b[k, j]


@kernel("matrix(number, matrix)")
def shifted(factor, a):
    """1 + factor a."""
    out = np.empty(a.shape)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = factor * a[i, j] + (1.0 if i == j else 0.0)
    return out


@piece()
def inner(a, b):
    """Sum of the products of the entries."""
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += a[i, j] * b[i, j]
    return total


@kernel("matrix(matrix, cube, cube)")
def exponential(x, parts, derivatives):
    """exp(X) of a matrix X, and in `derivatives` its derivatives along each of the parts: Taylor, then squarings."""
    r, k = x.shape[0], parts.shape[0]
    size = 0.0
    for a in range(r):
        for b in range(r):
            size += abs(x[a, b])
    squarings = max(0, math.ceil(math.log2(size / 0.25))) if size > 0.25 else 0
    scale = 0.5**squarings
    value = np.eye(r)
    derivatives[:] = 0.0
    # Horner: each round multiplies by X/m and adds 1.
    for m in range(DEGREE, 0, -1):
        for j in range(k):
            fresh = np.zeros((r, r))
            add_product(scale / m, parts[j], value, fresh)
            add_product(scale / m, x, derivatives[j], fresh)
            derivatives[j] = fresh
        fresh = np.eye(r)
        add_product(scale / m, x, value, fresh)
        value = fresh
    for _ in range(squarings):
        for j in range(k):
            fresh = product(derivatives[j], value)
            add_product(1.0, value, derivatives[j], fresh)
            derivatives[j] = fresh
        value = product(value, value)
    return value


@kernel("matrix(integer, matrix)")
def displacement(scheme, x):
    """W of X."""
    r = x.shape[0]
    if scheme != CAYLEY:
        return exponential(x, np.empty((0, r, r)), np.empty((0, r, r)))
    w, column = np.empty((r, r)), np.empty(r)
    for j in range(r):
        for i in range(r):
            column[i] = 0.5 * x[i, j] + (1.0 if i == j else 0.0)
        solve(shifted(-0.5, x), column)
        w[:, j] = column
    return w


@kernel("nothing(integer, matrix, cube, matrix, vector, matrix)")
def difference_momenta(side, mass, parts, x, momenta, slope):
    """Momenta of the difference Lagrangian at X and their derivatives: tr(D_i both), both = W m N^T or m N^T W."""
    k, r = parts.shape[0], x.shape[0]
    moved = np.empty((k, r, r))
    w = exponential(x, parts, moved)
    apart = w.copy()
    for a in range(r):
        apart[a, a] -= 1.0
    pull = product(mass, transposed(apart))
    both = transposed(product(w, pull) if side > 0 else product(pull, w))
    for i in range(k):
        momenta[i] = inner(parts[i], both)
    for j in range(k):
        change = product(mass, transposed(moved[j]))
        both = product(moved[j], pull) if side > 0 else product(pull, moved[j])
        if side > 0:
            add_product(1.0, w, change, both)
        else:
            add_product(1.0, change, w, both)
        both = transposed(both)
        for i in range(k):
            slope[i, j] = inner(parts[i], both)


@kernel("nothing(integer, matrix, cube, matrix, vector, matrix)")
def cayley_momenta(side, mass, parts, x, momenta, slope):
    """Momenta of the Cayley Lagrangian at X and their derivatives: <D_i, both> with both = left X m right."""
    k = parts.shape[0]
    left, right = transposed(shifted(-0.5 * side, x)), transposed(shifted(0.5 * side, x))
    weighted = product(x, mass)
    behind, ahead = product(weighted, right), product(left, weighted)
    both = product(left, behind)
    for i in range(k):
        momenta[i] = inner(parts[i], both)
    for j in range(k):
        turn = transposed(parts[j])
        both = product(left, product(product(parts[j], mass), right))
        add_product(0.5 * side, ahead, turn, both)
        add_product(-0.5 * side, turn, behind, both)
        for i in range(k):
            slope[i, j] = inner(parts[i], both)


@kernel("nothing(number, matrix, vector, vector)")
def push(factor, matrix, vector, out):
    """out += factor matrix^T vector."""
    for i in range(matrix.shape[0]):
        entry = factor * vector[i]
        for j in range(matrix.shape[1]):
            out[j] += entry * matrix[i, j]


@kernel("nothing(number, matrix, vector, matrix, vector, matrix)")
def add_to_momenta(weight, directions, covector, moved, momenta, slope):
    """Add one term of the series, weight covector, with its derivatives."""
    k, n = directions.shape
    for i in range(k):
        for a in range(n):
            momenta[i] += weight * directions[i, a] * covector[a]
            for j in range(k):
                slope[i, j] += weight * directions[i, a] * moved[j, a]


@kernel("truth(integer, matrix, matrix, cube, vector, vector, matrix)")
def logarithm_momenta(side, inertia, directions, brackets, x, momenta, slope):
    """Momenta of the logarithm Lagrangian at coordinates x and their derivatives; False where the series diverges.

    `brackets[j]` is the matrix of ad_{D_j}; the series is summed as B(ad_X)^T (I X), with its derivatives.
    """
    k, n = directions.shape
    operator, covector, moved = np.empty((n, n)), np.zeros(n), np.zeros((k, n))
    combine(x, brackets, operator)
    for j in range(k):
        push(1.0, inertia, directions[j], moved[j])
        covector += x[j] * moved[j]
    momenta[:], slope[:] = 0.0, 0.0
    add_to_momenta(1.0, directions, covector, moved, momenta, slope)
    for m in range(1, BERNOULLI.size):
        size = 0.0
        for j in range(k):
            fresh = np.zeros(n)
            push(side, operator, moved[j], fresh)
            push(side, brackets[j], covector, fresh)
            moved[j] = fresh
            for a in range(n):
                size = max(size, abs(fresh[a]))
        fresh = np.zeros(n)
        push(side, operator, covector, fresh)
        covector = fresh
        weight = BERNOULLI[m]
        if weight != 0.0:
            add_to_momenta(weight, directions, covector, moved, momenta, slope)
            if not size < math.inf:
                return False
            if abs(weight) * size <= 1e-18 * abs(slope[0, 0]):
                return True
    return False


@kernel("truth(matrix, blocks)", blocks=BLOCKS)
def turns_too_far(matrix, blocks):
    """Whether a rotation block of X turns by half a circle or more: then X is not the principal logarithm of exp X."""
    for b in range(blocks.shape[0]):
        first, size = blocks[b, 0], blocks[b, 1]
        block = matrix[first : first + size, first : first + size].copy()
        if np.linalg.eigvalsh(product(transposed(block), block)).max() >= math.pi**2:
            return True
    return False


@kernel("truth(integer, integer, body, vector, vector, matrix)", body=BODY)
def evaluate(scheme, side, body, x, momenta, slope):
    """Scaled momenta on d on one side of the step x, and their derivatives; False if there are none."""
    mass, parts, inertia, directions, brackets, blocks = body
    matrix = np.empty(mass.shape)
    combine(x, parts, matrix)
    if scheme == LOGARITHM:
        within = not turns_too_far(matrix, blocks)
        return within and logarithm_momenta(side, inertia, directions, brackets, x, momenta, slope)
    if scheme == CAYLEY:
        cayley_momenta(side, mass, parts, matrix, momenta, slope)
    else:
        difference_momenta(side, mass, parts, matrix, momenta, slope)
    return True


@kernel("pair(integer, integer, body, vector, vector)", body=BODY)
def newton(scheme, side, body, x, target):
    """(determinant, moved): improve x until its momentum on that side is the target; determinant 0 without success."""
    k = x.size
    momenta, slope = np.empty(k), np.empty((k, k))
    before, moved = math.inf, 0.0
    for _ in range(NEWTON_ROUNDS):
        if not evaluate(scheme, side, body, x, momenta, slope):
            break
        for i in range(k):
            momenta[i] -= target[i]
        determinant = solve(slope, momenta)
        change, size = 0.0, 0.0
        for i in range(k):
            x[i] -= momenta[i]
            change += abs(momenta[i])
            size += abs(x[i])
        moved += change
        if settled(change, before, size):
            return determinant, moved
        if not size < 1e3:
            break
        before = change
    return 0.0, moved


@kernel("number(integer, integer, body, vector, vector)", body=BODY)
def follow(scheme, side, body, target, x):
    """Follow the displacement from the identity as its momentum grows towards the target; x is where it ends.

    Returns 1, or the share of the target at which the principal branch ends, to nine digits. It begins where everything
    is linear; a stride that leaves the tangent is taken again at half its length.
    """
    k = x.size
    momenta, slope, tangent = np.empty(k), np.empty((k, k)), target.copy()
    x[:] = 0.0
    evaluate(scheme, side, body, x, momenta, slope)
    solve(slope, tangent)
    pace = np.abs(tangent).sum()
    if pace == 0.0:
        return 1.0
    reached, growth, trial = min(1.0, 1e-3 / pace), LONGEST_STRIDE, np.empty(k)
    x[:] = reached * tangent
    newton(scheme, side, body, x, reached * target)
    while reached < 1.0:
        goal = min(1.0, reached * (1.0 + growth))
        tangent[:] = target
        evaluate(scheme, side, body, x, momenta, slope)
        solve(slope, tangent)
        trial[:] = x + (goal - reached) * tangent
        determinant, _ = newton(scheme, side, body, trial, goal * target)
        way, miss = 0.0, 0.0
        for i in range(k):
            stride = (goal - reached) * tangent[i]
            way += stride * stride
            miss += (trial[i] - x[i] - stride) ** 2
        if determinant > 0.0 and miss <= 0.04 * way:
            x[:] = trial
            reached = goal
            growth = min(2.0 * growth, LONGEST_STRIDE)
        else:
            growth *= 0.5
            if growth < SHORTEST_STRIDE:
                break
    return reached


@kernel(
    "together(integer, number)(integer, integer, body, vector, integer, integer, together(matrix, matrix, cube))",
    body=BODY,
)
def orbit(scheme, side, body, start, steps, every, samples):
    """One orbit from a scaled momentum: samples = (momenta, displacements, elements), one row per sample.

    side = 1 is the map, -1 its inverse. Returns (steps taken, share); fewer than asked where the principal branch has
    ended, with the share of the momentum at which it did, or 1 where the elements outgrow all numbers. A displacement
    is that of the step after its sample.
    """
    momenta, displacements, elements = samples
    mass, parts, _, _, _, blocks = body
    k, r = start.size, mass.shape[0]
    target, x, first, second = start.copy(), np.zeros(k), np.zeros(k), np.zeros(k)
    slope, matrix, g = np.empty((k, k)), np.empty((r, r)), np.eye(r)
    for step in range(steps + 1):
        if step % every == 0:
            momenta[step // every], elements[step // every] = target, g
        if step == steps:
            break
        size = 0.0
        for i in range(k):
            guess = 3.0 * (x[i] - first[i]) + second[i]
            second[i], first[i], x[i] = first[i], x[i], guess
            size += abs(guess)
        determinant, moved = newton(scheme, side, body, x, target)
        if not (determinant > 0.0 and moved <= 0.1 * size):
            share = follow(scheme, side, body, target, x)
            if share < 1.0:
                return step, share
            first[:], second[:] = x, x
        if step % every == 0:
            displacements[step // every] = x
        evaluate(scheme, -side, body, x, target, slope)
        combine(x, parts, matrix)
        g = product(g, displacement(scheme, matrix if side > 0 else -matrix))
        if not np.isfinite(g).all():
            return step, 1.0
        if step % TIDY == 0:
            for b in range(blocks.shape[0]):
                orthogonalise(g, blocks[b, 0], blocks[b, 1])
    return steps, 1.0
