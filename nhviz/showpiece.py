"""The run that the start page shows: a sleigh that is pushed backwards, with its numbers and everything that is drawn.

All of it is computed; the start page only lays it out.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

import nhviz
from nhviz.analysis import backdrop, cusps, drift, equilibria
from nhviz.frame import find
from nhviz.frame.state import opening
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Points
from nhviz.system import Array
from nhviz.systems.sleigh import PLANE

LAB, FLOW, MAP = "sleigh", "exact", "fedorov_zenkov"
START = {"theta": -0.14, "p_theta": 0.4, "p_1": -1.5}
"""Backwards, with a little spin; the heading lets the path fill a wide picture."""
DURATION, STEP, FRAME = 10.0, 0.1, 0.05
STILL = 6.1
"""The instant that is shown where nothing may move, in seconds."""
GHOSTS = (0.0, 1.5, 3.1, 6.3, 8.0)
"""Instants at which the sleigh leaves its outline behind."""
LEVELS = (0.25, 0.6, 1.0, 1.4)
"""Energies of the momentum plane, in units of that of the run."""


@dataclass(frozen=True)
class Showpiece:
    """What the start page says and draws.

    `address` opens the same run, `sentence` tells of each part whether it is a number, `facts` have a name, a number,
    its power of ten and a unit.
    """

    address: str
    sentence: tuple[tuple[str, bool], ...]
    facts: tuple[tuple[str, str, str, str], ...]
    drawing: dict[str, Any]


@lru_cache(maxsize=1)
def showpiece() -> Showpiece:
    """The run, computed once."""
    flow = nhviz.simulate(LAB, FLOW, initial=START, step=FRAME, duration=DURATION)
    orbit = nhviz.simulate(LAB, MAP, initial=START, step=STEP, duration=DURATION)
    cusp = cusps.cusps(flow)[0]
    turn = cusps.total_turn(flow.params)
    assert turn is not None
    strays = float(drift.drifts(orbit)["energy"].max())
    return Showpiece(
        address=address(),
        sentence=(
            ("The sleigh stops at its cusp after ", False),
            (f"{cusp.t:.2f} s", True),
            (" and turns by ", False),
            (f"{np.degrees(turn):.1f}°", True),
            (" in all.", False),
        ),
        facts=(
            ("Total turn", f"{np.degrees(turn):.1f}°", "", "always"),
            ("Cusp at", f"{cusp.t:.3f}", "", "s"),
            ("Step of the map", f"{STEP:g}", "", "s"),
            ("Its energy drift", *power(strays), ""),
        ),
        drawing={"duration": DURATION, "still": STILL, **path(flow, orbit, cusp), **momenta(flow)},
    )


def address() -> str:
    """The address of the lab with this run."""
    lab = find.lab(LAB)
    first = opening(lab, lab.scenes[0])
    values = {**START, "step": STEP, "duration": DURATION}
    query = replace(first, numbers=tuple((word, values.get(word, value)) for word, value in first.numbers)).query()
    return f"{LAB}?{query}"


def path(flow: Trajectory, orbit: Trajectory, cusp: cusps.Cusp) -> dict[str, Any]:
    """The path on the ice: the flow, the points of the map, the sleigh itself, its cusp, and words beside them."""
    assert flow.system.draw is not None
    shapes = flow.system.draw(flow).parts[0].shapes
    body, blade, mass = (shape.points for shape in shapes if isinstance(shape, Curve | Points))
    late = round(9.3 / FRAME)
    return {
        "flow": {name: rounded(flow[name]) for name in ("x", "y")} | {"angle": rounded(flow["theta"])},
        "orbit": {"x": rounded(orbit["x"]), "y": rounded(orbit["y"]), "step": STEP},
        "body": {"outline": rounded(body), "blade": rounded(blade), "mass": rounded(mass[0])},
        "colours": [f"--method-{find.lab(LAB).scenes[0].slots[method]}" for method in (FLOW, MAP)],
        "ghosts": [round(instant / FRAME) for instant in GHOSTS],
        "cusp": {"t": cusp.t, "x": cusp.x, "y": cusp.y},
        "notes": [
            {"x": cusp.x, "y": cusp.y, "dx": 30, "dy": 56, "words": "cusp: the blade stops", "strong": True},
            {"x": cusp.x, "y": cusp.y, "dx": 30, "dy": 72, "words": "its speed passes through zero"},
            {"x": flow["x"][0], "y": flow["y"][0], "dx": 74, "dy": 46, "words": "start: pushed backwards", "end": True},
            {"x": flow["x"][late], "y": flow["y"][late], "dx": 40, "dy": 14, "words": "glides off forwards"},
        ],
    }


def momenta(flow: Trajectory) -> dict[str, Any]:
    """The momentum plane: arcs of energies, equilibria on their line, the cusp's line, and the run."""
    energy = float(flow.quantity("energy")[0])
    arcs = [backdrop.arcs(PLANE, flow.params, energy, (level,))[:, :-1] for level in LEVELS]
    ends = [np.sqrt(level) * np.array(equilibria.end_points(PLANE, flow.params, energy)) for level in LEVELS]
    return {
        "run": {"x": rounded(flow["p_theta"]), "y": rounded(flow["p_1"])},
        "arcs": [{"points": rounded(arc.T), "own": level == 1.0} for level, arc in zip(LEVELS, arcs, strict=True)],
        "ends": [{"unstable": rounded(end[0]), "stable": rounded(end[1])} for end in ends],
        "line": rounded(backdrop.line_of_equilibria(PLANE, flow.params, energy * LEVELS[-1] / max(backdrop.LEVELS)).T),
        "turning": rounded(backdrop.cusp_line(flow.params, energy * LEVELS[-1] / max(backdrop.LEVELS)).T),
    }


def rounded(values: Array) -> list[Any]:
    """Numbers as exact as a picture is."""
    return np.round(values, 4).tolist()


def power(value: float) -> tuple[str, str]:
    """A small number as 3.8 · 10, and the power."""
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits} · 10", str(int(exponent)).replace("-", "−")
