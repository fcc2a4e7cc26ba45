"""The Suslov lab."""

from layouts.lab import Lab

LAB = Lab(
    system="suslov",
    try_first="press play, then drag the step towards its largest admissible value and watch the dots.",
    views={"plane": "Momentum plane", "locus": "Momentum locus", "motion": "The turning body"},
    tabs={
        "drift": "drift", "time": "time", "lead": "phase lead", "disk": "RP²", "branches": "branches",
        "equations": "equations", "python": "Python",
    },
    methods=("exact", "moser_veselov", "cayley"),
    choices={
        "locus": {
            "default": "moser_veselov", "choices": ["moser_veselov", "cayley", "both"], "meaning": "surface to show",
        },
        "section": {"default": "whole", "choices": ["whole", "0.4-0.8"], "meaning": "part of the surface, by q0"},
    },
)  # fmt: skip
