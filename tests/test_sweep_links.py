"""Links of sweeps: what is written is read, what cannot be used is told in a sentence, and labs lead to sweeps."""

import re

import pytest

from layouts.sweep_facts import systems
from nhviz import registry
from nhviz.frame import find, sweeping
from nhviz.frame.state import State
from nhviz.sweeps import link
from nhviz.sweeps.opening import opening
from nhviz.sweeps.presets import PRESETS
from nhviz.sweeps.usual import measures_of
from nhviz.sweeps.value import Sweep

UNUSUAL = {
    "a body": {
        "system": "suslov", "quantity": "largest_step", "method": "cayley",
        "x": ("I13", -0.7, 1.3, 11), "y": ("I33", 4.1, 9.7, 7),
        "params": {"I11": 2.75, "I23": -0.4}, "initial": {"M1": 1.0 / 3.0},
    },
    "places": {
        "system": "sleigh", "quantity": "cusp_x", "method": "exact",
        "x": ("x", -1.0, 2.0, 5), "y": ("p_1", -2.0, -0.5, 4), "initial": {"y": 0.25, "theta": 0.3},
    },
    "a curve": {
        "system": "sleigh", "quantity": "energy_drift", "method": "naive",
        "x": ("step", 0.01, 0.5, 9, "log"), "duration": 3.0,
    },
    "gains": {
        "system": "knife_edge", "quantity": "stability", "method": "feedback",
        "x": ("k1", 5.0, 500.0, 6, "log"), "y": ("g", 0.5, 9.0, 5),
        "options": {"base": "rk4", "k2": 12.5}, "step": 0.004,
    },
    "names of the quantity": {
        "system": "sphere", "quantity": "rotation_number",
        "x": ("h", 0.1, 0.4, 5), "options": {"level": 0.31}, "params": {"J2": 0.6},
    },
}  # fmt: skip


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_is_written_is_read(name):
    sweep = Sweep.create(**UNUSUAL[name])
    assert link.read("?" + link.query(sweep)) == (sweep, [])


def test_only_what_differs_is_written():
    sweep = Sweep.create(**UNUSUAL["gains"])
    assert link.query(sweep) == (
        "of=knife_edge&show=stability&map=feedback&x=k1:5:500:6:log&y=g:0.5:9:5&base=rk4&k2=12.5&step=0.004"
    )
    # A place is called as an axis is.
    assert "&kept.y=0.25" in link.query(Sweep.create(**UNUSUAL["places"]))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_presets_have_two_sentences_a_short_link_and_are_read_inside(preset):
    sweep = preset.create()
    assert len(re.findall(r"[.](?: |$)", preset.words)) == 2
    assert len(link.query(sweep)) < 160
    assert link.read(link.query(sweep)) == (sweep, [])
    for axis, value in zip((sweep.x, sweep.y), preset.at, strict=True):
        assert axis.first <= value <= axis.last


def test_there_are_six_presets_of_different_quantities():
    assert len({(p.sweep["system"], p.sweep["quantity"]) for p in PRESETS}) == 6


@pytest.mark.parametrize("system", registry.systems())
def test_every_quantity_opens_with_two_axes(system):
    model = registry.find(system)
    for quantity, measure in measures_of(model).items():
        sweep = opening(model, quantity)
        assert sweep.quantity == quantity
        assert sweep.y is not None
        for parameter in () if measure.optional else measure.axes:
            assert parameter.name in (sweep.x.name, sweep.y.name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("of=pendulum", "of = 'pendulum'; it can be suslov"),
        ("of=suslov&show=beauty", "show = 'beauty'; it can be"),
        ("of=suslov&show=largest_step&map=exact", "map = 'exact'; it can be moser_veselov, cayley"),
        ("x=I13:3:-3:20&y=I23:-1:1:20", "from a smaller to a larger value, not from 3 to -3"),
        ("x=I13:0:1:20:cube&y=I23:-1:1:20", "not with 'cube'"),
        ("x=I13:a:1:20&y=I23:-1:1:20", "must be a number, not 'a'"),
        ("x=I13&y=I23:-1:1:20", "x must be (name, first, last, count)"),
        ("x=I13:-1:1:20&y=I13:-1:1:20", "not I13 twice"),
        ("x=I13:-1:1:2000&y=I23:-1:1:20", "between 2 and 1,000"),
        ("x=mass:-1:1:20&y=I23:-1:1:20", "no axis of suslov 'mass'"),
        ("x=I13:-900:1:20&y=I23:-1:1:20", "I13 must be between"),
        ("I11=-4&x=I13:-1:1:20&y=I23:-1:1:20", "I11 must be between"),
        ("I11=three&x=I13:-1:1:20&y=I23:-1:1:20", "I11 must be a number, not 'three'"),
        ("I13=1&x=I13:-1:1:20&y=I23:-1:1:20", "I13 is an axis"),
        ("colour=red&x=I13:-1:1:20&y=I23:-1:1:20", "'colour', which means nothing here"),
        ("lab=pendulum", "a lab that does not exist: 'pendulum'"),
        ("x=I13:-1:1:20&" + "a" * 5000, "longer than 4,000 characters"),
    ],
)
def test_what_cannot_be_used_is_told_and_the_rest_is_shown(text, told):
    sweep, complaints, _ = sweeping.read(text)
    assert any(told in sentence for sentence in complaints), complaints
    assert sweep.system == "suslov"
    assert sweep.quantity == "largest_step"


def test_an_empty_link_is_the_first_preset():
    assert sweeping.read("") == (PRESETS[0].create(), [], ())


@pytest.mark.parametrize("name", find.labs())
def test_every_lab_leads_to_a_sweep(name):
    sweep, complaints, at = sweeping.read(f"lab={name}")
    assert len(at) == 2
    assert complaints == []
    assert sweep.system in find.lab(name).systems


def test_a_sweep_takes_the_state_of_its_lab_along():
    text = "I11=2.5&I22=4.5&I13=0.8&M1=30&M2=-70&step=0.02&methods=exact.cayley"
    sweep, complaints, at = sweeping.read(f"lab=suslov&{text}")
    assert at == (0.8, 0.5)
    assert complaints == []
    state, _ = State.from_query(find.lab("suslov"), text)
    assert sweep.method == "cayley"
    assert (sweep.x.name, sweep.y.name) == ("I13", "I23")
    for names in (sweep.params, sweep.initial, (("step", sweep.step),)):
        assert dict(names) == {name: state.number(name) for name, _ in names}


def test_a_map_is_called_after_the_lab_of_its_own_system():
    for name, about in systems().items():
        own = find.labs().get(name)
        assert own is None or about["title"] == own.heading
    assert systems()["sphere_vertical"]["title"] == find.labs()["sphere"].heading
