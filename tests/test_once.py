"""Properties that are computed once, and never at the expense of other objects."""

import threading

import pytest

import nhviz
from callbacks import render
from nhviz.once import once
from tests.frames import opening


class Counted:
    def __init__(self):
        self.count = 0

    @once
    def number(self):
        """How often it was computed."""
        self.count += 1
        return self.count


def test_it_is_computed_once_for_each_object():
    first, second = Counted(), Counted()
    assert (first.number, first.number, second.number) == (1, 1, 1)
    assert Counted.number.__doc__ == "How often it was computed."


def test_an_error_is_not_kept():
    class Failing:
        tries = 0

        @once
        def value(self):
            self.tries += 1
            if self.tries == 1:
                raise ZeroDivisionError
            return self.tries

    failing = Failing()
    with pytest.raises(ZeroDivisionError):
        _ = failing.value
    assert failing.value == 2


def test_a_page_that_waits_for_its_run_keeps_no_other_waiting(monkeypatch):
    """The run of one page hangs; another page of the same process has its run meanwhile."""
    hangs, go_on = threading.Event(), threading.Event()

    def run(problem):
        if dict(problem.params)["I11"] == 3.5:
            hangs.set()
            assert go_on.wait(60)
        return nhviz.simulate(problem)

    def shown(**values):
        return next(iter(render.opened(opening("suslov", variants=["exact"], **values)).values()))

    monkeypatch.setattr("server.service.run", run)
    slow = shown(I11=3.5)
    thread = threading.Thread(target=lambda: slow.lead, daemon=True)
    thread.start()
    assert hangs.wait(60)
    quick = threading.Thread(target=lambda: shown().lead, daemon=True)
    quick.start()
    quick.join(60)
    answered = not quick.is_alive()
    go_on.set()
    thread.join(60)
    assert answered
    assert len(slow.lead) > 1
