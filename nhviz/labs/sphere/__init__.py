"""The lab of the Chaplygin sphere: an uneven ball that rolls. One module a scene."""

from nhviz.frame.records import Lab
from nhviz.labs.sphere import rolling, vertical

LAB = Lab(
    id="sphere",
    scenes=(rolling.SCENE, vertical.SCENE),
    experiments=(*rolling.EXPERIMENTS, *vertical.EXPERIMENTS),
    position=30,
)
