"""The start page in a real browser: every lab with its picture, nothing from elsewhere, an empty console."""

import pytest

import nhviz

pytestmark = pytest.mark.browser


def test_start_page_offers_every_lab(browser, address):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    messages, requests = [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address)
    page.wait_for_selector(".card")
    for name in nhviz.systems():
        facts = nhviz.describe(name)
        card = page.locator(f"#lab-{name}")
        assert card.locator("h2").inner_text() == facts["title"]
        assert facts["summary"] in card.inner_text()
        assert card.locator("img").evaluate("image => image.complete && image.naturalWidth") > 0
    page.wait_for_load_state("networkidle")
    assert messages == []
    assert all(url.startswith(address) for url in requests)
    page.locator("#lab-sleigh").click()
    page.wait_for_selector(".lab")
    assert page.url == f"{address}/sleigh"
    page.close()
