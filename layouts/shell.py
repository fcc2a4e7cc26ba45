"""The page around everything: its theme, the header, and an empty place for the page of the address."""

import dash_mantine_components as dmc
from dash import dcc, html

from layouts import document, header, ids, search
from server.paths import address


def layout() -> dmc.MantineProvider:
    """Header and an empty place for the page of the address."""
    return dmc.MantineProvider(
        html.Div(
            [
                dcc.Location(id=ids.URL, refresh="callback-nav"),
                dcc.Store(id=ids.THEME, storage_type="local", data="light"),
                dcc.Store(id=ids.NAMES, data=document.names()),
                header.header(),
                html.Main(id=ids.PAGE),
                search.dialog(),
            ],
            className="shell",
        ),
        id=ids.PROVIDER,
        theme={"fontFamily": "var(--sans)", "headings": {"fontFamily": "var(--sans)"}},
    )


def unknown() -> html.Section:
    """The page of an address that names nothing."""
    return html.Section(
        [
            html.H1("There is no such lab"),
            html.P("The address names no system."),
            dcc.Link("All labs", href=address(), className="button primary icon onward"),
        ],
        className="wait",
    )
