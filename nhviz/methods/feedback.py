"""Feedback integrators (CP section 2.4): one mechanism for every system that declares an extension.

A constrained system is extended to a field X on all of phase space that keeps the constraint momenta, the energy and
other integrals c_i, also where the constraint does not hold. A scheme for y' = X - grad V, V = sum of
(k_i/2)(c_i - c_i(0))^2, is then pulled back to the integrals of its start. It keeps them to about step/k; it does not
raise the order of the scheme. Gains that grow as 1/step, as the default ones do, in general lower that of Runge and
Kutta to 2: its stages leave the integrals by the square of the step, and step * k does not shrink.

Stability: near the integrals V adds the linear part -sum k_i grad c_i grad c_i^T, whose largest eigenvalue Lambda is
that of the matrix sqrt(k_i k_j) <grad c_i, grad c_j>. Euler's scheme needs step Lambda < 2, the classical one of Runge
and Kutta 2.785.

Two more numbers belong to every feedback. `pull` is a factor on all gains. `off` displaces the start across the
constraint, while the targets stay those of the start on it: the momenta get a blow along the reaction force, of the
size that the constraint's function c_i is off by exactly that (it is linear in the momenta). Places and allowed
velocities stay, and so does the extended energy, as the reaction does no work on allowed motions. With gains the run
falls back; without, the extended field keeps it off for ever.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from nhviz.methods import stops
from nhviz.methods.reference import Field, compiled_field, integrate
from nhviz.parameters import Choice, Parameter
from nhviz.problem import Trajectory
from nhviz.system import Array, Method, RunQuantity, Samples, Task, Values

LIMIT = 1e6
SLACK = 0.01
NEARLY = 0.97
FLOW_SAMPLES = 1000
BOUNDS = {"euler": 2.0, "rk4": 2.785293563405282}
STAGES = {"euler": 1, "rk4": 4}
ORDERS = {"euler": 1, "rk4": 4}
WARNING = 1.5
PULL = Parameter("pull", 1.0, 0.0, 1e6, "a factor on all gains", r"\kappa", "", (0.0, 6.0))
BASE = Choice("base", "euler", ("euler", "rk4"), "scheme that the feedback is added to", ("Euler", "RK4"))


@dataclass(frozen=True)
class Extension:
    """What a system declares: its extended field, its conserved functions with gradients, and how a state is laid out.

    `gains` names the gain of each conserved function, in their order; a name may occur more than once. `start` gives
    states (variables, orbits) of initial values, `components` the components by name of states (variables, ...), and
    `state` the states (samples, variables) of components: `named` and `stacked` are these two where every variable is a
    component. `about` says which extension it is. `usual` holds gains times
    step, where 0.1 would not suit the size of a gradient at the default start. `constraint` names the gain of the
    function that is off when a start is, by up to about `far`, and `reaction` gives the direction (variables,) in which
    the constraint acts on the momenta, at a state and parameters. `orbit` may give a kernel that follows this
    extension faster than the general one (`kernels.schemes`); it must compute the same.
    """

    field: Field
    conserved: Callable[[Array, Array, Array, Array], None]
    gains: tuple[str, ...]
    meanings: Mapping[str, str]
    parameters: Callable[[Values], Array]
    start: Callable[[Values, Mapping[str, Array]], Array]
    components: Callable[[Values, Array], dict[str, Array]]
    state: Callable[[Mapping[str, Array]], Array]
    about: str
    usual: Mapping[str, float] = dataclasses.field(default_factory=dict)
    constraint: str = "k1"
    reaction: Callable[[Array, Array], Array] | None = None
    far: float = 0.5
    orbit: Callable[[], Any] | None = None


def named(
    variables: tuple[str, ...], derived: Callable[[Values, dict[str, Array]], dict[str, Array]] | None = None
) -> Callable[[Values, Array], dict[str, Array]]:
    """The components of states whose variables are components themselves, with those derived from them."""

    def components(params: Values, states: Array) -> dict[str, Array]:
        found = dict(zip(variables, states, strict=True))
        return found | derived(params, found) if derived else found

    return components


def stacked(variables: tuple[str, ...]) -> Callable[[Mapping[str, Array]], Array]:
    """The states (samples, variables) of components that are the variables."""
    return lambda run: np.stack([run[name] for name in variables], axis=-1)


@cache
def compiled_conserved(conserved: Any) -> Any:
    """The conserved functions as machine code with the signature that the integrator expects."""
    from nhviz.kernels.compile import as_argument
    from nhviz.kernels.feedback import CONSERVED_SIGNATURE

    return as_argument(conserved, CONSERVED_SIGNATURE)


Chosen = Callable[[Mapping[str, Any]], Extension]


def gain_options(meanings: Mapping[str, str], usual: Mapping[str, float]) -> tuple[Parameter, ...]:
    """The gains as options: by default 0.1/step each, unless another multiple is usual."""
    return tuple(
        Parameter(
            name, usual.get(name, 0.1), 0.0, 1e12, f"gain on {meaning}", name.replace("k", "k_"), "1/step",
            (0.0, 4.0 * usual.get(name, 0.1)), per_step=True,
        )
        for name, meaning in meanings.items()
    )  # fmt: skip


def off_option(extension: Extension) -> tuple[Parameter, ...]:
    """How far the start is off the constraint, as an option; none for an extension without a reaction."""
    if extension.reaction is None:
        return ()
    meaning = "the start is off the constraint by this much"
    return (Parameter("off", 0.0, -1e3, 1e3, meaning, r"\delta", "", (0.0, extension.far)),)


def method(choose: Chosen | Extension, remark: str = "", options: tuple[Choice, ...] = ()) -> Method:
    """The method `feedback` of a system with one extension, or with one chosen by options."""
    chosen: Chosen = (lambda given: choose) if isinstance(choose, Extension) else choose
    meanings: dict[str, str] = {}
    variants = [{}] if not options else [{options[0].name: value} for value in options[0].choices]
    for variant in variants:
        meanings |= chosen(variant).meanings
    return Method(
        "feedback",
        "Feedback",
        lambda given: ORDERS[str(given["base"])],
        (),
        lambda task: run(chosen(task.options), task),
        options=(
            BASE,
            *options,
            *gain_options(dict(sorted(meanings.items())), chosen(variants[0]).usual),
            PULL,
            *off_option(chosen(variants[0])),
        ),
        invertible=False,
        quantities=(
            RunQuantity(
                "stability",
                "step times Lambda; Euler needs less than 2, RK4 less than 2.785",
                lambda orbit: stability(chosen(dict(orbit.problem.options)), orbit),
                "",
                r"\varepsilon\Lambda",
                lambda orbit: greatest_stability(chosen(dict(orbit.problem.options)), orbit),
            ),
        ),
        run_remarks=warnings,
        stable_gains=lambda orbit, given: stable_gains(chosen(given), orbit, given),
        stable_pull=lambda orbit, given: stable_pull(chosen(given), orbit, given),
        extension=chosen,
        remark=" ".join(
            [
                chosen(variants[0]).about,
                "Feedback keeps the integrals to about step/gain; it does not raise the order.",
                remark,
            ]
        ).strip(),
    )


def flow_method(extension: Extension, preserves: tuple[str, ...] = ()) -> Method:
    """The method `reference` of a system with an extension: the extended field, from a start on the constraint."""
    return Method(
        "reference",
        "Reference",
        8,
        preserves,
        lambda task: run_flow(extension, task),
        discrete=False,
        truth=True,
    )


def run_flow(extension: Extension, task: Task) -> Samples:
    """The equations of motion, as accurately as `nhviz.methods.reference` says."""
    starts = extension.start(task.params, task.initial)
    states, lengths, reasons = integrate(extension.field, extension.parameters(task.params), starts, task)
    return Samples(components_of(extension, task, states), lengths, reasons)


def components_of(extension: Extension, task: Task, states: Array) -> dict[str, Array]:
    """The components that are wanted; the first sample of an initial value is that value to the last digit.

    Of a start that is off the constraint it is what the run has: a blow changes momenta.
    """
    found = {n: part for n, part in extension.components(task.params, states).items() if n not in task.skip}
    for name in found.keys() & task.initial.keys() if not task.options.get("off") else ():
        found[name][:, 0] = task.initial[name]
    return found


def gains_of(extension: Extension, options: Mapping[str, Any]) -> Array:
    """The gain of every conserved function, as strong as it pulls."""
    return np.array([float(options[name]) for name in extension.gains]) * pull_of(options)


def pull_of(options: Mapping[str, Any]) -> float:
    """The factor on all gains."""
    return float(options.get("pull", 1.0))


def displaced(extension: Extension, off: float, p: Array, start: Array, gradients: Array) -> Array:
    """A start off the constraint by so much: with a blow along the reaction force, from the gradients at the start."""
    assert extension.reaction is not None
    across = extension.reaction(start, p)
    return start + off / float(gradients[extension.gains.index(extension.constraint)] @ across) * across


def slack_of(extension: Extension, p: Array, first: Array, targets: Array) -> float:
    """The share by which an integral may be off: what the start is off by is not a loss."""
    values = np.zeros(targets.size)
    compiled_conserved(extension.conserved)(first, p, values, np.zeros((targets.size, first.size)))
    return SLACK + 2.0 * float(np.max(np.abs(values - targets) / (1.0 + np.abs(targets))))


def run(extension: Extension, task: Task) -> Samples:
    """Orbits of the feedback integrator, each pulled to the integrals of its own start."""
    starts = extension.start(task.params, task.initial)
    # Zeros: an orbit that ends early leaves samples that nothing has written.
    states = np.zeros((task.orbits, task.samples, starts.shape[0]))
    lengths, reasons = np.empty(task.orbits, dtype=int), []
    for i in range(task.orbits):
        taken, reason = run_one(extension, task, np.ascontiguousarray(starts[:, i]), states[i])
        lengths[i] = taken // task.every + 1
        states[i, lengths[i] :] = states[i, lengths[i] - 1]
        reasons.append(reason)
    # One variable after the other, as those who read the components want them.
    parts = np.ascontiguousarray(np.moveaxis(states, -1, 0))
    return Samples(components_of(extension, task, parts), lengths, tuple(reasons))


def run_one(extension: Extension, task: Task, start: Array, out: Array) -> tuple[int, str | None]:
    """One orbit into out (samples, variables): the steps taken, and why it ended early if it did."""
    p, gains = extension.parameters(task.params), gains_of(extension, task.options)
    targets, gradients = np.zeros(gains.size), np.zeros((gains.size, start.size))
    compiled_conserved(extension.conserved)(start, p, targets, gradients)
    first, slack, off = start, SLACK, float(task.options.get("off", 0.0))
    if off != 0.0:
        first = displaced(extension, off, p, start, gradients)
        slack = slack_of(extension, p, first, targets)
    limit = max(LIMIT, 1e3 * float(np.abs(first).max()))
    taken = followed(extension, task, first, targets, limit, slack, out)
    if taken == task.last:
        return taken, None
    reason = lost(extension, task, start, first, gains, taken) if gains.any() else None
    if reason is None:
        # Integrals that drift far with a stable feedback are the coarse scheme's own doing: let it go on.
        taken = followed(extension, task, first, targets, limit, np.inf, out)
        reason = None if taken == task.last else left(task, limit, taken)
    return taken, reason


def followed(
    extension: Extension, task: Task, start: Array, targets: Array, limit: float, slack: float, out: Array
) -> int:
    """One orbit by the extension's own loop, if it has one, which runs forwards only: the steps taken."""
    if extension.orbit is None or task.step < 0.0:
        return in_general(extension, task, start, targets, limit, slack, out)
    p, gains = extension.parameters(task.params), gains_of(extension, task.options)
    taken = extension.orbit()(
        start, p, gains, targets, task.step, task.last, task.every, STAGES[str(task.options["base"])], limit, slack, out
    )
    return int(taken)


def in_general(
    extension: Extension, task: Task, start: Array, targets: Array, limit: float, slack: float, out: Array
) -> int:
    """One orbit by the loop for every extension: the steps taken until it ends or an integral is off by a slack."""
    from nhviz import kernels

    p, gains = extension.parameters(task.params), gains_of(extension, task.options)
    taken = kernels.feedback.orbit(
        compiled_field(extension.field), compiled_conserved(extension.conserved), start, p,
        gains if gains.any() else gains[:0], targets, columns(extension, p, start.size), task.step, task.last,
        task.every, STAGES[str(task.options["base"])], limit, slack, out,
    )  # fmt: skip
    return int(taken)


@lru_cache(maxsize=64)
def columns_of(conserved: Any, count: int, parameters: tuple[float, ...], n: int) -> Array:
    """For each conserved function the variables that it depends on, ended by -1; found at general points."""
    from nhviz import kernels

    points = np.random.default_rng(1).uniform(0.3, 1.7, (4, n))
    values, gradients = np.zeros((4, count)), np.zeros((4, count, n))
    kernels.feedback.along(compiled_conserved(conserved), points, np.array(parameters), values, gradients)
    used = np.any(gradients != 0.0, axis=0)
    table = np.full((count, n + 1), -1, dtype=np.int64)
    for i in range(count):
        found = np.flatnonzero(used[i])
        table[i, : found.size] = found
    return table


def columns(extension: Extension, p: Array, n: int) -> Array:
    """`columns_of` an extension."""
    return columns_of(extension.conserved, len(extension.gains), tuple(p.tolist()), n)


def evaluate(extension: Extension, p: Array, states: Array) -> tuple[Array, Array]:
    """Values (samples, functions) and gradients (samples, functions, variables) along states (samples, variables)."""
    from nhviz import kernels

    states = np.ascontiguousarray(states, dtype=float)
    count = len(extension.gains)
    values, gradients = np.zeros((len(states), count)), np.zeros((len(states), count, states.shape[1]))
    kernels.feedback.along(compiled_conserved(extension.conserved), states, p, values, gradients)
    return values, gradients


def largest_eigenvalues(extension: Extension, p: Array, gains: Array, states: Array) -> Array:
    """Lambda along states (samples, variables)."""
    from nhviz import kernels

    states, out = np.ascontiguousarray(states, dtype=float), np.empty(len(states))
    kernels.feedback.eigenvalues(compiled_conserved(extension.conserved), states, p, gains, out)
    return out


def stability(extension: Extension, orbit: Trajectory) -> Array:
    """step * Lambda along a run."""
    p, gains = extension.parameters(orbit.params), gains_of(extension, dict(orbit.problem.options))
    return orbit.problem.step * largest_eigenvalues(extension, p, gains, extension.state(orbit.components))


def greatest_stability(extension: Extension, orbit: Trajectory) -> float:
    """The greatest step * Lambda along a run."""
    from nhviz import kernels

    p, gains = extension.parameters(orbit.params), gains_of(extension, dict(orbit.problem.options))
    if not gains.any():
        return 0.0
    states = np.ascontiguousarray(extension.state(orbit.components), dtype=float)
    conserved = compiled_conserved(extension.conserved)
    return orbit.problem.step * float(kernels.feedback.greatest_eigenvalue(conserved, states, p, gains))


def stable_gains(extension: Extension, orbit: Trajectory, options: Mapping[str, Any]) -> dict[str, float | None]:
    """The largest stable gain of each name along a run, the others being those of the options; None without a bound."""
    from nhviz import kernels

    names, pull = list(dict.fromkeys(extension.gains)), pull_of(options)
    if pull == 0.0:
        return dict.fromkeys(names)
    states = np.ascontiguousarray(extension.state(orbit.components), dtype=float)
    inverse = np.empty(len(names))
    kernels.feedback.inverse_gains(
        compiled_conserved(extension.conserved), states, extension.parameters(orbit.params),
        gains_of(extension, options), np.array([names.index(name) for name in extension.gains]),
        BOUNDS[str(options["base"])] / orbit.problem.step, inverse,
    )  # fmt: skip
    most = {name: 1.0 / found if found > 0.0 else None for name, found in zip(names, inverse.tolist(), strict=True)}
    return {name: gain if gain is None else gain / pull for name, gain in most.items()}


def stable_pull(extension: Extension, orbit: Trajectory, options: Mapping[str, Any]) -> float | None:
    """The largest stable factor on the gains of the options, along a run; None without a bound."""
    from nhviz import kernels

    states = np.ascontiguousarray(extension.state(orbit.components), dtype=float)
    p, gains = extension.parameters(orbit.params), gains_of(extension, {**options, "pull": 1.0})
    most = float(kernels.feedback.greatest_eigenvalue(compiled_conserved(extension.conserved), states, p, gains))
    return BOUNDS[str(options["base"])] / (orbit.problem.step * most) if most > 0.0 else None


def warnings(orbit: Trajectory) -> list[str]:
    """A sentence for a run that comes near the bound of its scheme."""
    largest = orbit.greatest("stability")
    base = str(dict(orbit.problem.options)["base"])
    if orbit.stopped or largest <= WARNING * BOUNDS[base] / BOUNDS["euler"]:
        return []
    return [f"step * Lambda reaches {largest:.4g}; {base} needs less than {BOUNDS[base]:.4g}."]


def lost(extension: Extension, task: Task, start: Array, first: Array, gains: Array, taken: int) -> str | None:
    """Why the feedback lost its integrals: its stability number and the gains that would do; None if it is stable.

    Lambda is that of the flow from the start on the constraint, and of the first state, which may be off it: a run that
    is being lost visits places of its own.
    """
    base, step = str(task.options["base"]), abs(task.step)
    p = extension.parameters(task.params)
    stride = max(1, task.steps // FLOW_SAMPLES)
    one = {"start": np.zeros(1)}
    flow = dataclasses.replace(task, initial=one, step=stride * task.step, steps=task.steps // stride, every=1)
    states, lengths, _ = integrate(extension.field, p, start[:, None], flow)
    visited = np.vstack([first, states[:, 0, 1 : lengths[0]].T])
    numbers = step * largest_eigenvalues(extension, p, gains, visited)
    largest = float(numbers.max())
    if largest <= NEARLY * BOUNDS[base]:
        return None
    reached = float(numbers[: taken // stride + 1].max())
    return (
        f"the feedback lost its integrals {stops.after(taken)}: step * Lambda had reached {reached:.4g}, and {base} "
        f"needs less than {BOUNDS[base]:.4g}; {largest_for(extension, task, BOUNDS[base] / largest)}."
    )


def largest_for(extension: Extension, task: Task, share: float) -> str:
    """What a lost run could have: so large a share of its gains, told as these, or as the pull where that is not 1."""
    pull, step = pull_of(task.options), abs(task.step)
    if pull != 1.0:
        return f"the largest stable pull for this run is {pull * share:.4g}"
    most = {name: float(task.options[name]) * share for name in dict.fromkeys(extension.gains)}
    words = ", ".join(f"{name} = {gain:.4g} = {gain * step:.3g}/step" for name, gain in most.items())
    return f"the largest stable gains for this run are {words}"


def left(task: Task, limit: float, taken: int) -> str:
    """Why a run ended that left every bound."""
    return f"the state left |y| < {limit:.3g} {stops.after(taken)}; shorten the step {abs(task.step):g} or the run."
