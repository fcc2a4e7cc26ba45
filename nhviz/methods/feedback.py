"""Feedback integrators (CP section 2.4): one mechanism for every system that declares an extension.

A constrained system is extended to a field X on all of phase space that keeps the constraint momenta, the energy and
other integrals c_i, also where the constraint does not hold. A scheme for y' = X - grad V, V = sum of
(k_i/2)(c_i - c_i(0))^2, is then pulled back to the integrals of its start. It keeps them to about step/k; it does not
raise the order of the scheme. Gains that grow as 1/step, as the default ones do, in general lower that of Runge and
Kutta to 2: its stages leave the integrals by the square of the step, and step * k does not shrink.

Two more numbers belong to every feedback. `pull` is a factor on all gains. `off` displaces the start across the
constraint, while the targets stay those of the start on it: the momenta get a blow along the reaction force, of the
size that the constraint's function c_i is off by exactly that (it is linear in the momenta). Places and allowed
velocities stay, and so does the extended energy, as the reaction does no work on allowed motions. With gains the run
falls back; without, the extended field keeps it off for ever.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nhviz.methods import stability, stops
from nhviz.methods.extensions import Extension, columns, compiled_conserved, gains_of
from nhviz.methods.reference import compiled_field, integrate
from nhviz.parameters import Choice, Parameter
from nhviz.system import Array, Method, RunQuantity, Samples, Task

LIMIT = 1e6
SLACK = 0.01
STAGES = {"euler": 1, "rk4": 4}
ORDERS = {"euler": 1, "rk4": 4}
PULL = Parameter("pull", 1.0, 0.0, 1e6, "a factor on all gains", r"\kappa", "", (0.0, 6.0))
BASE = Choice("base", "euler", ("euler", "rk4"), "scheme that the feedback is added to", ("Euler", "RK4"))


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
                lambda orbit: stability.stability(chosen(dict(orbit.problem.options)), orbit),
                "",
                r"\varepsilon\Lambda",
                lambda orbit: stability.greatest_stability(chosen(dict(orbit.problem.options)), orbit),
            ),
        ),
        run_remarks=stability.warnings,
        stable_gains=lambda orbit, given: stability.stable_gains(chosen(given), orbit, given),
        stable_pull=lambda orbit, given: stability.stable_pull(chosen(given), orbit, given),
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
    reason = stability.lost(extension, task, start, first, gains, taken) if gains.any() else None
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


def left(task: Task, limit: float, taken: int) -> str:
    """Why a run ended that left every bound."""
    return f"the state left |y| < {limit:.3g} {stops.after(taken)}; shorten the step {abs(task.step):g} or the run."
