"""Misprints of FZ sections 5 and 7: the Chaplygin sleigh and its discrete momenta, in the paper's units (step 1)."""

import numpy as np

from nhviz.figures.against import Drawn, against
from nhviz.figures.style import Picture, Theme
from nhviz.figures.symbols import symbol
from nhviz.frame.said import Sentence, number, sentence, whole
from nhviz.maps import sleigh_branches
from nhviz.system import Array
from nhviz.views.leftovers import Leftover

MASSES = np.array([0.5, 0.8, 0.3, 0.4])
PLACES = np.array([[0.9, 0.2], [-0.3, 0.7], [1.4, -0.5], [0.2, 0.6]])
"""A sleigh of four points, in the frame of its blade, whose contact point is the origin."""
SPEEDS = np.linspace(0.2, 2.0, 37)
SPEED = "speed along the blade v₁ (m/s)"
BODY = {"J": 1.5, "m": 1.0, "a": 1.0, "b": 0.0}


def inertias() -> tuple[float, float, float, float, float]:
    """m, a, b, and the moments of inertia about the centre of mass and about the contact point."""
    m = float(MASSES.sum())
    a, b = (float(part) for part in MASSES @ PLACES / m)
    about_contact = float(MASSES @ (PLACES**2).sum(axis=1))
    return m, a, b, about_contact - m * (a * a + b * b), about_contact


def motion(omega: float, v2: float) -> tuple[Array, Array]:
    """Kinetic energy and angular momentum about the contact point, point by point, at all speeds."""
    along = SPEEDS[:, None] - omega * PLACES[:, 1]
    across = v2 + omega * PLACES[:, 0] + 0.0 * along
    energy = 0.5 * (along**2 + across**2) @ MASSES
    return energy, (PLACES[:, 0] * across - PLACES[:, 1] * along) @ MASSES


def lagrangian(spin: float, omega: float, v2: float, power: int) -> Array:
    """FZ (5.1) with the moment `spin`; the cross term has v1 to the power 2 as printed, 1 corrected."""
    m, a, b, _, _ = inertias()
    whole_spin = (spin + m * (a * a + b * b)) * omega**2
    rest = m * (SPEEDS**2 + v2**2) - 2.0 * m * b * omega * SPEEDS**power + 2.0 * m * a * omega * v2
    return 0.5 * (whole_spin + rest)


def about(omega: float = 0.7, v2: float = 0.3) -> Leftover:
    """FZ (5.1), its power mended, with J about the contact point, as printed, and about the centre of mass."""
    _, _, _, centre, contact = inertias()
    truth = motion(omega, v2)[0]
    printed, corrected = (lagrangian(spin, omega, v2, 1) - truth for spin in (contact, centre))
    return Leftover("The difference of the kinetic energy", SPEED, SPEEDS, printed, corrected, "J")


def cross_term(omega: float = 0.7, v2: float = 0.3) -> Leftover:
    """FZ (5.1) with v1^2 in its cross term, as printed, and with v1."""
    centre, truth = inertias()[3], motion(omega, v2)[0]
    printed, corrected = (lagrangian(centre, omega, v2, power) - truth for power in (2, 1))
    return Leftover("The difference of the kinetic energy", SPEED, SPEEDS, printed, corrected, "J")


def spin_momentum(omega: float = 0.7, v2: float = 0.3) -> Leftover:
    """p_theta below FZ (5.2) with 2 m (a v2 - b v1), as printed, and with m (a v2 - b v1)."""
    m, a, b, _, contact = inertias()
    truth = motion(omega, v2)[1]
    printed, corrected = (contact * omega + c * m * (a * v2 - b * SPEEDS) - truth for c in (2.0, 1.0))
    return Leftover("The difference of the angular momentum", SPEED, SPEEDS, printed, corrected)


def cross_told() -> Sentence:
    """Both differences."""
    energy, spin = cross_term().most, spin_momentum().most
    return sentence(
        "Point by point the kinetic energy is off by up to ", number(energy[0], "J"), " as printed and ",
        number(energy[1], "J"), " when corrected, the angular momentum by ", number(spin[0]), " and ",
        number(spin[1]), ".",
    )  # fmt: skip


def cusp() -> Leftover:
    """The line of FZ section 5 where v1 = 0: m b p_1 + B p_2 as printed, m b p_theta + B p_1 corrected."""
    m, a, b, _, contact = inertias()
    omega = np.linspace(-2.0, 2.0, 41)
    p_theta, p_1, p_2 = contact * omega, -m * b * omega, m * a * omega
    printed, corrected = m * b * p_1 + contact * p_2, m * b * p_theta + contact * p_1
    return Leftover("What is left at a cusp", "angular velocity ω (rad/s)", omega, printed, corrected)


def cusp_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The momentum plane: an ellipse of energy, the line as printed, the line of no speed, and a cusp."""
    m, a, b, centre, contact = inertias()
    total, angle = centre + m * a * a, np.linspace(0.0, 2.0 * np.pi, 121)
    p_1 = np.sqrt(m) * np.sin(angle)
    p_theta = np.sqrt(total) * np.cos(angle) - b * p_1
    reach = np.linspace(-1.0, 1.0, 3)
    # p_2 = m a (p_theta + b p_1)/A on the constraint.
    slope = -contact * a / (b * (total + contact * a))
    drawn = [
        Drawn(p_theta, p_1, "ground", name="energy"),
        Drawn(reach, slope * reach, "printed"),
        Drawn(reach, -m * b / contact * reach, "corrected"),
    ]
    return (against(theme, (symbol("p_theta"), symbol("p_1")), drawn, equal=True),)


P_THETA, P_1 = 0.7, 0.4


def turns(arm: float = 0.3) -> tuple[Array, Array]:
    """The roots tau = tan(dtheta/2): the four of the paper's quartic, which has a zero, and the three of the cubic."""
    j, m, a = BODY["J"], BODY["m"], BODY["a"]
    q, p = a * P_1 + 2.0 * m * a * a, P_THETA + arm * P_1
    cubic = np.array([q, -p, q + 2.0 * j, -p])
    return np.roots(np.append(cubic, 0.0)), np.roots(cubic)


def rest(tau: Array, arm: float = 0.3) -> Array:
    """How far a turn is from FZ (7.5) and (7.11): V1 by p_1, V2 = V1 tau, then p_theta."""
    j, m, a = BODY["J"], BODY["m"], BODY["a"]
    square = 1.0 + tau**2
    sine, one_less = 2.0 * tau / square, 2.0 * tau**2 / square
    v1 = P_1 / m + a * one_less + arm * sine
    return np.abs((j + m * (a * a + arm * arm)) * sine + a * m * v1 * tau - arm * m * v1 - P_THETA)


def cubic_told() -> Sentence:
    """How many turns there are, and what is wrong with the fourth."""
    printed, corrected = turns()
    good = int((rest(printed) < 1e-9).sum())
    return sentence(
        "Of the four roots ", number(whole(good)), " are displacements, with a rest of at most ",
        number(float(rest(corrected).max())), ". The fourth is no turn at all and leaves ",
        number(float(rest(printed).max())), ".",
    )  # fmt: skip


def cubic_pictures(theme: Theme) -> tuple[Picture, ...]:
    """All roots in the complex plane, and those that are displacements."""
    printed, corrected = turns()
    drawn = [
        Drawn(corrected.real, corrected.imag, "corrected", "places"),
        Drawn(printed.real, printed.imag, "printed", "places"),
    ]
    return (against(theme, ("tan(Δθ/2), real part", "imaginary part"), drawn),)


def levels(body: dict[str, float] = BODY) -> tuple[float, float]:
    """E of FZ (7.21) below which Theorem 7.4 has one branch, and below which there is one; a step of 1, b = 0."""
    m, total = body["m"], body["J"] + body["m"] * body["a"] ** 2
    bounds = sleigh_branches.single_valued_step, sleigh_branches.sharp_single_valued_step
    steps = [bound(body, 0.5) for bound in bounds]
    printed, sharp = (m * total * step**2 for step in steps if step is not None)
    return printed, sharp


def real_turns(p_theta: float, p_1: float, body: dict[str, float] = BODY) -> int:
    """How many real displacements momenta have, by the sign of the cubic's discriminant."""
    q = body["a"] * p_1 + 2.0 * body["m"] * body["a"] ** 2
    a, b, c, d = q, -p_theta, q + 2.0 * body["J"], -p_theta
    found = 18 * a * b * c * d - 4 * b**3 * d + b**2 * c**2 - 4 * a * c**3 - 27 * a**2 * d**2
    return 3 if found > 0.0 else 1


def ellipse(level: float, body: dict[str, float] = BODY, count: int = 181) -> tuple[Array, Array]:
    """(p_theta, p_1) on E = level."""
    angle = np.linspace(0.0, 2.0 * np.pi, count)
    total = body["J"] + body["m"] * body["a"] ** 2
    return np.sqrt(level / body["m"]) * np.cos(angle), np.sqrt(level / total) * np.sin(angle)


def most_turns(level: float) -> int:
    """The largest count on an ellipse."""
    return max(real_turns(float(x), float(y)) for x, y in zip(*ellipse(level, count=721), strict=True))


def sharp_told() -> Sentence:
    """Both bounds, and the counts around them."""
    printed, sharp = levels()
    return sentence(
        "For J = 1.5 and m = a = 1 the theorem goes up to E = ", number(printed), ", but there is one branch up to ",
        number(sharp), ", for a step ", number(float(np.sqrt(sharp / printed))),
        " times as long. Just above it there are ",
        number(whole(most_turns(1.02 * sharp))), ", just below it ", number(whole(most_turns(0.999 * sharp))), ".",
    )  # fmt: skip


def fold() -> tuple[Array, Array]:
    """(p_theta, p_1) where two displacements meet: q = -2J (1 - x)/(1 + x)^2, P = q tau + 2J tau/(1 + x), x = tau^2."""
    tau = np.tan(np.linspace(-1.5, 1.5, 241))
    q = -2.0 * BODY["J"] * (1.0 - tau**2) / (1.0 + tau**2) ** 2
    return q * tau + 2.0 * BODY["J"] * tau / (1.0 + tau**2), (q - 2.0 * BODY["m"] * BODY["a"] ** 2) / BODY["a"]


def sharp_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The momentum plane: both ellipses, and the curve inside which there are three displacements."""
    (printed, sharp), (x, y) = levels(), fold()
    drawn = [
        Drawn(x, y, "ground", name="three displacements inside"),
        Drawn(*ellipse(printed), "printed"),
        Drawn(*ellipse(sharp), "corrected"),
    ]
    return (against(theme, (symbol("p_theta"), symbol("p_1")), drawn, equal=True),)


def pulls(p_1: float = 0.5) -> tuple[Array, Array]:
    """p_theta > 0 within the bound of Theorem 7.4 at a p_1 > 0, and 2 a m V2 of the one displacement there."""
    m, a = BODY["m"], BODY["a"]
    printed, total = levels()[0], BODY["J"] + BODY["m"] * BODY["a"] ** 2
    p_theta = np.linspace(0.02, 0.99, 50) * np.sqrt((printed - total * p_1**2) / m)
    found = []
    for p in p_theta:
        q = a * p_1 + 2.0 * m * a * a
        roots = np.roots([q, -p, q + 2.0 * BODY["J"], -p])
        tau = float(roots[np.abs(roots.imag).argmin()].real)
        v1 = p_1 / m + a * 2.0 * tau**2 / (1.0 + tau**2)
        found.append(2.0 * a * m * v1 * tau)
    return p_theta, np.array(found)


def pull_told() -> Sentence:
    """The share of p_theta that a step takes."""
    p, pull = pulls()
    share = pull / p
    return sentence(
        "For p₁ = 0.5 the step takes between ", number(float(share.min())), " and ", number(float(share.max())),
        " of the angular momentum: less than all of it, so that it keeps its sign.",
    )  # fmt: skip


def pull_pictures(theme: Theme) -> tuple[Picture, ...]:
    """What a step takes, and p_theta itself, which the paper says it exceeds."""
    p, pull = pulls()
    axes = symbol("p_theta"), "2<i>am</i> <i>V</i>₂"
    return (against(theme, axes, [Drawn(p, p, "printed"), Drawn(p, pull, "corrected")]),)


def axis(turn: float = 0.8) -> Leftover:
    """W e - e with W of FZ (6.9) and e = (q1, q2, q3), as printed, and (q1, q2, -q3)."""
    tilt = np.linspace(0.0, 1.5, 31)
    found = []
    for angle in tilt:
        q0 = np.cos(0.5 * turn)
        q1, q2, q3 = np.sin(0.5 * turn) * np.array([0.6 * np.cos(angle), 0.8 * np.cos(angle), np.sin(angle)])
        w = np.array(
            [
                [q0**2 + q1**2 - q2**2 - q3**2, 2 * (q1 * q2 + q3 * q0), -2 * (q1 * q3 - q2 * q0)],
                [2 * (q1 * q2 - q3 * q0), q0**2 + q2**2 - q1**2 - q3**2, -2 * (q2 * q3 + q0 * q1)],
                [-2 * (q1 * q3 + q2 * q0), -2 * (q2 * q3 - q0 * q1), q0**2 + q3**2 - q1**2 - q2**2],
            ]
        )
        found.append([np.linalg.norm(w @ e - e) for e in np.array([[q1, q2, q3], [q1, q2, -q3]])])
    printed, corrected = np.array(found).T
    return Leftover("How far the axis of (6.9) is turned", "tilt of the axis (rad)", tilt, printed, corrected)
