"""The systems whose runs are measured: with which numbers each opens, in what it can err, and what is compared."""

from collections.abc import Mapping
from dataclasses import dataclass

from nhviz import registry
from nhviz.analysis.work_precision import gains
from nhviz.frame.records import Variant
from nhviz.system import Quantity, System
from nhviz.views.pictures import in_words

METHOD = "feedback"
GROWING = "rk4_growing"
"""The variant whose gains grow as 1/step; those of all others are held."""
EULER = {"base": "euler"}
RK4 = {"base": "rk4"}
INTEGRAL = "integral_"
"""What comes before the name of an integral, where a part of the state might have the same."""


@dataclass(frozen=True)
class Subject:
    """What is special to a system here.

    `values` differ from its own defaults; the step among them is the longest. `parts` of the state can err
    (`nhviz.analysis.errors`). `maps` are compared, and `schemes` with feedback; `chosen` are those that run at first.
    No run has more steps than `most`: beyond, it would keep a page waiting.
    """

    system: str
    title: str
    try_first: str
    values: Mapping[str, float]
    parts: tuple[str, ...]
    maps: tuple[str, ...] = ()
    schemes: tuple[Variant, ...] = ()
    chosen: tuple[str, ...] = ()
    halvings: int = 8
    most: int = 16_000

    @property
    def model(self) -> System:
        """The declarations of its system."""
        return registry.find(self.system)

    @property
    def ways(self) -> tuple[Variant, ...]:
        """Maps, then schemes."""
        return (*(Variant(name, label=LABELS.get(name, "")) for name in self.maps), *self.schemes)

    @property
    def integrals(self) -> dict[str, Quantity]:
        """What the motion keeps, by the word of the choice."""
        return {INTEGRAL + q.id: q for q in self.model.quantities if q.conserved}

    @property
    def questions(self) -> dict[str, str]:
        """What the pictures can be about, with what it is called: parts of the state, then integrals."""
        parts = {part.lower(): part.lower() for part in self.parts}
        return parts | {word: lowered(in_words(q)) for word, q in self.integrals.items()}

    @property
    def buttons(self) -> dict[str, str]:
        """The same, as it is called where there is little room."""
        return {word: SHORTER.get(word.removeprefix(INTEGRAL), text) for word, text in self.questions.items()}


def lowered(text: str) -> str:
    """Words in the middle of a line."""
    return text[0].lower() + text[1:]


LABELS = {"dla": "DLA"}
"""What maps are called where there is little room."""
SHORTER = {
    "K_gamma": "⟨K, γ⟩", "K_K": "⟨K, K⟩", "tr_K2": "tr K²", "tr_K4": "tr K⁴", "tr_K2_Gamma": "tr K²Γ",
    "energy_y": "energy along y", "p_phi": "spin", "constraint_1": "constraint 1", "constraint_2": "constraint 2",
}  # fmt: skip
"""What integrals are called where there is little room."""


def plain(system: str) -> dict[str, float]:
    """The gains of a scheme without feedback."""
    return {**dict.fromkeys(gains(registry.find(system).method(METHOD)), 0.0), "pull": 1.0}


def rk4(system: str) -> Variant:
    """The scheme of Runge and Kutta without feedback."""
    return Variant("rk4", METHOD, "RK4", {**RK4, **plain(system)}, slot=9)


PULLED_RK4 = Variant("rk4_feedback", METHOD, "RK4 + feedback", RK4, slot=5)
PULLED_EULER = Variant("euler_feedback", METHOD, "Euler + feedback", EULER, slot=6)
SUBJECTS = (
    Subject(
        "suslov",
        "Suslov top",
        "read off where the two maps cross.",
        {"step": 0.03, "duration": 1.0},
        ("Momenta", "Attitude"),
        ("moser_veselov", "cayley"),
        (PULLED_RK4, PULLED_EULER),
        ("moser_veselov", "cayley", "rk4_feedback"),
    ),
    Subject(
        "sleigh",
        "Chaplygin sleigh",
        "look at the path, then at the energy.",
        {"step": 0.2, "duration": 10.0},
        ("Momenta", "Path", "Attitude"),
        ("fedorov_zenkov", "midpoint", "naive"),
        (PULLED_RK4,),
        ("fedorov_zenkov", "midpoint", "naive"),
    ),
    Subject(
        "sphere",
        "Chaplygin sphere",
        "lengthen the step to the fold.",
        {"step": 0.4, "duration": 12.0},
        ("Velocities", "Path", "Attitude"),
        ("fedorov",),
    ),
    Subject(
        "knife_edge",
        "Knife edge",
        "raise the gains: those that are held are stable up to a step.",
        {"step": 0.1, "duration": 5.0, "k1": 1.0, "k2": 1.0, "k3": 1.0},
        ("Momenta", "Path", "Attitude"),
        (),
        (
            Variant("rk4_feedback", METHOD, "RK4 (held)", RK4, slot=5),
            Variant(GROWING, METHOD, "RK4 (growing)", RK4, slot=8),
            rk4("knife_edge"),
            PULLED_EULER,
        ),
        ("rk4_feedback", GROWING),
    ),
    Subject(
        "roller_racer",
        "Roller racer",
        "compare RK4 with and without the pull.",
        {"step": 0.1, "duration": 5.0},
        ("Velocities", "Path", "Attitude"),
        (),
        (PULLED_RK4, PULLED_EULER, rk4("roller_racer")),
        ("rk4_feedback", "euler_feedback"),
    ),
    Subject(
        "oscillator",
        "Oscillator",
        "look at the energies: who keeps them?",
        {"step": 0.1, "duration": 10.0},
        ("Momenta", "Path"),
        ("dla",),
        (PULLED_RK4, PULLED_EULER),
        ("dla", "rk4_feedback", "euler_feedback"),
        halvings=7,
    ),
    Subject(
        "suslov_n",
        "Suslov top in n dimensions",
        "raise the dimension: the order stays.",
        {"step": 0.1, "duration": 10.0},
        ("Momenta", "Attitude"),
        ("moser_veselov",),
        halvings=7,
    ),
    Subject(
        "sleigh_n",
        "Sleigh in n dimensions",
        "raise the dimension: the order stays.",
        {"step": 0.1, "duration": 8.0},
        ("Momenta", "Path", "Attitude"),
        ("fedorov_zenkov",),
        halvings=7,
    ),
    Subject(
        "sphere_n",
        "Ball in n dimensions",
        "raise the dimension: the order stays.",
        {"step": 0.2, "duration": 6.0},
        ("Velocities", "Path", "Attitude"),
        ("fedorov",),
        halvings=5,
        most=1_000,
    ),
)
BY_SYSTEM = {subject.system: subject for subject in SUBJECTS}
