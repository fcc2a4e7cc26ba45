"""A run as bytes: the same bits back, and an EntryError for every other sequence of bytes."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nhviz
from nhviz import registry
from server import entries
from server.entries import DIGEST, HEADER, EntryError, decode, encode
from tests.caches import PROBLEM, noise, same

RUN = nhviz.simulate(PROBLEM)
ENTRY = encode(RUN)
STOPPED = nhviz.simulate("suslov", "moser_veselov", step=0.04, duration=1.0)
TEXT = ENTRY.index(PROBLEM.text().encode())
NUMBERS = TEXT + len(PROBLEM.text())
PARTS = {"header": (0, HEADER.size), "digest": (HEADER.size, HEADER.size + DIGEST)}
PARTS |= {"lines": (HEADER.size + DIGEST, TEXT), "text": (TEXT, NUMBERS), "arrays": (NUMBERS, len(ENTRY))}


def refused(data, problem=PROBLEM):
    with pytest.raises(EntryError) as caught:
        decode(bytes(data), problem)
    return str(caught.value)


def forged(run, **changes):
    """An entry whose digest is right, by somebody who knows the format; `changes` are fields of its header."""
    arrays = {"": run.t, **run.components}
    lines = b"".join(entries.written_line(entries.Line(name, a.shape[1:])) for name, a in arrays.items())
    text, reason = run.problem.text().encode(), (run.stopped or "").encode()
    rest = changes.pop("rest", lines + text + reason + b"".join(a.tobytes() for a in arrays.values()))
    fields = {"magic": entries.MAGIC, "version": entries.VERSION, "count": len(arrays), "text": len(text)}
    fields |= {"reason": len(reason), "samples": len(run), "length": HEADER.size + DIGEST + len(rest)}
    header = HEADER.pack(*(fields | changes).values())
    return header + entries.digest(header, rest) + rest


@pytest.mark.parametrize("system", nhviz.systems())
def test_every_method_comes_back_to_the_last_bit(system):
    for method in registry.find(system).methods:
        run = nhviz.simulate(system, method.id, duration=7 * nhviz.describe(system)["step"]["default"])
        again = decode(encode(run), run.problem)
        assert same(run, again)
        assert all(values.flags.writeable and values.flags.aligned for values in (again.t, *again.components.values()))


def test_the_reason_of_a_run_that_ended_early_comes_back():
    assert STOPPED.stopped
    assert decode(encode(STOPPED), STOPPED.problem).stopped == STOPPED.stopped


def test_the_forger_knows_the_format():
    assert forged(RUN) == ENTRY
    assert forged(STOPPED) == encode(STOPPED)


@pytest.mark.parametrize("part", PARTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_flipped_byte_anywhere_is_noticed(part, data):
    low, high = PARTS[part]
    position, flip = data.draw(st.integers(low, high - 1)), data.draw(st.integers(1, 255))
    damaged = bytearray(ENTRY)
    damaged[position] ^= flip
    refused(damaged)


def test_every_byte_before_the_numbers_counts():
    for position in range(NUMBERS):
        damaged = bytearray(ENTRY)
        damaged[position] ^= 1
        refused(damaged)


@settings(max_examples=100, deadline=None)
@given(length=st.integers(0, len(ENTRY) - 1))
def test_a_part_of_an_entry_is_none(length):
    refused(ENTRY[:length])
    refused(ENTRY[length + 1 :])


@settings(max_examples=100, deadline=None)
@given(junk=st.binary(max_size=300))
def test_junk_is_no_entry(junk):
    refused(junk)
    refused(ENTRY + junk + b"x")
    refused(ENTRY[: HEADER.size] + junk)


@settings(max_examples=200, deadline=None)
@given(
    rest=st.binary(max_size=400),
    count=st.integers(0, 2**16 - 1),
    text=st.integers(0, 2**32 - 1),
    samples=st.integers(0, 2**64 - 1),
)
def test_junk_with_a_good_digest_is_no_entry(rest, count, text, samples):
    """Whoever can write entries can also compute digests."""
    refused(forged(RUN, rest=rest, count=count, text=text, samples=samples))


def test_a_pickle_is_no_entry():
    assert "no run" in refused(pickle.dumps(RUN.t))
    assert "no run" in refused(pickle.dumps(list(range(100))))


def test_another_problem_is_told_apart():
    other = replace(PROBLEM, step=PROBLEM.step * (1.0 + 1e-15))
    assert "another problem" in refused(ENTRY, other)


LACKING = {name: values for name, values in RUN.components.items() if name != "M1"}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (forged(RUN, version=2), "present format"),
        (forged(RUN, length=10**12), "another length"),
        (forged(replace(RUN, components=LACKING)), "not those"),
        (forged(replace(RUN, components={**RUN.components, "more": RUN.t})), "not those"),
        (forged(replace(RUN, components={**RUN.components, "M1": noise((41, 2))})), "not those"),
        (forged(replace(RUN, components={**RUN.components, "M1": np.full(41, np.nan)})), "finite"),
        (forged(RUN, samples=40), "after its end"),
        (forged(RUN, samples=2**63), "too early"),
        (forged(RUN, samples=0), "not those"),
        (forged(STOPPED, reason=2**31), "too early"),
        (forged(replace(RUN, stopped="é"), reason=1), "a text"),
    ],
)
def test_lies_with_a_good_digest_are_refused(entry, told):
    problem = STOPPED.problem if STOPPED.problem.text().encode() in entry else PROBLEM
    assert told in refused(entry, problem)


@pytest.mark.parametrize(
    "values", [np.zeros(41, np.float32), np.zeros(41, complex), np.array([object()] * 41), np.zeros(40), noise((41, 1))]
)
def test_what_is_no_run_of_its_system_is_not_written(values):
    with pytest.raises(EntryError):
        encode(replace(RUN, components={**RUN.components, "M1": values}))
