"""Draw the pictures of the start page, assets/*.svg, from runs.

Their colours are the theme's variables, which a page gives them that takes them in; alone they have those of paper.

.venv/bin/python -m docs.make_cards
"""

from pathlib import Path

import numpy as np

import nhviz
from nhviz.analysis import backdrop, cusps
from nhviz.analysis.connections import connection
from nhviz.analysis.sections import section
from nhviz.systems import suslov_n as suslov_n_system
from nhviz.systems.suslov import PLANE

ASSETS = Path(__file__).parent.parent / "assets"
FLOW, MAP, SECOND = "var(--method-0, #0072b2)", "var(--method-2, #d55e00)", "var(--method-5, #a67c00)"
NAIVE = "var(--method-4, #b8568f)"
INK, FAINT, LINE, PAPER = (
    "var(--ink, #171b21)",
    "var(--faint, #86909b)",
    "var(--line, #e2e6eb)",
    "var(--paper, #ffffff)",
)
WIDE, NARROW = (194, 104), (92, 88)


class Card:
    """Lines and dots in a frame of pixels."""

    def __init__(self, size: tuple[int, int], points: np.ndarray, margin: float = 9.0) -> None:
        self.size = size
        low, high = np.nanmin(points, axis=1), np.nanmax(points, axis=1)
        self.scale = min((size[0] - 2 * margin) / (high[0] - low[0]), (size[1] - 2 * margin) / (high[1] - low[1]))
        self.middle = 0.5 * (low + high)
        self.parts: list[str] = []

    def place(self, points: np.ndarray) -> np.ndarray:
        """Points (2, n) on the card, in pixels from its upper left corner."""
        away = self.scale * (points - self.middle[:, None])
        return np.stack([self.size[0] / 2 + away[0], self.size[1] / 2 - away[1]])

    def line(self, points: np.ndarray, colour: str, width: float = 1.8, more: str = "", most: int = 90) -> None:
        """A line through points, of at most so many between two breaks; it breaks where they are no numbers."""
        placed = self.place(points)
        breaks = np.flatnonzero(np.isnan(placed[0]))
        text = "".join(stroke(part[:, np.isfinite(part[0])], most) for part in np.split(placed, breaks, axis=1))
        self.parts.append(f'<path d="{text}" style="fill:none;stroke:{colour};stroke-width:{width};{more}"/>')

    def dots(self, points: np.ndarray, colour: str, radius: float) -> None:
        """A dot at every point: the round ends of a line of no length."""
        text = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in self.place(points).T)
        self.parts.append(f'<path d="{text}" style="stroke:{colour};stroke-width:{2 * radius};stroke-linecap:round"/>')

    def rings(self, points: np.ndarray, colour: str, radius: float, more: str = "") -> None:
        """A ring at every point."""
        for x, y in self.place(points).T:
            look = f"fill:{PAPER};stroke:{colour};stroke-width:1.3;{more}"
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" style="{look}"/>')

    def area(self, points: np.ndarray, colour: str) -> None:
        """A closed outline, lightly filled."""
        text = "L".join(f"{x:.1f} {y:.1f}" for x, y in self.place(points).T)
        look = f"fill:{colour};fill-opacity:.09;stroke:{colour};stroke-opacity:.42"
        self.parts.append(f'<path d="M{text}z" style="{look}"/>')

    def star(self, point: np.ndarray, radius: float = 5.5) -> None:
        """A star at a point (2,)."""
        (x,), (y,) = self.place(point[:, None])
        angles = -np.pi / 2 + np.arange(10) * np.pi / 5
        reach = np.where(np.arange(10) % 2, 0.42 * radius, radius)
        corners = zip(x + reach * np.cos(angles), y + reach * np.sin(angles), strict=True)
        text = "L".join(f"{u:.1f} {v:.1f}" for u, v in corners)
        self.parts.append(f'<path d="M{text}z" style="fill:{INK};stroke:{PAPER}"/>')

    def ball(self, middle: np.ndarray, size: float, rotation: np.ndarray) -> None:
        """A ball with its three axes, seen from above; those that point down are faint."""
        self.rings(middle[:, None], INK, round(self.scale * size, 1), "stroke-width:1.2;fill-opacity:.6;")
        for axis in rotation.T:
            ends = np.stack([middle, middle + size * axis[:2]], axis=1)
            self.line(ends, INK, 1.3, "" if axis[2] > 0 else "opacity:.3;")

    def write(self, name: str) -> None:
        """Save the card."""
        width, height = self.size
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        (ASSETS / f"{name}.svg").write_text("\n".join([head, *self.parts, "</svg>", ""]))


def stroke(points: np.ndarray, most: int) -> str:
    """A part of a line, with few enough points and both its ends."""
    few = np.unique(np.linspace(0, points.shape[1] - 1, min(points.shape[1], most)).astype(int))
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points[:, few].T) if points.shape[1] else ""


def blades(card: Card, middles: np.ndarray, along: np.ndarray) -> None:
    """Blades at points (2, n), each along its vector."""
    for middle, way in zip(middles.T, along.T, strict=True):
        card.line(np.stack([middle - way, middle + way], axis=1), INK, 3, "stroke-linecap:round;")


def sleigh() -> None:
    """The path with its cusp, and the sleigh on it."""
    start = {"theta": -0.5}
    flow = nhviz.simulate("sleigh", "exact", initial=start, step=0.05, duration=9.0)
    steps = nhviz.simulate("sleigh", initial=start, step=0.2, duration=9.0)
    part = flow.system.draw(flow).parts[0]
    body = part.shapes[0].points
    outlines = [body @ part.rotations[i].T + part.translations[i] for i in (0, 30, 62, 124, 156)]
    card = Card(WIDE, np.hstack([flow_path := np.stack([flow["x"], flow["y"]]), *(o.T for o in outlines)]))
    for outline in outlines:
        card.area(outline.T, FLOW)
    card.line(flow_path, FLOW)
    card.dots(np.stack([steps["x"], steps["y"]]), MAP, 1.5)
    cusp = cusps.cusps(flow)[0]
    card.star(np.array([cusp.x, cusp.y]))
    card.write("sleigh")


def suslov() -> None:
    """The momentum plane: energies, equilibria on their line, and an arc between them with its map."""
    run = nhviz.simulate("suslov", "exact", step=0.005)
    steps = nhviz.simulate("suslov", "moser_veselov", step=0.015)
    energy = float(run.quantity("energy")[0])
    card = Card(WIDE, backdrop.arcs(PLANE, run.params, energy), 5.0)
    card.line(backdrop.arcs(PLANE, run.params, energy), LINE, 1)
    card.line(backdrop.arcs(PLANE, run.params, energy, (1.0,)), FAINT, 1)
    line = backdrop.line_of_equilibria(PLANE, run.params, energy)
    card.line(line[:, 1:], INK, 1.2)
    card.line(line[:, :2], INK, 1.2, "stroke-dasharray:1.5 3;")
    for level in (0.1, 0.35, 0.7, 1.5):
        arc = connection("suslov", "exact", energy=level * energy, step=0.01)
        card.line(np.stack([arc["M1"], arc["M2"]]), FLOW, 1.1, "opacity:.45;")
    card.line(np.stack([run["M1"], run["M2"]]), FLOW)
    card.dots(np.stack([steps["M1"], steps["M2"]]), MAP, 1.9)
    for point, stable in backdrop.ends_of_arcs(PLANE, run.params, energy):
        card.rings(point[:, None], INK, 2.4, f"fill:{INK};" if stable else "")
    card.write("suslov")


def sphere() -> None:
    """The path of the contact point, with the ball at a few places."""
    start = {"gamma1": 0.6, "gamma2": 0.0, "gamma3": 0.8, "omega1": 1.2, "omega2": 0.05, "omega3": 2.0}
    flow = nhviz.simulate("sphere", "reference", initial=start, step=0.02, duration=11.0)
    steps = nhviz.simulate("sphere", initial=start, step=0.2, duration=11.0)
    path, dots = (np.stack([run["x"], run["y"]]) for run in (flow, steps))
    card = Card(WIDE, np.hstack([path, dots]), 17.0)
    card.line(path, FLOW)
    card.dots(dots, MAP, 1.7)
    for instant in (60, 290, 480):
        card.ball(path[:, instant], 12.0 / card.scale, flow["R"][instant])
    card.write("sphere")


def knife_edge() -> None:
    """The cycloid across the slope, with the blade on it."""
    flow = nhviz.simulate("knife_edge", "exact", step=0.1, duration=12.6)
    path = np.stack([flow["y"], -flow["x"]])
    card = Card(NARROW, path)
    card.line(np.array([[path[0].min(), path[0].max()], [0.0, 0.0]]), LINE, 1)
    card.line(path, FLOW)
    at = np.arange(8, 126, 22)
    blades(card, path[:, at], 0.22 * np.stack([np.sin(flow["phi"][at]), -np.cos(flow["phi"][at])]))
    card.write("knife_edge")


def rolling_disk() -> None:
    """The circle, and Euler's circle, which does not close."""
    flow = nhviz.simulate("rolling_disk", "exact", step=0.05, duration=10.5)
    steps = nhviz.simulate("rolling_disk", step=0.3, duration=21.0)
    path, dots = (np.stack([run["x"], run["y"]]) for run in (flow, steps))
    card = Card(NARROW, np.hstack([path, dots]), 6.0)
    card.line(path, FLOW)
    card.dots(dots, SECOND, 1.6)
    card.write("rolling_disk")


def roller_racer() -> None:
    """The path, with the racer at a few places."""
    flow = nhviz.simulate("roller_racer", "reference", step=0.02, duration=14.0)
    path = np.stack([flow["x"], flow["y"]])
    card = Card(NARROW, path, 12.0)
    card.line(path, FLOW)
    motion = flow.system.draw(flow)
    for instant in (0, 640):
        for part in motion.parts:
            for shape in [shape for shape in part.shapes if shape.role != "seat"][:3]:
                points = (0.6 * shape.points) @ part.rotations[instant].T + path[:, instant]
                card.line(points.T, INK, 1.3)
    card.write("roller_racer")


def feedback() -> None:
    """The racer, and where Euler’s scheme thinks that it is: with feedback it is nearer."""
    start = {"theta": -np.pi / 2.0}
    flow = nhviz.simulate("roller_racer", "reference", initial=start, step=0.05, duration=13.0)
    schemes = {
        gain: nhviz.simulate(
            "roller_racer", "feedback", initial=start, step=0.1, duration=13.0, k1=gain, k2=gain, k3=gain
        )
        for gain in (0.0, 1.0)
    }
    path = np.stack([flow["x"], flow["y"]])
    card = Card(WIDE, np.hstack([path, path[:, -1:] + 0.9]), 9.0)
    card.line(path, FLOW)
    for gain, colour in ((0.0, NAIVE), (1.0, SECOND)):
        run = schemes[gain]
        card.line(np.stack([run["x"], run["y"]]), colour, 1)
        card.dots(np.stack([run["x"][::8], run["y"][::8]]), colour, 1.4)
    for run, instant, colour in ((schemes[0.0], -1, NAIVE), (flow, -1, INK)):
        for part in run.system.draw(run).parts:
            for shape in part.shapes:
                if shape.role in ("seat", "body", "blade"):
                    points = shape.points @ part.rotations[instant].T + part.translations[instant]
                    card.line(points.T, colour, 1.3)
    card.write("feedback")


def heisenberg() -> None:
    """Straight lines in the planes that the constraint allows, seen from the side."""
    card = Card(NARROW, np.array([[-2.0, 2.0], [-1.2, 1.2]]), 5.0)
    for slope in (-0.5, 0.2, 0.5):
        card.line(np.array([[-2.0, 2.0], [-2.0 * slope, 2.0 * slope]]), FLOW)
    x = np.linspace(-1.8, 1.8, 7)
    blades(card, np.stack([x, 0.0 * x]), 0.25 * np.stack([np.ones(7), -x]) / np.hypot(1.0, x))
    card.write("heisenberg")


def oscillator() -> None:
    """x and z, with the points of the section y = 0."""
    flow = nhviz.simulate("oscillator", "reference", step=0.1, duration=60.0)
    path = np.stack([flow["x"], flow["z"]])
    card = Card(NARROW, path, 6.0)
    card.line(path, FLOW, 0.9, "opacity:.7;", 400)
    points = section(nhviz.simulate("oscillator", "reference", step=0.05, duration=400.0), {"y": 1.0})
    card.dots(np.stack([points["x"], points["z"]]), SECOND, 1.5)
    card.write("oscillator")


def seen(points: np.ndarray) -> np.ndarray:
    """Points (n, 3) from aside and above, as (2, n)."""
    x, y, z = points.T
    return np.stack([0.86 * x - 0.5 * y, 0.3 * x + 0.5 * y + 0.81 * z])


def suslov_n() -> None:
    """Orbits on the ellipsoid of the momentum space in four dimensions, from the source to the sink."""
    run = nhviz.simulate("suslov_n", step=0.25)
    level = float(run.quantity("energy")[0])
    lines = seen(suslov_n_system.flow_lines(run.params, level, 14, 40))
    card = Card(WIDE, lines, 6.0)
    card.line(lines, FLOW, 0.9, "opacity:.6;", 2000)
    card.dots(seen(np.stack([run[f"p{i}"] for i in (1, 2, 3)], axis=1)), MAP, 1.9)
    sink, source = suslov_n_system.equilibria(run.params, level)
    card.rings(seen(source[None]), INK, 3)
    card.dots(seen(sink[None]), INK, 3.4)
    card.write("suslov_n")


def sleigh_n() -> None:
    """The path in space with its cusp, the blade on it, and its shadow on a floor."""
    flow = nhviz.simulate("sleigh_n", "reference", step=0.02)
    steps = nhviz.simulate("sleigh_n", step=0.2)
    place = np.stack([flow[f"x{i}"] for i in (1, 2, 3)], axis=1)
    floor = place[:, 2].min() - 0.6
    shadow = np.stack([place[:, 0], place[:, 1], np.full(len(place), floor)], axis=1)
    (left, right), (near, far) = (np.array([place[:, i].min(), place[:, i].max()]) for i in (0, 1))
    rows = [[[left, y, floor], [right, y, floor]] for y in np.linspace(near, far, 7)]
    rows += [[[x, near, floor], [x, far, floor]] for x in np.linspace(left, right, 9)]
    grid = [seen(np.array(row)) for row in rows]
    card = Card(WIDE, np.hstack([seen(place), *grid]), 7.0)
    for row in grid:
        card.line(row, LINE, 0.9)
    card.line(seen(shadow), FAINT, 1.2)
    card.line(seen(place), FLOW)
    card.dots(seen(np.stack([steps[f"x{i}"] for i in (1, 2, 3)], axis=1)), MAP, 1.7)
    at = np.arange(10, 400, 64)
    blades(card, seen(place[at]), seen(0.16 * flow["R"][at][:, :, 0]))
    card.write("sleigh_n")


def sphere_n() -> None:
    """The path of the contact point in space, with the ball at a few places."""
    flow = nhviz.simulate("sphere_n", "reference", step=0.05, duration=20.0)
    steps = nhviz.simulate("sphere_n", step=0.4, duration=20.0)
    path = seen(np.stack([flow[f"x{i}"] for i in (1, 2, 3)], axis=1))
    card = Card(WIDE, path, 15.0)
    card.line(path, FLOW)
    card.dots(seen(np.stack([steps[f"x{i}"] for i in (1, 2, 3)], axis=1)), MAP, 1.7)
    for instant in (40, 150, 260, 370):
        axes = np.stack([*seen(flow["R"][instant].T[:, :3]), flow["R"][instant][2]])
        card.ball(path[:, instant], 12.0 / card.scale, axes)
    card.write("sphere_n")


def other() -> None:
    """A blade on a circle, for systems without a picture of their own."""
    angle = np.linspace(0.0, 2.0 * np.pi, 121)
    card = Card(NARROW, np.stack([np.cos(angle), np.sin(angle)]), 10.0)
    card.line(np.stack([np.cos(angle), np.sin(angle)]), FLOW)
    at = np.arange(8) * np.pi / 4
    blades(card, np.stack([np.cos(at), np.sin(at)]), 0.22 * np.stack([-np.sin(at), np.cos(at)]))
    card.write("other")


if __name__ == "__main__":
    for draw in (sleigh, suslov, sphere, knife_edge, rolling_disk, roller_racer, feedback, heisenberg, oscillator):
        draw()
    for draw in (suslov_n, sleigh_n, sphere_n, other):
        draw()
