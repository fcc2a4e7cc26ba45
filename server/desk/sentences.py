"""What the desk says about a sweep that does not go on."""

import math

LOST = "The processes that compute this sweep ended several times; ask for less, or try again in a moment."
FAILED = "The server could not compute this sweep; its log says why."
TOO_MANY = "The server is busy with other sweeps; try again in a moment."


def too_many_of_one(most: int) -> str:
    """For one who has begun enough."""
    return f"You have {most} sweeps under way, as many as are allowed here: wait for one of them, or cancel it."


def too_long(expected: float, allowed: float) -> str:
    """For a sweep that takes more of the processor than is allowed."""
    would = f"This sweep would take about {spoken(max(expected, allowed))} of computing"
    return f"{would}; at most {spoken(allowed)} are allowed here: ask for fewer cells, or a shorter duration."


def spoken(seconds: float) -> str:
    """A time in words."""
    for unit, length in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2.0 * length:
            return f"{math.ceil(seconds / length):,} {unit}"
    return f"{math.ceil(seconds)} s" if seconds > 1.0 else f"{seconds:.2g} s"
