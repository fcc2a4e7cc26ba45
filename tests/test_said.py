"""What a page says, as records: numbers for people, and plain data for the browser."""

import cmath
import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhviz.analysis import branches
from nhviz.figures.style import Look, typed
from nhviz.frame import find, said, shown, state
from nhviz.frame.said import Gauge, Lane, Said, Statistic, Stop
from nhviz.methods import stops
from nhviz.views import numbers, sentences, texts
from tests.frames import opening
from tests.frames import panel as first_panel
from tests.pictures.reading import told as read_number

LOOK = Look("left.cayley", "Cayley", "#123456", "diamond")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0327338, 3, "0.0327"),
        (-0.5, 2, "−0.50"),
        (1515.79, 4, "1516"),
        (12345.6, 4, "12350"),
        (9.99996, 4, "10.00"),
        (254.558441, 4, "254.6"),
        (4.5e-16, 4, "4.5 · 10⁻¹⁶"),
        (-2.34e-5, 4, "−2.3 · 10⁻⁵"),
        (123456789.0, 4, "1.2 · 10⁸"),
        (0.001, 2, "0.0010"),
        (0.0, 4, "0"),
        (-0.0, 4, "0"),
    ],
)
def test_numbers_are_written_for_people(value, digits, text):
    assert said.readable(value, digits) == text


def test_what_is_written_is_the_number_to_its_digits():
    for value in np.random.default_rng(5).normal(size=200) * 10.0 ** np.random.default_rng(6).integers(-20, 20, 200):
        (back,) = read_number(said.readable(value))
        # Four digits, or two with a power of ten.
        assert back == pytest.approx(value, rel=6e-4 if 1e-3 <= abs(value) < 9.99e4 else 0.051)


def test_units_stand_as_by_hand():
    assert said.number(2.0, "kg m^2/s").text == "2.000 kg m²/s"
    assert said.number(2.0, "kg^2 m^4/s^2", 1).text == "2 kg² m⁴/s²"
    assert said.number(2.0, "°", 3).text == "2.00°"
    assert said.percent(0.4576).text == "46 %"
    assert said.percent(0.00331).text == "0.33 %"
    assert said.percent(-0.098).text == "−9.8 %"


def test_a_sentence_is_plain_data():
    told = said.sentence(said.method(LOOK), " lags by ", said.number(0.5, "rad", 2), "", ".")
    assert [one.describe() for one in told] == [
        {"text": "Cayley", "kind": "method", "key": "left.cayley"},
        {"text": " lags by ", "kind": "", "key": ""},
        {"text": "0.50 rad", "kind": "number", "key": ""},
        {"text": ".", "kind": "", "key": ""},
    ]
    assert said.spoken(told) == "Cayley lags by 0.50 rad."
    assert isinstance(told[1], Said)


def test_records_are_plain_data():
    values = np.linspace(0.0, 1.0, 5)
    told = Statistic("Lead now", "0.22", "kg m^2/s", "cayley", values, rare=True)
    assert told.describe() == {
        "label": "Lead now", "value": "0.22", "unit": "kg m²/s", "key": "cayley", "values": typed(values), "rare": True,
        "size": False,
    }  # fmt: skip
    assert told.text == "0.22 kg m²/s"
    assert Statistic("Cusp", "none").describe()["values"] is None
    lane = Lane("cayley", "Cayley", None, "fold", "no fold")
    assert Gauge("left.step", (lane,), 0.045).describe() == {
        "word": "left.step",
        "lanes": [{"key": "cayley", "label": "Cayley", "bound": None, "what": "fold", "note": "no fold"}],
        "end": 0.045,
        "begin": 0.0,
        "intervals": [],
        "marks": [],
        "note": "",
    }
    parted = Gauge("level", (), 2.0, 0.5, ((0.7, 0.8), (0.8, 1.9)), (("1/3", 0.6),), "round the third axis").describe()
    assert [parted[name] for name in ("begin", "intervals", "marks", "note")] == [
        0.5, [[0.7, 0.8], [0.8, 1.9]], [{"name": "1/3", "at": 0.6}], "round the third axis",
    ]  # fmt: skip
    assert Stop("cayley", "Stopped", {"step": 0.03}, "Use 0.03 s").describe() == {
        "key": "cayley", "text": "Stopped", "values": {"step": 0.03}, "label": "Use 0.03 s",
    }  # fmt: skip


def test_how_many_steps_were_made_is_read_from_the_reason():
    for steps in (0, 1, 4, 12345):
        assert stops.steps_made(stops.folded(steps, 0.04, 0.0327)) == steps
    assert stops.steps_made("the reference flow ended at t = 3: its budget is spent") is None


@pytest.mark.parametrize("value", [0.0327338, 1.0, 0.999999, 2.5e-7, 87654.3, 0.3, 0.07])
def test_rounding_down_never_rounds_up(value):
    rounded = numbers.rounded_down(value)
    assert value * (1.0 - 0.0101) < rounded <= value
    assert float(f"{rounded:.3g}") == rounded


@given(st.floats(0.0, 1e300))
def test_rounding_down_takes_any_number(value):
    """Subnormal ones, too: a gain may be as small as 1e-320 beside others that are too large."""
    assert 0.99 * value - 5e-324 <= numbers.rounded_down(value) <= value


def test_the_end_of_a_scale_is_round():
    for low in 10.0 ** np.linspace(-6.0, 5.0, 97):
        end = numbers.round_number(1.25 * low, 1.4 * low)
        assert 1.25 * low <= end * (1 + 1e-12)
        assert end <= 1.4 * low * (1 + 1e-12)
        # Two digits are enough, for the interval is wide.
        assert float(f"{end:.2g}") == end


@pytest.mark.parametrize("lab", find.labs())
def test_every_lab_says_something_short_in_plain_data(lab):
    """At the opening state, at every experiment of its system, and with nothing chosen."""
    first = state.opening(find.lab(lab), find.lab(lab).scenes[0])
    model = first.scene.panels[0].model
    queries = ["", "methods=", f"methods={model.default_method}", "duration=0"]
    for query in queries:
        for panel in shown.panels(state.State.from_query(find.lab(lab), query)[0]).values():
            told = said.spoken(sentences.said(panel))
            assert 10 < len(told) <= 140, told
            assert told.endswith(".")
            assert "  " not in told
            assert "nan" not in told
            assert "inf" not in told
            statistics = numbers.statistics(panel)
            assert len(statistics) <= 5
            everything = [*statistics, *numbers.gauges(panel), *numbers.stops(panel), *sentences.said(panel)]
            text = json.dumps([one.describe() for one in everything], allow_nan=False)
            assert "_" not in "".join(one.label for one in statistics), text
            for one in statistics:
                if one.values is not None:
                    assert len(one.values) == len(panel.tracks[one.key])
                    assert np.isfinite(one.values).all()


def test_a_coin_that_does_not_turn_has_no_circle():
    shown = first_panel(opening("rolling_disk", Pi_theta=0.0, duration=2.0))
    told = {one.label: one.text for one in numbers.statistics(shown)}
    assert told["Radius"] == "straight on"
    assert "Once round" not in told
    slowly = first_panel(opening("rolling_disk", Pi_theta=1e-310, Pi_psi=0.0, duration=2.0))
    assert {one.label: one.text for one in numbers.statistics(slowly)}["Radius"] == "straight on"


def test_without_a_method_the_page_asks_for_one_and_keeps_the_geometry():
    for lab in find.labs().values():
        found, complaints = state.State.from_query(lab, "methods=")
        assert not complaints
        assert found.query() == "methods="
        assert not found.errors()
        (panel,) = shown.panels(found).values()
        assert said.spoken(sentences.said(panel)) == "Choose a method above."
        assert numbers.statistics(panel) == ()
        assert len(panel.lead) == 1
        assert list(panel.tracks) == [panel.looks[panel.first].key]
        for view in found.scene.all_views.values():
            view.show(panel)


def test_without_a_method_values_must_still_go_together():
    found, complaints = state.State.from_query(find.lab("suslov"), "methods=&I13=90")
    assert "positive definite" in complaints[0]
    assert dict(found.variants)["methods"]


def test_titles_of_methods_are_names_with_a_small_word():
    titles = {m.title for lab in find.labs().values() for p in lab.scenes[0].panels for m in p.model.methods}
    assert titles == {
        "Flow", "Reference", "Moser–Veselov", "Cayley", "Feedback", "Fedorov–Zenkov", "Naive constraint", "Midpoint",
        "Fedorov", "Lagrange–d’Alembert",
    }  # fmt: skip
    assert find.lab("suslov").scenes[0].panels[0].model.method("exact").describe()["small"] == "closed form"


@pytest.mark.parametrize("lab", find.labs())
def test_views_and_quantities_have_words(lab):
    declared = find.lab(lab)
    for view in declared.scenes[0].all_views.values():
        assert view.title[0].isupper(), view.id
        assert view.short, view.id
        assert len(view.caption) < 75
    for place in declared.scenes[0].places.values():
        if len(place.views) == 1:
            assert place.views[0].caption, place.id
    for quantity in declared.scenes[0].panels[0].model.quantities:
        assert "_" not in quantity.title
        assert "^" not in quantity.title
        assert len(quantity.title) <= 42
    kind, _, place = declared.scenes[0].layout.partition(".")
    assert (kind == "all" and not place) or place in declared.scenes[0].places


def test_the_sphere_opens_on_a_real_ball_that_wobbles_and_swings():
    """The vertical goes up and down in it several times, and its course turns by more than a full turn."""
    first = state.opening(find.lab("sphere"), find.lab("sphere").scenes[0])
    (panel,) = shown.panels(first).values()
    run = panel.smooth("reference")
    assert any(remark.startswith("A real ball") for remark in panel.remarks)
    assert sum(panel.params[f"J{i}"] for i in (1, 2, 3)) <= panel.params["m"] * panel.params["rho"] ** 2
    rises = [b > a for a, b in zip(run["gamma3"], run["gamma3"][1:], strict=False)]
    assert sum(one != other for one, other in pairwise(rises)) >= 5
    steps = [complex(x, y) for x, y in zip(np.diff(run["x"]), np.diff(run["y"]), strict=True)]
    turned = sum(cmath.phase(later / earlier) for earlier, later in pairwise(steps))
    assert abs(turned) > 2.0 * math.pi


@pytest.mark.parametrize(
    ("lab", "head"),
    [
        ("sleigh", ("branch", "turn Δθ (rad)", "along it (m)", "across it (m)")),
        ("sphere", ("branch", "q₀", "q₁", "q₂", "q₃", "angle (rad)")),
        ("suslov", ("branch", "u (rad/s)", "v (rad/s)", "q₀", "q₁", "q₂", "angle (rad)", "M₃ (kg m²/s)")),
    ],
)
def test_a_table_of_branches_has_words_and_the_numbers_of_the_branches(lab, head):
    here = first_panel(opening(lab, step=0.013))
    first = next(iter(here.maps))
    table = next(iter(texts.branch_table(here)))
    declared = here.method(first)
    at = branches.point_of_start(declared.branches, here.params, here.initial)
    found = branches.branches(here.system.id, declared.id, here.params, here.step_of(first), at)
    assert table.head == head
    assert len(table.rows) == len(found)
    for row, branch in zip(table.rows, found, strict=True):
        values = [value for name, value in branch.items() if name not in ("principal", "certified")]
        assert [float(text) for text in row[1:]] == pytest.approx(values, rel=1e-4, abs=1e-300)
        assert (row[0] == "principal") == branch["principal"]
