"""The queue of requests: who has used least is next, whatever others do; on a clock that the test moves."""

import pytest

from server.fair import CREDIT, DEBT, MEMORY, FairQueue


class Clock:
    """Seconds that pass when the test says so."""

    seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def queue(clock):
    return FairQueue(clock)


def client_of(connection):
    return connection.partition("/")[0]


def wait(queue, *connections):
    for connection in connections:
        queue.put(client_of(connection), connection)


def served(queue, costs, turns):
    """Who is served in so many turns, where everybody asks again at once."""
    order = []
    for _ in range(turns):
        connection = queue.take()
        queue.end(client_of(connection), connection, costs[connection])
        wait(queue, connection)
        order.append(connection)
    return order


def test_who_came_first_is_first(queue):
    wait(queue, "b", "a", "c")
    assert [queue.take() for _ in range(3)] == ["b", "a", "c"]
    assert len(queue) == 0


@pytest.mark.parametrize("connections", [1, 6])
def test_clients_share_seconds_not_requests_nor_connections(queue, connections):
    """One asks for what takes five times as long, on any number of connections, and is served a fifth as often."""
    costs = {f"greedy/{number}": 0.05 for number in range(connections)} | {"a": 0.01, "b": 0.01}
    wait(queue, *costs)
    order = [client_of(connection) for connection in served(queue, costs, 1100)]
    assert order.count("greedy") == pytest.approx(100, abs=3)
    assert order.count("a") == pytest.approx(500, abs=3)


def test_connections_of_a_client_share_its_seconds(queue):
    costs = {"a/1": 0.04, "a/2": 0.01, "a/3": 0.01}
    wait(queue, *costs)
    order = served(queue, costs, 900)
    assert order.count("a/1") == pytest.approx(100, abs=3)


@pytest.mark.parametrize("slider", ["slider", "loop0/slider"])
def test_who_asks_now_and_then_waits_for_one_request_of_those_in_loops(queue, slider):
    """From an address of its own, or from that of all loops; and whoever comes anew meanwhile."""
    newcomer = slider.replace("slider", "newcomer")
    loops = [f"loop{number}/1" for number in range(16)] if slider == "slider" else [f"loop0/{n}" for n in range(16)]
    costs = dict.fromkeys([*loops, slider], 0.01)
    wait(queue, slider)
    served(queue, costs, 1)
    queue.remove(client_of(slider), slider)
    wait(queue, *loops)
    for _ in range(20):
        served(queue, costs, 40)
        wait(queue, slider, newcomer)
        assert queue.take() == slider
        queue.end(client_of(slider), slider, 0.01)
        queue.remove(client_of(newcomer), newcomer)


def test_a_pause_earns_little(queue):
    costs = {"a": 0.01, "b": 0.01}
    wait(queue, "b")
    served(queue, costs, 1)
    queue.remove("b", "b")
    wait(queue, "a")
    served(queue, costs, 100)
    wait(queue, "b")
    order = served(queue, costs, 40)
    assert order.count("b") == pytest.approx(20 + 0.5 * CREDIT / 0.01, abs=1)


def test_a_long_run_is_forgiven_after_a_while(queue):
    costs = {"a": 0.01, "b": 0.01}
    wait(queue, "a", "b")
    assert queue.take() == "a"
    queue.end("a", "a", 600.0)
    wait(queue, "a")
    order = served(queue, costs, 100)
    assert order.index("a") == pytest.approx(DEBT / 0.01, abs=2)


def test_requests_under_way_count_before_they_end(queue):
    """One client with many connections does not get all places at once."""
    wait(queue, "a/1", "a/2", "a/3", "b/1", "b/2", "b/3")
    taken = [client_of(queue.take()) for _ in range(4)]
    assert taken.count("a") == taken.count("b") == 2


def test_who_leaves_the_queue_is_not_served(queue):
    wait(queue, "a", "b")
    queue.remove("a", "a")
    queue.remove("a", "a")
    queue.remove("nobody", "a")
    assert len(queue) == 1
    assert queue.take() == "b"


def test_who_asks_nothing_is_forgotten(queue, clock):
    wait(queue, "a", "b")
    queue.end("a", queue.take(), 0.01)
    clock.seconds = MEMORY + 1.0
    queue.forget()
    assert set(queue.clients) == {"b"}
    assert set(queue.shares.used) <= {"b"}
    queue.end("b", queue.take(), 0.01)
    clock.seconds += MEMORY + 1.0
    queue.forget()
    assert queue.clients == {}
    assert queue.shares.used == {}


def test_connections_that_are_gone_are_forgotten_while_their_client_is_served(queue):
    """One long run under way, and thousands of short requests on connections of their own."""
    queue.put("a", "long")
    assert queue.take() == "long"
    for number in range(2000):
        queue.put("a", number)
        queue.end("a", queue.take(), 0.001)
        queue.part("a", number)
    assert list(queue.clients["a"].shares.used) == ["long"]
    queue.part("nobody", 3)
