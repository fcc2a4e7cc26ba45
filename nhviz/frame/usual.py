"""The lab of a system from its declarations: what is in it, and how a lab of its own arranges and words it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nhviz import registry
from nhviz.frame.records import Lab, Panel, Place, Scene, View
from nhviz.frame.said import Sentence, Statistic
from nhviz.frame.shown import Shown
from nhviz.system import System
from nhviz.views import numbers, pictures, texts

FIXED = 3
"""So many pictures have a place of their own; the others share one, behind tabs."""


@dataclass(frozen=True)
class Arrangement:
    """How a plain lab opens: the views with a place of their own, those first behind tabs, and words for each view.

    Views that it does not name follow behind tabs, except those `without`. `words` has title, caption, long or short of
    views. `grid` has a line for each row of places. `values` differ from the system's own defaults. The clock opens at
    `instant`, a share of the run.
    """

    places: tuple[str, ...]
    behind: tuple[str, ...] = ("time", "drift")
    without: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    grid: tuple[str, ...] = ()
    layout: str = "all"
    instant: float = 0.42
    try_first: str = "press play, then compare the methods."
    sentence: Callable[[Shown], Sentence] | None = None
    readout: Callable[[Shown], tuple[Statistic, ...]] = numbers.usual


def usual_lab(name: str, arranged: Arrangement | None = None) -> Lab:
    """Motion, portraits, components and drift; branches, equations and Python behind tabs."""
    system = registry.find(name)
    views = views_of(system)
    chosen = arranged or Arrangement(tuple(views)[:FIXED], ("drift",))
    views = {
        one: replace(view, **chosen.words.get(one, {})) for one, view in views.items() if one not in chosen.without
    }
    tabs = dict.fromkeys((*chosen.behind, *views))
    behind = tuple(views[one] for one in tabs if one not in chosen.places)
    scene = Scene(
        panels=(Panel(name, values=chosen.values),),
        views=(*(views[one] for one in chosen.places), Place("detail", behind)),
        readout=chosen.readout,
        sentence=chosen.sentence,
        grid=chosen.grid,
        layout=chosen.layout,
        instant=chosen.instant,
    )
    return Lab(id=name, try_first=chosen.try_first, scenes=(scene,), position=system.position)


def views_of(system: System) -> dict[str, View]:
    """All views that follow from the declarations of a system, by id."""
    branches = any(method.branches for method in system.methods)
    views = (
        pictures.motion_view(system),
        *(pictures.portrait_view(system, portrait) for portrait in system.portraits),
        View("time", "Components in time", pictures.components_in_time, short="Time"),
        View("drift", "Drift", pictures.drift, short="Drift", caption="What each method keeps, and what it loses"),
        View("error", "Error", pictures.error, short="Error", caption="How far each method is from the motion itself"),
        *texts.text_views(branches),
    )
    return {view.id: view for view in views}
