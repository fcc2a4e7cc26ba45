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

GREEK = {
    r"\varepsilon": "ε", r"\theta": "θ", r"\omega": "ω", r"\psi": "ψ", r"\phi": "φ", r"\varphi": "φ", r"\rho": "ρ",
    r"\alpha": "α", r"\gamma": "γ", r"\Pi": "Π",
}  # fmt: skip


def group(title: str, children: list[Any], folded: Any = None, extra: Any = None) -> html.Details | None:
    """Controls that belong together, under a title that folds them; nothing where there are none.

    `folded` is a summary of a group that opens folded; without words the browser says what is chosen in it.
    """
    if not children:
        return None
    beside = [html.Em(folded)] if folded is not None else []
    head = html.Summary([title, *beside])
    kind = "group" if extra is None else "group with-switch"
    inside = [head, *([extra] if extra is not None else []), *children]
    return html.Details(inside, className=kind, open="open" if folded is None else None)


def panel_controls(panel: Panel, state: State) -> list[Any]:
    """Everything that can be set in a panel, in groups; its title where there are several panels."""
    heading = [html.H2(panel.title or panel.name)] if panel.name else []
    choices = options(state, panel.name)
    gains = values(state, panel, "gains")
    heroes = [panel.word(name) for name in panel.heroes]
    return [
        *heading,
        *(gauge(word, state.vocabulary.numbers[word]) for word in heroes),
        group("Body", values(state, panel, "body", without=heroes)),
        html.P(className="remarks", role="status", **data(panel=panel.name)),
        *start_groups(panel, state),
        group("Run", values(state, panel, "step", without=heroes)),
        group("Feedback gains", gains, folded=symbols(state, panel, "gains")),
        group("Method", choices, folded=""),
    ]


def start_groups(panel: Panel, state: State) -> list[Any]:
    """The start: where a system has a momentum plane, momenta or energy and direction; what else there is is folded."""
    plane = panel.model.plane
    if plane is None:
        return [group("Start", values(state, panel, "start", without=[panel.word(name) for name in panel.heroes]))]
    momenta = {panel.word(name) for name in plane.axes}
    others = [word for word, _ in numbers_of(state, panel, "start") if word not in momenta]
    own = values(state, panel, "start", without=others)
    found = dict(numbers_of(state, panel, "start"))
    first, second = (symbol(found[panel.word(name)].describe()["symbol"]) for name in plane.axes)
    switch = html.Span(
        [
            html.Button("E, φ", className="on", **data(coordinates="energy"), **aria(pressed="true")),
            html.Button([*first, ", ", *second], **data(coordinates="momenta"), **aria(pressed="false")),
        ],
        className="seg",
        role="group",
        **aria(label="coordinates of the start"),
        **data(panel=panel.name),
    )
    energy = [
        derived("energy", panel, "E", "kinetic energy of the start", "J"),
        derived("angle", panel, "φ", "direction of the momentum", "°"),
    ]
    summary = " · ".join(f"{symbol_text(found[word])} {state.number(word):g}" for word in others)
    return [
        group("Start", [*energy, *own], extra=switch),
        group("Place", values(state, panel, "start", without=list(momenta)), folded=summary),
    ]


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


def view_controls(state: State) -> list[Any]:
    """What can be set in each view that has options."""
    found = []
    for view in state.scene.all_views.values():
        numbers = [(w, n) for w, n in state.vocabulary.numbers.items() if n.owner == view.id and n.group == "view"]
        rows = [row(word, number) for word, number in numbers]
        found.append(group(view.title, [*rows, *options(state, view.id)], folded=""))
    return found


def values(state: State, panel: Panel, kind: Group, without: list[str] | None = None) -> list[html.Div]:
    """One row for each number of a group."""
    return [row(word, number) for word, number in numbers_of(state, panel, kind) if word not in (without or [])]


def row(word: str, number: Number) -> html.Div:
    """One number: its symbol, and what the browser needs for the rest."""
    facts = number.describe()
    title = f"{facts['meaning']}, {facts['min']:g} to {facts['max']:g}{' / step' if facts.get('per_step') else ''}"
    return html.Div(row_line(facts["symbol"], title, facts["unit"]), className="control", **data(word=word))


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
