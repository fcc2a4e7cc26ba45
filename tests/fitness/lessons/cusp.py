"""A lesson of two steps."""

from nhviz.analysis import cusps
from nhviz.frame.records import Lesson, Step

LESSON = Lesson(
    id="cusp",
    title="Why the sleigh turns round",
    steps=(
        Step("Look", "The blade **stops** and goes back.", "sleigh?a=0.8&duration=12"),
        Step(
            "Try",
            "Put the mass on the blade.",
            "sleigh?a=0.8&duration=12&detail=time",
            ask="Can you find a path without a cusp?",
            answered=lambda shown: not cusps.cusps(shown.lead),
        ),
    ),
)
