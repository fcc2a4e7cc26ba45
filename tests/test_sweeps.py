"""Sweeps as values: axes, texts, tiles, what is found, files, the command line, and sentences for bad input."""

import hashlib
import io
import json
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import nhviz
from nhviz import ParameterError, Sweep
from nhviz.__main__ import main
from nhviz.sweeps import compute, files, run
from nhviz.sweeps.axis import Axis
from nhviz.sweeps.found import Found
from nhviz.sweeps.run import watch
from nhviz.sweeps.tiles import tiles, tiles_of

ROOT = Path(__file__).parent.parent
X, Y = ("I13", -3.0, 3.0, 7), ("I23", -4.0, 3.0, 9)


def example(**changes):
    return Sweep.create(**{"system": "suslov", "quantity": "axes_angle", "x": X, "y": Y} | changes)


def test_axes_end_where_they_say():
    assert Axis("I13", -0.1, 0.7, 1000).values[[0, -1]].tolist() == [-0.1, 0.7]
    log = Axis("step", 1e-3, 0.7, 50, log=True).values
    assert log[[0, -1]].tolist() == [1e-3, 0.7]
    assert np.ptp(log[1:] / log[:-1]) < 1e-12


def test_text_is_canonical():
    sweep = example(params={"I11": 3})
    assert sweep == example(params={"I11": 3.0, "I22": 4.0}, step=0.015)
    assert hash(sweep) == hash(example(params={"I11": 3.0}))
    again = Sweep.from_dict(json.loads(sweep.text()))
    assert again == sweep
    assert again.text() == sweep.text()
    assert sweep != example(x=("I13", -3.0, 3.0, 7, "linear"), params={"I11": 3.5})


def test_a_log_axis_a_curve_and_own_names_come_back_from_their_text():
    for sweep in (
        Sweep.create("suslov", "energy_drift", ("step", 1e-3, 1e-2, 4, "log"), method="feedback"),
        Sweep.create("sphere", "rotation_number", ("h", 0.1, 0.7, 5), options={"level": 0.32}),
        Sweep.create("suslov", "largest_step", ("I13", 0.1, 0.7, 5), options={"energy": 20.0}),
    ):
        assert Sweep.from_dict(json.loads(sweep.text())) == sweep


def test_problem_of_a_cell_has_its_values():
    problem = example().problem(2, 7)
    assert dict(problem.params)["I13"] == pytest.approx(-1.0)
    assert dict(problem.params)["I23"] == pytest.approx(-4.0 + 7.0 * 7.0 / 8.0)
    with pytest.raises(ParameterError, match="positive definite"):
        example().problem(0, 0)
    with pytest.raises(ParameterError, match="from 0 to 6"):
        example().problem(7, 0)


def test_gains_follow_a_step_that_is_an_axis():
    curve = Sweep.create("sleigh", "stability", ("step", 0.01, 0.04, 4), method="feedback")
    assert [dict(curve.problem(i).options)["k1"] for i in range(4)] == pytest.approx([10.0, 5.0, 10.0 / 3.0, 2.5])
    fixed = Sweep.create("sleigh", "stability", ("step", 0.01, 0.04, 4), method="feedback", options={"k1": 7.0})
    assert [dict(fixed.problem(i).options)["k1"] for i in range(4)] == [7.0] * 4


def test_energy_axis_scales_the_start():
    curve = Sweep.create("suslov", "largest_step", ("energy", 3.0, 12.0, 2), params={"I11": 2.3})
    starts = [dict(curve.problem(i).initial) for i in range(2)]
    for start, energy in zip(starts, (3.0, 12.0), strict=True):
        assert start["M1"] ** 2 / 4.6 + start["M2"] ** 2 / 8.0 == pytest.approx(energy, rel=1e-14)
    assert starts[1]["M1"] == pytest.approx(2.0 * starts[0]["M1"], rel=1e-14)


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (1, 1000), (2, 2), (7, 33), (200, 200), (1000, 1000), (5, 900)])
def test_tiles_cover_everything_once_from_coarse_to_fine(rows, columns):
    seen, levels = np.zeros((rows, columns), dtype=int), []
    for tile in tiles_of(rows, columns):
        i, j = tile.indices()
        assert 0 < i.size <= 4096
        np.add.at(seen, (j, i), 1)
        levels.append(tile.level)
    assert (seen == 1).all()
    assert levels == sorted(levels)
    assert [tile.number for tile in tiles_of(rows, columns)] == list(range(len(levels)))


def test_the_first_level_is_a_coarse_picture_and_tiles_are_compact():
    every = tiles_of(1000, 1000)
    first = [tile.indices() for tile in every if tile.level == 0]
    i, j = (np.unique(np.concatenate([part[k] for part in first])) for k in (0, 1))
    assert i.size == j.size == 32
    assert np.ptp(np.diff(i)) == 0
    finest = [tile.indices() for tile in every if tile.level == every[-1].level]
    assert max(np.ptp(i) for i, _ in finest) < 64


def test_tiles_make_the_map_and_equal_single_cells():
    found = Found.empty(example())
    for tile, values in watch(example()):
        assert tile in found.missing
        found.put(tile, values)
    assert found.complete
    assert found.missing == ()
    again = nhviz.sweep("suslov", "axes_angle", X, Y)
    assert np.array_equal(found.values, again.values, equal_nan=True)
    assert found.values.shape == (9, 7)
    for i, j in ((3, 2), (5, 6)):
        assert compute.values_at(example(), np.array([i]), np.array([j]))[0] == found.values[j, i]


def test_empty_cells_are_exactly_those_with_a_reason():
    found = nhviz.sweep("suslov", "axes_angle", X, Y)
    for j in range(9):
        for i in range(7):
            assert (found.reason(i, j) is not None) == bool(np.isnan(found.values[j, i]))
    assert "positive definite" in found.reason(0, 0)
    rest = nhviz.sweep("suslov", "axes_angle", ("I13", -1.0, 1.0, 3), params={"I23": 0.0})
    assert "permanent" in rest.reason(1)


def test_progress_counts_all_cells():
    told = []
    nhviz.sweep("suslov", "axes_angle", ("I13", 0.1, 1.0, 70), Y, progress=lambda *counts: told.append(counts))
    assert told[-1] == (630, 630)
    assert sorted(told) == told


def test_files_hold_what_was_found(tmp_path):
    found = nhviz.sweep("suslov", "axes_angle", X, Y)
    lines = files.to_csv(found, reasons=True).decode().splitlines()
    assert lines[0] == "I13,I23,axes_angle,reason"
    assert len(lines) == 64
    assert lines[1].startswith("-3.0,-4.0,,")
    data = json.loads(files.to_json(found))
    assert data["values"][0][0] is None
    assert data["values"][5][3] == found.values[5, 3]
    assert Sweep.from_dict(data["sweep"]) == found.sweep
    arrays = np.load(io.BytesIO(files.to_npz(found)), allow_pickle=False)
    assert np.array_equal(arrays["values"], found.values, equal_nan=True)
    assert json.loads(str(arrays["sweep"])) == found.sweep.to_dict()


def test_command_line_tells_and_writes(tmp_path, capsys):
    words = ["sweep", "suslov", "axes_angle", "--x", "I13=-3:3:7", "--y", "I23=-4:3:9", "--set", "I11=3"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "7 x 9 cells" in told
    assert "positive definite" in told
    for name in ("map.csv", "map.json", "map.npz"):
        assert main([*words, "--out", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 0
    assert main([*words[:4], "I13=3:-3:7"]) == 2
    assert main([*words[:4], "I13=0:1"]) == 2
    assert "FIRST:LAST:COUNT" in capsys.readouterr().err


BAD = [
    ({"quantity": "cusp_time"}, "quantity", "no quantity"),
    ({"quantity": None}, "quantity", "no quantity"),
    ({"method": "cayley"}, "method", "exact, reference"),
    ({"x": ("I44", 0.0, 1.0, 5)}, "x", "no axis"),
    ({"x": ("branch", 0.0, 1.0, 5)}, "x", "no axis"),
    ({"x": ("h", 0.0, 1.0, 5)}, "x", "no axis"),
    ({"y": ("I13", 0.0, 1.0, 5)}, "y", "twice"),
    ({"x": ("I11", 0.0, 1.0, 5)}, "x", "between 0.01 and 100"),
    ({"x": ("I13", 1.0, 1.0, 5)}, "x", "smaller to a larger"),
    ({"x": ("I13", 2.0, 1.0, 5)}, "x", "smaller to a larger"),
    ({"x": ("I13", -1.0, 1.0, 1)}, "x", "between 2 and 1,000"),
    ({"x": ("I13", -1.0, 1.0, 1001)}, "x", "between 2 and 1,000"),
    ({"x": ("I13", -1.0, 1.0, 2.5)}, "x", "whole number"),
    ({"x": ("I13", -1.0, 1.0, 5, "log")}, "x", "begin above 0"),
    ({"x": ("I13", -1.0, 1.0, 5, "logarithm")}, "x", "log"),
    ({"x": ("I13", -1.0, float("nan"), 5)}, "x", "finite"),
    ({"x": ("I13", "a", 1.0, 5)}, "x", "number"),
    ({"x": "I13"}, "x", "must be"),
    ({"x": (3, 0.0, 1.0, 5)}, "x", "must be"),
    ({"x": ("I13", 1.0, 1.0 + 1e-15, 50)}, "x", "too narrow"),
    ({"params": {"I13": 1.0}}, "I13", "is an axis"),
    ({"params": {"I44": 1.0}}, "I44", "no parameter"),
    ({"params": {"I11": -1.0}}, "I11", "between"),
    ({"step": 0.0}, "step", "between"),
    ({"options": {"k0": 1.0}}, "k0", "no option"),
]


@pytest.mark.parametrize(("changes", "name", "words"), BAD, ids=[str(change) for change, _, _ in BAD])
def test_bad_sweeps_get_one_sentence(changes, name, words):
    with pytest.raises(ParameterError, match=words) as raised:
        example(**changes)
    assert raised.value.name == name
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)


def test_whole_numbers_and_a_fixed_step_that_is_an_axis():
    with pytest.raises(ParameterError, match="whole numbers only"):
        Sweep.create("suslov_n", "largest_step", ("n", 3.0, 6.0, 5))
    assert Sweep.create("suslov_n", "largest_step", ("n", 3.0, 6.0, 4)).shape == (4,)
    with pytest.raises(ParameterError, match="is an axis"):
        Sweep.create("suslov", "energy_drift", ("step", 1e-3, 1e-2, 4), step=0.1)


JUNK = [
    None,
    0,
    -1,
    1e300,
    float("nan"),
    "",
    "x",
    "I13",
    [],
    {},
    (),
    ("I13",),
    ("step", 1e-3, 1e-2, 3, "log"),
    True,
    b"z",
]


def test_a_thousand_malformed_sweeps_raise_parameter_errors_only():
    chance = random.Random(4)
    good = example().to_dict()
    refused = 0
    for _ in range(1000):
        data = json.loads(json.dumps(good))
        for _ in range(chance.randint(1, 3)):
            place = chance.choice([data, data["params"], data["x"], data["y"]])
            if isinstance(place, dict):
                key = chance.choice([*place, "unknown"])
                if key in data and key in ("params", "x", "y"):
                    key = chance.choice(["system", "quantity", "method", "step", "duration"])
                place[key] = chance.choice(JUNK)
        try:
            sweep = Sweep.from_dict(data)
        except ParameterError as error:
            refused += 1
            assert len(str(error)) < 600
        else:
            assert Sweep.from_dict(json.loads(sweep.text())) == sweep
    assert refused > 500
    for junk in JUNK:
        with pytest.raises(ParameterError):
            Sweep.from_dict(junk)


def test_tiles_depend_on_the_counts_only():
    other = Sweep.create("sleigh", "cusp_x", ("a", 0.1, 1.0, 7), ("J", 0.5, 1.0, 9))
    assert tiles(other) == tiles(example())


def test_another_process_finds_the_same_bits():
    sweeps = (
        Sweep.create("suslov", "largest_step", ("I13", -1.5, 1.3, 12), ("I23", -1.0, 1.1, 12)),
        Sweep.create("sphere", "rotation_number", ("h", 0.3, 0.9, 6), ("level", 0.29, 0.35, 6)),
        Sweep.create("sleigh", "cusp_x", ("a", 0.3, 0.9, 12), ("J", 0.4, 2.0, 12)),
    )
    program = (
        "import hashlib, json, sys; from nhviz import Sweep; from nhviz.sweeps.compute import compute;"
        "s = Sweep.from_dict(json.loads(sys.argv[1])); print(hashlib.sha256(compute(s, 0).tobytes()).hexdigest())"
    )
    for sweep in sweeps:
        words = [sys.executable, "-c", program, sweep.text()]
        told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        assert told == hashlib.sha256(compute.compute(sweep, 0).tobytes()).hexdigest()


def test_a_cluster_is_asked_for_the_sweep(monkeypatch):
    asked = []

    def ask(sweep, on):
        asked.append((sweep, on))
        return ((tile, compute.compute(sweep, tile.number)) for tile in tiles(sweep))

    monkeypatch.setattr(run, "import_module", lambda name: SimpleNamespace(watch=ask))
    found = nhviz.sweep("suslov", "axes_angle", X, Y, on="local")
    assert asked == [(example(), "local")]
    assert found.complete


def test_without_a_cluster_there_is_a_sentence(monkeypatch):
    def none(name):
        raise ModuleNotFoundError("No module named 'distributed'")

    monkeypatch.setattr(run, "import_module", none)
    with pytest.raises(ParameterError, match="dask") as raised:
        nhviz.sweep("suslov", "axes_angle", X, Y, on="local")
    assert raised.value.name == "on"
