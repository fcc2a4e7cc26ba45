"""The gallery: figures and claims of the papers as cards, corrections and new results as entries that open.

The page has no number: the browser asks for them when it stands there (`assets/gallery`), those that this server has
computed before come along.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from dash import dcc, html

from layouts import badges, ids
from layouts.attributes import aria, data
from layouts.gallery_entry import folded, opened
from nhviz.frame import gallery
from nhviz.frame.gallery import FILTERS, TABS, Entry, Seen
from server.paths import address, plotly

NAME, TITLE = "gallery", "Gallery"
LINE = "Figures and claims of five papers, computed now."
ABOUT = (
    "Every figure of five papers, drawn by nhviz from the paper’s data, with what to look at and whether the claim "
    "holds."
)
FURTHER = (("convergence", "Convergence"),)
"""Pages of their own that stand beside the tabs."""
FOLDER = Path(__file__).parent.parent / "assets" / NAME
WORDS = {"paper": "Paper", "system": "System", "idea": "Idea"}
HEADS = {
    gallery.CORRECTIONS: "Printed against corrected, with the difference computed; each is backed by a test.",
    gallery.RESULTS: "What no paper has: statement, proof or evidence, exact parameters.",
}
THEMES = ("light", "dark")


def page(seen: Seen, known: dict[str, Any]) -> html.Section:
    """The gallery as it is asked for; `known` is what its entries tell, as far as that is computed."""
    entries = gallery.of_tab(seen.tab)
    left = seen.left(entries)
    is_listed = seen.tab in HEADS
    return html.Section(
        [
            dcc.Store(ids.GALLERY, data={"known": known, "plotly": plotly()}),
            dcc.Store(ids.HUNG),
            head(seen),
            tabs(seen),
            filters(seen, entries),
            *([] if left else [nothing(seen, entries)]),
            html.Div(listed(seen, entries, left) if is_listed else [card(one, one in left) for one in entries],
                     className="entries" if is_listed else "figures"),
        ],
        className="gallery",
    )  # fmt: skip


def head(seen: Seen) -> html.Header:
    """What this is, and how many claims hold."""
    words = html.Div([html.H1("The papers, alive"), html.P(HEADS.get(seen.tab, ABOUT))])
    tally = [] if seen.tab in HEADS else badges.tally()
    return html.Header([words, html.Div(tally, className="tally", role="status", **aria(label="how many hold"))])


def tabs(seen: Seen) -> html.Nav:
    """The parts of the gallery, each with its address."""
    links = [tab(name, words, len(gallery.of_tab(name)), name == seen.tab) for name, words in TABS.items()]
    further = [dcc.Link(words, href=address(place)) for place, words in FURTHER]
    return html.Nav([*links, *further], className="kinds", **aria(label="parts of the gallery"))


def tab(name: str, words: str, count: int, chosen: bool) -> dcc.Link:
    """A part of the gallery and how much there is."""
    inside = [html.Span(words), html.Small(str(count))]
    return dcc.Link(inside, href=place(Seen(name)), className="on" if chosen else "")


def filters(seen: Seen, entries: list[Entry]) -> html.Div:
    """By paper, by system, by idea; a filter with nothing to choose is left out."""
    found = {name: gallery.choices(entries, name) for name in FILTERS}
    sets = [pills(seen, entries, name, values) for name, values in found.items() if values]
    return html.Div(sets, className="filters")


def pills(seen: Seen, entries: list[Entry], name: str, values: list[str]) -> html.Div:
    """The values of one filter, each with what it would leave."""
    inside = [pill(seen, name, value, seen.count(entries, name, value)) for value in ("", *values)]
    return html.Div([html.Span(WORDS[name]), *inside], className="set", role="group", **aria(label=WORDS[name]))


def pill(seen: Seen, name: str, value: str, count: int) -> html.Button:
    """A button that sets a filter; the browser goes to its address."""
    chosen = getattr(seen, name) == value
    href = place(replace(seen, open="", **{name: value}))
    return html.Button([value or "all", html.Small(str(count))], className="on" if chosen else "",
                       **aria(pressed=str(chosen).lower()), **data(href=href))  # fmt: skip


def nothing(seen: Seen, entries: list[Entry]) -> html.Div:
    """What stands there if nothing is left, and the way out."""
    if not entries:
        return html.Div(html.P("Nothing is here yet."), className="nothing", role="status")
    name = seen.to_clear(entries)
    words, cleared = (WORDS[name], replace(seen, **{name: ""})) if name else ("all filters", Seen(seen.tab))
    button = html.Button(f"Clear {words}", className="button", **data(href=place(replace(cleared, open=""))))
    return html.Div([html.P(f"Nothing here; clear {words}."), button], className="nothing", role="status")


def card(entry: Entry, is_left: bool) -> html.Article:
    """A figure or a claim: its picture, tag, badge, title, and a sentence with numbers, which come later."""
    words = html.Div(
        [
            html.Div([html.Span(entry.tag, className="tag"), html.Span(className="badge")], className="line"),
            html.H2(entry.title),
            html.P(className="told"),
        ],
        className="body",
    )
    inside = dcc.Link([picture(entry), words], href=address(f"card/{entry.id}"))
    return html.Article(inside, className="fig pending", hidden=not is_left, **data(entry=f"{entry.kind} {entry.id}"))


def picture(entry: Entry) -> html.Div:
    """The picture of an entry in both themes, of which a browser fetches one; its tag where there is none."""
    name = gallery.picture_name(entry.record)
    if not all((FOLDER / f"{name}-{theme}.webp").exists() for theme in THEMES):
        return html.Div(html.Span(entry.tag), className="picture none", **aria(hidden="true"))
    urls = {f"--{theme}": f'url("{address(f"assets/{NAME}/{name}-{theme}.webp")}")' for theme in THEMES}
    return html.Div(className="picture", style=urls, **aria(hidden="true"))


def listed(seen: Seen, entries: list[Entry], left: list[Entry]) -> list[html.Article]:
    """Corrections or results, one of which is open: the one that the address names, else the first that is left."""
    wanted = next((one for one in entries if one.id == seen.open), None) or next(iter(left), None)
    shown = [one for one in entries if one in left or (one is wanted and seen.open)]
    numbers = {one.id: f"{i + 1} of {len(shown)}" for i, one in enumerate(shown)}
    return [
        opened(one, numbers[one.id], picture(one)) if one is wanted else folded(one, place(replace(seen, open=one.id)))
        for one in shown
    ]


def place(seen: Seen) -> str:
    """The address of what is seen."""
    query = seen.query()
    return address(f"{NAME}?{query}" if query else NAME)
