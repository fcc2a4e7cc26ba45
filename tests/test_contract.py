"""Every system keeps the public contract: these tests know no system by name.

With NHVIZ_SYSTEMS set they also run over the systems of that folder; `test_one_file.py` does it with a toy.
"""

import inspect
import json
from itertools import product

import numpy as np
import pytest

import nhviz
from nhviz import export, registry
from nhviz.__main__ import main
from nhviz.analysis.convergence import convergence, state_components
from nhviz.parameters import Choice, is_used
from nhviz.shapes import Mesh
from nhviz.simulate import run

METHODS = [(s.id, m.id) for s in registry.registered().values() for m in s.methods]
SYSTEMS = nhviz.systems()


def declared(system, method):
    return registry.find(system).method(method)


@pytest.mark.parametrize("system", SYSTEMS)
def test_description_is_plain_data(system):
    facts = nhviz.describe(system)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    for group in ("parameters", "initial"):
        for parameter in facts[group].values():
            assert parameter["min"] <= parameter["slider"][0] < parameter["slider"][1] <= parameter["max"]
            assert parameter["min"] <= parameter["default"] <= parameter["max"]
            assert parameter["meaning"]
    for method in facts["methods"].values():
        assert set(method["preserves"]) <= set(facts["quantities"])
    assert facts["default_method"] in facts["methods"]
    assert facts["equations"]


@pytest.mark.parametrize(("system", "method"), METHODS)
def test_default_run_has_every_component_and_quantity(system, method):
    model = registry.find(system)
    orbit = nhviz.simulate(system, method=method, step=model.step.default, duration=50 * model.step.default)
    assert orbit.stopped is None
    assert np.array_equal(orbit.t, model.step.default * np.arange(51))
    assert set(orbit.components) == {c.name for c in model.components_of(orbit.params)}
    for component in model.components_of(orbit.params):
        assert orbit[component.name].shape == (51, *component.sizes(orbit.params))
        assert np.isfinite(orbit[component.name]).all()
    for quantity in model.quantities:
        values = orbit.quantity(quantity.id)
        assert values.shape == (51,)
        assert np.isfinite(values).all()
    for parameter in model.initial:
        if parameter.name in orbit.components:
            assert orbit[parameter.name][0] == parameter.default


@pytest.mark.parametrize(("system", "method"), METHODS)
def test_preserved_quantities_are_kept_to_round_off(system, method):
    model = registry.find(system)
    orbit = nhviz.simulate(system, method=method)
    scale = max(float(np.max(np.abs(values))) for values in orbit.components.values()) ** 2
    for name in model.method(method).preserves:
        drift = orbit.quantity(name) - orbit.quantity(name)[0]
        # A few units of round-off per step, in the units of a quadratic quantity.
        assert np.max(np.abs(drift)) <= 4e-16 * len(orbit) * max(scale, 1.0)


def choices(method):
    """Every way to choose the options that the order may depend on."""
    named = [option for option in method.options if isinstance(option, Choice)] if callable(method.order) else []
    return [dict(zip([o.name for o in named], v, strict=True)) for v in product(*(o.choices for o in named))]


@pytest.mark.parametrize(
    ("system", "method", "options"),
    [(*pair, options) for pair in METHODS if declared(*pair).discrete for options in choices(declared(*pair))],
    ids=str,
)
def test_declared_order_is_the_measured_one(system, method, options):
    duration = 0.3 * registry.find(system).duration.default
    order = declared(system, method).order_with(options)
    # A high order needs fewer steps to be seen, and reaches round-off with more.
    steps = [duration / n for n in ((800, 1600, 3200) if order < 4 else (200, 400, 800))]
    # Gains are held: the order is that of shrinking steps and nothing else.
    gains = {o.name: o.default / steps[0] for o in declared(system, method).options if getattr(o, "per_step", False)}
    measured = convergence(system, method, steps, duration, **options, **gains)
    # A scheme may be exact: on straight lines there is nothing but round-off to measure.
    if measured.errors.max() > 1e-11:
        assert measured.order == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("system", SYSTEMS)
def test_truths_agree(system):
    """The first is what others are measured against; the reference flow agrees with a closed form."""
    model = registry.find(system)
    first, *others = (nhviz.simulate(system, method=method.id) for method in model.methods if method.truth)
    assert first.method is model.truth
    for other in others:
        for name in state_components(model, first.params):
            scale = 1.0 + np.max(np.abs(first[name]))
            assert np.max(np.abs(first[name] - other[name])) <= 1e-11 * scale


@pytest.mark.parametrize(("system", "method"), METHODS)
def test_problem_round_trip(system, method):
    problem = nhviz.simulate(system, method=method, duration=0.0).problem
    again = nhviz.Problem.from_dict(json.loads(problem.text()))
    assert again == problem
    assert hash(again) == hash(problem)
    assert again.text() == problem.text()


@pytest.mark.parametrize(("system", "method"), METHODS)
def test_every_keeps_each_kth_sample(system, method):
    step = registry.find(system).step.default
    full = nhviz.simulate(system, method=method, step=step, duration=23 * step)
    thin = nhviz.simulate(system, method=method, step=step, duration=23 * step, every=5)
    assert len(thin) == 5
    for name, values in full.components.items():
        scale = 1.0 + np.max(np.abs(values))
        assert np.max(np.abs(thin[name] - values[::5])) <= 1e-12 * scale


@pytest.mark.parametrize(("system", "method"), METHODS)
def test_ensemble_equals_single_runs(system, method):
    model = registry.find(system)
    last = [p for p in model.initial if is_used(p.needs, {q.name: q.default for q in model.parameters})][-1]
    first = last.name
    starts = [last.default * factor for factor in (0.25, 0.5, 1.0)]
    many = nhviz.ensemble(system, method=method, initial={first: starts}, duration=20 * model.step.default)
    for start, orbit in zip(starts, many, strict=True):
        alone = nhviz.simulate(system, method=method, initial={first: start}, duration=20 * model.step.default)
        assert alone.problem == orbit.problem
        assert alone.stopped == orbit.stopped
        for name, values in alone.components.items():
            assert np.array_equal(values, orbit[name])


@pytest.mark.parametrize(
    ("system", "method"),
    [pair for pair in METHODS if declared(*pair).invertible],
)
def test_backward_run_undoes_the_forward_run(system, method):
    model = registry.find(system)
    step = 0.5 * model.step.default
    forward = nhviz.simulate(system, method=method, step=step, duration=20 * step)
    names = [p.name for p in model.initial if is_used(p.needs, forward.params)]
    end = {name: float(forward[name][-1]) for name in names}
    problem = nhviz.Problem.create(system, method, initial=end, step=step, duration=20 * step)
    back = run(problem, backward=True)
    assert back.t[-1] == -forward.t[-1]
    undone = turned_like(forward, back)
    for name in names:
        scale = 1.0 + np.max(np.abs(forward[name]))
        assert np.max(np.abs(undone[name][::-1] - forward[name])) <= 1e-11 * scale


def turned_like(forward, back):
    """Components of the backward run; the heading of a rolling body is no initial value, so its path is turned."""
    undone = dict(back.components)
    if {"x", "y", "R"} <= set(undone):
        turn = forward["R"][-1] @ back["R"][0].T
        place = np.stack([back["x"] - back["x"][0], back["y"] - back["y"][0], np.zeros(len(back))])
        undone["x"], undone["y"], _ = turn @ place + np.array([[back["x"][0]], [back["y"][0]], [0.0]])
    return undone


@pytest.mark.parametrize("system", SYSTEMS)
def test_drawing_has_a_pose_for_every_sample(system):
    orbit = nhviz.simulate(system)
    motion = orbit.system.draw(orbit)
    for part in motion.parts:
        dimension = part.translations.shape[1]
        assert part.translations.shape == (len(orbit), dimension)
        body = part.rotations.shape[2]
        assert part.rotations.shape == (len(orbit), dimension, body)
        # Rows of a rotation: all of them, or those of the space that is drawn.
        square = part.rotations @ np.swapaxes(part.rotations, 1, 2)
        assert np.max(np.abs(square - np.eye(dimension))) < 1e-13
        for shape in part.shapes:
            points = shape.vertices if isinstance(shape, Mesh) else shape.points
            assert points.shape[1] == body
            assert np.isfinite(points).all()


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("ending", [".csv", ".json", ".npz"])
def test_command_line_writes_a_run_that_reads_back_exactly(system, ending, tmp_path, capsys):
    target = tmp_path / f"run{ending}"
    assert main(["simulate", system, "--out", str(target)]) == 0
    assert str(target) in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    table = export.columns(nhviz.simulate(system))
    if ending == ".csv":
        lines = target.read_text().splitlines()
        read = dict(zip(lines[0].split(","), np.array([line.split(",") for line in lines[1:]], float).T, strict=True))
    elif ending == ".json":
        read = {name: np.array(values) for name, values in json.loads(target.read_text())["columns"].items()}
    else:
        with np.load(target, allow_pickle=False) as stored:
            problem = nhviz.Problem.from_dict(json.loads(str(stored["problem"])))
            read = {name: stored[name] for name in stored.files if name in table}
        assert problem == nhviz.simulate(system).problem
    assert read
    for name, values in read.items():
        assert np.array_equal(values, table[name])


@pytest.mark.parametrize("system", SYSTEMS)
def test_command_line_lists_and_describes(system, capsys):
    assert main(["list"]) == 0
    assert system in capsys.readouterr().out
    assert main(["describe", system]) == 0
    text = capsys.readouterr().out
    for name in [*nhviz.describe(system)["parameters"], *nhviz.describe(system)["methods"]]:
        assert name in text


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_parameter_is_refused_outside_its_range(system):
    for group, kind in ((registry.find(system).parameters, "params"), (registry.find(system).initial, "initial")):
        for parameter in group:
            for bad in (
                np.nextafter(parameter.maximum, np.inf),
                parameter.minimum - 1.0,
                np.nan,
                np.inf,
                "one",
                None,
                True,
            ):
                with pytest.raises(nhviz.ParameterError) as caught:
                    nhviz.simulate(system, **{kind: {parameter.name: bad}})
                message = str(caught.value)
                assert parameter.name in message
                assert "\n" not in message
                assert 10 < len(message) < 400


@pytest.mark.parametrize("system", SYSTEMS)
def test_experiments_run(system):
    for experiment in nhviz.describe(system)["experiments"]:
        settings = {key: experiment[key] for key in ("params", "initial", "step", "duration", "method")}
        assert len(nhviz.simulate(system, **settings)) >= 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_option_of_a_method_is_called_like_an_argument(system):
    """`simulate` and `ensemble` take options as keywords: one of the same name could never be given."""
    taken = {name for function in (nhviz.simulate, nhviz.ensemble) for name in inspect.signature(function).parameters}
    for method in registry.find(system).methods:
        assert not taken & {option.name for option in method.options}
