"""A skate on ice: it turns at a constant rate and glides along its blade at a constant speed.

x' = v cos theta, y' = v sin theta, theta' = omega: a circle of radius v / omega, the simplest nonholonomic motion.
"""

import numpy as np

from nhviz.methods import reference
from nhviz.parameters import Parameter
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, plane_rotations
from nhviz.system import Array, Component, Components, Equation, Method, Quantity, Samples, System, Task, Values

STATE = ("x", "y", "theta")


def field(y: Array, p: Array, dy: Array) -> None:
    """y = (x, y, theta), p = (v, omega)."""
    dy[0], dy[1], dy[2] = p[0] * np.cos(y[2]), p[0] * np.sin(y[2]), p[1]


def run_exact(task: Task) -> Samples:
    """The circle; its chord over a time t is v t sinc(omega t / 2)."""
    v, omega = task.params["v"], task.params["omega"]
    x, y, theta = (task.initial[name][:, None] for name in STATE)
    turn = omega * task.times[None, :]
    chord = v * task.times * np.sinc(turn / (2.0 * np.pi))
    aim = theta + 0.5 * turn
    return Samples.complete(task, {"x": x + chord * np.cos(aim), "y": y + chord * np.sin(aim), "theta": theta + turn})


def run_reference(task: Task) -> Samples:
    """The differential equations."""
    starts = np.vstack([task.initial[name] for name in STATE])
    parameters = np.array([task.params["v"], task.params["omega"]])
    states, lengths, reasons = reference.integrate(field, parameters, starts, task)
    return Samples(dict(zip(STATE, states, strict=True)), lengths, reasons)


def run_euler(task: Task) -> Samples:
    """Explicit Euler steps."""
    theta = task.initial["theta"][:, None] + task.params["omega"] * task.step * np.arange(task.steps + 1)
    reach = task.params["v"] * task.step
    zero = np.zeros((task.orbits, 1))
    x = task.initial["x"][:, None] + np.hstack([zero, reach * np.cumsum(np.cos(theta[:, :-1]), axis=1)])
    y = task.initial["y"][:, None] + np.hstack([zero, reach * np.cumsum(np.sin(theta[:, :-1]), axis=1)])
    return Samples.complete(
        task, {name: values[:, :: task.every] for name, values in zip(STATE, (x, y, theta), strict=True)}
    )


def draw(run: Trajectory) -> Motion:
    """The blade on its path."""
    place = np.stack([run["x"], run["y"]], axis=1)
    blade = Curve(np.array([[-0.5, 0.0], [0.5, 0.0]]), "blade")
    return Motion((Part((blade,), plane_rotations(run["theta"]), place),), (Curve(place, "path"),))


def centre_distance(params: Values, run: Components) -> Array:
    """Squared distance of the contact point from the circle's centre, times omega squared."""
    first = params["omega"] * (run["x"] - run["x"][0]) + params["v"] * np.sin(run["theta"][0])
    second = params["omega"] * (run["y"] - run["y"][0]) - params["v"] * np.cos(run["theta"][0])
    return first**2 + second**2


SYSTEM = System(
    id="skate",
    title="Skate on ice",
    summary="A blade glides at a constant speed and turns at a constant rate. Its path is a circle.",
    parameters=(
        Parameter("v", 1.0, -10.0, 10.0, "speed along the blade", "v", "m/s"),
        Parameter("omega", 0.5, -10.0, 10.0, "rate of turning", r"\omega", "rad/s"),
    ),
    initial=(
        Parameter("x", 0.0, -100.0, 100.0, "contact point, first coordinate", "x", "m"),
        Parameter("y", 0.0, -100.0, 100.0, "contact point, second coordinate", "y", "m"),
        Parameter("theta", 0.0, -10.0, 10.0, "heading", r"\theta", "rad"),
    ),
    step=Parameter("step", 0.05, 1e-6, 10.0, "time step", "h", "s"),
    duration=Parameter("duration", 10.0, 0.0, 1e4, "length of the run", "T", "s"),
    default_method="exact",
    components=(
        Component("x", "contact point, first coordinate", "m"),
        Component("y", "contact point, second coordinate", "m"),
        Component("theta", "heading", "rad"),
    ),
    methods=(
        Method("exact", "Circle", None, ("circle",), run_exact, discrete=False, truth=True),
        Method("reference", "Reference flow", 8, (), run_reference, discrete=False, truth=True),
        Method("euler", "Euler", 1, (), run_euler, invertible=False),
    ),
    quantities=(Quantity("circle", "omega^2 times the squared distance from the centre", True, centre_distance),),
    equations=(Equation(r"\dot x = v\cos\theta,\ \dot y = v\sin\theta,\ \dot\theta = \omega", "gliding and turning"),),
    draw=draw,
)
