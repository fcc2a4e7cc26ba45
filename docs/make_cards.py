"""Draw the pictures of the start page, assets/*.svg, from runs.

.venv/bin/python -m docs.make_cards
"""

from pathlib import Path

import numpy as np

import nhviz
from nhviz.analysis.connections import connection
from nhviz.analysis.sections import section
from nhviz.systems import suslov_n as suslov_n_system

ASSETS = Path(__file__).parent.parent / "assets"
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
WIDTH, HEIGHT, MARGIN = 320, 200, 16


class Card:
    """Lines and dots in a fixed frame."""

    def __init__(self, points: np.ndarray) -> None:
        low, high = points.min(axis=1), points.max(axis=1)
        self.scale = min((WIDTH - 2 * MARGIN) / (high[0] - low[0]), (HEIGHT - 2 * MARGIN) / (high[1] - low[1]))
        self.middle = 0.5 * (low + high)
        self.parts: list[str] = []

    def place(self, points: np.ndarray) -> np.ndarray:
        """Points (2, n) on the card."""
        return np.stack(
            [
                WIDTH / 2 + self.scale * (points[0] - self.middle[0]),
                HEIGHT / 2 - self.scale * (points[1] - self.middle[1]),
            ]
        )

    def line(self, points: np.ndarray, colour: str, width: float = 2.0) -> None:
        """A line through points."""
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.place(points).T)
        self.parts.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}"/>')

    def dots(self, points: np.ndarray, colour: str, radius: float, fill: str | None = None) -> None:
        """A dot at every point."""
        for x, y in self.place(points).T:
            self.parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill or colour}" stroke="{colour}"/>'
            )

    def write(self, name: str) -> None:
        """Save the card."""
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        (ASSETS / f"{name}.svg").write_text("\n".join([head, *self.parts, "</svg>", ""]))


def sleigh() -> None:
    """The path with its cusp, and the sleigh on it."""
    flow = nhviz.simulate("sleigh", "exact", step=0.05, duration=7.0)
    steps = nhviz.simulate("sleigh", step=0.35, duration=7.0)
    path = np.stack([flow["x"], flow["y"]])
    card = Card(path)
    card.line(path, BLUE)
    card.dots(np.stack([steps["x"], steps["y"]]), ORANGE, 3)
    part = flow.system.draw(flow).parts[0]
    for instant in (5, 40, 62, 85, 125):
        for shape in part.shapes[:2]:
            points = (0.45 * shape.points) @ part.rotations[instant].T + part.translations[instant]
            card.line(points.T, "#555555", 1.2)
    card.write("sleigh")


def suslov() -> None:
    """Connections of the momentum plane."""
    curves = {}
    for energy in (300.0, 900.0, 1500.0):
        for side in (1, -1):
            flow = connection("suslov", "exact", energy=energy, side=side, step=0.01)
            dots = connection("suslov", "moser_veselov", energy=energy, side=side, step=0.025, gap=1e-2)
            curves[energy, side] = [np.stack([c["M1"], c["M2"]]) for c in (flow, dots)]
    card = Card(np.hstack([flow for flow, _ in curves.values()]))
    for flow, dots in curves.values():
        card.line(flow, BLUE)
        card.dots(dots, ORANGE, 2.5)
        card.dots(flow[:, :1], GREEN, 5, "#ffffff")
        card.dots(flow[:, -1:], GREEN, 5)
    card.write("suslov")


def sphere() -> None:
    """The path of the contact point, with the ball at a few places."""
    start = {"gamma1": 0.6, "gamma2": 0.0, "gamma3": 0.8, "omega1": 1.2, "omega2": 0.05, "omega3": 2.0}
    flow = nhviz.simulate("sphere", "reference", initial=start, step=0.02, duration=11.0)
    steps = nhviz.simulate("sphere", initial=start, step=0.2, duration=11.0)
    path = np.stack([flow["x"], flow["y"]])
    card = Card(path)
    card.line(path, BLUE)
    card.dots(np.stack([steps["x"], steps["y"]]), ORANGE, 2.5)
    angle, size = np.linspace(0.0, 2.0 * np.pi, 61), 0.05
    for instant in (0, 180, 360, 540):
        middle = path[:, instant]
        card.line(middle[:, None] + size * np.stack([np.cos(angle), np.sin(angle)]), "#555555", 1.2)
        for axis in flow["R"][instant].T:
            card.line(np.stack([middle, middle + size * axis[:2]], axis=1), "#555555", 1.2)
    card.write("sphere")


def knife_edge() -> None:
    """The cycloid across the slope, with the blade on it."""
    flow = nhviz.simulate("knife_edge", "exact", step=0.1, duration=18.8)
    path = np.stack([flow["y"], -flow["x"]])
    card = Card(np.concatenate([path, path + np.array([[0.0], [-2.0]])], axis=1))
    card.line(path, BLUE)
    for instant in range(8, 189, 18):
        along = 0.4 * np.array([np.sin(flow["phi"][instant]), -np.cos(flow["phi"][instant])])
        middle = path[:, instant]
        card.line(np.stack([middle - along, middle + along], axis=1), "#555555", 3)
    card.write("knife_edge")


def rolling_disk() -> None:
    """The circle, and Euler's circle, which does not close."""
    flow = nhviz.simulate("rolling_disk", "exact", step=0.05, duration=10.5)
    steps = nhviz.simulate("rolling_disk", step=0.3, duration=21.0)
    path = np.stack([flow["x"], flow["y"]])
    card = Card(path * 1.15)
    card.line(path, BLUE)
    card.dots(np.stack([steps["x"], steps["y"]]), ORANGE, 2.5)
    card.write("rolling_disk")


def roller_racer() -> None:
    """The path, with the racer at a few places."""
    flow = nhviz.simulate("roller_racer", "reference", step=0.02, duration=14.0)
    path = np.stack([flow["x"], flow["y"]])
    card = Card(path)
    card.line(path, BLUE)
    motion = flow.system.draw(flow)
    for instant in (0, 200, 420, 640):
        for part in motion.parts:
            for shape in part.shapes[:3]:
                points = (0.5 * shape.points) @ part.rotations[instant].T + path[:, instant]
                card.line(points.T, "#555555", 1.5)
    card.write("roller_racer")


def heisenberg() -> None:
    """Straight lines in the planes that the constraint allows, seen from the side."""
    card = Card(np.array([[-2.0, 2.0], [-1.2, 1.2]]))
    for x in np.linspace(-1.8, 1.8, 7):
        along = 0.25 * np.array([1.0, -x]) / np.hypot(1.0, x)
        card.line(np.stack([np.array([x, 0.0]) - along, np.array([x, 0.0]) + along], axis=1), "#555555", 3)
    for slope in (-0.5, 0.2, 0.5):
        card.line(np.array([[-2.0, 2.0], [-2.0 * slope, 2.0 * slope]]), BLUE)
    card.write("heisenberg")


def oscillator() -> None:
    """x and z, with the points of the section y = 0."""
    flow = nhviz.simulate("oscillator", "reference", step=0.05, duration=60.0)
    path = np.stack([flow["x"], flow["z"]])
    card = Card(path)
    card.line(path, BLUE, 1.0)
    points = section(nhviz.simulate("oscillator", "reference", step=0.05, duration=400.0), {"y": 1.0})
    card.dots(np.stack([points["x"], points["z"]]), ORANGE, 2.5)
    card.write("oscillator")


def seen(points: np.ndarray) -> np.ndarray:
    """Points (n, 3) from aside and above, as (2, n)."""
    x, y, z = points.T
    return np.stack([0.86 * x - 0.5 * y, 0.3 * x + 0.5 * y + 0.81 * z])


def suslov_n() -> None:
    """Orbits on the ellipsoid of the momentum space in four dimensions, from the source to the sink."""
    run = nhviz.simulate("suslov_n", step=0.25)
    level = float(run.quantity("energy")[0])
    lines = seen(suslov_n_system.flow_lines(run.params, level))
    card = Card(lines)
    card.line(lines, BLUE, 0.8)
    card.dots(seen(np.stack([run[f"p{i}"] for i in (1, 2, 3)], axis=1)), ORANGE, 2.5)
    sink, source = suslov_n_system.equilibria(run.params, level)
    card.dots(seen(source[None]), GREEN, 5, "#ffffff")
    card.dots(seen(sink[None]), GREEN, 5)
    card.write("suslov_n")


def sleigh_n() -> None:
    """The path in space with its cusp, and the blade on it."""
    flow = nhviz.simulate("sleigh_n", "reference", step=0.02)
    steps = nhviz.simulate("sleigh_n", step=0.2)
    place = np.stack([flow[f"x{i}"] for i in (1, 2, 3)], axis=1)
    card = Card(seen(place))
    card.line(seen(place), BLUE)
    card.dots(seen(np.stack([steps[f"x{i}"] for i in (1, 2, 3)], axis=1)), ORANGE, 2.5)
    for instant in range(10, 400, 48):
        along = 0.18 * flow["R"][instant][:, 0]
        card.line(seen(np.stack([place[instant] - along, place[instant] + along])), "#555555", 3)
    card.write("sleigh_n")


def sphere_n() -> None:
    """The path of the contact point in space, with the ball at a few places."""
    flow = nhviz.simulate("sphere_n", "reference", step=0.05, duration=20.0)
    steps = nhviz.simulate("sphere_n", step=0.4, duration=20.0)
    path = seen(np.stack([flow[f"x{i}"] for i in (1, 2, 3)], axis=1))
    card = Card(path)
    card.line(path, BLUE)
    card.dots(seen(np.stack([steps[f"x{i}"] for i in (1, 2, 3)], axis=1)), ORANGE, 2.5)
    angle = np.linspace(0.0, 2.0 * np.pi, 61)
    for instant in (40, 150, 260, 370):
        middle = path[:, instant][:, None]
        card.line(middle + np.stack([np.cos(angle), np.sin(angle)]), "#555555", 1.2)
        for axis in flow["R"][instant].T:
            card.line(np.hstack([middle, middle + seen(axis[None, :3])]), "#555555", 1.2)
    card.write("sphere_n")


def plain() -> None:
    """A blade on a circle, for systems without a lab of their own."""
    angle = np.linspace(0.0, 2.0 * np.pi, 121)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    card = Card(circle * 1.2)
    card.line(circle, BLUE)
    for start in np.arange(8) * np.pi / 4:
        along = 0.25 * np.array([-np.sin(start), np.cos(start)])
        point = np.array([np.cos(start), np.sin(start)])
        card.line(np.stack([point - along, point + along], axis=1), "#555555", 3)
    card.write("plain")


if __name__ == "__main__":
    sleigh()
    suslov()
    sphere()
    knife_edge()
    rolling_disk()
    roller_racer()
    heisenberg()
    oscillator()
    suslov_n()
    sleigh_n()
    sphere_n()
    plain()
