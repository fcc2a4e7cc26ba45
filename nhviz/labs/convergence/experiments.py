"""What to try: the data of GJ, the sleigh, the ball, a pair of feedbacks, more dimensions."""

from nhviz.frame.records import Step

LAB = "convergence"
SECOND = "I11=3&I22=3&I33=5&I13=0&I23=0.5&M1=179.9836568&M2=2.4255507998"
"""GJ, figure 4: a body with two equal moments."""
EXPERIMENTS = (
    Step(
        "GJ, first body",
        "Work and precision of both schemes for the body of GJ’s figure 3: with short steps Cayley errs less.",
        LAB,
    ),
    Step(
        "GJ, second body",
        "The body of figure 4 has two equal moments: both schemes keep the energy, and the fold comes sooner.",
        f"{LAB}?{SECOND}&step=0.014",
    ),
    Step(
        "Energy",
        "Moser–Veselov keeps the energy at every step; Cayley’s drift shrinks as the square of the step.",
        f"{LAB}?by_step.of=integral_energy",
    ),
    Step(
        "The sleigh",
        "Two maps of second order, and the naive constraint, which has only the first.",
        f"{LAB}?scene=sleigh&by_step.of=path",
    ),
    Step(
        "Energy",
        "Who keeps it at every step, and whose drift only shrinks with it.",
        f"{LAB}?scene=sleigh&by_step.of=integral_energy",
    ),
    Step("The ball", "One map of second order, up to its fold.", f"{LAB}?scene=sphere&by_step.of=path"),
    Step(
        "A pair",
        "RK4 twice: with gains that are held it is of fourth order, with gains that grow as 1/step it loses two.",
        f"{LAB}?scene=knife_edge",
    ),
    Step(
        "What the pull keeps",
        "The same pair, and how far each strays from the constraint.",
        f"{LAB}?scene=knife_edge&by_step.of=integral_constraint",
    ),
    Step(
        "With and without",
        "RK4 plain, pulled, and Euler pulled: the pull does not raise the order.",
        f"{LAB}?scene=roller_racer&methods=rk4_feedback.euler_feedback.rk4",
    ),
    Step(
        "Who keeps the energy",
        "The drift of the energy at every step.",
        f"{LAB}?scene=oscillator&by_step.of=integral_energy",
    ),
    Step("Five dimensions", "The order does not depend on the dimension.", f"{LAB}?scene=suslov_n&n=5"),
    Step(
        "A blade in space", "The path of the sleigh in three dimensions.", f"{LAB}?scene=sleigh_n&n=3&by_step.of=path"
    ),
    Step("Four dimensions", "The ball in four dimensions.", f"{LAB}?scene=sphere_n&n=4&by_step.of=path"),
    Step(
        "Reversed",
        "Moser–Veselov runs ahead and Cayley lags behind; GJ’s remark says the opposite.",
        f"{LAB}?scene=lead",
    ),
    Step(
        "Equal moments",
        "The body of GJ’s figure 4: the same, with a larger lead.",
        f"{LAB}?scene=lead&{SECOND}&step=0.007",
    ),
)
