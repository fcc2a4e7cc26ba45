"""What browser tests see of a lab: the arrays behind its plots, pixels on the screen, requests on the wire."""

import base64
import re

import numpy as np

SCREEN = {"width": 1280, "height": 800}
ASK, UPDATE = "ask", "_dash-update-component"
# An emptied plot keeps its axes, grid, ticks and words, all grey: it has none of these coloured pixels (see
# test_pixel_count_tells_an_empty_plot). The faintest view, a few thin lines, has several hundred.
DRAWN = 150
# A body in the grey of the reference has no colour; it covers so many pixels, an emptied scene not three quarters.
COVERED = 2000
PROBE = """
(() => {
  const fetched = window.fetch;
  const probe = { pending: 0, quiet: 0, seen: "" };
  window.probe = probe;
  window.fetch = (...all) => {
    probe.pending += 1;
    return fetched(...all).finally(() => { probe.pending -= 1; });
  };
  probe.holder = (view) => document.getElementById('{"kind":"graph","place":"' + view + '"}');
  probe.graph = (view) => probe.holder(view);
  const flat = (values) => Array.from(values || [], (row) => (row && row.length !== undefined ? Array.from(row) : row));
  /* The line or dots of a run are called by its label; heads, leads and outlines belong to it, too. */
  probe.run = ({ name, meta }) => {
    const facts = meta && meta.track && window.nhviz.page.state.facts.runs[meta.track];
    return facts && facts.label === name ? meta.track : "";
  };
  probe.data = (view) => ((probe.graph(view) || {})._fullData || []).map((trace) => ({
    name: trace.name, track: (trace.meta || {}).track || "", run: probe.run(trace), type: trace.type,
    axis: trace.xaxis || "x", opacity: trace.opacity,
    x: flat(trace.x).flat(), y: flat(trace.y).flat(), z: flat(trace.z).flat(),
  }));
  probe.views = () => Array.from(document.querySelectorAll(".view .graph"), (holder) => JSON.parse(holder.id).place);
  probe.words = () => Array.from(document.querySelectorAll(
    "#readout, #insight, .share, .note, .coming, #notice, .view > .text, .message"),
    ({ textContent }) => textContent).join("|");
  probe.digest = () => {
    let sum = 0, count = 1;
    probe.views().forEach((view) => probe.data(view).forEach((trace) => [trace.x, trace.y, trace.z].forEach((values) =>
      values.forEach((value) => { count += 1; if (Number.isFinite(value)) sum += value * (1 + count % 97); }))));
    return count + " " + sum + " " + probe.words();
  };
  probe.ready = () => probe.views().length > 0 && probe.views().every((view) => probe.data(view).length ||
    probe.holder(view).offsetParent === null || probe.holder(view).closest(".shows-text")) &&
    document.getElementById("insight").textContent !== "";
  probe.settled = () => {
    const now = probe.digest();
    const comes = window.nhviz.coming && window.nhviz.coming.isUnderWay();
    probe.quiet = probe.pending || comes || now !== probe.seen ? 0 : probe.quiet + 1;
    probe.seen = now;
    return probe.quiet > 4;
  };
  probe.pixel = (view, x, y) => {
    const graph = probe.graph(view), box = graph.getBoundingClientRect();
    const { xaxis, yaxis } = graph._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)];
  };
  probe.place = (view, left, top) => {
    const graph = probe.graph(view), box = graph.getBoundingClientRect();
    const { xaxis, yaxis } = graph._fullLayout;
    return [xaxis.p2d(left - box.left - xaxis._offset), yaxis.p2d(top - box.top - yaxis._offset)];
  };
  probe.count = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const seen = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
      seen.set(colour, (seen.get(colour) || 0) + 1);
    }
    const ground = Array.from(seen).reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    const away = [ground >> 16, (ground >> 8) & 255, ground & 255];
    let coloured = 0, marked = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = [data[i], data[i + 1], data[i + 2]];
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) coloured += 1;
      if (Math.abs(red - away[0]) + Math.abs(green - away[1]) + Math.abs(blue - away[2]) > 24) marked += 1;
    }
    return [coloured, marked];
  };
})();
"""


def is_question(url):
    """Whether a page asks the server there: for pictures, or for anything else that needs mathematics."""
    return url.endswith(f"/{ASK}") or UPDATE in url


def identity(kind, **more):
    """The selector of a component with a compound id."""
    pairs = sorted({"kind": kind, **more}.items())
    inner = ",".join(
        f'"{key}":{value if isinstance(value, int) else chr(34) + value + chr(34)}' for key, value in pairs
    )
    return f"[id='{{{inner}}}']"


class Lab:
    """One page that shows a lab, and a record of everything it said and fetched."""

    def __init__(self, context, address, wait=True):
        self.page = context.new_page()
        self.page.add_init_script(PROBE)
        self.said, self.requests, self.responses = [], [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("request", lambda request: self.requests.append(request))  # noqa: PLW0108
        self.page.on("response", lambda response: self.responses.append(response))  # noqa: PLW0108
        self.page.goto(address)
        if wait:
            self.ready()

    def ready(self):
        """Wait until every visible view has data and nothing changes any more."""
        self.page.wait_for_function("() => window.probe.ready()", timeout=60000)
        self.settle()

    def settle(self):
        """Wait until no request is under way and no plot or word changes for a quarter of a second."""
        self.page.evaluate("() => { window.probe.quiet = 0; }")
        self.page.wait_for_function("() => window.probe.settled()", polling=50)

    def data(self, view):
        """The traces of a view with decoded arrays."""
        return [
            trace | {axis: np.array(trace[axis], dtype=float) for axis in "xyz"}
            for trace in self.page.evaluate("view => window.probe.data(view)", view)
        ]

    def trace(self, view, name, axis="x"):
        """The trace of a view with a name, in the panel of an axis; runs are called by their variant."""
        return next(
            trace for trace in self.data(view) if name in (trace["name"], trace["run"]) and trace["axis"] == axis
        )

    def chip(self, name):
        """The chip of a variant."""
        return self.page.locator(f".chip[data-key='{name}']")

    def chosen(self):
        """The variants whose chips are pressed, in the order of the lab."""
        return self.state()["variants"]["methods"]

    def toggle(self, name):
        """Press the chip of a variant."""
        self.chip(name).click()
        self.settle()

    def state(self):
        """The state of the page."""
        return self.page.evaluate("() => window.nhviz.page.state.now.state")

    def gauge(self, word="step"):
        """The gauge of a number in the sidebar."""
        return self.page.locator(f".side [data-gauge='{word}']")

    def time(self):
        """The instant that the clock shows."""
        return float(self.page.inner_text("#time").split()[0])

    def playing(self):
        """Whether the clock runs."""
        return self.page.locator("#play").get_attribute("aria-label") == "pause"

    def note(self):
        """What is said of a run that stopped."""
        return " ".join(self.page.locator(".note").all_inner_texts()).strip()

    def home(self):
        """The view that is large, or all of them, as the lab opens."""
        return self.page.evaluate("() => window.nhviz.page.state.facts.opening.layout")

    def enlarge(self, place):
        """Press the button that makes a view large, or all as before."""
        self.page.locator(f".view-{place} .expand").click()
        self.settle()

    def everywhere(self):
        """All views alike: of a lab that opens with one large, the others are small."""
        self.page.locator(".lay [data-layout='all']").click()
        self.settle()

    def everything(self):
        """All arrays of all views."""
        return {view: self.data(view) for view in self.page.evaluate("() => window.probe.views()")}

    def graph(self, view):
        """The element of a view's graph."""
        return self.page.locator(identity("graph", place=view))

    def coloured(self, view):
        """How many coloured pixels a person sees in a view."""
        return self.count(self.graph(view).screenshot())[0]

    def count(self, picture):
        """Pixels of a PNG that have a colour, and pixels that differ from the ground, of which there is most."""
        return self.page.evaluate("text => window.probe.count(text)", base64.b64encode(picture).decode())

    def check_drawn(self, *views):
        """Every view, or those named, shows a drawing and not only axes."""
        for view in views or self.page.evaluate("() => window.probe.views()"):
            count = self.coloured(view)
            assert count > DRAWN, f"view {view} shows {count} coloured pixels"

    def check_covered(self, *views):
        """Views of bodies in grey show them, and not only the ground."""
        for view in views:
            marked = self.count(self.graph(view).screenshot())[1]
            assert marked > COVERED, f"view {view} shows {marked} marked pixels"

    def box(self, name):
        """The number box of a value."""
        return self.page.locator(identity("box", name=name))

    def number(self, name):
        """The number in a box."""
        return float(self.box(name).get_attribute("data-value"))

    def uncover(self, name):
        """Open the group of a control, and show momenta as coordinates of the start."""
        self.page.evaluate(
            """name => {
              const box = document.getElementById('{"kind":"box","name":"' + name + '"}');
              const group = box && box.closest("details");
              if (group) group.open = true;
              if (group && group.matches(".with-switch")) group.dataset.coordinates = "momenta";
            }""",
            name,
        )

    def enter(self, name, text):
        """Type into a box and confirm."""
        self.uncover(name)
        self.box(name).fill(text)
        self.box(name).press("Enter")
        self.settle()

    def message(self, name):
        """The sentence beside a control."""
        return self.page.locator(identity("message", name=name)).inner_text().strip()

    def knob(self, name):
        """The part of a slider that is focused and dragged."""
        self.uncover(name)
        return self.page.locator(identity("slider", name=name))

    def tab(self, name):
        """Choose a tab of the last view."""
        self.page.locator(f"[data-tab='{name}']").click()
        self.settle()

    def reset(self):
        """Back to the opening state, by its experiment, and to the first tab."""
        self.page.bring_to_front()
        self.experiment(0)
        if self.page.locator("[role=tab]").first.get_attribute("aria-selected") != "true":
            self.page.locator("[role=tab]").first.click()
            self.settle()

    def frames(self, number):
        """Let the browser paint a number of times."""
        self.page.evaluate(
            "left => new Promise((done) => { const next = () => (left-- > 0 ? requestAnimationFrame(next) : done());"
            " next(); })",
            number,
        )

    def seek(self, value):
        """Move the clock, from 0 to 1000."""
        self.page.locator("#clock").evaluate(
            "(clock, value) => { clock.value = value; clock.dispatchEvent(new Event('input')); }", value
        )
        self.settle()

    def still_pixel(self, view, x, y):
        """The pixel of a place, once the plot no longer moves: on a busy machine its size may settle late."""
        before = None
        while True:
            found = tuple(map(round, self.page.evaluate("all => window.probe.pixel(...all)", [view, x, y])))
            if found == before:
                return found
            before = found
            self.page.wait_for_timeout(100)

    def click(self, view, x, y):
        """Click at a place of a flat plot; returns the place of the pixel that was hit and the size of a pixel."""
        left, top = self.still_pixel(view, x, y)
        place, next_to = (
            np.array(self.page.evaluate("all => window.probe.place(...all)", [view, left + i, top + i])) for i in (0, 1)
        )
        # As a hand does: come to rest, then click. plotly looks where the mouse is at most every 50 ms, and the page
        # waits for a second click, which would reset the axes.
        self.page.mouse.move(left, top)
        self.page.wait_for_timeout(150)
        before = len(self.updates())
        self.page.mouse.click(left, top)
        self.asked_since(before)
        return place, np.abs(next_to - place)

    def asked_since(self, before, patience=5000):
        """Wait for a question more than there were before, which a busy machine may put late, and for its answer."""
        for _ in range(patience // 50):
            if len(self.updates()) > before:
                break
            self.page.wait_for_timeout(50)
        self.settle()

    def option(self, name, value):
        """Choose one of the values of an option."""
        holder = self.page.locator(f"[data-option='{name}']")
        holder.evaluate("row => { row.closest('details').open = true; }")
        holder.locator(f"[data-choice='{value}']").click()
        self.settle()

    def experiment(self, number):
        """Press the button of an experiment."""
        self.page.locator(f"[data-experiment='{number}']").click()
        self.settle()

    def visit(self, family, name):
        """Go to a lab by the menu of its kind of system."""
        self.page.locator("header nav").get_by_role("button", name=family, exact=True).click()
        self.page.get_by_role("menuitem").filter(has_text=re.compile(f"^{name}[A-Z]")).click()

    def share(self, name):
        """Choose an item of the share menu."""
        self.page.get_by_role("button", name="Share", exact=True).click()
        self.page.locator(f"#{name}").click()

    def wear(self, theme):
        """Press the button until the page has a theme."""
        while self.page.evaluate("() => document.documentElement.dataset.theme") != theme:
            before = self.page.evaluate("() => document.documentElement.dataset.theme")
            self.page.locator("#theme-button").click()
            self.page.wait_for_function("was => document.documentElement.dataset.theme !== was", arg=before)

    def updates(self):
        """Requests to the server's callbacks so far."""
        return [request for request in self.requests if is_question(request.url)]

    def sizes(self):
        """Lengths of the answers of the server's callbacks so far, decompressed."""
        answers = [response for response in self.responses if is_question(response.url)]
        # What was given up on the way has no body.
        return [len(response.body()) for response in answers if not response.request.failure]

    def close(self):
        self.page.close()


def same(first, second, tolerance=1e-6):
    """Whether two lists of traces hold the same arrays."""
    if [trace["type"] for trace in first] != [trace["type"] for trace in second]:
        return False
    pairs = [(a[axis], b[axis]) for a, b in zip(first, second, strict=True) for axis in "xyz"]
    return all(a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=1e-9, equal_nan=True) for a, b in pairs)
