"""Declarations are read before they are used: one sentence says what is wrong with a lab, a card or a lesson."""

import re
from collections.abc import Iterable, Mapping

from nhviz import registry
from nhviz.figures.palette import COLOURS, SYMBOLS
from nhviz.frame.records import Card, Correction, Lab, Lesson, Panel, Result, Scene, Step, View
from nhviz.frame.state import State, opening
from nhviz.frame.words import LAYOUT, SCENE, panel_numbers, vocabulary
from nhviz.parameters import ParameterError, unknown

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def require(condition: bool, sentence: str) -> None:
    """Refuse a declaration that does not meet a condition."""
    if not condition:
        raise ParameterError(sentence, "lab")


def check_lab(lab: Lab) -> None:
    """A lab has scenes that can be told apart, and experiments that can be shown."""
    where = f"The lab {lab.id}"
    check_ids(where, "lab", [lab.id])
    require(bool(lab.scenes), f"{where} has no scene.")
    check_ids(where, "scene", [scene.id for scene in lab.scenes])
    for scene in lab.scenes:
        check_scene(lab, scene)
    for former, word in lab.former.items():
        known = [word for scene in lab.scenes for word in all_words(scene)]
        require(word in known, f"{where} translates {former} of old links to {word}, which means nothing here.")
        require(former not in known, f"{where} translates {former} of old links, which has a meaning of its own.")
    for step in lab.experiments:
        check_state(f"An experiment of the lab {lab.id}", step.state, {lab.id: lab})


def check_scene(lab: Lab, scene: Scene) -> None:
    """A scene's panels, views and places exist and can be told apart."""
    where = f"The lab {lab.id}, scene {scene.id},"
    require(bool(scene.panels), f"{where} has no panel.")
    names = [panel.name for panel in scene.panels]
    require(len(set(names)) == len(names), f"{where} has two panels called {most_common(names)!r}; rename one of them.")
    check_ids(where, "panel", [name for name in names if name])
    require(len(names) == 1 or all(names), f"{where} has several panels; each needs a name.")
    for panel in scene.panels:
        check_panel(where, panel)
    count = sum(len(panel.ways) for panel in scene.panels)
    require(count <= COLOURS, f"{where} has {count} variants; at most {COLOURS} can be told apart by their colours.")
    require(bool(scene.views), f"{where} has no view.")
    check_ids(where, "place", [view.id for view in scene.views])
    check_ids(where, "view", [view.id for place in scene.places.values() for view in place.views])
    for view in scene.all_views.values():
        check_view(where, scene, view)
    check_grid(where, scene)
    words = all_words(scene)
    require(len(set(words)) == len(words), f"{where} says two things with the word {most_common(words)!r}.")
    problem = next(iter(opening(lab, scene).errors().values()), "")
    require(not problem, f"{where} cannot open: {problem}")


def check_panel(where: str, panel: Panel) -> None:
    """A panel's system, variants and opening values exist."""
    require(panel.system in registry.systems(), f"{where} {unknown('system', panel.system, registry.systems())}")
    model = panel.model
    methods = {method.id: method for method in model.methods}
    check_ids(where, "variant", [variant.id for variant in panel.variants])
    for variant in panel.variants:
        method = variant.method or variant.id
        require(method in methods, f"{where} {unknown(f'method of {model.id}', method, methods)}")
        known = [option.name for option in methods[method].options]
        for name in variant.options:
            require(name in known, f"{where} {unknown(f'option of {method}', name, known)}")
        require(
            variant.slot is None or 0 <= variant.slot < len(SYMBOLS), f"{where} has colours 0 to {len(SYMBOLS) - 1}."
        )
    require(panel.start in ("", "momenta"), f'{where} starts in "momenta", or in what its system is given by.')
    require(not panel.start or model.momentum is not None, f"{where} has no momenta to start in.")
    for name in panel.chosen:
        require(name in panel.ways, f"{where} {unknown('variant', name, panel.ways)}")
    known = [number.declared.name for number in panel_numbers(panel).values()]
    for name in (*panel.values, *panel.heroes):
        require(name in known, f"{where} {unknown('value', name, known)}")


def check_view(where: str, scene: Scene, view: View) -> None:
    """A view's panel exists, and so do the values that a click sets."""
    names = [panel.name for panel in scene.panels]
    require(not view.panel or view.panel in names, f"{where} {unknown('panel', view.panel, names)}")
    if isinstance(view.start, tuple) and view.start:
        known = [p.name for p in scene.panel(view.panel).model.initial]
        for name in view.start:
            require(name in known, f"{where} view {view.id}: {unknown('initial value', name, known)}")
        require(len(view.start) in (2, 3), f"{where} view {view.id}: a click sets two or three values.")
    check_ids(f"{where} view {view.id},", "option", [option.name for option in view.options])


def check_grid(where: str, scene: Scene) -> None:
    """Every place stands in the grid, whose rows have as many columns each."""
    cells = [row.split() for row in scene.rows]
    named = {name for row in cells for name in row} - {"."}
    require(len({len(row) for row in cells}) == 1, f"{where} has rows of different lengths in its grid.")
    for name in named:
        require(name in scene.places, f"{where} {unknown('place', name, scene.places)}")
    for name in scene.places:
        require(name in named, f"{where} leaves the place {name} out of its grid.")


def check_card(card: Card, labs: Mapping[str, Lab]) -> None:
    """A card's state and view can be shown."""
    where = f"The card {card.id}"
    check_ids(where, "card", [card.id])
    state = check_state(where, card.state, labs)
    views = state.scene.all_views
    require(card.view in views, f"{where} {unknown('view', card.view, views)}")


def check_correction(correction: Correction, labs: Mapping[str, Lab]) -> None:
    """A correction's state can be shown, if it has one."""
    where = f"The correction {correction.id}"
    check_ids(where, "correction", [correction.id])
    if correction.state:
        check_state(where, correction.state, labs)


def check_result(result: Result, labs: Mapping[str, Lab]) -> None:
    """A result's state and view can be shown."""
    where = f"The result {result.id}"
    check_ids(where, "result", [result.id])
    views = check_state(where, result.state, labs).scene.all_views
    require(result.view in views, f"{where} {unknown('view', result.view, views)}")


def check_lesson(lesson: Lesson, labs: Mapping[str, Lab]) -> None:
    """A lesson's steps can be shown, and what asks can be answered."""
    where = f"The lesson {lesson.id}"
    check_ids(where, "lesson", [lesson.id])
    require(bool(lesson.steps), f"{where} has no step.")
    for step in lesson.steps:
        check_step(f"{where}, step {step.title!r},", step, labs)


def check_step(where: str, step: Step, labs: Mapping[str, Lab]) -> None:
    """A step's state can be shown; a question has an answer."""
    check_state(where, step.state, labs)
    require(bool(step.ask) == (step.answered is not None), f"{where} needs both a question and what answers it.")


def check_state(where: str, address: str, labs: Mapping[str, Lab]) -> State:
    """The state of an address such as sleigh?a=0.3, all of which can be used."""
    name, _, query = address.partition("?")
    require(name in labs, f"{where} {unknown('lab', name, labs)}")
    state, complaints = State.from_query(labs[name], query)
    require(not complaints, f"{where} has a state that cannot be used. {' '.join(complaints)}")
    return state


def check_ids(where: str, kind: str, names: list[str]) -> None:
    """Names that can stand in an address, no two alike."""
    for name in names:
        good = bool(WORD.fullmatch(name))
        require(good, f"{where} has a {kind} called {name!r}; use letters, digits, _ and -, a letter first.")
    require(
        len(set(names)) == len(names), f"{where} has two {kind}s called {most_common(names)!r}; rename one of them."
    )


def all_words(scene: Scene) -> list[str]:
    """Every word of a scene, as often as something is called so."""
    words = vocabulary(scene)
    numbers = [word for panel in scene.panels for word in panel_words(panel)]
    views = [f"{view.id}.{option.name}" for view in scene.all_views.values() for option in view.options]
    return [SCENE, LAYOUT, *numbers, *views, *words.variants, *words.tabs]


def panel_words(panel: Panel) -> Iterable[str]:
    """The words of a panel's parameters, initial values and options, as often as something is called so."""
    model = panel.model
    own = [p.name for p in (*model.parameters, *model.initial)]
    options = {option.name for way in panel.ways.values() for option in model.method(way.method).options}
    return [panel.word(name) for name in (*own, "step", "duration", *options)]


def most_common(names: list[str]) -> str:
    """The name that is there most often, if there is one."""
    return max(names, key=names.count, default="")
