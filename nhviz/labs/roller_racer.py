"""The lab of the roller racer: left alone, it trades speed for turning."""

from math import degrees

from nhviz.frame.said import Sentence, Statistic, number, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.views import numbers, sentences


def said(shown: Shown) -> Sentence:
    """From which speed to which, and how far it turns on the way."""
    u, theta = shown.lead["u"], shown.lead["theta"]
    verb = "falls" if abs(u[-1]) < abs(u[0]) else "rises"
    speeds = (number(float(u[0]), "m/s", 3), number(float(u[-1]), "m/s", 3))
    turn = number(degrees(abs(float(theta[-1] - theta[0]))), "°", 3)
    motion = sentence(f"The speed {verb} from ", speeds[0], " to ", speeds[1], " while the racer turns by ", turn, ".")
    return sentences.joined(motion, sentences.straying(shown, ("x", "y")))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, speed and turning now, energy drift, stability."""
    return (
        *numbers.energies(shown),
        numbers.followed("Speed now", shown.lead["u"], "m/s", shown, shown.first),
        numbers.followed("Turning now", shown.lead["omega"], "rad/s", shown, shown.first),
        *numbers.energy_drift(shown),
        *numbers.stability(shown),
    )[: numbers.MOST]


LAB = usual_lab(
    "roller_racer",
    Arrangement(
        places=("motion", "steering", "time"),
        behind=("drift",),
        words={
            "motion": {
                "title": "The racer and its path",
                "caption": "Speed becomes turning",
                "long": "Neither axle slips sideways. The path is that of the rear axle.",
                "short": "Path",
            },
            "time": {"title": "Speed and turning", "caption": "What one loses, the other gains"},
            "steering": {"caption": "How the steering swings back", "short": "Steering"},
        },
        layout="focus.motion",
        try_first="press play; then set the angle of the steering to 0 at the start.",
        sentence=said,
        readout=readout,
    ),
)
