"""The energy of the rolling ball: bands over time, their widths over the step, and momenta that stand still."""

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from tests.pictures.bodies import BALL
from tests.pictures.reading import close, numbers, page, points
from tests.pictures.test_step_paths import SHARES, alone


@pytest.fixture(scope="module")
def energy():
    here = page("sphere", BALL)
    return here, here.view("energy")


def strayed(run):
    """(E - E0)/E0 of a run, from momenta and velocities."""
    values = sum(run[f"K{i}"] * run[f"omega{i}"] for i in (1, 2, 3))
    return (values - values[0]) / values[0]


def scale_of(drawn):
    """The power of ten by which the values of the first panel are multiplied, as its title says."""
    (title,) = [note["text"] for note in drawn.layout["annotations"] if "<b>Energy</b>" in note["text"]]
    if "10" not in title:
        return 1.0
    return 10.0 ** int(title.partition("10")[2].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))


def test_curves_are_the_energies_and_bands_hold_them(energy):
    here, drawn = energy
    scale = scale_of(drawn)
    boxes = {shape["name"]: shape for shape in drawn.layout["shapes"] if shape["type"] == "rect"}
    assert set(boxes) == set(SHARES)
    found = {trace["meta"]["track"]: trace for trace in drawn.traces if "stride" in (trace.get("meta") or {})}
    assert set(found) == {"reference", *SHARES}
    for name, share in SHARES.items():
        run = alone(here, "fedorov", share)
        expected = scale * strayed(run)
        assert close(points(found[name]), np.stack([run.t, expected]), also=1e-9)
        assert (boxes[name]["y0"], boxes[name]["y1"]) == pytest.approx((expected.min(), expected.max()), rel=1e-5)
        (low, high), axis = drawn.layout["yaxis"]["range"], boxes[name]
        assert low < axis["y0"] < axis["y1"] < high
    assert np.abs(points(found["reference"])[1]).max() < 1e-9 * scale
    texts = {note["text"]: note["y"] for note in drawn.layout["annotations"] if note.get("name") == "band"}
    for name, share in SHARES.items():
        assert texts[f"{share * here.panel.step:.3g} s"] == boxes[name]["y0"]
    # Their words stand at the right edge, beyond the last instant.
    begin, end = drawn.layout["xaxis"]["range"]
    last = alone(here, "fedorov").t[-1]
    assert (end - last) / (end - begin) > 0.11
    only = page("sphere", BALL + "&methods=reference").view("energy").layout["xaxis"]["range"]
    assert only == pytest.approx([-0.02 * last, 1.02 * last])


def test_widths_over_the_step_have_slope_two_up_to_the_fold(energy):
    here, drawn = energy
    values, facts = here.panel.values, nhviz.describe("sphere")
    params, initial = ({name: values[name] for name in facts[part]} for part in ("parameters", "initial"))
    (dots,) = [t for t in drawn.traces if t.get("xaxis") == "x2" and t["name"] == "Fedorov"]
    steps, widths = points(dots)
    assert 6 <= len(steps) <= 9
    for step, width in zip(steps[::2], widths[::2], strict=True):
        run = nhviz.simulate("sphere", "fedorov", params, initial, float(step), values["duration"])
        assert width == pytest.approx(np.ptp(strayed(run)), rel=2e-3)
    (line,) = [t for t in drawn.traces if t["name"] == "slope 2"]
    (x0, x1), (y0, y1) = points(line)
    assert np.log(y1 / y0) / np.log(x1 / x0) == pytest.approx(2.0, abs=1e-5)
    assert y0 * (steps[0] / x0) ** 2 == pytest.approx(widths[0], rel=1e-5)
    (here_dot,) = [t for t in drawn.traces if t["name"] == "present step"]
    assert numbers(here_dot["x"])[0] == here.panel.step
    assert numbers(here_dot["y"])[0] == pytest.approx(np.ptp(strayed(alone(here, "fedorov"))), rel=1e-9)
    assert here_dot["marker"]["size"] > dots["marker"]["size"]
    (fold,) = [shape for shape in drawn.layout["shapes"] if shape["name"] == "fold"]
    assert fold["x0"] == fold["x1"] == pytest.approx(largest_step("sphere", "fedorov", params, initial))
    assert drawn.layout["xaxis2"]["type"] == drawn.layout["yaxis2"]["type"] == "log"


def test_steps_beyond_the_fold_have_no_width():
    here = page("sphere", BALL + "&step=1.1")
    (dots,) = [t for t in here.view("energy").traces if t.get("xaxis") == "x2" and t["name"] == "Fedorov"]
    for step in points(dots)[0]:
        values, facts = here.panel.values, nhviz.describe("sphere")
        params, initial = ({name: values[name] for name in facts[part]} for part in ("parameters", "initial"))
        run = nhviz.simulate("sphere", "fedorov", params, initial, float(step), values["duration"])
        assert run.stopped is None
    assert len(points(dots)[0]) < 9


def verdict(query):
    """What is said at the right of the first panel."""
    notes = page("sphere", query).view("energy").layout["annotations"]
    return any("no drift" in note["text"] for note in notes)


def test_no_drift_is_said_only_where_a_fit_says_so():
    assert verdict("duration=20")
    # Less than one swing has not been seen to oscillate.
    assert not verdict("duration=2")
    # A level line, but one swing; several swings about a line that falls by half of the band.
    assert not verdict("J1=0.01&J2=0.02&J3=0.9&step=0.2&duration=11")
    assert not verdict("duration=12")
    assert not verdict("methods=reference")
    assert not verdict("omega1=0&omega2=0&omega3=0")


def test_a_long_run_of_short_steps_says_what_its_widths_are_made_of():
    here = page("sphere", BALL + "&step=0.01&duration=60")
    titles = [note["text"] for note in here.view("energy").layout["annotations"] if "Width" in note["text"]]
    assert len(titles) == 1
    assert ", first " in titles[0]
    assert "first" not in [
        n["text"] for n in page("sphere").view("energy").layout["annotations"] if "Width" in n["text"]
    ]


def test_the_momentum_seen_from_space_stands_still(energy):
    here, _ = energy
    drawn = here.view("in_space")
    titles = [note["text"] for note in drawn.words("upwards")]
    assert titles == [*(f"<i>K</i><sub>{axis}</sub> (kg m²/s)" for axis in "xyz"), "<i>E</i> (J)"]
    for number, name in enumerate(("", "2", "3", "4")):
        runs = {t["meta"]["track"]: t for t in drawn.traces
                if t["yaxis"] == f"y{name}" and "stride" in (t.get("meta") or {})}  # fmt: skip
        assert set(runs) == {"reference", *SHARES}
        for track, share in SHARES.items():
            run = alone(here, "fedorov", share)
            momentum = np.array([run["R"][n] @ [run[f"K{i}"][n] for i in (1, 2, 3)] for n in range(len(run))])
            kinetic = 0.5 * sum(run[f"K{i}"] * run[f"omega{i}"] for i in (1, 2, 3))
            expected = kinetic if number == 3 else momentum[:, number]
            assert close(points(runs[track]), np.stack([run.t, expected]), times=2.0)
