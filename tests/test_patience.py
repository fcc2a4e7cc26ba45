"""The one meter: what is long, where it is made, how it is refused, and that the bits are the same everywhere."""

import contextvars
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from flask import Flask

import nhviz
from nhviz import registry
from nhviz.parameters import ParameterError
from nhviz.problem import Problem
from server import jobs, locks, orders, patience, workshop
from server.patience import Patience, allowance, is_long
from server.refusals import GoneError
from tests.workshops import open_workshop, ordered

LONG = Problem.create("suslov", "moser_veselov", step=1e-4, duration=40.0, every=400)


@pytest.fixture
def requested():
    """A function that calls others as one request of somebody."""

    def begin(patient, **environ):
        with Flask("test").test_request_context(environ_overrides=environ):
            context = contextvars.copy_context()
            context.run(patient.begin)
        return context

    return begin


@pytest.fixture(scope="module")
def channels():
    """Where orders go to a workshop that is open already."""
    with pytest.MonkeyPatch.context() as patch, open_workshop(patch):
        found = orders.channels
        assert ordered({"kind": "limits"})
        patch.setattr(orders, "channels", [])
        yield found


@pytest.fixture(params=["here", "workshop"])
def anywhere(request, monkeypatch, channels):
    """Where long runs are made."""
    monkeypatch.setattr(orders, "channels", channels if request.param == "workshop" else [])


def bits(run):
    """All numbers of a run as bytes, and why it ended."""
    return run.t.tobytes(), {name: values.tobytes() for name, values in run.components.items()}, run.stopped


def test_what_is_long_is_the_same_run(anywhere):
    """A map with many steps, a flow with many samples, and one with many internal steps, which is not known before."""
    spinning = Problem.create("suslov", "reference", initial={"M1": 300.0, "M2": 40.0}, duration=2.0, step=0.1)
    for problem in (LONG, Problem.create("sphere", "reference", step=1e-3, duration=20.0), spinning):
        found = Patience(60.0, 2).simulate(problem)
        assert found.problem == problem
        assert bits(found) == bits(nhviz.simulate(problem))


def test_a_flow_that_spends_its_small_budget_is_made_elsewhere(monkeypatch):
    """With few internal steps for what is short; what ends within them is not made twice."""
    problem = Problem.create("suslov", "reference", duration=5.0, budget=100_000)
    monkeypatch.setattr(Patience, "simulate_long", lambda self, problem: "elsewhere")
    assert bits(Patience(1.0, 2).simulate(problem)) == bits(nhviz.simulate(problem))
    assert Patience(1.0, 2).simulate(problem).problem == problem
    size = registry.find("suslov").size(dict(problem.params))
    monkeypatch.setattr(patience, "SHORT_FLOW", size * problem.samples)
    assert not is_long(problem)
    assert patience.briefly(problem).budget == problem.samples
    monkeypatch.setattr(patience, "briefly", lambda problem: replace(problem, budget=3))
    assert Patience(1.0, 2).simulate(problem) == "elsewhere"


@pytest.mark.parametrize("system", registry.systems())
def test_pages_as_they_open_are_short(system):
    """So that a slider never waits for a turn."""
    for method in registry.find(system).methods:
        assert not is_long(Problem.create(system, method.id)), method.id


def test_a_map_with_numbers_beyond_the_sliders_may_be_long():
    """A ball of which one step takes 3 ms: it is asked for, told, and not made."""
    usual = Problem.create("sphere", "fedorov", duration=12.0)
    assert not is_long(usual)
    assert not is_long(Problem.create("sphere", "fedorov", {"J1": 0.001}, duration=10 * usual.step))
    params = {"J1": 0.001, "J2": 0.9907609854790649, "J3": 0.001000099999, "m": 0.8488794069775678, "rho": 0.01}
    initial = {"gamma1": 999.999998, "gamma2": -0.728374954067927, "gamma3": -999.999998}
    initial |= {"omega1": 0.0, "omega2": 0.0, "omega3": -100.0}
    slow = Problem.create("sphere", "fedorov", params, initial, step=0.0099, duration=61.6, every=10)
    assert is_long(slow)
    with pytest.raises(ParameterError, match="This would take about"):
        Patience(0.5, 2).simulate(slow)


@pytest.mark.parametrize("system", ["knife_edge", "sphere_n", "sleigh"])
def test_the_ends_of_sliders_are_usual(system):
    """Gains in multiples of 1/step; beyond by a thousandth they are not."""
    model = registry.find(system)
    for method in model.methods:
        problem = Problem.create(system, method.id)
        for number in (*model.parameters, *model.initial, *method.options):
            if getattr(number, "slider", None) is None:
                continue
            for end, sign in zip(number.slider, (-1.0, 1.0), strict=True):
                scale = 1.0 / problem.step if number.per_step else 1.0
                assert patience.is_within(number, end * scale, problem.step)
                beyond = end * scale + sign * 1e-3 * (abs(end) + 1.0) * scale
                assert not patience.is_within(number, beyond, problem.step)
        assert patience.is_usual(model, problem)


def test_gains_and_steps_of_an_explicit_scheme_do_not_make_it_long():
    """Its steps take the same time whatever pulls, however long they are; a body beyond its sliders may not."""
    gains = dict.fromkeys(("k1", "k2", "k3"), 900.0)
    assert not is_long(Problem.create("knife_edge", "feedback", step=0.01, options=gains | {"pull": 9.0, "off": 3.0}))
    assert not is_long(Problem.create("knife_edge", "feedback", step=0.2, options=gains))
    assert is_long(Problem.create("knife_edge", "feedback", {"m": 900.0}, step=0.01, options=gains))


def test_what_was_slow_is_made_elsewhere_for_a_while(monkeypatch):
    patient, problem = Patience(1.0, 2), Problem.create("suslov", duration=0.3)
    monkeypatch.setattr(Patience, "simulate_long", lambda self, problem: "elsewhere")
    assert len(patient.simulate(problem)) == 21
    monkeypatch.setattr(patience, "SLOW", -1.0)
    assert len(patient.simulate(problem)) == 21
    assert patient.simulate(problem) == "elsewhere"
    assert len(patient.simulate(Problem.create("suslov", "cayley", duration=0.3))) == 21
    patient.slow_until = dict.fromkeys(patient.slow_until, 0.0)
    assert len(patient.simulate(problem)) == 21


def test_a_run_that_would_take_too_long_is_refused_before_it_is_made(anywhere):
    problem = Problem.create("sphere_n", "fedorov", step=0.001, duration=2000.0, every=1000)
    assert is_long(problem)
    with pytest.raises(ParameterError, match=r"would take about [\d.]+ s; at most 1 s are allowed") as caught:
        Patience(1.0, 2).simulate(problem)
    assert caught.value.name == "duration"


def test_the_runs_of_a_request_share_what_is_allowed(monkeypatch, requested):
    """Each of two equal runs would be allowed alone; a clock that a run moves on shows that both together are not."""
    clock, patient = [0.0], Patience(10.0, 2)
    simulate = nhviz.simulate

    def slow(problem):
        clock[0] += 6.0
        return simulate(problem)

    monkeypatch.setattr("server.patience.time.thread_time", lambda: clock[0])
    monkeypatch.setattr("server.jobs.nhviz.simulate", slow)
    monkeypatch.setattr("server.jobs.expected_seconds", lambda problem: 6.0)
    second = replace(LONG, duration=41.0)
    context = requested(patient)
    context.run(patient.simulate, LONG)
    with pytest.raises(ParameterError, match=r"about 12 s; at most 10 s are allowed .* choose fewer methods"):
        context.run(patient.simulate, second)
    requested(patient).run(patient.simulate, second)


@pytest.mark.parametrize(
    ("expected", "words"), [(10.02, "about 11 s; at most 10 s"), (0.24, "about 0.24 s"), (1234.5, "about 1,235 s")]
)
def test_a_run_that_is_too_long_says_how_long(expected, words):
    sentence = jobs.too_long(expected, 0.0, 10.0)
    assert words in sentence
    assert "fewer methods" not in sentence


def test_computing_is_taken_from_what_is_allowed(anywhere, requested):
    patient = Patience(10.0, 2)
    context = requested(patient)
    context.run(patient.simulate, LONG)
    assert 0.0 < context.run(allowance.get).seconds < 10.0


@pytest.mark.parametrize(("stopped", "expected"), [(None, 5.0), ("no real branch", 0.05)])
def test_what_happens_once_is_no_part_of_the_estimate(monkeypatch, stopped, expected):
    """A clock on which the first run of a process loads for 3 s, and each step takes a ten thousandth."""
    clock, loaded = [0.0], []

    def simulate(problem):
        clock[0] += 1e-4 * problem.steps if loaded else 3.0
        loaded.append(problem)
        return SimpleNamespace(stopped=stopped)

    monkeypatch.setattr("server.jobs.time.thread_time", lambda: clock[0])
    monkeypatch.setattr("server.jobs.nhviz.simulate", simulate)
    problem = Problem.create("suslov", "moser_veselov", step=1e-4, duration=5.0)
    assert jobs.expected_seconds(problem) == pytest.approx(expected)


def test_long_runs_take_turns():
    patient = Patience(0.2, 2)
    with patient.here, pytest.raises(ParameterError, match="busy with other long runs"):
        patient.simulate(LONG)
    # A short one does not wait.
    with patient.here:
        assert len(patient.simulate(Problem.create("suslov", duration=0.3))) == 21


def test_a_client_without_a_place_is_told(requested):
    patient = Patience(60.0, 4)
    with patient.places.place("a"), patient.places.place("a"), patient.places.place("a"):
        with pytest.raises(ParameterError, match="busy with other long runs"):
            requested(patient, REMOTE_ADDR="a").run(patient.simulate, LONG)
        assert requested(patient, REMOTE_ADDR="b").run(patient.simulate, LONG)
        # Behind a proxy the worker knows who it is.
        with pytest.raises(ParameterError, match="busy"):
            requested(patient, **{"REMOTE_ADDR": "b", "nhviz.client": "a"}).run(patient.simulate, LONG)


def test_work_ends_with_its_client(monkeypatch, channels, requested):
    """While it is made, and while it waits for a run that somebody else is making."""
    patient = Patience(60.0, 4)
    context = requested(patient, **{"nhviz.gone": lambda: True})
    with pytest.raises(GoneError):
        context.run(patient.waited, lambda: None)
    monkeypatch.setattr(orders, "channels", channels)
    with pytest.raises(GoneError):
        context.run(patient.simulate, Problem.create("sphere_n", "fedorov", step=5e-4, duration=300.0, every=1000))
    assert not patient.places.taken


@pytest.mark.parametrize(
    ("letter", "words"),
    [
        (workshop.LATE, "This took longer than the 7 s that are allowed here: lower the duration or raise the step."),
        (workshop.BUSY, "The server is busy with other long runs; try again in a moment."),
        (workshop.FAILED, "The server lost this run; try again in a moment."),
        (workshop.MADE, "The server lost this run; try again in a moment."),
    ],
)
def test_every_refusal_is_a_sentence(monkeypatch, letter, words):
    """Also what is no entry: a run is believed only if it is one."""
    monkeypatch.setattr("server.orders.channels", [SimpleNamespace(sendmsg=lambda *all: None)])
    answer = bytearray(workshop.HEAD.pack(letter, 0, 0.0))
    monkeypatch.setattr("server.orders.received", lambda *all: answer)
    with pytest.raises(ParameterError) as caught:
        Patience(7.0, 2).simulate(LONG)
    assert (str(caught.value), caught.value.name) == (words, "duration")


def test_a_file_waits_longer_than_a_picture(requested):
    patient = Patience(1.0, 2)
    context = requested(patient)
    before = context.run(allowance.get).until
    context.run(patient.wait_for_file)
    assert context.run(allowance.get).until > before + 30.0
    patient.wait_for_file()
    assert allowance.get() is None


def test_who_waits_takes_a_place_and_gives_it_back():
    patient, found = Patience(60.0, 1), threading.Event()

    def look():
        return True if found.is_set() else None

    thread = threading.Thread(target=patient.waited, args=(look,))
    thread.start()
    while not patient.places.taken:
        pass
    with pytest.raises(ParameterError, match="busy"):
        patient.waited(lambda: None)
    found.set()
    thread.join(30)
    assert not patient.places.taken
    assert Patience(0.0, 1).waited(lambda: None) is None
    assert locks.never() is False
