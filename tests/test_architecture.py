"""Who may know whom: the import rules of the house, read from the sources."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path for folder in ("nhviz", "layouts", "callbacks", "server") for path in (ROOT / folder).rglob("*.py")
)


def imported(path):
    """Full names of everything a file imports, wherever in the file."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def begins(names, *packages):
    return {name for name in names if name.split(".")[0] in packages}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_import_rules(path):
    names = imported(path)
    parts = path.relative_to(ROOT).parts
    # It locks all objects of a class while it computes, up to Python 3.11; nhviz.once does not.
    assert "functools.cached_property" not in names
    if parts[0] == "nhviz":
        assert not begins(names, "dash", "layouts", "callbacks", "server", "app")
        outside = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
        assert not begins(outside, "flask", "pandas", "sympy")
        if parts[1] == "figures":
            assert not {name for name in names if name.startswith("nhviz.simulate")}
        else:
            allowed = {"kernels": {"llvmlite"}, "preparing": {"tqdm"}}.get(parts[1], set())
            assert {name.split(".")[0] for name in outside} <= {"nhviz", "numpy", "scipy", "numba"} | allowed
        if parts[1] == "systems":
            assert not {name for name in names if name.startswith("nhviz.systems")}
        # What the mathematics computes must not depend on who compiled it.
        if parts[1] not in ("preparing", "warm.py", "__main__.py"):
            assert not {name for name in names if name.startswith("nhviz.preparing")}
    if parts[0] == "layouts":
        assert not {name for name in names if "simulate" in name}
        assert not begins(names, "callbacks", "numpy", "scipy", "numba")
        assert all(name.startswith(("server.limits", "server.paths")) for name in begins(names, "server"))
    if parts[0] == "callbacks":
        assert not begins(names, "numpy", "scipy", "numba", "plotly")
    if parts[0] == "server":
        assert not begins(names, "layouts", "callbacks", "app", "plotly")


def test_kernels_know_only_kernels():
    for path in (ROOT / "nhviz" / "kernels").glob("*.py"):
        inside = {name for name in imported(path) if name.startswith("nhviz.")}
        assert all(name.startswith("nhviz.kernels") for name in inside)


def test_importing_nhviz_loads_neither_numba_nor_scipy():
    program = (
        "import sys, nhviz; nhviz.describe('suslov'); print({'numba', 'scipy', 'dash', 'plotly'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
