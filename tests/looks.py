"""How a page looks, by measure: windows and themes in which it is seen, and what is wrong with it there."""

from pathlib import Path

from nhviz.frame import find

FOLDER = Path(__file__).parent
SCRIPT = (FOLDER / "looks.js").read_text()
AXE = (FOLDER / "vendor" / "axe.min.js").read_text()
USUAL = (1280, 800)
HALL = (1920, 1080)
# The one before the last is a screen of 1280 by 800 on which everything is twice as large.
SIZES = (USUAL, (1280, 720), (768, 1024), (390, 844), (640, 400), HALL)
THEMES = ("light", "dark", "projector")
START, SWEEP = "start", "sweep"
# Colours change at once, and nothing blinks. Times that are measured are different each time.
STILL = """*, ::before, ::after { transition: none !important; caret-color: transparent !important; }
.ranking tr > :last-child { display: none !important; }
.view-by_time > .plot { visibility: hidden !important; }"""
MANY = 4


def unlike(lab):
    """The scenes of a lab; of many, which are arranged alike, the first and the last."""
    return lab.scenes if len(lab.scenes) <= MANY else (lab.scenes[0], lab.scenes[-1])


# A page for each scene; further scenes of a lab are named after it.
SCENES = {
    lab.id if scene is lab.scenes[0] else f"{lab.id}.{scene.id}": scene
    for lab in find.labs().values()
    for scene in unlike(lab)
}
PAGES = (START, SWEEP, *SCENES)
# Until it is done, a map says how far it is.
SWEPT = "() => document.querySelector('.run.drawn:not([data-asked])') && document.querySelector('.map:not(.partial)')"


def visit(lab, address, name):
    """Go to a page, such as a scene of a lab, in the first theme, and put the measuring script into it."""
    lab.page.goto(f"{address}/{'' if name == START else name.replace('.', '?scene=')}")
    lab.name, lab.is_lab = name, name in SCENES
    if lab.is_lab:
        lab.ready()
    if name == START:
        lab.page.wait_for_selector(".stage[data-instant] svg")
    if name == SWEEP:
        lab.page.wait_for_function(SWEPT)
    lab.page.evaluate(SCRIPT)
    lab.page.add_style_tag(content=STILL)
    lab.page.evaluate("() => document.fonts.ready.then(() => true)")
    resize(lab, USUAL)


def resize(lab, size):
    """Another window, and every picture in it drawn anew."""
    lab.page.set_viewport_size({"width": size[0], "height": size[1]})
    drawn(lab)


def wear(lab, theme):
    """Another theme, with no mouse over anything."""
    lab.wear(theme)
    lab.page.mouse.move(0, 0)
    if lab.is_lab:
        lab.settle()
    if lab.page.locator(".sweep-page").count():
        lab.page.wait_for_function(SWEPT)
    drawn(lab)


def drawn(lab):
    """Wait until every picture in sight has the size of its place, and twice for the screen."""
    lab.frames(2)
    lab.page.wait_for_function("() => window.looks.drawn()", polling=50)
    lab.frames(2)


def faults(lab):
    """Sentences about texts that are cut off or lie on something, and about parts that are too wide."""
    return lab.page.evaluate("() => window.looks.faults()")


def pale(lab):
    """Sentences about texts with too little contrast."""
    return lab.page.evaluate("() => window.looks.pale()")


def barriers(lab):
    """What axe-core finds serious or critical."""
    lab.page.evaluate("script => window.axe || window.eval(script)", AXE)
    return lab.page.evaluate(
        """() => window.axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, help, nodes }) => `${id}: ${help}, ${nodes.map(({ target }) => target.join(" "))}`))"""
    )
