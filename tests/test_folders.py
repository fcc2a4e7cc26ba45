"""Private folders: of this user, no link, closed to others; a server without one works, and says so once."""

import os
import shutil
from pathlib import Path

import pytest

from server import folders
from tests.caches import PROBLEM, asked, attached, runs


def mode(folder):
    return folder.stat().st_mode & 0o777


def refused(folder, caplog, told):
    """The server does without this folder, touches nothing in it, and says why in one line."""
    before = sorted(os.listdir(folder)) if folder.is_dir() else None
    found = attached(cache_dir=folder)
    assert (found.runs.shared, found.runs.locks) == (None, None)
    for _ in range(2):
        found.runs.kept.runs.clear()
        assert len(found.runs.run(PROBLEM)) == 41
    (line,) = caplog.messages
    assert "There is no folder for what processes share" in line
    assert told in line
    assert before is None or sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("name", ["cache", "some/where/else"])
def test_a_folder_is_made_and_closed(tmp_path, name):
    old = os.umask(0)
    try:
        found = attached(cache_dir=tmp_path / name)
    finally:
        os.umask(old)
    assert mode(tmp_path / name) == 0o700
    assert found.runs.shared is not None
    assert found.runs.locks == tmp_path / name


def test_an_empty_folder_of_ours_is_closed(tmp_path, caplog):
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o755)
    assert attached(cache_dir=folder).runs.shared is not None
    assert mode(folder) == 0o700
    assert not caplog.records


@pytest.mark.parametrize("open_to", [0o755, 0o770, 0o777, 0o701])
def test_a_folder_that_others_could_have_filled_is_refused(tmp_path, caplog, open_to):
    folder = tmp_path / "cache"
    assert asked(folder) == 1
    folder.chmod(open_to)
    refused(folder, caplog, "is open to others")
    assert mode(folder) == open_to


def test_a_link_to_a_folder_is_refused(tmp_path, caplog):
    folder, link = tmp_path / "cache", tmp_path / "link"
    folder.mkdir(mode=0o700)
    link.symlink_to(folder)
    refused(link, caplog, "is a link, or no folder")


def test_a_file_is_no_folder(tmp_path, caplog):
    (tmp_path / "cache").touch()
    refused(tmp_path / "cache", caplog, "is a link, or no folder")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give folders away")
def test_a_folder_of_somebody_else_is_refused(tmp_path, caplog):
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    refused(folder, caplog, "belongs to somebody else")


@pytest.mark.skipif(os.getuid() == Path("/usr").stat().st_uid, reason="it is of this user")
def test_a_folder_of_root_is_refused(caplog):
    refused(Path("/usr"), caplog, "belongs to somebody else")


def test_a_folder_that_cannot_be_made_is_no_reason_not_to_start(caplog):
    refused(Path("/proc/nothing"), caplog, "No such file")


def test_a_folder_that_is_exchanged_later_is_not_used(tmp_path, caplog):
    folder, other = tmp_path / "cache", tmp_path / "other"
    found = runs(folder)
    found.run(PROBLEM)
    folder.rename(other)
    folder.symlink_to(other)
    before = sorted(os.listdir(other))
    for _ in range(3):
        found.kept.runs.clear()
        found.shared.resting_until = dict.fromkeys(found.shared.resting_until, 0.0)
        assert len(found.run(PROBLEM)) == 41
    assert sorted(os.listdir(other)) == before
    assert [line for line in caplog.messages if "cannot read" in line] == caplog.messages
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("part", ["cache", "."])
def test_a_folder_that_is_gone_is_made_again(tmp_path, part, caplog):
    """With the folders above it; nobody complains."""
    folder = tmp_path / "above" / "cache"
    found = attached(cache_dir=folder, cache_seconds=0.0).runs
    found.run(PROBLEM)
    shutil.rmtree(folder if part == "cache" else folder.parent)
    found.kept.runs.clear()
    found.run(PROBLEM)
    assert mode(folder) == 0o700
    assert asked(folder) == 0
    assert not caplog.records


def test_a_handle_stays_with_its_folder(tmp_path):
    folder = tmp_path / "cache"
    with folders.opened(folder, make=True) as place:
        folder.rename(tmp_path / "other")
        folder.mkdir()
        os.close(os.open("file", os.O_CREAT, dir_fd=place))
    assert (tmp_path / "other" / "file").exists()
