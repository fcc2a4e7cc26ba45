"""What a mutant is."""

from typing import NamedTuple


class Mutant(NamedTuple):
    """A mistake: in a file, instead of a text that occurs there exactly once, stands another."""

    name: str
    file: str
    old: str
    new: str
