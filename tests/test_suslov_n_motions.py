"""The Suslov top in n dimensions: permanent turns, symmetries, folds, whole ranges, pictures and messages."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.export import to_csv
from nhviz.shapes import points_of
from nhviz.systems import suslov_n
from tests.strategies import spread
from tests.tops_n import Top, assert_within, generic, momenta, tops

SETTINGS = settings(max_examples=25, deadline=None, derandomize=True, database=None)
every_dimension = pytest.mark.parametrize("n", [3, 4, 5, 6])
both_methods = pytest.mark.parametrize("method", ["reference", "moser_veselov"])


# --- Equilibria ------------------------------------------------------------------------------------------------------


@both_methods
@SETTINGS
@given(tops())
def test_permanent_turns_are_a_sink_and_a_source(method, top):
    ends = suslov_n.equilibria(top.params, top.energy)
    assert_within(ends[0], -ends[1], 0.0)
    step = 0.3 * min(top.at(end).largest for end in ends)
    for end, sign in zip(ends, (-1, 1), strict=True):
        assert top.at(end).energy == pytest.approx(top.energy, rel=1e-13)
        assert end @ (top.C * top.j) * sign > 0.0
        orbit = top.at(end).run(method, step, step)
        assert_within(momenta(orbit)[1], end, 1e-11 * np.linalg.norm(end))
        # The map of momenta near the end, in units in which the ellipsoid is round; across to the radius.
        scale, h = np.sqrt(top.C), 1e-5 * np.sqrt(2 * top.energy)
        frame = np.linalg.qr(np.column_stack([end / scale, np.eye(top.n - 1)]))[0][:, 1 : top.n - 1]
        images = [
            [momenta(top.at(end + s * h * scale * d).run(method, step, step))[1] / scale for s in (1, -1)]
            for d in frame.T
        ]
        slope = np.array([(a - b) / (2 * h) for a, b in images]) @ frame
        sizes = np.abs(np.linalg.eigvals(slope))
        assert np.all(sizes > 1.0) if sign > 0 else np.all(sizes < 1.0)


@both_methods
@SETTINGS
@given(tops())
def test_orbits_run_from_source_to_sink(method, top):
    """<j, p> falls at every step, and strictly unless w is parallel to j: there are no other equilibria."""
    sink, source = suslov_n.equilibria(top.params, top.energy)
    step = 0.3 * min(top.largest, top.at(source).largest)
    # The slowest rate at the sink is that of |j|^2 - j j^T over C, times s.
    rate = (top.j @ top.j) * np.linalg.norm(sink / top.C) / np.linalg.norm(top.j) / top.C.max()
    duration = step * np.ceil(40.0 / rate / step)
    assume(duration / step < 2e5)
    orbit = top.run(method, step, duration)
    p = momenta(orbit)
    height, size = p @ top.j, np.linalg.norm(sink)
    falls = np.diff(height)
    assert falls.max() <= 1e-10 * size * np.linalg.norm(top.j)
    assert np.all(falls[np.linalg.norm(p[:-1] - sink, axis=1) > 1e-3 * size] < 0.0)
    # Twice the source lies above every point of the ellipsoid, and the orbit ends below.
    assert_within(p[-1], sink, 1e-6 * size)
    back = top.run(method, step, duration, backward=True)
    assert_within(momenta(back)[-1], source, 1e-6 * size)


@both_methods
@every_dimension
def test_a_balanced_body_keeps_its_momentum(n, method):
    top = replace(generic(n), products=(0.0,) * (n - 1))
    assert suslov_n.equilibria(top.params, top.energy) is None
    orbit = top.run(method, 0.2, 20.0)
    assert_within(momenta(orbit), [top.momentum] * len(orbit), 1e-13)
    assert_within(orbit["R"][:, 0, 0] * 0 + np.linalg.det(orbit["R"]), 1.0, 1e-13)


# --- Symmetries ------------------------------------------------------------------------------------------------------


@both_methods
@SETTINGS
@given(tops(), st.randoms(use_true_random=False))
def test_exchanged_and_reflected_axes_exchange_the_motion(method, top, random):
    k = top.n - 1
    order, signs = random.sample(range(k), k), np.array([random.choice([-1.0, 1.0]) for _ in range(k)])
    change = np.zeros((top.n, top.n))
    change[range(k), order], change[k, k] = signs, 1.0
    other = Top(
        tuple(top.masses[i] for i in order), top.last, tuple(signs * top.j[order]),
        tuple(signs * np.array(top.momentum)[order]),
    )  # fmt: skip
    step = 0.3 * top.largest
    assert other.largest == pytest.approx(top.largest, rel=1e-5)
    ours, theirs = top.run(method, step, 30 * step), other.run(method, step, 30 * step)
    tolerance = 30 * 1e-15 * top.condition if method == "moser_veselov" else 1e-11 * top.condition
    scale = np.linalg.norm(top.momentum)
    assert_within(momenta(theirs), momenta(ours) @ change[:k, :k].T, tolerance * scale)
    assert_within(theirs["R"], change @ ours["R"] @ change.T, 30 * tolerance)


def with_an_axis(top, mass):
    """One axis more, before the last, that nothing couples to."""
    return Top((*top.masses, mass), top.last, (*top.products, 0.0), (*top.momentum, 0.0))


@both_methods
@SETTINGS
@given(st.integers(3, 5).flatmap(tops), st.floats(0.3, 4.0))
def test_an_axis_left_out_changes_nothing(method, top, mass):
    large = with_an_axis(top, mass)
    step = 0.4 * min(top.largest, large.largest)
    small, large = top.run(method, step, 30 * step), large.run(method, step, 30 * step)
    rest = [*range(top.n - 1), top.n]
    tolerance = 30 * 1e-15 * top.condition if method == "moser_veselov" else 1e-11 * top.condition
    assert_within(momenta(large)[:, :-1], momenta(small), tolerance * np.linalg.norm(top.momentum))
    assert_within(momenta(large)[:, -1], 0.0, tolerance)
    assert_within(large["R"][:, rest][:, :, rest], small["R"], 30 * tolerance)


def test_near_the_source_the_branch_of_one_dimension_less_is_followed():
    """A fold of two directions at once is no fold of the branch; the determinant is positive on both sides of it.

    In three dimensions the branch of p = (1, 0.001) leaves the axis and folds with the step 3; with a third axis that
    nothing couples to it has the same displacements, on which the momenta of that axis do not fold:
    z_0 C_3 - <z, j> = eps p_2/(2 z_2) > 0.
    """
    top = Top((2.0, 2.0), -1.0, (1.5, 0.0), (1.0, 1e-3))
    assert with_an_axis(top, 2.0).largest == pytest.approx(top.largest, rel=1e-5)


# --- The fold, and runs that stop ------------------------------------------------------------------------------------


@SETTINGS
@given(tops())
def test_largest_step_is_where_the_first_step_ends(top):
    below, above = (top.run("moser_veselov", share * top.largest, share * top.largest) for share in (0.9999, 1.0001))
    assert len(below) == 2
    assert below.stopped is None
    assert len(above) == 1
    assert above.stopped.startswith(
        "no real branch before the first step is complete: the principal branch has folded with step "
        f"{above.problem.step:.6g};"
    )
    assert float(above.stopped.rstrip(".").split()[-1]) == pytest.approx(top.largest, rel=1e-4)


def test_no_step_beyond_the_fold():
    """The branch folds with the step 0.00891; 0.1 to 0.45 have displacements near half turns, on another branch."""
    top = Top(
        (81.17030395597003, 0.11158011502939522, 2.936579045260683, -0.003720827443757439), 0.00462422597839443,
        (0.04840037040938185, -0.0007206187395815942, -0.0011326792999964317, 0.0003163218706554769),
        (-0.0024548456380731444, -0.00016499529057927345, -0.0035928770752256724, -0.10547704019707282),
    )  # fmt: skip
    taken = [len(top.run("moser_veselov", step, step)) - 1 for step in (0.0089, 0.009, 0.01, 0.05, 0.1, 0.2, 0.45)]
    assert taken == [1, 0, 0, 0, 0, 0, 0]
    assert top.largest == pytest.approx(0.00891, rel=2e-3)


@SETTINGS
@given(tops(), st.floats(0.85, 1.0))
def test_a_run_that_stops_says_where_and_why(top, share):
    step = share * top.largest
    orbit = top.run("moser_veselov", step, 200 * step)
    if orbit.stopped is None:
        return
    end = top.at(momenta(orbit)[-1])
    assert f"after step {len(orbit) - 1}:" in orbit.stopped
    assert float(orbit.stopped.rstrip(".").split()[-1]) == pytest.approx(end.largest, rel=1e-4)
    assert end.largest < step * (1.0 + 1e-5)


# --- The whole declared ranges ---------------------------------------------------------------------------------------


@st.composite
def declared_tops(draw):
    n = draw(st.integers(3, 6))
    positive = st.one_of(spread(1e-3, 100.0), spread(1e-3, 100.0), spread(-100.0, 100.0))
    products = st.one_of(spread(-1.0, 1.0), spread(-100.0, 100.0))
    parts = [st.tuples(*[kind] * (n - 1)) for kind in (positive, products, spread(-1000.0, 1000.0))]
    masses, coupling, momentum = map(draw, parts)
    return Top(masses, draw(positive), coupling, momentum)


@settings(SETTINGS, max_examples=150)
@given(declared_tops(), st.floats(0.01, 1.5))
def test_whole_declared_ranges(top, share):
    try:
        largest = top.largest
    except nhviz.ParameterError as error:
        assert "\n" not in str(error)
        assert error.name in {*top.params}
        return
    step = min(100.0, max(1e-9, share * (largest or 1.0)))
    orbit = top.run("moser_veselov", step, 20 * step)
    pace = max(1e-9, 0.1 * step)
    flow = top.run("reference", pace, 10 * pace)
    assert all("\n" not in remark for remark in orbit.remarks)
    assert (len(orbit.remarks) == 1) == (np.linalg.eigvalsh(top.J)[0] < -1e-12)
    assert (orbit.stopped is None) == (len(orbit) == 21)
    if largest and abs(step / largest - 1.0) > 1e-4:
        assert (len(orbit) > 1) == (step < largest)
    for found in (orbit, flow):
        assert all(np.isfinite(values).all() for values in found.components.values())
        # Round-off of the largest products, divided by the smallest moment.
        ratio = (top.C.max() + np.linalg.norm(top.j)) / top.C.min()
        np.testing.assert_allclose(found.quantity("energy"), top.energy, rtol=1e-11 + 1e-13 * ratio, atol=1e-300)
        assert found.quantity("orthogonality").max() < 1e-13


def test_every_body_that_passes_the_check_runs():
    """The engine's own bound of positivity is stricter than the system's, and blames "mass", no parameter."""
    params = {"n": 4, "J1": 100.0, "J2": 100.0, "J3": 7.5e-8, "Jn": 7.5e-8, "J1n": 0.0, "J2n": 0.0, "J3n": 0.0}
    problem = nhviz.Problem.create("suslov_n", "moser_veselov", params, step=1e-9, duration=1e-9)
    assert len(nhviz.simulate(problem)) == 2


# --- Pictures, exports, messages -------------------------------------------------------------------------------------


@every_dimension
@both_methods
@pytest.mark.parametrize("kind", ["usual", "rest", "instant", "sparse"])
def test_pictures_and_exports(n, method, kind):
    top = generic(n).at([0.0] * (n - 1)) if kind == "rest" else generic(n)
    orbit = top.run(method, 0.1, 0.0 if kind == "instant" else 3.0, every=4 if kind == "sparse" else 1)
    assert len(orbit) == {"instant": 1, "sparse": 8}.get(kind, 31)
    motion = orbit.system.draw(orbit)
    for part in motion.parts:
        assert part.rotations.shape == (len(orbit), 3, n)
        assert part.translations.shape == (len(orbit), 3)
        assert all(shape.points.shape[1] == n for shape in part.shapes)
    shapes = [*motion.background, *(shape for part in motion.parts for shape in part.shapes)]
    for portrait in orbit.system.portraits:
        shapes += portrait.background(orbit)
    assert all(np.isfinite(points_of(shape)).all() for shape in shapes)
    table = list(csv.reader(io.StringIO(to_csv(orbit).decode())))
    assert len(table) == len(orbit) + 1
    assert {f"p{n - 1}", f"w{n - 1}", f"R{n}{n}", "energy", "orthogonality"} <= {*table[0]}
    assert f"p{n}" not in table[0]
    assert [float(row[table[0].index("p1")]) for row in table[1:]] == orbit["p1"].tolist()


@both_methods
@every_dimension
def test_ensembles_are_their_orbits(n, method):
    starts = {"p1": [1.0, 2.0, -500.0]}
    many = nhviz.ensemble("suslov_n", method, {"n": n}, starts, 0.05, 2.0)
    for i, start in enumerate(starts["p1"]):
        alone = nhviz.simulate("suslov_n", method, {"n": n}, {"p1": start}, 0.05, 2.0)
        assert many.stopped[i] == alone.stopped
        assert all(np.array_equal(many[name][i, : len(alone)], alone[name]) for name in alone.components)
    plain = nhviz.ensemble("suslov_n", method, {"n": n}, starts, 0.05, 2.0, skip=("R",))
    assert "R" not in plain.components
    assert all(np.array_equal(plain[f"p{i}"], many[f"p{i}"]) for i in range(1, n))


@pytest.mark.parametrize(
    ("params", "initial", "words"),
    [
        ({"n": 5, "J5": 2.0}, {}, "J5 is used from n = 6 on; with n = 5"),
        ({"n": 3, "J3n": 0.1}, {}, "J3n is used from n = 4 on"),
        ({"n": 4}, {"p4": 2.0}, "p4 is used from n = 5 on"),
        ({"n": 4.5}, {}, "n must be a whole number between 3 and 6, not 4.5"),
        ({"n": 7}, {}, "n must be between 3 and 6"),
        ({"n": 2}, {}, "n must be between 3 and 6"),
        ({"J1": -50.0}, {}, "must have a positive sum, not -50 + 0.87"),
        ({"J1n": 50.0}, {}, "lower the products"),
    ],
)
def test_bad_input_is_one_sentence(params, initial, words):
    with pytest.raises(nhviz.ParameterError) as caught:
        nhviz.simulate("suslov_n", params=params, initial=initial)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
