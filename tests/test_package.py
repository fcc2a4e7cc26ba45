"""The package: what a wheel holds, and that it works in an environment where the checkout is not."""

import email
import json
import os
import re
import socket
import subprocess
import sys
import tarfile
import tomllib
import urllib.error
import urllib.request
import venv
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import nhviz
from nhviz import serve
from nhviz.__main__ import main
from nhviz.parameters import ParameterError
from nhviz.views import texts
from tests.conftest import PATIENTLY, free_port, wait_for
from tests.frames import opening, panel
from tests.page import Lab

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = Path(np.__file__).parent.parent
LIBRARY = ("llvmlite", "numba", "numpy", "scipy", "tqdm")
DASHBOARD = ("app.py", "gunicorn.conf.py", "assets", "callbacks", "layouts", "server")
LEFTOVERS = {".pyc", ".nbi", ".nbc"}
QUIET = ("GL Driver Message", "willReadFrequently")
PATIENCE = 300


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The archive of the sources, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (archive,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return archive, wheel


class Elsewhere:
    """An environment with the wheel, in a folder of its own."""

    def __init__(self, folder, wheel):
        self.folder = folder
        venv.create(folder / "venv", symlinks=True)
        self.bin = folder / "venv" / "bin"
        install = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", str(wheel)]
        subprocess.run([sys.executable, "-m", "pip", "--python", str(self.bin / "python"), *install], check=True)
        # Other packages are links to those of this environment: downloads would take longer than everything else.
        self.library, self.everything = folder / "library", folder / "everything"
        for links, wanted in ((self.library, lambda name: name in LIBRARY), (self.everything, lambda name: True)):
            links.mkdir()
            for path in PACKAGES.iterdir():
                if wanted(path.name.split(".")[0]) and "nhviz" not in path.name:
                    (links / path.name).symlink_to(path)

    def environment(self, packages):
        """Variables for a process that finds these packages and nothing of the checkout."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("NHVIZ_", "PYTHON"))}
        mine = {
            "PYTHONPATH": packages,
            "NUMBA_CACHE_DIR": self.folder / "kernels",
            "NHVIZ_CACHE_DIR": self.folder / "runs",
        }
        return inherited | {name: str(value) for name, value in mine.items()} | {"NHVIZ_WORKERS": "1"}

    def run(self, *command, packages=None):
        """The command with the packages of the library, or others."""
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.folder,
            env=self.environment(packages or self.library),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def elsewhere(built, tmp_path_factory):
    return Elsewhere(tmp_path_factory.mktemp("elsewhere"), built[1])


def files_below(*names):
    """Files of the checkout, without what Python and numba have left there."""
    found = [path for name in names for path in [ROOT / name, *(ROOT / name).rglob("*")] if path.is_file()]
    kept = [path for path in found if path.suffix not in LEFTOVERS and "__pycache__" not in path.parts]
    return {path.relative_to(ROOT).as_posix() for path in kept}


def test_the_wheel_holds_nhviz_and_below_it_the_dashboard(built):
    with zipfile.ZipFile(built[1]) as wheel:
        names = set(wheel.namelist())
    inside = {name for name in names if ".dist-info/" not in name}
    assert inside == files_below("nhviz") | {f"nhviz/dashboard/{name}" for name in files_below(*DASHBOARD)}
    assert {
        "nhviz/py.typed",
        "nhviz/dashboard/assets/tokens.css",
        "nhviz/dashboard/assets/fonts/fira-sans-latin-400.woff2",
    } <= inside
    about = f"nhviz-{nhviz.__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"nhviz", about}
    assert f"{about}/licenses/LICENSE" in names


def test_the_archive_of_sources_holds_what_a_checkout_has(built):
    with tarfile.open(built[0]) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    everything = files_below("nhviz", *DASHBOARD, "tests", "docs", "docker", "requirements", ".ci")
    everything |= {"benchmarks/README.md", "requirements.txt", "requirements-dev.txt"}
    assert everything | {"Makefile", "Dockerfile", "LICENSE", "README.md", "CHANGELOG.md"} <= names
    foreign = {".venv", ".git", "__pycache__", "dist", "build", ".hypothesis", ".mypy_cache", ".pytest_cache"}
    assert not [name for name in names if foreign & set(Path(name).parts) or Path(name).suffix in LEFTOVERS]


def test_the_wheel_says_what_it_is_and_needs(built):
    with zipfile.ZipFile(built[1]) as wheel:
        facts = email.message_from_bytes(wheel.read(f"nhviz-{nhviz.__version__}.dist-info/METADATA"))
    assert facts["Name"] == "nhviz"
    assert facts["Version"] == nhviz.__version__
    assert facts["License-Expression"] == "MIT"
    needed = [Requirement(text) for text in facts.get_all("Requires-Dist")]
    assert {need.name for need in needed if need.marker is None} == {"numpy", "scipy", "numba", "tqdm"}
    assert {need.name for need in needed if need.marker is not None} == set(serve.NEEDED.values())


def pins(file):
    return dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "requirements" / file).read_text(), flags=re.MULTILINE))


def test_the_package_allows_what_is_pinned_and_nothing_older():
    project = PROJECT["project"]
    needed = {Requirement(text) for text in project["dependencies"] + project["optional-dependencies"]["server"]}
    pinned = pins("run.in")
    assert {need.name for need in needed} == set(pinned)
    for need in needed:
        version = Version(pinned[need.name])
        assert version in need.specifier
        assert {str(part) for part in need.specifier} == {
            f">={version.major}.{version.minor}",
            f"<{version.major + 1}",
        }


def test_the_tests_build_with_what_everybody_builds_with():
    assert PROJECT["build-system"]["requires"] == [f"hatchling=={pins('build.in')['hatchling']}"]


@pytest.mark.parametrize("minor", [10, 15])
def test_make_says_which_pythons_there_may_be(tmp_path, minor):
    other = tmp_path / "python"
    other.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = (3, {minor}, 0)\n$2"\n')
    other.chmod(0o755)
    command = ["make", "-f", str(ROOT / "Makefile"), "run", f"PYTHON={other}"]
    (tmp_path / "requirements").mkdir()
    for name in ("requirements.txt", "requirements/build.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("nhviz needs Python 3.11 to 3.14, ")
    assert f"not 3.{minor}" in done.stderr.splitlines()[0]
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.15"


def test_nothing_of_the_checkout_is_found_elsewhere(elsewhere):
    program = (
        "import nhviz; from importlib.util import find_spec; print(nhviz.__file__);"
        "print([name for name in ('app', 'assets', 'callbacks', 'layouts', 'server') if find_spec(name)])"
    )
    done = elsewhere.run("python", "-c", program, packages=elsewhere.everything)
    file, found = done.stdout.splitlines()
    assert Path(file).is_relative_to(elsewhere.bin.parent)
    assert found == "[]"


def test_commands_work_elsewhere(elsewhere):
    assert elsewhere.run("nhviz", "--version").stdout == f"nhviz {nhviz.__version__}\n"
    listed = elsewhere.run("nhviz", "list").stdout.splitlines()
    assert [line.split()[0] for line in listed] == nhviz.systems()
    done = elsewhere.run("nhviz", "simulate", "sleigh", "--duration", "1", "--out", "run.csv")
    assert done.returncode == 0
    assert re.fullmatch(r"Compiling \d+ parts of nhviz; this is done once\.\n", done.stderr)
    again = elsewhere.run("nhviz", "simulate", "sleigh", "--duration", "1")
    assert (again.returncode, again.stderr) == (0, "")
    rows = (elsewhere.folder / "run.csv").read_text().splitlines()
    assert len([row for row in rows if not row.startswith("#")]) == 1 + len(nhviz.simulate("sleigh", duration=1.0))


def test_bad_input_has_its_exit_status_elsewhere(elsewhere):
    done = elsewhere.run("nhviz", "simulate", "sledge")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert elsewhere.run("nhviz", "simulate").stderr.endswith("(try nhviz simulate --help)\n")
    assert elsewhere.run("python", "-m", "nhviz").stderr.endswith("(try python -m nhviz --help)\n")


def test_the_lines_of_the_page_run_elsewhere(elsewhere):
    shown = panel(opening("sleigh", variants=["exact", "fedorov_zenkov"]))
    printed = "\nimport json\nprint(json.dumps({method: list(run['p_1']) for method, run in runs.items()}))\n"
    (elsewhere.folder / "lines.py").write_text(texts.python(shown)[0].text + printed)
    done = elsewhere.run("python", "lines.py")
    assert done.stderr == ""
    runs = json.loads(done.stdout)
    assert set(runs) == {"exact", "fedorov_zenkov"}
    for method, values in runs.items():
        # A flow that is drawn as a smooth line is computed with it, in other steps.
        assert np.allclose(values, shown.runs[method]["p_1"], rtol=0.0, atol=1e-12)


def test_without_the_extra_serve_says_what_to_install(elsewhere):
    done = elsewhere.run("nhviz", "serve")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "nhviz: The dashboard needs more packages (cryptography, dash, dash-mantine-components, dask, distributed,"
        " flask-caching, gunicorn, orjson, plotly, pybase64, redis): pip install 'nhviz[server]'.\n"
    )


def test_a_checkout_says_what_to_install(elsewhere):
    environment = elsewhere.environment(elsewhere.library) | {"PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(elsewhere.bin / "python"), "-m", "nhviz", "serve"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith(f": pip install -r {ROOT / 'requirements.txt'}.\n")


def test_a_package_without_its_dashboard_says_so(tmp_path):
    with pytest.raises(ParameterError, match=r"are neither in .* nor beside it"):
        serve.dashboard(tmp_path / "nhviz")


@pytest.fixture
def executed(monkeypatch):
    """What would be executed instead of this process, with no NHVIZ_BIND."""
    commands = []
    monkeypatch.setattr(os, "execv", lambda program, command: commands.append(command))
    monkeypatch.setenv("NHVIZ_BIND", "")
    return commands


@pytest.mark.parametrize(
    ("options", "bind", "address"),
    [
        ([], "", "127.0.0.1:8050"),
        ([], "0.0.0.0:80", "0.0.0.0:80"),
        (["--port", "9000"], "0.0.0.0:80", "0.0.0.0:9000"),
        (["--host", "localhost"], "0.0.0.0:80", "localhost:80"),
        (["--host", "::1", "--port", "9000"], "", "[::1]:9000"),
        (["--host", "[::1]"], "[::]:80", "[::1]:80"),
        (["--port", "9000"], "[::]:80", "[::]:9000"),
        ([], "unix:/run/nhviz", "unix:/run/nhviz"),
        ([], "127.0.0.1:80,127.0.0.1:81", "127.0.0.1:80,127.0.0.1:81"),
        (["--port", "9000"], "unix:/run/nhviz", "127.0.0.1:9000"),
    ],
)
def test_options_come_before_the_variable(executed, monkeypatch, options, bind, address):
    monkeypatch.setenv("NHVIZ_BIND", bind)
    monkeypatch.setattr(serve, "check_free", lambda host, port: None)
    main(["serve", *options])
    assert os.environ["NHVIZ_BIND"] == address
    assert executed[0][-1] == str(ROOT / "gunicorn.conf.py")


@pytest.mark.parametrize("port", ["99999", "0", "-1", "http", "8050.5", "", "٣" * 9])
def test_a_port_that_is_none_gets_a_sentence(executed, capsys, port):
    assert main(["serve", f"--port={port}"]) == 2
    assert capsys.readouterr().err == f"nhviz: The port must be a whole number from 1 to 65535, not {port!r}.\n"
    assert not executed


def test_a_port_in_use_gets_a_sentence(executed, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert capsys.readouterr().err == f"nhviz: Port {port} is in use: choose another one with --port.\n"
    assert not executed


@pytest.mark.parametrize(
    "host", ["203.0.113.7", "2001:db8::7", "no such name", "..", "http://localhost", "", "x" * 300]
)
def test_a_host_that_is_not_here_gets_a_sentence(executed, capsys, host):
    assert main(["serve", "--host", host, "--port", str(free_port())]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"nhviz: (Nothing can listen on port \d+ of '.*: .+\.|The host must not be empty; .*)", line)
    assert not executed


@contextmanager
def installed_dashboard(elsewhere):
    """`nhviz serve` of the wheel, started in a folder full of names that it must not fall for."""
    trap = elsewhere.folder / "trap"
    for name in ("layouts", "server", "callbacks", "nhviz"):
        (trap / name).mkdir(parents=True)
        (trap / name / "__init__.py").write_text("raise SystemExit('trapped')\n")
    for name in ("app", "dash", "gunicorn", "numpy", "json"):
        (trap / f"{name}.py").write_text("raise SystemExit('trapped')\n")
    port = free_port()
    with (elsewhere.folder / "log").open("w") as log:
        server = subprocess.Popen(
            [*PATIENTLY, str(elsewhere.bin / "nhviz"), "serve", "--port", str(port)],
            cwd=trap,
            env=elsewhere.environment(elsewhere.everything),
            stdout=log,
            stderr=log,
        )
        try:
            yield server, f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(40)


@pytest.fixture(scope="module")
def dashboard(elsewhere):
    with installed_dashboard(elsewhere) as (server, address):
        wait_for(f"{address}/", PATIENCE, server)
        yield address
    assert server.returncode == 0


def test_the_installed_dashboard_answers(dashboard):
    with urllib.request.urlopen(f"{dashboard}/") as answer:
        assert "<title>nhviz</title>" in answer.read().decode()
        assert answer.headers.get_all("Server") == ["nhviz"]
        assert "X-Powered-By" not in answer.headers
    with urllib.request.urlopen(f"{dashboard}/assets/tokens.css") as answer:
        assert answer.read() == (ROOT / "assets" / "tokens.css").read_bytes()
    # Its kernels are compiled now: an installed copy is another one than the checkout.
    try:
        with urllib.request.urlopen(f"{dashboard}/health") as answer:
            assert json.load(answer)["status"] == "ok"
    except urllib.error.HTTPError as error:
        with error:
            assert (error.code, json.load(error)["status"]) == (503, "starting")


@pytest.mark.browser
def test_a_lab_of_the_installed_dashboard_is_drawn(dashboard, context):
    page = context.new_page()
    page.goto(f"{dashboard}/sleigh")
    page.wait_for_selector(".lab", timeout=1000.0 * PATIENCE)
    page.close()
    lab = Lab(context, f"{dashboard}/sleigh")
    lab.check_drawn()
    assert [text for text in lab.said if not any(word in text for word in QUIET)] == []
    assert all(request.url.startswith((f"{dashboard}/", "data:", f"blob:{dashboard}/")) for request in lab.requests)
    lab.close()
