"""The whole state of a lab as a short query, and back: only what differs from the defaults is written."""

import copy
from typing import Any
from urllib.parse import parse_qsl

import nhviz
from nhviz.parameters import shown, used_or_default
from nhviz.registry import find
from server import limits

MAXIMUM_LENGTH = 4000
COMPLAINTS = 5


def default_state(system: str, methods: list[str], choices: dict[str, str]) -> dict[str, Any]:
    """The state a lab opens with."""
    facts = nhviz.describe(system)
    groups = (facts["parameters"], facts["initial"], gains(facts))
    return {
        "system": system,
        "values": {name: declared["default"] for group in groups for name, declared in group.items()}
        | {"step": facts["step"]["default"], "duration": facts["duration"]["default"]},
        "methods": list(methods),
        "choices": dict(choices),
        "errors": {},
        "preview": False,
    }


def gains(facts: dict[str, Any]) -> dict[str, Any]:
    """The options of a system's methods that are numbers: gains, in multiples of 1/step."""
    return {
        name: option
        for method in facts["methods"].values()
        for name, option in method["options"].items()
        if "choices" not in option
    }


def read(state: dict[str, Any], search: str | None, allowed: dict[str, list[str]]) -> tuple[dict[str, Any], list[str]]:
    """A state with what a link says, and a sentence for everything in the link that could not be used.

    `allowed` lists the values of each choice.
    """
    facts = nhviz.describe(state["system"])
    opening, query = copy.deepcopy(state), (search or "").lstrip("?")
    too_long = f"The link is longer than {MAXIMUM_LENGTH:,} characters; the rest is ignored."
    complaints = [too_long] if len(query) > MAXIMUM_LENGTH else []
    for name, text in parse_qsl(query[:MAXIMUM_LENGTH], keep_blank_values=True):
        if name in state["values"]:
            complaints += read_value(state, declared(facts, name), name, text)
        elif name == "methods":
            given = list(dict.fromkeys(text.split(".")))
            known = [method for method in given if method in facts["methods"]]
            if len(known) < len(given):
                complaints.append(f"The link names a method that {state['system']} does not have; it is left out.")
            state["methods"] = known or state["methods"]
        elif name in allowed and text in allowed[name]:
            state["choices"][name] = text
        elif name in allowed:
            complaints.append(f"The link says {name} = {text[:20]!r}; it can be {', '.join(allowed[name])}.")
        else:
            complaints.append(f"The link contains {name[:20]!r}, which means nothing here; it is ignored.")
    problem = impossible(state)
    told = few(complaints)
    return (opening, [*told, f"The link cannot be shown: {problem}"]) if problem else (state, told)


def few(complaints: list[str]) -> list[str]:
    """Each complaint once, and no more of them than anyone reads."""
    different = list(dict.fromkeys(complaints))
    more = len(different) - COMPLAINTS
    return [*different[:COMPLAINTS], f"And {more} more."] if more > 0 else different


def declared(facts: dict[str, Any], name: str) -> dict[str, Any]:
    """The declaration of a parameter, an initial value, a gain, the step or the duration."""
    return facts["parameters"].get(name) or facts["initial"].get(name) or gains(facts).get(name) or facts[name]


def read_value(state: dict[str, Any], facts: dict[str, Any], name: str, text: str) -> list[str]:
    """Set a value from a link; a sentence if it is no number or out of range, and the default stays."""
    try:
        number = float(text)
    except ValueError:
        return [f"The link says {name} = {text[:20]!r}, which is not a number; the default is used."]
    if not facts["min"] <= number <= facts["max"]:
        return [f"The link says {name} = {shown(number)}, which is not between {facts['min']:g} and {facts['max']:g}."]
    state["values"][name] = number
    return []


def impossible(state: dict[str, Any]) -> str:
    """Why the values of a state do not go together, or nothing."""
    facts, model = nhviz.describe(state["system"]), find(state["system"])
    steps, most = state["values"]["duration"] / state["values"]["step"], limits.most_steps(model, state["values"])
    if steps > most:
        return f"duration / step is {steps:,.0f} steps; at most {most:,} are shown here."
    groups = [used_or_default(group, state["values"], state["values"]) for group in (model.parameters, model.initial)]
    for method in state["methods"]:
        options = {
            name: state["choices"][name] for name in facts["methods"][method]["options"] if name in state["choices"]
        }
        try:
            nhviz.Problem.create(state["system"], method, *groups, every=1, options=options)
        except nhviz.ParameterError as error:
            return str(error)
    return ""
