"""A ball that rolls on a table: its path behind and before it, a dot for each step, its momentum, how it turns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nhviz.figures import arrows, space, table, textured
from nhviz.figures.space import Camera, Trail, add_line
from nhviz.figures.style import Array, Canvas, Cursor, Look, Picture, Theme, thin

EYE = Camera((-0.17, -0.96, 0.42), (-0.02, -0.05, -0.07))
SIGHT = np.tan(np.pi / 8.0)
"""Half of the height of what is seen, from a distance of one."""
WIDE, LETTERS = 1.5, 0.3
"""The picture is so many times as wide as high, at least, and half of the words takes so much of half its height."""
FARTHER = np.linspace(1.0, 2.2, 25)
"""How much farther away the eye may go."""
EYES = FARTHER[:, None] * np.array(EYE.eye)
AHEAD = np.array(EYE.centre) - EYES
AHEAD /= np.linalg.norm(AHEAD, axis=1)[:, None]
RIGHT = np.stack([AHEAD[:, 1], -AHEAD[:, 0], np.zeros(len(AHEAD))], axis=1)
RIGHT /= np.linalg.norm(RIGHT, axis=1)[:, None]
"""The eyes there, what they look along, and what is to their right."""
LOOKS = 60
"""So many places of the ball must be in sight."""
REACH = 3.1
"""The least radius of the table, and the height of the room above it, in radii of the ball."""
ASIDE = 0.35
"""So much of the table is beyond the path, in radii of the ball."""
SIDE = 1.253
"""How long the sides of the table are for the camera."""
ON_TABLE, ABOVE = 0.02, 0.07
"""How high above the table lines and dots are, in radii of the ball: it would cut them."""
LONG = (0.72, 0.64)
"""How long the arrows of the momentum and of the greatest angular velocity are, in radii of the ball."""
AWAY = (0.3, 0.12)
"""How far above them their names are: that of the momentum stands over the other."""
FEW = 150
"""Dots of more steps than these are smaller."""


@dataclass(frozen=True)
class Steps:
    """The places (2, n) of a map, one for each instant of its clock."""

    look: Look
    places: Array
    stopped: bool = False


@dataclass(frozen=True)
class Rolling:
    """What a ball of radius rho does: attitudes (n, 3, 3) and contact points (n, 2) at the instants of the clock.

    `momentum` (3) and `velocities` (n, 3) are seen from space. `path` (2, m) has `finer` points for each instant.
    """

    rho: float
    look: Look
    attitudes: Array
    contacts: Array
    momentum: Array
    velocities: Array
    path: Array
    counts: Array
    is_flow: bool
    stopped: bool = False


def rolling(theme: Theme, shown: Rolling, maps: Sequence[Steps]) -> Picture:
    """The ball of a run on its table, and the steps of maps."""
    canvas, rho = Canvas(theme), shown.rho
    middle, radius = place_of_table([shown.path, *(steps.places for steps in maps)], rho)
    table.add_table(canvas, middle, radius, rho)
    below = np.concatenate([shown.contacts, np.zeros((len(shown.contacts), 1))], axis=1)
    level = np.broadcast_to(np.eye(3), (len(below), 3, 3))
    table.add_shadow(canvas, rho, (level, below), shown.look.key)
    if shown.is_flow:
        add_path(canvas, shown)
    for steps in maps:
        add_steps(canvas, steps, rho)
    add_contact(canvas, shown, (level, below))
    centres = below + np.array([0.0, 0.0, rho])
    textured.add_ball(canvas, rho, (shown.attitudes, centres), shown.look)
    add_arrows(canvas, shown, (level, below), centres)
    layout = space.scene_layout(theme, (), eye_for(shown, middle, radius), near=True)
    low, high = np.array([*(middle - radius), -0.05 * rho]), np.array([*(middle + radius), REACH * rho])
    space.show_box(layout["scene"], low, high, SIDE * (high - low) / (2.0 * radius))
    return canvas.picture(layout)


def place_of_table(paths: Sequence[Array], rho: float) -> tuple[Array, float]:
    """The middle and the radius of a table that holds paths (2, n)."""
    points = np.concatenate(paths, axis=1)
    middle = 0.5 * (points.min(axis=1) + points.max(axis=1))
    farthest = float(np.hypot(*(points - middle[:, None])).max())
    return middle, max(REACH * rho, farthest + ASIDE * rho)


def eye_for(shown: Rolling, middle: Array, radius: float) -> Camera:
    """As near as the ball and the name of its momentum stay in sight on all their way."""
    rho, scale = shown.rho, 0.5 * SIDE / radius
    chosen = shown.contacts[thin(len(shown.contacts), LOOKS)]
    balls = np.full((len(chosen), 3), scale * rho * (1.0 - 0.5 * (REACH - 0.05)))
    balls[:, :2] = scale * (chosen - middle)
    size = math.hypot(*shown.momentum.tolist()) or 1.0
    upwards = math.copysign(1.0, shown.momentum[2] or 1.0)
    tips = balls + (scale * rho * (1.0 + LONG[0]) * upwards / size) * shown.momentum
    fits = is_in_sight(balls, WIDE, scale * rho) & is_in_sight(tips, WIDE - LETTERS, 0.0)
    farther = float(FARTHER[np.argmax(fits)] if fits.any() else FARTHER[-1])
    eye = farther * np.array(EYE.eye)
    return Camera((float(eye[0]), float(eye[1]), float(eye[2])), EYE.centre)


def is_in_sight(points: Array, width: float, beside: float) -> Array:
    """Whether all points, with so much beside them, are seen from each of the `EYES` in a picture of that width."""
    low, high = (
        (points @ (side * RIGHT - width * SIGHT * AHEAD).T).max(axis=0)
        - (EYES * (side * RIGHT - width * SIGHT * AHEAD)).sum(axis=1)
        for side in (-1.0, 1.0)
    )
    return np.maximum(low, high) + beside <= 0.0


def add_path(canvas: Canvas, shown: Rolling) -> None:
    """The path of the contact point: thin where it is to come, broad where it was."""
    look = shown.look
    points = np.concatenate([shown.path, np.full((1, shown.path.shape[1]), ON_TABLE * shown.rho)])
    meta = {"track": look.key, "stride": max(1, (points.shape[1] - 1) // max(len(shown.counts) - 1, 1))}
    add_line(canvas, points, look.colour, 2.4, opacity=0.5, name="path", hoverinfo="name", meta=meta)
    index = add_line(canvas, points[:, :1], look.colour, 6.0, name=look.label, meta={"track": look.key})
    canvas.cursors.append(Trail(index, look.key, tuple(points), counts=shown.counts))
    if shown.stopped:
        space.add_cross(canvas, look, points[:, -1])


def add_steps(canvas: Canvas, steps: Steps, rho: float) -> None:
    """A dot for each step of a map: small where it is to come, full where it was."""
    look, count = steps.look, steps.places.shape[1]
    points = np.concatenate([steps.places, np.full((1, count), ABOVE * rho)])
    share = 1.0 if count <= FEW else 0.6
    for size, drawn, name in ((2.2, points, look.label), (3.4, points[:, :1], "steps made")):
        marker = {
            "color": look.colour, "symbol": space.in_space(look.head), "size": share * size * canvas.theme.weight,
            "line": {"width": 0}, "opacity": 1.0,
        }  # fmt: skip
        x, y, z = drawn
        index = canvas.add(
            "scatter3d", x=x, y=y, z=z, mode="markers", marker=marker, name=name, hoverinfo="name",
            meta={"track": look.key, "stride": 1},
        )  # fmt: skip
    canvas.cursors.append(Trail(index, look.key, tuple(points), counts=np.arange(1, count + 1)))
    if steps.stopped:
        space.add_cross(canvas, look, points[:, -1])


def add_contact(canvas: Canvas, shown: Rolling, poses: tuple[Array, Array]) -> None:
    """The point of contact, with a ring about it, as the ball itself hides it from above."""
    theme, (level, below) = canvas.theme, poses
    ring = table.contact_ring(shown.rho)
    index = add_line(canvas, (ring + below[0]).T, theme.ink, 1.6, name="contact")
    canvas.cursors.append(Cursor(index, shown.look.key, shape=ring, rotations=level, translations=below))


def add_arrows(canvas: Canvas, shown: Rolling, poses: tuple[Array, Array], centres: Array) -> None:
    """The momentum, which stands still, and the angular velocity, which does not; a ball at rest has neither."""
    rho, key = shown.rho, shown.look.key
    if not shown.momentum.any():
        return
    still = arrows.poses(shown.momentum[None], LONG[0] * rho)[0]
    drawn = arrows.arrow(rho, shown.momentum[2] >= 0.0, AWAY[0])
    middle = np.array([0.0, 0.0, rho])
    placed = arrows.Arrow(*(shape @ still.T + middle for shape in (drawn.shaft, drawn.head, drawn.name)))
    arrows.add_arrow(canvas, placed, poses, key, canvas.theme.ink, ("K stands still", "top center"))
    moving = arrows.poses(shown.velocities, LONG[1] * rho), centres
    upwards = float(shown.velocities[:, 2].mean()) >= 0.0
    arrows.add_arrow(canvas, arrows.arrow(rho, upwards, AWAY[1]), moving, key, shown.look.colour, ("ω", "middle right"))
