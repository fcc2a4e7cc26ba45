"""Where the principal branches of the Suslov maps end, explicitly and for many rays at once; the least of these steps.

Nothing of nhviz enters; `tests/continuation.py` follows single branches.
"""

import numpy as np

from tests.continuation import CONTRACTION, Array, SingularError, suslov_cayley

THIN = 1e-9
"""An angle that starts do not hit: wedges of rays not wider than this are no one's business but a mathematician's."""


def product(*forms: Array) -> Array:
    """The product of binary forms with coefficients (..., degree + 1)."""
    total = np.ones((1,))
    for form in forms:
        shape = np.broadcast_shapes(total.shape[:-1], form.shape[:-1])
        found = np.zeros((*shape, total.shape[-1] + form.shape[-1] - 1))
        for i in range(form.shape[-1]):
            found[..., i : i + total.shape[-1]] += form[..., i : i + 1] * total
        total = found
    return total


def positive_roots(coefficients: Array) -> Array:
    """Angles in (0, pi) with sum coefficients[..., i] cos^(n-i) sin^i = 0, infinite in place of complex ones."""
    degree = coefficients.shape[-1] - 1
    scaled = coefficients / np.abs(coefficients).max(axis=-1, keepdims=True)
    lead = scaled[..., -1:]
    # A root at infinity is the angle pi/2 as well as one at 1e15.
    lead = np.where(np.abs(lead) < 1e-15, 1e-15, lead)
    companion = np.zeros((*scaled.shape[:-1], degree, degree))
    companion[..., 0, :] = -scaled[..., degree - 1 :: -1] / lead
    companion[..., np.arange(1, degree), np.arange(degree - 1)] = 1.0
    roots = np.linalg.eigvals(companion)
    return np.where(np.abs(roots.imag) <= 1e-7 * np.abs(roots), np.arctan(roots.real) % np.pi, np.inf)


def moser_veselov_ends(inertia: Array, alpha: Array, beta: Array) -> Array:
    """The s at which the principal branch along each ray s (alpha, beta) = m ends, m = (eps/2) M.

    The ray is a conic, parametrised by the direction psi of (q1, q2): with (c, s) = (cos psi, sin psi),
    D = beta I11 c - alpha I22 s, kappa = I13 c + I23 s and N = I11 c^2 + I22 s^2, it is
    q0/|(q1, q2)| = -kappa (alpha c + beta s)/D, and on it s = -D kappa N/(D^2 + kappa^2 (alpha c + beta s)^2). It
    begins at D = 0, in the sense in which s is positive, and ends at the first critical point of s: a root of a sextic.
    """
    i11, i22, i13, i23 = inertia
    # The frame (e, f) begins at D = 0, and turns in the sense in which s is positive: that of the sign of kappa there.
    size = np.hypot(alpha / i11, beta / i22)
    e1, e2 = alpha / i11 / size, beta / i22 / size
    sense = np.where(i13 * e1 + i23 * e2 < 0.0, -1.0, 1.0)
    f1, f2 = -sense * e2, sense * e1

    def form(first: Array, second: Array) -> Array:
        return np.stack([first * e1 + second * e2, first * f1 + second * f2], axis=-1)

    kappa, along, d = form(i13, i23), form(alpha, beta), form(beta * i11, -alpha * i22)
    d[..., 0] = 0.0
    shape = i11 * product(form(1.0, 0.0), form(1.0, 0.0)) + i22 * product(form(0.0, 1.0), form(0.0, 1.0))
    over = -product(d, kappa, shape)
    under = product(d, d, np.array([1.0, 0.0, 1.0])) + product(kappa, kappa, along, along)
    # The derivatives by the two coordinates of a direction; the sextic is their cross product.
    power = np.arange(4)
    slopes = [(quartic[..., :-1] * (4 - power), quartic[..., 1:] * (power + 1)) for quartic in (over, under)]
    sextic = product(slopes[0][0], slopes[1][1]) - product(slopes[0][1], slopes[1][0])
    way = positive_roots(sextic).min(axis=-1)
    monomials = np.stack([np.cos(way) ** (4 - i) * np.sin(way) ** i for i in range(5)], axis=-1)
    return (over * monomials).sum(axis=-1) / (under * monomials).sum(axis=-1)


def cayley_curve(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array) -> tuple[Array, ...]:
    """Value, gradient, Hessian and size of the third derivative of the cubic beta m1 = alpha m2 of a ray."""
    i11, i22, i13, i23 = inertia
    shape, k, across, along = i11 * x * x + i22 * y * y, i13 * x + i23 * y, beta * x - alpha * y, alpha * x + beta * y
    value = across * shape + k * along + beta * i11 * x - alpha * i22 * y
    by_x = beta * shape + 2.0 * i11 * x * across + i13 * along + alpha * k + beta * i11
    by_y = -alpha * shape + 2.0 * i22 * y * across + i23 * along + beta * k - alpha * i22
    xx = 4.0 * beta * i11 * x + 2.0 * i11 * across + 2.0 * i13 * alpha
    yy = -4.0 * alpha * i22 * y + 2.0 * i22 * across + 2.0 * i23 * beta
    xy = 2.0 * beta * i22 * y - 2.0 * alpha * i11 * x + i13 * beta + i23 * alpha
    third = np.sqrt(
        (6.0 * beta * i11) ** 2 + (6.0 * alpha * i22) ** 2 + 12.0 * ((alpha * i11) ** 2 + (beta * i22) ** 2)
    )
    return value, by_x, by_y, np.sqrt(xx * xx + 2.0 * xy * xy + yy * yy), third


def cayley_momentum(inertia: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """(m1, m2) of the Cayley map."""
    i11, i22, i13, i23 = inertia
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    return x * (i11 + shape) + y * k, y * (i22 + shape) - x * k


def cayley_rate(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """The unit tangent of the cubic, in the sense in which it leaves the identity with s > 0, and ds along it."""
    i11, i22, i13, i23 = inertia
    _, by_x, by_y, *_ = cayley_curve(inertia, alpha, beta, x, y)
    size = np.hypot(by_x, by_y)
    tx, ty = -by_y / size, by_x / size
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    m1 = (i11 + shape + 2.0 * i11 * x * x + i13 * y) * tx + (2.0 * i22 * x * y + k + i23 * y) * ty
    m2 = (2.0 * i11 * x * y - k - i13 * x) * tx + (i22 + shape + 2.0 * i22 * y * y - i23 * x) * ty
    return tx, ty, alpha * m1 + beta * m2


def cayley_bend(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array) -> Array:
    """The derivative of ds along the cubic."""
    i11, i22, i13, i23 = inertia
    tx, ty, _ = cayley_rate(inertia, alpha, beta, x, y)
    _, by_x, by_y, *_ = cayley_curve(inertia, alpha, beta, x, y)
    first = 6.0 * i11 * x, 2.0 * i22 * y + i13, 2.0 * i22 * x + 2.0 * i23
    second = 2.0 * i11 * y - 2.0 * i13, 2.0 * i11 * x - i23, 6.0 * i22 * y

    def along(form: tuple[Array, ...]) -> Array:
        return form[0] * tx * tx + 2.0 * form[1] * tx * ty + form[2] * ty * ty

    # The curve bends as (beta m1 - alpha m2) must stay zero.
    turn = -(beta * along(first) - alpha * along(second)) / (by_x * by_x + by_y * by_y)
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    m1 = (i11 + shape + 2.0 * i11 * x * x + i13 * y) * by_x + (2.0 * i22 * x * y + k + i23 * y) * by_y
    m2 = (2.0 * i11 * x * y - k - i13 * x) * by_x + (i22 + shape + 2.0 * i22 * y * y - i23 * x) * by_y
    return alpha * along(first) + beta * along(second) + turn * (alpha * m1 + beta * m2)


def cayley_settle(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array, normal: tuple[Array, Array]) -> tuple:
    """Newton's method for the point of the cubic on the line through (x, y) along a normal."""
    for _ in range(4):
        value, by_x, by_y, *_ = cayley_curve(inertia, alpha, beta, x, y)
        change = value / (by_x * normal[0] + by_y * normal[1])
        x, y = x - change * normal[0], y - change * normal[1]
    return x, y


def fold_radii(inertia: Array, psi: Array) -> Array:
    """The signed radii (..., 4) at which the Cayley map is singular along directions, NaN for complex ones."""
    i11, i22, i13, i23 = inertia
    c, s = np.cos(psi), np.sin(psi)
    shape, kappa, one = i11 * c * c + i22 * s * s, i13 * c + i23 * s, np.ones_like(c)
    first = np.stack([i11 * one, i13 * s, shape + 2.0 * i11 * c * c], axis=-1)
    second = np.stack([i22 * one, -i23 * c, shape + 2.0 * i22 * s * s], axis=-1)
    third = np.stack([0.0 * one, kappa + i23 * s, 2.0 * i22 * c * s], axis=-1)
    fourth = np.stack([0.0 * one, -kappa - i13 * c, 2.0 * i11 * c * s], axis=-1)
    quartic = product(first, second) - product(third, fourth)
    # In units in which the first and the last coefficient are one.
    unit = (quartic[..., :1] / quartic[..., -1:]) ** 0.25
    scaled = quartic * unit ** np.arange(5)
    scaled /= scaled[..., -1:]
    companion = np.zeros((*psi.shape, 4, 4))
    companion[..., 0, :] = -scaled[..., 3::-1]
    companion[..., [1, 2, 3], [0, 1, 2]] = 1.0
    roots = np.linalg.eigvals(companion)
    return unit * np.where(np.abs(roots.imag) <= 1e-7 * np.abs(roots), roots.real, np.nan)


def cayley_far(inertia: Array) -> float:
    """A bound of m1^2/I11 + m2^2/I22 at displacements not beyond the farthest fold: above it no branch folds.

    Zero where nothing folds. On a circle of radius r the momentum's length is at most that of a cubic in r.
    """
    psi = np.linspace(0.0, np.pi, 4001)
    radii = np.abs(fold_radii(inertia, psi))
    if np.isnan(radii).all():
        return 0.0
    reach = 1.05 * float(np.nanmax(radii))
    x, y = reach * np.cos(2.0 * psi), reach * np.sin(2.0 * psi)
    i11, i22, i13, i23 = inertia
    k, shape = i13 * x + i23 * y, i11 * x * x + i22 * y * y
    # The three terms grow with the radius one by one.
    bound = [np.abs(part) for part in (i11 * x, y * k, x * shape, i22 * y, x * k, y * shape)]
    return float(np.max(sum(bound[:3]) ** 2 / i11 + sum(bound[3:]) ** 2 / i22))


def cayley_ends(inertia: Array, alpha: Array, beta: Array, most: float = np.inf) -> Array:
    """The s at which the principal branch of the Cayley map along each ray s (alpha, beta) ends, or infinity.

    All rays are followed at once along their cubics, with the same kind of contraction as above.
    """
    far = cayley_far(inertia)
    ends, square = np.full(alpha.shape, np.inf), alpha**2 + beta**2
    last = np.minimum(np.sqrt(far / (alpha**2 / inertia[0] + beta**2 / inertia[1])), most) * square
    x, y, open_rays = np.zeros_like(alpha), np.zeros_like(alpha), np.arange(alpha.size)
    for _ in range(20_000):
        a, b, px, py = alpha[open_rays], beta[open_rays], x[open_rays], y[open_rays]
        m1, m2 = cayley_momentum(inertia, px, py)
        unfinished = a * m1 + b * m2 < last[open_rays]
        open_rays, a, b, px, py = (part[unfinished] for part in (open_rays, a, b, px, py))
        if open_rays.size == 0:
            return ends / square
        _, by_x, by_y, second, third = cayley_curve(inertia, a, b, px, py)
        size = np.hypot(by_x, by_y)
        tx, ty = -by_y / size, by_x / size
        # second h + third h^2 = CONTRACTION size.
        h = 2.0 * CONTRACTION * size / (second + np.sqrt(second**2 + 4.0 * CONTRACTION * size * third))
        qx, qy = cayley_settle(inertia, a, b, px + h * tx, py + h * ty, (-ty, tx))
        rate, other = (cayley_rate(inertia, a, b, *point)[2] for point in ((px, py), (qx, qy)))
        bend, other_bend = (cayley_bend(inertia, a, b, *point) for point in ((px, py), (qx, qy)))
        folded = other <= 0.0
        # Where ds falls at first and rises in the end its tangents meet below it; s may turn back where that is low.
        dips = ~folded & (bend < 0.0) & (other_bend > 0.0)
        meet = (other - rate - other_bend * h) / np.where(dips, bend - other_bend, -1.0)
        dips &= rate + bend * meet < 0.3 * np.minimum(rate, other)
        if dips.any():
            h[dips], least = cayley_dip(inertia, *(part[dips] for part in (a, b, px, py, tx, ty, h)))
            folded[dips] = least <= 0.0
        x[open_rays], y[open_rays] = qx, qy
        if folded.any():
            ends[open_rays[folded]] = cayley_fold(inertia, *(part[folded] for part in (a, b, px, py, tx, ty, h)))
            open_rays = open_rays[~folded]
    raise SingularError


def cayley_dip(
    inertia: Array, alpha: Array, beta: Array, x: Array, y: Array, tx: Array, ty: Array, h: Array
) -> tuple[Array, Array]:
    """(length, ds) where ds is least within a step."""
    low, high = np.zeros_like(h), h
    for _ in range(45):
        middle = 0.5 * (low + high)
        px, py = cayley_settle(inertia, alpha, beta, x + middle * tx, y + middle * ty, (-ty, tx))
        falling = cayley_bend(inertia, alpha, beta, px, py) < 0.0
        low, high = np.where(falling, middle, low), np.where(falling, high, middle)
    return middle, cayley_rate(inertia, alpha, beta, px, py)[2]


def cayley_fold(inertia: Array, alpha: Array, beta: Array, x: Array, y: Array, tx: Array, ty: Array, h: Array) -> Array:
    """(alpha m1 + beta m2) where ds changes its sign within a step."""
    low, high = np.zeros_like(h), h
    for _ in range(45):
        middle = 0.5 * (low + high)
        px, py = cayley_settle(inertia, alpha, beta, x + middle * tx, y + middle * ty, (-ty, tx))
        rising = cayley_rate(inertia, alpha, beta, px, py)[2] > 0.0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    m1, m2 = cayley_momentum(inertia, px, py)
    return alpha * m1 + beta * m2


def suslov_ends(scheme: str, inertia: Array, energy: float, angles: Array, most: float = np.inf) -> Array:
    """The steps at which the principal branches of momenta on an energy ellipse end; infinite beyond `most`."""
    size = np.sqrt(0.5 * energy)
    alpha, beta = size * np.sqrt(inertia[0]) * np.cos(angles), size * np.sqrt(inertia[1]) * np.sin(angles)
    if scheme == "moser_veselov":
        return moser_veselov_ends(inertia, alpha, beta)
    ends = cayley_ends(inertia, alpha, beta, most)
    return np.where(ends > most, np.inf, ends)


def fold_angles(scheme: str, inertia: Array, count: int) -> Array:
    """Angles on the energy ellipse of the momenta at which the map is singular, from directions in even steps.

    They crowd where even steps of the angle itself would leave gaps: in thin wedges of early folds.
    """
    i11, i22, i13, i23 = inertia
    psi = np.linspace(0.0, np.pi, count, endpoint=False)
    c, s = np.cos(psi), np.sin(psi)
    if scheme == "cayley":
        radii = fold_radii(inertia, psi)
        m1, m2 = cayley_momentum(inertia, radii * c[:, None], radii * s[:, None])
    else:
        # The determinant of the gradients of m1 and m2 and q = (c, s, g) is a cubic in g.
        kappa, one = i13 * c + i23 * s, np.ones_like(c)
        rows = [
            [(i13 * s, i11 * one), (kappa + i23 * s, 0.0 * c), (i11 * c, 0.0 * c)],
            [(-kappa - i13 * c, 0.0 * c), (-i23 * c, i22 * one), (i22 * s, 0.0 * c)],
            [(c, 0.0 * c), (s, 0.0 * c), (0.0 * c, one)],
        ]
        entry = [[np.stack(pair, axis=-1) for pair in row] for row in rows]
        cubic = sum(
            sign * product(entry[0][i], entry[1][j], entry[2][k])
            for (i, j, k), sign in (
                ((0, 1, 2), 1), ((1, 2, 0), 1), ((2, 0, 1), 1), ((0, 2, 1), -1), ((2, 1, 0), -1), ((1, 0, 2), -1)
            )
        )  # fmt: skip
        companion = np.zeros((count, 3, 3))
        companion[:, 0, :] = -cubic[:, 2::-1] / cubic[:, 3:]
        companion[:, [1, 2], [0, 1]] = 1.0
        roots = np.linalg.eigvals(companion)
        g = np.where(np.abs(roots.imag) <= 1e-7 * (1.0 + np.abs(roots)), roots.real, np.nan)
        c, s, kappa = c[:, None], s[:, None], kappa[:, None]
        m1, m2 = i11 * c * g + s * kappa, i22 * s * g - c * kappa
    angles = np.arctan2(m2 / np.sqrt(i22), m1 / np.sqrt(i11)).ravel()
    return angles[~np.isnan(angles)]


def suslov_largest_steps(
    scheme: str, inertia: Array, energy: float, rays: int = 2000, most: float = np.inf
) -> list[tuple[float, float]]:
    """[(step, angle), ...]: the lowest steps at which principal branches end on an energy ellipse, and where.

    Of the Cayley map what is beyond `most` is taken for infinite.

    Rays in even steps and through folds in even steps of the direction; the lowest ones are then closed in on, by
    nets around the lowest point so far. Next to a jump that finds the lower side's limit. The first one is the infimum.
    More follow only where it belongs to a wedge of rays that is thinner than `THIN`; the last one is not so thin.
    """
    if scheme == "cayley" and cayley_far(inertia) == 0.0:
        return [(np.inf, np.nan)]
    turn = 2.0 * np.pi
    even = np.linspace(0.0, turn, rays, endpoint=False) + 1e-4
    angles = np.unique(np.concatenate([even, fold_angles(scheme, inertia, rays) % turn]))
    ends = suslov_ends(scheme, inertia, energy, angles, most)
    lowest: list[int] = []
    rising = (ends <= np.roll(ends, 1)) & (ends <= np.roll(ends, -1)) & np.isfinite(ends)
    for i in sorted(np.flatnonzero(rising), key=lambda i: ends[i]):
        if len(lowest) < 12 and all(abs(angles[i] - angles[j]) > 1e-6 for j in lowest):
            lowest.append(int(i))
    if not lowest:
        return [(np.inf, np.nan)]
    around = np.concatenate([[angles[-1] - turn], angles, [angles[0] + turn]])
    low, high = around[lowest], around[np.array(lowest) + 2]
    best, where = ends[lowest].copy(), angles[lowest].copy()
    for _ in range(14):
        net = np.linspace(low, high, 22)[1:-1]
        found = suslov_ends(scheme, inertia, energy, net.ravel(), most).reshape(net.shape)
        found, net = np.vstack([found, best]), np.vstack([net, where])
        index = found.argmin(axis=0)
        best, where = found.min(axis=0), np.take_along_axis(net, index[None], axis=0)[0]
        width = (high - low) / 21.0
        low, high = where - width, where + width
    steps = []
    for i in np.argsort(best):
        steps.append((float(best[i]), float(where[i] % turn)))
        beside = suslov_ends(scheme, inertia, energy, where[i] + np.array([-THIN, THIN]), most)
        if beside.min() <= best[i] * (1.0 + 1e-4):
            return steps
    return [*steps, (np.inf, np.nan)]


def cayley_cusp_on_the_way(inertia: Array, energy: float, step: float) -> bool:
    """Whether a step is that of the lowest fold of the Cayley map, and the principal branch leads there.

    Then it is a cusp: next to it the branch folds, but where I11 and I22 are nearly the same or the products of inertia
    nearly along an axis, only in a wedge of rays too thin to be met.
    """
    psi = np.linspace(0.0, np.pi, 4001)
    for _ in range(8):
        radii = fold_radii(inertia, psi)
        x, y = radii * np.cos(psi)[:, None], radii * np.sin(psi)[:, None]
        m1, m2 = cayley_momentum(inertia, x, y)
        level = m1**2 / inertia[0] + m2**2 / inertia[1]
        i, j = np.unravel_index(np.nanargmin(level), level.shape)
        x, y, m1, m2, least = x[i, j], y[i, j], m1[i, j], m2[i, j], level[i, j]
        width = psi[1] - psi[0]
        psi = np.linspace(psi[i] - 2.0 * width, psi[i] + 2.0 * width, 41)
    if abs(np.sqrt(2.0 * least / energy) - step) > 1e-6 * step:
        return False
    # Next to the cusp's ray, which itself cannot be followed through the cusp.
    size = np.sqrt(2.0 * energy / least)
    there = suslov_cayley(inertia, size * np.array([m1, m2 + 1e-6 * m1]), step).at(step * (1.0 - 1e-4))
    return there is not None and np.hypot(there[0] - x, there[1] - y) < 0.1 * np.hypot(x, y)
