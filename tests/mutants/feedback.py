"""Mistakes in the details of the feedback race: falls, level sets, stability numbers, orders, sections."""

from tests.mutants.mutant import Mutant

FALL, LEVELS, LADDER = "nhviz/analysis/attraction.py", "nhviz/analysis/level_sets.py", "nhviz/analysis/ladder.py"
TURNS, FALLING, CROSSINGS = "nhviz/analysis/turns.py", "nhviz/figures/falling.py", "nhviz/figures/crossings.py"
NUMBER, SLOPES = "nhviz/figures/stability.py", "nhviz/figures/slopes.py"
ATTRACTION, STABILITY = "nhviz/labs/feedback/attraction.py", "nhviz/labs/feedback/stability.py"
ORDER, SECTIONS = "nhviz/labs/feedback/order.py", "nhviz/labs/feedback/sections.py"
METHOD, EXTENSIONS = "nhviz/methods/feedback.py", "nhviz/methods/extensions.py"
MUTANTS = (
    Mutant(
        "distances from the displaced start",
        FALL,
        "return values - targets(extension, run), gradients",
        "return values - values[0], gradients",
    ),
    Mutant("V without its half", FALL, "potential = 0.5 * away**2", "potential = away**2"),
    Mutant(
        "V of every run with its own gains",
        FALL,
        "extensions.gains_of(extension, weights)",
        "extensions.gains_of(extension, options)",
    ),
    Mutant("law of short steps for Euler", FALL, "one - z if base", "one - 0.5 * z if base"),
    Mutant("law of the other scheme", FALL, 'if base == "euler" else', 'if base != "euler" else'),
    Mutant("a fall that ends late", FALL, "ABOVE = 5.0", "ABOVE = 0.01"),
    Mutant("slope with its sign", FALL, "return -float(np.polyfit", "return float(np.polyfit"),
    Mutant(
        "V and distance exchanged",
        ATTRACTION,
        '{"off": found.distances[found.constraint], "V": found.potential}',
        '{"V": found.distances[found.constraint], "off": found.potential}',
    ),
    Mutant("law beside its run", ATTRACTION, "past = slice(found.first + 1)", "past = slice(found.first + 3)"),
    Mutant(
        "law and slope exchanged",
        ATTRACTION,
        "{readable(found.rate, 3)}/s, law {readable(found.expected, 3)}/s",
        "{readable(found.expected, 3)}/s, law {readable(found.rate, 3)}/s",
    ),
    Mutant("told to pull what pulls", ATTRACTION, "        return STILL\n", "        return RAISE\n"),
    Mutant("circle of the wrong radius", LEVELS, "radius = np.hypot(first, second)", "radius = abs(first)"),
    Mutant("parabola of half the slope", LEVELS, "/ (2.0 * slope) if slope", "/ slope if slope"),
    Mutant("saddle the other way up", LEVELS, "[rows, columns, -rows * columns]", "[rows, columns, rows * columns]"),
    Mutant(
        "level set of the displaced start",
        ATTRACTION,
        "shown.panel.ways[shown.system.truth.id], shown.admitted)",
        "shown.panel.ways[PULLED_EULER], shown.admitted)",
    ),
    Mutant("runs that leave are drawn to the end", ATTRACTION, "FAR = 1.5", "FAR = 1500.0"),
    Mutant(
        "stability number of the plain run",
        STABILITY,
        'orbit.quantity("stability")[shown.points(orbit)]',
        '0.0 * orbit.quantity("stability")[shown.points(orbit)]',
    ),
    Mutant("bound of Euler for all", STABILITY, 'BOUNDS[str(dict(orbit.problem.options)["base"])]', 'BOUNDS["euler"]'),
    Mutant(
        "largest pull of the run for that of the motion",
        STABILITY,
        "numbers.stable_pull(shown, variant)",
        "orbit.method.stable_pull(orbit, dict(orbit.problem.options)) * 1.02",
    ),
    Mutant(
        "dots of alarm within the bound",
        NUMBER,
        "beyond = number.values > number.bound",
        "beyond = number.values > 0.9 * number.bound",
    ),
    Mutant(
        "bound beside its line",
        NUMBER,
        '{"type": "line", "y0": number.bound, "y1": number.bound',
        '{"type": "line", "y0": 1.1 * number.bound, "y1": 1.1 * number.bound',
    ),
    Mutant("a lost run alone", STABILITY, "along_motion(shown, variant) if lost else None", "None"),
    Mutant("map beside the present pull", STABILITY, 'Axis("pull", pull / AROUND,', 'Axis("pull", pull,'),
    Mutant(
        "map without the gains of the page",
        STABILITY,
        "1.0 / problem.step if is_plain else own[name]",
        "1.0 / problem.step",
    ),
    Mutant("gains that never grow", ORDER, "if problem.method == METHOD and not held:", "if False:"),
    Mutant(
        "orders from a start that is off", ORDER, '        options["off"] = 0.0\n', '        options["off"] = 0.1\n'
    ),
    Mutant("slope of the longest steps", LADDER, "[:FITTED]\n", "[-FITTED:]\n"),
    Mutant("round-off as an order", LADDER, "ROUND_OFF = 1e-11", "ROUND_OFF = 1e-17"),
    Mutant("present step elsewhere", SLOPES, '"x0": here, "x1": here', '"x0": 2.0 * here, "x1": here'),
    Mutant(
        "panels of the section exchanged",
        SECTIONS,
        "crossings.Panel(0, 1, (names[0], names[1])",
        "crossings.Panel(1, 0, (names[0], names[1])",
    ),
    Mutant(
        "crossings downwards",
        SECTIONS,
        'section(longer(shown, variant), {"y": 1.0})',
        'section(longer(shown, variant), {"y": -1.0})',
    ),
    Mutant(
        "crossings of the thinned run",
        SECTIONS,
        "shown.runs[variant] if problem.every == 1 else shown.run(finer(problem))",
        "shown.runs[variant]",
    ),
    Mutant("crossings before their time", SECTIONS, '[0] + 1e-9, side="right")', '[0] + 3.0, side="right")'),
    Mutant("section at another level", SECTIONS, "{of: 1.0}, level, WAYS[way])", "{of: 1.0}, 0.5 * level, WAYS[way])"),
    Mutant("up and down exchanged", SECTIONS, '"up": 1, "down": -1', '"up": -1, "down": 1'),
    Mutant("turns of the other sense", TURNS, "found = min(mean, 1.0 - mean)", "found = max(mean, 1.0 - mean)"),
    Mutant(
        "ellipse shifted", CROSSINGS, "x=panel.curve[0], y=panel.curve[1]", "x=panel.curve[0] + 0.1, y=panel.curve[1]"
    ),
    Mutant("all crossings at once", CROSSINGS, "(x, y), counts=counts)", "(x, y), counts=0 * counts + len(x))"),
    Mutant(
        "distance in the colour of ink",
        FALLING,
        'line={"color": look.colour, "width": 1.7 * theme.weight},',
        'line={"color": theme.ink, "width": 1.7 * theme.weight},',
    ),
    Mutant("sections that end with the race", SECTIONS, "LONG, SOON = 400.0, 8000", "LONG, SOON = 0.0, 8000"),
    Mutant("sections on the clock of the race", SECTIONS, "faster * shown.part(", "shown.part("),
    Mutant("sections that take long", SECTIONS, "min(LONG, SOON * shown.step)", "LONG"),
    Mutant(
        "half of what a start is off by", METHOD, "return start + off / float(", "return start + 0.5 * off / float("
    ),
    Mutant(
        "a pull that is squared",
        EXTENSIONS,
        "for name in extension.gains]) * pull_of(options)",
        "for name in extension.gains]) * pull_of(options) ** 2",
    ),
)
