"""Misprints of CP: feedback integrators for seven systems; and claims that are too strong."""

from nhviz.corrections.cp import knife, others
from nhviz.frame.records import Correction
from nhviz.views.leftovers import decided, drawn

TESTS = "tests/test_corrections_cp.py::"
RACE = "feedback?scene={}"

CORRECTIONS = (
    Correction(
        "cp-3-2", "CP", "3.2", "The knife edge turns half as fast",
        "For the stated data the printed solution breaks the constraint: its blade slips sideways. It also turns "
        "twice as fast as its angular momentum allows.",
        r"\begin{aligned} &x = \boxed{1 - \cos t} \\[3pt] "
        r"&y = \tfrac12(t - \sin t) \\[3pt] "
        r"&\varphi = \boxed{t} \end{aligned}",
        r"\begin{aligned} &x = \boxed{\tfrac12(1 - \cos t)} \\[3pt] "
        r"&y = \tfrac12(t - \sin t) \\[3pt] "
        r"&\varphi = \boxed{\tfrac12t} \end{aligned}",
        f"{TESTS}test_knife_edge", knife.told, knife.pictures,
        "feedback?scene=knife_edge&step=0.001&duration=200&pull=1&detail=error", "knife_edge", ("path",),
    ),
    Correction(
        "cp-44", "CP", "after (44)", "The extended energy depends on the heading",
        "Off the constraint the extended energy changes with the heading, which the printed gradient leaves out. So "
        "one of the three integrals is lost, whichever way one reads the field; on the constraint nothing changes.",
        r"\nabla_q\tilde H = (-mg\sin\alpha,\ 0,\ \boxed{0})",
        r"\nabla_q\tilde H = (-mg\sin\alpha,\ 0,\ \boxed{-p_\parallel J_1/\sqrt m})",
        f"{TESTS}test_gradient", decided(knife.gradient), drawn(knife.gradient), RACE.format("knife_edge"),
        "knife_edge", ("integrals",),
    ),
    Correction(
        "cp-remark-3-7", "CP", "Remark 3.7", "Velocities, not momenta",
        "The gradient of the energy by the momenta are the velocities. Both are the same only for a unit mass and a "
        "unit moment of inertia.",
        r"k_3\,\Delta H\,\boxed{p}", r"k_3\,\Delta H\,\boxed{(p_x/m,\ p_y/m,\ p_\varphi/J)}",
        f"{TESTS}test_velocities", decided(knife.velocities), drawn(knife.velocities), system="knife_edge",
        ideas=("integrals",),
    ),
    Correction(
        "cp-3-2-gains", "CP", "3.2", "Gains on the border of stability",
        "The paper expects feedback to do well here. Its own gains are exactly as large as Euler’s method bears at "
        "this step; a little more loses the run within seconds.",
        r"\begin{aligned} &k_1 = k_2 = k_3 = 1000 \\[3pt] "
        r"&\Delta t = 10^{-3}\quad\boxed{\text{no bound}} \end{aligned}",
        r"\Delta t\,k\,(1 + p_\parallel^2) \boxed{\le 2}",
        f"{TESTS}test_border", knife.border_told, knife.border_pictures,
        "feedback?scene=knife_edge&step=0.001&duration=200&pull=1.05", "knife_edge", ("order",),
    ),
    Correction(
        "cp-58", "CP", "after (58)", "The printed sign blows up",
        "The gradient that should pull the matrix back to a rotation pushes it away, and lacks a factor. Whoever uses "
        "it as printed loses the run within a tenth of a second.",
        r"\begin{aligned} &V = \tfrac{k_0}2\|R^TR - I\|^2 + \dots \\[3pt] "
        r"&\nabla_RV = \boxed{-k_0}\,R(R^TR - I) \end{aligned}",
        r"\begin{aligned} &V = \tfrac{k_0}2\|R^TR - I\|^2 + \dots \\[3pt] "
        r"&\nabla_RV = \boxed{2k_0}\,R(R^TR - I) \\[3pt] "
        r"&\text{or}\ \boxed{k_0}\,R(R^TR - I)\ \text{with}\ \tfrac{k_0}4 \end{aligned}",
        f"{TESTS}test_attitude", others.attitude_told, others.attitude_pictures, RACE.format("sleigh"), "sleigh",
        ("integrals",),
    ),
    Correction(
        "cp-3-4", "CP", "3.4", "The mass of the rolling disk",
        "The condition on the target momenta has lost the mass, and a few lines earlier the moment of inertia. It is "
        "harmless only where they are one.",
        r"I\,\Pi_{x0} - \boxed{R}\,\Pi_{\psi0} = 0", r"I\,\Pi_{x0} - \boxed{mR}\,\Pi_{\psi0} = 0",
        f"{TESTS}test_disk", decided(others.disk), drawn(others.disk), RACE.format("rolling_disk"), "rolling_disk",
        ("integrals",),
    ),
    Correction(
        "cp-3-5", "CP", "3.5", "A term of the racer’s constraint",
        "The first constraint of the roller racer lacks the momentum of the steering in one term. The formulas that "
        "follow from it contain the term and are right.",
        r"\begin{aligned} &\frac{d_1\cos\phi}{I_1}\,\boxed{p_\theta} + \frac{d_2}{I_2}p_\phi \\[3pt] "
        r"&\quad - \frac{\sin\phi}m(p_x\cos\theta + p_y\sin\theta) = 0 \end{aligned}",
        r"\begin{aligned} &\frac{d_1\cos\phi}{I_1}\,\boxed{(p_\theta - p_\phi)} + \frac{d_2}{I_2}p_\phi \\[3pt] "
        r"&\quad - \frac{\sin\phi}m(p_x\cos\theta + p_y\sin\theta) = 0 \end{aligned}",
        f"{TESTS}test_racer", decided(others.racer), drawn(others.racer), RACE.format("roller_racer"), "roller_racer",
        ("path",),
    ),
    Correction(
        "cp-3-6", "CP", "3.6", "Feedback does not help the Heisenberg system",
        "The paper expects feedback to do well in practice. On its straight lines Euler’s method is exact, the "
        "integrals grow ever steeper, and every fixed gain and step is lost in the end.",
        r"\boxed{\text{performs well for fixed } k,\ \Delta t}",
        r"\boxed{\Delta t\,k\,(1 + x^2 + y^2) < 2}\quad\text{only for a while}",
        f"{TESTS}test_heisenberg", others.heisenberg_told, others.heisenberg_pictures, RACE.format("heisenberg"),
        "heisenberg", ("order",),
    ),
    Correction(
        "cp-3-7", "CP", "3.7", "The energy of y is not kept off the constraint",
        "The extended oscillator is said to keep the energy of its y part. It does so only on the constraint, so that "
        "the theory of the paper does not apply as stated.",
        r"\dot H_y = \boxed{0}", r"\dot H_y = \boxed{-\frac{p_y\,(yp_x - p_z)(p_x + yp_z)}{(1 + y^2)^2}}",
        f"{TESTS}test_energy_of_y", decided(others.energy_of_y), drawn(others.energy_of_y), RACE.format("oscillator"),
        "oscillator", ("integrals",),
    ),
    Correction(
        "cp-3-7-dla", "CP", "3.7, Figure 6", "Which y belongs to the constraint",
        "The discrete map keeps its constraint exactly, with y of the instant before. What the figure plots pairs the "
        "momentum with the next y and is as large as the step.",
        r"J_c = p_{x,i+1} + \boxed{y_{i+1}}\,p_{z,i+1}", r"J_c = p_{x,i+1} + \boxed{y_i}\,p_{z,i+1} = 0",
        f"{TESTS}test_discrete_constraint", decided(others.discrete_constraint), drawn(others.discrete_constraint),
        "feedback?scene=oscillator&methods=reference.dla", "oscillator", ("integrals",),
    ),
    Correction(
        "cp-3-7-similar", "CP", "3.7, Figure 7", "Similar only to the eye",
        "Both methods are said to produce similar results. Feedback keeps the integrals it is told a thousand times "
        "better, the discrete map keeps the path better.",
        r"\boxed{\text{similar results}}", r"\boxed{\text{feedback: integrals; DLA: path}}",
        f"{TESTS}test_compared", others.compared_told, None, "feedback?scene=oscillator&duration=400", "oscillator",
        ("section",),
    ),
    Correction(
        "cp-slips", "CP", "throughout", "Slips of notation",
        "The gains of the Suslov run are those of (36); the norm of the unit matrix in Lemma 3.2 is the root of "
        "three; a rotation of the plane also has determinant one; Remark 2.4 differentiates by the momentum; Theorem "
        "3.9 means (62) and the third gain; the Heisenberg point is x, y, z; several tildes and dots are lost.",
        r"\begin{aligned} &k_1 = k_2 = k_3 = 100 \\[3pt] "
        r"&\|I\| + 1 = \boxed{4} \\[3pt] "
        r"&SO(2) = \{R^TR = I\} \\[3pt] "
        r"&\dot q = \partial\tilde H/\partial\boxed{q} \end{aligned}",
        r"\begin{aligned} &\boxed{k_0} = k_1 = k_2 = 100 \\[3pt] "
        r"&\|I\| + 1 = \boxed{\sqrt3 + 1} \\[3pt] "
        r"&SO(2) = \{R^TR = I,\ \boxed{\det R = 1}\} \\[3pt] "
        r"&\dot q = \partial\tilde H/\partial\boxed{p} \end{aligned}",
        f"{TESTS}test_slips", others.slips_told, system="suslov", ideas=("integrals",),
    ),
)  # fmt: skip
