"""The feedback lab: one system run by several integrators at once, with and without the pull to its integrals."""

from nhviz.frame.records import Lab
from nhviz.labs.feedback import experiments
from nhviz.labs.feedback.racers import RACERS
from nhviz.labs.feedback.scene import scene

LAB = Lab(
    id="feedback",
    title="Feedback race",
    summary=("Pull a run back to its own integrals at every step, and even Euler stays honest; its order stays one."),
    family="Feedback",
    line="A race with and without the pull.",
    scenes=tuple(scene(racer) for racer in RACERS.values()),
    experiments=(*(step for racer in RACERS.values() for step in experiments.usual(racer)), *experiments.PAPER),
)
