"""From a question of a page to everything that it shows: pictures, what moves in them, sentences, numbers, texts."""

from dataclasses import dataclass, field
from typing import Any

from callbacks import about
from layouts import texts
from nhviz.figures.style import Picture, typed
from nhviz.frame.find import lab
from nhviz.frame.records import View
from nhviz.frame.shown import Shown, of_view, panels, visible
from nhviz.frame.state import State
from nhviz.parameters import ParameterError
from nhviz.views.numbers import largest_steps, statistics
from server import limits, readiness, service


@dataclass
class Rendered:
    """What a page shows; with `errors` nothing else is new."""

    errors: dict[str, str] = field(default_factory=dict)
    query: str = ""
    figures: dict[str, dict[str, Any]] = field(default_factory=dict)
    moving: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    tracks: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)
    readout: str = ""
    largest: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    verdict: str = ""


def state_of(data: dict[str, Any]) -> State:
    """The state that a page sent, the shape of which has been checked."""
    return State.from_dict(lab(data["lab"]), data)


def opened(state: State, theme: str = "light") -> dict[str, Shown]:
    """All panels of a state; one sentence for a page that was open before the server started anew."""
    for name in state.lab.systems:
        if not readiness.is_open(name):
            done = readiness.waiting(name)
            raise ParameterError(f"This lab is being prepared: {done.done} of {done.of} parts are compiled.", "lab")
    return panels(state, theme, service.run, limits.admitted)


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
        tracks=tracks,
        texts={place: texts.blocks(one) for place, one in content.items() if not isinstance(one, Picture)},
        readout="   ·   ".join(f"{one.label} {one.text}" for one in statistics(next(iter(shown.values())))),
        largest={name: bounds(one) for name, one in shown.items()},
        remarks={name: " ".join(one.remarks) for name, one in shown.items()},
        verdict=about.verdict(asked["about"], shown),
    )


def to_paint(state: State, places: list[str] | None, preview: bool) -> dict[str, View]:
    """The views that are painted now: those in sight, of the places asked for; some wait until the hand rests."""
    return {
        place: view
        for place, view in visible(state).items()
        if (places is None or place in places) and not (preview and view.waits)
    }


def bounds(shown: Shown) -> list[tuple[str, bool]]:
    """For each chosen map a sentence about its largest admissible step, and whether the step exceeds it."""
    found = []
    for name, bound in largest_steps(shown).items():
        text = f"largest step of {shown.looks[name].label}: {'no bound' if bound is None else f'{bound:.5g}'}"
        found.append((text, bound is not None and shown.step > bound))
    return found
