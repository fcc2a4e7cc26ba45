"""One momentum allows several next positions: how many, over all verticals and all steps, and what they are."""

from collections.abc import Mapping

import numpy as np

from nhviz.figures import balls, counts
from nhviz.frame.records import Key, Panel, Place, Scene, Step, Variant, View
from nhviz.frame.said import Said, Sentence, Statistic, number, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.labs.sphere.all_rotations import along, bodies, counted, globe, merges, plane
from nhviz.labs.sphere.here import PRINCIPAL, Here, Rotation, followed, here, start_of
from nhviz.maps import sphere_branches, sphere_starts
from nhviz.parameters import Choice, ParameterError
from nhviz.system import Values
from nhviz.views import texts

FOLLOWED = ("principal", "1", "2", "3", "4", "5", "6", "7", "8")
BODY = {"J1": 0.01, "J2": 0.2, "J3": 0.8, "m": 300.0, "rho": 1.0}
MOMENTUM, VERTICAL = (0.594, -0.23, 0.217), (0.540165, 0.700499, 0.466394)
EIGHT = {"J1": 7.0 / 20.0, "J2": 5.0 / 8.0, "J3": 7.0 / 13.0, "m": 5343.0 / 8.0, "rho": 1.0}
"""CS, corrections: a momentum with eight real rotations, exactly."""
EIGHT_AT = (1.0 / 47.0, 0.0, 9.0 / 49.0), (-300.0 / 649.0, -540.0 / 649.0, 199.0 / 649.0)


ELSEWHERE = Said("On {share 0} of the globe there is none, on {share 2} there are two, on {share 4} four.", "coming")


def start_on_globe(shown: Shown, x: float, y: float, z: float) -> Mapping[str, float]:
    """The vertical that was clicked; K stays as it is in the body."""
    gamma = np.array([x, y, z])
    if not gamma.any():
        raise ParameterError(sphere_branches.NO_DIRECTION, "gamma1")
    return start_of(shown.params, gamma / np.linalg.norm(gamma), here(shown).k)


def start_in_plane(shown: Shown, step: float, angle: float) -> Mapping[str, float]:
    """The step that was clicked, and K turned to the angle that was clicked."""
    if not (step > 0.0 and 0.0 <= angle <= 180.0):
        raise ParameterError("A step is above 0, and the angle of K to the vertical is from 0° to 180°.", "step")
    point = here(shown)
    k = sphere_starts.turned(point.gamma, point.k, np.asarray(np.radians(angle)))
    return {"step": step} | start_of(shown.params, point.gamma, k)


def step_in_merges(shown: Shown, step: float, angle: float) -> Mapping[str, float]:
    """The step that was clicked."""
    if not step > 0.0:
        raise ParameterError("A step is above 0.", "step")
    return {"step": step}


def follow_in_row(shown: Shown, x: float, y: float) -> Mapping[str, str]:
    """The ball that was clicked is followed."""
    rotations = here(shown).rotations
    number = balls.number_at(len(rotations), x, y)
    if number is None:
        raise ParameterError("There is no ball: click one of them to follow its rotation.", "bodies.follow")
    return {"bodies.follow": PRINCIPAL if rotations[number].principal else str(number + 1)}


def said(shown: Shown) -> Sentence:
    """How many rotations there are here, how much of the globe has how many, and where another one leads."""
    point, one = here(shown), followed(shown, here(shown))
    count = len(point.rotations)
    words = f"{count} real rotations" if count else "no real rotation"
    sure = all(each.certified for each in point.rotations)
    proof = ", all certified. " if count and sure else ", not all certified. " if count else ". "
    parts: list[str | Said] = ["Here a step has ", number(words), proof]
    if one is not None and not one.principal:
        angle = number(readable(float(np.degrees(one.angle)), 5), "°")
        parts += [
            "The one that is followed turns by ",
            angle,
            " to the vertical ",
            number(coordinates(one, point)),
            ".",
        ]
        return sentence(*parts)
    return sentence(*parts, ELSEWHERE) if point.k.any() else sentence("At rest the ball stays as it is.")


def coordinates(one: Rotation, point: Here) -> str:
    """The vertical in the body after a rotation, gamma' = Omega^T gamma (CS (5.3))."""
    return f"({', '.join(readable(float(part), 3) for part in one.matrix.T @ point.gamma)})"


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """How many rotations there are here and along the run, whether that is proved, the largest step, what is next."""
    point, one = here(shown), followed(shown, here(shown))
    sure = [each.certified for each in point.rotations]
    proved = Statistic("Certified", f"{round(100.0 * float(np.mean(sure)))}" if sure else "100", "%")
    largest = Statistic("Largest step here", readable(point.largest), "s") if np.isfinite(point.largest) else None
    onward = None if one is None else Statistic("Next vertical", coordinates(one, point), rare=True)
    found = (Statistic("Here", str(len(point.rotations)), "of 8 complex"), *now(shown), proved, largest, onward)
    return tuple(each for each in found if each is not None)


def now(shown: Shown) -> list[Statistic]:
    """How many rotations there are at the clock's instant, where vertical and momentum have moved on in the body."""
    found = {shown.looks[name].key: counted(shown, name) for name in shown.runs}
    return [Statistic("Now", f"{values[0]:.0f}", "real", key, values, size=True) for key, values in found.items()]


def told(params: Values, k: tuple[float, ...], gamma: tuple[float, ...]) -> dict[str, float]:
    """The start of a ball with a momentum and a vertical, in nine digits, as an address tells it."""
    up = np.array(gamma) / np.linalg.norm(gamma)
    return {name: float(f"{value:.9g}") for name, value in start_of(params, up, np.array(k)).items()}


def link(params: Values, k: tuple[float, ...], gamma: tuple[float, ...], step: float) -> str:
    """The address of a ball with a momentum, a vertical and a step."""
    values = {**params, **told(params, k, gamma), "step": step}
    return "sphere?scene=branches&" + "&".join(f"{name}={value:.9g}" for name, value in values.items())


LEGEND = (
    *(
        Key(f"{count} rotations" if count == 0 else str(count), light, dark)
        for count, light, dark in zip(counts.COUNTS, counts.LIGHT_SET, counts.DARK_SET, strict=True)
    ),
    Key("Principal fold"),
)
START = told(BODY, MOMENTUM, VERTICAL)
SCENE = Scene(
    id="branches",
    title="Branches",
    summary="One momentum allows several next positions: 0, 2, 4, 6 or 8 rotations. "
    "The principal one grows out of rest.",
    try_first="click the globe, then raise the step.",
    panels=(
        Panel(
            "sphere",
            variants=(Variant("fedorov", "fedorov", "Principal"),),
            values={**BODY, **START, "step": 1.0, "duration": 20.0},
            start="momenta",
        ),
    ),
    views=(
        View(
            "globe", "Real rotations", globe, kind="space", start=start_on_globe, waits=True, short="Globe",
            caption="over all verticals γ; in the ink curve the principal one is lost",
            long="Colours: K as at the start. Dots: where γ and K go in the body. A click takes the ball there.",
        ),
        View(
            "plane", "Step and momentum", plane, start=start_in_plane, short="Plane",
            caption="At the dot, K turned towards γ; a click sets both",
            long="Beyond the ink curve the principal rotation is lost. K keeps its angle to γ along a run.",
        ),
        View(
            "merges", "What merges", merges, start=step_in_merges, short="Merging", caption="Rotations end in pairs",
            long="As the step grows two rotations meet at a fold and are gone. A click sets the step.",
        ),
        Place(
            "detail",
            (
                View(
                    "bodies", "All next positions", bodies, start=follow_in_row, short="Bodies",
                    caption="Each ball after its step, with its axis",
                    options=(
                        Choice("follow", PRINCIPAL, FOLLOWED, "rotation to follow", ("principal", *"12345678")),
                    ),
                ),
                View("along_run", "Along the run", along, short="Run", caption="How many rotations each step has"),
                *texts.text_views(branches=True),
            ),
        ),
    ),
    grid=(*["globe globe globe globe globe globe globe plane plane plane plane plane"] * 3,
          *["merges merges merges merges merges detail detail detail detail detail detail detail"] * 2),
    readout=readout,
    sentence=said,
    legend=LEGEND,
)  # fmt: skip

EXPERIMENTS = (
    Step(
        "All five counts",
        "A heavy core: 0, 2, 4, 6 and 8 rotations all occur on one globe. Click the darkest spot.",
        link(BODY, MOMENTUM, VERTICAL, 1.0),
    ),
    Step(
        "The fold",
        "Almost the largest step: the principal rotation and the one that merges with it are nearly the same.",
        link(BODY, MOMENTUM, VERTICAL, 2.8),
    ),
    Step("Eight at once", "All eight rotations are real here; CS says at most four.", link(EIGHT, *EIGHT_AT, 1.0)),
)
