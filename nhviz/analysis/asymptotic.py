"""The order of errors over steps: the slope on logarithmic scales at the shortest steps, with its uncertainty.

Errors C step^p (1 + a step + ...) are a straight line there only for short steps, and round-off ends it below. So
errors at the floor of round-off are left out, and of all ranges that begin at the shortest step left the one is fitted
whose slope is the most certain: a longer one has less scatter, a shorter one less curvature.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import t as student

from nhviz.system import Array

FEWEST, USUAL = 3, 5
"""Points that a slope needs at least, and those of the shortest range that is tried where there are more."""
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Fit:
    """error = factor step^order on the steps `chosen`, by their indices; the order is told to +- `uncertainty`."""

    order: float
    uncertainty: float
    factor: float
    chosen: Array

    def at(self, steps: Array) -> Array:
        """The errors of the straight line."""
        return self.factor * np.asarray(steps) ** self.order


def fit(steps: Array, errors: Array, floor: float = 0.0) -> Fit | None:
    """The fit of errors above a floor, NaN where there is none; None for too few of them."""
    steps, errors = np.asarray(steps, dtype=float), np.asarray(errors, dtype=float)
    with np.errstate(invalid="ignore"):
        known = np.flatnonzero(np.isfinite(errors) & (errors > floor))
    known = known[np.argsort(steps[known])]
    if known.size < FEWEST:
        return None
    counts = range(min(USUAL, known.size), known.size + 1)
    found = [fit_all(steps, errors, known[:count]) for count in counts]
    return min(found, key=lambda one: one.uncertainty)


def fit_all(steps: Array, errors: Array, chosen: Array) -> Fit:
    """The fit of some errors.

    The line is bent by the next term of the error. Where that can be fitted, too, the uncertainty is how far the slope
    may be from the one at step 0 of the bent line, at a confidence of 95 %; else it is that of scatter alone.
    """
    x, y = np.log(steps[chosen]), np.log(errors[chosen])
    straight = np.stack([x, np.ones(x.size)], axis=1)
    slope, offset, scatter = least_squares(straight, y)
    if chosen.size > FEWEST:
        bent = np.column_stack([straight, steps[chosen] / steps[chosen].max()])
        at_zero, _, scatter = least_squares(bent, y)
        return Fit(slope, abs(at_zero - slope) + scatter, float(np.exp(offset)), chosen)
    return Fit(slope, scatter, float(np.exp(offset)), chosen)


def least_squares(terms: Array, y: Array) -> tuple[float, float, float]:
    """The first two coefficients of terms (n, k), and by how much the first one may be wrong."""
    found = np.linalg.lstsq(terms, y, rcond=None)[0]
    rest, freedom = y - terms @ found, y.size - terms.shape[1]
    variance = float(rest @ rest) / freedom * float(np.linalg.inv(terms.T @ terms)[0, 0])
    return float(found[0]), float(found[1]), often(freedom) * float(np.sqrt(variance))


@lru_cache(maxsize=64)
def often(freedom: int) -> float:
    """How many standard errors a number may be off, at our confidence, with so many degrees of freedom."""
    return float(student.ppf(0.5 + 0.5 * CONFIDENCE, freedom))


def crossing(steps: Array, first: Array, second: Array) -> float | None:
    """The longest step at which two curves of errors cross, on straight lines between the steps that both have."""
    x = np.log(steps)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.log(first) - np.log(second)
    known = np.flatnonzero(np.isfinite(apart))
    known = known[np.argsort(x[known])]
    x, apart = x[known], apart[known]
    where = np.flatnonzero(np.sign(apart[:-1]) * np.sign(apart[1:]) < 0.0)
    if not where.size:
        return None
    i = where[-1]
    return float(np.exp(x[i] - apart[i] * (x[i + 1] - x[i]) / (apart[i + 1] - apart[i])))
