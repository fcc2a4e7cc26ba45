"""Drift: |value - start| of every quantity, recomputed from components by formulas written here."""

import numpy as np
import pytest

from nhviz.figures import series
from nhviz.frame import find
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


def panel_titles(drawn):
    """The title above each panel, and what is said of its drift at the right or below it, by panel."""
    names, said = {}, {}
    for note in drawn.words():
        panel = note.get("xref", "").removesuffix(" domain")[1:]
        if note.get("name") in ("title", "wide") and note["y"] == 1:
            assert note["yref"] == f"y{panel} domain"
            heading, _, rest = note["text"].rpartition("</b>")
            if heading:
                names[panel] = heading.removeprefix("<b>").replace("<br>", " ")
            if rest:
                said[panel] = rest.removeprefix("<br>")
    return names, said


def traces(drawn):
    """The curves of runs by variant and quantity, which is that of the panel."""
    names = {panel: text.lower() for panel, text in panel_titles(drawn)[0].items()}
    return {
        (trace["meta"]["track"], names[panel]): trace
        for panel, each in drawn.panels().items()
        for trace in each
        if "offset" in trace.get("meta", {})
    }


@EACH
def test_every_curve_is_the_drift_of_its_quantity_in_its_run(which):
    here = page(*which)
    found = traces(here.view("drift"))
    drifts = {method: expected(here, method) for method in here.panel.runs}
    assert sorted(found) == sorted((method, name) for method, each in drifts.items() for name in each)
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
        assert trace["name"] == here.panel.system.method(method).title
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
def test_round_off_is_a_band_at_the_foot_of_a_logarithmic_scale(which):
    drawn = page(*which).view("drift")
    every = np.concatenate([points(trace)[1] for trace in traces(drawn).values()])
    assert every.min() >= FLOOR * (1.0 - ROUNDED)
    bands = {shape["yref"][1:]: shape for shape in drawn.layout["shapes"]}
    assert set(bands) == set(drawn.panels())
    for panel, band in bands.items():
        axis = drawn.layout[f"yaxis{panel}"]
        assert axis["type"] == "log"
        assert drawn.layout[f"xaxis{panel}"].get("type") != "log"
        low, high = axis["range"]
        assert low == pytest.approx(np.log10(band["y0"])) == -17.3
        assert band["y1"] == 3e-15
        assert (band["xref"], band["x0"], band["x1"]) == (f"x{panel} domain", 0, 1)
        assert high > max(1.0, np.log10(every.max()))
        assert axis["tickvals"] == [10.0**power for power in (-16, -12, -8, -4, 0)]
        assert axis["ticktext"] == ["10⁻¹⁶", "10⁻¹²", "10⁻⁸", "10⁻⁴", "1"]
    (note,) = [note for note in drawn.words() if note["text"] == "round-off"]
    assert 10.0 ** note["y"] == pytest.approx(3e-15)


@EACH
def test_a_panel_says_what_is_kept_and_what_strays_how_far(which):
    here = page(*which)
    found, told = traces(here.view("drift")), panel_titles(here.view("drift"))[1]
    for panel, each in here.view("drift").panels().items():
        # The first instant, at which nothing has strayed yet, is not drawn.
        worst = max(points(trace)[1].max() for trace in each if "offset" in trace.get("meta", {}))
        if worst < 1e-11:
            assert told[panel] == "kept"
        else:
            number = told[panel].removeprefix("≤ ").replace("·10", "e").replace("⁻", "-")
            number = float(number.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
            # Two digits, and not less.
            assert worst * (1.0 - ROUNDED) <= number <= 1.1 * worst
    for trace in found.values():
        quiet = points(trace)[1].max() < 1e-11
        assert trace["line"]["width"] == (0.8 if quiet else 2.0)
        discrete = here.panel.system.method(trace["meta"]["track"]).discrete
        assert trace["mode"] == ("lines+markers" if discrete and not quiet else "lines")
        assert trace["marker"]["maxdisplayed"] == 7


def test_two_digits_are_rounded_up():
    for worst, text in (
        (0.0, "kept"), (9.9e-12, "kept"), (0.0101, "≤ 0.011"), (0.01, "≤ 0.010"), (0.996, "≤ 1.0"), (3.61, "≤ 3.7"),
        (1234.5, "≤ 1300"), (4.32e-5, "≤ 4.4·10⁻⁵"), (2.5e7, "≤ 2.5·10⁷"), (9.99e-6, "≤ 1.0·10⁻⁵"),
    ):  # fmt: skip
        assert series.kept(worst) == text


@pytest.mark.parametrize("lab", list(find.listed()))
def test_quantities_are_called_by_words(lab):
    drawn = page(lab, "duration=0.2").view("drift")
    titles = panel_titles(drawn)[0].values()
    assert len(titles) == len(set(titles)) == len(page(lab, "duration=0.2").panel.system.quantities)
    for text in titles:
        assert text[0].isupper()
        assert "_" not in text
    assert drawn.titles() == ["<i>t</i> (s)"]


@EACH
def test_the_clock_is_a_line_in_every_panel(which):
    here = page(*which)
    drawn = here.view("drift")
    assert len(drawn.frames) == len(drawn.panels())
    for panel, each in drawn.panels().items():
        (line,) = [trace for trace in each if trace["name"] == "clock"]
        places, track = drawn.moved(line)
        assert close(places[:, 0, 0], here.panel.tracks[track])
        assert np.log10(numbers(line["y"])) == pytest.approx(drawn.layout[f"yaxis{panel}"]["range"])
