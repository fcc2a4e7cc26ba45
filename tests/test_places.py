"""Who may wait for what is long: turns of clients in a line, and places of threads in a process."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.places import Places
from server.refusals import BusyError
from server.rounds import Rounds


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers()), max_size=40))
def test_every_line_is_served_in_order_and_nobody_waits_for_more_than_one_of_each(given_items):
    rounds = Rounds(100, 100)
    items = [(client, number, value) for number, (client, value) in enumerate(given_items)]
    assert all(rounds.add(item[0], item) for item in items)
    assert len(rounds) == len(rounds.waiting()) == len(items)
    taken = [rounds.take() for _ in items]
    for client in "abcd":
        mine = [item for item in taken if item[0] == client]
        assert mine == [item for item in items if item[0] == client]
        # Before one's k-th item no other client has had more than k.
        for rank, item in enumerate(mine):
            before = [other[0] for other in taken[: taken.index(item)]]
            assert all(before.count(other) <= rank + 1 for other in "abcd")
    with pytest.raises(IndexError):
        rounds.take()


def test_lines_have_an_end():
    rounds = Rounds(2, 3)
    assert [rounds.add(client, number) for number, client in enumerate("aaabbc")] == [
        True,
        True,
        False,
        True,
        False,
        False,
    ]
    rounds.drop("a", 1)
    assert rounds.add("c", 9)
    assert [rounds.take() for _ in range(3)] == [0, 3, 9]
    rounds.add("a", 1)
    with pytest.raises(ValueError, match="not in deque"):
        rounds.drop("a", 2)
    with pytest.raises(ValueError, match="not in deque"):
        rounds.drop("nobody", 2)
    rounds.drop("a", 1)
    assert not len(rounds)


def test_no_client_takes_all_places():
    places = Places(4)
    with places.place("a"), places.place("a"), places.place("a"):
        with pytest.raises(BusyError), places.place("a"):
            pass
        with places.place("b"), pytest.raises(BusyError), places.place("c"):
            pass
        with places.place("c"):
            pass
    assert not places.taken


def test_an_error_gives_the_place_back():
    places = Places(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), places.place("a"):
            raise ZeroDivisionError
