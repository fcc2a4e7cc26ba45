"""Sweeps over HTTP: the values of `nhviz.sweep`, cells, files, sentences for what cannot be, a thousand bad ones."""

import copy
import io
import json
import random
from dataclasses import replace

import numpy as np
import pytest

import nhviz
from app import create_app
from benchmarks.malformed.material import encoded, junk
from nhviz.frame import find
from nhviz.frame.state import State
from nhviz.frame.where import state_of
from server import service
from server.settings import Settings
from tests.desks import QUICK, put_together, same_bits, whole
from tests.workshops import eventually

CELLS = 10_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    settings = replace(Settings.read({}), cache_dir=tmp_path_factory.mktemp("routes") / "kept", sweep_cells=CELLS)
    found = create_app(settings).server
    yield found
    found.extensions[service.NAME].desk.close()


@pytest.fixture(scope="module")
def client(server):
    return server.test_client()


def ask(client, sweep=QUICK, route="", **more):
    data = sweep.to_dict() if isinstance(sweep, nhviz.Sweep) else sweep
    return client.post(f"/sweep{route}", json={"sweep": data, **more})


@pytest.fixture(scope="module")
def done(client):
    """All tiles of the quick sweep."""
    sent, page = [], {"journal": "", "since": 0}

    def is_done():
        answer = ask(client, go=True, **page).get_json()
        page.update(journal=answer["journal"], since=answer["since"])
        sent.extend(answer["tiles"])
        return answer["state"] == "done" and not answer["more"]

    eventually(is_done)
    return sent


def test_the_values_are_those_of_python(done):
    assert same_bits(put_together(QUICK, done), whole(QUICK))


def test_who_comes_later_has_everything_at_once(client, done):
    answer = ask(client, go=False, journal="", since=0).get_json()
    assert (answer["state"], answer["done"], len(answer["tiles"])) == ("done", QUICK.cells, len(done))


def test_a_cell_has_its_value_its_run_and_its_lab(client, done):
    answer = ask(client, QUICK, "/cell", i=3, j=5, theme="dark").get_json()
    assert answer["value"] == whole(QUICK)[5, 3]
    assert answer["reason"] == ""
    problem = QUICK.problem(3, 5)
    assert nhviz.Problem.from_dict(answer["problem"]) == problem
    path, _, query = answer["href"].partition("?")
    state, told = State.from_query(find.lab(path.strip("/")), query)
    assert not told
    (panel,) = state.scene.panels
    assert [shown.params for shown in state.problems(panel).values()] == [problem.params]
    assert answer["figure"]["data"]


def test_an_empty_cell_says_why(client):
    j, i = np.argwhere(np.isnan(whole(QUICK)))[11].tolist()
    answer = ask(client, QUICK, "/cell", i=i, j=j, theme="light").get_json()
    assert (answer["value"], answer["problem"], answer["figure"], answer["href"]) == (None, None, None, "")
    with pytest.raises(nhviz.ParameterError) as caught:
        nhviz.simulate("suslov", params=dict(QUICK.params) | {"I13": QUICK.x.values[i], "I23": QUICK.y.values[j]})
    assert answer["reason"] == str(caught.value)


def test_files_hold_what_is_kept(client, done):
    values = whole(QUICK)
    npz = ask(client, QUICK, "/file", kind="npz")
    assert "suslov-axes_angle.npz" in npz.headers["Content-Disposition"]
    arrays = np.load(io.BytesIO(npz.data), allow_pickle=False)
    assert same_bits(arrays["values"], values)
    lines = ask(client, QUICK, "/file", kind="csv").data.decode().splitlines()
    assert len(lines) == 1 + QUICK.cells
    i, j = 17, 4
    x, y, value = map(float, lines[1 + j * QUICK.x.count + i].split(","))
    assert (x, y, value) == (QUICK.x.values[i], QUICK.y.values[j], values[j, i])
    assert json.loads(ask(client, QUICK, "/file", kind="json").data)["values"][j][i] == values[j, i]


def test_cancelled_stays_so_until_somebody_goes_on(client):
    sweep = nhviz.Sweep.create("suslov", "largest_step", ("I13", -1.3, 1.1, 90), ("I23", -0.9, 0.7, 80), "cayley")
    ask(client, sweep, go=True, journal="", since=0)
    answer = ask(client, sweep, "/cancel").get_json()
    assert answer["state"] in ("cancelled", "done")
    assert ask(client, sweep, go=False, journal="", since=0).get_json()["state"] == answer["state"]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"x": {"name": "nothing", "first": 0.0, "last": 1.0, "count": 10}}, "x"),
        ({"y": {"name": "I23", "first": 1.0, "last": 1.0, "count": 10}}, "y"),
        ({"y": {"name": "I13", "first": 0.0, "last": 1.0, "count": 10}}, "y"),
        ({"x": {"name": "I13", "first": -1e9, "last": 1.0, "count": 10}}, "x"),
        ({"x": {"name": "I13", "first": -1.0, "last": 1.0, "count": 200}}, "x"),
        ({"quantity": "beauty"}, "quantity"),
        ({"method": "feedback"}, "method"),
        ({"step": 0.0}, "step"),
    ],
)
def test_a_sweep_that_cannot_be_is_told_with_its_name(client, change, name):
    answer = ask(client, QUICK.to_dict() | change, go=True, journal="", since=0)
    assert answer.status_code == 422
    told = answer.get_json()
    assert told["name"] == name
    assert told["sentence"].endswith(".")
    assert "\n" not in told["sentence"]


@pytest.mark.parametrize(
    ("route", "more"),
    [
        ("", {}),
        ("", {"go": 1}),
        ("", {"go": True, "journal": 3}),
        ("", {"go": True, "journal": "x" * 1000}),
        ("", {"go": True, "since": -1}),
        ("", {"go": True, "since": 1.5}),
        ("", {"go": True, "since": True}),
        ("/cell", {"i": 1.0, "j": 2}),
        ("/cell", {"i": True, "j": 2}),
        ("/cell", {"i": 1, "j": 2, "theme": 4}),
        ("/file", {"kind": "pickle"}),
        ("/file", {"kind": ["csv"]}),
    ],
)
def test_a_malformed_question_is_refused_in_a_sentence(client, route, more):
    answer = ask(client, QUICK, route, **more)
    assert answer.status_code == 400
    assert answer.data.endswith(b".\n")


def test_a_cell_that_is_not_there_is_told(client):
    answer = ask(client, QUICK, "/cell", i=QUICK.x.count, j=0)
    assert (answer.status_code, answer.get_json()["name"]) == (422, "i")


def broken(chance):
    """A question about a sweep in which one or two things have no business, or are missing."""
    looking = {"go": False, "journal": "", "since": 0}
    route, more = chance.choice([("", looking), ("/cancel", {}), ("/cell", {"i": 1, "j": 2})])
    body = {"sweep": copy.deepcopy(QUICK.to_dict()), **more}
    for _ in range(chance.choice((1, 1, 2))):
        sweep = body["sweep"] if isinstance(body.get("sweep"), dict) else {}
        part = chance.choice([body, sweep, *(part for part in sweep.values() if isinstance(part, dict))])
        name = chance.choice([*part, "more"])
        if chance.random() < 0.15:
            part.pop(name, None)
        else:
            part[name] = junk(chance)
    return route, body


def test_a_thousand_malformed_sweeps_get_a_sentence_each(client):
    statuses = []
    for number in range(1000):
        route, body = broken(random.Random(f"sweeps/{number}"))
        answer = client.post(f"/sweep{route}", data=encoded(body), content_type="application/json")
        assert answer.status_code in (200, 400, 422), (route, body, answer.data[:200])
        if answer.status_code != 200:
            told = answer.get_json()["sentence"] if answer.status_code == 422 else answer.data.decode().strip()
            assert told.endswith(".")
            assert "\n" not in told
            assert len(told) < 600
        statuses.append(answer.status_code)
    # Most are refused: the sample is one.
    assert statuses.count(400) > 100
    assert statuses.count(422) > 300


def test_the_lab_of_a_problem_runs_it():
    """For every method of every system that some lab has; a gain is a multiple of 1/step there."""
    seen = 0
    for name in nhviz.systems():
        for method in nhviz.registry.find(name).methods:
            problem = nhviz.Problem.create(name, method.id, duration=0.3)
            state = state_of(problem)
            if state is None:
                continue
            seen += 1
            panel = next(panel for panel in state.scene.panels if panel.system == name)
            (shown,) = state.problems(panel).values()
            assert (shown.system, shown.method, shown.params, shown.initial) == (
                name,
                method.id,
                problem.params,
                problem.initial,
            )
            assert (shown.step, shown.duration) == (problem.step, problem.duration)
    assert seen > 20
