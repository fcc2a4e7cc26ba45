"""Misprints of FZ: the Suslov top and the Chaplygin sleigh, and what is not as the paper says."""

from nhviz.corrections.fz import sleigh, top
from nhviz.frame.records import Correction
from nhviz.views.leftovers import decided, drawn

TESTS = "tests/test_corrections_fz.py::"
RP2 = "suslov?detail=disk"

CORRECTIONS = (
    Correction(
        "fz-5", "FZ", "section 5", "The moment of inertia is about the centre of mass",
        "The paper takes it about the contact point. Its own Lagrangian then counts the mass of the sleigh twice.",
        r"J\ \text{relative to}\ \boxed{\text{the contact point}}",
        r"J\ \text{relative to}\ \boxed{\text{the centre of mass}}",
        f"{TESTS}test_about", decided(sleigh.about), drawn(sleigh.about), "sleigh", "sleigh", ("integrals",),
    ),
    Correction(
        "fz-5-1", "FZ", "(5.1)", "The cross terms of the sleigh",
        "In the Lagrangian the speed stands squared where it should not, and the angular momentum counts the push of "
        "the blade twice. The equations of motion that follow are right.",
        r"\begin{aligned} &l = \tfrac12[\dots - 2mb\,\omega\,\boxed{v_1^2} + \dots] \\[3pt] "
        r"&p_\theta = \dots + \boxed{2m}\,(av_2 - bv_1) \end{aligned}",
        r"\begin{aligned} &l = \tfrac12[\dots - 2mb\,\omega\,\boxed{v_1} + \dots] \\[3pt] "
        r"&p_\theta = \dots + \boxed{m}\,(av_2 - bv_1) \end{aligned}",
        f"{TESTS}test_cross_terms", sleigh.cross_told, drawn(sleigh.cross_term), "sleigh", "sleigh", ("integrals",),
    ),
    Correction(
        "fz-5-cusp", "FZ", "section 5", "Where the cusps are",
        "The line of the momentum plane on which the blade stands still is printed with the wrong two momenta.",
        r"mb\,\boxed{p_1} + (J + m(a^2 + b^2))\,\boxed{p_2} = 0",
        r"mb\,\boxed{p_\theta} + (J + m(a^2 + b^2))\,\boxed{p_1} = 0",
        f"{TESTS}test_cusp", decided(sleigh.cusp), sleigh.cusp_pictures, "sleigh", "sleigh", ("path",),
    ),
    Correction(
        "fz-6-12", "FZ", "after (6.12)", "Four real displacements of a thin rod",
        "For a positive definite form a momentum is said to have at most two real displacements. A thin rod has four "
        "at some momenta, and it is a real body.",
        r"\#\{q\} \le \boxed2", r"\#\{q\} \le \boxed4",
        "tests/test_suslov_branches.py::test_moser_veselov_has_four_real_branches_for_some_tensors",
        top.four_told, top.four_pictures, "suslov?I11=0.11&I22=4.896&I33=4.99&I13=0.0328&I23=0.021", "suslov",
        ("branches",),
    ),
    Correction(
        "fz-6-16", "FZ", "(6.16)", "The momentum is twice as large",
        "The equations that are solved in every step lack the factor of two of (6.12), and so does the last component "
        "below them. Solved as printed, each step would turn the body about twice as far as the step before.",
        r"\begin{aligned} &(M_{k+1})_1 = \boxed{\ }\,((J_{22} + J_{33})\tilde q_1 - J_{12}\tilde "
        r"q_2)\tilde q_0 \\[3pt] "
        r"&\quad - (J_{13}\tilde q_1 + J_{23}\tilde q_2)\tilde q_2 \end{aligned}",
        r"\begin{aligned} &(M_{k+1})_1 = \boxed2\,[((J_{22} + J_{33})\tilde q_1 - J_{12}\tilde q_2)\tilde q_0 \\[3pt] "
        r"&\quad - (J_{13}\tilde q_1 + J_{23}\tilde q_2)\tilde q_2] \end{aligned}",
        f"{TESTS}test_factor", decided(top.factor), drawn(top.factor), "suslov", "suslov", ("surface",),
    ),
    Correction(
        "fz-6-18", "FZ", "(6.18)", "A quarter of the integral",
        "The integral in terms of the displacement is a quarter of that in terms of the momenta, so that the critical "
        "levels of both differ by four.",
        r"(6.17) = \boxed{H}", r"(6.17) = \boxed{4H}",
        f"{TESTS}test_quarter", decided(top.quarter), drawn(top.quarter), RP2, "suslov", ("integrals",),
    ),
    Correction(
        "fz-6-saddle", "FZ", "section 6, Figure 6.3", "A third saddle on the projective plane",
        "The paper has two saddles and two centres. A third saddle lies on the rim, among the half turns, because the "
        "half turn about the axis of rest is a second minimum.",
        r"\#\{\text{saddles}\} = \boxed2", r"\#\{\text{saddles}\} = \boxed3",
        f"{TESTS}test_saddles", top.saddle_told, top.saddle_pictures, RP2, "suslov", ("integrals", "branches"),
    ),
    Correction(
        "fz-6-3", "FZ", "Theorem 6.3", "The stable half line",
        "The statement puts the stable and the unstable rotations on the same half line. In the proof every increment "
        "is half of what it should be, so that the next coordinate has one term more.",
        r"\begin{aligned} &\mathbb P_s = \mathbb P\cap\boxed{\Theta_-} \\[3pt] "
        r"&\mathcal M_{1,k+1} = L\,\Delta\,q_0 \\[3pt] "
        r"&L = J_{13}q_1 + J_{23}q_2 \end{aligned}",
        r"\begin{aligned} &\mathbb P_s = \mathbb P\cap\boxed{\Theta_+} \\[3pt] "
        r"&\mathcal M_{1,k+1} = L\,(\Delta\,q_0\,\boxed{- Q}) \\[3pt] "
        r"&L = J_{13}q_1 + J_{23}q_2 \end{aligned}",
        f"{TESTS}test_theorem_6_3", top.theorem_told, drawn(top.increments), "suslov", "suslov", ("phase",),
    ),
    Correction(
        "fz-7-cubic", "FZ", "section 7", "Three displacements, by a cubic",
        "A pair of momenta is said to have four displacements, by a quartic. One of its roots is no turn at all and "
        "breaks the constraint; the others are those of a cubic, for every place of the centre of mass.",
        r"\boxed4\ \text{inverse images}",
        r"\begin{aligned} &\boxed3:\ q\tau^3 - P\tau^2 + (q + 2J)\tau - P = 0 \\[3pt] "
        r"&\tau = \tan\tfrac{\Delta\theta}2,\quad P = p_\theta + bp_1,\quad q = ap_1 + 2ma^2 \end{aligned}",
        f"{TESTS}test_cubic", sleigh.cubic_told, sleigh.cubic_pictures, "sleigh", "sleigh", ("branches",),
    ),
    Correction(
        "fz-7-4", "FZ", "Theorem 7.4", "Theorem 7.4 is not sharp",
        "The theorem is true, but the map has a single branch for steps almost twice as long. For every sleigh the "
        "step may be longer by a factor of 1.9486, and that constant is the best.",
        r"E < \boxed{1}\cdot m^2a^2(J + ma^2)",
        r"\begin{aligned} &E < \boxed{\tfrac{243}{64}}\,m^2a^2(J + ma^2)\ \text{for all} \\[3pt] "
        r"&\boxed{4}\,m^2a^2(J + ma^2)\ \text{if}\ J \ge (2\sqrt{13} - 6)\,ma^2 \end{aligned}",
        f"{TESTS}test_theorem_7_4", sleigh.sharp_told, sleigh.sharp_pictures, "sleigh", "sleigh",
        ("branches", "surface"),
    ),
    Correction(
        "fz-7-4-proof", "FZ", "proof of Theorem 7.4", "An inequality the wrong way round",
        "For the momentum to keep its sign a step must take less than all of it. The proof has it the other way round.",
        r"2amV_{2,k} \boxed{>} p_{\theta,k}\quad\text{for}\quad p_{\theta,k} > 0",
        r"2amV_{2,k} \boxed{<} p_{\theta,k}\quad\text{for}\quad p_{\theta,k} > 0",
        f"{TESTS}test_proof_of_theorem_7_4", sleigh.pull_told, sleigh.pull_pictures, "sleigh", "sleigh", ("phase",),
    ),
    Correction(
        "fz-slips", "FZ", "throughout", "Slips of notation",
        "The rotation of (6.9) is about an axis with its last component reversed; the kinetic energy of the centre of "
        "mass lacks its half; a straight path lacks the time; (7.1) has a cosine and (7.2) two letters too many; "
        "steps of the map name p2 where p1 is meant; (7.3) is divided by the square of the step.",
        r"\begin{aligned} &{\bf e} = (q_1, q_2, \boxed{q_3}) \\[3pt] "
        r"&y = y_0 + v_1\sin\theta_0 \\[3pt] "
        r"&\Delta\theta_k = \theta_{k+1} - \boxed{\cos\theta_k} \end{aligned}",
        r"\begin{aligned} &{\bf e} = (q_1, q_2, \boxed{-q_3}) \\[3pt] "
        r"&y = y_0 + v_1\sin\theta_0\,\boxed{t} \\[3pt] "
        r"&\Delta\theta_k = \theta_{k+1} - \boxed{\theta_k} \end{aligned}",
        f"{TESTS}test_slips", decided(sleigh.axis), drawn(sleigh.axis), system="suslov", ideas=("path",),
    ),
)  # fmt: skip
