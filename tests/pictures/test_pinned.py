"""What is left of a picture that is pinned: the runs, whole, and nothing that moves."""

import numpy as np
import pytest

from nhviz.frame import find
from tests.pictures.reading import numbers, page

LABS = [
    (name, view.id)
    for name, lab in find.labs().items()
    for view in lab.scenes[0].all_views.values()
    if view.kind != "text"
]


@pytest.mark.parametrize(("lab", "view"), LABS)
def test_every_run_of_a_picture_is_left_and_no_geometry(lab, view):
    drawn = page(lab).view(view)
    left = drawn.picture.runs()
    with_runs = {trace["meta"]["track"] for trace in drawn.traces if trace.get("meta", {}).get("track")}
    bodies = {frame["track"] for frame in drawn.frames if "positions" not in frame}
    assert {trace["meta"]["track"] for trace in left} >= with_runs - bodies
    assert all(trace["meta"]["track"] for trace in left)
    heads = [frame["trace"] for frame in drawn.frames if frame.get("points") == 1]
    assert not [trace for trace in left for number in heads if trace is drawn.traces[number]]


def test_the_path_of_the_body_is_left_whole():
    here = page("suslov", "I13=1.3&step=0.02")
    (path,) = [trace for trace in here.view("motion").picture.runs() if trace["type"] == "scatter3d"]
    end = here.panel.lead["R"][-1][:, 2]
    found = np.array([numbers(path[axis])[-1] for axis in "xyz"])
    # It runs along the third axis of the body, to its last direction.
    assert np.allclose(found / np.linalg.norm(found), end, atol=1e-6)
