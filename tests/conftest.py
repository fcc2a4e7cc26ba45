"""A served page and one browser for the browser tests; without chromium they are skipped visibly, in CI never."""

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

# Threads of BLAS only get in each other's way on matrices of a few rows; this is read when numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Runs that other tests, or a dashboard in use, have left would answer instead of what is tested. Read at import, too.
CACHE = tempfile.mkdtemp(prefix="nhviz-tests-")
os.environ["NHVIZ_CACHE_DIR"] = CACHE
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)

# Where one of these fails, pytest says with which values, as it does in a test.
pytest.register_assert_rewrite(
    "tests.ball_rotations", "tests.balls", "tests.boxes", "tests.extensions", "tests.vertical_balls"
)

ROOT = Path(__file__).parent.parent
CHROMIUM = shutil.which("chromium")
GUNICORN = (sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py")
# Before a command that compiles: browsers of other tests, which cannot wait, go first.
PATIENTLY = ("nice", "-n", "10")
# What playwright switches off, which this list replaces, and the suggestions below the address that nobody types: two
# pages of chromium's own, loaded anew for every window.
UNWANTED = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)
# A module is the work of one process: where a long one came last, the other cores would wait for it. Those that compile
# come before all, side by side, while no browser takes the cores from them.
FIRST = (
    "test_preparing",
    "test_package",
    "test_cold_start",
    "test_looks_page",
    "test_labs_more",
    "test_branches_page",
    "test_labs",
    "test_hands_page",
    "test_sphere_page",
    "test_shell_page",
    "test_controls_page",
    "test_coming_page",
    "test_behaviour_page",
    "test_clock_page",
    "test_vertical_page",
    "test_wire_page",
    "test_sweep_page",
    "test_history_page",
    "test_feedback_page",
    "test_dimensions_page",
    "test_fitness_page",
    "test_gallery_page",
    "test_sleigh_folds",
    "test_principal_branches",
    "test_ll",
    "test_standing_kernels",
)
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    f"--disable-component-update --disable-sync --disable-features={UNWANTED}"
)


def pytest_xdist_auto_num_workers(config):
    """One more than there are cores: browser tests mostly wait."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config):
    """Compile once, with a bar, before the processes of a whole run start; a few tests compile what they need."""
    if not hasattr(config, "workerinput") and not config.getoption("file_or_dir"):
        from nhviz.preparing import lead

        lead.prepare()


def pytest_collection_modifyitems(items):
    """Modules of `FIRST` in this order, then all others; without chromium no browser tests."""
    items.sort(key=lambda item: FIRST.index(item.path.stem) if item.path.stem in FIRST else len(FIRST))
    if CHROMIUM is None and os.environ.get("CI") != "true":
        for item in items:
            if "browser" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="no chromium here"))


def pytest_terminal_summary(terminalreporter):
    skipped = [r for r in terminalreporter.stats.get("skipped", []) if "no chromium here" in str(r.longrepr)]
    if skipped:
        terminalreporter.write_line(f"{len(skipped)} browser tests SKIPPED: install chromium to run them.", yellow=True)


@pytest.fixture(scope="session")
def address():
    """The address of the dashboard."""
    with served() as url:
        yield url


@contextmanager
def served(**variables):
    """The dashboard by gunicorn, configured as in production, with further environment variables."""
    port = free_port()
    environment = {**os.environ, "NHVIZ_BIND": f"127.0.0.1:{port}", "NHVIZ_WORKERS": "1", **variables}
    server = subprocess.Popen(GUNICORN, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server=server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def free_port():
    """A port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(url, seconds=180, server=None):
    """The first good answer. As long as there is something new in the bad ones, as there is while a server compiles, it
    has time; it fails with the last one if that stands still for so many seconds, or if the server has ended."""
    heard, since = set(), time.monotonic()
    while True:
        try:
            return urllib.request.urlopen(url, timeout=5)
        except urllib.error.HTTPError as error:
            with error:
                said = error.read().decode(errors="replace").strip()
        except OSError as error:
            said = str(error)
        if said not in heard:
            heard.add(said)
            since = time.monotonic()
        ended = server is not None and server.poll() is not None
        if ended or '"failed"' in said or time.monotonic() - since > seconds:
            what = "has ended" if ended else f"has not got on for {time.monotonic() - since:.0f} s"
            raise TimeoutError(f"The server at {url} {what}; the last that it said was: {said}")
        time.sleep(0.1)


@pytest.fixture(scope="session")
def browser():
    """One chromium for all browser tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def context(browser):
    """A window of the usual size, for one module."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    # A test that compiles may have the cores for a while.
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture(scope="module")
def opened(context):
    """One page for the tests of a module, empty until one of them goes to an address."""
    from tests.page import Lab

    return Lab(context, "about:blank", wait=False)


@pytest.fixture
def lab(opened, address):
    """A function that takes the page to an address, with the mouse out of the way and no presentation left."""

    def visit(path):
        opened.page.bring_to_front()
        opened.page.goto(f"{address}/{path}")
        opened.ready()
        opened.page.mouse.move(2, 2)
        opened.requests.clear()
        return opened

    return visit
