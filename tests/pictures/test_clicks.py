"""Clicks: the start at a place of a picture is drawn at that place."""

import numpy as np
import pytest

from nhviz.parameters import ParameterError
from tests.pictures.bodies import SLEIGH, SUSLOV
from tests.pictures.reading import ROUNDED, close, component, page, points

BOTH = SUSLOV + "&locus.surface=both"


def restarted(lab, query, values):
    """The page with other initial values."""
    return page(lab, query + "".join(f"&{name}={value!r}" for name, value in values.items()))


def start_of(view, *place):
    """What a click sets."""
    lab, query, name = view
    here = page(lab, query)
    return here.state.scene.all_views[name].start(here.panel, *map(float, place))


def test_a_click_on_the_disk_starts_moser_veselov_there():
    for q1, q2 in ((0.2, -0.31), (-0.15, 0.22), (0.35, 0.1)):
        values = start_of(("suslov", SUSLOV, "disk"), q1, q2)
        drawn = restarted("suslov", SUSLOV, values).view("disk")
        assert close(points(drawn.runs()["moser_veselov"])[:, 0], [q1, q2], times=4.0)
    with pytest.raises(ParameterError, match="outside the disk"):
        start_of(("suslov", SUSLOV, "disk"), 0.8, 0.7)


@pytest.mark.parametrize("method", ["moser_veselov", "cayley"])
def test_a_click_on_a_sheet_of_the_locus_starts_on_it(method):
    drawn = page("suslov", BOTH).view("locus")
    lift = np.array([0.0, 0.0, drawn.lift()])
    for place in points(drawn.runs()[method]).T[::12] - lift:
        values = start_of(("suslov", BOTH, "locus"), *place)
        assert values.pop("branch") == "0"
        again = restarted("suslov", BOTH, values).view("locus")
        assert close(points(again.runs()[method])[:, 0] - (0.0, 0.0, again.lift()), place, times=8.0)
        # A dot is clicked where it is drawn, a little above its place.
        above = start_of(("suslov", BOTH, "locus"), *(place + lift))
        assert above.pop("branch") == "0"
        assert above == pytest.approx(values, rel=0.02)


def test_a_click_on_the_outer_sheet_starts_on_the_outer_branch():
    (surface,) = [points(t) for t in page("suslov", SUSLOV).view("locus").traces if t.get("scene") and "opacity" in t]
    # Next to a half turn the surface is far from the identity: there it is seen in the corner.
    place = surface[:, -3, 10]
    values = start_of(("suslov", SUSLOV, "locus"), *place)
    assert values["branch"] == "1"
    drawn = page("suslov", f"{SUSLOV}&M1={values['M1']!r}&M2={values['M2']!r}&branch=1").view("locus")
    # M3 is found from rounded (M1, M2), at some distance from a fold.
    assert close(points(drawn.runs()["moser_veselov"])[:, 0] - (0.0, 0.0, drawn.lift()), place, times=100.0)


@pytest.mark.parametrize("query", [SLEIGH, SLEIGH.replace("a=0.6", "a=-0.9")])
def test_a_click_on_the_locus_of_the_sleigh_starts_there(query):
    here = page("sleigh", query)
    for p, q, sine in points(here.view("locus").runs()["fedorov_zenkov"]).T[::12]:
        values = start_of(("sleigh", query, "locus"), p, q, sine)
        drawn = restarted("sleigh", query, values).view("locus")
        # p_1 = (q - 2 m a^2)/(eps a): what is left of q is rounded as q was.
        assert close(points(drawn.runs()["fedorov_zenkov"])[:2, 0], [p, q], times=8.0)
    with pytest.raises(ParameterError, match="a = 0"):
        start_of(("sleigh", SLEIGH.replace("a=0.6", "a=0"), "locus"), 0.1, 0.2, 0.3)


@pytest.mark.parametrize(("lab", "query"), [("suslov", SUSLOV), ("sleigh", SLEIGH)])
def test_a_click_in_the_momentum_plane_sets_what_its_axes_name(lab, query):
    here = page(lab, query)
    names = [component(title, here)[0] for title in here.view("plane").titles()]
    assert list(here.state.scene.all_views["plane"].start) == names
    values = dict(zip(names, (1.7, -0.9), strict=True))
    for trace in restarted(lab, query, values).view("plane").runs().values():
        assert np.abs(points(trace)[:, 0] - (1.7, -0.9)).max() <= 2.0 * ROUNDED
