"""The whole state of a lab as a short query, and back: only what differs from the defaults is written."""

from typing import Any
from urllib.parse import parse_qsl

import nhviz

MAXIMUM_LENGTH = 4000


def default_state(system: str, methods: list[str], choices: dict[str, str]) -> dict[str, Any]:
    """The state a lab opens with."""
    facts = nhviz.describe(system)
    return {
        "system": system,
        "values": {name: facts[group][name]["default"] for group in ("parameters", "initial") for name in facts[group]}
        | {"step": facts["step"]["default"], "duration": facts["duration"]["default"]},
        "methods": list(methods),
        "choices": dict(choices),
        "errors": {},
        "preview": False,
    }


def read(state: dict[str, Any], search: str | None) -> tuple[dict[str, Any], list[str]]:
    """A state with what a link says, and a sentence for everything in the link that could not be used."""
    complaints = []
    facts = nhviz.describe(state["system"])
    pairs = parse_qsl((search or "").lstrip("?")[:MAXIMUM_LENGTH], keep_blank_values=True)
    for name, text in pairs:
        if name in state["values"]:
            try:
                state["values"][name] = float(text)
            except ValueError:
                complaints.append(f"The link says {name} = {text[:20]!r}, which is not a number; the default is used.")
        elif name == "methods":
            known = [method for method in text.split(".") if method in facts["methods"]]
            if len(known) < len(text.split(".")):
                complaints.append(f"The link names a method that {state['system']} does not have; it is left out.")
            state["methods"] = known or state["methods"]
        elif name in state["choices"]:
            state["choices"][name] = text[:40]
        else:
            complaints.append(f"The link contains {name[:20]!r}, which means nothing here; it is ignored.")
    return state, complaints
