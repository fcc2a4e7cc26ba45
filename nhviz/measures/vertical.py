"""The rotation number of the ball with vertical momentum over h and the level l (`nhviz.analysis.vertical`)."""

from functools import cache, lru_cache

import numpy as np

from nhviz import kernels
from nhviz.parameters import Parameter
from nhviz.system import Array, Measure, Points

AXES = (
    Parameter("h", 0.6, -1e3, 1e3, "vertical momentum times the step, eps <K, gamma>", "h", "kg m^2", (0.01, 1.0)),
    Parameter(
        "level", 0.33, 1e-6, 1e3, "<gamma, Lam^-1 gamma>, which tells the curve", "l", "1/(kg m^2)", (0.286, 0.357)
    ),
)


def measure() -> Measure:
    """The measure; a run of a cell starts on the curve, with the momentum h/step along the vertical."""
    meaning = "turns of the vertical round its curve in one step, with the momentum along the vertical"
    return Measure(
        "rotation_number", "Rotation number", "turns per step", meaning, ("fedorov",), rotation_numbers, no_rotation,
        axes=AXES, kind="angle", start=starts,
    )  # fmt: skip


def balls(points: Points) -> Array:
    """Rows (I1, I2, I3, D)."""
    j1, j2, j3 = (points.params[name] for name in ("J1", "J2", "J3"))
    return np.stack([j2 + j3, j1 + j3, j1 + j2, points.params["m"] * points.params["rho"] ** 2], axis=1)


@lru_cache(maxsize=8192)
def largest_h(ball: tuple[float, float, float, float], level: float) -> float:
    """The h at which the map folds, a matter of the ball and the level: neighbouring tiles share it."""
    return float(kernels.vertical.largest_h(ball, level))


@cache
def weights() -> Array:
    """The weights of means along orbits."""
    return np.asarray(kernels.vertical.weight_table())


def rotation_numbers(points: Points) -> Array:
    """The rotation number of every cell; NaN where the level is empty or h is 0 or beyond the fold."""
    rows, levels, h = balls(points), points.axes["level"], points.axes["h"]
    largest = np.array(
        [largest_h((a, b, c, d), level) for (a, b, c, d), level in zip(rows.tolist(), levels.tolist(), strict=True)]
    )
    found = np.empty(points.size)
    kernels.vertical.rotations(rows, h, levels, largest, weights(), found)
    return found


def starts(points: Points) -> dict[str, Array]:
    """The vertical and the angular velocity of the start; as it was where the level is empty."""
    gammas, omegas = np.empty((points.size, 3)), np.empty((points.size, 3))
    kernels.vertical.write_starts(balls(points), points.axes["level"], gammas, omegas)
    omegas *= (points.axes["h"] / points.step)[:, None]
    told = {f"{name}{i + 1}": v[:, i] for name, v in (("gamma", gammas), ("omega", omegas)) for i in range(3)}
    return {name: np.where(np.isnan(value), points.initial[name], value) for name, value in told.items()}


def no_rotation(points: Points) -> str:
    """Why a cell has no rotation number."""
    ball, level, h = balls(points)[0], float(points.axes["level"][0]), float(points.axes["h"][0])
    low, middle, high = np.sort(1.0 / (ball[:3] + ball[3])).tolist()
    largest = largest_h((ball[0], ball[1], ball[2], ball[3]), level)
    if np.isnan(largest):
        return (
            f"The level is empty: it must be strictly between {low:.6g} and {middle:.6g} or {middle:.6g} and "
            f"{high:.6g}, not {level:.6g}."
        )
    if h == 0.0:
        return "With h = 0 the ball rests."
    return f"Beyond the fold: |h| must be less than {largest:.6g} at this level, not {abs(h):.6g}."
