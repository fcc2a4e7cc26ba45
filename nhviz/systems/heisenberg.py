r"""The Heisenberg system: a free particle in space whose velocity stays in the planes z' = y x' - x y'.

H = |p|^2/2 with the constraint p_z - y p_x + x p_y = 0 (CP section 3.6).

* The multiplier vanishes: q' = p, p' = 0, straight lines that satisfy the constraint for ever.
* J1 = p_z - y p_x + x p_y, J2 = x p_y - y p_x and H are kept, on the constraint and off it: the equations are their own
  extension (CP (67)).
* The gradient of J1 grows with the distance from the axis, and so does Lambda ~ k (x^2 + y^2): a feedback with a fixed
  explicit step and a fixed gain must fail at last, although Euler's scheme is exact here.
"""

from collections.abc import Mapping

import numpy as np

from nhviz import kernels
from nhviz.methods import extensions, feedback, particle
from nhviz.parameters import Parameter
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Mesh, Motion, Part, ellipsoid
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

PATCHES = 7
"""So many patches of allowed planes stand along a path."""


def extended(y: Array, p: Array, dy: Array) -> None:
    """y = (x, y, z, p_x, p_y, p_z): CP (67)."""
    dy[0], dy[1], dy[2] = y[3], y[4], y[5]
    dy[3], dy[4], dy[5] = 0.0, 0.0, 0.0


def conserved(y: Array, p: Array, values: Array, gradients: Array) -> None:
    """J1, J2 and H."""
    spin = y[0] * y[4] - y[1] * y[3]
    values[0], values[1] = y[5] + spin, spin
    for i in range(2):
        gradients[i, 0], gradients[i, 1], gradients[i, 3], gradients[i, 4] = y[4], -y[3], -y[1], y[0]
    gradients[0, 5] = 1.0
    values[2] = 0.5 * (y[3] * y[3] + y[4] * y[4] + y[5] * y[5])
    gradients[2, 3], gradients[2, 4], gradients[2, 5] = y[3], y[4], y[5]


def start(params: Values, initial: Mapping[str, Array]) -> Array:
    """States on the constraint: p_z = y p_x - x p_y."""
    x, y, z, p_x, p_y = (np.asarray(initial[name], dtype=float) for name in ("x", "y", "z", "p_x", "p_y"))
    return np.array([x, y, z, p_x, p_y, y * p_x - x * p_y])


def reaction(y: Array, p: Array) -> Array:
    """The direction (-y, x, 1) across the allowed plane; the angular momentum J2 changes with it."""
    return np.array([0.0, 0.0, 0.0, -y[1], y[0], 1.0])


EXTENSION = extensions.Extension(
    field=extended,
    conserved=conserved,
    gains=("k1", "k2", "k3"),
    meanings={"k1": "the constraint", "k2": "J2", "k3": "the energy"},
    parameters=particle.parameters,
    start=start,
    components=extensions.named(particle.VARIABLES),
    state=extensions.stacked(particle.VARIABLES),
    about="Uses CP (67): the equations are their own extension.",
    reaction=reaction,
    orbit=lambda: kernels.heisenberg_feedback.orbit,
)


def run_exact(task: Task) -> Samples:
    """Straight lines."""
    first = start(task.params, task.initial)[:, :, None]
    states = np.broadcast_to(first, (6, task.orbits, task.samples)).copy()
    states[:3] += first[3:] * task.times
    return Samples.complete(task, EXTENSION.components(task.params, states))


def energy(params: Values, run: Components) -> Array:
    """H."""
    return 0.5 * (run["p_x"] ** 2 + run["p_y"] ** 2 + run["p_z"] ** 2)


def spin(params: Values, run: Components) -> Array:
    """J2, the angular momentum about the third axis."""
    return run["x"] * run["p_y"] - run["y"] * run["p_x"]


def constraint(params: Values, run: Components) -> Array:
    """J1."""
    return run["p_z"] + spin(params, run)


def draw(run: Trajectory) -> Motion:
    """The particle with the directions it may take: a patch of the plane that the constraint allows, and its path.

    Some of these patches stand along the path, so that their tilting is seen at once.
    """
    place = np.stack([run["x"], run["y"], run["z"]], axis=1)
    size = 0.045 * max(float(np.ptp(place, axis=0).max()), 1.0)
    normal = np.stack([-run["y"], run["x"], np.ones(len(run))], axis=1)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    first = np.stack([normal[:, 2], np.zeros(len(run)), -normal[:, 0]], axis=1)
    first /= np.linalg.norm(first, axis=1)[:, None]
    frame = np.stack([first, np.cross(normal, first), normal], axis=2)
    angle = np.linspace(0.0, 2.0 * np.pi, 33)
    rim = 4.0 * size * np.stack([np.cos(angle), np.sin(angle), np.zeros(33)], axis=1)
    body = Part((ellipsoid(np.full(3, size), np.eye(3), "body"), Curve(rim, "forbidden_plane")), frame, place)
    some = np.linspace(0, len(run) - 1, min(PATCHES, len(run))).round().astype(int)
    return Motion((body,), (Curve(place, "path"), patches(rim, frame[some], place[some])))


def patches(rim: Array, frames: Array, places: Array) -> Mesh:
    """Discs with a rim, in frames at places."""
    fan = np.stack([np.zeros(len(rim) - 1), np.arange(1, len(rim)), np.arange(2, len(rim) + 1)], axis=1).astype(int)
    disc = np.vstack([np.zeros(3), rim])
    vertices = np.einsum("tij,pj->tpi", frames, disc) + places[:, None]
    triangles = fan + len(disc) * np.arange(len(places))[:, None, None]
    return Mesh(vertices.reshape(-1, 3), triangles.reshape(-1, 3), "patches")


SYSTEM = System(
    id="heisenberg",
    position=70,
    family="Relatives",
    line="Straight lines in planes that tilt.",
    title="Heisenberg system",
    summary=(
        "A free particle whose velocity must lie in planes that tilt with its place. It moves on straight lines, "
        "and yet it is where a feedback with a fixed step must fail."
    ),
    parameters=(),
    initial=(
        Parameter("x", 0.3, -1000.0, 1000.0, "first coordinate", "x", "m", (-2.0, 2.0)),
        Parameter("y", -0.2, -1000.0, 1000.0, "second coordinate", "y", "m", (-2.0, 2.0)),
        Parameter("z", 0.5, -1000.0, 1000.0, "third coordinate", "z", "m", (-2.0, 2.0)),
        Parameter("p_x", 1.0, -100.0, 100.0, "momentum along x", "p_x", "kg m/s", (-2.0, 2.0)),
        Parameter("p_y", 0.5, -100.0, 100.0, "momentum along y; that along z follows", "p_y", "kg m/s", (-2.0, 2.0)),
    ),
    step=Parameter("step", 0.005, 1e-9, 100.0, "time step", r"\varepsilon", "s", (1e-4, 0.05)),
    duration=Parameter("duration", 2.0, 0.0, 1e5, "length of the run", "T", "s", (1.0, 20.0)),
    default_method="feedback",
    components=particle.COMPONENTS,
    methods=(
        Method(
            "exact",
            "Flow",
            None,
            ("energy", "constraint", "J2"),
            run_exact,
            discrete=False,
            truth=True,
            small="closed form",
        ),
        feedback.flow_method(EXTENSION, ("energy",)),
        feedback.method(
            EXTENSION, "The plain scheme is exact here; the gain only amplifies round-off far from the axis."
        ),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "H"),
        Quantity("constraint", "slipping off the allowed plane", True, constraint, "kg m/s", "J_1"),
        Quantity("J2", "angular momentum about the third axis", True, spin, "kg m^2/s", "J_2"),
    ),
    in_time=("x", "y", "z"),
    portraits=(Portrait("path", "Path in space", ("x", "y", "z")),),
    equations=(
        Equation(r"p_z - y\,p_x + x\,p_y = 0", "the constraint", "CP section 3.6"),
        Equation(r"\dot q = p,\qquad \dot p = 0", "the motion; the multiplier vanishes", "CP (66), (67)"),
        Equation(
            r"\Lambda \approx k\,(x^2 + y^2)", "the stability number grows without bound along a line", "CP section 3.6"
        ),
    ),
    experiments=(
        Experiment("A straight line", "The path is straight although the allowed planes tilt."),
        Experiment(
            "Feedback fails",
            "Far from the axis step * Lambda passes 2, and round-off is amplified until the run is lost.",
            step=0.001,
            duration=6.0,
        ),
        Experiment("Round the axis", "A start without J2 moves in a horizontal plane.", initial={"x": 0.0, "y": 0.0}),
    ),
    draw=draw,
    kernels=("flow", "feedback", "crossings", "heisenberg_feedback"),
)
