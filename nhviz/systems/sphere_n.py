r"""The Chaplygin sphere in n dimensions: a ball with uneven mass rolls on a hyperplane without slipping.

J = diag(J1, ..., Jn) is the mass tensor, D = m rho^2, gamma = R^T e_n the vertical in the body, pointing up,
Gamma = gamma gamma^T, omega in so(n) the angular velocity in the body. Lengths are in radii: rho = 1.

* Momentum about the contact point (CS (2.13)): K = (J + D Gamma) omega + omega (J + D Gamma).
* Flow (CS (2.12)): K' = [K, omega], gamma' = -omega gamma: K and gamma are fixed in space. R' = R omega, and the
  contact point moves by r' = omega_space e_n (CS (2.9), with the sign of gamma pointing up). tr K^2, tr K^4,
  tr K^2 Gamma (CS (2.14)) and -tr(K omega)/2, twice the kinetic energy (CS (2.15)), are kept.
* `fedorov` (CS (4.12), (4.13)) with the time step eps: find Omega in SO(n) with
  eps K = Omega S - S Omega^T + (D/2)(Gamma Omega - Omega^T Gamma), S = J + (D/2) Gamma;
  then K and gamma are carried by Omega^T, R by Omega, dr = (1/2)(W - W^T) e_n with W = R_{k+1} R_k^T (CS (4.9)).
  The right-hand side is also Omega J - J Omega^T + (D/2)(A Gamma + Gamma A), A = Omega - Omega^T.
* The map is symmetric (Omega to Omega^T, K to -K), hence of order 2; -eps inverts it. Every branch keeps the traces
  (CS Proposition 2), not the energy. The principal branch grows out of the identity and ends where dK/dOmega is
  singular.
* With n = 3 it is the classical ball, K_ij = -eps_ijk K_k and omega_ij = -eps_ijk omega_k (the paper's sign, at the end
  of section 2, contradicts its (2.3)): (omega23, omega13, omega12) = (-omega1, omega2, -omega3).
* Measured, not proved: with the default ball neighbouring orbits of the flow separate linearly for n = 3 and
  exponentially for n = 4 and 5; the energy of the map stays in a band for n = 3 and wanders for n = 4 and 5.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from nhviz import kernels
from nhviz.measures import lyapunov
from nhviz.methods import reference, stops
from nhviz.parameters import Parameter, ParameterError
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, ball, ellipsoid
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

LEAST, MOST = 3, 5
NAMES = ("<i>x</i><sub>1</sub>", "<i>x</i><sub>2</sub>", "<i>x</i><sub>3</sub>")
COUNT = ("first", "second", "third", "fourth", "fifth")


def needs(index: int) -> tuple[str, float] | None:
    """What has this index (from 1) needs so many dimensions."""
    return ("n", float(index)) if index > LEAST else None


def dimension(params: Values) -> int:
    """The number n as an integer."""
    return int(params["n"])


@cache
def pairs(n: int) -> tuple[tuple[int, int], ...]:
    """The planes (i, j), i < j, of n dimensions, counted from 1."""
    return tuple(combinations(range(1, n + 1), 2))


def mass_tensor(params: Values) -> Array:
    """J1, ..., Jn."""
    return np.array([params[f"J{i}"] for i in range(1, dimension(params) + 1)])


@cache
def component_names(n: int) -> tuple[str, ...]:
    """The scalar components of a run, in the order of the kernels."""
    planes = [f"{i}{j}" for i, j in pairs(n)]
    return (
        *(f"omega{plane}" for plane in planes),
        *(f"gamma{i}" for i in range(1, n + 1)),
        *(f"K{plane}" for plane in planes),
        *(f"x{i}" for i in range(1, n)),
    )


def starts(values: Mapping[str, Any], n: int) -> tuple[Array, Array]:
    """Verticals of length one (orbits, n) and angular velocities (orbits, n, n) of initial values."""
    gamma = np.array([values[f"gamma{i}"] for i in range(1, n + 1)], dtype=float).reshape(n, -1)
    omega = np.array([values[f"omega{i}{j}"] for i, j in pairs(n)], dtype=float).reshape(len(pairs(n)), -1)
    found: tuple[Array, Array] = kernels.sphere_n.starts(gamma, omega)
    return found


def check_start(params: Values, initial: Values) -> None:
    """The vertical must have a direction; it is normalised."""
    names = [f"gamma{i}" for i in range(1, dimension(params) + 1)]
    if not any(initial[name] for name in names):
        raise ParameterError(
            f"{', '.join(names)} must not all be 0: they are the direction of the vertical in the body.", "gamma1"
        )


def remarks(params: Values) -> list[str]:
    """The mass of a real ball is inside its radius: tr J <= D. The equations do not need it."""
    spread, most = float(mass_tensor(params).sum()), params["D"]
    if spread > most * (1.0 + 1e-12):
        return [
            f"Mathematical, not a real ball: J1 + ... + J{dimension(params)} = {spread:.4g} exceeds D = {most:.4g}, "
            "as if mass were outside its surface."
        ]
    return []


def run_reference(task: Task) -> Samples:
    """The attitude and the contact point as differential equations; K is fixed in space."""
    n, mass, d = dimension(task.params), mass_tensor(task.params), task.params["D"]
    gammas, omegas = starts(task.initial, n)
    first, momenta = kernels.sphere_n_flow.first_states(mass, d, gammas, omegas)
    parameters = np.vstack([np.tile(np.array([[*mass, d]]).T, task.orbits), momenta])
    states, lengths, reasons = reference.integrate(kernels.sphere_n_flow.field, parameters, first, task)
    state, attitudes = empty_samples(task, n)
    for i in range(task.orbits):
        in_space = np.ascontiguousarray(momenta[:, i])
        kernels.sphere_n_flow.read_flow(
            mass, d, gammas[i], omegas[i], in_space, states[:, i], state[:, i], attitudes[i]
        )  # fmt: skip
    return Samples(named(task, n, state, attitudes), lengths, reasons)


def run_fedorov(task: Task) -> Samples:
    """Orbits of Fedorov's map; an orbit ends where its principal branch folds."""
    n, mass, d = dimension(task.params), mass_tensor(task.params), task.params["D"]
    gammas, omegas = starts(task.initial, n)
    state, attitudes = empty_samples(task, n)
    ends = np.empty((task.orbits, n + len(pairs(n))))
    taken = kernels.sphere_n.orbits(
        mass, d, gammas, omegas, task.step, task.last, task.every, state, attitudes, ends
    )  # fmt: skip
    # The sample at which no rotation is left is still a point of the orbit.
    lengths = taken // task.every + 1
    reasons = tuple(None if k == task.last else folded(int(k), task, ends[i]) for i, k in enumerate(taken))
    return Samples(named(task, n, state, attitudes), lengths, reasons)


def empty_samples(task: Task, n: int) -> tuple[Array, Array]:
    """Room for the scalar components, and for the attitudes unless they are skipped."""
    state = np.empty((len(component_names(n)), task.orbits, task.samples))
    return state, np.empty((task.orbits, 0 if "R" in task.skip else task.samples, n, n))


def named(task: Task, n: int, state: Array, attitudes: Array) -> dict[str, Array]:
    """The samples by component."""
    components = dict(zip(component_names(n), state, strict=True))
    return components | ({} if "R" in task.skip else {"R": attitudes})


def folded(steps: int, task: Task, end: Array) -> str:
    """Why an orbit ended early, with the number that explains it. The inverse map solves for -K."""
    n = dimension(task.params)
    largest = largest_step_at_momentum(task.params, end[:n].copy(), np.sign(task.step) * end[n:])
    return stops.folded(steps, task.step, largest)


def largest_step_at_momentum(params: Values, gamma: Array, k: Array) -> float:
    """The step at which the principal branch of the momentum (entries above the diagonal) folds; infinite for K = 0."""
    size = float(np.linalg.norm(k))
    if size == 0.0:
        return np.inf
    mass, d = mass_tensor(params), params["D"]
    # In units of the fold's order of magnitude; a momentum may be too small to be divided by.
    largest = 2.0 * float(mass.max()) + d
    reached, _ = kernels.sphere_n.follow(mass, d, gamma, largest * (k / size), np.inf)
    return float(reached * (largest / size))


def largest_step(params: Values, initial: Values) -> float:
    """The largest admissible step of a start."""
    (gamma,), (omega,) = starts(initial, dimension(params))
    k = kernels.sphere_n.momentum(mass_tensor(params), params["D"], gamma, omega)
    return largest_step_at_momentum(params, gamma, kernels.sphere_n.entries(k))


def energy(params: Values, run: Components) -> Array:
    """Twice the kinetic energy, -tr(K omega)/2 (CS (2.15)): with n = 3 that of the classical ball, <K, omega>."""
    total = run["K12"] * run["omega12"]
    for i, j in pairs(dimension(params))[1:]:
        total = total + run[f"K{i}{j}"] * run[f"omega{i}{j}"]
    return total


def square(params: Values, run: Components) -> Array:
    """The sum of K_ij^2, i < j."""
    total = run["K12"] ** 2
    for i, j in pairs(dimension(params))[1:]:
        total = total + run[f"K{i}{j}"] ** 2
    return total


def tr_k2(params: Values, run: Components) -> Array:
    """tr K^2 = -|K|^2."""
    return -2.0 * square(params, run)


def tr_k4(params: Values, run: Components) -> Array:
    """tr K^4 = |K^2|^2.

    With the eigenvalues +-i l_a of K it is 2 sum l_a^4 = 2 (sum l_a^2)^2 - 4 sum l_a^2 l_b^2, a < b. Both sums are
    coefficients of the characteristic polynomial: that of the K_ij^2, and that of the squared Pfaffians of four axes.
    """
    total = 2.0 * square(params, run) ** 2
    for a, b, c, d in combinations(range(1, dimension(params) + 1), 4):
        first, second, third = (f"K{a}{b}", f"K{c}{d}"), (f"K{a}{c}", f"K{b}{d}"), (f"K{a}{d}", f"K{b}{c}")
        pfaffian = run[first[0]] * run[first[1]] - run[second[0]] * run[second[1]] + run[third[0]] * run[third[1]]
        total = total - 4.0 * pfaffian**2
    return total


def tr_k2_gamma(params: Values, run: Components) -> Array:
    """tr K^2 Gamma = -|K gamma|^2."""
    along = [0.0 * run["K12"] for _ in range(dimension(params))]
    for i, j in pairs(dimension(params)):
        along[i - 1] = along[i - 1] + run[f"K{i}{j}"] * run[f"gamma{j}"]
        along[j - 1] = along[j - 1] - run[f"K{i}{j}"] * run[f"gamma{i}"]
    return -np.sum(np.square(along), axis=0)


def draw(run: Trajectory) -> Motion:
    """The ball with its body axes on the path of its contact point.

    From four dimensions on it is seen from above: the first three coordinates of the hyperplane, and in them the
    shadows of the body axes.
    """
    n = dimension(run.params)
    spans = 1.25 * np.stack([-np.eye(n), np.eye(n)], axis=1)
    axes = tuple(Curve(span, f"axis_{i + 1}") for i, span in enumerate(spans))
    if n == LEAST:
        place = np.stack([run["x1"], run["x2"], np.ones(len(run))], axis=1)
        path = place * np.array([1.0, 1.0, 0.0])
        part = Part((ball(1.0, "body"), *axes), run["R"], place)
        return Motion((part,), (Curve(path, "path"),), (*NAMES[:2], "height"), floor=True)
    place = np.stack([run["x1"], run["x2"], run["x3"]], axis=1)
    still = np.broadcast_to(np.eye(3), (len(run), 3, 3))
    whole = Part((ellipsoid(np.ones(3), np.eye(3), "shell"),), still, place)
    return Motion((whole, Part(axes, run["R"][:, :3, :], place)), (Curve(place, "path"),), NAMES)


def parameter_list() -> tuple[Parameter, ...]:
    """The number of dimensions, the mass tensor and D."""
    mass = (0.25, 0.55, 0.95, 0.15, 0.1)
    return (
        Parameter("n", 4, LEAST, MOST, "number of dimensions; the ball rolls on a space of one less", "n", whole=True),
        *(
            Parameter(
                f"J{i}", mass[i - 1], 0.001, 100.0, f"mass tensor along the {COUNT[i - 1]} axis", f"J_{i}", "kg m^2",
                (0.05, 1.0), needs=needs(i),
            )
            for i in range(1, MOST + 1)
        ),
        Parameter("D", 2.0, 0.0, 1000.0, "mass times the square of the radius", "D", "kg m^2", (0.0, 12.0)),
    )  # fmt: skip


def start_values() -> tuple[Parameter, ...]:
    """The vertical in the body and the angular velocity in the body."""
    gamma = (0.2, 0.4, 0.8, 0.4, 0.3)
    # Plane by plane; the first three turn as the classical ball does.
    omega = {
        (1, 2): -0.7, (1, 3): -0.5, (1, 4): 0.4, (1, 5): 0.35, (2, 3): -0.9,
        (2, 4): 0.6, (2, 5): -0.8, (3, 4): -0.3, (3, 5): 0.55, (4, 5): 0.45,
    }  # fmt: skip
    return (
        *(
            Parameter(
                f"gamma{i}", gamma[i - 1], -1e3, 1e3, f"vertical in the body, {COUNT[i - 1]} part; normalised",
                rf"\gamma_{i}", "", (-1.0, 1.0), needs=needs(i),
            )
            for i in range(1, MOST + 1)
        ),
        *(
            Parameter(
                f"omega{i}{j}", omega[i, j], -100.0, 100.0, f"angular velocity in the plane of axes {i} and {j}",
                rf"\omega_{{{i}{j}}}", "rad/s", (-3.0, 3.0), needs=needs(j),
            )
            for i, j in pairs(MOST)
        ),
    )  # fmt: skip


def component_list() -> tuple[Component, ...]:
    """What a run has; the more dimensions, the more of it."""
    return (
        *(
            Component(f"omega{i}{j}", f"angular velocity in the body, plane of axes {i} and {j}", "rad/s",
                      rf"\omega_{{{i}{j}}}", needs=needs(j))
            for i, j in pairs(MOST)
        ),
        *(
            Component(f"gamma{i}", f"vertical in the body, component {i}", "", rf"\gamma_{i}", needs=needs(i))
            for i in range(1, MOST + 1)
        ),
        *(
            Component(f"K{i}{j}", f"momentum about the contact point, in the body, plane of axes {i} and {j}",
                      "kg m^2/s", f"K_{{{i}{j}}}", needs=needs(j))
            for i, j in pairs(MOST)
        ),
        *(
            Component(f"x{i}", f"contact point, {COUNT[i - 1]} coordinate, in radii", "", f"x_{i}", needs=needs(i + 1))
            for i in range(1, MOST)
        ),
        Component("R", "attitude: body frame to space", "", "R", ("n", "n")),
    )  # fmt: skip


SYSTEM = System(
    id="sphere_n",
    position=110,
    family="Sphere",
    line="The uneven ball in three to five dimensions.",
    title="Chaplygin sphere in n dimensions",
    summary=(
        "The uneven ball in three, four or five dimensions rolls without slipping on a space of one dimension less. "
        "Its momentum about the contact point is a skew matrix that stays fixed in space, and the map keeps its traces."
    ),
    parameters=parameter_list(),
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
            ("tr_K2", "tr_K4", "tr_K2_Gamma"),
            run_reference,
            discrete=False,
            truth=True,
            remark="K is fixed in space by construction; the energy strays by about 1e-15 of itself per radian turned.",
        ),
        Method(
            "fedorov",
            "Fedorov",
            2,
            ("tr_K2", "tr_K4", "tr_K2_Gamma"),
            run_fedorov,
            bound=Bound(at_start=largest_step),
            remark=(
                "With n = 3 the energy oscillates in a band proportional to the square of the step; "
                "from n = 4 on it may wander slowly out of it."
            ),
        ),
    ),
    quantities=(
        Quantity("energy", "twice the kinetic energy", True, energy, "J", r"-\tfrac12{\rm tr}\,K\omega"),
        Quantity("tr_K2", "size of the momentum", True, tr_k2, "kg^2 m^4/s^2", r"{\rm tr}\,K^2"),
        Quantity("tr_K4", "trace of its fourth power", True, tr_k4, "kg^4 m^8/s^4", r"{\rm tr}\,K^4"),
        Quantity(
            "tr_K2_Gamma", "momentum along the vertical", True, tr_k2_gamma, "kg^2 m^4/s^2",
            r"{\rm tr}\,K^2\Gamma",
        ),
    ),
    portraits=(
        Portrait("gamma", "Vertical in the body, γ", ("gamma1", "gamma2", "gamma3")),
        Portrait("path", "Path of the contact point", ("x1", "x2", "x3")),
    ),
    equations=(
        Equation(
            r"\dot r = \omega_{\rm space}\,e_n,\qquad \omega_{\rm space} = R\,\omega R^T",
            "constraint: the ball rolls without slipping; lengths in radii",
            "CS (2.9), for a vertical that points up",
        ),
        Equation(
            r"\dot M + [\omega, M] = -D(\dot\omega\,\Gamma + \Gamma\dot\omega),\quad M = J\omega + \omega J",
            "the reaction at the contact point turns the ball; Gamma projects onto gamma",
            "CS (2.10), (2.11), corrected",
        ),
        Equation(
            r"K = (J + D\,\Gamma)\,\omega + \omega\,(J + D\,\Gamma)", "momentum about the contact point", "CS (2.13)"
        ),
        Equation(r"\dot K = [K, \omega],\qquad \dot\gamma = -\omega\gamma", "the flow", "CS (2.12)"),
        Equation(
            r"{\rm tr}\,K^2,\quad {\rm tr}\,K^4,\quad {\rm tr}\,K^2\Gamma,\quad -\tfrac12{\rm tr}\,K\omega",
            "kept by the flow; the last, twice the kinetic energy, is not kept by the map",
            "CS (2.14), (2.15)",
        ),
        Equation(
            r"\varepsilon K = \Omega S - S\,\Omega^T + \tfrac D2(\Gamma\Omega - \Omega^T\Gamma),\quad "
            r"S = J + \tfrac D2\Gamma",
            "Fedorov: the rotation Omega of one step, on the branch that grows out of the identity",
            "CS (4.13)",
        ),
        Equation(
            r"K_{k+1} = \Omega_k^T K_k\Omega_k,\qquad \gamma_{k+1} = \Omega_k^T\gamma_k",
            "the map; every branch keeps the traces",
            "CS (4.12), Proposition 2",
        ),
        Equation(
            r"r_{k+1} = r_k + \tfrac12(W_k - W_k^T)e_n,\qquad W_k = R_{k+1}R_k^T", "the path of the map", "CS (4.9)"
        ),
        Equation(
            r"n = 3:\quad \omega_{ij} = -\varepsilon_{ijk}\,\omega_k,\quad K_{ij} = -\varepsilon_{ijk}K_k",
            "the classical ball",
            "CS end of section 2, corrected",
        ),
    ),
    experiments=(
        Experiment(
            "Rolling in space",
            "The ball of four dimensions rolls through three. The traces are constant; the energy wanders slowly, "
            "as it does not with n = 3.",
            duration=400.0,
        ),
        Experiment(
            "The classical ball",
            "With three dimensions this is the Chaplygin sphere: the path is flat, and the fourth trace repeats the "
            "second.",
            params={"n": 3},
        ),
        Experiment(
            "Too long a step",
            "Beyond the largest step no rotation grows out of the identity: the run stops and says so.",
            params={"n": 5},
            initial={"omega12": 3.0, "omega34": -2.0},
            step=0.7,
        ),
    ),
    check_start=check_start,
    remarks=remarks,
    draw=draw,
    kernels=("sphere_n", "sphere_n_flow", "flow"),
    measures=(lyapunov.measure({"reference": run_reference, "fedorov": run_fedorov}, start_values()),),
)  # fmt: skip
