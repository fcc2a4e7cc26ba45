"""Errors of the race over the step read back: the pull does not raise the order."""

import numpy as np
import pytest

from tests.pictures.racing import RACER, SCHEMES, alone
from tests.pictures.reading import close, page, points


def final_error(here, variant, truth, **more):
    run = alone(here, variant, **more)
    names = ("theta", "x", "y", "phi", "u", "omega")
    return max(abs(run[name][-1] - truth[name][-1]) for name in names)


def test_errors_over_the_step_with_gains_held_and_growing():
    here = page("feedback", RACER + "&off=0.2")
    drawn = here.view("order")
    truth = alone(here, "reference", step=6.0)
    steps = 6.0 / np.array([30, 60, 120, 240, 480, 960])
    for (_, traces), held in zip(drawn.panels().items(), (True, False), strict=True):
        assert [trace["name"] for trace in traces] == [here.panel.looks[name].label for name in SCHEMES]
        for variant, trace in zip(SCHEMES, traces, strict=True):
            shown, errors = points(trace)
            assert close(shown, steps)
            for step, error in list(zip(steps, errors, strict=True))[1:4]:
                scale = 1.0 if held else here.panel.step / step
                assert error == pytest.approx(
                    final_error(here, variant, truth, step=step, scale=scale, off=0.0), rel=1e-5
                )


def test_feedback_does_not_raise_the_order():
    """Euler 1 both ways; RK4 4, and 2 with gains that grow as 1/step (README, and the module of the method)."""
    here = page("feedback", "scene=oscillator&step=0.02&duration=4&x=0.9&y=-0.7&z=0.4&p_y=0.8&p_z=0.5")
    orders = []
    for words in here.view("order").words("slopes"):
        orders.append([float(line.removesuffix("</span>").rsplit(" ", 1)[1]) for line in words["text"].split("<br>")])
    assert orders[0] == pytest.approx([1.0, 1.0, 4.0, 4.0], abs=0.1)
    assert orders[1] == pytest.approx([1.0, 1.0, 4.0, 2.0], abs=0.12)
    for shape in here.view("order").layout["shapes"]:
        assert shape["x0"] == here.panel.step


def test_a_long_run_is_looked_at_in_its_beginning():
    here = page("feedback", "scene=rolling_disk&step=0.001&duration=50")
    drawn = here.view("order")
    assert [note["text"] for note in drawn.words("wide")] == ["first 3 s"]
    steps = points(drawn.panels()[""][0])[0]
    assert steps.min() == pytest.approx(3.0 / 24_000, rel=1e-6)
    assert "round-off" in drawn.words("slopes")[0]["text"]
