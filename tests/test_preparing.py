"""Preparation: what a system needs, in which order it is compiled, by whom, and what happens when one is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nhviz import registry
from nhviz.kernels import cache
from nhviz.preparing import bar, crew, plan, progress
from nhviz.preparing.plan import Part
from tests.conftest import PATIENTLY

ROOT = Path(__file__).parent.parent
CHEAP = "heisenberg"


def fresh(program, folder, **more):
    """A process with an empty folder for compiled code, or with one that others use, too."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    command = [*PATIENTLY, sys.executable, "-c", program]
    more |= {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=ROOT, env=environment, **more)


def answer(process):
    out, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return out, said


def notes(folder):
    """What is on the disk: name and time of each note."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("kernels-*/done/*")}


@pytest.mark.parametrize("name", ["suslov", "sleigh", "sphere", "oscillator"])
def test_a_system_declares_the_kernels_of_its_sweeps(name):
    """Those of its measures that are of no other use, with all that they call."""
    titles = {part.title for part in plan.parts_of_sweeps(name)}
    modules = registry.find(name).sweep_kernels
    assert modules
    assert all(any(title.startswith(f"{module}.") for title in titles) for module in modules)


@pytest.mark.parametrize("name", registry.systems())
def test_a_system_declares_all_kernels_that_it_runs_on(name):
    """Its methods load no other; a process of its own, since another test may have loaded them."""
    program = (
        "import sys; from nhviz import registry; from nhviz.warm import exercise; from nhviz.preparing import plan;"
        "from nhviz.kernels.compile import KERNELS; system = registry.find(sys.argv[1]); exercise(system);"
        "used = {k.marker for k in KERNELS.values() if k.loaded and k.__module__.startswith('nhviz.kernels.')};"
        "fields = {k.marker for k in KERNELS.values() if k.__name__ == 'field'};"
        "print(sorted(used - fields - {part.marker for part in plan.parts(system.id)}), len(used))"
    )
    done = subprocess.run([sys.executable, "-c", program, name], cwd=ROOT, capture_output=True, text=True, check=True)
    missing, count = done.stdout.rsplit(maxsplit=1)
    assert missing == "[]"
    assert int(count) > 0


def test_parts_are_those_of_the_closure_and_the_run_is_last():
    *kernels, run = plan.parts("sphere")
    assert {part.kind for part in kernels} == {"kernel"}
    assert (run.kind, run.key) == ("system", "sphere")
    names = {part.title for part in kernels}
    assert {"sphere.orbits", "follow.follow", "linear.invert", "quadrics.search", "flow.integrate"} <= names
    # Only a question about it, `nhviz.analysis.vertical`, needs this one.
    assert "elliptic.orbit" in names
    assert "suslov.orbits" not in names
    weights = [part.weight for part in kernels]
    assert weights == sorted(weights, reverse=True)
    assert 10.0 < sum(weights) < 40.0


def test_the_note_of_a_system_changes_with_its_file(tmp_path, monkeypatch):
    source = tmp_path / "own.py"
    source.write_text("one")
    monkeypatch.setattr(registry, "source", lambda name: source)
    before = plan.stamp("own")
    assert plan.stamp("own") == before
    source.write_text("other")
    assert plan.stamp("own") != before


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for compiled code, in this process."""
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def small(folder, monkeypatch):
    """Three systems of two kernels each, one of them common."""
    systems = {"a": "common one", "b": "common two", "c": "common three"}
    parts = {
        name: (
            *(Part("kernel", f"k:{word}", word, f"kernel.{word}", 1.0) for word in words.split()),
            Part("system", name, name.upper(), f"system.{name}", 0.5),
        )
        for name, words in systems.items()
    }
    monkeypatch.setattr(plan, "parts", parts.__getitem__)
    monkeypatch.setattr(plan, "parts_of_sweeps", lambda name: ())
    monkeypatch.setattr(registry, "systems", lambda: list(systems))
    return parts


def drained(queue, fail=()):
    """The titles in the order in which one worker gets them."""
    order = []
    while (part := queue.take()) is not None:
        order.append(part.title)
        if part.title not in fail:
            cache.mark(part.marker)
        queue.finish(part, "no" if part.title in fail else "")
    return order


def test_systems_are_prepared_in_their_order(small):
    assert drained(crew.Queue(progress.in_order)) == ["common", "one", "A", "two", "B", "three", "C"]


def test_what_only_sweeps_need_is_prepared_last(small, monkeypatch):
    map_of_a = Part("kernel", "k:map", "map", "kernel.map", 1.0)
    common, *_ = small["a"]
    monkeypatch.setattr(plan, "parts_of_sweeps", lambda name: (common, map_of_a) if name == "a" else ())
    assert drained(crew.Queue(progress.in_order)) == ["common", "one", "A", "two", "B", "three", "C", "map"]
    assert plan.is_ready("a")


def test_what_somebody_waits_for_comes_next(small):
    queue = crew.Queue(progress.in_order)
    first = queue.take()
    cache.mark(first.marker)
    queue.finish(first, "")
    progress.wish("c")
    progress.wish("b")
    assert [first.title, *drained(queue)] == ["common", "two", "B", "three", "C", "one", "A"]


def test_a_wish_fades_when_nobody_waits_any_more(small, folder):
    progress.wish("c")
    assert progress.in_order() == ["c", "a", "b"]
    long_ago = time.time() - 2.0 * progress.FADING
    os.utime(folder / "wishes" / "c", (long_ago, long_ago))
    assert progress.in_order() == ["a", "b", "c"]


def test_a_part_that_fails_does_not_stop_the_others(small):
    queue = crew.Queue(progress.in_order)
    assert drained(queue, fail={"one"}) == ["common", "one", "A", "two", "B", "three", "C"]
    assert {part.title for part, reason in queue.finished.items() if reason} == {"one"}


def test_progress_counts_and_estimates(small):
    assert progress.of_systems(["a"]) == progress.Progress(0, 3, None)
    progress.write_pace(2.0)
    assert progress.of_systems(["a", "b"]) == progress.Progress(0, 5, 8.0)
    cache.mark("kernel.common")
    assert progress.of_systems(["b"]) == progress.Progress(1, 3, 3.0)
    cache.note_failure("kernel.two", "the disk is full")
    assert progress.of_systems(["b"]).failure == "two: the disk is full"
    cache.forget_failures()
    assert not progress.of_systems(["b"]).failure
    for part in small["b"]:
        cache.mark(part.marker)
    assert progress.of_systems(["b"]).ready
    assert plan.is_ready("b")
    assert not plan.is_ready("a")


def test_the_bar_names_what_is_compiled_and_what_failed(capsys):
    orbit, follow = (Part("kernel", f"k:{word}", f"sphere.{word}", word, 1.0) for word in ("orbit", "follow"))
    with bar.Bar([orbit, follow]) as shown:
        shown.step(orbit)
        shown.step(follow, "the disk is full")
    said = capsys.readouterr().err
    assert "Compiling 2 parts of nhviz; this is done once." in said
    assert "sphere.follow could not be compiled: the disk is full" in said


def worker_that(monkeypatch, tmp_path, program):
    """A worker whose process runs another program."""
    script = tmp_path / "worker.py"
    script.write_text(program)
    monkeypatch.setattr(crew, "command", lambda module: [sys.executable, str(script)])
    return crew.Worker()


PART = Part("kernel", "k:one", "one", "kernel.one", 1.0)


def test_a_process_that_is_killed_is_replaced_once(monkeypatch, tmp_path):
    program = f"""
import os, pathlib, signal, sys
seen = pathlib.Path({str(tmp_path)!r}) / "seen"
for line in sys.stdin:
    if not seen.exists():
        seen.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    print(flush=True)
"""
    worker = worker_that(monkeypatch, tmp_path, program)
    assert worker.do(PART) == ""
    worker.stop()


def test_a_part_that_kills_its_process_is_given_up(monkeypatch, tmp_path):
    worker = worker_that(monkeypatch, tmp_path, "import os, sys; sys.stdin.readline(); os._exit(7)")
    assert worker.do(PART) == "the process that compiled it ended with status 7"
    worker.stop()


def test_an_answer_is_one_line_whatever_goes_wrong():
    command, environment = crew.command("nhviz.preparing.worker"), crew.environment()
    asked = "kernel nhviz.kernels.nothing:orbit\nkernel nhviz.kernels.linear:nothing\nsystem nothing\n"
    done = subprocess.run(command, input=asked, env=environment, capture_output=True, text=True, check=True)
    first, second, third = done.stdout.splitlines()
    assert first.startswith("ModuleNotFoundError")
    assert second.startswith("AttributeError")
    assert third.startswith("ParameterError: There is no system 'nothing'")


PREPARE = f"from nhviz.preparing import lead; lead.prepare([{CHEAP!r}])"
SOUND = f"""
import json
from numba.core.dispatcher import Dispatcher
from nhviz import registry
from nhviz.kernels.compile import KERNELS
from nhviz.warm import exercise
exercise(registry.find({CHEAP!r}))
stats = [k.dispatcher.stats for k in KERNELS.values() if k.loaded]
print(json.dumps([sum(sum(s.cache_hits.values()) for s in stats), sum(sum(s.cache_misses.values()) for s in stats)]))
"""


def test_two_processes_at_once_leave_one_sound_cache(tmp_path):
    first, second = fresh(PREPARE, tmp_path), fresh(PREPARE, tmp_path)
    answer(first)
    answer(second)
    known = notes(tmp_path)
    assert f"system.{CHEAP}." in "".join(known)
    hits, misses = json.loads(answer(fresh(SOUND, tmp_path))[0])
    assert (hits > 4, misses) == (True, 0)
    # What is there is neither compiled nor told again.
    assert answer(fresh(PREPARE, tmp_path)) == ("", "")
    assert notes(tmp_path) == known


def test_two_programs_that_compile_for_themselves_leave_one_sound_cache(tmp_path):
    both = [fresh(SOUND, tmp_path) for _ in range(2)]
    for process in both:
        answer(process)
    hits, misses = json.loads(answer(fresh(SOUND, tmp_path))[0])
    assert (hits > 4, misses) == (True, 0)


def test_a_compile_that_is_killed_goes_on_where_it_was(tmp_path):
    killed = fresh(PREPARE, tmp_path, start_new_session=True)
    until = time.monotonic() + 120
    while not notes(tmp_path) and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    before = notes(tmp_path)
    assert before
    assert f"system.{CHEAP}." not in "".join(before)
    answer(fresh(PREPARE, tmp_path))
    after = notes(tmp_path)
    assert {name: after[name] for name in before} == before
    assert f"system.{CHEAP}." in "".join(after)
    assert json.loads(answer(fresh(SOUND, tmp_path))[0])[1] == 0


def test_one_leads_and_its_death_frees_the_place(tmp_path):
    hold = "from nhviz.preparing import lead\nwith lead.leading() as ours: print(ours, flush=True); input()"
    holder = fresh(hold, tmp_path, stdin=-1)
    assert holder.stdout.readline() == "True\n"
    look = "from nhviz.preparing import lead; print(lead.is_vacant())"
    assert answer(fresh(look, tmp_path))[0] == "False\n"
    holder.kill()
    holder.communicate()
    assert answer(fresh(look, tmp_path))[0] == "True\n"


def test_a_leader_ends_with_its_server(tmp_path):
    program = "from nhviz.preparing.lead import main; main()"
    leader = fresh(program, tmp_path, stdin=subprocess.PIPE)
    leader.stdin.close()
    leader.stdin = None
    started = time.monotonic()
    leader.communicate(timeout=60)
    assert leader.returncode == 0
    assert len(notes(tmp_path)) < len(plan.missing(registry.systems())) or time.monotonic() - started < 60
    assert not any(name.startswith("system.") for name in notes(tmp_path))
