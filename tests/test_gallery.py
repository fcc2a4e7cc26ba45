"""The gallery without a browser: what is on which tab, filters, numbers at their address, refusals, opened cards."""

import json
from dataclasses import replace

import pytest

from app import create_app
from callbacks import about, gallery, shell
from docs import make_gallery
from layouts import gallery as layout
from nhviz.frame import find
from nhviz.frame import gallery as frame
from nhviz.frame.gallery import TABS, Seen
from nhviz.frame.said import spoken
from nhviz.frame.shown import panels
from nhviz.frame.state import State
from server import patience, readiness, service
from tests.conftest import ROOT
from tests.frames import opening, painted, without_variants
from tests.test_shell import parts, plain

KINDS = ("cards", "corrections", "results")


@pytest.fixture(scope="module")
def app():
    return create_app()


@pytest.fixture(autouse=True)
def hung(app, monkeypatch):
    """Entries of one's own, in an application that has computed nothing of them."""
    for kind in KINDS:
        monkeypatch.setenv(f"NHVIZ_{kind.upper()}", str(ROOT / "tests" / "fitness" / kind))
    monkeypatch.setattr(gallery, "kept", {})
    with app.server.test_request_context("/"):
        yield


@pytest.fixture
def client(app):
    return app.server.test_client()


def ask(client, kind, *names):
    return client.post("/gallery/told", json={"kind": kind, "ids": list(names)})


def first_panel(card):
    """What a card shows, without any server."""
    name, _, query = card.state.partition("?")
    return next(iter(panels(State.from_query(find.lab(name), query)[0]).values()))


def words_of(answer):
    return "".join(part["text"] for part in answer["sentence"])


def test_every_record_is_on_one_tab():
    ids = {tab: [entry.id for entry in frame.of_tab(tab)] for tab in TABS}
    assert {*ids["figures"], *ids["claims"]} == set(find.cards())
    assert not set(ids["figures"]) & set(ids["claims"])
    assert {"turns-once", "try-never-turns"} <= set(ids["figures"])
    assert "try-turns-late" in ids["claims"]
    assert (set(ids["corrections"]), set(ids["results"])) == (set(find.corrections()), set(find.results()))
    for tab in TABS:
        papers = [frame.position(frame.PAPERS, entry.paper) for entry in frame.of_tab(tab)]
        assert papers == sorted(papers)
        assert all(frame.tab_of(entry.record) == tab for entry in frame.of_tab(tab))


@pytest.mark.parametrize(
    ("paper", "place", "tag"),
    [
        ("FZ", "figure 7.3", "FZ 7.3"),
        ("CS", "Fig. 2", "CS 2"),
        ("GJ", "Remark 8.1", "GJ Remark 8.1"),
        ("CP", "", "CP"),
        ("CS", "after section 5", "CS after §5"),
    ],
)
def test_a_tag_is_short(paper, place, tag):
    assert frame.tag(paper, place) == tag


def test_a_system_is_told_by_its_kind_or_by_itself():
    assert [frame.kind_of(name) for name in ("suslov", "sleigh_n", "knife_edge", "")] == [
        "Top", "Sleigh", "Knife edge", "",
    ]  # fmt: skip
    assert frame.system_of("feedback?scene=knife_edge") == "knife_edge"


def test_filters_go_together_and_say_what_they_would_leave():
    for tab in TABS:
        entries = frame.of_tab(tab)
        for paper in ("", *frame.choices(entries, "paper")):
            for idea in ("", *frame.choices(entries, "idea")):
                seen = Seen(tab, paper=paper, idea=idea)
                left = {e.id for e in entries if paper in ("", e.paper) and (not idea or idea in e.ideas)}
                assert {entry.id for entry in seen.left(entries)} == left
                for system in frame.choices(entries, "system"):
                    wanted = [e for e in entries if e.id in left and e.system == system]
                    assert seen.count(entries, "system", system) == len(wanted)


def test_what_is_seen_is_an_address():
    for seen in (Seen(), Seen("claims", paper="CP"), Seen("corrections", idea="path", open="try-slow-blade")):
        assert Seen.read(f"?{seen.query()}") == seen
    assert Seen().query() == ""
    assert Seen.read("?tab=none&paper=ZZ&idea=&open=x") == Seen()
    assert Seen.read("?tab=claims&open=try-slow-blade") == Seen("claims")
    assert Seen.read(None) == Seen()


def test_the_filter_that_is_in_the_way_is_named(monkeypatch):
    few = [entry for entry in frame.of_tab("corrections") if entry.id in ("try-slow-blade", "try-sign")]
    monkeypatch.setattr(frame, "of_tab", lambda _: few)
    page = plain(layout.page(Seen("corrections", paper="CP", idea="integrals"), {}))
    assert "Nothing here; clear Idea." in json.dumps(page)
    (button,) = [part for part in parts(page) if part["props"].get("children") == "Clear Idea"]
    assert button["props"]["data-href"] == "/gallery?tab=corrections&paper=CP"
    assert Seen("corrections", system="Knife edge", idea="integrals").to_clear(few) == "idea"
    assert Seen("corrections", paper="FZ", system="Knife edge", idea="path").to_clear(few) == "paper"
    assert Seen("corrections", paper="GJ", system="Top", idea="order").to_clear(few) == ""
    assert "Nothing is here yet." not in json.dumps(page)


def test_the_page_has_every_entry_and_hides_what_filters_leave_out():
    seen = Seen(idea="path")
    found = [part["props"] for part in parts(plain(layout.page(seen, {}))) if "data-entry" in part["props"]]
    shown = {one["data-entry"] for one in found if not one["hidden"]}
    assert {one["data-entry"] for one in found} == {f"card {entry.id}" for entry in frame.of_tab("figures")}
    assert shown == {f"card {entry.id}" for entry in frame.of_tab("figures") if "path" in entry.ideas}
    pressed = [part["props"]["children"][0] for part in parts(plain(layout.page(seen, {})))
               if part["props"].get("aria-pressed") == "true"]  # fmt: skip
    assert pressed.count("path") == 1


def test_nothing_is_computed_while_the_page_is_made(monkeypatch):
    def fail(*_):
        raise AssertionError("a run")

    monkeypatch.setattr(service, "run", fail)
    monkeypatch.setattr(patience.Patience, "make", fail)
    for tab in TABS:
        assert "data-entry" in str(plain(shell.page("/gallery", f"?tab={tab}")))
    assert gallery.kept == {}


@pytest.mark.parametrize("name", ["turns-once", "try-never-turns", "try-turns-late"])
def test_the_numbers_of_a_card_are_those_of_its_functions(client, name):
    card = find.cards()[name]
    shown = first_panel(card)
    answer = ask(client, "card", name).get_json()[name]
    assert words_of(answer) == (spoken(card.told(shown)) if card.told else card.claim)
    assert answer["badge"] == ("no" if not card.check(shown) else "fix" if card.correction else "yes")


def test_the_three_badges_are_met(client):
    names = ("turns-once", "try-never-turns", "try-turns-late")
    found = ask(client, "card", *names).get_json()
    assert [found[name]["badge"] for name in names] == ["yes", "no", "fix"]


def test_corrections_and_results_tell_their_numbers(client):
    half = ask(client, "correction", "try-slow-blade").get_json()["try-slow-blade"]
    assert words_of(half) == spoken(find.corrections()["try-slow-blade"].decides())
    turn = ask(client, "result", "try-whole-turn").get_json()["try-whole-turn"]
    assert words_of(turn) == "It turns by 254.6° in all."


def test_what_is_computed_is_kept_and_comes_with_the_next_page(client, monkeypatch):
    calls = []
    monkeypatch.setattr(gallery, "of_card", lambda card: calls.append(card) or {"badge": "yes", "sentence": []})
    for _ in range(2):
        ask(client, "card", "turns-once")
    assert len(calls) == 1
    assert gallery.known("figures") == {"card turns-once": {"badge": "yes", "sentence": []}}
    assert gallery.known("claims") == {}


def test_an_entry_that_fails_says_so_and_spoils_no_other(client, monkeypatch):
    broken = replace(find.cards()["try-never-turns"], check=lambda _: 1 / 0)
    usual = frame.of_kind
    monkeypatch.setattr(frame, "of_kind", lambda kind, name: broken if name == "try-never-turns" else usual(kind, name))
    found = ask(client, "card", "try-never-turns", "turns-once").get_json()
    assert found["try-never-turns"] == {"trouble": "This could not be computed.", "again": False}
    assert found["turns-once"]["badge"] == "yes"


@pytest.mark.parametrize(
    ("kind", "name"), [("card", "turns-once"), ("correction", "try-slow-blade"), ("result", "try-whole-turn")]
)
def test_a_lab_that_is_being_compiled_is_waited_for(client, monkeypatch, kind, name):
    monkeypatch.setattr(readiness, "is_open", lambda _: False)
    found = ask(client, kind, name).get_json()[name]
    assert found["again"] is True
    assert "is being prepared" in found["trouble"]
    assert gallery.kept == {}


def test_a_request_answers_in_time_with_what_it_has(client, monkeypatch):
    monkeypatch.setattr(gallery, "ENOUGH", 0.0)
    assert list(ask(client, "card", "turns-once", "try-never-turns").get_json()) == ["turns-once"]


@pytest.mark.parametrize(
    "body",
    [
        [], {}, {"kind": "card"}, {"kind": "card", "ids": []}, {"kind": "card", "ids": ["none"]},
        {"kind": "card", "ids": "a"},
        {"kind": "card", "ids": [1]}, {"kind": "lab", "ids": ["turns-once"]}, {"kind": ["card"], "ids": ["turns-once"]},
        {"kind": "correction", "ids": ["turns-once"]}, {"kind": "card", "ids": ["turns-once"] * 50},
        {"kind": "card", "ids": ["x" * 10_000]}, {"kind": "card", "ids": ["turns-once", None]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("route", ["told", "pictures"])
def test_what_no_page_asks_is_refused_in_one_sentence(client, route, body):
    answer = client.post(f"/gallery/{route}", json=body)
    assert answer.status_code == 400
    assert answer.text.endswith(".\n")
    assert answer.text.count("\n") == 1
    assert "<" not in answer.text


def test_other_requests_are_refused(client):
    assert client.post("/gallery/told", data="{", content_type="application/json").status_code == 400
    assert client.post("/gallery/told", data="x").status_code == 400
    assert (
        client.post("/gallery/pictures", json={"kind": "correction", "id": "try-slow-blade", "theme": 3}).status_code
        == 400
    )


def test_pictures_are_those_of_the_correction_and_of_the_view(client):
    for theme in ("light", "dark"):
        (figure,) = client.post(
            "/gallery/pictures", json={"kind": "correction", "id": "try-slow-blade", "theme": theme}
        ).get_json()
        printed, corrected = figure["data"]
        assert printed["y"][-1] == pytest.approx(2.0 * corrected["y"][-1])
    (figure,) = client.post(
        "/gallery/pictures", json={"kind": "result", "id": "try-whole-turn", "theme": "dark"}
    ).get_json()
    assert len(figure["data"]) > 3
    assert (
        client.post("/gallery/pictures", json={"kind": "correction", "id": "try-sign", "theme": "light"}).get_json()
        == []
    )


def test_pictures_wait_for_their_lab(client, monkeypatch):
    monkeypatch.setattr(readiness, "is_open", lambda _: False)
    answer = client.post("/gallery/pictures", json={"kind": "correction", "id": "try-slow-blade", "theme": "projector"})
    assert (answer.status_code, "is being prepared" in answer.text) == (422, True)


def test_an_opened_card_says_what_it_is_and_where_to_go():
    told = about.about("card/try-turns-late", lambda place: f"/{place}")
    assert (told.tag, told.title) == ("CP remark 2", "It turns late")
    assert told.whose == "The data are ours; the paper gives none."
    links = dict(told.onward)
    assert links["Its correction"] == "/gallery?tab=corrections&open=try-slow-blade"
    assert links["Gallery"] == "/gallery?tab=claims"
    figures = [entry.id for entry in frame.of_tab("figures")]
    at = figures.index("try-never-turns")
    told = about.about("card/try-never-turns", lambda place: f"/{place}")
    assert dict(told.onward)["← previous"] == f"/card/{figures[at - 1]}"
    assert ("next →" in dict(told.onward)) == (at + 1 < len(figures))
    assert (told.look, told.whose) == ("The star on the path.", "The data are the paper’s.")


def test_a_card_follows_what_is_shown():
    card = find.cards()["try-turns-late"]
    late, soon = opening("sleigh", a=0.3, duration=30.0), opening("sleigh", a=1.5, duration=30.0)
    for state, badge, verdict in ((late, "fix", "It holds with a correction."), (soon, "no", "It does not hold.")):
        said = painted(state, about="card/try-turns-late").said
        assert (said["badge"], said["verdict"]) == (badge, verdict)
        assert "".join(part["text"] for part in said["claim"]) == spoken(card.told(next(iter(panels(state).values()))))


def test_a_card_whose_run_is_switched_off_decides_nothing():
    said = painted(without_variants(opening("sleigh")), about="card/try-never-turns").said
    assert (said["badge"], said["claim"], said["verdict"]) == ("", [], about.UNDECIDED)


def test_a_view_that_is_behind_another_is_brought_to_the_front():
    assert frame.place("sleigh?a=0.8", "time") == "sleigh?a=0.8&detail=time&layout=focus.detail"
    assert frame.place("sleigh", "motion") == "sleigh"
    assert frame.place("suslov", "lead") == "suslov?detail=lead"
    assert frame.place("sleigh?layout=all", "plane") == "sleigh?layout=all"


def test_every_entry_of_the_package_can_be_seen(monkeypatch):
    """Links between entries lead somewhere; every entry has words."""
    for kind in KINDS:
        monkeypatch.delenv(f"NHVIZ_{kind.upper()}")
    for card in find.cards().values():
        assert not card.correction or card.correction in find.corrections(), card.id
    for tab in TABS:
        for entry in frame.of_tab(tab):
            assert entry.title
            assert set(entry.ideas) <= set(frame.IDEAS), entry.id


def test_every_card_and_result_of_the_package_has_pictures_of_what_it_shows(monkeypatch):
    """Where this fails: .venv/bin/python -m docs.make_gallery makes those that are missing or old."""
    for kind in KINDS:
        monkeypatch.delenv(f"NHVIZ_{kind.upper()}")
    assert [record.id for record in make_gallery.records() if not make_gallery.is_made(record)] == []
    known = {frame.picture_name(record) for record in make_gallery.records()}
    kept = {file.name.rpartition("-")[0] for file in make_gallery.FOLDER.glob("*.webp")}
    assert kept <= known, "pictures of nothing"


def test_a_picture_of_another_state_is_an_old_one():
    card = find.cards()["turns-once"]
    prints = {
        frame.fingerprint(one) for one in (card, replace(card, state="sleigh?a=0.7"), replace(card, view="plane"))
    }
    assert len(prints) == 3
    assert frame.fingerprint(replace(card, claim="Other words.")) == frame.fingerprint(card)
    assert not make_gallery.is_made(card)
