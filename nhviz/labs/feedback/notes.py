"""What feedback does in the race and what it does not: its extension, what it keeps, where it does not help."""

from nhviz.frame.shown import Shown
from nhviz.frame.text import Text, Words
from nhviz.labs.feedback.attraction import weights
from nhviz.labs.feedback.racers import METHOD
from nhviz.methods.extensions import Extension

NO_HELP = {
    "roller_racer": "RK4 alone keeps its integrals better than with a pull of 0.1: its stages leave them by ε², and "
    "the pull answers to that.",
    "sleigh": "RK4 alone keeps the energy better than with a pull of 0.1, and the Fedorov–Zenkov map needs no pull.",
    "knife_edge": "Without spin the blade slides ever faster, Λ grows with its speed, and every fixed gain is lost in "
    "the end.",
    "rolling_disk": "Plain schemes keep all four momenta as they are: there is nothing to correct, and Euler's circle "
    "stays as wide as it was.",
    "suslov": "The attitude is off by the order of the scheme, pulled or not: feedback keeps R orthogonal, not right.",
    "heisenberg": "On the constraint Euler is exact. Λ grows with the square of the distance from the axis, and every "
    "fixed gain is lost in the end.",
    "oscillator": "A fourth integral is not encoded, and the run drifts along it; the discrete map stays about three "
    "times nearer to the path, though it loses energy.",
}
"""Where feedback does not help, by system."""
GENERAL = (
    r"**What it does.** A run follows $\dot y = X(y) - \nabla V(y)$ with $V = \sum_i \tfrac{k_i}{2}\,(c_i - c_i(0))^2$"
    ", where X keeps every $c_i$, also off the constraint. Its integrals stay within about ε/k of those of the start.",
    "**What it does not.** The order of the scheme stays what it is: 1 for Euler, 4 for RK4 with gains that are held. "
    "Gains that grow as 1/ε lower that of RK4 to 2.",
    "**How much.** The pull multiplies all gains. Euler needs ε Λ < 2 and RK4 ε Λ < 2.785, where Λ is the largest "
    r"eigenvalue of $\sqrt{k_i k_j}\,\langle\nabla c_i, \nabla c_j\rangle$ along the run. Just beyond, some runs "
    "still arrive; a run is called lost only if it is.",
    "**Off by δ.** The start gets a blow along the reaction force: places and allowed velocities stay, the function of "
    "the constraint is off by δ exactly, and the targets are those of the start on the constraint.",
)


def notes(shown: Shown) -> Text:
    """The extension with its gains, what holds for every feedback, and where this one does not help."""
    method, options = shown.system.method(METHOD), weights(shown)
    assert method.extension is not None
    extension: Extension = method.extension(options)
    unit = float(options["pull"]) * shown.step
    pulled = [f"* {meaning}: gain {float(options[name]) * unit:.3g}/ε" for name, meaning in extension.meanings.items()]
    parts = [
        f"**The extension.** {extension.about} It pulls to",
        "\n".join(pulled),
        *GENERAL,
        f"**Where it does not help.** {NO_HELP[shown.system.id]}",
    ]
    return (Words("\n\n".join(parts)),)
