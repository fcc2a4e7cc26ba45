"""The page around everything: header, themes, the start page, and the page of each address."""

from pathlib import Path
from typing import Any

from dash import dcc, get_asset_url, get_relative_path, html

import nhviz
from layouts import ids, lab, plain, sleigh, suslov

LABS = {"suslov": suslov.LAB, "sleigh": sleigh.LAB}
ASSETS = Path(__file__).parent.parent / "assets"
THEMES = {"light": "light", "dark": "dark", "projector": "projector"}


def layout() -> html.Div:
    """Header and an empty place for the page of the address."""
    links = [dcc.Link(nhviz.describe(name)["title"], href=get_relative_path(f"/{name}")) for name in nhviz.systems()]
    themes = dcc.RadioItems(
        THEMES, "light", id=ids.THEME, inline=True, className="themes", persistence=True, persistence_type="local"
    )
    return html.Div(
        [
            dcc.Location(id=ids.URL, refresh="callback-nav"),
            html.Header([dcc.Link("nhviz", href=get_relative_path("/"), className="home"), html.Nav(links), themes]),
            html.Main(id=ids.PAGE),
        ]
    )


def page(path: str | None, search: str | None) -> Any:
    """The page of an address."""
    name = (path or "/").removeprefix(get_relative_path("/").rstrip("/")).strip("/")
    if not name:
        return start()
    if name in nhviz.systems():
        return lab.page(LABS.get(name) or plain.lab(name), search)
    return html.Section(
        [
            html.H1("There is no such lab"),
            html.P(["The address names no system. ", dcc.Link("All labs", href=get_relative_path("/")), "."]),
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
            html.Img(src=get_asset_url(f"{picture}.svg"), alt=f"{facts['title']}, drawn"),
            html.H2(facts["title"]),
            html.P(facts["summary"]),
        ],
        href=get_relative_path(f"/{facts['id']}"),
        id=f"system-{facts['id']}",
        className="card",
    )
