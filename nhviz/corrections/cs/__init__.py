"""Misprints of CS: the Chaplygin sphere, its discretization, and the vertical case in elliptic functions."""

from nhviz.corrections.cs import elliptic, rolling, rotations
from nhviz.frame.records import Correction
from nhviz.views.leftovers import decided, drawn

TESTS = "tests/test_corrections_cs.py::"
VERTICAL = "sphere?scene=vertical"

CORRECTIONS = (
    Correction(
        "cs-2-4", "CS", "above (2.5)", "The velocity is pulled along the vertical, not against it",
        "Solved for the angular velocity, the momentum needs a plus sign. With the minus sign a ball gets a velocity "
        "that does not give its momentum back.",
        r"\Lambda\omega = K \boxed{-} \frac DF\langle\gamma,\Lambda^{-1}K\rangle\gamma",
        r"\Lambda\omega = K \boxed{+} \frac DF\langle\gamma,\Lambda^{-1}K\rangle\gamma",
        f"{TESTS}test_velocity", decided(rolling.velocity), drawn(rolling.velocity), "sphere", "sphere",
        ("integrals",),
    ),
    Correction(
        "cs-2-5", "CS", "(2.5)", "The printed energy drifts",
        "The energy in terms of momentum and vertical needs a plus sign. The printed one is not kept by the rolling "
        "ball; the corrected one is twice its kinetic energy.",
        r"\langle K,\Lambda^{-1}K\rangle \boxed{-} \frac DF\langle\gamma,\Lambda^{-1}K\rangle^2",
        r"\langle K,\Lambda^{-1}K\rangle \boxed{+} \frac DF\langle\gamma,\Lambda^{-1}K\rangle^2",
        f"{TESTS}test_energy", decided(rolling.energy), rolling.energy_pictures, "sphere", "sphere", ("integrals",),
    ),
    Correction(
        "cs-2-9", "CS", "(2.1), (2.9), (4.2), (4.9)", "A ball rolls forward, not backward",
        "The vertical is said to point up, from the plane to the centre. Then the centre moves the other way than "
        "printed; with the printed sign the contact point slips at twice the speed. Only the path changes, to its "
        "mirror image.",
        r"v_C \boxed{+} \rho\,\omega\gamma = 0", r"v_C \boxed{-} \rho\,\omega\gamma = 0",
        f"{TESTS}test_contact", decided(rolling.contact), drawn(rolling.contact), "sphere", "sphere", ("path",),
    ),
    Correction(
        "cs-2-11", "CS", "after (2.11)", "The plane pushes back",
        "The reaction force has the other sign, and with it the right-hand side of the next line. Only so does the "
        "momentum about the contact point of (2.13) stay fixed in space.",
        r"\begin{aligned} &F = \boxed{m\rho}\,\dot\omega\gamma \\[3pt] "
        r"&\dot M + [\omega, M] = \boxed{D}(\dot\omega\Gamma + \Gamma\dot\omega) \end{aligned}",
        r"\begin{aligned} &F = \boxed{-m\rho}\,\dot\omega\gamma \\[3pt] "
        r"&\dot M + [\omega, M] = \boxed{-D}(\dot\omega\Gamma + \Gamma\dot\omega) \end{aligned}",
        f"{TESTS}test_reaction", decided(rolling.reaction), drawn(rolling.reaction), "sphere_n", "sphere_n",
        ("integrals",),
    ),
    Correction(
        "cs-2-15", "CS", "end of section 2", "Vectors turn the other way",
        "The printed correspondence of matrices and vectors makes the vertical turn backwards. Section 5 has the "
        "right one.",
        r"\omega_{ij} = \boxed{\varepsilon_{ijk}}\,\omega_k", r"\omega_{ij} = \boxed{-\varepsilon_{ijk}}\,\omega_k",
        f"{TESTS}test_isomorphism", decided(rolling.isomorphism), drawn(rolling.isomorphism), system="sphere_n",
        ideas=("phase",),
    ),
    Correction(
        "cs-4-1", "CS", "(4.1)", "The discrete Lagrangian has another coefficient",
        "With the printed half the equations of the paper are not those of its principle. The kinetic energy of a "
        "turn is what the trace loses, so that its coefficient is minus one.",
        r"\boxed{\tfrac12}\,{\rm Tr}(R_kJR_{k+1}^T) + \tfrac m2\langle\Delta r_k,\Delta r_k\rangle",
        r"\boxed{-}\,{\rm Tr}(R_kJR_{k+1}^T) + \tfrac m2\langle\Delta r_k,\Delta r_k\rangle",
        "tests/test_sphere_map.py::test_map_is_the_discrete_lagrange_d_alembert_principle",
        decided(rolling.principle), drawn(rolling.principle), "sphere", "sphere", ("order",),
    ),
    Correction(
        "cs-4-9", "CS", "before (4.9)", "A ball that does not turn stays where it is",
        "The naive constraint, as printed, moves a ball that does not turn by its radius. It must vanish for no "
        "rotation.",
        r"\Delta r_k + \rho\,\boxed{\bar\Omega_k}\,\vec\gamma = 0",
        r"\Delta r_k + \rho\,\boxed{(\bar\Omega_k - {\bf I})}\,\vec\gamma = 0",
        f"{TESTS}test_naive", decided(rolling.naive), drawn(rolling.naive), system="sphere", ideas=("path",),
    ),
    Correction(
        "cs-4-9-force", "CS", "below (4.9)", "The last step pushes forward",
        "Turned into the frame of the ball, the second part of the force keeps its sign. The line after it is right.",
        r"\begin{aligned} &\vec F^k = -\tfrac{m\rho}2(\Omega_k - \Omega_k^T)\gamma_k \\[3pt] "
        r"&\quad \boxed{-}\,\tfrac{m\rho}2(\Omega_{k-1} - \Omega_{k-1}^T)\gamma_k \end{aligned}",
        r"\begin{aligned} &\vec F^k = -\tfrac{m\rho}2(\Omega_k - \Omega_k^T)\gamma_k \\[3pt] "
        r"&\quad \boxed{+}\,\tfrac{m\rho}2(\Omega_{k-1} - \Omega_{k-1}^T)\gamma_k \end{aligned}",
        f"{TESTS}test_force", decided(rolling.force), drawn(rolling.force), system="sphere", ideas=("path",),
    ),
    Correction(
        "cs-5-1", "CS", "(5.1)", "The printed matrix is no rotation",
        "One entry of the rotation in Euler parameters has the wrong sign, twice.",
        r"\Omega_{32} = \boxed{-2(q_2q_3 - q_0q_1)}", r"\Omega_{32} = \boxed{2(q_2q_3 + q_0q_1)}",
        f"{TESTS}test_orthogonality", decided(rotations.orthogonality), drawn(rotations.orthogonality),
        system="sphere", ideas=("phase",),
    ),
    Correction(
        "cs-5-3", "CS", "after (5.3)", "From none to eight real solutions",
        "Three quadrics meet in eight points, of which any even number can be real. A large momentum has none, since "
        "the momenta of all rotations are bounded; a small one has four.",
        r"\boxed{2 \le \#\{q\} \le 4}", r"\boxed{\#\{q\} \in \{0, 2, 4, 6, 8\}}",
        f"{TESTS}test_count", rotations.count_told, rotations.count_pictures, "sphere?scene=branches", "sphere",
        ("branches",),
    ),
    Correction(
        "cs-5-4", "CS", "(5.4), (5.6)", "A factor of two in the vertical case",
        "The momentum of (5.2) has twice the product of the vertical and the rotation's axis, and so must this factor.",
        r"\sigma = h + \boxed{D}\,q_0\langle\gamma,{\bf q}\rangle",
        r"\sigma = h + \boxed{2D}\,q_0\langle\gamma,{\bf q}\rangle",
        f"{TESTS}test_factor", decided(rotations.factor), drawn(rotations.factor), VERTICAL, "sphere_vertical",
        ("branches",),
    ),
    Correction(
        "cs-5-6", "CS", "(5.6)", "The vertical is carried, not reversed",
        "A stray minus sign in front of the next vertical; what stands on the right is correct.",
        r"\gamma_{k+1} = \boxed{-}\Omega_k^T\gamma_k", r"\gamma_{k+1} = \Omega_k^T\gamma_k",
        f"{TESTS}test_carried", decided(rotations.carried), drawn(rotations.carried), VERTICAL, "sphere_vertical",
        ("phase",),
    ),
    Correction(
        "cs-5-8", "CS", "(5.8)", "The third amplitude is real",
        "As printed the third amplitude is the root of a negative number on the very interval that the paper chooses.",
        r"C_3 = \sqrt{\frac{\Lambda_3\,\boxed{(1 - \Lambda_1l)}}{\Lambda_1 - \Lambda_3}}",
        r"C_3 = \sqrt{\frac{\Lambda_3\,\boxed{(\Lambda_1l - 1)}}{\Lambda_1 - \Lambda_3}}",
        f"{TESTS}test_parametrisation", decided(elliptic.parametrisation), drawn(elliptic.parametrisation), VERTICAL,
        "sphere_vertical", ("phase",),
    ),
    Correction(
        "cs-5-10", "CS", "(5.10)", "A square is missing under the root",
        "The implicit form of the map lacks the square of its factor under the root, and so does a formula in its "
        "proof. It holds for rotations of less than a quarter turn.",
        r"\begin{aligned} &\kappa = \frac{2\sigma}{1 + \sqrt{1 - \boxed{\tfrac14}\langle "
        r"s,\Lambda^{-2}s\rangle}} \\[3pt] "
        r"&s = \tilde\gamma + \gamma \end{aligned}",
        r"\begin{aligned} &\kappa = \frac{2\sigma}{1 + \sqrt{1 - \boxed{\tfrac{\sigma^2}4}\langle "
        r"s,\Lambda^{-2}s\rangle}} \\[3pt] "
        r"&s = \tilde\gamma + \gamma \end{aligned}",
        f"{TESTS}test_implicit", decided(rotations.implicit), drawn(rotations.implicit), VERTICAL, "sphere_vertical",
        ("branches",),
    ),
    Correction(
        "cs-5-11", "CS", "(5.11)", "A quarter, not an eighth",
        "This is the missing factor of two of (5.4) once more. Only with a quarter does the factor have the "
        "continuous one as its limit.",
        r"\sigma = \frac h{1 - \boxed{\tfrac D8}\langle s,\Lambda^{-1}s\rangle}",
        r"\sigma = \frac h{1 - \boxed{\tfrac D4}\langle s,\Lambda^{-1}s\rangle}",
        f"{TESTS}test_scale", decided(rotations.scale), drawn(rotations.scale), VERTICAL, "sphere_vertical", ("phase",),
    ),
    Correction(
        "cs-5-13", "CS", "(5.13)", "The phase runs backwards",
        "The addition theorem of the cosine amplitude has a minus sign. With positive amplitudes and momentum the "
        "phase of the vertical therefore decreases.",
        r"\tilde\gamma_1 - \gamma_1 = \boxed{+}\frac{2C_1}{\mathcal D}\,{\rm sn}\,{\rm dn}(\bar u)\,"
        r"{\rm sn}\,{\rm dn}(\delta u)",
        r"\tilde\gamma_1 - \gamma_1 = \boxed{-}\frac{2C_1}{\mathcal D}\,{\rm sn}\,{\rm dn}(\bar u)\,"
        r"{\rm sn}\,{\rm dn}(\delta u)",
        "tests/test_vertical_increment.py::test_relation_to_forty_digits", decided(elliptic.difference),
        drawn(elliptic.difference), VERTICAL, "sphere_vertical", ("phase",),
    ),
    Correction(
        "cs-5-14", "CS", "(5.14)", "The root holds both factors",
        "With the square of (5.10) in its place the two factors stand together under the root, and every half of D "
        "becomes D.",
        r"\begin{aligned} &\boxed{(1 - \tfrac d2\Pi_1)\sqrt{\mathcal D^2 - \Pi_2\mathcal D^2}} \\[3pt] "
        r"&\quad = V\frac{{\rm cn}\,{\rm dn}}{{\rm sn}}(\delta u) - \mathcal D\,(1 - \boxed{\tfrac "
        r"d2}\Pi_1) \end{aligned}",
        r"\begin{aligned} &\boxed{\sqrt{\mathcal D^2(1 - D\Pi_1)^2 - h^2\Pi_2\mathcal D^2}} \\[3pt] "
        r"&\quad = hV\frac{{\rm cn}\,{\rm dn}}{{\rm sn}}(\delta u) - \mathcal D\,(1 - \boxed{D}\,\Pi_1) \end{aligned}",
        f"{TESTS}test_square_root", decided(elliptic.square_root), drawn(elliptic.square_root), VERTICAL,
        "sphere_vertical", ("phase",),
    ),
    Correction(
        "cs-5-14-g", "CS", "below (5.14)", "The modulus and the level in G",
        "One term of G lacks the square of the modulus, and one of its coefficients the level of the curve.",
        r"\begin{aligned} &-\frac{C_2^2}{\boxed{\Lambda_2^2}}\,{\rm cn}^2{\rm dn}^2 \\[3pt] "
        r"&\alpha = \frac{\boxed{2\Lambda_1\Lambda_3} - (\Lambda_1 + \Lambda_3 - \Lambda_2)}{(\Lambda_2 - "
        r"\Lambda_3)(\Lambda_1l - 1)} \end{aligned}",
        r"\begin{aligned} &-\frac{C_2^2}{\boxed{k^2\Lambda_2^2}}\,{\rm cn}^2{\rm dn}^2 \\[3pt] "
        r"&\alpha = \frac{\boxed{2\Lambda_1\Lambda_3\,l} - (\Lambda_1 + \Lambda_3 - \Lambda_2)}{(\Lambda_2 - "
        r"\Lambda_3)(\Lambda_1l - 1)} \end{aligned}",
        f"{TESTS}test_form", decided(elliptic.form), drawn(elliptic.form), VERTICAL, "sphere_vertical", ("phase",),
    ),
    Correction(
        "cs-5-15", "CS", "(5.15)", "The relation can be solved",
        "With everything repaired, squaring leaves one short relation, linear in the unknown. The midpoint of a step "
        "is then an explicit function of its length.",
        r"\begin{aligned} &\boxed{-\tfrac{d^2}4\tfrac{(l - \mu\,{\rm sn}^2)^2}{\mathcal D^2}}"
        r"(G\mathcal D - V^2{\rm cn}^2{\rm dn}^2) \\[3pt] "
        r"&+ \boxed{d\,\tfrac{l - \mu\,{\rm sn}^2}{\mathcal D}}"
        r"(G\mathcal D - V^2{\rm cn}^2{\rm dn}^2 - Vw\mathcal D) \\[3pt] "
        r"&+ \boxed{\mathcal D}(2Vw - G) = 0 \end{aligned}",
        r"\begin{aligned} &\boxed{hG = 2Vw\,(1 - D\Pi_1)} \\[3pt] "
        r"&\Pi_1 = \frac{l - \mu\,{\rm sn}^2(\delta u)}{\mathcal D} \end{aligned}",
        "tests/test_vertical_increment.py::test_relation_to_forty_digits", decided(elliptic.relation),
        drawn(elliptic.relation), VERTICAL, "sphere_vertical", ("phase", "locking"),
    ),
    Correction(
        "cs-5-16", "CS", "(5.16)", "The denominator is positive",
        "Written in terms of the place and the step, the denominator has its sign reversed and some coefficients "
        "wrong.",
        r"\begin{aligned} &(1 - k^2ab)^2\mathcal D = \boxed{k^2ab(2 - (k^2 + 1)b - k^2b^2)} \\[3pt] "
        r"&\quad + \boxed{2k^2b\,wW} + \boxed{k^2b^2(1 - k^2a)} \boxed{-\,1} \\[3pt] "
        r"&a = {\rm sn}^2u,\quad b = {\rm sn}^2\delta u \end{aligned}",
        r"\begin{aligned} &(1 - k^2ab)^2\mathcal D = \boxed{1 - 3k^2ab + 2k^2(1 + k^2)ab^2} \\[3pt] "
        r"&\quad \boxed{-\,k^4ab^3 - k^2b^2} - \boxed{2k^2b\,wW} \\[3pt] "
        r"&a = {\rm sn}^2u,\quad b = {\rm sn}^2\delta u \end{aligned}",
        f"{TESTS}test_product", decided(elliptic.product), drawn(elliptic.product), VERTICAL, "sphere_vertical",
        ("phase",),
    ),
    Correction(
        "cs-5-17", "CS", "after (5.16)", "A power and a sign of the Weierstrass form",
        "The product of the three Jacobi functions has the square, not the cube, below, and a minus sign.",
        r"w(\delta u) = \boxed{\frac12\frac q{(p - e_3)^3}}", r"w(\delta u) = \boxed{-\frac12\frac q{(p - e_3)^2}}",
        f"{TESTS}test_weierstrass", decided(elliptic.weierstrass), drawn(elliptic.weierstrass), VERTICAL,
        "sphere_vertical", ("phase",),
    ),
    Correction(
        "cs-slips", "CS", "throughout", "Slips of notation",
        "The letter l means the energy in (2.4) and the level in (5.5), so that one line beside (2.7) mixes them; d "
        "is D; J is the inertia in section 2 and the mass tensor later; the body's momentum is carried by the inverse "
        "rotation; the discrete sum must begin at one; a step is lost in a limit after (4.9).",
        r"\begin{aligned} &\langle\omega,\Lambda\omega\rangle = \boxed{l} \\[3pt] "
        r"&M_k = {\rm Ad}_{\boxed{R_k}}m_k \\[3pt] "
        r"&\bar\Omega_k \mapsto {\bf I} + \boxed{\omega} \end{aligned}",
        r"\begin{aligned} &\langle\omega,\Lambda\omega\rangle = \boxed{l + Dl^2/h^2} \\[3pt] "
        r"&M_k = {\rm Ad}_{\boxed{R_k^{-1}}}m_k \\[3pt] "
        r"&\bar\Omega_k \mapsto {\bf I} + \boxed{\varepsilon\omega} \end{aligned}",
        f"{TESTS}test_slips", decided(rolling.slips), drawn(rolling.slips), system="sphere", ideas=("integrals",),
    ),
)  # fmt: skip
