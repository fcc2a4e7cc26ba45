r"""The Suslov top in n dimensions: a body turns about a fixed point, but only in planes that contain its own last axis.

With the mass tensor J, chosen so that it is diagonal but for its last column j = (J_1n, ..., J_{n-1,n}), the velocities
w_i = omega_in of the turns in the planes (e_i, e_n), C = diag(J_i + J_n), p = C w:

* Flow (FZ (4.8)-(4.10)): C w' = w <j, w> - j |w|^2. The energy E = <w, C w>/2 is kept. Equilibria are the permanent
  turns w = s j, whatever n is: sources for s > 0, sinks for s < 0. Every other orbit runs on its ellipsoid E = const
  from the source to the sink, as <j, p> only falls, in a step too: the body ends up turning the other way.
  R' = R omega.
* `moser_veselov` (FZ section 6) with time step eps: displacements (FZ (6.7)) turn e_n in the plane of z, with
  z_0^2 + |z|^2 = 1; eps p = 2 (z_0 C z + (|z|^2 j - z <z, j>)) before the step, and with the bracket's sign reversed
  after it. As z is orthogonal to the bracket, <p, C^-1 p> is the same on both sides: the energy is kept on every
  branch, for every body (FZ Theorem 6.2 in every dimension; `nhviz.analysis.symmetric_pairs`). The map is symmetric,
  hence of order 2.
* n = 3 is `suslov` with I11 = J_2 + J_n, I22 = J_1 + J_n, I33 = J_1 + J_2, I13 = -J_1n, I23 = -J_2n and
  p_1 = M2, p_2 = -M1.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.groups import plane, special_orthogonal
from nhviz.measures import lyapunov
from nhviz.methods import rotations, turning
from nhviz.parameters import Parameter, ParameterError
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Mesh, Motion, Part, Points, Shape, box, unit_sphere
from nhviz.system import (
    Array,
    Bound,
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

MOST = 6
# Of the lines of the flow: rate times step, where the classical method of Runge and Kutta is stable; steps in one.
STABLE, MOST_BETWEEN = 0.7, 5
Known = tuple[tuple[str, float], ...]
"""Parameters as what a cache is asked with."""


def dimension(params: Values) -> int:
    """n."""
    return int(params["n"])


def mass_tensor(params: Values) -> Array:
    """J."""
    n = dimension(params)
    tensor = np.diag([*(params[f"J{i}"] for i in range(1, n)), params["Jn"]])
    tensor[:-1, -1] = tensor[-1, :-1] = last_column(params)
    return tensor


def last_column(params: Values) -> Array:
    """j: the products of mass with the last axis."""
    return np.array([params[f"J{i}n"] for i in range(1, dimension(params))])


def moments(params: Values) -> Array:
    """C: the moments of inertia of the allowed turns."""
    return np.array([params[f"J{i}"] for i in range(1, dimension(params))]) + params["Jn"]


@lru_cache(maxsize=32)
def principal_masses(params: Known) -> tuple[Array, Array]:
    """The eigenvalues of J, the smallest first, and its eigenvectors as columns."""
    masses, frame = np.linalg.eigh(mass_tensor(dict(params)))
    return masses, frame


def check(params: Values) -> None:
    """Every turn must have energy: the two smallest principal masses must have a positive sum."""
    masses, _ = principal_masses(tuple(params.items()))
    if masses[0] + masses[1] <= 1e-9 * np.abs(masses).max():
        raise ParameterError(
            "The inertia must be positive: the two smallest principal masses must have a positive sum, not "
            f"{masses[0]:.4g} + {masses[1]:.4g}; raise the masses or lower the products J1n, J2n, ...",
            "Jn",
        )


def remarks(params: Values) -> list[str]:
    """A real body has no negative mass; the equations do not need it."""
    least = float(principal_masses(tuple(params.items()))[0][0])
    return [f"Mathematical, not a real body: a principal mass is {least:.4g}."] if least < -1e-12 else []


def body(params: Values) -> turning.Body:
    """The engine's system: turns in the planes (e_i, e_n)."""
    return known_body(tuple(params.items()))


@lru_cache(maxsize=32)
def known_body(known: Known) -> turning.Body:
    """The system of some parameters, made once: one picture asks for it several times."""
    params = dict(known)
    n = dimension(params)
    return turning.Body(
        special_orthogonal(n),
        mass_tensor(params),
        tuple(plane(n, i, n - 1) for i in range(n - 1)),
        n - 1,
        moments(params),
        last_column(params),
        np.zeros(n - 1),
    )


def names(params: Values, letter: str) -> list[str]:
    """p1, p2, ... or w1, w2, ..."""
    return [f"{letter}{i}" for i in range(1, dimension(params))]


def starts(task: Task) -> Array:
    """Momenta (n - 1, orbits)."""
    return np.array([task.initial[name] for name in names(task.params, "p")], dtype=float)


def samples(task: Task, orbits: turning.Orbits) -> Samples:
    """Components by name."""
    velocities = orbits.momenta / moments(task.params)[:, None, None]
    components = dict(zip(names(task.params, "p"), orbits.momenta, strict=True))
    components |= dict(zip(names(task.params, "w"), velocities, strict=True))
    components |= {"R": orbits.attitudes}
    return Samples({n: part for n, part in components.items() if n not in task.skip}, orbits.lengths, orbits.reasons)


def run_reference(task: Task) -> Samples:
    """The flow and the attitude."""
    return samples(task, turning.run_flow(task, body(task.params), starts(task)))


def run_moser_veselov(task: Task) -> Samples:
    """Orbits of the Moser-Veselov map."""
    return samples(task, turning.run_map(task, body(task.params), starts(task), "R" not in task.skip))


def largest_step(params: Values, initial: Values) -> float:
    """The step at which the principal branch of the start folds."""
    return turning.largest_step(body(params), np.array([initial[name] for name in names(params, "p")]))


def energy(params: Values, run: Components) -> Array:
    """<p, C^-1 p>/2."""
    squares = [run[f"p{i + 1}"] ** 2 / c for i, c in enumerate(moments(params))]
    return 0.5 * np.sum(squares, axis=0)


def equilibria(params: Values, level: float) -> tuple[Array, Array] | None:
    """Momenta of the sink and of the source at an energy; None for j = 0, where every turn is permanent."""
    c, j = moments(params), last_column(params)
    size = float(np.sqrt(j @ (c * j)))
    if size == 0.0 or level <= 0.0:
        return None
    sink = -np.sqrt(2.0 * level) / size * c * j
    return sink, -sink


def flow_lines(params: Values, level: float, lines: int = 16, steps: int = 60) -> Array:
    """Momenta on orbits of an energy in four dimensions, one after the other, there and back: all join the same ends.

    Each begins halfway, orthogonal to j, and is followed by the classical method of Runge and Kutta. The flow is
    quadratic, so that backwards in time a line is that of the opposite start, reversed: they are an even number.
    """
    c, j = moments(params), last_column(params)
    aside = np.linalg.svd(j[None])[2][1:]
    angles = 2.0 * np.pi * np.arange(lines // 2)[:, None] / lines
    half = np.cos(angles) * aside[0] + np.sin(angles) * aside[1]
    half *= np.sqrt(2.0 * level / (half * half @ c))[:, None]
    # The ends are approached at rates |w| |j| / c, the fastest of which bounds the step. With very unequal moments the
    # lines end before they are there.
    span = 8.0 * c.max() / (np.linalg.norm(j) * np.linalg.norm(half, axis=1).min())
    longest = STABLE * c.min() / (np.linalg.norm(j) * np.sqrt(2.0 * level / c.min()))
    between = int(min(np.ceil(span / (steps * longest)), MOST_BETWEEN))
    path = np.empty((lines, steps + 1, 3))
    path[: lines // 2, 0], path[lines // 2 :, 0] = half, -half
    kernels.suslov_lines.follow(tuple(c), tuple(j), min(span / (steps * between), longest), between, path)
    whole = np.concatenate([-np.roll(path, lines // 2, axis=0)[:, :0:-1], path], axis=1)
    whole[1::2] = whole[1::2, ::-1]
    return whole.reshape(-1, 3) * c


@lru_cache(maxsize=32)
def unit_flow_lines(params: Known) -> Array:
    """The lines of a body for the energy 1; those of E are sqrt(E) times as large, since the flow is quadratic."""
    return flow_lines(dict(params), 1.0)


def momentum_space(run: Trajectory) -> Sequence[Shape]:
    """The ellipsoid of the run's energy, or its shadow, with orbits of the flow, the equilibria and their line."""
    level, c = float(run.quantity("energy")[0]), moments(run.params)[:3]
    semi_axes = np.sqrt(2.0 * level * c)
    shapes: list[Shape] = []
    if len(c) == 3:
        vertices, triangles = unit_sphere()
        shapes.append(Mesh(vertices * semi_axes, triangles, "energy"))
    else:
        angles = np.linspace(0.0, 2.0 * np.pi, 121)
        shapes.append(Curve(np.stack([np.cos(angles), np.sin(angles)], axis=1) * semi_axes, "energy"))
    ends = equilibria(run.params, level)
    if ends is not None:
        sink, source = ends[0][None, : len(c)], ends[1][None, : len(c)]
        if dimension(run.params) == 4:
            shapes.append(Curve(np.sqrt(level) * unit_flow_lines(tuple(run.params.items())), "flow"))
        shapes += [
            Curve(np.vstack([sink, source]), "equilibria"),
            Points(sink, "stable"),
            Points(source, "unstable"),
        ]
    return shapes


def draw(run: Trajectory) -> Motion:
    """A box with the body's principal masses and the turned axis, seen in the first three dimensions of space."""
    n = dimension(run.params)
    masses, frame = principal_masses(tuple(run.params.items()))
    sides = np.sqrt(np.maximum(masses, 1e-3 * masses[-1]) / masses[-1])
    axis = Curve(np.stack([np.zeros(n), np.eye(n)[-1]]), "forbidden_axis")
    part = Part((box(0.55 * sides, frame, "body"), axis), run["R"][:, :3, :], np.zeros((len(run), 3)))
    return Motion((part,), (Curve(run["R"][:, :3, -1], "forbidden_axis_path"),))


def tensor_parameters() -> tuple[Parameter, ...]:
    """n, the diagonal of the mass tensor and its last column."""
    masses, products = (1.0, 1.5, 2.2, 2.8, 3.3), (0.4, -0.3, 0.5, 0.2, -0.25)
    unit = "kg m^2"
    needs = [None if i < 3 else ("n", i + 1.0) for i in range(1, MOST)]
    return (
        Parameter("n", 4, 3, MOST, "dimension of the space", "n", "", (3, MOST), whole=True),
        *(
            Parameter(
                f"J{i}", masses[i - 1], -100.0, 100.0, f"mass tensor along axis {i}", f"J_{i}", unit, (0.1, 5.0),
                needs=needs[i - 1],
            )
            for i in range(1, MOST)
        ),
        Parameter("Jn", 1.2, -100.0, 100.0, "mass tensor along the last axis", "J_n", unit, (0.1, 5.0)),
        *(
            Parameter(
                f"J{i}n", products[i - 1], -100.0, 100.0, f"product of mass of axis {i} and the last axis",
                f"J_{{{i}n}}", unit, (-1.5, 1.5), needs=needs[i - 1],
            )
            for i in range(1, MOST)
        ),
    )  # fmt: skip


def start_values() -> tuple[Parameter, ...]:
    """The momenta of the allowed turns."""
    values = (3.0, -2.0, 1.5, 1.0, -1.2)
    return tuple(
        Parameter(
            f"p{i}", values[i - 1], -1000.0, 1000.0, f"momentum of the turn in the plane of axis {i} and the last axis",
            f"p_{i}", "kg m^2/s", (-8.0, 8.0), needs=None if i < 3 else ("n", i + 1.0),
        )
        for i in range(1, MOST)
    )  # fmt: skip


def component_list() -> tuple[Component, ...]:
    """What runs have."""
    needs = [None if i < 3 else ("n", i + 1.0) for i in range(1, MOST)]
    return (
        *(
            Component(f"p{i}", f"momentum of the turn in the plane ({i}, n)", "kg m^2/s", f"p_{i}", needs=needs[i - 1])
            for i in range(1, MOST)
        ),
        *(
            Component(f"w{i}", f"velocity of the turn in the plane ({i}, n)", "rad/s", f"w_{i}", needs=needs[i - 1])
            for i in range(1, MOST)
        ),
        Component("R", "attitude: columns are the body axes in space", "", "R", ("n", "n")),
    )


SYSTEM = System(
    id="suslov_n",
    position=90,
    family="Top",
    line="The same glide in three to six dimensions.",
    title="Suslov top in n dimensions",
    summary=(
        "A body in three to six dimensions turns about a fixed point, only in planes that contain its last axis. "
        "Whatever the dimension, it glides from one permanent turn to the opposite one."
    ),
    parameters=tensor_parameters(),
    initial=start_values(),
    step=Parameter("step", 0.05, 1e-9, 100.0, "time step", r"\varepsilon", "s", (0.001, 0.5)),
    duration=Parameter("duration", 20.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 60.0)),
    default_method="moser_veselov",
    components=component_list(),
    methods=(
        Method(
            "reference",
            "Flow",
            None,
            (),
            run_reference,
            discrete=False,
            truth=True,
            small="integrated",
        ),
        Method(
            "moser_veselov",
            "Moser–Veselov",
            2,
            ("energy", "orthogonality"),
            run_moser_veselov,
            bound=Bound(at_start=largest_step),
            remark="Keeps the energy exactly in every dimension.",
        ),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "E"),
        rotations.ORTHOGONALITY,
    ),
    in_time=("p1", "p2", "p3", "p4"),
    portraits=(Portrait("momentum", "Momentum space", ("p1", "p2", "p3"), background=momentum_space),),
    equations=(
        Equation(
            r"\omega_{ij} = 0\quad(i, j < n),\qquad w_i = \omega_{in}",
            "constraint: only the last axis turns",
            "FZ (4.8)",
        ),
        Equation(
            r"C\dot w = w\,\langle j, w\rangle - j\,|w|^2,\qquad p = Cw",
            "the flow of the free velocities; C is diagonal with J_i + J_n, and j_i = J_in",
            "FZ (4.10)",
        ),
        Equation(r"E = \tfrac12\langle p, C^{-1}p\rangle", "kept by the flow and by Moser–Veselov", "FZ Theorem 6.2"),
        Equation(r"p = s\,Cj", "equilibria: sinks for s < 0, sources for s > 0", ""),
        Equation(
            r"\varepsilon p = 2\,(z_0 Cz \pm (|z|^2 j - z\langle z, j\rangle)),\qquad z_0^2 + |z|^2 = 1",
            "Moser–Veselov: momentum before (+) and after (-) a step that turns e_n in the plane of z",
            "FZ (6.2), (6.7)",
        ),
        Equation(r"\dot R = R\,\omega,\qquad R_{k+1} = R_k\Omega_k", "attitude of the body in space", "FZ (6.1)"),
    ),
    experiments=(
        Experiment("From source to sink", "In four dimensions every orbit joins the same two points of its ellipsoid."),
        Experiment(
            "A long step", "With the step 0.3 the dots stay on the ellipsoid, but run ahead of the flow.", step=0.3
        ),
        Experiment("Six dimensions", "The same in six dimensions: five momenta, of which three are drawn.", {"n": 6}),
    ),
    check=check,
    remarks=remarks,
    draw=draw,
    kernels=("reflections", "turning", "rotations", "flow", "suslov_lines"),
    # No lab waits for the engine of any group, with which this top is compared.
    sweep_kernels=("ll",),
    measures=(lyapunov.measure({"reference": run_reference, "moser_veselov": run_moser_veselov}, start_values()),),
)
