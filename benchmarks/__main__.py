"""Run the benchmarks, print the table, and write it as JSON if asked: `python -m benchmarks --json FILE`."""

import argparse
import json
import os
import platform
import sys
from pathlib import Path

import nhviz
from benchmarks import (
    attacks,
    branches,
    browser,
    cold,
    dashboard,
    desk,
    dimensions,
    flows,
    load,
    malformed,
    orbits,
    portraits,
    scaling,
    startup,
    sweeps,
)
from benchmarks.table import Row, text

MODULES = (
    orbits, portraits, branches, dimensions, sweeps, flows, scaling, startup, cold, dashboard, desk, browser, malformed,
    load, attacks,
)  # fmt: skip
PARTS = {module.__name__.rpartition(".")[2]: module for module in MODULES}


def machine() -> dict[str, str | int | None]:
    """The processor and the versions that the numbers belong to."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "nhviz": nhviz.__version__,
    }


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"which to run, of {', '.join(PARTS)}; default all")
    parser.add_argument("--repeats", type=int, default=15, help="rounds of each comparison, the best counts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part}; there is {', '.join(PARTS)}")
    return options


def measure(parts: list[str], repeats: int) -> list[Row]:
    """All rows of the parts; compiled code is made or loaded first."""
    nhviz.warm()
    rows: list[Row] = []
    for name in parts:
        print(f"{name} ...", file=sys.stderr)
        rows += PARTS[name].rows(repeats)
    return rows


def main() -> None:
    """Measure and report."""
    options = arguments()
    rows = measure(options.parts or list(PARTS), options.repeats)
    print(", ".join(f"{name} {value}" for name, value in machine().items()))
    print(text(rows))
    if options.json:
        record = {"machine": machine(), "rows": [row.record() for row in rows]}
        options.json.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
