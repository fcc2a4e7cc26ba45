"""One set of compiler switches for every kernel.

`error_model="numpy"` makes a division by zero give an infinity, which the kernels test for,
instead of raising in the middle of an orbit. Fast-math stays off: round-off claims need it off.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numba

compiled: Callable[..., Any] = partial(numba.njit, cache=True, nogil=True, error_model="numpy")
"""Decorator for a kernel: compiled on first call, cached on disk."""
