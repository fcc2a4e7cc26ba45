"""All cases by their numbers. Those from VALID on are good, and must be answered; the others are malformed."""

import random
from collections.abc import Callable

from benchmarks.malformed.commands import broken_words
from benchmarks.malformed.material import Case
from benchmarks.malformed.requests import broken_address, broken_body, broken_bytes, broken_link, broken_question
from benchmarks.malformed.states import broken_state, extreme_state, wrong_values
from benchmarks.malformed.valid import valid_state

VALID = 10_000
MAKERS: dict[Callable[[random.Random], Case], int] = {
    broken_body: 25,
    broken_state: 15,
    wrong_values: 15,
    broken_question: 8,
    extreme_state: 10,
    broken_bytes: 8,
    broken_link: 12,
    broken_address: 5,
    broken_words: 15,
}


def make(seed: int, number: int) -> Case:
    """Case number so and so of a seed."""
    chance = random.Random(f"{seed}/{number}")
    if number >= VALID:
        return valid_state(chance)
    return chance.choices(list(MAKERS), weights=list(MAKERS.values()))[0](chance)
