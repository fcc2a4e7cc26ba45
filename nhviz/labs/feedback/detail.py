"""What is looked at beside the race: its details, the level set and a section below them, the finish and texts."""

from nhviz.frame.records import View
from nhviz.labs.feedback import attraction, drift, notes, order, sections, stability
from nhviz.labs.feedback.finish import finish
from nhviz.labs.feedback.racers import RACERS
from nhviz.views import pictures, texts


def beside(system_id: str) -> tuple[View, ...]:
    """What is looked at beside the race, the first of which is open."""
    found = (
        View("drift", "Drift", drift.drift, short="Drift", caption="What each integrator keeps, and what it loses"),
        order_view(),
        attraction_view(),
        stability_view(),
        View("error", "Error", pictures.error, short="Error", caption="How far each is from the motion itself"),
        View("time", "Time", pictures.components_in_time, short="Time"),
    )
    return tuple(view for view in found if view.id != RACERS[system_id].telling)


def below(system_id: str) -> tuple[View, ...]:
    """What stands below them: the telling one first, and where the runs are among all states."""
    found = {view.id: view for view in (level_set_view(), sections.view(system_id), order_view(), stability_view())}
    return tuple(found[name] for name in dict.fromkeys((RACERS[system_id].telling, "level_set", "section")))


def texts_of(system_id: str) -> tuple[View, ...]:
    """The finish, and what there is to read behind it."""
    branches = any(RACERS[system_id].model.method(name).branches for name in RACERS[system_id].maps)
    return (
        View(
            "finish",
            "Finish",
            finish,
            kind="text",
            caption="Largest drift over the run; dots mark the best, a tint the one to take",
            short="Finish",
        ),
        View(
            "extension",
            "Notes",
            notes.notes,
            kind="text",
            short="Notes",
            caption="What feedback does, and what it does not",
        ),
        *texts.text_views(branches),
    )


def order_view() -> View:
    """Errors over the step."""
    return View(
        "order",
        "Order",
        order.order,
        short="Order",
        caption="Feedback keeps integrals; it does not raise the order",
        long="Error of the state at the end over the step, with fitted slopes. Dotted: the present step.",
        waits=True,
    )


def attraction_view() -> View:
    """The fall onto the level set over time."""
    return View(
        "attraction",
        "Attraction",
        attraction.fall,
        short="Attraction",
        caption="Off the level set by δ, a pulled run falls back",
        long="Dashed: the linear law d' = −⟨∇c,∇c⟩ k d of the scheme. A plain run stays off for ever.",
    )


def level_set_view() -> View:
    """The fall onto the level set in space."""
    return View(
        "level_set",
        "Level set",
        attraction.level_set,
        kind="space",
        short="Level",
        caption="Ink: what the feedback pulls to. A start off it falls back",
    )


def stability_view() -> View:
    """The stability number."""
    return View(
        "stability",
        "Stability",
        stability.stability,
        short="Stability",
        caption="Beyond its bound a pull overshoots by more than it was off",
        long="Λ is the largest eigenvalue of √(kᵢkⱼ)⟨∇cᵢ,∇cⱼ⟩ along the run. Dashed: along the motion itself.",
    )
