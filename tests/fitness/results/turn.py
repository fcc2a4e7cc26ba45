"""A result: how far the sleigh turns."""

import numpy as np

from nhviz.frame.records import Result
from nhviz.frame.said import Sentence, number, sentence


def told() -> Sentence:
    """The whole turn of a sleigh with J = m = a = 1."""
    return sentence("It turns by ", number(np.degrees(np.pi * np.sqrt(2.0)), "°"), " in all.")


RESULTS = (
    Result(
        id="try-whole-turn",
        title="The whole turn",
        statement="Every start turns by the same angle.",
        formula=r"\Delta\theta = \pi \sqrt{1 + J/(m a^2)}",
        status="proved",
        because="Integrate $\\dot\\theta$ over the arc of the energy ellipse.",
        told=told,
        state="sleigh?a=1&duration=12",
        view="plane",
        parameters="J = 1, m = 1, a = 1",
        test="tests/fitness/results/turn.py",
        sweep="sweep?of=sleigh&show=cusp_time&map=exact&x=p_theta:-1.5:1.5:121&y=p_1:-2.4:2.4:121",
        system="sleigh",
        ideas=("path",),
    ),
)
