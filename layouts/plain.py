"""The lab of a system that has none of its own: everything from its declarations."""

import nhviz
from layouts.lab import Lab


def lab(system: str) -> Lab:
    """Motion, components and drift; equations and Python behind tabs."""
    facts = nhviz.describe(system)
    discrete = [name for name, method in facts["methods"].items() if method["discrete"]]
    flows = [name for name in facts["methods"] if name not in discrete]
    return Lab(
        system=system,
        try_first="press play, then compare the methods.",
        views={"motion": "Motion", "time": "Components in time", "drift": "Drift"},
        tabs={"equations": "equations", "python": "Python"},
        methods=(*flows[:1], *discrete[:1]),
    )
