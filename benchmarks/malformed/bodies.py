"""What the page of a lab sends to the callbacks of the server, before anything is broken."""

import random
from functools import cache
from typing import Any

from benchmarks.dashboard import named, opening, question, question_body
from benchmarks.malformed.material import Case
from callbacks import files, questions
from layouts import ids
from nhviz.frame import find
from nhviz.frame.records import Lab, Scene
from nhviz.frame.words import vocabulary

UPDATE, ASK, TABLE = Case.path, f"/{questions.ROUTE}", f"/{files.ROUTE}"

RENDER, WAIT, WATCH = "render", "wait", "watch"

START, CSV, PAGE = f"{ids.START}.data", "csv", f"{ids.PAGE}.children"

GHOSTS = f"{ids.GHOSTS}.data"


@cache
def callback_names() -> dict[str, str]:
    """The callbacks of the server by short names."""
    from app import create_app

    names = [name for name, callback in create_app().callback_map.items() if "callback" in callback]
    parts = {WAIT: f"{ids.SENTENCE}.children", WATCH: f"{ids.WATCH}.disabled"}
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
        return question_body(asked)
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
        return {"file": {"state": asked["state"]}}
    return in_views(chance, callback, lab, asked["state"])


def path_of(callback: str) -> str:
    """Where the body of a callback goes; questions and files have addresses of their own."""
    return {RENDER: ASK, CSV: TABLE}.get(callback, UPDATE)


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


def asked_of(data: dict[str, Any]) -> dict[str, Any]:
    """The question, the click, what is pinned or what is to be saved, in a body."""
    stores = (ids.CLICKED, ids.PINNED)
    for name in ("asked", "file"):
        if name in data:
            found: dict[str, Any] = data[name]
            return found
    return next(i["value"] for i in (*data["inputs"], *data["state"]) if i["id"] in stores)


def state_of(data: dict[str, Any]) -> dict[str, Any]:
    """The state in a body."""
    return asked_of(data)["state"]


def scene_of(state: dict[str, Any]) -> Scene:
    """The scene of a state; the first of some lab if it no longer names one."""
    scenes = {(lab.id, scene.id): scene for lab in find.labs().values() for scene in lab.scenes}
    name = (str(state.get("lab")), str(state.get("scene")))
    return scenes[name] if name in scenes else next(iter(scenes.values()))
