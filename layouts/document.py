"""The document that a browser gets first: its language, its title and description, and the line above an empty page."""

import html
from collections.abc import Callable, Mapping
from typing import Any

from layouts import gallery, sweep
from nhviz.frame import find
from nhviz.frame.words import laid_out, vocabulary
from server.paths import address, named, plotly

TITLE, UNKNOWN = "nhviz", "No such lab"
ENTRIES = "entries.json"
"""What the search can find."""
DESCRIPTION = "See and compute nonholonomic mechanics: skates, blades and rolling balls, and their discrete maps."
FRAME = """<!DOCTYPE html>
<html lang="en" {begins}>
<head>
{metas}
<meta name="description" content="{description}">
<title>{title}</title>
<link rel="icon" type="image/svg+xml" href="{icon}">
<script src="{theme}"></script>
<script src="{first}" data-page="{page}"></script>
{ahead}
{css}
</head>
<body>
{app_entry}
<footer>{config}{scripts}{renderer}</footer>
</body>
</html>"""
WAITING = """<div id="react-entry-point"><div class="shell"><header class="bar"><span class="home">
<span class="mark icon"></span><span>nhviz</span></span></header><main aria-busy="true">
<div class="outline"><div class="side"></div><div class="main"><div class="top"></div>
<div class="views"><i></i><i></i><i></i><i></i></div><div class="dock"></div></div></div></main></div></div>"""
"""What stands there until the page has loaded: the header and the outline of a lab are in their places already."""

AT_ONCE = ("_dash-layout", "_dash-dependencies")
"""What Dash fetches as soon as its scripts are there."""
PAGE = "_dash-update-component"
"""Where Dash then asks for the page of the address."""


def document(asked_for: str, layout: str, asset: Callable[[str], str], parts: Mapping[str, str]) -> str:
    """The document of the address that is asked for, from what Dash wants in it; a link may say how it is laid out."""
    asked = named(asked_for)
    title = named_title(asked)
    about = {name: lab.about for name, lab in find.labs().items()} | {
        sweep.NAME: sweep.ABOUT,
        gallery.NAME: gallery.ABOUT,
    }
    is_lab = bool(title) and asked not in ("", sweep.NAME, gallery.NAME) and title != UNKNOWN
    return FRAME.format(
        metas=parts["metas"],
        begins=begins(asked, layout) if is_lab else 'data-begins="page"',
        # What a page needs at its beginning is on its way before anybody asks for it.
        ahead="\n".join([*map(fetched, AT_ONCE), f'<link rel="preload" as="script" href="{plotly()}">' * is_lab]),
        description=html.escape(about.get(asked, DESCRIPTION)),
        title=html.escape(f"{title} · {TITLE}" if title else TITLE),
        icon=asset("favicon.svg"),
        theme=asset("theme.js"),
        first=asset("ahead.js"),
        page=address(PAGE),
        css=parts["css"],
        app_entry=WAITING,
        config=parts["config"],
        scripts=parts["scripts"],
        renderer=parts["renderer"],
    )


def begins(name: str, wanted: str) -> str:
    """How a lab begins, for the outline that stands there until it does; cards and lessons begin like any lab."""
    scene = (find.labs().get(name) or next(iter(find.labs().values()))).scenes[0]
    kind, _ = laid_out(wanted if wanted in vocabulary(scene).layouts else scene.layout)
    numbers = {place: f"p{i + 1}" for i, place in enumerate(scene.places)}
    areas = " ".join(f'"{" ".join(numbers[place] for place in row.split())}"' for row in scene.rows)
    told = f'data-begins="lab" data-outline="{kind}" data-places="{len(scene.places)}"'
    return f"{told} style='--outline: {areas}'"


def fetched(name: str) -> str:
    """A link to something that scripts will fetch from this server."""
    return f'<link rel="preload" as="fetch" href="{address(name)}" crossorigin="anonymous">'


def named_title(name: str) -> str:
    """What the page of an address is called; nothing for the start page."""
    known = titles()
    return known.get(name) or known.get(name.rpartition("/")[0]) or (UNKNOWN if name else "")


def titles() -> dict[str, str]:
    """What the pages are called, by what their address names; steps of a lesson share its title."""
    return (
        {name: lab.heading for name, lab in find.labs().items()}
        | {f"card/{name}": card.title or f"{card.paper}, {card.figure}" for name, card in find.cards().items()}
        | {f"lesson/{name}": lesson.title for name, lesson in find.lessons().items()}
        | {sweep.NAME: sweep.TITLE, gallery.NAME: gallery.TITLE}
    )


def names() -> dict[str, Any]:
    """What the browser needs to name a page that it goes to: titles, kinds of systems, what is before them."""
    families = {lab.id: family for family, labs in find.families().items() for lab in labs}
    families |= {sweep.NAME: sweep.TITLE, gallery.NAME: gallery.TITLE}
    families |= {f"card/{name}": gallery.TITLE for name in find.cards()}
    return {
        "title": TITLE, "prefix": address(), "titles": titles(), "families": families, "search": address(ENTRIES),
    }  # fmt: skip
