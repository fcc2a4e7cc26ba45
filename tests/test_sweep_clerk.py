"""The clerk of the desk: turns, limits, cancelling, what is told; an engine that computes here is its cluster."""

import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest
from flask import Flask

from nhviz.sweeps.tiles import tiles
from nhviz.sweeps.value import Sweep
from server.desk import answers, clerk, sentences
from server.desk.clerk import Clerk
from server.desk.engine import LostError
from server.desk.limits import Limits
from server.desk.store import Store
from server.shared import SharedCache, connected
from tests.caches import attached
from tests.desks import QUICK, Hands, look, put_together, question, same_bits, to_the_end, whole

LIMITS = Limits(seconds=100.0, of_one=2, of_all=3)


def other(number):
    """A sweep like the quick one, and another."""
    return replace(QUICK, params=(("I11", 3.1 + 0.01 * number), *QUICK.params[1:]))


clerks = []


def clerk_of(hands, limits=LIMITS, shared=None):
    clerks.append(Clerk(hands, Store(shared), limits))
    return clerks[-1]


def run(story):
    """Tell a story, and let its clerks go."""

    async def told():
        try:
            await story()
        finally:
            while clerks:
                await clerks.pop().close()

    to_the_end(told())


async def settled(found, sweep, state="done", **more):
    """Ask until a sweep is in a state."""
    for _ in range(2000):
        answer = await look(found, sweep, **more)
        if answer["state"] == state:
            return answer
        await asyncio.sleep(0.002)
    raise AssertionError(answer["state"])


def test_a_sweep_is_computed_coarse_first_and_told_tile_by_tile():
    async def story():
        hands = Hands()
        found, sent, journal, since = clerk_of(hands), [], "", 0
        while True:
            answer = await look(found, QUICK, journal=journal, since=since)
            sent += answer["tiles"]
            journal, since = answer["journal"], answer["since"]
            assert answer["of"] == QUICK.cells == 6300
            assert answer["done"] >= sum(len(tiles(QUICK)[tile["number"]].indices()[0]) for tile in sent)
            if answer["state"] == "done" and not answer["more"]:
                break
            await asyncio.sleep(0.001)
        assert same_bits(put_together(QUICK, sent), whole(QUICK))
        assert [number for _, number in hands.begun] == list(range(len(tiles(QUICK))))
        assert answer["seconds"] == pytest.approx(0.001 * len(tiles(QUICK)))
        # Nothing is sent twice, and everything to who has another journal, or impossible numbers.
        assert (await look(found, QUICK, journal=journal, since=since))["tiles"] == []
        for wrong in ({"journal": "another", "since": since}, {"journal": journal, "since": since + 1}):
            assert len((await look(found, QUICK, **wrong))["tiles"]) == len(sent)

    run(story)


def test_an_answer_has_a_bounded_size_and_says_that_there_is_more():
    large = Sweep.create("suslov", "axes_angle", ("I13", -1.0, 1.0, 400), ("I23", -1.0, 1.0, 400))

    async def story():
        found = clerk_of(Hands())
        answer = await settled(found, large)
        assert answer["more"]
        assert 150_000 < len(json.dumps(answer)) < 320_000
        sent = answer["tiles"]
        while answer["more"]:
            answer = await look(found, large, journal=answer["journal"], since=answer["since"])
            sent += answer["tiles"]
        assert len(sent) == len(tiles(large))

    run(story)


def test_only_looking_begins_nothing():
    async def story():
        hands = Hands()
        found = clerk_of(hands)
        for _ in range(3):
            assert (await look(found, QUICK, go=False))["state"] == "cancelled"
        assert hands.begun == []

    run(story)


def test_clients_take_turns_and_so_do_the_sweeps_of_a_client():
    async def story():
        hands = Hands()
        hands.may.clear()
        found = clerk_of(hands)
        whose = {}
        for sweep, client in ((other(1), "greedy"), (other(2), "greedy"), (other(3), "modest")):
            whose[sweep.text()] = (client, sweep)
            await look(found, sweep, client=client)
        hands.may.set()
        await settled(found, other(3), client="modest")
        # All were waiting after the first tile. From there on every second tile was the modest one's.
        begun = [whose[text] for text, _ in hands.begun[1 : 1 + 2 * len(tiles(QUICK))]]
        assert Counter(client for client, _ in begun)["modest"] == len(tiles(QUICK))
        greedy = Counter(sweep for client, sweep in begun if client == "greedy")
        assert max(greedy.values()) - min(greedy.values()) <= 1

    run(story)


def test_who_has_begun_enough_is_told_and_so_is_everybody_when_all_is_full():
    async def story():
        hands = Hands()
        hands.may.clear()
        found = clerk_of(hands)
        assert [(await look(found, other(k)))["ahead"] for k in (1, 2)] == [0, 1]
        refused = await look(found, other(3))
        assert (refused["state"], refused["sentence"]) == ("failed", sentences.too_many_of_one(2))
        assert (await look(found, other(3), client="another"))["state"] in ("waiting", "running")
        refused = await look(found, other(4), client="third")
        assert (refused["state"], refused["sentence"]) == ("failed", sentences.TOO_MANY)
        # One that runs already may be watched by everybody.
        assert (await look(found, other(1), client="third"))["sentence"] == ""
        hands.may.set()
        await settled(found, other(1))
        await settled(found, other(4), client="third")

    run(story)


def test_a_cancelled_sweep_leaves_nothing_under_way_and_goes_on_where_it_was():
    async def story():
        hands = Hands(room=3)
        found = clerk_of(hands)
        await look(found, QUICK)
        while len(hands.begun) < 5:
            await asyncio.sleep(0)
        hands.may.clear()
        await asyncio.sleep(0.01)
        answer = json.loads(await found.cancel(question(QUICK)))
        assert answer["state"] == "cancelled"
        await asyncio.sleep(0.01)
        assert not found.under_way
        assert len(found.turns) == 0
        assert len(hands.given_up) == 3
        had = answer["since"]
        assert 0 < had == len(hands.begun) - 3
        hands.may.set()
        await asyncio.sleep(0.02)
        assert len(hands.begun) == had + 3
        answer = await settled(found, QUICK)
        assert same_bits(put_together(QUICK, answer["tiles"]), whole(QUICK))
        # What was given up was begun twice, nothing else.
        assert len(hands.begun) == len(tiles(QUICK)) + 3

    run(story)


def test_what_nobody_asks_about_stops(monkeypatch):
    monkeypatch.setattr(clerk, "LOOK", 0.01)

    async def story():
        hands = Hands()
        hands.may.clear()
        found = clerk_of(hands, replace(LIMITS, interest=0.1))
        watching = asyncio.create_task(found.run())
        await look(found, QUICK)
        await asyncio.sleep(0.05)
        assert found.under_way
        await asyncio.sleep(0.15)
        assert not found.under_way
        assert (await look(found, QUICK, go=False))["state"] == "cancelled"
        watching.cancel()

    run(story)


def test_a_sweep_that_would_take_too_long_is_told_so_early():
    async def story():
        hands = Hands(seconds=30.0)
        found = clerk_of(hands, replace(LIMITS, seconds=600.0))
        answer = await settled(found, QUICK, "failed")
        cells = [len(tile.indices()[0]) for tile in tiles(QUICK)]
        done = next(k for k in range(1, 99) if 30.0 * k / sum(cells[:k]) * sum(cells) > 600.0)
        assert len(hands.begun) == done
        minutes = -(-30.0 * done / sum(cells[:done]) * sum(cells) // 60)
        assert answer["sentence"].startswith(
            f"This sweep would take about {minutes:.0f} min of computing; at most 10 min"
        )
        # It is not begun again at once, and what was computed stays.
        assert (await look(found, QUICK))["state"] == "failed"
        assert (await look(found, QUICK))["done"] == sum(cells[:done])

    run(story)


class Broken(Hands):
    """An engine of which some tiles go wrong, so many times."""

    def __init__(self, error, times):
        super().__init__()
        self.error, self.times = error, times

    async def tile(self, text, number):
        if number == 2 and self.times:
            self.times -= 1
            raise self.error
        return await super().tile(text, number)


@pytest.mark.parametrize(
    ("error", "times", "state", "told"),
    [
        (LostError("it ended"), 2, "done", ""),
        (LostError("it ended"), 99, "failed", sentences.LOST),
        (ZeroDivisionError("a mistake"), 99, "failed", sentences.FAILED),
    ],
)
def test_a_lost_tile_is_tried_again_and_a_mistake_is_told(monkeypatch, error, times, state, told):
    monkeypatch.setattr(clerk, "LOOK", 0.001)

    async def story():
        found = clerk_of(Broken(error, times))
        answer = await settled(found, QUICK, state)
        assert answer["sentence"] == told
        # The work of others goes on.
        assert (await settled(found, other(1)))["state"] == "done" if state == "done" else True

    run(story)


def test_what_is_kept_is_not_computed_again(tmp_path):
    service = attached(cache_dir=tmp_path / "kept")

    async def story():
        first = Hands()
        found = clerk_of(first, shared=SharedCache(connected(Flask("test"), service.settings)))
        await settled(found, QUICK)
        while found.others:
            await asyncio.sleep(0.01)
        again = Hands()
        found = clerk_of(again, shared=SharedCache(connected(Flask("test"), service.settings)))
        answer = await look(found, QUICK, go=False)
        assert answer["state"] == "done"
        assert same_bits(put_together(QUICK, answer["tiles"]), whole(QUICK))
        assert again.begun == []
        values = answers.read_everything(await found.values(question(QUICK)), QUICK)
        assert values.complete
        assert same_bits(values.values, whole(QUICK))

    run(story)


def test_the_desk_holds_a_bounded_number_of_sweeps():
    async def story():
        found = clerk_of(Hands(), replace(LIMITS, held=3))
        for k in range(6):
            await settled(found, other(k))
        assert list(found.records) == [other(k).text() for k in (3, 4, 5)]
        found.limits = replace(LIMITS, held_bytes=2 * 8 * QUICK.cells)
        await settled(found, other(6))
        assert len(found.records) <= 3

    run(story)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.25, "0.25 s"), (59.5, "60 s"), (100.0, "100 s"), (2400.0, "40 min"), (7201.0, "3 h")]
)
def test_times_are_spoken(seconds, words):
    assert sentences.spoken(seconds) == words
