"""warm: compile everything before the first request, or load it from the cache on disk."""

from nhviz import registry
from nhviz.analysis.branches import point_of_start
from nhviz.analysis.steps import largest_step
from nhviz.problem import Problem
from nhviz.simulate import run


def warm() -> int:
    """Run every method of every system for two steps, forward and backward, with all that is asked about a step.

    Returns how many methods there were.
    """
    count = 0
    for system in registry.registered().values():
        for method in system.methods:
            problem = Problem.create(system.id, method.id, step=system.step.default, duration=2 * system.step.default)
            run(problem)
            run(problem, backward=True)
            if method.discrete:
                largest_step(system.id, method.id)
            if method.branches is not None:
                point = point_of_start(method, dict(problem.params), dict(problem.initial))
                method.branches(dict(problem.params), problem.step, point)
            count += 1
        if system.warm is not None:
            system.warm()
    return count
