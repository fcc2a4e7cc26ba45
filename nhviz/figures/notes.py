"""Words that go with something: where it is, and a number of it that follows the clock.

The browser is told the places and the numbers at each instant, and writes them itself (`assets/page/notes.js`).
"""

from dataclasses import dataclass
from typing import Any

from nhviz.figures.arrays import Array, Written
from nhviz.figures.style import Canvas, Cursor, Look, text_colour


@dataclass(frozen=True)
class Note:
    """Words before and after a number, at places (n, d) of a run, or at one; below `least` it is not worth any words.

    `side` is where plotly puts them, seen from their place.
    """

    look: Look
    places: Array
    numbers: Array
    before: str
    after: str
    least: float
    side: str


@dataclass(frozen=True)
class Noted(Cursor):
    """The words of a note at the clock's instant."""

    note: Note | None = None

    def frames(self, written: Written, like: int | None = None) -> dict[str, Any]:
        """Plain data for the browser."""
        assert self.note is not None
        said = {"before": self.note.before, "after": self.note.after, "least": self.note.least, "side": self.note.side}
        found = super().frames(written, like)
        return found | {"note": said | {"numbers": written.typed(self.note.numbers)}}


def add_note(canvas: Canvas, note: Note) -> None:
    """The words at their first place; the player puts them where they are, and says their number."""
    theme, track = canvas.theme, note.look.key
    positions = tuple(note.places.T.copy())
    kind = "scatter" if len(positions) == 2 else "scatter3d"
    index = canvas.add(
        kind, **{axis: values[:1] for axis, values in zip("xyz", positions, strict=False)}, mode="text",
        name="note", text=[""], textposition=[note.side], meta={"track": track},
        textfont={"size": theme.size + 0.5, "color": text_colour(theme, note.look.colour)},
        **({"cliponaxis": False} if kind == "scatter" else {}),
    )  # fmt: skip
    canvas.cursors.append(Noted(index, track, positions, note=note))
