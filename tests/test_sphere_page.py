"""The rolling ball in a real browser: it shows the right ball, path, vertical and words, and starts in momenta too."""

import numpy as np
import pytest

import nhviz
from nhviz import export
from nhviz.analysis.steps import largest_step
from tests.page import Lab, same

pytestmark = pytest.mark.browser

GAMMA, PATH = "gamma", "path"
FACTS = nhviz.describe("sphere")
OWN = "&".join(
    f"{name}={FACTS[part][name]['default']!r}"
    for part in ("parameters", "initial")
    for name in FACTS[part]
    if name not in ("rho", "x", "y")
)
OWN += f"&step={FACTS['step']['default']}&duration={FACTS['duration']['default']}&methods=reference.fedorov"
"""The system's own ball and start, and one step; the lab opens on another ball, with three steps at once."""


@pytest.fixture
def sphere(opened, address):
    opened.page.bring_to_front()
    opened.page.goto(f"{address}/sphere?{OWN}")
    opened.ready()
    return opened


def test_views_show_the_runs(sphere):
    sphere.check_drawn(GAMMA, PATH)
    sphere.everywhere()
    sphere.check_covered("motion")
    for method, name, above in (("reference", "Flow", 1.006), ("fedorov", "Fedorov", 1.045)):
        run = nhviz.simulate("sphere", method)
        path, vertical = sphere.trace(PATH, method), sphere.trace(GAMMA, name)
        stride = (len(path["x"]) - 1) // (len(run) - 1)
        assert np.allclose(path["x"][::stride], run["x"], atol=1e-5)
        assert np.allclose(path["y"][::stride], run["y"], atol=1e-5)
        for axis, part in zip("xyz", ("gamma1", "gamma2", "gamma3"), strict=True):
            # Above the globe, which would cut it.
            assert np.allclose(vertical[axis][::stride] / above, run[part], atol=1e-6)


def test_the_ball_rolls_on_its_path(sphere):
    run = nhviz.simulate("sphere", "reference")
    for share in (0, 250, 1000):
        sphere.seek(1 if share == 0 else share)
        sphere.seek(share)
        instant = round(share / 1000 * (len(run) - 1))
        ball = sphere.trace("motion", "body")
        corners = np.stack([ball[axis] for axis in "xyz"], axis=1)
        centre = np.array([run["x"][instant], run["y"][instant], 1.0])
        assert np.allclose(np.linalg.norm(corners - centre, axis=1), 1.0, atol=1e-5)
        # The caps at the ends of the three axes are where the attitude puts them.
        caps = sphere.trace("motion", "caps")
        places = (np.stack([caps[name] for name in "xyz"], axis=1) - centre) @ run["R"][instant] / 1.007
        for axis in np.vstack([np.eye(3), -np.eye(3)]):
            assert (places @ axis).max() == pytest.approx(1.0, abs=1e-5)
        assert np.abs(places).max(axis=1).min() == pytest.approx(np.cos(0.2), abs=1e-5)
        # The momentum is as it was, and on the skin.
        arrow = sphere.trace("motion", "arrow K stands still")
        foot = np.array([arrow[name][0] for name in "xyz"]) - centre
        momentum = run["R"][0] @ [run[f"K{i}"][0] for i in (1, 2, 3)]
        assert np.allclose(foot, momentum / np.linalg.norm(momentum), atol=1e-5)


def test_a_body_that_is_no_ball_is_marked(sphere):
    remark = sphere.page.locator(".remarks")
    assert remark.inner_text() == "A real ball: J₁ + J₂ + J₃ = 1.75 ≤ mρ² = 2."
    sphere.enter("J1", "0.6")
    assert "Mathematical, not a real ball" in remark.inner_text()
    assert "2.1" in remark.inner_text()
    assert "/sphere?J1=0.6&" in sphere.page.url
    sphere.enter("m", "2.2")
    assert remark.inner_text() == "A real ball: J₁ + J₂ + J₃ = 2.1 ≤ mρ² = 2.2."


def test_a_vertical_without_direction_gets_a_sentence_and_the_pictures_stay(sphere):
    for name in ("gamma1", "gamma2"):
        sphere.enter(name, "0")
    before = sphere.everything()
    sphere.enter("gamma3", "0")
    assert "must not all be 0" in sphere.message("gamma1")
    assert all(same(before[view], sphere.data(view)) for view in before)
    sphere.enter("gamma3", "-5")
    assert sphere.message("gamma1") == ""
    assert sphere.trace(GAMMA, "Fedorov")["z"][0] == pytest.approx(-1.045)


def test_a_click_on_the_sphere_of_verticals_starts_there(sphere):
    place = sphere.graph(GAMMA).bounding_box()
    x, y = place["x"] + 0.6 * place["width"], place["y"] + 0.6 * place["height"]
    # Picking a point in space happens on hovering; the click then uses it.
    sphere.page.mouse.move(x - 6, y - 6)
    sphere.frames(10)
    sphere.page.mouse.move(x, y, steps=4)
    sphere.frames(30)
    before = sphere.page.url
    sphere.page.mouse.down()
    sphere.frames(3)
    sphere.page.mouse.up()
    sphere.page.wait_for_function("was => location.href !== was", arg=before)
    sphere.settle()
    chosen = np.array([sphere.number(f"gamma{i}") for i in (1, 2, 3)])
    orbit = sphere.trace(GAMMA, "Fedorov")
    start = np.array([orbit[axis][0] for axis in "xyz"]) / 1.045
    assert np.allclose(start, chosen / np.linalg.norm(chosen), atol=1e-5)


def test_a_click_in_the_plane_moves_the_start(sphere):
    place, pixel = sphere.click(PATH, -4.0, -2.0)
    assert abs(sphere.number("x") - place[0]) <= pixel[0]
    assert abs(sphere.number("y") - place[1]) <= pixel[1]
    assert sphere.trace(PATH, "reference")["x"][0] == pytest.approx(sphere.number("x"), rel=1e-5)


def test_the_largest_step_and_what_happens_beyond(sphere):
    """How much of the largest step is used; beyond it the run stops at its first step, and a smaller one completes."""
    share = sphere.gauge().locator(".share")
    largest = largest_step("sphere", "fedorov", numbers(sphere, "parameters"), numbers(sphere, "initial"))
    assert share.inner_text() == f"{round(100 * sphere.number('step') / largest)} % of the largest"
    sphere.enter("step", "1.5")
    assert "beyond the fold" in share.inner_text()
    assert "before the first step" in sphere.note()
    assert sphere.chip("fedorov").locator("small").inner_text() == "stopped"
    sphere.page.locator(".note button").click()
    sphere.settle()
    assert sphere.note() == ""
    run = nhviz.simulate("sphere", "fedorov", numbers(sphere, "parameters"), numbers(sphere, "initial"),
                         step=sphere.number("step"), duration=sphere.number("duration"))  # fmt: skip
    assert run.stopped is None


def numbers(lab, part):
    """The parameters or initial values that the page shows."""
    return {name: lab.number(name) for name in nhviz.describe("sphere")[part]}


def test_branches_and_equations_behind_tabs(sphere):
    sphere.tab("branches")
    rows = sphere.page.locator(".view-detail > .text tbody tr")
    found = nhviz.branches("sphere", "fedorov")
    assert rows.count() == len(found) == 4
    assert rows.nth(0).locator("td").all_inner_texts()[:2] == ["principal", f"{found[0]['q0']:.5g}"]
    assert "Not certified" not in sphere.page.inner_text(".view-detail > .text")
    sphere.tab("equations")
    # Formulas are typeset after the text is there.
    last = len(nhviz.describe("sphere")["equations"]) - 1
    sphere.page.locator(".view-detail > .text mjx-container").nth(last).wait_for(state="attached")
    sphere.tab("drift")
    titles = sphere.page.evaluate(
        "() => window.probe.graph('detail')._fullLayout.annotations.filter(({ name }) => name === 'title')"
        ".map(({ text }) => text)"
    )
    drawn = {trace["axis"]: trace["y"].max() for trace in sphere.data("detail") if trace["run"] == "fedorov"}
    kept = dict(zip(titles, (drawn["x"], drawn["x2"], drawn["x3"]), strict=True))
    assert 1e-7 < kept.pop("<b>Energy</b>") < 1e-3
    assert len(kept) == 2
    assert max(kept.values()) < 1e-12


def test_a_link_brings_everything_back(sphere, address):
    sphere.experiment(1)
    sphere.enter("J3", "0.8")
    sphere.seek(300)
    link, before = sphere.page.url, sphere.everything()
    sphere.page.goto(f"{address}/suslov")
    sphere.ready()
    sphere.page.goto(link)
    sphere.ready()
    sphere.seek(300)
    assert sphere.number("J2") == 0.02
    assert all(same(before[view], sphere.data(view)) for view in before)


def test_csv_holds_all_runs(sphere):
    with sphere.page.expect_download() as download:
        sphere.share("csv")
    runs = {method: nhviz.simulate("sphere", method) for method in ("reference", "fedorov")}
    assert download.value.path().read_bytes() == export.runs_to_csv(runs)


def test_pictures_can_be_saved(sphere):
    for view in ("motion", GAMMA, PATH):
        sphere.enlarge(view)
        with sphere.page.expect_download() as download:
            sphere.page.locator(f".view-{view} [data-save='png']").click()
        coloured, marked = sphere.count(download.value.path().read_bytes())
        assert marked > 2000
        assert coloured > 100
        sphere.enlarge(view)


def K(lab, i):
    """The row of a momentum."""
    return lab.page.locator(f".control[data-momentum='{i - 1}']")


def typed(lab, row, text):
    """Type a momentum."""
    box = row.locator(".number")
    box.click()
    box.fill(text)
    box.press("Enter")
    box.blur()
    lab.settle()


def momentum(lab):
    """K of the numbers that the page shows, by its formula."""
    values = numbers(lab, "parameters")
    gamma, omega = (np.array([lab.number(f"{name}{i}") for i in (1, 2, 3)]) for name in ("gamma", "omega"))
    gamma /= np.linalg.norm(gamma)
    j, d = np.array([values[f"J{i}"] for i in (1, 2, 3)]), values["m"] * values["rho"] ** 2
    return (j.sum() - j) * omega + d * (omega - omega @ gamma * gamma)


def shown_momentum(lab):
    """K as its rows have it."""
    return [float(K(lab, i).locator(".number").get_attribute("data-value")) for i in (1, 2, 3)]


def test_the_start_can_be_given_in_momenta(sphere):
    """A momentum that is set becomes velocities; a vertical that is turned keeps the momenta, not the velocities."""
    assert not K(sphere, 1).is_visible()
    asked = len(sphere.updates())
    sphere.page.locator("button[data-coordinates='momenta']").click()
    assert K(sphere, 1).is_visible()
    assert not sphere.box("omega1").is_visible()
    assert sphere.box("gamma1").is_visible()
    assert len(sphere.updates()) == asked
    before = momentum(sphere)
    assert shown_momentum(sphere) == pytest.approx(before.tolist(), rel=1e-8)
    typed(sphere, K(sphere, 2), "-0.75")
    wanted = [before[0], -0.75, before[2]]
    assert momentum(sphere) == pytest.approx(wanted, rel=1e-8)
    assert "omega2=" in sphere.page.url
    box = sphere.box("gamma1")
    box.click()
    box.fill("0.9")
    box.press("Enter")
    sphere.settle()
    assert sphere.number("gamma1") == 0.9
    assert momentum(sphere) == pytest.approx(wanted, rel=1e-8)
    assert shown_momentum(sphere) == pytest.approx(wanted, rel=1e-8)
    run = nhviz.simulate("sphere", "fedorov", numbers(sphere, "parameters"), numbers(sphere, "initial"), duration=0.0)
    assert [run[f"K{i}"][0] for i in (1, 2, 3)] == pytest.approx(wanted, rel=1e-8)
    sphere.page.locator("button[data-coordinates='velocities']").click()
    assert sphere.box("omega1").is_visible()
    assert not K(sphere, 1).is_visible()


def test_a_momentum_beyond_all_velocities_gets_a_sentence_beside_it(sphere):
    sphere.page.locator("button[data-coordinates='momenta']").click()
    link = sphere.page.url
    typed(sphere, K(sphere, 3), "1e6")
    message = K(sphere, 3).locator(".message")
    assert "which is not between −100 and 100" in message.inner_text()
    assert sphere.page.url == link
    typed(sphere, K(sphere, 3), "0.4")
    assert message.inner_text() == ""
    typed(sphere, K(sphere, 3), "much")
    assert "must be a number" in message.inner_text()


def test_three_steps_at_once_and_the_fold(context, address):
    lab = Lab(context, f"{address}/sphere")
    words = {"reference": "Flow", "fedorov": "Fedorov", "half": "Fedorov ε/2", "longer": "Fedorov 1.5 ε"}
    assert {name: lab.chip(name).locator("span").last.inner_text() for name in words} == words
    for name in ("fedorov", "half", "longer"):
        assert len(lab.trace(PATH, name)["x"]) > 30
    lab.experiment(2)
    assert "after step 5" in lab.note()
    assert lab.chip("fedorov").locator("small").inner_text() == "stopped"
    assert lab.chip("half").locator("small").inner_text() == ""
    lab.page.close()
