"""The exact motions, with attitude and path, against solve_ivp at the same accuracy."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType

import numpy as np
from scipy.integrate import solve_ivp

import nhviz
from benchmarks.clock import best
from benchmarks.extended import solution
from benchmarks.table import Row

SAMPLES = 2_000
TOLERANCES = (1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 2.3e-14)

Array = np.ndarray


@dataclass(frozen=True)
class Flow:
    """A system's equations as a peer would write them, and how to read both answers."""

    system: str
    what: str
    duration: float
    field: Callable[[dict, ModuleType, Array], list]
    start: Callable[[dict], list]
    of_peer: Callable[[Array], Array]
    of_run: Callable[[nhviz.Trajectory], Array]

    @property
    def interval(self) -> float:
        """Time between two samples."""
        return self.duration / (SAMPLES - 1)

    def exact(self) -> nhviz.Trajectory:
        """The closed form."""
        return nhviz.simulate(self.system, "exact", step=self.interval, duration=self.duration)

    def integrate(self, problem: nhviz.Problem, times: Array, tolerance: float) -> Array:
        """The peer."""
        params = dict(problem.params)
        start = self.start(dict(problem.initial))
        result = solve_ivp(
            lambda _, y: self.field(params, math, y.tolist()),
            (times[0], times[-1]),
            start,
            method="DOP853",
            t_eval=times,
            rtol=tolerance,
            atol=tolerance,
        )
        return self.of_peer(result.y)


def suslov_field(params: dict, functions: ModuleType, y: Array) -> list:
    """M1, M2 and the attitude as a quaternion."""
    m1, m2, q0, q1, q2, q3 = y
    u, v = m1 / params["I11"], m2 / params["I22"]
    k = params["I13"] * u + params["I23"] * v
    turn = [0.5 * (-q1 * u - q2 * v), 0.5 * (q0 * u - q3 * v), 0.5 * (q0 * v + q3 * u), 0.5 * (q1 * v - q2 * u)]
    return [-v * k, u * k, *turn]


def suslov_start(initial: dict) -> list:
    """The momentum and the attitude 1."""
    return [initial["M1"], initial["M2"], 1.0, 0.0, 0.0, 0.0]


def rotations(states: Array) -> Array:
    """Rotation matrices (samples, 3, 3) of states (6, samples)."""
    q0, q1, q2, q3 = states[2:]
    rows = [
        [1 - 2 * (q2 * q2 + q3 * q3), 2 * (q1 * q2 - q0 * q3), 2 * (q1 * q3 + q0 * q2)],
        [2 * (q1 * q2 + q0 * q3), 1 - 2 * (q1 * q1 + q3 * q3), 2 * (q2 * q3 - q0 * q1)],
        [2 * (q1 * q3 - q0 * q2), 2 * (q2 * q3 + q0 * q1), 1 - 2 * (q1 * q1 + q2 * q2)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def sleigh_field(params: dict, functions: ModuleType, state: Array) -> list:
    """theta, x, y, p_theta, p_1."""
    theta, _, _, p_theta, p_1 = state
    m, a, b = params["m"], params["a"], params["b"]
    omega = (p_theta + b * p_1) / (params["J"] + m * a * a)
    v = p_1 / m + b * omega
    return [omega, v * functions.cos(theta), v * functions.sin(theta), -m * a * omega * v, m * a * omega * omega]


def sleigh_start(initial: dict) -> list:
    """All initial values, in the order of the field."""
    return [initial[name] for name in ("theta", "x", "y", "p_theta", "p_1")]


FLOWS = (
    Flow("suslov", "attitude", 1.0, suslov_field, suslov_start, rotations, lambda run: run["R"]),
    Flow(
        "sleigh",
        "path",
        20.0,
        sleigh_field,
        sleigh_start,
        lambda states: states[:3].T,
        lambda run: np.stack([run["theta"], run["x"], run["y"]], axis=1),
    ),
)


def matching(errors: dict[float, float], ours: float) -> float:
    """The loosest tolerance as good as ours up to a factor 10, or near the best the peer can do."""
    bound = max(10.0 * ours, 2.0 * min(errors.values()))
    return max(tolerance for tolerance, error in errors.items() if error <= bound)


def compare(flow: Flow, repeats: int) -> Row:
    """The time of solve_ivp over that of the closed form."""
    run = flow.exact()
    problem, times = run.problem, run.t
    states = solution(partial(extended_field, flow, dict(problem.params)), first_state(flow, run), times[1], len(run))
    truth = flow.of_peer(states.T)
    ours = float(np.max(np.abs(flow.of_run(run) - truth)))
    errors = {
        tolerance: float(np.max(np.abs(flow.integrate(problem, times, tolerance) - truth))) for tolerance in TOLERANCES
    }
    tolerance = matching(errors, ours)
    seconds = best({"ours": flow.exact, "peer": partial(flow.integrate, problem, times, tolerance)}, repeats)
    return Row(
        f"exact {flow.system} {flow.what}, {len(run):,} samples, speed-up over DOP853",
        seconds["peer"] / seconds["ours"],
        target=10.0,
        at_most=False,
        details={
            "ours ms": 1e3 * seconds["ours"],
            "DOP853 ms": 1e3 * seconds["peer"],
            "our error": f"{ours:.1e}",
            "its error": f"{errors[tolerance]:.1e}",
            "its tolerance": f"{tolerance:g}",
        },
    )


def extended_field(flow: Flow, params: dict, y: Array) -> Array:
    """The field in extended precision."""
    return np.array(flow.field(params, np, y), dtype=np.longdouble)


def first_state(flow: Flow, run: nhviz.Trajectory) -> Array:
    """The start in extended precision."""
    return np.array(flow.start(dict(run.problem.initial)), dtype=np.longdouble)


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module."""
    for flow in FLOWS:
        yield compare(flow, repeats)
