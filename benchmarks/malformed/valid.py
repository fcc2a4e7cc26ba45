"""Good questions, clicks, ghosts and files in any state that the controls can set: each must be answered."""

import json
import random
from typing import Any

from benchmarks import answers, states
from benchmarks.dashboard import named, question_body
from benchmarks.malformed.bodies import CSV, GHOSTS, RENDER, START, packed, path_of
from benchmarks.malformed.material import Case, encoded
from benchmarks.states import Asked
from layouts import ids


def valid_state(chance: random.Random) -> Case:
    """Something that a page can ask for."""
    asked = states.ask(chance)
    store, data = sent(asked)
    about, path = f"{asked.what}, {asked.theme}: {asked.link}", path_of(store)
    return Case("valid", about, path, content=encoded(written(data)), store=store)


def sent(asked: Asked) -> tuple[str, dict[str, Any]]:
    """The store that is asked for, or that it is a question or a file, and the body that the page sends."""
    state, theme = asked.state.to_dict(), named(ids.THEME, "data") | {"value": asked.theme}
    if asked.question is not None:
        return RENDER, question_body(asked.question, asked.theme)
    if asked.what == "click":
        click = {"state": state, "view": asked.view, "place": list(asked.place)}
        return ids.START, packed(START, [named(ids.CLICKED, "data") | {"value": click}], [])
    if asked.what == "ghosts":
        pinned = {"state": state, "views": list(asked.views)}
        return ids.GHOSTS, packed(GHOSTS, [named(ids.PINNED, "data") | {"value": pinned}], [theme])
    return CSV, {"file": {"state": state}}


def written(value: Any) -> Any:
    """Nested data with its numbers as a browser writes them: whole ones below 10^21 without a point."""
    if isinstance(value, dict):
        return {name: written(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [written(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e21 else value


def wrong_answer(store: str, status: int, text: str) -> str:
    """What is wrong with an answer to something good. Why there is no ghost stands beside a control."""
    if store == CSV:
        return answers.wrong_file(status, text)
    if status == 204 and store == ids.GHOSTS:
        return ""
    if status != 200:
        return f"status {status}"
    if store == RENDER:
        return answers.wrong_question(json.loads(text))
    response = json.loads(text)["response"]
    if store not in response:
        return "" if store == ids.GHOSTS else "no answer"
    return answers.JUDGES[store](response)
