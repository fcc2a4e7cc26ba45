"""What GJ section 8 says of its runs: how long the step may be, and which of the two maps is ahead."""

import numpy as np

from nhviz.analysis.phase import phase_lead
from nhviz.figures.against import Drawn, against
from nhviz.figures.style import Picture, Theme
from nhviz.frame.said import Sentence, number, sentence, whole
from nhviz.maps import steiner, suslov_branches
from nhviz.problem import Problem, Trajectory
from nhviz.simulate import run
from nhviz.system import Array

BODY = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
START = {"M1": 41.07400078, "M2": -99.38251558}
ROD = {"I11": 0.11, "I22": 10.01, "I33": 9.91, "I13": -0.995, "I23": 0.0}
"""A thin rod, nearly along the first axis: a real body."""
THREE = {"M1": 1.95424779, "M2": 9.3200186}
"""A momentum at which a step of one second with consistency has three solutions."""
PRINTED = 0.3
"""The step up to which the map is said to work, GJ section 8.1."""
STEPS = np.concatenate([np.linspace(0.02, 0.05, 31), np.linspace(0.06, 0.4, 18)])


def bound() -> float:
    """The largest step of the Moser-Veselov map for the paper's start."""
    energy = START["M1"] ** 2 / (2.0 * BODY["I11"]) + START["M2"] ** 2 / (2.0 * BODY["I22"])
    found = steiner.largest_step(BODY, energy)
    assert found is not None
    return found


def motion(method: str, step: float, duration: float = 1.0) -> Trajectory:
    """A run with the paper's data."""
    return run(Problem.create("suslov", method, BODY, START, step, duration))


def steps_of(step: float) -> tuple[int, int]:
    """How many steps the Moser-Veselov map takes in one second, and how many that should be."""
    count = round(1.0 / step)
    return len(motion("moser_veselov", step, step * count)) - 1, count


def step_told() -> Sentence:
    """The bound, and what runs do on both sides of it."""
    (near, all_near), (above, all_above), (far, all_far) = (steps_of(step) for step in (0.03, 0.04, PRINTED))
    return sentence(
        "The largest admissible step is ", number(bound()), ". With 0.03 the map takes ", number(whole(near)),
        f" of {all_near} steps, with 0.04 ", number(whole(above)), f" of {all_above}, with 0.3 ", number(whole(far)),
        f" of {all_far}.",
    )  # fmt: skip


def step_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The part of the steps that is taken, over the step: as said, and as it is."""
    said = np.where(STEPS <= PRINTED, 1.0, 0.0)
    found = np.array([taken / count for taken, count in (steps_of(float(step)) for step in STEPS)])
    curves = [Drawn(STEPS, said, "printed"), Drawn(STEPS, found, "corrected")]
    return (against(theme, ("step ε (s)", "part of the steps"), curves),)


def leads(step: float = 0.015) -> dict[str, tuple[Array, Array]]:
    """Times and phase leads of both maps, positive where a map is ahead of the flow."""
    runs = {method: motion(method, step) for method in ("moser_veselov", "cayley")}
    return {method: (one.t, phase_lead(one)) for method, one in runs.items()}


def lead_told() -> Sentence:
    """The largest leads of both, with their signs."""
    first, second = (float(lead[np.abs(lead).argmax()]) for _, lead in leads().values())
    return sentence(
        "At step 0.015 the map without consistency is ahead by ", number(first, "rad"),
        ", that with consistency is ahead by ", number(second, "rad"), ": it lags behind.",
    )  # fmt: skip


def lead_pictures(theme: Theme) -> tuple[Picture, ...]:
    """For each map the lead that is measured, and the one of the opposite sign that the remark has."""
    return tuple(
        against(
            theme,
            ("t (s)", f"phase lead of {name} (rad)"),
            [Drawn(t, -lead, "printed"), Drawn(t, lead, "corrected")],
        )
        for (t, lead), name in zip(leads().values(), ("Moser–Veselov", "Cayley"), strict=True)
    )


def counts() -> tuple[Array, Array]:
    """Multiples of the momentum of THREE, and how many real solutions the map with consistency has."""
    sizes = np.linspace(0.9, 1.1, 101)
    found = [suslov_branches.cayley(ROD, 1.0, {name: size * m for name, m in THREE.items()}) for size in sizes]
    return sizes, np.array([len(one) for one in found], dtype=float)


def count_told() -> Sentence:
    """The count for the rod."""
    found = len(suslov_branches.cayley(ROD, 1.0, THREE))
    return sentence("A thin rod has ", number(whole(found)), " real solutions at one momentum, not 1.")


def count_pictures(theme: Theme) -> tuple[Picture, ...]:
    """The count over the size of the momentum, and that of the paper."""
    sizes, found = counts()
    one = Drawn(sizes, np.ones_like(sizes), "printed")
    return (against(theme, ("size of the momentum", "real solutions"), [one, Drawn(sizes, found, "corrected")]),)
