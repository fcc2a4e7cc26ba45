"""Inner loops of the Suslov top: both discrete maps and the closed form of the flow.

Scaled variables keep the formulas short: (x, y) = (eps/2)(u, v) are the Cayley coordinates of the
displacement (its Euler parameters are (1, x, y, 0) / sqrt(D), D = 1 + x^2 + y^2), m = (eps/2) M,
k = I13 x + I23 y and S = I11 x^2 + I22 y^2. A negative eps gives the inverse map.
"""

import math

import numpy as np
from numba import types

from nhviz.kernels import follow as certain
from nhviz.kernels.attitude import magnus_vector, turn, turn_by_vector, write_matrix
from nhviz.kernels.compile import kernel, piece
from nhviz.kernels.conics import intersect
from nhviz.kernels.polynomials import settled

MOSER_VESELOV, CAYLEY = 0, 1
NEWTON_ROUNDS = 25
# No quotient by the cosine of half a turn exceeds the numbers.
SMALLEST_COSINE = 1e-100
# A k that has decayed to this is nothing; smaller numbers would only be slow (they are denormal).
NOTHING = 1e-140


@kernel("triple(integer, four, number, number)", inlined=True)
def legendre(scheme, inertia, x, y):
    """Scaled momentum (m1, m2, m3) before the step with displacement (x, y)."""
    i11, i22, i13, i23 = inertia
    k = i13 * x + i23 * y
    if scheme == MOSER_VESELOV:
        over = 1.0 / (1.0 + x * x + y * y)
        return over * (i11 * x + y * k), over * (i22 * y - x * k), over * (k + (i22 - i11) * x * y)
    s = i11 * x * x + i22 * y * y
    return x * (i11 + s) + y * k, y * (i22 + s) - x * k, k + (i22 - i11) * x * y


@kernel("six(integer, four, number, number, number, number)", inlined=True, six=types.UniTuple(types.float64, 6))
def equation(scheme, inertia, x, y, m1, m2):
    """Residual of the Legendre equation and its derivatives: (f, g, fx, fy, gx, gy).

    For Moser-Veselov the equation is multiplied by D, which makes it quadratic.
    """
    i11, i22, i13, i23 = inertia
    k = i13 * x + i23 * y
    if scheme == MOSER_VESELOV:
        d = 1.0 + x * x + y * y
        return (
            i11 * x + y * k - m1 * d,
            i22 * y - x * k - m2 * d,
            i11 + y * i13 - 2.0 * m1 * x,
            k + y * i23 - 2.0 * m1 * y,
            -k - x * i13 - 2.0 * m2 * x,
            i22 - x * i23 - 2.0 * m2 * y,
        )
    s = i11 * x * x + i22 * y * y
    return (
        x * (i11 + s) + y * k - m1,
        y * (i22 + s) - x * k - m2,
        i11 + s + 2.0 * i11 * x * x + i13 * y,
        2.0 * i22 * x * y + k + i23 * y,
        2.0 * i11 * x * y - k - i13 * x,
        i22 + s + 2.0 * i22 * y * y - i23 * x,
    )


@kernel("together(truth, number, number, number)(integer, four, number, number, number, number)", inlined=True)
def newton(scheme, inertia, x, y, m1, m2):
    """(converged, x, y, determinant) of the displacement with momentum (m1, m2), from a guess."""
    before = math.inf
    determinant = 0.0
    for _ in range(NEWTON_ROUNDS):
        f, g, fx, fy, gx, gy = equation(scheme, inertia, x, y, m1, m2)
        determinant = fx * gy - fy * gx
        over = 1.0 / determinant
        dx, dy = (gy * f - fy * g) * over, (fx * g - gx * f) * over
        x, y = x - dx, y - dy
        change, size = abs(dx) + abs(dy), abs(x) + abs(y)
        if not math.isfinite(size):
            return False, 0.0, 0.0, 0.0
        if settled(change, before, size):
            return True, x, y, determinant
        before = change
    return False, 0.0, 0.0, 0.0


@kernel("together(integer, matrix)(four, number, number)")
def moser_veselov_points(inertia, m1, m2):
    """All real displacements with scaled momentum (m1, m2): (count, unit vectors (q1, q2, q0))."""
    i11, i22, i13, i23 = inertia
    first = np.array([[-m1, 0.5 * i13, 0.5 * i11], [0.5 * i13, i23 - m1, 0.0], [0.5 * i11, 0.0, -m1]])
    second = np.array([[-i13 - m2, -0.5 * i23, 0.0], [-0.5 * i23, -m2, 0.5 * i22], [0.0, 0.5 * i22, -m2]])
    return intersect(first, second)


@kernel("truth(four, number, number)", inlined=True)
def inner(inertia, x, y):
    """Whether H still rises along the ray to (x, y): then the point is on the inner oval of its level."""
    i11, i22, i13, i23 = inertia
    k = i13 * x + i23 * y
    return i11 * i22 * (1.0 - x * x - y * y) + 2.0 * k * k > 0.0


@kernel("together(truth, number, number)(four, number, number, truth)")
def moser_veselov_oval(inertia, m1, m2, wanted):
    """(found, x, y): the displacement of smallest rotation on the inner (wanted True) or on the outer oval."""
    count, points = moser_veselov_points(inertia, m1, m2)
    found, x, y, best = False, 0.0, 0.0, 1e-15
    for i in range(count):
        q1, q2, q0 = points[i]
        if abs(q0) > best and inner(inertia, q1 / q0, q2 / q0) == wanted:
            found, x, y, best = True, q1 / q0, q2 / q0, abs(q0)
    return found, x, y


@piece()
def write_quadratic(scheme, inertia, linear, hessians):
    """Write the equations of a displacement as `kernels.follow` wants them; returns the constant of the last one.

    Moser-Veselov: m1 and m2 are quadratic forms of the Euler parameters (q1, q2, q0), of length one. Cayley: in
    (x, y, z) with z sqrt(I11 I22) = S they are quadratic, too.
    """
    i11, i22, i13, i23 = inertia
    hessians[0, 0, 1] = hessians[0, 1, 0] = i13
    hessians[0, 1, 1] = 2.0 * i23
    hessians[1, 0, 0] = -2.0 * i13
    hessians[1, 0, 1] = hessians[1, 1, 0] = -i23
    if scheme == MOSER_VESELOV:
        hessians[0, 0, 2] = hessians[0, 2, 0] = i11
        hessians[1, 1, 2] = hessians[1, 2, 1] = i22
        for i in range(3):
            hessians[2, i, i] = 1.0
        return -0.5
    mean = math.sqrt(i11 * i22)
    hessians[0, 0, 2] = hessians[0, 2, 0] = hessians[1, 1, 2] = hessians[1, 2, 1] = mean
    hessians[2, 0, 0], hessians[2, 1, 1] = -2.0 * i11 / mean, -2.0 * i22 / mean
    linear[0, 0], linear[1, 1], linear[2, 2] = i11, i22, 1.0
    return 0.0


@kernel("triple(integer, four, number, number, number)")
def follow(scheme, inertia, m1, m2, furthest):
    """(reached, x, y): follow the displacement from the identity as the momentum grows towards furthest (m1, m2).

    reached is `furthest`, or the share of (m1, m2) at which the principal branch ends.
    """
    matrices, vectors = np.zeros((4, 3, 3)), np.zeros((5, 3))
    hessians, linear = matrices[:3], matrices[3]
    constant, goal, z, scale, moments = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    constant[2] = write_quadratic(scheme, inertia, linear, hessians)
    goal[0], goal[1], z[2] = m1, m2, 1.0 if scheme == MOSER_VESELOV else 0.0
    moments[0], moments[1], scale[2] = inertia[0], inertia[1], 1.0
    certain.write_balance(moments[:2], scale)
    reached = certain.follow(constant, linear, hessians, goal, furthest, z, scale)
    if scheme == CAYLEY:
        return reached, z[0], z[1]
    # A half turn has no Cayley coordinates; they are kept finite.
    q0 = z[2] if abs(z[2]) > SMALLEST_COSINE else math.copysign(SMALLEST_COSINE, z[2])
    return reached, z[0] / q0, z[1] / q0


@kernel("together(truth, number, number)(integer, four, number, number)")
def principal(scheme, inertia, m1, m2):
    """(found, x, y) of the principal displacement, the one that grows from the identity."""
    reached, x, y = follow(scheme, inertia, m1, m2, 1.0)
    return reached >= 1.0, x, y


@piece(forceinline=True)
def displacement(scheme, inertia, guess_x, guess_y, m1, m2, branch, level):
    """(found, x, y) of the chosen branch: Newton from a guess where that is certain, else followed from the identity.

    level is that of `nhviz.maps.suslov_folds.simple_level`: below it no other displacement passes the test here.
    """
    if branch == 1:
        return moser_veselov_oval(inertia, m1, m2, False)
    if inertia[1] * m1 * m1 + inertia[0] * m2 * m2 < level:
        ok, x, y, determinant = newton(scheme, inertia, guess_x, guess_y, m1, m2)
        if ok and determinant > 0.0 and (scheme == CAYLEY or inner(inertia, x, y)):
            return True, x, y
        if scheme == MOSER_VESELOV:
            return moser_veselov_oval(inertia, m1, m2, True)
    return principal(scheme, inertia, m1, m2)


@kernel("integer(integer, four, number, number, number, integer, integer, integer, number, part, cube, vector)")
def orbit(scheme, inertia, m1, m2, eps, steps, every, branch, level, state, attitude, end):
    """One orbit of a discrete map into state[(u, v, M1, M2, M3), sample] and attitude[sample, 3, 3].

    An attitude of no samples is not computed. Returns the number of steps whose displacement
    exists: steps + 1 when the orbit is complete, less when no real branch was left; then `end` is the momentum there.
    """
    half = 0.5 * eps
    m1, m2 = half * m1, half * m2
    i11, i22, i13, i23 = inertia
    q = np.array([1.0, 0.0, 0.0, 0.0])
    turning = attitude.shape[0] > 0
    x, y = m1 / i11, m2 / i22
    # Past displacements, for a quadratic extrapolation as the next guess.
    xa, ya, xb, yb = x, y, x, y
    sample, k_before = 0, 0.0
    for step in range(steps + 1):
        found, xn, yn = displacement(scheme, inertia, 3.0 * (x - xa) + xb, 3.0 * (y - ya) + yb, m1, m2, branch, level)
        if not found:
            end[0], end[1] = m1 / half, m2 / half
            return step
        if step == 0:
            xa, ya, x, y = xn, yn, xn, yn
        xb, yb, xa, ya, x, y = xa, ya, x, y, xn, yn
        if step % every == 0:
            _, _, m3 = legendre(scheme, inertia, x, y)
            state[0, sample], state[1, sample] = x / half, y / half
            state[2, sample], state[3, sample], state[4, sample] = m1 / half, m2 / half, m3 / half
            if turning:
                write_matrix(q, attitude[sample])
            sample += 1
        k = i13 * x + i23 * y
        if abs(k) < NOTHING and abs(k) <= k_before:
            k = 0.0
        else:
            k_before = abs(k)
        if scheme == MOSER_VESELOV:
            k /= 1.0 + x * x + y * y
        m1, m2 = m1 - 2.0 * y * k, m2 + 2.0 * x * k
        if turning:
            turn(q, x, y, 0.0)
    return steps + 1


@kernel(
    "integers(integer, four, vector, vector, number, integer, integer, integer, number, cube, four_indices, matrix)"
)
def orbits(scheme, inertia, m1, m2, eps, steps, every, branch, level, state, attitude, ends):
    """Many orbits: `orbit` for each start; returns the steps each could take."""
    taken = np.empty(m1.size, dtype=np.int64)
    for i in range(m1.size):
        taken[i] = orbit(
            scheme, inertia, m1[i], m2[i], eps, steps, every, branch, level, state[:, i], attitude[i], ends[i]
        )
    return taken


@piece()
def body_velocity(semi_axes, direction, rate, phase, t):
    """omega = (u, v, 0) of the flow at time t, from the closed form on the energy ellipse.

    phi = delta + chi with sin chi = tanh(rate t + phase), cos chi = sign sech(rate t + phase);
    direction = (cos delta, sin delta, sign).
    """
    tau = rate * t + phase
    decay = math.exp(-abs(tau))
    square = decay * decay
    sech = direction[2] * 2.0 * decay / (1.0 + square)
    sine = math.copysign((1.0 - square) / (1.0 + square), tau)
    return (
        semi_axes[0] * (sech * direction[0] - sine * direction[1]),
        semi_axes[1] * (sine * direction[0] + sech * direction[1]),
        0.0,
    )


@kernel("integer(pair, triple, number, number, number, integer, integer, cube)")
def exact_attitude(semi_axes, direction, rate, phase, interval, samples, budget, attitude):
    """Attitude of the flow at times 0, interval, 2 interval, ... from its known angular velocity.

    Sixth-order steps resolve the turn of omega; once omega no longer changes to round-off, one
    rotation per sample is exact. Returns the number of samples reached within the budget of steps.
    """
    q = np.array([1.0, 0.0, 0.0, 0.0])
    write_matrix(q, attitude[0])
    offset = math.sqrt(15.0) / 10.0
    fastest = max(semi_axes[0], semi_axes[1], abs(rate))
    pieces = math.ceil(abs(interval) * fastest / 0.05)
    spent = 0
    for sample in range(1, samples):
        start = (sample - 1) * interval
        resting = min(abs(rate * start + phase), abs(rate * (start + interval) + phase)) > 40.0
        resting = resting and (rate * start + phase) * (rate * (start + interval) + phase) > 0.0
        count = 1 if resting or pieces < 1 else pieces
        spent += count
        if spent > budget:
            return sample
        h = interval / count
        for part in range(count):
            middle = start + (part + 0.5) * h
            a = body_velocity(semi_axes, direction, rate, phase, middle - offset * h)
            b = body_velocity(semi_axes, direction, rate, phase, middle)
            c = body_velocity(semi_axes, direction, rate, phase, middle + offset * h)
            x, y, z = magnus_vector(h, a, b, c)
            turn_by_vector(q, x, y, z)
        write_matrix(q, attitude[sample])
    return samples


@kernel("vector(number, vector)")
def cayley_rest_squares(bend, squares):
    """The roots w of w (1 + 2 w + bend w^2) = s^2 for each s^2, bend > 0.

    The root of w (1 + 2 w) = s^2 is beyond. The left side is convex, so that Newton's method falls from there to the
    root; it ends where round-off stops the fall.
    """
    found = np.empty(squares.size)
    for i in range(squares.size):
        w = 2.0 * squares[i] / (1.0 + math.sqrt(1.0 + 8.0 * squares[i]))
        while True:
            bent = bend * w
            lower = w - (w * (1.0 + w * (2.0 + bent)) - squares[i]) / (1.0 + w * (4.0 + 3.0 * bent))
            if not lower < w:
                break
            w = lower
        found[i] = w
    return found
