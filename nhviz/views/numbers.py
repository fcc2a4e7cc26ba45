"""Numbers below the pictures. Each says whose it is."""

from collections.abc import Mapping

from nhviz.analysis.steps import largest_step
from nhviz.frame.shown import Shown


def drifts(shown: Shown, quantity: str) -> dict[str, str]:
    """The greatest drift of a quantity, for each variant."""
    each = [
        f"{shown.looks[name].label} {found[quantity].max():.1e}"
        for name, found in shown.drifts.items()
        if quantity in found
    ]
    return {f"drift of {quantity}": ", ".join(each)}


def usual(shown: Shown) -> Mapping[str, str]:
    """Greatest drift of every quantity of each run, and the greatest of what only some methods have."""
    found: dict[str, str] = {}
    for one in shown.beside.values() or [shown]:
        before = f"{one.panel.title or one.panel.name}: " if one.panel.name else ""
        names = dict.fromkeys(quantity for each in one.drifts.values() for quantity in each)
        for quantity in names:
            found |= {before + name: text for name, text in drifts(one, quantity).items()}
        for name, orbit in one.runs.items():
            label = one.looks[name].label
            found |= {
                f"{before}{q.id} of {label}": f"{orbit.quantity(q.id).max():.4g}" for q in orbit.method.quantities
            }
    return found


def largest_steps(shown: Shown) -> dict[str, float | None]:
    """Largest admissible steps of the chosen maps at the start, by variant; None where there is no bound."""
    bounds: dict[str, float | None] = {}
    for name in shown.maps:
        bound = shown.method(name).bound
        if bound is not None and bound.at_energy is not None:
            bounds[name] = bound.at_energy(shown.params, float(shown.lead.quantity("energy")[0]))
        elif bound is not None:
            bounds[name] = largest_step(shown.system.id, shown.method(name).id, shown.params, shown.initial)
    return bounds
