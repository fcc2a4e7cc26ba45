"""The pictures of a rolling ball: the ball on its table, the vertical in it, its path, its energy, its momenta."""

import numpy as np

from nhviz.analysis import energy_band, vertical_region
from nhviz.figures import energy as energies
from nhviz.figures import rolling, series, step_paths, verticals
from nhviz.figures.style import Orbit, Picture, label
from nhviz.frame.said import readable
from nhviz.frame.shown import Shown
from nhviz.labs.sphere import steps
from nhviz.problem import Trajectory
from nhviz.views import pictures

GAMMA = ("gamma1", "gamma2", "gamma3")
PLACE = ("x", "y")
OTHERS = 4
"""So many other energies have their curves on the globe."""


def ball(shown: Shown) -> Picture:
    """The ball of the first run on its table, and the steps of the map."""
    run, first = shown.lead, shown.orbits(*PLACE)[0]
    instants = shown.points(run)
    drawn = rolling.Rolling(
        rho=shown.params["rho"],
        look=shown.looks[shown.first],
        attitudes=run["R"][instants],
        contacts=np.stack(first.moving, axis=1),
        momentum=run.remember(steps.momentum_in_space)[0],
        velocities=steps.in_space(run, "omega")[instants],
        path=np.array(first.drawn),
        counts=first.stride * np.arange(len(instants)) + 1,
        is_flow=not first.discrete,
        stopped=first.stopped,
    )
    maps = [shown.orbit(name, *PLACE) for name in steps.main_maps(shown)]
    made = [rolling.Steps(orbit.look, np.array(orbit.drawn), orbit.stopped) for orbit in maps]
    return rolling.rolling(shown.theme, drawn, made)


def on_the_page(shown: Shown, *names: str) -> list[Orbit]:
    """Flows, and the maps with the step of the page; the start alone if nothing runs."""
    chosen = [name for name in shown.runs if name not in shown.maps or name in steps.main_maps(shown)]
    return [shown.orbit(name, *names) for name in chosen] if chosen else shown.orbits(*names)


def vertical(shown: Shown) -> Picture:
    """The vertical in the ball, on a globe, within the curves that its integrals leave it."""
    region = vertical_region.region_of(shown.params, shown.initial)
    edge, levels = vertical_region.curves(region.ball, region.along, region.across, region.energy, OTHERS)
    orbits = on_the_page(shown, *GAMMA)
    symbols = [shown.components[name].symbol for name in GAMMA]
    return verticals.verticals(shown.theme, orbits, edge, levels, symbols)


def path(shown: Shown) -> Picture:
    """The path from above: the flow, and the map with several steps, each with how far it strays."""
    axes = pictures.written(shown, "x"), pictures.written(shown, "y")
    said = [
        step_paths.Astray(shown.looks[name], astray(shown, name))
        for name, orbit in sorted(shown.maps.items(), key=lambda item: shown.step_of(item[0]))
        if len(orbit) > 1
    ]
    return step_paths.paths(shown.theme, axes, shown.orbits(*PLACE), on_the_page(shown, *PLACE), said, PLACE)


def astray(shown: Shown, variant: str) -> str:
    """How far a run strays from the flow, in words, with its step."""
    return f"{shown.step_of(variant):.3g} s: off by {readable(steps.off_the_flow(shown, variant), 2)} m"


def energy(shown: Shown) -> Picture:
    """The energy in its band, and the width of the band over the step."""
    bands = []
    for name, run in shown.runs.items():
        chosen, discrete = shown.points(run), shown.method(name).discrete
        values = run.remember(energy_band.strayed)[chosen]
        text = f"{shown.step_of(name):.3g} s" if discrete and len(run) > 1 else ""
        stopped = run.stopped is not None
        bands.append(energies.Band(shown.looks[name], discrete, run.t[chosen], values, text, stopped))
    maps = steps.main_maps(shown)
    whole = [shown.runs[name] for name in maps if not shown.runs[name].stopped]
    swings = bool(whole) and all(energy_band.oscillates(run.t, run.remember(energy_band.strayed)) for run in whole)
    found = widths(shown, maps[0]) if maps else None
    return energies.energy(shown.theme, bands, found, "oscillates, no drift" if swings else "")


def widths(shown: Shown, variant: str) -> energies.Widths:
    """The widths of the bands of a map with other steps, over the time of the run or, of short steps, over less."""
    step, duration = shown.step_of(variant), float(shown.problems[variant].duration)
    tried = energy_band.tried_steps(step)
    lasting = energy_band.lasting(tried, duration)
    run = whole_runs(shown, lasting)
    found = np.array([steps.width(run[one]) if one in run else np.nan for one in tried.tolist()])
    missing = np.array([one not in run for one in tried.tolist()])
    found[missing] = energy_band.widths(shown.params, shown.initial, tried[missing], lasting)
    note = "" if lasting == duration else f", first {lasting:.3g} s"
    here = float(np.nan_to_num(found[energy_band.HERE]))
    fold = shown.largest_steps.get(variant)
    return energies.Widths(
        shown.looks[variant], tried, found, (step, here), fold, note
    )  # fmt: skip


def whole_runs(shown: Shown, lasting: float) -> dict[float, Trajectory]:
    """The maps that run so long, with every step of theirs, by their steps: their bands need not be found again."""
    return {
        run.problem.step: run
        for run in shown.maps.values()
        if not run.stopped and run.problem.every == 1 and run.problem.duration == lasting
    }


def momenta(shown: Shown) -> Picture:
    """The momentum seen from space, which stands still, and the kinetic energy."""
    orbits = []
    for orbit, run in zip(shown.orbits("t"), shown.runs.values() or [shown.lead], strict=True):
        chosen = shown.points(run)
        parts = [*run.remember(steps.momentum_in_space)[chosen].T, 0.5 * run.quantity("energy")[chosen]]
        values = (run.t[chosen], *(np.ascontiguousarray(part) for part in parts))
        orbits.append(Orbit(values, values, orbit.look, orbit.discrete, stopped=orbit.stopped))
    unit = shown.components["K1"].unit
    names = [label(f"K_{axis}", unit) for axis in "xyz"]
    return series.components(shown.theme, [*names, label("E", "J")], orbits)
