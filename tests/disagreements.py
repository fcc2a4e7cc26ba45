"""Who disagrees about principal branches: nhviz, or the continuation of the tests; branches, runs and largest steps.

As a program it prints every disagreement:

    python -m tests.disagreements suslov 1000 [first seed]
"""

import sys

import numpy as np

import nhviz
from nhviz.analysis.steps import largest_step
from tests import continuation, seeded_bodies, suslov_ends

SHARES = (0.5, 0.9, 0.999, 1.001, 1.1)
"""Steps on both sides of an end, as shares of it."""
NEAR = 1e-8
"""Distance of unit vectors that are the same: at 0.999 of an end they lose two digits to the fold, to needles five."""
TIE = 1e-7
"""Relative distance from an end within which either answer is right: the product promises nine digits."""
SHAPES = ("mild", "elongated", "needle")
BALLS = ("mild", "rod", "heavy")

Complaints = list[str]


def suslov_tensor(params):
    return np.array([params[name] for name in ("I11", "I22", "I13", "I23")])


def suslov_momentum(params, energy, angle):
    return np.sqrt(2.0 * energy) * np.array(
        [params["I11"] ** 0.5 * np.cos(angle), params["I22"] ** 0.5 * np.sin(angle)]
    )


def suslov_branch(scheme, params, momentum, most):
    """The oracle's branch at least up to a step."""
    follow = {"moser_veselov": continuation.suslov_moser_veselov, "cayley": continuation.suslov_cayley}[scheme]
    return follow(suslov_tensor(params), momentum, most)


def euler_parameters(scheme, displacement):
    """(q1, q2, q0) of an oracle's displacement; for Cayley it is (x, y, S)."""
    if scheme == "moser_veselov":
        return displacement
    q = np.array([displacement[0], displacement[1], 1.0])
    return q / np.linalg.norm(q)


def apart(one, other):
    """Distance of two unit vectors up to their sign."""
    return float(min(np.linalg.norm(one - other), np.linalg.norm(one + other)))


def natural_step(params, momentum):
    """The step at which the flow would turn by about a radian."""
    return 1.0 / float(np.hypot(momentum[0] / params["I11"], momentum[1] / params["I22"]))


def marked_as_expected(system, scheme, params, step, at, names, expected) -> Complaints:
    """Whether exactly the expected displacement (or none) is marked as principal."""
    rows = nhviz.branches(system, scheme, params=params, step=step, at=at)
    marked = [np.array([row[name] for name in names]) for row in rows if row["principal"]]
    told = f"{system} {scheme} {params} step {step!r} at {at}"
    if expected is None:
        return [f"{told}: a displacement is marked, though the branch has ended"] if marked else []
    if len(marked) != 1:
        return [f"{told}: {len(marked)} of {len(rows)} are marked, the branch is at {expected}"]
    gap = apart(marked[0], expected)
    return [] if gap < NEAR else [f"{told}: marked {marked[0]}, but the branch is at {expected}"]


def suslov_branches(scheme, params, energy, angle) -> Complaints:
    """`branches` on both sides of the end of one momentum; of a branch without end at several lengths."""
    momentum = suslov_momentum(params, energy, angle)
    natural = natural_step(params, momentum)
    branch = suslov_branch(scheme, params, momentum, np.inf if scheme == "moser_veselov" else 30.0 * natural)
    shares = [share * branch.end for share in SHARES] if branch.end else [s * natural for s in (0.1, 1.0, 5.0, 30.0)]
    at = {"M1": float(momentum[0]), "M2": float(momentum[1])}
    found = []
    for step in shares:
        if not 1e-9 <= step <= 100.0:
            continue
        there = branch.at(step)
        expected = None if there is None else euler_parameters(scheme, there)
        found += marked_as_expected("suslov", scheme, params, float(step), at, ("q1", "q2", "q0"), expected)
    return found


def suslov_run(scheme, params, momentum, step, steps) -> Complaints:
    """Every displacement of a run, and where it stops."""
    # A run of no steps asks for one displacement, its start's.
    at_start, run = (
        nhviz.simulate("suslov", scheme, params, {"M1": momentum[0], "M2": momentum[1]}, step, duration)
        for duration in (0.0, steps * step)
    )
    told = f"suslov {scheme} {params} start {momentum.tolist()} step {step!r}"
    for k in range(steps + 1):
        branch = suslov_branch(scheme, params, momentum, step)
        if branch.end is not None and abs(branch.end - step) < TIE * step:
            return []
        there = branch.at(step)
        if there is None:
            stops = run.stopped is not None and len(run) == max(k, 1)
            return [] if stops else [f"{told}: has {len(run)} samples, {run.stopped}; the branch ends in step {k}"]
        if k >= len(run) or (k == 0 and at_start.stopped is not None):
            return [f"{told}: stops at {k}, {run.stopped}, but the branch goes on to {branch.end}"]
        q = euler_parameters(scheme, there)
        x, y = 0.5 * step * run["u"][k], 0.5 * step * run["v"][k]
        mine = np.array([x, y, 1.0]) / np.sqrt(1.0 + x * x + y * y)
        if apart(q, mine) > NEAR:
            return [f"{told}: step {k} is {mine}, the branch is at {q}"]
        if k + 1 < len(run):
            momentum = np.array([run["M1"][k + 1], run["M2"][k + 1]])
        else:
            momentum = continuation.suslov_after(scheme, suslov_tensor(params), momentum, step, q[:2] / q[2])
    return [] if run.stopped is None and len(run) == steps + 1 else [f"{told}: {run.stopped}, but nothing ends"]


def suslov_largest(scheme, params, energy, rays) -> Complaints:
    """The largest step at an energy is the infimum of all ends; of thin wedges either answer is right."""
    said = largest_step("suslov", scheme, params=params, energy=energy)
    tensor, value = suslov_tensor(params), np.inf if said is None else said
    most = np.inf if scheme == "moser_veselov" else 10.0 * float(np.sqrt(0.5 * tensor[:2].max() / energy))
    right = suslov_ends.suslov_largest_steps(scheme, tensor, energy, rays, most)
    if any(abs(value - step) <= 1e-6 * step if np.isfinite(step) else value > most for step, _ in right):
        return []
    if scheme == "cayley" and value < right[0][0] and suslov_ends.cayley_cusp_on_the_way(tensor, energy, value):
        return []
    return [f"suslov {scheme} {params} energy {energy!r}: largest step {said}, but it is {right}"]


def suslov_never_disagree(scheme, params, energy, random) -> Complaints:
    """Below the largest step every momentum of the energy has a principal displacement, and its run goes on."""
    said = largest_step("suslov", scheme, params=params, energy=energy)
    step = min(100.0, 0.9999 * (np.inf if said is None else said))
    found = []
    for angle in random.uniform(0.0, 2.0 * np.pi, 8):
        momentum = suslov_momentum(params, energy, angle)
        start = {"M1": float(momentum[0]), "M2": float(momentum[1])}
        told = f"suslov {scheme} {params} energy {energy!r} angle {angle!r}: below the largest step {said}"
        if not any(row["principal"] for row in nhviz.branches("suslov", scheme, params=params, step=step, at=start)):
            found.append(f"{told} no displacement is marked")
        # Only Moser-Veselov keeps the energy; the first step of Cayley is safe.
        steps = 200 if scheme == "moser_veselov" else 0
        run = nhviz.simulate("suslov", method=scheme, params=params, initial=start, step=step, duration=steps * step)
        if run.stopped is not None:
            found.append(f"{told} a run ends: {run.stopped}")
    return found


def suslov_complaints(seed: int) -> Complaints:
    """Everything about one seeded top, with both maps."""
    random = np.random.default_rng(seed)
    params, energy, angle = seeded_bodies.suslov_case(random, SHAPES[seed % 3])
    found = []
    for scheme in ("moser_veselov", "cayley"):
        rays = 2000 if scheme == "moser_veselov" else 400
        found += suslov_largest(scheme, params, energy, rays)
        found += suslov_never_disagree(scheme, params, energy, random)
        for here in (angle, angle + 2.0, angle + 4.0):
            found += suslov_branches(scheme, params, energy, here)
        momentum = suslov_momentum(params, energy, angle)
        natural = natural_step(params, momentum)
        end = suslov_branch(scheme, params, momentum, 3.0 * natural).end or 3.0 * natural
        for share in (0.4, 0.95, 1.05):
            found += suslov_run(scheme, params, momentum, min(float(share * end), 100.0), 8)
    # Where the lowest end is, next to the jump if there is one.
    for _, lowest in suslov_ends.suslov_largest_steps("moser_veselov", suslov_tensor(params), energy):
        for beside in (-1e-3, -1e-6, 1e-6, 1e-3):
            found += suslov_branches("moser_veselov", params, energy, lowest + beside)
    return found


def sphere_complaints(seed: int) -> Complaints:
    """The largest step, branches on both sides of it, and a run of one seeded ball."""
    random = np.random.default_rng(seed)
    mass, d, gamma, skew = seeded_bodies.sphere_case(random, 3, BALLS[seed % 3])
    return sphere_start(mass, d, gamma, np.array([skew[2, 1], skew[0, 2], skew[1, 0]]))


def sphere_start(mass, d, gamma, omega) -> Complaints:
    """What is wrong with one start of the sphere with radius one."""
    params = dict(zip(("J1", "J2", "J3"), mass.tolist(), strict=True)) | {"m": d, "rho": 1.0}
    initial = {f"gamma{i + 1}": float(gamma[i]) for i in range(3)} | {
        f"omega{i + 1}": float(omega[i]) for i in range(3)
    }
    momentum = (mass.sum() - mass) * omega + d * (omega - (omega @ gamma) * gamma)
    branch = continuation.sphere(mass, d, gamma, momentum)
    told = f"sphere {params} {initial}"
    said = largest_step("sphere", "fedorov", params=params, initial=initial)
    found = [] if same(said, branch.end) else [f"{told}: largest step {said}, but the branch ends at {branch.end}"]
    at = {f"K{i + 1}": float(momentum[i]) for i in range(3)} | {f"gamma{i + 1}": float(gamma[i]) for i in range(3)}
    for share in SHARES:
        step = float(share * branch.end)
        names = ("q0", "q1", "q2", "q3")
        found += marked_as_expected("sphere", "fedorov", params, step, at, names, branch.at(step))
    for share in (0.6, 0.97, 1.05):
        step = float(share * branch.end)
        run = nhviz.simulate("sphere", method="fedorov", params=params, initial=initial, step=step, duration=6 * step)
        k, vertical = (np.stack([run[f"{name}{i}"] for i in (1, 2, 3)], axis=1) for name in ("K", "gamma"))

        def follow(i, k=k, vertical=vertical):
            return continuation.sphere(mass, d, vertical[i], k[i])

        def after(i, q, k=k):
            return continuation.rotation(q).T @ k[i]

        found += run_follows(f"{told} step {step!r}", run, step, 6, k, follow, after)
    return found


def same(said, end) -> bool:
    """Whether two ends agree; None is no end."""
    return (said is None) == (end is None) and (said is None or abs(said - end) <= TIE * end)


def run_follows(told, run, step, steps, momenta, follow, after) -> Complaints:
    """Every step of a run whose last sample is the one at which no displacement is left."""
    for k in range(min(len(run), steps)):
        branch = follow(k)
        if branch.end is not None and abs(branch.end - step) < TIE * step:
            return []
        there = branch.at(step)
        last = k == len(run) - 1
        if there is None:
            stops = last and run.stopped is not None
            return [] if stops else [f"{told}: goes on after step {k}, where the branch has ended at {branch.end}"]
        if last:
            return [f"{told}: {run.stopped}, but the branch goes on to {branch.end}"]
        expected = after(k, there)
        if np.abs(momenta[k + 1] - expected).max() > NEAR * np.abs(momenta).max():
            return [f"{told}: step {k} leads to {momenta[k + 1]}, the branch to {expected}"]
    return [] if run.stopped is None and len(run) == steps + 1 else [f"{told}: {run.stopped}, but nothing ends"]


def sphere_n_complaints(seed: int) -> Complaints:
    """The largest step and a run of one seeded ball in n dimensions."""
    random = np.random.default_rng(seed)
    n = 3 + seed // 3 % 3
    return sphere_n_start(*seeded_bodies.sphere_case(random, n, BALLS[seed % 3]))


def sphere_n_start(mass, d, gamma, omega) -> Complaints:
    """What is wrong with one start of the sphere in n dimensions."""
    n = mass.size
    upper = [(i, j) for i in range(n) for j in range(i + 1, n)]
    params = {"n": n, "D": d} | {f"J{i + 1}": float(mass[i]) for i in range(n)}
    initial = {f"gamma{i + 1}": float(gamma[i]) for i in range(n)}
    initial |= {f"omega{i + 1}{j + 1}": float(omega[i, j]) for i, j in upper}
    shape = np.diag(mass) + d * np.outer(gamma, gamma)
    branch = continuation.sphere_n(mass, d, gamma, shape @ omega + omega @ shape)
    told = f"sphere_n {params} {initial}"
    said = largest_step("sphere_n", "fedorov", params=params, initial=initial)
    found = [] if same(said, branch.end) else [f"{told}: largest step {said}, but the branch ends at {branch.end}"]
    for share in (0.7, 0.999, 1.001):
        step = float(share * branch.end)
        run = nhviz.simulate("sphere_n", method="fedorov", params=params, initial=initial, step=step, duration=3 * step)
        k = np.zeros((len(run), n, n))
        for i, j in upper:
            k[:, i, j] = run[f"K{i + 1}{j + 1}"]
            k[:, j, i] = -k[:, i, j]
        vertical = np.stack([run[f"gamma{i + 1}"] for i in range(n)], axis=1)

        def follow(i, k=k, vertical=vertical, step=step):
            return continuation.sphere_n(mass, d, vertical[i], k[i], step)

        def after(i, omega, k=k):
            turn = omega.reshape(n, n)
            return turn.T @ k[i] @ turn

        found += run_follows(f"{told} step {step!r}", run, step, 3, k, follow, after)
    return found


def suslov_n_complaints(seed: int) -> Complaints:
    """The largest step and a run of one seeded top in n dimensions."""
    random = np.random.default_rng(seed)
    return suslov_n_start(*seeded_bodies.suslov_n_case(random, 3 + seed // 2 % 4, SHAPES[seed % 2]))


def suslov_n_start(mass, products, momentum) -> Complaints:
    """What is wrong with one start of the top in n dimensions."""
    n = mass.size
    params = {"n": n, "Jn": float(mass[-1])} | {f"J{i + 1}": float(mass[i]) for i in range(n - 1)}
    params |= {f"J{i + 1}n": float(products[i]) for i in range(n - 1)}
    names, moments = [f"p{i + 1}" for i in range(n - 1)], mass[:-1] + mass[-1]
    initial = dict(zip(names, momentum.tolist(), strict=True))
    branch = continuation.suslov_n(moments, products, momentum)
    told = f"suslov_n {params} {initial}"
    said = largest_step("suslov_n", "moser_veselov", params=params, initial=initial)
    found = [] if same(said, branch.end) else [f"{told}: largest step {said}, but the branch ends at {branch.end}"]
    for share in (0.05, 0.5, 0.9, 0.999, 1.001, 1.1):
        step = min(float(share * branch.end), 100.0)
        run = nhviz.simulate(
            "suslov_n", method="moser_veselov", params=params, initial=initial, step=step, duration=6 * step
        )
        p = np.stack([run[name] for name in names], axis=1)

        def follow(i, p=p, step=step):
            return continuation.suslov_n(moments, products, p[i], step)

        def after(i, z, p=p, step=step):
            return continuation.suslov_n_after(products, p[i], step, z)

        found += run_follows(f"{told} step {step!r}", run, step, 6, p, follow, after)
    return found


def sleigh_n_complaints(seed: int) -> Complaints:
    """The largest step and a run of one seeded sleigh in n dimensions."""
    random = np.random.default_rng(seed)
    n = 2 + seed // 2 % 3
    mass, products, m, centre, momentum = seeded_bodies.sleigh_n_case(random, n, SHAPES[seed % 2])
    params = {"n": n, "m": m} | {f"J{i + 1}": float(mass[i]) for i in range(n)}
    params |= {f"J1{i + 2}": float(products[i]) for i in range(n - 1)} | {
        f"a{i + 1}": float(centre[i]) for i in range(n)
    }
    names, matrix = (
        [*(f"L{i + 2}" for i in range(n - 1)), "p_1"],
        seeded_bodies.sleigh_mass_matrix(mass, products, m, centre),
    )
    initial = dict(zip(names, momentum.tolist(), strict=True))
    told = f"sleigh_n {params} {initial}"
    said = largest_step("sleigh_n", "fedorov_zenkov", params=params, initial=initial)
    # A branch without a fold is followed until the flow would have gone far, and past every fold that is claimed.
    natural = float(np.sqrt(matrix.trace() / (momentum @ momentum)))
    most = 1.2 * said if said is not None and said < 40.0 * natural else 6.0 * natural
    branch = continuation.sleigh_n(matrix, momentum, most)
    right = said is None or said > most if branch.end is None else same(said, branch.end)
    found = [] if right else [f"{told}: largest step {said}, but the branch ends at {branch.end}"]
    for share in (0.05, 0.5, 0.9, 0.999, 1.001, 1.1):
        step = min(float(share * (branch.end or 0.3 * most)), 100.0)
        run = nhviz.simulate(
            "sleigh_n", method="fedorov_zenkov", params=params, initial=initial, step=step, duration=6 * step
        )
        p = np.stack([run[name] for name in names], axis=1)

        def follow(i, p=p, step=step):
            return continuation.sleigh_n(matrix, p[i], step)

        def after(_, displacement, step=step):
            return continuation.sleigh_n_after(matrix, step, displacement)

        found += run_follows(f"{told} step {step!r}", run, step, 6, p, follow, after)
    return found


COMPLAINTS = {
    "suslov": suslov_complaints,
    "sphere": sphere_complaints,
    "sphere_n": sphere_n_complaints,
    "suslov_n": suslov_n_complaints,
    "sleigh_n": sleigh_n_complaints,
}


def main(system: str, count: int = 100, first: int = 0) -> None:
    """Print every disagreement about seeded bodies."""
    wrong = 0
    for seed in range(first, first + count):
        try:
            found = COMPLAINTS[system](seed)
        except continuation.SingularError:
            found = ["the oracle does not know"]
        wrong += bool(found)
        for complaint in found:
            print(seed, complaint, flush=True)
    print(f"{wrong} of {count} bodies")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
