"""Tables of the pages' files: made once, kept, and made again where what was kept is damaged."""

import pytest

import nhviz
from nhviz import export
from nhviz.problem import Problem
from server.entries import EntryError
from server.patience import Patience
from server.tables import Tables, sealed, unsealed
from tests.caches import runs

PROBLEMS = {"one": Problem.create("sleigh", "exact", duration=2.0), "other": Problem.create("sleigh", duration=2.0)}
TEXT = export.runs_to_csv({name: nhviz.simulate(problem) for name, problem in PROBLEMS.items()})


@pytest.fixture
def made(monkeypatch):
    """How often something was made."""
    count, perform = [], Patience.table
    monkeypatch.setattr(Patience, "table", lambda self, problems: count.append(1) or perform(self, problems))
    return count


def test_a_table_is_made_once(tmp_path, made):
    for _ in range(3):
        assert Tables(runs(tmp_path)).table(PROBLEMS) == TEXT
    assert len(made) == 1
    # Another order of the runs is another table.
    assert Tables(runs(tmp_path)).table(dict(reversed(PROBLEMS.items()))) != TEXT
    assert len(made) == 2


def test_a_damaged_table_is_made_again(tmp_path, made):
    tables = Tables(runs(tmp_path))
    tables.table(PROBLEMS)
    (entry,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    data = bytearray(entry.read_bytes())
    data[-100] ^= 1
    entry.write_bytes(bytes(data))
    assert tables.table(PROBLEMS) == tables.table(PROBLEMS) == TEXT
    assert len(made) == 2


def test_without_a_shared_cache_it_is_made_each_time(tmp_path, made):
    tables = Tables(runs(tmp_path))
    tables.runs.shared = None
    assert tables.table(PROBLEMS) == tables.table(PROBLEMS) == TEXT
    assert len(made) == 2


@pytest.mark.parametrize("place", [0, 7, 8, 39, 40, 60, -1])
def test_a_seal_is_for_one_text(place):
    data = bytearray(sealed(b"t,x\n0,1\n" * 5))
    assert unsealed(bytes(data)) == b"t,x\n0,1\n" * 5
    data[place] ^= 4
    for broken in (bytes(data), bytes(data[:20]), b""):
        with pytest.raises(EntryError):
            unsealed(broken)
