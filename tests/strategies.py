"""Hypothesis strategies made from the declarations: the whole declared ranges."""

import math

import numpy as np
from hypothesis import strategies as st

from nhviz import registry


def spread(minimum, maximum):
    """Floats over a range, small and large ones alike; no denormal numbers, whose squares vanish."""
    positive = minimum > 0.0
    size = st.floats(math.log(max(minimum, 1e-6)), math.log(maximum)).map(math.exp)
    bounded = size.map(lambda value: min(max(value, minimum), maximum))
    if positive:
        return bounded
    signed = st.tuples(bounded, st.sampled_from([-1.0, 1.0])).map(lambda pair: max(minimum, pair[0] * pair[1]))
    return st.one_of(st.just(0.0 if minimum <= 0.0 <= maximum else minimum), signed)


def log_uniform(low, high):
    """Positive floats whose logarithms are spread evenly."""
    return st.floats(np.log(low), np.log(high)).map(lambda power: float(np.clip(np.exp(power), low, high)))


def values(parameters):
    """A mapping with a value for every declared parameter."""
    return st.fixed_dictionaries({p.name: spread(p.minimum, p.maximum) for p in parameters})


@st.composite
def suslov_params(draw):
    """A positive definite tensor from the whole declared ranges: the products are drawn to fit I33."""
    params = draw(values([p for p in registry.find("suslov").parameters if p.name.startswith(("I11", "I22", "I33"))]))
    size, angle = draw(st.floats(0.0, 0.999)), draw(st.floats(0.0, 2.0 * math.pi))
    for name, own, factor in (("I13", "I11", math.cos(angle)), ("I23", "I22", math.sin(angle))):
        params[name] = float(np.clip(size * factor * math.sqrt(params["I33"] * params[own]), -100.0, 100.0))
    return params


def sleigh_params():
    """Any sleigh of the declared ranges."""
    return values(registry.find("sleigh").parameters)


def initial(system):
    """Any start of the declared ranges."""
    return values(registry.find(system).initial)
