r"""The Suslov top: a body that turns about a fixed point but never about its own third axis.

With the inertia tensor I (I12 = 0), the constraint omega_3 = 0, (u, v) = (omega_1, omega_2), k = I13 u + I23 v
and the momentum M = I omega:

* Flow: I11 u' = -v k, I22 v' = u k (FZ (4.3), GJ (14)). The energy E_c = M1^2/(2 I11) + M2^2/(2 I22) is kept.
  M lies in the plane d*: M3 = I13 M1/I11 + I23 M2/I22 (GJ (13)). Every orbit runs along an ellipse from the
  unstable to the stable permanent rotation, both on the line k = 0.
* Displacement of a discrete step: W = Cay(eps (u, v, 0)), a turn about (u, v, 0) by 2 atan(eps |(u, v)| / 2).
* `moser_veselov` (FZ (6.13), GJ (28)), with Delta = 4 + eps^2 (u^2 + v^2):
  M1 = 2 (2 I11 u + eps v k)/Delta, M2 = 2 (2 I22 v - eps u k)/Delta, M3 = 2 (2 k + eps (I22 - I11) u v)/Delta.
* `cayley` (GJ (41)), with S = I11 u^2 + I22 v^2: M1 = I11 u + eps v k/2 + eps^2 u S/4,
  M2 = I22 v - eps u k/2 + eps^2 v S/4, M3 = k + eps (I22 - I11) u v/2.
* A step keeps (M1, M2) of Ad*_W M, which only changes the sign of eps (GJ (30), (42)); the new momentum is then
  solved for the next displacement. Both maps are symmetric, hence of order 2; -eps is the inverse.
* `moser_veselov` keeps E_c on every branch (FZ Theorem 6.2); `cayley` changes 2 I11 I22 E_c by
  (eps^3 u v/2)(I11 - I22) S k in a step (GJ Proposition 7.2).
"""

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from nhviz import kernels
from nhviz.maps import cayley_folds, local, loci, steiner, suslov_branches
from nhviz.measures import lyapunov
from nhviz.measures import suslov as suslov_measures
from nhviz.methods import ellipse, extensions, feedback, reference, rotations, stops
from nhviz.parameters import Choice, Parameter, ParameterError
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Motion, Part, Shape, ellipsoid
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

QUADRATURE_BUDGET = 5_000_000
ENTRIES = ("I11", "I22", "I33", "I13", "I23")
ROOT = 2.0**0.5


def momentum_matrix(params: Values) -> Array:
    """z = (M1 / sqrt I11, M2 / sqrt I22): the energy is |z|^2 / 2."""
    return np.array([[params["I11"] ** -0.5, 0.0], [0.0, params["I22"] ** -0.5]])


def swing(params: Values) -> tuple[float, float]:
    """kappa e^(i delta) = (I13 / sqrt I11 + i I23 / sqrt I22) / sqrt(I11 I22)."""
    first, second = params["I13"] / params["I11"] ** 0.5, params["I23"] / params["I22"] ** 0.5
    return math.hypot(first, second) / (params["I11"] * params["I22"]) ** 0.5, math.atan2(second, first)


PLANE = MomentumPlane(("M1", "M2"), momentum_matrix, swing)


def check(params: Values) -> None:
    """A tensor must be positive definite; with I12 = 0 that is I33 > I13^2/I11 + I23^2/I22."""
    least = params["I13"] ** 2 / params["I11"] + params["I23"] ** 2 / params["I22"]
    if params["I33"] <= least:
        raise ParameterError(
            "The inertia tensor must be positive definite: I33 must be larger than I13^2/I11 + I23^2/I22 = "
            f"{least:.6g}, not {params['I33']:.6g}.",
            "I33",
        )


def valid(params: Mapping[str, Array], initial: Mapping[str, Array]) -> Array:
    """`check` for many tensors."""
    return params["I33"] > params["I13"] ** 2 / params["I11"] + params["I23"] ** 2 / params["I22"]


def remarks(params: Values) -> list[str]:
    """A real body's principal moments satisfy the triangle inequality; the equations do not need it."""
    moments = np.linalg.eigvalsh(tensor(params))
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-12):
        return [
            "Mathematical, not a real body: its largest principal moment "
            f"{moments[2]:.4g} exceeds the sum {moments[0] + moments[1]:.4g} of the others."
        ]
    return []


def tensor(params: Values) -> Array:
    """The inertia tensor as a matrix."""
    i11, i22, i33, i13, i23 = (params[name] for name in ENTRIES)
    return np.array([[i11, 0.0, i13], [0.0, i22, i23], [i13, i23, i33]])


def field(y: Array, p: Array, dy: Array) -> None:
    """y = (M1, M2, q0, q1, q2, q3), p = (I11, I22, I13, I23): the flow and the attitude q' = q (0, u, v, 0)/2."""
    u, v = y[0] / p[0], y[1] / p[1]
    k = p[2] * u + p[3] * v
    dy[0], dy[1] = -v * k, u * k
    dy[2] = 0.5 * (-y[3] * u - y[4] * v)
    dy[3] = 0.5 * (y[2] * u - y[5] * v)
    dy[4] = 0.5 * (y[2] * v + y[5] * u)
    dy[5] = 0.5 * (y[3] * v - y[4] * u)


def flow_components(params: Values, momentum: Array) -> dict[str, Array]:
    """u, v, M1, M2, M3 of momenta (2, ...) in the plane d*."""
    u, v = momentum[0] / params["I11"], momentum[1] / params["I22"]
    return {"u": u, "v": v, "M1": momentum[0], "M2": momentum[1], "M3": params["I13"] * u + params["I23"] * v}


def run_exact(task: Task) -> Samples:
    """The closed form of the flow; the attitude by sixth-order steps from the known angular velocity."""
    times = task.times
    momentum = np.empty((2, task.orbits, task.samples))
    turning = "R" not in task.skip
    attitude = np.empty((task.orbits, task.samples if turning else 0, 3, 3))
    lengths = np.full(task.orbits, task.samples)
    for i in range(task.orbits):
        start = np.array([task.initial["M1"][i], task.initial["M2"][i]])
        momentum[:, i] = ellipse.momenta(PLANE, task.params, start, times)
        if turning:
            lengths[i] = exact_attitude(task, start, attitude[i])
    components = flow_components(task.params, momentum)
    if turning:
        components["R"] = attitude
    reasons = tuple(None if n == task.samples else too_fast(times[n - 1]) for n in lengths)
    return Samples(components, lengths, reasons)


def exact_attitude(task: Task, start: Array, attitude: Array) -> int:
    """Fill the attitude of one exact orbit; returns the samples reached."""
    arc = ellipse.solve(PLANE, task.params, start)
    semi_axes = (arc.radius / task.params["I11"] ** 0.5, arc.radius / task.params["I22"] ** 0.5)
    direction = (np.cos(arc.delta), np.sin(arc.delta), arc.sign)
    interval = task.step * task.every
    return kernels.suslov.exact_attitude(
        semi_axes, direction, arc.rate, arc.phase, interval, task.samples, QUADRATURE_BUDGET, attitude
    )


def too_fast(t: float) -> str:
    """Why an exact run ended early."""
    return (
        f"the exact attitude ended at t = {t:.6g}: more than {QUADRATURE_BUDGET:,} quadrature steps would be needed; "
        "lower the duration or the momentum."
    )


def run_reference(task: Task) -> Samples:
    """The flow and the attitude as differential equations, as accurately as `nhviz.methods.reference` says."""
    params = task.params
    identity = np.array([1.0, 0.0, 0.0, 0.0])[:, None] * np.ones(task.orbits)
    starts = np.vstack([task.initial["M1"], task.initial["M2"], identity])
    parameters = np.array(suslov_branches.inertia(params))
    states, lengths, reasons = reference.integrate(field, parameters, starts, task)
    components = flow_components(params, states[:2])
    if "R" not in task.skip:
        components["R"] = rotations.matrices(states[2:])
    return Samples(components, lengths, reasons)


def extension_parameters(params: Values) -> Array:
    """(1/I11, 1/I22, I13, I23, 1/sqrt(s)) with s = I33 - I13^2/I11 - I23^2/I22: no division in the inner loop."""
    i11, i22, i13, i23 = suslov_branches.inertia(params)
    return np.array([1.0 / i11, 1.0 / i22, i13, i23, (params["I33"] - i13**2 / i11 - i23**2 / i22) ** -0.5])


def extended(y: Array, p: Array, dy: Array) -> None:
    """y = (R row by row, M1, M2, M3): CP (33), in which the projected velocity is (M1/I11, M2/I22, 0)."""
    u, v = y[9] * p[0], y[10] * p[1]
    for row in (0, 3, 6):
        dy[row], dy[row + 1], dy[row + 2] = -y[row + 2] * v, y[row + 2] * u, y[row] * v - y[row + 1] * u
    dy[9], dy[10] = -y[11] * v, y[11] * u
    dy[11] = p[2] * p[0] * dy[9] + p[3] * p[1] * dy[10]


def conserved(y: Array, p: Array, values: Array, gradients: Array) -> None:
    """The six products of R's columns, scaled so that their squares add up to |R^T R - 1|^2/2, J and E_c."""
    for i in range(3):
        j = (i + 1) % 3
        square, product = -1.0, 0.0
        for row in (0, 3, 6):
            square += y[row + i] * y[row + i]
            product += y[row + i] * y[row + j]
            gradients[i, row + i] = ROOT * y[row + i]
            gradients[3 + i, row + i], gradients[3 + i, row + j] = y[row + j], y[row + i]
        values[i], values[3 + i] = square / ROOT, product
    u, v = y[9] * p[0], y[10] * p[1]
    values[6] = p[4] * (y[11] - p[2] * u - p[3] * v)
    gradients[6, 9], gradients[6, 10], gradients[6, 11] = -p[4] * p[2] * p[0], -p[4] * p[3] * p[1], p[4]
    values[7] = 0.5 * (y[9] * u + y[10] * v)
    gradients[7, 9], gradients[7, 10] = u, v


def extension_start(params: Values, initial: Mapping[str, Array]) -> Array:
    """The identity and a momentum in the plane d*."""
    momentum = flow_components(params, np.array([initial["M1"], initial["M2"]], dtype=float))
    identity = np.eye(3).reshape(9, 1) * np.ones(np.size(initial["M1"]))
    return np.vstack([identity, momentum["M1"], momentum["M2"], momentum["M3"]])


def extension_components(params: Values, states: Array) -> dict[str, Array]:
    """Components of states (12, ...): u and v are the projected velocity, M3 is that of the run."""
    found = flow_components(params, states[9:11]) | {"M3": states[11]}
    return found | {"R": np.moveaxis(states[:9], 0, -1).reshape(*states.shape[1:], 3, 3)}


def extension_state(run: Components) -> Array:
    """States (samples, 12) of components."""
    return np.concatenate([run["R"].reshape(len(run["R"]), 9), np.stack([run["M1"], run["M2"], run["M3"]], 1)], axis=1)


def reaction(y: Array, p: Array) -> Array:
    """The direction of the third momentum: the torque that keeps the body from turning about its third axis."""
    return np.array([0.0] * 11 + [1.0])


EXTENSION = extensions.Extension(
    field=extended,
    conserved=conserved,
    gains=("k0",) * 6 + ("k1", "k2"),
    meanings={"k0": "the orthogonality of R", "k1": "the constraint", "k2": "the energy"},
    parameters=extension_parameters,
    start=extension_start,
    components=extension_components,
    state=extension_state,
    about="Uses CP (33), with R as any 3 x 3 matrix.",
    reaction=reaction,
    far=20.0,
    usual={"k2": 1e-4},
    orbit=lambda: kernels.suslov_feedback.orbit,
)


def run_moser_veselov(task: Task) -> Samples:
    """Orbits of the Moser-Veselov map."""
    branch = int(task.options.get("branch", 0))
    level = 0.25 * steiner.simple_level(suslov_branches.inertia(task.params))
    return run_map(task, kernels.suslov.MOSER_VESELOV, branch, level, steiner.largest_step)


def run_cayley(task: Task) -> Samples:
    """Orbits of the Cayley map."""
    level = cayley_folds.simple_level(suslov_branches.inertia(task.params))
    return run_map(task, kernels.suslov.CAYLEY, 0, level, cayley_folds.largest_step)


def run_map(task: Task, scheme: int, branch: int, level: float, largest_step: LargestStep) -> Samples:
    """Orbits of a discrete map; an orbit ends where its branch has no real displacement."""
    m1, m2 = (np.ascontiguousarray(task.initial[name], dtype=float) for name in ("M1", "M2"))
    turning = "R" not in task.skip
    state = np.empty((5, task.orbits, task.samples))
    attitude = np.empty((task.orbits, task.samples if turning else 0, 3, 3))
    ends = np.empty((task.orbits, 2))
    taken = kernels.suslov.orbits(
        scheme,
        suslov_branches.inertia(task.params),
        m1,
        m2,
        task.step,
        task.last,
        task.every,
        branch,
        level,
        state,
        attitude,
        ends,
    )
    lengths = np.maximum((taken - 1) // task.every + 1, 1)
    # Where not even the first step exists, the start itself is kept, with the flow's velocity.
    for i in np.flatnonzero(taken == 0):
        at_start = flow_components(task.params, np.array([m1[i], m2[i]]))
        state[:, i, 0] = [at_start[name] for name in ("u", "v", "M1", "M2", "M3")]
        if turning:
            attitude[i, 0] = np.eye(3)
    # A sample has its displacement; the momentum after the last one that was found has none, and is no sample.
    reasons = tuple(
        None if found > task.last else no_branch(int(found) - 1, task, branch, largest_step, ends[i])
        for i, found in enumerate(taken)
    )
    components = dict(zip(("u", "v", "M1", "M2", "M3"), state, strict=True))
    if turning:
        components["R"] = attitude
    return Samples(components, lengths, reasons)


def no_branch(steps: int, task: Task, branch: int, largest_step: LargestStep, end: Array) -> str:
    """Why a map ended early, at the momentum `end`, with the number that explains it."""
    size, largest = abs(task.step), largest_step(task.params, float(ellipse.energy(PLANE, task.params, end)))
    followed = "principal branch" if branch == 0 else "branch followed"
    if branch == 0 and (largest is None or size < largest):
        return (
            f"no real branch {stops.after(steps)}: the principal branch of M1 = {end[0]:.6g}, M2 = {end[1]:.6g} splits "
            f"in two before the step {size:.6g}; change the start a little."
        )
    return stops.no_branch(steps, f"{followed} has folded", size, stops.at_energy(largest))


def energy(params: Values, run: Components) -> Array:
    """E_c, the constrained energy (GJ (15))."""
    return run["M1"] ** 2 / (2.0 * params["I11"]) + run["M2"] ** 2 / (2.0 * params["I22"])


def constraint(params: Values, run: Components) -> Array:
    """Signed distance of M to the plane d*."""
    return loci.distance_to_plane(params, run["M1"], run["M2"], run["M3"])


def flow_multiplier(params: Values, step: float, momentum: Array) -> float:
    """exp(-+ r kappa eps) at the stable and unstable end."""
    z = momentum_matrix(params) @ momentum
    kappa, delta = swing(params)
    return float(np.exp(-step * kappa * (np.cos(delta) * z[1] - np.sin(delta) * z[0])))


@lru_cache(maxsize=16)
def body_shapes(entries: tuple[float, float, float, float, float]) -> tuple[Shape, ...]:
    """The inertia ellipsoid of (I11, I22, I33, I13, I23), and the body axes."""
    moments, frame = np.linalg.eigh(tensor(dict(zip(ENTRIES, entries, strict=True))))
    semi_axes = 0.78 * np.sqrt(moments[0] / moments)
    axes = (
        Curve(np.array([np.zeros(3), np.eye(3)[i]]), role)
        for i, role in enumerate(("axis_1", "axis_2", "forbidden_axis"))
    )
    return ellipsoid(semi_axes, frame, "body", toned=True), *axes


def draw(run: Trajectory) -> Motion:
    """The inertia ellipsoid with the body axes; behind it the path of the forbidden axis on the unit sphere."""
    i11, i22, i33, i13, i23 = (run.params[name] for name in ENTRIES)
    body = Part(body_shapes((i11, i22, i33, i13, i23)), run["R"], np.zeros((len(run), 3)))
    return Motion((body,), (Curve(run["R"][:, :, 2], "forbidden_axis_path"),))


START = (
    Parameter("M1", 41.07400078, -1000.0, 1000.0, "first body momentum", "M_1", "kg m^2/s", (-120.0, 120.0)),
    Parameter("M2", -99.38251558, -1000.0, 1000.0, "second body momentum", "M_2", "kg m^2/s", (-120.0, 120.0)),
)

SYSTEM = System(
    id="suslov",
    position=10,
    family="Top",
    line="Glides from one permanent rotation to another.",
    title="Suslov top",
    summary=(
        "A body turns about a fixed point, but never about its own third axis. "
        "It glides from one permanent rotation to another, about different axes in space."
    ),
    parameters=(
        Parameter(
            "I11", 3.0, 0.01, 100.0, "moment of inertia about the first body axis", "I_{11}", "kg m^2", (0.5, 10.0)
        ),
        Parameter(
            "I22", 4.0, 0.01, 100.0, "moment of inertia about the second body axis", "I_{22}", "kg m^2", (0.5, 10.0)
        ),
        Parameter(
            "I33", 5.0, 0.01, 1000.0, "moment of inertia about the third body axis", "I_{33}", "kg m^2", (0.5, 15.0)
        ),
        Parameter("I13", 1.0, -100.0, 100.0, "product of inertia of axes 1 and 3", "I_{13}", "kg m^2", (-3.0, 3.0)),
        Parameter("I23", 0.5, -100.0, 100.0, "product of inertia of axes 2 and 3", "I_{23}", "kg m^2", (-3.0, 3.0)),
    ),
    initial=START,
    step=Parameter("step", 0.015, 1e-9, 100.0, "time step", r"\varepsilon", "s", (0.001, 0.04)),
    duration=Parameter("duration", 1.0, 0.0, 1e6, "length of the run", "T", "s", (0.1, 5.0)),
    default_method="moser_veselov",
    components=(
        Component("u", "first angular velocity; of a map, Cayley coordinate of the step", "rad/s"),
        Component("v", "second angular velocity; of a map, Cayley coordinate of the step", "rad/s"),
        Component("M1", "first body momentum", "kg m^2/s", "M_1"),
        Component("M2", "second body momentum", "kg m^2/s", "M_2"),
        Component("M3", "third body momentum", "kg m^2/s", "M_3"),
        Component("R", "attitude: body frame to space frame", shape=(3, 3)),
    ),
    methods=(
        Method(
            "exact",
            "Flow",
            None,
            ("energy", "constraint", "orthogonality"),
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
            ("constraint", "orthogonality"),
            run_reference,
            discrete=False,
            truth=True,
            local=Local(flow_multiplier),
        ),
        Method(
            "moser_veselov",
            "Moser–Veselov",
            2,
            ("energy", "orthogonality"),
            run_moser_veselov,
            options=(
                Choice(
                    "branch",
                    0,
                    (0, 1),
                    "which real displacement to follow: 0 the principal one, 1 the other",
                    ("principal", "other"),
                ),
            ),
            branches=Branches(("M1", "M2"), suslov_branches.moser_veselov),
            surface=Surface(loci.moser_veselov_locus, loci.SECTION),
            bound=Bound(at_energy=steiner.largest_step),
            local=Local(
                local.moser_veselov_multiplier,
                local.moser_veselov_rest_points,
                local.moser_veselov_defect,
                rests_on_line=True,
            ),
            remark="Runs ahead of the flow for moderate products of inertia.",
        ),
        Method(
            "cayley",
            "Cayley",
            2,
            ("orthogonality",),
            run_cayley,
            branches=Branches(("M1", "M2"), suslov_branches.cayley),
            surface=Surface(loci.cayley_locus, loci.ANGLE),
            bound=Bound(at_energy=cayley_folds.largest_step),
            local=Local(local.cayley_multiplier, local.cayley_rest_points, local.cayley_defect),
            small="consistent",
            remark="Keeps the energy exactly if I11 = I22; lags behind the flow for moderate products of inertia.",
        ),
        feedback.method(EXTENSION),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "E_c"),
        Quantity("constraint", "distance of the momentum from its plane", True, constraint, "kg m^2/s", r"\rho"),
        rotations.ORTHOGONALITY,
    ),
    equations=(
        Equation(r"\omega_3 = 0", "constraint: no rotation about the third body axis", "FZ (4.1)"),
        Equation(
            r"I_{11}\dot u = -v\,(I_{13}u + I_{23}v),\quad I_{22}\dot v = u\,(I_{13}u + I_{23}v)",
            "the flow of the two free angular velocities",
            "FZ (4.3), GJ (14)",
        ),
        Equation(
            r"E_c = \frac{M_1^2}{2I_{11}} + \frac{M_2^2}{2I_{22}}",
            "conserved by the flow and by Moser–Veselov on every branch",
            "GJ (15), FZ Theorem 6.2",
        ),
        Equation(
            r"M_3 = \frac{I_{13}}{I_{11}}M_1 + \frac{I_{23}}{I_{22}}M_2",
            "the plane d* in which the flow's momentum stays; the maps leave it for their loci",
            "GJ (13)",
        ),
        Equation(
            r"\Delta\,M_1 = 2(2I_{11}u + \varepsilon v k),\ \Delta\,M_2 = 2(2I_{22}v - \varepsilon u k),\ "
            r"\Delta = 4 + \varepsilon^2(u^2+v^2),\ k = I_{13}u + I_{23}v",
            "Moser–Veselov: momentum before a step with displacement Cay(eps (u, v, 0))",
            "GJ (28), FZ (6.12)",
        ),
        Equation(
            r"M_1 = I_{11}u + \tfrac{\varepsilon}{2}vk + \tfrac{\varepsilon^2}{4}uS,\ "
            r"M_2 = I_{22}v - \tfrac{\varepsilon}{2}uk + \tfrac{\varepsilon^2}{4}vS,\ S = I_{11}u^2+I_{22}v^2",
            "Cayley: momentum before a step; not conserved: the energy, unless I11 = I22",
            "GJ (41)",
        ),
        Equation(r"\dot R = R\,\hat\omega,\qquad R_{k+1} = R_k W_k", "attitude of the body in space", "FZ (6.1)"),
    ),
    experiments=(
        Experiment(
            "From one rotation to the other",
            "The momentum runs along half an ellipse; in space the two limit axes differ.",
            method="exact",
        ),
        Experiment(
            "Ahead and behind",
            "With a long step Moser–Veselov runs ahead of the flow and Cayley lags behind.",
            step=0.03,
        ),
        Experiment(
            "Beyond the fold",
            "The step 0.04 exceeds the largest admissible one, 0.0327: the orbit runs out of real branches.",
            step=0.04,
        ),
    ),
    plane=PLANE,
    check=check,
    remarks=remarks,
    draw=draw,
    kernels=("suslov", "suslov_feedback", "suslov_folds", "polynomials", "rotations", "flow", "feedback", "crossings"),
    sweep_kernels=("suslov_points", "suslov_steps", "limit_axes"),
    measures=(
        *suslov_measures.measures(PLANE),
        lyapunov.measure(
            {
                "exact": run_exact,
                "reference": run_reference,
                "moser_veselov": run_moser_veselov,
                "cayley": run_cayley,
            },
            START,
        ),
    ),
    valid=valid,
)
