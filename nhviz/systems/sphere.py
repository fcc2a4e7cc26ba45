r"""The Chaplygin sphere: a ball with uneven mass, but its centre of mass in the middle, rolls on a plane.

J = diag(J1, J2, J3) is the mass tensor, I = diag(J2 + J3, J1 + J3, J1 + J2) the inertia, D = m rho^2, Lam = I + D,
gamma = R^T e3 the vertical in the body, pointing up, omega the angular velocity in the body.

* Momentum about the contact point: K = Lam omega - D <omega, gamma> gamma. With F = <I gamma, Lam^-1 gamma>,
  Lam omega = K + (D/F) <gamma, Lam^-1 K> gamma (CS above (2.5), corrected).
* Flow (CS (2.3)): K' = K x omega, gamma' = gamma x omega: K and gamma are fixed in space. R' = R hat(omega), and the
  contact point moves by r' = rho omega_space x e3. <K, K>, <K, gamma>, twice the kinetic energy <K, omega> and the
  measure sqrt(F) domega dgamma (CS (2.6)) are kept.
* `fedorov` (CS (5.2), (5.3)) with the time step eps: find the rotation with Euler parameters (q0, q) and
  eps K = 2 (q0 I q + q x I q) + 2 D q0 (q - <gamma, q> gamma); then K and gamma are carried by Omega^T, R by Omega,
  dr = (rho/2)(W - W^T) e3 with W = R_{k+1} R_k^T (CS (4.9)). The map is symmetric, hence of order 2; -eps
  inverts it as long as the reversed rotation is principal too, which it is but for steps next to the fold.
* It keeps <K, K> and <K, gamma> on every branch (CS Proposition 2), not the energy; with K = h gamma it keeps
  <gamma, Lam^-1 gamma> as well (CS Proposition 3, `nhviz.analysis.vertical`).
* A momentum has 8 complex rotations; 0, 2, 4, 6 or 8 of them are real (CS says 2 to 4).
"""

from collections.abc import Mapping

import numpy as np

from nhviz import kernels
from nhviz.maps import sphere_branches
from nhviz.maps.sphere_runs import empty_samples, named, run_fedorov, starts
from nhviz.measures import sphere as sphere_measures
from nhviz.methods import reference
from nhviz.parameters import Parameter, ParameterError
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, ball
from nhviz.system import (
    Array,
    Bound,
    Branches,
    Component,
    Components,
    Equation,
    Experiment,
    Method,
    Momentum,
    Portrait,
    Quantity,
    Samples,
    System,
    Task,
    Values,
)


def check_start(params: Values, initial: Values) -> None:
    """The vertical must have a direction; it is normalised."""
    if not any(initial[f"gamma{i}"] for i in sphere_branches.AXES):
        raise ParameterError(sphere_branches.NO_DIRECTION, "gamma1")


def valid(params: Mapping[str, Array], initial: Mapping[str, Array]) -> Array:
    """`check_start` for many starts."""
    return (initial["gamma1"] != 0.0) | (initial["gamma2"] != 0.0) | (initial["gamma3"] != 0.0)


def momentum_form(params: Values) -> tuple[tuple[float, ...], float]:
    """K = Lam omega - D <omega, gamma> gamma: the diagonal of Lam, and D."""
    *moments, d = sphere_branches.ball(params)
    return tuple(moment + d for moment in moments), d


def remarks(params: Values) -> list[str]:
    """The mass of a real ball is inside its radius: J1 + J2 + J3 <= m rho^2. The equations do not need it."""
    spread, most = params["J1"] + params["J2"] + params["J3"], params["m"] * params["rho"] ** 2
    if spread > most * (1.0 + 1e-12):
        return [
            f"Mathematical, not a real ball: J₁ + J₂ + J₃ = {spread:.4g} exceeds mρ² = {most:.4g}, "
            "as if mass were outside its surface."
        ]
    return [f"A real ball: J₁ + J₂ + J₃ = {spread:.4g} ≤ mρ² = {most:.4g}."]


def field(y: Array, p: Array, dy: Array) -> None:
    """y = (q0, q1, q2, q3, x, y, K in space), p = (I1, I2, I3, D, rho)."""
    over = 1.0 / np.sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3])
    a, b, c, d = over * y[0], over * y[1], over * y[2], over * y[3]
    # Rows of R; the third one is gamma.
    r11, r12, r13 = 1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)
    r21, r22, r23 = 2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b)
    r31, r32, r33 = 2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c)
    k1 = r11 * y[6] + r21 * y[7] + r31 * y[8]
    k2 = r12 * y[6] + r22 * y[7] + r32 * y[8]
    k3 = r13 * y[6] + r23 * y[7] + r33 * y[8]
    l1, l2, l3 = 1.0 / (p[0] + p[3]), 1.0 / (p[1] + p[3]), 1.0 / (p[2] + p[3])
    f = p[0] * l1 * r31 * r31 + p[1] * l2 * r32 * r32 + p[2] * l3 * r33 * r33
    push = p[3] / f * (r31 * l1 * k1 + r32 * l2 * k2 + r33 * l3 * k3)
    u, v, w = l1 * (k1 + push * r31), l2 * (k2 + push * r32), l3 * (k3 + push * r33)
    dy[0] = 0.5 * (-y[1] * u - y[2] * v - y[3] * w)
    dy[1] = 0.5 * (y[0] * u + y[2] * w - y[3] * v)
    dy[2] = 0.5 * (y[0] * v + y[3] * u - y[1] * w)
    dy[3] = 0.5 * (y[0] * w + y[1] * v - y[2] * u)
    dy[4] = p[4] * (r21 * u + r22 * v + r23 * w)
    dy[5] = -p[4] * (r11 * u + r12 * v + r13 * w)
    dy[6], dy[7], dy[8] = 0.0, 0.0, 0.0


def run_reference(task: Task) -> Samples:
    """The attitude and the contact point as differential equations; K is fixed in space."""
    gamma, omega, place = starts(task)
    body, first = sphere_branches.ball(task.params), np.empty((9, task.orbits))
    kernels.sphere_flow.write_starts(body, gamma, omega, place, first)
    parameters = np.array([*body, task.params["rho"]])
    states, lengths, reasons = reference.integrate(field, parameters, first, task)
    state, attitude = empty_samples(task)
    kernels.sphere_flow.read_samples(body, gamma, omega, states, state, attitude)
    return Samples(named(task, state, attitude), lengths, reasons)


def energy(params: Values, run: Components) -> Array:
    """Twice the kinetic energy, <K, omega> (CS (2.4))."""
    return run["K1"] * run["omega1"] + run["K2"] * run["omega2"] + run["K3"] * run["omega3"]


def k_gamma(params: Values, run: Components) -> Array:
    """<K, gamma>."""
    return run["K1"] * run["gamma1"] + run["K2"] * run["gamma2"] + run["K3"] * run["gamma3"]


def k_k(params: Values, run: Components) -> Array:
    """<K, K>."""
    return run["K1"] ** 2 + run["K2"] ** 2 + run["K3"] ** 2


def draw(run: Trajectory) -> Motion:
    """The ball, in two tones so that its turning shows, with its axes, on the path of its contact point."""
    rho = run.params["rho"]
    place = np.stack([run["x"], run["y"], np.full(len(run), rho)], axis=1)
    spans = 1.25 * rho * np.stack([-np.eye(3), np.eye(3)], axis=1)
    axes = tuple(Curve(span, f"axis_{i + 1}") for i, span in enumerate(spans))
    path = place * np.array([1.0, 1.0, 0.0])
    return Motion((Part((ball(rho, "body"), *axes), run["R"], place),), (Curve(path, "path"),), floor=True)


def start_values() -> tuple[Parameter, ...]:
    """The vertical in the body, the angular velocity in the body, and the contact point."""
    gamma, omega = (2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0), (0.9, -0.5, 0.7)
    count = ("first", "second", "third")
    return (
        *(
            Parameter(
                f"gamma{i + 1}", gamma[i], -1e3, 1e3, f"vertical in the body, {count[i]} part; normalised",
                rf"\gamma_{i + 1}", "", (-1.0, 1.0),
            )
            for i in range(3)
        ),
        *(
            Parameter(
                f"omega{i + 1}", omega[i], -100.0, 100.0, f"angular velocity about the {count[i]} axis",
                rf"\omega_{i + 1}", "rad/s", (-3.0, 3.0),
            )
            for i in range(3)
        ),
        Parameter("x", 0.0, -1e6, 1e6, "contact point, first coordinate", "x", "m", (-5.0, 5.0)),
        Parameter("y", 0.0, -1e6, 1e6, "contact point, second coordinate", "y", "m", (-5.0, 5.0)),
    )  # fmt: skip


def component_list() -> tuple[Component, ...]:
    """What every run has."""
    meanings = (
        ("omega", "angular velocity in the body", "rad/s", r"\omega"),
        ("gamma", "vertical in the body", "", r"\gamma"),
        ("K", "momentum about the contact point, in the body", "kg m^2/s", "K"),
    )
    return (
        *(
            Component(f"{name}{i}", f"{meaning}, component {i}", unit, f"{symbol}_{i}")
            for name, meaning, unit, symbol in meanings
            for i in (1, 2, 3)
        ),
        Component("x", "contact point, first coordinate", "m"),
        Component("y", "contact point, second coordinate", "m"),
        Component("R", "attitude: body frame to space", "", "R", (3, 3)),
    )


SYSTEM = System(
    id="sphere",
    position=30,
    family="Sphere",
    line="An uneven ball rolls, swings and loops.",
    title="Chaplygin sphere",
    summary=(
        "An uneven ball, balanced at its centre, rolls on a plane without slipping. "
        "Its momentum about the moving contact point stays fixed in space, while its path swings and loops."
    ),
    parameters=(
        Parameter("J1", 0.25, 0.001, 100.0, "mass tensor along the first axis", "J_1", "kg m^2", (0.01, 1.0)),
        Parameter("J2", 0.55, 0.001, 100.0, "mass tensor along the second axis", "J_2", "kg m^2", (0.01, 1.0)),
        Parameter("J3", 0.95, 0.001, 100.0, "mass tensor along the third axis", "J_3", "kg m^2", (0.01, 1.0)),
        Parameter("m", 2.0, 0.001, 1000.0, "mass", "m", "kg", (0.1, 12.0)),
        Parameter("rho", 1.0, 0.01, 10.0, "radius", r"\rho", "m", (0.2, 2.0)),
    ),
    initial=start_values(),
    step=Parameter("step", 0.1, 1e-9, 100.0, "time step", r"\varepsilon", "s", (0.01, 0.7)),
    duration=Parameter("duration", 12.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 100.0)),
    default_method="fedorov",
    components=component_list(),
    methods=(
        Method(
            "reference",
            "Reference",
            8,
            ("K_gamma", "K_K"),
            run_reference,
            discrete=False,
            truth=True,
            remark="K is fixed in space by construction; the energy strays by about 1e-15 of itself per radian turned.",
        ),
        Method(
            "fedorov",
            "Fedorov",
            2,
            ("K_gamma", "K_K"),
            run_fedorov,
            branches=Branches(
                sphere_branches.POINT,
                sphere_branches.fedorov,
                of_start=sphere_branches.point_of_start,
                many=sphere_branches.fedorov_many,
            ),
            bound=Bound(at_start=sphere_branches.largest_step),
            remark="The energy oscillates in a band proportional to the square of the step, without drift.",
        ),
    ),
    quantities=(
        Quantity("energy", "twice the kinetic energy", True, energy, "J", r"\langle K, \omega\rangle"),
        Quantity("K_gamma", "vertical momentum", True, k_gamma, "kg m^2/s", r"\langle K, \gamma\rangle"),
        Quantity("K_K", "size of the momentum", True, k_k, "kg^2 m^4/s^2", r"\langle K, K\rangle"),
    ),
    portraits=(
        Portrait("gamma", "Vertical in the body, γ", ("gamma1", "gamma2", "gamma3"), on_sphere=True),
        Portrait("path", "Path of the contact point", ("x", "y")),
    ),
    equations=(
        Equation(
            r"\dot r = \rho\,\omega_{\rm space}\times e_3",
            "constraint: the ball rolls without slipping",
            "CS (2.1), for a vertical that points up",
        ),
        Equation(
            r"K = \Lambda\omega - D\langle\omega,\gamma\rangle\gamma,\quad \Lambda = I + D,\ D = m\rho^2,\ "
            r"I = {\rm diag}(J_2 + J_3, J_1 + J_3, J_1 + J_2)",
            "momentum about the contact point",
            "CS section 2",
        ),
        Equation(r"\dot K = K\times\omega,\qquad \dot\gamma = \gamma\times\omega", "the flow", "CS (2.3)"),
        Equation(
            r"\langle K,\omega\rangle = \langle K,\Lambda^{-1}K\rangle + "
            r"\frac DF\langle\gamma,\Lambda^{-1}K\rangle^2,\quad F = 1 - D\langle\gamma,\Lambda^{-1}\gamma\rangle",
            "twice the kinetic energy, kept by the flow but not by the map",
            "CS (2.5), corrected",
        ),
        Equation(
            r"\sqrt F\; d\omega_1\wedge\cdots\wedge d\gamma_3", "the invariant measure of the flow", "CS (2.6)"
        ),
        Equation(
            r"\varepsilon K = 2(q_0 I q + q\times Iq) + 2Dq_0(q - \langle\gamma,q\rangle\gamma),\quad "
            r"q_0^2 + |q|^2 = 1",
            "Fedorov: the rotation of one step; 0, 2, 4, 6 or 8 real solutions",
            "CS (5.2)",
        ),
        Equation(
            r"K_{k+1} = \Omega_k^T K_k,\quad \gamma_{k+1} = \Omega_k^T\gamma_k,\quad "
            r"r_{k+1} = r_k + \tfrac\rho2(W_k - W_k^T)e_3,\ W_k = R_{k+1}R_k^T",
            "the map; every branch keeps the momentum's length and its vertical part",
            "CS (5.3), (4.9), Proposition 2",
        ),
        Equation(
            r"K = h\gamma:\quad \langle\gamma,\Lambda^{-1}\gamma\rangle = l",
            "vertical momentum: one more integral, on every branch",
            "CS (5.5), Proposition 3",
        ),
    ),
    experiments=(
        Experiment(
            "Narrow loops",
            "With the momentum nearly vertical the contact point runs in small loops while it drifts sideways.",
            initial={"gamma1": 0.6, "gamma2": 0.0, "gamma3": 0.8, "omega1": 1.2, "omega2": 0.12, "omega3": 2.0},
        ),
        Experiment(
            "Vertical momentum",
            "With K along the vertical, γ runs round a closed curve, and even with long steps the energy is kept.",
            initial={"gamma1": 0.6, "gamma2": 0.0, "gamma3": 0.8, "omega1": 0.6, "omega2": 0.0, "omega3": 1.0},
            step=0.4,
            duration=40.0,
        ),
        Experiment(
            "Too long a step",
            "Beyond the largest step no rotation grows out of the identity: the run stops and says so.",
            initial={"omega1": 3.0, "omega2": -2.0, "omega3": 2.0},
            step=0.7,
        ),
        Experiment(
            "Nearly straight",
            "Spun about a flat axis the ball rolls nearly straight on.",
            initial={"gamma1": 0.3, "gamma2": 0.4, "gamma3": 0.9, "omega1": 0.9, "omega2": -0.5, "omega3": 0.7},
        ),
    ),
    momentum=Momentum(
        ("omega1", "omega2", "omega3"), ("K1", "K2", "K3"), ("gamma1", "gamma2", "gamma3"), momentum_form
    ),
    check_start=check_start,
    remarks=remarks,
    draw=draw,
    kernels=(
        "sphere", "sphere_flow", "sphere_edge", "sphere_band", "sphere_curves", "sphere_folds", "quadrics", "elliptic",
        "flow",
    ),
    sweep_kernels=("sphere_points", "sphere_tangent", "vertical"),
    measures=sphere_measures.measures(),
    valid=valid,
)  # fmt: skip
