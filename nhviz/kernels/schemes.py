"""Feedback integrators with everything in registers: `kernels.feedback.orbit` for one system, of which it is a part.

The general loop calls the field and the conserved functions through pointers, which takes as long as their formulas,
keeps states and gradients in memory, and computes twice what both need. Here a system gives two pieces instead:

    rates(y, body, known) -> dy, terms, known
    pulled(dy, terms, body, gains, targets) -> dy, offs

All are tuples. `body` is what follows from its parameters, `terms` what the pull needs of the field's making, `known`
what one evaluation leaves to the next (`circle.turned`), `offs` how far the conserved functions are from their targets.
A kernel of the types ORBIT reads its arguments into tuples and calls `follow`; tests hold it against the general loop.

A step waits for the one before it. What counts is the longest chain of operations from a state to its rates, not their
number: so sums are arranged for what is late to come last, and roots are taken beside quotients, not of them.
"""

from nhviz.kernels.compile import piece
from nhviz.kernels.tuples import below, keep, moved, near

ORBIT = "integer(vector, vector, vector, vector, number, integer, integer, integer, number, number, matrix)"
"""orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out)."""


@piece(forceinline=True)
def follow(rates, pulled, y, body, known, gains, targets, step, steps, every, stages, limit, slack, out):
    """Fill out[sample] by Euler's scheme (stages 1) or that of Runge and Kutta (stages 4), with a positive step.

    Returns the number of steps taken, as `kernels.feedback.orbit` does.
    """
    pulls = False
    for gain in gains:
        pulls |= gain != 0.0
    keep(y, out[0])
    sample, left = 1, every
    for count in range(1, steps + 1):
        dy, terms, known = rates(y, body, known)
        if pulls:
            dy, offs = pulled(dy, terms, body, gains, targets)
            if not near(offs, targets, slack):
                return count - 1
        if stages == 1:
            y = moved(y, step, dy)
        else:
            work, total = moved(y, 0.5 * step, dy), dy
            # Three copies instead of a loop would be faster by a tenth, and take twice as long to compile.
            for stage in range(1, 4):
                dy, terms, known = rates(work, body, known)
                if pulls:
                    dy, offs = pulled(dy, terms, body, gains, targets)
                total = moved(total, 2.0 if stage < 3 else 1.0, dy)
                work = moved(y, step if stage == 2 else 0.5 * step, dy)
            y = moved(y, step / 6.0, total)
        if not below(y, limit):
            return count - 1
        left -= 1
        if left == 0:
            left = every
            keep(y, out[sample])
            sample += 1
    return steps
