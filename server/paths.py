"""Addresses below the prefix of the application that answers.

`dash.get_relative_path` knows one prefix for a process, that of the application made last.
"""

from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from dash.fingerprint import build_fingerprint

from server import service


def address(name: str = "") -> str:
    """The address of a page or a file, or of the start page."""
    return f"{service.current().settings.prefix}/{name}"


def named(path: str | None) -> str:
    """What an address names; nothing for the start page."""
    prefix = service.current().settings.prefix
    below = path or "/"
    return (below.removeprefix(prefix) if f"{below}/".startswith(f"{prefix}/") else below).strip("/")


@lru_cache(maxsize=1)
def plotly_file() -> str:
    """The file of plotly's library below the component suites, with its version, so that browsers keep it."""
    found = find_spec("plotly")
    assert found is not None
    assert found.origin is not None
    relative = "package_data/plotly.min.js"
    changed = int((Path(found.origin).parent / relative).stat().st_mtime)
    return f"_dash-component-suites/plotly/{build_fingerprint(relative, version('plotly'), changed)}"


def plotly() -> str:
    """The address of plotly's library."""
    return address(plotly_file())
