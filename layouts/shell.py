"""The page around everything. It greets, and says which systems there are."""

from dash import html

import nhviz


def layout() -> html.Main:
    """A heading and one entry per system, from the systems' own words."""
    entries = [entry(nhviz.describe(name)) for name in nhviz.systems()]
    return html.Main(
        [
            html.H1("nhviz"),
            html.P("Bodies with constraints on their velocities, and what they do."),
            html.Ul(entries),
            html.P("Run them from Python or from the command line: see the README."),
        ]
    )


def entry(facts: dict[str, str]) -> html.Li:
    """One system: title and summary."""
    return html.Li([html.H2(facts["title"]), html.P(facts["summary"])], id=f"system-{facts['id']}")
