"""Every measure of every system: numbers somewhere on a usual map, the same in a tile as alone, reasons elsewhere."""

import numpy as np
import pytest

from nhviz import ParameterError, Sweep, describe, registry
from nhviz.parameters import Parameter, is_used
from nhviz.problem import checked_parameters, checked_start
from nhviz.sweeps.compute import compute, values_at, why
from nhviz.sweeps.points import points_of
from nhviz.sweeps.tiles import tiles
from nhviz.sweeps.usual import measures_of
from nhviz.sweeps.valid import valid

MEASURES = [
    (system.id, measure.id, method)
    for system in registry.registered().values()
    for measure in measures_of(system).values()
    for method in measure.methods or tuple(method.id for method in system.methods)
]
STEPS = 30


def usual_axes(system, measure):
    """Two axes on which a map is worth looking at: names of the measure, else a start and a parameter or the step."""
    if measure.axes and not measure.optional:
        chosen = list(measure.axes)[:2]
    else:
        usual = {p.name: p.default for p in system.parameters}
        starts, bodies = (
            [p for p in group if is_used(p.needs, usual)] for group in (system.initial, system.parameters)
        )
        chosen = [starts[-1], next((p for p in bodies if not p.whole), system.step)]
    return [(p.name, *narrow(p), 4) for p in chosen]


def narrow(parameter):
    """A range about the default, within what is worth dragging."""
    low, high = parameter.slider or (parameter.minimum, parameter.maximum)
    return max(low, parameter.default - 0.11 * (high - low)), min(high, parameter.default + 0.13 * (high - low))


def usual_sweep(name, quantity, method):
    system = registry.find(name)
    x, y = usual_axes(system, measures_of(system)[quantity])
    duration = STEPS * system.step.default
    return Sweep.create(name, quantity, x, y, method, duration=min(duration, system.duration.maximum))


@pytest.mark.parametrize(("name", "quantity", "method"), MEASURES, ids=lambda word: word)
def test_numbers_and_reasons(name, quantity, method):
    sweep = usual_sweep(name, quantity, method)
    values = np.full(sweep.shape, np.inf)
    for tile in tiles(sweep):
        i, j = tile.indices()
        values[j, i] = compute(sweep, tile.number)
    assert not np.isinf(values).any()
    for i, j in ((0, 1), (3, 0), (2, 3)):
        alone = values_at(sweep, np.array([i]), np.array([j]))[0]
        # A tile may run cells together; nothing but the order of sums may differ.
        assert alone == pytest.approx(values[j, i], rel=1e-9, abs=1e-13, nan_ok=True)
        assert (why(sweep, i, j) is None) == bool(np.isfinite(alone))
    if not (quantity == "largest_step" and method == "cayley"):
        assert np.isfinite(values).any()
    else:
        assert "never folds" in why(sweep, 0, 0)


@pytest.mark.parametrize("name", registry.systems())
def test_descriptions_are_plain(name):
    told = describe(name)["sweeps"]
    assert set(told) == set(measures_of(registry.find(name)))
    for facts in told.values():
        assert facts["title"]
        assert facts["meaning"]
        assert facts["kind"] in ("magnitude", "angle", "signed", "count")
        assert set(facts["methods"]) <= set(describe(name)["methods"])


def drawn(parameters, chance, size):
    """Columns of random values over the whole ranges, half of them at simple numbers, ends and defaults."""
    columns = {}
    for p in parameters:
        simple = np.array([p.minimum, p.maximum, p.default, 1.0, 0.0, 2.0])
        simple = simple[(simple >= p.minimum) & (simple <= p.maximum)]
        low, high = p.slider or (p.minimum, p.maximum)
        column = np.where(chance.random(size) < 0.5, chance.choice(simple, size), chance.uniform(low, high, size))
        columns[p.name] = np.round(column) if p.whole else column
    return columns


@pytest.mark.parametrize("name", [s.id for s in registry.registered().values() if s.valid is not None])
def test_rules_for_many_are_those_for_one(name):
    """Also on the boundary: simple numbers make tensors that are just not positive definite, verticals of no length."""
    system, chance, size = registry.find(name), np.random.default_rng(8), 2000
    params, initial = drawn(system.parameters, chance, size), drawn(system.initial, chance, size)
    many = system.valid(params, initial)
    alone = []
    for i in range(size):
        try:
            values = checked_parameters(system, None, {n: float(v[i]) for n, v in params.items()})
            checked_start(system, values, {n: float(v[i]) for n, v in initial.items()})
            alone.append(True)
        except ParameterError:
            alone.append(False)
    assert many.tolist() == alone
    assert 0 < np.count_nonzero(many) < size


def test_a_tensor_on_the_boundary_is_no_body():
    system = registry.find("suslov")
    params = {"I11": 4.0, "I22": 1.0, "I33": 2.0, "I13": 2.0, "I23": 1.0}
    least = {name: np.array([value, value]) for name, value in params.items()} | {"I33": np.array([2.0, 2.0 + 1e-15])}
    assert system.valid(least, {}).tolist() == [False, True]
    with pytest.raises(ParameterError):
        checked_parameters(system, None, params)


@pytest.mark.parametrize(
    "sweep",
    [
        Sweep.create(
            "sphere_n",
            "largest_step",
            ("gamma1", 0.0, 1.0, 3),
            ("D", 1.0, 2.0, 2),
            initial={"gamma2": 0.0, "gamma3": 0.0, "gamma4": 0.0},
        ),
        Sweep.create("sphere_n", "largest_step", ("gamma4", 0.0, 0.3, 3), ("n", 3.0, 5.0, 3)),
        Sweep.create("sleigh_n", "largest_step", ("J12", -2.0, 2.0, 9), ("J13", -2.0, 2.0, 9)),
        Sweep.create("suslov_n", "largest_step", ("J1n", -3.0, 3.0, 9), ("J1", 0.05, 3.0, 9)),
        Sweep.create("sleigh", "phase_lead", ("b", -1.0, 1.0, 5), method="midpoint"),
        Sweep.create("sleigh", "energy_drift", ("step", 1e-9, 1e-1, 9, "log"), duration=5.0),
    ],
    ids=lambda sweep: f"{sweep.system} {sweep.x.name}",
)
def test_cells_are_problems_exactly_where_a_problem_can_be_made(sweep):
    """The rules of `Problem.create`, one by one: dimensions, checks that are looped over, methods, sizes of runs."""
    i, j = (index.ravel() for index in np.meshgrid(np.arange(sweep.x.count), np.arange(sweep.cells // sweep.x.count)))
    told = valid(points_of(sweep, i, j))
    made = []
    for cell in zip(i.tolist(), j.tolist(), strict=True):
        try:
            sweep.problem(*cell)
            made.append(True)
        except ParameterError:
            made.append(False)
    assert told.tolist() == made
    assert len(set(made)) == 2


def test_every_axis_is_a_parameter_with_a_range():
    for system in registry.registered().values():
        for measure in measures_of(system).values():
            assert all(isinstance(p, Parameter) and p.minimum < p.maximum for p in measure.axes)
