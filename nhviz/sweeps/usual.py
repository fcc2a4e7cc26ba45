"""The measures that every system has from its declarations, and those that it declares itself."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from nhviz import registry
from nhviz.analysis.branches import point_of_start
from nhviz.analysis.convergence import state_components
from nhviz.analysis.phase import phase_lead
from nhviz.analysis.steps import finite
from nhviz.measures import phase as of_phase
from nhviz.measures import steps as of_steps
from nhviz.measures.cells import groups, numbers
from nhviz.methods import ellipse
from nhviz.sweeps import gains
from nhviz.sweeps.batches import ended_early, orbit, rows_of, runs, truth_at_the_end
from nhviz.system import Array, Measure, Method, Points, Quantity, System

# Below it a start's value is round-off, and drift is not measured in it (`nhviz.analysis.drift`).
ROUND_OFF = 1e-9


known: dict[int, tuple[System, dict[str, Measure]]] = {}
"""Measures by the identity of their system, which is kept with them: so no other system has that identity."""


def measures_of(model: System) -> dict[str, Measure]:
    """All measures of a system by id, found once."""
    if id(model) not in known:
        known[id(model)] = model, all_measures(model)
    return known[id(model)][1]


def all_measures(model: System) -> dict[str, Measure]:
    """All measures of a system by id: one that it declares counts for its methods, the usual one for the others."""
    usual = (*drifts(model), *order(model), *steps(model), *branches(model), *phase(model), *gains.measures(model))
    found = {measure.id: measure for measure in usual}
    for own in model.measures:
        found[own.id] = joined(own, found[own.id]) if own.id in found else own
    return found


def joined(own: Measure, usual: Measure) -> Measure:
    """A measure that a system declares for some methods, with the usual one for the others."""
    others = tuple(method for method in usual.methods if method not in own.methods)

    def evaluate(points: Points) -> Array:
        return (usual if points.method in others else own).evaluate(points)

    def why(points: Points) -> str | None:
        asked = (own.why if points.method in own.methods else usual.why) or usual.why
        return asked(points) if asked else None

    return replace(own, methods=(*own.methods, *others), evaluate=evaluate, why=why) if own.methods else own


def ids_of(methods: Iterable[Method], chosen: Callable[[Method], bool]) -> tuple[str, ...]:
    """The methods for which something holds."""
    return tuple(method.id for method in methods if chosen(method))


def drifts(model: System) -> list[Measure]:
    """How far energy and constraints stray along the run."""
    energies = [q for q in model.quantities if q.id == "energy" and q.conserved]
    constraints = [q for q in model.quantities if q.id.startswith("constraint") and q.conserved]
    found = []
    if energies:
        meaning = "greatest drift of the energy along the run, relative to that of the start"
        found.append(Measure("energy_drift", "Energy drift", "", meaning, (), greatest_drift(energies), ended_early))
    if constraints:
        meaning = "greatest drift of the constraint along the run"
        unit = constraints[0].unit
        drift = greatest_drift(constraints)
        found.append(Measure("constraint_drift", "Constraint drift", unit, meaning, (), drift, ended_early))
    return found


def greatest_drift(quantities: Iterable[Quantity]) -> Callable[[Points], Array]:
    """The greatest drift of quantities along complete runs, each over its scale as `analysis.drift` measures it."""

    def evaluate(points: Points) -> Array:
        found = np.full(points.size, np.nan)
        for batch in runs(points, registry.find(points.system).method(points.method)):
            drift = np.zeros(batch.cells.size)
            for quantity in quantities:
                values = rows_of(batch, quantity.evaluate)
                start = np.abs(values[:, 0])
                scale = np.where(start > ROUND_OFF, start, 1.0)
                drift = np.maximum(drift, np.abs(values - values[:, :1]).max(axis=1) / scale)
            found[batch.cells] = np.where(batch.complete, drift, np.nan)
        return found

    return evaluate


def order(model: System) -> list[Measure]:
    """The observed order of convergence of every method that is not the motion itself."""
    methods = ids_of(model.methods, lambda method: not method.truth)
    if not methods or not any(method.truth for method in model.methods):
        return []
    meaning = "slope of the error at the end of the run between the step and half of it, against the motion itself"
    return [Measure("order", "Order of convergence", "", meaning, methods, observed_order, no_order, kind="signed")]


def observed_order(points: Points) -> Array:
    """log2 of the error with the step over that with half of it, both after the same whole number of steps."""
    coarse, fine = (end_errors(points, halvings) for halvings in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log2(coarse / fine)


def end_errors(points: Points, halvings: int) -> Array:
    """The largest error of the state at the end of the run."""
    model = registry.find(points.system)
    found = np.full(points.size, np.nan)
    for batch in runs(points, model.method(points.method), halvings, ends_only=True):
        truth = truth_at_the_end(batch, model.truth)
        error = np.zeros(batch.cells.size)
        for name in state_components(model, batch.params):
            apart = np.abs(batch.samples.components[name][:, -1] - truth.components[name][:, -1])
            error = np.maximum(error, apart.reshape(batch.cells.size, -1).max(axis=1))
        known = batch.complete & np.array([reason is None for reason in truth.reasons])
        found[batch.cells] = np.where(known, error, np.nan)
    return found


def no_order(points: Points) -> str | None:
    """Why a cell has no order."""
    return ended_early(points) or "The method is exact here, or ends with half the step: no slope can be told."


def steps(model: System) -> list[Measure]:
    """The largest admissible step of methods that have one."""
    methods = ids_of(model.methods, lambda method: method.bound is not None)
    if not methods:
        return []
    return [of_steps.measure(model.plane, methods, largest_steps)]


def largest_steps(points: Points) -> Array:
    """The bound that the method declares, cell by cell."""
    model = registry.find(points.system)
    bound = model.method(points.method).bound
    assert bound is not None
    found = np.full(points.size, np.nan)
    for cell in range(points.size):
        params, initial = numbers(points.params, cell), numbers(points.initial, cell)
        if bound.at_start is not None:
            value = finite(bound.at_start(params, initial))
        else:
            assert bound.at_energy is not None
            assert model.plane is not None
            momentum = np.array([initial[name] for name in model.plane.axes])
            value = bound.at_energy(params, float(ellipse.energy(model.plane, params, momentum)))
        found[cell] = np.nan if value is None else value
    return found


def branches(model: System) -> list[Measure]:
    """How many real displacements the start has."""
    methods = ids_of(model.methods, lambda method: method.branches is not None)
    meaning = "how many real displacements one step has at the momentum of the start"
    count = Measure("branch_count", "Real branches", "", meaning, methods, branch_counts, kind="count")
    return [count] if methods else []


def branch_counts(points: Points) -> Array:
    """The number of real displacements: many points of one body at once where the method can do that."""
    method = registry.find(points.system).method(points.method)
    declared = method.branches
    assert declared is not None
    found = np.empty(points.size)
    for cells, params, _, step in groups(points):
        at = [point_of_start(declared, params, numbers(points.initial, cell)) for cell in cells]
        if declared.many is not None:
            columns = {name: np.array([point[name] for point in at]) for name in declared.at}
            found[cells] = declared.many(params, step, columns).counts
        else:
            found[cells] = [len(declared.solve(params, step, point)) for point in at]
    return found


def phase(model: System) -> list[Measure]:
    """The phase lead of maps against the flow, where there is a momentum plane."""
    methods = ids_of(model.methods, lambda method: method.discrete)
    if model.plane is None or not methods:
        return []
    return [of_phase.measure(methods, leads, ended_early)]


def leads(points: Points) -> Array:
    """The phase lead at the end of complete runs."""
    found = np.full(points.size, np.nan)
    for cell in range(points.size):
        run = orbit(points, cell)
        if run.stopped is None:
            found[cell] = phase_lead(run)[-1]
    return found
