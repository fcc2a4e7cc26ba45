"""The server around the dashboard: settings, headers, health, limits, the prefix of a proxy."""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import nhviz
from app import create_app
from callbacks.render import Rendered
from layouts import ids
from nhviz.parameters import ParameterError
from server import limits, paths, service
from server.patience import allowance
from server.settings import Settings, SettingsError, available_cores
from tests.frames import opening, painted

ROOT = Path(__file__).parent.parent


def application(**settings):
    """The dashboard with these settings."""
    return create_app(replace(Settings.read(), **settings)).server


@pytest.fixture(scope="module")
def server():
    return application()


@pytest.fixture(scope="module")
def client(server):
    return server.test_client()


@pytest.fixture(scope="module")
def prefixed():
    """Answers of the application under /lab, in the process that has one without a prefix."""
    client = application(prefix="/lab").test_client()
    paths = (
        "/lab/",
        "/lab",
        "/",
        "/lab/health",
        "/health",
        "/lab/_dash-layout",
        "/lab/assets/lab.css",
        "/lab/suslov",
    )
    found = {}
    for path in paths:
        with client.get(path) as answer:
            found[path] = answer.status_code, answer.get_data(as_text=True)
    return found


def test_health_means_that_the_mathematics_answers(client):
    answer = client.get("/health")
    assert answer.status_code == 200
    assert answer.get_json() == {"status": "ok", "systems": len(nhviz.systems())}


@pytest.mark.parametrize("path", ["/", "/suslov", "/health", "/_dash-layout", "/assets/lab.css", "/nothing/here"])
def test_every_answer_has_its_headers(client, path):
    with client.get(path) as answer:
        headers = answer.headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert "unsafe" not in policy["script-src"]
    assert policy["frame-ancestors"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def kept(client, path, **headers):
    """What a browser is told about keeping a file."""
    with client.get(path, headers=headers) as answer:
        return answer.headers["Cache-Control"], answer.headers.get("ETag", "")


def test_browsers_keep_the_files_of_the_page(client):
    """For good, if they are asked for by the version that they have; what has no version is asked for again."""
    document = client.get("/suslov").get_data(as_text=True)
    named = re.findall(r'(?:src|href)="(/assets/[^"]*)"', document)
    assert {Path(address.partition("?")[0]).suffix for address in named} == {".css", ".js", ".svg"}
    for address in named:
        forever, tag = kept(client, address)
        assert "immutable" in forever
        assert "immutable" in kept(client, address, **{"If-None-Match": tag})[0]
        plain = address.partition("?")[0]
        for other in (plain, f"{plain}?m=", f"{plain}?m=1", f"{address}0"):
            assert "stale-while-revalidate" in kept(client, other)[0]
    assert kept(client, "/assets/nothing.js?m=1")[0] == "no-store"


def test_what_a_page_fetches_at_its_beginning_is_named_in_its_document(prefixed):
    _, document = prefixed["/lab/suslov"]
    for name in ("_dash-layout", "_dash-dependencies"):
        assert f'as="fetch" href="/lab/{name}"' in document


def test_the_index_runs_no_script_that_its_policy_forbids(client):
    """Every inline script of the page has its hash in the policy; data is no script."""
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", answer.get_data(as_text=True), re.DOTALL)
    inline = [text for attributes, text in scripts if "src=" not in attributes and "application/json" not in attributes]
    visible = [text for text in inline if "Internet Explorer" not in text]
    assert visible
    for text in visible:
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy


def test_no_debug_tools(server, client):
    assert not server.debug
    config = client.get("/").get_data(as_text=True)
    assert '"ui":false' in config.replace(" ", "")


def test_a_body_beyond_the_limit_is_refused_in_one_sentence(client):
    answer = client.post("/_dash-update-component", data=b"x" * 300_000, content_type="application/json")
    assert answer.status_code == 413
    assert answer.get_data(as_text=True) == "The request is larger than 256,000 bytes.\n"


def test_everything_works_under_a_prefix_and_without_it(prefixed):
    for path in ("/lab/", "/lab", "/", "/lab/suslov", "/lab/_dash-layout", "/lab/assets/lab.css"):
        assert prefixed[path][0] == 200, path
    for path in ("/lab/health", "/health"):
        assert json.loads(prefixed[path][1])["status"] == "ok"
    assert "/lab/assets/" in prefixed["/lab/"][1]
    links = json.dumps(json.loads(prefixed["/lab/_dash-layout"][1]))
    assert '"href": "/lab/suslov"' in links
    assert '"href": "/suslov"' not in links


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("NHVIZ_PREFIX", "lab", "a path such as /lab"),
        ("NHVIZ_PREFIX", "/a b", "a path such as /lab"),
        ("NHVIZ_PREFIX", "/..", "a path such as /lab"),
        ("NHVIZ_PREFIX", "/lab/../x", "a path such as /lab"),
        ("NHVIZ_PREFIX", "/lab/./", "a path such as /lab"),
        ("NHVIZ_MAX_STEPS", "many", "a number between"),
        ("NHVIZ_MAX_BODY", "1", "a number between"),
        ("NHVIZ_MAX_SECONDS", "nan", "a number between"),
        ("NHVIZ_FRAME_ANCESTORS", "https://a.edu; script-src *", "'self', 'none' or addresses"),
        ("NHVIZ_CACHE_BYTES", "-1", "a number between"),
        ("NHVIZ_CONNECTIONS", "0", "a number between"),
        ("NHVIZ_READ_SECONDS", "0", "a number between"),
        ("NHVIZ_PROXIES", "10.0.0.1, somebody", "addresses or networks"),
        ("NHVIZ_PROXIES", "10.0.0.1/8", "addresses or networks"),
        ("NHVIZ_SWEEP_SECONDS", "soon", "a number between"),
        ("NHVIZ_SWEEP_CELLS", "2000000", "a number between"),
        ("NHVIZ_SWEEPS", "0", "a number between"),
        ("DASK_SCHEDULER_ADDRESS", "http://scheduler:8786", "an address such as tcp://scheduler:8786"),
    ],
)
def test_a_bad_setting_is_one_sentence(name, text, told):
    with pytest.raises(SettingsError, match=name) as caught:
        Settings.read({name: text})
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_setting_is_explained_and_the_composition_passes_it_on():
    sources, guide, composition = (
        (ROOT / name).read_text() for name in ("server/settings.py", "README.md", "compose.yaml")
    )
    names = set(re.findall(r'"(NHVIZ_[A-Z_]+)"', sources))
    assert len(names) > 15
    assert names <= set(re.findall(r"^\| `(NHVIZ_[A-Z_]+)` \|", guide, flags=re.MULTILINE))
    # Where its files are is the composition's own affair.
    assert names - {"NHVIZ_CACHE_DIR"} <= set(
        re.findall(r"^      (NHVIZ_[A-Z_]+): \$", composition, flags=re.MULTILINE)
    )


def test_good_settings_are_read():
    found = Settings.read({"NHVIZ_PREFIX": "/lab/a/", "NHVIZ_FRAME_ANCESTORS": "https://a.edu https://b.edu"})
    assert found.prefix == "/lab/a"
    assert Settings.read({"NHVIZ_PREFIX": "/.well-known/..lab"}).prefix == "/.well-known/..lab"
    assert found.frame_ancestors == "https://a.edu https://b.edu"
    assert Settings.read({}).max_steps == 2_000_000
    assert Settings.read({}).workers == min(16, max(2, Settings.read({}).cores))
    assert Settings.read({"NHVIZ_WORKERS": "3"}).workers == 3


def test_every_request_has_its_own_allowance(server):
    allowance.set(None)
    with server.test_request_context("/health"):
        server.preprocess_request()
        first = allowance.get()
        assert first.seconds == Settings.read().max_seconds
        server.preprocess_request()
        assert allowance.get() is not first
    assert allowance.get() is None


@pytest.mark.parametrize(("text", "most"), [("max 100000", 99), ("150000 100000", 2), ("50000 100000", 1), ("", 99)])
def test_cores_of_a_container(tmp_path, text, most):
    (tmp_path / "cpu.max").write_text(text)
    cores = available_cores(tmp_path / "none")
    assert available_cores(tmp_path / "cpu.max") == min(cores, most)


def test_a_refused_run_is_a_sentence_beside_the_duration():
    state = opening("sphere_n", variants=["fedorov"], step=0.001, duration=500.0)
    with application(max_seconds=0.1).app_context():
        found = painted(state, places=["motion"])
    assert found == Rendered(found.errors)
    assert set(found.errors) == {"duration"}
    assert "would take about" in found.errors["duration"]


def test_two_applications_of_one_process_keep_their_settings(server, tmp_path):
    """Each has its prefix, its limits, its patience and its runs, whichever was made last."""
    settings = {"prefix": "/lab", "max_steps": 1000, "max_seconds": 3.0, "cache_dir": tmp_path}
    other, usual = application(**settings), Settings.read()
    problem = nhviz.Problem.create("sleigh", duration=20.0, step=0.01)
    for _ in range(2):
        with server.app_context():
            assert paths.address("suslov") == "/suslov"
            assert limits.admitted(problem) is problem
            assert service.current().patience.seconds == usual.max_seconds
            assert service.current().runs.locks == usual.cache_dir
        with other.app_context():
            assert paths.address("suslov") == "/lab/suslov"
            assert (paths.named("/lab/suslov"), paths.named("/suslov"), paths.named("/lab")) == ("suslov", "suslov", "")
            with pytest.raises(ParameterError, match="at most 1,000 are shown here"):
                limits.admitted(problem)
            assert service.current().patience.seconds == 3.0
            assert service.current().runs.locks == tmp_path
    assert addresses(server.test_client().get("/_dash-layout")) >= {"/", "/suslov"}
    assert addresses(other.test_client().get("/lab/_dash-layout")) >= {"/lab/", "/lab/suslov"}


def addresses(answer):
    """Where the links of an answer lead."""
    return set(re.findall(r'"href": "([^"]*)"', json.dumps(answer.get_json())))


def test_a_callback_knows_which_application_answers(server):
    """The page of a lab is made by a callback; its links have the prefix of the one that was asked."""
    for prefix, dashboard in (("", server), ("/lab", application(prefix="/lab")), ("", server)):
        body = {
            "output": f"{ids.PAGE}.children",
            "outputs": {"id": ids.PAGE, "property": "children"},
            "inputs": [
                {"id": ids.URL, "property": "pathname", "value": f"{prefix}/"},
                {"id": ids.URL, "property": "search", "value": ""},
            ],
            "state": [{"id": ids.THEME, "property": "data", "value": "light"}],
            "changedPropIds": [],
        }
        answer = dashboard.test_client().post(f"{prefix}/_dash-update-component", json=body)
        assert f"{prefix}/suslov" in addresses(answer)


def test_importing_the_application_makes_none():
    program = "import app, dash; from server import service; print(dash._get_app.APP, service.usual.cache_info())"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("None CacheInfo(hits=0, misses=0")


@pytest.mark.parametrize("name", ["NHVIZ_WORKERS", "NHVIZ_MAX_SECONDS"])
def test_a_bad_setting_ends_the_start_with_a_sentence(name):
    command = [sys.executable, "-m", "gunicorn", "--check-config"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {name: "x"}, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert f"nhviz does not start: {name} must be a number between" in done.stderr
    assert "Traceback" not in done.stderr
