"""What has no business anywhere: texts, numbers and other values, and what is made of them."""

import copy
import json
import random
from dataclasses import dataclass
from typing import Any

TEXTS = (
    "", " ", "x", "nan", "inf", "-1", "1e999", "3.5", "1_0", "x" * 5000, "💥", "\u202eabc", "\u0663", "\x00", "a\nb",
    "%", "null", "<script>alert(1)</script>", "javascript:alert(1)", "'; DROP TABLE runs; --", "../../etc/passwd",
    "{{7*7}}", "__proto__", "constructor", "suslov", "sleigh", "sphere_n", "cayley", "exact", "feedback", "midpoint",
    "rk4", "python", "portrait0", "portrait3", "detail", "locus", "disk", "drift", "dark", "1", "both", "whole", "n",
    "main", "all", "locus.surface", "methods", "left.a", "card/nothing", "lesson/nothing/2", "lesson//99999", "about",
)  # fmt: skip

NUMBERS = (
    0, -1, 1, 2, 3, 4, 7, 3.5, 1e-9, 1e-320, -1e-3, 1e3, 1e6, 1e12, 1e15, -1e15, 1e300, -1e308, 2**31, 2**63, 2**64,
    10**30, 10**400, float("nan"), float("inf"), -float("inf"),
)  # fmt: skip

FINITE = tuple(number for number in NUMBERS if abs(number) < 1e308)


def nested(levels: int) -> Any:
    """A list in a list in a list."""
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


ODDITIES = (
    None, True, False, [], {}, [[]], [None], {"a": {"b": []}}, "\ud800", nested(20), nested(40), nested(200),
    [0] * 10_000, ["exact"] * 10_000, {str(i): i for i in range(2000)}, {"id": "asked", "property": "data"},
    [1.0, "2", None],
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Something malformed: of which kind, how it was made, and what to send.

    With a `store` it is something good: the answer is what belongs into that.
    """

    kind: str
    about: str
    path: str = "/_dash-update-component"
    content: bytes = b""
    content_type: str = "application/json"
    words: tuple[str, ...] = ()
    store: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a case: a status, the seconds it took, and what is wrong with it, if anything."""

    kind: str
    status: int
    seconds: float
    wrong: str = ""


def junk(chance: random.Random) -> Any:
    """Any value that has no business anywhere."""
    return copy.deepcopy(chance.choice(chance.choice((TEXTS, NUMBERS, ODDITIES))))


def encoded(data: Any) -> bytes:
    """JSON as Python writes it, NaN and all."""
    return json.dumps(data).encode()
