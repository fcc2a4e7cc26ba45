"""How much sweeps may take: seconds of the processor, how many there are, and how long they go on unasked."""

from dataclasses import dataclass

from server.desk import sentences
from server.desk.record import Record
from server.desk.turns import Turns
from server.settings import Settings

PROBE = 0.01
"""The share of its seconds after which it is known what a sweep takes."""
PATIENCE = 3.0
"""How much longer than its seconds on the processor a tile may take: everything else on the machine comes first."""

UNEVEN = 10.0
"""How much more than its share of the seconds a tile may take."""
LEAST = 10.0
"""Seconds that any tile has."""


@dataclass(frozen=True)
class Limits:
    """Most seconds of a sweep; most sweeps under way, of a client and in all; what the desk holds of others."""

    seconds: float
    of_one: int
    of_all: int
    interest: float = 30.0
    held: int = 64
    held_bytes: int = 64 * 2**20

    @classmethod
    def of(cls, settings: Settings) -> "Limits":
        """Those of a server."""
        return cls(settings.sweep_seconds, settings.sweeps_each, settings.sweeps)

    def refused(self, client: str, turns: Turns) -> str:
        """Why another sweep of a client cannot begin now, or nothing."""
        if turns.of(client) >= self.of_one:
            return sentences.too_many_of_one(self.of_one)
        return sentences.TOO_MANY if len(turns) >= self.of_all else ""

    def is_too_long(self, record: Record) -> bool:
        """Whether what a sweep has taken so far tells that it takes too long."""
        return record.seconds > PROBE * self.seconds and record.expected > self.seconds

    def patience(self, record: Record, cells: int) -> float:
        """Seconds for which a tile of so many cells is waited for: some multiple of its share of all."""
        share = UNEVEN * self.seconds * cells / record.sweep.cells
        return LEAST + PATIENCE * min(share, max(0.0, self.seconds - record.seconds))
