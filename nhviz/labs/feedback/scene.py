"""One system of the race as a scene: the race itself, details behind tabs, the finish, level set and section."""

from nhviz.frame.records import Panel, Place, Scene, View
from nhviz.labs.feedback import detail, stability, words
from nhviz.labs.feedback.racers import METHOD, Racer, gains, opening, values, ways
from nhviz.labs.feedback.thing import thing

LEFT, ALL = 7, 12
"""The race and its finish have so many columns of all."""
ROWS = (4, 3)
PULL = {"symbol": r"k\varepsilon", "meaning": "gain times step: a factor on gains of 1/step"}
GAIN = {"slider": (0.0, 2.0)}


def scene(racer: Racer) -> Scene:
    """The scene of a system."""
    return Scene(
        id=racer.system,
        title=racer.title,
        try_first=racer.try_first,
        panels=(
            Panel(
                racer.system,
                variants=ways(racer),
                chosen=opening(racer),
                values=values(racer),
                heroes=("pull",),
                gauges=words.gauges,
                words={"pull": PULL, **dict.fromkeys(gains(racer.model.method(METHOD)), GAIN)},
            ),
        ),
        views=(
            thing_view(racer),
            Place("detail", detail.beside(racer.system)),
            Place("finish", detail.texts_of(racer.system)),
            Place("below", detail.below(racer.system)),
        ),
        grid=grid(),
        readout=words.readout,
        sentence=words.said,
        instant=1.0,
        swept=stability.swept,
    )


def thing_view(racer: Racer) -> View:
    """The race itself; a click on the ground of a flat one starts there."""
    flat = {"x", "y"} <= {p.name for p in racer.model.initial} and racer.is_flat
    return View(
        "thing", racer.title, thing, kind="plane" if racer.is_flat else "space", start=("x", "y") if flat else (),
        caption=racer.caption, short="Race",
    )  # fmt: skip


def grid() -> tuple[str, ...]:
    """The race beside its details, the finish beside what is below them."""
    rows = [f"{'thing ' * LEFT}{'detail ' * (ALL - LEFT)}", f"{'finish ' * LEFT}{'below ' * (ALL - LEFT)}"]
    return tuple(row.strip() for row, times in zip(rows, ROWS, strict=True) for _ in range(times))
