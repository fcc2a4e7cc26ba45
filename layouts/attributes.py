"""Attributes of elements whose names are no Python names."""

from typing import Any


def data(**values: object) -> Any:
    """What scripts read of an element."""
    return {f"data-{name}": str(value) for name, value in values.items()}


def aria(**values: str) -> Any:
    """What a screen reader says of an element."""
    return {f"aria-{name}": value for name, value in values.items()}
