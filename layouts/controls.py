"""Controls generated from declarations: the heroes with their gauges, and a row for every other number or choice.

A row is a symbol, a slider, a number with its unit. The browser puts all but the symbol there
(`assets/page/controls.js`), so that a moving hand is answered without a round trip through components, and a page has
few of them.
"""

import re
from typing import Any

import dash_mantine_components as dmc
from dash import html

from layouts import ids
from layouts.attributes import aria, data
from nhviz.frame.records import Panel
from nhviz.frame.state import State
from nhviz.frame.words import Group, Number, Option
from nhviz.system import Component, Momentum

GREEK = {
    r"\varepsilon": "ε", r"\theta": "θ", r"\omega": "ω", r"\psi": "ψ", r"\phi": "φ", r"\varphi": "φ", r"\rho": "ρ",
    r"\alpha": "α", r"\gamma": "γ", r"\delta": "δ", r"\kappa": "κ", r"\Pi": "Π",
}  # fmt: skip


def group(
    title: str, children: list[Any], folded: Any = None, extra: Any = None, kind: str = "with-switch", **more: Any
) -> html.Details | None:
    """Controls that belong together, under a title that folds them; nothing where there are none.

    `folded` is a summary of a group that opens folded; without words the browser says what is chosen in it. One with
    something `extra` is of a `kind`.
    """
    if not children:
        return None
    beside = [html.Em(folded)] if folded is not None else []
    head = html.Summary([title, *beside])
    kinds = "group" if extra is None else f"group {kind}"
    inside = [head, *([extra] if extra is not None else []), *children]
    return html.Details(inside, className=kinds, open="open" if folded is None else None, **more)


def panel_controls(panel: Panel, state: State) -> list[Any]:
    """Everything that can be set in a panel, in groups; its title where there are several panels."""
    heading = [html.H2(panel.title or panel.name)] if panel.name else []
    choices = options(state, panel.name)
    heroes = [panel.word(name) for name in panel.heroes]
    gains = values(state, panel, "gains", without=heroes)
    # Where the page is about them, they stand open beside their hero.
    open_gains = any(state.vocabulary.numbers[word].group == "gains" for word in heroes)
    return [
        *heading,
        *(gauge(word, state.vocabulary.numbers[word]) for word in heroes),
        group("Feedback", gains) if open_gains else None,
        group("Body", values(state, panel, "body", without=heroes)),
        html.P(className="remarks", role="status", **data(panel=panel.name)),
        *start_groups(panel, state),
        None if panel.model.momentum else group("Run", values(state, panel, "step", without=heroes)),
        None if open_gains else group("Feedback gains", gains, folded=symbols(state, panel, "gains")),
        group("Method", choices, folded=""),
    ]


def start_groups(panel: Panel, state: State) -> list[Any]:
    """The start: where a system has a momentum plane, momenta or energy and direction; what else there is is folded."""
    plane = panel.model.plane
    if panel.model.momentum is not None:
        return momentum_groups(panel, state, panel.model.momentum)
    if plane is None:
        return [group("Start", values(state, panel, "start", without=[panel.word(name) for name in panel.heroes]))]
    momenta = {panel.word(name) for name in plane.axes}
    others = [word for word, _ in numbers_of(state, panel, "start") if word not in momenta]
    own = values(state, panel, "start", without=others)
    found = dict(numbers_of(state, panel, "start"))
    first, second = (symbol(found[panel.word(name)].describe()["symbol"]) for name in plane.axes)
    switch = coordinates(panel, {"energy": "E, φ", "momenta": [*first, ", ", *second]}, "energy")
    energy = [
        derived("energy", panel, "E", "kinetic energy of the start", "J"),
        derived("angle", panel, "φ", "direction of the momentum", "°"),
    ]
    return [
        group("Start", [*energy, *own], extra=switch),
        group("Place", values(state, panel, "start", without=list(momenta)), folded=summary(state, others)),
    ]


def momentum_groups(panel: Panel, state: State, declared: Momentum) -> list[Any]:
    """The start in velocities or in their momenta, beside the direction that joins both; place and duration folded."""
    opening, parts = panel.start or "velocities", {c.name: c for c in panel.model.components}
    along, velocities = ([panel.word(name) for name in names] for names in (declared.along, declared.velocities))
    found = dict(numbers_of(state, panel, "start"))
    rows = [
        *(row(word, found[word]) for word in along),
        *(row(word, found[word], velocity="") for word in velocities),
        *(momentum_row(panel, i, parts[name]) for i, name in enumerate(declared.momenta)),
    ]
    letters = [symbol(text)[0] for text in (found[along[0]].describe()["symbol"],
                                            found[velocities[0]].describe()["symbol"],
                                            parts[declared.momenta[0]].symbol)]  # fmt: skip
    names = {"velocities": f"{letters[0]}, {letters[1]}", "momenta": f"{letters[0]}, {letters[2]}"}
    others = [word for word in found if word not in (*along, *velocities)]
    run = [word for word, _ in numbers_of(state, panel, "step") if word.endswith("duration")]
    rest = [row(word, state.vocabulary.numbers[word]) for word in (*others, *run)]
    return [
        group("Start", rows, extra=coordinates(panel, names, opening), kind="with-momenta",
              **data(coordinates=opening)),
        group("Place and run", rest, folded=summary(state, [*others, *run])),
    ]  # fmt: skip


def coordinates(panel: Panel, names: dict[str, Any], opening: str) -> html.Span:
    """A switch between coordinates of the start, by what each is called."""
    buttons = [
        html.Button(
            text, className="on" if name == opening else "", **data(coordinates=name),
            **aria(pressed=str(name == opening).lower()),
        )
        for name, text in names.items()
    ]  # fmt: skip
    label = aria(label="coordinates of the start")
    return html.Span(buttons, className="seg", role="group", **label, **data(panel=panel.name))


def momentum_row(panel: Panel, index: int, component: Component) -> html.Div:
    """A row for a momentum, which follows from velocities; below it a line for what is wrong with it."""
    line = row_line(component.symbol or component.name, component.meaning, component.unit)
    word = panel.word(component.name)
    facts = data(momentum=index, panel=panel.name, meaning=f"{component.meaning} ({word})")
    return html.Div([line, complaint(word)], className="control", **facts)


def summary(state: State, words: list[str]) -> str:
    """Numbers in a line, with their symbols and units."""
    found = [(state.vocabulary.numbers[word], state.number(word)) for word in words]
    parts = (f"{symbol_text(number)} {value:g}{time_unit(number)}" for number, value in found)
    return " · ".join(parts)


def time_unit(number: Number) -> str:
    """The unit of a time, which is told; lengths and angles are known by their symbols."""
    unit = number.describe()["unit"]
    return f" {unit}" if unit == "s" else ""


def numbers_of(state: State, panel: Panel, kind: Group) -> list[tuple[str, Number]]:
    """The numbers of a group of a panel, by their words."""
    return [
        (word, number)
        for word, number in state.vocabulary.numbers.items()
        if number.owner == panel.name and number.group == kind
    ]


def symbols(state: State, panel: Panel, kind: Group) -> list[Any]:
    """The symbols of a group, as a summary of it."""
    return [
        html.Span([*symbol(one.describe()["symbol"]), " "], className="sym")
        for _, one in numbers_of(state, panel, kind)
    ]


def view_controls(state: State, at_top: bool = False) -> list[Any]:
    """What can be set in each view that has options; choices of a view that has them `at_top` are in its header."""
    found = []
    for view in (one for one in state.scene.all_views.values() if one.at_top == at_top):
        numbers = [(w, n) for w, n in state.vocabulary.numbers.items() if n.owner == view.id and n.group == "view"]
        rows = [row(word, number) for word, number in numbers]
        choices, folded = ([], None) if at_top else (options(state, view.id), "")
        found.append(group(view.title, [*rows, *choices], folded=folded))
    return found


def values(state: State, panel: Panel, kind: Group, without: list[str] | None = None) -> list[html.Div]:
    """One row for each number of a group."""
    return [row(word, number) for word, number in numbers_of(state, panel, kind) if word not in (without or [])]


def row(word: str, number: Number, **more: str) -> html.Div:
    """One number: its symbol, and what the browser needs for the rest; `more` is noted at it."""
    facts = number.describe()
    title = f"{facts['meaning']}, {facts['min']:g} to {facts['max']:g}{' / step' if facts.get('per_step') else ''}"
    return html.Div(row_line(facts["symbol"], title, facts["unit"]), className="control", **data(word=word, **more))


def derived(kind: str, panel: Panel, sign: str, meaning: str, unit: str) -> html.Div:
    """A row for a number that follows from momenta: energy or direction."""
    return html.Div(
        row_line(sign, meaning, unit), className="control", **data(derived=kind, panel=panel.name, meaning=meaning)
    )


def row_line(sign: str, title: str, unit: str) -> html.Div:
    """The line of a row, with its unit."""
    label = dmc.Tooltip(html.Span(symbol(sign), className="sym"), label=title, openDelay=300, position="bottom-start")
    return html.Div(label, className="row", **data(unit=pretty(unit)))


def pretty(unit: str) -> str:
    """A unit as people write it."""
    return unit.replace("^2", "²").replace("*", " ")


def complaint(word: str) -> html.Div:
    """The line that says what is wrong with a value."""
    return html.Div(id=ids.message(word), className="message", role="alert")


def gauge(word: str, number: Number, own: bool = True) -> html.Section:
    """A hero of its panel, as the step: value, share of the largest, a lane for each map, the scale.

    One that is not the word's `own` stands where there is no sidebar.
    """
    facts = number.describe()
    top = html.Div(
        [
            html.Span(symbol(facts["symbol"]), className="sym"),
            html.Span(className="number-room"),
            html.Span(pretty(facts["unit"]), className="unit"),
            html.Span(className="share"),
        ],
        className="step-top",
    )
    return html.Section(
        [
            top,
            html.Div(className="gauge"),
            html.Div(className="scale", **aria(hidden="true")),
            html.Div(className="bounds"),
            *([complaint(word)] if own else []),
        ],
        className="step",
        **data(gauge=word),
        **aria(label=facts["meaning"]),
    )


def options(state: State, owner: str) -> list[html.Div]:
    """One row for each option of a panel or view."""
    return [option(word, one) for word, one in state.vocabulary.options.items() if one.owner == owner]


def option(word: str, one: Option) -> html.Div:
    """One of a few texts, as buttons of which one is pressed."""
    buttons = [html.Button(words, **data(choice=text)) for text, words in one.declared.labels.items()]
    return html.Div(
        [
            html.Div(
                [
                    html.Span(one.declared.meaning, className="meaning"),
                    html.Span(buttons, className="seg", role="group", **aria(label=one.declared.meaning)),
                ],
                className="choice",
            ),
            complaint(word),
        ],
        className="control",
        **data(option=word),
    )


def symbol_text(number: Number) -> str:
    """A symbol as plain text."""
    parts = symbol(number.describe()["symbol"])
    return "".join(part if isinstance(part, str) else str(part.children) for part in parts)


def symbol(tex: str) -> list[Any]:
    """A simple TeX symbol as text with a subscript: p_\\theta, I_{11}."""
    for word in sorted(GREEK, key=len, reverse=True):
        tex = tex.replace(word, GREEK[word])
    match = re.fullmatch(r"([^_]+)_\{?([^}]+)\}?", tex)
    return [match[1], html.Sub(match[2])] if match else [tex]
