"""Misprints of FZ section 6: the discrete Suslov top, with a mass tensor J and displacements q = (q1, q2, q0)."""

import numpy as np

from nhviz.figures.against import Drawn, against
from nhviz.figures.style import Picture, Theme
from nhviz.frame.said import Sentence, number, sentence, whole
from nhviz.maps import steiner, suslov_branches
from nhviz.problem import Problem
from nhviz.simulate import run
from nhviz.system import Array
from nhviz.views.leftovers import Leftover

TENSOR = np.array([[2.0, 0.3, -0.4], [0.3, 1.5, 0.25], [-0.4, 0.25, 1.1]])
BODY = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
ROD = {"I11": 0.11, "I22": 4.896, "I33": 4.99, "I13": 0.0328, "I23": 0.021}
"""A thin rod, a real body."""
FOUR = {"M1": 0.0251468, "M2": -0.34028742}
"""A momentum at which it has four displacements of a step of one second."""
ANGLES = np.linspace(0.0, 2.0 * np.pi, 73)
AXIS = "direction of the axis (rad)"


def displacements(size: float = 0.5) -> tuple[Array, Array, Array]:
    """q1, q2, q0 of rotations with |(q1, q2)| = size, about all axes."""
    return size * np.cos(ANGLES), size * np.sin(ANGLES), np.full_like(ANGLES, np.sqrt(1.0 - size**2))


def momenta(tensor: Array, q: tuple[Array, Array, Array], after: bool = False) -> Array:
    """FZ (6.12), or (6.14) after the step, both right as printed: (3, n), by Omega J - J Omega^T."""
    q1, q2, q0 = q
    lean = tensor[0, 2] * q1 + tensor[1, 2] * q2
    s = -1.0 if after else 1.0
    skew = (tensor[0, 0] - tensor[1, 1]) * q1 * q2 - tensor[0, 1] * (q1**2 - q2**2)
    return 2.0 * np.array(
        [
            (tensor[1, 1] + tensor[2, 2]) * q0 * q1 - tensor[0, 1] * q0 * q2 - s * lean * q2,
            (tensor[0, 0] + tensor[2, 2]) * q0 * q2 - tensor[0, 1] * q0 * q1 + s * lean * q1,
            s * skew - lean * q0,
        ]
    )


def matrix_momenta(tensor: Array, q: tuple[Array, Array, Array]) -> Array:
    """The same by FZ (6.2) and (6.10), as matrices."""
    found = []
    for q1, q2, q0 in zip(*q, strict=True):
        turn = np.array(
            [
                [2 * (q0**2 + q1**2) - 1, 2 * q1 * q2, 2 * q0 * q2],
                [2 * q1 * q2, 2 * (q0**2 + q2**2) - 1, -2 * q0 * q1],
                [-2 * q0 * q2, 2 * q0 * q1, 2 * q0**2 - 1],
            ]
        )
        whole_moment = turn @ tensor - tensor @ turn.T
        found.append([-whole_moment[1, 2], whole_moment[0, 2], -whole_moment[0, 1]])
    return np.array(found).T


def factor(tensor: Array = TENSOR) -> Leftover:
    """FZ (6.16) and the formula below it against the momentum of a displacement; without its 2 as printed."""
    q = displacements()
    truth, formula = matrix_momenta(tensor, q), momenta(tensor, q)
    printed, corrected = (np.linalg.norm(c * formula - truth, axis=0) for c in (0.5, 1.0))
    return Leftover("The difference of the momentum", AXIS, ANGLES, printed, corrected)


def quadratic(tensor: Array, m: Array) -> Array:
    """FZ (6.17), right as printed."""
    first, second = tensor[0, 0] + tensor[2, 2], tensor[1, 1] + tensor[2, 2]
    return np.asarray(first * m[0] ** 2 + 2.0 * tensor[0, 1] * m[0] * m[1] + second * m[1] ** 2)


def integral(tensor: Array, q: tuple[Array, Array, Array]) -> Array:
    """H as printed in FZ (6.18)."""
    q1, q2, q0 = q
    first, second = tensor[0, 0] + tensor[2, 2], tensor[1, 1] + tensor[2, 2]
    lean = tensor[0, 2] * q1 + tensor[1, 2] * q2
    form = second * q1**2 - 2.0 * tensor[0, 1] * q1 * q2 + first * q2**2
    return np.asarray(form * (lean**2 + (first * second - tensor[0, 1] ** 2) * q0**2))


def quarter(tensor: Array = TENSOR) -> Leftover:
    """FZ (6.17) less c H with H of (6.18): c = 1 as printed, 4 corrected."""
    q = displacements()
    truth, formula = quadratic(tensor, matrix_momenta(tensor, q)), integral(tensor, q)
    printed, corrected = truth - formula, truth - 4.0 * formula
    return Leftover("The difference of both forms of the integral", AXIS, ANGLES, printed, corrected)


def coordinates(tensor: Array, m: Array) -> tuple[Array, Array]:
    """The coordinates M_1, M_2 of the proof of FZ Theorem 6.3, of half the momenta, as (6.19) and (6.20) have them."""
    (j11, j12, j13), (_, j22, j23), (_, _, j33) = tensor
    first = (j13 * (j11 + j33) + j12 * j23) * m[0] + (j23 * (j22 + j33) + j12 * j13) * m[1]
    return 0.5 * first, 0.5 * (j23 * m[0] - j13 * m[1])


def increments(tensor: Array = TENSOR) -> Leftover:
    """The next M_1 in that proof: L Delta q0 as printed, L (Delta q0 - Q) corrected."""
    q = displacements()
    q1, q2, q0 = q
    (j11, j12, j13), (_, j22, j23), (_, _, j33) = tensor
    lean, determinant = j13 * q1 + j23 * q2, (j11 + j33) * (j22 + j33) - j12**2
    big = (j12 * j13 + j22 * j23 + j23 * j33) * q1 - (j11 * j13 + j12 * j23 + j13 * j33) * q2
    truth = coordinates(tensor, momenta(tensor, q, after=True))[0]
    printed, corrected = (truth - lean * (determinant * q0 - c * big) for c in (0.0, 1.0))
    return Leftover("The difference of the next coordinate", AXIS, ANGLES, printed, corrected)


def rest_side() -> float:
    """Q of the proof at the end of a run, over its size at rest: positive in Theta_+, negative in Theta_-."""
    motion = run(Problem.create("suslov", "moser_veselov", BODY, {}, 0.015, 3.0))
    u, v = float(motion["u"][-1]), float(motion["v"][-1])
    # J13 = -I13, J23 = -I23, J11 + J33 = I22 and J22 + J33 = I11.
    across, along = -BODY["I11"] * BODY["I23"], BODY["I22"] * BODY["I13"]
    return (across * u + along * v) / float(np.hypot(across, along) * np.hypot(u, v))


def theorem_told() -> Sentence:
    """Where a run ends, and both forms of the increment."""
    printed, corrected = increments().most
    return sentence(
        "A run ends with Q at ", number(rest_side()), " of its size, so in the half plane Θ₊. The next coordinate of "
        "the proof is off by up to ", number(printed), " as printed and by ", number(corrected), " when corrected.",
    )  # fmt: skip


def saddles(body: dict[str, float] = BODY) -> tuple[list[steiner.CriticalPoint], list[steiner.CriticalPoint]]:
    """Saddles and centres of the integral on RP^2, one for each pair of opposite points of the rim."""
    points = steiner.critical_points(body)
    return [one for one in points if one.saddle], [one for one in points if not one.saddle]


def saddle_told() -> Sentence:
    """The count, and how it fits the Euler characteristic of RP^2."""
    found, centres = saddles()
    lowest = min(one.level for one in found if not one.on_rim)
    level = next(one.level for one in found if one.on_rim) / lowest
    return sentence(
        "There are ", number(whole(len(found))), " saddles and ", number(whole(len(centres))), " centres. The one on "
        "the rim has ", number(level), " times the level h* of the two inside. With two minima, 2 − ",
        number(whole(len(found))), " + ", number(whole(len(centres))), " = ",
        number(whole(2 - len(found) + len(centres))), ", as on every projective plane.",
    )  # fmt: skip


def saddle_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The disk with levels of H, the paper's two saddles, and all of them; a rim point is drawn at both its ends."""
    found, centres = saddles()
    top = max(one.level for one in centres)
    levels = [share * top for share in (0.05, 0.15, 0.3, 0.45, 0.6, 0.9)] + [one.level for one in found]
    curves = steiner.joined([curve for level in levels for curve in steiner.invariant_curves(BODY, level)])
    rim = np.exp(1j * ANGLES)
    places = np.array([(s * one.q1, s * one.q2) for one in found for s in ((1, -1) if one.on_rim else (1,))]).T
    inner = np.array([(one.q1, one.q2) for one in found if not one.on_rim]).T
    drawn = [
        Drawn(rim.real, rim.imag, "ground", name="rim"),
        Drawn(curves[0], curves[1], "ground", name="levels"),
        Drawn(places[0], places[1], "corrected", "places"),
        Drawn(inner[0], inner[1], "printed", "places"),
    ]
    return (against(theme, ("q₁", "q₂"), drawn, equal=True),)


def four() -> int:
    """How many real displacements the rod has at its momentum."""
    return len(suslov_branches.moser_veselov(ROD, 1.0, FOUR))


def four_told() -> Sentence:
    """The count, and that the form is positive definite."""
    least = min(ROD["I11"], ROD["I22"])
    return sentence(
        "The form is positive definite, its least value is ", number(least), ", and yet this momentum has ",
        number(whole(four())), " real displacements.",
    )  # fmt: skip


def counts() -> tuple[Array, Array]:
    """Multiples of the momentum of FOUR, and the count at each."""
    sizes = np.linspace(0.02, 5.0, 250)
    found = [suslov_branches.moser_veselov(ROD, 1.0, {name: s * m for name, m in FOUR.items()}) for s in sizes]
    return sizes, np.array([len(one) for one in found], dtype=float)


def four_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The count over the size of the momentum, and the most that the paper has."""
    sizes, found = counts()
    most = Drawn(sizes, np.full_like(sizes, 2.0), "printed")
    return (against(theme, ("size of the momentum", "real displacements"), [most, Drawn(sizes, found, "corrected")]),)
