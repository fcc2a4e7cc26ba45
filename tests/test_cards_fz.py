"""Cards of both papers by Fedorov and Zenkov: their verdicts, what changes these, and numbers derived anew."""

import re

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve

from nhviz.analysis import printed_turns
from nhviz.frame import find
from nhviz.frame.said import spoken
from tests.test_cards import shown

CARDS = {name: card for name, card in find.cards().items() if card.paper in ("FZ", "DS")}
FIGURES = {"FZ": 12, "DS": 3}
REFUTED = {"fz-6-preimages", "fz-7-quartic"}
"""What does not hold for what is shown."""
BROKEN = {
    "fz-4-1": "methods=cayley",
    "fz-limit-axes": "I11=1&I22=1.25&I33=2&I13=0.5",
    "fz-6-1": "locus.surface=cayley",
    "fz-6-2": "locus.part=whole",
    "fz-6-3": "I11=0.11&I22=4.896&I33=4.99&I13=0.0328&I23=0.021",
    "fz-6-4": "step=0.036",
    "fz-theorem-6-2": "methods=cayley",
    "fz-6-preimages": "I11=3&I22=4&I33=5&I13=1&I23=0.5",
    "fz-theorem-6-3": "methods=cayley",
    "fz-5-1": "methods=naive",
    "fz-5-2": "methods=naive",
    "fz-5-3": "a=0",
    "fz-7-1": "methods=naive",
    "fz-7-2": "methods=naive",
    "fz-7-3": "methods=exact.naive",
    "fz-note-5": "a=1",
    "fz-theorem-7-3": "methods=naive",
    "fz-theorem-7-4": "step=1.4",
    "ds-1": "methods=naive",
    "ds-2": "step=2.4",
    "ds-3": "methods=exact.naive",
    "ds-theorem-5": "methods=exact.naive",
    "ds-theorem-6": "methods=naive",
}
"""What turns each verdict round: another method, a body or a step for which the claim is not true."""


def changed(address, other):
    """An address with some of its words said otherwise."""
    lab, _, query = address.partition("?")
    new = {word.partition("=")[0] for word in other.split("&")}
    return f"{lab}?" + "&".join([*(word for word in query.split("&") if word.partition("=")[0] not in new), other])


def test_every_figure_has_a_card():
    for paper, count in FIGURES.items():
        assert sum(card.drawn for card in CARDS.values() if card.paper == paper) == count


@pytest.mark.parametrize("name", CARDS)
def test_the_verdict(name):
    assert CARDS[name].check(shown(CARDS[name].state)) is (name not in REFUTED)


@pytest.mark.parametrize("name", BROKEN)
def test_the_verdict_turns_round_where_the_claim_is_not_true(name):
    assert CARDS[name].check(shown(changed(CARDS[name].state, BROKEN[name]))) is (name in REFUTED)


def test_every_card_is_put_to_the_test():
    assert BROKEN.keys() | {"fz-7-quartic"} == CARDS.keys()


def test_four_displacements_would_be_seen(monkeypatch):
    """No body has four; with a polynomial without the root 1 the claim would hold."""
    monkeypatch.setattr(printed_turns, "printed_quartic", lambda *_: Polynomial.fromroots([2.0, 3.0, 4.0, 5.0]))
    card = CARDS["fz-7-quartic"]
    assert card.check(shown(card.state)) is True


ANYTHING = {
    "suslov": (
        "methods=",
        "M1=0&M2=0",
        "duration=0",
        "I13=0&I23=0",
        "step=0.5",
        "methods=feedback",
        "step=1e-7&duration=0",
    ),
    "sleigh": (
        "methods=",
        "p_theta=0&p_1=0",
        "duration=0",
        "a=0",
        "step=5",
        "p_theta=0",
        "a=0&p_1=0",
        "a=-1",
        "duration=0.1",
    ),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CARDS)
def test_whatever_the_page_is_set_to_there_is_an_answer(name):
    """Nothing runs, nothing moves, no time passes, every momentum rests, the step is far too long."""
    card = CARDS[name]
    for other in ANYTHING[card.state.partition("?")[0]]:
        at = shown(changed(card.state, other))
        assert type(card.check(at)) is bool
        said = spoken(card.told(at))
        assert 0 < len(said) <= 92
        assert "nan" not in said


@pytest.mark.parametrize("b", [0.0, 0.5, -2.0])
def test_turns_of_the_printed_equations_are_those_of_the_cubic(b):
    p = {"J": 1.5, "m": 0.7, "a": 0.9, "b": b, "step": 0.4}
    found = printed_turns.turns(p, p["step"], 0.8, -1.1)
    tau = tangents(p, (0.0, 0.0, 0.0, 0.8, -1.1))
    expected = (1.0 + 1.0j * tau) / (1.0 - 1.0j * tau)
    # Roots of a quartic without near neighbours: some hundred times round-off.
    assert np.abs(np.sort_complex(found) - np.sort_complex(expected)).max() < 1e-13


# The same numbers, from formulas and maps that are written here.


def energy_of_top(p):
    return 0.5 * (p["M1"] ** 2 / p["I11"] + p["M2"] ** 2 / p["I22"])


def limit_rate(p):
    """The rate of the rotation about the axis k = 0 with the energy of the start."""
    square = (p["I11"] * p["I23"] ** 2 + p["I22"] * p["I13"] ** 2) / (p["I13"] ** 2 + p["I23"] ** 2)
    return np.sqrt(2.0 * energy_of_top(p) / square)


def axes_apart(p):
    """The angle in space for I23 = 0."""
    sine = np.cos(np.pi * np.sqrt(p["I11"] * (p["I22"] - p["I11"])) / (2.0 * p["I13"]))
    return [2.0 * np.degrees(np.arcsin(abs(sine) / np.cosh(np.pi * p["I11"] / (2.0 * p["I13"]))))]


def summits(p):
    """The greatest value of H along each direction, by looking at all rotations."""
    psi, w = np.meshgrid(np.linspace(0.0, np.pi, 1001), np.linspace(0.0, 1.0, 1001))
    n = p["I11"] * np.cos(psi) ** 2 + p["I22"] * np.sin(psi) ** 2
    kappa = p["I13"] * np.cos(psi) + p["I23"] * np.sin(psi)
    return (4.0 * n * w * (p["I11"] * p["I22"] * (1.0 - w) + kappa**2 * w)).max(axis=0)


def level(p):
    """The level of the run over the lowest summit."""
    return p["step"] ** 2 * (p["I22"] * p["M1"] ** 2 + p["I11"] * p["M2"] ** 2) / summits(p).min()


def cayley_change(p):
    """By which percentage the energy changes in a run of the Cayley map, solved anew."""

    def momentum(uv, eps):
        u, v = uv
        k, s = p["I13"] * u + p["I23"] * v, p["I11"] * u**2 + p["I22"] * v**2
        return np.array(
            [
                p["I11"] * u + eps * v * k / 2.0 + eps**2 * u * s / 4.0,
                p["I22"] * v - eps * u * k / 2.0 + eps**2 * v * s / 4.0,
            ]
        )

    now = np.array([p["M1"], p["M2"]])
    uv, energies = now / [p["I11"], p["I22"]], [energy_of_top(p)]
    for _ in range(round(p["duration"] / p["step"])):
        uv = fsolve(lambda x, now=now: momentum(x, p["step"]) - now, uv, xtol=1e-13)
        now = momentum(uv, -p["step"])
        energies.append(energy_of_top(p | {"M1": now[0], "M2": now[1]}))
    return 100.0 * np.ptp(energies) / energies[0]


def rotations_of(p):
    """How many rotations have the momentum of the start, the least and the greatest, along all directions."""
    m1, m2 = 0.5 * p["step"] * p["M1"], 0.5 * p["step"] * p["M2"]

    def parts(psi):
        c, s = np.cos(psi), np.sin(psi)
        n, kappa = p["I11"] * c**2 + p["I22"] * s**2, p["I13"] * c + p["I23"] * s
        both = (m1 * c + m2 * s) / n
        return both, (m1 * s - m2 * c - (p["I11"] - p["I22"]) * c * s * both) / kappa, kappa

    def gap(psi):
        both, square, kappa = parts(psi)
        return kappa**2 * (both**2 - square * (1.0 - square))

    psi = np.linspace(0.0, np.pi, 20001)
    values = gap(psi)
    roots = [brentq(gap, psi[i], psi[i + 1]) for i in np.flatnonzero(values[1:] * values[:-1] < 0.0)]
    angles = [2.0 * np.degrees(np.arcsin(np.sqrt(parts(root)[1]))) for root in roots]
    return [len(angles), min(angles), max(angles)]


def sleigh_energy(p):
    return 0.5 * ((p["p_theta"] + p["b"] * p["p_1"]) ** 2 / total(p) + p["p_1"] ** 2 / p["m"])


def total(p):
    return p["J"] + p["m"] * p["a"] ** 2


def cusp_time(p):
    """When v = p_1/m + b omega = 0, by the closed form of p_1."""
    most = np.sqrt(2.0 * p["m"] * sleigh_energy(p))
    omega = np.sign(p["p_theta"] + p["b"] * p["p_1"]) * cusp_rate(p)
    rate = p["a"] * most / total(p)
    return (np.arctanh(-p["m"] * p["b"] * omega / most) - np.arctanh(p["p_1"] / most)) / rate


def cusp_rate(p):
    """|omega| where the blade stands still."""
    return np.sqrt(2.0 * sleigh_energy(p) / (p["J"] + p["m"] * (p["a"] ** 2 + p["b"] ** 2)))


def tangents(p, state):
    """All roots tan(turn/2) of the cubic."""
    p_theta, p_1 = state[3:]
    first, second = p["step"] * (p_theta + p["b"] * p_1), p["step"] * p["a"] * p_1 + 2.0 * p["m"] * p["a"] ** 2
    return np.roots([second, -first, second + 2.0 * p["J"], -first])


def real(roots):
    return roots[np.abs(roots.imag) < 1e-9].real


def fedorov_zenkov(p, state):
    p_1 = state[4]
    turn = 2.0 * np.arctan(min(real(tangents(p, state)), key=abs))
    forward = p["step"] * p_1 / p["m"] + p["a"] * (1.0 - np.cos(turn)) + p["b"] * np.sin(turn)
    return moved(p, state, turn, forward, forward * np.tan(0.5 * turn)) + np.array(
        [0.0, 0.0, 0.0, -2.0 * p["a"] * p["m"] * forward * np.tan(0.5 * turn) / p["step"],
         2.0 * p["a"] * p["m"] * (1.0 - np.cos(turn)) / p["step"]]
    )  # fmt: skip


def moved(p, state, turn, forward, sideways):
    """The place after a step, with the momenta before it."""
    theta, x, y, p_theta, p_1 = state
    c, s = np.cos(theta), np.sin(theta)
    return np.array([theta + turn, x + c * forward - s * sideways, y + s * forward + c * sideways, p_theta, p_1])


def midpoint(p, state):
    p_theta, p_1 = state[3:]
    eps, m, a = p["step"], p["m"], p["a"]

    def equation(d):
        return (
            total(p) * d + a * d / (2.0 * np.cos(d / 2.0)) * (eps * p_1 + m * a * d * np.sin(d / 2.0)) - eps * p_theta
        )

    d = brentq(equation, -2.0, 2.0, xtol=1e-15)
    chord = (eps * p_1 / m + a * d * np.sin(d / 2.0)) / np.cos(d / 2.0)
    place = moved(p, state, d, chord * np.cos(d / 2.0), chord * np.sin(d / 2.0))
    return place + np.array([0.0, 0.0, 0.0, -m * a * d * chord / eps, 2.0 * m * a * d * np.sin(d / 2.0) / eps])


def naive(p, state):
    theta, x, y, p_theta, p_1 = state
    eps, m, a, b = p["step"], p["m"], p["a"], p["b"]
    first = eps * (p_theta + b * p_1)
    turn = 2.0 * np.arctan(min(real(np.roots([first + 2.0 * a * b * m, -2.0 * total(p), first])), key=abs))
    c, s = np.cos(turn), np.sin(turn)
    forward = eps * p_1 / m + a * (1.0 - c) + b * s
    p_2 = (a * m * s - b * m * (1.0 - c)) / eps
    return moved(p, (theta, x, y, p_theta - p_2 * forward, p_1 * c + p_2 * s), turn, forward, 0.0)


def run(p, step):
    """All states of a map."""
    states = [np.array([p[name] for name in ("theta", "x", "y", "p_theta", "p_1")])]
    for _ in range(round(p["duration"] / p["step"])):
        states.append(step(p, states[-1]))
    return np.array(states).T


def flow(p):
    """The flow at the instants of the maps, integrated anew."""

    def field(t, y):
        omega = (y[3] + p["b"] * y[4]) / total(p)
        v = y[4] / p["m"] + p["b"] * omega
        return [omega, v * np.cos(y[0]), v * np.sin(y[0]), -p["m"] * p["a"] * omega * v, p["m"] * p["a"] * omega**2]

    times = p["step"] * np.arange(round(p["duration"] / p["step"]) + 1)
    start = [p[name] for name in ("theta", "x", "y", "p_theta", "p_1")]
    return solve_ivp(field, (0.0, times[-1]), start, t_eval=times, rtol=1e-11, atol=1e-12).y


def apart(p, step):
    """How far the path of a map is from that of the flow."""
    return np.hypot(*(run(p, step)[1:3] - flow(p)[1:3])).max()


def energies(p, states):
    return np.array([sleigh_energy(p | {"p_theta": one, "p_1": other}) for one, other in states[3:].T])


def changes(p, step):
    """By which percentage the energy changes in a run of a map."""
    found = energies(p, run(p, step))
    return 100.0 * np.ptp(found) / found[0]


def first_circle(p):
    """Turn and radius of the first step."""
    after = run(p | {"duration": p["step"]}, fedorov_zenkov)[:, -1]
    return [np.degrees(after[0]), abs(after[1] / np.sin(after[0]))]


def bounds(p):
    """Theorem 7.4, and the step at which a cubic of this energy first has three real roots."""
    size = 2.0 * sleigh_energy(p)

    def most(step):
        angle = np.linspace(0.0, 2.0 * np.pi, 721)
        starts = np.array([np.sqrt(size * total(p)) * np.cos(angle), np.sqrt(size * p["m"]) * np.sin(angle)]).T
        return max(len(real(tangents(p | {"step": step}, (0.0, 0.0, 0.0, *start)))) for start in starts)

    sharp = np.sqrt(125.0 / 32.0 * p["m"] * p["a"] ** 2 / size)
    assert [most(0.99 * sharp), most(1.01 * sharp)] == [1, 3]
    return [np.sqrt(p["m"] * p["a"] ** 2 / size), sharp]


def last_factors(p):
    """The last factor of p_theta, and that of the linearised map at the last p_1."""
    states = run(p, midpoint)
    push = p["a"] * p["step"] * states[4, -1]
    return [states[3, -1] / states[3, -2], (2.0 * total(p) - push) / (2.0 * total(p) + push)]


def circles(p):
    """The radius of the midpoint map with a = 0, and that of the flow."""
    turn = p["step"] * p["p_theta"] / p["J"]
    chord = p["step"] * p["p_1"] / p["m"] / np.cos(0.5 * turn)
    return [chord / (2.0 * np.sin(0.5 * turn)), p["p_1"] * p["J"] / (p["m"] * p["p_theta"])]


def steps(p):
    return round(p["duration"] / p["step"])


SMALL = 1e-12
NUMBERS = {
    "fz-4-1": lambda p: [limit_rate(p)],
    "fz-limit-axes": axes_apart,
    "fz-6-1": lambda p: [steps(p), SMALL],
    "fz-6-2": lambda p: [2.0 * np.degrees(np.arccos(0.8)), 2.0 * np.degrees(np.arccos(0.4))],
    # Two minima, s saddles and two centres: 2 - s + 2 = 1, as on every projective plane.
    "fz-6-3": lambda p: [summits(p).min() / summits(p).max(), 2 + 2 - 1],
    "fz-6-4": lambda p: [steps(p), 100.0 * level(p)],
    "fz-theorem-6-2": lambda p: [SMALL, cayley_change(p)],
    "fz-6-preimages": rotations_of,
    "fz-theorem-6-3": lambda p: [np.degrees(np.arcsin(p["step"] * limit_rate(p)))],
    "fz-5-1": lambda p: [cusp_time(p), cusp_rate(p) * np.hypot(p["a"], p["b"])],
    "fz-5-2": lambda p: [sign * np.sqrt(2.0 * p["m"] * sleigh_energy(p)) for sign in (-1, 1)],
    "fz-5-3": lambda p: [cusp_time(p), 180.0 * np.sqrt(1.0 + p["J"] / (p["m"] * p["a"] ** 2))],
    "fz-7-1": first_circle,
    "fz-7-2": lambda p: [steps(p), SMALL],
    "fz-7-3": lambda p: [p["step"], apart(p, fedorov_zenkov)],
    "fz-note-5": lambda p: [100.0 * (1.0 - np.sqrt(0.96)), 100.0 * 0.96 ** (0.5 * (steps(p) - 1))],
    "fz-7-quartic": lambda p: [p["b"], 3, len(real(tangents(p, (0.0, 0.0, 0.0, p["p_theta"], p["p_1"]))))],
    "fz-theorem-7-3": lambda p: [SMALL, changes(p, naive)],
    "fz-theorem-7-4": bounds,
    "ds-1": lambda p: [p["a"] * np.sqrt(2.0 * p["m"] * sleigh_energy(p)) / total(p)],
    "ds-2": lambda p: [steps(p), changes(p, midpoint)],
    "ds-3": lambda p: [p["step"], apart(p, midpoint)],
    "ds-theorem-5": circles,
    "ds-theorem-6": last_factors,
}
WRITTEN = re.compile(r"(−?\d+(?:\.\d+)?)(?: · 10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")
PLAIN = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")


def read(text):
    """A number as it is written, and half a unit of its last digit."""
    mantissa, power = WRITTEN.match(text).groups()
    scale = 10.0 ** int((power or "0").translate(PLAIN))
    return float(mantissa.translate(PLAIN)) * scale, 0.5 * scale * 10.0 ** -len(mantissa.partition(".")[2])


@pytest.mark.parametrize("name", CARDS)
def test_numbers_are_those_derived_here(name):
    at = shown(CARDS[name].state)
    said = CARDS[name].told(at)
    found = [read(part.text) for part in said if part.kind == "number"]
    expected = NUMBERS[name](at.values)
    assert len(found) == len(expected), spoken(said)
    for (value, half), number in zip(found, expected, strict=True):
        # Of round-off only its size is known. What is rounded at its last digit may be rounded to either side.
        assert value <= SMALL if number == SMALL else abs(value - number) <= 1.001 * half, spoken(said)
