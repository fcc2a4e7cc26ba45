"""How much a page may ask for.

A problem of a page is `admitted`: it has no more steps than a page can wait for, and a flow that is integrated a budget
of internal steps. Both depend on the system and its parameters only, so that the page, the file and the lines of
Python of one state are the same run.
"""

import math
from dataclasses import replace

from nhviz.parameters import ParameterError
from nhviz.problem import Problem
from nhviz.registry import find
from nhviz.system import System, Values
from server import service

MAP_NUMBERS, FLOW_NUMBERS = 28_000_000, 1_400_000
"""Most numbers that a page can wait for: in steps of a map, and in internal steps of a flow, which cost twenty times as
much."""
FILE_ROWS, FILE_NUMBERS = 20_000, 300_000
"""Most rows of a file that a page offers, and most numbers in it."""


def admitted(problem: Problem) -> Problem:
    """A problem as a page may ask for it, its flow with a budget; a ParameterError if it has too many steps."""
    system, params = find(problem.system), dict(problem.params)
    most = most_steps(system, params)
    if problem.steps > most:
        raise ParameterError(
            f"duration / step is {problem.steps:,} steps; at most {most:,} are shown here: "
            "raise step or lower duration.",
            "step",
        )
    if system.method(problem.method).discrete:
        return problem
    budget = most_flow_steps(system, params)
    return replace(problem, budget=budget if problem.budget is None else min(budget, problem.budget))


def for_file(problem: Problem, runs: int = 1) -> Problem:
    """The same problem with as many samples as a file of so many runs may have, or as it has itself."""
    columns = 1 + find(problem.system).size(dict(problem.params))
    rows = max(1, min(FILE_ROWS, FILE_NUMBERS // columns) // runs)
    return replace(problem, every=max(1, min(problem.every, math.ceil(problem.steps / rows))))


def most_steps(system: System, params: Values) -> int:
    """How many steps a page can wait for: fewer in many dimensions, where a step has more numbers."""
    return min(service.current().settings.max_steps, MAP_NUMBERS // system.size(params))


def most_flow_steps(system: System, params: Values) -> int:
    """How many internal steps of a flow a page can wait for."""
    return FLOW_NUMBERS // system.size(params)
