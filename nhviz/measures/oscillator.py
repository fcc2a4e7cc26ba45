"""What of the nonholonomic oscillator can be swept: the rotation number of its exact section."""

import numpy as np

from nhviz import kernels
from nhviz.measures.cells import once_each
from nhviz.system import Array, Measure, Points


def measures() -> tuple[Measure, ...]:
    """The measures that the oscillator declares."""
    meaning = "turns of the section y = 0 from one crossing to the next, a matter of the amplitude of y alone"
    return (
        Measure(
            "rotation_number", "Rotation number", "turns per crossing", meaning, ("reference",), rotation_numbers,
            no_crossing, kind="angle",
        ),
    )  # fmt: skip


def rotation_numbers(points: Points) -> Array:
    """The rotation number at the amplitude of each start."""
    amplitude = np.hypot(points.initial["y"], points.initial["p_y"])

    def answer(rows: Array, out: Array) -> None:
        kernels.oscillator_section.rotation_numbers(np.ascontiguousarray(rows[:, 0]), out)

    return np.where(amplitude > 0.0, once_each(amplitude[:, None], answer), np.nan)


def no_crossing(points: Points) -> str:
    """Why a cell has no rotation number."""
    return "With y = p_y = 0 the oscillator never crosses y = 0: it stays there."
