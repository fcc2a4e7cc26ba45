"""Turns of long runs: among threads, among processes, after a death, and without a folder."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from server.turns import BusyError, Turns

ROOT = Path(__file__).parent.parent
HOLDER = """
import sys, time
from pathlib import Path
from server.turns import Turns
with Turns(1, 1, Path(sys.argv[1])).turn(0.0):
    print("mine", flush=True)
    time.sleep(600)
"""


@pytest.fixture(params=["folder", "no folder", "folder that is gone"])
def folder(request, tmp_path):
    """Where the locks are."""
    return {"folder": tmp_path, "no folder": None, "folder that is gone": tmp_path / "gone"}[request.param]


def most_at_once(turns, count, patience):
    """The most turns that threads had at the same time, and how many had one."""
    guard, now, seen = threading.Lock(), [0], []
    everyone_waits = threading.Barrier(count)

    def work():
        everyone_waits.wait()
        try:
            with turns.turn(patience):
                with guard:
                    now[0] += 1
                    seen.append(now[0])
                threading.Event().wait(0.05)
                with guard:
                    now[0] -= 1
        except BusyError:
            pass

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(seen), len(seen)


@pytest.mark.parametrize("at_once", [1, 3])
def test_so_many_at_once_and_everyone_has_a_turn(folder, at_once):
    assert most_at_once(Turns(at_once, 8, folder), 8, 30.0) == (at_once, 8)


def test_only_some_may_wait(folder):
    assert most_at_once(Turns(1, 2, folder), 8, 30.0)[1] == 2


def test_patience_ends(folder):
    turns = Turns(1, 2, folder)
    with turns.turn(0.0), pytest.raises(BusyError), turns.turn(0.1):
        pass


def test_an_error_gives_the_turn_back(folder):
    turns = Turns(1, 1, folder)
    with pytest.raises(ZeroDivisionError), turns.turn(0.0):
        raise ZeroDivisionError
    with turns.turn(0.0):
        pass


def test_a_process_that_dies_gives_its_turn_back(tmp_path):
    turns = Turns(1, 1, tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as other:
        try:
            assert other.stdout.readline() == "mine\n"
            with pytest.raises(BusyError), turns.turn(0.1):
                pass
        finally:
            os.kill(other.pid, signal.SIGKILL)
        other.wait(10)
    with turns.turn(1.0):
        pass
