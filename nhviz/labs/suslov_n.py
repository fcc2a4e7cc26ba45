"""The lab of the Suslov top in n dimensions: it ends up turning the other way."""

import numpy as np

from nhviz.frame.said import Sentence, Statistic, number, sentence
from nhviz.frame.shown import Shown
from nhviz.frame.usual import Arrangement, usual_lab
from nhviz.problem import Trajectory
from nhviz.system import Array
from nhviz.systems import suslov_n
from nhviz.views import numbers, sentences


def from_the_sink(run: Trajectory) -> Array | None:
    """The angle between the momentum and the sink along a run, where the ellipsoid of the energy is a sphere."""
    ends = suslov_n.equilibria(run.params, float(run.quantity("energy")[0]))
    if ends is None:
        return None
    scale = np.sqrt(suslov_n.moments(run.params))
    momenta = np.stack([run[name] for name in suslov_n.names(run.params, "p")], axis=1) / scale
    sink = ends[0] / scale
    cosine = momenta @ sink / (np.linalg.norm(momenta, axis=1) * np.linalg.norm(sink))
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def said(shown: Shown) -> Sentence:
    """How near the sink the momentum comes, from where."""
    angles = shown.lead.remember(from_the_sink)
    if angles is None:
        return sentences.usual(shown)
    dimension, near, began = f"{shown.params['n']:g}", float(angles[-1]), float(angles[0])
    motion = sentence(
        "In ", number(dimension), " dimensions the momentum begins ", number(began, "°", 3), " from its sink and ends ",
        number(near, "°", 3), " from it.",
    )  # fmt: skip
    return sentences.joined(motion, sentences.share_of_step(shown))


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Energy, angle to the sink now, energy drift."""
    angles = shown.lead.remember(from_the_sink)
    now = () if angles is None else (numbers.followed("To the sink", angles, "°", shown, shown.first),)
    return (*numbers.energies(shown), *now, *numbers.energy_drift(shown))


LAB = usual_lab(
    "suslov_n",
    Arrangement(
        places=("momentum", "motion"),
        words={
            "momentum": {
                "caption": "From the source to the sink, on its ellipsoid",
                "long": "Every orbit of an energy joins the same two points, whatever the dimension.",
                "short": "Momentum",
            },
            "motion": {"title": "The turning body", "caption": "Its first three dimensions", "short": "Body"},
        },
        layout="focus.momentum",
        try_first="press play and follow the momentum to its sink; then raise n.",
        sentence=said,
        readout=readout,
    ),
)
