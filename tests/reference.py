"""Reference screenshots of every page in every theme: `python -m tests.reference [PAGE ...]` makes them anew.

They are small, and compared block by block with a tolerance: fonts are rasterised differently on different machines,
but a run, a surface or a word that is missing changes the colour of many blocks.
"""

import base64
import sys
from pathlib import Path

from tests import conftest, looks
from tests.page import Lab

FOLDER = Path(__file__).parent / "reference"
SCRIPT = (Path(__file__).parent / "reference.js").read_text()
# Of 256, the difference of a channel of a block: letters that are rasterised in another way change few blocks by more,
# the dots of a run change the blocks that they lie in by ten to a hundred.
VISIBLE = 6
# Of 10240 blocks; a run that is missing in the smallest picture changes twelve and more.
ALLOWED = 8


def shoot(lab):
    """What is on the screen, when nothing moves."""
    if lab.page.locator(".stage .go.pauses").count():
        lab.page.locator(".stage .go").click()
    if lab.page.locator(".stage").count():
        lab.page.locator(".rail input").fill("6.1")
        lab.page.mouse.move(0, 0)
    lab.frames(3)
    lab.page.evaluate("script => window.reference || window.eval(script)", SCRIPT)
    return base64.b64encode(lab.page.screenshot()).decode()


def kept(name, theme):
    """The file of a page in a theme."""
    return FOLDER / f"{name}-{theme}.webp"


def differing(lab, name, theme):
    """The places, in small pixels, where a page now differs from its reference."""
    before = base64.b64encode(kept(name, theme).read_bytes()).decode()
    return lab.page.evaluate("all => window.reference.differing(...all)", [shoot(lab), before, VISIBLE])


def renew(names):
    """Make the screenshots of pages anew."""
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with conftest.served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=conftest.CHROMIUM, args=conftest.FLAGS.split())
        for name in names:
            context = browser.new_context(viewport={"width": looks.USUAL[0], "height": looks.USUAL[1]})
            context.set_default_timeout(60_000)
            lab = Lab(context, "about:blank", wait=False)
            looks.visit(lab, address, name)
            for theme in looks.THEMES:
                looks.wear(lab, theme)
                small = lab.page.evaluate("text => window.reference.small(text)", shoot(lab))
                kept(name, theme).write_bytes(base64.b64decode(small))
            context.close()
        browser.close()


if __name__ == "__main__":
    renew(sys.argv[1:] or looks.PAGES)
