"""Tables of runs for the pages' files: made in their turn, and kept in the shared cache for who asks for the same.

An entry is a name, a digest and the text. What is damaged is a miss, and goes.
"""

import hashlib
import json
from collections.abc import Mapping

from nhviz.problem import Problem
from server.cache import Runs
from server.entries import EntryError
from server.jobs import of_table

MAGIC = b"nhvizcsv"
DIGEST = 32


class Tables:
    """Tables by the value of what they are made of, with the shared cache, the locks and the patience of runs."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    def table(self, problems: Mapping[str, Problem]) -> bytes:
        """The table of some runs; of those who ask at the same time one has it made."""
        self.runs.patience.wait_for_file()
        key = hashlib.sha256(json.dumps(of_table(problems)).encode()).hexdigest()
        found = self.stored(key)
        if found is not None:
            return found
        with self.runs.file_lock(key):
            return self.stored(key) or self.made(key, problems)

    def stored(self, key: str) -> bytes | None:
        """A table from the shared cache."""
        shared = self.runs.shared
        if shared is None:
            return None
        try:
            data = shared.get(key)
            return None if data is None else unsealed(data)
        except EntryError as error:
            shared.sweep(key, error)
            return None

    def made(self, key: str, problems: Mapping[str, Problem]) -> bytes:
        """A new table, which is kept."""
        found = self.runs.patience.table(problems)
        if self.runs.shared is not None:
            self.runs.shared.set(key, sealed(found))
        return found


def sealed(table: bytes) -> bytes:
    """The entry of a table."""
    return MAGIC + digest(table) + table


def unsealed(data: bytes) -> bytes:
    """The table of an entry; an EntryError for anything else."""
    start = len(MAGIC) + DIGEST
    table = data[start:]
    if data[:start] != MAGIC + digest(table):
        raise EntryError("it is no table, or damaged")
    return table


def digest(table: bytes) -> bytes:
    """A digest of a table."""
    return hashlib.blake2b(table, digest_size=DIGEST).digest()
