"""A flat picture stands still while things move in it: a place under the mouse stays the place that was aimed at."""

import numpy as np
import pytest

from nhviz.figures.arrays import resolved
from nhviz.frame import find
from tests.frames import opening, painted
from tests.pictures.reading import numbers as array
from tests.pictures.reading import played

SCENES = [(lab.id, scene.id) for lab in find.labs().values() for scene in lab.scenes if scene.clock]


@pytest.mark.parametrize(("lab", "scene"), SCENES)
def test_the_axes_hold_everything_at_every_instant(lab, scene):
    places = find.lab(lab).scene(scene).places.values()
    flat = 0
    for tabs in [{}, *({place.id: view.id} for place in places for view in place.views[1:])]:
        result = painted(opening(lab, scene, tabs=tabs))
        for place, figure in result.figures.items():
            cursors = result.moving[place]
            # A picture may say that a run leaves it.
            left = any(note.get("name") == "leaves" for note in figure["layout"].get("annotations", ()))
            if "xaxis" not in figure["layout"] or not cursors or left:
                continue
            flat += 1
            for name in [name.removeprefix("xaxis") for name in figure["layout"] if name.startswith("xaxis")]:
                check_panel(figure, cursors, name, (place, tabs))
    assert flat


def check_panel(figure, cursors, name, where):
    """A panel of a figure holds all that is ever on it; the line of the clock is meant to reach from edge to edge."""
    traces = resolved(figure["data"])
    numbers = [k for k, trace in enumerate(traces) if trace.get("xaxis", "x") == f"x{name}"]
    clocks = [k for k in numbers if traces[k].get("name") == "clock"]
    for i, axis in enumerate("xy"):
        declared = figure["layout"][f"{axis}axis{name}"]
        ends = 10.0 ** np.array(declared["range"]) if declared.get("type") == "log" else declared["range"]
        # An axis may point down.
        low, high = sorted(ends)
        drawn = [array(traces[k][axis]) for k in numbers if axis == "x" or k not in clocks]
        moved = [played(cursor, cursors) for cursor in cursors if cursor["trace"] in numbers]
        every = np.concatenate([*drawn, *(places[..., i].ravel() for places in moved if places.shape[-1] > i)])
        assert low < np.nanmin(every), (*where, name, axis)
        assert np.nanmax(every) < high, (*where, name, axis)
