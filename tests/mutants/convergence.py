"""Mistakes in the convergence lab: its errors, slopes, ends, times and words."""

from tests.mutants.mutant import Mutant

WORK, FIT, RUNGS = "nhviz/figures/work.py", "nhviz/analysis/asymptotic.py", "nhviz/analysis/work_precision.py"
LADDERS, PICTURES, WORDS, LEAD = (
    f"nhviz/labs/convergence/{name}.py" for name in ("ladders", "pictures", "words", "lead")
)
MUTANTS = (
    Mutant("errors at the start", RUNGS, "distance(run, truth, part)[-1]", "distance(run, truth, part)[0]"),
    Mutant("drifts at the end alone", RUNGS, "drift_of(run, quantity).max()", "drift_of(run, quantity)[-1]"),
    Mutant("steps by whole factors of two", RUNGS, "PER_HALVING = 2", "PER_HALVING = 1"),
    Mutant("gains that shrink", RUNGS, "options[name] * problem.step / step", "options[name] * step / problem.step"),
    Mutant("gains that always grow", LADDERS, "count, variant == GROWING, whole)", "count, True, whole)"),
    Mutant(
        "steps of twice the duration", LADDERS, "steps = duration / np.array(", "steps = 2.0 * duration / np.array("
    ),
    Mutant("a stable step of the gains themselves", LADDERS, "Limit(stable * shown.step,", "Limit(stable,"),
    Mutant("times in seconds", PICTURES, "1e3 * one.seconds[one.known]", "one.seconds[one.known]"),
    Mutant(
        "folds in another place",
        PICTURES,
        "End(shown.looks[name], one.limit.step,",
        "End(shown.looks[name], 2.0 * one.limit.step,",
    ),
    Mutant(
        "slopes of the longest steps",
        FIT,
        "known = known[np.argsort(steps[known])]\n    if",
        "known = known[np.argsort(-steps[known])]\n    if",
    ),
    Mutant("triangles of another slope", WORK, "bottom = top - slope.order * BASE", "bottom = top - BASE"),
    Mutant("triangles above the curve", WORK, "- GAP * (heights[1] - heights[0])", "+ GAP * (heights[1] - heights[0])"),
    Mutant(
        "triangles at the longest steps",
        WORK,
        "0.5 * (np.log10(slope.first) + np.log10(slope.last)) + 0.5 * BASE",
        "np.log10(slope.last) + 2.0 * BASE",
    ),
    Mutant("hatched before the fold", WORK, "far = 1e3 * end.step", "far = 1e-3 * end.step"),
    Mutant(
        "words of the worse one",
        WORDS,
        "if one.errors[shortest] < other.errors[shortest]",
        "if one.errors[shortest] > other.errors[shortest]",
    ),
    Mutant("a crossing elsewhere", FIT, "np.exp(x[i] - apart[i]", "np.exp(x[i] + apart[i]"),
    Mutant(
        "a lead without its sign",
        LEAD,
        "return float(lead[np.argmax(np.abs(lead))])",
        "return float(np.abs(lead).max())",
    ),
    Mutant("a formula of first order", LEAD, "constant * steps**2", "constant * problem.step * steps"),
)
"""Each is a single change that some picture, number or sentence must show."""
