"""What cannot be used to define or to run a left-invariant system gets one sentence."""

import numpy as np
import pytest

from nhviz import ll
from nhviz.parameters import ParameterError
from tests.ll_cases import SO3, random_mass, system, velocity
from tests.test_groups import harmonic, special_linear

MASS = random_mass(3, 5)
DEFINE = [
    ({"mass": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, "must be symmetric: its entries (1, 2) and (2, 1) are 2 and 0"),
    ({"mass": np.diag([1.0, -3.0, 1.0])}, "positive on the constraint"),
    ({"mass": np.eye(4)}, "3 rows and 3 columns"), ({"mass": "heavy"}, "3 rows and 3 columns"),
    ({"mass": np.nan * MASS}, "finite numbers"), ({"allowed": ["w1", "w1"]}, "independent: 2 of them span 1"),
    ({"allowed": ["w1", [0, 0, 0]]}, "independent"), ({"allowed": ["w1"]}, "subalgebra of SO(3)"),
    ({"allowed": ["w1", "w2", "w3"]}, "integrable"), ({"allowed": ["w12", "w2"]}, "Did you mean w"),
    ({"allowed": [{"w1": 1, "phi": 2}]}, "phi"), ({"allowed": [{"w1": np.nan}, "w2"]}, "finite"),
    ({"allowed": [{"w1": "fast"}, "w2"]}, "number"), ({"allowed": [[1, 0, np.inf], "w2"]}, "3 finite numbers"),
    ({"allowed": [None]}, "label (w1, w2, w3)"), ({"allowed": [np.eye(3), "w2"]}, "not in the algebra of SO(3)"),
    ({"allowed": "w1"}, "list of directions"), ({"allowed": []}, "list of directions"),
    ({"allowed": None}, "either the allowed"), ({"forbidden": ["w3"]}, "either the allowed"),
    ({"allowed": None, "forbidden": ["w1", "w2", "w3"]}, "nothing of SO(3) to move"),
    ({"allowed": None, "forbidden": [np.zeros((3, 3))]}, "3 finite numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "told"), DEFINE, ids=[f"{i}-{told[:20]}" for i, (_, told) in enumerate(DEFINE)])
def test_a_bad_definition_is_one_sentence(change, told):
    with pytest.raises(ParameterError) as caught:
        ll.define(SO3, **({"mass": MASS, "allowed": ["w1", "w2"]} | change))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.name


RUN = [
    ({"velocity": None}, "either a velocity or a momentum"),
    ({"momentum": [1, 2]}, "either a velocity or a momentum"), ({"velocity": [1, 2, 3]}, "2 finite numbers"),
    ({"velocity": [1, np.nan]}, "2 finite numbers"), ({"velocity": "fast"}, "2 finite numbers"),
    ({"step": 0}, "step must be positive"), ({"step": np.nan}, "finite"), ({"step": "0.1"}, "number"),
    ({"duration": -1}, "not be negative"), ({"duration": np.inf}, "finite"),
    ({"step": 1e-6, "duration": 1e6}, "1,000,000,000"), ({"step": 1e-6, "duration": 100}, "5,000,000"),
]  # fmt: skip
ORBIT = [
    ({"lagrangian": "caylay"}, "Did you mean cayley"), ({"lagrangian": ["cayley"]}, "difference, cayley, logarithm"),
    ({"every": 0}, "every must be a whole number"), ({"every": 2.5}, "every must be a whole number"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("how", "change", "told"),
    [(how, *case) for how in ("flow", "orbit") for case in RUN] + [("orbit", *case) for case in ORBIT],
)
def test_a_bad_run_is_one_sentence(how, change, told):
    with pytest.raises(ParameterError) as caught:
        getattr(system("SO(3)"), how)(**({"velocity": [0.5, 1.0]} | change))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("group", [harmonic(), special_linear(3)], ids=["5", "SL(3)"])
def test_cayley_is_refused_where_it_leaves_the_group(group):
    one = ll.define(group, np.eye(group.size), list(np.eye(group.dimension)[[0, 2]]))
    with pytest.raises(ParameterError, match="Cayley map leaves the group; use difference or logarithm"):
        one.orbit(velocity=[1, 0], lagrangian="cayley")


@pytest.mark.parametrize("scales", [(1e-5, 1e-5), (1e3, 1e-3), (1e5, 1e-5)])
def test_units_of_directions_do_not_make_a_constraint_integrable(scales):
    """A bracket is compared with its factors, not with the largest direction."""
    one = ll.define(SO3, MASS, [{"w1": scales[0]}, {"w2": scales[1]}])
    plain = ll.define(SO3, MASS, ["w1", "w2"])
    x = np.array([0.5, 1.0])
    found, wanted = one.orbit(velocity=x / scales, duration=0.5), plain.orbit(velocity=x, duration=0.5)
    assert np.abs(found.elements - wanted.elements).max() < 1e-12


def test_elements_that_outgrow_all_numbers_end_a_run():
    """On SL(2) elements grow exponentially: the run keeps what it has and says why, without an infinity."""
    one = system("SL(2)")
    run = one.orbit(velocity=velocity(one), step=0.05, duration=5000.0, lagrangian="cayley")
    assert "outgrown all numbers" in run.stopped
    assert np.isfinite(run.elements).all()
    assert len(run) < 100_001
