"""The parts that a system needs: its kernels, each compiled on its own, then one run of all its methods."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from nhviz import registry
from nhviz.kernels import cache as disk
from nhviz.kernels.compile import Kernel

KERNEL_SECONDS, SECONDS_PER_BYTE, SYSTEM_SECONDS = 0.074, 2.6e-4, 0.4
"""What parts take on a usual core: a line fitted to all kernels, and the mean of the systems."""


@dataclass(frozen=True)
class Part:
    """Something to be done once: `kind` is kernel or system, `key` finds it again in another process.

    `weight` is the time that it takes, in about seconds.
    """

    kind: str
    key: str
    title: str
    marker: str
    weight: float

    @property
    def done(self) -> bool:
        """Whether it is on the disk."""
        return disk.is_marked(self.marker)

    @property
    def failure(self) -> str:
        """Why it cannot be done, or nothing."""
        return disk.reason(self.marker)


@cache
def parts(name: str) -> tuple[Part, ...]:
    """Everything that a system needs, what takes longest first; the run of its methods, which needs all, comes last."""
    system = registry.find(name)
    every = {kernel: None for module in system.kernels for entry in kernels_of(module) for kernel in entry.closure}
    kernels = [of_kernel(kernel) for kernel in sorted(every, key=lambda kernel: kernel.size, reverse=True)]
    return (*kernels, Part("system", name, system.title, f"system.{name}.{stamp(name)}", SYSTEM_SECONDS))


@cache
def parts_of_sweeps(name: str) -> tuple[Part, ...]:
    """What only sweeps of a system need: no lab waits for it."""
    entries = [entry for module in registry.find(name).sweep_kernels for entry in kernels_of(module)]
    return tuple(of_kernel(kernel) for kernel in dict.fromkeys(kernel for entry in entries for kernel in entry.closure))


def kernels_of(module: str) -> list[Kernel]:
    """The kernels of a module itself."""
    found = import_module(f"nhviz.kernels.{module}")
    return [v for v in vars(found).values() if isinstance(v, Kernel) and v.__module__ == found.__name__]


def of_kernel(kernel: Kernel) -> Part:
    """The part that compiles a kernel."""
    weight = KERNEL_SECONDS + SECONDS_PER_BYTE * kernel.size
    return Part("kernel", f"{kernel.__module__}:{kernel.__name__}", kernel.name, kernel.marker, weight)


def stamp(name: str) -> str:
    """A word that changes with the file of a system: its fields are compiled from there."""
    source = registry.source(name)
    facts = source.stat()
    return hashlib.sha256(f"{source} {facts.st_mtime_ns} {facts.st_size}".encode()).hexdigest()[:12]


def is_ready(name: str) -> bool:
    """Whether everything that a system needs is on the disk."""
    return all(part.done for part in reversed(parts(name)))


def missing(names: Iterable[str]) -> list[Part]:
    """What is not on the disk yet, each part once, in the order of the systems; what only sweeps need comes last."""
    names = list(names)
    every = [part for needed in (parts, parts_of_sweeps) for name in names for part in needed(name)]
    return [part for part in dict.fromkeys(every) if not part.done]
