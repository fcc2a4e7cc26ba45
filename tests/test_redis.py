"""The cache in Redis, a real one with a password: shared, never unpickled, and it may die, fill up or hold garbage."""

import os
import pickle
import re
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import redis
from flask import Flask
from redis.backoff import NoBackoff
from redis.retry import Retry

import nhviz
from nhviz.sweeps.compute import compute
from nhviz.sweeps.tiles import tiles
from server import kept, redis_cache, shared
from server.desk import entries
from server.desk.store import Store
from server.settings import Settings
from tests.caches import PROBLEM, Bomb, Counted, asked, attached, no_pickles, problems, runs, same
from tests.conftest import free_port
from tests.desks import QUICK, SLOW
from tests.desks import same_bits as same_values

COMPOSE = (Path(__file__).parent.parent / "compose.yaml").read_text()
PASSWORD = "4f6e6521c0ffee"


@contextmanager
def started(folder, port, command, configuration):
    """A Redis as long as it is needed."""
    if shutil.which("redis-server") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI must have redis-server")
        pytest.skip("no redis-server here")
    variables = os.environ | {"REDISCLI_AUTH": PASSWORD}
    given = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, cwd=folder, env=variables, **given) as process:
        try:
            process.stdin.write(configuration)
            process.stdin.close()
            wait_for(port)
            yield process
        finally:
            process.kill()


def wait_for(port):
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
    return pytest.fail("Redis does not answer")


@pytest.fixture
def server(tmp_path):
    """A Redis with 8 MB and a password: its address, and its process."""
    port = free_port()
    configuration = f'port {port}\nsave ""\nmaxmemory 8mb\nrequirepass {PASSWORD}\n'
    with started(tmp_path, port, ["redis-server", "-"], configuration) as process:
        yield f"redis://:{PASSWORD}@127.0.0.1:{port}/0", process


def client(address):
    return redis.Redis.from_url(address)


def entry(address):
    """The only key."""
    (found,) = client(address).keys()
    assert found.startswith(b"nhviz-")
    return found


def test_it_is_shared_and_may_die_midway(server, tmp_path, caplog):
    address, process = server
    assert asked(tmp_path, redis_url=address) == 1
    assert asked(tmp_path, redis_url=address) == 0
    assert 0 < client(address).ttl(entry(address)) <= shared.WEEK
    left = runs(tmp_path, address)
    process.kill()
    process.wait()
    began = time.monotonic()
    for i in range(20):
        assert len(left.run(replace(PROBLEM, duration=0.3 + 0.015 * i))) == 21 + i
    # The first request notices within the patience for Redis; the others do not even ask.
    assert time.monotonic() - began < 3.0
    assert caplog.text.count("Doing without the shared cache") == len(caplog.records) == 1


def test_one_that_does_not_answer_costs_a_moment_and_is_told_once(tmp_path, caplog):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        found = runs(tmp_path, f"redis://:{PASSWORD}@127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.monotonic()
        for problem in problems(3):
            found.shared.resting_until = dict.fromkeys(found.shared.resting_until, 0.0)
            assert len(found.run(problem)) == 41
        # Three looks, each of which is given up after the patience for Redis.
        assert time.monotonic() - began < 3 * redis_cache.PATIENCE + 1.0
    assert len(caplog.records) == 1
    assert "TimeoutError" in caplog.text


def test_a_full_one_slows_only_and_is_told_once(server, tmp_path, caplog):
    address, _ = server
    found = runs(tmp_path, address)
    for i in range(12):
        found.shared.resting_until = dict.fromkeys(found.shared.resting_until, 0.0)
        problem = nhviz.Problem.create("suslov", step=1e-4, duration=1.0 + 0.01 * i)
        assert len(found.run(problem)) > 10_000
    assert len(caplog.records) == 1
    assert "cannot write (OutOfMemoryError)" in caplog.text


def test_hostile_and_damaged_values_are_misses_and_go(server, tmp_path, monkeypatch, caplog):
    """Pickles as cachelib wrote them, values of other types, one that is endless, flipped bytes, parts."""
    address, _ = server
    assert asked(tmp_path, redis_url=address) == 1
    values, name, mark = client(address), entry(address), tmp_path / "mark"
    good, bomb = values.get(name), pickle.dumps(Bomb(mark))
    monkeypatch.setattr(redis_cache, "LARGEST", 100_000)
    no_pickles(monkeypatch)
    plants = [lambda junk=junk: values.set(name, junk) for junk in (bomb, b"!" + bomb, b"x", good[:-1], good + b"x")]
    plants += [
        lambda at=at: values.setrange(name, at, bytes([good[at] ^ 1])) for at in range(0, len(good), len(good) // 9)
    ]
    plants += [lambda: values.setrange(name, 10**6, b"x"), lambda: values.delete(name) and values.rpush(name, "x")]
    for plant in plants:
        plant()
        assert asked(tmp_path, redis_url=address) == 1
        assert values.get(name) == good, "it is computed and written again"
        assert len(caplog.records) == 1
        caplog.clear()
    assert not mark.exists()


def test_what_is_damaged_goes_though_nothing_comes_into_its_place(server, tmp_path):
    address, _ = server
    assert asked(tmp_path, redis_url=address) == 1
    client(address).set(entry(address), b"junk")
    found = runs(tmp_path, address, Counted())
    found.slow = 60.0
    assert same(found.run(PROBLEM), nhviz.simulate(PROBLEM))
    assert client(address).keys() == []


def test_tiles_of_sweeps_are_kept_and_damaged_ones_go(server, tmp_path, monkeypatch, caplog):
    """By another process, to the last bit; a pickle in the place of one is a miss, and what is damaged is one."""
    address, _ = server
    tile, mark = tiles(QUICK)[1], tmp_path / "mark"
    values, first, other = compute(QUICK, tile.number), stored(tmp_path, address), stored(tmp_path, address)
    assert np.isnan(values).any(), "an empty cell is kept as one"
    assert first.read(QUICK.text(), tile) is None
    first.write(QUICK.text(), tile, values)
    good = client(address).get(entry(address))
    no_pickles(monkeypatch)
    assert same_values(other.read(QUICK.text(), tile), values)
    flipped = good[:-9] + bytes([good[-9] ^ 1]) + good[-8:]
    for junk in (pickle.dumps(Bomb(mark)), flipped, good[:-8], good + bytes(8)):
        client(address).set(entry(address), junk)
        assert stored(tmp_path, address).read(QUICK.text(), tile) is None
        assert client(address).keys() == []
        assert len(caplog.records) == 1
        caplog.clear()
        first.write(QUICK.text(), tile, values)
    assert not mark.exists()
    # What belongs to another sweep, or to another tile of it, is not believed either.
    name = entry(address)
    for foreign in (entries.encode(SLOW.text(), tile.number, values), entries.encode(QUICK.text(), 2, values)):
        client(address).set(name, foreign)
        assert other.read(QUICK.text(), tile) is None


def stored(folder, address):
    """The tiles of a process of their own."""
    settings = replace(Settings.read({}), cache_dir=folder, redis_url=address)
    return Store(shared.SharedCache(shared.connected(Flask("test"), settings)))


def test_a_wrong_password_is_told_once_and_not_shown(server, tmp_path, caplog):
    address, _ = server
    for wrong in (address.replace(PASSWORD, "wrong-secret"), address.replace(f":{PASSWORD}@", "")):
        found = attached(cache_dir=tmp_path, redis_url=wrong, cache_seconds=0.0).runs
        for problem in problems(3):
            found.shared.resting_until = dict.fromkeys(found.shared.resting_until, 0.0)
            assert len(found.run(problem)) == 41
        assert len(caplog.records) == 1
        assert "AuthenticationError" in caplog.text
        assert "wrong-secret" not in caplog.text
        caplog.clear()


@pytest.mark.parametrize(
    "address", ["nothing://", "redis://:se/cret@h:1/0", "redis://:se#cret@h", "redis://:secret@h:99999/0", "secret"]
)
def test_an_address_that_is_none_is_no_reason_not_to_start(tmp_path, caplog, address):
    """Nor is it shown: what comes after a colon may be taken for a port, and quoted."""
    assert attached(cache_dir=tmp_path, redis_url=address).runs.shared is None
    assert "REDIS_URL is no address of a Redis" in caplog.text
    assert not re.search("se.?cret|'se'", caplog.text)


def test_settings_do_not_show_the_password():
    assert PASSWORD not in repr(Settings.read({"REDIS_URL": f"redis://:{PASSWORD}@h:1/0"}))


def test_the_redis_of_the_composition_asks_for_the_password(tmp_path):
    """Its command, with another port. Others on the machine see the words of a command, and the password is none."""
    script = re.search(r"^      - \|\n((?:        .*\n)+)", COMPOSE, re.MULTILINE)[1].replace("$$", "$")
    port = free_port()
    lines = [line[8:] for line in script.splitlines()]
    lines[1:1] = [f"port {port}"]
    with started(tmp_path, port, ["sh", "-c", "\n".join(lines)], "") as process:
        words = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        assert b"redis-server" in words
        assert PASSWORD.encode() not in words
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(port=port, retry=Retry(NoBackoff(), 0)).ping()
        known = redis.Redis(port=port, password=PASSWORD)
        assert known.ping()
        asked_for = {name: known.config_get(name)[name] for name in ("maxmemory", "maxmemory-policy", "save")}
        assert asked_for == {"maxmemory": str(256 * 2**20), "maxmemory-policy": "allkeys-lru", "save": ""}


def test_the_composition_has_no_password_of_its_own():
    assert re.search(r"REDIS_URL: redis://:\$\{REDIS_PASSWORD:\?[^:#}]+\}@redis:6379/0\n", COMPOSE)
    assert re.search(r"REDISCLI_AUTH: \$\{REDIS_PASSWORD:\?[^:#}]+\}\n", COMPOSE)


def test_the_memory_of_the_composition_is_bounded_and_enough():
    """For as many processes as there are without a setting, their runs, /tmp and a GB for all the rest."""
    dashboard, store = COMPOSE.split("\n  redis:\n")
    assert "mem_limit: 2g\n    memswap_limit: 2g\n" in dashboard
    assert "mem_limit: 384m\n    memswap_limit: 384m\n" in store
    folder = int(re.search(r"/tmp:size=(\d+)m", dashboard)[1]) * 2**20
    assert folder + 16 * kept.BYTES + 2**30 <= 2 * 2**30
    assert int(re.search(r"NHVIZ_CACHE_BYTES:-(\d+)\}", dashboard)[1]) <= folder // 2
