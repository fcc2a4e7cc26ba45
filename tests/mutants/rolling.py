"""Mistakes in the pictures of the rolling ball."""

from tests.mutants.mutant import Mutant

FIGURE, ARROWS, TABLE = "nhviz/figures/rolling.py", "nhviz/figures/arrows.py", "nhviz/figures/table.py"
TEXTURED, VERTICALS, ENERGY = "nhviz/figures/textured.py", "nhviz/figures/verticals.py", "nhviz/figures/energy.py"
PATHS, STEPS, VIEWS = "nhviz/figures/step_paths.py", "nhviz/labs/sphere/steps.py", "nhviz/labs/sphere/rolling_views.py"
SCENE, REGION = "nhviz/labs/sphere/rolling.py", "nhviz/analysis/vertical_region.py"
BAND, PALETTE, NUMBERS = "nhviz/analysis/energy_band.py", "nhviz/figures/palette.py", "nhviz/views/numbers.py"
MUTANTS = (
    Mutant("momentum of the body for that in space", VIEWS, "momentum=steps.momentum_in_space(run)[0]",
           'momentum=np.array([run[f"K{i}"][0] for i in (1, 2, 3)])'),
    Mutant("momentum and velocity exchanged", VIEWS, 'velocities=steps.in_space(run, "omega")',
           'velocities=steps.in_space(run, "K")'),
    Mutant("arrow that does not leave the skin", ARROWS, "(rho, 1.0, 0.0) if outwards", "(0.0, 1.0, 0.0) if outwards"),
    Mutant("arrows of one length", ARROWS, "longest / (float(sizes.max()) or 1.0) * vectors", "longest * along"),
    Mutant("head of an arrow along it", ARROWS, "found[:, :, 2] = along", "found[:, :, 2] = -along"),
    Mutant("momentum down through the table", FIGURE, "arrows.arrow(rho, shown.momentum[2] >= 0.0)",
           "arrows.arrow(rho, True)"),
    Mutant("path to come as broad as that behind", FIGURE, "look.colour, 2.4, opacity=0.5", "look.colour, 6.0, opacity=0.5"),
    Mutant("a dot too few behind the ball", FIGURE, "counts=np.arange(1, count + 1)", "counts=np.arange(count)"),
    Mutant("ball that leaves the picture", FIGURE, "np.argmax(fits)] if fits.any()", "0] if fits.any()"),
    Mutant("table beside the path", FIGURE, "0.5 * (points.min(axis=1) + points.max(axis=1))", "points.min(axis=1)"),
    Mutant("shadow that stays behind", TABLE, "shape=shape, rotations=level, translations=below",
           "shape=shape, rotations=level, translations=0.0 * below"),
    Mutant("grid beyond the table", TABLE, "radius**2 - (at - middle[way]) ** 2", "radius**2 + (at - middle[way]) ** 2"),
    Mutant("tones that do not alternate", TEXTURED, "octants(*FINE).astype", "(0 * octants(*FINE)).astype"),
    Mutant("caps at one end only", TEXTURED, "for sign in (1.0, -1.0)]", "for sign in (1.0, 1.0)]"),
    Mutant("ball turned the other way", TEXTURED, "shape=mesh.vertices, rotations=rotations",
           "shape=mesh.vertices, rotations=rotations.transpose(0, 2, 1)"),
    Mutant("edge of another energy", REGION, "return self.level(self.energy)", "return self.level(1.02 * self.energy)"),
    Mutant("edge in one octant", REGION, "(SIGNS[:, None] * np.concatenate(pieces))", "(SIGNS[:1, None] * np.concatenate(pieces))"),
    Mutant("half of the momentum beside the vertical", REGION, "return Region(sphere_branches.ball(params), along, across,",
           "return Region(sphere_branches.ball(params), along, 0.5 * across,"),
    Mutant("levels as broad as the edge", VERTICALS, "theme.surface_line, 1.5", "theme.surface_line, 4.0"),
    Mutant("axes of the globe exchanged", VERTICALS, "zip(np.eye(3), names, strict=True)",
           "zip(np.eye(3)[::-1], names, strict=True)"),
    Mutant("past of the vertical one step late", VERTICALS, "orbit.stride * np.arange(len(orbit.moving[0])) + 1",
           "orbit.stride * np.arange(len(orbit.moving[0]))"),
    Mutant("last distance for the largest", STEPS, "y[:common]).max())", "y[:common])[-1])"),
    Mutant("flow at other times", STEPS, 'return fine["x"][::whole], fine["y"][::whole]',
           'return fine["x"][::2 * whole], fine["y"][::2 * whole]'),
    Mutant("step of the page at every path", VIEWS, 'return f"{shown.step_of(variant):.3g} s', 'return f"{shown.step:.3g} s'),
    Mutant("words at another run", PATHS, "float(one.places[1][sample])", "float(one.places[0][sample])"),
    Mutant("longer steps with smaller dots", PALETTE, "{SHORTER: 0.7, LONGER: 1.6}", "{SHORTER: 1.6, LONGER: 0.7}"),
    Mutant("three steps in three colours", PALETTE, "FIRST if slot in SCALES", "slot - 7 if slot in SCALES"),
    Mutant("half of the band", BAND, "return bands[:, 1] - bands[:, 0]", "return bands[:, 1]"),
    Mutant("drift called none", BAND, "RISE = 0.25", "RISE = 25.0"),
    Mutant("one swing called many", BAND, "SWINGS = 4", "SWINGS = 0"),
    Mutant("line of slope one", ENERGY, "(ends / steps[0]) ** 2", "(ends / steps[0])"),
    Mutant("band that ends at zero", ENERGY, '"y0": low, "y1": high', '"y0": low, "y1": 0.0'),
    Mutant("fold at the present step", ENERGY, '"x0": fold, "x1": fold', '"x0": 0.5 * fold, "x1": 0.5 * fold'),
    Mutant("power of ten with the wrong sign", ENERGY, "power_of_ten(-power)", "power_of_ten(power)"),
    Mutant("twice the kinetic energy", VIEWS, '0.5 * run.quantity("energy")[chosen]', 'run.quantity("energy")[chosen]'),
    Mutant("drift for the band in the sentence", SCENE, "band = steps.width(shown.runs[variant])",
           'band = numbers.greatest(shown, variant, "K_K")'),
    Mutant("steps aside have a say", NUMBERS, "if not shown.panel.ways[name].aside]:", "]:"),
)  # fmt: skip
