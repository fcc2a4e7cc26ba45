"""The phase of a run on the energy ellipse against that of the flow: the arc of `nhviz.methods.ellipse`, one by one."""

import math

from nhviz.kernels.compile import piece


@piece()
def arc_of(first, second, kappa):
    """(rate, phase, sign) of the arc through z = (first, second) in the frame in which delta is 0."""
    radius = math.hypot(first, second)
    # On the equilibrium line to round-off: asinh of the ratio is about 36, or infinite.
    if abs(first) <= 1e-300 or radius == 0.0 or abs(first) < 1e-15 * radius:
        return 0.0, math.copysign(40.0, second), 0.0
    return radius * kappa, math.asinh(second / abs(first)), math.copysign(1.0, first)


@piece()
def ahead_of_flow(rate, phase, sign, rest, t, x, y):
    """The angle from the flow's place on the ellipse at time t to z = (x, y), within a half turn.

    `rest` is where a flow that rests stays.
    """
    if rate == 0.0:
        u, v = rest
    else:
        tau = rate * t + phase
        decay = math.exp(-abs(tau))
        u, v = sign * 2.0 * decay / (1.0 + decay * decay), math.tanh(tau)
    return math.atan2(u * y - v * x, u * x + v * y)


@piece()
def unwrapped(angle, before):
    """The angle, up to full turns, that is next to the one before."""
    return angle - 2.0 * math.pi * round((angle - before) / (2.0 * math.pi))
