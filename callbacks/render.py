"""From a question of a page to everything that it shows: pictures, what moves in them, sentences, numbers, texts."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from callbacks import about
from layouts import texts
from nhviz.figures.arrays import typed
from nhviz.figures.style import Picture
from nhviz.frame.find import lab
from nhviz.frame.records import View
from nhviz.frame.shown import Shown, of_view, panels, visible
from nhviz.frame.state import State
from nhviz.parameters import ParameterError
from nhviz.views import numbers, sentences
from server import limits, readiness, service

PREPARED = "lab"
"""What a sentence is about that says that a lab is being prepared."""


@dataclass
class Rendered:
    """What a page shows; with `errors` nothing else is new."""

    errors: dict[str, str] = field(default_factory=dict)
    query: str = ""
    figures: dict[str, dict[str, Any]] = field(default_factory=dict)
    moving: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    coming: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    tracks: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)


def state_of(data: dict[str, Any]) -> State:
    """The state that a page sent, the shape of which has been checked."""
    return State.from_dict(lab(data["lab"]), data)


def opened(state: State, theme: str = "light") -> dict[str, Shown]:
    """All panels of a state; one sentence for a page that was open before the server started anew."""
    require_open(state.lab.systems)
    return panels(state, theme, service.run, limits.admitted)


def require_open(systems: Iterable[str]) -> None:
    """A ParameterError that says how far the first of some systems is that is still being compiled."""
    for name in systems:
        if not readiness.is_open(name):
            done = readiness.waiting(name)
            raise ParameterError(f"This lab is being prepared: {done.done} of {done.of} parts are compiled.", PREPARED)


def render(asked: dict[str, Any], theme: str) -> Rendered:
    """Everything that a question shows. A bad value paints nothing: its sentence is all that changes."""
    state = state_of(asked["state"])
    errors = state.errors_alone()
    if errors:
        return Rendered(errors)
    try:
        shown = opened(state, theme)
        errors = errors_together(shown)
        return Rendered(errors) if errors else painted(state, shown, asked)
    except ParameterError as error:
        return Rendered({error.name: str(error)})


def errors_together(shown: dict[str, Shown]) -> dict[str, str]:
    """A sentence for every panel whose values do not go together. Its problems, if there are some, are kept."""
    found = {}
    for one in shown.values():
        try:
            _ = one.problems
        except ParameterError as error:
            found[error.name] = str(error)
    return found


def painted(state: State, shown: dict[str, Shown], asked: dict[str, Any]) -> Rendered:
    """The pictures, texts and numbers of a state that can be shown; the runs come first."""
    tracks = {key: typed(t) for one in shown.values() for key, t in one.tracks.items()}
    wanted = to_paint(state, asked["places"], asked["preview"])
    content = {place: view.show(of_view(shown, view)) for place, view in wanted.items()}
    drawn = {place: one for place, one in content.items() if isinstance(one, Picture)}
    return Rendered(
        query=state.query(),
        figures={place: picture.figure for place, picture in drawn.items()},
        moving={place: picture.frames() for place, picture in drawn.items()},
        coming={place: [one.describe() for one in picture.coming] for place, picture in drawn.items()},
        tracks=tracks,
        texts={place: texts.blocks(one) for place, one in content.items() if not isinstance(one, Picture)},
        said=said(shown) | about.told(asked["about"], shown),
    )


def said(shown: dict[str, Shown]) -> dict[str, Any]:
    """What the page says besides its pictures, as plain data."""
    first = next(iter(shown.values()))
    return {
        "sentence": [part.describe() for part in sentences.said(first)],
        "statistics": [one.describe() for one in numbers.statistics(first)],
        "gauges": {gauge.word: gauge.describe() for one in shown.values() for gauge in numbers.gauges(one)},
        "stops": [stop.describe() for one in shown.values() for stop in numbers.stops(one)],
        "energies": {name: form for name, one in shown.items() if (form := numbers.energy_form(one)) is not None},
        "momenta": {name: found for name, one in shown.items() if (found := numbers.momentum_form(one)) is not None},
        "notes": {key: text for one in shown.values() for key, text in sentences.notes(one).items()},
        "remarks": {name: " ".join(one.remarks) for name, one in shown.items()},
    }


def to_paint(state: State, places: list[str] | None, preview: bool) -> dict[str, View]:
    """The views that are painted now: those in sight, of the places asked for; some wait until the hand rests."""
    return {
        place: view
        for place, view in visible(state).items()
        if (places is None or place in places) and not (preview and view.waits)
    }
