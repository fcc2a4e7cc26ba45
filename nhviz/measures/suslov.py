"""What of the Suslov top can be swept: largest steps, leads, branches, and the angle of its limit axes."""

from collections.abc import Iterator

import numpy as np

from nhviz import kernels
from nhviz.maps import cayley_folds, steiner
from nhviz.maps.suslov_folds import Tensor
from nhviz.measures import phase, steps
from nhviz.measures.cells import once_each, rows_of
from nhviz.system import Array, Measure, MomentumPlane, Points

# Tensors whose determinants are looked at together, in a few megabytes.
CHUNK = 256
MAPS = ("moser_veselov", "cayley")


def measures(plane: MomentumPlane) -> tuple[Measure, ...]:
    """The measures that the top declares."""
    branches = "how many real displacements one step has at the momentum of the start"
    turn = "angle in space between the rotation vectors of the flow at both ends of time"
    return (
        steps.measure(plane, MAPS, largest_steps),
        phase.measure(MAPS, phase_leads),
        Measure("branch_count", "Real branches", "", branches, ("moser_veselov",), branch_counts, kind="count"),
        Measure(
            "axes_angle", "Angle of the limit axes", "rad", turn, ("exact", "reference"), axes_angles, all_rest,
            kind="angle",
        ),
    )  # fmt: skip


def energy(points: Points) -> Array:
    """E_c of every start."""
    params, initial = points.params, points.initial
    return initial["M1"] ** 2 / (2.0 * params["I11"]) + initial["M2"] ** 2 / (2.0 * params["I22"])


def largest_steps(points: Points) -> Array:
    """r sqrt(2/E) with the least radius r at which a principal branch ends, a matter of the tensor alone."""
    answer = moser_veselov_radii if points.method == "moser_veselov" else cayley_radii
    radii = once_each(rows_of(points.params, steiner.ENTRIES), answer)
    with np.errstate(divide="ignore"):
        return radii * np.sqrt(2.0 / energy(points))


def moser_veselov_radii(tensors: Array, out: Array) -> None:
    """The radii of tensors: r^2 = level/(4 I11 I22)."""
    kernels.suslov_steps.admissible_levels(tensors, out)
    np.sqrt(out / (4.0 * tensors[:, 0] * tensors[:, 1]), out=out)


def cayley_radii(tensors: Array, out: Array) -> None:
    """The same for the Cayley map, which folds for thin rods only."""
    out[:] = np.inf
    for row, tensor in folding(tensors):
        out[row] = cayley_folds.least_radius(tensor)


def folding(tensors: Array) -> Iterator[tuple[int, Tensor]]:
    """The rows of tensors whose Cayley map may fold."""
    unit = tensors / np.sqrt(tensors[:, :1] * tensors[:, 1:2])
    for first in range(0, len(unit), CHUNK):
        jacobians = np.array([cayley_folds.determinant((a, b, c, d)) for a, b, c, d in unit[first : first + CHUNK]])
        for row in np.flatnonzero(~cayley_folds.never_folds(jacobians)) + first:
            i11, i22, i13, i23 = tensors[row].tolist()
            yield int(row), (i11, i22, i13, i23)


def moser_veselov_levels(tensors: Array, out: Array) -> None:
    """The levels I22 m1^2 + I11 m2^2 that `run_moser_veselov` uses: below, the inner displacement is the principal."""
    kernels.suslov_steps.least_levels(tensors, out)
    out *= 0.25 * (1.0 - 1e-9)


def cayley_levels(tensors: Array, out: Array) -> None:
    """The same for the Cayley map."""
    out[:] = np.inf
    for row, tensor in folding(tensors):
        out[row] = cayley_folds.simple_level(tensor)


def phase_leads(points: Points) -> Array:
    """The phase lead of every cell's map at the end of its run."""
    tensors, found = rows_of(points.params, steiner.ENTRIES), np.empty(points.size)
    momenta, counts = rows_of(points.initial, ("M1", "M2")), np.round(points.duration / points.step).astype(np.int64)
    levels = once_each(tensors, moser_veselov_levels if points.method == "moser_veselov" else cayley_levels)
    branch = int(points.options.get("branch", 0))
    kernels.suslov_points.phase_leads(
        MAPS.index(points.method), tensors, momenta, points.step, counts, branch, levels, found
    )
    return found


def branch_counts(points: Points) -> Array:
    """The number of real Moser-Veselov displacements of every cell."""
    tensors, momenta = rows_of(points.params, steiner.ENTRIES), rows_of(points.initial, ("M1", "M2"))
    found = np.empty(points.size)
    kernels.suslov_points.branch_counts(tensors, momenta, points.step, found)
    return found


def axes_angles(points: Points) -> Array:
    """The closed form, which neither energy nor start matter for."""
    tensors, found = rows_of(points.params, steiner.ENTRIES), np.empty(points.size)
    kernels.limit_axes.angles(tensors, found)
    return found


def all_rest(points: Points) -> str:
    """Why a cell has no angle."""
    return "Without products of inertia every rotation is permanent: there are no two limits."
