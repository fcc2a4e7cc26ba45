"""What a panel shows right now: a state turned into problems and runs, each computed once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from nhviz.analysis import drift, phase
from nhviz.analysis.steps import finite
from nhviz.figures import palette
from nhviz.figures.style import THEMES, Look, Orbit, Theme, picked, thin
from nhviz.frame.records import Panel, View
from nhviz.frame.state import POINTS, Admitted, State
from nhviz.once import once
from nhviz.parameters import used_or_default
from nhviz.problem import Problem, Trajectory, checked_parameters
from nhviz.shapes import Motion
from nhviz.simulate import simulate
from nhviz.system import Component, Method, System

Found = TypeVar("Found")
SMOOTH = 200
"""A flow is drawn through at least so many points."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A panel of a state, in a theme. Runs are keyed by variants.

    `run` makes runs and `admitted` limits them, as a server may want to; `beside` are all panels of the scene by name.
    """

    state: State
    panel: Panel
    theme_name: str = "light"
    run: Callable[[Problem], Trajectory] = simulate
    admitted: Admitted = lambda problem: problem
    beside: Mapping[str, "Shown"] = field(default_factory=dict)

    @property
    def theme(self) -> Theme:
        """Colours and sizes."""
        return THEMES.get(self.theme_name, THEMES["light"])

    @property
    def system(self) -> System:
        """The system of the panel."""
        return self.panel.model

    @once
    def values(self) -> dict[str, float]:
        """All numbers of the panel by their names."""
        return {name: self.state.number(self.panel.word(name)) for name in self.state.names(self.panel)}

    @once
    def params(self) -> dict[str, Any]:
        """The parameters, checked; raises ParameterError. Those of a problem have been."""
        for problem in self.problems.values():
            return dict(problem.params)
        return checked_parameters(self.system, None, used_or_default(self.system.parameters, self.values, self.values))

    @once
    def initial(self) -> dict[str, Any]:
        """The initial values."""
        return used_or_default(self.system.initial, self.values, self.values)

    @once
    def components(self) -> dict[str, Component]:
        """What the runs have."""
        return {c.name: c for c in self.system.components_of(self.params)}

    @property
    def step(self) -> float:
        """The time step."""
        return self.values["step"]

    def step_of(self, variant: str) -> float:
        """The time step of a variant, which may be a share of the panel's."""
        return self.problems[variant].step

    def choice(self, word: str) -> str:
        """What an option of a view says, by its word, such as locus.surface."""
        return str(dict(self.state.options)[word])

    @once
    def problems(self) -> dict[str, Problem]:
        """A checked problem for every chosen variant; raises ParameterError."""
        return self.state.problems(self.panel, self.admitted)

    @once
    def runs(self) -> dict[str, Trajectory]:
        """All chosen runs by variant, perhaps none; the first is the one that moves."""
        return {name: self.made(name) for name in self.problems}

    def made(self, variant: str) -> Trajectory:
        """A run. That of a flow with few instants is taken from its smooth line, so that it is computed once."""
        problem = self.problems[variant]
        if self.method(variant).discrete or refinement(problem) == 1:
            return self.run(problem)
        self.fine[variant] = self.run(refined(problem))
        return thinned(self.fine[variant], problem)

    @once
    def fine(self) -> dict[str, Trajectory]:
        """The smooth lines made so far, by variant."""
        return {}

    @once
    def looks(self) -> dict[str, Look]:
        """How each variant looks on this page."""
        slots = self.state.scene.slots
        keys = {way.id: self.panel.word(way.id) for way in self.panel.ways.values()}
        return {
            name: palette.look(self.theme, slots[key], key, self.panel.ways[name].label) for name, key in keys.items()
        }

    def method(self, variant: str) -> Method:
        """The method of a variant."""
        return self.system.method(self.panel.ways[variant].method)

    @property
    def first(self) -> str:
        """The variant that moves: the first chosen one; if none is, the first of all, which stands at its start."""
        return next(iter(self.problems), next(iter(self.panel.ways)))

    @property
    def lead(self) -> Trajectory:
        """The run that moves, or the start alone if none is chosen."""
        return self.runs[self.first] if self.runs else self.start

    @once
    def drawing(self) -> Motion:
        """What the system draws of the run that moves; only those that draw something are asked."""
        assert self.system.draw is not None
        return self.system.draw(self.lead)

    @once
    def start(self) -> Trajectory:
        """The start, as a run of no duration: what is drawn of a system that nothing moves."""
        problem = self.state.problem(self.panel, self.panel.ways[self.first], self.admitted)
        return self.run(replace(problem, duration=0.0))

    @once
    def maps(self) -> dict[str, Trajectory]:
        """The runs of discrete methods."""
        return {name: orbit for name, orbit in self.runs.items() if self.method(name).discrete}

    @once
    def drifts(self) -> dict[str, dict[str, Any]]:
        """How far the quantities of each run have strayed."""
        return {name: drift.drifts(orbit) for name, orbit in self.runs.items()}

    @property
    def remarks(self) -> list[str]:
        """What is worth knowing about the body, once, and about each run whose method has something to say."""
        own = [orbit for name, orbit in self.runs.items() if self.method(name).run_remarks]
        return list(dict.fromkeys(remark for orbit in own or [self.lead] for remark in orbit.remarks))

    @once
    def answers(self) -> dict[Callable[["Shown"], Any], Any]:
        """What has been asked of it so far."""
        return {}

    def remember(self, ask: Callable[["Shown"], Found]) -> Found:
        """What a function finds of it, found once."""
        if ask not in self.answers:
            self.answers[ask] = ask(self)
        return self.answers[ask]

    def points(self, orbit: Trajectory) -> Any:
        """Which samples of a run are instants of the clock."""
        return thin(len(orbit), POINTS)

    def part(self, orbit: Trajectory, *names: str) -> tuple[Any, ...]:
        """Components of a run, or its times t, at the instants of the clock."""
        chosen = self.points(orbit)
        return tuple(picked(orbit.t if name == "t" else orbit[name], chosen) for name in names)

    @once
    def tracks(self) -> dict[str, Any]:
        """The instants of each run, by the key of its variant; without runs that of the start."""
        runs = self.runs or {self.first: self.start}
        return {self.looks[name].key: self.part(orbit, "t")[0] for name, orbit in runs.items()}

    @once
    def phases(self) -> dict[str, Any]:
        """The phases of each map and of the flow beside it, and the flow's sense, where there is a phase."""
        return {name: phase.phases(orbit) for name, orbit in self.maps.items()} if self.system.plane else {}

    @once
    def leads(self) -> dict[str, Any]:
        """The phase lead of each map against the flow."""
        return {name: sense * (here - there) for name, (here, there, sense) in self.phases.items()}

    @once
    def largest_steps(self) -> dict[str, float | None]:
        """Largest admissible steps of the chosen maps at the start, by variant; None where there is no bound.

        They are steps of the panel: one of which a variant takes a share may be longer.
        """
        bounds: dict[str, float | None] = {}
        for method in {self.method(name).id: self.method(name) for name in self.maps}.values():
            bound = method.bound
            if bound is not None and bound.at_energy is not None:
                bounds[method.id] = bound.at_energy(self.params, float(self.lead.quantity("energy")[0]))
            elif bound is not None and bound.at_start is not None:
                bounds[method.id] = finite(bound.at_start(self.params, dict(self.lead.problem.initial)))
        found = {name: bounds[self.method(name).id] for name in self.maps if self.method(name).id in bounds}
        return {name: most and most / self.panel.ways[name].share for name, most in found.items()}

    def smooth(self, variant: str) -> Trajectory:
        """A flow with enough samples for a smooth line, unless it ended early."""
        if not self.runs:
            return self.start
        run = self.runs[variant]
        return run if run.stopped else self.fine.get(variant, run)

    def orbit(self, variant: str, *names: str) -> Orbit:
        """A run as pictures show it: a flow as a smooth line, a map at its instants."""
        moving, look = self.part(self.runs[variant], *names), self.looks[variant]
        discrete, stopped = self.method(variant).discrete, self.runs[variant].stopped is not None
        if discrete or len(self.runs[variant]) > POINTS:
            return Orbit(moving, moving, look, discrete, stopped=stopped)
        fine = self.smooth(variant)
        stride = max(1, (len(fine) - 1) // max(len(self.runs[variant]) - 1, 1))
        drawn = tuple(fine.t if name == "t" else fine[name] for name in names)
        return Orbit(drawn, moving, look, False, stride, stopped)

    def orbits(self, *names: str) -> list[Orbit]:
        """All chosen runs as pictures show them; if none is, the start alone, in the colour of what is given."""
        if self.runs:
            return [self.orbit(variant, *names) for variant in self.runs]
        place = self.part(self.start, *names)
        return [Orbit(place, place, Look(self.looks[self.first].key, "start", self.theme.ink, "circle"), True)]


def refinement(problem: Problem) -> int:
    """How many samples a smooth line has for each step: a power of two, so that it has all times of the steps."""
    if problem.every > 1 or problem.steps == 0:
        return 1
    return 1 << (-(-SMOOTH // problem.steps) - 1).bit_length()


def refined(problem: Problem) -> Problem:
    """The problem of a smooth line."""
    return replace(problem, step=problem.step / refinement(problem), duration=problem.steps * problem.step)


def thinned(fine: Trajectory, problem: Problem) -> Trajectory:
    """The run of a problem, from that of its smooth line, which has its times exactly.

    An integrated flow is the same to the last bit, a closed form that is summed over its samples up to round-off.
    """
    stride = fine.problem.steps // problem.steps
    parts = {name: values[::stride].copy() for name, values in fine.components.items()}
    return Trajectory(problem, fine.t[::stride].copy(), parts, fine.stopped)


def panels(
    state: State,
    theme: str = "light",
    run: Callable[[Problem], Trajectory] = simulate,
    admitted: Admitted = lambda problem: problem,
) -> dict[str, Shown]:
    """All panels of a state by name."""
    found: dict[str, Shown] = {}
    for panel in state.scene.panels:
        found[panel.name] = Shown(state, panel, theme, run, admitted, found)
    return found


def of_view(shown: Mapping[str, Shown], view: View) -> Shown:
    """The panel that a view shows; the first, unless it names one."""
    return shown[view.panel] if view.panel in shown else next(iter(shown.values()))


def visible(state: State) -> dict[str, View]:
    """The view that each place of the page shows now."""
    tabs, places = dict(state.tabs), state.scene.places
    chosen = {state.layout: places[state.layout]} if state.layout in places else places
    return {
        name: next((view for view in place.views if view.id == tabs.get(name)), place.views[0])
        for name, place in chosen.items()
    }
