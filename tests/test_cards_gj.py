"""The cards of GJ: verdicts that change with what they check, and numbers found in another way."""

import numpy as np
import pytest

from nhviz.cards import gj
from nhviz.simulate import simulate
from tests import told

CARDS = {card.id: card for card in gj.CARDS}
FAILS = {"gj-8-1"}
ROD = (
    "suslov?I11=14.28795&I22=0.4&I33=13.89123&I13=-0.00503&I23=2.29871&M1=1&M2=1&step=0.01&duration=0.1&methods=cayley"
)
GENERIC = {"I11": 3.0, "I22": 4.0, "I33": 5.0, "I13": 1.0, "I23": 0.5}
START = {"M1": 41.07400078, "M2": -99.38251558}
BROKEN = {
    "gj-1": CARDS["gj-2"].state,
    "gj-2": CARDS["gj-1"].state,
    "gj-3": CARDS["gj-4"].state,
    "gj-4": CARDS["gj-3"].state,
    "gj-1-4": CARDS["gj-1-4"].state + "&step=0.25",
    "gj-5-2": CARDS["gj-5-2"].state + "&step=0.05",
    "gj-7-2": CARDS["gj-4"].state,
    "gj-8": CARDS["gj-8"].state + "&step=0.02",
    "gj-8-2": ROD,
}
"""States in which the verdict is the other one."""
EXCHANGED = {"gj-8-1": ("cayley", "moser_veselov"), "gj-7-1": ("cayley", "moser_veselov")}
"""Schemes with which the verdict is the other one: each in the place of the other."""


@pytest.fixture(scope="module")
def known():
    return {name: told.shown(card.state) for name, card in CARDS.items()}


@pytest.mark.parametrize("name", CARDS)
def test_verdict(known, name):
    assert CARDS[name].check(known[name]) is (name not in FAILS)
    told.check_words(CARDS[name], known[name])


@pytest.mark.parametrize("name", BROKEN)
def test_verdict_changes_with_what_is_shown(name):
    assert CARDS[name].check(told.shown(BROKEN[name])) is (name in FAILS)


@pytest.mark.parametrize("name", EXCHANGED)
def test_verdict_changes_with_the_scheme(monkeypatch, name):
    first, second = EXCHANGED[name]
    monkeypatch.setattr(gj.claims, "NON_CONSISTENT", first)
    monkeypatch.setattr(gj.claims, "CONSISTENT", second)
    monkeypatch.setattr(gj.claims, "SCHEMES", (first, second))
    assert CARDS[name].check(told.shown(CARDS[name].state)) is (name in FAILS)


def test_order_of_a_first_order_scheme_is_noticed(monkeypatch):
    monkeypatch.setattr(gj.claims, "SCHEMES", ("moser_veselov", "feedback"))
    monkeypatch.setattr(gj.claims, "CONSISTENT", "feedback")
    card = CARDS["gj-5-1"]
    assert not card.check(told.shown(card.state))


def test_flow_is_none_of_the_allowed_displacements(monkeypatch):
    monkeypatch.setattr(gj.claims, "NON_CONSISTENT", "exact")
    card = CARDS["gj-4-1"]
    assert not card.check(told.shown(card.state))


def numbers(known, name):
    return told.numbers(CARDS[name].told(known[name]))


def test_longest_momentum(known):
    """GJ (28) over Cayley coordinates, at random."""
    rng, eps = np.random.default_rng(3), 0.03
    u, v = rng.standard_cauchy((2, 200_000)) * 60.0
    k, delta = u + 0.5 * v, 4.0 + eps**2 * (u**2 + v**2)
    m = 2.0 / delta * np.array([6.0 * u + eps * v * k, 8.0 * v - eps * u * k, 2.0 * k + eps * u * v])
    longest, start = numbers(known, "gj-1")
    assert longest == pytest.approx(np.linalg.norm(m, axis=0).max(), rel=2e-3)
    assert start == told.about(np.hypot(*START.values()), 4)


def test_unbounded_surface(known):
    """GJ (41): the longest momenta of rotations by 90 and by 170 degrees; the curve crosses itself at a right angle."""
    grown, angle = numbers(known, "gj-2")
    psi, sizes = np.linspace(0.0, 2.0 * np.pi, 20_001), []
    for tangent in (1.0, np.tan(np.radians(85.0))):
        x, y = tangent * np.cos(psi), tangent * np.sin(psi)
        s, k = 3.0 * x**2 + 4.0 * y**2, x + 0.5 * y
        sizes.append(np.linalg.norm([3.0 * x + y * k + x * s, 4.0 * y - x * k + y * s, k + x * y], axis=0).max())
    assert grown == told.about(sizes[1] / sizes[0], 3)
    assert angle == 90.0


def runs(step):
    names = ("moser_veselov", "cayley")
    return [simulate("suslov", name, GENERIC, START, step, 1.0) for name in ("exact", *names)]


def test_errors_of_figure_3(known):
    flow, first, second = runs(0.03)
    size = np.hypot(np.hypot(flow["M1"], flow["M2"]), flow["M3"]).max()
    away = [np.sqrt(sum((run[m] - flow[m]) ** 2 for m in ("M1", "M2", "M3"))).max() / size for run in (first, second)]
    energy = second["M1"] ** 2 / 6.0 + second["M2"] ** 2 / 8.0
    lost = np.abs(energy / energy[0] - 1.0).max()
    near, far, drift = numbers(known, "gj-3")
    # What is called the greatest of their unit is that of one component; a length is at most the root of three more.
    assert away[0] <= near / 100.0 <= np.sqrt(3.0) * away[0]
    assert near / far == pytest.approx(away[0] / away[1], rel=0.01)
    assert drift == told.about(100.0 * lost)


def test_leads(known):
    """Phases on the energy ellipse, by arctan2 of the momenta."""
    phase = [np.unwrap(np.arctan2(run["M2"] / 2.0, run["M1"] / np.sqrt(3.0))) for run in runs(0.015)]
    ahead, behind = (np.abs(one - phase[0]).max() for one in phase[1:])
    assert numbers(known, "gj-8-1") == [told.about(ahead), told.about(behind)]
    assert phase[1][30] > phase[0][30] > phase[2][30]
    assert phase[0][-1] > phase[0][0]


def test_slopes_and_orders(known):
    first, second, times = numbers(known, "gj-1-4")
    assert first == pytest.approx(2.0, abs=0.1)
    assert second == pytest.approx(2.0, abs=0.1)
    ends = [simulate("suslov", name, GENERIC, START, 0.00125, 1.0) for name in ("moser_veselov", "cayley")]
    truth = simulate("suslov", "exact", GENERIC, START, 1.0, 1.0)
    off = [max(np.abs(run[m][-1] - truth[m][-1]).max() for m in ("M1", "M2", "R")) for run in ends]
    assert times == told.about(off[1] / off[0])
    assert numbers(known, "gj-5-1") == [pytest.approx(3.0, abs=0.05)] * 2


def test_energy_of_figure_4(known):
    drift, ahead, behind = numbers(known, "gj-4")
    assert drift < 1e-14
    assert ahead == told.about(1.228, 3)
    assert behind == told.about(-1.215, 3)


def test_energy_of_the_consistent_scheme(known):
    _, _, run = runs(0.03)
    energy = run["M1"] ** 2 / 6.0 + run["M2"] ** 2 / 8.0
    lost, off = numbers(known, "gj-7-2")
    assert lost == told.about(100.0 * np.abs(energy / energy[0] - 1.0).max())
    assert off < 1e-14


def test_displacements(known):
    _, run, _ = runs(0.015)
    angle = 2.0 * np.arctan(0.0075 * np.hypot(run["u"], run["v"]))
    # W - 1 has the skew part sin(a) and the symmetric one 1 - cos(a): together 2 sin(a/2).
    assert numbers(known, "gj-4-1")[0] == told.about(100.0 * np.sin(0.5 * angle[:-1]).max())
    assert numbers(known, "gj-5-2") == [len(run), 2]
    count, off = numbers(known, "gj-7-1")
    assert count == 2 * len(runs(0.03)[1])
    assert off < 1e-13


def test_largest_step(known):
    """The step at which runs from all over the energy ellipse begin to stop."""
    most, step, share = numbers(known, "gj-8")
    assert (step, share) == (0.03, told.about(100.0 * 0.03 / most))
    angle = np.linspace(0.0, 2.0 * np.pi, 721)
    size = np.sqrt(2.0 * (START["M1"] ** 2 / 6.0 + START["M2"] ** 2 / 8.0))

    def all_go(step):
        starts = [{"M1": size * np.sqrt(3.0) * np.cos(a), "M2": size * 2.0 * np.sin(a)} for a in angle[::6]]
        return all(simulate("suslov", "moser_veselov", GENERIC, one, step, step).stopped is None for one in starts)

    assert all_go(0.999 * most)
    assert not all_go(1.01 * most)
    steps, step, times = numbers(known, "gj-8-2")
    assert (steps, step) == (20, 0.05)
    assert times == told.about(0.05 / most)
