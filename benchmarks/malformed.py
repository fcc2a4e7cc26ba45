"""Malformed callback bodies, links and command lines, by the thousand: none may fail, hang or show a traceback.

Case number i of a seed is always the same: `python -m benchmarks.malformed --seed 1 --only 4711` repeats one.
"""

import argparse
import contextlib
import copy
import io
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import quote

import nhviz
from benchmarks.dashboard import named, opening, question, render_body
from benchmarks.table import Row
from layouts import ids
from nhviz.__main__ import main as command_line
from nhviz.frame import find
from nhviz.frame.records import Lab, Scene
from nhviz.frame.words import LAYOUT, SCENE, vocabulary

COUNT, SEED, SECONDS = 10_000, 1, 20.0
UPDATE = "/_dash-update-component"
RENDER, WAIT, WATCH = "render", "wait", "watch"
START, CSV, PAGE = f"{ids.START}.data", f"{ids.DOWNLOAD}.data", f"{ids.PAGE}.children"
GHOSTS = f"{ids.GHOSTS}.data"
GOOD_STATUSES = {200, 204, 308, 400, 404, 405, 413}
LONGEST_REFUSAL = 200
DIED = "the process died"

TEXTS = (
    "", " ", "x", "nan", "inf", "-1", "1e999", "3.5", "1_0", "x" * 5000, "💥", "\u202eabc", "\u0663", "\x00", "a\nb",
    "%", "null", "<script>alert(1)</script>", "javascript:alert(1)", "'; DROP TABLE runs; --", "../../etc/passwd",
    "{{7*7}}", "__proto__", "constructor", "suslov", "sleigh", "sphere_n", "cayley", "exact", "feedback", "midpoint",
    "rk4", "python", "portrait0", "portrait3", "detail", "locus", "disk", "drift", "dark", "1", "both", "whole", "n",
    "main", "all", "locus.surface", "methods", "left.a", "card/nothing", "lesson/nothing/2", "lesson//99999", "about",
)  # fmt: skip
NUMBERS = (
    0, -1, 1, 2, 3, 4, 7, 3.5, 1e-9, 1e-320, -1e-3, 1e3, 1e6, 1e12, 1e15, -1e15, 1e300, -1e308, 2**31, 2**63, 2**64,
    10**30, 10**400, float("nan"), float("inf"), -float("inf"),
)  # fmt: skip
FINITE = tuple(number for number in NUMBERS if abs(number) < 1e308)


def nested(levels: int) -> Any:
    """A list in a list in a list."""
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


ODDITIES = (
    None, True, False, [], {}, [[]], [None], {"a": {"b": []}}, "\ud800", nested(20), nested(40), nested(200),
    [0] * 10_000, ["exact"] * 10_000, {str(i): i for i in range(2000)}, {"id": "asked", "property": "data"},
    [1.0, "2", None],
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Something malformed: of which kind, how it was made, and what to send."""

    kind: str
    about: str
    path: str = UPDATE
    content: bytes = b""
    content_type: str = "application/json"
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What came of a case: a status, the seconds it took, and what is wrong with it, if anything."""

    kind: str
    status: int
    seconds: float
    wrong: str = ""


def make(seed: int, number: int) -> Case:
    """Case number so and so of a seed."""
    chance = random.Random(f"{seed}/{number}")
    return chance.choices(list(MAKERS), weights=list(MAKERS.values()))[0](chance)


def junk(chance: random.Random) -> Any:
    """Any value that has no business anywhere."""
    return copy.deepcopy(chance.choice(chance.choice((TEXTS, NUMBERS, ODDITIES))))


@cache
def callback_names() -> dict[str, str]:
    """The callbacks of the server by short names."""
    from app import create_app

    names = [name for name, callback in create_app().callback_map.items() if "callback" in callback]
    parts = {RENDER: f"{ids.ANSWER}.data", WAIT: f"{ids.SENTENCE}.children", WATCH: f"{ids.WATCH}.disabled"}
    return {name: name for name in names} | {
        short: next(name for name in names if part in name) for short, part in parts.items()
    }


def any_lab(chance: random.Random) -> Lab:
    """Any lab."""
    return chance.choice(list(find.labs().values()))


def body(chance: random.Random, callback: str, name: str = "") -> dict[str, Any]:
    """What the page of a lab, or of any, sends to a callback."""
    lab = find.lab(name) if name else any_lab(chance)
    asked = question(any_tab(chance, opening(lab)))
    where = [named(ids.URL, "pathname") | {"value": f"/{lab.id}"}, named(ids.URL, "search") | {"value": "?step=0.01"}]
    theme = named(ids.THEME, "data") | {"value": "light"}
    if callback == RENDER:
        return render_body(lab, asked, callback_names()[RENDER])
    if callback == PAGE:
        return packed(callback, where, [theme])
    if callback == WAIT:
        outputs = [named(ids.PAGE, duplicate()), named(ids.DONE, "children"), named(ids.SENTENCE, "children")]
        return packed(callback, [named(ids.WAIT, "n_intervals") | {"value": 3}], [*where, theme]) | {"outputs": outputs}
    if callback == WATCH:
        parts = (ids.PREPARING, ids.STAGE, ids.LABS)
        outputs = [*(named(part, "children") for part in parts), named(ids.KNOWN, "data"), named(ids.WATCH, "disabled")]
        known = [named(ids.KNOWN, "data") | {"value": [lab.id]}]
        return packed(callback, [named(ids.WATCH, "n_intervals") | {"value": 3}], known) | {"outputs": outputs}
    if callback == CSV:
        inputs = [named(ids.CSV, "n_clicks") | {"value": 1}]
        return packed(callback, inputs, [named(ids.SEEN, "data") | {"value": {"state": asked["state"]}}])
    return in_views(chance, callback, lab, asked["state"])


def in_views(chance: random.Random, callback: str, lab: Lab, state: dict[str, Any]) -> dict[str, Any]:
    """What the page of a lab sends of some of its views: what is pinned, or a click."""
    views = lab.scenes[0].all_views
    if callback == GHOSTS:
        pinned = {"state": state, "views": chance.sample(list(views), chance.randint(1, len(views)))}
        inputs = [named(ids.PINNED, "data") | {"value": pinned}]
        return packed(callback, inputs, [named(ids.THEME, "data") | {"value": "light"}])
    view = chance.choice(list(views.values()))
    place = [0.3, 0.2, 0.1] if view.kind == "space" else [0.3, 0.2]
    click = {"state": state, "view": view.id, "place": place}
    return packed(callback, [named(ids.CLICKED, "data") | {"value": click}], [])


def any_tab(chance: random.Random, state: dict[str, Any]) -> dict[str, Any]:
    """A state with any of its tabs in sight."""
    tabs = vocabulary(scene_of(state)).tabs
    return state | {"tabs": {place: chance.choice(views) for place, views in tabs.items()}}


def duplicate() -> str:
    """The property of the page's content with the mark of the second callback that sets it."""
    return callback_names()[WAIT].partition(f"{ids.PAGE}.")[2].partition("...")[0]


def packed(callback: str, inputs: list[Any], states: list[Any]) -> dict[str, Any]:
    """The body of a callback; unless it says otherwise, with one output. Its first input has changed."""
    name, _, prop = callback.rpartition(".")
    changed = [f"{inputs[0]['id']}.{inputs[0]['property']}"]
    found = {"output": callback_names()[callback], "outputs": named(name, prop), "inputs": inputs, "state": states}
    return found | {"changedPropIds": changed}


def any_callback(chance: random.Random) -> str:
    """One of the server's callbacks; most bodies are for the one that renders."""
    return chance.choices((RENDER, START, GHOSTS, CSV, PAGE, WAIT, WATCH), weights=(10, 6, 3, 2, 2, 1, 1))[0]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in nested data, as keys from the outside in."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(value[key], (*at, key))


def disturb(chance: random.Random, data: Any) -> str:
    """Change one thing somewhere in nested data, and say what."""
    found = list(places(data))
    if not found:
        return "nothing left"
    # Outer places are few and inner ones many: choose how deep first.
    depth = chance.choice(sorted({len(place) for place in found}))
    *outer, key = chance.choice([place for place in found if len(place) == depth])
    home = data
    for step in outer:
        home = home[step]
    how = chance.choice(("replace", "replace", "replace", "remove", "wrap", "double", "rename"))
    if how == "remove":
        del home[key]
    elif how == "wrap":
        home[key] = [home[key]]
    elif how == "double" and isinstance(home, list):
        home.extend([home[key]] * chance.choice((1, 300)))
    elif how == "rename" and isinstance(home, dict):
        home[chance.choice(TEXTS)] = home.pop(key)
    else:
        home[key] = junk(chance)
    return f"{how} {'/'.join(map(str, (*outer, key)))}"[:120]


def broken_body(chance: random.Random) -> Case:
    """A body with one to three things changed anywhere."""
    callback = any_callback(chance)
    data = body(chance, callback)
    about = [disturb(chance, data) for _ in range(chance.choice((1, 1, 2, 3)))]
    return Case("body", f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}", content=encoded(data))


def encoded(data: Any) -> bytes:
    """JSON as Python writes it, NaN and all."""
    return json.dumps(data).encode()


def asked_of(data: dict[str, Any]) -> dict[str, Any]:
    """The question, the click, or what is pinned, in a body."""
    stores = (ids.ASKED, ids.SEEN, ids.CLICKED, ids.PINNED)
    return next(i["value"] for i in (*data["inputs"], *data["state"]) if i["id"] in stores)


def state_of(data: dict[str, Any]) -> dict[str, Any]:
    """The state in a body."""
    return asked_of(data)["state"]


def scene_of(state: dict[str, Any]) -> Scene:
    """The scene of a state; the first of some lab if it no longer names one."""
    scenes = {(lab.id, scene.id): scene for lab in find.labs().values() for scene in lab.scenes}
    name = (str(state.get("lab")), str(state.get("scene")))
    return scenes[name] if name in scenes else next(iter(scenes.values()))


def wrong_values(chance: random.Random) -> Case:
    """A state of the right shape with values that cannot be used: the page refuses them beside their controls."""
    callback = chance.choices((RENDER, START, GHOSTS, CSV), weights=(5, 2, 1, 1))[0]
    data = body(chance, callback)
    state = state_of(data)
    about = []
    for _ in range(chance.choice((1, 1, 2, 4))):
        field = chance.choice(("numbers", "numbers", "numbers", "options", "variants"))
        if not state[field]:
            continue
        word = chance.choice(list(state[field]))
        if field == "numbers":
            low, high = limits(state)[word]
            found = chance.choice((chance.choice(FINITE), chance.choice(FINITE), low, high, chance.uniform(low, high)))
        elif field == "options":
            found = chance.choice(TEXTS)
        else:
            found = chance.sample(state[field][word], chance.randint(0, len(state[field][word])))
        state[field][word] = found
        about.append(f"{word} = {found!r}"[:60])
    return Case("values", f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}", content=encoded(data))


def broken_state(chance: random.Random) -> Case:
    """A whole body around a state with changes in its shape and its values."""
    callback = chance.choices((RENDER, START, GHOSTS, CSV), weights=(5, 2, 1, 1))[0]
    data = body(chance, callback)
    state = state_of(data)
    about = []
    for _ in range(chance.choice((1, 1, 2, 4, 12))):
        spoil = chance.choice((spoil_number, spoil_number, spoil_number, *SPOILS, disturb))
        about.append(spoil(chance, state))
    return Case("state", f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}", content=encoded(data))


def broken_question(chance: random.Random) -> Case:
    """A good state in a question, a click or a pin that is none, or asks for what is not there."""
    callback = chance.choices((RENDER, START, GHOSTS, CSV), weights=(4, 4, 2, 1))[0]
    data = body(chance, callback)
    asked = asked_of(data)
    state = asked["state"]
    # A click has a view and a place instead of the others, a pin has views.
    fields = {
        "preview": (True, False),
        "presenter": (True, False),
        "number": (0, -1, 7, 2**31, 10**30),
        "places": ([], list(scene_of(state).places), [chance.choice(TEXTS)], ["detail"] * 600),
        "about": ("", "card/nothing", "lesson/nothing/2", "x" * 200, chance.choice(TEXTS)),
        "view": (*scene_of(state).all_views, *vocabulary(scene_of(state)).tabs),
        "views": ([], list(scene_of(state).all_views), [chance.choice(TEXTS)], ["motion"] * 600),
        "place": ([], [0.0], [0.1, 0.2], [0.1, 0.2, 0.3], [0.1] * 4, [1e308, -1e308, 5e-324], ["0.1", 0.2], [None] * 2),
    }
    about = []
    for name in chance.sample(list(asked), chance.choice((1, 1, 2))):
        if name == "state" or chance.random() < 0.3:
            asked[name] = junk(chance)
        elif chance.random() < 0.1:
            del asked[name]
        else:
            asked[name] = copy.deepcopy(chance.choice(fields[name]))
        about.append(f"{name} = {asked.get(name)!r}"[:60])
    return Case("question", f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}", content=encoded(data))


def extreme_state(chance: random.Random) -> Case:
    """A good body with any values of the allowed ranges, their ends above all, any variants, and a click anywhere."""
    callback = chance.choices((RENDER, START, GHOSTS, CSV), weights=(6, 3, 2, 1))[0]
    data = body(chance, callback)
    asked = asked_of(data)
    state = asked["state"]
    words = vocabulary(scene_of(state))
    for word, panel in words.variants.items():
        state["variants"][word] = chance.sample(list(panel.ways), chance.randint(1, len(panel.ways)))
    for word, (low, high) in limits(state).items():
        if chance.random() < 0.3:
            state["numbers"][word] = chance.choice((low, high, 0.0, chance.uniform(low, high), chance.gauss(0.0, 1.0)))
    state["options"] = {word: chance.choice(option.allowed) for word, option in words.options.items()}
    state["layout"] = chance.choice(("all", *words.layouts))
    if callback == START:
        asked["place"] = [
            chance.choice((0.0, chance.gauss(0.0, 1.0), 1e3, 1e300, -1e308, 5e-324)) for _ in asked["place"]
        ]
    elif callback != GHOSTS:
        asked["preview"] = chance.random() < 0.3
        asked["places"] = chance.choice((None, None, [], list(words.tabs)))
        asked["presenter"] = chance.random() < 0.3
    return Case("extreme", f"{state['lab']}, {callback.rpartition('.')[0] or callback}", content=encoded(data))


def spoil_number(chance: random.Random, state: dict[str, Any]) -> str:
    """Another number, in or out of its range, or no number."""
    numbers = state.get("numbers")
    if not isinstance(numbers, dict) or not numbers:
        return "no numbers"
    word = chance.choice([*numbers, "step", "duration"])
    low, high = limits(state).get(word, (0.0, 1.0))
    numbers[word] = chance.choice(
        (chance.choice(NUMBERS), chance.choice(NUMBERS), low, high, chance.uniform(low, high), junk(chance))
    )
    return f"{word} = {numbers[word]!r}"[:60]


def limits(state: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """The range of every number."""
    declared = {word: number.declared for word, number in vocabulary(scene_of(state)).numbers.items()}
    return {word: (one.minimum, one.maximum) for word, one in declared.items()}


def spoil_variants(chance: random.Random, state: dict[str, Any]) -> str:
    """Variants of any lab, twice, many times, or none."""
    scenes = [scene for lab in find.labs().values() for scene in lab.scenes]
    known = [way for scene in scenes for panel in scene.panels for way in panel.ways]
    count = chance.choice((0, 1, 2, 5, 90, 10_000))
    chosen = [chance.choice((chance.choice(known), chance.choice(TEXTS))) for _ in range(count)]
    own = [way for panel in scene_of(state).panels for way in panel.ways]
    words = list(state["variants"]) if isinstance(state.get("variants"), dict) else []
    if not words:
        return "no variants"
    word = chance.choice(words)
    state["variants"][word] = chance.choice((chosen, chosen, own, own * 2, own[::-1], []))
    return f"{len(state['variants'][word])} variants"


def spoil_option(chance: random.Random, state: dict[str, Any]) -> str:
    """An option that is not on offer."""
    words = list(state["options"]) if isinstance(state.get("options"), dict) else []
    if not words:
        return "no options"
    word = chance.choice(words)
    state["options"][word] = chance.choice((chance.choice(TEXTS), chance.choice(TEXTS), junk(chance)))
    return f"{word} chosen"


def spoil_sight(chance: random.Random, state: dict[str, Any]) -> str:
    """A tab or a layout that is not there, or one of another lab."""
    others = [place for lab in find.labs().values() for place in lab.scenes[0].all_views]
    found = chance.choice((chance.choice(others), chance.choice(TEXTS), junk(chance)))
    tabs = list(state["tabs"]) if isinstance(state.get("tabs"), dict) else []
    if tabs and chance.random() < 0.6:
        state["tabs"][chance.choice(tabs)] = found
        return "another tab"
    state["layout"] = found
    return "another layout"


def spoil_name(chance: random.Random, state: dict[str, Any]) -> str:
    """The name of another lab or scene, or of none: the words are then those of another."""
    field = chance.choice(("lab", "lab", "scene"))
    state[field] = chance.choice((any_lab(chance).id, chance.choice(TEXTS), junk(chance)))
    return f"{field} = {state[field]!r}"[:60]


def spoil_words(chance: random.Random, state: dict[str, Any]) -> str:
    """A word too many, one too few, or the words of another lab."""
    field = chance.choice(("numbers", "options", "variants", "tabs"))
    given = state.get(field)
    how = chance.choice(("more", "fewer", "other"))
    if how == "other":
        state[field] = opening(any_lab(chance))[field]
    elif isinstance(given, dict) and how == "more":
        given[chance.choice((chance.choice(TEXTS), "step", "left.step"))] = junk(chance)
    elif isinstance(given, dict) and given:
        del given[chance.choice(list(given))]
    return f"{how} {field}"


SPOILS: tuple[Callable[[random.Random, dict[str, Any]], str], ...] = (
    spoil_variants,
    spoil_option,
    spoil_sight,
    spoil_name,
    spoil_words,
)


def broken_bytes(chance: random.Random) -> Case:
    """A body that is not JSON, is cut off, is nested deeply, is huge, or claims to be something else."""
    content = encoded(body(chance, any_callback(chance)))
    kinds = {
        "empty": b"",
        "cut": content[: chance.randrange(len(content))],
        "text": chance.choice(TEXTS).encode("utf-8", "surrogatepass"),
        "junk": encoded(junk(chance)),
        "noise": chance.randbytes(200),
        "deep": b"[" * 100_000,
        "deep objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
        "deep inside": content.replace(b"true", b"[" * 900 + b"]" * 900).replace(b"null", b"[" * 900 + b"]" * 900),
        "digits": b"1" * 100_000,
        "huge": b'{"output":"' + b"x" * 2_000_000 + b'"}',
        "flipped": flipped(chance, content),
    }
    about = chance.choice(list(kinds))
    usual = chance.random() < 0.7
    types = (
        "text/plain",
        "",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "application/json; charset=x",
    )
    return Case(
        "bytes", about, content=kinds[about], content_type="application/json" if usual else chance.choice(types)
    )


def flipped(chance: random.Random, content: bytes) -> bytes:
    """Bytes with a few of them changed."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 3, 10))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def broken_query(chance: random.Random) -> str:
    """A query with words that mean something, nothing, too much."""
    lab = any_lab(chance)
    known = vocabulary(lab.scenes[0])
    declared = [*known.numbers, *known.options, *known.variants, *known.tabs]
    names = [*declared, *lab.former, SCENE, LAYOUT, "branch", "base", *TEXTS]
    words = []
    for _ in range(chance.choice((1, 2, 3, 8, 400))):
        value = str(chance.choice((chance.choice(NUMBERS), chance.choice(TEXTS), ".".join(["exact", "cayley"] * 50))))
        value = chance.choice((value, quote(value, errors="replace"), "%", "%zz", "%ff%fe", value + "%0d%0a"))
        words.append(f"{chance.choice(names)}{chance.choice(('=', '=', '=', '', '=='))}{value}")
    return "?" + chance.choice(("&", "&", ";", "&&")).join(words)


def broken_link(chance: random.Random) -> Case:
    """A link, as the browser hands it on once the page is there."""
    data = body(chance, PAGE)
    if chance.random() < 0.3:
        data["inputs"][0]["value"] = chance.choice(
            (f"/{chance.choice(TEXTS)}", chance.choice(TEXTS), "//suslov//", "/suslov?I11=4")
        )
    data["inputs"][1]["value"] = broken_query(chance)
    return Case("link", data["inputs"][1]["value"][:120], content=encoded(data))


def broken_address(chance: random.Random) -> Case:
    """An address, as it first reaches the server."""
    starts = (
        "",
        "/suslov",
        "/assets",
        "/_dash-component-suites",
        "/_dash-component-suites/dash",
        "/_dash-layout",
        UPDATE,
    )
    endings = ("/", "/" + quote(chance.choice(TEXTS), errors="replace"), "/..%2f..%2fapp.py", "/%00", "/x/y.js")
    start, ending = chance.choice(starts), chance.choice(endings)
    query = quote(broken_query(chance), safe="?&=%;")
    return Case("address", (start + ending + query)[:120], path=start + ending + query)


def broken_words(chance: random.Random) -> Case:
    """A command line."""
    system = chance.choice((*nhviz.systems(), *nhviz.systems(), chance.choice(TEXTS)))
    words = [chance.choice(("simulate", "simulate", "simulate", "describe", "list", chance.choice(TEXTS))), system]
    for _ in range(chance.choice((0, 1, 2, 4))):
        words += chance.choice(FLAGS)(chance, system)
    if chance.random() < 0.1:
        chance.shuffle(words)
    return Case("command", " ".join(words)[:120], words=tuple(words))


def setting(chance: random.Random, system: str) -> list[str]:
    """--set with a name and a value that may both be wrong."""
    known = opening(find.lab(system))["numbers"] if system in nhviz.systems() else {"I11": 1}
    name = chance.choice((*known, chance.choice(TEXTS)))
    word = f"{name}={chance.choice((chance.choice(NUMBERS), chance.choice(TEXTS)))}"
    return ["--set", chance.choice((word, word, word, name))]


def number(chance: random.Random, system: str) -> list[str]:
    """A step or so that no run can have; long runs that can be had are not malformed."""
    flag = chance.choice(("--step", "--duration", "--every"))
    return [flag, chance.choice((*TEXTS, "0", "-1", "1e-320", "1e300", "nan", "inf", "-inf", "1e12", "0x10", "1,5"))]


def target(chance: random.Random, system: str) -> list[str]:
    """A file that cannot be written."""
    names = (
        "nowhere/x.csv", "/proc/x.csv", "/dev/null/x.json", "a\0b.csv", "\0/x.npz", "x" * 300 + ".csv",
        "y" * 5000 + "/x.csv", "\ud800/x.csv", ".csv", "/", "..", "x.xls", "folder.csv", "<script>.exe", "x.csv/",
        "/sys/x.csv", "-",
    )  # fmt: skip
    return ["--out", chance.choice(names)]


FLAGS: tuple[Callable[[random.Random, str], list[str]], ...] = (
    setting,
    setting,
    number,
    target,
    lambda chance, system: ["--method", chance.choice(TEXTS)],
    lambda chance, system: [chance.choice(("--fast", "-x", "--set", "--", "--help", "--out", "--st", "@file", "-1"))],
    lambda chance, system: [chance.choice(TEXTS)],
)
MAKERS: dict[Callable[[random.Random], Case], int] = {
    broken_body: 25,
    broken_state: 15,
    wrong_values: 15,
    broken_question: 8,
    extreme_state: 10,
    broken_bytes: 8,
    broken_link: 12,
    broken_address: 5,
    broken_words: 15,
}


def attempt(client: Any, case: Case) -> Outcome:
    """Send a case, and judge what came back."""
    start = time.perf_counter()
    status, wrong = say(case.words) if case.words else send(client, case)
    return Outcome(case.kind, status, time.perf_counter() - start, wrong)


def send(client: Any, case: Case) -> tuple[int, str]:
    """Status of a request, and what is wrong with the answer."""
    if case.kind == "address":
        answer = client.get(case.path)
    else:
        answer = client.post(case.path, data=case.content, content_type=case.content_type)
    text = answer.get_data(as_text=True)
    return answer.status_code, wrong_answer(answer.status_code, answer.mimetype, text)


def wrong_answer(status: int, mimetype: str, text: str) -> str:
    """What is wrong with an answer: its status, a traceback, a refusal that is not one plain sentence."""
    if status not in GOOD_STATUSES:
        return f"status {status}"
    if "Traceback" in text:
        return "a traceback"
    if status == 400 and (mimetype != "text/plain" or len(text) > LONGEST_REFUSAL or text.count("\n") != 1):
        return "not one plain sentence"
    return "markup of the sender" if mimetype == "text/html" and "alert(1)" in text else ""


def say(words: tuple[str, ...]) -> tuple[int, str]:
    """Exit status of a command line, and what is wrong with it."""
    out, err, before = io.StringIO(), io.StringIO(), os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        os.chdir(folder)
        os.mkdir("folder.csv")
        try:
            status: Any = command_line(list(words))
        except SystemExit as left:
            status = left.code or 0
        except BaseException as error:
            return 1, f"{type(error).__name__}: {error}"[:200]
        finally:
            os.chdir(before)
    complaint = err.getvalue()
    if status == 2 and (complaint.count("\n") != 1 or out.getvalue() or len(complaint) > 600):
        return status, f"not one line: {complaint[:100]!r}"
    return status, "" if status in (0, 2) and (
        status == 2 or not complaint
    ) else f"status {status}: {complaint[:100]!r}"


def client_of_app() -> Any:
    """A client of the dashboard in this process."""
    from app import create_app

    return create_app().server.test_client()


def serve(pipe: Connection, seed: int) -> None:
    """A process that tries the cases it is told to."""
    client = client_of_app()
    callback_names()
    pipe.send("ready")
    while (index := pipe.recv()) is not None:
        pipe.send(attempt(client, make(seed, index)))


class Worker:
    """A process that can be given up: nothing in Python can interrupt a compiled loop."""

    def __init__(self, seed: int) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=serve, args=(theirs, seed), daemon=True)
        self.process.start()
        self.pipe.recv()

    def outcome(self, seed: int, index: int, seconds: float) -> Outcome | None:
        """The outcome of a case, or None if there was none in time."""
        self.pipe.send(index)
        try:
            return self.pipe.recv() if self.pipe.poll(seconds) else None
        except EOFError:
            return Outcome(make(seed, index).kind, 0, 0.0, DIED)

    def end(self) -> None:
        """Stop the process, whatever it does."""
        self.process.kill()
        self.process.join()


def outcomes(seed: int, indices: range | list[int], seconds: float) -> Iterator[tuple[int, Outcome]]:
    """All outcomes; a case that takes too long costs a process."""
    worker = Worker(seed)
    for index in indices:
        found = worker.outcome(seed, index, seconds)
        if found is None or found.wrong == DIED:
            worker.end()
            worker = Worker(seed)
        found = found or Outcome(make(seed, index).kind, 0, seconds, "no answer in time")
        yield index, replace(found, wrong=found.wrong or ("too slow" if found.seconds > seconds else ""))
    worker.end()


def report(seed: int, found: dict[int, Outcome]) -> None:
    """Counts by kind and status, the slowest, and every failure with how to repeat it."""
    counts = Counter((outcome.kind, outcome.status) for outcome in found.values())
    for (kind, status), count in sorted(counts.items()):
        print(f"{kind:8} {status:4} {count:6}", file=sys.stderr)
    for index, outcome in sorted(found.items(), key=lambda item: -item[1].seconds)[:5]:
        print(f"slow: {outcome.seconds:.2f} s, case {index}, {make(seed, index).about}", file=sys.stderr)
    for index, outcome in found.items():
        if outcome.wrong:
            case = make(seed, index)
            print(f"FAILED --seed {seed} --only {index}: {case.kind}: {outcome.wrong}: {case.about}", file=sys.stderr)


def rows(repeats: int, seed: int = SEED, count: int = COUNT) -> Iterator[Row]:
    """One row for each kind: how many failed."""
    found = dict(outcomes(seed, range(count), SECONDS))
    report(seed, found)
    for kind in sorted({outcome.kind for outcome in found.values()}):
        of_kind = [outcome for outcome in found.values() if outcome.kind == kind]
        statuses = Counter(outcome.status for outcome in of_kind)
        details = {f"status {status}": n for status, n in sorted(statuses.items())}
        details |= {"slowest s": max(outcome.seconds for outcome in of_kind), "of": len(of_kind)}
        failures = sum(bool(outcome.wrong) for outcome in of_kind)
        yield Row(f"malformed: {kind}, failures", float(failures), "", target=0.0, details=details)


def main() -> None:
    """Run them all, or one of them with its error in full."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.malformed", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--only", type=int, help="the number of one case")
    options = parser.parse_args()
    if options.only is None:
        for row in rows(1, options.seed, options.count):
            print(" | ".join(row.cells()))
        return
    case = make(options.seed, options.only)
    print(case.kind, case.about)
    print(attempt(client_of_app(), case))


if __name__ == "__main__":
    main()
