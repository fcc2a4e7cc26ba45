"""Cards without a browser: what they show, and the numbers of what they tell."""

import re

import pytest

from nhviz.frame import find
from nhviz.frame.records import IDEAS
from nhviz.frame.said import spoken
from nhviz.frame.state import State
from tests import frames

LONGEST = 92
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
NUMBER = re.compile(r"(−?\d+\.?\d*)(?: · 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")


def shown(address):
    """The first panel of an address, all of which can be used."""
    lab, _, query = address.partition("?")
    state, complaints = State.from_query(find.lab(lab), query)
    assert not complaints
    return frames.panel(state)


def at(address, **others):
    """What is shown at an address with other values."""
    return shown(address + "".join(f"&{word}={value}" for word, value in others.items()))


def numbers(said):
    """The numbers of a sentence, as they are written."""
    found = [NUMBER.search(part.text) for part in said if part.kind == "number"]
    return [
        float(one[1].replace("−", "-")) * 10.0 ** int((one[2] or "⁰").translate(SUPERSCRIPTS)) for one in found if one
    ]


def about(value, digits=2):
    """A number that is written with so many digits, or with two where it has a power of ten."""
    return pytest.approx(value, rel=0.6 * 10.0 ** (1 - min(digits, 4)), abs=0.0)


def check_words(card, known):
    """Its sentence is short and has numbers, its ideas are known, its view is there."""
    said = card.told(known)
    assert len(spoken(said)) <= LONGEST, spoken(said)
    assert any(part.kind == "number" for part in said)
    assert card.view in known.state.scene.all_views
    assert card.ideas
    assert set(card.ideas) <= set(IDEAS)
