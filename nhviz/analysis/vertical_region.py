"""Where the vertical of a rolling ball may be, seen from the ball.

The size of K and its vertical part are kept, and with the flow the energy E is. A vertical gamma is possible where E is
between the least and the largest energy that any direction of K gives it there; where it equals one of them is the
edge. On the edge of K = h gamma both are one: gamma stays on a curve.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from nhviz import kernels
from nhviz.maps import sphere_branches
from nhviz.once import once
from nhviz.system import Array, Values

CELLS = 20
"""So many cells an octant has from axis to axis."""
USUAL, MOST = 1000, 16 * (2 * CELLS * (CELLS + 1) + 64)
"""Curves of one level have about so many points; at most one for each edge of the grid, of both fields, in eight
octants, and gaps."""
FLAT = 1e-9
"""If energies differ by less of themselves, every vertical is possible, and there is no edge."""


@dataclass(frozen=True, eq=False)
class Region:
    """The verticals of a ball (I1, I2, I3, D) with a momentum `along` gamma, one `across` it, and an energy."""

    ball: tuple[float, float, float, float]
    along: float
    across: float
    energy: float

    @once
    def fields(self) -> Array:
        """The least and the largest energy (2, rows, columns) over an octant of verticals."""
        found = np.empty((2, CELLS + 1, CELLS + 1))
        kernels.sphere_edge.write_fields(self.ball, self.along, self.across, found)
        return found

    def extremes(self, gamma: Array) -> tuple[float, float]:
        """The least and the largest energy at a vertical of length one."""
        least, most = kernels.sphere_edge.extremes(self.ball, tuple(map(float, gamma)), self.along, self.across)
        return least, most

    @once
    def ends(self) -> tuple[float, float]:
        """The least and the largest energy of all verticals."""
        return float(self.fields[0].min()), float(self.fields[1].max())

    @property
    def is_all(self) -> bool:
        """Whether the energy is the same for all verticals and momenta, as that of rest or of an even ball is."""
        low, high = self.ends
        return high - low <= FLAT * high

    def edge(self) -> Array:
        """The curves (3, n) that hold the vertical, with NaN between them."""
        return self.levels([self.energy])[0]

    def levels(self, energies: list[float]) -> list[Array]:
        """The curves (3, n) that would hold it with each of other energies."""
        if self.is_all:
            return [np.empty((3, 0))] * len(energies)
        ends, levels = np.empty(len(energies), dtype=np.int64), np.array(energies)
        for room in (USUAL, MOST):
            points = np.empty((room * len(energies), 3))
            length = kernels.sphere_edge.write_levels(
                self.ball, self.along, self.across, levels, self.fields, points, ends
            )  # fmt: skip
            if length >= 0:
                break
        return [np.ascontiguousarray(points[a:b].T) for a, b in pairwise([0, *ends.tolist()])]

    def others(self, count: int) -> list[float]:
        """Energies, evenly between the least and the largest of all verticals."""
        return [float(energy) for energy in np.linspace(*self.ends, count + 2)[1:-1]]


@lru_cache(maxsize=16)
def curves(
    ball: tuple[float, float, float, float], along: float, across: float, energy: float, count: int
) -> tuple[Array, list[Array]]:
    """The edge of a region and the curves of so many other energies: no matter of the step, found once for many."""
    region = Region(ball, along, across, energy)
    edge, *levels = region.levels([energy, *region.others(count)])
    return edge, [one for one in levels if one.size]


def region_of(params: Values, initial: Values) -> Region:
    """The region of a start."""
    gamma = sphere_branches.unit(sphere_branches.vectors(initial, "gamma"))
    omega = sphere_branches.vectors(initial, "omega")
    momentum = sphere_branches.momentum(params, gamma, omega)
    along = float(sphere_branches.dot(momentum, gamma))
    beside = momentum - along * gamma
    across = float(np.sqrt(sphere_branches.dot(beside, beside)))
    return Region(sphere_branches.ball(params), along, across, float(sphere_branches.dot(momentum, omega)))
