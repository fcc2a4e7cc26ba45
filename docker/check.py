"""Run the image as README.md advises and check what it promises; docker/check builds it and starts this.

    .venv/bin/python docker/check.py IMAGE ENGINE [options of the engine]

One line per check; the first that fails ends it with exit status 1 and the log of the container. The container is
removed in any case. The screenshot stays in a folder below /tmp, which is printed: look at it.
"""

import http.client
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from server import health  # noqa: E402
from tests.conftest import CHROMIUM, FLAGS  # noqa: E402
from tests.page import SCREEN, Lab  # noqa: E402

GRACE = 35
"""Seconds that a stop may take, a little more than gunicorn's graceful_timeout."""
HELD = 3.0
"""Seconds for which the request under way is held open after SIGTERM."""
# What chromium says when pictures are read back from a graphics card that is software.
HARMLESS = ("GL Driver Message", "willReadFrequently")

INSTALLED = """
import json, re
from importlib.metadata import distributions
named = [(re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower(), found.version) for found in distributions()]
print(json.dumps([f"pkg:pypi/{name}@{version}" for name, version in named]))
"""


class CheckError(Exception):
    """A promise that is not kept."""


def check(name: str, kept: bool, detail: object = "") -> None:
    """Print a line, or fail."""
    if not kept:
        raise CheckError(f"{name} ({detail})" if detail != "" else name)
    print(f"ok  {name}" + (f": {detail}" if detail != "" else ""), flush=True)


class Container:
    """The image, running on a read-only file system without any capability."""

    def __init__(
        self,
        image: str,
        engine: list[str],
        command: list[str] | None = None,
        variables: list[str] | None = None,
        on_host: bool = False,
    ) -> None:
        self.image, self.engine, self.name = image, engine, f"nhviz-check-{uuid.uuid4().hex[:8]}"
        self.port = free_port()
        self.limits: list[str] = []
        locked = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", "--security-opt", "no-new-privileges"]
        if engine[0] == "docker" and on_host:
            network = ["--network", "host", "--env", f"NHVIZ_BIND=127.0.0.1:{self.port}"]
        elif engine[0] == "docker":
            network = ["--publish", f"127.0.0.1:{self.port}:8050", "--memory", "2g"]
        else:
            # The network of this machine and small limits: where this runs inside a container there is no more to have.
            self.limits = ["--network", "host", "--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"]
            network = ["--env", f"NHVIZ_BIND=127.0.0.1:{self.port}"]
            # podman would add folders that can be written; docker does not.
            network += ["--read-only-tmpfs=false"]
        logged = ["--env", "NHVIZ_ACCESS_LOG=-", *(word for one in variables or [] for word in ("--env", one))]
        self.began = time.monotonic()
        words = [*locked, *self.limits, *network, *logged, image, *(command or [])]
        self.run("run", "--detach", "--name", self.name, *words)

    def run(self, *command: str, good: bool = True) -> subprocess.CompletedProcess[str]:
        """A command of the engine."""
        done = subprocess.run([*self.engine, *command], capture_output=True, text=True, check=False)
        if good and done.returncode:
            raise CheckError(f"{' '.join(command)} ends with {done.returncode}: {done.stderr.strip()}")
        return done

    def inside(self, *command: str) -> subprocess.CompletedProcess[str]:
        """A command in the container."""
        return self.run("exec", self.name, *command, good=False)

    def once(self, *command: str) -> str:
        """What a command prints in a container of its own."""
        return self.run("run", "--rm", *self.limits, self.image, *command).stdout

    def inspect(self, what: str) -> str:
        """One fact about the container."""
        return self.run("inspect", "--format", what, self.name).stdout.strip()

    def logs(self) -> subprocess.CompletedProcess[str]:
        """What the container wrote so far."""
        return self.run("logs", self.name, good=False)

    def get(self, path: str, patience: float = 20.0) -> tuple[int, bytes]:
        """Status and body of a page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def post(self, path: str, body: object) -> tuple[int, bytes]:
        """Status and body of the answer to a question."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60.0)
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def wait(self, seconds: float) -> None:
        """Until the health page answers."""
        while time.monotonic() - self.began < seconds:
            try:
                self.get("/health")
                return
            except OSError:
                if self.inspect("{{.State.Running}}") != "true":
                    raise CheckError("the container ended by itself") from None
                time.sleep(0.1)
        raise CheckError(f"no answer within {seconds:g} s")


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def check_start(container: Container) -> None:
    """It comes up, quickly, and is healthy."""
    container.wait(400.0)
    check("it answers", True, f"after {time.monotonic() - container.began:.1f} s")
    check_kernels(container, "the start compiles nothing, by its cache")
    status, body = container.get("/health")
    wrong = health.problem(status, body)
    check("the health page keeps its promise", wrong is None, wrong or body.decode().strip())
    declared = json.loads(container.inspect("{{json .Config.Healthcheck}}"))["Test"]
    check("the image declares a health check", declared[0] == "CMD", " ".join(declared[1:]))
    asked = container.inside(*declared[1:])
    check("the health check passes", asked.returncode == 0, asked.stdout.strip() + asked.stderr.strip())
    for variable in ("NHVIZ_PREFIX=/nothing/here", "NHVIZ_BIND=127.0.0.1:1"):
        astray = container.inside("env", variable, *declared[1:])
        check(f"the health check fails with {variable}", astray.returncode == 1, astray.stdout.strip())


def check_kernels(container: Container, name: str) -> None:
    """No kernel was compiled. docker/start fills the folder with links; what numba compiles would be a file."""
    count = container.inside("sh", "-c", "find $NUMBA_CACHE_DIR -type f | wc -l; find $NUMBA_CACHE_DIR -type l | wc -l")
    files, links = map(int, count.stdout.split())
    check(name, files == 0 < links, f"{links} files of the build, {files} new")


def first_process(container: Container) -> dict[str, str]:
    """What the kernel says about the first process of a container."""
    told = container.inside("cat", "/proc/1/status")
    if told.returncode:
        state, log = container.inspect("{{.State.Status}} {{.State.ExitCode}}"), container.logs().stdout[-2000:]
        raise CheckError(f"nothing can be run in the container, which is {state}: {told.stderr.strip()}; {log}")
    return dict(re.findall(r"^(\w+):\s*(.*)$", told.stdout, re.MULTILINE))


def check_locked(container: Container) -> None:
    """No root, nothing to write to, no capabilities, no tools."""
    facts = first_process(container)
    check("the server is not root", set(facts["Uid"].split()) == {"10001"}, f"uid {facts['Uid'].split()[0]}")
    names = ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")
    check("it has no capabilities", all(int(facts[name], 16) == 0 for name in names), facts["CapEff"])
    check("it cannot gain any", facts["NoNewPrivs"] == "1", "no new privileges")
    check("the server itself is the first process", facts["Name"].startswith(("gunicorn", "python")), facts["Name"])
    for place in ("/", "/app", "/opt/kernels", "/etc", "/var/tmp"):
        written = container.inside("touch", f"{place}/mark")
        check(f"{place} cannot be written", written.returncode != 0, written.stderr.strip().rpartition(": ")[2])
    check("/tmp can", container.inside("touch", "/tmp/mark").returncode == 0)
    tools = container.inside("sh", "-c", "command -v gcc cc make git; ls /opt/venv/bin/pip")
    check("there are no build tools", tools.stdout.strip() == "", tools.stdout.strip() or "none")


def check_list(container: Container) -> None:
    """The list of what is in the image names what was pinned, with its hash, and the packages of Debian."""
    listed = json.loads(container.once("cat", "/usr/share/nhviz/sbom.json"))
    check("the image has a list of its packages", listed["bomFormat"] == "CycloneDX", listed["specVersion"])
    found = {part["purl"].partition("?")[0]: part for part in listed["components"]}
    pins = dict(re.findall(r"^([\w-]+)==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    allowed = set(re.findall(r"--hash=sha256:(\w+)", (ROOT / "requirements.txt").read_text()))
    for name in ("dash", "numpy", "gunicorn"):
        part = found.get(f"pkg:pypi/{name}@{pins[name]}", {})
        known = {one["content"] for one in part.get("hashes", [])}
        check(f"it has {name} as pinned", bool(known & allowed) and bool(part.get("licenses")), pins[name])
    installed = json.loads(container.inside("python", "-c", INSTALLED).stdout)
    python = [purl for purl in found if purl.startswith("pkg:pypi/")]
    check("it has every package that Python finds", set(installed) <= set(python), f"{len(installed)} packages")
    debian = [purl for purl in found if purl.startswith("pkg:deb/debian/")]
    check("it has those of Debian", any(purl.startswith("pkg:deb/debian/libc6@") for purl in debian), len(debian))
    addresses = re.findall(r"https?://\S+", json.dumps(listed))
    check("it names no address", not addresses, addresses[:3] or "none")


def check_page(container: Container, folder: Path) -> tuple[bytes, str]:
    """The Suslov lab draws in a browser; returns the body and the path of a request that it made."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        lab = Lab(browser.new_context(viewport=SCREEN), f"http://127.0.0.1:{container.port}/suslov")
        lab.check_drawn()
        views = lab.page.evaluate("() => window.probe.views()")
        check("the dashboard draws in chromium", len(views) > 0, ", ".join(views))
        said = [text for text in lab.said if not any(words in text for words in HARMLESS)]
        check("the browser has nothing to say", said == [], said or "no messages")
        failed = [response.url for response in lab.responses if response.status >= 400]
        check("no request fails", not failed, failed or f"{len(lab.responses)} answers")
        lab.page.screenshot(path=folder / "suslov.png")
        check("a screenshot is taken", True, folder / "suslov.png")
        # The longest one asks for the pictures.
        request = max(lab.updates(), key=lambda request: len(request.post_data or ""))
        body, path = request.post_data_buffer or b"", urlsplit(request.url).path
        browser.close()
    return body, path


# Its only tile takes about two seconds: what takes so long the desk leaves to a cluster.
SWEEP = {
    "system": "suslov",
    "quantity": "energy_drift",
    "method": "cayley",
    "step": 0.01,
    "duration": 5000.0,
    "x": {"name": "I13", "first": -1.5, "last": 1.5, "count": 8},
    "y": {"name": "I23", "first": -1.0, "last": 1.0, "count": 8},
}


def check_sweep(container: Container, where: str, **changes: object) -> None:
    """A sweep is computed by the cluster of the desk; `changes` make it one that nobody has asked for."""
    began, answer = time.monotonic(), {}
    while answer.get("state") != "done" and time.monotonic() - began < 60.0:
        body = {"sweep": SWEEP | changes, "journal": "", "since": 0, "go": True}
        status, content = container.post("/sweep", body)
        answer = json.loads(content) if status == 200 else {"state": f"status {status}: {content[:200]!r}"}
        time.sleep(0.2)
    state = answer["state"]
    check(f"a sweep is computed {where}", state == "done", f"{state} after {time.monotonic() - began:.1f} s")


def check_cluster(image: str, engine: list[str]) -> None:
    """A scheduler and a worker as in compose.yaml, from the same image, locked down, compute for a server."""
    port = free_port()
    scheduler = ["dask", "scheduler", "--host", "127.0.0.1", "--port", str(port)]
    scheduler += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    worker = ["dask", "worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
    worker += ["--local-directory", "/tmp", "--preload", "nhviz.sweeps.worker"]
    containers: list[Container] = []
    try:
        for command in (scheduler, worker):
            containers.append(Container(image, engine, command, on_host=True))
        variable = f"DASK_SCHEDULER_ADDRESS=tcp://127.0.0.1:{port}"
        containers.append(Container(image, engine, [], [variable], on_host=True))
        server = containers[-1]
        server.wait(120.0)
        check_sweep(server, "by a scheduler and a worker in containers of their own", step=0.011)
        own = server.inside("sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c [f]orkserver")
        check("the server has no cluster of its own then", own.stdout.strip() == "0", own.stdout.strip())
        for part, name in zip(containers, ("scheduler", "worker"), strict=False):
            facts = first_process(part)
            locked = facts["Uid"].split()[0] == "10001" and int(facts["CapEff"], 16) == 0 and facts["NoNewPrivs"] == "1"
            check(f"the {name} is locked down", locked, f"uid {facts['Uid'].split()[0]}, {facts['CapEff']}")
    finally:
        for part in containers:
            part.run("rm", "--force", part.name, good=False)


def check_memory(container: Container) -> None:
    """All processes together leave most of the 2 GB that README.md gives them."""
    taken = container.inside("sh", "-c", "cat /proc/[0-9]*/smaps_rollup").stdout
    shares = [int(kilobytes) for kilobytes in re.findall(r"^Pss:\s+(\d+) kB", taken, re.MULTILINE)]
    check("its memory is far from the limit", len(shares) > 1 and sum(shares) < 1e6, f"{sum(shares) / 1e3:.0f} MB")


def check_drain(container: Container, body: bytes, path: str) -> None:
    """SIGTERM while a request is under way: it is answered, new ones are not, and the container ends with 0."""
    connection = http.client.HTTPConnection("127.0.0.1", container.port, timeout=GRACE)
    connection.putrequest("POST", path)
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body[: len(body) // 2])
    time.sleep(0.5)  # the server is reading it
    container.run("kill", "--signal", "TERM", container.name)
    began = time.monotonic()
    time.sleep(HELD)
    check("SIGTERM waits for a request under way", container.inspect("{{.State.Running}}") == "true", f"{HELD:g} s")
    try:
        taken = container.get("/health", patience=1.0)[0]
    except OSError:
        taken = None
    check("no new request is taken meanwhile", taken is None, taken or "no answer")
    connection.send(body[len(body) // 2 :])
    answer = connection.getresponse()
    told = json.loads(answer.read())
    check("the request is answered in full", answer.status == 200 and "response" in told, f"status {answer.status}")
    connection.close()
    while container.inspect("{{.State.Running}}") == "true" and time.monotonic() - began < GRACE:
        time.sleep(0.1)
    took, code = time.monotonic() - began, container.inspect("{{.State.ExitCode}}")
    running = container.inspect("{{.State.Running}}")
    check("the container ends with 0", (running, code) == ("false", "0"), f"{took:.1f} s after SIGTERM, code {code}")


def check_logs(container: Container) -> None:
    """Starts, requests and the end are on standard output, and nothing is on standard error."""
    logs = container.logs()
    for text in ("Listening at", "GET /health", "Handling signal: term", "Shutting down"):
        check(f"standard output has the line '{text}'", text in logs.stdout)
    check("standard error is empty", logs.stderr == "", logs.stderr[:300])
    troubled = [line for line in logs.stdout.splitlines() if re.search(r"\[(WARNING|ERROR|CRITICAL)\]|Traceback", line)]
    check("no warnings, no errors", not troubled, troubled or "none")


def check_early_end(image: str, engine: list[str]) -> None:
    """SIGTERM while the application is still loading ends the container at once."""
    container = Container(image, engine)
    try:
        time.sleep(1.0)
        loading = "Listening at" not in container.logs().stdout
        check("the application is still loading after a second", loading)
        container.run("kill", "--signal", "TERM", container.name)
        began = time.monotonic()
        while container.inspect("{{.State.Running}}") == "true" and time.monotonic() - began < GRACE:
            time.sleep(0.1)
        took, code = time.monotonic() - began, container.inspect("{{.State.ExitCode}}")
        check("SIGTERM during the start ends it", code == "0" and took < 5.0, f"{took:.1f} s, code {code}")
    finally:
        container.run("rm", "--force", container.name, good=False)


def main(image: str, *engine: str) -> int:
    """All checks; the exit status."""
    folder = Path(tempfile.mkdtemp(prefix="nhviz-check-"))
    container = None
    try:
        size = subprocess.run(
            [*engine, "image", "inspect", "--format", "{{.Size}}", image], capture_output=True, text=True, check=True
        )
        print(f"    the image has {int(size.stdout) / 1e6:.0f} MB", flush=True)
        container = Container(image, list(engine))
        check_start(container)
        check_locked(container)
        check_list(container)
        body, path = check_page(container, folder)
        check_sweep(container, "by the embedded cluster")
        check_kernels(container, "the page and a sweep compile nothing")
        check_memory(container)
        check_drain(container, body, path)
        check_logs(container)
        check_early_end(image, list(engine))
        check_cluster(image, list(engine))
    except Exception as error:
        if container:
            logs = container.logs()
            print(*(logs.stdout + logs.stderr).splitlines()[-20:], sep="\n")
        print(f"FAILED  {type(error).__name__}: {error}" if not isinstance(error, CheckError) else f"FAILED  {error}")
        return 1
    finally:
        if container:
            container.run("rm", "--force", container.name, good=False)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
