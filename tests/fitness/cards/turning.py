"""A card: the sleigh turns round once."""

from nhviz.analysis import cusps
from nhviz.frame.records import Card

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
)
