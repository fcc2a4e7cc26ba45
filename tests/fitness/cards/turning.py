"""Cards: the sleigh turns round once, one that does not hold, and a claim without a figure."""

from nhviz.analysis import cusps
from nhviz.frame.records import Card
from nhviz.frame.said import Sentence, number, sentence
from nhviz.frame.shown import Shown


def when(shown: Shown) -> Sentence:
    """The time of the first cusp."""
    return sentence("The blade stops at ", number(cusps.cusps(shown.lead)[0].t, "s"), ".")


CARDS = (
    Card(
        id="turns-once",
        paper="FZ",
        figure="figure 7.3",
        claim="The path of the contact point has exactly one cusp.",
        state="sleigh?a=0.8&duration=12",
        view="time",
        check=lambda shown: len(cusps.cusps(shown.lead)) == 1,
    ),
    Card(
        id="try-never-turns",
        paper="FZ",
        figure="figure 7.4",
        title="No cusp at all",
        claim="The path has no cusp.",
        state="sleigh?a=0.8&duration=12",
        view="motion",
        check=lambda shown: not cusps.cusps(shown.runs["exact"]),
        told=when,
        look="The star on the path.",
        ideas=("path", "phase"),
    ),
    Card(
        id="try-turns-late",
        paper="CP",
        figure="remark 2",
        title="It turns late",
        claim="With a small offset the cusp comes later than 4 s.",
        state="sleigh?a=0.3&duration=30",
        view="plane",
        check=lambda shown: cusps.cusps(shown.lead)[0].t > 4.0,
        told=when,
        ideas=("surface",),
        correction="try-slow-blade",
        drawn=False,
        ours=True,
    ),
)
