"""Malformed bodies, links and command lines, by the thousand: none may fail, hang or show a traceback.

And as many good questions in random states, which must be answered by pictures without a hole, or by a sentence. Case
number i of a seed is always the same: `python -m benchmarks.malformed --seed 1 --only 4711` repeats one.
"""

import sys
from collections import Counter
from collections.abc import Iterator

from benchmarks.malformed.attempts import attempt, client_of_app
from benchmarks.malformed.bodies import (
    CSV,
    GHOSTS,
    PAGE,
    RENDER,
    START,
    TABLE,
    UPDATE,
    WAIT,
    WATCH,
    asked_of,
    body,
    callback_names,
    named,
    state_of,
)  # fmt: skip
from benchmarks.malformed.cases import VALID, make
from benchmarks.malformed.material import ODDITIES, Outcome, nested
from benchmarks.malformed.workers import all_outcomes
from benchmarks.table import Row

__all__ = [
    "CSV", "GHOSTS", "ODDITIES", "PAGE", "RENDER", "SECONDS", "START", "TABLE", "UPDATE", "VALID", "WAIT", "WATCH",
    "asked_of", "attempt", "body", "callback_names", "client_of_app", "make", "named", "nested", "rows", "state_of",
]  # fmt: skip

COUNT, SEED, SECONDS = VALID, 1, 20.0
PATIENCE = 60.0
"""Seconds for a good question: it may want several flows, each of which has a budget of several seconds."""


def report(seed: int, found: dict[int, Outcome]) -> None:
    """Counts by kind and status, the slowest, and every failure with how to repeat it."""
    counts = Counter((outcome.kind, outcome.status) for outcome in found.values())
    for (kind, status), count in sorted(counts.items()):
        print(f"{kind:8} {status:4} {count:6}", file=sys.stderr)
    for index, outcome in sorted(found.items(), key=lambda item: -item[1].seconds)[:5]:
        print(f"slow: {outcome.seconds:.2f} s, case {index}, {make(seed, index).about}", file=sys.stderr)
    for index, outcome in found.items():
        if outcome.wrong:
            case = make(seed, index)
            print(f"FAILED --seed {seed} --only {index}: {case.kind}: {outcome.wrong}: {case.about}", file=sys.stderr)


def rows(repeats: int, seed: int = SEED, count: int = COUNT) -> Iterator[Row]:
    """One row for each kind: how many failed, of so many malformed cases and as many good ones."""
    found = all_outcomes(seed, range(count), SECONDS) | all_outcomes(seed, range(VALID, VALID + count), PATIENCE)
    report(seed, found)
    for kind in sorted({outcome.kind for outcome in found.values()}):
        of_kind = [outcome for outcome in found.values() if outcome.kind == kind]
        statuses = Counter(outcome.status for outcome in of_kind)
        details = {f"status {status}": n for status, n in sorted(statuses.items())}
        details |= {"slowest s": max(outcome.seconds for outcome in of_kind), "of": len(of_kind)}
        failures = sum(bool(outcome.wrong) for outcome in of_kind)
        name = "valid states" if kind == "valid" else f"malformed: {kind}"
        yield Row(f"{name}, failures", float(failures), "", target=0.0, details=details)
