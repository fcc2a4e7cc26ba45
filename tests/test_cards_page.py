"""Every figure of the papers, opened as a card in a browser: its picture is drawn, its words are those computed."""

import numpy as np
import pytest

from nhviz.frame import find
from nhviz.frame.said import spoken
from nhviz.frame.shown import panels
from nhviz.frame.state import State
from server import limits

pytestmark = pytest.mark.browser
FIGURES = {card.id: card for card in find.cards().values() if card.drawn}
VERDICTS = {True: "It holds.", False: "It does not hold."}


def shown_of(card):
    """The state of a card, its first panel as a page shows it, and the place of its view."""
    name, _, query = card.state.partition("?")
    state, complaints = State.from_query(find.lab(name), query, limits.admitted)
    assert complaints == []
    place = next(one.id for one in state.scene.places.values() if card.view in [view.id for view in one.views])
    return state, next(iter(panels(state, admitted=limits.admitted).values())), place


def drawn_numbers(traces):
    """How many numbers the traces of a picture have."""
    return sum(
        np.isfinite(np.array(trace[axis], dtype=float)).sum() for trace in traces for axis in "xyz" if axis in trace
    )


@pytest.mark.parametrize("card", FIGURES.values(), ids=list(FIGURES))
def test_a_figure_is_drawn_and_says_what_is_computed(lab, card):
    page = lab(f"card/{card.id}")
    state, shown, place = shown_of(card)
    assert page.page.locator(".companion h2").inner_text() == card.title
    assert page.page.inner_text("#claim") == spoken(card.told(shown))
    holds = card.check(shown)
    expected = "It holds with a correction." if holds and card.correction else VERDICTS[holds]
    assert page.page.inner_text("#verdict") == expected
    if state.scene.all_views[card.view].kind != "text":
        assert drawn_numbers(page.data(place)) > 20
