"""One set of compiler switches for every kernel, and one cache for one state of the sources.

`error_model="numpy"` makes a division by zero give an infinity, which the kernels test for,
instead of raising in the middle of an orbit. Fast-math stays off: round-off claims need it off.

numba looks at a function's own file to see whether its cached code is still good, not at the files of
the functions it calls. So the cache lives in a folder named after the contents of all kernels.
"""

import hashlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba import types

VECTOR = types.float64[::1]
FIELD_SIGNATURE = types.void(VECTOR, VECTOR, VECTOR)
"""field(y, p, dy): the signature of a vector field."""

compiled: Callable[..., Any] = partial(numba.njit, cache=True, nogil=True, error_model="numpy")
"""Decorator for a kernel: compiled on first call, cached on disk."""


def cache_folder() -> Path:
    """Where the compiled code of these sources belongs; NUMBA_CACHE_DIR, if set, says below which folder."""
    here = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(here.glob("*.py")):
        digest.update(source.read_bytes())
    base = Path(os.environ["NUMBA_CACHE_DIR"]) if os.environ.get("NUMBA_CACHE_DIR") else here / "__pycache__"
    return base / f"kernels-{digest.hexdigest()[:16]}"


def use_cache_folder() -> None:
    """Point numba to the folder, unless it cannot be written: then numba finds a place of its own."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    if os.access(folder, os.W_OK):
        vars(numba.config)["CACHE_DIR"] = str(folder)


use_cache_folder()
