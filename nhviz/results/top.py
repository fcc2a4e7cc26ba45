"""New results about the Suslov top."""

import math

import numpy as np

from nhviz.analysis.branches import branches
from nhviz.analysis.free_motion import momentum_in_space
from nhviz.analysis.limit_axes import limit_axes_angle
from nhviz.analysis.phase import phase_lead, predicted_lead
from nhviz.analysis.steps import largest_step
from nhviz.frame.records import Result
from nhviz.frame.said import Sentence, number, percent, sentence
from nhviz.problem import Trajectory
from nhviz.simulate import simulate

SYSTEM = "suslov"
BODY = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
START = {"M1": 41.07400078, "M2": -99.38251558}
"""Those of GJ's third figure, with which the lab opens."""
LONGER_STEP = 0.03
"""The longer of the two steps that GJ takes."""
EQUAL = {"I11": 3.0, "I22": 3.0, "I33": 5.0, "I13": 0.0, "I23": 0.5}
EQUAL_START = {"M1": 179.9836568, "M2": 2.4255507998}
LONG = {"I11": 0.11, "I22": 4.896, "I33": 4.99, "I13": 0.0328, "I23": 0.021}
LONG_AT, LONG_STEP = {"M1": 1.25734, "M2": -17.014371}, 0.01
ROD = {"I11": 0.11, "I22": 10.01, "I33": 9.91, "I13": -0.995, "I23": 0.0}
ROD_AT, ROD_STEP = {"M1": -43.863, "M2": 138.164}, 0.1
FREE = {"I11": 3.0, "I22": 3.75, "I33": 5.0, "I13": 1.5, "I23": 0.0}
"""I11 (I22 - I11) = I13^2."""


def address(body: dict[str, float], start: dict[str, float], **others: float | str) -> str:
    """The lab with a body and a start."""
    return f"{SYSTEM}?" + "&".join(f"{name}={value!s}" for name, value in (body | start | others).items())


def longest() -> tuple[float, float]:
    """The largest admissible steps of both of GJ's bodies, with their starts."""
    found = [
        largest_step(SYSTEM, "moser_veselov", body, start) for body, start in ((BODY, START), (EQUAL, EQUAL_START))
    ]
    assert found[0] is not None
    assert found[1] is not None
    return found[0], found[1]


def told_of_steps() -> Sentence:
    """GJ's bodies."""
    first, second = longest()
    return sentence(
        "GJ’s body: ", number(first, "s"), ", of which the paper’s longer step is ", percent(LONGER_STEP / first),
        "; with equal moments ", number(second, "s"), ".",
    )  # fmt: skip


def run_of(
    method: str, body: dict[str, float] = BODY, start: dict[str, float] = START, step: float = 0.015
) -> Trajectory:
    """A run of one second."""
    return simulate(SYSTEM, method, body, start, step, 1.0)


def leads() -> dict[str, tuple[float, float]]:
    """The lead at the end of GJ's run, measured and predicted, by method."""
    runs = {method: run_of(method) for method in ("moser_veselov", "cayley")}
    return {name: extreme(run) for name, run in runs.items()}


def extreme(run: Trajectory) -> tuple[float, float]:
    """The largest lead along a run, and what is predicted there."""
    measured, predicted = phase_lead(run), predicted_lead(run)
    at = int(np.argmax(np.abs(measured)))
    return float(measured[at]), float(predicted[at])


def told_of_leads() -> Sentence:
    """Both maps."""
    ahead, behind = leads().values()
    return sentence(
        "Moser–Veselov leads by up to ", number(ahead[0], "rad", 2), " (predicted ", number(ahead[1], "", 2),
        "), Cayley lags by ", number(-behind[0], "rad", 2), " (", number(-behind[1], "", 2), ").",
    )  # fmt: skip


def turn() -> float:
    """The angle between the limit axes of GJ's body, in degrees."""
    found = limit_axes_angle(BODY)
    assert found is not None
    return math.degrees(found)


def told_of_axes() -> Sentence:
    """GJ's body."""
    return sentence(
        "GJ’s body ends turning about an axis ", number(turn(), "°"), " from the first one, at every energy."
    )


def counts() -> tuple[int, int]:
    """How many real displacements both long bodies have."""
    return (
        len(branches(SYSTEM, "moser_veselov", LONG, LONG_STEP, LONG_AT)),
        len(branches(SYSTEM, "cayley", ROD, ROD_STEP, ROD_AT)),
    )


def told_of_branches() -> Sentence:
    """Both long bodies."""
    first, second = counts()
    return sentence(
        "Here a step of Moser–Veselov has ", number(str(first)), " real displacements, and one of Cayley, for a ",
        "thin rod, ", number(str(second)), ".",
    )  # fmt: skip


def kept(method: str) -> float:
    """How far the momentum in space moves along a run of the free body, as a share of its size."""
    momenta = momentum_in_space(run_of(method, FREE, {"M1": 40.0, "M2": -99.0}))
    return float(np.linalg.norm(momenta - momenta[0], axis=1).max() / np.linalg.norm(momenta[0]))


def told_of_momentum() -> Sentence:
    """Both maps on the free body."""
    return sentence(
        "Moser–Veselov keeps all three components to ", number(kept("moser_veselov"), "", 2), " of their size, ",
        "Cayley to ", number(kept("cayley"), "", 2), ".",
    )  # fmt: skip


RESULTS = (
    Result(
        id="largest-step",
        title="The largest admissible step",
        statement="Up to this step, and no further, every momentum of an energy has a displacement to step with. It is "
        "set by a mountain pass on RP²: the lowest level that every way from rest to a half turn must cross.",
        formula=r"\varepsilon_{\max} = \sqrt{\frac{h^*}{I_{22} M_1^2 + I_{11} M_2^2}}",
        status="proved",
        because="A step keeps H on RP², and H = ε²(I₂₂M₁² + I₁₁M₂²). Along every meridian H has one maximum; the "
        "least of these is the pass h*. Below it every meridian is crossed once on its way up, which is the "
        "displacement; above it some have none. Very elongated bodies fold a little earlier, at a cusp of their "
        "momenta.",
        told=told_of_steps,
        state=address(BODY, START, step=0.03, methods="exact.moser_veselov"),
        view="disk",
        parameters="I = 3, 4, 5, I₁₃ = 1, I₂₃ = ½; M(0) = (41.07400078, −99.38251558); with equal moments I = 3, 3, 5, "
        "I₁₃ = 0, I₂₃ = ½; M(0) = (179.9836568, 2.4255507998).",
        test="tests/test_suslov_largest_steps.py::test_moser_veselov_largest_step_by_brute_force",
        sweep="sweep?of=suslov&show=largest_step&map=moser_veselov&x=I13:-3:3:121&y=I23:-3:3:121",
        system=SYSTEM,
        ideas=("branches", "phase"),
    ),
    Result(
        id="phase-lead",
        title="Who runs ahead, and why",
        statement="On the energy ellipse Moser–Veselov runs ahead of the motion and Cayley lags behind: the opposite "
        "of GJ’s Remark 8.1, which finds no explanation. One step errs by ε³ in phase, and the flow carries that "
        "along.",
        formula=r"\delta\varphi' = \varepsilon^2 g_\varphi + \kappa \cos\chi\,\delta r - r \kappa "
        r"\sin\chi\,\delta\varphi",
        status="proved",
        because="Expanding both maps to ε³ gives the error g of one step. For Moser–Veselov it is k times a positive "
        "form, for Cayley k times a negative one, when the products of inertia are moderate. The linearised flow has "
        "the solution cos χ, which leaves two quadratures for the lead of a whole run, to leading order.",
        told=told_of_leads,
        state=address(BODY, START, step=0.015),
        view="lead",
        parameters="I = 3, 4, 5, I₁₃ = 1, I₂₃ = ½; M(0) = (41.07400078, −99.38251558); ε = 0.015 s, one second.",
        test="tests/test_results.py::test_leads_have_the_sign_and_the_size_that_is_said",
        system=SYSTEM,
        ideas=("phase", "order"),
    ),
    Result(
        id="limit-axes",
        title="The angle between the limit axes",
        statement="The top comes from one permanent rotation and ends in another. The angle between both axes in space "
        "is a matter of the tensor alone: neither the energy nor the start counts.",
        formula=r"\sin^2\tfrac{\theta}{2} = \frac{\cosh^2 p\,\cos^2 \pi y}{\cosh^2 q} + \frac{\sinh^2 p\,\sin^2 \pi "
        r"y}{\sinh^2 q}",
        status="proved",
        because="In the time of the connection the attitude obeys a linear equation with three singular points, i, "
        "−i and infinity. Going along the real line and back by a large half circle surrounds i alone, whose "
        "monodromy is known. Here 4(x + iy)² = |A|² − |B|² − 2i A·B, q = π|A|/2, p = πx, with A = (−I₂₃, I₁₃)/N, B = "
        "(√(I₂₂/I₁₁) I₁₃, √(I₁₁/I₂₂) I₂₃)/N and N = I₁₃²/I₁₁ + I₂₃²/I₂₂.",
        told=told_of_axes,
        state=address(BODY, START, methods="exact"),
        view="motion",
        parameters="I = 3, 4, 5, I₁₃ = 1, I₂₃ = ½.",
        test="tests/test_limit_axes.py::test_closed_form_is_the_limit_of_the_equations",
        sweep="sweep?of=suslov&show=axes_angle&map=exact&x=I13:-2.5:2.5:121&y=I23:-2.5:2.5:121&I33=8",
        system=SYSTEM,
        ideas=("path",),
    ),
    Result(
        id="more-branches",
        title="Four and three real branches",
        statement="A step of Moser–Veselov has two real displacements or none, the papers say, and one of Cayley has "
        "one. Elongated bodies, real ones too, have four and three.",
        formula=r"4 \text{ of } 4 \text{ complex},\qquad 3 \text{ of } 7 \text{ complex}",
        status="proved",
        because="An example proves it: the momenta below are polynomials in the displacement, and exact counts of "
        "the real roots of their resultants give four and three. The principal displacement, which grows out of "
        "rest, is then not always the smallest, and Cayley’s map has a largest step too.",
        told=told_of_branches,
        state=address(LONG, LONG_AT, step=LONG_STEP, duration=0.2, methods="exact.moser_veselov"),
        view="branches",
        parameters="Moser–Veselov: I = 0.11, 4.896, 4.99, I₁₃ = 0.0328, I₂₃ = 0.021, M = (1.25734, −17.014371), ε = "
        "0.01 s. Cayley: I = 0.11, 10.01, 9.91, I₁₃ = −0.995, I₂₃ = 0, M = (−43.863, 138.164), ε = 0.1 s.",
        test="tests/test_suslov_branches.py::test_moser_veselov_has_four_real_branches_for_some_tensors",
        system=SYSTEM,
        ideas=("branches", "surface"),
    ),
    Result(
        id="free-motion",
        title="A momentum that is kept",
        statement="For some tensors the constraint asks for no torque: the top moves as a free body, and its "
        "momentum in space stands still. There Moser–Veselov keeps all of it exactly; Cayley does not.",
        formula=r"I_{23} = 0,\quad I_{11}(I_{22} - I_{11}) = I_{13}^2 \ \Longrightarrow\ R\,M = \text{const}",
        status="proved",
        because="The torque is a quadratic form in the velocities, and this is where it vanishes. For such a tensor "
        "M₃ is the same multiple of M₁ before and after a step, so that nothing is projected away: the locus is the "
        "plane of the flow itself. It is also the first tensor whose two limit axes coincide.",
        told=told_of_momentum,
        state=address(FREE, {"M1": 40.0, "M2": -99.0}),
        view="locus",
        parameters="I = 3, 3.75, 5, I₁₃ = 1.5, I₂₃ = 0; M(0) = (40, −99); ε = 0.015 s, one second.",
        test="tests/test_results.py::test_the_free_body_keeps_its_momentum_in_space",
        system=SYSTEM,
        ideas=("integrals", "surface"),
    ),
)
