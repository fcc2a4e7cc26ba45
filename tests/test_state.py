"""A state is a value with one text form: written, read back, translated from old links, refused with a sentence."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nhviz.frame import find
from nhviz.frame.experiments import suggestions
from nhviz.frame.state import COMPLAINTS, POINTS, SAMPLES, State
from nhviz.views.texts import python
from server import limits
from tests.frames import opening, painted, panel
from tests.strategies import initial, suslov_params


def read(name, text):
    return State.from_query(find.lab(name), text, limits.admitted)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    suslov_params(),
    initial("suslov"),
    st.sampled_from(["drift", "time", "disk", "python"]),
    st.sampled_from(["all", "plane", "detail"]),
)
def test_every_state_comes_back_from_its_text(params, start, tab, layout):
    state = opening(
        "suslov", variants=["exact", "cayley"], options={"locus.surface": "both", "branch": "1"}, layout=layout,
        tabs={"detail": tab}, **params, **start, step=0.01,
    )  # fmt: skip
    assert read("suslov", state.query()) == (state, [])
    assert State.from_dict(state.lab, state.to_dict()) == state
    assert len(state.query()) < 450


@pytest.mark.parametrize("name", find.labs())
def test_the_opening_state_has_no_words(name):
    for scene in find.lab(name).scenes[:1]:
        assert opening(name).query() == ""
        assert not opening(name).errors(limits.admitted)
        assert scene.places


@pytest.mark.parametrize("name", find.labs())
def test_experiments_are_states_that_can_be_shown(name):
    lab = find.lab(name)
    for scene in lab.scenes:
        offered = suggestions(lab, scene)
        assert offered
        for one in offered:
            assert not one.state.errors(limits.admitted)
            assert State.from_query(lab, one.state.query())[0] == one.state


@pytest.mark.parametrize("steps", [1, 699, 700, 2000, 2001, 2100, 10_000, 20_000, 1_234_567])
def test_of_a_long_run_a_page_keeps_no_more_than_the_clock_shows(steps):
    """All of a short one; of a long one evenly so many that no instant is left out, but for less than half of them."""
    one = panel(opening("knife_edge", step=0.001, duration=0.001 * steps))
    problem = one.problems["feedback"]
    assert problem.steps == steps
    if steps <= SAMPLES:
        assert problem.every == 1
    else:
        assert 0.5 * POINTS < problem.samples <= POINTS
        # The last step is one of them where that is possible.
        assert steps % problem.every == 0 or steps == 1_234_567


OLD = {
    "suslov?I13=1.25&step=0.012&methods=exact.cayley&locus=both&section=0.4-0.8&branch=1": {
        "I13": "1.25", "step": "0.012", "methods": "exact.cayley", "locus.surface": "both", "locus.part": "0.4-0.8",
        "branch": "1",
    },
    "sleigh?methods=exact.feedback&rotation=matrix": {"methods": "exact.feedback", "rotation": "matrix"},
    "knife_edge?k1=0&k2=0&duration=60": {"k1": "0", "k2": "0", "duration": "60"},
}  # fmt: skip


@pytest.mark.parametrize("link", OLD)
def test_old_links_still_open(link):
    name, _, text = link.partition("?")
    state, complaints = read(name, text)
    assert complaints == []
    assert {word: state.said()[word] for word in OLD[link]} == OLD[link]
    differs = {word for word, said in state.said().items() if opening(name).said()[word] != said}
    assert differs == set(OLD[link]) - {word for word in OLD[link] if opening(name).said()[word] == OLD[link][word]}


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=80) | st.from_regex(r"\?(I11|M1|step|methods|locus|branch|detail)=[^&]{0,12}", fullmatch=True))
def test_any_text_gives_a_state_that_can_be_shown(text):
    state, complaints = read("suslov", text)
    assert all(math.isfinite(value) for _, value in state.numbers)
    assert all("\n" not in complaint for complaint in complaints)
    assert not painted(state).errors


def test_what_cannot_be_used_is_said():
    state, complaints = read("suslov", "?locus=xx&detail=nothing&layout=x&scene=other&methods=cayley.foo&M1=x")
    words = " ".join(complaints)
    assert "locus.surface = 'xx'; it can be moser_veselov, cayley, both" in words
    assert "detail = 'nothing'; it can be drift" in words
    assert "scene = 'other'; it can be main" in words
    assert "names a method that suslov does not have" in words
    assert "And 1 more." in words
    assert dict(state.variants) == {"methods": ("cayley",)}


def test_a_link_with_too_many_steps_says_how_many():
    state, complaints = read("sleigh", "?step=1e-6&duration=100")
    assert complaints == [
        "The link cannot be shown: duration / step is 100,000,000 steps; at most 2,000,000 are shown here: "
        "raise step or lower duration."
    ]
    assert state == opening("sleigh")


def test_long_and_repeated_links():
    _, complaints = read("suslov", "?" + "&".join(f"word{i}=1" for i in range(300)))
    assert len(complaints) == COMPLAINTS + 1
    state, _ = read("suslov", "?methods=cayley.cayley.exact.cayley")
    assert dict(state.variants)["methods"] == ("exact", "cayley")
    assert "longer than 4,000" in read("suslov", "?I11=3&x=" + "y" * 5000)[1][0]


def test_numbers_without_a_meaning_in_this_dimension_are_not_written():
    state = opening("suslov_n", n=3.0, p4=1.7)
    assert "p4" not in state.query()
    assert "p4=1.7" in opening("suslov_n", n=5.0, p4=1.7).query()


@pytest.mark.parametrize("name", ["suslov", "sleigh", "sphere"])
def test_python_lines_give_the_same_arrays(name):
    shown = panel(opening(name, step=0.013, duration=0.7))
    names = {}
    exec(python(shown)[0].text, names)
    assert set(names["runs"]) == set(shown.runs)
    for variant, orbit in shown.runs.items():
        again = names["runs"][variant]
        assert np.array_equal(again.t, orbit.t)
        for component, values in orbit.components.items():
            # A flow that is drawn as a smooth line is computed with it, in other steps.
            assert np.allclose(again[component], values, rtol=0.0, atol=1e-12 if variant in shown.fine else 0.0)
