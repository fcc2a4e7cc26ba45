"""What to try in the race: three things in every system, and the figures of the paper with their own data."""

from nhviz.frame.records import Step
from nhviz.labs.feedback.racers import Racer

OFF = 0.2
"""A start so far off the constraint falls back in good time."""
TO_COMPARE = "reference.euler_feedback.dla"
KNIFE = "feedback?scene=knife_edge&step=0.001&duration=200&pull=1"
TOP = "feedback?scene=suslov&step=0.001&duration=10&pull=0.1"
OSCILLATOR = f"feedback?scene=oscillator&step=0.001&pull=0.5&k2=0.6&k3=0.6&methods={TO_COMPARE}"
PAPER = (
    Step(
        "Figure 1",
        "Gains 100 at step 0.001: Euler’s momenta stay within 1.3 · 10⁻⁴ of the closed form, with feedback.",
        f"{TOP}&detail=error",
    ),
    Step(
        "Figure 2",
        "The same run: orthogonality, constraint and energy are kept to 10⁻⁵. Without feedback the body grows.",
        f"{TOP}&detail=drift",
    ),
    Step(
        "Figure 3",
        "Gains 1000 at step 0.001, exactly on the border of stability: the blade runs along its cycloid for 200 s.",
        KNIFE,
    ),
    Step(
        "Figure 4",
        "Against the corrected closed form the path is off by 1.2 mm after 200 s.",
        f"{KNIFE}&detail=error",
    ),
    Step(
        "Figure 5",
        "Constraint, angular momentum and energy are kept to 5 · 10⁻⁷.",
        f"{KNIFE}&detail=drift",
    ),
    Step(
        "Figure 6",
        "Gains 500, 300, 300: feedback keeps the integrals 1000 times better than DLA, which loses energy slowly.",
        f"{OSCILLATOR}&duration=200&detail=drift",
    ),
    Step(
        "Figure 7",
        "The sections look alike. DLA is nearer to the exact points, feedback to the exact sphere.",
        f"{OSCILLATOR}&duration=400",
    ),
)


def usual(racer: Racer) -> tuple[Step, ...]:
    """A race, a start off the level of the integrals, and a pull past the bound."""
    at = f"feedback?scene={racer.system}"
    return (
        Step("A race", "Press play: ghosts show where the others think it is. The table says which one to take.", at),
        Step(
            "Off the level",
            "The start violates the constraint. With feedback the run falls back onto it, without it stays off.",
            f"{at}&off={OFF}&detail=attraction",
        ),
        Step(
            "Too much gain",
            "The pull is past Euler’s bound. Some runs arrive all the same; raise it further, and they are lost.",
            f"{at}&pull={racer.too_much:g}{'' if racer.telling == 'stability' else '&detail=stability'}",
        ),
    )
