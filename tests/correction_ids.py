"""The ids of all corrections, by paper: cards and links name them, so that none may be lost or renamed."""

IDS = {
    "FZ": (
        "fz-5",  # J is about the centre of mass
        "fz-5-1",  # the cross term and p_theta
        "fz-5-cusp",  # the line of the cusps
        "fz-6-12",  # at most two real displacements
        "fz-6-16",  # the factor 2, and that of the last component
        "fz-6-18",  # a quarter of (6.17)
        "fz-6-saddle",  # a third saddle on RP^2
        "fz-6-3",  # Theorem 6.3: the stable half line and the increments
        "fz-7-cubic",  # four displacements: three, by a cubic
        "fz-7-4",  # Theorem 7.4 is not sharp
        "fz-7-4-proof",  # an inequality the wrong way round
        "fz-slips",
    ),
    "GJ": (
        "gj-18",  # 1/6 instead of 1/12
        "gj-40",  # a lost minus sign
        "gj-42",  # one real solution, or three
        "gj-6-2",  # the leading coefficient a_7
        "gj-44",  # G_2
        "gj-46",  # the third order of the consistent map
        "gj-8-step",  # 0.03 and 0.04
        "gj-8-1",  # Remark 8.1, reversed
        "gj-9-1",  # the quartic
        "gj-9-2",  # a sign of the polynomial of degree 7
    ),
    "CP": (
        "cp-3-2",  # the knife edge's exact solution
        "cp-44",  # the gradient of the extended energy
        "cp-remark-3-7",  # velocities, not momenta
        "cp-3-2-gains",  # gains on the border of stability
        "cp-58",  # the sign of the gradient for the sleigh
        "cp-3-4",  # the disk's compatibility
        "cp-3-5",  # the racer's constraint
        "cp-3-6",  # the Heisenberg system does not do well
        "cp-3-7",  # H_y is no first integral
        "cp-3-7-dla",  # which y belongs to the constraint of DLA
        "cp-3-7-similar",  # who keeps what
        "cp-slips",
    ),
    "DS": (
        "ds-20",  # mu_x lacks m
        "ds-23",  # the derivative
        "ds-theorem-4",  # p_1 lacks its angle
    ),
    "CS": (
        "cs-2-4",  # the velocity above (2.5)
        "cs-2-5",  # the energy
        "cs-2-9",  # which way gamma points
        "cs-2-11",  # the reaction force
        "cs-2-15",  # the isomorphism
        "cs-4-1",  # the discrete Lagrangian
        "cs-4-9",  # the naive constraint
        "cs-4-9-force",  # the force
        "cs-5-1",  # the rotation
        "cs-5-3",  # the count of real solutions
        "cs-5-4",  # the factor 2 of sigma
        "cs-5-6",  # a sign
        "cs-5-8",  # C3
        "cs-5-10",  # sigma^2
        "cs-5-11",  # D/4
        "cs-5-13",  # a sign; u runs backwards
        "cs-5-14",  # the square root
        "cs-5-14-g",  # G and alpha
        "cs-5-15",  # the relation is explicit
        "cs-5-16",  # Dcal
        "cs-5-17",  # w in Weierstrass form
        "cs-slips",
    ),
}
