"""New results: each can be shown, names a test that exists, and says numbers that another way to find them confirms."""

import ast
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nhviz
from nhviz.frame import checks, find
from nhviz.frame.records import IDEAS
from nhviz.frame.said import spoken
from nhviz.problem import Problem
from nhviz.results import groups, sleigh, sphere, top
from nhviz.simulate import run
from nhviz.sweeps.link import read

ROOT = Path(__file__).parent.parent
RESULTS = find.results()
ONE = pytest.mark.parametrize("result", RESULTS.values(), ids=list(RESULTS))


def named_in(file):
    """The names of the tests of a file, without running them."""
    return {node.name for node in ast.walk(ast.parse((ROOT / file).read_text())) if isinstance(node, ast.FunctionDef)}


@ONE
def test_it_can_be_shown(result):
    state = checks.check_state(result.id, result.state, find.labs())
    assert result.view in state.scene.all_views
    assert set(result.ideas) <= set(IDEAS)
    assert result.system in nhviz.systems()
    if result.sweep:
        sweep, complaints = read(result.sweep.partition("?")[2])
        assert not complaints
        assert sweep.system == result.system


@ONE
def test_its_test_exists(result):
    file, _, name = result.test.partition("::")
    assert name in named_in(file)


@ONE
def test_it_is_told_in_a_line_or_two(result):
    text = spoken(result.told())
    assert 40 < len(text) <= 150
    assert text.endswith(".")
    assert "nan" not in text
    assert any(part.kind == "number" for part in result.told())
    assert result.formula.count("{") == result.formula.count("}")


def test_largest_steps_are_those_of_the_papers_bodies():
    """The mountain pass by brute force: the least maximum of H along a meridian."""
    for body, start, found in zip((top.BODY, top.EQUAL), (top.START, top.EQUAL_START), top.longest(), strict=True):
        psi, alpha = np.meshgrid(np.linspace(0.0, np.pi, 2001), np.linspace(0.0, 0.5 * np.pi, 501), indexing="ij")
        q1, q2, q0 = np.sin(alpha) * np.cos(psi), np.sin(alpha) * np.sin(psi), np.cos(alpha)
        i11, i22 = body["I11"], body["I22"]
        spin = body["I13"] * q1 + body["I23"] * q2
        level = (4.0 * (i11 * q1**2 + i22 * q2**2) * (i11 * i22 * q0**2 + spin**2)).max(axis=1).min()
        assert found == pytest.approx(math.sqrt(level / (i22 * start["M1"] ** 2 + i11 * start["M2"] ** 2)), rel=2e-5)


def phase(body, m1, m2):
    """The angle on the energy ellipse."""
    return np.unwrap(np.arctan2(m2 / math.sqrt(body["I22"]), m1 / math.sqrt(body["I11"])))


def test_leads_have_the_sign_and_the_size_that_is_said():
    """Against the equations of motion, integrated here; GJ's Remark 8.1 has the signs the other way round."""
    i11, i22, i13, i23 = (top.BODY[name] for name in ("I11", "I22", "I13", "I23"))

    def flow(_, m):
        u, v = m[0] / i11, m[1] / i22
        k = i13 * u + i23 * v
        return [-v * k, u * k]

    leads = top.leads()
    for method, sign in (("moser_veselov", 1.0), ("cayley", -1.0)):
        run = top.run_of(method)
        truth = solve_ivp(flow, (0.0, run.t[-1]), list(top.START.values()), t_eval=run.t, rtol=1e-11, atol=1e-9).y
        ours, theirs = phase(top.BODY, run["M1"], run["M2"]), phase(top.BODY, *truth)
        gap = np.sign(theirs[-1] - theirs[0]) * (ours - theirs)
        measured, predicted = leads[method]
        assert np.sign(measured) == sign
        assert measured == pytest.approx(gap[np.argmax(np.abs(gap))], abs=1e-6)
        # Of the leading order: what is left is of the next one, a tenth here, and four times less with half the step.
        assert predicted == pytest.approx(measured, rel=0.12)


def test_the_limit_axes_are_those_of_a_long_run():
    ahead = nhviz.simulate("suslov", "reference", params=top.BODY, initial=top.START, step=0.01, duration=6.0)
    back = nhviz.simulate(
        "suslov", "reference", params=top.BODY, initial={"M1": -41.07400078, "M2": 99.38251558}, step=0.01, duration=6.0
    )
    # Backwards in time is the motion of the reversed start.
    axes = [one["R"][-1] @ np.array([one["u"][-1], one["v"][-1], 0.0]) for one in (ahead, back)]
    first, last = -axes[1], axes[0]
    cosine = first @ last / np.linalg.norm(first) / np.linalg.norm(last)
    assert math.degrees(math.acos(cosine)) == pytest.approx(top.turn(), abs=1e-3)


def test_counts_of_real_displacements():
    assert top.counts() == (4, 3)


def test_the_free_body_keeps_its_momentum_in_space():
    """Exactly by Moser-Veselov, to the order of the step by Cayley; a body beside it keeps it by neither."""
    assert top.FREE["I11"] * (top.FREE["I22"] - top.FREE["I11"]) == top.FREE["I13"] ** 2
    assert top.kept("moser_veselov") < 1e-13
    assert top.kept("cayley") > 1e-3
    run = top.run_of("moser_veselov", top.FREE | {"I13": 1.4}, {"M1": 40.0, "M2": -99.0})
    momenta = np.einsum("nij,jn->ni", run["R"], np.array([run["M1"], run["M2"], run["M3"]]))
    assert np.linalg.norm(momenta - momenta[0], axis=1).max() > 1e-3 * np.linalg.norm(momenta[0])


def test_turns_fulfil_the_cubic_with_an_offset():
    """And not the one without b."""
    assert sleigh.residual() < 1e-13
    run = nhviz.simulate("sleigh", "fedorov_zenkov", sleigh.BODY, sleigh.START, sleigh.STEP, 12.0)
    tau = np.tan(0.5 * np.diff(run["theta"]))
    p, q = sleigh.STEP * run["p_theta"][:-1], sleigh.STEP * 0.8 * run["p_1"][:-1] + 2.0 * 1.2 * 0.8**2
    assert np.abs(q * tau**3 - p * tau**2 + (q + 3.0) * tau - p).max() > 1e-2


def real_turns(step, energy=1.0):
    """The most real roots of the cubic over all momenta of an energy, for J = m a^2/2."""
    angle = np.linspace(0.0, 2.0 * np.pi, 20_001)
    p = step * math.sqrt(2.0 * energy * 1.5) * np.cos(angle)
    q = step * math.sqrt(2.0 * energy) * np.sin(angle) + 2.0
    r = q + 1.0
    discriminant = p**2 * r**2 - 4 * q * r**3 - 4 * p**4 - 27 * q**2 * p**2 + 18 * q * p**2 * r
    return 3 if (discriminant > 0.0).any() else 1


def test_the_constant_of_the_sleigh_is_sharp():
    theorem, sharp, largest = sleigh.bounds()
    assert theorem == pytest.approx(math.sqrt(0.5), rel=1e-14)
    assert sharp / theorem == pytest.approx(9.0 * math.sqrt(3.0) / 8.0, rel=1e-13)
    assert largest >= sharp
    assert real_turns(0.999 * sharp) == 1
    assert real_turns(1.001 * sharp) == 3


def whole_turn(angle, step):
    """The turn of the unit sleigh at E = 1 through an angle on the ellipse: forwards and backwards, to both ends."""
    start = {"p_theta": 2.0 * math.cos(angle), "p_1": math.sqrt(2.0) * math.sin(angle)}
    problem = Problem.create("sleigh", "fedorov_zenkov", sleigh.UNIT, start, step, 100.0 * step)
    ends = [run(problem, backward)["theta"][-1] for backward in (False, True)]
    return ends[0] - ends[1]


def test_the_total_turn_depends_on_the_start_as_is_said():
    spreads = sleigh.spreads()
    assert spreads[0] < 1e-2 * spreads[1] < 1e-3 * spreads[2]
    for step, spread in zip(sleigh.STEPS[1:], spreads[1:], strict=True):
        turns = [whole_turn(angle, step) for angle in np.linspace(0.0, 1.0, 41)]
        # The extremes lie between samples by less than a hundredth of the spread.
        assert np.ptp(turns) == pytest.approx(spread, rel=0.02)


def test_plateaus_are_locked():
    third, quarter = sphere.locked()
    assert third.low == pytest.approx(0.61453674, abs=5e-9)
    assert third.high == pytest.approx(0.61464526, abs=5e-9)
    strange = {"h": 0.5 * (third.low + third.high), "level": sphere.LEVEL, "u": 0.1}
    ball = {"h": 0.5 * (quarter.low + quarter.high), "level": sphere.REAL_LEVEL, "u": 0.1}
    for params, start, q in ((sphere.STRANGE, strange, 3), (sphere.REAL, ball, 4)):
        run = nhviz.simulate("sphere_vertical", params=params, initial=start, step=1.0, duration=8000.0)
        u = run["u"] % 1.0
        moved = np.abs(u[q:] - u[:-q])
        # What a round moves dies out on the attracting cycle; a rotation by 1/q would not have moved at all.
        assert moved[-1] < 1e-4 * moved[:1000].max()
        assert moved[:1000].max() > 1e-4
    # A real ball: the sum of its moments is no more than that of a shell.
    assert sum(sphere.REAL[f"J{i}"] for i in (1, 2, 3)) <= sphere.REAL["m"]


def test_energy_is_kept_where_the_theorem_says_so():
    assert groups.guaranteed(groups.RIGID)
    assert not groups.guaranteed(groups.TILTED)
    assert groups.energy_band(groups.RIGID) < 1e-12
    assert groups.energy_band(groups.TILTED) > 1e-7


def test_the_height_falls_at_every_step():
    found = groups.heights()
    assert (np.diff(found) < 0.0).all()
    run = nhviz.simulate("suslov_n", "reference", {"n": 5}, step=0.1, duration=40.0)
    products = [run.params[f"J{i}n"] for i in range(1, 5)]
    flow = np.array(products) @ np.array([run[f"p{i}"] for i in range(1, 5)])
    # Both end at the sink of their energy.
    assert found[-1] == pytest.approx(flow[-1], rel=1e-3)
