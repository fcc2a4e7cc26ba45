"""warm: compile everything before it is needed, or load it from the disk."""

from nhviz import registry
from nhviz.analysis.branches import point_of_start
from nhviz.analysis.steps import largest_step
from nhviz.problem import Problem
from nhviz.simulate import run
from nhviz.system import System


def warm() -> int:
    """Compile what is not on the disk yet, on all cores and with a progress bar; then load everything.

    Returns how many methods there are.
    """
    from nhviz.preparing import lead
    from nhviz.preparing.plan import kernels_of

    lead.prepare()
    systems = registry.registered().values()
    for kernel in (kernel for system in systems for module in system.sweep_kernels for kernel in kernels_of(module)):
        kernel.load()
    return sum(exercise(system) for system in systems)


def exercise(system: System) -> int:
    """Load the kernels of a system and run every method for two steps, with all that is asked about a step.

    So all that it needs is compiled, or loaded. Returns how many methods there were.
    """
    from nhviz.preparing.plan import kernels_of

    for kernel in (kernel for module in system.kernels for kernel in kernels_of(module)):
        kernel.load()
    for method in system.methods:
        problem = Problem.create(system.id, method.id, step=system.step.default, duration=2 * system.step.default)
        run(problem)
        run(problem, backward=True)
        if method.discrete:
            largest_step(system.id, method.id)
        if method.branches is not None:
            point = point_of_start(method.branches, dict(problem.params), dict(problem.initial))
            method.branches.solve(dict(problem.params), problem.step, point)
    return len(system.methods)
