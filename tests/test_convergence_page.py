"""The convergence lab in a real browser: drawn, switched, ranged, linked, on a phone, with an empty console."""

import numpy as np
import pytest

from nhviz.analysis.steps import largest_step
from tests.page import SCREEN, Lab

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lab(context, address):
    found = Lab(context, f"{address}/convergence")
    yield found
    found.page.close()


@pytest.fixture(autouse=True)
def open_at_first(lab):
    lab.page.bring_to_front()
    lab.experiment(0)


def choose(lab, value):
    """Press a segment in the header of the first picture."""
    lab.page.locator(f".view-by_step header [data-choice='{value}']").click()
    lab.settle()


def errors(lab, name, view="by_step"):
    return lab.trace(view, name)


def test_both_pictures_are_drawn_with_orders_on_the_chips(lab):
    lab.check_drawn("by_step", "by_time")
    assert lab.page.locator(".chip[data-key='cayley'] small").inner_text() == "order 2.00"
    assert lab.page.locator(".chip[data-key='euler_feedback'] small").inner_text() == ""
    fold = errors(lab, "end")
    assert fold["x"][0] == pytest.approx(largest_step("suslov", "moser_veselov"), rel=1e-6)
    slower = errors(lab, "moser_veselov", "by_time")
    np.testing.assert_array_equal(slower["y"], errors(lab, "moser_veselov")["y"])
    assert np.all(slower["x"] > 0.0)
    # Nothing moves here: there is no clock, but there are numbers.
    assert not lab.page.locator("#play").is_visible()
    assert "51" in lab.page.locator("#readout").inner_text()


def test_a_chip_switches_its_curves_off_and_on(lab):
    lab.toggle("moser_veselov")
    names = {trace["track"] for view in ("by_step", "by_time") for trace in lab.data(view)}
    assert "moser_veselov" not in names
    assert {"cayley", "rk4_feedback"} <= names
    assert lab.page.locator("#insight").inner_text().startswith("Cayley is of second order")
    lab.toggle("moser_veselov")
    assert errors(lab, "moser_veselov")["x"].size == 17


def test_the_range_and_what_is_measured_are_kept_in_the_link(lab):
    lab.enter("by_step.halvings", "5")
    lab.enter("step", "0.02")
    choose(lab, "integral_energy")
    cayley = errors(lab, "cayley")
    assert cayley["x"].max() == pytest.approx(0.02)
    assert cayley["x"].min() == pytest.approx(0.02 / 32.0, rel=0.01)
    assert "keeps the energy" in lab.page.locator("#insight").inner_text()
    assert {"by_step.halvings=5", "step=0.02", "by_step.of=integral_energy"} <= set(
        lab.page.url.partition("?")[2].split("&")
    )
    before = cayley["y"]
    lab.page.reload()
    lab.ready()
    np.testing.assert_array_equal(errors(lab, "cayley")["y"], before)
    assert lab.page.locator("[data-choice='integral_energy']").get_attribute("aria-pressed") == "true"


def test_the_second_body_of_the_paper_is_a_button_away(lab):
    """Its start is beyond the sliders, where a run may have to be made elsewhere; many short ones need not."""
    lab.experiment(1)
    assert "Moser–Veselov errs 2.0 times less" in lab.page.locator("#insight").inner_text()
    assert errors(lab, "end")["x"][0] == pytest.approx(1.0 / 60.0, rel=1e-4)


def test_the_numbers_are_a_tab_away(lab):
    lab.tab("in_figures")
    text = lab.page.locator(".view-by_time > .text").inner_text()
    assert "Cayley" in text
    assert "asymptotic.fit" in text
    lab.tab("by_time")
    lab.check_drawn("by_time")


def test_the_phase_lead_has_a_scene_with_a_clock(lab, address):
    lab.page.goto(f"{address}/convergence?scene=lead")
    lab.ready()
    lab.check_drawn("lead", "sizes")
    assert lab.page.locator("#play").is_visible()
    assert "Remark 8.1 has it the other way round" in lab.page.locator("#insight").inner_text()
    assert lab.page.locator(".chip[data-key='cayley'] small").inner_text() == "behind"
    lab.page.goto(f"{address}/convergence")
    lab.ready()


def test_a_phone_swipes_through_both(lab):
    lab.page.set_viewport_size({"width": 390, "height": 844})
    lab.settle()
    lab.check_drawn("by_step")
    wide = lab.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    chosen = lab.page.locator(".view-by_step header [data-choice='attitude']")
    chosen.click()
    lab.settle()
    assert lab.state()["options"]["by_step.of"] == "attitude"
    lab.page.set_viewport_size(SCREEN)
    lab.settle()


def test_the_console_stays_empty(lab):
    assert lab.said == []
