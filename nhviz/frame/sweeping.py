"""From a lab to a sweep: the system, the map and the values of a state, with the axes that matter most."""

from urllib.parse import parse_qsl, urlencode

from nhviz import registry
from nhviz.frame import find
from nhviz.frame.records import Panel
from nhviz.frame.state import Admitted, State
from nhviz.parameters import ParameterError
from nhviz.problem import Problem
from nhviz.sweeps import link
from nhviz.sweeps.opening import opening
from nhviz.sweeps.value import Sweep

LAB = "lab"
"""The word of a link that names a lab; all its other words are those of the lab."""


Spot = tuple[float | None, ...]
"""The values of x and y at which a map is read first."""


def read(text: str | None, admitted: Admitted = lambda problem: problem) -> tuple[Sweep, list[str], Spot]:
    """The sweep of a link, a sentence for everything that could not be used, and where it is read first.

    The link may be that of a lab; then its map is read where the lab is.
    """
    pairs = parse_qsl((text or "").lstrip("?"), keep_blank_values=True)
    name = dict(pairs).get(LAB)
    if name is None:
        return *link.read(text), ()
    if name not in find.labs():
        return link.read(None)[0], [f"The link names a lab that does not exist: {name[:20]!r}."], ()
    rest = urlencode([(word, value) for word, value in pairs if word != LAB])
    state, complaints = State.from_query(find.lab(name), rest, admitted)
    problem = problem_of(state, state.scene.panels[0])
    sweep = (state.scene.swept or of_problem)(problem)
    return sweep, complaints, spot(sweep, problem)


def spot(sweep: Sweep, problem: Problem) -> Spot:
    """The values of a problem along the axes of a sweep; None for an axis that a problem does not have."""
    values = {**dict(problem.params), **dict(problem.initial), **dict(problem.options), "step": problem.step}
    return tuple(values.get(axis.name) for axis in (sweep.x, sweep.y) if axis)


def problem_of(state: State, panel: Panel) -> Problem:
    """The problem of the variant that is swept: the first chosen map, or the first method if no map is chosen.

    A map that leaves all numbers to the controls comes before one that has some of its own.
    """
    ways = state.chosen(panel) or list(panel.ways.values())
    discrete = [way for way in ways if panel.model.method(way.method).discrete]
    free = [way for way in discrete if not any(isinstance(value, float) for value in way.options.values())]
    return state.problem(panel, (free or discrete or ways)[0], lambda problem: problem)


def of_problem(problem: Problem) -> Sweep:
    """The usual sweep of its system and method, with everything else as in the problem."""
    first = opening(registry.find(problem.system), method=problem.method)
    swept = [axis.name for axis in (first.x, first.y) if axis]

    def kept(pairs: tuple[tuple[str, object], ...]) -> dict[str, object]:
        return {name: value for name, value in pairs if name not in swept}

    step = None if "step" in swept else problem.step
    try:
        return Sweep.create(
            first.system, first.quantity, first.x, first.y, first.method, kept(problem.params), kept(problem.initial),
            step, problem.duration, kept(problem.options),
        )  # fmt: skip
    except ParameterError:
        # A body of fewer dimensions does not have all that is swept.
        return first
