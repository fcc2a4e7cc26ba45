"""Texts that every lab can have."""

from nhviz.analysis.branches import branches as find_branches
from nhviz.analysis.branches import point_of_start
from nhviz.frame.records import View
from nhviz.frame.shown import Shown
from nhviz.frame.text import Lines, Table, Text, Words
from nhviz.problem import Problem

NO_BRANCH = "No real displacement has this momentum with this step."
HEADS = {
    "dtheta": "turn Δθ (rad)", "V1": "along it (m)", "V2": "across it (m)", "angle": "angle (rad)",
    "M3": "M₃ (kg m²/s)", "u": "u (rad/s)", "v": "v (rad/s)", "q0": "q₀", "q1": "q₁", "q2": "q₂", "q3": "q₃",
}  # fmt: skip
"""What numbers of a branch are called in a table; others by their name."""
DOUBT = "Not certified: two rotations are too close together here, or there is a whole curve of them."


def equations(shown: Shown) -> Text:
    """The system's equations, typeset, with what they mean and where they stand."""
    lines = [
        f"$$\n{equation.tex}\n$$\n\n{equation.meaning}" + (f" *({equation.source})*" if equation.source else "")
        for equation in shown.system.equations
    ]
    kept = ", ".join(q.title for q in shown.system.quantities if q.conserved)
    titles = {q.id: q.title for q in shown.system.quantities}
    keeps = [
        f"* **{m.title}** keeps {', '.join(titles[q] for q in m.preserves) or 'none of them'}. {m.remark}"
        for m in shown.system.methods
    ]
    return (Words("\n\n".join([*lines, f"**Conserved by the flow:** {kept}.", "\n".join(keeps)])),)


def python(shown: Shown) -> Text:
    """The Python lines that give the same arrays: one simulate call per variant, with every number written out."""
    lines = ["# where nhviz is installed: pip install . in its folder", "import nhviz", "", "runs = {}"]
    for name, problem in shown.problems.items():
        lines += [f"runs[{name!r}] = nhviz.simulate(", *call(problem)]
    return (Lines("\n".join(lines)),)


def call(problem: Problem) -> list[str]:
    """The arguments of a simulate call, line by line."""
    facts = problem.to_dict()
    options = "".join(f", {name}={value!r}" for name, value in facts["options"].items())
    budget = f", budget={facts['budget']!r}" if facts.get("budget") is not None else ""
    return [
        f"    {facts['system']!r}, method={facts['method']!r},",
        f"    params={facts['params']!r},",
        f"    initial={facts['initial']!r},",
        f"    step={facts['step']!r}, duration={facts['duration']!r}, every={facts['every']!r}{budget}{options})",
    ]


def branch_table(shown: Shown) -> Text:
    """Every real displacement at the start, for each chosen map."""
    blocks: list[Words | Lines | Table] = []
    for name in shown.maps:
        declared = shown.method(name)
        if declared.branches is None:
            continue
        at = point_of_start(declared.branches, shown.params, shown.initial)
        found = find_branches(shown.system.id, declared.id, shown.params, shown.step_of(name), at)
        names = [n for n in found[0] if n not in ("principal", "certified")] if found else []
        rows = tuple(
            ("principal" if branch["principal"] else str(i), *(f"{branch[n]:.5g}" for n in names))
            for i, branch in enumerate(found)
        )
        note = NO_BRANCH if not found else "" if found[0].get("certified", True) else DOUBT
        blocks.append(Table(shown.looks[name].label, ("branch", *(HEADS.get(n, n) for n in names)), rows, note))
    return tuple(blocks) or (Words("Choose a discrete method to see its branches."),)


def text_views(branches: bool, panel: str = "") -> tuple[View, ...]:
    """Branches where a method has some, equations and Python lines."""
    table = (
        (View("branches", "Branches", branch_table, kind="text", panel=panel, short="Branches"),) if branches else ()
    )
    return (
        *table,
        View("equations", "Equations", equations, kind="text", panel=panel, short="Equations"),
        View("python", "Python", python, kind="text", panel=panel, short="Python"),
    )
