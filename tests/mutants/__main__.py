"""Apply every mutant to a copy of the sources, run the picture tests on it, and print who was noticed.

    .venv/bin/python -m tests.mutants                  # all of them
    .venv/bin/python -m tests.mutants cusp "last axis" # those with such a name

The working tree is never touched. Kernels do not change: they are compiled once, for the copy. Ends with 1 if a mutant
survives, if its text is not in its file exactly once, or if it breaks the tests instead of failing one.
"""

import compileall
import os
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mutants import (
    analysis,
    convergence,
    feedback,
    figures,
    labs,
    maps,
    race,
    rolling,
    rotations,
    space,
    systems,
    vertical,
    views,
)
from tests.mutants.mutant import Mutant

ROOT = Path(__file__).parents[2]
COPIED = ("nhviz", "tests", "pyproject.toml")
MUTANTS = (
    *figures.MUTANTS,
    *space.MUTANTS,
    *views.MUTANTS,
    *labs.MUTANTS,
    *rolling.MUTANTS,
    *analysis.MUTANTS,
    *maps.MUTANTS,
    *systems.MUTANTS,
    *vertical.MUTANTS,
    *rotations.MUTANTS,
    *feedback.MUTANTS,
    *race.MUTANTS,
    *convergence.MUTANTS,
)
LONGEST = 600.0
PASSED, FAILED = 0, 1


def copied(folder: Path) -> Path:
    """A copy of the sources."""
    place = folder / "sources"
    place.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, place / name)
    # Byte code is told from its source by the second and the size, and a mutant may have both of its original: by hash.
    compileall.compile_dir(place, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return place


def tested(place: Path) -> tuple[int, str]:
    """How the picture tests end on a copy, and the first test that fails."""
    environment = os.environ | {
        "PYTHONPATH": str(place),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(place.parent / "kernels"),
    }
    options = ("-x", "-n", "0", "--tb=no", "--assert=plain", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *options, "tests/pictures"]
    result = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    first = re.search(r"^(?:FAILED|ERROR) tests/pictures/(\S+?)(?:\[| - |$)", result.stdout, re.MULTILINE)
    return result.returncode, first[1] if first else result.stdout[-200:] + result.stderr[-200:]


def verdict(place: Path, mutant: Mutant) -> tuple[str, str]:
    """What became of a mutant, and by which test."""
    path = place / mutant.file
    text = path.read_text() if path.exists() else ""
    if text.count(mutant.old) != 1:
        return "MISSING", f"its text is {text.count(mutant.old)} times in {mutant.file}"
    path.write_text(text.replace(mutant.old, mutant.new))
    try:
        code, test = tested(place)
    except subprocess.TimeoutExpired:
        code, test = FAILED, "out of time"
    finally:
        path.write_text(text)
    return {PASSED: "SURVIVED", FAILED: "killed"}.get(code, "BROKEN"), "" if code == PASSED else test


def main() -> int:
    """Run the chosen mutants; the code to exit with."""
    chosen = [mutant for mutant in MUTANTS if not sys.argv[1:] or any(word in mutant.name for word in sys.argv[1:])]
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names), "two mutants have one name"
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nhviz-mutants-") as folder:
        place = copied(Path(folder))
        code, test = tested(place)
        if code != PASSED:
            print(f"The tests fail without a mutant: {test}")
            return 1
        killed = 0
        for mutant in chosen:
            outcome, test = verdict(place, mutant)
            killed += outcome == "killed"
            print(f"{outcome:9} {mutant.name:58} {test}", flush=True)
    print(f"{killed} of {len(chosen)} mutants killed in {time.monotonic() - began:.0f} s.")
    return int(killed < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
