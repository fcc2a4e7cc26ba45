"""The scene of all rotations in a real browser: drawn, counted, clicked, followed, played."""

import json

import numpy as np
import pytest

import nhviz
from tests.page import SCREEN

pytestmark = pytest.mark.browser
VIEWS = ("globe", "plane", "merges", "detail")
BODY = {"J1": 0.01, "J2": 0.2, "J3": 0.8, "m": 300.0, "rho": 1.0}
K = np.array([0.594, -0.23, 0.217])
# What the numbers of the page, of six digits, leave of K: they are multiplied by the mass.
LEFT = 3e-4


def counts(page, view, into):
    """The numbers behind the colours of a view, and its mesh."""
    found = page.page.evaluate(
        """([view, into]) => {
          const trace = window.probe.graph(view).data.find(({ name }) => name === "counts");
          const rows = (values) => Array.from(values, (row) => (row.length === undefined ? row : Array.from(row)));
          return [into, "x", "y", "z"].map((name) => rows(trace[name]));
        }""",
        [view, into],
    )
    return [np.array(part, dtype=float) for part in found]


def here(page):
    """gamma, K and the step that the page shows."""
    gamma = np.array([page.number(f"gamma{i}") for i in (1, 2, 3)])
    gamma /= np.linalg.norm(gamma)
    mass = np.diag([page.number(f"J{i}") for i in (1, 2, 3)])
    inertia = np.trace(mass) * np.eye(3) - mass
    about_contact = inertia + page.number("m") * page.number("rho") ** 2 * (np.eye(3) - np.outer(gamma, gamma))
    return gamma, about_contact @ [page.number(f"omega{i}") for i in (1, 2, 3)], page.number("step")


def counted(gamma, k, step):
    at = {f"K{i + 1}": k[i] for i in range(3)} | {f"gamma{i + 1}": gamma[i] for i in range(3)}
    return len(nhviz.branches("sphere", "fedorov", BODY, step, at))


def test_every_view_is_drawn(lab):
    page = lab("sphere?scene=branches")
    page.check_drawn(*VIEWS)
    gamma, k, step = here(page)
    assert k == pytest.approx(K, abs=1e-6)
    assert f"Here a step has {counted(gamma, k, step)} real rotations" in page.page.inner_text("#insight")


def test_counts_on_the_globe_are_those_of_python_at_random_places(lab):
    page, chance = lab("sphere?scene=branches"), np.random.default_rng(11)
    found, x, y, z = counts(page, "globe", "surfacecolor")
    assert set(np.unique(found)) == {0.0, 2.0, 4.0, 6.0, 8.0}
    latitude, longitude = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 121), np.linspace(0.0, 2.0 * np.pi, 241)
    for _ in range(60):
        j, i = chance.integers(121), chance.integers(241)
        gamma = np.array([np.cos(latitude[j]) * np.cos(longitude[i]), np.cos(latitude[j]) * np.sin(longitude[i]),
                          np.sin(latitude[j])])  # fmt: skip
        assert [x[j, i], y[j, i], z[j, i]] == pytest.approx(gamma, abs=3e-7)
        assert found[j, i] == counted(gamma, K, 1.0)


def test_shares_of_the_globe_are_told_in_its_legend_and_in_the_sentence(lab):
    page = lab("sphere?scene=branches")
    found, _, _, z = counts(page, "globe", "surfacecolor")
    area = np.sqrt(np.maximum(1.0 - z**2, 0.0))[:, :-1]
    shares = {count: 100.0 * area[found[:, :-1] == count].sum() / area.sum() for count in (0, 2, 4, 6, 8)}
    page.page.wait_for_function("() => document.getElementById('insight').textContent.includes('of the globe')")
    told = [float(part.split()[0]) for part in page.page.locator("#insight b").all_inner_texts()[1:]]
    assert told == pytest.approx([shares[0], shares[2], shares[4]], abs=0.51)
    words = page.page.evaluate("() => window.probe.graph('globe').layout.annotations.map(({ text }) => text)")
    written = {int(text[3]): text.partition("&nbsp; ")[2] for text in words if text.startswith("<b>")}
    for count, text in written.items():
        assert float(text.removesuffix(" %").removeprefix("< ")) == pytest.approx(shares[count], abs=0.51)


def test_counts_in_the_plane_are_those_of_python_at_random_places(lab):
    page, chance = lab("sphere?scene=branches"), np.random.default_rng(12)
    found, x, y, _ = counts(page, "plane", "z")
    gamma, k, _ = here(page)
    aside = k - (k @ gamma) * gamma
    aside /= np.linalg.norm(aside)
    for _ in range(60):
        j, i = chance.integers(y.size), chance.integers(x.size)
        angle = np.radians(y[j])
        turned = np.linalg.norm(k) * (np.cos(angle) * gamma + np.sin(angle) * aside)
        assert found[j, i] == counted(gamma, turned, x[i])


def test_a_click_on_the_globe_takes_the_vertical_there_and_keeps_the_momentum(lab):
    page = lab("sphere?scene=branches")
    before, k, _ = here(page)
    page.page.evaluate(
        "() => window.probe.graph('globe').on('plotly_hover', (event) => { window.probe.hit = event.points[0]; })"
    )
    box = page.graph("globe").bounding_box()
    for step in range(5):
        page.page.mouse.move(box["x"] + 0.45 * box["width"] + step, box["y"] + 0.72 * box["height"])
        page.frames(4)
    page.page.wait_for_function("() => window.probe.hit && window.probe.hit.data.type === 'surface'")
    hit = page.page.evaluate("() => [window.probe.hit.x, window.probe.hit.y, window.probe.hit.z]")
    # Where it is pointed at, it is told how many rotations there are.
    assert page.page.text_content(".view-globe .hovertext") == f"{counted(np.array(hit), k, 1.0)} real rotations"
    asked = len(page.updates())
    page.page.mouse.down()
    page.frames(2)
    page.page.mouse.up()
    page.asked_since(asked)
    gamma, after, _ = here(page)
    assert np.linalg.norm(gamma - before) > 0.3
    # A click takes the nearest point of the mesh.
    assert gamma == pytest.approx(np.array(hit), abs=0.06)
    assert after == pytest.approx(k, abs=LEFT)
    dot = page.trace("globe", "vertical")
    assert np.array([dot["x"][0], dot["y"][0], dot["z"][0]]) / 1.05 == pytest.approx(gamma, abs=1e-5)
    page.page.locator(".undo").click()
    page.settle()
    assert here(page)[0] == pytest.approx(before, abs=1e-6)


def test_a_click_in_the_plane_sets_the_step_and_turns_the_momentum(lab):
    page = lab("sphere?scene=branches")
    gamma, k, _ = here(page)
    place, pixel = page.click("plane", 1.6, 40.0)
    same, turned, step = here(page)
    assert same == pytest.approx(gamma, abs=1e-5)
    assert abs(step - place[0]) <= pixel[0]
    assert np.linalg.norm(turned) == pytest.approx(np.linalg.norm(k), abs=LEFT)
    angle = np.degrees(np.arccos(turned @ gamma / np.linalg.norm(turned)))
    assert abs(angle - place[1]) <= pixel[1] + np.degrees(LEFT)
    dot = page.trace("plane", "here")
    assert (dot["x"][0], dot["y"][0]) == (pytest.approx(step), pytest.approx(angle, abs=1e-3))


def test_a_click_among_the_curves_sets_the_step_and_one_on_a_ball_follows_it(lab):
    page = lab("sphere?scene=branches")
    place, pixel = page.click("merges", 0.7, 60.0)
    assert abs(page.number("step") - place[0]) <= pixel[0]
    page.click("detail", 2.0, 0.1)
    assert page.state()["options"]["bodies.follow"] == "3"
    assert "followed" in [trace["name"] for trace in page.data("merges")]
    page.option("bodies.follow", "principal")
    assert "followed" not in [trace["name"] for trace in page.data("merges")]


def test_experiments_lead_to_all_counts_the_fold_and_eight(lab):
    page = lab("sphere?scene=branches")
    for number, count in enumerate((6, 2, 8)):
        page.experiment(number)
        assert f"{count} real rotations" in page.page.inner_text("#insight")
        page.check_drawn(*VIEWS)
    # The exact example of CS, corrections, item 12.
    assert page.number("J2") == 0.625


def heads(page):
    """Where the single dots of the run are on the globe: that of the vertical, that of the momentum."""
    dots = [trace for trace in page.data("globe") if trace["track"] and not trace["run"] and len(trace["x"]) == 1]
    return [np.array([dot[axis][0] for axis in "xyz"]) for dot in dots]


def test_the_run_is_played(lab):
    page = lab("sphere?scene=branches")
    page.tab("along_run")
    page.seek(500)
    assert page.time() == pytest.approx(10.0, abs=0.5)
    assert page.trace("detail", "clock")["x"] == pytest.approx([page.time()] * 2)
    initial = {f"{name}{i}": page.number(f"{name}{i}") for name in ("gamma", "omega") for i in (1, 2, 3)}
    run = nhviz.simulate("sphere", "fedorov", BODY, initial, step=1.0, duration=20.0)
    rows = [
        counted(*(np.array([run[f"{part}{i}"][n] for i in (1, 2, 3)]) for part in ("gamma", "K")), 1.0)
        for n in range(len(run))
    ]
    assert page.trace("detail", "fedorov")["y"].tolist() == rows
    # On the globe the vertical and the momentum are where the clock is, and below it is told how many rotations are.
    for name, head in zip(("gamma", "K"), heads(page), strict=True):
        vector = np.array([run[f"{name}{i}"][round(page.time())] for i in (1, 2, 3)])
        assert head / 1.045 == pytest.approx(vector / np.linalg.norm(vector), abs=1e-5)
    assert f"Now\n{rows[round(page.time())]} real" in page.page.inner_text("#readout")
    page.page.locator("#play").click()
    page.page.wait_for_function("() => document.getElementById('time').textContent !== '10.000 s'")
    page.page.locator("#play").click()
    page.settle()


CAPTION = """view => Array.from(document.querySelectorAll(`.view-${view} header p span`), (phrase) => {
  const [own, room] = [phrase, phrase.parentElement].map((one) => one.getBoundingClientRect());
  return own.width === 0 || own.top >= room.bottom - 1 ? "" : own.right <= room.right + 1 ? phrase.textContent : "cut";
})"""


def test_a_phrase_without_room_is_left_out_and_the_legend_stands_below_a_narrow_globe(lab):
    page = lab("sphere?scene=branches")
    keys = page.page.locator(".key").all_inner_texts()
    assert keys == ["0 rotations", "2", "4", "6", "8", "Principal fold"]
    assert page.page.evaluate(CAPTION, "globe")[:2] == [
        "over all verticals γ", "; in the ink curve the principal one is lost"]  # fmt: skip
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.settle()
    assert page.page.evaluate(CAPTION, "globe")[:2] == ["over all verticals γ", ""]
    said = "() => Array.from(document.querySelectorAll('.view-globe .annotation-text'), (one) => one.textContent)"
    assert len([text for text in page.page.evaluate(said) if text.strip().endswith("%")]) == 5
    page.page.set_viewport_size({"width": 250, "height": 844})
    page.settle()
    assert page.page.evaluate(CAPTION, "globe")[:2] == ["", ""]
    page.page.set_viewport_size(SCREEN)
    page.settle()


def test_a_slider_moved_while_it_counts_ends_the_former_count(lab):
    page = lab("sphere?scene=branches")
    page.requests.clear()
    page.box("J2").fill("0.23")
    page.box("J2").press("Enter")
    page.page.wait_for_function("() => window.nhviz.coming.isUnderWay()")
    page.enter("J2", "0.24")
    found, *_ = counts(page, "globe", "surfacecolor")
    last = [json.loads(r.post_data)["sweep"] for r in page.requests if r.url.endswith("/sweep")][-1]
    assert last["params"]["J2"] == 0.24
    _, k, step = here(page)
    at = {f"K{i + 1}": k[i] for i in range(3)} | {"gamma1": 0.0, "gamma2": 0.0, "gamma3": 1.0}
    assert found[-1, 7] == len(nhviz.branches("sphere", "fedorov", BODY | {"J2": 0.24}, step, at))


@pytest.mark.parametrize("theme", ["dark", "projector"])
def test_other_themes_and_a_presentation_show_the_same_counts(lab, theme):
    page = lab("sphere?scene=branches")
    before, *_ = counts(page, "globe", "surfacecolor")
    page.wear(theme)
    page.settle()
    assert (counts(page, "globe", "surfacecolor")[0] == before).all()
    page.page.keyboard.press("p")
    page.settle()
    assert (counts(page, "globe", "surfacecolor")[0] == before).all()
    page.check_drawn("globe")
    page.page.keyboard.press("Escape")
    page.wear("light")
    page.settle()


def test_nothing_was_said_on_the_console(opened):
    harmless = ("willReadFrequently", "GPU stall", "WebGL")
    assert [text for text in opened.said if not any(word in text for word in harmless)] == []
