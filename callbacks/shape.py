"""What a request may bring: the shape of a question, a click, a text. In one place: callbacks trust what they get.

Shape is checked here and refused as a whole; a value that is out of range is a matter of the state, which answers with
a sentence beside its control.
"""

from collections.abc import Callable, Collection
from typing import Any

from layouts import ids
from nhviz.frame import find
from nhviz.frame.words import vocabulary

LONGEST_LIST = 500
LONGEST_NAME = 100


class MalformedError(ValueError):
    """A request that the page cannot have sent; one sentence that repeats nothing of it."""


def require(condition: bool, sentence: str) -> None:
    """Refuse a request that does not meet a condition."""
    if not condition:
        raise MalformedError(sentence)


def check_question(body: Any) -> None:
    """Who asks for pictures brings the question, the theme that the page wears, and the checksums of what it has."""
    require(isinstance(body, dict), "The request must be an object.")
    check_asked(body.get("asked"))
    check_text(body.get("theme"))
    check_sums(body.get("sent"))


def check_asked(asked: Any) -> None:
    """A question is a state, whether it is one of a moving hand, the places to paint, and what the page is about."""
    require(isinstance(asked, dict), "The question must be an object.")
    check_state(asked.get("state"))
    require(isinstance(asked.get("preview"), bool), "The question says whether the hand moves.")
    places = asked.get("places", "")
    require(places is None or isinstance(places, list), "The question names places.")
    check_texts(places or [], "The question names places.")
    require(isinstance(asked.get("presenter"), bool), "The question says whether it is for a presentation.")
    require(type(asked.get("number")) is int, "The question has a number.")
    about = asked.get("about")
    require(isinstance(about, str) and len(about) <= LONGEST_NAME, "The question says what the page is about.")


def check_file(body: Any) -> None:
    """Who asks for a file brings the state whose runs are to be in it."""
    require(isinstance(body, dict) and isinstance(body.get("file"), dict), "What is saved must be an object.")
    check_state(body["file"].get("state"))


def check_state(state: Any) -> None:
    """A state names a scene of a lab, and has something for each of its words, and nothing else."""
    require(isinstance(state, dict), "The state must be an object.")
    labs, name, part = find.labs(), state.get("lab"), state.get("scene")
    require(isinstance(name, str) and name in labs, "The state names no lab.")
    scenes = {scene.id: scene for scene in labs[name].scenes}
    require(isinstance(part, str) and part in scenes, "The state names no scene of its lab.")
    words = vocabulary(scenes[part])
    fields: dict[str, Collection[str]] = {
        "numbers": words.numbers, "options": words.options, "variants": words.variants, "tabs": words.tabs,
    }  # fmt: skip
    for field, known in fields.items():
        given = state.get(field)
        require(isinstance(given, dict) and given.keys() == set(known), f"The state needs its {field}, and no others.")
    numbers = state["numbers"].values()
    require(all(type(value) in (int, float) for value in numbers), "The numbers of a state are numbers.")
    check_texts(list(state["options"].values()), "The options of a state are names.")
    for word, panel in words.variants.items():
        chosen = state["variants"][word]
        require(isinstance(chosen, list), "The variants of a state are lists of names.")
        check_texts(chosen, "The variants of a state are lists of names.")
        require(set(chosen) <= panel.ways.keys(), "The state names a variant that its panel does not have.")
        require(len(set(chosen)) == len(chosen), "The state names a variant twice.")
    for place, views in words.tabs.items():
        require(state["tabs"][place] in views, "The state names a view that its place does not have.")
    require(state.get("layout") in words.layouts, "The state names no layout of its scene.")


def check_texts(texts: list[Any], sentence: str) -> None:
    """A short list of texts."""
    require(len(texts) <= LONGEST_LIST and all(isinstance(text, str) for text in texts), sentence)


def check_text(text: Any) -> None:
    """A text, or nothing."""
    require(text is None or isinstance(text, str), "The request has something else where a text belongs.")


def check_sums(sums: Any) -> None:
    """The checksums of what the browser has."""
    require(isinstance(sums, dict) and len(sums) <= LONGEST_LIST, "What was sent must be an object.")
    require(all(type(value) is int and 0 <= value < 2**32 for value in sums.values()), "A checksum is a whole number.")


def check_click(click: Any) -> None:
    """A click is nothing, or a state, a view of it, and a place in it."""
    if click is None:
        return
    require(isinstance(click, dict), "A click must be an object.")
    check_state(click.get("state"))
    view, place = click.get("view"), click.get("place")
    lab = find.lab(click["state"]["lab"])
    known = lab.scene(click["state"]["scene"]).all_views
    require(isinstance(view, str) and view in known, "A click names a view of its scene.")
    count = 3 if known[view].kind == "space" else 2
    require(isinstance(place, list) and len(place) == count, "A click has as many coordinates as its view.")
    require(all(type(value) in (int, float) for value in place), "The coordinates of a click are numbers.")


def check_pinned(pinned: Any) -> None:
    """What is pinned is nothing, or a state and some views of it."""
    if pinned is None:
        return
    require(isinstance(pinned, dict), "What is pinned must be an object.")
    check_state(pinned.get("state"))
    known = find.lab(pinned["state"]["lab"]).scene(pinned["state"]["scene"]).all_views
    views = pinned.get("views")
    require(isinstance(views, list) and len(views) <= len(known), "What is pinned names views of its scene.")
    require(all(isinstance(view, str) and view in known for view in views), "What is pinned names views of its scene.")


def check_anything(value: Any) -> None:
    """No callback looks at this value."""


SHAPES: dict[tuple[str, str], Callable[[Any], None]] = {
    (ids.CLICKED, "data"): check_click,
    (ids.PINNED, "data"): check_pinned,
    (ids.THEME, "data"): check_text,
    (ids.URL, "pathname"): check_text,
    (ids.URL, "search"): check_text,
}


def check_value(name: str, prop: str, value: Any) -> None:
    """Check the value of a component's property; for components in patterns `name` is their kind."""
    SHAPES.get((name, prop), check_anything)(value)
