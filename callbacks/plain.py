"""The lab of a system that has none of its own: everything from its declarations."""

from typing import Any

from callbacks import views
from callbacks.session import Session
from nhviz.analysis import drift


def readout(session: Session) -> dict[str, str]:
    """Greatest drift of every quantity of the moving run."""
    return {f"drift of {name}": f"{values.max():.1e}" for name, values in drift.drifts(session.lead).items()}


LAUNCH: dict[str, Any] = {}
VIEWS: dict[str, views.View] = {
    "motion": views.drawn_motion,
    "time": views.components_in_time,
    "drift": views.drift,
}
TEXTS: dict[str, views.Text] = {"equations": views.equations, "python": views.python}
