"""The health check believes only what the app promises."""

import subprocess
import sys
from pathlib import Path

import pytest

from server import health


def test_promise_is_well():
    assert health.problem(200, b'{"status": "ok", "systems": 11}') is None


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<!DOCTYPE html><html></html>"),
        (200, b""),
        (200, b"\xff"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"status": "wrong", "systems": 11}'),
        (200, b'{"status": "ok"}'),
        (200, b'{"status": "ok", "systems": 0}'),
        (200, b'{"status": "ok", "systems": true}'),
        (503, b'{"status": "ok", "systems": 11}'),
    ],
)
def test_anything_else_is_a_problem(status, body):
    assert health.problem(status, body)


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({}, "http://127.0.0.1:8050/health"),
        ({"NHVIZ_BIND": "", "NHVIZ_PREFIX": ""}, "http://127.0.0.1:8050/health"),
        ({"NHVIZ_BIND": "0.0.0.0:9000", "NHVIZ_PREFIX": "/lab/"}, "http://127.0.0.1:9000/lab/health"),
        ({"NHVIZ_BIND": "[::]:9000"}, "http://127.0.0.1:9000/health"),
        ({"NHVIZ_BIND": "10.0.0.5:80"}, "http://10.0.0.5:80/health"),
    ],
)
def test_address_follows_the_server(environment, address):
    assert health.address(environment) == address


@pytest.mark.parametrize("bind", ["127.0.0.1:1", "nonsense"])
def test_no_server_is_one_line_and_status_1(bind):
    done = subprocess.run(
        [sys.executable, "-m", "server.health"], cwd=Path(__file__).parent.parent, env={"NHVIZ_BIND": bind},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (1, 1, "")
