"""Cards of the start page: labs with their pictures, and what else there is."""

from pathlib import Path
from typing import Any

from dash import dcc, html

from layouts import gallery, sweep
from nhviz import registry
from nhviz.frame import find
from nhviz.frame.gallery import FIGURES, of_tab, picture_name
from nhviz.frame.records import Lab
from nhviz.sweeps.presets import PRESETS
from server.paths import address

ASSETS = Path(__file__).parent.parent / "assets"


def card(lab: Lab, ready: bool) -> dcc.Link:
    """One lab: its picture, its name and a line, and whether it is still being prepared."""
    state = [] if ready else [html.Span("being prepared", className="state")]
    return dcc.Link(
        [picture(lab), html.Div([html.H3(lab.heading), html.P(line_of(lab)), *state])],
        href=address(lab.id),
        id=f"lab-{lab.id}",
        className="card" if ready else "card unready",
    )


def entries() -> list[dcc.Link]:
    """Sweeps, and figures and claims, and lessons, once there are some."""
    found: list[dcc.Link] = []
    if claims := find.cards():
        text = f"{len(claims)} figures and claims, computed now."
        found.append(entry(gallery.TITLE, text, gallery.NAME, thumbnail()))
    found.append(entry(sweep.TITLE, sweep.LINE, sweep.NAME, f"{sweep.FOLDER}/{PRESETS[0].id}.png"))
    if walks := find.lessons():
        text = "Guided walks through the labs, with questions that you answer by dragging."
        found.append(entry("Lessons", text, f"lesson/{next(iter(walks))}"))
    return found


def thumbnail() -> str:
    """A picture of the gallery, rather one of a surface; nothing while it has none."""
    figures = sorted(of_tab(FIGURES), key=lambda one: not one.has("idea", "surface"))
    files = (f"{picture_name(one.record)}-{gallery.THEMES[0]}.webp" for one in figures)
    return next((f"assets/{gallery.NAME}/{file}" for file in files if (gallery.FOLDER / file).exists()), "")


def entry(title: str, text: str, place: str, seen: str = "") -> dcc.Link:
    """What is no lab, perhaps with a picture."""
    words = html.Div([html.H3(title, className="icon onward"), html.P(text)])
    if not seen:
        return dcc.Link(words, href=address(place), className="card entry")
    return dcc.Link([html.Img(src=address(seen), alt=""), words], href=address(place), className="card entry seen")


def picture(lab: Lab) -> html.Div:
    """The drawing of a lab, which the browser takes into the page, so that it has the colours of the theme."""
    name = lab.id if (ASSETS / f"{lab.id}.svg").exists() else "other"
    data: Any = {"data-picture": address(f"assets/{name}.svg"), "aria-hidden": "true"}
    return html.Div(className="picture", **data)


def line_of(lab: Lab) -> str:
    """What to see in a lab, in one line."""
    return lab.line or registry.find(lab.systems[0]).line or first_sentence(lab.about)


def first_sentence(text: str) -> str:
    """The first sentence of a text."""
    first, dot, _ = text.partition(". ")
    return first + "." if dot else text
