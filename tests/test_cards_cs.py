"""The cards of CS: verdicts that change with what they check, and numbers found in another way."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from nhviz.analysis.vertical import plateaus, vertical_map
from nhviz.cards import cs
from nhviz.maps import vertical
from nhviz.simulate import simulate
from tests import told

CARDS = {card.id: card for card in cs.CARDS}
FAILS = {"cs-5-rotation", "cs-5-3"}
STRANGE = {"J1": 0.01, "J2": 0.2, "J3": 1.0, "m": 0.2, "rho": 1.0}
LAM = np.array([1.4, 1.21, 0.41])
LEVEL = 1.149
OTHERWISE = {
    "cs-5-9": {"J1": 0.2, "J2": 0.2, "level": 1.149},
    "cs-5-rotation": {"h": 0.6142},
    "cs-5-3": {"J1": 0.25, "J2": 0.55, "J3": 0.95, "m": 2.0, "step": 0.2},
    "cs-5-measure": {"h": 0.6146},
    "cs-5-circle": {"h": 0.63},
}
"""Values with which the verdict is the other one."""


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


@pytest.mark.parametrize("name", ["cs-5-5", "cs-5-10", "cs-2-7", "cs-2-5"])
def test_verdict_changes_with_the_inertia(monkeypatch, known, name):
    true = cs.claims.lam
    monkeypatch.setattr(cs.claims, "lam", lambda shown: true(shown) * [1.0, 1.001, 1.0])
    assert not CARDS[name].check(known[name])


def test_another_curve_is_noticed(monkeypatch, known):
    monkeypatch.setattr(cs.claims, "curve_of", lambda shown: vertical.oval(shown.params, 1.001 * LEVEL))
    assert not CARDS["cs-5-7"].check(known["cs-5-7"])


def test_another_vector_does_not_stand_still(monkeypatch, known):
    true = cs.claims.vectors
    monkeypatch.setattr(cs.claims, "vectors", lambda run, name: true(run, "omega"))
    assert not CARDS["cs-4-2"].check(known["cs-4-2"])


def test_path_of_another_ball_is_noticed(monkeypatch, known):
    true = cs.claims.pictures.truth_beside

    def heavier(shown, variant):
        problem = true(shown, variant).problem
        return shown.run(replace(problem, params=tuple((n, 1.02 * v if n == "m" else v) for n, v in problem.params)))

    monkeypatch.setattr(cs.claims.pictures, "truth_beside", heavier)
    assert not CARDS["cs-4-9"].check(known["cs-4-9"])


def test_energy_is_kept_for_vertical_momentum():
    start = vertical_map(STRANGE, 0.45, LEVEL).start(0.3, 1.0)
    values = STRANGE | start | {"step": 1.0, "duration": 20.0}
    address = "sphere?scene=rolling&" + "&".join(f"{word}={value!r}" for word, value in values.items())
    assert not CARDS["cs-5-energy"].check(told.shown(f"{address}&methods=reference.fedorov"))


def numbers(known, name):
    return told.numbers(CARDS[name].told(known[name]))


def elliptic(u):
    """(5.7) with the corrected (5.8), by hand: verticals (n, 3) at u in units of 2K, K, C3 squared as printed."""
    a, b, c = LAM
    k2 = (a - b) * (1.0 - c * LEVEL) / ((b - c) * (a * LEVEL - 1.0))
    c1, c2, c3 = (a * (1.0 - c * LEVEL) / (a - c), b * (1.0 - c * LEVEL) / (b - c), c * (a * LEVEL - 1.0) / (a - c))
    sn, cn, dn, _ = ellipj(2.0 * ellipk(k2) * np.asarray(u), k2)
    return np.stack([np.sqrt(c1) * cn, np.sqrt(c2) * sn, np.sqrt(c3) * dn], axis=-1), ellipk(k2), -c3


def test_curve(known):
    run = known["cs-5-7"].runs["fedorov"]
    there, _, printed = elliptic(run["u"])
    assert np.abs(np.stack([run[f"gamma{i}"] for i in (1, 2, 3)], axis=1) - there).max() < 1e-9
    off, square = numbers(known, "cs-5-7")
    assert off < 1e-9
    assert square == told.about(printed, 3)


def test_increments(known):
    """By the map on the sphere, from 100 places."""
    ball = vertical_map(STRANGE, 0.6146, LEVEL)
    places = np.linspace(0.0, 1.0, 101)[:-1]
    steps = ball.direct_increment(2.0 * ball.quarter * places) / (2.0 * ball.quarter)
    spread, agree = numbers(known, "cs-5-9")
    assert spread == told.about(100.0 * np.ptp(steps) / np.abs(steps.mean()))
    assert agree < 1e-12
    least, turn = numbers(known, "cs-5-circle")
    slopes = 1.0 + np.diff(steps) / 0.01
    assert least == pytest.approx(slopes.min(), abs=2e-3)
    assert turn == pytest.approx(1.0 / 3.0, abs=1e-4)


def test_plateau(known):
    """By closing orbits of the map, another way than the page's."""
    (found,) = [one for one in plateaus(STRANGE, LEVEL, 0.61, 0.618, 3) if one.q == 3]
    low, high = numbers(known, "cs-5-rotation")[1:]
    assert [low, high] == [round(found.low, 6), round(found.high, 6)]


def test_density(known):
    """By the places of a long orbit."""
    residual, least, most = numbers(known, "cs-5-measure")
    assert residual < 1e-8
    ball = vertical_map(STRANGE, 0.61468, LEVEL)
    circle = ball.orbit(0.1, 200_000).cumsum() / (2.0 * ball.quarter) % 1.0
    # Bins are wide enough for 0.5 % of noise and blur the peaks by less than that.
    seen = np.histogram((circle + 0.1 / (2.0 * ball.quarter)) % 1.0, bins=100)[0] / 2000.0
    assert least == pytest.approx(seen.min(), rel=0.03)
    assert most == pytest.approx(seen.max(), rel=0.03)


def rolling(step, duration, method="fedorov"):
    ball = {"J1": 0.04, "J2": 0.2, "J3": 0.75, "m": 1.0}
    start = {"gamma1": 2 / 7, "gamma2": 3 / 7, "gamma3": 6 / 7, "omega1": 0.2, "omega2": 0.6, "omega3": 1.2}
    return simulate("sphere", method, ball, start, step, duration)


def test_path(known):
    off = []
    for step in (0.4, 0.2):
        run, flow = rolling(step, 20.0), rolling(step, 20.0, "reference")
        off.append(np.hypot(run["x"] - flow["x"], run["y"] - flow["y"]).max())
    assert numbers(known, "cs-4-9") == [told.about(off[0]), told.about(off[1]), told.about(np.log2(off[0] / off[1]), 3)]
    steps, still = numbers(known, "cs-4-2")
    assert steps == 50 + 100 + 33
    assert still < 1e-13


def test_energy_band(known):
    bands = []
    for step in (0.4, 0.2):
        run = rolling(step, 100.0)
        energy = sum(run[f"K{i}"] * run[f"omega{i}"] for i in (1, 2, 3))
        bands.append(100.0 * np.ptp(energy) / energy[0])
    assert numbers(known, "cs-5-energy") == [told.about(bands[0]), told.about(bands[1])]


def test_printed_energy(known):
    """(2.5) with a minus and with a plus, at the default ball of the sphere."""
    run = known["cs-2-5"].runs["reference"]
    k, gamma = (np.stack([run[f"{name}{i}"] for i in (1, 2, 3)], axis=1) for name in ("K", "gamma"))
    inverse = 1.0 / np.array([3.5, 3.2, 2.8])
    first, second = (k**2) @ inverse, 2.0 * ((k * gamma) @ inverse) ** 2 / (1.0 - 2.0 * (gamma**2) @ inverse)
    minus = first - second
    # The specification's numbers: from 3.661779 to 4.034356 in 10 s.
    assert minus[[0, -1]] == pytest.approx([3.661779, 4.034356], abs=1e-6)
    kept, moved = numbers(known, "cs-2-5")
    assert kept < 1e-12
    assert moved == told.about(100.0 * np.ptp(minus) / minus[0])


def test_rotations(known):
    """All solutions of (5.2), by Newton's method from many Euler parameters."""
    shown = known["cs-5-3"]
    gamma = np.array([shown.initial[f"gamma{i}"] for i in (1, 2, 3)])
    omega = np.array([shown.initial[f"omega{i}"] for i in (1, 2, 3)])
    gamma /= np.linalg.norm(gamma)
    j, d = np.array([0.01, 0.2, 0.8]), 300.0
    momentum = (j.sum() - j + d) * omega - d * (omega @ gamma) * gamma
    found = {name: solutions(j, d, gamma, step * momentum) for name, step in (("one", 1.0), ("ten", 10.0))}
    assert numbers(known, "cs-5-3") == [found["one"], found["ten"]] == [6, 0]


def solutions(j, d, gamma, momentum):
    """How many rotations have that momentum."""
    rng = np.random.default_rng(1)
    q = rng.standard_normal((1000, 4))
    # Rotations near half turns are the ones that are hard to find.
    q[::2, 0] *= 0.02
    q /= np.linalg.norm(q, axis=1)[:, None]
    moments, differences = j.sum() - j, np.roll(j, -1) - np.roll(j, -2)

    def residual(q):
        q0, v = q[:, :1], q[:, 1:]
        turned = np.roll(v, -1, axis=1) * np.roll(v, -2, axis=1)
        whole = 2.0 * (moments * q0 * v + differences * turned + d * q0 * (v - (v @ gamma)[:, None] * gamma))
        return np.concatenate([whole - momentum, np.sum(q**2, axis=1, keepdims=True) - 1.0], axis=1)

    for _ in range(40):
        slope = np.stack([(residual(q + 1e-6 * e) - residual(q - 1e-6 * e)) / 2e-6 for e in np.eye(4)], axis=2)
        step = np.linalg.solve(slope + 1e-14 * np.eye(4), residual(q)[:, :, None])[:, :, 0]
        q = q - 0.3 * step / np.maximum(np.linalg.norm(step, axis=1), 0.3)[:, None]
    good = q[np.abs(residual(q)).max(axis=1) < 1e-9]
    good *= np.sign(good[:, :1])
    return len(np.unique(np.round(good, 5), axis=0))


def test_vertical_momentum(known):
    steps, level, drift = numbers(known, "cs-5-5")
    assert (steps, level) == (200, LEVEL)
    assert drift < 1e-13
    solved, uneven = numbers(known, "cs-2-7")
    assert solved < 1e-7
    u = known["cs-2-7"].runs["fedorov"]["u"]
    line = np.linspace(u[0], u[-1], len(u))
    assert uneven == told.about(np.abs(u - line).max() / np.abs(u[-1] - u[0]))
    corrected, printed = numbers(known, "cs-5-10")
    assert corrected < 1e-13
    assert printed > 0.1
