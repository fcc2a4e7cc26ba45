"""The page around the labs as data: menus by kind of system, every lab on the start page, the search, documents."""

import json
import re
import urllib.parse

import pytest

import nhviz
from app import create_app
from layouts import document, header, ids, search, start
from nhviz import showpiece
from nhviz.analysis import cusps, drift
from nhviz.figures.style import THEMES
from nhviz.frame import find
from nhviz.frame.gallery import Seen
from nhviz.frame.state import State
from nhviz.preparing.progress import Progress
from nhviz.sweeps import link
from tests.conftest import ROOT

DONE = Progress(1, 1, None)


@pytest.fixture(scope="module")
def app():
    return create_app()


@pytest.fixture(autouse=True)
def request_context(app):
    """Layouts ask which application answers."""
    with app.server.test_request_context("/"):
        yield


@pytest.fixture
def fitness(monkeypatch):
    """Labs, cards, corrections, results and lessons of one's own."""
    for kind in ("labs", "cards", "corrections", "results", "lessons"):
        monkeypatch.setenv(f"NHVIZ_{kind.upper()}", str(ROOT / "tests" / "fitness" / kind))


def plain(component):
    """A component as the browser gets it."""
    return json.loads(json.dumps(component, default=lambda one: one.to_plotly_json()))


def parts(tree):
    """All components of a page."""
    if isinstance(tree, dict):
        if "props" in tree:
            yield tree
        for value in tree.values():
            yield from parts(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from parts(value)


def links(component):
    """Where one can go from a component."""
    return [part["props"]["href"] for part in parts(plain(component)) if part["props"].get("href")]


def text(component):
    """All words of a component."""
    found = []
    for part in parts(plain(component)):
        children = part["props"].get("children")
        found += [one for one in (children if isinstance(children, list) else [children]) if isinstance(one, str)]
    return " ".join(found)


def everything(is_ready=True):
    return dict.fromkeys(find.labs(), is_ready)


def test_labs_have_the_kinds_that_their_systems_declare():
    names = {family: [lab.id for lab in labs] for family, labs in find.families().items()}
    assert names == {
        "Top": ["suslov", "suslov_n"],
        "Sleigh": ["sleigh", "sleigh_n"],
        "Sphere": ["sphere", "sphere_n"],
        "Relatives": ["knife_edge", "rolling_disk", "roller_racer", "heisenberg", "oscillator"],
        "Feedback": ["feedback"],
    }


def test_a_system_of_no_kind_comes_last(monkeypatch):
    monkeypatch.setenv("NHVIZ_SYSTEMS", str(ROOT / "tests" / "toy"))
    assert list(find.families())[-1] == "More"
    assert [lab.id for lab in find.families()["More"]] == ["skate"]
    bar = plain(header.header())
    (link,) = [part for part in parts(bar) if part["type"] == "Link" and "More" in json.dumps(part)]
    assert link["props"]["href"] == "/skate"
    assert "/skate" in links(start.start(DONE, everything()))
    pictures = [part["props"].get("data-picture") for part in parts(plain(start.labs(everything())))]
    assert "/assets/other.svg" in pictures


@pytest.mark.parametrize("page", ["header", "start"])
def test_every_lab_is_reached(page):
    shown = header.header() if page == "header" else start.start(DONE, everything())
    assert {f"/{name}" for name in find.listed()} <= set(links(shown))
    assert "/convergence" not in links(shown)


def test_what_does_not_exist_has_no_entry():
    words = text(header.header()) + text(start.start(DONE, everything()))
    assert not re.search("lesson|tour", words, flags=re.IGNORECASE)
    assert ("Gallery" in words) == bool(find.cards())


@pytest.mark.parametrize("page", ["header", "start"])
def test_sweeps_are_reached(page):
    shown = header.header() if page == "header" else start.start(DONE, everything())
    assert "/sweep" in links(shown)


def test_what_exists_has_an_entry(fitness):
    lesson = next(iter(find.lessons()))
    for shown in (header.header(), start.start(DONE, everything())):
        assert {"/gallery", f"/lesson/{lesson}"} <= set(links(shown))
        assert "Gallery" in text(shown)
        assert "Lessons" in text(shown)
    assert "Two-minute tour" in text(start.words())


def test_a_card_says_whether_its_lab_can_be_used():
    ready = everything() | {"sphere": False}
    looks = {part["props"]["id"]: part["props"]["className"] for part in parts(plain(start.labs(ready)))
             if str(part["props"].get("id", "")).startswith("lab-")}  # fmt: skip
    assert len(looks) == len(find.listed())
    assert looks.pop("lab-sphere") == "card unready"
    assert set(looks.values()) == {"card"}


def test_the_stage_waits_for_its_lab():
    waiting = plain(start.stage(everything() | {showpiece.LAB: False}))
    assert waiting["props"]["className"] == "stage skeleton"
    assert "data-run" not in waiting["props"]
    assert "data-run" in plain(start.stage(everything()))["props"]


def test_the_numbers_of_the_stage_are_those_of_the_analysis():
    shown = showpiece.showpiece()
    run = nhviz.simulate("sleigh", "exact", initial=showpiece.START, step=0.05, duration=10.0)
    orbit = nhviz.simulate("sleigh", "fedorov_zenkov", initial=showpiece.START, step=0.1, duration=10.0)
    (cusp,) = cusps.cusps(run)
    turn = cusps.total_turn(run.params) * 57.29577951308232
    assert "".join(part for part, _ in shown.sentence) == (
        f"The sleigh stops at its cusp after {cusp.t:.2f} s and turns by {turn:.1f}° in all."
    )
    values = {name: (number, power) for name, number, power, _ in shown.facts}
    assert values["Total turn"] == (f"{turn:.1f}°", "")
    assert float(values["Cusp at"][0]) == pytest.approx(cusp.t, abs=5e-4)
    assert float(values["Step of the map"][0]) == orbit.problem.step
    digits, power = values["Its energy drift"]
    said = float(digits.split(" ")[0]) * 10.0 ** float(power.replace("−", "-"))
    assert said == pytest.approx(drift.drifts(orbit)["energy"].max(), rel=0.04)


def test_the_drawing_of_the_stage_is_the_run():
    drawing = showpiece.showpiece().drawing
    run = nhviz.simulate("sleigh", "exact", initial=showpiece.START, step=0.05, duration=10.0)
    orbit = nhviz.simulate("sleigh", "fedorov_zenkov", initial=showpiece.START, step=0.1, duration=10.0)
    for name, component in (("x", "x"), ("y", "y"), ("angle", "theta")):
        assert drawing["flow"][name] == pytest.approx(run[component], abs=1e-4)
    assert drawing["orbit"]["x"] == pytest.approx(orbit["x"], abs=1e-4)
    assert drawing["orbit"]["y"] == pytest.approx(orbit["y"], abs=1e-4)
    assert drawing["run"]["x"] == pytest.approx(run["p_theta"], abs=1e-4)
    assert drawing["run"]["y"] == pytest.approx(run["p_1"], abs=1e-4)
    # E = p_theta^2 / (2 (J + m a^2)) + p_1^2 / (2 m), with J = m = a = 1 and b = 0.
    energy = run.quantity("energy")[0]
    (own,) = [arc["points"] for arc in drawing["arcs"] if arc["own"]]
    assert [x * x / 4 + y * y / 2 for x, y in own] == pytest.approx([energy] * len(own), rel=1e-3)
    assert all(end["stable"][1] > 0 > end["unstable"][1] for end in drawing["ends"])
    assert all(y == 0 for _, y in drawing["turning"])
    last = len(run.t) - 1
    assert all(0 <= place <= last for place in drawing["ghosts"])
    assert drawing["colours"] == ["--method-0", "--method-2"]


def test_the_stage_opens_its_own_run():
    name, _, query = showpiece.showpiece().address.partition("?")
    state, complaints = State.from_query(find.lab(name), query)
    assert complaints == []
    panel = state.scene.panels[0]
    problem = state.problems(panel)["fedorov_zenkov"]
    assert (problem.step, problem.duration) == (0.1, 10.0)
    assert {key: dict(problem.initial)[key] for key in showpiece.START} == showpiece.START
    assert f"/{showpiece.showpiece().address}" in links(start.words())


def opened(place):
    """What is wrong with the address of an entry."""
    name, _, query = urllib.parse.unquote(place).partition("?")
    if name.startswith("card/"):
        return [] if name.removeprefix("card/") in find.cards() else [place]
    if name == "gallery":
        return [] if Seen.read(query).query() == place.partition("?")[2] else [place]
    return (link.read(query) if name == "sweep" else State.from_query(find.lab(name), query))[1]


@pytest.mark.parametrize("prefix", ["/", "/teaching/"])
def test_every_entry_of_the_search_opens_what_it_says(prefix, fitness):
    groups = search.groups(prefix, tuple(find.labs().values()), tuple(find.cards().values()))
    kinds = ["Labs", "Experiments", "Views", "Methods", "Sweeps", "Figures and claims", "Corrections", "New results"]
    assert [group["group"] for group in groups] == [*kinds, "Parameters", "Equations"]
    values = [item["value"] for group in groups for item in group["items"]]
    assert len(set(values)) == len(values) > 150
    for value in values:
        place = value.split(" ", 1)[1]
        assert place.startswith(prefix)
        assert opened(place.removeprefix(prefix)) == [], value


def test_the_search_has_every_title_of_the_gallery_and_every_symbol(fitness):
    labels = [item["label"] for group in search.entries() for item in group["items"]]
    records = (*find.cards().values(), *find.corrections().values(), *find.results().values())
    for record in records:
        title = record.title or record.claim
        assert any(title in label for label in labels), title
    for system in nhviz.systems():
        for parameter in nhviz.describe(system)["parameters"].values():
            assert any(parameter["meaning"] in label for label in labels) or system == "sphere_vertical"
    assert "I13, product of inertia of axes 1 and 3 · Suslov top" in labels
    assert any(label.startswith("ε, ") for label in labels)


def test_the_entries_come_when_the_search_is_opened(app, fitness):
    client = app.server.test_client()
    answer = client.get("/entries.json")
    assert answer.get_json() == search.entries()
    assert client.get("/entries.json", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    (box,) = [part for part in parts(plain(search.dialog())) if part["props"].get("id") == ids.FOUND]
    assert box["props"]["data"] == []


def test_the_search_shows_a_view_alone_and_runs_a_method():
    found = {item["label"]: item["value"].split(" ", 1)[1] for group in search.groups("/", tuple(find.labs().values()))
             for item in group["items"]}  # fmt: skip
    assert found["Momentum locus · Suslov top"] == "/suslov?layout=locus"
    assert found["Drift · Suslov top"] == "/suslov?layout=detail"
    assert found["Phase lead · Suslov top"] == "/suslov?detail=lead&layout=detail"
    state = State.from_query(find.lab("suslov"), found["Feedback · Suslov top"].partition("?")[2])[0]
    assert "feedback" in dict(state.variants)["methods"]
    assert found["Beyond the fold · Suslov top"] == "/suslov?step=0.04"


@pytest.mark.parametrize(
    ("path", "title"),
    [("/", "nhviz"), ("/suslov", "Suslov top · nhviz"), ("/nothing", "No such lab · nhviz")],
)
def test_a_document_says_what_it_is(app, path, title):
    page = app.server.test_client().get(path).text
    assert f"<title>{title}</title>" in page
    assert '<html lang="en" data-begins="' in page
    assert 'rel="icon" type="image/svg+xml"' in page
    about = find.lab("suslov").about if path == "/suslov" else document.DESCRIPTION
    assert f'<meta name="description" content="{about}">' in page


def test_a_step_of_a_lesson_has_the_title_of_the_lesson(fitness):
    name, lesson = next(iter(find.lessons().items()))
    assert document.named_title(f"lesson/{name}/2") == document.named_title(f"lesson/{name}") == lesson.title


def tokens(theme):
    """The variables of a theme in the style sheet, over those of the light one."""
    sheet = (ROOT / "assets" / "tokens.css").read_text()
    found = {}
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        names = [name.strip() for name in re.sub(r"/\*.*?\*/", "", selector, flags=re.DOTALL).split(",")]
        if ":root" in names or (theme != "light" and f':root[data-theme="{theme}"]' in names):
            found |= dict(re.findall(r"--([\w-]+): (#\w+);", body))
    return found


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_the_style_sheet_has_the_colours_of_the_figures(theme):
    found = tokens(theme)
    assert [found[f"method-{slot}"] for slot in range(len(THEMES[theme].methods))] == list(THEMES[theme].methods)


def light(colour):
    """Relative luminance, as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize(
    ("words", "behind"),
    [(words, behind) for words in ("ink", "soft", "accent", "alarm") for behind in ("paper", "ground", "hover")]
    + [("on-accent", "accent")],
)  # fmt: skip
def test_words_can_be_read_on_what_is_behind_them(theme, words, behind):
    found = tokens(theme)
    low, high = sorted((light(found[words]), light(found[behind])))
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_every_font_and_drawing_of_the_style_sheets_is_served(app):
    client = app.server.test_client()
    named = set()
    for sheet in (ROOT / "assets").glob("*.css"):
        named |= set(re.findall(r'url\("((?!data:)[^"]+)"\)', sheet.read_text()))
    assert len([name for name in named if name.endswith(".woff2")]) == 9
    for name in named:
        with client.get(f"/assets/{name}") as answer:
            assert answer.status_code == 200, name
            assert answer.headers["Content-Type"].split(";")[0] in ("font/woff2", "image/svg+xml")
    on_disk = {f"fonts/{path.name}" for path in (ROOT / "assets" / "fonts").glob("*.woff2")}
    assert on_disk <= named


def test_every_lab_of_the_package_has_a_picture_in_the_colours_of_the_theme():
    for name in (*find.listed(), "other"):
        drawing = (ROOT / "assets" / f"{name}.svg").read_text()
        assert "var(--method-0" in drawing
        assert not re.findall(r"(?<!, )#[0-9a-f]{6}", drawing), "a colour that is not the theme's"


def test_the_menu_for_sharing_has_its_items():
    items = {part["props"].get("id"): part["props"]["children"] for part in parts(plain(header.share_menu()))
             if part["type"] == "MenuItem"}  # fmt: skip
    assert list(items) == [ids.LINK, ids.CSV, ids.SAVE_PNG, ids.SAVE_SVG, ids.PYTHON, ids.SWEEP_THIS]
