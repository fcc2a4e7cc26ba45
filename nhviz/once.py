"""A property that is computed once for each object.

`functools.cached_property` is that too, but up to Python 3.11 it holds one lock for all objects of a class while it
computes: a long run of one person would keep everybody else of the same process waiting.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801, it is used as a decorator
    """Computed at the first look and kept in the object; two threads that look at the same time may both compute."""

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "once[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> "once[Value] | Value":
        if instance is None:
            return self
        # Found there first from now on: this descriptor does not define what it is to set.
        found = instance.__dict__[self.function.__name__] = self.function(instance)
        return found
