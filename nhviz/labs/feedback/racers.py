"""The systems that race: with which numbers each opens, what is compared with the truth, and what else may run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import pi

from nhviz import registry
from nhviz.figures.palette import PULLED, PULLED_MORE
from nhviz.frame.records import Variant
from nhviz.system import Method, System

METHOD = "feedback"
EULER, PULLED_EULER, RK4, PULLED_RK4 = "euler", "euler_feedback", "rk4", "rk4_feedback"
PLAIN_OF = {PULLED_EULER: EULER, PULLED_RK4: RK4}
"""The schemes with feedback, each with the plain one that it is compared with."""
LABELS = {"dla": "DLA"}
"""What maps are called where there is little room."""
PULL = 0.1
"""Gain times step when the page opens."""
MAPS = (7, 8, 9)
"""The colours of discrete maps, which leave those of the schemes alone."""


@dataclass(frozen=True)
class Racer:
    """What is special to a system in the race.

    `values` differ from its own defaults. The error against the truth is that of its `part`: "Path" or "Attitude". One
    that `is_flat` moves in the plane.
    `telling` is the view that is seen first below the details: of a system that recurs its section, of others the level
    set, and where that is a point, because momenta stay as they are, what tells why the pull does not help.
    `maps` are discrete maps of the system that may run, too; `slots` ask for certain colours of them. `too_much` is a
    pull past the bound of Euler's scheme.
    """

    system: str
    title: str
    caption: str
    try_first: str
    values: Mapping[str, float] = field(default_factory=dict)
    part: str = "Path"
    is_flat: bool = False
    maps: tuple[str, ...] = ()
    too_much: float = 0.6
    slots: Mapping[str, int] = field(default_factory=dict)
    telling: str = "level_set"

    @property
    def model(self) -> System:
        """The declarations of its system."""
        return registry.find(self.system)


RACERS = {
    one.system: one
    for one in (
        Racer(
            "roller_racer",
            "Roller racer",
            "Ink: the truth. Ghosts: where the others think it is",
            "raise the pull to its bound.",
            {"theta": -pi / 2.0, "step": 0.1, "duration": 20.0},
            is_flat=True,
        ),
        Racer(
            "sleigh",
            "Chaplygin sleigh",
            "A blade on ice. Ghosts: where the others think it is",
            "compare with Fedorov–Zenkov, which needs no pull.",
            {"step": 0.1, "duration": 10.0},
            is_flat=True,
            maps=("fedorov_zenkov", "midpoint", "naive"),
            too_much=0.76,
        ),
        Racer(
            "knife_edge",
            "Knife edge",
            "A blade on a slope. Ghosts: where the others think it is",
            "set the spin to 0: the pull must fail in the end.",
            {"step": 0.1, "duration": 20.0},
            too_much=1.1,
            telling="section",
        ),
        Racer(
            "rolling_disk",
            "Rolling coin",
            "The coin and its contact path. Ghosts: where the others think it is",
            "halve the step: Euler's circle shrinks, with or without the pull.",
            {"step": 0.2, "duration": 12.0},
            too_much=2.2,
            telling="order",
        ),
        Racer(
            "suslov",
            "Suslov top",
            "The turning body. Ghosts: where the others think it is",
            "choose Euler alone: its body grows.",
            {
                "I11": 1.0, "I22": 1.0, "I33": 2.0, "I13": 0.0, "I23": 1.0, "M1": 0.0, "M2": 1.0, "step": 0.05,
                "duration": 10.0,
            },
            part="Attitude",
            maps=("moser_veselov", "cayley"),
            too_much=0.84,
        ),
        Racer(
            "heisenberg",
            "Heisenberg system",
            "A straight line through planes that tilt",
            "lengthen the run until the pull loses it.",
            {"step": 0.05, "duration": 2.0},
            too_much=0.2,
            telling="stability",
        ),
        Racer(
            "oscillator",
            "Oscillator",
            "A particle on a spring. Ghosts: where the others think it is",
            "switch DLA on, and look at the section.",
            {"step": 0.05, "duration": 20.0},
            maps=("dla",),
            slots={"dla": 1},
            too_much=0.6,
            telling="section",
        ),
    )
}  # fmt: skip


def gains(method: Method) -> tuple[str, ...]:
    """The gains of a feedback, which grow as 1/step."""
    return tuple(option.name for option in method.options if getattr(option, "per_step", False))


def ways(racer: Racer) -> tuple[Variant, ...]:
    """The truth, Euler's scheme and that of Runge and Kutta, each plain and with feedback, and the maps."""
    model = racer.model
    plain = {**dict.fromkeys(gains(model.method(METHOD)), 0.0), "pull": 1.0}
    schemes = (
        Variant(EULER, METHOD, "Euler", {"base": "euler", **plain}, slot=4),
        Variant(PULLED_EULER, METHOD, "Euler + feedback", {"base": "euler"}, slot=PULLED),
        Variant(RK4, METHOD, "RK4", {"base": "rk4", **plain}, slot=3),
        Variant(PULLED_RK4, METHOD, "RK4 + feedback", {"base": "rk4"}, slot=PULLED_MORE),
    )
    maps = (
        Variant(name, label=LABELS.get(name, ""), slot=racer.slots.get(name, slot))
        for name, slot in zip(racer.maps, MAPS, strict=False)
    )
    return (Variant(model.truth.id, slot=0), *schemes, *maps)


def values(racer: Racer) -> dict[str, float]:
    """The numbers with which it opens. All gains are 1/step, so that the pull on them is gain times step."""
    return {**dict.fromkeys(gains(racer.model.method(METHOD)), 1.0), "pull": PULL, **racer.values}


def opening(racer: Racer) -> tuple[str, ...]:
    """What runs at first: the truth and the four schemes."""
    return (racer.model.truth.id, EULER, PULLED_EULER, RK4, PULLED_RK4)
