r"""The Chaplygin sleigh: a body on a plane with a blade that lets it slide only along itself.

m is the mass, J the moment of inertia about the centre of mass, (a, b) the centre of mass in the frame of
the blade, A = J + m a^2, omega = theta', v the speed along the blade.

* Momenta: p_1 = m (v - b omega), p_theta = A omega - b p_1, p_2 = m a omega (across the blade).
* Flow: p_theta' = -m a omega v, p_1' = m a omega^2 (FZ (5.4)), E = (p_theta + b p_1)^2/(2A) + p_1^2/(2m) is
  kept. Equilibria on p_theta + b p_1 = 0, stable where a p_1 > 0. The path has one cusp, where v = 0, and turns
  by pi sqrt(1 + J/(m a^2)) in all, whatever the start.
* `fedorov_zenkov` (FZ section 7): the step is a circular arc, (theta, V) in exp d. With tau = tan(dtheta/2),
  P = eps (p_theta + b p_1), q = eps a p_1 + 2 m a^2:  q tau^3 - P tau^2 + (q + 2J) tau - P = 0 (FZ (7.18)),
  V1 = eps p_1/m + a (1 - cos dtheta) + b sin dtheta, V2 = V1 tau,
  p_theta' = p_theta - 2 a m V2/eps, p_1' = p_1 + 2 a m (1 - cos dtheta)/eps (FZ (7.20)). Keeps E (Theorem 7.3).
  A half turn, tau = infinity and V1 = 0, is a step like any other: long steps turn by more than pi. Then the inverse
  map undoes the step, but turns on to 2 pi instead of back to 0.
* `midpoint` (DS, b = 0): A d + (a d/(2 cos(d/2)))(eps p_1 + m a d sin(d/2)) = eps p_theta for d = dtheta (DS (23)),
  chord ell = (eps p_1/m + a d sin(d/2))/cos(d/2) towards theta + d/2,
  p_theta' = p_theta - m a d ell/eps, p_1' = p_1 + 2 m a d sin(d/2)/eps (DS (22)). It divides by cos(d/2): |d| < pi.
* `naive` (FZ (7.9), V2 = 0): (P + 2 a b m) tau^2 - 2 A tau + P = 0. For a = b = 0 the circle becomes a spiral.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from nhviz import kernels
from nhviz.maps import local, loci, sleigh_branches
from nhviz.measures import sleigh as sleigh_measures
from nhviz.methods import ellipse, extensions, feedback, reference, stops
from nhviz.parameters import Choice, Parameter, ParameterError
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, Points, plane_rotations
from nhviz.system import (
    Array,
    Bound,
    Branches,
    Component,
    Components,
    Equation,
    Experiment,
    LargestStep,
    Local,
    Method,
    MomentumPlane,
    Quantity,
    Samples,
    Surface,
    System,
    Task,
    Values,
)

PANELS_BUDGET = 2_000_000
ROOT = 2.0**0.5
STATE = ("theta", "x", "y", "p_theta", "p_1")
COMPONENTS = (*STATE, "p_2", "omega", "v")


def momentum_matrix(params: Values) -> Array:
    """z = ((p_theta + b p_1)/sqrt A, p_1/sqrt m): the energy is |z|^2 / 2."""
    total, _ = sleigh_branches.inertias(params)
    return np.array([[total**-0.5, params["b"] * total**-0.5], [0.0, params["m"] ** -0.5]])


def swing(params: Values) -> tuple[float, float]:
    """kappa = a sqrt(m) / A, delta = 0."""
    total, _ = sleigh_branches.inertias(params)
    return params["a"] * params["m"] ** 0.5 / total, 0.0


PLANE = MomentumPlane(("p_theta", "p_1"), momentum_matrix, swing)


def check_midpoint(params: Values) -> None:
    """The scheme of DS is defined for a centre of mass on the blade's line only."""
    if params["b"] != 0.0:
        raise ParameterError(f"The method midpoint is defined for b = 0 only, not {params['b']:g}.", "b")


def field(y: Array, p: Array, dy: Array) -> None:
    """y = (theta, x, y, p_theta, p_1), p = (J, m, a, b)."""
    omega = (y[3] + p[3] * y[4]) / (p[0] + p[1] * p[2] * p[2])
    v = y[4] / p[1] + p[3] * omega
    dy[0], dy[1], dy[2] = omega, v * np.cos(y[0]), v * np.sin(y[0])
    dy[3], dy[4] = -p[1] * p[2] * omega * v, p[1] * p[2] * omega * omega


def body(params: Values) -> tuple[float, float, float, float]:
    """(J, m, a, b)."""
    return params["J"], params["m"], params["a"], params["b"]


def velocities(params: Values, p_theta: Array, p_1: Array) -> tuple[Array, Array]:
    """omega and v of the momenta."""
    total, _ = sleigh_branches.inertias(params)
    omega = (p_theta + params["b"] * p_1) / total
    return omega, p_1 / params["m"] + params["b"] * omega


def flow_components(params: Values, state: Array) -> dict[str, Array]:
    """Components by name from states (5, ...) of the flow, where p_2 = m a omega."""
    omega, v = velocities(params, state[3], state[4])
    return dict(zip(COMPONENTS, (*state, params["m"] * params["a"] * omega, omega, v), strict=True))


def run_exact(task: Task) -> Samples:
    """The closed form: hyperbolic functions, a Gudermannian for the heading, Gauss quadrature for the path."""
    state = np.empty((5, task.orbits, task.samples))
    lengths = np.full(task.orbits, task.samples)
    for i in range(task.orbits):
        start = np.array([task.initial[name][i] for name in STATE])
        lengths[i] = exact_orbit(task.params, start, task.times, state[:, i])
    reasons = tuple(None if n == task.samples else too_long(task.times[n - 1]) for n in lengths)
    return Samples(flow_components(task.params, state), lengths, reasons)


def exact_orbit(params: Values, start: Array, times: Array, state: Array) -> int:
    """Fill one exact orbit at times that begin with 0; returns the samples reached."""
    theta, x, y = start[:3]
    state[3:] = ellipse.momenta(PLANE, params, start[3:], times)
    arc = ellipse.solve(PLANE, params, start[3:])
    omega, v = velocities(params, start[3], start[4])
    # An offset below the square root of the smallest number turns 1/a into infinity; it moves nothing.
    if arc.rate == 0.0 or abs(params["a"]) < 1e-150:
        state[0] = theta + omega * times
        # v t times the mean of (cos, sin) over the turn: a circle, or a line if omega = 0.
        chord = v * times * np.sinc(omega * times / (2.0 * np.pi))
        state[1] = x + chord * np.cos(theta + 0.5 * omega * times)
        state[2] = y + chord * np.sin(theta + 0.5 * omega * times)
        return times.size
    total, _ = sleigh_branches.inertias(params)
    gain = arc.sign * (total / params["m"]) ** 0.5 / params["a"]
    # The part of the path due to b omega is exact: the integral of b theta' (cos theta, sin theta).
    heading = kernels.sleigh_path.headings(gain, arc.rate, arc.phase, times)
    state[0] = theta + heading
    path = np.empty((2, times.size))
    speed = arc.radius / params["m"] ** 0.5
    reached = kernels.sleigh_path.exact_path(theta, speed, gain, arc.rate, arc.phase, times, PANELS_BUDGET, path)
    half, middle = 0.5 * heading, theta + 0.5 * heading
    state[1] = x + path[0] + 2.0 * params["b"] * np.sin(half) * np.cos(middle)
    state[2] = y + path[1] + 2.0 * params["b"] * np.sin(half) * np.sin(middle)
    return int(reached)


def too_long(t: float) -> str:
    """Why an exact run ended early."""
    return (
        f"the exact path ended at t = {t:.6g}: more than {PANELS_BUDGET:,} panels of quadrature would be needed; "
        "lower the duration or the momenta."
    )


def run_reference(task: Task) -> Samples:
    """The equations of motion, as accurately as `nhviz.methods.reference` says."""
    starts = np.vstack([task.initial[name] for name in STATE])
    states, lengths, reasons = reference.integrate(field, np.array(body(task.params)), starts, task)
    return Samples(flow_components(task.params, states), lengths, reasons)


def run_fedorov_zenkov(task: Task) -> Samples:
    """Orbits of the Fedorov-Zenkov map."""
    return run_map(task, kernels.sleigh.FEDOROV_ZENKOV, sleigh_branches.fedorov_zenkov_largest_step)


def run_midpoint(task: Task) -> Samples:
    """Orbits of the map of DS."""
    return run_map(task, kernels.sleigh.MIDPOINT, sleigh_branches.midpoint_largest_step)


def run_naive(task: Task) -> Samples:
    """Orbits of the map with the constraint V2 = 0."""
    return run_map(task, kernels.sleigh.NAIVE, sleigh_branches.naive_largest_step)


def run_map(task: Task, scheme: int, largest_step: LargestStep) -> Samples:
    """Orbits of a discrete map; an orbit ends where its principal branch does."""
    starts = np.ascontiguousarray([task.initial[name] for name in STATE], dtype=float)
    state = np.empty((8, task.orbits, task.samples))
    taken, ends = kernels.sleigh.orbits(scheme, body(task.params), starts, task.step, task.last, task.every, state)
    lengths = np.maximum((taken - 1) // task.every + 1, 1)
    for i in np.flatnonzero(taken == 0):
        # Not even the first step exists: keep the start itself, with the flow's momentum across the blade.
        state[:, i, 0] = list(flow_components(task.params, starts[:, i]).values())
    # A sample has its displacement; the momentum after the last one that was found has none, and is no sample.
    reasons = tuple(
        None if found > task.last else no_branch(int(found) - 1, int(end), task, largest_step, starts[3:, i])
        for i, (found, end) in enumerate(zip(taken, ends, strict=True))
    )
    return Samples(dict(zip(COMPONENTS, state, strict=True)), lengths, reasons)


def no_branch(steps: int, end: int, task: Task, largest_step: LargestStep, momentum: Array) -> str:
    """Why a map ended early, with the number that explains it."""
    largest = largest_step(task.params, float(ellipse.energy(PLANE, task.params, momentum)))
    ending = "reaches a half turn" if end == kernels.sleigh_turns.HALF_TURN else "has folded"
    return stops.no_branch(steps, f"principal branch {ending}", task.step, stops.at_energy(largest))


def extended(y: Array, p: Array, dy: Array) -> None:
    """y = (theta, x, y, Pi_theta, Pi_x, Pi_y), p = (J, m, a, b): CP (53), and the same with b.

    With the heading as a matrix y = (R row by row, x, y, Pi_theta, Pi_x, Pi_y, theta): CP (57); theta counts turns.
    """
    k = 0 if y.size == 6 else 3
    total = p[0] + p[1] * p[2] * p[2]
    omega = (y[3 + k] + p[3] * y[4 + k]) / total
    v = y[4 + k] / p[1] + p[3] * omega
    if k == 0:
        dy[0], dy[1], dy[2] = omega, v * np.cos(y[0]), v * np.sin(y[0])
    else:
        dy[0], dy[1], dy[2], dy[3] = omega * y[1], -omega * y[0], omega * y[3], -omega * y[2]
        dy[4], dy[5], dy[9] = v * y[0], v * y[2], omega
    dy[3 + k], dy[4 + k], dy[5 + k] = -y[5 + k] * v, y[5 + k] * omega, -p[2] * y[4 + k] * y[5 + k] / total


def conserved(y: Array, p: Array, values: Array, gradients: Array) -> None:
    """J1, the velocity across the blade over the root of its inverse mass, and the extended energy.

    Before them come the three products of the matrix's columns, if there is one.
    """
    k = 0 if y.size == 6 else 3
    total = p[0] + p[1] * p[2] * p[2]
    scale = np.sqrt(p[1] * p[0] / total)
    omega = (y[3 + k] + p[3] * y[4 + k]) / total
    values[k] = scale * (y[5 + k] / p[1] - p[2] * (y[3 + k] + p[3] * y[4 + k] - p[2] * y[5 + k]) / p[0])
    gradients[k, 3 + k], gradients[k, 4 + k] = -scale * p[2] / p[0], -scale * p[2] * p[3] / p[0]
    gradients[k, 5 + k] = scale * (1.0 / p[1] + p[2] * p[2] / p[0])
    values[k + 1] = 0.5 * (total * omega * omega + y[4 + k] * y[4 + k] / p[1])
    gradients[k + 1, 3 + k], gradients[k + 1, 4 + k] = omega, y[4 + k] / p[1] + p[3] * omega
    if k > 0:
        for i in range(2):
            values[i] = (y[i] * y[i] + y[2 + i] * y[2 + i] - 1.0) / ROOT
            gradients[i, i], gradients[i, 2 + i] = ROOT * y[i], ROOT * y[2 + i]
        values[2] = y[0] * y[1] + y[2] * y[3]
        gradients[2, 0], gradients[2, 1], gradients[2, 2], gradients[2, 3] = y[1], y[0], y[3], y[2]


def extension_start(params: Values, initial: Mapping[str, Array]) -> Array:
    """States on the constraint: Pi_y = m a omega."""
    flow = flow_components(params, np.array([initial[name] for name in STATE], dtype=float))
    return np.array([flow[name] for name in (*STATE, "p_2")])


def extension_components(params: Values, states: Array) -> dict[str, Array]:
    """Components of states (6, ...); p_2 is that of the run."""
    return flow_components(params, states[:5]) | {"p_2": states[5]}


def matrix_start(params: Values, initial: Mapping[str, Array]) -> Array:
    """The same start with a rotation matrix instead of the angle."""
    theta, *rest = extension_start(params, initial)
    return np.array([np.cos(theta), -np.sin(theta), np.sin(theta), np.cos(theta), *rest, theta])


def matrix_components(params: Values, states: Array) -> dict[str, Array]:
    """Components of states (10, ...): the heading is that of R's first column, with the turns of the counted angle."""
    heading = np.arctan2(states[2], states[0])
    theta = heading + 2.0 * np.pi * np.round((states[9] - heading) / (2.0 * np.pi))
    return extension_components(params, np.array([theta, *states[4:9]]))


def matrix_state(run: Components) -> Array:
    """States (samples, 10) of components, with R as the rotation by theta."""
    c, s = np.cos(run["theta"]), np.sin(run["theta"])
    return np.stack([c, -s, s, c, *(run[name] for name in (*STATE[1:], "p_2", "theta"))], axis=-1)


def reaction(y: Array, p: Array) -> Array:
    """The direction across the blade, among the momenta of a state with an angle or with a matrix."""
    across = np.zeros(y.size)
    across[5 if y.size == 6 else 8] = 1.0
    return across


ROTATION = Choice("rotation", "angle", ("angle", "matrix"), "heading as an angle, or as a 2 x 2 matrix with gain k0")
ANGLE = extensions.Extension(
    field=extended,
    conserved=conserved,
    gains=("k1", "k2"),
    meanings={"k1": "the constraint", "k2": "the energy"},
    parameters=lambda params: np.array(body(params)),
    start=extension_start,
    components=extension_components,
    state=extensions.stacked((*STATE, "p_2")),
    about="Uses CP (53), extended to b.",
    reaction=reaction,
    orbit=lambda: kernels.sleigh_feedback.orbit,
)
MATRIX = replace(
    ANGLE,
    gains=("k0", "k0", "k0", "k1", "k2"),
    meanings={"k0": "the orthogonality of R", **ANGLE.meanings},
    start=matrix_start,
    components=matrix_components,
    state=matrix_state,
    about="Uses CP (57), with R as any 2 x 2 matrix.",
    orbit=None,
)
EXTENSIONS = {"angle": ANGLE, "matrix": MATRIX}


def energy(params: Values, run: Components) -> Array:
    """E (FZ (5.5), divided by 2 m A)."""
    total, _ = sleigh_branches.inertias(params)
    return (run["p_theta"] + params["b"] * run["p_1"]) ** 2 / (2.0 * total) + run["p_1"] ** 2 / (2.0 * params["m"])


def constraint(params: Values, run: Components) -> Array:
    """Velocity across the blade that the momenta imply: p_2/m - a omega, zero on the flow."""
    return run["p_2"] / params["m"] - params["a"] * run["omega"]


def flow_multiplier(params: Values, step: float, momentum: Array) -> float:
    """exp(-eps a p_1 / A)."""
    total, _ = sleigh_branches.inertias(params)
    return float(np.exp(-step * params["a"] * momentum[1] / total))


def draw(run: Trajectory) -> Motion:
    """A sledge with its blade and its centre of mass, and the path of the contact point."""
    a, b = run.params["a"], run.params["b"]
    size = max(abs(a), abs(b), 0.3)
    outline = size * np.array([[-0.6, -0.45], [1.4, -0.45], [1.8, 0.0], [1.4, 0.45], [-0.6, 0.45], [-0.6, -0.45]])
    blade = size * np.array([[-0.5, 0.0], [0.5, 0.0]])
    place = np.stack([run["x"], run["y"]], axis=1)
    shapes = (
        Curve(outline + np.array([0.0, b]), "body"),
        Curve(blade, "blade"),
        Points(np.array([[a, b]]), "centre_of_mass"),
    )
    return Motion((Part(shapes, plane_rotations(run["theta"]), place),), (Curve(place, "path"),))


SYSTEM = System(
    id="sleigh",
    position=20,
    family="Sleigh",
    line="A blade on ice, a cusp, and a turn.",
    title="Chaplygin sleigh",
    summary=(
        "A body on ice stands on a blade that lets it slide only along itself. "
        "Pushed backwards it stops at a cusp, turns round by itself, and glides off forwards."
    ),
    parameters=(
        Parameter("J", 1.0, 0.001, 1000.0, "moment of inertia about the centre of mass", "J", "kg m^2", (0.1, 5.0)),
        Parameter("m", 1.0, 0.001, 1000.0, "mass", "m", "kg", (0.1, 5.0)),
        Parameter("a", 1.0, -100.0, 100.0, "centre of mass ahead of the blade", "a", "m", (-2.0, 2.0)),
        Parameter("b", 0.0, -100.0, 100.0, "centre of mass to the left of the blade", "b", "m", (-2.0, 2.0)),
    ),
    initial=(
        Parameter("theta", 0.0, -1e6, 1e6, "heading of the blade", r"\theta", "rad", (-3.2, 3.2)),
        Parameter("x", 0.0, -1e6, 1e6, "contact point, first coordinate", "x", "m", (-5.0, 5.0)),
        Parameter("y", 0.0, -1e6, 1e6, "contact point, second coordinate", "y", "m", (-5.0, 5.0)),
        Parameter(
            "p_theta",
            0.4,
            -1000.0,
            1000.0,
            "angular momentum about the contact point",
            r"p_\theta",
            "kg m^2/s",
            (-4.0, 4.0),
        ),
        Parameter("p_1", -1.5, -1000.0, 1000.0, "momentum along the blade", "p_1", "kg m/s", (-4.0, 4.0)),
    ),
    step=Parameter("step", 0.1, 1e-9, 100.0, "time step", r"\varepsilon", "s", (0.005, 1.0)),
    duration=Parameter("duration", 10.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 40.0)),
    default_method="fedorov_zenkov",
    components=(
        Component("theta", "heading of the blade", "rad", r"\theta"),
        Component("x", "contact point, first coordinate", "m"),
        Component("y", "contact point, second coordinate", "m"),
        Component("p_theta", "angular momentum about the contact point", "kg m^2/s", r"p_\theta"),
        Component("p_1", "momentum along the blade", "kg m/s"),
        Component("p_2", "momentum across the blade", "kg m/s"),
        Component("omega", "angular velocity of the momenta", "rad/s", r"\omega"),
        Component("v", "speed along the blade of the momenta", "m/s"),
    ),
    methods=(
        Method(
            "exact",
            "Flow",
            None,
            ("energy", "constraint"),
            run_exact,
            discrete=False,
            truth=True,
            local=Local(flow_multiplier),
            small="closed form",
        ),
        Method(
            "reference",
            "Reference",
            8,
            ("constraint",),
            run_reference,
            discrete=False,
            truth=True,
            local=Local(flow_multiplier),
        ),
        Method(
            "fedorov_zenkov",
            "Fedorov–Zenkov",
            2,
            ("energy",),
            run_fedorov_zenkov,
            branches=Branches(("p_theta", "p_1"), sleigh_branches.fedorov_zenkov),
            surface=Surface(loci.fedorov_zenkov_locus, loci.EXTENT),
            bound=Bound(at_energy=sleigh_branches.fedorov_zenkov_largest_step),
            local=Local(local.symmetric_multiplier, defect=local.fedorov_zenkov_defect),
            remark="Runs ahead of the flow.",
        ),
        Method(
            "midpoint",
            "Midpoint",
            2,
            (),
            run_midpoint,
            check=check_midpoint,
            small="b = 0",
            branches=Branches(("p_theta", "p_1"), sleigh_branches.midpoint),
            surface=Surface(loci.midpoint_locus, loci.EXTENT),
            bound=Bound(at_energy=sleigh_branches.midpoint_largest_step),
            local=Local(local.symmetric_multiplier, defect=local.midpoint_defect),
            remark="Does not keep the energy, yet is often the more accurate of the two.",
        ),
        Method(
            "naive",
            "Naive constraint",
            1,
            (),
            run_naive,
            branches=Branches(("p_theta", "p_1"), sleigh_branches.naive),
            surface=Surface(loci.naive_locus, loci.EXTENT),
            bound=Bound(at_energy=sleigh_branches.naive_largest_step),
            local=Local(local.naive_multiplier),
            remark="The wrong discrete constraint: loses energy, makes a spiral out of a circle.",
        ),
        feedback.method(
            lambda options: EXTENSIONS[str(options.get("rotation", "angle"))],
            "With rotation = matrix the heading is a matrix, CP (57).",
            (ROTATION,),
        ),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "E"),
        Quantity("constraint", "speed across the blade", True, constraint, "m/s", "v_2"),
    ),
    equations=(
        Equation(r"-\dot x\sin\theta + \dot y\cos\theta = 0", "constraint: no sliding across the blade", "FZ (5.7)"),
        Equation(
            r"p_1 = m(v - b\omega),\quad p_\theta = A\omega - b\,p_1,\quad A = J + ma^2",
            "momenta of the blade's frame",
            "FZ section 5, corrected",
        ),
        Equation(r"\dot p_\theta = -ma\,\omega v,\qquad \dot p_1 = ma\,\omega^2", "the flow", "FZ (5.4), DS (10)"),
        Equation(
            r"E = \frac{(p_\theta + b\,p_1)^2}{2A} + \frac{p_1^2}{2m}",
            "conserved by the flow and by Fedorov–Zenkov; not by Midpoint and the naive constraint",
            "FZ (5.5), Theorem 7.3",
        ),
        Equation(
            r"\theta(\infty) - \theta(-\infty) = \pm\pi\sqrt{1 + J/(ma^2)}",
            "total turn, for every start",
            "FZ section 5",
        ),
        Equation(
            r"q\tau^3 - P\tau^2 + (q + 2J)\tau - P = 0,\quad \tau = \tan\tfrac{\Delta\theta}{2},\ "
            r"P = \varepsilon(p_\theta + b\,p_1),\ q = \varepsilon a\,p_1 + 2ma^2",
            "Fedorov–Zenkov: the turn of one step",
            "FZ (7.18)",
        ),
        Equation(
            r"A d + \frac{a d}{2\cos(d/2)}\left(\varepsilon p_1 + m a d \sin\tfrac d2\right) = \varepsilon p_\theta",
            "Midpoint: the turn d of one step",
            "DS (23)",
        ),
    ),
    experiments=(
        Experiment(
            "The cusp",
            "Sliding backwards the sleigh slows down, stops at a cusp, and turns round by itself.",
            method="exact",
        ),
        Experiment(
            "The wrong constraint",
            "With a = 0 the path is a circle; the naive scheme makes a spiral of it.",
            params={"a": 0.0},
            initial={"p_theta": 1.0, "p_1": 1.0},
            step=0.2,
            duration=40.0,
            method="naive",
        ),
        Experiment(
            "A long step",
            "Both good schemes keep the shape of the path with few, long steps.",
            step=0.5,
        ),
    ),
    plane=PLANE,
    draw=draw,
    kernels=(
        "sleigh",
        "sleigh_turns",
        "sleigh_path",
        "polynomials",
        "flow",
        "feedback",
        "crossings",
        "sleigh_feedback",
    ),
    sweep_kernels=("sleigh_points",),
    measures=sleigh_measures.measures(PLANE),
)
