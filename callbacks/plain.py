"""The lab of a system that has none of its own: everything from its declarations."""

from functools import partial
from typing import Any

from callbacks import views
from callbacks.session import Session

PORTRAITS = {f"portrait{i}": i for i in range(4)}


def readout(session: Session) -> dict[str, str]:
    """Greatest drift of every quantity of the moving run, and the greatest of what only some methods have."""
    found = {f"drift of {name}": f"{values.max():.1e}" for name, values in session.lead_drifts.items()}
    for method, orbit in session.runs.items():
        found |= {f"{q.id} of {method}": f"{orbit.quantity(q.id).max():.4g}" for q in orbit.method.quantities}
    return found


LAUNCH: dict[str, Any] = {"motion": views.start_in_motion} | {
    name: partial(views.start_in_portrait, number=number) for name, number in PORTRAITS.items()
}
VIEWS: dict[str, views.View] = {
    "motion": views.drawn_motion,
    "time": views.components_in_time,
    "drift": views.drift,
    **{name: partial(views.portrait, number=number) for name, number in PORTRAITS.items()},
}
TEXTS: dict[str, views.Text] = {
    "branches": views.branch_table,
    "equations": views.equations,
    "python": views.python,
}
