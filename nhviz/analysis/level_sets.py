r"""Level sets of the integrals that a feedback pulls to, as curves and surfaces in a space of three coordinates.

In momenta of orthonormal frames the extended kinetic energy of a top, a sleigh or a racer is (a^2 + b^2)/2, with the
momentum c of the constraint beside them: the level set is the circle of radius sqrt(2 E) at c = 0, and the energy alone
keeps a run on the cylinder above it. The third coordinate is always what must vanish, if the space has one.

* Suslov top: a = M1/sqrt(I11), b = M2/sqrt(I22), c = J.
* Sleigh: a = sqrt(J + m a^2) omega, b = sqrt(m) times the speed along the blade, c = J1.
* Roller racer: the velocities of ht are omega = a - kappa N_theta and u + kappa sin(phi)/m (CP (62)); the steering's
  rate follows from both; a and b are these in an orthonormal frame of the allowed velocities at every phi.
* Knife edge: v^2 - 2 G x is kept with p_phi, a parabola of (x, v) at c = J1 = 0.
* Oscillator: the constraint p_x = -y p_z is a saddle over (y, p_z). The other integrals do not show there.
* Heisenberg system: p_z = -J2, a line at the energy of the start.
* Rolling disk: all momenta are kept; I Pi_x = m R Pi_psi and Pi_y = 0 are a line, on which the target is a point.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from nhviz.system import Array, Components, Values

ROUND = np.linspace(0.0, 2.0 * np.pi, 121)


@dataclass(frozen=True)
class Level:
    """The coordinates in which a level set is seen: what their axes are called, where a run is, and the set itself.

    `places` gives (3, n) of components; `curve` the points (n, 3) of the set at a start on the constraint, given as the
    components of one sample; `surface` the points (rows, columns, 3) of one that holds it. `name` says what it is.
    """

    axes: tuple[str, str, str]
    places: Callable[[Values, Components], Array]
    name: str
    curve: Callable[[Values, Components], Array] | None = None
    surface: Callable[[Values, Components], Array] | None = None


def top(params: Values, run: Components) -> Array:
    """Of the Suslov top."""
    i11, i22, i13, i23 = (params[name] for name in ("I11", "I22", "I13", "I23"))
    size = params["I33"] - i13**2 / i11 - i23**2 / i22
    across = (run["M3"] - i13 / i11 * run["M1"] - i23 / i22 * run["M2"]) / np.sqrt(size)
    return np.stack([run["M1"] / np.sqrt(i11), run["M2"] / np.sqrt(i22), across])


def sleigh(params: Values, run: Components) -> Array:
    """Of the sleigh."""
    m, a, b = params["m"], params["a"], params["b"]
    total = params["J"] + m * a * a
    omega = (run["p_theta"] + b * run["p_1"]) / total
    slip = run["p_2"] / m - a * (run["p_theta"] + b * run["p_1"] - a * run["p_2"]) / params["J"]
    across = np.sqrt(m * params["J"] / total) * slip
    return np.stack([np.sqrt(total) * omega, run["p_1"] / np.sqrt(m), across])


def racer(params: Values, run: Components) -> Array:
    """Of the roller racer: speed and turning, orthonormal in the kinetic energy of the allowed velocities.

    With phi' = (sin phi u - (d1 cos phi + d2) omega)/d2 that is (m u^2 + I1 omega^2 + I2 (omega + phi')^2)/2.
    """
    m, i1, i2, d1, d2 = (params[name] for name in ("m", "I1", "I2", "d1", "d2"))
    c, s = np.cos(run["phi"]), np.sin(run["phi"])
    a, b, u = (run["Pi_theta"] - run["p_phi"]) / i1, run["p_phi"] / i2, run["Pi_x"] / m
    n = d1 * c * a - s * u + d2 * b
    size = s * s / m + (d1 * c) ** 2 / i1 + d2 * d2 / i2
    omega, speed = a - n / size * d1 * c / i1, u + n / size * s / m
    # omega + phi' = (s u - d1 c omega)/d2: a form in u and omega, whose triangle with omega first is taken.
    uu, uo, oo = m + i2 * (s / d2) ** 2, -i2 * s * d1 * c / d2**2, i1 + i2 * (d1 * c / d2) ** 2
    first = np.sqrt(uu) * speed + uo / np.sqrt(uu) * omega
    return np.stack([first, np.sqrt(oo - uo * uo / uu) * omega, n / np.sqrt(size)])


def knife(params: Values, run: Components) -> Array:
    """Of the knife edge: place, speed, momentum across the blade."""
    across = (run["p_x"] * np.sin(run["phi"]) - run["p_y"] * np.cos(run["phi"])) / np.sqrt(params["m"])
    along = (run["p_x"] * np.cos(run["phi"]) + run["p_y"] * np.sin(run["phi"])) / params["m"]
    return np.stack([run["x"], along, across])


def oscillator(params: Values, run: Components) -> Array:
    """Of the oscillator: what its constraint is made of."""
    return np.stack([run["y"], run["p_z"], run["p_x"]])


def disk(params: Values, run: Components) -> Array:
    """Of the rolling disk."""
    return np.stack([run["Pi_x"], run["Pi_psi"], run["Pi_y"]])


def particle(params: Values, run: Components) -> Array:
    """Of the Heisenberg system: angular momentum, energy, and the momentum upwards."""
    energy = 0.5 * (run["p_x"] ** 2 + run["p_y"] ** 2 + run["p_z"] ** 2)
    return np.stack([run["x"] * run["p_y"] - run["y"] * run["p_x"], energy, run["p_z"]])


def circle(places: Callable[[Values, Components], Array]) -> Callable[[Values, Components], Array]:
    """The circle through a start."""

    def found(params: Values, start: Components) -> Array:
        first, second, _ = places(params, start)[:, 0]
        radius = np.hypot(first, second)
        return np.stack([radius * np.cos(ROUND), radius * np.sin(ROUND), 0.0 * ROUND], axis=1)

    return found


def parabola(params: Values, start: Components) -> Array:
    """v^2 - 2 G x as at the start, with a little more speed than the blade ever has; on level ground a line."""
    x, v, _ = knife(params, start)[:, 0]
    slope = params["g"] * np.sin(params["alpha"])
    turning = abs(float(start["p_phi"][0])) / params["J"]
    # Speeds swing by G/omega about a mean; of a blade that does not turn only the beginning is drawn.
    swing = abs(v) + 2.0 * abs(slope) / max(turning, 0.2)
    speeds = np.linspace(-swing, swing, 81) * 1.05
    places = x + (speeds**2 - v * v) / (2.0 * slope) if slope else x + speeds
    return np.stack([places, speeds if slope else 0.0 * speeds + v, 0.0 * speeds], axis=1)


def line(params: Values, start: Components) -> Array:
    """I Pi_x = m R Pi_psi, Pi_y = 0, up to half as far again as the start."""
    most = 1.5 * max(abs(float(start["Pi_psi"][0])), 0.1)
    rolling = np.array([-most, most])
    return np.stack([params["m"] * params["R"] / params["I"] * rolling, rolling, 0.0 * rolling], axis=1)


def slanted(params: Values, start: Components) -> Array:
    """p_z = -J2 at the energy of the start, up to half as far again as the start."""
    spin, energy, _ = particle(params, start)[:, 0]
    most = 1.5 * max(abs(spin), 0.1)
    along = np.array([-most, most])
    return np.stack([along, 0.0 * along + energy, -along], axis=1)


def saddle(params: Values, start: Components) -> Array:
    """p_x = -y p_z over all that y, and a p_z of the whole energy, can be."""
    y, p_z, p_x = oscillator(params, start)[:, 0]
    most = np.hypot(y, start["p_y"][0])
    square = start["x"][0] ** 2 + start["z"][0] ** 2 + p_z**2 + p_x**2
    rows, columns = np.meshgrid(
        np.linspace(-most, most, 21), np.linspace(-1.0, 1.0, 21) * np.sqrt(square), indexing="ij"
    )
    return np.stack([rows, columns, -rows * columns], axis=-1)


LEVELS: Mapping[str, Level] = {
    "suslov": Level(("M₁/√I₁₁", "M₂/√I₂₂", "J"), top, "circle", circle(top)),
    "sleigh": Level(("turning", "speed", "J₁"), sleigh, "circle", circle(sleigh)),
    "roller_racer": Level(("speed", "turning", "J₁"), racer, "circle", circle(racer)),
    "knife_edge": Level(("x", "v", "J₁"), knife, "parabola", parabola),
    "rolling_disk": Level(("Π<sub>x</sub>", "Π<sub>ψ</sub>", "Π<sub>y</sub>"), disk, "line", line),
    "heisenberg": Level(("J₂", "H", "p<sub>z</sub>"), particle, "line", slanted),
    "oscillator": Level(("y", "p<sub>z</sub>", "p<sub>x</sub>"), oscillator, "saddle", surface=saddle),
}
