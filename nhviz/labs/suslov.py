"""The Suslov lab: a body that may not turn about one of its axes, its momentum loci, and two discrete maps."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import degrees
from typing import Any

import numpy as np

from nhviz.analysis import drift, limit_axes, starts
from nhviz.figures import body as bodies
from nhviz.figures import disk, space, surface
from nhviz.figures.style import Orbit, Picture
from nhviz.frame import said
from nhviz.frame.records import Lab, Panel, Place, Scene, Variant, View
from nhviz.frame.said import Said, Sentence, Statistic, method, number
from nhviz.frame.shown import Shown
from nhviz.maps import loci, steiner
from nhviz.parameters import Choice
from nhviz.system import Array
from nhviz.views import numbers, pictures, sentences, texts

SURFACES = {"moser_veselov": ("moser_veselov",), "cayley": ("cayley",), "both": ("moser_veselov", "cayley")}
FARTHEST = {"moser_veselov": 0.5 * np.pi, "cayley": 0.8}
"""Half the greatest rotation of each surface; that of Cayley has no end."""
SECTION = (0.4, 0.8)
"""The values of q0 in FZ figure 6.2."""
GRID = {"rows": 37, "columns": 73}
DRAWN = ("body", "forbidden_axis")
MOMENTA = ("M1", "M2", "M3")
MOMENTUM_AXES = ("<i>M</i><sub>1</sub> (kg m²/s)", "<i>M</i><sub>2</sub> (kg m²/s)", "<i>M</i><sub>3</sub> (kg m²/s)")


WAYS = (
    *(Variant(name) for name in ("exact", "reference", "moser_veselov", "cayley", "feedback")),
    Variant("half", "moser_veselov", "Moser–Veselov ε/2", share=0.5),
)
"""All methods, and one with two steps at once, as in GJ figures 3 and 4."""


def is_on(shown: Shown, name: str, surfaces: tuple[str, ...]) -> bool:
    """Whether a run is drawn with surfaces: a flow, or a map whose displacements of this step make one of them."""
    method = shown.method(name)
    return not method.discrete or (method.id in surfaces and shown.step_of(name) == shown.step)


def locus(shown: Shown) -> Picture:
    """Steiner surface and Cayley locus near the runs on them, with the plane d* and where it meets them."""
    chosen = SURFACES[shown.choice("locus.surface")]
    orbits = [shown.orbit(name, *MOMENTA) for name in shown.runs if is_on(shown, name, chosen)]
    section = shown.choice("locus.part") != "whole"
    wholes = [whole_sheet(shown, name, SECTION if section else (0.0, 1.0)) for name in chosen]
    # The runs are seen from where the surface begins, at rest.
    runs = space.corners(np.zeros((3, 1)), *(np.array(orbit.drawn) for orbit in orbits))
    whole = space.corners(*runs, *map(space.sketched, wholes))
    part = surface.part_with(whole, whole if section else runs)
    reach = {
        name: FARTHEST[name] if part.share == 1.0 else near(shown, name, points, part)
        for name, points in zip(chosen, wholes, strict=True)
    }
    view = surface.Locus(
        axes=MOMENTUM_AXES,
        camera=space.Camera((-0.86, -0.86, 0.74), (0.03, -0.03, -0.1)),
        ratio=(0.92, 1.17, 0.58),
        part=part,
        surfaces=wholes if part.share == 1.0 else [sheet(shown, name, reach[name]) for name in chosen],
        curves=[curve for name in chosen for curve in contact(shown, name, reach[name])],
        wholes=wholes,
        far_curves=contact(shown, chosen[0], FARTHEST[chosen[0]]) if part.is_small else [],
        plane=loci.plane_patch(shown.params, float(np.abs([part.low[:2], part.high[:2]]).max())),
    )
    return surface.locus(shown.theme, view, orbits)


def whole_sheet(shown: Shown, name: str, q0: tuple[float, float]) -> Array:
    """The locus of a map; that of Moser-Veselov between two values of q0."""
    if name == "cayley":
        return loci.cayley_locus(shown.params, shown.step, GRID | {"angle": 2.0 * FARTHEST[name]}).points
    return loci.moser_veselov_locus(shown.params, shown.step, GRID | {"q0_min": q0[0], "q0_max": q0[1]}).points


def sheet(shown: Shown, name: str, farthest: float) -> Array:
    """The momenta of a map's rotations by up to twice `farthest`, however small."""
    grid = loci.displacements(0.0, farthest, GRID["rows"], GRID["columns"])
    return loci.suslov_momentum(shown.params, shown.step, grid, rational=name == "cayley")


def near(shown: Shown, name: str, points: Array, part: surface.Part) -> float:
    """Half the angle from which on the sheet about the identity is outside a part; points are the whole."""
    farthest, rows = FARTHEST[name], len(points)
    for _ in range(16):
        outside = np.flatnonzero(~part.touches(points))
        if not outside.size or outside[0] > 0.6 * rows:
            break
        farthest *= float(outside[0]) / (rows - 1)
        points = sheet(shown, name, farthest)
    return farthest


def contact(shown: Shown, name: str, farthest: float) -> list[Array]:
    """Where the locus of a map meets the plane d*."""
    if name == "cayley":
        return loci.cayley_contact(shown.params, shown.step, 2.0 * farthest, 181)
    return loci.moser_veselov_contact(shown.params, shown.step, 91, 2.0 * farthest)


def body(shown: Shown) -> Picture:
    """The turning body, with the axes of its first and last rotation in space."""
    draw = shown.system.draw
    assert draw is not None
    drawing = draw(shown.lead)
    if not shown.method(shown.first).discrete:
        # The path of the forbidden axis is a smooth curve, however long the step.
        drawing = replace(drawing, background=draw(shown.smooth(shown.first)).background)
    # Two of its axes are seen by the tones of the body, the third is what everything is about.
    parts = [replace(part, shapes=tuple(s for s in part.shapes if s.role in DRAWN)) for part in drawing.parts]
    drawing = replace(drawing, parts=tuple(parts))
    axes = drift.rotation_axes(shown.lead)
    look, stopped = shown.looks[shown.first], shown.lead.stopped is not None
    picture = bodies.in_space(shown.theme, drawing, shown.points(shown.lead), look, axes, stopped, tip="e₃")
    picture.figure["layout"]["meta"]["handles"] = axis_handles(shown, axes[0])
    return picture


def axis_handles(shown: Shown, first: Array) -> list[dict[str, Any]]:
    """Both ends of the first axis (2, 3), by which it is turned: the momentum of a rotation about it is I times it."""
    momenta = [[shown.params["I11"], 0.0], [0.0, shown.params["I22"]]]
    return [
        {"at": end.tolist(), "sign": sign, "names": ["M1", "M2"], "momenta": momenta, "panel": shown.panel.name}
        for sign, end in zip((-1, 1), first, strict=True)
    ]


def projective_plane(shown: Shown) -> Picture:
    """RP^2 with the invariant curves of the Moser-Veselov map."""
    pass_level, top = steiner.mountain_pass(shown.params), steiner.top_level(shown.params)
    levels = [share * pass_level for share in (0.1, 0.3, 0.6, 0.85)]
    levels += [pass_level + share * (top - pass_level) for share in (0.25, 0.6)]
    points = steiner.critical_points(shown.params)
    orbits = []
    for name, orbit in shown.maps.items():
        u, v = shown.part(orbit, "u", "v")
        points_on = steiner.disk_point(u, v, shown.step_of(name))
        orbits.append(Orbit(points_on, points_on, shown.looks[name], discrete=True, stopped=orbit.stopped is not None))
    return disk.displacement_disk(
        shown.theme,
        steiner.joined([curve for level in levels for curve in steiner.invariant_curves(shown.params, level, 181)]),
        steiner.joined(steiner.invariant_curves(shown.params, 0.999999 * pass_level)),
        steiner.equilibrium_line(shown.params),
        [(p.q1, p.q2) for p in points if p.saddle],
        [(p.q1, p.q2) for p in points if not p.saddle],
        orbits,
    )


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, lead of the first map, the angle between the flow's limit axes in space, energy drift."""
    angle = limit_axes.limit_axes_angle(shown.params)
    axes = Statistic("Limit axes", "every rotation stays") if angle is None else apart(degrees(angle))
    return (*numbers.energies(shown), *numbers.lead_now(shown), axes, *numbers.energy_drift(shown))


def apart(angle: float) -> Statistic:
    """The angle between both limit axes."""
    return numbers.measured("Limit axes", angle, "° apart")


def sentence(shown: Shown) -> Sentence:
    """Who runs ahead of the flow and who lags behind, by how much; without maps, where the flow leads."""
    parts: list[str | Said] = []
    for name, lead in list(shown.leads.items())[:2]:
        parts += [", " if parts else "", method(shown.looks[name]), *lead_of(lead, bool(parts))]
    if parts:
        return sentences.joined(said.sentence(*parts, "."), sentences.share_of_step(shown))
    angle = limit_axes.limit_axes_angle(shown.params)
    if angle is None:
        return said.sentence("This balanced top keeps every rotation.")
    words = "The top glides from one permanent rotation to another: their axes in space are "
    return said.sentence(words, number(degrees(angle), "°"), " apart.")


def lead_of(lead: Array, again: bool) -> tuple[str | Said, ...]:
    """How far a map runs ahead of the flow or behind it; shorter if it is said again."""
    most = float(lead[abs(lead).argmax()])
    if abs(most) < numbers.ROUND_OFF:
        return (" too" if again else " keeps pace with the flow",)
    side = " ahead" if most > 0.0 else " behind"
    flow = "" if again else " of the flow" if most > 0.0 else " the flow"
    return (" " if again else " runs up to ", number(abs(most), "rad", 2), side + flow)


def start_on_locus(shown: Shown, m1: float, m2: float, m3: float) -> Mapping[str, float | str]:
    """The start of an orbit on the sheet of the locus that was clicked."""
    return starts.from_suslov_locus(shown.params, shown.step, SURFACES[shown.choice("locus.surface")], m1, m2, m3)


def start_on_disk(shown: Shown, q1: float, q2: float) -> Mapping[str, float]:
    """The start of an orbit at a point of RP^2."""
    return starts.from_disk(shown.params, shown.step, q1, q2)


LOCUS = View(
    id="locus",
    title="Momentum locus",
    show=locus,
    kind="space",
    start=start_on_locus,
    options=(
        Choice("surface", "moser_veselov", tuple(SURFACES), "surface to show", ("Moser–Veselov", "Cayley", "both")),
        Choice("part", "whole", ("whole", "0.4-0.8"), "part of the surface", ("near the run", "0.4 ≤ q₀ ≤ 0.8")),
    ),
    caption="Each step of a map is a point of it",
    long="Dark curves: where the plane of the flow cuts it.",
    short="Locus",
    waits=True,
)

LAB = Lab(
    id="suslov",
    try_first="press play, then drag the step towards its largest admissible value and watch the dots.",
    scenes=(
        Scene(
            panels=(Panel("suslov", variants=WAYS, chosen=("exact", "moser_veselov", "cayley")),),
            views=(
                View(
                    "plane",
                    "Momentum plane",
                    pictures.momentum_plane,
                    start=("M1", "M2"),
                    caption="On the same ellipse, ahead or behind in time",
                    long="Every orbit leaves the unstable rotation and ends at the stable one, on its own ellipse.",
                    short="Plane",
                ),
                LOCUS,
                View(
                    "motion",
                    "Turning body",
                    body,
                    kind="space",
                    caption="Path of the axis e₃ it may not turn about",
                    long="The two lines are the axes of its first and its last rotation, which differ in space.",
                    short="Body",
                ),
                Place(
                    "detail",
                    (
                        View("drift", "Drift", pictures.drift, short="Drift"),
                        View("time", "Time", partial(pictures.components_in_time, names=("M1", "M2")), short="Time"),
                        View("lead", "Phase lead", pictures.lead, short="Lead"),
                        View("error", "Error", pictures.error, short="Error"),
                        View("disk", "RP²", projective_plane, start=start_on_disk, short="RP²"),
                        *texts.text_views(branches=True),
                    ),
                ),
            ),
            instant=0.42,
            readout=readout,
            sentence=sentence,
        ),
    ),
    former={"locus": "locus.surface", "section": "locus.part"},
)
