"""Misprints of CP section 3.2: the blade on a slope, its exact solution, its extension and its gains."""

from collections.abc import Callable

import numpy as np

from nhviz.figures.against import Drawn, Role, against, left_over, strokes
from nhviz.figures.style import Picture, Theme
from nhviz.frame.said import Sentence, number, sentence
from nhviz.problem import Problem, Trajectory
from nhviz.simulate import run
from nhviz.system import Array
from nhviz.views.leftovers import Leftover

LASTS = 6.0 * np.pi
STEP, GAIN = 1e-3, 1000.0
Path = Callable[[Array], tuple[Array, Array, Array]]
SIDEWAYS = "The blade’s sideways speed"


def printed_path(t: Array) -> tuple[Array, Array, Array]:
    """x, y, phi as printed in CP section 3.2 and below Figures 3 and 4; m = J = g = 1, alpha = pi/6, p_phi = 1/2."""
    return 1.0 - np.cos(t), 0.5 * (t - np.sin(t)), t


def corrected_path(t: Array) -> tuple[Array, Array, Array]:
    """The motion of the same data."""
    return 0.5 * (1.0 - np.cos(t)), 0.5 * (t - np.sin(t)), 0.5 * t


def sideways(t: Array | None = None) -> Leftover:
    """x' sin phi - y' cos phi, which the constraint makes zero, of both."""
    t = np.linspace(0.0, LASTS, 241) if t is None else t
    along = 0.5 * (1.0 - np.cos(t))
    printed = np.sin(t) * np.sin(t) - along * np.cos(t)
    corrected = 0.5 * np.sin(t) * np.sin(0.5 * t) - along * np.cos(0.5 * t)
    return Leftover(SIDEWAYS, "t (s)", t, printed, corrected, "m/s")


def feedback(gain: float = GAIN, duration: float = LASTS) -> Trajectory:
    """Euler's method with the paper's data, pulled back to the integrals."""
    gains = {"base": "euler", "k1": gain, "k2": gain, "k3": gain}
    return run(Problem.create("knife_edge", "feedback", {}, {}, STEP, duration, 1, gains))


def told() -> Sentence:
    """Both sideways speeds, and the distance of an independent run to each path."""
    printed, corrected = sideways().most
    independent = feedback()
    far, near = (
        float(np.hypot(independent["x"] - path[0], independent["y"] - path[1]).max())
        for path in (printed_path(independent.t), corrected_path(independent.t))
    )
    return sentence(
        f"{SIDEWAYS} reaches ", number(printed, "m/s"), " for the printed form and ", number(corrected, "m/s"),
        " for the corrected one. A feedback run is ", number(far, "m"), " from the printed path and ",
        number(near, "m"), " from the corrected one.",
    )  # fmt: skip


def pictures(theme: Theme) -> tuple[Picture, ...]:
    """Both paths with the blade at some times and an independent run; and the sideways speed of both."""
    t = np.linspace(0.0, LASTS, 361)
    some = np.linspace(0.5, LASTS - 0.5, 11)
    run_points = feedback()
    picked = np.linspace(0, len(run_points) - 1, 25).astype(int)
    shown = []
    forms: tuple[tuple[Path, Role], ...] = ((printed_path, "printed"), (corrected_path, "corrected"))
    for path, role in forms:
        x, y, _ = path(t)
        at_x, at_y, heading = path(some)
        # The picture has y across and x downwards.
        across, down = strokes(at_y, at_x, 0.5 * np.pi - heading, 0.45)
        shown += [Drawn(y, x, role), Drawn(across, down, role, "blades", f"{role} blade")]
    shown.append(
        Drawn(run_points["y"][picked], run_points["x"][picked], "independent", "places", "feedback, an independent run")
    )
    paths = against(theme, ("across the slope, y (m)", "down the slope, x (m)"), shown, equal=True, upside_down=True)
    one = sideways()
    return paths, left_over(theme, ("t (s)", "sideways speed (m/s)"), one.x, one.printed, one.corrected)


OFF = np.linspace(0.0, 1.0, 41)
MASS, SPIN, PULL = 1.3, 0.7, 0.8


def extended_energy(x: float, phi: complex, p_x: Array, p_y: Array, p_phi: float) -> Array:
    """The extended Hamiltonian of CP section 3.2, which is right as printed; PULL is g sin alpha."""
    along = p_x * np.cos(phi) + p_y * np.sin(phi)
    return np.asarray(along**2 / (2.0 * MASS) + p_phi**2 / (2.0 * SPIN) - MASS * PULL * x)


def gradient(phi: float = 0.4, push: float = 1.1) -> Leftover:
    """The derivative of the extended energy by phi: 0 as printed after CP (44), -p_par J1/sqrt(m) corrected.

    The true one is by a complex step.
    """
    p_x, p_y = push * np.cos(phi) + OFF * np.sin(phi), push * np.sin(phi) - OFF * np.cos(phi)
    truth = extended_energy(0.3, phi + 1e-30j, p_x, p_y, 0.6).imag / 1e-30
    constraint = (p_x * np.sin(phi) - p_y * np.cos(phi)) / np.sqrt(MASS)
    return Leftover(
        "The difference of the derivative by φ", "momentum across the blade", OFF, truth,
        truth + push * constraint / np.sqrt(MASS),
    )  # fmt: skip


def velocities() -> Leftover:
    """The gradient of H by the momenta: p as printed in CP Remark 3.7, (p_x/m, p_y/m, p_phi/J) corrected."""
    masses = np.linspace(0.5, 3.0, 26)
    p = np.array([0.7, -0.4, 0.9])
    truth = np.array([derivatives(mass, p) for mass in masses])
    over = np.stack([masses, masses, np.full_like(masses, SPIN)], axis=1)
    printed, corrected = (np.linalg.norm(truth - p / by, axis=1) for by in (np.ones_like(over), over))
    return Leftover("The difference of the gradient", "mass m (kg)", masses, printed, corrected)


def derivatives(mass: float, p: Array) -> list[float]:
    """Those of H by each momentum, by complex steps."""
    steps = p + 1e-30j * np.eye(3)
    return [float(((q[0] ** 2 + q[1] ** 2) / (2.0 * mass) + q[2] ** 2 / (2.0 * SPIN)).imag / 1e-30) for q in steps]


GAINS = np.array([400.0, 700.0, 900.0, 960.0, 1000.0, 1020.0, 1035.0, 1050.0, 1100.0, 1200.0])


def border() -> tuple[Array, Array, Array]:
    """Gains, the greatest step times Lambda on the motion, k step (1 + sin^2), and how long each run of 60 s lasts."""
    return GAINS, 2.0 * STEP * GAINS, np.array([feedback(float(gain), 60.0).t[-1] for gain in GAINS])


def border_told() -> Sentence:
    """How long the run lasts at the paper's gain and a little above."""
    gains, products, ends = border()
    at, above = (int(np.argmax(gains == gain)) for gain in (GAIN, 1.05 * GAIN))
    return sentence(
        "Euler needs a product of step and Lambda of less than 2. Gain 1000 has ", number(float(products[at])),
        " and lasts ", number(float(ends[at]), "s"), " of 60 s; gain 1050 has ", number(float(products[above])),
        " and loses its integrals after ", number(float(ends[above]), "s"), ".",
    )  # fmt: skip


def border_pictures(theme: Theme) -> tuple[Picture, ...]:
    """How long a run of 60 s lasts over the gain: what is expected, and what happens."""
    gains, _, ends = border()
    curves = [Drawn(gains, np.full_like(ends, 60.0), "printed"), Drawn(gains, ends, "corrected")]
    return (against(theme, ("gain", "the run lasts (s)"), curves),)
