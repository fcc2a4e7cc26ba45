"""A tile as bytes: the same bits back, and an EntryError for every other sequence of bytes; kept, and a miss if bad."""

import pickle

import numpy as np
import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from nhviz.sweeps.compute import compute
from nhviz.sweeps.tiles import tiles
from server.desk.entries import DIGEST, HEADER, MAGIC, VERSION, decode, encode
from server.desk.store import Store, key
from server.entries import EntryError, digest
from server.shared import SharedCache, connected
from tests.caches import attached
from tests.desks import QUICK, SLOW, same_bits

TEXT = QUICK.text()
TILE = tiles(QUICK)[-1]
VALUES = compute(QUICK, TILE.number)
ENTRY = encode(TEXT, TILE.number, VALUES)


def refused(data, text=TEXT, number=TILE.number, count=VALUES.size):
    with pytest.raises(EntryError) as caught:
        decode(bytes(data), text, number, count)
    return str(caught.value)


def forged(rest=None, **changes):
    """An entry whose digest is right, by somebody who knows the format."""
    rest = TEXT.encode() + VALUES.tobytes() if rest is None else rest
    fields = {"magic": MAGIC, "version": VERSION, "number": TILE.number, "text": len(TEXT), "count": VALUES.size}
    fields |= {"length": HEADER.size + DIGEST + len(rest)} | changes
    header = HEADER.pack(*fields.values())
    return header + digest(header, rest) + rest


def test_every_tile_comes_back_to_the_last_bit():
    empty = 0
    for tile in tiles(QUICK):
        values = compute(QUICK, tile.number)
        empty += np.isnan(values).sum()
        assert same_bits(decode(encode(TEXT, tile.number, values), TEXT, tile.number, values.size), values)
    assert 0 < empty < QUICK.cells


def test_the_forger_knows_the_format():
    assert forged() == ENTRY


@settings(max_examples=100, deadline=None)
@given(position=st.integers(0, len(ENTRY) - 1), flip=st.integers(1, 255))
def test_a_flipped_byte_anywhere_is_noticed(position, flip):
    damaged = bytearray(ENTRY)
    damaged[position] ^= flip
    refused(damaged)


@settings(max_examples=60, deadline=None)
@given(length=st.integers(0, len(ENTRY) - 1), junk=st.binary(min_size=1, max_size=200))
def test_a_part_more_than_all_and_junk_are_none(length, junk):
    refused(ENTRY[:length])
    refused(ENTRY + junk)
    refused(junk)


@settings(max_examples=100, deadline=None)
@given(rest=st.binary(max_size=300), count=st.integers(0, 2**32 - 1), text=st.integers(0, 2**32 - 1))
def test_junk_with_a_good_digest_is_none(rest, count, text):
    refused(forged(rest, count=count, text=text))


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (forged(version=2), "present format"),
        (forged(length=10**12), "another length"),
        (forged(number=TILE.number - 1), "another tile"),
        (forged(count=VALUES.size - 1), "another tile"),
        (forged(TEXT.encode() + VALUES[1:].tobytes()), "too early"),
        (forged(TEXT.encode() + VALUES.tobytes() + b"12345678"), "after its end"),
        (forged(TEXT.encode() + np.full(VALUES.size, np.inf).tobytes()), "finite"),
        (pickle.dumps(VALUES), "no tile"),
    ],
)
def test_lies_with_a_good_digest_are_refused(entry, told):
    assert told in refused(entry)


def test_a_tile_of_another_sweep_is_told_apart():
    assert "another tile" in refused(ENTRY, text=SLOW.text())
    assert "another tile" in refused(ENTRY, count=VALUES.size + 1)


@pytest.fixture
def shared(tmp_path):
    """A shared cache of files."""
    found = attached(cache_dir=tmp_path / "kept")
    return SharedCache(connected(Flask("test"), found.settings))


def test_what_is_kept_is_read_and_what_is_damaged_is_a_miss_that_goes(shared):
    store = Store(shared)
    assert store.read(TEXT, TILE) is None
    store.write(TEXT, TILE, VALUES)
    assert same_bits(store.read(TEXT, TILE), VALUES)
    assert store.read(TEXT, tiles(QUICK)[0]) is None
    for bad in (ENTRY[:-1], b"junk", pickle.dumps(VALUES), encode(SLOW.text(), TILE.number, VALUES)):
        shared.set(key(TEXT, TILE.number), bad)
        assert store.read(TEXT, TILE) is None
        assert shared.get(key(TEXT, TILE.number)) is None


def test_without_a_shared_cache_nothing_is_kept():
    store = Store(None)
    store.write(TEXT, TILE, VALUES)
    assert store.read(TEXT, TILE) is None
