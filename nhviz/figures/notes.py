"""Words that go with something that moves: whose it is, and a number of it that follows the clock.

The browser is told where the thing is and the numbers at each instant. It writes the words itself, at the end of a thin
line and away from everything that is ever drawn, which it can tell when it knows how large the picture is
(`assets/page/notes.js`).
"""

from dataclasses import dataclass
from typing import Any

from nhviz.figures.arrays import Array, Written
from nhviz.figures.style import Canvas, Cursor, Look, text_colour

NOWHERE = -1
"""The number of the trace of words that are none: plotly draws those in space in front of everything."""


@dataclass(frozen=True)
class Note:
    """The `name` of a thing at places (n,) in each coordinate, and words before and after a number of it.

    Below `least` the number is not worth any words.
    """

    look: Look
    places: tuple[Array, ...]
    numbers: Array
    name: str
    before: str
    after: str
    least: float


@dataclass(frozen=True)
class Noted(Cursor):
    """The words of a note at the clock's instant, and the number of the trace of the line that leads to them."""

    note: Note | None = None
    leader: int = NOWHERE
    font: tuple[float, str] = (0.0, "")

    def frames(self, written: Written, like: int | None = None) -> dict[str, Any]:
        """Plain data for the browser."""
        assert self.note is not None
        note, (size, colour) = self.note, self.font
        said = {
            "name": note.name, "before": note.before, "after": note.after, "least": note.least, "leader": self.leader,
            "size": size, "colour": colour, "line": note.look.colour,
        }  # fmt: skip
        found = super().frames(written, like)
        return found | {"note": said | {"numbers": written.typed(note.numbers)}}


def add_notes(canvas: Canvas, notes: list[Note]) -> None:
    """Lines to the words, and the words above all lines; the browser puts them where they are."""
    theme = canvas.theme
    leaders = [add_leader(canvas, note) for note in notes]
    for note, leader in zip(notes, leaders, strict=True):
        font = theme.size + 0.5, text_colour(theme, note.look.colour)
        words = canvas.add(
            "scatter", x=note.places[0][:1], y=note.places[1][:1], mode="text", name="note", text=[""],
            textposition="middle center", textfont={"size": font[0], "color": font[1]}, cliponaxis=False,
            meta={"track": note.look.key},
        )  # fmt: skip
        canvas.cursors.append(Noted(words, note.look.key, note.places, note=note, leader=leader, font=font))


def add_leader(canvas: Canvas, note: Note) -> int:
    """The line to the words of a note, a point as yet."""
    x, y = (values[[0, 0]] for values in note.places)
    line = {"color": note.look.colour, "width": 0.7 * canvas.theme.weight}
    return canvas.add("scatter", x=x, y=y, mode="lines", name="leader", meta={"track": note.look.key}, line=line)


def add_notes_in_space(canvas: Canvas, notes: list[Note]) -> None:
    """Words in front of everything."""
    theme = canvas.theme
    for note in notes:
        font = theme.size + 0.5, text_colour(theme, note.look.colour)
        canvas.cursors.append(Noted(NOWHERE, note.look.key, note.places, note=note, font=font))
