"""What a page asks the server for."""

from nhviz.problem import Problem, Trajectory
from server.cache import RUNS


def run(problem: Problem) -> Trajectory:
    """The run of a problem, from wherever it is quickest to have."""
    return RUNS.run(problem)
