"""Compiled inner loops: scalars and arrays in, arrays out, no objects.

The modules are imported on first use, because importing numba costs more than the rest of
nhviz together and a program that only describes systems should not pay for it.
"""

from importlib import import_module
from types import ModuleType

MODULES = (
    "attitude",
    "certificate",
    "conics",
    "conjugacy",
    "crossings",
    "elliptic",
    "feedback",
    "flow",
    "follow",
    "heisenberg_feedback",
    "knife_edge_feedback",
    "limit_axes",
    "linear",
    "ll",
    "ll_flow",
    "locking",
    "oscillator",
    "oscillator_feedback",
    "oscillator_section",
    "phases",
    "polynomials",
    "quadrics",
    "reflections",
    "roller_racer_feedback",
    "rolling_disk_feedback",
    "rotations",
    "ruling",
    "sleigh",
    "sleigh_feedback",
    "sleigh_path",
    "sleigh_points",
    "sleigh_turns",
    "sphere",
    "sphere_band",
    "sphere_curves",
    "sphere_edge",
    "sphere_flow",
    "sphere_folds",
    "sphere_n",
    "sphere_n_flow",
    "sphere_points",
    "sphere_tangent",
    "suslov",
    "suslov_feedback",
    "suslov_folds",
    "suslov_lines",
    "suslov_points",
    "suslov_steps",
    "turning",
    "vertical",
    "vertical_orbit",
)


def __getattr__(name: str) -> ModuleType:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Found without asking from now on.
    found = globals()[name] = import_module(f"{__name__}.{name}")
    return found
