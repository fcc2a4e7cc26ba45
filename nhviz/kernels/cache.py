"""The folder of compiled code: one for one state of the sources and one kind of processor.

numba looks at a function's own file to see whether its cached code is still good, not at the files of the functions
it calls. So the folder is named after the contents of all kernels. What is in it is loaded as code: it must belong to
the user and be closed to others. Below NUMBA_CACHE_DIR if that is set, else beside the sources, else with the user's
caches, else in the folder for temporary files: the first that can be written. Where there is none, nothing is kept.
"""

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numba
from llvmlite import binding

HERE = Path(__file__).parent


@cache
def folder() -> Path | None:
    """The folder, made if need be; None where nothing can be written."""
    name = f"kernels-{fingerprint()}"
    return next((place / name for place in places() if usable(place / name)), None)


def fingerprint() -> str:
    """What compiled code depends on: the sources, the compiler, the processor."""
    digest = hashlib.sha256(numba.__version__.encode())
    digest.update(f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}".encode())
    for source in sorted(HERE.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def places() -> Iterator[Path]:
    """Where the folder may be, the best place first."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen)
    yield HERE / "__pycache__"
    with contextlib.suppress(RuntimeError):
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nhviz"
    yield Path(tempfile.gettempdir()) / f"nhviz-kernels-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def usable(path: Path) -> bool:
    """Whether a folder can be made and written, and nobody else can put code into it."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=path):
            pass
        return is_private(path) and not is_open(path.parent)
    except OSError:
        return False


def is_open(path: Path) -> bool:
    """Whether anybody can exchange what is in a folder; in one for temporary files only the owner can."""
    mode = path.stat().st_mode
    return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


def is_private(path: Path) -> bool:
    """Whether only the user (or the administrator) can change what is in a folder."""
    facts = path.stat()
    # Windows has neither; there a user's folders are closed to others.
    return not hasattr(os, "getuid") or (facts.st_uid in (os.getuid(), 0) and not facts.st_mode & 0o022)


def is_marked(name: str) -> bool:
    """Whether something has been left on the disk for good."""
    place = folder()
    return place is not None and (place / "done" / name).exists()


def reason(name: str) -> str:
    """Why something could not be done, if that was noted; else nothing."""
    place = folder()
    try:
        return (place / "failed" / name).read_text() if place else ""
    except OSError:
        return ""


def note_failure(name: str, why: str) -> None:
    """Note why something could not be done."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            (place / "failed").mkdir(exist_ok=True)
            (place / "failed" / name).write_text(why)


def forget_failures() -> None:
    """Try again what could not be done."""
    place = folder()
    for path in (place / "failed").glob("*") if place else ():
        with contextlib.suppress(OSError):
            path.unlink()


def mark(name: str) -> None:
    """Note that something is on the disk; a disk that is full loses only that note."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            (place / "done").mkdir(exist_ok=True)
            (place / "done" / name).touch()


if folder() is not None:
    vars(numba.config)["CACHE_DIR"] = str(folder())
