"""Find the labs, cards and lessons: modules of the package, and files of folders of one's own.

Each file exports LAB, CARDS, CORRECTIONS, RESULTS or LESSON. NHVIZ_LABS, NHVIZ_CARDS, NHVIZ_CORRECTIONS, NHVIZ_RESULTS
and NHVIZ_LESSONS hold folders separated as in PATH; they are for the person who runs nhviz. A system without a lab of
its own gets the usual one.
"""

import os
from collections.abc import Iterable
from functools import lru_cache
from types import ModuleType
from typing import Any, TypeVar

from nhviz import cards as cards_package
from nhviz import corrections as corrections_package
from nhviz import declarations, registry
from nhviz import labs as labs_package
from nhviz import lessons as lessons_package
from nhviz import results as results_package
from nhviz.frame import checks
from nhviz.frame.records import Card, Correction, Lab, Lesson, Result
from nhviz.frame.usual import usual_lab
from nhviz.parameters import ParameterError, shown, unknown

Named = TypeVar("Named", Lab, Card, Correction, Result, Lesson)
MORE = "More"
"""The kind of labs whose systems declare none."""


def folders(variable: str) -> str:
    """The folders that a variable names."""
    return os.environ.get(variable, "")


def labs() -> dict[str, Lab]:
    """All labs by id, in the order in which they are presented."""
    return load_labs(folders("NHVIZ_LABS"), folders("NHVIZ_SYSTEMS"))


def lab(name: object) -> Lab:
    """The lab with that id, or a ParameterError."""
    known = labs()
    if not isinstance(name, str) or name not in known:
        raise ParameterError(unknown("lab", name, known), "lab")
    return known[name]


def listed() -> dict[str, Lab]:
    """The labs that stand in the menus, by id."""
    return {name: one for name, one in labs().items() if one.listed}


def families() -> dict[str, list[Lab]]:
    """The labs by kind of system, in the order in which they are presented; those of no kind come last."""
    found: dict[str, list[Lab]] = {}
    for one in listed().values():
        found.setdefault(family(one), []).append(one)
    return dict(sorted(found.items(), key=lambda item: item[0] == MORE))


def family(one: Lab) -> str:
    """The kind of system that a lab is about: its own, else that of its first system."""
    return one.family or registry.find(one.systems[0]).family or MORE


def cards() -> dict[str, Card]:
    """All cards by id."""
    return load_cards(folders("NHVIZ_CARDS"))


def lessons() -> dict[str, Lesson]:
    """All lessons by id."""
    return load_lessons(folders("NHVIZ_LESSONS"))


def corrections() -> dict[str, Correction]:
    """All corrections by id."""
    return load_corrections(folders("NHVIZ_CORRECTIONS"))


def results() -> dict[str, Result]:
    """All new results by id."""
    return load_results(folders("NHVIZ_RESULTS"))


@lru_cache(maxsize=8)
def load_labs(own: str, systems: str) -> dict[str, Lab]:
    """Every lab, checked: those that are declared, and the usual ones of other systems, in the order of systems."""
    found = by_id("labs", (exported(module, "LAB") for module in declarations.modules(labs_package, own)))
    order = {name: position for position, name in enumerate(registry.systems())}
    # What a lab shows already needs none of its own.
    seen = {name for one in found.values() for name in one.systems}
    found |= {name: usual_lab(name) for name in order if name not in found and name not in seen}
    for one in found.values():
        checks.check_lab(one)
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order) + item[1].position)))


@lru_cache(maxsize=8)
def load_cards(own: str) -> dict[str, Card]:
    """Every card, checked."""
    found = by_id("cards", members(cards_package, own, "CARDS"))
    for card in found.values():
        checks.check_card(card, labs())
    return found


@lru_cache(maxsize=8)
def load_corrections(own: str) -> dict[str, Correction]:
    """Every correction, checked."""
    found = by_id("corrections", members(corrections_package, own, "CORRECTIONS"))
    for one in found.values():
        checks.check_correction(one, labs())
    return found


@lru_cache(maxsize=8)
def load_results(own: str) -> dict[str, Result]:
    """Every new result, checked, in the order of systems."""
    found = by_id("results", members(results_package, own, "RESULTS"))
    for one in found.values():
        checks.check_result(one, labs())
    order = {name: position for position, name in enumerate(registry.systems())}
    return dict(sorted(found.items(), key=lambda item: order.get(item[1].system, len(order))))


def members(package: ModuleType, own: str, name: str) -> Iterable[Any]:
    """What the files of a package, and of folders of one's own, declare under a name."""
    return (one for module in declarations.modules(package, own) for one in exported(module, name))


@lru_cache(maxsize=8)
def load_lessons(own: str) -> dict[str, Lesson]:
    """Every lesson, checked."""
    found = by_id("lessons", (exported(module, "LESSON") for module in declarations.modules(lessons_package, own)))
    for lesson in found.values():
        checks.check_lesson(lesson, labs())
    return found


def exported(module: ModuleType, name: str) -> Any:
    """What a file declares, or a ParameterError."""
    if not hasattr(module, name):
        raise ParameterError(f"{module.__file__} must export {name}.", "lab")
    return getattr(module, name)


def by_id(kind: str, declared: Iterable[Named]) -> dict[str, Named]:
    """What is declared, by id; two of one id are a mistake worth stopping for."""
    found: dict[str, Named] = {}
    for one in declared:
        if one.id in found:
            raise ParameterError(f"Two {kind} are called {shown(one.id)}; rename one of them.", "lab")
        found[one.id] = one
    return found
