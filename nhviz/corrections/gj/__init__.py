"""Misprints of GJ: two discretisations of the Suslov problem."""

from nhviz.corrections.gj import expansions, runs, septic
from nhviz.frame.records import Correction
from nhviz.views.leftovers import decided, drawn

TESTS = "tests/test_corrections_gj.py::"

CORRECTIONS = (
    Correction(
        "gj-18", "GJ", "(18)", "A sixth, not a twelfth",
        "The third order of the flow is half as large as it should be, and one of its terms lacks a square. It is "
        "what both maps are compared with.",
        r"\begin{aligned} &\mu_3 = \frac{-1}{\boxed{12}\,I_{11}^4I_{22}^5}(\dots) \\[3pt] "
        r"&\nu_3 = \frac1{\boxed{12}\,I_{11}^5I_{22}^4}(\dots)(\dots - 2\,\boxed{I_{22}}I_{13}^2M_1^3 + \dots) "
        r"\end{aligned}",
        r"\begin{aligned} &\mu_3 = \frac{-1}{\boxed6\,I_{11}^4I_{22}^5}(\dots) \\[3pt] "
        r"&\nu_3 = \frac1{\boxed6\,I_{11}^5I_{22}^4}(\dots)(\dots - 2\,\boxed{I_{22}^2}I_{13}^2M_1^3 + \dots) "
        r"\end{aligned}",
        f"{TESTS}test_flow_expansion", decided(expansions.flow_expansion), drawn(expansions.flow_expansion), "suslov",
        "suslov", ("order",),
    ),
    Correction(
        "gj-40", "GJ", "(40)", "A minus sign between two terms",
        "Two terms of the momentum have run together into one product. What is computed from them, (41), is right.",
        r"-\,g\mathbb Jhg\,\boxed{W^T\mathbb J}\,gW^T", r"-\,g\mathbb Jhg\,\boxed{W^T - \mathbb J}\,gW^T",
        f"{TESTS}test_transformation", decided(expansions.transformation), drawn(expansions.transformation),
        system="suslov", ideas=("surface",),
    ),
    Correction(
        "gj-42", "GJ", "after (42)", "A thin rod has three real solutions",
        "Experiments are said to show one real solution of the consistent map. Elongated bodies have three at some "
        "momenta, so that a step must be followed along its branch.",
        r"\#\{(u, v)\} = \boxed1", r"\#\{(u, v)\} \in \boxed{\{1, 3\}}",
        f"{TESTS}test_count", runs.count_told, runs.count_pictures,
        "suslov?I11=0.11&I22=10.01&I33=9.91&I13=-0.995&I23=0", "suslov", ("branches",),
    ),
    Correction(
        "gj-6-2", "GJ", "6.2", "Three leading coefficients",
        "The leading coefficients of the equation for one step have a wrong index, a missing factor and a missing "
        "square. The degrees that follow from them, seven and five, are right.",
        r"\begin{aligned} &a_7 \propto I_{11}I_{23}^2 + I_{22}\,\boxed{I_{23}^2} \\[3pt] "
        r"&a_6 \propto \boxed{(I_{11} - I_{22})}(\dots) \\[3pt] "
        r"&a_5 = \tfrac{I_{11}\varepsilon^6}{64}\boxed{(I_{13}^2 + I_{23}^2)} \end{aligned}",
        r"\begin{aligned} &a_7 \propto I_{11}I_{23}^2 + I_{22}\,\boxed{I_{13}^2} \\[3pt] "
        r"&a_6 \propto \boxed{I_{13}(I_{11} - I_{22})}(\dots) \\[3pt] "
        r"&a_5 = \tfrac{I_{11}\varepsilon^6}{64}\boxed{(I_{13}^2 + I_{23}^2)^2} \end{aligned}",
        f"{TESTS}test_coefficients", decided(expansions.coefficients), drawn(expansions.coefficients), "suslov",
        "suslov", ("branches",),
    ),
    Correction(
        "gj-44", "GJ", "(44)", "The inverse has the coefficients of something else",
        "What stands for the second and third order of the inverse are the orders of the momenta, of (17) and (46). "
        "The expansion that is drawn from it is right in its first two orders.",
        r"\begin{aligned} &F_2^{(\infty)} = \boxed{\mu_2} \\[3pt] "
        r"&G_2^{(\infty)} = \boxed{\nu_2\ \text{with}\ M_2^2\ \text{for}\ M_1^2} \end{aligned}",
        r"\begin{aligned} &F_2^{(\infty)} = \boxed{\tfrac{-1}{4I_{11}^4I_{22}^3}}\bigl("
        r"I_{22}^2(I_{11}I_{22} + I_{13}^2)M_1^3 \\[3pt] "
        r"&\quad + I_{11}(I_{11}I_{22}^2 + 2I_{11}I_{23}^2 - I_{13}^2I_{22})M_1M_2^2 \\[3pt] "
        r"&\quad + 3I_{11}I_{13}I_{22}I_{23}M_1^2M_2 - I_{11}^2I_{13}I_{23}M_2^3\bigr) \\[3pt] "
        r"&G_2^{(\infty)} = F_2^{(\infty)}\big|_{1\leftrightarrow2} \end{aligned}",
        f"{TESTS}test_inversion", decided(expansions.inversion), drawn(expansions.inversion), system="suslov",
        ideas=("order",),
    ),
    Correction(
        "gj-46", "GJ", "(46)", "Two terms of the third order",
        "Two coefficients of the consistent map’s third order do not even have the right dimension. The right ones "
        "stand in (44), where they do not belong.",
        r"\begin{aligned} &-\boxed{I_{11}}I_{22}(\boxed{I_{11}I_{13}I_{22}^2 + I_{13}I_{22}^3} \\[3pt] "
        r"&\quad - \boxed{5I_{13}I_{22}I_{23}^2} + \boxed{4I_{11}^2I_{22}^2})M_1^3M_2 \\[3pt] "
        r"&+ I_{11}I_{13}I_{22}(I_{13}^2I_{22} - \boxed{I_{11}I_{22}^2} - I_{11}I_{22}^2)M_1M_2^3 \end{aligned}",
        r"\begin{aligned} &-\boxed{I_{13}}I_{22}(\boxed{I_{11}^2I_{22}^2 + I_{11}I_{22}^3} \\[3pt] "
        r"&\quad - \boxed{5I_{11}I_{22}I_{23}^2} + \boxed{4I_{13}^2I_{22}^2})M_1^3M_2 \\[3pt] "
        r"&+ I_{11}I_{13}I_{22}(I_{13}^2I_{22} - \boxed{I_{11}^2I_{22}} - I_{11}I_{22}^2 \\[3pt] "
        r"&\quad - \boxed{10I_{11}I_{23}^2})M_1M_2^3 \end{aligned}",
        f"{TESTS}test_momentum_expansion", decided(expansions.momentum_expansion),
        drawn(expansions.momentum_expansion), "suslov", "suslov", ("order",),
    ),
    Correction(
        "gj-8-step", "GJ", "8.1", "The steps are ten times shorter",
        "The map is said to work up to a step of 0.3 and to fail from 0.4 on. With the paper’s own data it is 0.03 "
        "and 0.04, as its figure confirms.",
        r"\begin{aligned} &\varepsilon \le \boxed{0.3} \\[3pt] "
        r"&\varepsilon \ge \boxed{0.4} \end{aligned}",
        r"\begin{aligned} &\varepsilon \le \boxed{0.03} \\[3pt] "
        r"&\varepsilon \ge \boxed{0.04} \end{aligned}",
        f"{TESTS}test_step", runs.step_told, runs.step_pictures, "suslov?step=0.04", "suslov", ("branches",),
    ),
    Correction(
        "gj-8-1", "GJ", "Remark 8.1", "Ahead and behind, the other way round",
        "The map without consistency runs ahead of the flow and that with consistency lags behind, the opposite of "
        "the remark. The third order of both explains it.",
        r"\boxed{\text{non-consistent: slower; consistent: faster}}",
        r"\boxed{\text{non-consistent: faster; consistent: slower}}",
        f"{TESTS}test_lead", runs.lead_told, runs.lead_pictures, "suslov?step=0.03", "suslov", ("phase",),
    ),
    Correction(
        "gj-9-1", "GJ", "Proposition 9.1", "Four coefficients of the quartic",
        "As printed the quartic does not vanish on the surface of momenta. Four of its coefficients are wrong; exact "
        "linear algebra leaves only the corrected one.",
        r"\begin{aligned} &-\boxed{\tfrac{I_{11}I_{23}}{I_{13}}}(I_{11} - I_{22})Y^2 \\[3pt] "
        r"&\boxed{-\tfrac12}X^4 \\[3pt] "
        r"&\boxed{(I_{11}I_{22} + I_{13}^2 + \dots)}XZ^2 \\[3pt] "
        r"&(I_{11}^2I_{22} - \boxed{I_{11}^2I_{22}} + \dots)XYZ \end{aligned}",
        r"\begin{aligned} &-\boxed{\tfrac{2I_{11}I_{23}}{I_{13}}}(I_{11} - I_{22})Y^2 \\[3pt] "
        r"&\boxed{-\tfrac{I_{13}}{2I_{23}}}X^4 \\[3pt] "
        r"&\boxed{\tfrac1{I_{13}}(I_{11}I_{22} + I_{13}^2 + \dots)}XZ^2 \\[3pt] "
        r"&(I_{11}^2I_{22} - \boxed{I_{11}I_{22}^2} + \dots)XYZ \end{aligned}",
        f"{TESTS}test_surface", decided(expansions.surface), drawn(expansions.surface), "suslov", "suslov",
        ("surface",),
    ),
    Correction(
        "gj-9-2", "GJ", "Proposition 9.2", "A sign in the polynomial of degree seven",
        "The highest part of the consistent map’s polynomial has a wrong sign, so that the whole does not vanish on "
        "the surface. Its other parts were not compared.",
        r"q_7^{(7)} = Z^3\bigl(\dots + (I_{11}I_{23}^2 \boxed{-} I_{13}^2I_{22})Z^2\bigr)^2",
        r"q_7^{(7)} = Z^3\bigl(\dots + (I_{11}I_{23}^2 \boxed{+} I_{13}^2I_{22})Z^2\bigr)^2",
        f"{TESTS}test_septic", decided(septic.septic), drawn(septic.septic), system="suslov", ideas=("surface",),
    ),
)  # fmt: skip
