"""How far the preparation is, for anybody who asks; and wishes, by which those who wait say so."""

import contextlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nhviz import registry
from nhviz.kernels import cache
from nhviz.preparing import plan

FADING = 5.0
"""Seconds for which a wish counts: a page repeats it while it is open."""


@dataclass(frozen=True)
class Progress:
    """Parts on the disk, of how many; the seconds that the rest takes, if known; what cannot be done, and why."""

    done: int
    of: int
    seconds: float | None
    failure: str = ""

    @property
    def ready(self) -> bool:
        """Whether nothing is left to do."""
        return self.done == self.of


def of_systems(names: Iterable[str]) -> Progress:
    """The progress of some systems together."""
    every = list(dict.fromkeys(part for name in names for part in plan.parts(name)))
    left = [part for part in every if not part.done]
    failure = next((f"{part.title}: {part.failure}" for part in left if part.failure), "")
    pace, weight = read_pace(), sum(part.weight for part in left)
    return Progress(len(every) - len(left), len(every), None if pace is None else pace * weight, failure)


def write_pace(seconds: float) -> None:
    """Say how many seconds the crew takes for a part of weight one."""
    if place := cache.folder():
        with contextlib.suppress(OSError):
            (place / "pace").write_text(f"{seconds:.4f}")


def read_pace() -> float | None:
    """The seconds that a part of weight one takes, if a crew has said so."""
    place = cache.folder()
    try:
        return float((place / "pace").read_text()) if place else None
    except (OSError, ValueError):
        return None


def wish(name: str) -> None:
    """Have a system prepared before those that nobody waits for; a wish fades unless it is repeated."""
    if place := wishes():
        with contextlib.suppress(OSError):
            place.mkdir(exist_ok=True)
            (place / name).touch()


def in_order() -> list[str]:
    """All systems as they are presented, but those that somebody waits for first."""
    place, recent = wishes(), time.time() - FADING
    try:
        found = {path.name for path in place.iterdir() if path.stat().st_mtime > recent} if place else set()
    except OSError:
        found = set()
    return sorted(registry.systems(), key=lambda name: name not in found)


def wishes() -> Path | None:
    """The folder of wishes."""
    place = cache.folder()
    return place / "wishes" if place else None
