r"""When the Suslov top moves as a free body: the constraint asks for no torque, and the momentum in space R M is kept.

The constraint holds by a torque lambda about the third body axis: (R M)' = lambda R e3, with
lambda = M3' + u M2 - v M1 = I13 u' + I23 v' + (I22 - I11) u v, a quadratic form in (u, v):

    lambda = (I13 I23/I22) u^2 + (I22 - I11 + I23^2/I22 - I13^2/I11) u v - (I13 I23/I11) v^2.

**Theorem 1.** Every motion is free (lambda = 0 for all (u, v)) if and only if I23 = 0 and I11 (I22 - I11) = I13^2, or
I13 = 0 and I22 (I11 - I22) = I23^2. Unless I13 = I23 = 0, where all rest, it is the first case in which both limit
axes coincide (`nhviz.analysis.limit_axes` with k = 0): both are along R M.

*Proof.* The first and the last coefficient vanish only with I13 I23 = 0; the middle one is the rest. Then R M is fixed,
and a limit rotation about a body axis that keeps it fixed is about R M itself.

**Theorem 2.** For such a tensor `moser_veselov` keeps R M exactly, all three components, on every branch.

*Proof.* Let I23 = 0, I13 = c I11 and hence I22 = (1 + c^2) I11. With (x, y) = (eps/2)(u, v) and D = 1 + x^2 + y^2 the
momentum before a step is (eps/2) M = (I11/D)(x + c x y, (1 + c^2) y - c x^2, c x + c^2 x y): M3 = c M1. The momentum
carried through the step, W^T M, has the quadratic terms with the other sign, hence M3 = c M1 as well. The next
momentum has the same M1 and M2, hence the same M3: nothing is projected away. The locus is the plane d* itself, and the
run is one of the free body's map. The other case exchanges the axes 1 and 2.

`cayley` does not: there (eps/2) M3 = c ((eps/2) M1 - x S) both before and after a step, with S = I11 x^2 + I22 y^2. A
step changes R M by -(2 c/eps)(x' S' - x S) R' e3, x' and S' being those of the next step: by the order eps^3.

**Not enough is k = I13 u + I23 v = 0**, at a rest point of a map or for I13 = I23 = 0. There both maps have
M3 = (2/Delta) eps (I22 - I11) u v or (eps/2)(I22 - I11) u v before a step and -M3 after it, so that each step
changes R M by 2 M3 R' e3. Neither keeps R M there unless I11 = I22, u = 0 or v = 0, and then both do.
"""

import numpy as np

from nhviz.problem import Trajectory
from nhviz.system import Array, Values


def torque_form(params: Values) -> tuple[float, float, float]:
    """Coefficients of u^2, u v and v^2 in the torque that holds the constraint; all 0 for a body that moves freely."""
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    return i13 * i23 / i22, i22 - i11 + i23**2 / i22 - i13**2 / i11, -i13 * i23 / i11


def momentum_in_space(run: Trajectory) -> Array:
    """R M along a run of the Suslov top, (samples, 3)."""
    return np.einsum("nij,nj->ni", run["R"], np.stack([run[name] for name in ("M1", "M2", "M3")], axis=1))
