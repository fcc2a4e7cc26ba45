"""docker/nginx.conf, by a real nginx before a server that tells what it was asked."""

import contextlib
import gzip
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Thread

import pytest

from server.settings import Settings
from tests.conftest import free_port

CONFIG = (Path(__file__).parent.parent / "docker" / "nginx.conf").read_text()
NGINX = shutil.which("nginx")
pytestmark = pytest.mark.skipif(NGINX is None and os.environ.get("CI") != "true", reason="no nginx here")


class Told(BaseHTTPRequestHandler):
    """Answers with the headers and the size of the body that it got."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        read = len(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        told = json.dumps({"headers": dict(self.headers), "read": read, "filling": "0.123 " * 1000}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def do_POST(self):
        self.do_GET()

    def log_message(self, *words):
        """Nothing."""


def configured(folder, server, port):
    """The configuration for this machine, with short deadlines and small limits."""
    text = CONFIG
    for old, new in (
        ("nhviz:8050", f"127.0.0.1:{server}"),
        ("listen 8080", f"listen 127.0.0.1:{port}"),
        ("127.0.0.1:8081", f"127.0.0.1:{free_port()}"),
        ("/tmp/", f"{folder}/"),
        ("include mime.types", "include /etc/nginx/mime.types"),
        ("client_header_timeout 10s", "client_header_timeout 1s"),
        ("client_body_timeout 10s", "client_body_timeout 1s"),
        ("burst=200", "burst=2"),
        ("rate=100r/s", "rate=5r/s"),
    ):
        assert old in text
        text = text.replace(old, new)
    # As root nginx would become somebody else, who may not write here.
    return ("user root;\n" if os.geteuid() == 0 else "") + text


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The port of nginx."""
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    told = ThreadingHTTPServer(("127.0.0.1", 0), Told)
    Thread(target=told.serve_forever, daemon=True).start()
    (folder / "nginx.conf").write_text(configured(folder, told.server_port, port))
    with (folder / "log").open("w") as log:
        nginx = subprocess.Popen([NGINX, "-e", "stderr", "-c", str(folder / "nginx.conf")], stderr=log)
        try:
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield port
        finally:
            nginx.terminate()
            nginx.wait(20)
            told.shutdown()
            told.server_close()


def ask(port, method="GET", body=b"", **headers):
    """Status, headers and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, "/", body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def test_the_server_hears_the_address_of_the_visitor_and_nothing_invented(port):
    names = ("X_Forwarded_For", "X_Real_IP", "Forwarded", "X_Forwarded_Host", "X_Forwarded_Proto")
    heard = json.loads(ask(port, **dict.fromkeys(names, "10.9.8.7"))[2])["headers"]
    assert heard["X-Forwarded-For"] == "127.0.0.1"
    assert heard["X-Forwarded-Proto"] == "http"
    assert heard["Host"] == f"127.0.0.1:{port}"
    assert "10.9.8.7" not in heard.values()


def test_answers_are_compressed_and_name_no_version(port):
    _, headers, body = ask(port, Accept_Encoding="gzip")
    assert headers["Content-Encoding"] == "gzip"
    assert len(body) < len(gzip.decompress(body)) / 2
    assert headers["Server"] == "nginx"


def test_a_body_beyond_the_limit_gets_the_sentence_of_the_server(port):
    limit = Settings.read().max_body
    assert json.loads(ask(port, "POST", b"x" * limit)[2])["read"] == limit
    status, headers, body = ask(port, "POST", b"x" * (limit + 1))
    assert (status, headers["Content-Type"]) == (413, "text/plain")
    assert body.decode() == f"The request is larger than {limit:,} bytes.\n"


def test_too_many_questions_get_a_sentence_and_files_are_not_counted(port):
    with ThreadPoolExecutor(12) as visitors:
        answers = list(visitors.map(lambda _: ask(port, "POST", b"{}"), range(12)))
        files = list(visitors.map(lambda _: ask(port)[0], range(40)))
    assert {status for status, _, _ in answers} == {200, 429}
    refused = {body.decode() for status, _, body in answers if status == 429}
    assert refused == {"Too many questions come from your network: wait a moment, then try again.\n"}
    assert set(files) == {200}


@pytest.mark.parametrize(
    "begun", [b"GET / HTTP/1.1\r\nHost: a\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1"]
)
def test_who_does_not_go_on_is_cut_off(port, begun):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as slow:
        slow.sendall(begun)
        with contextlib.suppress(ConnectionResetError):
            assert not slow.recv(1000).startswith(b"HTTP/1.1 200")


def test_the_server_believes_the_proxy_of_the_composition_and_nobody_else():
    composition = (Path(__file__).parent.parent / "compose.yaml").read_text()
    (trusted,) = re.findall(r"NHVIZ_PROXIES: \$\{NHVIZ_PROXIES:-(.*)\}", composition)
    (address,) = re.findall(r"ipv4_address: (.*)", composition)
    (network,) = re.findall(r"subnet: (.*)", composition)
    assert trusted == address
    assert ip_address(address) in ip_network(network)
