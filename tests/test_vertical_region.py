"""Where the vertical of a ball may be: extremes of the energy by search over directions, and runs that stay inside."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import nhviz
from nhviz.analysis.vertical_region import Region, region_of

START = {"gamma1": 2 / 7, "gamma2": 3 / 7, "gamma3": 6 / 7, "omega1": 0.2, "omega2": 0.6, "omega3": 1.2}


def energies(region, gamma):
    """E as a function of the angle of K about gamma, from the momentum itself: K = A omega, E = <K, omega>."""
    *moments, d = region.ball
    matrix = np.diag(moments) + d * (np.eye(3) - np.outer(gamma, gamma))
    first, second = np.linalg.svd(gamma[None])[2][1:]

    def energy(angle):
        k = region.along * gamma + region.across * (np.cos(angle) * first + np.sin(angle) * second)
        return float(k @ np.linalg.solve(matrix, k))

    return energy


def searched(region, gamma):
    """The least and the largest energy, found by searches near all angles that are better than their neighbours."""
    energy = energies(region, gamma)
    angles = np.linspace(0.0, 2.0 * np.pi, 73)[:-1]
    values = np.array([energy(angle) for angle in angles])
    found = []
    for sign in (1.0, -1.0):
        good = (sign * values <= sign * np.roll(values, 1)) & (sign * values <= sign * np.roll(values, -1))
        ends = [
            minimize_scalar(lambda a, s=sign: s * energy(a), bounds=(at - 0.1, at + 0.1), method="bounded",
                            options={"xatol": 1e-9}).fun
            for at in angles[good]
        ]  # fmt: skip
        found.append(sign * min(ends))
    return found


def balls(count=12):
    """Bodies and starts over the declared ranges, without any symmetry; then those with some."""
    random = np.random.default_rng(7)
    for _ in range(count):
        moments = 10.0 ** random.uniform(-2.0, 1.0, 3)
        params = dict(zip(("J1", "J2", "J3"), moments, strict=True)) | {"m": 10.0 ** random.uniform(-2.0, 2.0)}
        vectors = random.normal(size=(2, 3))
        vectors[0] /= np.linalg.norm(vectors[0])
        yield params | {"rho": random.uniform(0.3, 2.0)}, names(*vectors)
    even = {"J1": 0.3, "J2": 0.3, "J3": 0.8, "m": 2.0, "rho": 1.1}
    yield even, START
    yield even | {"J3": 0.3}, START
    yield {"J1": 0.3, "J2": 0.5, "J3": 0.8, "m": 2.0, "rho": 1.1}, START | {f"omega{i}": 0.0 for i in (1, 2, 3)}
    yield upright_momentum()


def names(gamma, omega):
    """Initial values of two vectors."""
    return {f"gamma{i + 1}": float(gamma[i]) for i in range(3)} | {f"omega{i + 1}": float(omega[i]) for i in range(3)}


def upright_momentum():
    """K = h gamma: I omega + D (omega - <omega, gamma> gamma) = h gamma, solved for omega."""
    params = {"J1": 0.3, "J2": 0.5, "J3": 0.8, "m": 2.0, "rho": 1.1}
    gamma, d = np.array([2.0, 3.0, 6.0]) / 7.0, 2.0 * 1.21
    matrix = np.diag([1.3, 1.1, 0.8]) + d * (np.eye(3) - np.outer(gamma, gamma))
    return params, names(gamma, np.linalg.solve(matrix, 0.9 * gamma))


EACH = pytest.mark.parametrize(("params", "start"), list(balls()))


@EACH
def test_extremes_are_those_of_a_search(params, start):
    region = region_of(params, start)
    for gamma in np.random.default_rng(3).normal(size=(8, 3)):
        unit = gamma / np.linalg.norm(gamma)
        assert region.extremes(unit) == pytest.approx(searched(region, unit), rel=1e-9, abs=1e-300)
    for axis in np.eye(3):
        assert region.extremes(axis) == pytest.approx(searched(region, axis), rel=1e-9, abs=1e-300)


@EACH
def test_on_the_edge_the_energy_is_an_extreme(params, start):
    region = region_of(params, start)
    edge = region.edge().T
    points = edge[np.isfinite(edge[:, 0])]
    assert np.abs(np.linalg.norm(points, axis=1) - 1.0).max(initial=0.0) < 1e-14
    for gamma in points[:: max(1, len(points) // 12)]:
        off = min(abs(extreme - region.energy) for extreme in searched(region, gamma))
        assert off <= 1e-6 * region.energy


@EACH
def test_the_flow_stays_inside(params, start):
    region = region_of(params, start)
    run = nhviz.simulate("sphere", "reference", params, start, step=0.1, duration=15.0)
    for gamma in np.stack([run[f"gamma{i}"] for i in (1, 2, 3)], axis=1):
        low, high = region.extremes(gamma)
        # The reference strays by about 1e-15 of the energy per radian.
        assert low <= region.energy * (1.0 + 1e-11)
        assert high >= region.energy * (1.0 - 1e-11)


def test_the_edge_has_no_gap():
    """Along great circles, between verticals that are possible and such that are not, there is a point of the edge."""
    random, crossed = np.random.default_rng(11), 0
    for params, start in list(balls(8))[:8]:
        region = region_of(params, start)
        edge = region.edge()
        points = edge[:, np.isfinite(edge[0])]
        for _ in range(6):
            first, second = np.linalg.qr(random.normal(size=(3, 2)))[0].T
            angles = np.linspace(0.0, 2.0 * np.pi, 361)
            circle = np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second
            inside = np.array([low <= region.energy <= high for low, high in map(region.extremes, circle)])
            for i in np.flatnonzero(inside[1:] != inside[:-1]):
                crossed += 1
                # Vertices are at most a cell's diagonal from each other.
                assert np.linalg.norm(points - circle[i][:, None], axis=0).min() < np.pi / 2 / 28 * 1.5
    assert crossed > 60


def test_curves_join_from_octant_to_octant():
    """Every curve ends where it begins, or at a plane of symmetry, where its mirror image goes on."""
    region = region_of({"J1": 0.04, "J2": 0.2, "J3": 0.75, "m": 1.0, "rho": 1.0}, START)
    curves = np.split(region.edge().T, np.flatnonzero(np.isnan(region.edge()[0])))
    for curve in curves:
        points = curve[np.isfinite(curve[:, 0])]
        if len(points):
            closed = np.array_equal(points[0], points[-1])
            assert closed or all((end == 0.0).any() for end in (points[0], points[-1]))
            assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() < 0.12


def test_a_vertical_momentum_leaves_one_curve_on_which_the_run_is():
    params, start = upright_momentum()
    region = region_of(params, start)
    assert region.across < 1e-15 * 0.9 * 100
    run = nhviz.simulate("sphere", "fedorov", params, start, step=0.3, duration=15.0)
    edge = region.edge()
    points = edge[:, np.isfinite(edge[0])]
    for gamma in np.stack([run[f"gamma{i}"] for i in (1, 2, 3)], axis=1):
        # Chords of a cell are as near to the curve as its square over eight.
        assert np.linalg.norm(points - gamma[:, None], axis=0).min() < 0.06


@pytest.mark.parametrize("case", ["rest", "even"])
def test_where_every_vertical_is_possible_there_is_no_edge(case):
    params = {"J1": 0.3, "J2": 0.3, "J3": 0.3, "m": 2.0, "rho": 1.1}
    start = START if case == "even" else START | {f"omega{i}": 0.0 for i in (1, 2, 3)}
    region = region_of(params if case == "even" else params | {"J2": 0.5}, start)
    assert region.is_all
    assert region.edge().shape == (3, 0)


def test_other_energies_are_between_those_of_all_verticals():
    region = Region((0.95, 0.79, 0.24, 1.0), 0.5, 0.33, 0.7)
    others = region.others(4)
    low, high = float(region.fields.min()), float(region.fields.max())
    assert np.diff(others) == pytest.approx([(high - low) / 5.0] * 3)
    assert low < others[0] < others[-1] < high
    (level,) = region.levels([others[1]])
    points = level[:, np.isfinite(level[0])].T
    assert len(points)
    for gamma in points[::37]:
        assert min(abs(e - others[1]) for e in searched(region, gamma)) < 1e-9
