"""Turns of long runs: among threads, among processes, after a death, and without a folder."""

import os
import signal
import subprocess
import sys
import threading
import time
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


@pytest.fixture(params=["folder", "no folder", "folder that is gone", "folder in the way"])
def folder(request, tmp_path):
    """Where the locks are."""
    (tmp_path / "taken" / "turn-0").mkdir(parents=True)
    places = {"folder": tmp_path, "no folder": None, "folder that is gone": tmp_path / "gone"}
    return places.get(request.param, tmp_path / "taken")


def soon():
    return time.monotonic() + 60.0


@pytest.mark.parametrize("at_once", [1, 3])
def test_so_many_at_once_and_everyone_has_a_turn(folder, at_once):
    """All turns are taken before anyone gives one back: a barrier of so many opens, one of one more would not."""
    turns, together = Turns(at_once, 8, folder), threading.Barrier(at_once)
    guard, now, most = threading.Lock(), 0, []

    def work():
        nonlocal now
        with turns.turn(soon()):
            with guard:
                now += 1
                most.append(now)
            together.wait(60)
            with guard:
                now -= 1

    threads = [threading.Thread(target=work) for _ in range(2 * at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (max(most), len(most)) == (at_once, 2 * at_once)


def test_only_some_have_a_place():
    turns = Turns(1, 2)
    with turns.place(), turns.place(), pytest.raises(BusyError), turns.place():
        pass
    with turns.place():
        pass


def test_patience_ends(folder):
    turns = Turns(1, 2, folder)
    with turns.turn(soon()), pytest.raises(BusyError), turns.turn(time.monotonic() + 0.1):
        pass


def test_an_error_gives_the_turn_back(folder):
    turns = Turns(1, 1, folder)
    with pytest.raises(ZeroDivisionError), turns.turn(0.0):
        raise ZeroDivisionError
    before = len(os.listdir("/proc/self/fd"))
    with turns.turn(0.0):
        pass
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_process_that_dies_gives_its_turn_back(tmp_path):
    turns = Turns(1, 1, tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as other:
        try:
            assert other.stdout.readline() == "mine\n"
            with pytest.raises(BusyError), turns.turn(time.monotonic() + 0.1):
                pass
        finally:
            os.kill(other.pid, signal.SIGKILL)
        other.wait(10)
    with turns.turn(soon()):
        pass
