r"""The Chaplygin sleigh in n dimensions: a body in space with a blade that slides only along itself.

R and x are the attitude and the place of the blade, e_1 its direction, a = (a_1, ..., a_n) the centre of mass in the
body frame, J the mass tensor about the centre of mass, chosen so that it is diagonal but for its first row, m the mass.

* The mass matrix about the blade is M = [[J + m a a^T, m a], [m a^T, m]] (FZ (5.8)); the energy is tr(xi M xi^T)/2.
* Constraint (FZ (5.10)): the velocity is v along e_1, and only planes that contain e_1 turn: w_i = omega_i1, i = 2..n.
  L_i and p_1 are the momenta of w_i and v. R' = R omega, x' = v R e_1.
* Flow: Euler-Poincare-Suslov on SE(n) (FZ (2.6), `nhviz.ll`); with q = M (0, -w, v) the rates are
  L_i' = -(q_1 w_i + M_i1 |w|^2), p_1' = m a_1 |w|^2. Straight motions w = 0 are equilibria, stable where a_1 v > 0. The
  path has a cusp wherever v changes its sign, as for the sleigh in the plane.
* `fedorov_zenkov` (FZ section 7): each step is a circular arc in the plane of the blade and its turn,
  `nhviz.kernels.reflections`. It keeps the energy exactly for every body (FZ Theorem 7.3 in every dimension;
  `nhviz.analysis.symmetric_pairs`), is symmetric and of order 2.
* n = 2 is `sleigh` with J = J_1 + J_2, (a, b) = (a_1, a_2), p_theta = L_2.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nhviz.groups import plane, special_euclidean
from nhviz.measures import lyapunov
from nhviz.methods import rotations, turning
from nhviz.parameters import Parameter, ParameterError
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, Points, Shape, box
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

MOST = 4
Known = tuple[tuple[str, float], ...]
"""Parameters as what a cache is asked with."""


def dimension(params: Values) -> int:
    """n."""
    return int(params["n"])


def mass_tensor(params: Values) -> Array:
    """J, about the centre of mass."""
    n = dimension(params)
    tensor = np.diag([params[f"J{i}"] for i in range(1, n + 1)])
    tensor[0, 1:] = tensor[1:, 0] = [params[f"J1{i}"] for i in range(2, n + 1)]
    return tensor


def mass_matrix(params: Values) -> Array:
    """M, about the blade."""
    n, m = dimension(params), params["m"]
    centre = np.array([*(params[f"a{i}"] for i in range(1, n + 1)), 1.0])
    matrix = m * np.outer(centre, centre)
    matrix[:n, :n] += mass_tensor(params)
    return matrix


@lru_cache(maxsize=32)
def principal_masses(params: Known) -> tuple[Array, Array]:
    """The eigenvalues of J, the smallest first, and its eigenvectors as columns."""
    masses, frame = np.linalg.eigh(mass_tensor(dict(params)))
    return masses, frame


def check(params: Values) -> None:
    """A real body has positive principal masses."""
    masses, _ = principal_masses(tuple(params.items()))
    if masses[0] <= 1e-9 * masses[-1]:
        raise ParameterError(
            f"The mass tensor must be positive definite: its smallest principal mass is {masses[0]:.4g}; "
            "raise J1 or lower the products J12, J13, ...",
            "J1",
        )


def body(params: Values) -> turning.Body:
    """The engine's system: turns in the planes (e_i, e_1), and sliding along e_1."""
    return known_body(tuple(params.items()))


@lru_cache(maxsize=32)
def known_body(known: Known) -> turning.Body:
    """The system of some parameters, made once: one picture asks for it several times."""
    params = dict(known)
    n = dimension(params)
    slide = np.zeros((n + 1, n + 1))
    slide[0, n] = 1.0
    tensor, m, along = mass_tensor(params), params["m"], params["a1"]
    return turning.Body(
        special_euclidean(n),
        mass_matrix(params),
        (*(plane(n + 1, i, 0) for i in range(1, n)), slide),
        0,
        tensor[0, 0] + np.diag(tensor)[1:] + m * along**2,
        tensor[0, 1:].copy(),
        np.array([params[f"a{i}"] for i in range(2, n + 1)]),
        along,
        m,
    )


def names(params: Values, letter: str, last: str) -> list[str]:
    """L2, L3, ..., p_1 or w2, w3, ..., v."""
    return [*(f"{letter}{i}" for i in range(2, dimension(params) + 1)), last]


def place_names(params: Values) -> list[str]:
    """x1, x2, ..."""
    return [f"x{i}" for i in range(1, dimension(params) + 1)]


def starts(task: Task) -> Array:
    """Momenta (n, orbits)."""
    return np.array([task.initial[name] for name in names(task.params, "L", "p_1")], dtype=float)


def samples(task: Task, frame: turning.Body, orbits: turning.Orbits) -> Samples:
    """Components by name."""
    velocities = turning.applied(np.linalg.inv(frame.system.constrained_inertia), orbits.momenta)
    components = dict(zip(names(task.params, "L", "p_1"), orbits.momenta, strict=True))
    components |= dict(zip(names(task.params, "w", "v"), velocities, strict=True))
    if orbits.places.shape[1]:
        components |= {name: orbits.places[..., i] for i, name in enumerate(place_names(task.params))}
        components |= {"R": orbits.attitudes}
    return Samples({n: part for n, part in components.items() if n not in task.skip}, orbits.lengths, orbits.reasons)


def run_reference(task: Task) -> Samples:
    """The flow, the attitude and the path."""
    frame = body(task.params)
    return samples(task, frame, turning.run_flow(task, frame, starts(task)))


def run_fedorov_zenkov(task: Task) -> Samples:
    """Orbits of the Fedorov-Zenkov map; the path needs the attitude."""
    frame, moving = body(task.params), not {"R", *place_names(task.params)} <= task.skip
    return samples(task, frame, turning.run_map(task, frame, starts(task), moving))


def largest_step(params: Values, initial: Values) -> float:
    """The step at which the principal branch of the start folds; infinite where it never does."""
    return turning.largest_step(body(params), np.array([initial[name] for name in names(params, "L", "p_1")]))


def energy(params: Values, run: Components) -> Array:
    """Half of momenta times velocities."""
    pairs = zip(names(params, "L", "p_1"), names(params, "w", "v"), strict=True)
    return 0.5 * np.sum([run[momentum] * run[velocity] for momentum, velocity in pairs], axis=0)


def cusps(run: Trajectory) -> Array:
    """Places where the blade turns back, (cusps, n): between samples at which v has opposite signs."""
    v = run["v"]
    before = np.flatnonzero((v[1:] * v[:-1] < 0.0) | ((v[1:] == 0.0) & (v[:-1] != 0.0)))
    share = v[before] / (v[before] - v[before + 1])
    place = np.stack([run[name] for name in place_names(run.params)], axis=1)
    return place[before] + share[:, None] * (place[before + 1] - place[before])


def marked_cusps(run: Trajectory) -> Sequence[Shape]:
    """The cusps in the first three dimensions."""
    return [Points(run.remember(cusps)[:, :3], "cusp")]


def straight_motions(run: Trajectory) -> Sequence[Shape]:
    """The momenta of the two straight motions of the run's energy, and the line of all of them."""
    inertia = body(run.params).system.constrained_inertia[:, -1]
    speed = np.sqrt(2.0 * float(run.quantity("energy")[0]) / run.params["m"])
    shown = [*range(min(len(inertia) - 1, 2)), len(inertia) - 1]
    forward, backward = speed * inertia[None, shown], -speed * inertia[None, shown]
    line = Curve(np.vstack([forward, backward]), "equilibria")
    if run.params["a1"] == 0.0:
        return [line]
    stable, unstable = (forward, backward) if run.params["a1"] > 0.0 else (backward, forward)
    return [line, Points(stable, "stable"), Points(unstable, "unstable")]


def draw(run: Trajectory) -> Motion:
    """A box with the body's principal masses around its centre of mass, the blade, and the path of the blade."""
    n = dimension(run.params)
    shown = min(n, 3)
    centre = np.array([run.params[f"a{i + 1}"] for i in range(n)])
    masses, frame = principal_masses(tuple(run.params.items()))
    sides = np.sqrt(3.0 * masses / run.params["m"])
    case = box(sides, frame, "body")
    length = max(float(np.linalg.norm(sides)), 1e-3)
    blade = Curve(np.outer([-0.5 * length, 0.5 * length], np.eye(n)[0]), "blade")
    arm = Curve(np.stack([np.zeros(n), centre]), "axis_1")
    place = np.stack([run[f"x{i + 1}"] for i in range(shown)], axis=1)
    part = Part((Curve(case.points + centre, "body"), arm, blade), run["R"][:, :shown, :], place)
    return Motion((part,), (Curve(place, "path"), Points(run.remember(cusps)[:, :shown], "cusp")))


def needs(i: int) -> tuple[str, float] | None:
    """From which dimension on axis i exists."""
    return None if i <= 2 else ("n", float(i))


def body_parameters() -> tuple[Parameter, ...]:
    """n, the mass tensor, the mass and the centre of mass."""
    masses, products, centre = (0.36, 0.47, 0.3, 0.4), (-0.09, -0.1, 0.05), (0.24, 0.29, -0.27, 0.1)
    axes = range(1, MOST + 1)
    return (
        Parameter("n", 3, 2, MOST, "dimension of the space", "n", "", (2, MOST), whole=True),
        *(
            Parameter(
                f"J{i}", masses[i - 1], 1e-3, 100.0, f"mass tensor along axis {i}", f"J_{i}", "kg m^2", (0.01, 2.0),
                needs=needs(i),
            )
            for i in axes
        ),
        *(
            Parameter(
                f"J1{i}", products[i - 2], -100.0, 100.0, f"product of mass of axes 1 and {i}", f"J_{{1{i}}}", "kg m^2",
                (-0.2, 0.2), needs=needs(i),
            )
            for i in axes[1:]
        ),
        Parameter("m", 2.0, 0.01, 100.0, "mass", "m", "kg", (0.1, 10.0)),
        *(
            Parameter(
                f"a{i}", centre[i - 1], -100.0, 100.0,
                "centre of mass, along the blade" if i == 1 else f"centre of mass, along axis {i}",
                f"a_{i}", "m", (-2.0, 2.0), needs=needs(i),
            )
            for i in axes
        ),
    )  # fmt: skip


def start_values() -> tuple[Parameter, ...]:
    """The momenta; place and attitude begin at the origin, which is no loss: space looks the same everywhere."""
    values = (0.4, -0.5, 0.3)
    return (
        *(
            Parameter(
                f"L{i}", values[i - 2], -1000.0, 1000.0, f"momentum of the turn of the blade towards axis {i}",
                f"L_{i}", "kg m^2/s", (-4.0, 4.0), needs=needs(i),
            )
            for i in range(2, MOST + 1)
        ),
        Parameter("p_1", -1.9, -1000.0, 1000.0, "momentum along the blade", "p_1", "kg m/s", (-6.0, 6.0)),
    )  # fmt: skip


def component_list() -> tuple[Component, ...]:
    """What runs have."""
    turns = range(2, MOST + 1)
    return (
        *(Component(f"x{i}", f"blade, coordinate {i}", "m", f"x_{i}", needs=needs(i)) for i in range(1, MOST + 1)),
        *(
            Component(f"L{i}", f"momentum of the turn towards axis {i}", "kg m^2/s", f"L_{i}", needs=needs(i))
            for i in turns
        ),
        Component("p_1", "momentum along the blade", "kg m/s"),
        *(
            Component(f"w{i}", f"velocity of the turn towards axis {i}", "rad/s", f"w_{i}", needs=needs(i))
            for i in turns
        ),
        Component("v", "speed along the blade", "m/s"),
        Component("R", "attitude: columns are the body axes in space", "", "R", ("n", "n")),
    )


SYSTEM = System(
    id="sleigh_n",
    position=100,
    family="Sleigh",
    line="The cusp in space, where the path leaves its plane.",
    title="Chaplygin sleigh in n dimensions",
    summary=(
        "A body in space slides along a blade and turns only in planes that contain it. Sent off backwards it turns "
        "round by itself: the path has a cusp, and in space it leaves its plane."
    ),
    parameters=body_parameters(),
    initial=start_values(),
    step=Parameter("step", 0.05, 1e-9, 100.0, "time step", r"\varepsilon", "s", (0.001, 0.3)),
    duration=Parameter("duration", 8.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 60.0)),
    default_method="fedorov_zenkov",
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
            "fedorov_zenkov",
            "Fedorov–Zenkov",
            2,
            ("energy", "orthogonality"),
            run_fedorov_zenkov,
            bound=Bound(at_start=largest_step),
            remark="Keeps the energy exactly in every dimension; every step is an arc of a circle.",
        ),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "E"),
        rotations.ORTHOGONALITY,
    ),
    in_time=("L2", "L3", "p_1", "v"),
    portraits=(
        Portrait("path", "Path of the blade", ("x1", "x2", "x3"), background=marked_cusps),
        Portrait("momentum", "Momentum space", ("L2", "L3", "p_1"), background=straight_motions),
    ),
    equations=(
        Equation(
            r"\dot x = v\,Re_1,\qquad \omega_{ij} = 0\quad(i, j > 1),\qquad w_i = \omega_{i1}",
            "constraint: the blade slides along itself, and only planes that contain it turn",
            "FZ (5.10)",
        ),
        Equation(
            r"M = \begin{pmatrix} J + m\,aa^T & m\,a\\ m\,a^T & m\end{pmatrix},\qquad "
            r"E = \tfrac12\mathrm{tr}(\xi M\xi^T)",
            "mass matrix about the blade, energy of a velocity",
            "FZ (5.8)",
        ),
        Equation(
            r"\dot L_i = -(q_1 w_i + M_{i1}|w|^2),\qquad \dot p_1 = m a_1|w|^2",
            "the flow of the momenta of w and v; q is M applied to (0, -w, v)",
            "FZ (2.6)",
        ),
        Equation(
            r"\Omega = 1 + \alpha\beta^T - 2e_1e_1^T,\ \alpha = (z_0, z, 0),\ \beta = (2z_0, -2z, \ell)",
            "Fedorov–Zenkov: a displacement is a turn of the blade and a chord along the unit vector alpha",
            "FZ (6.7), (7.1)",
        ),
        Equation(
            r"\varepsilon\langle P, \xi\rangle = \mathrm{tr}(\xi\,\Omega M(\Omega - 1)^T)",
            "momentum before a step; after it xi and Omega change places, and the energy is the same",
            "FZ (3.2), Theorem 7.3",
        ),
    ),
    experiments=(
        Experiment("The cusp in space", "Sent off backwards the blade stops, turns round and leaves in another plane."),
        Experiment(
            "In the plane",
            "With n = 2 it is the classical sleigh.",
            {"n": 2},
        ),
        Experiment(
            "No offset along the blade", "With a1 = 0 nothing drives the blade: it ends up on a circle.", {"a1": 0.0}
        ),
    ),
    check=check,
    draw=draw,
    kernels=("reflections", "turning", "rotations", "flow"),
    measures=(lyapunov.measure({"reference": run_reference, "fedorov_zenkov": run_fedorov_zenkov}, start_values()),),
)
