"""How large a gain of a feedback can be: linear algebra along a run.

Near the integrals a feedback adds -M, M = sum of k_i g_i g_i^T with the gradients g_i of the conserved functions; a
scheme is stable while the largest eigenvalue of M stays below a level L (`nhviz.methods.feedback`). M grows with every
k_i in the order of symmetric matrices, hence so does that eigenvalue: what is stable is an interval from 0 on. With N
the part of M of all other gains and X the matrix of the gradients that the gain k multiplies, the eigenvalue of
N + k X^T X reaches L > |N| where L - N - k X^T X becomes singular, which is at

    k = 1 / largest eigenvalue of X (L - N)^-1 X^T.

With N = S^T S and the Gram matrices of S and X alone, X (L - N)^-1 X^T = (X X^T + X S^T (L - S S^T)^-1 S X^T)/L: no
matrix is larger than the number of gains, and no search is needed.
"""

import numpy as np

from nhviz.system import Array

COARSE = 400
"""So many samples find where the run is worst; its neighbours are then looked at closely."""


def largest_gain(gram: Array, gains: Array, own: Array, level: float) -> float | None:
    """The largest k for the functions `own`, from the Gram matrices (samples, functions, functions) of the gradients.

    None says that nothing bounds it, 0 that the other gains alone pass the level.
    """
    stride = -(-len(gram) // COARSE)
    coarse = needed(gram[::stride], gains, own, level)
    worst = stride * int(coarse.argmax())
    fine = needed(gram[max(worst - stride, 0) : worst + stride + 1], gains, own, level)
    largest = max(float(coarse.max()), float(fine.max()))
    return 1.0 / largest if largest > 0.0 else None


def needed(gram: Array, gains: Array, own: Array, level: float) -> Array:
    """1/k at each sample; infinite everywhere if the other gains alone pass the level somewhere."""
    others, mine = np.flatnonzero(~own), np.flatnonzero(own)
    roots = np.sqrt(gains[others])
    gap = level * np.eye(others.size) - roots[:, None] * roots * gram[:, others[:, None], others]
    try:
        np.linalg.cholesky(gap)
    except np.linalg.LinAlgError:
        return np.full(len(gram), np.inf)
    mixed = roots[:, None] * gram[:, others[:, None], mine]
    form = gram[:, mine[:, None], mine] + np.swapaxes(mixed, 1, 2) @ np.linalg.solve(gap, mixed)
    return (form[:, 0, 0] if mine.size == 1 else np.linalg.eigvalsh(form)[:, -1]) / level
