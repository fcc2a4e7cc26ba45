"""One process at a time makes a run: the lock of its key, which is a file of a private folder."""

import hashlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import nhviz
from server import folders, locks
from server.shared import READ, WRITE
from tests.caches import PROBLEM, asked, runs

ROOT = Path(__file__).parent.parent


HAMMER = """
import os, sys
from pathlib import Path
from flask_caching.backends.base import BaseCache
from server.cache import Runs
from server.patience import Patience
from server.shared import SharedCache
folder = Path(sys.argv[1])
runs = Runs(Patience(10.0, 4), SharedCache(BaseCache()), folder, 0.0)
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


@pytest.mark.parametrize("what", [READ, WRITE])
def test_there_are_no_locks_while_nothing_is_shared(tmp_path, what):
    keyed = runs(tmp_path)
    keyed.shared.resting_until[what] = time.monotonic() + 60.0
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


def test_locks_of_the_dead_are_swept(tmp_path):
    for name, age in (("lock-old", 2 * locks.STALE), ("lock-new", 0.0), ("turn-0", 2 * locks.STALE)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    locks.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock-new", "turn-0"]


def test_a_link_in_the_place_of_a_lock_leads_nowhere(tmp_path):
    target = tmp_path / "precious"
    (tmp_path / "lock-key").symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        locks.attempt(tmp_path / "lock-key")
    assert not target.exists()


def test_a_pipe_in_the_place_of_a_lock_is_none(tmp_path):
    os.mkfifo(tmp_path / "lock-key")
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(folders.FolderError, match="no file"):
        locks.attempt(tmp_path / "lock-key")
    assert len(os.listdir("/proc/self/fd")) == before


def test_locks_that_cannot_be_had_are_told_once(tmp_path, caplog):
    for problem in (PROBLEM, nhviz.Problem.create("suslov", "cayley", duration=0.6)):
        key = hashlib.sha256(problem.text().encode()).hexdigest()
        (tmp_path / f"lock-{key}").symlink_to("/nothing")
    keyed = runs(tmp_path)
    assert len(keyed.run(PROBLEM)) == len(keyed.run(problem)) == 41
    assert caplog.text.count("No lock between processes") == len(caplog.records) == 1


def test_a_folder_that_is_gone_is_made_again_for_a_lock(tmp_path):
    folder = tmp_path / "gone"
    keyed = runs(folder)
    with keyed.file_lock("key"):
        assert (folder / "lock-key").exists()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert asked(folder) == 1
