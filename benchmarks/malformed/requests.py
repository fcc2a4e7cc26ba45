"""Broken bodies, questions, links and addresses: what a page cannot have sent, and no person would type."""

import copy
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from benchmarks.malformed.bodies import (
    CSV,
    GHOSTS,
    PAGE,
    RENDER,
    START,
    TABLE,
    UPDATE,
    any_callback,
    any_lab,
    asked_of,
    body,
    path_of,
    scene_of,
)  # fmt: skip
from benchmarks.malformed.material import NUMBERS, TEXTS, Case, encoded, junk
from nhviz.frame.words import LAYOUT, SCENE, vocabulary


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
    what = f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}"
    return Case("body", what, path_of(callback), encoded(data))


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
    for name in chance.sample(list(asked), min(len(asked), chance.choice((1, 1, 2)))):
        if name == "state" or chance.random() < 0.3:
            asked[name] = junk(chance)
        elif chance.random() < 0.1:
            del asked[name]
        else:
            asked[name] = copy.deepcopy(chance.choice(fields[name]))
        about.append(f"{name} = {asked.get(name)!r}"[:60])
    what = f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}"
    return Case("question", what, path_of(callback), encoded(data))


def broken_bytes(chance: random.Random) -> Case:
    """A body that is not JSON, is cut off, is nested deeply, is huge, or claims to be something else."""
    callback = any_callback(chance)
    content = encoded(body(chance, callback))
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
    content_type = "application/json" if usual else chance.choice(types)
    return Case("bytes", about, path_of(callback), kinds[about], content_type)


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
        TABLE,
    )
    endings = ("/", "/" + quote(chance.choice(TEXTS), errors="replace"), "/..%2f..%2fapp.py", "/%00", "/x/y.js")
    start, ending = chance.choice(starts), chance.choice(endings)
    query = quote(broken_query(chance), safe="?&=%;")
    return Case("address", (start + ending + query)[:120], path=start + ending + query)
