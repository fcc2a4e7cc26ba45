"""The page behind a proxy in a real browser: everything under a path prefix, under the content security policy."""

import urllib.request

import numpy as np
import pytest

import nhviz
from nhviz.frame import find
from tests.conftest import served
from tests.page import Lab

pytestmark = pytest.mark.browser

QUIET = ("GL Driver Message", "willReadFrequently")


@pytest.fixture(scope="module")
def proxied():
    with served(NHVIZ_PREFIX="/teaching/lab", NHVIZ_FRAME_ANCESTORS="https://a.edu") as url:
        yield f"{url}/teaching/lab"


@pytest.fixture(scope="module")
def page(context, proxied):
    lab = Lab(context, f"{proxied}/sleigh")
    yield lab
    lab.close()


def test_a_lab_works_under_a_prefix(page):
    page.check_drawn()
    assert np.allclose(page.trace("plane", "fedorov_zenkov")["x"], nhviz.simulate("sleigh")["p_theta"], atol=1e-5)
    page.enter("a", "0.5")
    assert page.page.url.endswith("/teaching/lab/sleigh?a=0.5")
    assert all("/teaching/lab/" in request.url for request in page.requests if "data:" not in request.url[:5])


def test_links_stay_under_the_prefix(page, proxied):
    page.visit("Top", "Suslov top")
    page.page.wait_for_url(f"{proxied}/suslov")
    page.ready()
    page.page.locator("a.home").click()
    page.page.wait_for_url(f"{proxied}/")
    page.page.locator("#lab-sphere").click()
    page.page.wait_for_url(f"{proxied}/sphere")
    page.ready()
    page.tab("equations")
    assert page.page.locator(".view-detail > .text mjx-container").count() > 3


def test_pictures_of_the_cards_are_there(page, proxied):
    page.page.goto(f"{proxied}/")
    count = len(find.listed())
    drawn = "all => document.querySelectorAll('.card .picture:has(path)').length === all"
    page.page.wait_for_function(drawn, arg=count)
    assert page.page.locator(".card .picture").count() == count


def test_the_policy_forbids_nothing_that_the_page_needs(page):
    assert [text for text in page.said if not any(word in text for word in QUIET)] == []


def test_embedding_is_allowed_where_the_settings_say(proxied):
    with urllib.request.urlopen(f"{proxied}/") as answer:
        assert answer.headers["Content-Security-Policy"].endswith("frame-ancestors https://a.edu")
