"""What a view of words shows, as plain data: typeset text, lines to copy, tables, rankings of runs."""

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


@dataclass(frozen=True)
class Cell:
    """A number of a ranking: it may be the best of its column, and have a bar, as long as a share of the longest."""

    text: str
    best: bool = False
    bar: float | None = None


@dataclass(frozen=True)
class Row:
    """A run of a ranking: the key of its variant, label, slot and marker, and its numbers; one is `chosen` of all."""

    key: str
    label: str
    slot: int
    symbol: str
    cells: tuple[Cell, ...]
    chosen: bool = False


@dataclass(frozen=True)
class Ranking:
    """Runs and their numbers side by side: above the names of runs, above each column, and a sentence below."""

    corner: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""


Text = tuple[Words | Lines | Table | Ranking, ...]
