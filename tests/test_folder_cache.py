"""The cache in files: whatever is in the place of an entry or happens to the folder costs time and nothing else."""

import contextlib
import errno
import os
import pickle
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nhviz
from server import folder_cache, shared
from server.folder_cache import FolderCache
from tests.caches import PROBLEM, Bomb, Counted, asked, no_pickles, problems, runs, same


@pytest.fixture
def entry(tmp_path):
    """The file of the run."""
    assert asked(tmp_path) == 1
    (found,) = tmp_path.glob("run-*")
    assert found.stat().st_mode & 0o777 == 0o600
    return found


def told(caplog):
    """The warnings, none of which has more than a line, and forget them."""
    said = [record.getMessage() for record in caplog.records]
    assert all(record.exc_info is None and "\n" not in record.getMessage() for record in caplog.records)
    caplog.clear()
    return said


def sizes(folder):
    """What the files of a folder take, while they come and go."""
    total = 0
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            total += 512 * path.stat().st_blocks
    return total


def test_a_hostile_pickle_is_never_loaded(entry, tmp_path, monkeypatch, caplog):
    """Neither as an entry nor as the file that another cache would have in this folder."""
    mark = tmp_path / "mark"
    pickle.loads(pickle.dumps(Bomb(mark)))
    assert mark.exists(), "the bomb is none"
    mark.unlink()
    no_pickles(monkeypatch)
    for bomb in (pickle.dumps(Bomb(mark)), struct.pack("I", 0) + pickle.dumps(Bomb(mark))):
        for path in (entry, tmp_path / "2029240f6d1128be89ddc32729463129"):
            path.write_bytes(bomb)
        assert asked(tmp_path) == 1
        assert asked(tmp_path) == 0
        assert len(told(caplog)) == 1
    assert not mark.exists()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_flipped_byte_is_a_miss_and_computed_again(entry, tmp_path, data):
    good = entry.read_bytes()
    position, flip = data.draw(st.integers(0, len(good) - 1)), data.draw(st.integers(1, 255))
    entry.write_bytes(good[:position] + bytes([good[position] ^ flip]) + good[position + 1 :])
    assert asked(tmp_path) == 1
    assert entry.read_bytes() == good
    assert asked(tmp_path) == 0


@pytest.mark.parametrize("junk", [b"", b"garbage", os.urandom(5000), None])
def test_garbage_is_a_miss_and_goes(entry, tmp_path, junk, caplog):
    entry.write_bytes(entry.read_bytes()[:300] if junk is None else junk)
    found = runs(tmp_path, simulate=Counted())
    found.slow = 60.0
    assert same(found.run(PROBLEM), nhviz.simulate(PROBLEM))
    assert not entry.exists(), "it is swept, though nothing new comes into its place"
    assert len(told(caplog)) == 1


def test_an_entry_of_another_problem_is_a_miss(entry, tmp_path):
    (other,) = problems(2)[1:]
    runs(tmp_path).run(other)
    (second,) = (path for path in tmp_path.glob("run-*") if path != entry)
    second.replace(entry)
    assert asked(tmp_path) == 1
    assert asked(tmp_path) == 0


def a_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def a_full_folder(path):
    (path / "deep" / "er").mkdir(parents=True)
    (path / "deep" / "file").touch()


IN_THE_WAY = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "full folder": a_full_folder,
    "socket": a_socket,
    "link to nothing": lambda path: path.symlink_to("/nothing"),
    "link to a good entry": lambda path: path.symlink_to(path.with_name("moved")),
    "link to itself": lambda path: path.symlink_to(path),
    "endless device": lambda path: path.symlink_to("/dev/zero"),
    "too large": lambda path: subprocess.run(["truncate", "-s", "1T", path], check=True),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_is_no_file_is_a_miss_and_makes_nobody_wait(entry, tmp_path, monkeypatch, what, caplog):
    # A path of a socket must be short.
    monkeypatch.chdir(tmp_path)
    good = entry.read_bytes()
    entry.rename(tmp_path / "moved")
    IN_THE_WAY[what](Path(entry.name))
    began = time.monotonic()
    assert asked(tmp_path) == 1
    assert time.monotonic() - began < 2.0
    assert len(told(caplog)) == 1
    assert entry.is_file()
    assert not entry.is_symlink()
    assert entry.read_bytes() == (tmp_path / "moved").read_bytes() == good
    assert asked(tmp_path) == 0


@pytest.mark.skipif(os.getuid() == 0, reason="root can read everything")
def test_a_file_that_nobody_may_read_is_a_miss(entry, tmp_path):
    entry.chmod(0)
    assert asked(tmp_path) == 1
    assert asked(tmp_path) == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_file_of_somebody_else_is_a_miss(entry, tmp_path, caplog):
    os.chown(entry, 12345, 12345)
    assert asked(tmp_path) == 1
    assert "no file of this user" in told(caplog)[0]
    assert asked(tmp_path) == 0


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO])
def test_a_file_that_cannot_be_read_is_a_miss_told_once(entry, tmp_path, monkeypatch, caplog, code):
    """Even if it cannot be removed either: then it is there again at every request."""

    def refuse(*arguments, **more):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(folder_cache, "read_all", refuse)
    monkeypatch.setattr(folder_cache, "remove", lambda place, name: False)
    found = runs(tmp_path, simulate=Counted())
    for number in range(1, 4):
        found.kept.runs.clear()
        assert same(found.run(PROBLEM), nhviz.simulate(PROBLEM))
        assert found.patience.simulate.calls == number
    assert len(told(caplog)) == 1


class FullDisk:
    """os.write on a disk that has room for some bytes, and then for none."""

    def __init__(self, room):
        self.room, self.write = room, os.write

    def __call__(self, handle, data):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        room, self.room = self.room, 0
        return self.write(handle, data[:room])


@pytest.mark.parametrize("room", [0, 1000])
def test_a_full_disk_leaves_nothing_behind_and_is_told_once(entry, tmp_path, monkeypatch, caplog, room):
    """Also one that is full in the middle of a file. What is there can be read all the while."""
    before = sorted(os.listdir(tmp_path))
    found = runs(tmp_path, simulate=Counted())
    *others, last = problems(6)[1:]
    for problem in others:
        found.shared.resting_until[shared.WRITE] = 0.0
        with monkeypatch.context() as patch:
            patch.setattr(folder_cache.os, "write", FullDisk(room))
            assert same(found.run(problem), nhviz.simulate(problem))
        assert found.shared.is_resting()
        assert sorted(os.listdir(tmp_path)) == before
    (line,) = told(caplog)
    assert "No space left on device" in line
    found.run(PROBLEM)
    assert found.patience.simulate.calls == len(others), "it was read though nothing could be written"
    found.shared.resting_until[shared.WRITE] = 0.0
    found.run(last)
    assert len(os.listdir(tmp_path)) == len(before) + 1


def test_a_full_disk_lets_writing_rest(tmp_path, monkeypatch):
    tries = []

    def full(*arguments):
        tries.append(arguments)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(folder_cache.os, "write", full)
    found = runs(tmp_path)
    for problem in problems(5):
        found.run(problem)
    assert len(tries) == 1


def test_the_bytes_are_bounded_and_the_latest_used_stay(tmp_path):
    """So many that the older ones have to go; one of them is used all the time."""
    found = FolderCache(tmp_path, "test-", 1_000_000)
    for number in range(200):
        assert found.set(f"{number:03}", os.urandom(10_000))
        assert sizes(tmp_path) <= found.most
        # Clocks of disks are coarse.
        os.utime(tmp_path / f"run-test-{number:03}", (number, number))
        assert found.get("000") is not None
    assert sizes(tmp_path) > found.most // 2
    stay = sorted(int(path.name.removeprefix("run-test-")) for path in tmp_path.iterdir())
    assert stay == [0, *range(201 - len(stay), 200)]


def test_the_bytes_are_bounded_while_several_write(tmp_path):
    """Each with a cache of its own, as processes have them."""

    def fill(name):
        found = FolderCache(tmp_path, "test-", 4_000_000)
        for number in range(100):
            found.set(f"{name}-{number}", bytes(1 + number % 7 * 25_000))

    threads = [threading.Thread(target=fill, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    most = 0
    while any(thread.is_alive() for thread in threads):
        most = max(most, sizes(tmp_path))
        time.sleep(0.002)
    assert 2_000_000 < most <= 4_000_000
    assert not list(tmp_path.glob("new-*"))


def test_few_writes_look_at_the_whole_folder(tmp_path, monkeypatch):
    looks, tidy = [], folder_cache.tidy
    monkeypatch.setattr(folder_cache, "tidy", lambda *given: looks.append(given) or tidy(*given))
    found = FolderCache(tmp_path, "test-", 256_000_000)
    for number in range(200):
        found.set(str(number), bytes(20_000))
    assert len(looks) == 1 + 200 * 20_480 // 1_000_000


def test_what_was_left_behind_is_swept_and_nothing_else(tmp_path):
    ages = {"new-old": 2 * folder_cache.STALE, "new-young": 0.0, "precious": 2 * folder_cache.STALE, "turn-0": 0.0}
    for name, age in ages.items():
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    (tmp_path / "run-link").symlink_to(tmp_path / "precious")
    FolderCache(tmp_path, "test-", 1_000_000).set("key", b"value")
    assert sorted(os.listdir(tmp_path)) == ["new-young", "precious", "run-test-key", "turn-0"]


def test_an_entry_that_is_too_large_is_not_kept(tmp_path):
    found = FolderCache(tmp_path, "test-", 1_000_000)
    assert not found.set("key", bytes(200_000))
    assert found.get("key") is None
    assert not os.listdir(tmp_path)


def test_nobody_waits_long_for_one_that_looks_through_the_folder(tmp_path):
    found = FolderCache(tmp_path, "test-", 1_000_000)
    place = os.open(tmp_path, os.O_RDONLY)
    handle = folder_cache.locked(place)
    began = time.monotonic()
    assert not found.set("key", b"value")
    assert time.monotonic() - began < 3.0
    os.close(handle)
    os.close(place)
    assert found.set("key", b"value")


def test_no_handle_is_left_open(entry, tmp_path):
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        entry.write_bytes(b"junk")
        assert asked(tmp_path) == 1
        assert asked(tmp_path) == 0
    assert len(os.listdir("/proc/self/fd")) == before
