"""What a card says of what is shown: its badge and a sentence with numbers, both computed."""

from typing import Any

from nhviz.frame.records import Card
from nhviz.frame.shown import Shown

VERDICTS = {"yes": "It holds.", "fix": "It holds with a correction.", "no": "It does not hold."}


def badge(card: Card, shown: Shown) -> str:
    """Whether the claim of a card holds, holds with a correction, or does not."""
    if not card.check(shown):
        return "no"
    return "fix" if card.correction else "yes"


def sentence(card: Card, shown: Shown) -> list[dict[str, Any]]:
    """What a card tells, part by part; its claim where it tells nothing of its own."""
    if card.told is None:
        return [{"text": card.claim, "kind": "", "key": ""}]
    return [part.describe() for part in card.told(shown)]
