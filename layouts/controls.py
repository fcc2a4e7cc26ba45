"""Controls generated from declarations: a slider with a number box, symbol, unit, meaning, and room for a message."""

import re
from typing import Any

from dash import dcc, html

from layouts import ids

GREEK = {
    r"\varepsilon": "ε", r"\theta": "θ", r"\omega": "ω", r"\psi": "ψ", r"\phi": "φ", r"\rho": "ρ", r"\alpha": "α",
    r"\gamma": "γ", r"\Pi": "Π",
}  # fmt: skip


def group(title: str, children: list[Any]) -> html.Fieldset:
    """Controls that belong together."""
    return html.Fieldset([html.Legend(title), *children], className="group")


def values(declared: dict[str, Any], now: dict[str, float]) -> list[html.Div]:
    """One control for each value; those that the dimension leaves without meaning are hidden."""
    return [value(name, facts, now[name], hidden=is_unused(facts, now)) for name, facts in declared.items()]


def is_unused(facts: dict[str, Any], now: dict[str, float]) -> bool:
    """Whether the dimension leaves a value without meaning."""
    name, least = facts.get("needs") or ("", 0.0)
    return bool(name) and now[name] < least


def value(name: str, facts: dict[str, Any], current: float, extra: Any = None, hidden: bool = False) -> html.Div:
    """One value: slider and number box show the same number."""
    low, high = facts["slider"]
    unit = facts["unit"].replace("^2", "²")
    title = f"{name}: {facts['meaning']}, {facts['min']:g} to {facts['max']:g} {unit}"
    return html.Div(
        [
            html.Div(
                [
                    html.Label([html.B(symbol(facts["symbol"])), html.Small(unit)], title=title),
                    dcc.Slider(
                        id=ids.slider(name),
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
                        id=ids.box(name),
                        value=f"{current:.10g}",
                        type="text",
                        inputMode="decimal",
                        debounce=True,
                        className="box",
                        name=f"{name}, {facts['meaning']}",
                    ),
                ],
                className="slider-row",
            ),
            html.Div(facts["meaning"], className="meaning"),
            html.Div(id=ids.message(name), className="message", role="alert"),
            extra,
        ],
        className="control",
        hidden=hidden,
    )


def choice(name: str, facts: dict[str, Any], current: Any) -> html.Div:
    """One of a few values."""
    return html.Div(
        [
            html.Label([html.B(name), html.Span(f" {facts['meaning']}", className="meaning")]),
            dcc.RadioItems(
                [{"label": str(item), "value": str(item)} for item in facts["choices"]],
                str(current),
                id=ids.option(name),
                inline=True,
                className="choices",
            ),
            html.Div(id=ids.message(name), className="message", role="alert"),
        ],
        className="control",
    )


def symbol(tex: str) -> list[Any]:
    """A simple TeX symbol as text with a subscript: p_\\theta, I_{11}."""
    for word, letter in GREEK.items():
        tex = tex.replace(word, letter)
    match = re.fullmatch(r"([^_]+)_\{?([^}]+)\}?", tex)
    return [match[1], html.Sub(match[2])] if match else [tex]
