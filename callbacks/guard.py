"""What reaches a callback: only bodies that the page could have sent. Everything else gets status 400 and a sentence.

Dash trusts the body of an update request and fails on one that is not as expected. Here its outer shape is compared
with the callbacks that exist, and the values with `callbacks.shape`, before Dash sees it.
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from dash import Dash
from dash.exceptions import DependencyException
from flask import request
from werkzeug.exceptions import BadRequest

from callbacks.shape import LONGEST_LIST, MalformedError, check_value, require
from server.plain import said

ROUTE = "_dash-update-component"
DEEPEST = 30
NESTED = (dict, list)
MANY, ONE = (["ALL"], ["ALLSMALLER"]), (["MATCH"],)


def register(app: Dash) -> None:
    """Look at every update request before Dash does; answer what is malformed in one plain sentence."""
    path = app.config.routes_pathname_prefix + ROUTE

    def look() -> None:
        if request.path == path and request.method == "POST":
            check_body(app.callback_map, read_body())

    app.server.before_request(look)
    app.server.register_error_handler(MalformedError, lambda error: said(error, 400))
    app.server.register_error_handler(DependencyException, lambda _: said("There is no such file.", 404))


def read_body() -> Any:
    """The body of the request as strict JSON, which Dash will find read, and not nested deeply."""
    require(request.is_json, "The request must be JSON.")
    try:
        body = request.get_json()
    except BadRequest:
        raise MalformedError("The request is not JSON.") from None
    require(is_shallow(body, DEEPEST), "The request is nested too deeply.")
    return body


def is_shallow(value: Any, levels: int) -> bool:
    """Whether a value is nested in no more than so many levels."""
    layer = [value] if isinstance(value, NESTED) else []
    while layer and levels > 0:
        layer = [item for outer in layer for item in inside(outer) if isinstance(item, NESTED)]
        levels -= 1
    return not layer


def inside(outer: dict[str, Any] | list[Any]) -> Iterable[Any]:
    """What a dictionary or a list holds."""
    return outer.values() if isinstance(outer, dict) else outer


def check_body(callbacks: dict[str, Any], body: Any) -> None:
    """A body names a callback of the server and brings what the callback declares."""
    require(isinstance(body, dict), "The request must be an object.")
    name = body.get("output")
    require(isinstance(name, str) and "callback" in callbacks.get(name, {}), "There is no such callback.")
    callback = callbacks[name]
    check_outputs(callback, body.get("outputs"))
    inputs, states = body.get("inputs"), body.get("state", [])
    check_inputs(callback["inputs"], inputs)
    check_inputs(callback["state"], states)
    check_changed(body.get("changedPropIds", []), inputs)


def check_outputs(callback: dict[str, Any], given: Any) -> None:
    """The outputs are those of the callback."""
    if callback["no_output"]:
        return
    several = isinstance(callback["output"], list | tuple)
    outputs = callback["output"] if several else [callback["output"]]
    declared = [{"id": output.component_id_str(), "property": output.component_property} for output in outputs]
    check_list(declared, given if several else [given], "The outputs are not those of the callback.")


def check_inputs(declared: list[dict[str, Any]], given: Any) -> None:
    """The inputs are those of the callback, and each value has its shape."""
    check_list(declared, given, "The inputs are not those of the callback.")
    for item in flat(given):
        identity = item["id"]
        name = identity if isinstance(identity, str) else identity.get("kind", "")
        check_value(name, item["property"].partition("@")[0], item.get("value"))


def check_list(declared: list[dict[str, Any]], given: Any, sentence: str) -> None:
    """Dependencies of a request against those declared, one by one; a pattern stands for a list."""
    require(isinstance(given, list) and len(given) == len(declared), sentence)
    for wanted, found in zip(declared, given, strict=True):
        identity, pattern = parsed(wanted["id"])
        require(isinstance(found, list if pattern else dict), sentence)
        items = found if pattern else [found]
        require(len(items) <= LONGEST_LIST, sentence)
        require(all(matches(identity, wanted["property"], item) for item in items), sentence)


@lru_cache(maxsize=256)
def parsed(identity: str) -> tuple[Any, bool]:
    """A declared identity, and whether it stands for a list of components."""
    found = json.loads(identity) if identity.startswith("{") else identity
    return found, isinstance(found, dict) and any(value in MANY for value in found.values())


def matches(identity: Any, prop: str, item: Any) -> bool:
    """Whether an item of a request is a dependency, or one of those that its pattern stands for."""
    # Behind an @ stands which of several callbacks with one output is meant.
    if not isinstance(item, dict) or str(item.get("property")).partition("@")[0] != prop.partition("@")[0]:
        return False
    given = item.get("id")
    if not isinstance(identity, dict):
        return given == identity
    if not isinstance(given, dict) or given.keys() != identity.keys():
        return False
    return all(type(given[k]) in (str, int) if v in MANY + ONE else given[k] == v for k, v in identity.items())


def check_changed(changed: Any, inputs: list[Any]) -> None:
    """What changed is among the inputs."""
    known = {f"{written(item['id'])}.{item['property']}" for item in flat(inputs)}
    good = isinstance(changed, list) and len(changed) <= LONGEST_LIST
    require(good and all(isinstance(name, str) and name in known for name in changed), "No such input has changed.")


def written(identity: Any) -> str:
    """An identity as the names of changed inputs contain it."""
    return identity if isinstance(identity, str) else json.dumps(identity, sort_keys=True, separators=(",", ":"))


def flat(items: list[Any]) -> list[dict[str, Any]]:
    """The dependencies of a request without the lists that patterns stand for."""
    return [one for item in items for one in (item if isinstance(item, list) else [item])]
