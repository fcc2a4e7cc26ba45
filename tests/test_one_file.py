"""Adding a system is one file: a toy in a temporary folder is found everywhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def surroundings(tmp_path):
    shutil.copy(ROOT / "tests" / "toy" / "skate.py", tmp_path)
    return {**os.environ, "NHVIZ_SYSTEMS": str(tmp_path), "PYTHONPATH": str(ROOT)}


def python(surroundings, *words):
    return subprocess.run(
        [sys.executable, *words], env=surroundings, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )


def test_systems_lists_it_last(surroundings):
    done = python(surroundings, "-c", "import nhviz; print(nhviz.systems())")
    assert done.stdout.strip().endswith("'skate']")


def test_command_line_knows_it(surroundings):
    done = python(surroundings, "-m", "nhviz", "simulate", "skate", "--set", "omega=1", "--method", "euler")
    assert done.returncode == 0
    assert "theta" in done.stdout
    assert "circle" in done.stdout


def test_contract_tests_cover_it(surroundings):
    done = python(
        surroundings, "-m", "pytest", "-p", "no:cacheprovider", "-n0", "-k", "skate", "tests/test_contract.py"
    )
    assert done.returncode == 0, done.stdout
    # Three methods, each with at least five tests of its own.
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 15


def test_without_the_folder_it_is_gone(surroundings):
    del surroundings["NHVIZ_SYSTEMS"]
    done = python(surroundings, "-m", "nhviz", "simulate", "skate")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "skate" in done.stderr


def test_two_systems_of_one_name_are_refused(surroundings, tmp_path):
    shutil.copy(ROOT / "tests" / "toy" / "skate.py", tmp_path / "again.py")
    done = python(surroundings, "-m", "nhviz", "list")
    assert done.returncode == 2
    assert "skate" in done.stderr
