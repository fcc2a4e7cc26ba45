"""What a lab is: small frozen records. A file in `nhviz/labs` fills them in and is done.

Controls, places, links, experiments and what a click does follow from these declarations.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from nhviz import registry
from nhviz.figures import palette
from nhviz.figures.style import Picture, Theme
from nhviz.frame.said import Gauge, Sentence, Statistic
from nhviz.frame.text import Text
from nhviz.once import once
from nhviz.parameters import Choice, Parameter
from nhviz.system import System

if TYPE_CHECKING:
    from nhviz.frame.shown import Shown
    from nhviz.problem import Problem
    from nhviz.sweeps.value import Sweep

Start = Callable[..., Mapping[str, Any]]


@dataclass(frozen=True)
class View:
    """One picture, or one text, of a panel.

    `start` is what a click sets: names of initial values, which the browser sets itself, or a function of what is shown
    and the place, which is asked. `options` belong to this view alone. A view that `waits` is painted when the hand
    rests, not while it drags. One with choices `at_top` has them in its header. `caption` says in one line what to see,
    `long` says more where there is room, and `short` is one word for it. What its function answers to a click is
    rounded to so many `digits`.
    """

    id: str
    title: str
    show: Callable[["Shown"], Picture | Text]
    kind: Literal["plane", "space", "text"] = "plane"
    start: tuple[str, ...] | Start = ()
    options: tuple[Choice | Parameter, ...] = ()
    panel: str = ""
    caption: str = ""
    long: str = ""
    short: str = ""
    waits: bool = False
    digits: int = 6
    at_top: bool = False


@dataclass(frozen=True)
class Place:
    """A part of the page: one view, or several behind tabs."""

    id: str
    views: tuple[View, ...]


@dataclass(frozen=True)
class Variant:
    """One way to run a panel: a method, with options of its own; the key of runs, colours, markers and traces.

    Options that it leaves open are set by the controls of its panel. A gain is given in multiples of 1/step. `slot`
    asks for a certain colour and marker. Its step is a `share` of the panel's, so that two steps can be compared; one
    that runs `aside`, only to be compared, has no say in how long the panel's step may be.
    """

    id: str
    method: str = ""
    label: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    slot: int | None = None
    share: float = 1.0
    aside: bool = False


@dataclass(frozen=True)
class Panel:
    """A system with its settings: what differs from the system's own defaults when the page opens.

    Without `variants` there is one for each method of the system; `chosen` are those that run at first. `start` is
    "momenta" where the start opens in these instead of velocities. `heroes` are the numbers that have a gauge;
    `gauges` says how far those can go that are not the step, the first of them for each map as the step would.
    `words` declares some numbers otherwise than their system does: their symbol, meaning or slider.
    """

    system: str
    name: str = ""
    title: str = ""
    variants: tuple[Variant, ...] = ()
    chosen: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    start: str = ""
    heroes: tuple[str, ...] = ("step",)
    gauges: Callable[["Shown"], tuple[Gauge, ...]] | None = None
    words: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @once
    def model(self) -> System:
        """The declarations of the panel's system."""
        return registry.find(self.system)

    @once
    def ways(self) -> dict[str, Variant]:
        """All variants by id, complete with their method and label."""
        given = self.variants or tuple(Variant(method.id) for method in self.model.methods)
        return {variant.id: completed(variant, self.model) for variant in given}

    @once
    def opening(self) -> tuple[str, ...]:
        """The variants that run at first: a flow and a map, unless the lab says otherwise."""
        maps = [way.id for way in self.ways.values() if self.model.method(way.method).discrete]
        flows = [name for name in self.ways if name not in maps]
        return self.chosen or (tuple(self.ways) if self.variants else (*flows[:1], *maps[:1]))

    def word(self, name: str) -> str:
        """What a value of this panel is called in a state and in a link: its name, after that of the panel if any."""
        return f"{self.name}.{name}" if self.name else name


def completed(variant: Variant, model: System) -> Variant:
    """A variant with the method and label that it leaves out."""
    method = model.method(variant.method or variant.id)
    return replace(variant, method=method.id, label=variant.label or method.title)


@dataclass(frozen=True)
class Key:
    """What a colour means in the pictures, on light paper and on dark; without colours, what a line in ink means."""

    text: str
    light: str = ""
    dark: str = ""


@dataclass(frozen=True, eq=False)
class Scene:
    """One page of a lab: panels under one clock, and the views of them in their places.

    `grid` has a line for each row, with the places of its columns; without it two columns are filled in order.
    `readout` gives the numbers below the pictures, `sentence` says what is seen now; without one, what can be said of
    any system is. `layout` is how it opens: "all" places alike, one place large with
    the others beside it ("focus.PLACE"), or one alone ("PLACE"). The clock opens at `instant`, a share of the run.
    `summary` and `try_first` are its words where they are not those of the lab. `swept` gives the sweep that is worth
    most there, of a problem of its first panel. `legend` is what colours mean besides methods, `notes` are small words
    beside the names of runs, by their keys. One in which nothing moves has no `clock`.
    """

    panels: tuple[Panel, ...]
    views: tuple[View | Place, ...]
    readout: Callable[["Shown"], tuple[Statistic, ...]]
    id: str = "main"
    title: str = ""
    grid: tuple[str, ...] = ()
    layout: str = "all"
    instant: float = 0.0
    sentence: Callable[["Shown"], Sentence] | None = None
    summary: str = ""
    try_first: str = ""
    swept: Callable[["Problem"], "Sweep"] | None = None
    legend: tuple[Key, ...] = ()
    notes: Callable[["Shown"], Mapping[str, str]] | None = None
    clock: bool = True

    @once
    def places(self) -> dict[str, Place]:
        """All places; a view alone has one of its own."""
        return {view.id: view if isinstance(view, Place) else Place(view.id, (view,)) for view in self.views}

    @once
    def all_views(self) -> dict[str, View]:
        """The views of all places."""
        return {view.id: view for place in self.places.values() for view in place.views}

    @once
    def rows(self) -> tuple[str, ...]:
        """The grid, as it is declared or in two columns."""
        names = list(self.places)
        return self.grid or tuple(" ".join((names[i : i + 2] * 2)[:2]) for i in range(0, len(names), 2))

    def panel(self, name: str) -> Panel:
        """A panel by its name; the first for none."""
        return next((panel for panel in self.panels if panel.name == name), self.panels[0])

    @once
    def slots(self) -> dict[str, int]:
        """A colour and marker for each variant of the page, no two alike."""
        return palette.slots((p.word(way.id), way.method, way.slot) for p in self.panels for way in p.ways.values())


@dataclass(frozen=True)
class Step:
    """A state with words: an experiment of a lab, or a step of a lesson, which may ask something.

    `state` is an address, such as "sleigh?a=0.3"; `answered` tells whether what is shown answers the question.
    """

    title: str
    words: str
    state: str
    ask: str = ""
    answered: Callable[["Shown"], bool] | None = None


@dataclass(frozen=True, eq=False)
class Lab:
    """A page about one idea, in one scene or several.

    Without `title`, `summary`, `experiments`, `family` or `line` it has those of its first system. `former` translates
    words of old links. One that is not `listed` stands in no menu of systems: other pages lead to it, and the search.
    """

    id: str
    scenes: tuple[Scene, ...]
    try_first: str = ""
    title: str = ""
    summary: str = ""
    experiments: tuple[Step, ...] = ()
    former: Mapping[str, str] = field(default_factory=dict)
    position: int = 1000
    family: str = ""
    line: str = ""
    listed: bool = True

    def scene(self, name: str) -> Scene:
        """A scene by its id."""
        return next(scene for scene in self.scenes if scene.id == name)

    @property
    def heading(self) -> str:
        """What it is called."""
        return self.title or registry.find(self.systems[0]).title

    @property
    def about(self) -> str:
        """What it is about, in a sentence or two."""
        return self.summary or registry.find(self.systems[0]).summary

    @once
    def systems(self) -> tuple[str, ...]:
        """The systems that it runs."""
        return tuple(dict.fromkeys(panel.system for scene in self.scenes for panel in scene.panels))


IDEAS = ("surface", "path", "phase", "integrals", "order", "section", "branches", "locking")
"""What cards, corrections and results can be about, besides their systems."""
Status = Literal["proved", "evidence"]


@dataclass(frozen=True)
class Card:
    """A figure or a claim of a paper: the state and the view that show it, and whether it holds, computed now.

    `check` asks whether what the paper says is true of what is shown; where that needs a correction, `correction` is
    its id. `told` is one short sentence with numbers that are computed, `look` says what to look at. A claim
    without a figure is no `drawn` one. The data are the paper's, or `ours` where it gives none.
    """

    id: str
    paper: str
    figure: str
    claim: str
    state: str
    view: str
    check: Callable[["Shown"], bool]
    title: str = ""
    told: Callable[["Shown"], Sentence] | None = None
    look: str = ""
    ideas: tuple[str, ...] = ()
    correction: str = ""
    drawn: bool = True
    ours: bool = False


@dataclass(frozen=True)
class Correction:
    """A misprint of a paper: what is printed, what is right, both in TeX, and what decides, computed now.

    `pictures` show both, printed against corrected. `test` names the test that fails for the printed form. `state` is
    where a lab shows it.
    """

    id: str
    paper: str
    place: str
    title: str
    words: str
    printed: str
    corrected: str
    test: str
    decides: Callable[[], Sentence]
    pictures: Callable[[Theme], tuple[Picture, ...]] | None = None
    state: str = ""
    system: str = ""
    ideas: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """Something that no paper has: its statement, in words and as TeX, why it is so, and where it is seen.

    `status` says whether it is proved or what our runs show. `told` gives numbers that are computed now, `state` and
    `view` the demonstration, `sweep` the address of a map of it, `parameters` the exact data. `test` names its test.
    """

    id: str
    title: str
    statement: str
    formula: str
    status: Status
    because: str
    told: Callable[[], Sentence]
    state: str
    view: str
    parameters: str
    test: str
    sweep: str = ""
    system: str = ""
    ideas: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """Steps that follow each other."""

    id: str
    title: str
    steps: tuple[Step, ...]
