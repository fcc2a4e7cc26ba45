"""The convergence lab: every error, drift, time, slope, fold and sentence against runs of the test's own."""

import json
import re

import numpy as np
import pytest

import nhviz
from nhviz.analysis import asymptotic, pace, phase, steps
from nhviz.analysis.errors import parts_of_state
from nhviz.figures import work
from nhviz.figures.style import THEMES
from nhviz.labs.convergence.subjects import SUBJECTS
from nhviz.views import sentences
from tests.pictures.bodies import BALL, SLEIGH, SUSLOV, USUAL
from tests.pictures.reading import ROUNDED, close, numbers, page, points, told

TOP = SUSLOV.replace("step=0.12&duration=6", "step=0.3&duration=3.1&by_step.halvings=6")
SLED = "scene=sleigh&methods=fedorov_zenkov.naive.rk4_feedback&" + SLEIGH.replace(
    "step=0.2&duration=12", "step=0.13&duration=3&by_step.halvings=4"
)
ROLLING = "scene=sphere&" + BALL.replace("step=0.1&duration=6", "step=0.21&duration=3&by_step.halvings=4")
EDGE = (
    "scene=knife_edge&methods=rk4_feedback.rk4_growing.rk4&"
    + USUAL["knife_edge"].replace("step=0.01&duration=5", "step=0.1&duration=2&by_step.halvings=4&k1=0.7&k2=0.8&k3=0.9")
)  # fmt: skip
COUNTS = {TOP: 11, SLED: 24, ROLLING: 15, EDGE: 20}
"""Steps of the longest rung: the duration over the step, rounded up."""
LEADING = "I11=2.9&I22=4.2&I33=5.3&I13=0.8&I23=0.6&M1=31&M2=-87&step=0.012&duration=1"
"""Like the body of GJ's figure 3: its lead can be seen."""


def rungs(query, halvings):
    return [round(COUNTS[query] * 2.0 ** (i / 2.0)) for i in range(2 * halvings + 1)]


def halvings(here):
    return int(here.state.number("by_step.halvings"))


def runs(here, query, variant):
    """The runs of a variant over its rungs: (counts, problems' runs), with gains as the rung has them."""
    values, problem = here.panel.values, here.panel.problems[variant]
    found = []
    for count in rungs(query, halvings(here)):
        options, step = dict(problem.options), values["duration"] / count
        if variant == "rk4_growing":
            options |= {name: values[name] / step for name in ("k1", "k2", "k3")}
        params, initial = dict(problem.params), dict(problem.initial)
        found.append(
            nhviz.simulate(problem.system, problem.method, params, initial, step, values["duration"], **options)
        )
    return found


def truth(here):
    model, values = here.panel.system, here.panel.values
    problem = next(iter(here.panel.problems.values()))
    return nhviz.simulate(
        model.id, model.truth.id, dict(problem.params), dict(problem.initial), values["duration"], values["duration"]
    )


def relative(run, true, groups):
    """The root of the sum, over units, of squares of errors at the end over the greatest square of both ends."""
    total = 0.0
    for names in groups:
        gap = sum((run[name][-1] - true[name][-1]) ** 2 for name in names)
        total += gap / max(sum(true[name][i] ** 2 for name in names) for i in (0, -1))
    return np.sqrt(total)


def angle(run, true):
    """The angle between two rotations near each other."""
    return np.linalg.norm(run["R"][-1] - true["R"][-1]) / np.sqrt(2.0)


def path(run, true):
    return np.hypot(run["x"][-1] - true["x"][-1], run["y"][-1] - true["y"][-1])


CASES = {
    (TOP, "momenta"): lambda run, true: relative(run, true, [("M1", "M2")]),
    (TOP, "attitude"): angle,
    (SLED, "momenta"): lambda run, true: relative(run, true, [("p_theta",), ("p_1",)]),
    (SLED, "path"): path,
    (SLED, "attitude"): lambda run, true: abs(run["theta"][-1] - true["theta"][-1]),
    (ROLLING, "velocities"): lambda run, true: relative(run, true, [("omega1", "omega2", "omega3")]),
    (ROLLING, "path"): path,
    (ROLLING, "attitude"): angle,
    (EDGE, "path"): path,
}
EACH = pytest.mark.parametrize(("query", "part"), CASES)


def curve(drawn, here, variant):
    """The trace of a variant's errors."""
    (found,) = [
        t for t in drawn.named(here.panel.looks[variant].label) if t["meta"]["track"] == variant and "marker" in t
    ]
    return found


@EACH
def test_errors_are_those_at_the_end(query, part):
    here = page("convergence", f"{query}&by_step.of={part}")
    true = truth(here)
    for variant in here.panel.problems:
        trace = curve(here.view("by_step"), here, variant)
        found = runs(here, query, variant)
        wanted = np.array([CASES[query, part](run, true) for run in found])
        x, y = points(trace)
        close(x, here.panel.values["duration"] / np.array(rungs(query, halvings(here))), 2.0 * ROUNDED)
        # What is left of the difference of two numbers of the size of 1 is off by their last bits.
        assert np.all(np.abs(y - wanted) <= 2.0 * ROUNDED * wanted + 1e-13)
        assert trace["marker"]["color"] == here.panel.looks[variant].colour
        assert trace["marker"]["symbol"] == here.panel.looks[variant].symbol


@pytest.mark.parametrize(
    ("query", "quantity"), [(TOP, "energy"), (SLED, "energy"), (ROLLING, "K_K"), (EDGE, "constraint")]
)
def test_drifts_are_the_greatest_along_the_run(query, quantity):
    here = page("convergence", f"{query}&by_step.of=integral_{quantity}")
    for variant in here.panel.problems:
        wanted = []
        for run in runs(here, query, variant):
            values = run.quantity(quantity)
            scale = abs(values[0]) if abs(values[0]) > 1e-9 else 1.0
            wanted.append(np.abs(values - values[0]).max() / scale)
        known = np.array(wanted) > 0.0
        y = points(curve(here.view("by_step"), here, variant))[1]
        assert np.all(np.abs(y - np.array(wanted)[known]) <= 2.0 * ROUNDED * np.array(wanted)[known] + 1e-14)


def test_times_are_those_that_were_measured_beside_the_same_errors():
    here = page("convergence", TOP)
    for variant, problem in here.panel.problems.items():
        x, y = points(curve(here.view("by_time"), here, variant))
        np.testing.assert_array_equal(y, points(curve(here.view("by_step"), here, variant))[1])
        counts, duration = rungs(TOP, 6), here.panel.values["duration"]
        options = dict(problem.options)
        timed = [problem.by(problem.method, duration / count, count, options) for count in counts]
        close(x, 1e3 * np.array([pace.run_time(one) for one in timed]), 2.0 * ROUNDED)
    assert f"best of up to {pace.BEST_OF}" in here.view("by_time").titles()[0]
    assert "(ms)" in here.view("by_time").titles()[0]


def test_triangles_have_the_slope_that_is_told():
    here = page("convergence", TOP)
    drawn = here.view("by_step")
    told_slopes = [note["text"] for note in drawn.words("slope") if note["text"] != "1"]
    triangles = drawn.named("slope")
    assert [one["meta"]["track"] for one in triangles] == ["moser_veselov", "rk4_feedback"]
    for triangle, text in zip(triangles, told_slopes, strict=True):
        variant = triangle["meta"]["track"]
        x, y = points(curve(drawn, here, variant))
        fit = asymptotic.fit(x, y, 1e-11)
        a, b, c, again = (np.log10(points(triangle)[:, i]) for i in range(4))
        assert a[1] == b[1]
        assert b[0] == c[0]
        np.testing.assert_array_equal(a, again)
        assert (c[1] - b[1]) / (b[0] - a[0]) == pytest.approx(fit.order, abs=1e-4)
        # Its middle is in the range that was fitted, below the curve.
        low, high = np.log10(x[fit.chosen].min()), np.log10(x[fit.chosen].max())
        assert low < 0.5 * (a[0] + b[0]) < high
        assert c[1] < np.interp(c[0], np.log10(x[::-1]), np.log10(y[::-1]))
        order, *uncertainty = told(text)
        assert order == pytest.approx(fit.order, abs=0.005 + 1e-6)
        assert (uncertainty or [0.0])[0] == pytest.approx(fit.uncertainty, abs=0.0051)
        assert sentences.notes(here.panel)[variant] == f"order {fit.order:.2f}"
        label = f"Order, {here.panel.looks[variant].label}"
        assert told(here.readout[label])[0] == pytest.approx(fit.order, abs=0.0006)
    assert told(here.readout["Runs"]) == [39.0]


def test_where_a_method_ends_is_hatched_and_told():
    here = page("convergence", TOP)
    drawn = here.view("by_step")
    problem = here.panel.problems["moser_veselov"]
    fold = steps.largest_step("suslov", "moser_veselov", dict(problem.params), dict(problem.initial))
    (line,) = [one for one in drawn.named("end") if one["meta"]["track"] == "moser_veselov"]
    (band,) = [one for one in drawn.named("beyond") if one["meta"]["track"] == "moser_veselov"]
    close(numbers(line["x"]), [fold, fold], ROUNDED)
    assert numbers(band["x"]).min() == pytest.approx(fold)
    assert numbers(band["x"]).max() > 100.0 * fold
    assert band["fillpattern"]["shape"] == "/"
    (note,) = [one for one in drawn.words("end") if "fold" in one["text"]]
    assert told(note["text"]) == [pytest.approx(fold, rel=5e-3)]
    assert note["x"] == pytest.approx(np.log10(fold))
    low, high = drawn.layout["xaxis"]["range"]
    assert low < np.log10(fold) < high
    # Cayley has no fold: nothing is said of it.
    assert not [one for one in drawn.named("end") if one["meta"]["track"] == "cayley"]


def test_past_the_fold_there_is_no_point():
    far = TOP.replace("step=0.3", "step=0.6")
    here = page("convergence", far)
    problem = here.panel.problems["moser_veselov"]
    fold = steps.largest_step("suslov", "moser_veselov", dict(problem.params), dict(problem.initial))
    x = points(curve(here.view("by_step"), here, "moser_veselov"))[0]
    assert fold < 0.6
    assert x.max() < fold
    assert points(curve(here.view("by_step"), here, "cayley"))[0].max() > 0.5


def test_held_gains_are_stable_up_to_the_step_that_is_told():
    here = page("convergence", "scene=knife_edge&duration=20")
    (line,) = here.view("by_step").named("end")
    assert line["meta"]["track"] == "rk4_feedback"
    bound = float(numbers(line["x"])[0])
    problem = here.panel.problems["rk4_feedback"]
    options = dict(problem.options)
    for share, lost in ((0.97, False), (1.06, True)):
        run = nhviz.simulate("knife_edge", "feedback", step=share * bound, duration=60.0, **options)
        assert bool(run.stopped) is lost
    assert "stable up to" in here.view("by_step").words("end")[0]["text"]


def test_the_sentence_tells_who_errs_less_and_where_that_changes():
    """With the data of GJ's figure 3."""
    here = page("convergence")
    first, second = (points(curve(here.view("by_step"), here, name)) for name in ("moser_veselov", "cayley"))
    ratio = first[1][np.argmin(first[0])] / second[1][np.argmin(second[0])]
    apart = np.log(first[1] / second[1])
    (change,) = np.flatnonzero(np.diff(np.sign(apart)))
    # On a straight line between the two steps; the polynomial of first degree goes through both.
    line = np.polyfit(apart[change : change + 2], np.log(first[0][change : change + 2]), 1)
    cross = np.exp(line[1])
    words = re.search("Cayley errs (.*) times less with short steps, Moser–Veselov beyond (.*) s", here.sentence)
    assert float(words[1]) == pytest.approx(ratio, rel=0.05)
    assert float(words[2]) == pytest.approx(cross, rel=0.05)
    assert here.sentence.startswith("Both maps are of second order, RK4 + feedback of fourth.")


def test_the_sentence_tells_who_keeps_an_integral():
    here = page("convergence", "by_step.of=integral_energy")
    assert here.sentence == (
        "Moser–Veselov keeps the energy to round-off. "
        "The drift of Cayley is of second order, that of RK4 + feedback of fourth."
    )
    assert sentences.notes(here.panel)["moser_veselov"] == "round-off"
    held = page("convergence", "scene=knife_edge")
    assert held.sentence.startswith("RK4 (held) is of fourth order, RK4 (growing) of second.")


def test_a_method_alone_is_told_with_its_errors():
    here = page("convergence", ROLLING + "&by_step.of=path")
    x, y = points(curve(here.view("by_step"), here, "fedorov"))
    words = here.sentence.replace("Fedorov is of second order", "")
    assert told(words) == pytest.approx([y[-1], x[-1], y[0], x[0]], rel=0.05)


def test_the_table_has_the_same_numbers():
    here = page("convergence", TOP)
    tables = here.state.scene.all_views["in_figures"].show(here.panel)
    for table, variant in zip(tables, here.panel.problems, strict=False):
        x, y = points(curve(here.view("by_step"), here, variant))
        assert table.title == here.panel.looks[variant].label
        assert [int(row[0]) for row in table.rows] == rungs(TOP, 6)
        close(x, np.array([float(row[1]) for row in table.rows]), 1e-5)
        close(y, np.array([float(row[2]) for row in table.rows]), 1e-4)
    assert "asymptotic.fit" in tables[-1].text


def test_the_lead_is_measured_and_predicted():
    here = page("convergence", f"scene=lead&{LEADING}&sizes.halvings=3")
    drawn = here.view("sizes")
    for variant, problem in here.panel.problems.items():
        x, y = points(curve(drawn, here, variant))
        (line,) = [one for one in drawn.named("leading order") if one["meta"]["track"] == variant]
        counts = [round(84 * 2.0 ** (i / 2.0)) for i in range(7)]
        close(x, 1.0 / np.array(counts), 2.0 * ROUNDED)
        for i, count in enumerate(counts):
            run = nhviz.simulate("suslov", variant, dict(problem.params), dict(problem.initial), 1.0 / count, 1.0)
            assert y[i] == pytest.approx(np.abs(phase.phase_lead(run)).max(), rel=1e-4)
            # The formula at its greatest is found at samples, on the page at those of its own step.
            assert numbers(line["y"])[i] == pytest.approx(np.abs(phase.predicted_lead(run)).max(), rel=5e-3)
        # The formula is the limit: the rest is of fourth order, so of second relative to it.
        off = np.abs(y / numbers(line["y"]) - 1.0)
        assert off[-1] < 0.25 * off[0] + 2e-3
    ahead, behind = (here.panel.runs[name] for name in ("moser_veselov", "cayley"))
    lead, lag = phase.phase_lead(ahead).max(), -phase.phase_lead(behind).min()
    words = re.search("ahead by up to (.*) rad, Cayley lags by up to (.*) rad", here.sentence)
    assert [float(word) for word in words.groups()] == pytest.approx([lead, lag], rel=0.05)
    assert "Remark 8.1 has it the other way round" in here.sentence
    assert sentences.notes(here.panel) == {"moser_veselov": "ahead", "cayley": "behind"}


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.system)
def test_every_part_of_the_state_can_be_asked_for(subject):
    """The parts that are declared are those that errors have."""
    model = subject.model
    run = nhviz.simulate(subject.system, model.truth.id, duration=0.0)
    assert tuple(parts_of_state(run)) == subject.parts
    assert list(subject.questions) == [*(part.lower() for part in subject.parts), *subject.integrals]
    assert len(set(subject.buttons.values())) == len(subject.buttons)


def test_few_or_huge_errors_can_be_drawn():
    look = page("convergence").panel.looks["cayley"]
    for values in ([1e-3], [1e299, 1e300]):
        y = np.array(values)
        end = work.End(look, 0.015, "fold")
        pictures = (
            work.over_steps(THEMES["light"], [work.Curve(look, 0.01 * np.arange(1.0, 1.0 + y.size), y)], [end], ""),
            work.over_time(THEMES["light"], [work.Curve(look, np.full(y.size, 0.213), y)], "", ""),
            work.over_steps(THEMES["light"], [], [], ""),
        )
        for picture in pictures:
            text = json.dumps(picture.figure["layout"], allow_nan=False)
            assert '"range"' in text
            axes = [picture.figure["layout"][name]["range"] for name in ("xaxis", "yaxis")]
            assert all(low < high for low, high in axes)
            assert all(np.isfinite(points(trace)).all() for trace in picture.figure["data"] if "fill" in trace)
