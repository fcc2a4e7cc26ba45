"""Timing: several calls in turn, many rounds, the best time of each."""

import gc
import time
from collections.abc import Callable
from typing import Any

Call = Callable[[], Any]


def seconds(call: Call) -> float:
    """Duration of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def best(calls: dict[str, Call], repeats: int) -> dict[str, float]:
    """Best time of each call; they take turns, so that a disturbance of the machine hits all of them."""
    for call in calls.values():
        call()
    least = dict.fromkeys(calls, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for name, call in calls.items():
                least[name] = min(least[name], seconds(call))
    finally:
        gc.enable()
    return least
