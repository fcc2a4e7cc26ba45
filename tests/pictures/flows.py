"""The flows of the papers, written down once more and followed by a solver of scipy, to compare pictures with."""

import numpy as np
from scipy.integrate import solve_ivp

ACCURACY = 1e-10
"""Of what is followed here: the solver is asked for a hundredth of it, and the runs are not long."""


def followed(rates, start, times):
    """The solution (..., times) through a start at time 0; times go up from 0, or down."""
    times = np.asarray(times, dtype=float)
    solution = solve_ivp(rates, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13)
    assert solution.success
    return solution.y


def suslov_rates(params):
    """(M1, M2)' of the Suslov top (FZ (4.3)): M1 = I11 u, M2 = I22 v, I11 u' = -v k, I22 v' = u k."""

    def rates(_, momentum):
        u, v = momentum[0] / params["I11"], momentum[1] / params["I22"]
        k = params["I13"] * u + params["I23"] * v
        return np.array([-v * k, u * k])

    return rates


def suslov_energy(params, momentum):
    """M1^2/(2 I11) + M2^2/(2 I22)."""
    return 0.5 * (momentum[0] ** 2 / params["I11"] + momentum[1] ** 2 / params["I22"])


def turning_rates(params):
    """(M1, M2, R row by row)' of the Suslov top: R' = R hat(omega) with omega = (u, v, 0)."""
    momentum_rates = suslov_rates(params)

    def rates(t, y):
        u, v = y[0] / params["I11"], y[1] / params["I22"]
        hat = np.array([[0.0, 0.0, v], [0.0, 0.0, -u], [-v, u, 0.0]])
        return np.concatenate([momentum_rates(t, y[:2]), (y[2:].reshape(3, 3) @ hat).ravel()])

    return rates


def attitude(params, momentum, times):
    """Momenta (2, n) and attitudes (n, 3, 3) of the Suslov flow from the identity."""
    y = followed(turning_rates(params), np.concatenate([momentum, np.eye(3).ravel()]), times)
    return y[:2], np.moveaxis(y[2:], 0, -1).reshape(-1, 3, 3)


def sleigh_velocities(params, p_theta, p_1):
    """omega = (p_theta + b p_1)/A and v = p_1/m + b omega."""
    omega = (p_theta + params["b"] * p_1) / (params["J"] + params["m"] * params["a"] ** 2)
    return omega, p_1 / params["m"] + params["b"] * omega


def sleigh_rates(params):
    """(theta, x, y, p_theta, p_1)' of the sleigh (FZ (5.4))."""

    def rates(_, y):
        omega, v = sleigh_velocities(params, y[3], y[4])
        push = params["m"] * params["a"] * omega
        return np.array([omega, v * np.cos(y[0]), v * np.sin(y[0]), -push * v, push * omega])

    return rates


def sleigh_energy(params, momentum):
    """(p_theta + b p_1)^2/(2A) + p_1^2/(2m)."""
    omega, _ = sleigh_velocities(params, *momentum)
    return 0.5 * (params["J"] + params["m"] * params["a"] ** 2) * omega**2 + 0.5 * momentum[1] ** 2 / params["m"]


def growth(rates, rest):
    """The rate at which perturbations of a point of rest grow or die: the eigenvalue that is not 0, by differences."""
    near = 1e-5 * np.linalg.norm(rest)
    columns = [(rates(0.0, rest + near * e) - rates(0.0, rest - near * e)) / (2.0 * near) for e in np.eye(len(rest))]
    found = np.linalg.eigvals(np.stack(columns, axis=1))
    return float(max(found, key=abs).real)
