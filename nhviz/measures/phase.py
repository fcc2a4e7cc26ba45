"""The phase lead of a map against the flow, as a measure: its words, which systems share."""

from collections.abc import Callable

from nhviz.system import Array, Measure, Points

MEANING = "phase on the energy ellipse at the end of the run minus that of the flow; positive where the run is ahead"


def measure(
    methods: tuple[str, ...],
    evaluate: Callable[[Points], Array],
    why: Callable[[Points], str | None] | None = None,
) -> Measure:
    """The measure of methods; a run that ends early has none."""
    return Measure("phase_lead", "Phase lead", "rad", MEANING, methods, evaluate, why, kind="signed")
