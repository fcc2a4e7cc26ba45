"""The cards of CP: verdicts that change with what they check, and numbers found in another way."""

import numpy as np
import pytest

from nhviz.cards import cp
from nhviz.simulate import simulate
from tests import told

CARDS = {card.id: card for card in cp.CARDS}
FAILS = {"cp-3-2-compact", "cp-3-6"}
OTHERWISE = {
    "cp-1": {"pull": 0.0},
    "cp-2": {"pull": 0.0},
    "cp-3": {"pull": 1.3},
    "cp-4": {"pull": 1.1},
    "cp-5": {"pull": 0.0},
    "cp-6": {"pull": 0.0},
    "cp-7": {"pull": 0.0},
    "cp-3-4": {"pull": 0.0},
    "cp-3-4-coin": {"pull": 0.0},
    "cp-3-1": {"M1": 0.1},
    "cp-44": {"off": 0.0},
    "cp-3-2-compact": {"p_phi": 0.5},
    "cp-3-6": {"duration": 5.0},
    "cp-3-7-cosine": {"y": 0.9},
}
"""Values with which the verdict is the other one."""
EXCHANGED = {"cp-44": ("RK4", "rk4_feedback"), "cp-3-7": ("DLA", "reference")}
"""A run in the place of another with which the verdict is the other one."""
TOP = {"I11": 1.0, "I22": 1.0, "I33": 2.0, "I13": 0.0, "I23": 1.0}


@pytest.fixture(scope="module")
def known():
    return {name: told.shown(card.state) for name, card in CARDS.items()}


@pytest.mark.parametrize("name", CARDS)
def test_verdict(known, name):
    assert CARDS[name].check(known[name]) is (name not in FAILS)
    told.check_words(CARDS[name], known[name])


@pytest.mark.parametrize("name", OTHERWISE)
def test_verdict_changes_with_what_is_shown(name):
    assert CARDS[name].check(told.at(CARDS[name].state, **OTHERWISE[name])) is (name in FAILS)


@pytest.mark.parametrize("name", EXCHANGED)
def test_verdict_changes_with_the_run(monkeypatch, name):
    monkeypatch.setattr(cp.claims, *EXCHANGED[name])
    card = CARDS[name]
    assert card.check(told.at(card.state, methods=EXCHANGED[name][1])) is (name in FAILS)


def numbers(known, name):
    return told.numbers(CARDS[name].told(known[name]))


def euler(system, duration, every, gains=0.0, params=None, initial=None):
    """Every few samples of a run of Euler's scheme with step 0.001, some gains given alike."""
    names = {"suslov": ("k0", "k1", "k2"), "knife_edge": ("k1", "k2", "k3")}[system]
    options = dict.fromkeys(names, gains)
    return simulate(system, "feedback", params, initial, 1e-3, duration, every=every, base="euler", **options)


def test_top(known):
    """Against -tanh t, sech t, sech t, and the integrals from their formulas."""
    start = {"M1": 0.0, "M2": 1.0}
    pulled, plain = (euler("suslov", 10.0, 1, gains, TOP, start) for gains in (100.0, 0.0))
    exact = np.stack([-np.tanh(pulled.t), 1.0 / np.cosh(pulled.t), 1.0 / np.cosh(pulled.t)])
    off, lost = (np.abs(np.stack([run[m] for m in ("M1", "M2", "M3")]) - exact) for run in (pulled, plain))
    assert numbers(known, "cp-1") == [
        told.about(off.max()), told.about(off[:, -1].max()), told.about(lost[:, -1].max()),
    ]  # fmt: skip
    assert off.max() == told.about(1.29e-4)
    growth = [np.linalg.norm(np.einsum("nji,njk->nik", run["R"], run["R"]) - np.eye(3), axis=(1, 2)) for run in
              (pulled, plain)]  # fmt: skip
    distance = np.abs(pulled["M3"] - pulled["M2"]) / np.sqrt(2.0)
    # In terms of all three momenta, with the inverse of [[1, 0, 0], [0, 1, 1], [0, 1, 2]].
    m1, m2, m3 = (pulled[m] for m in ("M1", "M2", "M3"))
    energy = 0.5 * (m1**2 + 2.0 * m2**2 - 2.0 * m2 * m3 + m3**2)
    found = numbers(known, "cp-2")
    # The page keeps every sixteenth sample, which may miss the largest by a little.
    assert found[:2] == [pytest.approx(growth[0].max(), rel=0.05), pytest.approx(distance.max(), rel=0.05)]
    assert found[2] == pytest.approx(np.abs(energy - energy[0]).max(), rel=0.05)
    assert found[3] == told.about(growth[1].max())
    assert numbers(known, "cp-3-1") == [pytest.approx(0.0, abs=1e-13), pytest.approx(0.0, abs=1e-8)]


@pytest.fixture(scope="module")
def blade():
    return euler("knife_edge", 200.0, 100, 1000.0)


def test_blade(known, blade):
    """Against the corrected solution x = (1 - cos t)/2, y = (t - sin t)/2, phi = t/2, and the printed one."""
    t = blade.t
    x, y, phi = (1.0 - np.cos(t)) / 2.0, (t - np.sin(t)) / 2.0, t / 2.0
    off = [np.abs(blade["x"] - x).max(), np.abs(blade["y"] - y).max(), np.abs(blade["phi"] - phi).max()]
    printed = np.abs(blade["phi"] - t).max()
    assert numbers(known, "cp-4") == pytest.approx([*(1000.0 * np.array(off)), printed], rel=0.06)
    path, duration, away = numbers(known, "cp-3")
    part = t <= 20.0
    assert path == pytest.approx(1000.0 * np.hypot(blade["x"] - x, blade["y"] - y)[part].max(), rel=0.06)
    assert (duration, away) == (20.0, told.about(np.abs(blade["x"] - (1.0 - np.cos(t)))[part].max()))


def test_integrals_of_the_blade(known, blade):
    """From their formulas, m = J = g = 1 and a slope of 30 degrees; step times Lambda is 1 + sin(t/2)^2 at most."""
    across = blade["p_y"] * np.cos(blade["phi"]) - blade["p_x"] * np.sin(blade["phi"])
    energy = 0.5 * (blade["p_x"] ** 2 + blade["p_y"] ** 2 + blade["p_phi"] ** 2) - 0.5 * blade["x"]
    lost = [np.abs(across).max(), np.abs(blade["p_phi"] - 0.5).max(), np.abs(energy - energy[0]).max()]
    assert numbers(known, "cp-5") == pytest.approx([*lost, 2.0], rel=0.06)


def test_oscillator(known):
    """Energies from their formulas; DLA by its own recursion; exact crossings are at 3 pi/2 + 2 pi j."""
    run = simulate("oscillator", "feedback", None, None, 1e-3, 200.0, every=50, base="euler", k1=500, k2=300, k3=300)
    energy = 0.5 * sum(run[name] ** 2 for name in ("p_x", "p_y", "p_z", "x", "y", "z"))
    constraint = run["p_x"] + run["y"] * run["p_z"]
    dla = numbers(known, "cp-6")
    assert dla[0] == told.about(1.02e-2)
    assert dla[1] == pytest.approx(np.abs(energy - energy[0]).max(), rel=0.06)
    assert dla[2] == pytest.approx(np.abs(constraint).max(), rel=0.06)
    count, feedback, discrete = numbers(known, "cp-7")
    assert count == (400.0 - 1.5 * np.pi) // (2.0 * np.pi) + 1
    # Of all three coordinates together, so a little more than of each.
    assert feedback == pytest.approx(6.3e-2, rel=0.06)
    assert discrete == pytest.approx(2.1e-2, rel=0.06)
    off, periods = numbers(known, "cp-3-7-cosine")
    assert off < 1e-11
    assert periods == told.about(100.0 / np.pi, 3)


def test_dla_by_hand(known):
    """A few steps of q'' = -q - lambda (1, 0, y), with lambda such that the next momentum keeps the constraint."""
    h, q, last = 1e-3, np.ones(3), np.ones(3)
    after, before = [], []
    for _ in range(2000):
        free = 2.0 * q - last - h**2 * q
        form = np.array([1.0, 0.0, q[1]])
        following = free - form * (form @ (free - q)) / (form @ form)
        momentum = (following - q) / h
        before.append(momentum[0] + q[1] * momentum[2])
        after.append(momentum[0] + following[1] * momentum[2])
        q, last = following, q
    small, large = numbers(known, "cp-3-7")
    assert small < 1e-12
    assert np.abs(before).max() < 1e-12
    assert large == pytest.approx(np.abs(after).max(), rel=0.06)


def test_attraction(known):
    first, last, plain = numbers(known, "cp-3-4")
    assert first == plain == told.about(0.2 / np.sqrt(2.0))
    assert last < 1e-9
    rate, half = numbers(known, "cp-3-4-coin")
    # The gain is 0.1 over the step, times the length of a momentum, which is 1.
    assert (rate, half) == (told.about(10.0, 3), told.about(np.log(2.0) / 10.0))


def test_what_is_lost(known):
    """Sliding straight, step k (1 + p^2) is 2.2 where p = t/2; a line from (0.3, -0.2) of velocity (1, 0.5)."""
    time, reached = numbers(known, "cp-3-2-compact")
    assert reached == pytest.approx(0.1 * (1.0 + (0.5 * time) ** 2), rel=0.01)
    time, reached = numbers(known, "cp-3-6")
    assert time == told.about(9.14, 3)
    # With three integrals the largest eigenvalue is near twice that of one gradient.
    x, y = 0.3 + time, -0.2 + 0.5 * time
    assert reached == pytest.approx(0.01 * 2.0 * (x**2 + y**2), rel=0.2)


def test_repaired_field(known):
    """What the printed field would lose, by a quadrature of its own along the closed form, displaced by the start."""
    kept, lost = numbers(known, "cp-44")
    assert kept < 1e-9
    t = np.linspace(0.0, 20.0, 4001)
    # p_par = sin(t/2) of the blade that starts at rest, J1 = 0.2 and p_phi = 1/2 stay.
    moved = np.cumsum(np.sin(0.5 * t)) * (t[1] - t[0]) * 0.2 * 0.5
    assert lost == pytest.approx(np.abs(moved).max(), rel=0.02)
