"""Draw the pictures of the gallery, assets/gallery/*.webp: each card and result in its state and view, light and dark.

They are small, without words and ticks. Beside them is noted of what they are (`made.json`): a test tells which are
missing, or of an older state.

.venv/bin/python -m docs.make_gallery [ID ...]
"""

import base64
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from nhviz.frame import find, gallery
from nhviz.frame.records import Card, Result
from nhviz.frame.state import State

FOLDER = Path(__file__).parent.parent / "assets" / "gallery"
NOTES = FOLDER / "made.json"
SCRIPT = (Path(__file__).parent / "make_gallery.js").read_text()
THEMES = ("light", "dark")
WINDOW: Any = {"width": 1280, "height": 800}
PATIENCE = 90_000
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def main(names: list[str]) -> None:
    """Serve the dashboard, and make the pictures that are named, or those that are missing or old."""
    chosen = [one for one in records() if (one.id in names if names else not is_made(one))]
    port = free_port()
    environment = {**os.environ, "NHVIZ_BIND": f"127.0.0.1:{port}", "NHVIZ_WORKERS": "1"}
    server = subprocess.Popen([sys.executable, "-m", "nhviz", "serve"], env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/health")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
            make_all(browser, f"http://127.0.0.1:{port}", chosen)
            browser.close()
    finally:
        server.terminate()
        server.wait(20)


def records() -> list[Card | Result]:
    """Everything that has a picture: what shows a text has none."""
    found: list[Card | Result] = [*find.cards().values(), *find.results().values()]
    return [one for one in found if view_of(one).kind != "text"]


def view_of(record: Card | Result) -> Any:
    """The view of a record."""
    return state_of(record).scene.all_views[record.view]


def state_of(record: Card | Result) -> State:
    """The state of a record with its view in sight."""
    name, _, query = gallery.place(record.state, record.view).partition("?")
    return State.from_query(find.lab(name), query)[0]


def notes() -> dict[str, str]:
    """Of what the pictures are, by their names."""
    found: dict[str, str] = json.loads(NOTES.read_text()) if NOTES.exists() else {}
    return found


def is_made(record: Card | Result) -> bool:
    """Whether a record has pictures of what it shows now."""
    name = gallery.picture_name(record)
    files = [FOLDER / f"{name}-{theme}.webp" for theme in THEMES]
    return all(file.exists() for file in files) and notes().get(name) == gallery.fingerprint(record)


def make_all(browser: Browser, address: str, chosen: list[Card | Result]) -> None:
    """The pictures of some records; what cannot be drawn is told and left out."""
    page = browser.new_page(viewport=WINDOW)
    for record in chosen:
        name = gallery.picture_name(record)
        try:
            pictures = drawn(page, address, record)
        except Exception as error:
            print(f"{name}: {str(error).splitlines()[0]}")
            continue
        for theme, picture in pictures.items():
            (FOLDER / f"{name}-{theme}.webp").write_bytes(picture)
            print(f"{name}-{theme}.webp {len(picture):,} bytes", flush=True)
        note(name, gallery.fingerprint(record))


def drawn(page: Page, address: str, record: Card | Result) -> dict[str, bytes]:
    """The view of a record as small pictures, one for each theme; the page begins with the one that it wears."""
    page.goto(f"{address}/{gallery.place(record.state, record.view)}")
    place = next(place.id for place in state_of(record).scene.places.values() if view_of(record) in place.views)
    page.evaluate(SCRIPT)
    found: dict[str, bytes] = {}
    while set(found) != set(THEMES):
        theme = page.evaluate("() => document.documentElement.dataset.theme")
        if theme in THEMES:
            ready = "([place, theme]) => window.thumbnail.isReady(place, theme)"
            page.wait_for_function(ready, arg=[place, theme], timeout=PATIENCE, polling=250)
            found[theme] = base64.b64decode(page.evaluate("place => window.thumbnail.draw(place)", place))
        if set(found) != set(THEMES):
            page.locator("#theme-button").click()
            page.wait_for_function("was => document.documentElement.dataset.theme !== was", arg=theme)
    return found


def note(name: str, fingerprint: str) -> None:
    """Remember of what a picture is; those of records that are gone are forgotten."""
    known = {gallery.picture_name(one) for one in records()}
    found = {one: print_of for one, print_of in notes().items() if one in known} | {name: fingerprint}
    NOTES.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(url: str) -> None:
    """Return when every lab can be used."""
    for _ in range(1500):
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the dashboard did not start")


if __name__ == "__main__":
    main(sys.argv[1:])
