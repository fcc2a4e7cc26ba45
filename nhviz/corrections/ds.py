"""Misprints of DS: the discrete Chaplygin sleigh."""

import numpy as np

from nhviz.frame.records import Correction
from nhviz.system import Array
from nhviz.views.leftovers import Leftover, decided, drawn

J, M, A = 1.7, 1.2, 0.6
TURNS = np.linspace(-2.4, 2.4, 61)
TURN = "turn of one step Δθ (rad)"
TESTS = "tests/test_corrections_ds.py::"


def steps(theta: float = 0.4, chord: float = 0.9) -> tuple[Array, Array]:
    """Displacements (dx, dy) that obey DS (13), one for each turn."""
    return chord * np.cos(theta + 0.5 * TURNS), chord * np.sin(theta + 0.5 * TURNS)


def blade_momentum(theta: float = 0.4) -> Leftover:
    """DS (20): mu_x cos + mu_y sin against its right-hand side; mu_x has dx without m as printed above it."""
    (dx, dy), middle = steps(theta), theta + 0.5 * TURNS
    right = M * (dx * np.cos(theta) + dy * np.sin(theta)) - M * A * TURNS * np.sin(0.5 * TURNS)
    along_y = M * dy + M * A * TURNS * np.cos(middle)
    printed, corrected = (
        (mass * dx - M * A * TURNS * np.sin(middle)) * np.cos(theta) + along_y * np.sin(theta) - right
        for mass in (1.0, M)
    )
    return Leftover("The difference of the momentum along the blade", TURN, TURNS, printed, corrected)


def equation(turn: Array, p_1: float, p_2: float) -> Array:
    """The left-hand side of DS (23), which is right as printed."""
    rest = p_2 + M * A * turn * np.sin(0.5 * turn)
    return np.asarray((J + M * A * A) * turn + 0.5 * A * turn / np.cos(0.5 * turn) * rest - p_1)


def slope(p_1: float = 0.3, p_2: float = 0.8) -> Leftover:
    """The derivative of DS (23) by the turn; its last term is over cos^2 as printed, over 4 cos^2 corrected."""
    truth = equation(TURNS + 1e-30j, p_1, p_2).imag / 1e-30
    half = 0.5 * TURNS
    along = A * p_2 * (2.0 * np.cos(half) + TURNS * np.sin(half)) / (4.0 * np.cos(half) ** 2)
    printed, corrected = (
        truth - (J + M * A * A) - along - M * A * A * (TURNS * np.tan(half) + TURNS**2 / (c * np.cos(half) ** 2))
        for c in (1.0, 4.0)
    )
    return Leftover("The difference of the derivative", TURN, TURNS, printed, corrected)


def angular_momentum(theta: float = 0.4) -> Leftover:
    """p_1 in the proof of DS Theorem 4 against DS (19); its bracket lacks the turn as printed."""
    (dx, dy), middle = steps(theta), theta + 0.5 * TURNS
    chord = dx * np.cos(middle) + dy * np.sin(middle)
    right = (J + M * A * A) * TURNS + 0.5 * M * A * TURNS * chord
    ahead, aside = dx * np.cos(theta) + dy * np.sin(theta), -dx * np.sin(theta) + dy * np.cos(theta)
    bracket = ahead * np.cos(0.5 * TURNS) + aside * np.sin(0.5 * TURNS)
    printed, corrected = ((J + M * A * A) * TURNS + 0.5 * M * A * c * bracket - right for c in (1.0, TURNS))
    return Leftover("The difference of the angular momentum", TURN, TURNS, printed, corrected)


CORRECTIONS = (
    Correction(
        "ds-20", "DS", "above (20)", "The push along x carries the mass",
        "One of the two components of the discrete momentum has lost its mass. The next line, which uses both, is "
        "right.",
        r"\mu_x^k = \boxed{\Delta x_k} - ma\,\Delta\theta_k \sin\tfrac{\theta_{k+1} + \theta_k}2",
        r"\mu_x^k = \boxed{m\,\Delta x_k} - ma\,\Delta\theta_k \sin\tfrac{\theta_{k+1} + \theta_k}2",
        f"{TESTS}test_blade_momentum", decided(blade_momentum), drawn(blade_momentum), system="sleigh", ideas=("path",),
    ),
    Correction(
        "ds-23", "DS", "after (23)", "A quarter of the last term",
        "The derivative that tells whether a step has a solution nearby has its last term four times too large. At "
        "rest, where the paper uses it, the term is zero.",
        r"ma^2\Bigl(\Delta\theta\tan\tfrac{\Delta\theta}2 + "
        r"\frac{\Delta\theta^2}{\boxed{\cos^2(\Delta\theta/2)}}\Bigr)",
        r"ma^2\Bigl(\Delta\theta\tan\tfrac{\Delta\theta}2 + "
        r"\frac{\Delta\theta^2}{\boxed{4\cos^2(\Delta\theta/2)}}\Bigr)",
        f"{TESTS}test_slope", decided(slope), drawn(slope), system="sleigh", ideas=("branches",),
    ),
    Correction(
        "ds-theorem-4", "DS", "proof of Theorem 4", "The turn in front of the bracket",
        "In the proof the angular momentum has lost the turn in front of its bracket. Equation (19), from which it "
        "comes, has it.",
        r"\begin{aligned} &p_1^k = (J + ma^2)\Delta\theta_k \\[3pt] "
        r"&\quad + \boxed{\tfrac{ma}2}\bigl(V_1\cos\tfrac{\Delta\theta_k}2 + "
        r"V_2\sin\tfrac{\Delta\theta_k}2\bigr) \end{aligned}",
        r"\begin{aligned} &p_1^k = (J + ma^2)\Delta\theta_k \\[3pt] "
        r"&\quad + \boxed{\tfrac{ma}2\Delta\theta_k}\bigl(V_1\cos\tfrac{\Delta\theta_k}2 + "
        r"V_2\sin\tfrac{\Delta\theta_k}2\bigr) \end{aligned}",
        f"{TESTS}test_angular_momentum", decided(angular_momentum), drawn(angular_momentum), system="sleigh",
        ideas=("phase",),
    ),
)  # fmt: skip
