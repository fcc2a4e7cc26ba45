"""The desk as a process: started once, by whoever needs it first; killed, it loses nothing; it ends with its server."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nhviz
from nhviz.sweeps.tiles import tiles
from server.desk.ask import Desk
from server.desk.cells import cell_of, found_at
from server.refusals import GoneError, LostError
from server.settings import Settings
from tests.clusters import separate
from tests.desks import (
    QUICK,
    SLOW,
    below,
    is_running,
    nice_of,
    pid_of,
    pids_of,
    put_together,
    question,
    same_bits,
    whole,
)
from tests.workshops import eventually

ROOT = Path(__file__).parent.parent


def desk_in(folder, **settings):
    """A desk of a server with these settings; nobody has asked it yet."""
    folder.mkdir(mode=0o700, exist_ok=True)
    return Desk(replace(Settings.read({}), cache_dir=folder, **settings), folder)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    # Longer than the path of a socket may be.
    found = desk_in(tmp_path_factory.mktemp("desk") / ("long" * 40))
    yield found
    end(found)


def end(desk):
    """Let a desk end; nothing of it is left."""
    pid = pid_of(desk)
    others = below(pid) if pid else set()
    desk.close()
    eventually(lambda: not pid or not is_running(pid))
    eventually(lambda: not any(map(is_running, others)))
    assert not list(desk.folder.glob("desk-*"))


def look(desk, sweep=QUICK, **more):
    return json.loads(desk.ask(question(sweep, **more)))


def watched(desk, sweep=QUICK, enough=lambda answer: answer["state"] == "done" and not answer["more"], **more):
    """Ask as a page does until it is enough; the last answer, with all tiles."""
    sent, journal, since = [], "", 0
    for _ in range(3000):
        answer = look(desk, sweep, journal=journal, since=since, **more)
        sent = sent if answer["journal"] == journal else []
        sent += answer["tiles"]
        journal, since = answer["journal"], answer["since"]
        if enough(answer):
            return answer | {"tiles": sent}
        time.sleep(0.02)
    raise AssertionError(answer)


def test_those_who_come_together_find_one_desk_and_the_right_values(desk):
    found = []
    threads = [threading.Thread(target=lambda: found.append(look(desk))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer["journal"] for answer in found}) == 1
    assert len(pids_of(desk)) == 1
    answer = watched(desk)
    assert same_bits(put_together(QUICK, answer["tiles"]), whole(QUICK))
    assert answer["done"] == answer["of"] == QUICK.cells


def test_its_socket_is_in_a_folder_closed_to_others(desk):
    assert desk.folder.stat().st_mode & 0o777 == 0o700
    assert (desk.folder / desk.name).is_socket()


def test_its_workers_yield_and_it_does_not(desk):
    watched(desk)
    eventually(lambda: any(nice_of(pid) == 19 for pid in below(pid_of(desk))))
    assert nice_of(pid_of(desk)) == os.nice(0)


def test_a_killed_desk_is_started_again_and_goes_on_with_what_is_kept(desk):
    sweep = replace(QUICK, params=(("I11", 3.3), *QUICK.params[1:]))
    before = watched(desk, sweep, enough=lambda answer: answer["done"] > 0)
    killed = pid_of(desk)
    others = below(killed)
    os.kill(killed, signal.SIGKILL)
    after = watched(desk, sweep)
    assert pid_of(desk) != killed
    assert after["journal"] != before["journal"]
    assert same_bits(put_together(sweep, after["tiles"]), whole(sweep))
    # What was told before it was killed may have been on its way to the cache; all of it but the last tiles is kept.
    eventually(lambda: not any(map(is_running, others)))
    again = look(desk, QUICK, go=False)
    assert again["state"] == "done"
    assert again["seconds"] == 0.0


def test_cancel_stops_at_once_what_takes_long(desk):
    watched(desk, SLOW, enough=lambda answer: answer["state"] == "running")
    began = time.monotonic()
    answer = json.loads(desk.ask(question(SLOW, kind="cancel")))
    assert answer["state"] == "cancelled"
    assert time.monotonic() - began < 5.0
    # A quick one is not held up by what was given up.
    sweep = replace(QUICK, params=(("I11", 3.4), *QUICK.params[1:]))
    assert watched(desk, sweep)["state"] == "done"
    assert look(desk, SLOW, go=False)["state"] == "cancelled"


def test_a_killed_worker_of_the_desk_loses_nothing(desk):
    sweep = nhviz.Sweep.create("suslov", "largest_step", ("I13", -1.3, 1.1, 90), ("I23", -0.9, 0.7, 70), "cayley")
    watched(desk, sweep, enough=lambda answer: answer["done"] > 0)
    workers = [pid for pid in below(pid_of(desk)) if nice_of(pid) == 19]
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    answer = watched(desk, sweep)
    assert same_bits(put_together(sweep, answer["tiles"]), whole(sweep))


def test_who_has_gone_is_not_waited_for(tmp_path):
    lonely = desk_in(tmp_path / "desk")
    with pytest.raises(GoneError):
        lonely.ask(question(QUICK), is_gone=lambda: True)
    eventually(lambda: look(lonely)["of"])
    end(lonely)


def test_without_a_folder_there_is_no_desk():
    with pytest.raises(LostError):
        Desk(Settings.read({}), None).ask(question(QUICK))


SERVER = """
import os, sys, time
from pathlib import Path
from dataclasses import replace
from server.desk.ask import Desk
from server.settings import Settings
from tests.desks import QUICK, pid_of, question
folder = Path(sys.argv[1])
desk = Desk(replace(Settings.read({}), cache_dir=folder), folder)
if os.fork():
    time.sleep(600)
desk.ask(question(QUICK))
print(os.getppid(), os.getpid(), pid_of(desk), flush=True)
time.sleep(600)
"""


def test_it_ends_when_all_processes_of_its_server_are_gone_however_they_end(tmp_path):
    (tmp_path / "desk").mkdir(mode=0o700)
    command = [sys.executable, "-c", SERVER, str(tmp_path / "desk")]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    parent, child, desk = map(int, server.stdout.readline().split())
    assert parent == server.pid
    eventually(lambda: len(below(desk)) >= 2)
    others = below(desk)
    os.kill(child, signal.SIGKILL)
    time.sleep(0.5)
    assert is_running(desk), "the other process of the server may still ask it"
    server.kill()
    server.wait()
    server.stdout.close()
    eventually(lambda: not is_running(desk) and not any(map(is_running, others)))
    assert not list((tmp_path / "desk").glob("desk-*"))


def test_a_cluster_at_an_address_is_used_and_may_come_and_go(tmp_path):
    with separate() as address:
        away = desk_in(tmp_path / "desk", scheduler=address)
        answer = watched(away)
        assert same_bits(put_together(QUICK, answer["tiles"]), whole(QUICK))
        # No cluster of its own.
        assert not below(pid_of(away))
    sweep = replace(QUICK, params=(("I11", 3.6), *QUICK.params[1:]))
    answer = watched(away, sweep)
    assert same_bits(put_together(sweep, answer["tiles"]), whole(sweep))
    end(away)


def test_values_in_all_come_whole(desk):
    watched(desk)
    found = found_at(desk.folder, desk.name, QUICK)
    assert found.complete
    assert same_bits(found.values, whole(QUICK))
    i, j = (int(place) for place in np.argwhere(np.isnan(found.values))[7][::-1])
    value, reason = cell_of(QUICK, i, j)
    assert value is None
    assert reason == said_of(i, j)
    assert cell_of(QUICK, 3, 5) == (found.values[5, 3], "")
    assert len(tiles(QUICK)) > 3


def said_of(i, j):
    """What a single call says of such a body."""
    with pytest.raises(nhviz.ParameterError) as caught:
        nhviz.simulate("suslov", params=dict(QUICK.params) | {"I13": QUICK.x.values[i], "I23": QUICK.y.values[j]})
    return str(caught.value)
