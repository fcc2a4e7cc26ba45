"""What a system with a feedback integrator declares, and what follows from it: its conserved functions along states.

See `nhviz.methods.feedback` for what the extension is.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from nhviz.methods.reference import Field
from nhviz.system import Array, Values


@dataclass(frozen=True)
class Extension:
    """What a system declares: its extended field, its conserved functions with gradients, and how a state is laid out.

    `gains` names the gain of each conserved function, in their order; a name may occur more than once. `start` gives
    states (variables, orbits) of initial values, `components` the components by name of states (variables, ...), and
    `state` the states (samples, variables) of components: `named` and `stacked` are these two where every variable is a
    component. `about` says which extension it is. `usual` holds gains times
    step, where 0.1 would not suit the size of a gradient at the default start. `constraint` names the gain of the
    function that is off when a start is, by up to about `far`, and `reaction` gives the direction (variables,) in which
    the constraint acts on the momenta, at a state and parameters. `orbit` may give a kernel that follows this
    extension faster than the general one (`kernels.schemes`); it must compute the same.
    """

    field: Field
    conserved: Callable[[Array, Array, Array, Array], None]
    gains: tuple[str, ...]
    meanings: Mapping[str, str]
    parameters: Callable[[Values], Array]
    start: Callable[[Values, Mapping[str, Array]], Array]
    components: Callable[[Values, Array], dict[str, Array]]
    state: Callable[[Mapping[str, Array]], Array]
    about: str
    usual: Mapping[str, float] = dataclasses.field(default_factory=dict)
    constraint: str = "k1"
    reaction: Callable[[Array, Array], Array] | None = None
    far: float = 0.5
    orbit: Callable[[], Any] | None = None


def named(
    variables: tuple[str, ...], derived: Callable[[Values, dict[str, Array]], dict[str, Array]] | None = None
) -> Callable[[Values, Array], dict[str, Array]]:
    """The components of states whose variables are components themselves, with those derived from them."""

    def components(params: Values, states: Array) -> dict[str, Array]:
        found = dict(zip(variables, states, strict=True))
        return found | derived(params, found) if derived else found

    return components


def stacked(variables: tuple[str, ...]) -> Callable[[Mapping[str, Array]], Array]:
    """The states (samples, variables) of components that are the variables."""
    return lambda run: np.stack([run[name] for name in variables], axis=-1)


@cache
def compiled_conserved(conserved: Any) -> Any:
    """The conserved functions as machine code with the signature that the integrator expects."""
    from nhviz.kernels.compile import as_argument
    from nhviz.kernels.feedback import CONSERVED_SIGNATURE

    return as_argument(conserved, CONSERVED_SIGNATURE)


def gains_of(extension: Extension, options: Mapping[str, Any]) -> Array:
    """The gain of every conserved function, as strong as it pulls."""
    return np.array([float(options[name]) for name in extension.gains]) * pull_of(options)


def pull_of(options: Mapping[str, Any]) -> float:
    """The factor on all gains."""
    return float(options.get("pull", 1.0))


@lru_cache(maxsize=64)
def columns_of(conserved: Any, count: int, parameters: tuple[float, ...], n: int) -> Array:
    """For each conserved function the variables that it depends on, ended by -1; found at general points."""
    from nhviz import kernels

    points = np.random.default_rng(1).uniform(0.3, 1.7, (4, n))
    values, gradients = np.zeros((4, count)), np.zeros((4, count, n))
    kernels.feedback.along(compiled_conserved(conserved), points, np.array(parameters), values, gradients)
    used = np.any(gradients != 0.0, axis=0)
    table = np.full((count, n + 1), -1, dtype=np.int64)
    for i in range(count):
        found = np.flatnonzero(used[i])
        table[i, : found.size] = found
    return table


def columns(extension: Extension, p: Array, n: int) -> Array:
    """`columns_of` an extension."""
    return columns_of(extension.conserved, len(extension.gains), tuple(p.tolist()), n)


def evaluate(extension: Extension, p: Array, states: Array) -> tuple[Array, Array]:
    """Values (samples, functions) and gradients (samples, functions, variables) along states (samples, variables)."""
    from nhviz import kernels

    states = np.ascontiguousarray(states, dtype=float)
    count = len(extension.gains)
    values, gradients = np.zeros((len(states), count)), np.zeros((len(states), count, states.shape[1]))
    kernels.feedback.along(compiled_conserved(extension.conserved), states, p, values, gradients)
    return values, gradients
