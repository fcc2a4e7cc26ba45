"""How far a map is ahead of the flow: an arc between both, on an ellipse a little outside theirs, and its angle.

The browser is told the angles at each instant, and draws the arc itself (`assets/page/arcs.js`).
"""

from dataclasses import dataclass
from typing import Any

from nhviz.figures.arrays import Array, Written
from nhviz.figures.style import Canvas, Cursor, Look, text_colour

VISIBLE = 0.02
"""A lead below this angle is not worth an arc."""
POINTS = 15
NOTHING: dict[str, Any] = {"x": [None], "y": [None]}


@dataclass(frozen=True)
class Lead:
    """The lead of a run on an ellipse `outside` @ (cos, sin): at each instant the angle of the map, `at` (n), and how
    far it is from the flow, `turn` (n), 0 where that cannot be seen; `sense` is the one in which the flow moves.
    """

    look: Look
    at: Array
    turn: Array
    sense: float
    outside: Array


@dataclass(frozen=True)
class Arc(Cursor):
    """The arc of a lead at the clock's instant, or its words. It is inside of what is drawn behind the runs."""

    lead: Lead | None = None
    words: bool = False

    def frames(self, written: Written, like: int | None = None) -> dict[str, Any]:
        """Plain data for the browser; the words are those of the arc with the number `like`."""
        found = {"trace": self.trace, "track": self.track, "words": self.words}
        if like is not None:
            return found | {"like": like}
        assert self.lead is not None
        lead = {"at": written.typed(self.lead.at), "turn": written.typed(self.lead.turn), "sense": self.lead.sense}
        return found | {"arc": lead | {"outside": self.lead.outside.ravel().tolist(), "points": POINTS}}

    @property
    def shared(self) -> object:
        """What is sent once."""
        return self.lead


def add_lead(canvas: Canvas, lead: Lead) -> None:
    """The arc between a map and the flow, and its angle in words; the player puts both where they are."""
    theme, track = canvas.theme, lead.look.key
    index = canvas.add(
        "scatter", **NOTHING, mode="lines", name="lead", meta={"track": track},
        line={"color": lead.look.colour, "width": 3.2 * theme.weight},
    )  # fmt: skip
    canvas.cursors.append(Arc(index, track, lead=lead))
    index = canvas.add(
        "scatter", **NOTHING, mode="text", name="lead in words", text=[""], textposition=["middle right"],
        meta={"track": track}, cliponaxis=False,
        textfont={"size": theme.size + 0.5, "color": text_colour(theme, lead.look.colour)},
    )  # fmt: skip
    canvas.cursors.append(Arc(index, track, lead=lead, words=True))
