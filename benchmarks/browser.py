"""The page in a browser: slider steps, drags, playing and opening, against plotly and Dash alone in the same browser."""

import shutil
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks.dashboard import opening, served, slider_of
from benchmarks.table import Row
from nhviz.frame import find
from nhviz.frame.records import Lab

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
HOOKS = Path(__file__).with_suffix(".js")
WINDOW = {"width": 1280, "height": 800}
STEPS, WARM_UP = 15, 3
FRAMES = 60
SECONDS = 2
OPENINGS = 5
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
  const after = new MessageChannel();
  after.port1.onmessage = () => { window.firstDrawn = performance.now(); };
  requestAnimationFrame(() => after.port2.postMessage(null));
}).observe(document, { childList: true, subtree: true });
"""


def opened(context: BrowserContext, address: str, lab: Lab) -> Page:
    """The page of a lab, all of it drawn, with hooks."""
    page = context.new_page()
    page.goto(f"{address}/{lab.id}")
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(500)
    page.evaluate(HOOKS.read_text())
    return page


def values(lab: Lab, count: int, first: int = 0) -> list[float]:
    """Values of the slider of a lab near its opening one, all on its grid, none twice."""
    word = slider_of(lab)
    low, high = lab.scenes[0].panels[0].model.id and slider_range(lab)
    unit, start = (high - low) / 400, opening(lab)["numbers"][word]
    way = 1 if start < (low + high) / 2 else -1
    return [start + way * unit * (1 + (first + k) % 200) for k in range(count)]


def slider_range(lab: Lab) -> tuple[float, float]:
    """Where the slider of a lab begins and ends."""
    from nhviz.frame.state import opening as first_state

    return first_state(lab, lab.scenes[0]).vocabulary.numbers[slider_of(lab)].declared.describe()["slider"]


def medians(found: list[dict[str, Any]]) -> dict[str, float]:
    """The median of each number."""
    known = {name: [one[name] for one in found if one[name] is not None] for name in found[0]}
    return {name: statistics.median(numbers) for name, numbers in known.items() if numbers}


def slider_row(page: Page, lab: Lab) -> Row:
    """Steps of a slider and plotly alone, in turn."""
    ours, bare = [], []
    for value in values(lab, STEPS + WARM_UP):
        ours.append(page.evaluate("([word, value]) => bench.slide(word, value)", [slider_of(lab), value]))
        bare.append(page.evaluate("bench.bare()"))
    typical, least = medians(ours[WARM_UP:]), statistics.median(bare[WARM_UP:])
    details = {"ours ms": typical["all"], "plotly alone ms": least, **{
        name: typical[name] for name in ("flat", "space", "came", "told", "dispatch", "reacts", "draws", "due") if name in typical
    }}
    spread = [one["all"] / other for one, other in zip(ours[WARM_UP:], bare[WARM_UP:], strict=True)]
    details["quartiles"] = " ".join(f"{q:.2f}" for q in statistics.quantiles(spread)[::2])
    return Row(f"{lab.id}: slider event to all views, over plotly alone", typical["all"] / least, target=1.5, details=details)


def drag_row(page: Page, lab: Lab) -> Row:
    """How many requests are under way at most while a hand drags."""
    found = page.evaluate("([word, values]) => bench.drag(word, values)", [slider_of(lab), values(lab, FRAMES, 100)])
    return Row(f"{lab.id}: requests under way at most while dragging", found.pop("most"), "", target=1, details=found)


def play_row(page: Page, lab: Lab) -> Row:
    """Frames in a second while it plays."""
    page.wait_for_timeout(500)
    found = page.evaluate(f"bench.play({SECONDS})")
    kinds = {place.views[0].kind for place in lab.scenes[0].places.values()}
    target = None if "space" in kinds else 20.0
    return Row(f"{lab.id}: new instants drawn in a second", found.pop("drawn"), "", target=target, at_most=False, details=found)


def opening_rows(context: BrowserContext, address: str) -> Iterator[Row]:
    """From the navigation to the first picture, over a page of Dash with an empty one."""
    labs = find.labs()
    times: dict[str, list[float]] = {name: [] for name in ("empty", *labs)}
    page = context.new_page()
    page.add_init_script(FIRST)
    for turn in range(OPENINGS + 1):
        for name, found in times.items():
            page.goto(f"{address}/{name}" + ("/" if name == "empty" else ""))
            page.wait_for_function("window.firstDrawn")
            if turn:
                found.append(page.evaluate("window.firstDrawn"))
    page.close()
    least = statistics.median(times.pop("empty"))
    for name, found in times.items():
        ours = statistics.median(found)
        details = {"ours ms": ours, "empty ms": least}
        yield Row(f"{name}: opening to the first view, over a Dash page with an empty figure", ours / least, target=1.5, details=details)


def rows(repeats: int) -> Iterator[Row]:
    """All rows of this module; the number of rounds is fixed."""
    with served() as port, sync_playwright() as playwright:
        address = f"http://127.0.0.1:{port}"
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS.split())
        context = chromium.new_context(viewport=WINDOW)
        context.set_default_timeout(PATIENCE)
        for lab in find.labs().values():
            page = opened(context, address, lab)
            yield slider_row(page, lab)
            yield drag_row(page, lab)
            yield play_row(page, lab)
            page.close()
        yield from opening_rows(context, address)
        chromium.close()
