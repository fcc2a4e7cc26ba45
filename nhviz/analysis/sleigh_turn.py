"""The total turn of the discrete sleigh (`fedorov_zenkov`), which depends on the phase of the start, but hardly.

Every orbit of the flow turns by pi sqrt(1 + J/(m a^2)) in all. An orbit of the map turns by a sum of turns d_n over
all steps, and two orbits of one energy that do not share their points need not turn alike. In the notation of
`nhviz.kernels.sleigh_turns` the map is (P, c) -> (2A sin d - P, c + 4 mu sin^2(d/2)), and its inverse is the same
with (P, -c) before and after. So there are two symmetric orbits: one starts at c = 0, one has a step from (P, -c) to
(P, c), with P = A sin d and c = 2 mu sin^2(d/2). By the symmetry the total turn is stationary in the phase at both.

The dependence is beyond all orders: it vanishes faster than any power of eps as eps goes to 0 at a fixed energy. For
any N the map is the flow for the time eps of a field X_N on the arc of the ellipse (its modified equation, cut off),
up to eps^(2N + 1), and d is eps times a function on the arc, up to eps^(2N + 1); all that vanishes at the two
equilibria, to which orbits tend exponentially. A sum of an analytic, exponentially decaying function of time over
times eps n + t does not depend on t up to exp(-const/eps) (Poisson's formula), and the remainders sum up to eps^(2N).
So the dependence is less than a constant times eps^(2N), for every N.

How small it is has been observed, not proved: const exp(-pi^2/lambda)(1 + O(eps^2)), where exp(-lambda) = (2A -
c)/(2A + c), c = eps |a| sqrt(2 m E), is the multiplier of the map at the stable equilibrium. With lambda = beta eps,
beta = |a| sqrt(2 m E)/A, that is the exponent of Poisson's formula for the turn of the flow, whose omega = sqrt(2E/A)
sech(beta t) has its poles at +-i pi/(2 beta); the constant is another one (for J = m = a = E = 1 it is 452 instead of
8 pi sqrt 2 = 36), as the poles of the discrete orbit's turn are others.
"""

import math

from nhviz import kernels
from nhviz.maps.sleigh_branches import inertias, sharp_single_valued_step
from nhviz.parameters import ParameterError
from nhviz.system import Values


def turns_from(spin: float, mu: float, p: float, c: float) -> list[float]:
    """The turns of all steps of an orbit from here on, until they are less than round-off."""
    turns = []
    total = spin + mu
    while abs(p) > 1e-18 * total:
        _, sine, cosine = kernels.sleigh_turns.cubic_half_turn(spin, mu, p, c)
        turns.append(2.0 * math.atan2(sine, cosine))
        p, c = 4.0 * total * sine * cosine - p, c + 4.0 * mu * sine * sine
    return turns


def check_step(params: Values, step: float, energy: float) -> tuple[float, float, float]:
    """J, m a^2 and the level 2 E eps^2 of a map with one real branch."""
    bound = sharp_single_valued_step(params, energy)
    if bound is None or not 0.0 < step < bound:
        allowed = "there is none at rest" if bound is None else f"less than {bound:.6g}"
        raise ParameterError(f"step must leave the map single-valued ({allowed}), not {step:g}.", "step")
    return params["J"], inertias(params)[1], 2.0 * energy * step * step


def total_turn(params: Values, step: float, energy: float, angle: float) -> float:
    """The total turn of the orbit through P = sqrt(level A) cos(angle), c = sqrt(level mu) sin(angle), P > 0."""
    spin, mu, level = check_step(params, step, energy)
    p, c = math.sqrt(level * (spin + mu)) * math.cos(angle), math.sqrt(level * mu) * math.sin(angle)
    # Backwards the orbit runs as from (P, -c) forwards.
    return math.fsum([*turns_from(spin, mu, p, c), *turns_from(spin, mu, p, -c)])


def turn_spread(params: Values, step: float, energy: float) -> float:
    """The total turn of the orbit through c = 0 minus that of the other symmetric orbit: the peaks over all phases."""
    spin, mu, level = check_step(params, step, energy)
    total = spin + mu
    # The symmetric step has P^2/A + c^2/mu = 4 A s - 4 J s^2 with s = sin^2(d/2).
    s = 0.5 * level / (total + math.sqrt(total * total - spin * level))
    turn = 2.0 * math.asin(math.sqrt(s))
    across = turns_from(spin, mu, total * math.sin(turn), 2.0 * mu * s)
    through = turns_from(spin, mu, math.sqrt(level * total), 0.0)
    return math.fsum([2.0 * d for d in through] + [-turn] + [-2.0 * d for d in across])
