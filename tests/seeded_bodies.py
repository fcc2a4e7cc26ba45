"""Bodies and momenta from a random generator: mild ones, elongated ones, and needles."""

import numpy as np

from tests.continuation import Array


def logarithmic(random: np.random.Generator, low: float, high: float, size: int | None = None) -> Array:
    """Numbers whose logarithms are evenly spread."""
    return np.exp(random.uniform(np.log(low), np.log(high), size))


def suslov_case(random: np.random.Generator, shape: str) -> tuple[dict[str, float], float, float]:
    """A mild, elongated or needle-like top, an energy and an angle on its ellipse."""
    i11, i22 = logarithmic(random, 0.1, 5.0, 2)
    reach = logarithmic(random, *{"mild": (0.05, 0.7), "elongated": (0.7, 3.0), "needle": (3.0, 20.0)}[shape])
    angle = random.uniform(0.0, 2.0 * np.pi)
    if random.uniform() < 0.2:
        # Nearly along an axis.
        angle = 0.5 * np.pi * np.round(2.0 * angle / np.pi) + random.normal() * 10.0 ** random.uniform(-5.0, -1.0)
    i13, i23 = reach * np.sqrt(i11 * i22) * np.array([np.cos(angle), np.sin(angle)])
    least = i13**2 / i11 + i23**2 / i22
    i33 = least * (1.0 + logarithmic(random, 1e-3, 1.0)) + 0.01
    params = {"I11": i11, "I22": i22, "I33": i33, "I13": i13, "I23": i23}
    # One unit for all of them, so that the longest of needles stays within its range.
    unit = min(1.0, 900.0 / i33, 90.0 / max(abs(i13), abs(i23)))
    values = unit * np.array([i11, i22, i33, i13, i23])
    if values[:2].min() < 0.01:
        return suslov_case(random, shape)
    params = dict(zip(("I11", "I22", "I33", "I13", "I23"), values.tolist(), strict=True))
    return params, float(logarithmic(random, 0.05, 500.0) * unit), float(random.uniform(0.0, 2.0 * np.pi))


def sphere_case(random: np.random.Generator, n: int, shape: str) -> tuple[Array, float, Array, Array]:
    """(J, D, gamma, omega as a skew matrix) of a mild, rod-like or heavy ball in n dimensions."""
    mass = logarithmic(random, 0.2, 1.0, n)
    if shape != "mild":
        mass = logarithmic(random, 0.003, 0.3, n)
        mass[random.integers(n)] *= logarithmic(random, 10.0, 100.0)
    d = float(logarithmic(random, 30.0, 800.0) if shape == "heavy" else logarithmic(random, 0.05, 12.0))
    gamma, omega = random.normal(size=n), random.normal(size=(n, n))
    if random.uniform() < 0.3:
        # Nearly along an axis.
        gamma *= 10.0 ** random.uniform(-3.0, 0.0, n)
    return np.maximum(mass, 0.002), d, gamma / np.linalg.norm(gamma), omega - omega.T


def suslov_n_case(random: np.random.Generator, n: int, shape: str) -> tuple[Array, Array, Array]:
    """(J, j, p): diagonal and last column of the mass tensor, and a momentum, of a mild or elongated body."""
    while True:
        mass = logarithmic(random, *((0.3, 2.0) if shape == "mild" else (0.01, 4.0)), n)
        products = random.normal(size=n - 1) * logarithmic(random, *((0.05, 0.4) if shape == "mild" else (0.1, 3.0)))
        tensor = np.diag(mass)
        tensor[:-1, -1] = tensor[-1, :-1] = products
        least = np.linalg.eigvalsh(tensor)
        if least[0] + least[1] > 1e-3 * least[-1]:
            return mass, products, random.normal(size=n - 1) * logarithmic(random, 0.1, 10.0)


def sleigh_n_case(random: np.random.Generator, n: int, shape: str) -> tuple[Array, Array, float, Array, Array]:
    """(J, j, m, a, P): diagonal and first row of the mass tensor, mass, centre of mass and momenta."""
    while True:
        mass = logarithmic(random, *((0.1, 1.0) if shape == "mild" else (0.003, 3.0)), n)
        products = random.normal(size=n - 1) * logarithmic(random, 0.01, 0.3 if shape == "mild" else 2.0)
        tensor = np.diag(mass)
        tensor[0, 1:] = tensor[1:, 0] = products
        least = np.linalg.eigvalsh(tensor)
        if least[0] > 1e-3 * least[-1]:
            m, centre = float(logarithmic(random, 0.1, 5.0)), random.normal(size=n) * logarithmic(random, 0.03, 1.0)
            return mass, products, m, centre, random.normal(size=n) * logarithmic(random, 0.1, 10.0)


def sleigh_mass_matrix(mass: Array, products: Array, m: float, centre: Array) -> Array:
    """The mass matrix about the blade, FZ (5.8)."""
    whole = np.append(centre, 1.0)
    matrix = m * np.outer(whole, whole)
    matrix[:-1, :-1] += np.diag(mass)
    matrix[0, 1:-1] += products
    matrix[1:-1, 0] += products
    return matrix
