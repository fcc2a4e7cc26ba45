"""The page in a browser: slider steps, drags, playing, opening; against plotly and Dash alone in the same browser."""

import shutil
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks.dashboard import scenes, served
from benchmarks.table import Row
from nhviz.frame.records import Lab, Scene
from nhviz.frame.state import opening as first_state

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
HOOKS = Path(__file__).with_suffix(".js")
WINDOW = {"width": 1280, "height": 800}
STEPS, WARM_UP = 9, 2
FRAMES = 60
SECONDS = 2
OPENINGS = 9
REST = 500
"""Milliseconds."""
COUNTS = ("draws", "due")
PATIENCE = 60_000
"""Milliseconds."""
DRAWN = """() => {
  const plots = [...document.querySelectorAll(".view > .plot")].filter((plot) => plot.offsetParent);
  return window.Plotly && plots.length && plots.every((plot) => plot.data);
}"""
FIRST = """
new MutationObserver((_, watch) => {
  if (!document.querySelector(".main-svg")) return;
  watch.disconnect();
  // The frame that begins now shows it; what the page does after it may keep the browser busy.
  requestAnimationFrame(() => { window.firstDrawn = performance.now(); });
}).observe(document, { childList: true, subtree: true });
"""


def opened(context: BrowserContext, address: str, where: str) -> Page:
    """The page of a scene, all of it drawn, with hooks."""
    page = context.new_page()
    page.goto(f"{address}/{where}")
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(500)
    page.evaluate(HOOKS.read_text())
    return page


def seen_slider(page: Page, lab: Lab, scene: Scene) -> str:
    """The first slider of a scene that changes its pictures: a disk rolls alike whatever its mass."""
    numbers = first_state(lab, scene).vocabulary.numbers
    for word, number in numbers.items():
        if number.declared.whole or not number.opening:
            continue
        found = page.evaluate("([word, value]) => bench.slide(word, value)", [word, values(lab, scene, word, 1)[0]])
        if found["due"]:
            return word
    raise RuntimeError(f"no slider of {lab.id}, {scene.id} changes a picture")


def values(lab: Lab, scene: Scene, word: str, count: int, first: int = 1) -> list[float]:
    """Values of a slider beside its opening one, all on its grid, none twice."""
    number = first_state(lab, scene).vocabulary.numbers[word]
    low, high = number.declared.describe()["slider"]
    towards = 1 if number.opening < (low + high) / 2 else -1
    return [number.opening + towards * (high - low) / 400 * ((first + k) % 150) for k in range(count)]


def medians(found: list[dict[str, Any]]) -> dict[str, float]:
    """The median of each number that is known."""
    known = {name: [one[name] for one in found if one[name] is not None] for name in found[0]}
    return {name: float(statistics.median(numbers)) for name, numbers in known.items() if numbers}


def slider_row(page: Page, where: str, word: str, steps: list[float]) -> Row:
    """Steps of a slider and plotly alone, in turn."""
    ours, bare = [], []
    for value in steps:
        ours.append(page.evaluate("([word, value]) => bench.slide(word, value)", [word, value]))
        bare.append(page.evaluate("bench.bare()"))
    typical, least = medians(ours[WARM_UP:]), statistics.median(bare[WARM_UP:])
    whole = typical.pop("all")
    best = min(one["all"] for one in ours) / min(bare)
    times = {f"{name} ms" if name not in COUNTS else name: value for name, value in typical.items()}
    details = {"ours ms": whole, "plotly alone ms": least, "best over best": best, **times}
    return Row(f"{where}: slider event to all views, over plotly alone", whole / least, target=1.5, details=details)


def drag_row(page: Page, where: str, word: str, steps: list[float]) -> Row:
    """How many requests are under way at most while a hand drags."""
    found = page.evaluate("([word, values]) => bench.drag(word, values)", [word, steps])
    most = float(found.pop("most"))
    return Row(f"{where}: requests under way at most while dragging", most, "", target=1.0, details=found)


def play_row(page: Page, where: str) -> Row:
    """Frames in a second while it plays."""
    page.wait_for_timeout(500)
    flat = not page.evaluate("nhviz.pictures.all().some((one) => one.figure && nhviz.pictures.isSpace(one.figure))")
    found = page.evaluate(f"bench.play({SECONDS})")
    drawn, target = found.pop("drawn"), 20.0 if flat else None
    title = f"{where}: instants drawn in a second, {'all views flat' if flat else 'some views in space'}"
    return Row(title, drawn, "", target=target, at_most=False, details=found)


def opening_rows(context: BrowserContext, address: str) -> Iterator[Row]:
    """From the navigation to the first picture, over a page of Dash with an empty one."""
    times: dict[str, list[float]] = {name: [] for name in ("empty", *scenes())}
    page = context.new_page()
    page.add_init_script(FIRST)
    for turn in range(OPENINGS + 1):
        for name, found in times.items():
            # What is left of the page before is not to be waited for.
            page.goto("about:blank")
            page.wait_for_timeout(REST)
            page.goto(f"{address}/{name}" + ("/" if name == "empty" else ""))
            page.wait_for_function("() => window.firstDrawn")
            if turn:
                found.append(page.evaluate("window.firstDrawn"))
    page.close()
    empty = times.pop("empty")
    least = statistics.median(empty)
    for name, found in times.items():
        ours = statistics.median(found)
        best = min(found) / min(empty)
        details = {"ours ms": ours, "empty page ms": least, "best over best": best}
        yield Row(f"{name}: opening to the first view, over an empty page", ours / least, target=1.5, details=details)


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; the number of rounds is fixed."""
    with served() as port, sync_playwright() as playwright:
        address = f"http://127.0.0.1:{port}"
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS.split())
        context = chromium.new_context(viewport=WINDOW)
        context.set_default_timeout(PATIENCE)
        for where, (lab, scene) in scenes().items():
            page = opened(context, address, where)
            word = seen_slider(page, lab, scene)
            yield slider_row(page, where, word, values(lab, scene, word, WARM_UP + STEPS, 2))
            yield drag_row(page, where, word, values(lab, scene, word, FRAMES, 100))
            yield play_row(page, where)
            page.close()
        yield from opening_rows(context, address)
        chromium.close()
