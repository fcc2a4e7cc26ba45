"""Threads of a process: one young request at a time, unless it waits for something else than its own work."""

import threading

import pytest

from server import crew
from server.crew import Crew


class Asking:
    """As much of a connection as a crew knows of it."""

    def __init__(self, client):
        self.client = client

    def become(self, state, now):
        self.state = state


@pytest.fixture
def hired(monkeypatch):
    """A crew whose work the tests do, and whose requests stay young for ever."""
    monkeypatch.setattr(crew, "YOUNG", 1e9)
    begun, go_on = threading.Semaphore(0), threading.Event()

    def work(connection):
        if connection.client == "waits":
            found.let_others(connection)
        begun.release()
        assert go_on.wait(30)

    found = Crew(4, work, lambda: None)
    found.begun, found.go_on = begun, go_on
    yield found
    go_on.set()
    found.leave()


def test_one_is_young_at_a_time(hired):
    for client in ("works", "other"):
        hired.enqueue(Asking(client))
    hired.dispatch()
    assert hired.begun.acquire(timeout=30)
    hired.dispatch()
    assert (len(hired.running), len(hired.queue)) == (1, 1)


def test_who_waits_for_another_process_lets_others_begin(hired):
    for client in ("waits", "other"):
        hired.enqueue(Asking(client))
        hired.dispatch()
        assert hired.begun.acquire(timeout=30)
    assert (len(hired.running), len(hired.queue)) == (2, 0)


def test_all_who_wait_together_leave_no_thread_idle_for_nobody(hired):
    """As many as there are threads; the next one has to wait until one of them is done."""
    for _ in range(5):
        hired.enqueue(Asking("waits"))
        hired.dispatch()
        if len(hired.queue) == 0:
            assert hired.begun.acquire(timeout=30)
    assert (len(hired.running), len(hired.queue)) == (4, 1)
    hired.go_on.set()
    while not hired.done:
        pass
    assert next(hired.finished()).client == "waits"
    hired.dispatch()
    assert len(hired.queue) == 0
