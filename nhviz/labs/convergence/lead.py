"""Who runs ahead: the phase of both maps of the top against the flow, with the leading order on top.

GJ's Remark 8.1 reports that one map is slower than the flow and the other faster, and has no explanation. The leading
term of the phase explains it, and it has the other sign: Moser-Veselov runs ahead, Cayley lags behind.
"""

from dataclasses import dataclass

import numpy as np

from nhviz.analysis import phase, work_precision
from nhviz.analysis.asymptotic import Fit, fit
from nhviz.analysis.ladder import ROUND_OFF
from nhviz.figures import work
from nhviz.figures.style import Picture
from nhviz.figures.work import Curve, End, Slope
from nhviz.frame.records import Panel, Place, Scene, Variant, View
from nhviz.frame.said import Said, Sentence, Statistic, method, number, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.parameters import Parameter
from nhviz.system import Array
from nhviz.views import pictures, texts

HALVINGS, MOST = "sizes.halvings", 16_000
UPWARDS = "greatest phase lead or lag (rad)"
REMARK = "GJ’s Remark 8.1 has it the other way round."


@dataclass(frozen=True)
class Leads:
    """The greatest lead of a map over its steps, negative where it lags, and what the leading order says of each."""

    variant: str
    steps: Array
    measured: Array
    predicted: Array

    @property
    def slope(self) -> Fit | None:
        """The order of the lead."""
        return fit(self.steps, np.abs(self.measured), ROUND_OFF)


def leads(shown: Shown) -> dict[str, Leads]:
    """The leads of all chosen maps, found once."""
    return shown.remember(all_leads)


def all_leads(shown: Shown) -> dict[str, Leads]:
    """The leads of all chosen maps whose runs are complete."""
    whole = {name: orbit for name, orbit in pictures.leaders(shown).items() if not orbit.stopped and len(orbit) > 1}
    return {name: leads_of(shown, name) for name in whole}


def greatest(lead: Array) -> float:
    """The lead that is the largest, whatever its sign."""
    return float(lead[np.argmax(np.abs(lead))])


def leads_of(shown: Shown, variant: str) -> Leads:
    """The leads of a map over ever shorter steps. The leading order is the square of the step times a number."""
    problem = shown.problems[variant]
    duration = shown.values["duration"]
    counts = work_precision.counts(
        work_precision.fewest(duration, problem.step), int(shown.state.number(HALVINGS)), MOST
    )
    runs = work_precision.climbed([work_precision.on_rung(problem, duration, count, whole=True) for count in counts])
    found = np.array([np.nan if run.stopped else greatest(phase.phase_lead(run)) for run in runs])
    steps = duration / np.array(counts[: len(runs)], dtype=float)
    constant = greatest(phase.predicted_lead(shown.runs[variant])) / problem.step**2
    return Leads(variant, steps, found, constant * steps**2)


def over_steps(shown: Shown) -> Picture:
    """The greatest lead or lag of each map over its step, with its leading order dashed."""
    curves, ends = [], []
    for name, one in leads(shown).items():
        known = np.isfinite(one.measured) & (one.measured != 0.0)
        found = one.slope
        at = one.steps[found.chosen] if found else one.steps
        slope = Slope(found.order, found.uncertainty, float(at.min()), float(at.max())) if found else None
        sizes = np.abs(one.measured[known]), np.abs(one.predicted[known])
        curves.append(Curve(shown.looks[name], one.steps[known], sizes[0], slope, sizes[1]))
        fold = shown.largest_steps.get(name)
        if fold is not None:
            ends.append(End(shown.looks[name], fold, f"fold {readable(fold, 3)} s"))
    return work.over_steps(shown.theme, curves, ends, UPWARDS)


def said(shown: Shown) -> Sentence:
    """Which map runs ahead and which lags behind, by how much, and what the remark says."""
    found = leads(shown)
    if not found:
        return sentence("Choose Moser–Veselov or Cayley, and give the run a few steps.")
    parts: list[str | Said] = []
    for name, one in list(found.items())[:2]:
        lead = float(one.measured[np.argmax(one.steps)])
        deed = " runs ahead by up to " if lead > 0.0 else " lags by up to "
        parts += [", " if parts else "", method(shown.looks[name]), deed, number(readable(abs(lead), 2), "rad")]
    return sentence(*parts, ". ", remark(found))


def remark(found: dict[str, Leads]) -> str:
    """What GJ's remark says of this: Moser-Veselov slower and Cayley faster than the flow."""
    senses = {name: one.measured[np.argmax(one.steps)] > 0.0 for name, one in found.items()}
    reversed_by_all = senses.get("moser_veselov", True) and not senses.get("cayley", False)
    return REMARK if reversed_by_all else "Products of inertia as large as these turn it round."


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """How good the leading order is at this step, and the order of the lead."""
    found: list[Statistic] = []
    for name, one in leads(shown).items():
        last, key, label = int(np.argmax(one.steps)), shown.looks[name].key, shown.looks[name].label
        off = abs(one.predicted[last] / one.measured[last] - 1.0) if one.measured[last] else 0.0
        found.append(Statistic(f"Leading order, {label}", readable(100.0 * off, 2), "% off", key))
    return tuple(found)


def notes(shown: Shown) -> dict[str, str]:
    """Each chip says whether its map runs ahead."""
    return {
        shown.looks[name].key: "ahead" if one.measured[np.argmax(one.steps)] > 0.0 else "behind"
        for name, one in leads(shown).items()
    }


SCENE = Scene(
    id="lead",
    title="Phase lead of the top",
    summary="GJ saw one map run slower than the flow and the other faster, without an explanation. The leading term of "
    "the phase is one, and it turns the remark round.",
    try_first="halve the step: dots fall onto the formula.",
    panels=(
        Panel(
            "suslov",
            variants=(Variant("moser_veselov"), Variant("cayley")),
            values={"step": 0.015, "duration": 1.0},
        ),
    ),
    views=(
        View(
            "lead", "Phase lead", pictures.lead, short="Lead", caption="Dots: measured. Lines: the leading order, ε²",
            long="The phase is the angle on the energy ellipse; above 0 a map is ahead of the flow.",
        ),
        Place(
            "sizes",
            (
                View(
                    "sizes", "Lead against step", over_steps, short="Steps", waits=True,
                    caption="Dashed: the leading order, a number times ε²",
                    options=(
                        Parameter("halvings", 7.0, 2.0, 12.0, "how often the step is halved", "n", "halvings",
                                  whole=True),
                    ),
                ),
                View("plane", "Momentum plane", pictures.momentum_plane, start=("M1", "M2"), short="Plane",
                     caption="Where the maps are, and the flow"),
                *texts.text_views(branches=False),
            ),
        ),
    ),
    grid=("lead sizes",),
    readout=readout,
    sentence=said,
    notes=notes,
    instant=0.4,
)  # fmt: skip
