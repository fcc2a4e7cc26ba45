"""RP^2 as a disk: levels of the invariant, its saddles and centres, the line of rest, and the orbits of the maps."""

import numpy as np
import pytest

from tests.pictures.bodies import SUSLOV
from tests.pictures.reading import ROUNDED, close, page, pieces, points

# The second body is so elongated that critical points sit on the rim.
ELONGATED = SUSLOV.replace("I13=0.9", "I13=2.4").replace("step=0.12", "step=0.05")
QUERIES = pytest.mark.parametrize("query", [SUSLOV, ELONGATED])


def invariant(params, q1, q2):
    """FZ (6.17), H = 4 (I11 q1^2 + I22 q2^2)(I11 I22 q0^2 + (I13 q1 + I23 q2)^2), with q0^2 = 1 - q1^2 - q2^2."""
    first = params["I11"] * q1**2 + params["I22"] * q2**2
    k = params["I13"] * q1 + params["I23"] * q2
    return 4.0 * first * (params["I11"] * params["I22"] * (1.0 - q1**2 - q2**2) + k**2)


def on_sphere(params, q):
    """H at a point of space, as a function on the sphere |q| = 1."""
    q1, q2, q0 = q / np.linalg.norm(q)
    k = params["I13"] * q1 + params["I23"] * q2
    first = params["I11"] * q1**2 + params["I22"] * q2**2
    return 4.0 * first * (params["I11"] * params["I22"] * q0**2 + k**2)


def critical(params, q1, q2):
    """Gradient and eigenvalues of the Hessian of H on the sphere at a point of the disk, by differences."""
    square = 1.0 - q1**2 - q2**2
    # What is on the rim but for rounding is on the rim.
    q = np.array([q1, q2, np.sqrt(square) if square > 4.0 * ROUNDED else 0.0])
    plane, near = np.linalg.svd(q[None])[2][1:], 1e-4

    def height(a, b):
        return on_sphere(params, q + near * (a * plane[0] + b * plane[1]))

    gradient = np.array([height(1, 0) - height(-1, 0), height(0, 1) - height(0, -1)]) / (2.0 * near)
    mixed = 0.25 * (height(1, 1) + height(-1, -1) - height(1, -1) - height(-1, 1))
    first = height(1, 0) + height(-1, 0) - 2.0 * height(0, 0)
    second = height(0, 1) + height(0, -1) - 2.0 * height(0, 0)
    return gradient, np.linalg.eigvalsh(np.array([[first, mixed], [mixed, second]])) / near**2


def summits(params):
    """Over all directions the greatest value of H along a ray, on a grid."""
    direction, radius = np.linspace(0.0, np.pi, 2001)[:, None], np.linspace(0.0, 1.0, 2001)[None, :]
    return invariant(params, radius * np.cos(direction), radius * np.sin(direction)).max(axis=1)


@QUERIES
def test_saddles_are_saddles_and_centres_are_summits(query):
    here = page("suslov", query)
    drawn, params = here.view("disk"), here.panel.params
    counts = []
    for name, signs in (("saddles", (-1.0, 1.0)), ("centres", (-1.0, -1.0))):
        places = points(drawn.one(name)).T
        counts.append(len(places))
        assert len(np.unique(places.round(5), axis=0)) == len(places)
        for q1, q2 in places:
            gradient, curvatures = critical(params, q1, q2)
            assert tuple(np.sign(curvatures)) == signs
            # Differences of second order, and a rounded place: a millionth of the curvature.
            assert np.linalg.norm(gradient) <= 1e-6 * np.abs(curvatures).max()
    assert drawn.one("saddles")["marker"]["symbol"] != drawn.one("centres")["marker"]["symbol"]
    # With the two minima, the identity and a half turn, they make the number of Euler of RP^2.
    assert 2 - counts[0] + counts[1] == 1


def test_curves_are_levels_below_and_above_the_pass():
    here = page("suslov", SUSLOV)
    drawn, params = here.view("disk"), here.panel.params
    heights = summits(params)
    mountain_pass, top = heights.min(), heights.max()
    found = []
    for curve in pieces(points(drawn.one("levels"))):
        levels = invariant(params, *curve)
        # q0^2 = 1 - q1^2 - q2^2 is rounded to ROUNDED, not relative to itself.
        assert np.ptp(levels) <= 20.0 * ROUNDED * top
        found.append(levels.mean())
    shares = {round(float(level / mountain_pass), 3) for level in found}
    assert len([share for share in shares if share < 1.0]) >= 3
    assert max(shares) > 1.01
    assert max(found) < top
    # Below the pass a level has an oval around the identity and one outside.
    lowest = [c for c in pieces(points(drawn.one("levels"))) if invariant(params, *c).mean() < 1.01 * min(found)]
    radii = sorted(float(np.hypot(*curve).mean()) for curve in lowest)
    assert radii[0] < 0.5 < radii[-1]


def test_the_separatrix_is_the_level_of_the_lowest_saddles():
    here = page("suslov", SUSLOV)
    drawn, params = here.view("disk"), here.panel.params
    saddle = invariant(params, *points(drawn.one("saddles"))).min()
    levels = invariant(params, *np.concatenate(pieces(points(drawn.one("h = h*"))), axis=1))
    # It is drawn a millionth below the pass, so that it falls into an inner and an outer curve.
    assert np.abs(levels / saddle - 1.0).max() <= 2e-6 + 20.0 * ROUNDED
    assert saddle == pytest.approx(summits(params).min(), rel=1e-5)
    assert drawn.one("h = h*")["line"]["dash"] == "dash"


@QUERIES
def test_the_line_of_equilibria_is_the_diameter_without_torque(query):
    here = page("suslov", query)
    params = here.panel.params
    q1, q2 = points(here.view("disk").one("equilibria"))
    size = abs(params["I13"]) + abs(params["I23"])
    assert np.abs(params["I13"] * q1 + params["I23"] * q2).max() <= 2.0 * ROUNDED * size
    assert np.hypot(q1[[0, -1]], q2[[0, -1]]) == pytest.approx([1.0, 1.0], abs=2.0 * ROUNDED)
    assert np.hypot(q1[-1] - q1[0], q2[-1] - q2[0]) == pytest.approx(2.0, abs=4.0 * ROUNDED)


def test_orbits_are_the_euler_parameters_of_their_displacements():
    here = page("suslov", SUSLOV)
    drawn, params, step = here.view("disk"), here.panel.params, here.panel.step
    runs = drawn.runs()
    assert list(runs) == ["cayley", "moser_veselov"]
    for method, trace in runs.items():
        alone = here.alone(method)
        size = np.hypot(alone["u"], alone["v"])
        sine = np.sin(np.arctan(0.5 * step * size))
        assert close(points(trace), np.stack([sine * alone["u"] / size, sine * alone["v"] / size]), times=2.0)
    start = here.panel.initial
    level = step**2 * (params["I22"] * start["M1"] ** 2 + params["I11"] * start["M2"] ** 2)
    # Moser-Veselov stays on the level of its energy (FZ Theorem 6.2), Cayley does not.
    assert np.abs(invariant(params, *points(runs["moser_veselov"])) / level - 1.0).max() <= 20.0 * ROUNDED
    assert np.abs(invariant(params, *points(runs["cayley"])) / level - 1.0).max() > 1e-3


def test_the_disk_is_round_and_says_what_its_axes_are():
    drawn = page("suslov", SUSLOV).view("disk")
    rim = points(drawn.one("rim"))
    assert close(np.hypot(*rim), np.ones(rim.shape[1]), times=2.0)
    assert np.ptp(np.unwrap(np.arctan2(*rim))) == pytest.approx(2.0 * np.pi)
    assert drawn.titles() == ["<i>q</i><sub>1</sub>", "<i>q</i><sub>2</sub>"]
    assert drawn.layout["yaxis"]["scaleanchor"] == "x"


@QUERIES
def test_the_words_of_the_disk_stand_at_what_they_name(query):
    drawn = page("suslov", query).view("disk")
    for text, name in (("saddle", "saddles"), ("centre", "centres"), ("equilibria", "equilibria")):
        notes = [note for note in drawn.words() if note["text"] == text]
        places = points(drawn.one(name)).T
        assert len(notes) == min(len(places), 1)
        for note in notes:
            assert np.abs(places - [note["x"], note["y"]]).sum(axis=1).min() <= 2.0 * ROUNDED
    (note,) = [note for note in drawn.words("wide") if note["text"] == "<i>h</i> = <i>h</i>*"]
    assert np.nanmin(np.abs(points(drawn.one("h = h*")).T - [note["x"], note["y"]]).sum(axis=1)) <= 2.0 * ROUNDED
