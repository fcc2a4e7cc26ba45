"""How many cores there are for this process."""

import math
import os
from pathlib import Path


def available_cores(quota: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """The cores that this process may use: those it may run on, or the share of them that a container was given."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        most, period = quota.read_text().split()
        return max(1, min(cores, math.ceil(int(most) / int(period))))
    # No such file, or "max" in it: no limit.
    except (OSError, ValueError):
        return cores
