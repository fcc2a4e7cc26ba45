"""The Sleigh lab."""

from layouts.lab import Lab

LAB = Lab(
    system="sleigh",
    try_first="press play and watch the sleigh stop at its cusp; then move a, the mass offset.",
    views={"plane": "Momentum plane", "motion": "Contact path", "locus": "Momentum locus (FZ figure 7.2)"},
    tabs={
        "drift": "drift", "time": "time", "lead": "phase lead", "step": "one step", "branches": "branches",
        "equations": "equations", "python": "Python",
    },
    methods=("exact", "fedorov_zenkov", "naive"),
)  # fmt: skip
