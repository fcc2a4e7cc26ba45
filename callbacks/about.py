"""What a page was opened for: a card of the gallery, or a step of a lesson. Both are a state with words and a check."""

from collections.abc import Callable
from typing import Any

from callbacks import claims, trouble
from layouts.gallery import NAME
from layouts.lab import About
from nhviz.frame import find, gallery
from nhviz.frame.gallery import Seen
from nhviz.frame.records import Card, Lesson
from nhviz.frame.shown import Shown
from nhviz.parameters import ParameterError
from server.refusals import GoneError

CARD, LESSON = "card", "lesson"
UNDECIDED = "What is shown now does not decide it."


def parts(path: str) -> tuple[str, str, int]:
    """The kind, the name and the step in an address such as lesson/cusp/2; steps count from 1."""
    kind, name, step = (*path.split("/"), "", "")[:3]
    return kind, name, int(step) if step.isdecimal() and len(step) < 4 else 1


def found(path: str) -> Card | tuple[Lesson, int] | None:
    """The card, or the lesson and its step, that an address names."""
    kind, name, step = parts(path)
    if kind == CARD:
        return find.cards().get(name)
    lesson = find.lessons().get(name) if kind == LESSON else None
    return (lesson, step) if lesson and 1 <= step <= len(lesson.steps) else None


def state_of(path: str) -> str | None:
    """The address of the lab and state that a card or step shows, or None for what is neither."""
    one = found(path)
    if one is None:
        return None
    return gallery.place(one.state, one.view) if isinstance(one, Card) else one[0].steps[one[1] - 1].state


def about(path: str, address: Callable[[str], str]) -> About:
    """The words of a card or step, and where to go from there."""
    one = found(path)
    if isinstance(one, Card):
        return of_card(path, one, address)
    if one is None:
        return About()
    lesson, number = one
    step = lesson.steps[number - 1]
    around = ((number - 1, "back"), (number + 1, "next"))
    onward = tuple((words, address(f"{LESSON}/{lesson.id}/{n}")) for n, words in around if 1 <= n <= len(lesson.steps))
    title = f"{lesson.title}, {number} of {len(lesson.steps)}: {step.title}"
    return About(path, title, step.words, step.ask, onward)


def of_card(path: str, card: Card, address: Callable[[str], str]) -> About:
    """What a card says besides its numbers: the claim, what to look at, whose data these are, and where to go."""
    correction = find.corrections().get(card.correction)
    whose = "The data are ours; the paper gives none." if card.ours else "The data are the paper’s."
    before, after = gallery.beside(card)
    onward = [
        *([("← previous", f"{CARD}/{before.id}")] if before else []),
        ("Gallery", gallery_address(Seen(gallery.tab_of(card)))),
        *([("next →", f"{CARD}/{after.id}")] if after else []),
    ]
    if correction:
        onward.append(("Its correction", gallery_address(Seen(gallery.CORRECTIONS, open=correction.id))))
    return About(
        path,
        card.title or f"{card.paper}, {card.figure}",
        card.claim,
        onward=tuple((words, address(place)) for words, place in onward),
        tag=gallery.tag(card.paper, card.figure),
        look=card.look,
        whose=whose,
    )


def gallery_address(seen: Seen) -> str:
    """Where a part of the gallery is, below the start page."""
    query = seen.query()
    return f"{NAME}?{query}" if query else NAME


def told(path: str, shown: dict[str, Shown]) -> dict[str, Any]:
    """The verdict on what is shown, and for a card its badge and its sentence; empty where nothing is asked."""
    one = found(path) if path else None
    first = next(iter(shown.values()))
    if isinstance(one, Card):
        return claimed(one, first)
    answered = one[0].steps[one[1] - 1].answered if one else None
    if answered is None:
        return {"verdict": ""}
    return {"verdict": "Yes: that is it." if answered(first) else "Not yet."}


def claimed(card: Card, shown: Shown) -> dict[str, Any]:
    """What a card says of what is shown. A run that it looks at may be switched off: then it has nothing to say."""
    try:
        badge = claims.badge(card, shown)
        return {"verdict": claims.VERDICTS[badge], "badge": badge, "claim": claims.sentence(card, shown)}
    except GoneError:
        raise
    except Exception as error:
        # The page shows its pictures all the same.
        if not isinstance(error, ParameterError | LookupError):
            trouble.note(error)
        return {"verdict": UNDECIDED, "badge": "", "claim": []}
