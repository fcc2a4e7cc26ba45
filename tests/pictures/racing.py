"""Races without symmetry, and their runs past everything that makes pictures."""

import numpy as np

import nhviz
from tests.extensions import EXTENSIONS, values_of

RACER = "scene=roller_racer&m=1.4&I1=0.9&I2=0.35&d1=1.2&d2=0.45&phi=0.8&u=0.9&omega=0.6&step=0.05&duration=6"
OFF = RACER + "&off=0.3&pull=0.2&k1=0.9&k2=0.7&k3=0.6"
SPRING = "scene=oscillator&x=0.9&y=-0.7&z=0.4&p_y=0.8&p_z=0.5"
SCHEMES = {"euler": "euler", "euler_feedback": "euler", "rk4": "rk4", "rk4_feedback": "rk4"}
LIMITS = {"euler": 2.0, "rk4": 2.785293563405282}


def gains_of(here, variant):
    """The gains of a scheme by name, as numbers; a plain one has none."""
    names = dict.fromkeys(EXTENSIONS[here.panel.system.id][0].gains)
    plain = variant in ("euler", "rk4")
    return {name: 0.0 if plain else here.panel.values[name] / here.panel.step for name in names}


def alone(here, variant, step=None, duration=None, scale=1.0, **more):
    """A run by itself, with the numbers of a page, or with other steps and with gains times a scale."""
    values, model = here.panel.values, here.panel.system
    params, initial = ({p.name: values[p.name] for p in part} for part in (model.parameters, model.initial))
    options = {}
    if variant in SCHEMES:
        gains = {name: scale * gain for name, gain in gains_of(here, variant).items()}
        options = {"base": SCHEMES[variant], **gains, "off": values["off"]} | (
            {} if "pull" in more else {"pull": values["pull"]}
        )
    method = "feedback" if variant in SCHEMES else variant
    step, duration = step or values["step"], duration or values["duration"]
    return nhviz.simulate(model.id, method, params, initial, step, duration, **options | more)


def away(here, run):
    """c - c(0) along a run (samples, functions), by the uncompiled functions."""
    extension, params = EXTENSIONS[here.panel.system.id][0], here.panel.params
    start = extension.start(params, {name: np.array([value]) for name, value in run.problem.initial})[:, 0]
    p, states = extension.parameters(params), extension.state(run.components)
    return np.array([values_of(extension, p, state) for state in states]) - values_of(extension, p, start)
