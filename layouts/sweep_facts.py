"""What the browser needs to know to turn choices into sweeps: systems, their methods and quantities, all numbers."""

from functools import lru_cache
from typing import Any

from layouts.controls import pretty, symbol
from nhviz import registry
from nhviz.frame import where
from nhviz.frame.sweeping import Spot
from nhviz.parameters import Choice, Parameter
from nhviz.sweeps import link
from nhviz.sweeps.opening import opening
from nhviz.sweeps.presets import PRESETS, Preset
from nhviz.sweeps.usual import measures_of
from nhviz.sweeps.value import Sweep
from nhviz.system import Measure, Method, System
from server.paths import plotly


def facts(sweep: Sweep, at: Spot) -> dict[str, Any]:
    """Everything that can be swept, what the page opens with, and where that is read first."""
    return {
        "plotly": plotly(),
        "stepName": link.STEP,
        "durationName": link.DURATION,
        "opening": words(sweep),
        "at": list(at),
        "systems": systems(),
        "presets": {preset.id: of_preset(preset) for preset in PRESETS},
    }


def words(sweep: Sweep) -> dict[str, Any]:
    """A sweep as the browser has it: what is told in its link."""
    return {
        "of": sweep.system,
        "show": sweep.quantity,
        "map": sweep.method,
        "x": sweep.x.to_dict(),
        "y": sweep.y.to_dict() if sweep.y else None,
        "given": link.given(sweep),
    }


def of_preset(preset: Preset) -> dict[str, Any]:
    """A preset: its words, its sweep, where it is read first, and the levels that it marks."""
    return {
        "title": preset.title,
        "words": preset.words,
        "state": words(preset.create()),
        "at": list(preset.at),
        "marks": [list(mark) for mark in preset.marks],
    }


@lru_cache(maxsize=1)
def systems() -> dict[str, Any]:
    """All systems in the order of the menus."""
    return {name: of_system(registry.find(name), called(name)) for name in registry.systems()}


def called(system: str) -> str:
    """What the lab of a system is called; nothing if it has none."""
    return next((lab.heading for lab, _, _ in where.panels_of(system)), "")


def of_system(model: System, title: str) -> dict[str, Any]:
    """A system: its numbers, its methods, its quantities, and the sweep with which it opens."""
    numbers = {p.name: number(p, group) for group, declared in groups(model).items() for p in declared}
    return {
        "title": title or model.title,
        "numbers": numbers,
        "methods": {method.id: of_method(method) for method in model.methods},
        "measures": {measure.id: of_measure(model, measure) for measure in measures_of(model).values()},
        "opening": words(opening(model)),
    }


def groups(model: System) -> dict[str, tuple[Parameter, ...]]:
    """Numbers by the argument of nhviz.sweep that takes them; those of no group are arguments themselves."""
    return {"params": model.parameters, "initial": model.initial, "": (model.step, model.duration)}


def of_method(method: Method) -> dict[str, Any]:
    """A method: its title and its options."""
    return {
        "title": method.title,
        "numbers": {o.name: number(o, "options") for o in method.options if isinstance(o, Parameter)},
        "choices": {
            o.name: {"group": "options", "default": o.default, "labels": o.labels, "meaning": o.meaning}
            for o in method.options
            if isinstance(o, Choice)
        },
    }


def of_measure(model: System, measure: Measure) -> dict[str, Any]:
    """A quantity: its names, the methods that have it, and the axes with which it opens."""
    first = words(opening(model, measure.id))
    return {
        "title": measure.title,
        "unit": pretty(measure.unit),
        "meaning": measure.meaning,
        "kind": measure.kind,
        "methods": [m.id for m in model.methods if not measure.methods or m.id in measure.methods],
        "numbers": {p.name: number(p, "options") | {"optional": measure.optional} for p in measure.axes},
        "axes": {which: first[which] for which in ("x", "y")},
    }


def number(declared: Parameter, group: str) -> dict[str, Any]:
    """A number: its symbol in two parts, its unit, its ranges."""
    told = declared.describe()
    base, *sub = symbol(told["symbol"])
    return {
        "symbol": [base, str(sub[0].children) if sub else ""],
        # A gain is declared in multiples of 1/step; along an axis it is a number by itself.
        "unit": "1/s" if declared.per_step else pretty(told["unit"]),
        "meaning": told["meaning"],
        "group": group,
        "default": told["default"],
        "min": told["min"],
        "max": told["max"],
        "slider": told["slider"],
        **({"perStep": True} if told.get("per_step") else {}),
        **({"whole": True} if told.get("whole") else {}),
        **({"needs": told["needs"]} if "needs" in told else {}),
    }
