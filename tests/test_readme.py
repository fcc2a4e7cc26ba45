"""The README's Python runs, its commands exist, and everything it names is there."""

import importlib
import re
from pathlib import Path

import pytest

from nhviz.__main__ import main

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


def test_python_blocks_run_one_after_the_other():
    names = {}
    for block in blocks("python"):
        exec(block, names)
    assert names["run"].stopped is None
    assert len(names["portrait"]) == 3
    assert names["long"].problem.steps == 20_000_000


def test_command_lines_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^nhviz ((?:list|describe|simulate|sweep).*)$", TEXT, flags=re.MULTILINE)
    assert len(lines) == 4
    for line in lines:
        assert main(line.split()) == 0
    assert (tmp_path / "orbit.csv").exists()
    assert (tmp_path / "map.npz").exists()


@pytest.mark.parametrize(("heading", "package"), [("question", "nhviz.analysis"), ("what", "nhviz.maps")])
def test_functions_of_the_tables_exist(heading, package):
    table = TEXT.split(f"| {heading} | function |")[1].split("\n\n")[0]
    named = re.findall(r"`(\w+)(?:\.(\w+))?`", table)
    assert len(named) > 3
    for module, function in named:
        found = importlib.import_module(f"{package}.{module}")
        assert not function or callable(getattr(found, function))


def test_make_targets_and_pictures_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", "\n".join(blocks("")), flags=re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)
    for path in re.findall(r"\]\(([\w/.]+)\)", TEXT):
        assert (ROOT / path).exists()
