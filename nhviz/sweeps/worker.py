"""How a worker of a cluster begins: `dask worker --preload nhviz.sweeps.worker`, and in every cluster made here.

It yields to all else on its machine, and has no page of its own for people to look at.
"""

import contextlib
import os
from typing import Any

YIELDING = 19
FIRST_TO_GO = "800"
"""Where memory runs out a worker ends before anything that answers people: its tile is computed again."""


def dask_setup(worker: Any) -> None:
    """Called by dask in the process of a worker, which listens already."""
    os.nice(YIELDING)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(FIRST_TO_GO)
    worker.http_server.stop()


def busy_with(dask_worker: Any) -> list[str]:
    """The keys of what this worker computes now, be it cancelled."""
    return [task.key for task in dask_worker.state.executing]
