"""What a view of words shows, as plain data: typeset text, lines to copy, tables."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """Markdown with formulas."""

    text: str


@dataclass(frozen=True)
class Lines:
    """Lines of a program, to be copied."""

    text: str


@dataclass(frozen=True)
class Table:
    """A table of numbers with a title, names of columns, and a sentence below it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


Text = tuple[Words | Lines | Table, ...]
