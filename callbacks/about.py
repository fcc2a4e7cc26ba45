"""What a page was opened for: a card of the gallery, or a step of a lesson. Both are a state with words and a check."""

from collections.abc import Callable

from layouts.lab import About
from nhviz.frame import find
from nhviz.frame.records import Card, Lesson
from nhviz.frame.shown import Shown

CARD, LESSON = "card", "lesson"


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
    return with_view(one) if isinstance(one, Card) else one[0].steps[one[1] - 1].state


def with_view(card: Card) -> str:
    """The state of a card, with its view in sight."""
    name, _, query = card.state.partition("?")
    for scene in find.lab(name).scenes:
        for place in scene.places.values():
            if len(place.views) > 1 and card.view in [view.id for view in place.views]:
                query = f"{query}&{place.id}={card.view}".lstrip("&")
    return f"{name}?{query}"


def about(path: str, address: Callable[[str], str]) -> About:
    """The words of a card or step, and where to go from there."""
    one = found(path)
    if isinstance(one, Card):
        return About(path, f"{one.paper}, {one.figure}", one.claim, "Does it hold for what is shown?")
    if one is None:
        return About()
    lesson, number = one
    step = lesson.steps[number - 1]
    around = ((number - 1, "back"), (number + 1, "next"))
    onward = tuple((words, address(f"{LESSON}/{lesson.id}/{n}")) for n, words in around if 1 <= n <= len(lesson.steps))
    title = f"{lesson.title}, {number} of {len(lesson.steps)}: {step.title}"
    return About(path, title, step.words, step.ask, onward)


def verdict(path: str, shown: dict[str, Shown]) -> str:
    """Whether what is shown fulfils a claim, or answers a question; nothing where nothing is asked."""
    one = found(path) if path else None
    first = next(iter(shown.values()))
    if isinstance(one, Card):
        return "It holds." if one.check(first) else "It does not hold."
    answered = one[0].steps[one[1] - 1].answered if one else None
    if answered is None:
        return ""
    return "Yes: that is it." if answered(first) else "Not yet."
