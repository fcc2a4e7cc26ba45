"""One system as a scene: errors against the step beside errors against time."""

from nhviz import registry
from nhviz.frame.records import Panel, Place, Scene, View
from nhviz.labs.convergence import pictures, words
from nhviz.labs.convergence.subjects import Subject
from nhviz.parameters import Choice, Parameter
from nhviz.problem import Problem
from nhviz.sweeps.value import Sweep

MOST_HALVINGS = 12
COLUMNS, ROWS = 41, 31


def scene(subject: Subject) -> Scene:
    """The scene of a system."""
    return Scene(
        id=subject.system,
        title=subject.title,
        try_first=subject.try_first,
        panels=(
            Panel(
                subject.system,
                variants=subject.ways,
                chosen=subject.chosen or subject.maps,
                values=subject.values,
                words={"step": {"meaning": "longest step", "symbol": r"\varepsilon_{longest}"}},
            ),
        ),
        views=(steps_view(subject), Place("by_time", (time_view(), table_view()))),
        grid=("by_step by_time",),
        readout=words.readout,
        sentence=words.said,
        notes=words.notes,
        clock=False,
        swept=swept,
    )


def steps_view(subject: Subject) -> View:
    """Errors against the step; in what, and how far the step is halved, is set here for all pictures."""
    asked = subject.buttons
    return View(
        "by_step",
        "Error against step",
        pictures.over_steps,
        options=(
            Choice("of", next(iter(asked)), tuple(asked), "of", tuple(asked.values())),
            Parameter(
                "halvings", float(subject.halvings), 2.0, float(MOST_HALVINGS),
                "how often the longest step is halved", "n", "halvings", whole=True,
            ),
        ),
        at_top=True,
        caption="Triangles: slopes at the shortest steps, above round-off",
        short="Steps",
    )  # fmt: skip


def time_view() -> View:
    """Errors against measured time."""
    return View(
        "by_time", "Error against time", pictures.over_time, short="Time", waits=True,
        caption="What a run takes on the server: measured once, the best of several",
    )  # fmt: skip


def table_view() -> View:
    """The numbers themselves."""
    return View("in_figures", "Numbers", pictures.table, kind="text", short="Numbers",
                caption="All errors, and the lines that give them")  # fmt: skip


def swept(problem: Problem) -> Sweep:
    """The order that is seen between a step and half of it, over the step and the first number of the body."""
    model = registry.find(problem.system)
    body = next(p for p in model.parameters if not p.whole)
    low, high = body.slider or (body.minimum, body.maximum)
    params = {name: value for name, value in problem.params if name != body.name}
    return Sweep.create(
        problem.system, "order", ("step", 0.01 * problem.step, problem.step, COLUMNS, "log"),
        (body.name, low, high, ROWS), problem.method, params, dict(problem.initial), None, problem.duration,
        dict(problem.options),
    )  # fmt: skip
