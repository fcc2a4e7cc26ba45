"""The line above every page: the labs by kind of system, the search, and what can be done with the page."""

from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from layouts import gallery, ids, sweep
from layouts.attributes import data
from layouts.cards import line_of
from nhviz.frame import find
from nhviz.frame.records import Lab
from server.paths import address

SHARES = {
    ids.LINK: "Copy link",
    ids.CSV: "Data as CSV",
    ids.SAVE_PNG: "Pictures as PNG",
    ids.SAVE_SVG: "Pictures as SVG",
    ids.PYTHON: "Python lines",
    ids.SWEEP_THIS: "Sweep this",
}


def header() -> html.Header:
    """Mark, labs, search, share, present, theme; on a phone the labs are one menu."""
    label: Any = {"aria-label": "Labs"}
    return html.Header(
        [
            skip("Skip to the pictures", ids.VIEWS),
            skip("Skip to play", ids.PLAY),
            dcc.Link([html.Span(className="mark icon"), html.Span("nhviz")], href=address(), className="home"),
            html.Nav([*(kind(name, labs) for name, labs in find.families().items()), *others()], **label),
            phone_menu(),
            html.Button(["Search", html.Kbd("/")], id=ids.SEARCH, n_clicks=0, className="find icon"),
            share_menu(),
            *tool(ids.PRESENT, "Present (P)", "present desk"),
            *tool(ids.THEME_BUTTON, "Theme", "theme"),
        ],
        className="bar",
    )


def skip(words: str, place: str) -> html.Button:
    """A way past everything, for those who use the keyboard: it is seen while it has the focus."""
    return html.Button(words, className="skip", **data(skip=place))


def kind(name: str, labs: list[Lab]) -> Any:
    """A kind of system: a link to its only lab, or a menu of its labs."""
    words = html.Span(name, id=ids.family(name), className="kind")
    if len(labs) == 1:
        return dcc.Link(words, href=address(labs[0].id))
    return menu(words, [lab_item(lab) for lab in labs], "many icon")


def phone_menu() -> dmc.Menu:
    """All labs, below the name of the one that is open."""
    items: list[Any] = []
    for name, labs in find.families().items():
        items += [dmc.MenuLabel(name), *(lab_item(lab) for lab in labs)]
    if find.cards():
        items += [dmc.MenuLabel(gallery.TITLE), item("All figures and claims", gallery.LINE, gallery.NAME)]
    items += [dmc.MenuLabel(sweep.TITLE), item("All sweeps", sweep.LINE, sweep.NAME)]
    return menu(html.Span("All labs", id=ids.HERE), items, "phone many icon")


def share_menu() -> dmc.Menu:
    """What can be taken away from a lab."""
    items = [
        dmc.MenuItem(words, id=name, n_clicks=0, closeMenuOnClick=name != ids.LINK) for name, words in SHARES.items()
    ]
    return menu(html.Span(), items, "tool icon share", "bottom-end", "Share")


def menu(words: html.Span, items: list[Any], look: str, position: Any = "bottom-start", label: str = "") -> dmc.Menu:
    """A button with what it opens; `label` names one that has no words."""
    button = {"component": "button", "className": look, **({"aria-label": label} if label else {})}
    return dmc.Menu(
        [dmc.MenuTarget(words, boxWrapperProps=button), dmc.MenuDropdown(items)],
        position=position,
        offset=4,
        transitionProps={"duration": 120},
        classNames={"dropdown": "menu", "item": "item", "label": "label"},
    )


def lab_item(lab: Lab) -> dmc.MenuItem:
    """A lab in a menu."""
    return item(lab.heading, line_of(lab), lab.id)


def item(title: str, line: str, place: str) -> dmc.MenuItem:
    """A page in a menu: its name and one line."""
    return dmc.MenuItem([html.Span(title), html.Small(line)], href=address(place))


def others() -> list[Any]:
    """The gallery and sweeps, and a menu of lessons, once there are some."""
    lessons = [item(one.title, f"{len(one.steps)} steps", f"lesson/{name}") for name, one in find.lessons().items()]
    menus = [menu(html.Span("Lessons"), lessons, "many icon")] if lessons else []
    hung = [page_link(gallery.TITLE, gallery.NAME)] if find.cards() else []
    return [html.Span(className="gap"), *hung, page_link(sweep.TITLE, sweep.NAME), *menus]


def page_link(title: str, name: str) -> dcc.Link:
    """A page that is no lab, in the line."""
    return dcc.Link(html.Span(title, id=ids.family(title), className="kind"), href=address(name))


def tool(name: str, words: str, look: str) -> list[Any]:
    """A button that is a drawing, and the words that explain it."""
    label: Any = {"aria-label": words}
    button = html.Button(id=name, n_clicks=0, className=f"tool icon {look}", **label)
    return [button, dmc.Tooltip(label=words, target=f"#{name}", openDelay=400)]
