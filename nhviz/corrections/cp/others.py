"""Misprints of CP sections 3.1 and 3.3 to 3.7: the sleigh, the disk, the racer, Heisenberg, the oscillator."""

import numpy as np

from nhviz.figures.against import Drawn, against, left_over
from nhviz.figures.style import Picture, Theme
from nhviz.frame.said import Sentence, number, sentence
from nhviz.problem import Problem, Trajectory
from nhviz.simulate import run
from nhviz.system import Array
from nhviz.views.leftovers import Leftover

TURNING = np.array([[0.0, 1.0], [-1.0, 0.0]])
STEP, GAIN, SPIN = 1e-3, 100.0, 1.0
FAR = 1e6
"""A run that is so far is over."""


def attitude(sign: float, lasts: float = 0.5) -> tuple[Array, Array]:
    """Times and |R^T R - 1| of Euler's method on R' = -spin R JJ - grad V, grad V = sign k0 R (R^T R - 1).

    CP prints a minus after (58), for V with k0/2; corrected it is plus, for k0/4 as in (36). It stops when it is far.
    """
    frame, distances = np.eye(2), [0.0]
    while len(distances) <= round(lasts / STEP) and distances[-1] < FAR:
        rest = frame.T @ frame - np.eye(2)
        frame = frame + STEP * (-SPIN * frame @ TURNING - sign * GAIN * frame @ rest)
        distances.append(float(np.linalg.norm(frame.T @ frame - np.eye(2))))
    return STEP * np.arange(len(distances)), np.array(distances)


def attitude_told() -> Sentence:
    """When the printed sign is lost, and how near the corrected one stays."""
    t, distances = attitude(-1.0)
    passed = float(t[np.argmax(distances > 0.1)])
    return sentence(
        "With the printed sign the distance from a rotation passes 0.1 at ", number(passed, "s"),
        " and the run is lost at ", number(float(t[-1]), "s"), "; with the corrected one it stays within ",
        number(float(attitude(1.0)[1].max())), ".",
    )  # fmt: skip


def attitude_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The length of the first column of R, which should be 1, and the distance from a rotation, in time."""
    (t, printed), (s, corrected) = attitude(-1.0), attitude(1.0)
    seen = printed < 3.0
    curves = [Drawn(t[seen], printed[seen], "printed"), Drawn(s, corrected, "corrected")]
    titles = "t (s)", "distance of R from a rotation"
    count = len(t)
    return against(theme, titles, curves), left_over(theme, titles, t, printed, corrected[:count])


MASSES = np.linspace(0.4, 3.0, 27)


def disk(spin: float = 0.8, radius: float = 0.6, inertia: float = 1.7) -> Leftover:
    """I Pi_x - c R Pi_psi of a disk that rolls; c = 1 as printed in CP section 3.4, c = m corrected."""
    push, turn = MASSES * radius * spin, inertia * spin
    printed, corrected = (inertia * push - c * radius * turn for c in (1.0, MASSES))
    return Leftover("What the compatibility of a rolling disk leaves", "mass m (kg)", MASSES, printed, corrected)


def racer(d1: float = 0.9, d2: float = 0.6, m: float = 1.4, i1: float = 0.8, i2: float = 0.3) -> Leftover:
    """The racer's first constraint at momenta of wheels that roll, as printed in CP section 3.5 and corrected.

    (d1 cos phi + d2) theta' + d2 phi' = u sin phi, p_phi = I2 (theta' + phi'), p_theta = I1 theta' + p_phi.
    """
    phi = np.linspace(-2.5, 2.5, 61)
    speed, turn = 0.7, 0.5 + 0.2 * np.cos(phi)
    bending = (speed * np.sin(phi) - (d1 * np.cos(phi) + d2) * turn) / d2
    p_phi = i2 * (turn + bending)
    p_theta = i1 * turn + p_phi
    rest = -np.sin(phi) / m * (m * speed) + d2 / i2 * p_phi
    printed, corrected = (d1 * np.cos(phi) / i1 * p + rest for p in (p_theta, p_theta - p_phi))
    return Leftover("What the racer’s constraint leaves", "bend φ (rad)", phi, printed, corrected, "m/s")


def heisenberg(gain: float, lasts: float = 10.0) -> Trajectory:
    """Euler's method on the Heisenberg system, pulled back to its integrals with a gain."""
    gains = {"base": "euler", "k1": gain, "k2": gain, "k3": gain}
    return run(Problem.create("heisenberg", "feedback", {}, {}, STEP, lasts, 1, gains))


def straight(motion: Trajectory) -> Array:
    """How far a run is from the straight line of its start."""
    gaps = [motion[q] - motion[q][0] - motion[f"p_{q}"][0] * motion.t for q in "xyz"]
    return np.sqrt(sum(gap**2 for gap in gaps))


def heisenberg_errors() -> tuple[Array, Array, Array]:
    """Times up to the end of the run with the feedback that the paper expects to do well, gain 10; its errors, and
    those without any feedback."""
    pulled, free = heisenberg(10.0), heisenberg(0.0)
    return pulled.t, straight(pulled), straight(free)[: len(pulled)]


def heisenberg_told() -> Sentence:
    """When the feedback has lost the run, and what no feedback does."""
    t, pulled, free = heisenberg_errors()
    return sentence(
        "With gain 10 and step 0.001 the run loses its integrals after ", number(float(t[-1]), "s"),
        " and is then ", number(float(pulled.max()), "m"), " off; without feedback it is ",
        number(float(free.max()), "m"), " off.",
    )  # fmt: skip


def heisenberg_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The distance from the straight line, with and without."""
    t, pulled, free = heisenberg_errors()
    # Every fiftieth instant is enough for the eye; the last one is kept.
    some = np.unique(np.append(np.arange(0, len(t), 50), len(t) - 1))
    return (left_over(theme, ("t (s)", "distance from the motion (m)"), t[some], pulled[some], free[some]),)


OFF = np.linspace(-1.0, 1.0, 41)


def oscillator_energy(y: complex, p_x: Array, p_y: float, p_z: float) -> Array:
    """The part of CP's extended Hamiltonian of the oscillator that y has a share in; right as printed."""
    return np.asarray((y * p_x - p_z) ** 2 / (2.0 * (1.0 + y * y)) + 0.5 * p_y**2 + 0.5 * y * y)


def energy_of_y(y: float = 0.8, p_y: float = 0.5, p_z: float = -0.6) -> Leftover:
    """The rate of H_y = (p_y^2 + y^2)/2 in CP's extended oscillator: 0 as claimed, and -p_y a b/(1 + y^2)^2.

    a = y p_x - p_z, b = p_x + y p_z; the true rate has p_y' = -dH/dy by a complex step, as the reaction has no p_y.
    """
    p_x = OFF - y * p_z
    a, b = y * p_x - p_z, p_x + y * p_z
    truth = y * p_y - p_y * oscillator_energy(y + 1e-30j, p_x, p_y, p_z).imag / 1e-30
    formula = -p_y * a * b / (1.0 + y * y) ** 2
    what = "The difference of the rate of the energy of y"
    return Leftover(what, "momentum off the constraint", OFF, truth, truth - formula)


def discrete_constraint() -> Leftover:
    """p_x + y p_z along DLA, with y of the same instant, as plotted in CP Figure 6, and with that before."""
    motion = run(Problem.create("oscillator", "dla", {}, {}, STEP, 20.0))
    t, y = motion.t[1:], motion["y"]
    printed, corrected = (motion["p_x"][1:] + at * motion["p_z"][1:] for at in (y[1:], y[:-1]))
    some = np.arange(0, len(t), 50)
    return Leftover("What the constraint of DLA leaves", "t (s)", t[some], printed[some], corrected[some])


def compared() -> dict[str, tuple[float, float]]:
    """The largest errors of energy and of place in 50 s, of feedback and of DLA, with the paper's gains."""
    gains = {"base": "euler", "k1": 500.0, "k2": 300.0, "k3": 300.0}
    truth = run(Problem.create("oscillator", "reference", {}, {}, 0.05, 50.0))
    found = {}
    for method, options in (("feedback", gains), ("dla", {})):
        motion = run(Problem.create("oscillator", method, {}, {}, STEP, 50.0, 50, options))
        energy = motion.quantity("energy")
        gap = np.sqrt(sum((motion[q] - truth[q]) ** 2 for q in "xyz"))
        found[method] = float(np.abs(energy - energy[0]).max()), float(gap.max())
    return found


def compared_told() -> Sentence:
    """Who keeps what."""
    found = compared()
    return sentence(
        "In 50 s feedback errs by ", number(found["feedback"][0]), " in the energy and by ",
        number(found["feedback"][1], "m"), " in the place; DLA by ", number(found["dla"][0]), " and by ",
        number(found["dla"][1], "m"), ".",
    )  # fmt: skip


def slips_told() -> Sentence:
    """The norm of the unit matrix, which Lemma 3.2 takes as 3."""
    size = float(np.linalg.norm(np.eye(3)))
    mirror = np.diag([1.0, -1.0])
    return sentence(
        "The norm of the unit matrix is ", number(size), ", not 3; a mirror has RᵀR = 1 and determinant ",
        number(float(np.linalg.det(mirror))), ".",
    )  # fmt: skip
