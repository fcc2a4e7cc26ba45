"""The page in a real browser: it shows every system, loads nothing from elsewhere and keeps the console empty."""

import pytest

import nhviz

pytestmark = pytest.mark.browser


def test_page_greets_with_every_system(browser, address):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    messages, requests = [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address)
    page.wait_for_selector("h1")
    assert page.inner_text("h1") == "nhviz"
    for name in nhviz.systems():
        facts = nhviz.describe(name)
        entry = page.locator(f"#system-{name}")
        assert entry.locator("h2").inner_text() == facts["title"]
        assert facts["summary"] in entry.inner_text()
        assert entry.bounding_box()["width"] > 300
    page.wait_for_load_state("networkidle")
    assert messages == []
    assert all(url.startswith(address) for url in requests)
    page.close()
