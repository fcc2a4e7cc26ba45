"""Sweeps on real clusters: the same bits as here, whatever dies; nothing is left when nobody watches any more."""

import asyncio
import os
import signal

import numpy as np
import psutil
import pytest

import nhviz
from nhviz.sweeps import cluster
from nhviz.sweeps.run import watch
from nhviz.sweeps.tiles import tiles
from nhviz.sweeps.worker import YIELDING, busy_with
from server.desk.engine import Engine
from tests.clusters import separate
from tests.desks import QUICK, SLOW, nice_of, same_bits, to_the_end, whole
from tests.workshops import eventually

MEDIUM = nhviz.Sweep.create(
    "suslov", "energy_drift", ("I13", -1.3, 1.1, 60), ("I23", -0.9, 0.7, 50), "cayley", step=0.01, duration=30.0
)


@pytest.fixture(scope="module")
def client():
    """The client of a cluster on this computer, with as many processes as cores."""
    with cluster.client_of("local") as found:
        yield found


@pytest.fixture(scope="module")
def address():
    with separate() as found:
        yield found


def tasks(dask_scheduler):
    """What a scheduler knows of work."""
    return list(dask_scheduler.tasks)


def assert_idle(client):
    """The scheduler knows no work, and nobody does any."""
    eventually(lambda: not client.run_on_scheduler(tasks) and not any(client.run(busy_with).values()))


def found_on(on, sweep=QUICK):
    """The values of a sweep, and the order in which tiles came."""
    found, order = np.full(sweep.shape, np.nan), []
    for tile, values in watch(sweep, on):
        i, j = tile.indices()
        found[j, i] = values
        order.append(tile.number)
    return found, order


def test_the_same_bits_here_there_and_elsewhere(client, address):
    here = whole(QUICK)
    # Tiles of a task: fewer towards the end, and there are not many.
    largest = max(1, len(tiles(QUICK)) // (2 * cluster.PER_THREAD))
    assert 0 < np.isnan(here).sum() < here.size
    for on in (client, address):
        there, order = found_on(on)
        assert same_bits(there, here)
        assert sorted(order) == list(range(len(tiles(QUICK))))
        # Coarse tiles are begun first, and few at a time; a worker that still loads its code may be late with its own.
        room = cluster.PER_THREAD * nhviz.cores.available_cores() * largest
        assert all(number <= place + room for place, number in enumerate(order))
    assert same_bits(nhviz.sweep(QUICK, on=client).values, here)


def listening(pid):
    """Where a process takes connections."""
    found = psutil.Process(pid).net_connections("tcp")
    return [f"{one.laddr.ip}:{one.laddr.port}" for one in found if one.status == psutil.CONN_LISTEN]


def test_workers_yield_have_one_thread_and_are_reached_from_here_only(client):
    workers = client.run(os.getpid)
    assert len(workers) == nhviz.cores.available_cores()
    for place, pid in workers.items():
        assert place.startswith("tls://127.0.0.1:")
        assert nice_of(pid) == YIELDING
    assert set(client.nthreads().values()) == {1}
    pids = [os.getpid(), *workers.values()]
    places = {pid: listening(pid) for pid in pids}
    # The place of each worker itself, here that of the scheduler and of the keepers of workers; no pages.
    assert {f"tls://{place}" for pid in workers.values() for place in places[pid]} == set(workers)
    assert len(places[os.getpid()]) == 1 + len(workers)
    assert all(place.startswith("127.0.0.1:") for found in places.values() for place in found)


def test_a_worker_killed_midway_loses_nothing(client):
    came, found = 0, np.full(MEDIUM.shape, np.nan)
    for tile, values in watch(MEDIUM, client):
        i, j = tile.indices()
        found[j, i] = values
        came += 1
        if came == 2:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    assert came == len(tiles(MEDIUM))
    assert same_bits(found, whole(MEDIUM))
    eventually(lambda: len(client.nthreads()) == nhviz.cores.available_cores())


def test_who_stops_watching_leaves_no_work_behind(client):
    watched = watch(MEDIUM, client)
    next(watched)
    assert client.run_on_scheduler(tasks)
    assert len(client.run_on_scheduler(tasks)) <= cluster.PER_THREAD * nhviz.cores.available_cores() + 1
    watched.close()
    assert_idle(client)


@pytest.mark.parametrize("on", ["nowhere", 3, "http://127.0.0.1:1", ["local"], {}])
def test_what_is_no_cluster_is_told(on):
    with pytest.raises(nhviz.ParameterError, match='on must be "local", an address') as caught:
        nhviz.sweep(QUICK, on=on)
    assert caught.value.name == "on"


def test_an_address_where_nobody_is_is_told(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    with pytest.raises(nhviz.ParameterError, match="no cluster answers at"):
        nhviz.sweep(QUICK, on="tcp://127.0.0.1:9")


def test_a_worker_with_another_nhviz_is_refused(client, monkeypatch):
    monkeypatch.setattr(cluster, "__version__", "0.0")
    with pytest.raises(RuntimeError, match=r"who asks has 0\.0"):
        nhviz.sweep(QUICK, on=client)


def test_the_engine_of_the_desk_gives_up_a_long_tile_and_its_worker_is_free_again():
    """The tile would take half a minute; its worker is started anew."""

    async def story():
        engine = Engine("", 1)
        running = asyncio.create_task(engine.run())
        while not (engine.is_ready and engine.threads):
            await asyncio.sleep(0.05)
        quick = len(tiles(QUICK)) - 1
        await engine.tile(QUICK.text(), quick)
        (before,) = (await engine.client.run(os.getpid)).values()
        long = asyncio.create_task(engine.tile(SLOW.text(), 0))
        while not any((await engine.client.run(busy_with)).values()):
            await asyncio.sleep(0.05)
        long.cancel()
        with pytest.raises(asyncio.CancelledError):
            await long
        while engine.tidying:
            await asyncio.sleep(0.05)
        assert not engine.cluster.scheduler.tasks
        (after,) = (await engine.client.run(os.getpid)).values()
        assert after != before
        assert not any((await engine.client.run(busy_with)).values())
        values, seconds = await engine.tile(QUICK.text(), quick)
        assert values.size
        assert seconds > 0.0
        running.cancel()
        await asyncio.wait([running])
        assert engine.client is None

    to_the_end(asyncio.wait_for(story(), 60))
