"""The convergence lab: how errors shrink with the step, what that costs, and where methods end."""

from nhviz.frame.records import Lab
from nhviz.labs.convergence import lead
from nhviz.labs.convergence.experiments import EXPERIMENTS
from nhviz.labs.convergence.scene import scene
from nhviz.labs.convergence.subjects import SUBJECTS

LAB = Lab(
    id="convergence",
    title="Convergence lab",
    summary="How fast errors shrink with the step, what that costs, and where each method ends.",
    family="Convergence",
    line="Errors against step and time.",
    scenes=(*(scene(subject) for subject in SUBJECTS), lead.SCENE),
    experiments=EXPERIMENTS,
    listed=False,
)
