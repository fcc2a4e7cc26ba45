"""The lab of the Chaplygin sphere: an uneven ball that rolls. One module a scene."""

from nhviz.frame.records import Lab
from nhviz.labs.sphere import branches, rolling

LAB = Lab(
    id="sphere",
    scenes=(rolling.SCENE, branches.SCENE),
    experiments=(*rolling.EXPERIMENTS, *branches.EXPERIMENTS),
    position=30,
)
