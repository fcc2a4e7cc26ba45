"""The details of the race where there is hardly anything to show, or far too much: finite numbers, no warnings."""

import json

import numpy as np
import pytest

from nhviz.figures.arrays import resolved
from nhviz.frame import find, shown
from nhviz.frame.state import State
from tests.test_render import numbers

CORNERS = (
    "duration=0", "step=5&duration=5", "pull=1000000&off=1000", "off=-1000&pull=0", "methods=", "k1=0&k2=0&k3=0",
    "duration=0.01&step=0.01",
)  # fmt: skip
VIEWS = ("drift", "order", "attraction", "level_set", "stability", "section", "extension")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("query", CORNERS)
@pytest.mark.parametrize("scene", [scene.id for scene in find.lab("feedback").scenes])
def test_views_of_corners_are_finite(scene, query):
    state, _ = State.from_query(find.lab("feedback"), f"scene={scene}&{query}")
    (panel,) = shown.panels(state).values()
    for view in VIEWS:
        found = state.scene.all_views[view].show(panel)
        if view == "extension":
            assert found[0].text
            continue
        json.dumps(found.figure["layout"], allow_nan=False)
        for trace in resolved(found.figure["data"]):
            values = list(numbers({axis: trace.get(axis) for axis in "xyz"}))
            assert np.isfinite(np.array(values, dtype=float)).all(), (view, trace.get("name"))
        for frame in found.frames():
            assert np.isfinite(np.array(list(numbers(frame)), dtype=float)).all(), view
