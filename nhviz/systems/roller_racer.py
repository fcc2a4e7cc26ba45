r"""The roller racer: two coupled bodies on wheels that drive forwards when the rider swings the steering.

The main body has heading theta, contact point (x, y), mass m and moment of inertia I1; the steering, hinged to it, has
the angle phi against it and moment of inertia I2; d1 and d2 are the distances of the hinge to the two axles. u is the
forward speed, (Pi_theta, Pi_x, Pi_y, p_phi) are the momenta; a = (Pi_theta - p_phi)/I1, b = p_phi/I2, u = Pi_x/m.

* Constraints (CP section 3.5, corrected): Pi_y = 0 and (d1 cos phi + d2) theta' + d2 phi' = u sin phi.
* With N = d1 cos phi a - sin phi u + d2 b and S = sin^2 phi/m + d1^2 cos^2 phi/I1 + d2^2/I2: J1 = N/sqrt(S),
  J2 = Pi_y/sqrt(m), h = (Pi_x^2 + Pi_y^2)/(2m) + (Pi_theta - p_phi)^2/(2 I1) + p_phi^2/(2 I2),
  ht = h - (J1^2 + J2^2)/2.
* Extension (CP (62)): velocities are the derivatives of ht, the momenta move by the bracket and by reaction forces
  along (d1 cos phi + d2, -sin phi, 0, d2) and (0, 0, 1, 0) that keep J1 and J2. All is regular at sin phi = 0.
"""

from collections.abc import Mapping

import numpy as np

from nhviz import kernels
from nhviz.methods import extensions, feedback
from nhviz.parameters import Parameter
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, Points, plane_rotations
from nhviz.system import (
    Array,
    Component,
    Components,
    Equation,
    Experiment,
    Portrait,
    Quantity,
    System,
    Values,
)

STATE = ("theta", "x", "y", "phi", "Pi_theta", "Pi_x", "Pi_y", "p_phi")


def parameters(params: Values) -> Array:
    """(m, I1, I2, d1, d2)."""
    return np.array([params[name] for name in ("m", "I1", "I2", "d1", "d2")])


def extended(y: Array, p: Array, dy: Array) -> None:
    """y = (theta, x, y, phi, Pi_theta, Pi_x, Pi_y, p_phi), p = (m, I1, I2, d1, d2): CP (62)."""
    c, s = np.cos(y[3]), np.sin(y[3])
    # A division takes as long as five products.
    over_m, over_1, over_2 = 1.0 / p[0], 1.0 / p[1], 1.0 / p[2]
    a, b, u = (y[4] - y[7]) * over_1, y[7] * over_2, y[5] * over_m
    lever, front = p[3] * c, p[4] * over_2
    side, turn = s * over_m, lever * over_1
    n = lever * a - s * u + p[4] * b
    over_size = 1.0 / (s * side + lever * turn + p[4] * front)
    kappa = n * over_size
    n_phi = -p[3] * s * a - c * u
    half_size_phi = s * c * (over_m - p[3] * p[3] * over_1)
    turning = a - kappa * turn
    speed = u + kappa * side
    steering = b - a - kappa * (front - turn)
    dy[0], dy[1], dy[2], dy[3] = turning, speed * np.cos(y[0]), speed * np.sin(y[0]), steering
    first, second, fourth = -y[6] * speed, y[6] * turning, kappa * (n_phi - kappa * half_size_phi)
    # The change of N that the bracket would cause, and that of sqrt(S): the reaction cancels both.
    drift = turn * (first - fourth) - side * second + front * fourth + n_phi * steering
    reaction = (kappa * half_size_phi * steering - drift) * over_size
    dy[4] = first + reaction * (lever + p[4])
    dy[5] = second - reaction * s
    dy[6] = 0.0
    dy[7] = fourth + reaction * p[4]


def conserved(y: Array, p: Array, values: Array, gradients: Array) -> None:
    """J1, J2 and ht."""
    c, s = np.cos(y[3]), np.sin(y[3])
    over_m, over_1, over_2 = 1.0 / p[0], 1.0 / p[1], 1.0 / p[2]
    a, b, u = (y[4] - y[7]) * over_1, y[7] * over_2, y[5] * over_m
    lever = p[3] * c
    side, turn = s * over_m, lever * over_1
    steer = p[4] * over_2 - turn
    n = lever * a - s * u + p[4] * b
    over_size = 1.0 / (s * side + lever * turn + p[4] * p[4] * over_2)
    over_norm, kappa = np.sqrt(over_size), n * over_size
    n_phi = -p[3] * s * a - c * u
    change = n_phi - kappa * s * c * (over_m - p[3] * p[3] * over_1)
    values[0] = n * over_norm
    gradients[0, 3], gradients[0, 4] = change * over_norm, turn * over_norm
    gradients[0, 5], gradients[0, 7] = -side * over_norm, steer * over_norm
    values[1] = y[6] * np.sqrt(over_m)
    gradients[1, 6] = np.sqrt(over_m)
    values[2] = 0.5 * (p[0] * u * u + p[1] * a * a + p[2] * b * b - kappa * n)
    gradients[2, 3], gradients[2, 4] = -kappa * change, a - kappa * turn
    gradients[2, 5], gradients[2, 7] = u + kappa * side, b - a - kappa * steer


def start(params: Values, initial: Mapping[str, Array]) -> Array:
    """States that satisfy both constraints: the steering's rate follows from the speed and the turning."""
    theta, x, y, phi, u, omega = (
        np.asarray(initial[name], dtype=float) for name in ("theta", "x", "y", "phi", "u", "omega")
    )
    m, i1, i2, d1, d2 = parameters(params)
    steering = (np.sin(phi) * u - (d1 * np.cos(phi) + d2) * omega) / d2
    p_phi = i2 * (omega + steering)
    return np.array([theta, x, y, phi, i1 * omega + p_phi, m * u, 0.0 * u, p_phi])


def velocities(params: Values, run: Components) -> dict[str, Array]:
    """The forward speed and the turning of the momenta."""
    return {"u": run["Pi_x"] / params["m"], "omega": (run["Pi_theta"] - run["p_phi"]) / params["I1"]}


def reaction(y: Array, p: Array) -> Array:
    """The direction of the force on the wheels of the steering."""
    lever = p[3] * np.cos(y[3])
    return np.array([0.0, 0.0, 0.0, 0.0, lever + p[4], -np.sin(y[3]), 0.0, p[4]])


EXTENSION = extensions.Extension(
    field=extended,
    conserved=conserved,
    gains=("k1", "k2", "k3"),
    meanings={"k1": "the rolling constraint", "k2": "sideways slipping", "k3": "the energy"},
    parameters=parameters,
    start=start,
    components=extensions.named(STATE, velocities),
    state=extensions.stacked(STATE),
    about="Uses CP (62), regular also where the steering is straight.",
    reaction=reaction,
    orbit=lambda: kernels.roller_racer_feedback.orbit,
)


def energy(params: Values, run: Components) -> Array:
    """h, the kinetic energy."""
    return (
        (run["Pi_x"] ** 2 + run["Pi_y"] ** 2) / (2.0 * params["m"])
        + (run["Pi_theta"] - run["p_phi"]) ** 2 / (2.0 * params["I1"])
        + run["p_phi"] ** 2 / (2.0 * params["I2"])
    )


def constraint_1(params: Values, run: Components) -> Array:
    """J1."""
    m, i1, i2, d1, d2 = parameters(params)
    c, s = np.cos(run["phi"]), np.sin(run["phi"])
    n = d1 * c * (run["Pi_theta"] - run["p_phi"]) / i1 - s * run["Pi_x"] / m + d2 * run["p_phi"] / i2
    return n / np.sqrt(s**2 / m + (d1 * c) ** 2 / i1 + d2**2 / i2)


def constraint_2(params: Values, run: Components) -> Array:
    """J2."""
    return run["Pi_y"] / np.sqrt(params["m"])


def seat(length: float) -> Array:
    """The outline of the main body: round at the rear axle, narrow at the hinge."""
    angles = np.linspace(0.5 * np.pi, 1.5 * np.pi, 13)
    rear = 0.32 * length * np.stack([0.9 * np.cos(angles), np.sin(angles)], axis=1)
    front = length * np.array([[0.55, -0.22], [1.0, -0.06], [1.0, 0.06], [0.55, 0.22]])
    return np.concatenate([rear, front, rear[:1]])


def draw(run: Trajectory) -> Motion:
    """Main body with its axle, steering with its axle, and the path of the contact point."""
    d1, d2 = run.params["d1"], run.params["d2"]
    place = np.stack([run["x"], run["y"]], axis=1)
    turn = plane_rotations(run["theta"])
    wheel = 0.25 * d1
    body = Part(
        (
            Curve(seat(d1), "seat"),
            Curve(np.array([[0.0, 0.0], [d1, 0.0]]), "body"),
            Curve(np.array([[0.0, -2.0 * wheel], [0.0, 2.0 * wheel]]), "axis_1"),
            Curve(np.array([[-wheel, 2.0 * wheel], [wheel, 2.0 * wheel]]), "blade"),
            Curve(np.array([[-wheel, -2.0 * wheel], [wheel, -2.0 * wheel]]), "blade"),
        ),
        turn,
        place,
    )
    hinge = place + turn[:, :, 0] * d1
    steering = Part(
        (
            Curve(np.array([[0.0, 0.0], [d2, 0.0]]), "body"),
            Curve(np.array([[d2, -wheel], [d2, wheel]]), "axis_1"),
            Curve(np.array([[d2 - wheel, 0.0], [d2 + wheel, 0.0]]), "blade"),
            Points(np.zeros((1, 2)), "hinge"),
        ),
        plane_rotations(run["theta"] + run["phi"]),
        hinge,
    )
    return Motion((body, steering), (Curve(place, "path"),))


SYSTEM = System(
    id="roller_racer",
    position=60,
    family="Relatives",
    line="Swinging the steering drives it.",
    title="Roller racer",
    summary=(
        "A seat on wheels with a steering that is hinged to it: swinging the steering drives it forwards. "
        "Left alone it trades speed for turning."
    ),
    parameters=(
        Parameter("m", 1.0, 0.001, 1000.0, "mass", "m", "kg", (0.1, 5.0)),
        Parameter("I1", 1.0, 0.001, 1000.0, "moment of inertia of the main body", "I_1", "kg m^2", (0.1, 5.0)),
        Parameter("I2", 0.4, 0.001, 1000.0, "moment of inertia of the steering", "I_2", "kg m^2", (0.1, 5.0)),
        Parameter("d1", 1.0, 0.001, 100.0, "rear axle to hinge", "d_1", "m", (0.1, 3.0)),
        Parameter("d2", 0.5, 0.001, 100.0, "hinge to front axle", "d_2", "m", (0.1, 3.0)),
    ),
    initial=(
        Parameter("theta", 0.0, -1e5, 1e5, "heading", r"\theta", "rad", (-3.2, 3.2)),
        Parameter("x", 0.0, -1e5, 1e5, "contact point, first coordinate", "x", "m", (-5.0, 5.0)),
        Parameter("y", 0.0, -1e5, 1e5, "contact point, second coordinate", "y", "m", (-5.0, 5.0)),
        Parameter("phi", 0.6, -1e5, 1e5, "angle of the steering", r"\phi", "rad", (-3.2, 3.2)),
        Parameter("u", 1.0, -100.0, 100.0, "forward speed", "u", "m/s", (-3.0, 3.0)),
        Parameter("omega", 0.4, -100.0, 100.0, "turning of the main body", r"\omega", "rad/s", (-3.0, 3.0)),
    ),
    step=Parameter("step", 0.001, 1e-9, 100.0, "time step", r"\varepsilon", "s", (1e-4, 0.05)),
    duration=Parameter("duration", 10.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 60.0)),
    default_method="feedback",
    components=(
        Component("theta", "heading", "rad", r"\theta"),
        Component("x", "contact point, first coordinate", "m"),
        Component("y", "contact point, second coordinate", "m"),
        Component("phi", "angle of the steering", "rad", r"\phi"),
        Component("Pi_theta", "momentum of turning", "kg m^2/s", r"\Pi_\theta"),
        Component("Pi_x", "momentum along the body", "kg m/s", r"\Pi_x"),
        Component("Pi_y", "momentum across the body", "kg m/s", r"\Pi_y"),
        Component("p_phi", "momentum of the steering", "kg m^2/s", r"p_\phi"),
        Component("u", "forward speed", "m/s"),
        Component("omega", "turning of the main body", "rad/s", r"\omega"),
    ),
    methods=(
        feedback.flow_method(EXTENSION, ("constraint_2",)),
        feedback.method(EXTENSION),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "h"),
        Quantity("constraint_1", "slip of the front axle", True, constraint_1, "sqrt(kg) m/s", "J_1"),
        Quantity("constraint_2", "slip of the rear axle", True, constraint_2, "sqrt(kg) m/s", "J_2"),
    ),
    in_time=("u", "omega", "phi"),
    portraits=(Portrait("steering", "Steering and its momentum", ("phi", "p_phi")),),
    equations=(
        Equation(
            r"\Pi_y = 0,\qquad (d_1\cos\phi + d_2)\dot\theta + d_2\dot\phi = u\sin\phi",
            "constraints: no axle slips sideways",
            "CP section 3.5, corrected",
        ),
        Equation(
            r"h = \frac{\Pi_x^2 + \Pi_y^2}{2m} + \frac{(\Pi_\theta - p_\phi)^2}{2I_1} + \frac{p_\phi^2}{2I_2}",
            "the energy",
            "CP section 3.5",
        ),
        Equation(
            r"\tilde h = h - \tfrac12(J_1^2 + J_2^2),\quad \dot q = \partial\tilde h/\partial p,\quad "
            r"\dot p = \{p, \tilde h\} + \tilde\lambda_1 e_1^\flat + \tilde\lambda_2 e_2^\flat",
            "the extension: it keeps J1, J2 and the extended energy everywhere",
            "CP (62)",
        ),
        Equation(
            r"V = \tfrac{k_1}2 J_1^2 + \tfrac{k_2}2 J_2^2 + \tfrac{k_3}2(\tilde h - \tilde h_0)^2",
            "what the feedback pulls down",
            "CP (63)",
        ),
    ),
    experiments=(
        Experiment(
            "Let it go",
            "Speed becomes turning: the steering swings back, and the racer ends on a small circle.",
            duration=20.0,
        ),
        Experiment(
            "Straight steering",
            "A straight steering is no special place: the racer swings out of it.",
            initial={"phi": 0.0},
        ),
        Experiment("Long steps", "Feedback keeps the integrals even with long steps.", step=0.02, duration=40.0),
    ),
    draw=draw,
    kernels=("flow", "feedback", "crossings", "roller_racer_feedback"),
)
