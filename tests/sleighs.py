"""Sleighs for the tests of folds: bodies, and momenta on an energy ellipse."""

import numpy as np

UNIT = {"J": 1.0, "m": 1.0, "a": 1.0, "b": 0.0}


def constants(body):
    mu = body["m"] * body["a"] ** 2
    return body["J"] + mu, mu


def random_body(rng, method, width):
    """J/(m a^2) and m over `width` powers of ten on both sides of 1, within the declared ranges."""
    while True:
        m, x, a = 10.0 ** rng.uniform(-0.6 * width, 0.6 * width, 3)
        body = {"J": x * m * a * a, "m": m, "a": a * rng.choice([-1.0, 1.0]), "b": a * rng.uniform(-1.5, 1.5)}
        if method == "midpoint":
            body["b"] = 0.0
        if 0.001 <= body["J"] <= 1000.0 and 0.001 <= m <= 1000.0 and max(abs(body["a"]), abs(body["b"])) <= 100.0:
            return body


def momentum_on_ellipse(body, step, angle):
    """p_theta and p_1 of energy 1/2 times the step squared, so that a step of 1 has the level step^2."""
    total, _ = constants(body)
    p_1 = step * body["m"] ** 0.5 * np.sin(angle)
    return float(step * total**0.5 * np.cos(angle) - body["b"] * p_1), float(p_1)


def scaled_start(body, step, angle):
    """(eps, start) with eps p = the momentum at that place of the ellipse, within the declared ranges."""
    p_theta, p_1 = momentum_on_ellipse(body, step, angle)
    eps = max(1.0, abs(p_theta) / 900.0, abs(p_1) / 900.0)
    return eps, {"p_theta": p_theta / eps, "p_1": p_1 / eps}
