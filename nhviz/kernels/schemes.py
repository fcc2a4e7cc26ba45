"""Feedback integrators with everything in registers: `kernels.feedback.orbit` for one system, of which it is a part.

The general loop calls the field and the conserved functions through pointers, which takes as long as their formulas,
keeps states and gradients in memory, and computes what both need twice. Here a system gives two pieces instead:

    rates(y, body, known) -> dy, terms, known
    pulled(dy, terms, body, gains, targets) -> dy, offs

All are tuples. `body` is what follows from its parameters, `terms` what the pull needs of the field's making, `known`
what one evaluation leaves to the next (`circle.turned`). `offs` is how far the conserved functions are from their
targets. One kernel, of the types in ORBIT, reads its arguments into tuples and calls `follow`; tests hold it against the
general loop.

A step waits for the one before. What counts is the longest chain of operations from a state to its rates, not their
number: a quotient that is ready early may well be multiplied twice.
"""

from nhviz.kernels.compile import piece
from nhviz.kernels.tuples import below, keep, moved, near, zeros

ORBIT = "integer(vector, vector, vector, vector, number, integer, integer, integer, number, number, matrix)"
"""orbit(start, p, gains, targets, step, steps, every, stages, limit, slack, out), as `kernels.feedback.orbit` has it."""


@piece(forceinline=True)
def follow(rates, pulled, y, body, known, gains, targets, step, steps, every, stages, limit, slack, out):
    """Fill out[sample] by Euler's scheme (stages 1) or that of Runge and Kutta (stages 4), forwards; the steps taken.

    A loop over stages instead of four copies: these would be faster by a tenth, and compile in three times the time.
    """
    pulls = False
    for gain in gains:
        pulls |= gain != 0.0
    keep(y, out[0])
    share = step if stages == 1 else step / 6.0
    sample, left = 1, every
    for count in range(1, steps + 1):
        work, total = y, zeros(y)
        for stage in range(stages):
            dy, terms, known = rates(work, body, known)
            if pulls:
                dy, offs = pulled(dy, terms, body, gains, targets)
                if stage == 0 and not near(offs, targets, slack):
                    return count - 1
            total = moved(total, 2.0 if 0 < stage < 3 else 1.0, dy)
            work = moved(y, step if stage == 2 else 0.5 * step, dy)
        y = moved(y, share, total)
        if not below(y, limit):
            return count - 1
        left -= 1
        if left == 0:
            left = every
            keep(y, out[sample])
            sample += 1
    return steps
