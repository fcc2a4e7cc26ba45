"""What makes principal branches certain: strides, distances and levels below which there is no other one."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import kernels
from nhviz.analysis.steps import largest_step
from nhviz.maps import cayley_folds, steiner, suslov_branches, suslov_folds
from tests import suslov_ends

SETTINGS = settings(max_examples=60, deadline=None, derandomize=True, database=None)
MV, CAYLEY = 0, 1
moments = st.floats(-4.0, 4.0).map(np.exp)
products = st.floats(-6.0, 4.0).flatmap(lambda power: st.sampled_from([1.0, -1.0]).map(lambda s: s * np.exp(power)))
angles = st.floats(0.0, 6.283)
tensors = st.tuples(moments, moments, products, products)
NARROW = (2.14, 0.365, 1.59, 1.1)
"""A body whose first fold is in a wedge of rays 0.02 wide."""


def ray(tensor, angle, radius=1.0):
    """The scaled momentum at an angle on the ellipse of a radius."""
    return radius * tensor[0] ** 0.5 * np.cos(angle), radius * tensor[1] ** 0.5 * np.sin(angle)


# --- following ----------------------------------------------------------------------------------------------------


@SETTINGS
@given(tensors, angles)
def test_an_end_is_the_explicit_one(tensor, angle):
    """Along a ray the displacements are a conic; the share is rational on it, its critical points roots of a sextic."""
    m1, m2 = ray(tensor, angle)
    expected = suslov_ends.moser_veselov_ends(np.array(tensor), np.array([m1]), np.array([m2]))[0]
    reached, _, _ = kernels.suslov.follow(MV, tensor, m1, m2, np.inf)
    beside = suslov_ends.moser_veselov_ends(np.array(tensor), *np.array([ray(tensor, angle + 1e-9)]).T)[0]
    # Next to a jump of the ends round-off decides; for needles the sextic has fewer digits, as its scatter tells.
    assume(beside == pytest.approx(expected, rel=1e-6))
    assert reached == pytest.approx(expected, rel=1e-8, abs=10.0 * abs(beside - expected))


@SETTINGS
@given(tensors, angles, st.floats(0.01, 0.999999))
def test_a_share_before_the_end_is_met_exactly(tensor, angle, share):
    """Whether it is reached by a stride or on an arc: the displacement has that momentum."""
    m1, m2 = ray(tensor, angle)
    end, _, _ = kernels.suslov.follow(MV, tensor, m1, m2, np.inf)
    reached, x, y = kernels.suslov.follow(MV, tensor, m1, m2, share * end)
    assert reached == share * end
    found = np.array(kernels.suslov.legendre(MV, tensor, x, y)[:2])
    scale = max(tensor[0], tensor[1], abs(tensor[2]), abs(tensor[3]))
    np.testing.assert_allclose(found, reached * np.array([m1, m2]), rtol=0, atol=1e-13 * scale)


def test_a_narrow_wedge_of_folds_is_not_stepped_over():
    """300 rays and a stride of a tenth missed it, and said 0.8876."""
    assert largest_step("suslov", "moser_veselov", body(NARROW), energy=0.5) == pytest.approx(0.6768243988, rel=1e-9)


def body(tensor):
    """Parameters of a positive tensor with these entries."""
    i11, i22, i13, i23 = tensor
    return {"I11": i11, "I22": i22, "I13": i13, "I23": i23, "I33": 1.01 * (i13**2 / i11 + i23**2 / i22) + 0.02}


def test_a_nearly_degenerate_branch_is_followed_to_its_end():
    """A sleigh without inertia of its own, m a^2 = 3e6 J: the turn goes round while the step stands still to 1e-4.

    Certain strides would take minutes. After the whole turn the blade slides on, backwards: the step has no bound.
    """
    params = {
        "n": 3, "m": 38.949539685482264, "J1": 0.018212565856043823, "J2": 0.266339254266688,
        "J3": 0.008455047755371883, "J12": 0.004386018265239595, "J13": 1.2638839348604345e-06, "a1": -93.5692991427576,
        "a2": 1.2449570670351542e-05, "a3": -0.00019716310761498518,
    }  # fmt: skip
    initial = {"L2": -0.00449367447020167, "L3": 0.0099160601690524, "p_1": 6.407373154826843}
    assert largest_step("sleigh_n", "fedorov_zenkov", params, initial) is None


@SETTINGS
@given(st.tuples(*[st.floats(-3.0, 3.0)] * 3), st.floats(0.01, 3.0))
def test_the_first_zero_of_a_cubic(values, start):
    slope, end, end_slope = values
    cubic = np.polynomial.Polynomial(
        [start, slope, 3.0 * (end - start) - 2.0 * slope - end_slope, 2.0 * (start - end) + slope + end_slope]
    )
    grid = cubic(np.linspace(0.0, 1.0, 4001))
    assume(abs(grid.min()) > 1e-4)
    least, zero, area = kernels.follow.first_fold(start, slope, end, end_slope)
    assert grid.min() - 1e-5 <= least <= grid.min() + 1e-12
    first = np.flatnonzero(grid < 0.0)
    assert zero == pytest.approx(first[0] / 4000 if first.size else 1.0, abs=1 / 4000)
    assert area == pytest.approx(cubic.integ()(zero), abs=1e-12)


# --- near the identity --------------------------------------------------------------------------------------------


@SETTINGS
@given(st.tuples(moments, moments, moments), moments, st.tuples(*[st.floats(-1.0, 1.0)] * 6), st.floats(0.1, 1.0))
def test_small_rotations_of_a_ball_are_principal(mass, d, numbers, share):
    """Any rotation within the certain distance is where its own momentum's branch leads."""
    gamma, axis = np.array(numbers[:3]), np.array(numbers[3:])
    assume(np.linalg.norm(gamma) > 0.1 and np.linalg.norm(axis) > 0.1)
    gamma /= np.linalg.norm(gamma)
    ball = (mass[1] + mass[2], mass[0] + mass[2], mass[0] + mass[1], d)
    g = axis / np.linalg.norm(axis) * np.sqrt(share * kernels.sphere.certain_square(ball))
    inertia = np.diag(ball[:3])
    m = (inertia @ g + np.cross(g, inertia @ g) + d * (g - gamma @ g * gamma)) / (1.0 + g @ g)
    reached, found = kernels.sphere.follow(ball, tuple(gamma), tuple(m), 1.0)
    assert reached == 1.0
    np.testing.assert_allclose(found, g, rtol=0, atol=1e-11)


@SETTINGS
@given(st.integers(2, 5), st.data(), st.booleans())
def test_small_steps_of_one_axis_are_principal(planes, data, slides):
    """The same for tops and sleighs in any dimension; momenta by the equations in z_0, z and y."""
    numbers = [data.draw(st.floats(-1.0, 1.0)) for _ in range(2 * planes + 2)]
    doubled = np.array([data.draw(moments) for _ in range(planes)])
    j = 0.7 * doubled.min() * np.array(numbers[:planes])
    along, mass = (numbers[-1], data.draw(moments)) if slides else (0.0, 0.0)
    doubled = doubled + 2.0 * mass * along**2
    top = (doubled, j, np.zeros(planes), along, mass)
    direction = np.array([*numbers[planes:], 0.5])[: planes + 2]
    direction[-1] = 0.0 if not slides else direction[-1]
    assume(np.linalg.norm(direction[:planes]) > 0.1)
    length = 0.99 * kernels.reflections.certain_square(top) ** 0.5
    direction *= length / np.linalg.norm(direction)
    sine = np.linalg.norm(direction[:planes])
    # The distance is that of (z_0, z, y) from (1, 0, 0): a little more than |(z, y)|.
    z, z0 = 0.97 * direction[:planes], np.sqrt(1.0 - (0.97 * sine) ** 2)
    y = 0.97 * direction[-1] * (np.sqrt(0.5 * doubled.min() / mass) if slides else 0.0)
    t = doubled * z * z0 + 2.0 * z @ z * j - 2.0 * j @ z * z + mass * along * y * z
    slide = mass * z0 * y - 2.0 * mass * along * z @ z
    c = np.empty(planes)
    assert kernels.reflections.follow(top, t, slide, 1.0, c) == 1.0
    np.testing.assert_allclose(c, z / z0, rtol=0, atol=1e-11)


@SETTINGS
@given(st.integers(3, 5), st.data(), st.floats(0.1, 1.0))
def test_small_rotations_in_n_dimensions_are_principal(n, data, share):
    mass, d = np.array([data.draw(moments) for _ in range(n)]), data.draw(moments)
    gamma = np.array([data.draw(st.floats(-1.0, 1.0)) for _ in range(n)])
    above = np.array([data.draw(st.floats(-1.0, 1.0)) for _ in range(n * (n - 1) // 2)])
    assume(np.linalg.norm(gamma) > 0.1 and np.linalg.norm(above) > 0.1)
    gamma /= np.linalg.norm(gamma)
    ball = kernels.sphere_n
    safe = ball.certain_turn(mass)
    # The turn of a Cayley rotation is at most that of its vector.
    p = ball.cayley(above / np.linalg.norm(above) * np.sqrt(share * safe), n)
    assert -np.trace(p) <= safe
    goal = ball.residual(mass, d, gamma, p, np.zeros(above.size))
    reached, found = ball.follow(mass, d, gamma, goal, 1.0)
    assert reached == 1.0
    np.testing.assert_allclose(found, p, rtol=0, atol=1e-10)


# --- levels -------------------------------------------------------------------------------------------------------


@SETTINGS
@given(tensors)
def test_three_cusps(tensor):
    """A cubic has three real inflections, whatever the body.

    At a cusp the derivative has a kernel, tangent to the sphere, along which its determinant is stationary.
    """
    cusps = suslov_folds.moser_veselov_cusps(tensor)
    assert len(cusps) == 3
    first, second = suslov_folds.quadratic_forms(tensor)
    for cusp in cusps:
        q = np.array(cusp.displacement)
        a, b = 2.0 * first @ q, 2.0 * second @ q
        kernel = np.cross(a, b)
        size = np.linalg.norm(first) * np.linalg.norm(second)
        assert abs(kernel @ q) <= 1e-12 * size
        along = kernel @ kernel + q @ np.cross(2.0 * first @ kernel, b) + q @ np.cross(a, 2.0 * second @ kernel)
        assert abs(along) <= 1e-9 * size**2


@SETTINGS
@given(tensors, angles, st.floats(0.05, 0.999))
def test_below_the_simple_level_one_displacement_is_inner(tensor, angle, share):
    """The test that a run makes there, a positive determinant on the inner oval, leaves only the principal one."""
    radius = share * np.sqrt(steiner.simple_level(tensor) / (4.0 * tensor[0] * tensor[1]))
    m1, m2 = ray(tensor, angle, radius)
    count, points = kernels.suslov.moser_veselov_points(tensor, m1, m2)
    passing = []
    for q1, q2, q0 in points[:count]:
        x, y = q1 / q0, q2 / q0
        _, _, fx, fy, gx, gy = kernels.suslov.equation(MV, tensor, x, y, m1, m2)
        if fx * gy - fy * gx > 0.0 and kernels.suslov.inner(tensor, x, y):
            passing.append((x, y))
    found, *principal = kernels.suslov.principal(MV, tensor, m1, m2)
    assert found
    assert len(passing) == 1
    np.testing.assert_allclose(passing[0], principal, rtol=1e-6, atol=1e-9)


@SETTINGS
@given(tensors)
def test_a_map_that_plainly_never_folds(tensor):
    scale = (tensor[0] * tensor[1]) ** 0.5
    jacobian, _ = cayley_folds.polynomials(tuple(entry / scale for entry in tensor))
    assume(cayley_folds.never_folds(jacobian))
    rho, psi = np.meshgrid(np.geomspace(1e-4, 1e4, 400), np.linspace(0.0, 2.0 * np.pi, 361))
    x, y = rho * np.cos(psi), rho * np.sin(psi)
    assert np.all(np.polynomial.polynomial.polyval2d(x, y, jacobian) > 0.0)
    assert largest_step("suslov", "cayley", body(tensor), energy=1.0) is None


def test_a_branch_that_splits_says_so():
    """Equal moments: the permanent rotation is a ray into a cusp, beside which the rays go on for ever."""
    params = {"I11": 1.0, "I22": 1.0, "I33": 50.0, "I13": 5.0, "I23": 0.0}
    assert largest_step("suslov", "cayley", params, energy=0.5) is None
    stopped = nhviz.simulate("suslov", "cayley", params, {"M1": 0.0, "M2": -1.0}, step=2.0, duration=4.0).stopped
    assert "splits in two" in stopped
    beside = nhviz.simulate("suslov", "cayley", params, {"M1": 1e-3, "M2": -1.0}, step=2.0, duration=4.0)
    assert beside.stopped is None


# --- agreement ----------------------------------------------------------------------------------------------------


def one_step(system, method, params, initial, step):
    """Whether a run can take its first step."""
    run = nhviz.simulate(system, method, params, initial, step=step, duration=step)
    assert (run.stopped is None) == (len(run) == 2)
    return run.stopped is None


@SETTINGS
@given(tensors, angles, st.floats(0.02, 3.0), st.sampled_from(["moser_veselov", "cayley"]))
def test_branches_runs_and_largest_steps_agree(tensor, angle, share, method):
    """Of a top: a run goes on where a displacement is marked, and everything goes on below the largest step."""
    params = body(tensor)
    assume(params["I33"] < 1000.0)
    bound = largest_step("suslov", method, params, energy=0.5)
    step = share * (bound or 1.0)
    assume(1e-9 <= step <= 100.0 and abs(share - 1.0) > 1e-9)
    m1, m2 = ray(tensor, angle)
    found = nhviz.branches("suslov", method, params, step, {"M1": m1, "M2": m2})
    marked = sum(branch["principal"] for branch in found)
    scheme = MV if method == "moser_veselov" else CAYLEY
    reached, _, _ = kernels.suslov.follow(scheme, suslov_branches.inertia(params), 0.5 * m1, 0.5 * m2, 2.0 * step)
    assume(abs(reached - step) > 1e-9 * step)
    assert marked == (reached > step)
    # A run of no steps asks for one displacement, its start's.
    run = nhviz.simulate("suslov", method, params, {"M1": m1, "M2": m2}, step=step, duration=0.0)
    assert (run.stopped is None) == bool(marked)
    if bound is None or share < 1.0:
        assert marked


@SETTINGS
@given(st.tuples(moments, moments, moments), moments, st.tuples(*[st.floats(-1.0, 1.0)] * 6))
def test_both_sides_of_the_end_of_a_ball(mass, d, numbers):
    params = {"J1": mass[0], "J2": mass[1], "J3": mass[2], "m": d, "rho": 1.0}
    initial = dict(zip(("gamma1", "gamma2", "gamma3", "omega1", "omega2", "omega3"), numbers, strict=True))
    assume(np.hypot.reduce(numbers[:3]) > 0.1 and np.hypot.reduce(numbers[3:]) > 0.1)
    bound = largest_step("sphere", "fedorov", params, initial)
    assume(1e-6 < bound < 90.0)
    at = dict(nhviz.registry.find("sphere").methods[1].branches.of_start(params, initial))
    for share, goes_on in ((1.0 - 1e-6, True), (1.0 + 1e-6, False)):
        step = share * bound
        assert one_step("sphere", "fedorov", params, initial, step) == goes_on
        marked = [branch["principal"] for branch in nhviz.branches("sphere", "fedorov", params, step, at)]
        assert sum(marked) == goes_on


@SETTINGS
@given(st.sampled_from(["suslov_n", "sleigh_n", "sphere_n"]), st.data())
def test_both_sides_of_the_end_in_n_dimensions(system, data):
    described = nhviz.describe(system)
    params = {"n": data.draw(st.integers(3, 4))}
    initial = {name: data.draw(st.floats(-2.0, 2.0)) for name in described["initial"]}
    method = next(name for name, m in described["methods"].items() if m["discrete"])
    used = {
        p.name: initial[p.name] for p in nhviz.registry.find(system).initial if not p.needs or p.needs[1] <= params["n"]
    }
    if system == "sphere_n":
        assume(sum(abs(used[f"gamma{i}"]) for i in (1, 2, 3)) > 0.1)
    bound = largest_step(system, method, params, used)
    assume(bound is not None and 1e-6 < bound < 90.0)
    for share, goes_on in ((1.0 - 1e-6, True), (1.0 + 1e-6, False)):
        assert one_step(system, method, params, used, share * bound) == goes_on
