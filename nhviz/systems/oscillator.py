r"""The nonholonomic oscillator: a particle on a spring in space, with x' + y z' = 0.

H = (|p|^2 + |q|^2)/2 with the constraint p_x + y p_z = 0 (CP section 3.7). With a = y p_x - p_z, b = p_x + y p_z and
r = 1 + y^2:

* y is an oscillator of its own: y'' = -y, and H_y = (p_y^2 + y^2)/2 is kept.
* J = b/sqrt(r), Ht = a^2/(2r) + p_y^2/2 + |q|^2/2. Extension: CP's q' = dHt/dp, p' = -dHt/dq + lambda e, with
  a b/r^2 added to p_y' and -(p_y b/r^2)(y, 0, -1) to p'. CP's own field keeps Ht and J, but H_y only on the constraint;
  this one keeps Ht, H, J and H_y everywhere.
* `dla` (CP (84), (85)): q_{i+1} = (2 - h^2) q_i - q_{i-1} - h^2 lambda (1, 0, y_i), with lambda from
  (q_{i+1} - q_i).(1, 0, y_i) = 0, and p_{i+1} = (q_{i+1} - q_i)/h. It keeps y^2 + p_y^2 - h y p_y exactly. Its
  constraint pairs p_{i+1} with y_i: with y_{i+1} it is of the order of h.
* On the section y = 0, y' > 0 the return map is a rotation of the sphere x^2 + z^2 + p_z^2 = 2 (H - H_y)
  (`nhviz.analysis.sections`).
"""

from collections.abc import Mapping

import numpy as np

from nhviz import kernels
from nhviz.measures import oscillator as oscillator_measures
from nhviz.methods import extensions, feedback, particle, stops
from nhviz.parameters import Parameter
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, ellipsoid
from nhviz.system import (
    Array,
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


def extended(y: Array, p: Array, dy: Array) -> None:
    """y = (x, y, z, p_x, p_y, p_z): CP section 3.7, repaired."""
    r = 1.0 + y[1] * y[1]
    a, b = y[1] * y[3] - y[5], y[3] + y[1] * y[5]
    dy[0], dy[1], dy[2] = a * y[1] / r, y[4], -a / r
    # lambda e = force (1, 0, y); the repair acts along (y, 0, -1) and cancels the tilt's pull on p_y.
    force = ((y[0] + y[1] * y[2]) * r + a * y[4]) / (r * r)
    repair = -y[4] * b / (r * r)
    dy[3] = -y[0] + force + repair * y[1]
    dy[4] = -y[1]
    dy[5] = -y[2] + force * y[1] - repair


def conserved(y: Array, p: Array, values: Array, gradients: Array) -> None:
    """Ht, H_y and J."""
    r = 1.0 + y[1] * y[1]
    root = np.sqrt(r)
    a, b = y[1] * y[3] - y[5], y[3] + y[1] * y[5]
    values[0] = a * a / (2.0 * r) + 0.5 * (y[4] * y[4] + y[0] * y[0] + y[1] * y[1] + y[2] * y[2])
    gradients[0, 0], gradients[0, 1], gradients[0, 2] = y[0], y[1] + a * b / (r * r), y[2]
    gradients[0, 3], gradients[0, 4], gradients[0, 5] = a * y[1] / r, y[4], -a / r
    values[1] = 0.5 * (y[4] * y[4] + y[1] * y[1])
    gradients[1, 1], gradients[1, 4] = y[1], y[4]
    values[2] = b / root
    gradients[2, 1], gradients[2, 3], gradients[2, 5] = -a / (r * root), 1.0 / root, y[1] / root


def start(params: Values, initial: Mapping[str, Array]) -> Array:
    """States on the constraint: p_x = -y p_z."""
    x, y, z, p_y, p_z = (np.asarray(initial[name], dtype=float) for name in ("x", "y", "z", "p_y", "p_z"))
    return np.array([x, y, z, -y * p_z, p_y, p_z])


def reaction(y: Array, p: Array) -> Array:
    """The direction (1, 0, y) of the constraint's force."""
    return np.array([0.0, 0.0, 0.0, 1.0, 0.0, y[1]])


EXTENSION = extensions.Extension(
    field=extended,
    conserved=conserved,
    gains=("k1", "k2", "k3"),
    meanings={"k1": "the energy", "k2": "the energy of y", "k3": "the constraint"},
    parameters=particle.parameters,
    start=start,
    components=extensions.named(particle.VARIABLES),
    state=extensions.stacked(particle.VARIABLES),
    about="Uses CP's extension repaired, so that the energy of y is kept off the constraint too.",
    constraint="k3",
    reaction=reaction,
    orbit=lambda: kernels.oscillator_feedback.orbit,
)


def run_dla(task: Task) -> Samples:
    """Orbits of the discrete Lagrange-d'Alembert map."""
    starts = start(task.params, task.initial)
    states = np.empty((6, task.orbits, task.samples))
    row = np.empty((6, task.samples))
    lengths, reasons = np.empty(task.orbits, dtype=int), []
    for i in range(task.orbits):
        first = np.ascontiguousarray(starts[:, i])
        taken = kernels.oscillator.orbit(first, task.step, task.last, task.every, feedback.LIMIT, row)
        lengths[i] = taken // task.every + 1
        reasons.append(None if taken == task.last else unstable(task, int(taken)))
        states[:, i] = row
    return Samples(EXTENSION.components(task.params, states), lengths, tuple(reasons))


def unstable(task: Task, steps: int) -> str:
    """Why a run of the map ended early."""
    return f"the map left |q| < {feedback.LIMIT:g} {stops.after(steps)}: its step {abs(task.step):g} must stay below 2."


def energy(params: Values, run: Components) -> Array:
    """H."""
    squares = sum(run[name] ** 2 for name in particle.VARIABLES)
    return 0.5 * np.asarray(squares)


def energy_y(params: Values, run: Components) -> Array:
    """H_y."""
    return 0.5 * (run["p_y"] ** 2 + run["y"] ** 2)


def constraint(params: Values, run: Components) -> Array:
    """p_x + y p_z."""
    return run["p_x"] + run["y"] * run["p_z"]


def draw(run: Trajectory) -> Motion:
    """The particle with the line to its resting place, and its path."""
    place = np.stack([run["x"], run["y"], run["z"]], axis=1)
    size = 0.05 * max(float(np.abs(place).max()), 1e-3)
    still = np.broadcast_to(np.eye(3), (len(run), 3, 3)).copy()
    body = Part((ellipsoid(np.full(3, size), np.eye(3), "body"),), still, place)
    centre = Curve(np.array([[0.0, 0.0, -size], [0.0, 0.0, size]]), "axis_1")
    return Motion((body,), (Curve(place, "path"), centre))


SYSTEM = System(
    id="oscillator",
    position=80,
    family="Relatives",
    line="One coordinate drives the others round.",
    title="Nonholonomic oscillator",
    summary=(
        "A particle on a spring in space whose velocity obeys x' + y z' = 0. One coordinate swings by itself and "
        "drives the others round: on a section they turn as on a sphere."
    ),
    parameters=(),
    initial=(
        Parameter("x", 1.0, -100.0, 100.0, "first coordinate", "x", "m", (-2.0, 2.0)),
        Parameter("y", 1.0, -100.0, 100.0, "second coordinate, which swings by itself", "y", "m", (-2.0, 2.0)),
        Parameter("z", 1.0, -100.0, 100.0, "third coordinate", "z", "m", (-2.0, 2.0)),
        Parameter("p_y", 0.0, -100.0, 100.0, "momentum along y", "p_y", "kg m/s", (-2.0, 2.0)),
        Parameter("p_z", 0.0, -100.0, 100.0, "momentum along z; that along x follows", "p_z", "kg m/s", (-2.0, 2.0)),
    ),
    step=Parameter("step", 0.001, 1e-9, 100.0, "time step", r"\varepsilon", "s", (1e-4, 0.05)),
    duration=Parameter("duration", 20.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 200.0)),
    default_method="feedback",
    components=particle.COMPONENTS,
    methods=(
        feedback.flow_method(EXTENSION),
        Method(
            "dla",
            "Lagrange–d’Alembert",
            1,
            (),
            run_dla,
            invertible=False,
            remark=(
                "Keeps y^2 + p_y^2 - h y p_y exactly; its constraint pairs p with the y of the step before, so the one "
                "shown here is of the order of the step."
            ),
        ),
        feedback.method(EXTENSION),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "H"),
        Quantity("energy_y", "energy of the swing along y", True, energy_y, "J", "H_y"),
        Quantity("constraint", "velocity off the allowed plane", True, constraint, "kg m/s", "p_x + y p_z"),
    ),
    in_time=("x", "y", "z"),
    portraits=(
        Portrait("path", "Path in space", ("x", "y", "z")),
        Portrait("xz", "x and z", ("x", "z")),
    ),
    equations=(
        Equation(r"p_x + y\,p_z = 0", "the constraint", "CP section 3.7"),
        Equation(
            r"\dot q = p,\qquad \dot p = -q + \lambda(1, 0, y),\qquad \ddot y = -y", "the motion", "CP section 3.7"
        ),
        Equation(
            r"\tilde H = \frac{(y p_x - p_z)^2}{2(1 + y^2)} + \tfrac12 p_y^2 + \tfrac12|q|^2,\quad "
            r"J = \frac{p_x + y p_z}{\sqrt{1 + y^2}},\quad H_y = \tfrac12(p_y^2 + y^2)",
            "what the feedback keeps; with the repaired field all three are kept off the constraint",
            "CP section 3.7, repaired",
        ),
        Equation(
            r"q_{i+2} = (2 - h^2)q_{i+1} - q_i - h^2\lambda(1, 0, y_{i+1})",
            "Lagrange–d’Alembert; lambda from the constraint of the new step",
            "CP (84), (85)",
        ),
        Equation(
            r"x^2 + z^2 + p_z^2 = 2(H - H_y)\quad\text{at } y = 0,\ \dot y > 0",
            "on the section the motion is a rotation of this sphere",
            "",
        ),
    ),
    experiments=(
        Experiment(
            "Feedback against Lagrange–d’Alembert",
            "Lagrange–d’Alembert loses energy slowly; the feedback keeps it.",
            duration=60.0,
            method="feedback",
        ),
        Experiment("Long steps", "With ten times the step both are ten times worse.", step=0.01, duration=60.0),
        Experiment("Another start", "The path fills a surface.", initial={"x": 0.3, "p_z": 0.8}, duration=100.0),
    ),
    draw=draw,
    kernels=("oscillator", "flow", "feedback", "crossings", "oscillator_feedback"),
    sweep_kernels=("oscillator_section",),
    measures=oscillator_measures.measures(),
)
