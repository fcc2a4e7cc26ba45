"""Mistakes in what systems draw and put behind their portraits."""

from tests.mutants.mutant import Mutant

TOP, SLED, BALL, KNIFE, DISK, RACER, HEISENBERG, TOP_N, SLED_N, BALL_N = (
    f"nhviz/systems/{name}.py"
    for name in ("suslov", "sleigh", "sphere", "knife_edge", "rolling_disk", "roller_racer", "heisenberg", "suslov_n",
                 "sleigh_n", "sphere_n")
)  # fmt: skip
SCENE = "nhviz/shapes.py"
MUTANTS = (
    Mutant("ellipsoid with its own moments", TOP, "0.78 * np.sqrt(moments[0] / moments)",
           "0.7 * np.sqrt(moments / moments[-1])"),
    Mutant("body axes in another order", TOP, '("axis_1", "axis_2", "forbidden_axis"))\n    )',
           '("axis_1", "forbidden_axis", "axis_2"))\n    )'),
    Mutant("path of the first axis", TOP, 'run["R"][:, :, 2], "forbidden_axis_path"',
           'run["R"][:, :, 0], "forbidden_axis_path"'),
    Mutant("path of the third row", TOP, 'run["R"][:, :, 2], "forbidden_axis_path"',
           'run["R"][:, 2, :], "forbidden_axis_path"'),
    Mutant("ellipsoid in a transposed frame", SCENE, "Mesh((vertices * semi_axes) @ frame.T",
           "Mesh((vertices * semi_axes) @ frame"),
    Mutant("headings turned backwards", SCENE, "= np.sin(angles)", "= -np.sin(angles)"),
    Mutant("centre of mass on the other side", SLED, 'Points(np.array([[a, b]]), "centre_of_mass")',
           'Points(np.array([[a, -b]]), "centre_of_mass")'),
    Mutant("hull beside the centre of mass", SLED, "Curve(outline + np.array([0.0, b])", "Curve(outline"),
    Mutant("blade across the sleigh", SLED, "size * np.array([[-0.5, 0.0], [0.5, 0.0]])",
           "size * np.array([[0.0, -0.5], [0.0, 0.5]])"),
    Mutant("ball sunk into the plane", BALL, 'np.full(len(run), rho)], axis=1)', 'np.zeros(len(run))], axis=1)'),
    Mutant("ball by the transposed attitude", BALL, 'run["R"], place),), (Curve(path',
           'run["R"].swapaxes(1, 2), place),), (Curve(path'),
    Mutant("incline the other way up", KNIFE, "np.array([np.cos(alpha), 0.0, -np.sin(alpha)])",
           "np.array([np.cos(alpha), 0.0, np.sin(alpha)])"),
    Mutant("knife with exchanged axes", KNIFE, """np.outer(run["x"], down)
    place[:, 1] = run["y"]""", """np.outer(run["y"], down)
    place[:, 1] = run["x"]"""),
    Mutant("disk rolling backwards", DISK, "attitude[:, 2, 2] = -s, c", "attitude[:, 2, 2] = s, c"),
    Mutant("steering without the heading", RACER, 'plane_rotations(run["theta"] + run["phi"])',
           'plane_rotations(run["phi"])'),
    Mutant("hinge at the other axle", RACER, "hinge = place + turn[:, :, 0] * d1",
           "hinge = place + turn[:, :, 0] * d2"),
    Mutant("steering hung up sideways", RACER, "hinge = place + turn[:, :, 0] * d1",
           "hinge = place + turn[:, :, 1] * d1"),
    Mutant("planes of Heisenberg tilted wrongly", HEISENBERG,
           'np.stack([-run["y"], run["x"], np.ones(len(run))], axis=1)',
           'np.stack([run["y"], -run["x"], np.ones(len(run))], axis=1)'),
    Mutant("sink and source swapped in n dimensions", TOP_N, "return sink, -sink", "return -sink, sink"),
    Mutant("flow lines of another energy", TOP_N, "Curve(np.sqrt(level) * unit_flow_lines",
           "Curve(level * unit_flow_lines"),
    Mutant("flow lines of another flow", TOP_N, "suslov_lines.follow(tuple(c), tuple(j)",
           "suslov_lines.follow(tuple(c), tuple(j[::-1])"),
    Mutant("flow lines backwards as forwards", TOP_N, "np.concatenate([-np.roll(path,",
           "np.concatenate([np.roll(path,"),
    Mutant("energy level of half the energy", TOP_N, "semi_axes = np.sqrt(2.0 * level * c)",
           "semi_axes = np.sqrt(level * c)"),
    Mutant("last axis for the turned one", TOP_N, 'Curve(run["R"][:, :3, -1], "forbidden_axis_path")',
           'Curve(run["R"][:, :3, 0], "forbidden_axis_path")'),
    Mutant("straight motions swapped", SLED_N, '(forward, backward) if run.params["a1"] > 0.0',
           '(forward, backward) if run.params["a1"] < 0.0'),
    Mutant("cusps at the sample before", SLED_N, "place[before] + share[:, None] *",
           "place[before] + 0.0 * share[:, None] *"),
    Mutant("arm to the wrong side", SLED_N, "Curve(np.stack([np.zeros(n), centre])",
           "Curve(np.stack([np.zeros(n), -centre])"),
    Mutant("blade along the second axis", SLED_N, "0.5 * length], np.eye(n)[0])", "0.5 * length], np.eye(n)[1])"),
    Mutant("shadows of the wrong rows", BALL_N, 'Part(axes, run["R"][:, :3, :], place)',
           'Part(axes, run["R"][:, 1:, :], place)'),
)  # fmt: skip
