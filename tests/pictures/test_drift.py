"""Drift: |value - start| of every quantity, recomputed from components by formulas written here."""

import numpy as np
import pytest

from tests.pictures import flows
from tests.pictures.bodies import SLEIGH, SUSLOV
from tests.pictures.reading import ROUNDED, close, numbers, page, points

FLOOR = 1e-16
PAGES = [
    ("suslov", SUSLOV),
    ("sleigh", SLEIGH),
    ("suslov", SUSLOV + "&methods=feedback.cayley&duration=0.3&step=0.005"),
    # More samples than the clock has instants.
    ("sleigh", SLEIGH + "&step=0.01&duration=15"),
]
EACH = pytest.mark.parametrize("which", PAGES)


def top_quantities(params, run):
    """Energy, distance to the plane d*, and |R^T R - 1|."""
    first, second = params["I13"] / params["I11"], params["I23"] / params["I22"]
    aside = run["M3"] - first * run["M1"] - second * run["M2"]
    square = np.swapaxes(run["R"], 1, 2) @ run["R"] - np.eye(3)
    return {
        "energy": flows.suslov_energy(params, (run["M1"], run["M2"])),
        "constraint": aside / np.sqrt(1.0 + first**2 + second**2),
        "orthogonality": np.sqrt(np.sum(square**2, axis=(1, 2))),
    }


def sleigh_quantities(params, run):
    """Energy, and the velocity across the blade of the momenta."""
    omega, _ = flows.sleigh_velocities(params, run["p_theta"], run["p_1"])
    return {
        "energy": flows.sleigh_energy(params, (run["p_theta"], run["p_1"])),
        "constraint": run["p_2"] / params["m"] - params["a"] * omega,
    }


def expected(here, method):
    """|value - start|, over the start where it is not round-off."""
    compute = top_quantities if here.state.lab.id == "suslov" else sleigh_quantities
    found = {}
    for name, values in compute(here.panel.params, here.alone(method)).items():
        scale = abs(values[0]) if abs(values[0]) > 1e-9 else 1.0
        found[name] = np.abs(values - values[0]) / scale
    return found


def traces(drawn):
    """The traces of runs by variant and quantity."""
    return {(t["meta"]["track"], t["name"].split(" ", 1)[0]): t for t in drawn.traces if "meta" in t}


@EACH
def test_every_curve_is_the_drift_of_its_quantity_in_its_run(which):
    here = page(*which)
    found = traces(here.view("drift"))
    drifts = {method: expected(here, method) for method in here.panel.runs}
    assert list(found) == [(method, name) for method, each in drifts.items() for name in each]
    greatest = 0.0
    for (method, name), trace in found.items():
        times, series = points(trace)
        alone = here.alone(method)
        at = [0, *(np.abs(alone.t - time).argmin() for time in times)]
        values = drifts[method][name][at]
        assert close(times, alone.t[at][1:])
        assert len(times) == min(len(alone), 700) - 1
        # Quantities are sums of a few terms: their differences are exact to some round-offs of 64 bits.
        assert np.abs(series - np.maximum(values[1:], FLOOR)).max() <= ROUNDED * values.max() + 1e-14
        assert trace["name"] == f"{name} {here.panel.system.method(method).title}"
        greatest = max(greatest, values.max())
    assert greatest > 1e-4


@EACH
def test_a_hovered_point_is_the_instant_after_the_start(which):
    here = page(*which)
    for (method, _), trace in traces(here.view("drift")).items():
        assert trace["meta"]["offset"] == 1
        assert "stride" not in trace["meta"]
        assert close(points(trace)[0], here.panel.tracks[method][1:])


@EACH
def test_round_off_is_the_floor_of_a_logarithmic_scale(which):
    drawn = page(*which).view("drift")
    floor = drawn.one("round-off")
    assert close(numbers(floor["y"]), np.full(2, FLOOR))
    every = np.concatenate([points(trace)[1] for trace in traces(drawn).values()])
    assert every.min() >= FLOOR * (1.0 - ROUNDED)
    assert close(numbers(floor["x"]), [0.0, max(points(trace)[0].max() for trace in traces(drawn).values())])
    assert drawn.layout["yaxis"]["type"] == "log"
    assert drawn.layout["xaxis"].get("type") != "log"


def test_the_axes_say_what_a_drift_is():
    assert page("suslov", SUSLOV).view("drift").titles() == ["t (s)", "|value - start| / scale"]


@EACH
def test_dashes_are_quantities_as_the_legend_says(which):
    drawn = page(*which).view("drift")
    legend = {t["name"]: t["line"]["dash"] for t in drawn.traces if numbers(t["x"]).size == 1 and "meta" not in t}
    assert len(set(legend.values())) == len(legend)
    for (_, name), trace in traces(drawn).items():
        assert trace["line"]["dash"] == legend[name]
