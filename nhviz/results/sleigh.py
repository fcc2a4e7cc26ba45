"""New results about the Chaplygin sleigh."""

import numpy as np

from nhviz.analysis.sleigh_turn import turn_spread
from nhviz.frame.records import Result
from nhviz.frame.said import Sentence, number, sentence
from nhviz.maps.sleigh_branches import fedorov_zenkov_largest_step, sharp_single_valued_step, single_valued_step
from nhviz.simulate import simulate

SYSTEM, METHOD = "sleigh", "fedorov_zenkov"
BODY = {"J": 1.5, "m": 1.2, "a": 0.8, "b": 0.6}
START, STEP = {"p_theta": 1.3, "p_1": -0.7}, 0.2
UNIT = {"J": 1.0, "m": 1.0, "a": 1.0, "b": 0.0}
HALF = {"J": 0.5, "m": 1.0, "a": 1.0, "b": 0.0}
"""J = m a^2/2, for which the constant is the best."""
STEPS = (0.6, 0.8, 1.0)


def residual() -> float:
    """How well the turns of a run with b fulfil the cubic, as a share of its largest term."""
    run = simulate(SYSTEM, METHOD, BODY, START, STEP, 12.0)
    p = STEP * (run["p_theta"] + BODY["b"] * run["p_1"])[:-1]
    q = STEP * BODY["a"] * run["p_1"][:-1] + 2.0 * BODY["m"] * BODY["a"] ** 2
    tau = np.tan(0.5 * np.diff(run["theta"]))
    terms = np.array([q * tau**3, -p * tau**2, (q + 2.0 * BODY["J"]) * tau, -p])
    return float(np.abs(terms.sum(axis=0)).max() / np.abs(terms).max())


def told_of_cubic() -> Sentence:
    """A run with the centre of mass beside the blade."""
    return sentence(
        "With b = 0.6 m all ", number(str(round(12.0 / STEP))), " turns of this run fulfil the cubic to ",
        number(residual(), "", 2), " of its largest term.",
    )  # fmt: skip


def bounds() -> tuple[float, float, float]:
    """For the best body at energy 1: the step of the theorem, the sharp one, and the largest admissible one."""
    found = [bound(HALF, 1.0) for bound in (single_valued_step, sharp_single_valued_step, fedorov_zenkov_largest_step)]
    return found[0] or 0.0, found[1] or 0.0, found[2] or 0.0


def told_of_bounds() -> Sentence:
    """The best body."""
    theorem, sharp, _ = bounds()
    return sentence(
        "For J = ma²/2 and E = 1 J: Theorem 7.4 allows ", number(theorem, "s"), ", the map is single-valued up to ",
        number(sharp, "s"), ", ", number(sharp / theorem), " times as long.",
    )  # fmt: skip


def spreads() -> tuple[float, ...]:
    """By how much the total turn depends on the phase of the start, at three steps."""
    return tuple(turn_spread(UNIT, step, 1.0) for step in STEPS)


def told_of_spreads() -> Sentence:
    """Three steps."""
    first, second, third = spreads()
    return sentence(
        "The total turn depends on the start by ", number(first, "", 2), ", ", number(second, "", 2), " and ",
        number(third, "rad", 2), " at steps 0.6, 0.8 and 1 s.",
    )  # fmt: skip


RESULTS = (
    Result(
        id="cubic",
        title="A cubic for every b",
        statement="The turn of one step solves a cubic, also where the centre of mass is beside the blade; FZ says "
        "that it is a quartic then. So a step has one turn or three, never four.",
        formula=r"q\,\tau^3 - P\,\tau^2 + (q + 2J)\,\tau - P = 0,\quad \tau = \tan\tfrac{\Delta\theta}{2}",
        status="proved",
        because="b only shifts the momenta: with P = ε(p_θ + b p₁) and q = ε a p₁ + 2ma² it is gone from the equation. "
        "The same is true in every dimension: offsets across the blade are a change of momenta.",
        told=told_of_cubic,
        state=f"sleigh?J=1.5&m=1.2&a=0.8&b=0.6&p_theta=1.3&p_1=-0.7&step={STEP}",
        view="locus",
        parameters="J = 1.5, m = 1.2, a = 0.8, b = 0.6; p_θ = 1.3, p₁ = −0.7; ε = 0.2 s, 12 s.",
        test="tests/test_results.py::test_turns_fulfil_the_cubic_with_an_offset",
        system=SYSTEM,
        ideas=("surface", "branches"),
    ),
    Result(
        id="sharp-constant",
        title="The sharp constant of the sleigh",
        statement="FZ’s Theorem 7.4 makes the discrete sleigh single-valued up to a step that is not the longest. "
        "Every sleigh is single-valued up to 9√3/8 = 1.949 times that step, and one with J = ma²/2 not beyond.",
        formula=r"\varepsilon < \frac{9\sqrt3}{8}\sqrt{\frac{m a^2}{2E}}",
        status="proved",
        because="A second root appears where the level of the energy first meets the fold of the cubic. Along the "
        "fold, with x = J/(ma²), the level has its least value at the cusp, (x + 4)³/(16(1 + x)), or 4; over all x "
        "the least is 243/64, at x = ½, and its root is the constant.",
        told=told_of_bounds,
        state="sleigh?J=0.5&m=1&a=1&b=0&p_theta=1&p_1=-1.2&step=1",
        view="locus",
        parameters="J = 0.5, m = 1, a = 1; E = 1 J.",
        test="tests/test_results.py::test_the_constant_of_the_sleigh_is_sharp",
        sweep="sweep?of=sleigh&show=largest_step&map=fedorov_zenkov&x=J:0.1:4:121&y=a:0.2:2:121",
        system=SYSTEM,
        ideas=("branches", "surface"),
    ),
    Result(
        id="beyond-all-orders",
        title="A wobble beyond all orders",
        statement="The sleigh turns by the same angle from every start. Its discrete map turns by nearly that: how "
        "much it depends on the start vanishes faster than any power of the step.",
        formula=r"\Delta \sim C\,e^{-\pi^2/\lambda},\qquad e^{-\lambda} = \frac{2A - c}{2A + c},\quad c = "
        r"\varepsilon |a| \sqrt{2mE}",
        status="evidence",
        because="Proved: the dependence is less than any power of ε, because the map is the flow of a modified field "
        "up to every order, and a sum of an analytic, decaying function over equidistant times does not see where "
        "they begin. Observed, not proved, over 29 powers of ten: the exponential above, C = 452 for the sleigh with "
        "J = m = a = E = 1.",
        told=told_of_spreads,
        state="sleigh?J=1&m=1&a=1&b=0&p_theta=2&p_1=0&step=1&duration=20",
        view="motion",
        parameters="J = m = a = 1, b = 0, E = 1 J; ε = 0.6, 0.8, 1 s.",
        test="tests/test_sleigh_turn.py::test_the_dependence_is_beyond_all_orders",
        system=SYSTEM,
        ideas=("phase", "path"),
    ),
)
