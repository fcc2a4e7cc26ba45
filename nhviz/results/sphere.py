"""New results about the Chaplygin sphere: numerical evidence."""

from nhviz.analysis.circle import Plateau
from nhviz.analysis.vertical import plateaus
from nhviz.frame.records import Result
from nhviz.frame.said import Sentence, number, sentence

STRANGE, LEVEL = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2}, 1.149
REAL, REAL_LEVEL = {"J1": 0.01, "J2": 0.08, "J3": 0.85, "m": 1.0}, 0.6744
DIGITS = 8


def locked() -> tuple[Plateau, Plateau]:
    """The plateau at 1/3 of the ball that cannot be, and that at 1/4 of a real one."""
    third = next(one for one in plateaus(STRANGE, LEVEL, 0.61, 0.619, 3) if one.q == 3)
    quarter = next(one for one in plateaus(REAL, REAL_LEVEL, 0.53, 0.54, 4) if one.q == 4)
    return third, quarter


def told_of_plateaus() -> Sentence:
    """Both plateaus."""
    third, quarter = locked()
    return sentence(
        "Locked at 1/3 for h from ", number(f"{third.low:.{DIGITS}f}"), " to ", number(f"{third.high:.{DIGITS}f}"),
        "; a real ball at 1/4 from ", number(f"{quarter.low:.6f}"), " to ", number(f"{quarter.high:.6f}"), ".",
    )  # fmt: skip


RESULTS = (
    Result(
        id="locked-ball",
        title="The ball that locks",
        statement="With vertical momentum the flow of the ball turns evenly and never locks. Its discrete map does: "
        "for an interval of h every start but a few ends on one cycle. CS left open whether the map is conjugate to "
        "a rotation.",
        formula=r"u \mapsto u + \Delta u(u),\qquad \rho(h) = \tfrac13 \ \text{for}\ h \in [h_-, h_+]",
        status="evidence",
        because="Not a proof: the edges are where points on the axis of symmetry become periodic, found to round-off; "
        "inside, the cycle attracts with a multiplier below 1, and a conjugate of a rotation by 1/3 would repeat "
        "after three steps everywhere. Plateaus are open in h: round-off cannot make them.",
        told=told_of_plateaus,
        state="sphere?scene=vertical",
        view="staircase",
        parameters="J = 0.01, 0.2, 1, m = 0.2, l = 1.149 (mathematical, not a real ball); real: J = 0.01, 0.08, "
        "0.85, m = 1, l = 0.6744.",
        test="tests/test_vertical_rotation.py::test_plateau_of_one_third",
        system="sphere",
        ideas=("locking", "section"),
    ),
)
