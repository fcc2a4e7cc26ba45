"""Files that declare something: the modules of a package, and every file of further folders.

So systems, labs, cards and lessons are found; adding one is adding a file. Folders are separated as in PATH.
"""

import importlib
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from nhviz.parameters import ParameterError


def modules(package: ModuleType, folders: str) -> Iterator[ModuleType]:
    """The modules of a package, then those of the folders."""
    for found in pkgutil.iter_modules(package.__path__):
        yield importlib.import_module(f"{package.__name__}.{found.name}")
    for folder in filter(None, folders.split(os.pathsep)):
        for path in sorted(Path(folder).glob("*.py")):
            yield from_file(path, package.__name__)


def from_file(path: Path, package: str) -> ModuleType:
    """Import one file that is not part of the package it adds to."""
    name = f"{package.replace('.', '_')}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ParameterError(f"{path} is not a Python file that can be imported.", "system")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
