"""The lab of the Chaplygin sphere: an uneven ball that rolls. One module a scene."""

from nhviz.frame.records import Lab
from nhviz.labs.sphere import branches, rolling, vertical

LAB = Lab(
    id="sphere",
    scenes=(rolling.SCENE, branches.SCENE, vertical.SCENE),
    experiments=(*rolling.EXPERIMENTS, *branches.EXPERIMENTS, *vertical.EXPERIMENTS),
    position=30,
)
