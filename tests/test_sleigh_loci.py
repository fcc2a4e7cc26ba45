"""Momentum loci of the discrete sleighs against FZ (7.16), the branches, and the discriminant."""

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.analysis.branches import locus_surface
from nhviz.maps import loci, sleigh_branches
from tests.strategies import log_uniform

SETTINGS = settings(max_examples=100, deadline=None, derandomize=True, database=None)


bodies = st.fixed_dictionaries(
    {
        "J": log_uniform(0.05, 50.0),
        "m": log_uniform(0.05, 50.0),
        "a": st.one_of(st.floats(0.1, 4.0), st.floats(-4.0, -0.1)),
        "b": st.floats(-4.0, 4.0),
    }
)
steps = log_uniform(0.01, 2.0)


def small_sum(terms, rounding=1e-12):
    """Whether terms cancel to round-off of their sizes."""
    return np.all(np.abs(np.sum(terms, axis=0)) <= rounding * np.sum(np.abs(terms), axis=0) + 1e-300)


def fz_cubic(j, p, q, z):
    """FZ (7.16)."""
    return [j**2 * z**3, -2 * j * p * z**2, (q**2 + 2 * j * q + p**2) * z, -2 * p * q]


@SETTINGS
@given(bodies, steps)
def test_sleigh_locus_satisfies_fz_7_16(body, eps):
    surface = locus_surface("sleigh", "fedorov_zenkov", params=body, step=eps)
    assert surface.axes == ("eps (p_theta + b p_1)", "eps a p_1 + 2 m a^2", "sin dtheta")
    p, q, z = np.moveaxis(surface.points, -1, 0)
    # sin(pi) is 1.2e-16, not 0: that leaves 1e-16 p q without a partner.
    residual = np.abs(np.sum(fz_cubic(body["J"], p, q, z), axis=0))
    assert np.all(residual <= 1e-13 * (body["J"] + np.abs(p) + np.abs(q)) ** 2)
    assert np.abs(z).max() <= 1.0
    for line in loci.tangent_lines(body, 3.0):
        for point in line:
            sign = np.sign(point[2])
            assert abs(point[2]) == 1.0
            assert sign * point[0] - point[1] == pytest.approx(body["J"], abs=1e-12 * (3.0 + body["J"]))
            assert small_sum(fz_cubic(body["J"], *point), 1e-12)
    touching = np.abs(z) > 1.0 - 1e-12
    assert touching.any()
    np.testing.assert_allclose((np.sign(z) * p - q)[touching], body["J"], atol=1e-6 * (body["J"] + np.abs(p).max()))


@SETTINGS
@given(bodies, steps, st.integers(1, 119), st.integers(0, 40))
def test_sleigh_locus_points_are_branches(body, eps, row, column):
    """Every point is a branch at its momentum, with V1, V2 that solve (7.5) and (7.12), b included."""
    p, q, z = nhviz.locus("sleigh", "fedorov_zenkov", params=body, step=eps, rows=121, columns=41)[row, column]
    j, m, a, b = (body[name] for name in ("J", "m", "a", "b"))
    p_1 = (q - 2 * m * a**2) / (eps * a)
    p_theta = p / eps - b * p_1
    found = nhviz.branches("sleigh", "fedorov_zenkov", params=body, step=eps, at={"p_theta": p_theta, "p_1": p_1})
    # Near a fold two roots meet and each is known to the square root of round-off only.
    assert min(abs(np.sin(branch["dtheta"]) - z) for branch in found) < 1e-6
    for branch in found:
        d, v1, v2 = branch["dtheta"], branch["V1"], branch["V2"]
        first = [(j + m * a**2 + m * b**2) * np.sin(d), a * m * v2, -b * m * v1, -eps * p_theta]
        second = [m * v1, -a * m * (1 - np.cos(d)), -b * m * np.sin(d), -eps * p_1]
        assert abs(sum(second)) <= 1e-12 * sum(map(abs, second))
        # tan(d/2) amplifies the round-off of d near half turns.
        assert abs(sum(first)) <= 1e-11 * sum(map(abs, first)) * (1 + abs(np.tan(d / 2)))
        assert abs(v1 * (1 - np.cos(d)) - v2 * np.sin(d)) <= 1e-12 * (abs(v1) + abs(v2))


@SETTINGS
@given(bodies, steps)
def test_other_sleigh_loci(body, eps):
    """Points of the midpoint locus solve DS (23), those of the naive locus (7.5) with V2 = 0."""
    j, m, a, b = (body[name] for name in ("J", "m", "a", "b"))
    total = j + m * a**2
    flat = body | {"b": 0.0}
    p, q, z = np.moveaxis(nhviz.locus("sleigh", "midpoint", params=flat, step=eps), -1, 0)
    residuals = []
    for d in (np.arcsin(z), np.pi - np.arcsin(z), -np.pi - np.arcsin(z)):
        half, c = 0.5 * d, q - 2 * m * a**2
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            value = total * d + 0.5 * d / np.cos(half) * (c + m * a**2 * d * np.sin(half)) - p
        residuals.append(np.abs(value))
    scale = np.abs(p) + np.abs(q) + total
    # arcsin has square-root accuracy at z = +-1.
    assert np.all(np.nanmin(residuals, axis=0) <= 1e-6 * scale)
    assert np.median(np.nanmin(residuals, axis=0) / scale) <= 1e-13
    p, q, z = np.moveaxis(nhviz.locus("sleigh", "naive", params=body, step=eps), -1, 0)
    assert p.shape == q.shape == z.shape
    cosines = np.array([np.sqrt(1 - z**2), -np.sqrt(1 - z**2)])
    v1 = (q - 2 * m * a**2) / (a * m) + a * (1 - cosines) + b * z
    p_theta = (total + m * b**2) * z - b * m * v1
    p_1 = m * v1 - a * m * (1 - cosines) - b * m * z
    error = np.abs(p_theta + b * p_1 - p).min(axis=0)
    scale = np.abs(p) + (np.abs(q) / abs(a) + m * (abs(a) + abs(b))) * abs(b) + total
    assert np.all(error <= 1e-6 * scale)
    assert np.median(error / scale) <= 1e-13


def test_lemma_7_2_is_the_discriminant():
    """The discriminant of q t^3 - P t^2 + (q + 2J) t - P in t is -4 times Lemma 7.2's polynomial: an identity."""
    j, p, q, t = sympy.symbols("J P q t")
    cubic = q * t**3 - p * t**2 + (q + 2 * j) * t - p
    lemma = q**4 + 6 * j * q**3 + q**2 * (12 * j**2 + 2 * p**2) - q * (10 * j * p**2 - 8 * j**3) + p**4 - j**2 * p**2
    assert sympy.expand(sympy.discriminant(cubic, t) + 4 * lemma) == 0
    # (7.18) with sines is the same cubic times t / (1 + t^2)^2.
    sine, versine = 2 * t / (1 + t**2), 2 * t**2 / (1 + t**2)
    equation = j * sine**2 - p * sine + q * versine
    assert sympy.simplify(equation - 2 * t * cubic / (1 + t**2) ** 2) == 0
    # And (7.16) is its norm over the two signs of the cosine.
    z, cosine = sympy.symbols("z c")
    norm = sympy.resultant(j * z**2 - p * z + q * (1 - cosine), cosine**2 + z**2 - 1, cosine)
    assert sympy.expand(norm - z * sum(fz_cubic(j, p, q, z))) == 0


@SETTINGS
@given(bodies)
def test_cubic_fold_is_the_discriminant_curve(body):
    j = body["J"]
    tau = np.concatenate([np.linspace(-6.0, 6.0, 121), [np.sqrt(3.0), -np.sqrt(3.0)]])
    p, q = sleigh_branches.cubic_fold(body, tau)
    scale = (j + np.abs(p) + np.abs(q)) ** 4
    # P and q come out of A and mu, which may be much larger than J.
    loss = 1 + body["m"] * body["a"] ** 2 / j
    lemma = q**4 + 6 * j * q**3 + q**2 * (12 * j**2 + 2 * p**2) - q * (10 * j * p**2 - 8 * j**3) + p**4 - j**2 * p**2
    assert np.all(np.abs(lemma) <= 1e-13 * loss * scale)
    np.testing.assert_allclose(sleigh_branches.discriminant(body, p, q), lemma, atol=1e-12 * scale.max())
    # tau is a double root there.
    value = q * tau**3 - p * tau**2 + (q + 2 * j) * tau - p
    slope = 3 * q * tau**2 - 2 * p * tau + q + 2 * j
    assert np.all(np.abs(value) <= 1e-13 * loss * j * (1 + np.abs(tau)) ** 3)
    assert np.all(np.abs(slope) <= 1e-13 * loss * j * (1 + np.abs(tau)) ** 3)
    # Three cusps, where the curve stops: its derivative vanishes.
    for at, where in (
        (0.0, (0.0, -2 * j)),
        (3**0.5, (0.75 * 3**0.5 * j, 0.25 * j)),
        (-(3**0.5), (-0.75 * 3**0.5 * j, 0.25 * j)),
    ):
        np.testing.assert_allclose(np.ravel(sleigh_branches.cubic_fold(body, at)), where, atol=1e-13 * loss * j)
        beside = np.array(sleigh_branches.cubic_fold(body, np.array([at - 1e-4, at + 1e-4])))
        assert np.abs(beside[:, 1] - beside[:, 0]).max() <= 1e-7 * j + 1e-13 * loss * j


@SETTINGS
@given(bodies, st.floats(-1.5, 1.5), st.floats(-2.5, 1.0))
def test_discriminant_counts_real_roots(body, p_over_j, q_over_j):
    j = body["J"]
    p, q = p_over_j * j, q_over_j * j
    assume(abs(q) > 1e-6 * j)
    roots = np.roots([q, -p, q + 2 * j, -p])
    # numpy's own discriminant: q^4 times the squared differences of the roots.
    differences = (roots[0] - roots[1]) * (roots[0] - roots[2]) * (roots[1] - roots[2])
    expected = -0.25 * (q**4 * differences**2).real
    found = float(sleigh_branches.discriminant(body, p, q))
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9 * j**4)
    assume(abs(expected) > 1e-7 * j**4)
    count = 3 if found < 0 else 1
    assert np.count_nonzero(np.abs(roots.imag) < 1e-7 * (1 + np.abs(roots))) == count
    at = {"p_1": (q - 2 * body["m"] * body["a"] ** 2) / body["a"]}
    at["p_theta"] = p - body["b"] * at["p_1"]
    assert len(nhviz.branches("sleigh", "fedorov_zenkov", params=body, step=1.0, at=at)) == count
