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


STRANGERS = {
    "methods": ("nhviz", "nhviz.systems", "nhviz.maps", "nhviz.analysis"),
    "maps": ("nhviz", "nhviz.systems", "nhviz.analysis"),
    "systems": ("nhviz", "nhviz.systems", "nhviz.analysis"),
}
"""What the modules of a package never import: `import nhviz` itself would give them all of these."""


def within(name, *packages):
    """Whether a full name is one of these packages or, but for nhviz itself, in one of them."""
    return any(name == package or (package != "nhviz" and name.startswith(f"{package}.")) for package in packages)


def module_files():
    """The file of every module of nhviz, by its full name."""
    files = {path.relative_to(ROOT).with_suffix(""): path for path in (ROOT / "nhviz").rglob("*.py")}
    return {".".join(name.parts).removesuffix(".__init__"): path for name, path in files.items()}


def known(start):
    """All modules of nhviz that a module knows, itself or through others; what the package itself imports aside."""
    files, found, ahead = module_files(), set(), [start]
    while ahead:
        module = ahead.pop()
        if module not in found:
            found.add(module)
            named = imported(files[module])
            ahead += [name for part in named for name in (part, part.rpartition(".")[0]) if name in files]
            ahead = [name for name in ahead if name != "nhviz"]
    return found


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
        assert not [name for name in names if within(name, *STRANGERS.get(parts[1], ()))]
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


def modules_of(*packages):
    return sorted(name for name in module_files() if within(name, *packages))


@pytest.mark.parametrize("module", modules_of("nhviz.methods", "nhviz.maps", "nhviz.systems"))
def test_no_way_leads_back_to_the_questions(module):
    """Not even through a third module, a function that imports, or a name that is put together."""
    assert not [name for name in known(module) if within(name, "nhviz.analysis")]
    text = module_files()[module].read_text()
    assert "import_module" not in text
    assert "__import__" not in text


def test_the_way_of_imports_is_seen():
    """The test above can fail: questions know systems, systems know maps, maps know kernels."""
    assert {"nhviz.systems.sleigh", "nhviz.maps.sleigh_branches", "nhviz.kernels"} <= known("nhviz.analysis.cusps")
    assert "nhviz.maps.suslov_folds" in known("nhviz.systems.suslov")


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
