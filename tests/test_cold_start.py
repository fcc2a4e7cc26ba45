"""A new machine: the page answers before anything is compiled, a lab says how far it is and opens by itself."""

import fcntl
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from nhviz.kernels import cache
from nhviz.preparing import plan
from nhviz.preparing.progress import FADING
from server import health
from tests.conftest import GUNICORN, PATIENTLY, ROOT, free_port, wait_for
from tests.frames import opening

pytestmark = pytest.mark.browser
LAST = "heisenberg"
"""A system that would be prepared after others, and needs little."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the server will look for compiled code; empty."""
    place = tmp_path_factory.mktemp("kernels") / f"kernels-{cache.fingerprint()}"
    place.mkdir(mode=0o700)
    return place


class Cold:
    """A server on a machine where nothing is compiled; nobody can begin until `release`."""

    def __init__(self, folder):
        port = free_port()
        self.folder, self.address = folder, f"http://127.0.0.1:{port}"
        self.environment = {
            **os.environ,
            "NUMBA_CACHE_DIR": str(folder.parent),
            "NHVIZ_BIND": f"127.0.0.1:{port}",
            "NHVIZ_WORKERS": "2",
        }
        # The place of the one who leads is taken.
        self.lock = (folder / "lead.lock").open("w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        command = (*PATIENTLY, *GUNICORN)
        self.server = subprocess.Popen(command, cwd=ROOT, env=self.environment, stderr=subprocess.DEVNULL)

    def release(self):
        self.lock.close()

    def stop(self):
        self.release()
        self.server.terminate()
        self.server.wait(40)

    def marked(self):
        return {path.name for path in self.folder.glob("done/*")}


@pytest.fixture(scope="module")
def cold(folder):
    started = Cold(folder)
    try:
        wait_for(f"{started.address}/", server=started.server)
        yield started
    finally:
        started.stop()


def told(address):
    """What the health page says, with its status."""
    try:
        with urllib.request.urlopen(f"{address}/health") as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def leaders(folder):
    """Processes that lead the preparation of this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command, variables = (path / "cmdline").read_bytes(), (path / "environ").read_bytes()
        except OSError:
            continue
        if b"nhviz.preparing.lead" in command and str(folder.parent).encode() in variables:
            found.append(int(path.name))
    return found


def test_the_start_page_answers_before_anything_is_compiled(cold, context, capsys, monkeypatch):
    page = context.new_page()
    page.goto(f"{cold.address}/")
    page.wait_for_selector(".card")
    assert "Compiling for this computer, once." in page.inner_text(".preparing")
    assert page.locator(".card.unready").count() == page.locator(".card[id^=lab-]").count() == 12
    page.close()
    status, facts = told(cold.address)
    assert (status, facts["status"], facts["ready"], facts["done"]) == (503, "starting", [], 0)
    assert facts["of"] > 100
    for name, value in cold.environment.items():
        monkeypatch.setenv(name, value)
    assert health.main() == 1
    assert f"it is starting: 0 of {facts['of']} parts are compiled" in capsys.readouterr().out
    assert not cold.marked()


def test_a_lab_says_how_far_it_is(cold, context):
    page = context.new_page()
    page.goto(f"{cold.address}/suslov")
    page.wait_for_selector(".wait progress")
    assert page.inner_text(".wait h1") == "Suslov top"
    count = len(plan.parts("suslov"))
    assert f"0 of {count} parts are compiled" in page.inner_text("#sentence")
    assert page.locator(".wait progress").get_attribute("max") == str(count)
    page.close()


def test_a_page_of_before_the_start_gets_a_sentence_and_nothing_is_compiled_in_a_request(cold):
    body = {"file": {"state": opening(LAST).to_dict()}}
    request = urllib.request.Request(
        f"{cold.address}/table", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 422
    assert refused.value.read().decode().startswith("This lab is being prepared: 0 of")
    assert not cold.marked()


def test_the_lab_that_a_person_opens_is_compiled_next_and_opens_by_itself(cold, context):
    """Also where the process that compiles is killed on the way."""
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{cold.address}/{LAST}")
    page.wait_for_selector(".wait progress")
    # Wishes of those who have gone fade.
    time.sleep(FADING)
    cold.release()
    until = time.monotonic() + 120
    while not cold.marked() and time.monotonic() < until:
        time.sleep(0.05)
    killed = leaders(cold.folder)
    for process in killed:
        os.kill(process, signal.SIGKILL)
    page.wait_for_selector(".lab", timeout=180_000)
    page.wait_for_selector(".js-plotly-plot .main-svg, .js-plotly-plot canvas", state="attached")
    assert killed
    assert not page.locator(".wait").count()
    assert not errors
    ready = told(cold.address)[1]["ready"]
    assert LAST in ready
    # Another system may wait for the same kernels; that of the first card needs many more.
    assert "suslov" not in ready
    page.goto(f"{cold.address}/")
    page.wait_for_selector(f"#lab-{LAST}.card:not(.unready)")
    page.close()


def test_nobody_compiles_for_a_server_that_has_ended(cold):
    assert leaders(cold.folder)
    cold.stop()
    until = time.monotonic() + 30
    while leaders(cold.folder) and time.monotonic() < until:
        time.sleep(0.1)
    assert not leaders(cold.folder)
