"""What a fresh process pays: the import, and loading all compiled code from the cache on disk."""

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.table import Row

PROCESSES = 5
IMPORT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
WARM = "import nhviz, time; start = time.perf_counter(); nhviz.warm(); print(time.perf_counter() - start)"


def fresh(code: str) -> float:
    """The seconds that a new process prints."""
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(result.stdout)


def alternating(*codes: str) -> list[float]:
    """Best of several processes for each code, in turn; the first round only fills the caches."""
    rounds = [[fresh(code) for code in codes] for _ in range(PROCESSES + 1)]
    return [min(times) for times in zip(*rounds[1:], strict=True)]


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; the number of processes is fixed."""
    ours, numpy, warm = alternating(IMPORT.format("nhviz"), IMPORT.format("numpy"), WARM)
    yield Row("import nhviz", ours, "s", target=0.5, details={"over import numpy": ours / numpy, "numpy s": numpy})
    yield Row("nhviz.warm() with a filled cache", warm, "s")
