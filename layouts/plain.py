"""The lab of a system that has none of its own: everything from its declarations."""

import nhviz
from layouts.lab import Lab


def lab(system: str) -> Lab:
    """Motion, portraits, components and drift in four places; branches, equations and Python behind tabs."""
    facts = nhviz.describe(system)
    discrete = [name for name, method in facts["methods"].items() if method["discrete"]]
    flows = [name for name in facts["methods"] if name not in discrete]
    pictures = {
        "motion": "Motion",
        **{f"portrait{i}": portrait["title"] for i, portrait in enumerate(facts["portraits"])},
        "time": "Components in time",
        "drift": "Drift",
    }
    fixed, more = list(pictures)[:3], list(pictures)[3:]
    texts = {"branches": "branches"} if any(m["branches"] for m in facts["methods"].values()) else {}
    texts |= {"equations": "equations", "python": "Python"}
    return Lab(
        system=system,
        try_first="press play, then compare the methods.",
        views={name: pictures[name] for name in fixed},
        tabs={name: pictures[name].lower() for name in sorted(more, key="drift".__ne__)} | texts,
        methods=(*flows[:1], *discrete[:1]),
    )
