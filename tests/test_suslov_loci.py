"""Momentum loci of the Suslov maps against their implicit equations, the plane d*, and where they meet."""

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import fsolve

import nhviz
from nhviz.maps import loci
from tests.strategies import log_uniform

SETTINGS = settings(max_examples=100, deadline=None, derandomize=True, database=None)
GENERIC = {"I11": 3.0, "I22": 4.3, "I33": 9.0, "I13": 1.1, "I23": -0.7}


@st.composite
def tensors(draw):
    """Positive definite tensors, products of inertia up to the limit and of both signs."""
    i11, i22, i33 = draw(log_uniform(0.1, 50.0)), draw(log_uniform(0.1, 50.0)), draw(log_uniform(0.1, 100.0))
    part, angle = draw(st.floats(0.05, 0.99)), draw(st.floats(0.0, 2.0 * np.pi))
    i13 = float(part * np.cos(angle) * np.sqrt(i11 * i33))
    i23 = float(part * np.sin(angle) * np.sqrt(i22 * i33))
    return {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}


steps = log_uniform(0.01, 2.0)


def small_sum(terms, rounding=1e-12):
    """Whether terms cancel to round-off of their sizes."""
    return np.all(np.abs(np.sum(terms, axis=0)) <= rounding * np.sum(np.abs(terms), axis=0) + 1e-300)


def legendre(tensor, eps, u, v, rational):
    """(M1, M2, M3) of GJ (28), or of GJ (41) if `rational` is False."""
    i11, i22, i13, i23 = (tensor[name] for name in ("I11", "I22", "I13", "I23"))
    k, s = i13 * u + i23 * v, i11 * u**2 + i22 * v**2
    if rational:
        over = 2.0 / (4.0 + eps**2 * (u**2 + v**2))
        return np.array(
            [
                over * (2 * i11 * u + eps * v * k),
                over * (2 * i22 * v - eps * u * k),
                over * (2 * k + eps * (i22 - i11) * u * v),
            ]
        )
    return np.array(
        [
            i11 * u + eps * v * k / 2 + eps**2 * u * s / 4,
            i22 * v - eps * u * k / 2 + eps**2 * v * s / 4,
            k + eps * (i22 - i11) * u * v / 2,
        ]
    )


def gj_quartic(tensor, eps):
    """GJ's p4 times I13 I23, with the spec's corrections, as {(powers of M1, M2, M3): coefficient}."""
    i11, i22, i13, i23 = (tensor[name] for name in ("I11", "I22", "I13", "I23"))
    d, e1, e2, e3 = i11 - i22, i13 * i23 * eps, i13 * i23 * eps**2, i13 * i23 * eps**3
    half = sympy.Rational(1, 2) if isinstance(i11, sympy.Rational) else 0.5
    linear = -4 * d * i13 * i23
    return {
        (1, 0, 0): linear * i13 * i22,
        (0, 1, 0): linear * i11 * i23,
        (0, 0, 1): -linear * i11 * i22,
        (0, 0, 2): -2 * eps * i11 * i22 * (i13**2 + i23**2),
        (2, 0, 0): 2 * eps * i22 * i13**2 * d,
        (1, 1, 0): 4 * e1 * d**2,
        (0, 1, 1): 2 * eps * i23 * (i11**2 * i22 + 2 * i11 * i13**2 - i11 * i22**2 + i11 * i23**2 - i13**2 * i22),
        (0, 2, 0): -2 * eps * i11 * i23**2 * d,
        (1, 0, 1): -2 * eps * i13 * (i11**2 * i22 - i11 * i22**2 + i11 * i23**2 - i13**2 * i22 - 2 * i22 * i23**2),
        (3, 0, 0): e2 * i13,
        (0, 3, 0): -e2 * i23,
        (0, 2, 1): e2 * (4 * i11 - i22),
        (0, 1, 2): -(eps**2) * i13 * (i11**2 + i11 * i22 + i13**2 + i23**2),
        (2, 1, 0): -(eps**2) * i13 * (i11**2 - 3 * i11 * i22 + i13**2 + 2 * i22**2 - 2 * i23**2),
        (2, 0, 1): e2 * (i11 - 4 * i22),
        (1, 0, 2): eps**2 * i23 * (i11 * i22 + i13**2 + i22**2 + i23**2),
        (0, 0, 3): e2 * d,
        (1, 1, 1): -(eps**2) * (i11**2 * i22 - i11 * i22**2 + 3 * i11 * i23**2 - 3 * i13**2 * i22),
        (1, 2, 0): eps**2 * i23 * (2 * i11**2 - 3 * i11 * i22 - 2 * i13**2 + i22**2 + i23**2),
        (1, 2, 1): eps**3 * i13 * i22,
        (1, 1, 2): -e3,
        (0, 0, 4): -half * eps**3 * (i13**2 + i23**2),
        (3, 1, 0): -e3,
        (1, 3, 0): -e3,
        (4, 0, 0): -half * eps**3 * i13**2,
        (0, 1, 3): eps**3 * i23 * i11,
        (0, 3, 1): eps**3 * i23 * i11,
        (2, 1, 1): eps**3 * i23 * i11,
        (1, 0, 3): eps**3 * i13 * i22,
        (3, 0, 1): eps**3 * i13 * i22,
        (0, 4, 0): -half * eps**3 * i23**2,
        (0, 2, 2): -half * eps**3 * (i11**2 + i13**2 + 2 * i23**2),
        (2, 0, 2): -half * eps**3 * (2 * i13**2 + i22**2 + i23**2),
        (2, 2, 0): -half * eps**3 * (i11**2 - 2 * i11 * i22 + i13**2 + i22**2 + i23**2),
    }


def quartic(tensor, eps, points):
    """p4 over the size its terms have at the largest point: each coordinate carries that point's round-off."""
    x, y, z = np.moveaxis(points, -1, 0)
    size = np.abs(points).max()
    coefficients = gj_quartic(tensor, eps)
    scale = sum(abs(c) * size ** sum(powers) for powers, c in coefficients.items())
    return np.abs(sum(c * x**i * y**j * z**k for (i, j, k), c in coefficients.items())) / scale


def test_corrected_quartic_is_the_only_one_exactly():
    """Exact linear algebra: among all quartics only GJ's corrected p4 vanishes on the parametrised locus."""
    rational = sympy.Rational
    tensor = {"I11": rational(3), "I22": rational(5), "I13": rational(2, 3), "I23": rational(7, 4)}
    eps = rational(1, 2)
    powers = [(i, j, k) for i in range(5) for j in range(5 - i) for k in range(5 - i - j)]
    rows = []
    for u in range(-4, 4):
        for v in range(-3, 4):
            k = tensor["I13"] * u + tensor["I23"] * v
            over = 2 / (4 + eps**2 * (u**2 + v**2))
            x = over * (2 * tensor["I11"] * u + eps * v * k)
            y = over * (2 * tensor["I22"] * v - eps * u * k)
            z = over * (2 * k + eps * (tensor["I22"] - tensor["I11"]) * u * v)
            rows.append([x**i * y**j * z**k for i, j, k in powers])
    kernel = sympy.polys.matrices.DomainMatrix.from_Matrix(sympy.Matrix(rows)).to_field().nullspace().to_Matrix()
    assert kernel.shape[0] == 1
    quartic = gj_quartic(tensor, eps)
    factor = quartic[1, 0, 0] / kernel[0, powers.index((1, 0, 0))]
    assert [factor * value for value in kernel] == [quartic.get(power, 0) for power in powers]


@SETTINGS
@given(log_uniform(0.1, 50.0), log_uniform(0.1, 50.0), steps)
def test_diagonal_locus_is_the_steiner_surface(i11, i22, eps):
    """FZ (6.11) with J = tr(I)/2 - I; FZ's momenta are eps times the physical ones."""
    assume(abs(i11 - i22) > 1e-3 * (i11 + i22))
    tensor = {"I11": i11, "I22": i22, "I33": 0.9 * (i11 + i22), "I13": 0.0, "I23": 0.0}
    points = eps * nhviz.locus("suslov", "moser_veselov", params=tensor, step=eps, rows=21, columns=31)
    assert points.shape == (21, 31, 3)
    half_trace = 0.5 * (tensor["I11"] + tensor["I22"] + tensor["I33"])
    j1, j2, j3 = (half_trace - tensor[name] for name in ("I11", "I22", "I33"))
    m1, m2, m3 = np.moveaxis(points, -1, 0)
    terms = [
        (j1 - j2) / ((j2 + j3) * (j1 + j3)) * m1**2 * m2**2,
        (j1 + j3) / ((j2 + j3) * (j1 - j2)) * m1**2 * m3**2,
        (j2 + j3) / ((j1 + j3) * (j1 - j2)) * m2**2 * m3**2,
        -2 * m1 * m2 * m3,
    ]
    # j1 - j2 loses digits when I11 is near I22.
    assert small_sum(terms, 1e-12 * (1 + (i11 + i22) / abs(i11 - i22)))
    assert np.ptp(m1) == pytest.approx(2 * i11, rel=0.02)
    assert np.ptp(m2) == pytest.approx(2 * i22, rel=0.02)


@SETTINGS
@given(tensors(), steps)
def test_moser_veselov_locus_satisfies_the_quartic(tensor, eps):
    points = nhviz.locus("suslov", "moser_veselov", params=tensor, step=eps, rows=21, columns=31)
    assert quartic(tensor, eps, points).max() <= 1e-14
    # The quartic tells neighbours of the locus apart: a shift by 1% is noticed.
    moved = points + 0.01 * np.abs(points).max() * np.array([0.3, -0.2, 1.0])
    assert quartic(tensor, eps, moved).max() >= 1e-9


@pytest.mark.parametrize("rational", [True, False])
@SETTINGS
@given(tensors(), steps, st.floats(0.02, 1.5), st.floats(0.0, 2.0 * np.pi))
def test_loci_contain_every_legendre_image(rational, tensor, eps, angle, psi):
    """A momentum of the discrete Legendre transformation lies between the points of the grid."""
    u, v = 2.0 / eps * np.tan(0.5 * angle) * np.array([np.cos(psi), np.sin(psi)])
    point = legendre(tensor, eps, u, v, rational)
    method, view = ("moser_veselov", {}) if rational else ("cayley", {"angle": 1.6})
    grid = nhviz.locus("suslov", method, params=tensor, step=eps, rows=161, columns=361, **view)
    distance = np.linalg.norm(grid - point, axis=-1)
    near = np.unravel_index(np.argmin(distance), distance.shape)
    around = grid[max(near[0] - 1, 0) : near[0] + 2, max(near[1] - 1, 0) : near[1] + 2]
    # Its nearest grid point is one of the corners of its cell.
    assert distance[near] <= np.linalg.norm(around - grid[near], axis=-1).max()
    assert distance[near] <= 0.03 * np.linalg.norm(grid, axis=-1).max()


@pytest.mark.parametrize("method", ["moser_veselov", "cayley"])
@SETTINGS
@given(tensors(), steps)
def test_loci_touch_the_plane_at_the_origin(method, tensor, eps):
    """Within |M| <= r the distance to d* is of order r^2: a hundredth when r is a tenth."""
    sizes = []
    for angle in (1e-1, 1e-2):
        view = {"q0_min": float(np.cos(angle / 2)), "q0_max": 1.0} if method == "moser_veselov" else {"angle": angle}
        points = nhviz.locus("suslov", method, params=tensor, step=eps, rows=2, columns=41, **view)[-1]
        normal = np.array([-tensor["I13"] / tensor["I11"], -tensor["I23"] / tensor["I22"], 1.0])
        distance = points @ normal / np.linalg.norm(normal)
        found = loci.distance_to_plane(tensor, *points.T)
        np.testing.assert_allclose(found, distance, atol=1e-14 * np.abs(points).max())
        sizes.append(np.abs(distance).max())
        assert np.abs(distance).max() <= 20 * angle * np.linalg.norm(points, axis=-1).max()
    # Order 2, or 3 where the quadratic part vanishes; the last term is round-off.
    assert sizes[1] <= 0.0125 * sizes[0] + 1e-14 * np.abs(points).max()


@pytest.mark.parametrize("method", ["moser_veselov", "cayley"])
def test_runs_measure_the_signed_distance(method):
    run = nhviz.simulate("suslov", method=method, params=GENERIC, initial={"M1": 30, "M2": 55}, step=0.02, duration=1.0)
    normal = np.array([-GENERIC["I13"] / GENERIC["I11"], -GENERIC["I23"] / GENERIC["I22"], 1.0])
    momenta = np.array([run["M1"], run["M2"], run["M3"]])
    found = run.quantity("constraint")
    np.testing.assert_allclose(found, normal @ momenta / np.linalg.norm(normal), atol=1e-12)
    assert np.abs(found).max() > 1e-3
    images = legendre(GENERIC, 0.02, run["u"], run["v"], method == "moser_veselov")
    np.testing.assert_allclose(momenta, images, atol=1e-11)


def test_plane_patch_lies_in_the_plane():
    patch = loci.plane_patch(GENERIC, 5.0, 3)
    assert np.abs(patch[..., :2]).max() == 5.0
    expected = GENERIC["I13"] * patch[..., 0] / GENERIC["I11"] + GENERIC["I23"] * patch[..., 1] / GENERIC["I22"]
    np.testing.assert_allclose(patch[..., 2], expected, atol=1e-14)


@SETTINGS
@given(tensors(), steps)
def test_moser_veselov_contact_is_in_both(tensor, eps):
    curves = loci.moser_veselov_contact(tensor, eps)
    assert len(curves) == 2
    for curve in curves:
        size = np.abs(curve).max()
        assert size > 0.0
        normal = np.array([-tensor["I13"] / tensor["I11"], -tensor["I23"] / tensor["I22"], 1.0])
        # The direction is a root of a quadratic; near a double root its error is the square root of round-off.
        scale = np.linalg.norm(normal, 1) * size * (1 + max(tensor["I11"], tensor["I22"]) / size / eps)
        assert np.abs(normal @ curve).max() <= 1e-12 * scale
        assert quartic(tensor, eps, curve.T).max() <= 1e-14
        # Each is a conic through the origin: at the middle of the curve.
        assert np.abs(curve[:, curve.shape[1] // 2]).max() <= 1e-12 * size


@SETTINGS
@given(tensors())
def test_contact_directions_are_all_sign_changes(tensor):
    """Brute force: M3 of the locus minus d* on a small circle changes sign in exactly these directions."""
    psi = np.linspace(0.0, np.pi, 4001)
    small = 1e-4

    def height(angle):
        m1, m2, m3 = legendre(tensor, 1.0, small * np.cos(angle), small * np.sin(angle), rational=True)
        return m3 - tensor["I13"] / tensor["I11"] * m1 - tensor["I23"] / tensor["I22"] * m2

    values = height(psi)
    crossings = psi[:-1][np.sign(values[:-1]) * np.sign(values[1:]) < 0]
    directions = loci.contact_directions(tensor)
    assert directions.size == 2
    gap = abs(directions[0] - directions[1])
    assume(min(gap, np.pi - gap) > 0.01)
    # A zero on the seam 0 = pi is found once or not at all by the scan.
    assume(np.all((directions > 0.002) & (directions < np.pi - 0.002)))
    assert crossings.size == 2
    np.testing.assert_allclose(np.sort(directions), crossings, atol=2 * np.pi / 4000)


@SETTINGS
@given(tensors(), steps, st.floats(0.3, 1.8))
def test_cayley_contact_is_in_the_plane(tensor, eps, angle):
    normal = np.array([-tensor["I13"] / tensor["I11"], -tensor["I23"] / tensor["I22"], 1.0])
    largest = max(tensor["I11"], tensor["I22"], abs(tensor["I13"]), abs(tensor["I23"]))
    terms = 2.0 / eps * largest * (1.0 + np.tan(angle / 2)) ** 3 * np.linalg.norm(normal, 1)
    for curve in loci.cayley_contact(tensor, eps, angle=angle):
        assert np.abs(normal @ curve).max() <= 1e-13 * terms


@pytest.mark.parametrize(
    ("i11", "i22", "i13", "i23"),
    [
        (3.0, 4.3, 1.1, -0.7),
        (3.0, 4.0, 1.0, 0.5),
        (3.0, 3.0, 0.0, 0.5),
        (3.0, 3.0, 0.8, 0.5),
        (3.0, 3.01, 0.8, 0.5),
        (1.0, 6.5, 0.5, 0.0),
        (1.0, 6.5, 0.5, 0.01),
    ],
)
def test_cayley_contact_is_complete(i11, i22, i13, i23):
    """Brute force: where the height over d* changes sign on circles of the displacement, a curve passes."""
    tensor, eps, angle = {"I11": i11, "I22": i22, "I33": 9.0, "I13": i13, "I23": i23}, 0.3, 1.0
    curves = loci.cayley_contact(tensor, eps, angle=angle)
    normal = np.array([-i13 / i11, -i23 / i22, 1.0])
    psi = np.linspace(0.0, 2.0 * np.pi, 20_001) + 1e-3
    for part in (0.2, 0.5, 0.8, 0.95):
        rho = 2.0 / eps * part * np.tan(0.5 * angle)
        circle = legendre(tensor, eps, rho * np.cos(psi), rho * np.sin(psi), rational=False)
        heights = normal @ circle
        crossings = np.flatnonzero(np.sign(heights[:-1]) * np.sign(heights[1:]) < 0)
        # The height is a form of degree 2 and one of degree 3: at least the two contact directions are crossed twice.
        assert crossings.size >= 2
        for crossing in crossings:
            gap = min(segment_distance(circle[:, crossing], curve[:, :-1], curve[:, 1:]) for curve in curves)
            # A picture's worth: 2% of the circle's size.
            assert gap <= 0.02 * np.abs(circle).max()


def segment_distance(point, start, end):
    """Least distance of a point to segments given as columns."""
    along = end - start
    length = np.maximum(np.sum(along**2, axis=0), 1e-300)
    t = np.clip(np.sum((point[:, None] - start) * along, axis=0) / length, 0.0, 1.0)
    return np.linalg.norm(start + t * along - point[:, None], axis=0).min()


def test_cayley_contact_points_are_legendre_images():
    """The points of the contact curve solve (41a, b) by an independent root finder, and their M3 is (41c)."""
    eps = 0.3
    count = 0
    for curve in loci.cayley_contact(GENERIC, eps, angle=1.2):
        for point in curve.T[::40]:

            def residual(uv, point=point):
                return legendre(GENERIC, eps, *uv, rational=False)[:2] - point[:2]

            uv = fsolve(residual, [point[0] / GENERIC["I11"], point[1] / GENERIC["I22"]], xtol=1e-13)
            assert np.abs(residual(uv)).max() < 1e-10
            assert legendre(GENERIC, eps, *uv, rational=False)[2] == pytest.approx(point[2], abs=1e-9)
            count += 1
    assert count >= 5
