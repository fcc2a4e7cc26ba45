"""Cards of the papers, whatever they claim: states that can be shown, short sentences with numbers, known ideas."""

import re

import pytest

from nhviz.frame import find
from nhviz.frame.records import IDEAS
from nhviz.frame.said import spoken
from nhviz.frame.state import State
from tests import frames

CARDS = find.cards()
LONGEST = 92
EVERY = pytest.mark.parametrize("card", CARDS.values(), ids=list(CARDS))


def shown(address):
    """The first panel of an address, all of which can be used."""
    lab, _, query = address.partition("?")
    state, complaints = State.from_query(find.lab(lab), query)
    assert not complaints
    return frames.panel(state)


@EVERY
def test_a_card_can_be_shown_and_told(card):
    at = shown(card.state)
    assert at.runs
    assert at.state.scene.all_views[card.view].kind != "text", "it has a picture"
    said = card.told(at)
    assert len(spoken(said)) <= LONGEST
    assert any(part.kind == "number" for part in said)
    assert spoken(said).endswith(".")


@EVERY
def test_a_card_has_its_words(card):
    assert card.title
    assert card.id.startswith(f"{card.paper.lower()}-")
    assert set(card.ideas) <= set(IDEAS)
    assert card.ideas
    assert len(re.findall(r"[.!?](?= |$)", card.look)) == 2, "two sentences"


@EVERY
def test_a_correction_that_a_card_names_is_there(card):
    if not any(one.paper == card.paper for one in find.corrections().values()):
        pytest.skip(f"{card.paper} has no corrections yet")
    assert not card.correction or card.correction in find.corrections()
