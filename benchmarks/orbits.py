"""One long orbit of each map and of two feedback integrators, against C and against a loop of fsolve."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import nhviz
from benchmarks import native, solvers
from benchmarks.agree import require
from benchmarks.clock import best
from benchmarks.table import Row

STEPS = 200_000
SOLVER_STEPS = 2_000


@dataclass(frozen=True)
class Case:
    """A method, the step at which it runs, its peers and how well they agree, how many steps, and what the run shows.

    Peers get the options named in `gains`; `name` is the title of a case that its method and steps do not tell.
    """

    system: str
    method: str
    step: float
    in_c: Callable
    target: float
    tolerance: float = 1e-9
    steps: int = STEPS
    shows: str = ""
    by_fsolve: Callable | None = None
    gains: tuple[str, ...] = ()
    name: str = ""

    @property
    def title(self) -> str:
        """The beginning of the title of its rows."""
        return self.name or ", ".join(filter(None, (self.method, f"{self.steps:,} steps", self.shows)))

    def problem(self, steps: int) -> nhviz.Problem:
        """The run of that many steps from the system's defaults."""
        return nhviz.Problem.create(self.system, self.method, step=self.step, duration=self.step * steps)

    def simulate(self, steps: int) -> nhviz.Trajectory:
        """The run by nhviz, described anew as a user would."""
        return nhviz.simulate(self.system, self.method, step=self.step, duration=self.step * steps)

    def peer(self, function: Callable, steps: int) -> Callable:
        """The same run by a peer."""
        problem = self.problem(steps)
        options = dict(problem.options)
        gains = {name: options[name] for name in self.gains}
        return partial(function, dict(problem.params), dict(problem.initial), self.step, steps, **gains)


SUSLOV = partial(Case, "suslov", "moser_veselov", in_c=native.suslov_orbit, by_fsolve=solvers.suslov_orbit, target=8.0)
SLEIGH = partial(Case, "sleigh", "fedorov_zenkov", in_c=native.sleigh_orbit, by_fsolve=solvers.sleigh_orbit, target=2.5)
MOVING = (SUSLOV(step=1.0 / STEPS, shows="transition"), SLEIGH(step=20.0 / STEPS, shows="transition"))
SETTLED = (SUSLOV(step=0.015, shows="settled"), SLEIGH(step=0.1, shows="settled"))
# The phases of the ball drift apart with the round-off of every step, by 5e-10 in all.
ROLLING = Case("sphere", "fedorov", 0.1, native.sphere_orbit, target=3.0, tolerance=1e-8, steps=100_000)
EULER = f"{STEPS:,} Euler steps"
FEEDBACK = (
    Case(
        "roller_racer", "feedback", 1e-4, native.racer_feedback, target=3.0, gains=("k1", "k2", "k3"),
        name=f"feedback, roller_racer, {EULER}",
    ),
    Case(
        "suslov", "feedback", 1e-4, native.suslov_feedback, target=3.0, gains=("k0", "k1", "k2"),
        name=f"feedback, suslov with R, {EULER}",
    ),
)  # fmt: skip


def against_c(case: Case, repeats: int) -> Row:
    """The time of one orbit over that of C."""
    ours, peer = partial(case.simulate, case.steps), case.peer(case.in_c, case.steps)
    require(peer(), ours().components, case.tolerance)
    times = best({"ours": ours, "C": peer}, repeats)
    return Row(
        f"{case.title}, against C",
        times["ours"] / times["C"],
        target=case.target,
        details={"ours ns/step": 1e9 * times["ours"] / case.steps, "C ns/step": 1e9 * times["C"] / case.steps},
    )


def against_fsolve(case: Case, repeats: int) -> Row:
    """The time of the loop, per step, over that of nhviz."""
    if case.by_fsolve is None:
        raise ValueError(f"{case.method} has no loop of fsolve.")
    ours, peer = partial(case.simulate, case.steps), case.peer(case.by_fsolve, SOLVER_STEPS)
    require(peer(), case.simulate(SOLVER_STEPS).components, 1e-6)
    times = best({"ours": ours, "fsolve": peer}, repeats)
    loop = times["fsolve"] * case.steps / SOLVER_STEPS
    return Row(
        f"{case.title}, speed-up over fsolve",
        loop / times["ours"],
        target=500.0,
        at_most=False,
        details={"ours ms": 1e3 * times["ours"], "fsolve ms": 1e3 * loop},
    )


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    for case in (*MOVING, *SETTLED, ROLLING, *FEEDBACK):
        yield against_c(case, repeats)
    for case in MOVING:
        yield against_fsolve(case, repeats)
