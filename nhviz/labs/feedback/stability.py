"""How near the pulled runs of the race come to the bound of their scheme, and the map of drifts from here."""

from collections.abc import Sequence
from dataclasses import replace

from nhviz import registry
from nhviz.figures import stability as stabilities
from nhviz.figures.style import Picture
from nhviz.frame.said import readable
from nhviz.frame.shown import Shown
from nhviz.labs.feedback.attraction import is_pulled
from nhviz.labs.feedback.racers import METHOD, gains
from nhviz.methods.feedback import PULL
from nhviz.methods.stability import BOUNDS
from nhviz.problem import Problem
from nhviz.sweeps.axis import Axis
from nhviz.sweeps.value import Sweep
from nhviz.system import Array
from nhviz.views import numbers

CELLS = 41
MEASURES = {"rolling_disk": "stability"}
AROUND = 10.0
"""Steps and pulls of the map are from so many times smaller than the present ones to as many times larger."""
USUAL = 0.1
"""The pull of the map of a scheme that has none."""


def stability(shown: Shown) -> Picture:
    """The stability number of each pulled run, and its bound."""
    found = [number(shown, name) for name in shown.runs if is_pulled(shown, name)]
    clock = (shown.looks[shown.first].key, shown.part(shown.lead, "t")[0])
    return stabilities.stability(shown.theme, found, clock, verdict(found))


def verdict(found: Sequence[stabilities.Number]) -> str:
    """Whether runs are within their bounds, and if not, whether one is lost."""
    if not found:
        return "nothing pulls: raise the pull"
    if any(one.stopped for one in found):
        return "lost: see the dashed line"
    beyond = any((one.values > one.bound).any() for one in found)
    return "beyond, and yet it arrives" if beyond else "within its bounds"


def number(shown: Shown, variant: str) -> stabilities.Number:
    """The stability number along a run, with the largest pull that is stable along the motion."""
    orbit, look = shown.runs[variant], shown.looks[variant]
    bound = BOUNDS[str(dict(orbit.problem.options)["base"])]
    most = numbers.stable_pull(shown, variant)
    pull = "no bound" if most is None else f"pull {readable(most, 3)}"
    lost = orbit.stopped is not None
    return stabilities.Number(
        look,
        shown.part(orbit, "t")[0],
        orbit.quantity("stability")[shown.points(orbit)],
        bound,
        f"{look.label} < {bound:.4g}: {pull}",
        lost,
        along_motion(shown, variant) if lost else None,
    )


def along_motion(shown: Shown, variant: str) -> tuple[Array, Array]:
    """Times and the stability number of a variant along the motion itself."""
    motion = numbers.along(shown, variant)
    chosen = shown.points(motion)
    problem = replace(shown.problems[variant], every=motion.problem.every)
    beside = replace(motion, problem=problem, known={}, peaks={})
    return motion.t[chosen], beside.quantity("stability")[chosen]


def swept(problem: Problem) -> Sweep:
    """The drift of the energy over step and pull, about those of a problem, with its gains as they are.

    A plain scheme is swept with gains of 1/step. A disk keeps its energy whatever pulls: of it the stability number is
    swept.
    """
    model = registry.find(problem.system)
    own, names = dict(problem.options) if problem.method == METHOD else {}, gains(model.method(METHOD))
    is_plain = not any(own.get(name) for name in names)
    kept = {name: 1.0 / problem.step if is_plain else own[name] for name in names}
    others = {name: value for name, value in own.items() if name not in (*names, "pull")}
    low, high = max(problem.step / AROUND, model.step.minimum), min(problem.step * AROUND, model.step.maximum)
    pull = USUAL if is_plain else own["pull"] or USUAL
    return Sweep.create(
        model.id, MEASURES.get(model.id, "energy_drift"), Axis("step", low, high, CELLS, True),
        Axis("pull", pull / AROUND, min(pull * AROUND, PULL.maximum), CELLS, True), METHOD, dict(problem.params),
        dict(problem.initial), None, problem.duration, kept | others,
    )  # fmt: skip
