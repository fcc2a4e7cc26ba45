"""What no browser sends, byte by byte, to the server as it is in production: bodies in parts, headers of proxies."""

import re
import socket
from urllib.parse import urlsplit

import pytest

CHUNKED = (
    "POST /_dash-update-component HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
)


def said(address, text):
    """Status, headers and body of the answer to a raw request, after which the server closes the connection."""
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port), timeout=30) as wire:
        wire.sendall(text.encode())
        found = b"".join(iter(lambda: wire.recv(65536), b"")).decode()
    head, _, body = found.partition("\r\n\r\n")
    return int(head.split()[1]), head, body


@pytest.mark.parametrize("body", ["2\r\n{}\r\n0\r\n\r\n", "Z\r\n{}\r\n0\r\n\r\n", "-1\r\n\r\n", "5\r\n{}\r\n0\r\n\r\n"])
def test_a_body_in_parts_is_refused_in_a_sentence(address, body):
    """Good parts or bad: no browser sends them. What follows on the same connection is no request of its own."""
    following = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    status, head, sentence = said(address, f"{CHUNKED}\r\n\r\n{body}{following}")
    assert (status, sentence) == (411, "The request does not say how long it is.\n")
    assert "text/plain" in head


def fetched(address, path, *headers):
    """The answer to a plain request."""
    lines = (f"GET {path} HTTP/1.1", "Host: evil.example", "Connection: close", *headers)
    return said(address, "\r\n".join(lines) + "\r\n\r\n")


def named(document):
    """The title of a document, and every address in it."""
    return re.findall(r"<title>.*</title>", document), re.findall(r'(?:src=|href=|prefix":)"([^"]*)"', document)


@pytest.mark.parametrize("header", ["SCRIPT_NAME: /evil", "SCRIPT_NAME: /suslov", "PATH_INFO: /evil"])
def test_a_header_does_not_move_the_pages(address, header):
    status, _, document = fetched(address, "/suslov", header)
    assert status == 200
    assert named(document) == named(fetched(address, "/suslov")[2])


@pytest.mark.parametrize("path", ["//suslov", "///suslov", "//suslov/"])
def test_two_slashes_name_a_lab_and_no_host(address, path):
    status, head, document = fetched(address, path)
    assert status == 200
    assert "\r\nlocation:" not in head.lower()
    assert named(document) == named(fetched(address, "/suslov")[2])
