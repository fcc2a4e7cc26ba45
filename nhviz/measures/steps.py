"""The largest admissible step as a measure, at the energy of the start or at another one."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nhviz.measures.cells import numbers
from nhviz.methods import ellipse
from nhviz.parameters import Parameter
from nhviz.system import Array, Measure, MomentumPlane, Points

ENERGY = Parameter("energy", 1.0, 1e-12, 1e12, "energy to which the momentum of the start is scaled", "E", "J")


def measure(plane: MomentumPlane | None, methods: tuple[str, ...], evaluate: Callable[[Points], Array]) -> Measure:
    """The measure of methods; with a momentum plane the energy can be an axis, to which the start is scaled."""
    meaning = "the step up to which every momentum of the energy, or the start itself, has a displacement"
    return Measure(
        "largest_step", "Largest step", "s", meaning, methods, evaluate, no_bound,
        axes=(ENERGY,) if plane else (), optional=True,
        start=(lambda points: at_energy(plane, points)) if plane else None,
    )  # fmt: skip


def energies(plane: MomentumPlane, points: Points) -> Array:
    """The energy of every start, by the plane's own matrix."""
    momenta = np.stack([points.initial[name] for name in plane.axes])
    return np.array(
        [ellipse.energy(plane, numbers(points.params, cell), momenta[:, cell]) for cell in range(points.size)]
    )


def at_energy(plane: MomentumPlane, points: Points) -> dict[str, Array]:
    """The start with its momentum scaled to an energy; one at rest is taken along the first axis."""
    momenta = np.stack([points.initial[name] for name in plane.axes])
    momenta[0] = np.where(momenta.any(axis=0), momenta[0], 1.0)
    along = {**points.initial, **dict(zip(plane.axes, momenta, strict=True))}
    given = energies(plane, replace(points, initial=along))
    return dict(zip(plane.axes, momenta * np.sqrt(points.axes["energy"] / given), strict=True))


def no_bound(points: Points) -> str:
    """Why a cell has no largest step."""
    return "Every step can be taken here: the body rests, or its map never folds."
