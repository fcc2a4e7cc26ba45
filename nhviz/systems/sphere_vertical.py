r"""The Chaplygin sphere whose momentum is vertical, K = h gamma (CS section 5): a circle that a map turns.

Everything is that of the system `sphere`, but the start: h = <K, gamma>, the level l = <gamma, Lam^-1 gamma>, and the
elliptic coordinate u along the curve of that level, in units of 2K(k), half of its oval (`nhviz.maps.vertical`).

* K = h gamma for ever, and l is kept, by the flow and by the map on every branch (CS Proposition 3); so is the
  energy <K, omega> = h^2 l/(1 - D l).
* Flow: u moves evenly, u' = V h/(1 - D l), the limit of CS (5.15), corrected. It never locks.
* `fedorov`: u -> u + Delta u(u) by the explicit relation (CS (5.15), corrected), attitude and path by the map itself.
  Only eps h matters: with the step 1 this h is that of CS.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nhviz import kernels, registry
from nhviz.maps import sphere_branches, sphere_runs, vertical
from nhviz.methods import stops
from nhviz.parameters import Parameter, ParameterError
from nhviz.problem import Trajectory
from nhviz.shapes import Motion
from nhviz.system import (
    Array,
    Bound,
    Component,
    Components,
    Equation,
    Experiment,
    Method,
    Portrait,
    Quantity,
    Samples,
    System,
    Task,
    Values,
)

FROM_BALL = ("gamma1", "gamma2", "gamma3", "x", "y", "R")
"""What a run of the ball itself has, too."""
AT_REST = "h must not be 0: without momentum the ball rests."


def ball() -> System:
    """The ball with any momentum."""
    return registry.find("sphere")


def check_start(params: Values, initial: Values) -> None:
    """There must be a momentum, and a curve of the level."""
    if initial["h"] == 0.0:
        raise ParameterError(AT_REST, "h")
    vertical.check_level(vertical.oval(params, initial["level"]))


def valid(params: Mapping[str, Array], initial: Mapping[str, Array]) -> Array:
    """`check_start` for many starts."""
    j1, j2, j3 = params["J1"], params["J2"], params["J3"]
    balls = np.stack([j2 + j3, j1 + j3, j1 + j2, params["m"] * params["rho"] ** 2], axis=1)
    return (initial["h"] != 0.0) & vertical.has_curve(balls, initial["level"])


def ovals(task: Task) -> list[vertical.Oval]:
    """The curve of each orbit."""
    return [vertical.oval(task.params, float(level)) for level in task.initial["level"]]


def on_the_table(task: Task) -> Task:
    """The task of the ball that starts there, with K along the vertical."""
    starts = np.empty((task.orbits, 8))
    lam = np.array(sphere_branches.ball(task.params)[:3]) + sphere_branches.ball(task.params)[3]
    for i, curve in enumerate(ovals(task)):
        gamma = curve.gamma(2.0 * curve.quarter * float(task.initial["u"][i]))
        omega = gamma / lam * (task.initial["h"][i] / (1.0 - curve.d * curve.level))
        starts[i] = *gamma, *omega, 0.0, 0.0
    names = (*(f"{name}{i}" for name in ("gamma", "omega") for i in (1, 2, 3)), "x", "y")
    return replace(task, initial={name: starts[:, i].copy() for i, name in enumerate(names)})


def named(task: Task, found: Samples, u: Array) -> dict[str, Array]:
    """The components: the coordinate, what the ball does, and the two constants."""
    kept = {name: np.repeat(np.asarray(task.initial[name], float)[:, None], task.samples, axis=1)
            for name in ("h", "level")}  # fmt: skip
    return kept | {"u": u} | {name: found.components[name] for name in FROM_BALL if name in found.components}


def run_reference(task: Task) -> Samples:
    """The ball by its differential equations; its coordinate moves evenly."""
    found = ball().method("reference").run(on_the_table(task))
    speeds = [speed(curve, h) for curve, h in zip(ovals(task), task.initial["h"], strict=True)]
    u = np.asarray(task.initial["u"], float)[:, None] + np.multiply.outer(np.array(speeds), task.times)
    return Samples(named(task, found, u), found.lengths, found.reasons)


def speed(curve: vertical.Geometry, h: float) -> float:
    """Half ovals in a unit of time along the flow; negative, as u falls."""
    _, v, d, level, *_ = curve.curve
    return float(h * v / (1.0 - d * level) / (2.0 * curve.quarter))


def run_fedorov(task: Task) -> Samples:
    """Orbits of the circle map and of the ball; an orbit ends where the principal branch folds.

    K + K' along h (gamma + gamma') says that a step turns about Lam^-1 (gamma + gamma'): where it leads tells all of
    it. So the circle map, whose branch is certain, tells the ball's; of a thinned run it does not have every step.
    """
    curves, u, taken = ovals(task), np.empty((task.orbits, task.samples)), []
    for i, curve in enumerate(curves):
        h, start = task.step * float(task.initial["h"][i]), float(task.initial["u"][i])
        period = 2.0 * curve.quarter
        taken.append(kernels.vertical_orbit.walk(curve.curve, h, period, start, task.last, task.every, u[i]))
    known = task.every == 1 and all(steps == task.last for steps in taken)
    verticals = [curve.gamma(2.0 * curve.quarter * row[1:]) for curve, row in zip(curves, u, strict=True)]
    found = sphere_runs.run_fedorov(on_the_table(task), verticals if known else ())
    lengths = np.minimum(found.lengths, np.array(taken) // task.every + 1)
    # Next to the fold round-off decides which of both ends first.
    reasons = tuple(
        reason or (None if n == task.last else folded(task, i, n))
        for i, (reason, n) in enumerate(zip(found.reasons, taken, strict=True))
    )
    return Samples(named(task, found, u), lengths, reasons)


def folded(task: Task, orbit: int, steps: int) -> str:
    """Why an orbit of the circle map ended early."""
    start = {name: float(values[orbit]) for name, values in task.initial.items()}
    return stops.folded(steps, task.step, largest_step(task.params, start))


def largest_h(params: Values, level: float) -> float:
    """The h of CS at which the principal branch folds somewhere on the curve."""
    return float(kernels.vertical.largest_h(sphere_branches.ball(params), level))


def largest_step(params: Values, initial: Values) -> float:
    """The step with which every point of the curve can still step."""
    return largest_h(params, initial["level"]) / abs(initial["h"])


def level_of(params: Values, run: Components) -> Array:
    """<gamma, Lam^-1 gamma>."""
    *moments, d = sphere_branches.ball(params)
    return sum((run[f"gamma{i + 1}"] ** 2 / (moment + d) for i, moment in enumerate(moments)), np.zeros(()))


def energy(params: Values, run: Components) -> Array:
    """Twice the kinetic energy, <K, omega> = h^2 l/(1 - D l) with the l of the run."""
    level = level_of(params, run)
    return run["h"] ** 2 * level / (1.0 - sphere_branches.ball(params)[3] * level)


def draw(run: Trajectory) -> Motion:
    """The ball, as it is drawn with any momentum."""
    drawn = ball().draw
    assert drawn is not None
    return drawn(run)


def remarks(params: Values) -> Sequence[str]:
    """Whether it is a real ball."""
    told = ball().remarks
    assert told is not None
    return told(params)


SYSTEM = System(
    id="sphere_vertical",
    position=120,
    family="Sphere",
    line="With vertical momentum its map locks.",
    title="Chaplygin sphere with vertical momentum",
    summary=(
        "An uneven ball rolls with its momentum along the vertical. The vertical runs round a closed curve in the "
        "body: evenly in the flow, by a map of a circle in steps. The rolling ball never locks; its map does."
    ),
    parameters=(
        Parameter("J1", 0.25, 0.001, 100.0, "mass tensor along the first axis", "J_1", "kg m^2", (0.005, 1.2)),
        Parameter("J2", 0.55, 0.001, 100.0, "mass tensor along the second axis", "J_2", "kg m^2", (0.005, 1.2)),
        Parameter("J3", 0.95, 0.001, 100.0, "mass tensor along the third axis", "J_3", "kg m^2", (0.005, 1.2)),
        Parameter("m", 2.0, 0.001, 1000.0, "mass", "m", "kg", (0.05, 4.0)),
        Parameter("rho", 1.0, 0.01, 10.0, "radius", r"\rho", "m", (0.2, 2.0)),
    ),
    initial=(
        Parameter("h", 0.6, 0.0, 1e3, "vertical momentum <K, gamma> in kg m^2/s", "h", "", (0.01, 1.0)),
        Parameter(
            "level",
            0.33,
            1e-6,
            1e3,
            "<gamma, Lam^-1 gamma> in 1/(kg m^2), which tells the curve",
            "l",
            "",
            (0.15, 2.5),
        ),
        Parameter("u", 0.25, -1e9, 1e9, "place on the curve, in half ovals", "u", "2K", (0.0, 1.0)),
    ),
    step=Parameter("step", 1.0, 1e-9, 100.0, "time step", r"\varepsilon", "s", (0.1, 2.0)),
    duration=Parameter("duration", 60.0, 0.0, 1e6, "length of the run", "T", "s", (6.0, 300.0)),
    default_method="fedorov",
    components=(
        Component("u", "place on the curve, in half ovals", "2K", "u"),
        *(Component(f"gamma{i}", f"vertical in the body, component {i}", "", rf"\gamma_{i}") for i in (1, 2, 3)),
        Component("x", "contact point, first coordinate", "m"),
        Component("y", "contact point, second coordinate", "m"),
        Component("h", "vertical momentum", "kg m^2/s", "h"),
        Component("level", "level of the curve", "1/(kg m^2)", "l"),
        Component("R", "attitude: body frame to space", "", "R", (3, 3)),
    ),
    methods=(
        Method(
            "reference",
            "Reference",
            8,
            (),
            run_reference,
            discrete=False,
            truth=True,
            small="never locks",
            remark="The coordinate u moves evenly, in closed form; attitude and path are integrated.",
        ),
        Method(
            "fedorov",
            "Fedorov",
            2,
            ("level", "energy"),
            run_fedorov,
            bound=Bound(at_start=largest_step),
            remark="Here the energy is kept as well: it is a function of the level.",
        ),
    ),
    quantities=(
        Quantity(
            "level", "level of the curve", True, level_of, "1/(kg m^2)", r"\langle\gamma,\Lambda^{-1}\gamma\rangle"
        ),
        Quantity("energy", "twice the kinetic energy", True, energy, "J", r"\langle K, \omega\rangle"),
    ),
    portraits=(
        Portrait("gamma", "Vertical in the body, γ", ("gamma1", "gamma2", "gamma3"), on_sphere=True),
        Portrait("path", "Path of the contact point", ("x", "y")),
    ),
    in_time=("u", "gamma1", "gamma2", "gamma3"),
    equations=(
        Equation(
            r"K = h\gamma:\quad \langle\gamma,\Lambda^{-1}\gamma\rangle = l",
            "vertical momentum: one more integral, of the flow and of every branch of the map",
            "CS (5.5), Proposition 3",
        ),
        Equation(
            r"\gamma = (C_1\,{\rm cn}\,u,\ C_2\,{\rm sn}\,u,\ C_3\,{\rm dn}\,u)",
            "the curve, with its axes in the order of the elliptic functions",
            "CS (5.7), (5.8), corrected",
        ),
        Equation(r"\dot u = \frac{Vh}{1 - Dl}", "the flow: u moves evenly, which never locks", "the limit of the map"),
        Equation(
            r"{\rm sn}^2(u + \delta) = \frac{1 - C}{k^2\,{\rm sn}^2\delta},\quad "
            r"C = \frac{2VDw(\delta)\,(l - \mu\,{\rm sn}^2\delta)}{2Vw(\delta) - hG(\delta)},\quad \Delta u = 2\delta",
            "the map: the middle of a step is an explicit function of its half length",
            "CS (5.15), corrected",
        ),
    ),
    experiments=(
        Experiment(
            "A longer curve",
            "Next to the middle axis the curve reaches far round the ball, and u moves slowly there.",
            initial={"level": 0.312},
        ),
        Experiment(
            "Locked at 1/3",
            "Every third step the vertical is where it was, or opposite to it.",
            params={"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2},
            initial={"h": 0.6146, "level": 1.149},
        ),
        Experiment(
            "Beyond the fold",
            "No rotation grows out of the identity any more: the run stops and says so.",
            initial={"h": 2.0},
        ),
    ),
    check_start=check_start,
    remarks=remarks,
    draw=draw,
    kernels=("sphere", "sphere_flow", "elliptic", "vertical", "vertical_orbit", "locking", "conjugacy", "flow"),
    valid=valid,
)
