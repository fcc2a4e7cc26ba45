"""Sweeps worth a look: each a sweep, and two sentences that say what to see in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from nhviz.sweeps.value import Sweep


@dataclass(frozen=True)
class Preset:
    """A sweep with its name and two sentences.

    `at` holds the values of x and y at which it is read first, `marks` values whose lines mean something, each with a
    word for it.
    """

    id: str
    title: str
    words: str
    at: tuple[float, float]
    sweep: Mapping[str, Any] = field(hash=False)
    marks: tuple[tuple[float, str], ...] = ()

    def create(self, **others: Any) -> Sweep:
        """The sweep itself, or one that differs from it, as with fewer cells."""
        return Sweep.create(**{**self.sweep, **others})


PRESETS = (
    Preset(
        "steps",
        "Largest step of the top",
        "The more the first product of inertia couples the axes, the longer a step may be. The second one takes that "
        "back, and leaves a crease where it is zero.",
        (1.0, 0.5),
        {
            "system": "suslov", "quantity": "largest_step", "method": "moser_veselov",
            "x": ("I13", -3.0, 3.0, 121), "y": ("I23", -3.0, 3.0, 121),
        },
    ),
    Preset(
        "turn",
        "Turn of the limit axes",
        "The top comes from one permanent rotation and ends in another: this is the angle between both axes in space, "
        "its scattering angle. There are bodies, the dark eyes, that hardly change their axis.",
        (1.0, 0.5),
        {
            "system": "suslov", "quantity": "axes_angle", "method": "exact", "params": {"I33": 8.0},
            "x": ("I13", -2.5, 2.5, 121), "y": ("I23", -2.5, 2.5, 121),
        },
    ),
    Preset(
        "cusp",
        "Cusp of the sleigh",
        "A sleigh that is pushed backwards stops at a cusp and turns round; one that glides forwards has left its cusp "
        "behind. Blue is in the past, orange still to come.",
        (0.5, -1.2),
        {
            "system": "sleigh", "quantity": "cusp_time", "method": "exact",
            "x": ("p_theta", -1.5, 1.5, 121), "y": ("p_1", -2.4, 2.4, 121),
        },
    ),
    Preset(
        "rotations",
        "Rotations of the ball",
        "One step of the ball has several solutions: this counts the real ones. Outside of the ellipse there is none, "
        "and in the small sail there are four.",
        (0.2, -0.3),
        {
            "system": "sphere", "quantity": "branch_count", "method": "fedorov", "step": 1.0,
            "initial": {"gamma1": 2.0 / 7.0, "gamma2": 3.0 / 7.0, "gamma3": 6.0 / 7.0, "omega3": 0.2},
            "x": ("omega1", -1.2, 1.2, 301), "y": ("omega2", -1.2, 1.2, 301),
        },
    ),
    Preset(
        "tongues",
        "Locked tongues",
        "With vertical momentum the ball is a circle map, and this is how far it turns in a step. Along the orange "
        "line it locks at a sixth of a turn; to the left the map folds and ends.",
        (-0.61, 1.145),
        {
            "system": "sphere", "quantity": "rotation_number", "method": "fedorov",
            "params": {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2},
            "x": ("h", -0.98, -0.02, 193), "y": ("level", 0.835, 1.6, 154),
        },
        marks=((1.0 / 6.0, "1/6"),),
    ),
    Preset(
        "gains",
        "Stable gains",
        "Feedback pulls a run back to its integrals, the harder the larger the gain. Above the orange line Euler's "
        "scheme overshoots and is lost: a larger gain needs a smaller step.",
        (0.01, 63.2),
        {
            "system": "knife_edge", "quantity": "stability", "method": "feedback", "duration": 4.0,
            "options": {"base": "euler", "k2": 10.0, "k3": 10.0},
            "x": ("step", 0.001, 0.1, 81, "log"), "y": ("k1", 20.0, 2000.0, 81, "log"),
        },
        marks=((2.0, "2: the end of stability"),),
    ),
)  # fmt: skip


@lru_cache(maxsize=1)
def presets() -> dict[str, Preset]:
    """All of them by id."""
    return {preset.id: preset for preset in PRESETS}
