"""Phase lead of a map against the flow, measured and predicted to leading order.

The phase is the angle phi on the energy ellipse. One step of a map errs by eps^3 (g_phi, g_E) in phase and energy
(`Local.defect` of the method); over a run these errors are carried along by the flow's own linearisation,

    dr' = eps^2 g_E / r,    dphi' = eps^2 g_phi + kappa cos(chi) dr - r kappa sin(chi) dphi,

with chi = phi - delta and r = sqrt(2 E). Its homogeneous solution is cos(chi), which leaves two quadratures. For
Moser-Veselov g_phi is k times a positive form, for Cayley a negative one, when the products of inertia are moderate:
the first runs ahead, the second lags behind.
"""

import numpy as np

from nhviz.methods import ellipse
from nhviz.parameters import ParameterError
from nhviz.problem import Trajectory
from nhviz.system import Array, MomentumPlane

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)


def momentum_of(run: Trajectory) -> tuple[MomentumPlane, Array]:
    """The run's momentum plane and its momenta (2, n)."""
    plane = run.system.plane
    if plane is None:
        raise ParameterError(f"{run.system.id} has no momentum plane, hence no phase.", "system")
    return plane, np.stack([run[name] for name in plane.axes])


def phase_lead(run: Trajectory) -> Array:
    """Phase of the run minus phase of the flow at the same times, positive where the run is ahead."""
    here, there, sense = phases(run)
    return sense * (here - there)


def phases(run: Trajectory) -> tuple[Array, Array, float]:
    """Phase of the run, that of the flow at the same times, with a difference without jumps, and the flow's sense."""
    plane, momentum = momentum_of(run)
    arc = ellipse.solve(plane, run.params, momentum[:, 0])
    x, y = plane.matrix(run.params) @ momentum
    u, v = arc.angle(run.t) if arc.rate else (x[0], y[0])
    here, ahead = np.arctan2(y, x), np.arctan2(u * y - v * x, u * x + v * y)
    if np.abs(ahead[1:] - ahead[:-1]).max(initial=0.0) > np.pi:
        ahead = np.unwrap(ahead)
    return here, here - ahead, sense_of(arc)


def sense_of(arc: ellipse.Arc) -> float:
    """Sense in which the flow's phase moves: 1, -1, or 0 at rest."""
    return float(np.sign(arc.rate) * arc.sign)


def predicted_lead(run: Trajectory) -> Array:
    """Leading order, eps^2, of the phase lead of a map that declares its one-step defect."""
    local = run.method.local
    if local is None or local.defect is None:
        raise ParameterError(f"The method {run.problem.method} declares no one-step defect.", "method")
    plane, momentum = momentum_of(run)
    arc = ellipse.solve(plane, run.params, momentum[:, 0])
    if arc.rate == 0.0 or len(run) < 2:
        return np.zeros(len(run))
    h = np.diff(run.t)
    nodes = run.t[:-1, None] + h[:, None] * 0.5 * (NODES + 1.0)
    weights = h[:, None] * 0.5 * WEIGHTS
    flow = ellipse.momenta(plane, run.params, momentum[:, 0], nodes.ravel())
    turn, gain = (values.reshape(nodes.shape) for values in local.defect(run.params, flow))
    square = run.problem.step**2
    growth = square * gain / arc.radius
    radius_error = np.concatenate([[0.0], np.cumsum(np.sum(growth * weights, axis=1))])
    at_nodes = radius_error[:-1, None] + nodes_integral(growth, h)
    cosine_nodes = arc.sign * ellipse.sech(arc.rate * nodes + arc.phase)
    source = square * turn + arc.rate / arc.radius * cosine_nodes * at_nodes
    return sense_of(arc) * carried(arc, run.t, source, cosine_nodes, weights)


def nodes_integral(values: Array, h: Array) -> Array:
    """Integral from the start of each interval to each Gauss node, from the interpolating cubic."""
    powers = np.vander(0.5 * (NODES + 1.0), 4, increasing=True)
    coefficients = np.linalg.solve(powers, values.T)
    upper = powers * (0.5 * (NODES + 1.0))[:, None] / np.arange(1.0, 5.0)
    return h[:, None] * (upper @ coefficients).T


def carried(arc: ellipse.Arc, t: Array, source: Array, cosine_nodes: Array, weights: Array) -> Array:
    """Solution of dphi' = source - r kappa sin(chi) dphi from 0, by the homogeneous solution cos(chi)."""
    cosine = arc.sign * ellipse.sech(arc.rate * t + arc.phase)
    lead = np.zeros(t.size)
    for i in range(t.size - 1):
        scale = cosine[i + 1] / np.where(cosine_nodes[i] == 0.0, 1.0, cosine_nodes[i])
        decay = cosine[i + 1] / cosine[i] if cosine[i] != 0.0 else 0.0
        lead[i + 1] = decay * lead[i] + np.sum(weights[i] * source[i] * scale)
    return lead
