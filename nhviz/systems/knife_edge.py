r"""The knife edge on an inclined plane: a blade that slides along itself, pulled down the slope, and never runs away.

(x, y) is the contact point, x pointing down the slope of inclination alpha, phi the heading of the blade, m the mass,
J the moment of inertia; p_par = p_x cos phi + p_y sin phi is the momentum along the blade, v = p_par/m its speed,
G = g sin alpha.

* Constraint: J1 = (p_x sin phi - p_y cos phi)/sqrt(m) = 0. Motion: phi' = w = p_phi/J is constant, v' = G cos phi.
* Closed form (CP section 3.2, whose printed one is wrong), with C = int cos phi dt and S = int sin phi dt from 0:
  v = v0 + G C, x = x0 + v0 C + G C^2/2, y = y0 + v0 S + G int C sin phi dt. From rest it is a cycloid: the blade
  wanders across the slope, not down it. It does not depend on m and J, only on w.
* Extended energy Ht = p_par^2/(2m) + p_phi^2/(2J) - m g x sin alpha. Extension: CP (44) with the force
  sqrt(m) (p_phi/J) J1 along the blade added. CP's own field keeps J1 and p_phi, but Ht only where J1 = 0; this one
  keeps J1, p_phi, Ht and the energy H everywhere.
"""

import math
from collections.abc import Mapping

import numpy as np

from nhviz import kernels
from nhviz.methods import extensions, feedback
from nhviz.parameters import Parameter
from nhviz.problem import Trajectory
from nhviz.shapes import Curve, Mesh, Motion, Part
from nhviz.system import (
    Array,
    Component,
    Components,
    Equation,
    Experiment,
    Method,
    Portrait,
    Quantity,
    Samples,
    System,
    Task,
    Values,
)

STATE = ("x", "y", "phi", "p_x", "p_y", "p_phi")
TERMS = 12
"""So many terms of a series give integrals over a turn of up to a radian to round-off: 4^13/27! is below 1e-20."""


def series_of_turn() -> Array:
    """The coefficients of turn^2k in the double integral of `integrals`: of turn, of turn cos 2 phi and of sin 2 phi.

    With S(x) = sin(x)/x and K(x) = (1 - cos x)/x the integral is [1 - S(turn) + (S(turn) - S(2 turn)) cos 2 phi +
    (K(2 turn) - K(turn)) sin 2 phi]/(2 turn), where for small turns everything cancels but the higher terms.
    """
    k = np.arange(TERMS)
    even = np.array([math.factorial(2 * one + 2) for one in range(TERMS)], dtype=float)
    odd = even * (2 * k + 3)
    return 0.5 * (-1.0) ** k * np.array([1.0 / odd, (4.0 ** (k + 1) - 1.0) / odd, (2.0 * 4.0**k - 1.0) / even])


SERIES = series_of_turn()


def parameters(params: Values) -> Array:
    """(m, J, g sin alpha)."""
    return np.array([params["m"], params["J"], params["g"] * np.sin(params["alpha"])])


def extended(y: Array, p: Array, dy: Array) -> None:
    """y = (x, y, phi, p_x, p_y, p_phi), p = (m, J, G): CP (44), repaired."""
    c, s = np.cos(y[2]), np.sin(y[2])
    along, across, turning = y[3] * c + y[4] * s, y[3] * s - y[4] * c, y[5] / p[1]
    dy[0], dy[1], dy[2] = along * c / p[0], along * s / p[0], turning
    reaction, repair = -p[0] * p[2] * s - turning * along, turning * across
    dy[3] = p[0] * p[2] + reaction * s + repair * c
    dy[4] = -reaction * c + repair * s
    dy[5] = 0.0


def conserved(y: Array, p: Array, values: Array, gradients: Array) -> None:
    """J1, p_phi and Ht."""
    c, s, root = np.cos(y[2]), np.sin(y[2]), np.sqrt(p[0])
    along, across = y[3] * c + y[4] * s, y[3] * s - y[4] * c
    values[0] = across / root
    gradients[0, 2], gradients[0, 3], gradients[0, 4] = along / root, s / root, -c / root
    values[1] = y[5]
    gradients[1, 5] = 1.0
    values[2] = along * along / (2.0 * p[0]) + y[5] * y[5] / (2.0 * p[1]) - p[0] * p[2] * y[0]
    gradients[2, 0], gradients[2, 2] = -p[0] * p[2], -along * across / p[0]
    gradients[2, 3], gradients[2, 4], gradients[2, 5] = along * c / p[0], along * s / p[0], y[5] / p[1]


def start(params: Values, initial: Mapping[str, Array]) -> Array:
    """States with the momentum of a speed along the blade."""
    push = params["m"] * initial["v"]
    return np.array(
        [
            initial["x"], initial["y"], initial["phi"], push * np.cos(initial["phi"]), push * np.sin(initial["phi"]),
            initial["p_phi"],
        ],
        dtype=float,
    )  # fmt: skip


def speed(params: Values, run: Components) -> dict[str, Array]:
    """The speed along the blade."""
    return {"v": (run["p_x"] * np.cos(run["phi"]) + run["p_y"] * np.sin(run["phi"])) / params["m"]}


def reaction(y: Array, p: Array) -> Array:
    """The direction across the blade, among the momenta of a state."""
    return np.array([0.0, 0.0, 0.0, np.sin(y[2]), -np.cos(y[2]), 0.0])


EXTENSION = extensions.Extension(
    field=extended,
    conserved=conserved,
    gains=("k1", "k2", "k3"),
    meanings={"k1": "the constraint", "k2": "p_phi", "k3": "the energy"},
    parameters=parameters,
    start=start,
    components=extensions.named(STATE, speed),
    state=extensions.stacked(STATE),
    about="Uses CP (44) repaired, so that the energy is kept off the constraint too.",
    reaction=reaction,
    orbit=lambda: kernels.knife_edge_feedback.orbit,
)


def run_exact(task: Task) -> Samples:
    """The closed form; integrals over the turn are written so that they hold for no turning as well."""
    x, y, phi0, v0 = (task.initial[name][:, None] for name in ("x", "y", "phi", "v"))
    momentum = task.initial["p_phi"][:, None]
    t, slope = task.times[None, :], parameters(task.params)[2]
    turn = momentum / task.params["J"] * t
    phi = phi0 + turn
    c, s = np.cos(phi), np.sin(phi)
    mean_cosine, mean_sine, cross = integrals(phi0, turn, c, s)
    cosine, sine = t * mean_cosine, t * mean_sine
    v = v0 + slope * cosine
    push = task.params["m"] * v
    parts = {
        "x": x + v0 * cosine + 0.5 * slope * cosine**2,
        "y": y + v0 * sine + slope * t**2 * cross,
        "phi": phi,
        "p_x": push * c,
        "p_y": push * s,
        "p_phi": momentum + 0.0 * t,
        "v": v,
    }
    return Samples.complete(task, parts)


def integrals(phi: Array, turn: Array, c: Array, s: Array) -> tuple[Array, Array, Array]:
    """The means of cos and sin over the angles from phi to phi + turn, whose cos and sin are c and s; and a double one.

    That is int_0^1 C sin(phi + turn s) ds, C = int_0^s cos(phi + turn r) dr. Each in closed form, or for small turns,
    where that would be a difference of nearly equal numbers, by a product or a series.
    """
    phi = np.broadcast_to(phi, turn.shape)
    small = np.abs(turn) < 1.0
    safe = np.where(small, 1.0, turn)
    first_c, first_s = np.cos(phi[:, :1]), np.sin(phi[:, :1])
    mean_cosine, mean_sine = (s - first_s) / safe, (first_c - c) / safe
    cross = (0.5 - 0.5 * (s * c - first_s * first_c) / safe - first_s * mean_sine) / safe
    part, start = turn[small], phi[small]
    chord, middle = np.sinc(part / (2.0 * np.pi)), start + 0.5 * part
    mean_cosine[small], mean_sine[small] = chord * np.cos(middle), chord * np.sin(middle)
    level, cosine, sine = SERIES @ np.vander(part**2, TERMS, increasing=True).T
    cross[small] = part * (level + cosine * np.cos(2.0 * start)) + sine * np.sin(2.0 * start)
    return mean_cosine, mean_sine, cross


def energy(params: Values, run: Components) -> Array:
    """H, kinetic and potential energy."""
    kinetic = (run["p_x"] ** 2 + run["p_y"] ** 2) / (2.0 * params["m"]) + run["p_phi"] ** 2 / (2.0 * params["J"])
    return kinetic - params["m"] * parameters(params)[2] * run["x"]


def constraint(params: Values, run: Components) -> Array:
    """J1, the momentum across the blade over sqrt(m)."""
    return (run["p_x"] * np.sin(run["phi"]) - run["p_y"] * np.cos(run["phi"])) / np.sqrt(params["m"])


def p_phi(params: Values, run: Components) -> Array:
    """The angular momentum."""
    return run["p_phi"]


def draw(run: Trajectory) -> Motion:
    """The blade on the inclined plane, and its path."""
    alpha = run.params["alpha"]
    down, across = np.array([np.cos(alpha), 0.0, -np.sin(alpha)]), np.array([0.0, 1.0, 0.0])
    normal = np.array([np.sin(alpha), 0.0, np.cos(alpha)])
    # Across is the second axis of space, and down has nothing of it.
    place = np.outer(run["x"], down)
    place[:, 1] = run["y"]
    ends = [(float(run[name].min()), float(run[name].max())) for name in ("x", "y")]
    size = 0.08 * max(*(high - low for low, high in ends), 1.0)
    blade = size * np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    plate = size * np.array([[-1.0, 0.0, 0.0], [1.2, 0.0, 0.0], [0.8, 0.0, 0.8], [-0.8, 0.0, 0.8], [-1.0, 0.0, 0.0]])
    # Its first axis is c down + s across, its second c across - s down.
    c, s, frame = np.cos(run["phi"]), np.sin(run["phi"]), np.empty((len(run), 3, 3))
    frame[:, :, 0], frame[:, :, 1], frame[:, :, 2] = np.outer(c, down), np.outer(-s, down), normal
    frame[:, 1, 0], frame[:, 1, 1] = s, c
    (low_x, high_x), (low_y, high_y) = ((low - 2.0 * size, high + 2.0 * size) for low, high in ends)
    corners = np.array([x * down + y * across for x in (low_x, high_x) for y in (low_y, high_y)])
    incline = Mesh(corners, np.array([[0, 1, 3], [0, 3, 2]]), "incline")
    body = Part((Curve(blade, "blade"), Curve(plate, "body")), frame, place)
    return Motion((body,), (incline, Curve(place, "path")))


SYSTEM = System(
    id="knife_edge",
    position=40,
    family="Relatives",
    line="Spun on a slope, it runs across it.",
    title="Knife edge",
    summary=(
        "A blade on an inclined plane slides only along itself. Spun, it does not slide down the slope for ever: "
        "it runs along a cycloid, across it."
    ),
    parameters=(
        Parameter("m", 1.0, 0.001, 1000.0, "mass", "m", "kg", (0.1, 5.0)),
        Parameter("J", 1.0, 0.001, 1000.0, "moment of inertia", "J", "kg m^2", (0.1, 5.0)),
        Parameter("g", 1.0, 0.0, 100.0, "acceleration of gravity", "g", "m/s^2", (0.0, 10.0)),
        Parameter("alpha", np.pi / 6.0, -1.5707, 1.5707, "inclination of the plane", r"\alpha", "rad", (0.0, 1.5)),
    ),
    initial=(
        Parameter("x", 0.0, -1e5, 1e5, "place down the slope", "x", "m", (-5.0, 5.0)),
        Parameter("y", 0.0, -1e5, 1e5, "place across the slope", "y", "m", (-5.0, 5.0)),
        Parameter("phi", 0.0, -1e5, 1e5, "heading of the blade, 0 down the slope", r"\phi", "rad", (-3.2, 3.2)),
        Parameter("p_phi", 0.5, -1000.0, 1000.0, "angular momentum", r"p_\phi", "kg m^2/s", (-3.0, 3.0)),
        Parameter("v", 0.0, -1000.0, 1000.0, "speed along the blade", "v", "m/s", (-3.0, 3.0)),
    ),
    step=Parameter("step", 0.001, 1e-9, 100.0, "time step", r"\varepsilon", "s", (1e-4, 0.05)),
    duration=Parameter("duration", 20.0, 0.0, 1e6, "length of the run", "T", "s", (1.0, 200.0)),
    default_method="feedback",
    components=(
        Component("x", "place down the slope", "m"),
        Component("y", "place across the slope", "m"),
        Component("phi", "heading of the blade", "rad", r"\phi"),
        Component("p_x", "momentum down the slope", "kg m/s"),
        Component("p_y", "momentum across the slope", "kg m/s"),
        Component("p_phi", "angular momentum", "kg m^2/s", r"p_\phi"),
        Component("v", "speed along the blade", "m/s"),
    ),
    methods=(
        Method(
            "exact",
            "Flow",
            None,
            ("energy", "constraint", "p_phi"),
            run_exact,
            discrete=False,
            truth=True,
            small="closed form",
        ),
        feedback.flow_method(EXTENSION, ("p_phi",)),
        feedback.method(EXTENSION),
    ),
    quantities=(
        Quantity("energy", "energy", True, energy, "J", "H"),
        Quantity("constraint", "momentum across the blade", True, constraint, "sqrt(kg) m/s", "J_1"),
        Quantity("p_phi", "angular momentum", True, p_phi, "kg m^2/s", r"p_\phi"),
    ),
    in_time=("v", "phi"),
    portraits=(Portrait("path", "Path on the incline", ("y", "x"), down="down the slope"),),
    equations=(
        Equation(r"\dot x\sin\phi = \dot y\cos\phi", "constraint: no sliding across the blade", "CP section 3.2"),
        Equation(
            r"\dot v = g\sin\alpha\,\cos\phi,\quad \dot\phi = p_\phi/J,\quad \dot x = v\cos\phi,\ \dot y = v\sin\phi",
            "the motion",
            "CP section 3.2",
        ),
        Equation(
            r"x = x_0 + v_0 C + \tfrac12 g\sin\alpha\,C^2,\quad C = \frac{\sin\phi - \sin\phi_0}{p_\phi/J}",
            "the closed form: down the slope the blade only swings",
            "CP section 3.2, corrected",
        ),
        Equation(
            r"V = \tfrac{k_1}2 J_1^2 + \tfrac{k_2}2(p_\phi - p_{\phi 0})^2 + \tfrac{k_3}2(\tilde H - \tilde H_0)^2",
            "what the feedback pulls down",
            "CP (45)",
        ),
        Equation(
            r"\tilde H = \frac{(p_x\cos\phi + p_y\sin\phi)^2}{2m} + \frac{p_\phi^2}{2J} - mgx\sin\alpha",
            "the extended energy; with the repaired field it is kept off the constraint too",
            "CP (44), repaired",
        ),
    ),
    experiments=(
        Experiment("The cycloid", "From rest and spinning, the blade runs across the slope.", duration=40.0),
        Experiment(
            "Without feedback",
            "With the gains at 0 the plain scheme drifts away from all three integrals.",
            step=0.02,
            duration=60.0,
            gains={"k1": 0.0, "k2": 0.0, "k3": 0.0},
        ),
        Experiment(
            "No spin",
            "Without spin it slides straight down, faster and faster, and a fixed gain must fail in the end.",
            initial={"p_phi": 0.0, "phi": 0.3},
            duration=12.0,
        ),
    ),
    draw=draw,
    kernels=("flow", "feedback", "crossings", "knife_edge_feedback"),
)
