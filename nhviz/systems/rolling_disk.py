r"""The vertical rolling disk: a coin that stays upright, rolls without slipping and turns about the vertical.

theta is the heading, psi the angle of rolling, (x, y) the contact point, m the mass, R the radius, I the moment of
inertia about the axle, J that about a diameter. Pi_x and Pi_y are the momentum along and across the disk.

* Constraints: Pi_y = 0 and I Pi_x = m R Pi_psi (CP section 3.4).
* Motion: theta' = Pi_theta/J and psi' = Pi_psi/I are constant, and the contact point runs round a circle.
* Extension (CP (60)): theta' = Pi_theta/J, (x', y') = (Pi_x/m)(cos theta, sin theta), psi' = Pi_psi/I, and all four
  momenta are constant, on the constraints and off them.
"""

from collections.abc import Mapping

import numpy as np

from nhviz import kernels
from nhviz.methods import extensions, feedback
from nhviz.parameters import Parameter
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part
from nhviz.system import (
    Array,
    Component,
    Components,
    Equation,
    Experiment,
    Method,
    Portrait,
    Quantity,
    Samples,
    System,
    Task,
    Values,
)

STATE = ("theta", "x", "y", "psi", "Pi_theta", "Pi_x", "Pi_y", "Pi_psi")


def parameters(params: Values) -> Array:
    """(m, I, J)."""
    return np.array([params["m"], params["I"], params["J"]])


def extended(y: Array, p: Array, dy: Array) -> None:
    """y = (theta, x, y, psi, Pi_theta, Pi_x, Pi_y, Pi_psi), p = (m, I, J): CP (60)."""
    speed = y[5] / p[0]
    dy[0], dy[1], dy[2], dy[3] = y[4] / p[2], speed * np.cos(y[0]), speed * np.sin(y[0]), y[7] / p[1]
    dy[4], dy[5], dy[6], dy[7] = 0.0, 0.0, 0.0, 0.0


def conserved(y: Array, p: Array, values: Array, gradients: Array) -> None:
    """The four momenta."""
    for i in range(4):
        values[i] = y[4 + i]
        gradients[i, 4 + i] = 1.0


def start(params: Values, initial: Mapping[str, Array]) -> Array:
    """States that satisfy both constraints."""
    rolling = initial["Pi_psi"]
    forward = params["m"] * params["R"] / params["I"] * rolling
    return np.array(
        [
            initial["theta"], initial["x"], initial["y"], initial["psi"], initial["Pi_theta"], forward, 0.0 * forward,
            rolling,
        ],
        dtype=float,
    )  # fmt: skip


def reaction(y: Array, p: Array) -> Array:
    """The direction sideways: what is off is the second constraint."""
    return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0])


EXTENSION = extensions.Extension(
    field=extended,
    conserved=conserved,
    gains=("k1", "k2", "k3", "k4"),
    meanings={"k1": "Pi_theta", "k2": "Pi_x", "k3": "Pi_y", "k4": "Pi_psi"},
    parameters=parameters,
    start=start,
    components=extensions.named(STATE),
    state=extensions.stacked(STATE),
    about="Uses CP (60), where all four momenta are kept off the constraints too.",
    constraint="k3",
    reaction=reaction,
    orbit=lambda: kernels.rolling_disk_feedback.orbit,
)


def run_exact(task: Task) -> Samples:
    """Circles: the chord of a turn is its arc times sinc of half the turn."""
    first = start(task.params, task.initial)[:, :, None]
    t = task.times[None, :]
    turn = first[4] / task.params["J"] * t
    chord = first[5] / task.params["m"] * t * np.sinc(turn / (2.0 * np.pi))
    aim = first[0] + 0.5 * turn
    states = np.broadcast_to(first, (8, task.orbits, task.samples)).copy()
    states[0] += turn
    states[1] += chord * np.cos(aim)
    states[2] += chord * np.sin(aim)
    states[3] += first[7] / task.params["I"] * t
    return Samples.complete(task, EXTENSION.components(task.params, states))


def energy(params: Values, run: Components) -> Array:
    """The kinetic energy."""
    return (
        run["Pi_theta"] ** 2 / (2.0 * params["J"])
        + (run["Pi_x"] ** 2 + run["Pi_y"] ** 2) / (2.0 * params["m"])
        + run["Pi_psi"] ** 2 / (2.0 * params["I"])
    )


def constraint_1(params: Values, run: Components) -> Array:
    """No slipping sideways: Pi_y/sqrt(m)."""
    return run["Pi_y"] / np.sqrt(params["m"])


def constraint_2(params: Values, run: Components) -> Array:
    """No slipping forwards: (I Pi_x - m R Pi_psi)/sqrt(m I (I + m R^2))."""
    m, radius, inertia = params["m"], params["R"], params["I"]
    gap = inertia * run["Pi_x"] - m * radius * run["Pi_psi"]
    return gap / np.sqrt(m * inertia * (inertia + m * radius**2))


def draw(run: Trajectory) -> Motion:
    """The upright disk with its spokes, and the path of its contact point."""
    radius, heading, rolled = run.params["R"], run["theta"], run["psi"]
    angle = np.linspace(0.0, 2.0 * np.pi, 49)
    rim = radius * np.stack([np.cos(angle), np.zeros(49), np.sin(angle)], axis=1)
    spokes = tuple(
        Curve(radius * np.array([[-c, 0.0, -s], [c, 0.0, s]]), "axis_1") for c, s in ((1.0, 0.0), (0.0, 1.0))
    )
    # Rolling forwards turns the top forwards: a turn by psi about the second axis of the disk, then one by the heading
    # about the vertical.
    forward, left = (np.cos(heading), np.sin(heading)), (-np.sin(heading), np.cos(heading))
    c, s, attitude = np.cos(rolled), np.sin(rolled), np.zeros((len(run), 3, 3))
    for row in range(2):
        attitude[:, row, 0], attitude[:, row, 1], attitude[:, row, 2] = forward[row] * c, left[row], forward[row] * s
    attitude[:, 2, 0], attitude[:, 2, 2] = -s, c
    place = np.stack([run["x"], run["y"], np.full(len(run), radius)], axis=1)
    body = Part((Curve(rim, "body"), *spokes), attitude, place)
    return Motion((body,), (Curve(place * np.array([1.0, 1.0, 0.0]), "path"),), floor=True)


SYSTEM = System(
    id="rolling_disk",
    position=50,
    family="Relatives",
    line="An upright coin runs round a circle.",
    title="Rolling disk",
    summary=(
        "An upright coin rolls without slipping while it turns about the vertical: "
        "its contact point runs round a circle."
    ),
    parameters=(
        Parameter("m", 1.0, 0.001, 1000.0, "mass", "m", "kg", (0.1, 5.0)),
        Parameter("R", 1.0, 0.001, 1000.0, "radius", "R", "m", (0.1, 3.0)),
        Parameter("I", 0.5, 0.001, 1000.0, "moment of inertia about the axle", "I", "kg m^2", (0.1, 3.0)),
        Parameter("J", 0.25, 0.001, 1000.0, "moment of inertia about a diameter", "J", "kg m^2", (0.1, 3.0)),
    ),
    initial=(
        Parameter("x", 0.0, -1e5, 1e5, "contact point, first coordinate", "x", "m", (-5.0, 5.0)),
        Parameter("y", 0.0, -1e5, 1e5, "contact point, second coordinate", "y", "m", (-5.0, 5.0)),
        Parameter("theta", 0.0, -1e5, 1e5, "heading", r"\theta", "rad", (-3.2, 3.2)),
        Parameter("psi", 0.0, -1e5, 1e5, "angle of rolling", r"\psi", "rad", (-3.2, 3.2)),
        Parameter("Pi_theta", 0.15, -1000.0, 1000.0, "momentum of turning", r"\Pi_\theta", "kg m^2/s", (-1.0, 1.0)),
        Parameter("Pi_psi", 0.8, -1000.0, 1000.0, "momentum of rolling", r"\Pi_\psi", "kg m^2/s", (-2.0, 2.0)),
    ),
    step=Parameter("step", 0.005, 1e-9, 100.0, "time step", r"\varepsilon", "s", (1e-4, 0.1)),
    duration=Parameter("duration", 12.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 60.0)),
    default_method="feedback",
    components=(
        Component("theta", "heading", "rad", r"\theta"),
        Component("x", "contact point, first coordinate", "m"),
        Component("y", "contact point, second coordinate", "m"),
        Component("psi", "angle of rolling", "rad", r"\psi"),
        Component("Pi_theta", "momentum of turning", "kg m^2/s", r"\Pi_\theta"),
        Component("Pi_x", "momentum along the disk", "kg m/s", r"\Pi_x"),
        Component("Pi_y", "momentum across the disk", "kg m/s", r"\Pi_y"),
        Component("Pi_psi", "momentum of rolling", "kg m^2/s", r"\Pi_\psi"),
    ),
    methods=(
        Method(
            "exact",
            "Flow",
            None,
            ("energy", "constraint_1", "constraint_2"),
            run_exact,
            discrete=False,
            truth=True,
            small="closed form",
        ),
        feedback.flow_method(EXTENSION, ("energy", "constraint_1", "constraint_2")),
        feedback.method(
            EXTENSION, "Here the momenta are constant even for the plain scheme: there is nothing to correct."
        ),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "h"),
        Quantity("constraint_1", "slipping sideways", True, constraint_1, "sqrt(kg) m/s", "J_1"),
        Quantity("constraint_2", "slipping forwards", True, constraint_2, "sqrt(kg) m/s", "J_2"),
    ),
    in_time=("x", "y", "theta", "psi"),
    portraits=(Portrait("path", "Path of the contact point", ("x", "y")),),
    equations=(
        Equation(
            r"\Pi_y = 0,\qquad I\,\Pi_x - mR\,\Pi_\psi = 0",
            "constraints: no slipping, neither sideways nor forwards",
            "CP section 3.4, corrected",
        ),
        Equation(
            r"\dot\theta = \frac{\Pi_\theta}J,\quad (\dot x,\dot y) = \frac{\Pi_x}m(\cos\theta,\sin\theta),\quad "
            r"\dot\psi = \frac{\Pi_\psi}I,\quad \dot\Pi = 0",
            "the motion, and the extension off the constraints",
            "CP (60)",
        ),
        Equation(
            r"\dot\Pi_i = -k_i(\Pi_i - \Pi_{i0})", "the feedback: exponential convergence to the momenta", "CP (61)"
        ),
    ),
    experiments=(
        Experiment("The circle", "The coin rolls round a circle of radius R psi'/theta'."),
        Experiment("Straight on", "Without turning it rolls along a line.", initial={"Pi_theta": 0.0}),
        Experiment("Long steps", "Euler's circle is too wide: feedback cannot help.", step=0.1, duration=30.0),
    ),
    draw=draw,
    kernels=("flow", "feedback", "crossings", "rolling_disk_feedback"),
)
