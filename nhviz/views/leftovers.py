"""What a printed and a corrected formula leave over where both should leave nothing: in a sentence and in a picture."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nhviz.figures.against import left_over
from nhviz.figures.style import Picture, Theme
from nhviz.frame.said import Sentence, number, sentence
from nhviz.system import Array


@dataclass(frozen=True, eq=False)
class Leftover:
    """`what` names the difference, in words; `printed` and `corrected` are its sizes at each `x` of the `axis`."""

    what: str
    axis: str
    x: Array
    printed: Array
    corrected: Array
    unit: str = ""

    @property
    def most(self) -> tuple[float, float]:
        """The greatest of each."""
        return float(np.abs(self.printed).max()), float(np.abs(self.corrected).max())


Found = Callable[[], Leftover]


def decided(found: Found) -> Callable[[], Sentence]:
    """The sentence that tells both."""

    def told() -> Sentence:
        one = found()
        printed, corrected = one.most
        return sentence(
            f"{one.what} is up to ", number(printed, one.unit), " for the printed form and ",
            number(corrected, one.unit), " for the corrected one.",
        )  # fmt: skip

    return told


def drawn(found: Found) -> Callable[[Theme], tuple[Picture, ...]]:
    """The picture of both."""

    def shown(theme: Theme) -> tuple[Picture, ...]:
        one = found()
        title = f"{one.what[0].lower()}{one.what[1:]}" + (f" ({one.unit})" if one.unit else "")
        return (left_over(theme, (one.axis, title), one.x, one.printed, one.corrected),)

    return shown
