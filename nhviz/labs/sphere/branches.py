"""One momentum allows several next positions: how many, over all verticals and all steps, and what they are."""

from collections.abc import Mapping

import numpy as np

from nhviz import kernels
from nhviz.figures import balls, counts, merging, series
from nhviz.figures.style import Array, Orbit, Picture
from nhviz.frame.records import Panel, Place, Scene, Step, Variant, View
from nhviz.frame.said import Said, Sentence, Statistic, number, percent, readable, sentence, spoken
from nhviz.frame.shown import Shown
from nhviz.labs.sphere.here import COUNTS, HALF_TURN, PRINCIPAL, Here, Rotation, followed, here, shares
from nhviz.maps import sphere_branches, sphere_folds, sphere_starts
from nhviz.maps.sphere_curves import Curve
from nhviz.parameters import Choice, ParameterError
from nhviz.sweeps.value import Sweep
from nhviz.system import Values
from nhviz.views import texts

ROWS, COLUMNS = 121, 241
"""Verticals of the globe, by latitude and longitude."""
STEPS, ANGLES = 150, 121
"""Cells of the plane."""
WIDE = 3.0
"""The plane reaches so many times as far as its least fold."""
FOLLOWED = ("principal", "1", "2", "3", "4", "5", "6", "7", "8")
BODY = {"J1": 0.01, "J2": 0.2, "J3": 0.8, "m": 300.0, "rho": 1.0}
MOMENTUM, VERTICAL = (0.594, -0.23, 0.217), (0.540165, 0.700499, 0.466394)
EIGHT = {"J1": 7.0 / 20.0, "J2": 5.0 / 8.0, "J3": 7.0 / 13.0, "m": 5343.0 / 8.0, "rho": 1.0}
"""CS, corrections: a momentum with eight real rotations, exactly."""
EIGHT_AT = (1.0 / 47.0, 0.0, 9.0 / 49.0), (-300.0 / 649.0, -540.0 / 649.0, 199.0 / 649.0)


def start_of(params: Values, gamma: Array, k: Array) -> dict[str, float]:
    """The initial values of a vertical and a momentum."""
    omega = sphere_starts.velocity(sphere_branches.ball(params), gamma, k)
    names = [f"{name}{i}" for name in ("gamma", "omega") for i in (1, 2, 3)]
    return dict(zip(names, (*gamma.tolist(), *omega.tolist()), strict=True))


def globe(shown: Shown) -> Picture:
    """Counts over all verticals with K fixed in the body; the fold of the principal rotation in ink."""
    point, up = here(shown), np.array([0.0, 0.0, 1.0])
    sweep = Sweep.create(
        "sphere", "branch_count", ("longitude", 0.0, 2.0 * np.pi, COLUMNS),
        ("latitude", -0.5 * np.pi, 0.5 * np.pi, ROWS), "fedorov", params=shown.params,
        # K is all that matters of the start: any vertical will do.
        initial=start_of(shown.params, up, point.k), step=point.step,
    )  # fmt: skip
    size, one = float(np.linalg.norm(point.k)), followed(shown, point)
    axis = None if one is None else (one.axis, colour_of(shown, one))
    parts = [f"about {spoken((percent(share),))}" if share else "–" for share in shares_of(point)]
    view = counts.Globe(
        sweep, sphere_folds.on_globe(point.ball, point.k, point.step), point.k / size if size else None, point.gamma,
        axis, parts,
    )  # fmt: skip
    return counts.globe(shown.theme, view)


def shares_of(point: Here) -> tuple[float, ...]:
    """About which part of the globe has which count."""
    x, y, z = point.k.tolist()
    return shares(point.ball, (x, y, z), point.step)


def colour_of(shown: Shown, one: Rotation) -> str:
    """The method's colour for the principal rotation, ink for another."""
    return shown.looks[shown.first].colour if one.principal else shown.theme.ink


def plane(shown: Shown) -> Picture:
    """Counts over the step and the angle of K to gamma."""
    point = here(shown)
    angles = np.linspace(0.0, np.pi, 91)
    folds = sphere_folds.along_turn(point.ball, point.gamma, point.k, angles) if point.k.any() else np.full(91, np.inf)
    least = float(folds.min())
    last = max(WIDE * least if np.isfinite(least) else 0.0, 1.1 * point.step)
    sweep = Sweep.create(
        "sphere", "branch_count", ("step", last / STEPS, last, STEPS), ("turn", 0.0, np.pi, ANGLES), "fedorov",
        params=shown.params, initial=start_of(shown.params, point.gamma, point.k),
    )  # fmt: skip
    turn = float(sphere_starts.angle_between(point.gamma, point.k))
    return counts.plane(shown.theme, sweep, (folds, angles), (point.step, turn))


def merges(shown: Shown) -> Picture:
    """Every rotation as the step grows, and the fold at which the principal one merges with another."""
    point, one = here(shown), followed(shown, here(shown))
    pieces = [(i, piece) for i, curve in enumerate(point.curves) for piece in monotone(curve)]
    chosen = nearest(pieces, one, point.step)
    found = [
        branch_of(piece, point.k, PRINCIPAL if number == 0 else "followed" if number == chosen else "")
        for number, (_, piece) in enumerate(pieces)
    ]
    now = [
        (np.degrees(each.angle), axis_to(each, point.k), kind_of(each, one)) for each in point.rotations
    ]  # fmt: skip
    view = merging.Merging(found, now, point.step, fold_of(point), point.last or 1.0)
    return merging.merging(shown.theme, shown.looks[shown.first], view)


def monotone(curve: Curve) -> list[Curve]:
    """The pieces of a curve between the folds, on which the step only grows or only falls."""
    turns = np.flatnonzero(np.diff(np.sign(np.diff(curve.steps))) != 0) + 1
    ends = [0, *turns.tolist(), len(curve.steps) - 1]
    return [
        Curve(curve.rotations[a : b + 1], curve.steps[a : b + 1]) for a, b in zip(ends, ends[1:], strict=False) if b > a
    ]


def nearest(pieces: list[tuple[int, Curve]], one: Rotation | None, step: float) -> int | None:
    """The number of the piece that a rotation of this step is on."""
    if one is None or not pieces:
        return None
    away = []
    for _, piece in pieces:
        covers = piece.steps.min() <= step <= piece.steps.max()
        match = float(np.abs(piece.rotations @ one.q).max())
        away.append(match if covers else -1.0)
    return int(np.argmax(away))


def branch_of(piece: Curve, k: Array, kind: str) -> merging.Branch:
    """A piece in degrees."""
    return merging.Branch(piece.steps, np.degrees(piece.angles), np.degrees(piece.axes_to(k)), kind)


def kind_of(each: Rotation, one: Rotation | None) -> str:
    """How a rotation is shown."""
    return PRINCIPAL if each.principal else "followed" if each is one else ""


def axis_to(one: Rotation, k: Array) -> float:
    """The angle of the axis of a rotation to K, in degrees; 0 for a ball at rest."""
    return float(np.degrees(sphere_starts.angle_between(one.axis, k)))


def fold_of(point: Here) -> tuple[float, float, float] | None:
    """The step, the angle and the axis to K of the fold of the principal rotation."""
    if not np.isfinite(point.largest):
        return None
    u, v, w = point.gamma.tolist()
    x, y, z = (0.5 * point.largest * point.k).tolist()
    _, g = kernels.sphere.follow(point.ball, (u, v, w), (x, y, z), np.inf)
    q = np.array([1.0, *g]) / np.sqrt(1.0 + float(np.dot(g, g)))
    end = Rotation(q, 2.0 * float(np.arctan2(np.linalg.norm(q[1:]), q[0])), True, True)
    return point.largest, float(np.degrees(end.angle)), axis_to(end, point.k)


def bodies(shown: Shown) -> Picture:
    """The ball after its step, once for each rotation."""
    point = here(shown)
    u, v, w = point.gamma.tolist()
    upright = Rotation(np.asarray(kernels.sphere.upright((u, v, w))), 0.0, False, True).matrix
    one, partner = followed(shown, point), partner_of(point)
    found = [
        balls.Ball(
            upright @ each.matrix, upright @ each.axis, title_of(each, each is partner), told(each), kind_of(each, one)
        )
        for each in point.rotations
    ]  # fmt: skip
    return balls.row_of_balls(shown.theme, shown.looks[shown.first], found)


def title_of(one: Rotation, merging_with_it: bool) -> str:
    """What a rotation is, in two lines."""
    if one.principal:
        return "<br>principal"
    if merging_with_it:
        return "merges<br>with it"
    return "near a<br>half turn" if one.angle > HALF_TURN else "<br>another"


def told(one: Rotation) -> str:
    """The angle of a rotation, and whether it is certified."""
    angle = np.degrees(one.angle)
    return f"<b>{angle:.{1 if angle < 150.0 else 2}f}°</b><br>{'certified' if one.certified else 'not certified'}"


def partner_of(point: Here) -> Rotation | None:
    """The rotation with which the principal one merges at its fold, if it is there at this step."""
    if point.principal is None or not point.curves:
        return None
    pieces = monotone(point.curves[0])[1:2]
    others = [one for one in point.rotations if not one.principal]
    if not pieces or not others or point.step < pieces[0].steps.min():
        return None
    match = [float(np.abs(pieces[0].rotations @ one.q).max()) for one in others]
    return others[int(np.argmax(match))]


def along(shown: Shown) -> Picture:
    """How many rotations each step of the run has: vertical and momentum move on in the body."""
    found = []
    for name in shown.runs:
        gamma, omega = (
            np.stack(shown.part(shown.runs[name], *(f"{part}{i}" for i in (1, 2, 3)))) for part in ("gamma", "omega")
        )
        starts, size = np.ascontiguousarray(np.concatenate([gamma, omega]).T), gamma.shape[1]
        number_of, ball = np.empty(size), sphere_branches.ball(shown.params)
        kernels.sphere_points.branch_counts(
            np.tile(np.array(ball), (size, 1)), starts, np.full(size, shown.step), number_of
        )
        (t,) = shown.part(shown.runs[name], "t")
        found.append(Orbit((t, number_of), (t, number_of), shown.looks[name], True))
    return series.components(shown.theme, ["real rotations"], found or shown.orbits("t", "gamma3"))


def start_on_globe(shown: Shown, x: float, y: float, z: float) -> Mapping[str, float]:
    """The vertical that was clicked; K stays as it is in the body."""
    gamma = np.array([x, y, z])
    if not gamma.any():
        raise ParameterError(sphere_branches.NO_DIRECTION, "gamma1")
    return start_of(shown.params, gamma / np.linalg.norm(gamma), here(shown).k)


def start_in_plane(shown: Shown, step: float, angle: float) -> Mapping[str, float]:
    """The step that was clicked, and K turned to the angle that was clicked."""
    if not (step > 0.0 and 0.0 <= angle <= 180.0):
        raise ParameterError("A step is above 0, and the angle of K to the vertical is from 0° to 180°.", "step")
    point = here(shown)
    k = sphere_starts.turned(point.gamma, point.k, np.asarray(np.radians(angle)))
    return {"step": step} | start_of(shown.params, point.gamma, k)


def step_in_merges(shown: Shown, step: float, angle: float) -> Mapping[str, float]:
    """The step that was clicked."""
    if not step > 0.0:
        raise ParameterError("A step is above 0.", "step")
    return {"step": step}


def follow_in_row(shown: Shown, x: float, y: float) -> Mapping[str, str]:
    """The ball that was clicked is followed."""
    rotations = here(shown).rotations
    number = balls.number_at(len(rotations), x, y)
    if number is None:
        raise ParameterError("There is no ball: click one of them to follow its rotation.", "bodies.follow")
    return {"bodies.follow": PRINCIPAL if rotations[number].principal else str(number + 1)}


def said(shown: Shown) -> Sentence:
    """How many rotations there are here, how much of the globe has none, and where another one leads."""
    point, one = here(shown), followed(shown, here(shown))
    count = len(point.rotations)
    words = f"{count} real rotations" if count else "no real rotation"
    sure = all(each.certified for each in point.rotations)
    proof = ", all certified. " if count and sure else ", not all certified. " if count else ". "
    parts: list[str | Said] = ["Here a step has ", number(words), proof]
    if one is not None and not one.principal:
        angle = number(readable(float(np.degrees(one.angle)), 5), "°")
        parts += [
            "The one that is followed turns by ",
            angle,
            " to the vertical ",
            number(coordinates(one, point)),
            ".",
        ]
        return sentence(*parts)
    empty = shares_of(point)[0]
    parts += ["On about ", percent(empty), " of the globe there is none; "] if empty else []
    parts += ["inside" if empty else "Inside", " the ", number("ink curve"), " the principal one is lost."]
    return sentence(*parts) if point.k.any() else sentence("At rest every step has the identity and half turns.")


def coordinates(one: Rotation, point: Here) -> str:
    """The vertical in the body after a rotation, gamma' = Omega^T gamma (CS (5.3))."""
    return f"({', '.join(readable(float(part), 3) for part in one.matrix.T @ point.gamma)})"


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """How many rotations there are here, whether that is proved, the largest step, where the next vertical is."""
    point, one = here(shown), followed(shown, here(shown))
    sure = [each.certified for each in point.rotations]
    proved = Statistic("Certified", f"{round(100.0 * float(np.mean(sure)))}" if sure else "100", "%")
    largest = Statistic("Largest step here", readable(point.largest), "s") if np.isfinite(point.largest) else None
    onward = None if one is None else Statistic("Next vertical", coordinates(one, point), rare=True)
    found = (Statistic("Here", str(len(point.rotations)), "of 8 complex"), proved, largest, onward)
    return tuple(each for each in found if each is not None)


def link(params: Values, k: tuple[float, ...], gamma: tuple[float, ...], step: float) -> str:
    """The address of a ball with a momentum, a vertical and a step."""
    up = np.array(gamma) / np.linalg.norm(gamma)
    values = {**params, **start_of(params, up, np.array(k)), "step": step}
    return "sphere?scene=branches&" + "&".join(f"{name}={value:.9g}" for name, value in values.items())


START = start_of(BODY, np.array(VERTICAL) / np.linalg.norm(VERTICAL), np.array(MOMENTUM))
SCENE = Scene(
    id="branches",
    title="Branches",
    summary="One momentum allows several next positions: 0, 2, 4, 6 or 8 rotations. The principal one grows out of rest.",
    try_first="click the globe, then raise the step.",
    panels=(
        Panel(
            "sphere",
            variants=(Variant("fedorov", "fedorov", "Principal"),),
            values={**BODY, **START, "step": 1.0, "duration": 20.0},
        ),
    ),
    views=(
        View(
            "globe", "Real rotations", globe, kind="space", start=start_on_globe, waits=True, short="Globe",
            caption="of one step with momentum K, over all verticals γ",
            long="Each point is a vertical in the body; K stands still in it. A click takes the ball there.",
        ),
        View(
            "plane", "Step and momentum", plane, start=start_in_plane, short="Plane",
            caption="At the dot, K turned towards γ",
            long="Beyond the ink curve the principal rotation is lost. A click sets the step and turns K.",
        ),
        View(
            "merges", "What merges", merges, start=step_in_merges, short="Merging", caption="Rotations end in pairs",
            long="As the step grows two rotations meet at a fold and are gone. A click sets the step.",
        ),
        Place(
            "detail",
            (
                View(
                    "bodies", "All next positions", bodies, start=follow_in_row, short="Bodies",
                    caption="Each ball after its step, with its axis",
                    options=(
                        Choice("follow", PRINCIPAL, FOLLOWED, "rotation to follow", ("principal", *"12345678")),
                    ),
                ),
                View("along", "Along the run", along, short="Run", caption="How many rotations each step has"),
                *texts.text_views(branches=True),
            ),
        ),
    ),
    grid=(*["globe globe globe globe globe globe globe plane plane plane plane plane"] * 3,
          *["merges merges merges merges merges detail detail detail detail detail detail detail"] * 2),
    readout=readout,
    sentence=said,
)  # fmt: skip

EXPERIMENTS = (
    Step(
        "All five counts",
        "A heavy core: 0, 2, 4, 6 and 8 rotations all occur on one globe. Click the darkest spot.",
        link(BODY, MOMENTUM, VERTICAL, 1.0),
    ),
    Step(
        "The fold",
        "Almost the largest step: the principal rotation and the one that merges with it are nearly the same.",
        link(BODY, MOMENTUM, VERTICAL, 2.8),
    ),
    Step("Eight at once", "All eight rotations are real here; CS says at most four.", link(EIGHT, *EIGHT_AT, 1.0)),
)
