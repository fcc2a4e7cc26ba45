"""What a lab shows right now: its state turned into problems and runs, each computed once."""

from dataclasses import dataclass, replace
from typing import Any

import nhviz
from callbacks.state import choices
from nhviz.analysis import drift
from nhviz.figures.style import THEMES, Orbit, Theme, thin
from nhviz.once import once
from nhviz.parameters import Choice, Parameter, finite_number, shown, used_or_default
from nhviz.problem import Problem, Trajectory, checked_parameters, find_method
from nhviz.registry import find
from nhviz.system import Component, System
from server import limits, service

SAMPLES = 2000
POINTS = 700
SMOOTH = 240


@dataclass(frozen=True)
class Session:
    """A state of a lab, in a theme."""

    state: dict[str, Any]
    theme_name: str

    @property
    def theme(self) -> Theme:
        """Colours and sizes."""
        return THEMES.get(self.theme_name, THEMES["light"])

    @once
    def system(self) -> System:
        """The lab's system."""
        return find(self.state["system"])

    @once
    def values(self) -> dict[str, float]:
        """All numbers of the state; raises ParameterError for what is none."""
        return {name: finite_number(name, value) for name, value in self.state["values"].items()}

    @once
    def params(self) -> dict[str, Any]:
        """The parameters among the values, checked; raises ParameterError."""
        return checked_parameters(self.system, None, used_or_default(self.system.parameters, self.values, self.values))

    @once
    def initial(self) -> dict[str, Any]:
        """The initial values among the values."""
        return used_or_default(self.system.initial, self.values, self.values)

    @once
    def components(self) -> dict[str, Component]:
        """What the runs have."""
        return {c.name: c for c in self.system.components_of(self.params)}

    @once
    def step(self) -> float:
        """The time step, checked; raises ParameterError."""
        return self.system.step.check(self.values["step"])

    @once
    def steps(self) -> int:
        """The number of steps; raises ParameterError."""
        return int(self.system.duration.check(self.values["duration"]) / self.step)

    @once
    def methods(self) -> list[str]:
        """The chosen methods, each once; raises ParameterError."""
        chosen = self.state["methods"]
        if not chosen:
            raise nhviz.ParameterError("Choose at least one method.", "methods")
        if len(set(chosen)) < len(chosen):
            raise nhviz.ParameterError("Choose each method once.", "methods")
        try:
            return [find_method(self.system, name).id for name in chosen]
        except nhviz.ParameterError as error:
            raise nhviz.ParameterError(str(error), "methods") from None

    @once
    def problems(self) -> dict[str, Problem]:
        """A checked problem for every chosen method; raises ParameterError."""
        return {method: self.problem(method) for method in self.methods}

    def problem(self, method: str) -> Problem:
        """The problem of one method, thinned to what a page can show."""
        every = max(1, -(-self.steps // SAMPLES))
        options = {o.name: self.option(o) for o in self.system.method(method).options}
        settings = (self.system.id, method, self.params, self.initial, self.step, self.values["duration"])
        return limits.admitted(Problem.create(*settings, every=every, options=options))

    def option(self, declared: Choice | Parameter) -> Any:
        """The value of an option: a choice, or a number, which for a gain is given in multiples of 1/step."""
        if isinstance(declared, Choice):
            return self.state["choices"][declared.name]
        value = self.values[declared.name]
        return value / self.step if declared.per_step else value

    def choice(self, name: str) -> str:
        """What a view of the lab is to show; raises ParameterError for what is not on offer."""
        allowed, chosen = choices(self.system.id)[name], self.state["choices"][name]
        if chosen not in allowed:
            raise nhviz.ParameterError(f"{name} must be one of {', '.join(allowed)}, not {shown(chosen)}.", name)
        return chosen

    @once
    def runs(self) -> dict[str, Trajectory]:
        """All chosen runs; the first is the one that moves."""
        return {method: service.run(problem) for method, problem in self.problems.items()}

    @property
    def lead(self) -> Trajectory:
        """The run that moves: the first chosen one."""
        return next(iter(self.runs.values()))

    @once
    def maps(self) -> dict[str, Trajectory]:
        """The runs of discrete methods."""
        return {name: orbit for name, orbit in self.runs.items() if self.discrete[name]}

    @once
    def discrete(self) -> dict[str, bool]:
        """Which chosen methods are maps."""
        return {name: self.system.method(name).discrete for name in self.problems}

    @once
    def stopped(self) -> str | None:
        """Why runs ended early, in one text."""
        reasons = [f"{name}: {orbit.stopped}" for name, orbit in self.runs.items() if orbit.stopped]
        return " ".join(reasons) or None

    @once
    def drifts(self) -> dict[str, dict[str, Any]]:
        """How far the quantities of each run have strayed."""
        return {name: drift.drifts(orbit) for name, orbit in self.runs.items()}

    @property
    def lead_drifts(self) -> dict[str, Any]:
        """The drifts of the run that moves."""
        return next(iter(self.drifts.values()))

    @property
    def remarks(self) -> list[str]:
        """What is worth knowing about the body, once, and about each run whose method has something to say."""
        own = [orbit for name, orbit in self.runs.items() if self.system.method(name).run_remarks]
        return list(dict.fromkeys(remark for orbit in own or [self.lead] for remark in orbit.remarks))

    def points(self, orbit: Trajectory) -> Any:
        """Which samples of a run are instants of the clock."""
        return thin(len(orbit), POINTS)

    def part(self, orbit: Trajectory, *names: str) -> tuple[Any, ...]:
        """Components of a run, or its times t, at the instants of the clock."""
        chosen = self.points(orbit)
        return tuple((orbit.t if name == "t" else orbit[name])[chosen] for name in names)

    def smooth(self, method: str) -> Trajectory:
        """A flow with enough samples for a smooth line."""
        problem = self.problems[method]
        if self.runs[method].stopped or problem.every > 1:
            return self.runs[method]
        finer = max(1, -(-SMOOTH // max(problem.steps, 1)))
        end = problem.steps * problem.step
        return (
            service.run(replace(problem, step=problem.step / finer, duration=end)) if finer > 1 else self.runs[method]
        )

    def orbit(self, method: str, *names: str) -> Orbit:
        """A run as pictures show it: a flow as a smooth line, a map at its instants."""
        moving = self.part(self.runs[method], *names)
        if self.discrete[method] or len(self.runs[method]) > POINTS:
            return Orbit(moving, moving, self.discrete[method])
        fine = self.smooth(method)
        stride = max(1, (len(fine) - 1) // max(len(self.runs[method]) - 1, 1))
        return Orbit(tuple(fine.t if name == "t" else fine[name] for name in names), moving, False, stride)

    def orbits(self, *names: str) -> dict[str, Orbit]:
        """All chosen runs as pictures show them."""
        return {method: self.orbit(method, *names) for method in self.runs}
