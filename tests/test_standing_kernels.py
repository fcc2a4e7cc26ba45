"""Kernels stand on their own: called through a pointer, compiled once, kept on the disk, and sound there."""

import ast
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nhviz import kernels
from nhviz.kernels import MODULES, cache
from nhviz.kernels.compile import KERNELS, VECTOR, Kernel, kernel, named, observers, piece

ROOT = Path(__file__).parent.parent


@piece()
def doubled(x):
    """A piece."""
    return 2.0 * x


@kernel("number(vector)")
def total(values):
    """A kernel."""
    result = 0.0
    for i in range(values.size):
        result += values[i]
    return result


@kernel("number(number)")
def root(x):
    """A kernel that may raise."""
    if x < 0.0:
        raise ValueError("there is no root")
    return math.sqrt(x)


@kernel("number(number)", inlined=True)
def halved(x):
    """A kernel for Python, a piece for others."""
    return 0.5 * x


@kernel("number(number)")
def inner(x):
    """A kernel that no other test uses."""
    return x


@kernel("number(number)")
def outer(x):
    """A kernel that calls it."""
    return inner(x)


@kernel("together(number, vector)(vector, number)")
def caller(values, x):
    """A kernel that calls the others, one of them through a piece of another module's kind."""
    first = root(total(values)) + doubled(halved(x))
    shifted = np.empty(values.size)
    for i in range(values.size):
        shifted[i] = values[i] + total(values[:2])
    return first, shifted


def test_a_kernel_calls_others():
    values = np.array([2.0, 3.5, 10.5])
    number, shifted = caller(values, 0.25)
    assert number == 4.0 + 0.25
    assert np.array_equal(shifted, values + 5.5)
    assert halved(3.0) == 1.5
    assert set(caller.closure) == {caller, total, root}
    assert caller.closure[-1] is caller


def test_what_a_callee_raises_arrives():
    with pytest.raises(ValueError, match="there is no root"):
        caller(np.array([-1.0]), 1.0)


def test_numbers_are_converted_and_other_arrays_refused():
    assert root(4) == 2.0
    assert total(np.ones(6)) == 6.0
    with pytest.raises(TypeError):
        total(np.ones(6)[::2])
    with pytest.raises(TypeError):
        total(np.ones((2, 3)))
    assert len(total.dispatcher.signatures) == 1


def test_a_call_before_loading_is_an_error_and_no_crash():
    outer.compile()
    with pytest.raises(RuntimeError, match="inner was not loaded"):
        outer.dispatcher(1.0)
    assert outer(1.0) == 1.0


def imported_modules():
    for name in MODULES:
        getattr(kernels, name)
    return [k for k in KERNELS.values() if k.__module__.startswith("nhviz.kernels.")]


def test_no_kernel_contains_another():
    # Compiled here: code that was loaded from the disk does not show itself.
    made = piece()(kernels.follow.follow.py_func)
    made.compile(kernels.follow.follow.declared)
    (code,) = made.inspect_llvm().values()
    assert "nhviz:nhviz.kernels.follow.go_along_arc" in code
    defined = [line for line in code.splitlines() if line.startswith("define")]
    assert not [line for line in defined if "go_along_arc" in line or "invert" in line]
    assert [line for line in defined if "follow" in line]


def test_closures_hold_all_that_is_called():
    every = imported_modules()
    assert len(every) > 110
    for one in every:
        direct = {value for value in named(one.py_func) if isinstance(value, Kernel) and not value.inlined}
        assert direct <= set(one.closure)
        for other in one.closure:
            assert set(other.closure) <= set(one.closure)


def test_sizes_count_pieces():
    assert caller.size > len(caller.py_func.__code__.co_code)
    assert caller.size >= sum(len(f.__code__.co_code) for f in (caller.py_func, doubled.py_func, halved.py_func))


def test_python_calls_kernels_only():
    """Whatever the rest of nhviz takes from a module of kernels is a kernel or a constant: pieces are not kept."""
    seen = 0
    for path in (ROOT / "nhviz").rglob("*.py"):
        if "kernels" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            inner = getattr(node, "value", None)
            if not (isinstance(node, ast.Attribute) and isinstance(inner, ast.Attribute)):
                continue
            if isinstance(inner.value, ast.Name) and inner.value.id == "kernels" and inner.attr in MODULES:
                value = getattr(getattr(kernels, inner.attr), node.attr)
                plain = callable(value) and not isinstance(value, Kernel)
                # A field is compiled as it is.
                assert not plain or node.attr == "field", f"{path}: {inner.attr}.{node.attr}"
                seen += 1
    assert seen > 40


PROGRAM = """
import sys, logging
logging.basicConfig(level=logging.WARNING)
import numpy as np
from nhviz import kernels
from nhviz.kernels import cache
found = kernels.linear.largest_eigenvalue(np.array([[2.0, 1.0], [1.0, 2.0]]))
stats = kernels.linear.largest_eigenvalue.dispatcher.stats
print(round(found, 12), sum(stats.cache_hits.values()), cache.folder())
"""


def run(program=PROGRAM, cwd=ROOT, **variables):
    environment = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "PYTHONPATH")}
    environment |= {"PYTHONPATH": str(cwd), "PYTHONDONTWRITEBYTECODE": "1", **{k: str(v) for k, v in variables.items()}}
    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    value, hits, folder = done.stdout.split()
    return float(value), int(hits), folder, done.stderr


def test_what_is_compiled_is_found_again(tmp_path):
    first, second = run(NUMBA_CACHE_DIR=tmp_path), run(NUMBA_CACHE_DIR=tmp_path)
    assert (first[:2], second[:2]) == ((3.0, 0), (3.0, 1))
    assert second[2] == str(tmp_path / f"kernels-{cache.fingerprint()}")


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_damaged_code_is_compiled_again(tmp_path, ending):
    folder = Path(run(NUMBA_CACHE_DIR=tmp_path)[2])
    (damaged,) = folder.rglob(f"*largest_eigenvalue*{ending}")
    damaged.write_bytes(b"\x80\x04garbage" * 10)
    value, hits, _, said = run(NUMBA_CACHE_DIR=tmp_path)
    assert (value, hits) == (3.0, 0)
    assert "Compiling linear.largest_eigenvalue again" in said
    # The damage does not stay.
    for _ in range(2):
        value, hits, _, said = run(NUMBA_CACHE_DIR=tmp_path)
    assert (value, hits, said) == (3.0, 1, "")


def test_a_full_disk_costs_time_only(tmp_path):
    full = "import errno\nfrom numba.core.caching import Cache\n"
    full += "def save(self, *_): raise OSError(errno.ENOSPC, 'No space left on device')\n"
    full += "Cache.save_overload = save\n"
    value, hits, folder, _ = run(full + PROGRAM, NUMBA_CACHE_DIR=tmp_path)
    assert (value, hits) == (3.0, 0)
    assert not list(Path(folder).rglob("kernel.*largest_eigenvalue"))


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A copy of nhviz beside which nothing can be written: the place of its cache is taken by a file."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(ROOT / "nhviz", folder / "nhviz", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "nhviz" / "kernels" / "__pycache__").touch()
    return folder


def test_an_installation_that_cannot_be_written_keeps_code_with_the_user(locked, tmp_path):
    value, _, folder, _ = run(cwd=locked, XDG_CACHE_HOME=tmp_path)
    assert (value, Path(folder).parent) == (3.0, tmp_path / "nhviz")
    assert run(cwd=locked, XDG_CACHE_HOME=tmp_path)[1] == 1


def test_without_a_home_code_is_kept_with_temporary_files_and_closed_to_others(locked, tmp_path):
    value, _, folder, _ = run(cwd=locked, XDG_CACHE_HOME="/dev/null/none", TMPDIR=tmp_path)
    assert value == 3.0
    assert Path(folder).is_relative_to(tmp_path)
    assert Path(folder).stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_written_everything_works_all_the_same(locked):
    nowhere = "import tempfile\ntempfile.tempdir = '/dev/null/none'\n"
    value, hits, folder, _ = run(nowhere + PROGRAM, cwd=locked, XDG_CACHE_HOME="/dev/null/none")
    assert (value, hits, folder) == (3.0, 0, "None")


def test_a_folder_that_others_can_change_is_not_used(tmp_path):
    for path in (tmp_path / "open", tmp_path / "closed"):
        path.mkdir()
    (tmp_path / "open").chmod(0o777)
    assert not cache.usable(tmp_path / "open" / "kernels")
    assert cache.usable(tmp_path / "closed" / "kernels")
    (tmp_path / "closed" / "kernels").chmod(0o770)
    assert not cache.usable(tmp_path / "closed" / "kernels")
    # Folders of a user's own group are usual, and so is one for temporary files.
    for mode in (0o775, 0o1777):
        (tmp_path / "closed").chmod(mode)
        assert cache.usable(tmp_path / "closed" / f"kernels-{mode}")


def test_observers_hear_of_what_is_compiled_and_of_nothing_else(monkeypatch):
    # As if nothing were on the disk.
    monkeypatch.setattr(cache, "is_marked", lambda name: False)
    heard = []

    def watch(missing):
        heard.append([one.name for one in missing])
        return lambda one: heard.append(one.name)

    fresh = Kernel(lambda x: x + x[0], VECTOR(VECTOR))
    observers.append(watch)
    try:
        fresh.load()
        fresh.load()
    finally:
        observers.remove(watch)
    assert heard == [[fresh.name], fresh.name]


def test_llvm_is_asked_once_where_an_argument_is():
    """It would look through all that was ever compiled, at every call."""
    from nhviz.methods.reference import compiled_field
    from nhviz.systems import sleigh

    field = compiled_field(sleigh.field)
    asked = field.get_compile_result(None).library.get_pointer_to_function
    start, parameters, out = np.array([0.3, 0.1, -0.2, 0.9, -1.4]), np.array([1.3, 0.7, 0.6, -0.4]), np.empty((5, 2))
    for _ in range(3):
        kernels.flow.integrate(field, start, parameters, np.array([0.0, 0.1]), 1e-14, 100, out)
    assert asked.cache_info().misses <= 2
    assert asked.cache_info().hits >= 4
