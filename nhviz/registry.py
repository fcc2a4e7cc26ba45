"""Find the systems: every module of `nhviz.systems`, and every file of the folders in NHVIZ_SYSTEMS.

Each exports SYSTEM. NHVIZ_SYSTEMS holds folders separated as in PATH; it is for the person who runs
nhviz, who may so add systems of their own without touching the package.
"""

import os
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from nhviz import checks, declarations
from nhviz import systems as package
from nhviz.parameters import ParameterError, shown, unknown
from nhviz.system import System


def systems() -> list[str]:
    """Ids of all systems, in the order in which they are presented."""
    return list(registered())


def find(name: object) -> System:
    """The system with that id, or a ParameterError."""
    known = registered()
    if not isinstance(name, str) or name not in known:
        raise ParameterError(unknown("system", name, known), "system")
    return known[name]


def registered() -> dict[str, System]:
    """All systems by id."""
    return load(os.environ.get("NHVIZ_SYSTEMS", ""))


def source(name: str) -> Path:
    """The file of a system."""
    system = find(name)
    module = next(module for module in modules(os.environ.get("NHVIZ_SYSTEMS", "")) if module.SYSTEM is system)
    return Path(str(module.__file__))


@lru_cache(maxsize=8)
def load(folders: str) -> dict[str, System]:
    """Import every system module and check it; two systems of one id are a mistake worth stopping for."""
    found: dict[str, System] = {}
    for system in sorted(map(exported, modules(folders)), key=lambda system: system.position):
        checks.check(system)
        if system.id in found:
            raise ParameterError(f"Two systems are called {shown(system.id)}; rename one of them.", "system")
        found[system.id] = system
    return found


def exported(module: ModuleType) -> System:
    """The system of a module, or a ParameterError."""
    system = getattr(module, "SYSTEM", None)
    if not isinstance(system, System):
        raise ParameterError(f"{module.__file__} must export SYSTEM, a System, not {shown(system)}.", "system")
    return system


@lru_cache(maxsize=8)
def modules(folders: str) -> list[ModuleType]:
    """The modules of the package, and those of further folders."""
    return list(declarations.modules(package, folders))
