"""The ball rolls and wobbles while its momentum stands still."""

from nhviz.frame.records import Panel, Place, Scene, Step, View
from nhviz.frame.said import Sentence, Statistic, method, number, percent, readable, sentence
from nhviz.frame.shown import Shown
from nhviz.labs.sphere import rolling_views, steps
from nhviz.views import numbers, pictures, sentences, texts

REST = sentence("The ball rests: without momentum nothing rolls.")


def said(shown: Shown) -> Sentence:
    """The momentum stands still while the ball rolls; what the map keeps."""
    if not shown.lead.remember(steps.momentum_in_space)[0].any():
        return REST
    told = [shown.lead, *(shown.runs[name] for name in steps.main_maps(shown))]
    off = number(readable(max(steps.wandering(run) for run in told), 2))
    motion = sentence("The momentum K stands still to ", off, " while the ball rolls.")
    return sentences.joined(motion, *(kept(shown, name) for name in steps.main_maps(shown)[:1]))


def kept(shown: Shown, variant: str) -> Sentence:
    """What a map keeps to round-off, and the band of its energy."""
    band = steps.width(shown.runs[variant])
    within = percent(band) if band >= sentences.SMALL else number(readable(band, 2))
    exact = all(numbers.greatest(shown, variant, name) < numbers.ROUND_OFF for name in ("K_K", "K_gamma"))
    integrals = "⟨K,K⟩ and ⟨K,γ⟩ to round-off, " if exact else ""
    return sentence(method(shown.looks[variant]), " keeps ", integrals, "the energy within ", within, ".")


def readout(shown: Shown) -> tuple[Statistic, ...]:
    """Kinetic energy, the band of the map, how far it is off the flow, and what it keeps."""
    found = numbers.energies(shown, 0.5)
    for name in steps.main_maps(shown)[:1]:
        key = shown.looks[name].key
        off = steps.off_the_flow(shown, name)
        drift = numbers.drift(shown, name, "K_gamma", "⟨K,γ⟩ drift")
        found += [
            Statistic("Band", readable(steps.width(shown.runs[name]), 2), "", key),
            Statistic("Off the flow", readable(off, 2), "m", key),
            *([drift] if drift else []),
        ]
    return tuple(found)


PANEL = Panel(
    "sphere",
    variants=steps.WAYS,
    values={
        "J1": 0.04, "J2": 0.2, "J3": 0.75, "m": 1.0, "gamma1": 2 / 7, "gamma2": 3 / 7, "gamma3": 6 / 7,
        "omega1": 0.2, "omega2": 0.6, "omega3": 1.2, "step": 0.4, "duration": 20.0,
    },
)  # fmt: skip

DETAIL = (
    View("energy", "Energy", rolling_views.energy, short="Energy", caption="In its band, which narrows as ε²"),
    View("drift", "Integrals", pictures.drift, short="Integrals", caption="What each method keeps, and what it loses"),
    View(
        "time",
        "Time",
        lambda shown: pictures.components_in_time(shown, ("omega1", "omega2", "omega3")),
        short="Time",
        caption="The angular velocity in the body",
    ),
    View("in_space", "Momenta", rolling_views.momenta, short="Momenta", caption="Seen from space they stand still"),
    View("error", "Error", pictures.error, short="Error", caption="How far each method is from the motion itself"),
    *texts.text_views(True),
)

SCENE = Scene(
    id="rolling",
    title="Rolling",
    summary=(
        "A ball with uneven mass rolls without sliding. It wobbles, yet its momentum about the contact point never "
        "moves."
    ),
    try_first="play, and watch the arrow K.",
    panels=(PANEL,),
    views=(
        View(
            "motion",
            "Rolling ball",
            rolling_views.ball,
            kind="space",
            caption="Path of the contact point; dots: one step each",
            long="The blue arrow is the angular velocity; the black one, the momentum, does not move.",
            short="Ball",
        ),
        View(
            "gamma",
            "Vertical in the body",
            rolling_views.vertical,
            kind="space",
            start=rolling_views.GAMMA,
            caption="γ stays between the ink curves; a click starts there",
            long="There the energy is the least or the largest that a momentum of this size can have.",
            short="Vertical",
        ),
        View(
            "path",
            "Path from above",
            rolling_views.path,
            start=rolling_views.PLACE,
            caption="Three steps at once",
            long="The longer the step, the larger the dots, and the farther they are off the flow.",
            short="Path",
        ),
        Place("detail", DETAIL),
    ),
    grid=(*["motion motion motion motion motion motion motion gamma gamma gamma gamma gamma"] * 3,
          *["path path path path path detail detail detail detail detail detail detail"] * 2),
    readout=readout,
    sentence=said,
    instant=0.42,
)  # fmt: skip

EXPERIMENTS = (
    Step(
        "Mostly spinning",
        "Spun near the vertical the ball swings from side to side. Play, and watch the arrow K: it does not turn.",
        "sphere?scene=rolling",
    ),
    Step(
        "Nearly a rod",
        "With its mass along one axis the vertical wanders far, and the path straightens.",
        "sphere?scene=rolling&J1=0.01&J2=0.02&J3=0.9&step=0.2",
    ),
    Step(
        "Past the fold",
        "The step is allowed at the start, but the fold moves as the ball turns: after some steps no rotation is left.",
        "sphere?scene=rolling&omega1=0.6&omega2=0.2&step=0.85&duration=10",
    ),
)
