"""Poincare sections of the race: that of the oscillator over its exact ellipses, and any plane of the other systems."""

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from nhviz import registry
from nhviz.analysis import turns
from nhviz.analysis.oscillator_section import ReturnMap, return_map
from nhviz.analysis.sections import Section, section
from nhviz.figures import crossings
from nhviz.figures.crossings import Crossings
from nhviz.figures.style import Picture
from nhviz.figures.symbols import label
from nhviz.frame.records import View
from nhviz.frame.shown import Shown
from nhviz.parameters import Choice, Parameter, ParameterError
from nhviz.problem import Problem, Trajectory
from nhviz.system import Array
from nhviz.views.pictures import written

FINE = 40_000
"""A crossing is looked for between so many samples of a run at most; the clock has fewer."""
MOST = 2000
"""So many crossings at most are drawn."""
LONG, SOON = 400.0, 8000
"""The section of the oscillator goes on after a short race: to this time, if that takes no more steps than these."""


@dataclass(frozen=True)
class Plane:
    """With which plane the section of a system opens, which two components it shows, and what is seen there."""

    of: str
    level: float
    across: str
    up: str
    caption: str


PLANES = {
    "roller_racer": Plane("y", -1.0, "x", "omega", "Where it comes by again"),
    "sleigh": Plane("p_1", 0.0, "x", "y", "Where the sleigh turns round"),
    "knife_edge": Plane("v", 0.0, "x", "y", "The cusps of its path"),
    "rolling_disk": Plane("y", 2.0, "x", "theta", "Where the coin comes by again"),
    "suslov": Plane("M2", 0.5, "M1", "M3", "Momenta on their way"),
    "heisenberg": Plane("z", 0.0, "x", "y", "Where the line passes its level"),
}
WAYS = {"both": 0, "up": 1, "down": -1}


def view(system_id: str) -> View:
    """The section of a system as a view."""
    if system_id not in PLANES:
        return View(
            "section",
            "Poincaré section",
            of_oscillator,
            caption="y = 0, y' > 0; ink: the exact ellipses",
            short="Section",
            long="Crossings come with the clock, between steps by cubics; after a short race the runs go on to 400 s.",
            waits=True,
        )
    plane = PLANES[system_id]
    scalars = tuple(c.name for c in registry.find(system_id).components if not c.shape)
    return View(
        "section",
        "Poincaré section",
        partial(of_plane, plane=plane),
        caption=plane.caption,
        short="Section",
        options=(
            Choice("of", plane.of, scalars, "component that passes a level"),
            Parameter("level", plane.level, -1e6, 1e6, "the level that it passes", "", "", (-2.0, 2.0)),
            Choice("way", "both", tuple(WAYS), "upwards, downwards, or both"),
            Choice("across", plane.across, scalars, "component shown to the right"),
            Choice("up", plane.up, scalars, "component shown upwards"),
        ),
        waits=True,
    )


def finer(problem: Problem) -> Problem:
    """The same run with enough samples for its crossings."""
    return replace(problem, every=-(-problem.steps // FINE) if problem.steps > FINE else 1)


def fine_run(shown: Shown, variant: str) -> Trajectory:
    """A run with enough samples for its crossings: that of the page, if it keeps all of its steps."""
    problem = shown.problems[variant]
    return shown.runs[variant] if problem.every == 1 else shown.run(finer(problem))


def lasting(shown: Shown) -> float:
    """How long the section of the oscillator is looked at: a race is over before there is much to see."""
    duration = float(shown.values["duration"])
    return max(duration, min(LONG, SOON * shown.step)) if duration > 0.0 else 0.0


def longer(shown: Shown, variant: str) -> Trajectory:
    """A run for so long."""
    long = lasting(shown)
    if long == shown.values["duration"]:
        return fine_run(shown, variant)
    return shown.run(finer(replace(shown.problems[variant], duration=long)))


def counted(shown: Shown, variant: str, times: Array, faster: float = 1.0) -> Array:
    """How many crossings there are at each instant of the clock, which may be so much slower than the crossings."""
    return np.searchsorted(times, faster * shown.part(shown.runs[variant], "t")[0] + 1e-9, side="right")


@lru_cache(maxsize=64)
def exact_section(initial: tuple[tuple[str, float], ...]) -> ReturnMap | None:
    """The exact section of a start; none for one that never crosses."""
    try:
        return return_map(dict(initial))
    except ParameterError:
        return None


def of_oscillator(shown: Shown) -> Picture:
    """Both projections of the section y = 0, y' > 0, with the turns per crossing."""
    exact = exact_section(tuple((name, float(value)) for name, value in shown.initial.items()))
    circle = None if exact is None else exact.circle().T
    names = tuple(written(shown, name) for name in ("x", "z", "p_z"))
    panels = [
        crossings.Panel(0, 1, (names[0], names[1]), None if circle is None else circle[:2]),
        crossings.Panel(1, 2, (names[1], names[2]), None if circle is None else circle[1:]),
    ]
    if exact is None:
        return crossings.crossings(shown.theme, panels, [], "y stays 0: it never crosses")
    runs = [crossings_of(shown, name, exact) for name in shown.runs]
    words = f"turns, {lasting(shown):g} s<br>{exact.rotation_number:.4f}"
    return crossings.crossings(shown.theme, panels, runs, words)


def crossings_of(shown: Shown, variant: str, exact: ReturnMap) -> Crossings:
    """The crossings of a run, (x, z, p_z); those of the motion itself are the exact ones."""
    faster = lasting(shown) / float(shown.values["duration"] or 1.0)
    if shown.method(variant).truth:
        end = lasting(shown)
        count = min(max(int((end - exact.time) // (2.0 * np.pi)) + 1, 0), MOST)
        places, times = exact.crossings(count).reshape(-1, 3), exact.time + 2.0 * np.pi * np.arange(count)
        return Crossings(shown.looks[variant], columns(places), counted(shown, variant, times, faster))
    found = first_of(section(longer(shown, variant), {"y": 1.0}))
    places = np.stack([found["x"], found["z"], found["p_z"]], axis=1)
    turn = turns.turns_about(exact, places)
    text = "" if turn is None else f"{turn:.4f}"
    return Crossings(shown.looks[variant], columns(places), counted(shown, variant, found.t, faster), text)


def columns(places: Array) -> tuple[Array, ...]:
    """Places (n, coordinates) by coordinate."""
    return tuple(np.ascontiguousarray(column) for column in places.T)


def first_of(found: Section) -> Section:
    """The first crossings, no more than are drawn."""
    return Section(found.t[:MOST], {name: values[:MOST] for name, values in found.components.items()})


def of_plane(shown: Shown, plane: Plane) -> Picture:
    """The crossings of a plane that is chosen, in two components that are chosen."""
    of, across, up = (shown.choice(f"section.{name}") for name in ("of", "across", "up"))
    level, way = shown.state.number("section.level"), shown.choice("section.way")
    runs = []
    for name in shown.runs:
        found = first_of(section(fine_run(shown, name), {of: 1.0}, level, WAYS[way]))
        places = np.stack([found[across], found[up]], axis=1)
        # Crossings up and down alternate between two places: that is no rotation.
        turn = None if way == "both" else turns.turns_of(places)
        text = "" if turn is None else f"{turn:.4f} turns"
        runs.append(Crossings(shown.looks[name], columns(places), counted(shown, name, found.t), text))
    most = max((len(run.places[0]) for run in runs), default=0)
    symbol = label(shown.components[of].symbol or of, "")
    sense = "" if way == "both" else f" {way}wards"
    words = f"{symbol} = {level:g}{sense}: {most} crossing{'' if most == 1 else 's'}"
    panel = crossings.Panel(0, 1, (written(shown, across), written(shown, up)))
    return crossings.crossings(shown.theme, [panel], runs, words)
