"""The misprints of CP: the printed form fails, the corrected one holds; and its claims that are too strong."""

import numpy as np
import pytest

from nhviz.corrections.cp import knife, others
from nhviz.figures.style import THEMES
from nhviz.problem import Problem
from nhviz.simulate import run
from tests.corrections import settled
from tests.pictures.reading import ROUNDED, numbers


def test_knife_edge():
    """The printed path slips sideways and turns twice as fast; the corrected one is the closed form of the data."""
    settled(knife.sideways(), 1.1, 1e-15)
    # Also at times that the picture does not have, and by differences of the path itself.
    t = np.array([0.37, 1.9, 4.4, 11.3])
    for path, slips in ((knife.printed_path, True), (knife.corrected_path, False)):
        ahead, behind, here = path(t + 1e-6), path(t - 1e-6), path(t)
        rates = [(a - b) / 2e-6 for a, b in zip(ahead, behind, strict=True)]
        sideways = rates[0] * np.sin(here[2]) - rates[1] * np.cos(here[2])
        assert (np.abs(sideways).max() < 1e-8) != slips
        # phi' = p_phi/J = 1/2.
        assert (np.abs(rates[2] - 0.5).max() < 1e-8) != slips
    motion = run(Problem.create("knife_edge", "exact", {}, {}, 0.1, 18.8))
    corrected = knife.corrected_path(motion.t)
    for name, values in zip(("x", "y", "phi"), corrected, strict=True):
        np.testing.assert_allclose(motion[name], values, atol=1e-13)
    assert np.abs(motion["x"] - knife.printed_path(motion.t)[0]).max() > 0.99


def test_pictures_of_the_knife_edge():
    """Both paths, y across and x downwards, with their blades, and an independent run on the corrected one."""
    paths, _ = knife.pictures(THEMES["light"])
    traces = {trace["name"]: (numbers(trace["x"]), numbers(trace["y"])) for trace in paths.figure["data"]}
    for name, width in (("printed", 1.0), ("corrected", 0.5)):
        across, down = traces[name]
        t = np.linspace(0.0, knife.LASTS, len(across))
        np.testing.assert_allclose(across, 0.5 * (t - np.sin(t)), atol=10 * ROUNDED * knife.LASTS)
        np.testing.assert_allclose(down, width * (1.0 - np.cos(t)), atol=10 * ROUNDED)
        x, y = (values.reshape(-1, 3) for values in traces[f"{name} blade"])
        some = np.linspace(0.5, knife.LASTS - 0.5, len(x))
        heading = some if name == "printed" else 0.5 * some
        # Across is y, so that a blade with heading phi has the direction (sin phi, cos phi).
        turn = (x[:, 1] - x[:, 0]) * np.cos(heading) - (y[:, 1] - y[:, 0]) * np.sin(heading)
        assert np.abs(turn).max() < 20 * ROUNDED * knife.LASTS
        np.testing.assert_allclose(x[:, :2].mean(axis=1), 0.5 * (some - np.sin(some)), atol=1e-5)
    across, down = traces["feedback, an independent run"]
    offsets = np.abs(0.5 * (1.0 - np.cos(np.linspace(0.0, knife.LASTS, len(down)))) - down)
    assert offsets.max() < 5e-3
    assert paths.figure["layout"]["yaxis"]["autorange"] == "reversed"


@pytest.mark.parametrize(("phi", "push"), [(0.4, 1.1), (-1.2, 0.6)])
def test_gradient(phi, push):
    """What the printed field then loses: dH~/dt = -p_par J1 p_phi/(sqrt(m) J)."""
    settled(knife.gradient(phi, push), 0.3, 1e-14)


def test_velocities():
    settled(knife.velocities(), 0.5, 1e-14)


def test_border():
    """Gain 1000 is on the bound 2 and lasts; 1050 is beyond it and does not."""
    gains, products, ends = knife.border()
    at = dict(zip(gains, zip(products, ends, strict=True), strict=True))
    assert at[1000.0] == (2.0, 60.0)
    assert at[1050.0][0] > 2.0
    assert at[1050.0][1] < 10.0
    assert np.all(ends[products <= 2.0] == 60.0)
    # Lambda along the corrected motion: p_par = v, |grad J1|^2 = 1 + p_par^2, p_par = sin(t/2).
    t = np.linspace(0.0, 60.0, 6001)
    along = np.sin(0.5 * t)
    x, _, phi = knife.corrected_path(t)
    np.testing.assert_allclose(np.gradient(x, t)[1:-1], (along * np.cos(phi))[1:-1], atol=1e-4)
    assert knife.STEP * 1000.0 * (1.0 + along**2).max() == pytest.approx(2.0, abs=1e-5)


def test_attitude():
    """The printed gradient points away from the rotations; the corrected one is the gradient, with its factor."""
    t, printed = others.attitude(-1.0)
    s, corrected = others.attitude(1.0)
    assert printed[-1] > others.FAR
    assert t[-1] < 0.1
    assert np.all(np.diff(printed[2:]) > 0.0)
    assert s[-1] == pytest.approx(0.5)
    # Euler's own error of a step, (spin step)^2 sqrt 2, over 2 k0 step.
    assert corrected.max() < 1.1 * np.sqrt(2.0) * (others.SPIN * others.STEP) ** 2 / (2.0 * others.GAIN * others.STEP)
    frame = np.array([[0.9, -0.3], [0.5, 1.2]])
    rest = frame @ (frame.T @ frame - np.eye(2))
    for over, factor in ((2.0, 2.0), (4.0, 1.0)):

        def potential(matrix, over=over):
            gap = matrix.T @ matrix - np.eye(2)
            return np.sum(gap * gap) / over

        units = np.eye(4).reshape(4, 2, 2)
        found = np.array([potential(frame + 1e-30j * unit).imag / 1e-30 for unit in units]).reshape(2, 2)
        np.testing.assert_allclose(found, factor * rest, atol=1e-14)
        assert np.abs(found + rest).max() > 0.5


def test_pictures_of_the_attitude():
    """Both distances in time; the one that is lost leaves the first picture at 3."""
    linear, logarithmic = others.attitude_pictures(THEMES["light"])
    (t, printed), (s, corrected) = others.attitude(-1.0), others.attitude(1.0)
    first, second = ((numbers(trace["x"]), numbers(trace["y"])) for trace in linear.figure["data"])
    np.testing.assert_allclose(first[1], printed[printed < 3.0], rtol=ROUNDED)
    np.testing.assert_allclose(second[0], s, rtol=ROUNDED)
    np.testing.assert_allclose(second[1], corrected, rtol=ROUNDED)
    lost, kept = (numbers(trace["y"]) for trace in logarithmic.figure["data"])
    np.testing.assert_allclose(lost[1:], printed[1:], rtol=ROUNDED)
    np.testing.assert_allclose(kept[1:], corrected[1 : len(t)], rtol=ROUNDED)


def test_disk():
    settled(others.disk(), 0.5, 1e-14)
    settled(others.disk(-1.3, 0.9, 0.4), 0.2, 1e-14)


def test_racer():
    settled(others.racer(), 0.2, 1e-13)
    settled(others.racer(0.5, 1.1, 0.8, 1.9, 0.6), 0.05, 1e-13)


def test_heisenberg():
    """With feedback the run ends, when step times Lambda has passed 2; without, Euler is exact."""
    t, pulled, free = others.heisenberg_errors()
    assert t[-1] < 10.0
    assert pulled.max() > 1e-5
    assert free.max() < 1e-11
    # The bound of gain 100 is reached earlier.
    assert others.heisenberg(100.0).t[-1] < 0.5 * t[-1]


@pytest.mark.parametrize("start", [(0.8, 0.5, -0.6), (-1.4, 0.9, 0.3)])
def test_energy_of_y(start):
    settled(others.energy_of_y(*start), 0.1, 1e-14)


def test_discrete_constraint():
    """With y of the instant before it is round-off; with that after it is the step times both speeds."""
    found = others.discrete_constraint()
    settled(found, 5e-4, 1e-12)
    assert found.most[0] < 2e-3


def test_compared():
    """Feedback keeps the energy a thousand times better, DLA the place twice as well."""
    found = others.compared()
    assert found["dla"][0] > 1e3 * found["feedback"][0]
    assert found["feedback"][1] > 1.5 * found["dla"][1]


def test_slips():
    """The norm of CP (36) of the unit matrix; and a mirror passes for a rotation without det R = 1."""
    unit = np.eye(3)
    assert np.sqrt(np.trace(unit.T @ unit)) == pytest.approx(np.sqrt(3.0))
    mirror = np.diag([1.0, -1.0])
    assert np.array_equal(mirror.T @ mirror, np.eye(2))
    assert np.linalg.det(mirror) < 0.0
