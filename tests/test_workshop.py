"""The workshop: the same bits as here, in turns, within limits, and only as long as somebody waits."""

import contextlib
import os
import signal
import socket
import threading
from pathlib import Path

import pytest

import nhviz
from nhviz import export
from nhviz.problem import Problem
from server import entries, jobs, orders, workshop
from server.refusals import BusyError, GoneError, LateError, LostError
from tests.workshops import eventually, open_workshop, ordered

PROBLEM = Problem.create("suslov", "cayley", step=0.01, duration=60.0, every=7)


@pytest.fixture(scope="module")
def keeper():
    """A workshop with room for one at a time."""
    with pytest.MonkeyPatch.context() as patch, open_workshop(patch) as found:
        yield found


def is_running(pid):
    """Whether a process is there and not only its record."""
    with contextlib.suppress(OSError):
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def test_a_run_is_the_same_bits(keeper):
    found, here = entries.decode(ordered(jobs.of_run(PROBLEM)), PROBLEM), nhviz.simulate(PROBLEM)
    assert found.problem == PROBLEM
    assert found.stopped == here.stopped
    assert {name: values.tobytes() for name, values in found.components.items()} == {
        name: values.tobytes() for name, values in here.components.items()
    }
    assert found.t.tobytes() == here.t.tobytes()


def test_a_table_is_the_same_text(keeper):
    problems = {"one": PROBLEM, "other": Problem.create("suslov", "exact", duration=3.0)}
    runs = {name: nhviz.simulate(problem) for name, problem in problems.items()}
    assert ordered(jobs.of_table(problems)) == export.runs_to_csv(runs)


def test_what_would_take_too_long_is_refused_with_the_number(keeper):
    long = Problem.create("suslov", "cayley", step=0.001, duration=20_000.0, every=10_000)
    with pytest.raises(nhviz.ParameterError, match=r"This would take about .* s; at most 0.01 s are allowed") as found:
        ordered(jobs.of_run(long), seconds=0.01)
    assert found.value.name == "duration"


def test_a_child_yields_and_has_limits(keeper):
    """Nice, two seconds more than allowed, the first to go, and no files but the standard ones and its two."""
    nice, seconds, score, files = map(int, ordered({"kind": "limits"}, seconds=7.0).split())
    assert (nice, seconds, score) == (os.nice(0) + workshop.YIELDING, 9, 800)
    # The sixth is the list of files itself.
    assert files <= 6


def test_time_is_up_for_what_does_not_end(keeper, tmp_path):
    with pytest.raises(LateError):
        ordered({"kind": "spin", "file": str(tmp_path / "pid")}, seconds=0.1)
    assert not is_running((tmp_path / "pid").read_text())


@pytest.mark.parametrize("kind", ["crash", "fail", "unknown"])
def test_what_goes_wrong_is_lost_alone(keeper, kind):
    with pytest.raises(LostError):
        ordered({"kind": kind})
    assert ordered(jobs.of_run(PROBLEM))


def test_work_ends_when_its_client_has_gone(keeper, tmp_path):
    file = tmp_path / "pid"
    with pytest.raises(GoneError):
        ordered({"kind": "spin", "file": str(file)}, is_gone=lambda: file.exists() and bool(file.read_text()))
    eventually(lambda: not is_running(file.read_text()))


@contextlib.contextmanager
def held(tmp_path):
    """While something is made, and nothing else can be begun."""
    file, end = tmp_path / "held", tmp_path / "end"
    job = {"kind": "mark", "file": str(file), "word": "held", "until": str(end)}
    thread = threading.Thread(target=ordered, args=(job,))
    thread.start()
    eventually(file.exists)
    yield
    end.touch()
    thread.join(30)


def test_what_waits_is_not_begun_once_its_client_has_gone(keeper, tmp_path):
    marks = tmp_path / "marks"
    with held(tmp_path), pytest.raises(GoneError):
        ordered({"kind": "mark", "file": str(marks), "word": "mine"}, is_gone=lambda: True)
    assert ordered({"kind": "limits"})
    assert not marks.exists()


def test_who_waits_too_long_is_told(keeper, tmp_path):
    with held(tmp_path), pytest.raises(BusyError):
        ordered({"kind": "limits"}, client="other", wait=0.05)


def test_clients_take_turns(keeper, tmp_path):
    """One has four orders in line, others one each: nobody waits for more than one of the four."""
    marks = tmp_path / "marks"
    wanted = ["a1", "a2", "a3", "a4", "b1", "c1"]
    threads = []
    with held(tmp_path):
        for number, word in enumerate(wanted, start=1):
            job = {"kind": "mark", "file": str(marks), "word": word}
            threads.append(threading.Thread(target=ordered, args=(job, word[0])))
            threads[-1].start()
            # One after the other, as the workshop takes them.
            eventually(lambda number=number: waiting(keeper) >= 1 + number)
    for thread in threads:
        thread.join(30)
    assert marks.read_text().split() == ["a1", "b1", "c1", "a2", "a3", "a4"]


def waiting(keeper):
    """How many sockets of orders the workshop holds."""
    (inside,) = children(keeper.pid)
    links = [os.readlink(entry) for entry in Path(f"/proc/{inside}/fd").iterdir()]
    # One is the channel.
    return sum(link.startswith("socket:") for link in links) - 1


def children(pid):
    """The processes that a process has forked."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_workshop_that_dies_is_opened_again(monkeypatch, tmp_path):
    """What was being made is lost and said to be, and its process goes, too."""
    file, lost = tmp_path / "pid", []

    def order():
        try:
            ordered({"kind": "spin", "file": str(file)})
        except LostError as error:
            lost.append(error)

    with (tmp_path / "log").open("w") as log, open_workshop(monkeypatch, log=log) as keeper:
        thread = threading.Thread(target=order)
        thread.start()
        eventually(lambda: file.exists() and file.read_text())
        (inside,) = children(keeper.pid)
        os.kill(inside, signal.SIGKILL)
        thread.join(30)
        assert len(lost) == 1
        assert ordered(jobs.of_run(PROBLEM))
        assert not is_running(file.read_text())
        keeper.send_signal(signal.SIGTERM)
        # Signals are for the server; it is closed by the end of the channel.
        assert ordered({"kind": "limits"})
    assert "there is a new one" in (tmp_path / "log").read_text()


def test_an_order_that_is_too_large_is_lost_alone(keeper):
    with pytest.raises(LostError):
        ordered({"kind": "limits", "more": "x" * (workshop.LARGEST + 1)})
    assert ordered({"kind": "limits"})


def test_a_workshop_that_does_not_listen_is_busy(monkeypatch):
    """What it does not take at once is not waited for: other requests need the thread."""
    outside, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    monkeypatch.setattr(orders, "channels", [outside])
    monkeypatch.setattr(orders, "LOOK", 1e-4)
    with outside, inside:
        for _ in range(10_000):
            try:
                ordered({"kind": "limits"}, is_gone=lambda: True)
            except GoneError:
                continue
            except BusyError:
                break
        else:
            pytest.fail("it takes orders without end")


def test_without_a_workshop_an_order_is_lost(monkeypatch):
    nobody, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    other.close()
    monkeypatch.setattr(orders, "channels", [nobody])
    with nobody, pytest.raises(LostError, match="no workshop"):
        ordered({"kind": "limits"})


@pytest.mark.parametrize("cut", [1, 5, 100])
def test_an_answer_that_was_cut_off_is_none(cut):
    whole = bytearray(workshop.HEAD.pack(workshop.MADE, 200, 0.5) + b"x" * 200)
    assert orders.understood(whole) == (b"x" * 200, 0.5)
    late = whole + workshop.HEAD.pack(workshop.LATE, 0, 0.0)
    assert orders.understood(late) == (b"x" * 200, 0.5)
    with pytest.raises(LostError):
        orders.understood(whole[:-cut])
