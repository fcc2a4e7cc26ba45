"""Tops for the tests of branches: tensors, GJ (28) and (41) in scaled variables, branches followed from small steps."""

import numpy as np
from hypothesis import strategies as st

import nhviz
from tests.strategies import log_uniform

# A thin rod, nearly along the first axis: principal moments 0.010, 10.010, 10.010, so a real body.
ROD = {"I11": 0.11, "I22": 10.01, "I33": 9.91, "I13": -0.995, "I23": 0.0}
# No real body has these (the largest principal moment exceeds the sum of the others).
FOLDING = {"I11": 1.0, "I22": 1.3, "I33": 50.0, "I13": 5.0, "I23": 1.0}
SKEW = {"I11": 0.495, "I22": 1.337, "I33": 260.0, "I13": -8.75, "I23": 1.73}
# Real bodies with large products of inertia.
LONG = {"I11": 0.727, "I22": 4.934, "I33": 4.339, "I13": -1.635, "I23": 0.0126}
LONGER = {"I11": 0.0627, "I22": 4.9947, "I33": 4.9425, "I13": -0.507, "I23": -0.0053}
NAMES = ("I11", "I22", "I13", "I23")


@st.composite
def tensors(draw, most=0.97):
    """Positive definite tensors, real bodies or not."""
    i11, i22, i33 = draw(log_uniform(0.2, 20.0)), draw(log_uniform(0.2, 20.0)), draw(log_uniform(0.2, 200.0))
    part, angle = draw(st.floats(0.05, most)), draw(st.floats(0.0, 2.0 * np.pi))
    i13 = float(part * np.cos(angle) * np.sqrt(i11 * i33))
    i23 = float(part * np.sin(angle) * np.sqrt(i22 * i33))
    return {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}


def equations(scheme, tensor, x, y, m1, m2):
    """(f, g): both vanish at a displacement with momentum (m1, m2). Numbers, arrays or sympy expressions."""
    i11, i22, i13, i23 = tensor
    k = i13 * x + i23 * y
    if scheme == "moser_veselov":
        d = 1 + x * x + y * y
        return i11 * x + y * k - m1 * d, i22 * y - x * k - m2 * d
    s = i11 * x * x + i22 * y * y
    return i11 * x + y * k + x * s - m1, i22 * y - x * k + y * s - m2


def momentum(scheme, tensor, x, y):
    f, g = equations(scheme, tensor, x, y, 0.0, 0.0)
    over = 1.0 / (1.0 + x * x + y * y) if scheme == "moser_veselov" else 1.0
    return f * over, g * over


def jacobian(scheme, tensor, x, y, m1, m2):
    i11, i22, i13, i23 = tensor
    k = i13 * x + i23 * y
    if scheme == "moser_veselov":
        return (
            i11 + i13 * y - 2 * m1 * x,
            k + i23 * y - 2 * m1 * y,
            -k - i13 * x - 2 * m2 * x,
            i22 - i23 * x - 2 * m2 * y,
        )
    s = i11 * x * x + i22 * y * y
    return (
        i11 + i13 * y + s + 2 * i11 * x * x,
        k + i23 * y + 2 * i22 * x * y,
        -k - i13 * x + 2 * i11 * x * y,
        i22 - i23 * x + s + 2 * i22 * y * y,
    )


def values(tensor):
    return tuple(tensor[name] for name in NAMES)


def follow(scheme, tensor, m1, m2, stages=500):
    """Follow the displacement from the identity as eps grows from 0, for arrays of momenta.

    Returns (alive, x, y): alive where the branch reaches eps without meeting a fold (its Jacobian stays positive).
    """
    m1, m2 = np.atleast_1d(np.asarray(m1, dtype=float)), np.atleast_1d(np.asarray(m2, dtype=float))
    tensor = values(tensor)
    x, y = np.zeros_like(m1), np.zeros_like(m1)
    alive = np.ones(m1.shape, dtype=bool)
    # Stages crowd towards the end, where a fold may be near.
    for s in 1.0 - (1.0 - np.arange(1, stages + 1) / stages) ** 2:
        guess_x, guess_y = x, y
        old_x, old_y = x, y
        for _ in range(6):
            f, g = equations(scheme, tensor, guess_x, guess_y, s * m1, s * m2)
            a, b, c, d = jacobian(scheme, tensor, guess_x, guess_y, s * m1, s * m2)
            determinant = a * d - b * c
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                dx = np.where(alive, (d * f - b * g) / determinant, 0.0)
                dy = np.where(alive, (a * g - c * f) / determinant, 0.0)
            guess_x, guess_y = guess_x - dx, guess_y - dy
        with np.errstate(invalid="ignore"):
            settled = np.hypot(dx, dy) <= 1e-10 * (1e-3 + np.hypot(guess_x, guess_y))
            near = np.hypot(guess_x - old_x, guess_y - old_y) <= 0.3 * (0.2 + np.hypot(old_x, old_y))
            alive = alive & settled & near & (determinant > 0)
        x, y = np.where(alive, guess_x, old_x), np.where(alive, guess_y, old_y)
    return alive, x, y


def branches(scheme, tensor, m1, m2):
    """nhviz's branches; with step 2 the scaled variables are (u, v) and (M1, M2) themselves."""
    return nhviz.branches("suslov", scheme, params=tensor, step=2.0, at={"M1": float(m1), "M2": float(m2)})
