"""All rotations of a momentum in pictures: on the globe, in the plane, against the step, and as balls."""

import re

import numpy as np
import pytest

import nhviz
from nhviz.analysis.steps import largest_step
from nhviz.frame.shown import of_view
from nhviz.parameters import ParameterError
from nhviz.views import numbers as numbers_below
from tests.pictures.reading import ROUNDED, close, numbers, page, pieces, points, told

BODY = {"J1": 0.013, "J2": 0.21, "J3": 0.77, "m": 290.0, "rho": 1.02}
START = {"gamma1": 0.53, "gamma2": 0.68, "gamma3": 0.49, "omega1": 0.182784, "omega2": 0.231315,
         "omega3": 0.168398}  # fmt: skip
STEP = 0.93
QUERY = "scene=branches&" + "&".join(f"{name}={value}" for name, value in (BODY | START | {"step": STEP}).items())
# From the prototype's README.
LIGHT = ("#eef1f4", "#fbdcc2", "#f3a56b", "#cf6118", "#6e2700")
UP = np.array([START[f"gamma{i}"] for i in (1, 2, 3)])
GAMMA = UP / np.linalg.norm(UP)


def about_contact(gamma):
    mass = np.diag([BODY[f"J{i}"] for i in (1, 2, 3)])
    inertia = np.trace(mass) * np.eye(3) - mass
    return inertia + BODY["m"] * BODY["rho"] ** 2 * (np.eye(3) - np.outer(gamma, gamma))


K = about_contact(GAMMA) @ [START[f"omega{i}"] for i in (1, 2, 3)]
ALONG = K / np.linalg.norm(K)


def rotations(step=STEP, k=K, gamma=GAMMA):
    at = {f"K{i + 1}": k[i] for i in range(3)} | {f"gamma{i + 1}": gamma[i] for i in range(3)}
    return nhviz.branches("sphere", "fedorov", BODY, step, at)


def vector(row):
    return np.array([row[f"q{i}"] for i in (1, 2, 3)])


def axis(row):
    return vector(row) / np.linalg.norm(vector(row))


def turned(row):
    """The rotation matrix of Euler parameters."""
    q, x = row["q0"], vector(row)
    hat = np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    return (q * q - x @ x) * np.eye(3) + 2.0 * np.outer(x, x) + 2.0 * q * hat


def fold_at(gamma, k=K):
    omega = np.linalg.solve(about_contact(gamma), k)
    initial = {f"{name}{i + 1}": v[i] for name, v in (("gamma", gamma), ("omega", omega)) for i in range(3)}
    return largest_step("sphere", "fedorov", BODY, initial)


@pytest.fixture
def here():
    return page("sphere", QUERY)


def of(view, query=QUERY, theme="light"):
    return page("sphere", query, theme).view(view)


def shade(trace, value, ends=("cmin", "cmax")):
    """The colour of a value in a stepped scale."""
    low, high = (trace[end] for end in ends)
    share = (value - low) / (high - low)
    return next(colour for position, colour in trace["colorscale"][::-1] if position <= share)


def brightness(colour):
    return sum(weight * int(colour[i : i + 2], 16) for weight, i in ((0.2126, 1), (0.7152, 3), (0.0722, 5)))


def test_every_count_has_its_colour():
    for view, ends in (("globe", ("cmin", "cmax")), ("plane", ("zmin", "zmax"))):
        for theme in ("light", "dark", "projector", "presenter"):
            trace = of(view, theme=theme).one("counts")
            found = [shade(trace, value, ends) for value in (0, 2, 4, 6, 8)]
            steps = np.diff([brightness(colour) for colour in found])
            assert (steps > 10.0).all() if theme == "dark" else (steps < -10.0).all()
            if theme != "dark":
                assert tuple(found) == LIGHT


def test_the_globe_is_the_grid_of_its_sweep():
    drawn = of("globe")
    trace = drawn.one("counts")
    (coming,) = drawn.picture.coming
    assert drawn.traces[coming.trace] is trace
    assert (coming.into, coming.scale) == ("surfacecolor", 1.0)
    sweep = nhviz.Sweep.from_dict(coming.sweep)
    mesh = points(trace)
    assert mesh.shape == (3, *sweep.shape)
    assert numbers(trace["surfacecolor"]).shape == sweep.shape
    assert shade(trace, numbers(trace["surfacecolor"])[3, 5]) not in LIGHT
    for i, j in ((17, 30), (100, 90), (239, 4)):
        initial = dict(sweep.problem(i, j).initial)
        gamma = np.array([initial[f"gamma{n}"] for n in (1, 2, 3)])
        assert close(mesh[:, j, i], gamma, 2.0)
        omega = [initial[f"omega{n}"] for n in (1, 2, 3)]
        assert about_contact(gamma) @ omega == pytest.approx(K, abs=1e-10)
    assert (sweep.step, dict(sweep.params)) == (STEP, BODY)
    # The surface is closed.
    assert close(mesh[:, :, 0], mesh[:, :, -1], 2.0)


def test_the_fold_momentum_and_vertical_on_the_globe():
    drawn = of("globe")
    folds = [points(trace) for trace in drawn.named("fold")]
    assert len(folds) >= 2
    for curve in folds:
        for place in curve.T[::5]:
            assert np.linalg.norm(place) == pytest.approx(1.006, rel=2.0 * ROUNDED)
            # 32-bit places, how the fold changes over the globe, and cubics between its points.
            assert fold_at(place / np.linalg.norm(place)) == pytest.approx(STEP, rel=5e-4)
        sides = np.diff(curve, axis=1) / np.linalg.norm(np.diff(curve, axis=1), axis=0)
        # It has no corners that an eye would see.
        assert (sides[:, 1:] * sides[:, :-1]).sum(axis=0).min() > np.cos(np.radians(8.0))
    line, cone = drawn.named("momentum")
    assert close(points(line), np.outer(ALONG, [1.0, 1.2]), 2.0)
    assert [cone[part][0] for part in "uvw"] == pytest.approx(0.12 * ALONG)
    assert close(points(cone)[:, 0], 1.3 * ALONG, 2.0)
    for trace, away in zip(drawn.named("vertical"), (1.05, 1.07), strict=True):
        assert close(points(trace)[:, 0], away * GAMMA, 2.0)
    principal = next(row for row in rotations() if row["principal"])
    ends = drawn.named("rotation axis")
    assert close(points(ends[0]), np.outer(axis(principal), [1.0, 1.28]), 4.0)
    assert close(points(ends[2])[:, 0], 1.28 * axis(principal), 4.0)


def test_the_run_goes_on_on_the_globe(here):
    """Where gamma and K are in the body at each step, up to the clock in full, with a head each."""
    drawn, run = here.view("globe"), here.alone("fedorov")
    wanted = []
    for name in ("gamma", "K"):
        vectors = np.stack([run[f"{name}{i}"] for i in (1, 2, 3)])
        wanted.append(1.045 * vectors / np.linalg.norm(vectors, axis=0))
    dots = [trace for trace in drawn.named("Principal") if trace["type"] == "scatter3d"]
    grown = [frame for frame in drawn.frames if "counts" in frame]
    heads = [frame for frame in drawn.frames if frame.get("points") == 1]
    for trace, trail, head, places in zip(dots, grown, heads, wanted, strict=True):
        assert close(points(trace), places, 4.0)
        assert trace["meta"] == {"track": "fedorov", "stride": 1}
        assert close(np.stack([numbers(values) for values in trail["positions"]]), places, 4.0)
        assert numbers(trail["counts"]).tolist() == list(range(1, len(run) + 1))
        assert close(np.stack([numbers(values) for values in head["positions"]]), places, 4.0)
    assert np.ptp(wanted[1], axis=1).max() > 1.0
    rest = page("sphere", re.sub(r"omega(\d)=[^&]*", r"omega\1=0", QUERY))
    assert not rest.view("globe").named("Principal")


def test_the_readout_follows_the_clock_with_the_counts_along_the_run(here):
    (now,) = [one for one in numbers_below.statistics(here.panel) if one.label == "Now"]
    assert now.key == "fedorov"
    assert now.text == f"{len(rotations())} real"
    assert now.values.tolist() == numbers(of("along_run").one("Principal")["y"]).tolist()


def test_a_place_that_is_pointed_at_tells_its_count(here):
    (coming,) = here.view("globe").picture.coming
    assert coming.describe()["words"] == "{value} real rotations"
    assert here.view("globe").one("counts")["hoverinfo"] == "text"
    assert here.view("plane").one("counts")["hovertemplate"] == "%{z} real rotations<extra></extra>"


def test_the_legend_of_the_page_has_the_colours_of_the_counts(here):
    *keys, fold = here.state.scene.legend
    assert [key.text.split()[0] for key in keys] == ["0", "2", "4", "6", "8"]
    assert tuple(key.light for key in keys) == LIGHT
    dark = of("globe", theme="dark").one("counts")
    assert [key.dark for key in keys] == [shade(dark, value) for value in (0, 2, 4, 6, 8)]
    assert (fold.text, fold.light) == ("Principal fold", "")


def test_the_plane_is_the_grid_of_its_sweep_with_its_fold():
    drawn = of("plane")
    (coming,) = drawn.picture.coming
    trace, sweep = drawn.traces[coming.trace], nhviz.Sweep.from_dict(coming.sweep)
    assert (trace["name"], coming.into) == ("counts", "z")
    assert (sweep.x.name, sweep.y.name) == ("step", "turn")
    assert close(numbers(trace["x"]), sweep.x.values, 1.0)
    assert close(numbers(trace["y"]), np.degrees(sweep.y.values), 1.0)
    initial = dict(sweep.initial)
    assert {name: initial[name] for name in START} == START
    fold = points(drawn.one("fold"))
    aside = K - (K @ GAMMA) * GAMMA
    aside /= np.linalg.norm(aside)
    kept = np.flatnonzero(np.isfinite(fold[0]))
    # A ball of a heavy core folds nowhere near some directions: the gaps are gaps in both coordinates.
    assert np.array_equal(np.isnan(fold[0]), np.isnan(fold[1]))
    assert kept.size < fold.shape[1]
    for i in kept[::9]:
        angle = np.radians(fold[1, i])
        k = np.linalg.norm(K) * (np.cos(angle) * GAMMA + np.sin(angle) * aside)
        assert fold[0, i] == pytest.approx(fold_at(GAMMA, k), rel=1e-5)
    assert sweep.x.values[-1] == pytest.approx(max(3.0 * np.nanmin(fold[0]), 1.1 * STEP), rel=1e-5)
    (step,), (angle,) = drawn.one("here")["x"], drawn.one("here")["y"]
    assert (step, angle) == (STEP, pytest.approx(np.degrees(np.arccos(GAMMA @ ALONG))))


def nearest(rows, angle, tilt):
    """How far the nearest of some rotations is, in degrees of angle and of axis to K."""
    away = [
        max(abs(np.degrees(row["angle"]) - angle), abs(np.degrees(np.arccos(np.clip(axis(row) @ ALONG, -1, 1))) - tilt))
        for row in rows
    ]
    return min(away, default=np.inf)


def test_curves_of_rotations_pass_through_those_of_every_step():
    drawn = of("merges")
    panels = drawn.panels()
    colours = {trace["name"]: trace["line"]["color"] for trace in drawn.traces if trace["mode"] == "lines"}
    shown = page("sphere", QUERY).panel
    assert colours == {"principal": shown.looks["fedorov"].colour, "other": shown.theme.soft}
    for name in ("principal", "other"):
        (angles,), (tilts,) = (
            [trace for trace in panels[panel] if trace["name"] == name and trace["mode"] == "lines"]
            for panel in ("", "2")
        )
        steps, first, second = numbers(angles["x"]), numbers(angles["y"]), numbers(tilts["y"])
        tilted = np.isfinite(second)
        assert close(numbers(tilts["x"])[tilted], steps[tilted], 0.0)
        # A rotation by no angle has no axis.
        assert not steps[np.isfinite(steps) & ~tilted].any()
        inner = np.flatnonzero(np.isfinite(steps) & (steps > 0.05))
        for i in inner[::11]:
            rows = rotations(steps[i])
            # Next to a fold a rotation moves with the root of the step, of which there are 24 bits.
            assert nearest(rows, first[i], second[i]) < 0.05, (name, steps[i])
            if name == "principal":
                principal = next(row for row in rows if row["principal"])
                assert np.degrees(principal["angle"]) == pytest.approx(first[i], abs=0.05)


def test_the_fold_and_the_present_step_among_the_curves():
    drawn = of("merges")
    largest = fold_at(GAMMA)
    before = next(row for row in rotations(largest * (1 - 1e-8)) if row["principal"])
    tilt = np.degrees(np.arccos(axis(before) @ ALONG))
    for panel, value in (("", np.degrees(before["angle"])), ("2", tilt)):
        traces = drawn.panels()[panel]
        (ring,) = [trace for trace in traces if trace["name"] == "fold"]
        assert ring["x"] == [pytest.approx(largest)]
        assert ring["y"] == [pytest.approx(value, abs=0.03)]
        marks = [trace for trace in traces if trace["name"] == "here"]
        assert {x for trace in marks for x in numbers(trace["x"])} == {STEP}
        wanted = [np.degrees(np.arccos(axis(row) @ ALONG) if panel else row["angle"]) for row in rotations()]
        assert sorted(y for trace in marks for y in numbers(trace["y"])) == pytest.approx(sorted(wanted), abs=1e-6)
        first = next(row for row in rotations() if row["principal"])
        own = np.degrees(np.arccos(axis(first) @ ALONG) if panel else first["angle"])
        look = page("sphere", QUERY).panel.looks["fedorov"].colour
        (mark,) = [trace for trace in marks if trace["marker"]["color"] == look]
        assert mark["y"] == [pytest.approx(own, abs=1e-6)]
    assert {(shape["x0"], shape["x1"]) for shape in drawn.layout["shapes"]} == {(STEP, STEP)}
    assert drawn.layout["xaxis"]["range"] == [0.0, pytest.approx(1.2 * largest)]


def screen():
    """To the right, upwards and towards an eye that looks from (0.62, -1, 0.62)."""
    eye = np.array([0.62, -1.0, 0.62]) / np.linalg.norm([0.62, -1.0, 0.62])
    right = np.cross([0.0, 0.0, 1.0], eye)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(eye, right), eye])


def upright():
    """The shortest rotation that takes gamma to the vertical."""
    across = np.cross(GAMMA, [0.0, 0.0, 1.0])
    hat = np.array([[0, -across[2], across[1]], [across[2], 0, -across[0]], [-across[1], across[0], 0]])
    return np.eye(3) + hat + hat @ hat / (1.0 + GAMMA[2])


def is_in(polygon, place):
    """Whether a place is inside a polygon: an odd number of its sides is to the right."""
    (x1, y1), (x2, y2) = polygon.T, np.roll(polygon, -1, axis=0).T
    across = (y1 > place[1]) != (y2 > place[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x1 + (place[1] - y1) / (y2 - y1) * (x2 - x1)
    return bool(np.count_nonzero(across & (at > place[0])) % 2)


def test_balls_stand_as_their_rotations_leave_them():
    drawn, rows, chance = of("bodies"), rotations(), np.random.default_rng(7)
    dark = [part.T for trace in drawn.named("dark octants") for part in pieces(points(trace))]
    for number, row in enumerate(rows):
        attitude = upright() @ turned(row)
        for _ in range(40):
            place = chance.normal(size=3)
            place /= np.linalg.norm(place)
            x, y, depth = screen() @ place
            inside = attitude.T @ place
            # Not next to an edge: sides of polygons are chords of 7.5 degrees.
            if depth < 0.15 or np.abs(inside).min() < 0.03:
                continue
            there = np.array([number, 0.0]) + 0.4 * np.array([x, y])
            assert any(is_in(part, there) for part in dark) == (np.prod(inside) > 0.0)


def test_balls_have_their_axes_and_words():
    drawn, rows = of("bodies"), rotations()
    colour = page("sphere", QUERY).panel.looks["fedorov"].colour
    knobs = {trace["marker"]["color"]: [] for trace in drawn.named("knobs")}
    for trace in drawn.named("knobs"):
        knobs[trace["marker"]["color"]] += list(points(trace).T)
    for number, row in enumerate(rows):
        seen = screen() @ upright() @ axis(row)
        wanted = np.array([number, 0.0]) + 0.4 * 1.42 * seen[:2]
        own = knobs[colour if row["principal"] else page("sphere", QUERY).panel.theme.ink]
        assert min(np.linalg.norm(place - wanted) for place in own) < 1e-5
        note = drawn.words("below")[number]
        assert told(note["text"])[0] == pytest.approx(np.degrees(row["angle"]), abs=0.051)
        assert note["text"].endswith(">certified") == row["certified"]
        assert (note["x"], drawn.words("title")[number]["x"]) == (number, number)
        assert ("principal" in drawn.words("title")[number]["text"]) == row["principal"]
    (partner,) = [i for i, note in enumerate(drawn.words("title")) if "merges" in note["text"]]
    # It is the one that comes near the principal rotation as the step comes near the fold.
    largest = fold_at(GAMMA)
    now = rows[partner]
    for step in np.linspace(STEP, 0.9999 * largest, 60)[1:]:
        before = now
        now = max(rotations(step), key=lambda row: abs(row["q0"] * before["q0"] + vector(row) @ vector(before)))
        # It is there at every step on the way.
        assert abs(now["q0"] * before["q0"] + vector(now) @ vector(before)) > 0.97
    principal = next(row for row in rotations(0.9999 * largest) if row["principal"])
    assert abs(now["q0"] * principal["q0"] + vector(now) @ vector(principal)) > 0.999
    assert not now["principal"]


def test_another_rotation_is_followed_everywhere():
    query = f"{QUERY}&bodies.follow=3"
    row, theme = rotations()[2], page("sphere", QUERY).panel.theme
    ends = of("globe", query=query).named("rotation axis")
    assert close(points(ends[0]), np.outer(axis(row), [1.0, 1.28]), 4.0)
    assert ends[0]["line"]["color"] == theme.ink
    drawn = of("merges", query=query)
    (line,) = [trace for trace in drawn.panels()[""] if trace["name"] == "followed"]
    steps, angles = points(line)[:, :-1]
    order = np.argsort(steps)
    assert np.interp(STEP, steps[order], angles[order]) == pytest.approx(np.degrees(row["angle"]), abs=0.05)
    marks = [trace for trace in drawn.panels()[""] if trace["name"] == "here" and trace["marker"]["color"] == theme.ink]
    assert [y for trace in marks for y in trace["y"]] == [pytest.approx(np.degrees(row["angle"]))]
    onward = turned(row).T @ GAMMA
    shown = page("sphere", query)
    assert told(shown.readout["Next vertical"]) == pytest.approx(onward, abs=6e-3)
    assert f"{np.degrees(row['angle']):.2f}" in shown.sentence
    assert told(shown.sentence)[2:] == pytest.approx(onward, abs=6e-3)


def test_what_is_said(here):
    rows = rotations()
    assert here.readout["Here"] == f"{len(rows)} of 8 complex"
    assert here.readout["Certified"] == "100 %"
    assert told(here.readout["Largest step here"])[0] == pytest.approx(fold_at(GAMMA), rel=1e-3)
    first = next(row for row in rows if row["principal"])
    assert told(here.readout["Next vertical"]) == pytest.approx(turned(first).T @ GAMMA, abs=6e-3)
    assert here.sentence == (
        f"Here a step has {len(rows)} real rotations, all certified. On {{share 0}} of the globe there is none, "
        "on {share 2} there are two, on {share 4} four."
    )


def test_each_count_is_told_with_its_share_of_the_globe(here):
    globe = here.view("globe")
    words = [note["text"] for note in globe.words("wide")[2::2]]
    assert words == [f"<b>{count}</b>&nbsp; {{share {count}}}" for count in (0, 2, 4, 6, 8)]
    # Where there is no room for that, they stand beside one another below the globe.
    swatches, below = globe.words("narrow")[::2], globe.words("narrow")[1::2]
    assert [note["text"] for note in below] == [f"<b>{count}</b><br>{{share {count}}}" for count in (0, 2, 4, 6, 8)]
    assert [note["bgcolor"] for note in swatches] == list(LIGHT)
    assert [note["x"] for note in below] == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8])
    assert {note["y"] for note in below} == {0.0}
    (coming,) = globe.picture.coming
    latitude = np.linspace(-0.5 * np.pi, 0.5 * np.pi, coming.sweep["y"]["count"])
    # The weights are areas: a cap above a latitude has (1 - sin)/2 of the globe.
    weights = np.outer(coming.rows, coming.columns)
    assert weights[latitude > 0.7].sum() / weights.sum() == pytest.approx(0.5 * (1.0 - np.sin(0.7)), abs=0.01)
    half = weights[:, : (weights.shape[1] + 1) // 2]
    assert half.sum() - 0.5 * half[:, -1].sum() == pytest.approx(0.5 * weights.sum(), rel=1e-6)


def start(view, *place, query=QUERY):
    """What a click in a view sets."""
    shown = page("sphere", query)
    declared = shown.state.scene.all_views[view]
    return declared.start(of_view(shown.panels, declared), *place)


def test_clicks_set_the_vertical_the_step_and_the_momentum():
    place = np.array([0.3, -0.8, 0.52]) / np.linalg.norm([0.3, -0.8, 0.52])
    values = start("globe", *(1.0005 * place))
    assert [values[f"gamma{i}"] for i in (1, 2, 3)] == pytest.approx(place)
    assert about_contact(place) @ [values[f"omega{i}"] for i in (1, 2, 3)] == pytest.approx(K, abs=1e-10)
    values = start("plane", 1.7, 25.0)
    omega = np.array([values[f"omega{i}"] for i in (1, 2, 3)])
    k = about_contact(GAMMA) @ omega
    assert values["step"] == 1.7
    assert np.linalg.norm(k) == pytest.approx(np.linalg.norm(K))
    assert np.degrees(np.arccos(k @ GAMMA / np.linalg.norm(k))) == pytest.approx(25.0)
    assert np.linalg.det([k, K, GAMMA]) == pytest.approx(0.0, abs=1e-9)
    assert start("merges", 0.4, 90.0) == {"step": 0.4}
    assert start("bodies", 2.1, 0.2) == {"bodies.follow": "3"}
    principal = next(i for i, row in enumerate(rotations()) if row["principal"])
    assert start("bodies", principal, 0.0) == {"bodies.follow": "principal"}
    wrong = {"globe": (0.0, 0.0, 0.0), "plane": (-0.1, 20.0), "merges": (0.0, 9.0), "bodies": (2.5, 0.9)}
    for view, place in wrong.items():
        with pytest.raises(ParameterError):
            start(view, *place)


def test_counts_along_the_run():
    drawn = of("along_run")
    run = page("sphere", QUERY).alone("fedorov")
    (trace,) = [one for one in drawn.traces if one["name"] == "Principal"]
    wanted = [
        len(rotations(STEP, *(np.array([run[f"{name}{i}"][n] for i in (1, 2, 3)]) for name in ("K", "gamma"))))
        for n in range(len(run))
    ]
    assert numbers(trace["y"]).tolist() == wanted
    assert close(numbers(trace["x"]), run.t, 1.0)


def test_eight_at_once_and_a_ball_at_rest():
    experiments = page("sphere", QUERY).state.lab.experiments
    eight = page("sphere", next(one.state for one in experiments if one.title == "Eight at once").partition("?")[2])
    assert len(eight.view("bodies").words("below")) == 8
    assert [note["x"] for note in eight.view("bodies").words("title")] == list(range(8))
    rest = page("sphere", re.sub(r"omega(\d)=[^&]*", r"omega\1=0", QUERY))
    for view in ("globe", "plane", "merges", "bodies"):
        assert rest.view(view).traces
    assert rest.sentence == "At rest the ball stays as it is."
