"""Symbols and units: declarations as readers know them, never identifiers."""

import pytest

from nhviz import registry
from nhviz.figures.symbols import label, power_of_ten, symbol, units


@pytest.mark.parametrize(
    ("tex", "html"),
    [
        ("x", "<i>x</i>"),
        ("M_1", "<i>M</i><sub>1</sub>"),
        ("M1", "<i>M</i><sub>1</sub>"),
        (r"p_\theta", "<i>p</i><sub>θ</sub>"),
        ("p_theta", "<i>p</i><sub>θ</sub>"),
        (r"\Pi_\psi", "<i>Π</i><sub>ψ</sub>"),
        (r"\omega_{12}", "<i>ω</i><sub>12</sub>"),
        ("gamma3", "<i>γ</i><sub>3</sub>"),
        ("a^2", "<i>a</i><sup>2</sup>"),
        (r"\phi", "<i>φ</i>"),
    ],
)
def test_symbols_are_typeset(tex, html):
    assert symbol(tex) == html


def test_units_are_written_with_raised_numbers():
    assert label(r"p_\theta", "kg m^2/s") == "<i>p</i><sub>θ</sub> (kg m²/s)"
    assert label("gamma1", "") == "<i>γ</i><sub>1</sub>"
    assert units("kg^2 m^4/s^2") == "kg² m⁴/s²"
    assert units("sqrt(kg) m/s") == "√kg m/s"


def test_powers_of_ten():
    assert [power_of_ten(n) for n in (-16, -1, 0, 3, 12)] == ["10⁻¹⁶", "10⁻¹", "1", "10³", "10¹²"]


@pytest.mark.parametrize("name", registry.systems())
def test_every_component_has_a_label_of_its_own(name):
    components = registry.find(name).components
    labels = [label(c.symbol or c.name, c.unit) for c in components]
    assert len(set(labels)) == len(labels)
    assert not any("_" in text or "\\" in text for text in labels)
