"""Runs by the value of their problem: the same arrays from everywhere, computed once, as many as there is room for."""

import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask import Flask

import nhviz
from nhviz import registry
from server import cache, kept, patience
from tests.caches import PROBLEM, Counted, attached, noise, patient, runs, same

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("system", nhviz.systems())
def test_a_hit_returns_the_same_arrays(tmp_path, system):
    problem = nhviz.Problem.create(system, duration=20 * nhviz.describe(system)["step"]["default"])
    first = runs(tmp_path).run(problem)
    other = Counted()
    again = runs(tmp_path, simulate=other).run(problem)
    assert other.calls == 0
    assert same(first, again)
    assert same(first, nhviz.simulate(problem))
    assert again.quantity("energy").shape == first.t.shape


def test_a_stopped_run_keeps_its_reason(tmp_path):
    problem = nhviz.Problem.create("suslov", "moser_veselov", step=0.04, duration=1.0)
    first = runs(tmp_path).run(problem)
    assert first.stopped
    assert same(first, runs(tmp_path, simulate=Counted()).run(problem))


def test_different_problems_have_different_runs(tmp_path):
    shared = runs(tmp_path)
    other = replace(PROBLEM, step=PROBLEM.step * (1.0 + 1e-15))
    assert other != PROBLEM
    assert not np.array_equal(shared.run(PROBLEM)["M1"], shared.run(other)["M1"])


def test_identical_requests_at_the_same_time_compute_once(tmp_path):
    counted = Counted(0.3)
    shared = runs(tmp_path, simulate=counted)
    found = []
    threads = [threading.Thread(target=lambda: found.append(shared.run(PROBLEM))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted.calls == 1
    assert len(found) == 8
    assert not shared.under_way


def ask(folder, log):
    """One process that asks for the run and notes whether it had to compute it."""

    def simulate(problem):
        with Path(log).open("a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(0.5)
        return nhviz.simulate(problem)

    runs(Path(folder), simulate=simulate).run(PROBLEM)


def test_identical_requests_of_several_processes_compute_once(tmp_path):
    log = tmp_path / "log"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=ask, args=(str(tmp_path), str(log))) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert len(log.read_text().splitlines()) == 1


def test_a_failure_is_not_kept(tmp_path):
    def fail(problem):
        raise nhviz.ParameterError("no", "duration")

    shared = runs(tmp_path, simulate=fail)
    for _ in range(2):
        with pytest.raises(nhviz.ParameterError):
            shared.run(PROBLEM)
    shared.patience.simulate = nhviz.simulate
    assert len(shared.run(PROBLEM)) == 41


def test_no_bytes_share_nothing(tmp_path):
    assert attached(cache_dir=tmp_path, cache_bytes=0).runs.shared is None


def test_only_so_many_runs_are_kept_in_the_process(monkeypatch):
    monkeypatch.setattr(kept, "RUNS", 6)
    several = cache.Runs(patient(nhviz.simulate), None, None, 1.0)
    asked = [replace(PROBLEM, duration=0.3 + 0.015 * i) for i in range(9)]
    for problem in asked:
        several.run(problem)
        several.run(asked[0])
    assert list(several.kept.runs) == [*asked[4:], asked[0]]


def held(run):
    """The bytes of the memory that a run keeps from others, counted one by one."""
    arrays = [run.t, *run.components.values(), *run.known.values()]
    owners = {id(values if values.base is None else values.base): values for values in arrays}
    return sum((values if values.base is None else values.base).nbytes for values in owners.values())


def test_the_memory_of_kept_runs_is_bounded(monkeypatch):
    """Also that of runs which ended early, whose arrays are the beginning of longer ones, and of their quantities."""
    monkeypatch.setattr(kept, "BYTES", 400_000)
    several = cache.Runs(patient(nhviz.simulate), None, None, 1.0)
    quantities = [quantity.id for quantity in registry.find("suslov").quantities]
    for i in range(12):
        step = 0.0005 if i % 2 else 0.04
        found = several.run(nhviz.Problem.create("suslov", "moser_veselov", step=step, duration=0.5 + i * step))
        for quantity in quantities:
            found.quantity(quantity)
        stored = [run for run, _ in several.kept.runs.values()]
        assert sum(map(held, stored)) <= several.kept.bytes <= kept.BYTES
    assert 2 < len(stored) < 12


def test_a_run_that_is_too_large_is_not_kept(monkeypatch):
    several = cache.Runs(patient(nhviz.simulate), None, None, 1.0)
    several.run(PROBLEM)
    large = nhviz.Problem.create("suslov", step=1e-4, duration=1.0)
    monkeypatch.setattr(kept, "BYTES", 200_000)
    assert len(several.run(large)) == 10_001
    assert list(several.kept.runs) == [PROBLEM]


def test_the_same_run_counts_once():
    run = nhviz.simulate(PROBLEM)
    two = kept.Kept()
    two.keep(PROBLEM, run)
    before = two.bytes
    two.keep(PROBLEM, run)
    assert two.bytes == before == kept.weight(run)


def test_a_part_of_an_array_weighs_as_much_as_the_whole():
    run = nhviz.simulate(PROBLEM)
    part = replace(run, components={name: noise((1000, *run[name].shape[1:]))[:41] for name in run.components})
    assert kept.weight(part) > kept.weight(run) + 7 * 8 * 900


def test_a_class_that_waits_for_one_long_run_leaves_threads_for_sliders(tmp_path):
    """Of eight threads that want the same long run one makes it, one finds a place; the others are told at once."""
    long = nhviz.Problem.create("suslov", "moser_veselov", step=1e-5, duration=0.3, every=1000)
    assert patience.is_long(long)
    told, go_on, had = [], threading.Event(), []

    def wait(problem):
        assert go_on.wait(60)
        return nhviz.simulate(problem)

    waiting = runs(tmp_path, simulate=wait, places=2)

    def ask():
        try:
            had.append(waiting.run(long))
        except nhviz.ParameterError as error:
            told.append(str(error))
            if len(told) == 6:
                go_on.set()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (len(had), len(told)) == (2, 6)
    assert set(told) == {"The server is busy with other long runs; try again in a moment."}


def test_the_cache_of_a_process_serves_all_its_applications(tmp_path, caplog):
    shared = runs(tmp_path).shared
    other = Flask("other")
    with other.app_context():
        shared.set("key", b"value")
        assert shared.get("key") == b"value"
    assert not caplog.records


def test_quick_runs_are_not_looked_up(tmp_path):
    """After the first of its kind a quick run costs no look at the shared cache; one that is slow does, again."""
    looks, simulate = [], Counted()
    quick = runs(tmp_path, simulate=simulate)
    quick.slow = 0.2
    quick.shared.get = looks.append
    problems = [nhviz.Problem.create("suslov", "moser_veselov", {"I11": 3.0 + i}, duration=0.6) for i in range(4)]
    quick.run(problems[0])
    assert len(looks) == 2
    simulate.seconds = 0.3
    quick.run(problems[1])
    assert len(looks) == 2
    quick.run(problems[2])
    assert len(looks) == 4
    assert simulate.calls == 3


SKATE = """
import json, sys
from flask import Flask
import nhviz
from nhviz import registry
from server import service
from server.settings import Settings

runs = service.attach(Flask("test"), Settings.read()).runs
made = []
simulate = runs.patience.simulate
runs.patience.simulate = lambda problem: made.append(problem.method) or simulate(problem)
ends = [runs.run(nhviz.Problem.create("skate", method))["x"][-1] for method in ("euler", "reference")]
print(json.dumps({"ends": ends, "made": made}))
"""


def test_an_edited_system_of_ones_own_is_not_answered_with_old_runs(tmp_path):
    """A file in NHVIZ_SYSTEMS, each time in a new process: the same sources share runs, others do not."""
    systems, file = tmp_path / "systems", tmp_path / "systems" / "skate.py"
    systems.mkdir()
    folders = {"NHVIZ_SYSTEMS": str(systems), "NHVIZ_CACHE_DIR": str(tmp_path / "cache"), "NHVIZ_CACHE_SECONDS": "0"}

    def ask(source):
        file.write_text(source)
        command = [sys.executable, "-c", SKATE]
        done = subprocess.run(command, cwd=ROOT, env=os.environ | folders, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    source = (ROOT / "tests" / "toy" / "skate.py").read_text()
    twice = source.replace("dy[0], dy[1], dy[2] = p[0] *", "dy[0], dy[1], dy[2] = 2.0 * p[0] *")
    twice = twice.replace('reach = task.params["v"]', 'reach = 2.0 * task.params["v"]')
    first, again, edited = ask(source), ask(source), ask(twice)
    assert (first["made"], again["made"], edited["made"]) == (["euler", "reference"], [], ["euler", "reference"])
    assert again["ends"] == first["ends"]
    assert edited["ends"] == pytest.approx([2.0 * end for end in first["ends"]], rel=1e-12)
