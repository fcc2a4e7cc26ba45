"""Controls generated from declarations: a slider with a number box, symbol, unit, meaning, and room for a message."""

import re
from typing import Any

from dash import dcc, html

from layouts import ids
from nhviz.frame.records import Panel
from nhviz.frame.state import State
from nhviz.frame.words import VARIANTS, Group, Number, Option, Vocabulary

GREEK = {
    r"\varepsilon": "ε", r"\theta": "θ", r"\omega": "ω", r"\psi": "ψ", r"\phi": "φ", r"\rho": "ρ", r"\alpha": "α",
    r"\gamma": "γ", r"\Pi": "Π",
}  # fmt: skip


def group(title: str, children: list[Any]) -> html.Fieldset | None:
    """Controls that belong together; nothing where there are none."""
    return html.Fieldset([html.Legend(title), *children], className="group") if children else None


def panel_controls(panel: Panel, state: State) -> list[Any]:
    """Everything that can be set in a panel, in groups; its title where there are several panels."""
    words = state.vocabulary
    heading = [html.H2(panel.title or panel.name)] if panel.name else []
    largest = html.Div(id=ids.largest(panel.name), className="largest")
    return [
        *heading,
        group("Body", values(state, panel.name, "body")),
        html.Div(id=ids.remarks(panel.name), className="remarks", role="status"),
        group("Start", values(state, panel.name, "start")),
        group("Step", [*values(state, panel.name, "step"), largest]),
        group("Methods", [variant_list(panel, state), *choices(words, state, panel.name)]),
        group("Gains", values(state, panel.name, "gains")),
    ]


def view_controls(state: State) -> list[Any]:
    """What can be set in each view that has options."""
    words = state.vocabulary
    return [
        group(view.title, [*values(state, view.id, "view"), *choices(words, state, view.id)])
        for view in state.scene.all_views.values()
        if view.options
    ]


def values(state: State, owner: str, kind: Group) -> list[html.Div]:
    """One control for each number of a group; those that the dimension leaves without meaning are hidden."""
    return [
        value(word, number, state.number(word), hidden=not state.is_used(number))
        for word, number in state.vocabulary.numbers.items()
        if number.owner == owner and number.group == kind
    ]


def value(word: str, number: Number, current: float, hidden: bool = False) -> html.Div:
    """One number: slider and number box show the same."""
    facts = number.describe()
    low, high = facts["slider"]
    unit = facts["unit"].replace("^2", "²")
    title = f"{word}: {facts['meaning']}, {facts['min']:g} to {facts['max']:g} {unit}"
    return html.Div(
        [
            html.Div(
                [
                    html.Label([html.B(symbol(facts["symbol"])), html.Small(unit)], title=title),
                    dcc.Slider(
                        id=ids.slider(word),
                        min=low,
                        max=high,
                        step=1 if facts.get("whole") else (high - low) / 400,
                        value=min(max(current, low), high),
                        marks=None,
                        updatemode="mouseup",
                        allow_direct_input=False,
                        className="slider",
                    ),
                    dcc.Input(
                        id=ids.box(word),
                        value=f"{current:.10g}",
                        type="text",
                        # Browsers know it; the list of Dash lacks it.
                        inputMode="decimal",  # type: ignore[arg-type]
                        debounce=True,
                        className="box",
                        name=f"{word}, {facts['meaning']}",
                    ),
                ],
                className="slider-row",
            ),
            html.Div(facts["meaning"], className="meaning"),
            html.Div(id=ids.message(word), className="message", role="alert"),
        ],
        className="control",
        hidden=hidden,
    )


def choices(words: Vocabulary, state: State, owner: str) -> list[html.Div]:
    """One control for each option of a panel or view."""
    return [
        choice(word, option, dict(state.options)[word])
        for word, option in words.options.items()
        if option.owner == owner
    ]


def choice(word: str, option: Option, current: str) -> html.Div:
    """One of a few texts."""
    return html.Div(
        [
            html.Label([html.B(option.declared.name), html.Span(f" {option.declared.meaning}", className="meaning")]),
            dcc.RadioItems(option.allowed, current, id=ids.option(word), inline=True, className="choices"),
            html.Div(id=ids.message(word), className="message", role="alert"),
        ],
        className="control",
    )


def variant_list(panel: Panel, state: State) -> html.Div:
    """Which variants to compare, each with its colour; the first checked one moves in the play bar."""
    word, slots = panel.word(VARIANTS), state.scene.slots
    entries = [
        {
            "label": html.Span([swatch(slots[panel.word(way.id)]), way.label]),
            "value": way.id,
            "title": panel.model.method(way.method).remark,
        }
        for way in panel.ways.values()
    ]
    return html.Div(
        [
            dcc.Checklist(entries, list(dict(state.variants)[word]), id=ids.variants(word), className="choices"),
            html.Div(id=ids.message(word), className="message", role="alert"),
        ]
    )


def swatch(slot: int) -> html.Span:
    """The colour of a variant in every picture."""
    return html.Span("●", className="swatch", style={"color": f"var(--method-{slot})"})


def symbol(tex: str) -> list[Any]:
    """A simple TeX symbol as text with a subscript: p_\\theta, I_{11}."""
    for word, letter in GREEK.items():
        tex = tex.replace(word, letter)
    match = re.fullmatch(r"([^_]+)_\{?([^}]+)\}?", tex)
    return [match[1], html.Sub(match[2])] if match else [tex]
