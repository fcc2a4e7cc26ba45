"""Memory that is given back: the allocator of glibc would keep what large answers have used, in an arena per thread."""

import ctypes
import sys

MMAP_THRESHOLD = -3
"""What glibc calls this setting: from how many bytes on a piece of memory is the kernel's, and goes back to it."""
LARGE = 1_000_000


def give_back_large() -> None:
    """Give large pieces back as soon as they are free. Else glibc moves the threshold up to 32 MB, and keeps them."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, LARGE)
