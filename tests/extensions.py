"""Extended systems for the tests of feedback: their fields and integrals at points, generic bodies and starts, runs."""

import numpy as np

import nhviz
from nhviz.systems import heisenberg, knife_edge, oscillator, roller_racer, rolling_disk, sleigh, suslov

TINY = 1e-30
KNIFE = {"m": 1.7, "J": 0.6, "g": 2.3, "alpha": 0.7}
DISK = {"m": 1.3, "R": 0.7, "I": 0.45, "J": 0.31}
RACER = {"m": 1.4, "I1": 0.9, "I2": 0.35, "d1": 1.2, "d2": 0.45}
TOP = {"I11": 1.3, "I22": 2.1, "I33": 2.9, "I13": 0.8, "I23": -0.6}
SLEDGE = {"J": 0.8, "m": 1.6, "a": 0.7, "b": -0.4}
CP_TOP = {"I11": 1.0, "I22": 1.0, "I33": 2.0, "I13": 0.0, "I23": 1.0}
EXTENSIONS = {
    "suslov": (suslov.EXTENSION, TOP),
    "sleigh": (sleigh.EXTENSIONS["angle"], SLEDGE),
    "sleigh matrix": (sleigh.EXTENSIONS["matrix"], SLEDGE),
    "knife_edge": (knife_edge.EXTENSION, KNIFE),
    "rolling_disk": (rolling_disk.EXTENSION, DISK),
    "roller_racer": (roller_racer.EXTENSION, RACER),
    "heisenberg": (heisenberg.EXTENSION, {}),
    "oscillator": (oscillator.EXTENSION, {}),
}


def within(found, expected, size):
    np.testing.assert_allclose(found, expected, rtol=0, atol=size)


def values_of(extension, p, y):
    """The conserved functions at a state, complex or real, by the uncompiled function."""
    values = np.zeros(len(extension.gains), dtype=y.dtype)
    extension.conserved(y, p, values, np.zeros((values.size, y.size), dtype=y.dtype))
    return values


def complex_gradient(function, y):
    """Gradient (functions, variables) of analytic functions by the complex step: exact to round-off."""
    steps = 1j * TINY * np.eye(y.size)
    return np.stack([np.imag(function(y + step)) / TINY for step in steps], axis=-1)


def field_of(extension, p, y):
    rates = np.zeros(y.size, dtype=y.dtype)
    extension.field(y, p, rates)
    return rates


STARTS = {
    "knife_edge": {"x": 0.3, "y": -0.2, "phi": 0.8, "p_phi": 0.7, "v": 1.1},
    "rolling_disk": {"x": 0.3, "y": -0.2, "theta": 0.8, "psi": 0.1, "Pi_theta": 0.4, "Pi_psi": 0.5},
    "roller_racer": {"theta": 0.4, "x": 0.3, "y": -0.2, "phi": 0.8, "u": 0.9, "omega": -0.6},
    "heisenberg": {"x": 0.3, "y": -0.7, "z": 0.2, "p_x": 0.8, "p_y": 1.1},
    "oscillator": {"x": 0.3, "y": -0.7, "z": 0.2, "p_y": 0.8, "p_z": 1.1},
    "suslov": {"M1": 0.9, "M2": -1.1},
    "sleigh": {"theta": 0.3, "x": 0.1, "y": -0.2, "p_theta": 0.9, "p_1": -0.5},
}
PARAMS = {
    "knife_edge": KNIFE,
    "rolling_disk": DISK,
    "roller_racer": RACER,
    "heisenberg": {},
    "oscillator": {},
    "suslov": TOP,
    "sleigh": SLEDGE,
}
RUNS = [
    ("suslov", {}),
    ("sleigh", {"rotation": "angle"}),
    ("sleigh", {"rotation": "matrix"}),
    ("knife_edge", {}),
    ("rolling_disk", {}),
    ("roller_racer", {}),
    ("oscillator", {}),
]


def all_gains(system, options, gain):
    return {**options, **dict.fromkeys(extension_of(system, options).gains, gain)}


def extension_of(system, options):
    return EXTENSIONS["sleigh matrix" if options.get("rotation") == "matrix" else system][0]


def run_of(system, options, gain, step, duration, **more):
    return nhviz.simulate(
        system, "feedback", PARAMS[system], STARTS[system], step, duration, **all_gains(system, options, gain), **more
    )


def sane(run):
    """Complete, or stopped with one sentence; finite throughout."""
    assert 1 <= len(run) <= run.problem.samples
    assert run.stopped is not None or len(run) == run.problem.samples
    for values in run.components.values():
        assert len(values) == len(run)
        assert np.isfinite(values).all()
    for quantity in run.system.quantities:
        assert np.isfinite(run.quantity(quantity.id)).all()
    if run.stopped:
        assert "\n" not in run.stopped
        assert "nan" not in run.stopped
        assert "inf" not in run.stopped
        assert len(run.stopped) < 300
