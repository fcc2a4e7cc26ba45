"""Misprints of CS sections 2 and 4: how the ball rolls, in three dimensions and in more, and its discrete principle.

Each function gives what a printed formula and its correction leave over; "as printed" in a docstring says where.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from nhviz.figures.against import Drawn, against
from nhviz.figures.style import Picture, Theme
from nhviz.maps import sphere_branches
from nhviz.problem import Problem, Trajectory
from nhviz.simulate import run
from nhviz.system import Array, Values
from nhviz.views.leftovers import Leftover, drawn

BALL = {"J1": 0.25, "J2": 0.55, "J3": 0.95, "m": 2.0, "rho": 1.0}
OMEGA = np.array([0.9, -0.5, 0.7])
UP = np.array([0.0, 0.0, 1.0])
ANGLES = np.linspace(0.0, np.pi, 61)
TURN = "angle of the vertical (rad)"


def verticals(angles: Array) -> Array:
    """Unit vectors (3, n) along half a great circle without any symmetry."""
    first, second = np.array([2.0, 3.0, 6.0]) / 7.0, np.array([3.0, -6.0, 2.0]) / 7.0
    return first[:, None] * np.cos(angles) + second[:, None] * np.sin(angles)


def inverse_lambda(ball: Values) -> tuple[Array, float]:
    """The diagonal of Lam^-1 and D."""
    i1, i2, i3, d = sphere_branches.ball(ball)
    return 1.0 / (np.array([i1, i2, i3]) + d), d


def pulls(ball: Values, gamma: Array, k: Array) -> tuple[Array, Array]:
    """(D/F) <gamma, Lam^-1 K> and <gamma, Lam^-1 K>, of arrays (3, n)."""
    inverse, d = inverse_lambda(ball)
    part = np.sum(gamma * inverse[:, None] * k, axis=0)
    return d / (1.0 - d * np.sum(gamma**2 * inverse[:, None], axis=0)) * part, part


def velocity(ball: Values = BALL, omega: Array = OMEGA) -> Leftover:
    """Lam omega = K -+ (D/F) <gamma, Lam^-1 K> gamma; minus as printed above CS (2.5)."""
    gamma = verticals(ANGLES)
    inverse, _ = inverse_lambda(ball)
    k = sphere_branches.momentum(ball, gamma, np.repeat(omega[:, None], len(ANGLES), axis=1))
    pull = pulls(ball, gamma, k)[0] * gamma
    printed, corrected = (np.linalg.norm(omega[:, None] - inverse[:, None] * (k + s * pull), axis=0) for s in (-1, 1))
    return Leftover("The difference of the angular velocity", TURN, ANGLES, printed, corrected, "rad/s")


def rolling(ball: Values = BALL) -> Trajectory:
    """Ten seconds of the flow from the default start."""
    return run(Problem.create("sphere", "reference", ball, {}, 0.1, 10.0))


def energies(ball: Values = BALL) -> tuple[Array, Array, Array]:
    """Times, and <K, Lam^-1 K> -+ (D/F) <gamma, Lam^-1 K>^2 along the flow; minus as printed in CS (2.5)."""
    motion = rolling(ball)
    gamma, k = (np.stack([motion[f"{name}{i}"] for i in (1, 2, 3)]) for name in ("gamma", "K"))
    inverse, _ = inverse_lambda(ball)
    pull, part = pulls(ball, gamma, k)
    plain = np.sum(k**2 * inverse[:, None], axis=0)
    return motion.t, plain - pull * part, plain + pull * part


def energy(ball: Values = BALL) -> Leftover:
    """How far each drifts."""
    t, printed, corrected = energies(ball)
    return Leftover("The drift of the energy", "t (s)", t, printed - printed[0], corrected - corrected[0])


def energy_pictures(theme: Theme) -> tuple[Picture, ...]:
    """Both energies in time, and how far they drift."""
    t, printed, corrected = energies()
    curves = [Drawn(t, printed, "printed"), Drawn(t, corrected, "corrected")]
    return (against(theme, ("t (s)", "⟨K, ω⟩ (kg m²/s²)"), curves), *drawn(energy)(theme))


def contact(ball: Values = BALL, omega: Array = OMEGA) -> Leftover:
    """The contact point's speed |v_C - rho omega x gamma| for v_C = -+ rho omega x gamma; minus as printed in (2.9)."""
    gamma, rho = verticals(ANGLES), ball["rho"]
    roll = rho * np.cross(omega, gamma.T)
    printed, corrected = (np.linalg.norm(s * roll - roll, axis=1) for s in (-1, 1))
    return Leftover("The speed with which the contact point slips", TURN, ANGLES, printed, corrected, "m/s")


def skew(seed: int, n: int) -> Array:
    """A skew matrix without any symmetry."""
    values = np.random.default_rng(seed).uniform(-1.0, 1.0, (n, n))
    return values - values.T


def reaction(n: int = 4) -> Leftover:
    """K' + [omega, K] for M' + [omega, M] = +- D (omega' Gamma + Gamma omega'); plus as printed after CS (2.11)."""
    mass, d = np.diag(np.arange(1.0, n + 1.0)), 2.0
    omega, gamma = skew(1, n), np.linspace(1.0, 2.0, n) / np.linalg.norm(np.linspace(1.0, 2.0, n))
    vertical, scale = np.outer(gamma, gamma), np.linspace(0.1, 2.0, 20)
    found = []
    for sign in (1.0, -1.0):
        rests = []
        for size in scale:
            change = size * skew(2, n)
            moment = mass @ omega + omega @ mass
            rate = sign * d * (change @ vertical + vertical @ change) - commutator(omega, moment)
            turning = -commutator(omega, vertical)
            whole = moment + d * (vertical @ omega + omega @ vertical)
            added = turning @ omega + vertical @ change + change @ vertical + omega @ turning
            rests.append(np.linalg.norm(rate + d * added + commutator(omega, whole)))
        found.append(np.array(rests))
    return Leftover("What changes the momentum about the contact point", "size of ω′", scale, found[0], found[1])


def commutator(a: Array, b: Array) -> Array:
    """[a, b]."""
    return a @ b - b @ a


def isomorphism(omega: Array = OMEGA) -> Leftover:
    """-omega gamma against gamma x omega, for omega_ij = +- eps_ijk omega_k; plus as printed in CS section 2."""
    gamma = verticals(ANGLES)
    matrix = np.array([[0.0, omega[2], -omega[1]], [-omega[2], 0.0, omega[0]], [omega[1], -omega[0], 0.0]])
    right = np.cross(gamma.T, omega).T
    printed, corrected = (np.linalg.norm(-s * matrix @ gamma - right, axis=0) for s in (1.0, -1.0))
    return Leftover("The difference of the vertical’s rate", TURN, ANGLES, printed, corrected, "1/s")


def principle(ball: Values = BALL, step: float = 0.2) -> Leftover:
    """The first variation of c Tr(R J R~^T) + (m/2)|dr|^2 along a run of the map; c = 1/2 as printed in CS (4.1)."""
    motion = run(Problem.create("sphere", "fedorov", ball, {}, step, 40 * step))
    turns = motion["R"]
    places = np.stack([motion["x"], motion["y"], np.zeros(len(motion))], axis=1)
    mass = np.diag([ball["J1"], ball["J2"], ball["J3"]])
    jumps = places[1:-1] - places[:-2] - (places[2:] - places[1:-1])
    rates = {c: np.zeros(len(motion) - 2) for c in (0.5, -1.0)}
    for axis in np.eye(3):
        varied = turns[1:-1] @ hat(axis)
        shift = ball["rho"] * np.cross(turns[1:-1] @ axis, UP)
        pairs = (turns[:-2], varied), (varied, turns[2:])
        spin = sum(np.einsum("kij,jl,kil->k", before, mass, after) for before, after in pairs)
        for c in rates:
            rates[c] += (c * spin + ball["m"] * np.sum(jumps * shift, axis=1)) ** 2
    printed, corrected = (np.sqrt(rates[c]) for c in (0.5, -1.0))
    return Leftover("What is left of the first variation", "t (s)", motion.t[1:-1], printed, corrected)


def hat(a: Array) -> Array:
    """The matrix of a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def naive() -> Leftover:
    """How far a ball that does not turn moves, rho |(W - c) gamma| at W = 1; c = 0 as printed before CS (4.9)."""
    radii = np.linspace(0.1, 2.0, 20)
    printed, corrected = (np.linalg.norm(radii[:, None] * ((np.eye(3) - c * np.eye(3)) @ UP), axis=1) for c in (0, 1))
    return Leftover("The way of a ball that does not turn", "radius ρ (m)", radii, printed, corrected, "m")


def force(ball: Values = BALL) -> Leftover:
    """F = R^T f against its form in the body; its second term has a minus as printed below CS (4.9)."""
    first = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix()
    step = Rotation.from_rotvec([0.4, 0.2, -0.6]).as_matrix()
    half = 0.5 * ball["m"] * ball["rho"]
    found = []
    for angle in ANGLES:
        next_step = Rotation.from_rotvec(angle * np.array([2.0, -3.0, 6.0]) / 7.0).as_matrix()
        here = first @ step
        there, space = here @ next_step, step_in_space(first, first @ step)
        after = step_in_space(here, there)
        in_space = half * ((space - space.T) - (after - after.T)) @ UP
        gamma = here.T @ UP
        parts = -half * (next_step - next_step.T) @ gamma, half * (step - step.T) @ gamma
        found.append([np.linalg.norm(parts[0] + s * parts[1] - here.T @ in_space) for s in (-1.0, 1.0)])
    printed, corrected = np.array(found).T
    return Leftover("The difference of the force", "turn of the next step (rad)", ANGLES, printed, corrected, "N s")


def step_in_space(before: Array, after: Array) -> Array:
    """The rotation of a step in the frame at rest."""
    return after @ before.T


def slips(ball: Values = BALL) -> Leftover:
    """<omega, Lam omega> in the vertical case is l + D l^2/h^2, l = <K, omega>; as printed next to CS (2.7) it is l."""
    inverse, d = inverse_lambda(ball)
    gamma = verticals(ANGLES)
    h = 0.8
    k = h * gamma
    omega = inverse[:, None] * (k + pulls(ball, gamma, k)[0] * gamma)
    level, found = np.sum(k * omega, axis=0), np.sum(omega**2 / inverse[:, None], axis=0)
    printed, corrected = found - level, found - level - d * level**2 / h**2
    return Leftover("The difference of ⟨ω, Λω⟩", TURN, ANGLES, printed, corrected)
