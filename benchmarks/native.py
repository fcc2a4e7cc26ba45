"""The peers in C: compile `peers.c` on the spot and call it through ctypes."""

import ctypes
import subprocess
from functools import lru_cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
# Packing pairs and triples into short vectors makes these loops up to 1.8 times slower; a peer must be at its best.
COMMAND = ("gcc", "-O3", "-march=native", "-fno-tree-slp-vectorize", "-shared", "-fPIC")
SUSLOV = ("u", "v", "M1", "M2", "M3")
SLEIGH = ("theta", "x", "y", "p_theta", "p_1", "p_2", "omega", "v")
START = ("theta", "x", "y", "p_theta", "p_1")
RACER = ("theta", "x", "y", "phi", "Pi_theta", "Pi_x", "Pi_y", "p_phi", "u", "omega")
SPHERE = (*(f"{name}{i}" for name in ("omega", "gamma", "K") for i in (1, 2, 3)), "x", "y")

Array = np.ndarray


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """The compiled peers."""
    target = HERE / "build" / "libpeers.so"
    target.parent.mkdir(exist_ok=True)
    subprocess.run([*COMMAND, "-o", str(target), str(HERE / "peers.c"), "-lm"], check=True)
    loaded = ctypes.CDLL(str(target))
    for name in (
        "suslov_orbit", "suslov_portrait", "sleigh_orbit", "sleigh_portrait", "sphere_orbit", "racer_feedback",
        "suslov_feedback", "vertical_rotations",
    ):  # fmt: skip
        getattr(loaded, name).restype = ctypes.c_long
    return loaded


def place(array: Array | None) -> ctypes.c_void_p:
    """Address of an array's data, or a null pointer."""
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def suslov_orbit(params: dict, initial: dict, step: float, steps: int) -> dict[str, Array]:
    """One Moser-Veselov orbit with its attitude, in new arrays."""
    inertia = np.array([params[name] for name in ("I11", "I22", "I13", "I23")])
    out, attitude = np.empty((len(SUSLOV), steps + 1)), np.empty((steps + 1, 3, 3))
    written = library().suslov_orbit(
        place(inertia),
        ctypes.c_double(initial["M1"]),
        ctypes.c_double(initial["M2"]),
        ctypes.c_double(step),
        ctypes.c_long(steps),
        *map(place, out),
        place(attitude),
    )
    return checked(dict(zip(SUSLOV, out, strict=True)) | {"R": attitude}, written, steps + 1)


def suslov_portrait(params: dict, initial: dict, step: float, steps: int) -> dict[str, Array]:
    """Many Moser-Veselov orbits without attitude."""
    inertia = np.array([params[name] for name in ("I11", "I22", "I13", "I23")])
    m1, m2 = (np.ascontiguousarray(initial[name], dtype=float) for name in ("M1", "M2"))
    out = np.empty((len(SUSLOV), m1.size, steps + 1))
    written = library().suslov_portrait(
        place(inertia),
        place(m1),
        place(m2),
        ctypes.c_long(m1.size),
        ctypes.c_double(step),
        ctypes.c_long(steps),
        *map(place, out),
    )
    return checked(dict(zip(SUSLOV, out, strict=True)), written, m1.size * (steps + 1))


def sleigh_orbit(params: dict, initial: dict, step: float, steps: int) -> dict[str, Array]:
    """One Fedorov-Zenkov orbit."""
    body, start = np.array([params[name] for name in "Jmab"]), np.array([initial[name] for name in START])
    out = np.empty((len(SLEIGH), steps + 1))
    written = library().sleigh_orbit(
        place(body), place(start), ctypes.c_double(step), ctypes.c_long(steps), *map(place, out)
    )
    return checked(dict(zip(SLEIGH, out, strict=True)), written, steps + 1)


def sleigh_portrait(params: dict, initial: dict, step: float, steps: int) -> dict[str, Array]:
    """Many Fedorov-Zenkov orbits."""
    body = np.array([params[name] for name in "Jmab"])
    starts = np.stack(np.broadcast_arrays(*(initial[name] for name in START)), axis=-1).astype(float)
    orbits = len(starts)
    out = np.empty((len(SLEIGH), orbits, steps + 1))
    written = library().sleigh_portrait(
        place(body),
        place(starts),
        ctypes.c_long(orbits),
        ctypes.c_double(step),
        ctypes.c_long(steps),
        *map(place, out),
    )
    return checked(dict(zip(SLEIGH, out, strict=True)), written, orbits * (steps + 1))


def sphere_orbit(params: dict, initial: dict, step: float, steps: int) -> dict[str, Array]:
    """One orbit of Fedorov's map with its attitude, in new arrays."""
    j1, j2, j3, m, rho = (params[name] for name in ("J1", "J2", "J3", "m", "rho"))
    body = np.array([j2 + j3, j1 + j3, j1 + j2, m * rho * rho, rho])
    gamma, omega = (np.array([initial[f"{name}{i}"] for i in (1, 2, 3)]) for name in ("gamma", "omega"))
    start = np.concatenate([gamma / np.linalg.norm(gamma), omega, [initial["x"], initial["y"]]])
    out, attitude = np.empty((len(SPHERE), steps + 1)), np.empty((steps + 1, 3, 3))
    written = library().sphere_orbit(
        place(body), place(start), ctypes.c_double(step), ctypes.c_long(steps), place(out), place(attitude)
    )
    return checked(dict(zip(SPHERE, out, strict=True)) | {"R": attitude}, written, steps + 1)


def racer_feedback(
    params: dict, initial: dict, step: float, steps: int, *, k1: float, k2: float, k3: float
) -> dict[str, Array]:
    """One orbit of Euler's scheme with feedback, in new arrays."""
    m, i1, i2, d1, d2 = (params[name] for name in ("m", "I1", "I2", "d1", "d2"))
    theta, x, y, phi, u, omega = (initial[name] for name in ("theta", "x", "y", "phi", "u", "omega"))
    p_phi = i2 * (omega + (np.sin(phi) * u - (d1 * np.cos(phi) + d2) * omega) / d2)
    body, gains = np.array([m, i1, i2, d1, d2]), np.array([k1, k2, k3])
    start = np.array([theta, x, y, phi, i1 * omega + p_phi, m * u, 0.0, p_phi])
    out = np.empty((len(RACER), steps + 1))
    written = library().racer_feedback(
        place(body), place(start), place(gains), ctypes.c_double(step), ctypes.c_long(steps), place(out)
    )
    return checked(dict(zip(RACER, out, strict=True)), written, steps + 1)


def suslov_feedback(
    params: dict, initial: dict, step: float, steps: int, *, k0: float, k1: float, k2: float
) -> dict[str, Array]:
    """One orbit of Euler's scheme with feedback and its attitude, in new arrays."""
    inertia = np.array([params[name] for name in ("I11", "I22", "I13", "I23", "I33")])
    gains = np.array([k0, k1, k2])
    out, attitude = np.empty((len(SUSLOV), steps + 1)), np.empty((steps + 1, 3, 3))
    written = library().suslov_feedback(
        place(inertia),
        ctypes.c_double(initial["M1"]),
        ctypes.c_double(initial["M2"]),
        place(gains),
        ctypes.c_double(step),
        ctypes.c_long(steps),
        place(out),
        place(attitude),
    )
    return checked(dict(zip(SUSLOV, out, strict=True)) | {"R": attitude}, written, steps + 1)


def vertical_rotations(params: dict, h: Array, levels: Array) -> Array:
    """Rotation numbers of a ball with vertical momentum and moments I1 > I2 > I3 at (h, l), on the upper levels."""
    j1, j2, j3 = (params[name] for name in ("J1", "J2", "J3"))
    ball = np.array([j2 + j3, j1 + j3, j1 + j2, params["m"] * params["rho"] ** 2])
    h, levels = (np.ascontiguousarray(values, dtype=float).ravel() for values in (h, levels))
    out = np.empty(h.size)
    written = library().vertical_rotations(place(ball), place(h), place(levels), ctypes.c_long(h.size), place(out))
    return checked({"rotation": out}, written, h.size)["rotation"]


def checked(components: dict[str, Array], written: int, expected: int) -> dict[str, Array]:
    """The components, if the orbits are complete."""
    if written != expected:
        raise RuntimeError(f"The peer in C wrote {written} of {expected} samples.")
    return components
