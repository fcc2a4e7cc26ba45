"""Bad declarations are refused when a system is loaded, each with its sentence; what hides, misleads or is missing."""

import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import nhviz
from nhviz import checks, declarations, registry
from nhviz.parameters import Choice, Parameter
from nhviz.system import (
    Bound,
    Branches,
    Component,
    Experiment,
    Local,
    Measure,
    Momentum,
    MomentumPlane,
    Portrait,
    RunQuantity,
    Surface,
)

ROOT = Path(__file__).parent.parent
TOY = declarations.from_file(ROOT / "tests" / "toy" / "skate.py", "nhviz.systems").SYSTEM
EXACT, REFERENCE, EULER = TOY.methods
GAIN = Parameter("k1", 0.1, 0.0, 1e12, "gain", per_step=True)


def with_parameter(**changes):
    """The toy with its first parameter changed."""
    return replace(TOY, parameters=(replace(TOY.parameters[0], **changes), *TOY.parameters[1:]))


def with_initial(parameter):
    """The toy with one more initial value."""
    return replace(TOY, initial=(*TOY.initial, parameter))


def with_component(component):
    """The toy with one more component."""
    return replace(TOY, components=(*TOY.components, component))


def with_euler(**changes):
    """The toy with another Euler."""
    return replace(TOY, methods=(EXACT, REFERENCE, replace(EULER, **changes)))


def with_option(*options):
    """The toy with options of Euler."""
    return with_euler(options=options)


def with_measure(**changes):
    """The toy with a measure."""
    return replace(TOY, measures=(replace(MEASURE, **changes),))


def with_experiment(**settings):
    """The toy with an experiment."""
    return replace(with_option(GAIN), experiments=(Experiment("Try", "Look.", **settings),))


def with_portrait(*components, **changes):
    """The toy with a portrait."""
    return replace(TOY, portraits=(Portrait("path", "Path", components, **changes),))


def number(name, **changes):
    """A parameter of that name with nothing else the matter."""
    return replace(Parameter(name, 0.0, -1.0, 1.0, "a number"), **changes)


def nothing(*arguments):
    """Stands for a function that is not called."""


MEASURE = Measure("turns", "Turns", "rad", "how far it turns", (), nothing)


BAD = {
    # Names that hide each other.
    "an initial value called like a parameter": (
        with_initial(number("omega")),
        "the initial value omega would hide the parameter of that name",
    ),
    "two parameters": (
        replace(TOY, parameters=(*TOY.parameters, number("v"))),
        "the parameter v would hide the parameter of that name",
    ),
    "two initial values": (with_initial(number("x")), "the initial value x would hide the initial value of that name"),
    "an option called like a parameter": (
        with_option(number("v")),
        "the option v would hide the parameter of that name",
    ),
    "a choice called like an initial value": (
        with_option(Choice("theta", 1, (1, 2), "a choice")),
        "the option theta would hide the initial value of that name",
    ),
    "an option called like the step": (with_option(number("step")), "the option step needs another name"),
    "a parameter called like an argument": (with_parameter(name="every"), "the parameter every needs another name"),
    "two options of a method": (
        with_option(number("k"), number("k")),
        "the option k would hide the option of that name",
    ),
    "an option of two methods that differs": (
        replace(
            TOY,
            methods=(
                EXACT,
                replace(REFERENCE, options=(number("k"),)),
                replace(EULER, options=(number("k", maximum=2.0),)),
            ),
        ),
        "the option k of euler differs from that of another method",
    ),
    "a component called like a parameter": (
        with_component(Component("omega", "rate")),
        "the component omega would hide the parameter of that name",
    ),
    "two components": (with_component(Component("x", "x")), "the component x would hide the component of that name"),
    "a component called like the step": (
        with_component(Component("step", "length of a step")),
        "the component step needs another name",
    ),
    "a component called like the time": (with_component(Component("t", "time")), "the component t needs another name"),
    "two quantities": (
        replace(TOY, quantities=TOY.quantities * 2),
        "the quantity circle would hide the quantity of that name",
    ),
    "a quantity of a run that hides one of the system": (
        with_euler(quantities=(RunQuantity("circle", "circle", nothing),)),
        "the quantity circle would hide the quantity of that name",
    ),
    "a step with another name": (replace(TOY, step=replace(TOY.step, name="h")), "must be called step, not 'h'"),
    "two methods": (replace(TOY, methods=(*TOY.methods, EULER)), "the method euler would hide the method of that name"),
    "two portraits": (
        replace(TOY, portraits=(Portrait("path", "Path", ("x", "y")),) * 2),
        "the portrait path would hide the portrait of that name",
    ),
    # Words.
    "an id that is no word": (replace(TOY, id="my skate"), "the id 'my skate' must be a word"),
    "an id for another folder": (replace(TOY, id="../skate"), "the id '../skate' must be a word"),
    "a method that is no word": (with_euler(id="euler.1"), "the method 'euler.1' must be a word"),
    "a name that is no word": (with_parameter(name="v=1"), "the parameter 'v=1' must be a word"),
    "a portrait without an id": (
        replace(TOY, portraits=(Portrait("", "Path", ("x", "y")),)),
        "the portrait '' must be a word",
    ),
    # Ranges.
    "a default out of range": (
        with_parameter(default=11.0),
        "the default of v, 11, is not between -10 and 10",
    ),
    "a slider out of range": (with_parameter(slider=(-20.0, 5.0)), "the slider of v, -20, is not between -10 and 10"),
    "a slider without a range": (with_parameter(slider=(5.0, 5.0)), "the slider of v has no range"),
    "a range the wrong way round": (with_parameter(minimum=10.0, maximum=-10.0), "v has no range: 10 is not below -10"),
    "a range that is not finite": (
        with_parameter(maximum=math.inf),
        "the range of v is made of finite numbers, not inf",
    ),
    "a default that is a text": (with_parameter(default="1"), "the range of v is made of finite numbers, not '1'"),
    "a whole number with a half": (with_parameter(default=1.5, whole=True), "v is a whole number"),
    "a step of zero": (replace(TOY, step=replace(TOY.step, minimum=0.0)), "the step must be positive"),
    "a negative duration": (replace(TOY, duration=replace(TOY.duration, minimum=-1.0)), "must not be negative"),
    "a parameter in multiples of 1/step": (with_parameter(per_step=True), "v cannot be a multiple of 1/step"),
    "a gain out of range": (with_option(replace(GAIN, maximum=1.0)), "the default of k1, 2, is not between 0 and 1"),
    "a default that is no choice": (
        with_option(Choice("base", "rk5", ("euler", "rk4"), "scheme")),
        "the default of base, 'rk5', is not among its choices",
    ),
    "choices that read alike": (with_option(Choice("base", 1, (1, "1"), "scheme")), "the choice of base 1 would hide"),
    "a view of a locus out of range": (
        with_euler(surface=Surface(nothing, (number("extent", default=2.0),))),
        "the default of extent, 2, is not between -1 and 1",
    ),
    # What does not exist.
    "no such default method": (
        replace(TOY, default_method="rk4"),
        "there is no default method 'rk4'; there is exact, reference, euler",
    ),
    "no methods": (replace(TOY, methods=()), "there is no default method 'exact'; there is none"),
    "no such quantity": (with_euler(preserves=("energy",)), "there is no quantity kept by euler 'energy'"),
    "no such dimension": (with_parameter(needs=("n", 4)), "v needs 'n', which is no parameter"),
    "no such dimension of a component": (
        with_component(Component("z", "height", needs=("n", 3))),
        "z needs 'n', which is no parameter",
    ),
    "a dimension that is never reached": (
        with_initial(number("z", needs=("v", 11.0))),
        "z needs v = 11, which is out of its range",
    ),
    "a shape of no whole number": (
        with_component(Component("R", "attitude", shape=("v", "v"))),
        "the shape of R names 'v', which is no parameter that is whole",
    ),
    "no such component in a portrait": (with_portrait("x", "z"), "no component of the portrait path 'z'"),
    "a portrait of one component": (with_portrait("x"), "the portrait path cannot show 1 components"),
    "a sphere of two components": (with_portrait("x", "y", on_sphere=True), "the portrait path cannot show 2"),
    "no such component over time": (replace(TOY, in_time=("x", "p")), "there is no component worth a curve 'p'"),
    "no such axis": (
        replace(TOY, plane=MomentumPlane(("x", "omega"), nothing, nothing)),
        "there is no axis of the momentum plane 'omega'; there is x, y, theta",
    ),
    "no such momentum": (
        with_euler(branches=Branches(("x", "p"), nothing)),
        "there is no momentum of euler 'p'; there is x, y, theta",
    ),
    "a bound of nothing": (with_euler(bound=Bound()), "the bound of euler must be either at an energy or at a start"),
    "a bound of both": (with_euler(bound=Bound(nothing, nothing)), "the bound of euler must be either"),
    "a momentum of an unknown velocity": (
        replace(TOY, momentum=Momentum(("omega",), ("x",), ("y",), nothing)),
        "there is no velocity of the momentum 'omega'",
    ),
    "a momentum along something unknown": (
        replace(TOY, momentum=Momentum(("x",), ("y",), ("up",), nothing)),
        "there is no direction of the momentum 'up'",
    ),
    "a momentum that no run has": (
        replace(TOY, momentum=Momentum(("x",), ("K",), ("y",), nothing)),
        "there is no momentum 'K'",
    ),
    "fewer momenta than velocities": (
        replace(TOY, momentum=Momentum(("x", "y"), ("x",), ("x", "y"), nothing)),
        "as many momenta as velocities",
    ),
    "equilibria without a plane": (with_euler(local=Local(nothing)), "there is no momentum plane"),
    "no such kernels of sweeps": (replace(TOY, sweep_kernels=("flows",)), "there is no module of kernels 'flows'"),
    "a measure of no method": (with_measure(methods=("nothing",)), "there is no method of turns 'nothing'"),
    "a measure of no kind": (with_measure(kind="colour"), "turns must be one of magnitude, angle, signed, count"),
    "measures of one id": (
        replace(TOY, measures=(MEASURE, MEASURE)),
        "the measure turns would hide the measure of that name",
    ),
    "a measure's axis called like a parameter": (
        with_measure(axes=(TOY.parameters[0],)),
        "the name of its own v would hide the parameter of that name",
    ),
    "a measure's axis that every run has": (with_measure(axes=(number("step"),)), "needs another name"),
    "a measure's axis without a range": (
        with_measure(axes=(number("k", minimum=1.0, maximum=1.0, default=1.0),)),
        "k has no range",
    ),
    "a start of no names": (with_measure(start=nothing), "turns tells the start of names of its own, but has none"),
    "methods of a measure that are no tuple": (
        with_measure(methods=["exact"]),
        "methods of turns must be a tuple of str, not ['exact']",
    ),
    "no such kernels": (replace(TOY, kernels=("flow", "flows")), "there is no module of kernels 'flows'"),
    # Experiments.
    "an experiment with another method": (with_experiment(method="rk4"), "there is no method of 'Try' 'rk4'"),
    "an experiment with another parameter": (with_experiment(params={"m": 1.0}), "there is no value of 'Try' 'm'"),
    "an experiment with another start": (with_experiment(initial={"v": 1.0}), "there is no value of 'Try' 'v'"),
    "an experiment with another gain": (with_experiment(gains={"k2": 1.0}), "there is no value of 'Try' 'k2'"),
    "an experiment out of range": (
        with_experiment(params={"v": 11.0}),
        "in 'Try' v must be between -10 and 10, not 11",
    ),
    "an experiment with a long step": (with_experiment(step=11.0), "in 'Try' step must be between"),
    "an experiment with a negative gain": (with_experiment(gains={"k1": -1.0}), "in 'Try' k1 must be between"),
    # Tuples.
    "a forgotten comma": (replace(TOY, parameters=TOY.parameters[0]), "parameters must be a tuple of Parameter"),
    "a text for a tuple of texts": (with_euler(preserves="circle"), "preserves of euler must be a tuple of str"),
    "a tuple of other things": (replace(TOY, components=("x", "y")), "components must be a tuple of Component"),
}


@pytest.mark.parametrize(("system", "hint"), BAD.values(), ids=BAD)
def test_a_bad_declaration_gets_one_sentence(system, hint):
    with pytest.raises(nhviz.ParameterError) as caught:
        checks.check(system)
    message = str(caught.value)
    assert hint in message
    assert message.startswith(f"The system {system.id!r} is not declared well: ")
    assert message.endswith(".")
    assert "\n" not in message
    assert caught.value.name == "system"


def test_every_system_passes_and_so_does_the_toy():
    for system in (*registry.registered().values(), TOY):
        checks.check(system)


@pytest.mark.parametrize(
    "system",
    [
        with_initial(number("z")),
        with_option(number("k"), GAIN, Choice("base", 1, (1, 2), "scheme")),
        replace(with_option(GAIN), methods=(EXACT, replace(REFERENCE, options=(GAIN,)), EULER)),
        with_portrait("x", "y", "theta", on_sphere=True),
        with_experiment(params={"v": 2.0}, initial={"x": 1.0}, step=0.1, duration=1.0, gains={"k1": 0.2}),
        replace(TOY, plane=MomentumPlane(("x", "y"), nothing, nothing), in_time=("x",), kernels=("flow",)),
        with_measure(axes=(number("k"),), start=nothing, methods=("exact",), kind="angle"),
        with_euler(branches=Branches(("p",), nothing, of_start=nothing), bound=Bound(at_start=nothing)),
    ],
)
def test_what_is_allowed_passes(system):
    """An initial value called like a component is its start; methods may share an option."""
    checks.check(system)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("SYSTEM = replace(TOY, id='own', default_method='nothing')", "there is no default method 'nothing'"),
        ("SYSTEM = 'skate'", "must export SYSTEM, a System, not 'skate'"),
        ("OTHER = TOY", "must export SYSTEM, a System, not None"),
    ],
)
def test_the_command_line_says_it_in_one_line(text, hint, tmp_path):
    toy = (ROOT / "tests" / "toy" / "skate.py").read_text().replace("SYSTEM =", "TOY =")
    (tmp_path / "own.py").write_text(f"from dataclasses import replace\n{toy}\n{text}\n")
    surroundings = {**os.environ, "NHVIZ_SYSTEMS": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "nhviz", "list"]
    done = subprocess.run(command, env=surroundings, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert hint in done.stderr
