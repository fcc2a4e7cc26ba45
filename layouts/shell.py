"""The page around everything: header, themes, the start page, and the page of each address."""

from pathlib import Path
from typing import Any

from dash import dcc, html

import nhviz
from layouts import ids, lab, plain, sleigh, suslov
from server.settings import SETTINGS

LABS = {"suslov": suslov.LAB, "sleigh": sleigh.LAB}
ASSETS = Path(__file__).parent.parent / "assets"
THEMES = {"light": "light", "dark": "dark", "projector": "projector"}


def address(name: str = "") -> str:
    """The address of a lab, of a file, or of the start page, below the prefix of the server."""
    return f"{SETTINGS.prefix}/{name}"


def layout() -> html.Div:
    """Header and an empty place for the page of the address."""
    links = [dcc.Link(nhviz.describe(name)["title"], href=address(name)) for name in nhviz.systems()]
    themes = dcc.RadioItems(
        THEMES, "light", id=ids.THEME, inline=True, className="themes", persistence=True, persistence_type="local"
    )
    return html.Div(
        [
            dcc.Location(id=ids.URL, refresh="callback-nav"),
            html.Header([dcc.Link("nhviz", href=address(), className="home"), html.Nav(links), themes]),
            html.Main(id=ids.PAGE),
        ],
        className="shell",
    )


def page(path: str | None, search: str | None) -> Any:
    """The page of an address."""
    name = (path or "/").removeprefix(SETTINGS.prefix).strip("/")
    if not name:
        return start()
    if name in nhviz.systems():
        return lab.page(LABS.get(name) or plain.lab(name), search)
    return html.Section(
        [
            html.H1("There is no such lab"),
            html.P(["The address names no system. ", dcc.Link("All labs", href=address()), "."]),
        ],
        className="start",
    )


def start() -> html.Section:
    """What this is, and one card per lab."""
    return html.Section(
        [
            html.H1("See nonholonomic mechanics"),
            html.P(
                "Bodies with constraints on their velocities, such as a skate, a blade or a rolling ball, are not "
                "Hamiltonian and behave strangely. Pick a lab: every control changes all pictures at once."
            ),
            html.Div([card(nhviz.describe(name)) for name in nhviz.systems()], className="cards"),
        ],
        className="start",
    )


def card(facts: dict[str, Any]) -> dcc.Link:
    """One lab: its picture, title and summary."""
    picture = facts["id"] if (ASSETS / f"{facts['id']}.svg").exists() else "plain"
    return dcc.Link(
        [
            html.Img(src=address(f"assets/{picture}.svg"), alt=f"{facts['title']}, drawn"),
            html.H2(facts["title"]),
            html.P(facts["summary"]),
        ],
        href=address(facts["id"]),
        id=f"system-{facts['id']}",
        className="card",
    )
