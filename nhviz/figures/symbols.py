"""How things are written in pictures: symbols and units from declarations, as the few tags that plotly typesets."""

import re
from functools import lru_cache

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "varepsilon": "ε", "theta": "θ", "kappa": "κ", "rho": "ρ",
    "phi": "φ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Pi": "Π", "Omega": "Ω",
}  # fmt: skip
WORD = re.compile(rf"\\?({'|'.join(GREEK)})(?![a-z])")
"""A Greek letter by name, in TeX or in the name of a component."""
PART = re.compile(r"_\{([^}]*)\}|_(.)|\^\{([^}]*)\}|\^(.)|([A-Za-zΑ-ω]+)(\d*)|(.)")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@lru_cache(maxsize=512)
def symbol(tex: str) -> str:
    r"""A symbol as TeX, or the name of a component: p_\theta as <i>p</i><sub>θ</sub>, and gamma1 as γ with an index."""
    found = []
    for low, lower, high, higher, letters, digits, other in PART.findall(WORD.sub(lambda m: GREEK[m[1]], tex)):
        if low or lower:
            found.append(f"<sub>{low or lower}</sub>")
        elif high or higher:
            found.append(f"<sup>{high or higher}</sup>")
        elif letters:
            found.append(f"<i>{letters}</i>" + (f"<sub>{digits}</sub>" if digits else ""))
        else:
            found.append(other)
    return "".join(found)


@lru_cache(maxsize=512)
def label(tex: str, unit: str) -> str:
    r"""An axis label: p_\theta and kg m^2/s as p with index θ (kg m²/s)."""
    return f"{symbol(tex)} ({units(unit)})" if unit else symbol(tex)


def units(unit: str) -> str:
    """A unit as it is written: kg m^2/s as kg m²/s, sqrt(kg) as √kg."""
    raised = re.sub(r"\^(\d)", lambda m: m[1].translate(RAISED), unit)
    return re.sub(r"sqrt\((\w+)\)", r"√\1", raised)


def power_of_ten(exponent: int) -> str:
    """10⁻⁸ for -8, and 1 for 0."""
    return "1" if exponent == 0 else "10" + str(exponent).replace("-", "⁻").translate(RAISED)
