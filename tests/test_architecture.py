"""Who may know whom: the import rules of the house, read from the sources."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from nhviz import registry
from nhviz.frame import find

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path for folder in ("nhviz", "layouts", "callbacks", "server") for path in (ROOT / folder).rglob("*.py")
)


@cache
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


CONTENTS = ("nhviz.labs", "nhviz.cards", "nhviz.corrections", "nhviz.results", "nhviz.lessons")
PAGES = ("nhviz.frame", "nhviz.views", *CONTENTS)
"""What a page is, in records and values."""
STRANGERS = {
    "kernels": PAGES,
    "measures": ("nhviz", "nhviz.systems", "nhviz.analysis", "nhviz.sweeps", *PAGES),
    "methods": ("nhviz", "nhviz.systems", "nhviz.maps", "nhviz.measures", "nhviz.analysis", "nhviz.sweeps", *PAGES),
    "maps": ("nhviz", "nhviz.systems", "nhviz.measures", "nhviz.analysis", "nhviz.sweeps", *PAGES),
    "systems": ("nhviz", "nhviz.systems", "nhviz.analysis", "nhviz.sweeps", *PAGES),
    "analysis": ("nhviz.sweeps", *PAGES),
    "sweeps": ("nhviz", *PAGES),
    "figures": PAGES,
    "preparing": PAGES,
    "views": ("nhviz", *CONTENTS),
    "labs": ("nhviz", *CONTENTS),
    "cards": ("nhviz", *CONTENTS),
    "corrections": ("nhviz", *CONTENTS),
    "results": ("nhviz", *CONTENTS),
    "lessons": ("nhviz", *CONTENTS),
}
"""What the modules of a package never import: `import nhviz` itself would give them all of these."""


def within(name, *packages):
    """Whether a full name is one of these packages or, but for nhviz itself, in one of them."""
    return any(name == package or (package != "nhviz" and name.startswith(f"{package}.")) for package in packages)


@cache
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
            allowed |= {"dask", "distributed"} if parts[1:] == ("sweeps", "cluster.py") else set()
            assert {name.split(".")[0] for name in outside} <= {"nhviz", "numpy", "scipy", "numba"} | allowed
        # A lab of several files is a package, whose modules know each other.
        own = ".".join(parts[:3]) if len(parts) > 3 else ""
        foreign = {name for name in names if not own or not within(name, own)}
        assert not [name for name in foreign if within(name, *STRANGERS.get(parts[1], ()))]
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


@pytest.mark.parametrize("module", modules_of("nhviz.methods", "nhviz.maps", "nhviz.measures", "nhviz.systems"))
def test_no_way_leads_back_to_the_questions(module):
    """Not even through a third module, a function that imports, or a name that is put together."""
    assert not [name for name in known(module) if within(name, "nhviz.analysis", "nhviz.sweeps")]
    text = module_files()[module].read_text()
    assert "import_module" not in text
    assert "__import__" not in text


@pytest.mark.parametrize("module", modules_of(*PAGES))
def test_what_a_page_is_knows_no_web_framework(module):
    """Not even through a third module of nhviz."""
    strangers = ("dash", "flask", "plotly", "layouts", "callbacks", "server", "app")
    for name in known(module):
        assert not begins(imported(module_files()[name]), *strangers), name


def test_what_a_page_is_loads_no_web_framework():
    program = (
        f"import importlib, sys; [importlib.import_module(name) for name in {modules_of(*PAGES)}];"
        "from nhviz.frame import find; find.labs(), find.cards(), find.corrections(), find.results(), find.lessons();"
        "print({'dash', 'flask', 'plotly', 'layouts', 'callbacks', 'server', 'app'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_only_the_finder_knows_the_contents():
    """The rest of the frame works with any labs, cards and lessons."""
    for path in (ROOT / "nhviz" / "frame").glob("*.py"):
        inside = [name for name in imported(path) if within(name, *CONTENTS)]
        assert not inside or path.name == "find.py", path.name


OTHER_MEANINGS = {
    ("layouts/ids.py", "time"): "the words of the clock",
    ("layouts/ids.py", "python"): "the lines of Python that a page gives away",
    ("layouts/lab.py", "step"): "the step of any system",
    ("layouts/dock.py", "time"): "the class of the clock",
    ("layouts/texts.py", "equations"): "the class of typeset words",
    ("assets/page/say.js", "time"): "the words of the clock",
    ("assets/page/page.js", "step"): "the class of a gauge",
    ("assets/page/controls.js", "step"): "the class of a gauge",
    ("assets/page/controls.js", "energy"): "a coordinate of the start",
    ("layouts/controls.py", "energy"): "a coordinate of the start",
    ("assets/page/pictures.js", "error"): "what the browser says of a file that cannot be loaded",
    ("assets/page/frame.js", "python"): "the lines of Python that a page gives away",
    ("assets/sweep/page/map.js", "path"): "an element of SVG",
    ("assets/sweep/page/cuts.js", "path"): "an element of SVG",
    ("layouts/gallery.py", "convergence"): "the page that stands beside the gallery's own",
    ("layouts/controls.py", "step"): "the group of controls with the step and the duration of any system",
}
"""Texts that the page shares with some view by chance."""


def texts_of(path):
    """Every text that stands in quotes in a file of Python or JavaScript."""
    if path.suffix == ".py":
        nodes = ast.walk(ast.parse(path.read_text()))
        return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for _, text in re.findall(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""", path.read_text())}


@cache
def contents():
    """The ids of all systems, labs, scenes, places, views, variants, cards and lessons, and the words of options."""
    scenes = [scene for lab in find.labs().values() for scene in lab.scenes]
    views = [view for scene in scenes for view in scene.all_views.values()]
    return {
        *registry.systems(),
        *find.labs(),
        *find.cards(),
        *find.corrections(),
        *find.results(),
        *find.lessons(),
        *(place for scene in scenes for place in scene.places),
        *(view.id for view in views),
        *(f"{view.id}.{option.name}" for view in views for option in view.options),
        *(way for scene in scenes for panel in scene.panels for way in panel.ways),
    }


PAGE_FILES = sorted(
    [*(ROOT / "layouts").glob("*.py"), *(ROOT / "callbacks").glob("*.py"), *(ROOT / "assets").rglob("*.js")]
)


@pytest.mark.parametrize("path", PAGE_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_page_names_no_lab_no_system_and_no_view(path):
    """It shows any lab from its declarations: another lab, or another view, is no change here."""
    name = path.relative_to(ROOT).as_posix()
    named = {part for text in texts_of(path) for part in (text, *re.split(r"[./?#{}]", text))} & contents()
    allowed = {text for file, text in OTHER_MEANINGS if file == name}
    assert named <= allowed
    assert allowed <= named, "an exception that is none any more"


def test_names_in_the_page_would_be_seen(tmp_path):
    """The test above can fail, in both languages."""
    program, script = tmp_path / "page.py", tmp_path / "page.js"
    program.write_text("if lab == 'suslov' or view in {\"locus\": 1}:\n    href = f'/sleigh?{x}'\n")
    script.write_text('const a = "suslov"; if (b === \'locus\') c = `#sleigh`; /* it\'s */ const d = "drift";\n')
    assert {"suslov", "locus", "/sleigh?"} <= texts_of(program)
    assert {"suslov", "locus", "#sleigh", "drift"} <= texts_of(script)
    assert {"suslov", "locus", "sleigh", "drift", "exact", "locus.surface"} <= contents()


def test_the_way_of_imports_is_seen():
    """The test above can fail: questions know systems, systems know maps, maps know kernels."""
    assert {"nhviz.systems.sleigh", "nhviz.maps.sleigh_branches", "nhviz.kernels"} <= known("nhviz.analysis.cusps")
    assert "nhviz.maps.suslov_folds" in known("nhviz.systems.suslov")
    assert {"nhviz.views.pictures", "nhviz.frame.records", "nhviz.maps.steiner"} <= known("nhviz.labs.suslov")


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
