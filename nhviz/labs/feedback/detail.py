"""What is looked at beside the race: the tabs of its detail, and the section below them."""

from nhviz.frame.records import View
from nhviz.labs.feedback import attraction, drift, notes, order, sections, stability
from nhviz.labs.feedback.racers import RACERS
from nhviz.views import pictures, texts


def views(system_id: str) -> tuple[View, ...]:
    """The tabs of a system, the first of which is open."""
    branches = any(RACERS[system_id].model.method(name).branches for name in RACERS[system_id].maps)
    return (
        View("drift", "Drift", drift.drift, short="Drift", caption="What each integrator keeps, and what it loses"),
        order_view(),
        *attraction_views(),
        stability_view(),
        View("error", "Error", pictures.error, short="Error", caption="How far each is from the motion itself"),
        View("time", "Time", pictures.components_in_time, short="Time"),
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


def attraction_views() -> tuple[View, View]:
    """The fall onto the level set, over time and in space."""
    return (
        View(
            "attraction",
            "Attraction",
            attraction.fall,
            short="Attraction",
            caption="Off the level set by δ, a pulled run falls back",
            long="Dashed: the linear law d' = −⟨∇c,∇c⟩ k d of the scheme. A plain run stays off for ever.",
        ),
        View(
            "level_set",
            "Level set",
            attraction.level_set,
            kind="space",
            short="Level",
            caption="Ink: what the feedback pulls to. A start off it falls back",
        ),
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


def section(system_id: str) -> View | None:
    """A section of the motion, with a place of its own."""
    return sections.view(system_id)
