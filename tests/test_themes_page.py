"""Every page in every theme: contrast of every text, what axe-core finds, and the reference screenshot."""

import pytest

from tests import looks, reference

pytestmark = pytest.mark.browser
# A run in each of the pictures, also where it lies among others.
RUNS = {
    "suslov": [("plane", "Cayley"), ("plane", "Moser–Veselov"), ("locus", "Moser–Veselov"), ("detail", "Cayley")],
    "sleigh": [
        ("plane", "Fedorov–Zenkov"),
        ("motion", "Flow"),
        ("motion", "Naive constraint"),
        ("detail", "Naive constraint"),
    ],
}
HIDE = """([view, name, visible]) => {
  const graph = window.probe.graph(view), { data } = graph;
  return window.Plotly.restyle(graph, { visible }, [data.findIndex((trace) => trace.name === name)]);
}"""


@pytest.fixture(scope="module", params=looks.PAGES)
def page(request, context, address):
    """A page in a window of the usual size, the same for all tests of this module."""
    found = looks.opened(context, address, request.param)
    found.name = request.param
    yield found
    found.close()


@pytest.mark.parametrize("theme", looks.THEMES)
def test_every_theme(page, theme):
    """Nothing is pale, nobody is locked out, and it looks as before."""
    looks.wear(page, theme)
    places = reference.differing(page, page.name, theme)
    assert looks.pale(page) == []
    assert looks.faults(page) == []
    if theme != "projector":
        assert looks.barriers(page) == []
    assert len(places) <= reference.ALLOWED, f"{len(places)} blocks differ, among them {places[:12]}"


def test_a_missing_run_is_seen(page):
    """Without one trace of a run, in any picture, the page no longer looks like its reference."""
    if page.name not in ("suslov", "sleigh"):
        return
    looks.wear(page, "light")
    assert len(reference.differing(page, page.name, "light")) <= reference.ALLOWED
    for view, trace in RUNS[page.name]:
        page.page.evaluate(HIDE, [view, trace, False])
        page.frames(3)
        places = reference.differing(page, page.name, "light")
        page.page.evaluate(HIDE, [view, trace, True])
        assert len(places) > reference.ALLOWED, f"{view} without {trace}: {len(places)} blocks differ"
