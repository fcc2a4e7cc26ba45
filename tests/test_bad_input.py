"""Bad input is refused with one helpful sentence, in Python and on the command line, and nothing is left behind."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nhviz
from nhviz.__main__ import main

ROOT = Path(__file__).parent.parent

REFUSED = {
    "unknown system": ({"system": "nothing"}, "suslov, sleigh"),
    "system of another type": ({"system": 3}, "suslov"),
    "near miss": ({"system": "suslof"}, "Did you mean suslov?"),
    "unknown method": ({"method": "nothing"}, "moser_veselov"),
    "unknown parameter": ({"params": {"Q": 1}}, "I11"),
    "unknown initial value": ({"initial": {"M3": 1}}, "M1, M2"),
    "unknown option": ({"gain": 3}, "gain"),
    "option of another method": ({"method": "cayley", "branch": 1}, "branch"),
    "no such branch": ({"branch": 2}, "0, 1"),
    "not a mapping": ({"params": [1, 2]}, "mapping"),
    "text": ({"params": {"I11": "three"}}, "'three'"),
    "numeric text": ({"params": {"I11": "3"}}, "number"),
    "truth value": ({"params": {"I11": True}}, "True"),
    "nothing": ({"params": {"I11": None}}, "None"),
    "complex": ({"params": {"I11": 1j}}, "1j"),
    "NaN": ({"params": {"I11": float("nan")}}, "finite"),
    "infinity": ({"initial": {"M1": float("inf")}}, "finite"),
    "huge whole number": ({"initial": {"M1": 10**400}}, "finite"),
    "out of range": ({"initial": {"M1": 1e4}}, "between -1000 and 1000"),
    "negative inertia": ({"params": {"I11": -1}}, "between 0.01 and 100"),
    "not positive definite": ({"params": {"I11": 1, "I22": 1, "I33": 1, "I13": 5}}, "25"),
    "zero step": ({"step": 0}, "step"),
    "negative step": ({"step": -0.1}, "step"),
    "negative duration": ({"duration": -1}, "duration"),
    "absurd number of steps": ({"step": 1e-9, "duration": 1e6}, "1,000,000,000"),
    "too many samples": ({"step": 1e-6, "duration": 100.0}, "every to"),
    "every zero": ({"every": 0}, "whole number"),
    "every fraction": ({"every": 2.5}, "whole number"),
    "midpoint off the blade's line": ({"system": "sleigh", "method": "midpoint", "params": {"b": 0.1}}, "b = 0"),
    "no mass": ({"system": "sleigh", "params": {"m": 0}}, "m must be between"),
}


@pytest.mark.parametrize(("arguments", "hint"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_one_sentence(arguments, hint):
    with pytest.raises(nhviz.ParameterError) as caught:
        nhviz.simulate(**{"system": "suslov", **arguments})
    message = str(caught.value)
    assert hint in message
    assert 10 < len(message) < 400
    assert "\n" not in message
    assert isinstance(caught.value, ValueError)


def test_the_way_out_of_too_many_samples_works():
    with pytest.raises(nhviz.ParameterError) as caught:
        nhviz.simulate("suslov", step=1e-6, duration=100.0)
    every = int(str(caught.value).split("every to ")[1].split()[0])
    nhviz.Problem.create("suslov", step=1e-6, duration=100.0, every=every)


def test_numbers_of_every_kind_are_accepted():
    for three in (3, 3.0, np.float64(3), np.int32(3), Fraction(3)):
        assert dict(nhviz.Problem.create("suslov", params={"I11": three}).params)["I11"] == 3.0
    assert nhviz.Problem.create("sleigh", initial={"x": -0.0}).text() == nhviz.Problem.create("sleigh").text()


def test_asking_a_run_for_what_it_has_not():
    orbit = nhviz.simulate("suslov")
    with pytest.raises(nhviz.ParameterError, match="component"):
        orbit["M4"]
    with pytest.raises(nhviz.ParameterError, match="quantity"):
        orbit.quantity("charm")


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: nhviz.branches("suslov", "exact"), "moser_veselov, cayley"),
        (lambda: nhviz.branches("suslov", at={"M9": 1}), "M1, M2"),
        (lambda: nhviz.branches("suslov", at={"M1": float("nan")}), "finite"),
        (lambda: nhviz.branches("suslov", step=0), "step"),
        (lambda: nhviz.locus("sleigh", "exact"), "fedorov_zenkov"),
        (lambda: nhviz.locus("suslov", params={"I33": 0.1}), "positive definite"),
        (lambda: nhviz.locus("suslov", colour="red"), "colour"),
        (lambda: nhviz.locus("suslov", rows=-3), "rows"),
        (lambda: nhviz.locus("suslov", "cayley", angle=4.0), "angle"),
        (lambda: nhviz.locus("suslov", q0_min=0.8, q0_max=0.4), "q0_min"),
        (lambda: nhviz.locus("sleigh", extent=float("inf")), "extent"),
        (lambda: nhviz.ensemble("suslov", initial={"M1": 3}), "sequence"),
        (lambda: nhviz.ensemble("suslov", initial={"M1": [1, 2], "M2": [1, 2, 3]}), "as many"),
        (lambda: nhviz.ensemble("suslov", initial={"M1": []}), "at least one"),
        (lambda: nhviz.ensemble("suslov", initial={"M1": [1.0, float("nan")]}), "finite"),
        (lambda: nhviz.ensemble("suslov", initial={"M1": [1.0] * 100}, step=1e-5), "samples"),
        (lambda: nhviz.ensemble("suslov", initial={"M1": [1.0]}, skip=("Q",)), "Q"),
        (lambda: nhviz.Problem.from_dict({"method": "exact"}), "system"),
        (lambda: nhviz.Problem.from_dict({"system": "suslov", "speed": 1}), "speed"),
        (lambda: nhviz.Problem.from_dict("suslov"), "mapping"),
    ],
)
def test_other_calls_refuse_too(call, hint):
    with pytest.raises(nhviz.ParameterError) as caught:
        call()
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    st.fixed_dictionaries(
        {"system": st.sampled_from(["suslov", "sleigh"]) | junk},
        optional={
            "method": st.sampled_from(["exact", "cayley", "midpoint"]) | junk,
            "params": st.dictionaries(st.sampled_from(["I11", "J", "a"]) | st.text(max_size=3), junk, max_size=2)
            | junk,
            "initial": st.dictionaries(st.sampled_from(["M1", "p_1"]), junk, max_size=2) | junk,
            "step": junk,
            "duration": junk,
            "every": junk,
            "options": junk,
        },
    )
)
def test_any_junk_makes_a_problem_or_a_parameter_error(data):
    try:
        problem = nhviz.Problem.from_dict(data)
    except nhviz.ParameterError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        assert nhviz.Problem.from_dict(problem.to_dict()) == problem


WORDS = {
    "nothing": [],
    "unknown command": ["dance"],
    "unknown system": ["simulate", "nothing"],
    "bad set": ["simulate", "suslov", "--set", "I11"],
    "bad number": ["simulate", "suslov", "--set", "I11=three"],
    "unknown name": ["simulate", "suslov", "--set", "I12=3"],
    "bad step": ["simulate", "suslov", "--step", "small"],
    "negative inertia": ["simulate", "suslov", "--set", "I11=-1"],
    "unknown flag": ["simulate", "suslov", "--fast"],
    "bad ending": ["simulate", "suslov", "--out", "orbit.xls"],
    "no folder": ["simulate", "suslov", "--out", "nowhere/orbit.csv"],
    "describe nothing": ["describe", "nothing"],
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS.keys())
def test_command_line_refuses_in_one_line(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("nhviz: ")
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path, capsys):
    taken = tmp_path / "orbit.csv"
    taken.mkdir()
    assert main(["simulate", "suslov", "--out", str(taken)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [taken]


def test_command_line_as_a_process(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "nhviz",
            "simulate",
            "sleigh",
            "--set",
            "a=-1",
            "--set",
            "p_1=1.5",
            "--method",
            "midpoint",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 13


def test_command_line_tells_of_a_stop_and_of_unreal_bodies(capsys):
    assert main(["simulate", "suslov", "--step", "0.04"]) == 0
    assert "no real branch before the first step is complete" in capsys.readouterr().out
    cp = ["--set", "I11=1", "--set", "I22=1", "--set", "I33=2", "--set", "I13=0", "--set", "I23=1"]
    assert main(["simulate", "suslov", *cp, "--set", "M1=0", "--set", "M2=1"]) == 0
    assert "not a real body" in capsys.readouterr().out


def test_branch_option_on_the_command_line(capsys):
    assert main(["simulate", "suslov", "--set", "branch=1", "--duration", "0.06"]) == 0
    assert "235.365" in capsys.readouterr().out
