"""Mistakes in the race of the feedback lab: its ghosts, its finish, its words."""

from tests.mutants.mutant import Mutant

RACE, SPACE, NOTES = "nhviz/figures/race.py", "nhviz/figures/race_space.py", "nhviz/figures/notes.py"
THING, FINISH, RESULTS, WORDS, RACERS, PRESETS = (
    f"nhviz/labs/feedback/{name}.py" for name in ("thing", "finish", "results", "words", "racers", "experiments")
)
MUTANTS = (
    Mutant(
        "errors from the ghost to itself",
        RACE,
        "np.stack([ghost.beside, ghost.places], axis=1)",
        "np.stack([ghost.places, ghost.places], axis=1)",
    ),
    Mutant(
        "errors in space from the ghost to itself",
        SPACE,
        "np.stack([ghost.beside, ghost.places], axis=1)",
        "np.stack([ghost.places, ghost.places], axis=1)",
    ),
    Mutant(
        "ghosts where the truth is", THING, "places = way(motion)[instants]", "places = way(drawing(truth))[instants]"
    ),
    Mutant(
        "ghosts in the colour of ink",
        RACE,
        'line={"color": look.colour, "width": 1.5 * theme.weight}',
        'line={"color": theme.ink, "width": 1.5 * theme.weight}',
    ),
    Mutant(
        "ghosts on another clock",
        RACE,
        "body = Cursor(index, look.key, shape=curve.points,",
        'body = Cursor(index, "euler", shape=curve.points,',
    ),
    Mutant("words of other numbers", THING, "off(shown, variant)[instants],", "2.0 * off(shown, variant)[instants],"),
    Mutant(
        "words that begin elsewhere",
        RACE,
        "ghost.look, ghost.orbit.moving, ghost.off,",
        "ghost.look, tuple(ghost.beside.T.copy()), ghost.off,",
    ),
    Mutant("ghosts of what cannot be seen", RACE, "VISIBLE = 0.006", "VISIBLE = 0.0"),
    Mutant("numbers of notes left out", NOTES, "written.typed(note.numbers)", "written.typed(0.0 * note.numbers)"),
    Mutant("lines to words in ink", NOTES, '"line": note.look.colour', '"line": "#171b21"'),
    Mutant("lines of other words", NOTES, "note=note, leader=leader,", "note=note, leader=leaders[0],"),
    Mutant(
        "truth in the colour of its method",
        SPACE,
        "Look(look.key, look.label, theme.ink, look.symbol)",
        "Look(look.key, look.label, look.colour, look.symbol)",
    ),
    Mutant(
        "angles instead of lengths",
        THING,
        'UNITS = {"Path": "m", "Attitude": "rad"}',
        'UNITS = {"Path": "rad", "Attitude": "m"}',
    ),
    Mutant(
        "lengths in one main plane", SPACE, "([0, 1, 2], [0, 2, 1], [2, 0, 1])]", "([0, 1, 2], [0, 2, 1], [2, 1, 1])]"
    ),
    Mutant(
        "Euler and its feedback exchanged",
        RACERS,
        'EULER, PULLED_EULER, RK4, PULLED_RK4 = "euler", "euler_feedback"',
        'EULER, PULLED_EULER, RK4, PULLED_RK4 = "euler_feedback", "euler"',
    ),
    Mutant(
        "plain schemes that are pulled",
        RACERS,
        "gains(model.method(METHOD)), 0.0)",
        "gains(model.method(METHOD)), 0.1)",
    ),
    Mutant("the pull opens elsewhere", RACERS, "PULL = 0.1", "PULL = 0.2"),
    Mutant(
        "four evaluations of Euler",
        RESULTS,
        'return STAGES[str(shown.panel.ways[variant].options["base"])]',
        "return 4",
    ),
    Mutant("the last drift instead of the largest", RESULTS, "name: float(drift.max())", "name: float(drift[-1])"),
    Mutant(
        "the last error instead of the largest",
        RESULTS,
        "float(off(shown, variant).max())",
        "float(off(shown, variant)[-1])",
    ),
    Mutant("the dearest is taken", RESULTS, "return min(near, key=", "return max(near, key="),
    Mutant(
        "the farthest is taken",
        RESULTS,
        "best = max(min(one.off for one in arrived)",
        "best = max(max(one.off for one in arrived)",
    ),
    Mutant("dots at the largest", FINISH, "return value <= least < max(column)", "return value >= max(column)"),
    Mutant(
        "bars without logarithms",
        FINISH,
        "(log10(max(value, numbers.ROUND_OFF)) - low + SHORTEST)",
        "(value - low + SHORTEST)",
    ),
    Mutant(
        "columns of what all keep",
        FINISH,
        ">= numbers.ROUND_OFF for one in found.values())]",
        ">= 0.0 for one in found.values())]",
    ),
    Mutant("worse called better", FINISH, "readable(pulled / plain, 2)", "readable(plain / pulled, 2)"),
    Mutant("errors of the sentence exchanged", WORDS, "for one in (plain, pulled))", "for one in (pulled, plain))"),
    Mutant("times of the wrong way", WORDS, "return max(plain.drifts[first]", "return max(pulled.drifts[first]"),
    Mutant("back before it is", WORDS, "BACK = 0.05", "BACK = 0.5"),
    Mutant(
        "bounds exchanged",
        WORDS,
        'BOUNDS[str(shown.panel.ways[name].options["base"])]\n            now',
        'BOUNDS["rk4"]\n            now',
    ),
    Mutant("off now is off then", WORDS, "values = held[shown.points(run)]", "values = held[shown.points(run)][::-1]"),
    Mutant("gains of another figure", PRESETS, "&pull=0.5&k2=0.6&k3=0.6", "&pull=0.6&k2=0.5&k3=0.5"),
    Mutant("a knife with a tenth of its gains", PRESETS, "&duration=200&pull=1", "&duration=200&pull=0.1"),
)
