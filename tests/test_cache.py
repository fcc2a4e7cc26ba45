"""Runs by the value of their problem: the same arrays from everywhere, computed once, whatever the cache does."""

import hashlib
import json
import multiprocessing
import os
import shutil
import socket
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
from server import cache, patience, service
from server.settings import Settings
from server.turns import Turns

ROOT = Path(__file__).parent.parent
PROBLEM = nhviz.Problem.create("suslov", "moser_veselov", duration=0.6)


def runs(tmp_path, redis_url="", simulate=nhviz.simulate, seconds=10.0, turns=None):
    """Runs with a shared cache of their own, as another process would have them; `simulate` makes them."""
    settings = replace(Settings.read({}), cache_dir=tmp_path, redis_url=redis_url)
    shared = cache.SharedCache(cache.connected(Flask("test"), settings))
    return cache.Runs(patient(simulate, seconds, turns), shared, tmp_path, 0.0)


def patient(simulate, seconds=10.0, turns=None):
    """A patience that makes runs in its own way."""
    found = patience.Patience(seconds, turns or Turns(1, 2))
    found.simulate = simulate
    return found


def same(first, second):
    return (
        first.problem == second.problem
        and first.stopped == second.stopped
        and np.array_equal(first.t, second.t)
        and first.components.keys() == second.components.keys()
        and all(np.array_equal(first[name], second[name]) for name in first.components)
    )


class Counted:
    """simulate that counts, and takes its time."""

    def __init__(self, seconds=0.0):
        self.calls, self.seconds = 0, seconds

    def __call__(self, problem):
        self.calls += 1
        time.sleep(self.seconds)
        return nhviz.simulate(problem)


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


def test_garbage_is_a_miss(tmp_path, caplog):
    runs(tmp_path).run(PROBLEM)
    entries = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 100]
    assert entries
    for junk in (b"", b"garbage", os.urandom(5000), entries[0].read_bytes()[:300]):
        for entry in entries:
            entry.write_bytes(junk)
        counted = Counted()
        assert same(runs(tmp_path, simulate=counted).run(PROBLEM), nhviz.simulate(PROBLEM))
        assert counted.calls == 1


def test_an_entry_of_another_problem_is_a_miss(tmp_path):
    shared = runs(tmp_path)
    other = replace(PROBLEM, duration=0.3)
    key = hashlib.sha256(PROBLEM.text().encode()).hexdigest()
    shared.shared.set(key, cache.encode(nhviz.simulate(other)))
    assert len(shared.run(PROBLEM)) == 41


def test_a_disk_that_is_full_or_gone_slows_only(tmp_path, monkeypatch, caplog):
    shared = runs(tmp_path)

    def full(*arguments, **more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shared.shared.cache, "set", full)
    assert len(shared.run(PROBLEM)) == 41
    assert "No space left" in caplog.text
    shutil.rmtree(tmp_path)
    assert len(runs_without_folder(tmp_path).run(PROBLEM)) == 41


def runs_without_folder(folder):
    return cache.Runs(patient(nhviz.simulate), None, folder, 0.0)


def test_the_folder_is_private(tmp_path):
    folder = tmp_path / "cache"
    found = attached(cache_dir=folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert found.runs.shared is not None
    assert found.runs.locks == found.patience.turns.folder == folder


def attached(**settings):
    """The service of a new application with these settings."""
    return service.attach(Flask("test"), replace(Settings.read({}), **settings))


def test_a_folder_that_cannot_be_made_is_no_reason_not_to_start(caplog):
    found = attached(cache_dir=Path("/proc/nothing"))
    assert (found.runs.shared, found.runs.locks, found.patience.turns.folder) == (None, None, None)
    assert "no folder" in caplog.text
    assert len(found.runs.run(PROBLEM)) == 41


def test_no_entries_share_nothing(tmp_path):
    assert attached(cache_dir=tmp_path, cache_entries=0).runs.shared is None


def test_only_so_many_runs_are_kept_in_the_process(tmp_path):
    shared = cache.Runs(patient(nhviz.simulate), None, None, 1.0)
    for i in range(cache.KEPT + 10):
        shared.run(replace(PROBLEM, duration=0.3 + 0.015 * i))
    assert len(shared.kept) == cache.KEPT


@pytest.fixture
def redis_server(tmp_path):
    program = shutil.which("redis-server")
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI must have redis-server")
        pytest.skip("no redis-server here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "--port", str(port), "--save", "", "--appendonly", "no", "--dir", str(tmp_path)]
    process = subprocess.Popen([*command, "--maxmemory", "8mb"], stdout=subprocess.DEVNULL)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.05)
    yield f"redis://127.0.0.1:{port}/0", process
    process.kill()
    process.wait()


def test_redis_is_shared_and_may_die_midway(redis_server, tmp_path, caplog):
    address, process = redis_server
    first = runs(tmp_path, address).run(PROBLEM)
    other = Counted()
    assert same(first, runs(tmp_path, address, other).run(PROBLEM))
    assert other.calls == 0
    left = runs(tmp_path, address)
    process.kill()
    process.wait()
    began = time.monotonic()
    for i in range(20):
        assert len(left.run(replace(PROBLEM, duration=0.3 + 0.015 * i))) == 21 + i
    # The first request notices within the patience for Redis; the others do not even ask.
    assert time.monotonic() - began < 3.0
    assert caplog.text.count("Doing without the shared cache") == 1


def test_redis_that_is_full_slows_only(redis_server, tmp_path):
    address, _ = redis_server
    shared = runs(tmp_path, address)
    for i in range(8):
        shared.shared.resting_until = 0.0
        problem = nhviz.Problem.create("suslov", step=1e-4, duration=1.0 + 0.01 * i)
        assert len(shared.run(problem)) > 10_000


def test_an_address_that_is_none_is_no_reason_not_to_start(tmp_path, caplog):
    assert attached(cache_dir=tmp_path, redis_url="nothing://").runs.shared is None
    assert "no shared cache" in caplog.text


HAMMER = """
import os, sys
from pathlib import Path
from flask_caching.backends.base import BaseCache
from server.cache import Runs, SharedCache
from server.patience import Patience
from server.turns import Turns
folder = Path(sys.argv[1])
runs = Runs(Patience(10.0, Turns(1, 1)), SharedCache(BaseCache()), folder, 0.0)
for number in range(300):
    with runs.file_lock("same"):
        # Read, then write: two at a time would lose a count, or find the mark of the other.
        os.close(os.open(folder / "mark", os.O_CREAT | os.O_EXCL))
        count = int((folder / "count").read_text())
        (folder / "count").write_text(str(count + 1))
        (folder / "mark").unlink()
"""


def test_one_process_at_a_time_has_the_lock_of_a_key(tmp_path):
    (tmp_path / "count").write_text("0")
    command = [sys.executable, "-c", HAMMER, str(tmp_path)]
    others = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [other.communicate(timeout=120)[1] for other in others] == [""] * 4
    assert (tmp_path / "count").read_text() == "1200"
    assert [path.name for path in tmp_path.iterdir()] == ["count"]


def test_the_lock_of_a_key_is_in_nobody_elses_way(tmp_path):
    """Thousands of slider steps pass while one long run is made."""
    keyed = runs(tmp_path)
    entered = []

    def pass_by():
        for number in range(5000):
            with keyed.file_lock(hashlib.sha256(str(number).encode()).hexdigest()):
                entered.append(number)

    with keyed.file_lock("long"):
        thread = threading.Thread(target=pass_by, daemon=True)
        thread.start()
        thread.join(60)
        assert len(entered) == 5000


def test_a_folder_that_becomes_read_only_breaks_nothing(tmp_path, monkeypatch):
    """The lock is given back though its file cannot be removed: the next one has it at once."""
    keyed = runs(tmp_path)

    def refused(path, missing_ok=False):
        raise PermissionError(13, "no")

    before = len(os.listdir("/proc/self/fd"))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refused)
        with keyed.file_lock("key"):
            pass
    with keyed.file_lock("key"):
        assert (tmp_path / "lock-key").exists()
    assert not (tmp_path / "lock-key").exists()
    assert len(os.listdir("/proc/self/fd")) == before


def test_nobody_waits_for_a_lock_for_ever(tmp_path):
    keyed = runs(tmp_path, seconds=0.1)
    with keyed.file_lock("key"), keyed.file_lock("key"):
        pass


def test_there_are_no_locks_while_nothing_is_shared(tmp_path):
    keyed = runs(tmp_path)
    keyed.shared.resting_until = time.monotonic() + 60.0
    with keyed.file_lock("key"):
        assert not list(tmp_path.glob("lock-*"))


def test_a_refused_run_leaves_nothing_behind(tmp_path):
    def refuse(problem):
        raise nhviz.ParameterError("too long", "duration")

    refusing = runs(tmp_path, simulate=refuse)
    with pytest.raises(nhviz.ParameterError):
        refusing.run(PROBLEM)
    assert not refusing.under_way
    assert not list(tmp_path.glob("lock-*"))


def test_a_class_that_waits_for_one_long_run_leaves_threads_for_sliders(tmp_path):
    """Of eight threads that want the same long run two find a place; the others are told at once."""
    long = nhviz.Problem.create("suslov", "moser_veselov", step=1e-5, duration=0.3, every=1000)
    assert patience.is_long(long)
    told, go_on, had = [], threading.Event(), []

    def wait(problem):
        assert go_on.wait(60)
        return nhviz.simulate(problem)

    waiting = runs(tmp_path, simulate=wait, turns=Turns(1, 2))

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


def test_locks_of_the_dead_are_swept(tmp_path):
    for name, age in (("lock-old", 2 * cache.STALE), ("lock-new", 0.0), ("turn-0", 2 * cache.STALE)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    cache.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock-new", "turn-0"]


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
