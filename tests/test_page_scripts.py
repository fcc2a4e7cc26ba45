"""The scripts of the page: one file for all, and the two that the document's head asks for."""

import re

import pytest

from app import create_app
from layouts import scripts
from tests.conftest import ROOT

ASSETS = ROOT / "assets"


@pytest.fixture(scope="module")
def client():
    return create_app().server.test_client()


def asked_for(client):
    """The scripts of a document, in their order, but for those of Dash."""
    found = re.findall(r'<script src="([^"]*)"', client.get("/sleigh").get_data(as_text=True))
    return [address for address in found if not address.startswith("/_dash-component-suites/")]


def test_a_page_asks_for_three_scripts(client):
    theme, ahead, own = asked_for(client)
    assert theme.startswith("/assets/theme.js?m=")
    assert ahead.startswith("/assets/ahead.js?m=")
    assert re.fullmatch(r"/scripts\.js\?m=[0-9a-f]{12}", own)


def test_the_one_file_holds_all_others_in_order(client):
    answer = client.get(asked_for(client)[-1])
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == scripts.FOR_GOOD
    text = answer.get_data(as_text=True)
    files = [file for file in ASSETS.rglob("*.js") if file.name not in scripts.FIRST]
    places = {str(file.relative_to(ASSETS)): text.index(file.read_text()) for file in files}
    assert text.count('"use strict"') == len(files)
    # What others use stands before them.
    assert places["model.js"] < places["page/controls.js"] < places["page/page.js"] < places["sweep/model.js"]
    assert max(place for name, place in places.items() if "/" not in name) < places["page/arcs.js"]


def test_another_text_has_another_version(tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "a.js").write_text("first")
    (tmp_path / "z.js").write_text("second")
    (tmp_path / "theme.js").write_text("apart")
    assert scripts.joined(tmp_path) == b"/* z.js */\nsecond\n/* page/a.js */\nfirst\n"


def test_a_page_is_asked_for_as_dash_will(client):
    """Dash gets the answer to a question that was asked before it was there: callback and body are those of Dash."""
    document = client.get("/sleigh").get_data(as_text=True)
    assert 'data-page="/_dash-update-component"' in document
    text = (ASSETS / "ahead.js").read_text()
    declared = create_app().callback_map["page.children"]
    assert 'output: "page.children"' in text
    assert [(one["id"], one["property"]) for one in declared["inputs"]] == [("url", "pathname"), ("url", "search")]
    assert [(one["id"], one["property"]) for one in declared["state"]] == [("theme", "data")]
