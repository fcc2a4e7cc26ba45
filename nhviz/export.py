"""A run as a table, and as csv, json or npz: the same columns everywhere, full precision."""

import csv
import io
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from nhviz.parameters import ParameterError, shown
from nhviz.problem import Trajectory
from nhviz.system import Array

FORMATS = (".csv", ".json", ".npz")


def columns(run: Trajectory) -> dict[str, Array]:
    """Time, components and quantities as columns; a matrix becomes one column per entry, R11, R12, ..."""
    table = {"t": run.t}
    for name, values in run.components.items():
        if values.ndim == 1:
            table[name] = values
        else:
            for index in np.ndindex(values.shape[1:]):
                table[name + "".join(str(i + 1) for i in index)] = values[(slice(None), *index)]
    for quantity in run.system.quantities:
        if quantity.id not in table:
            table[quantity.id] = run.quantity(quantity.id)
    return table


def to_csv(run: Trajectory) -> bytes:
    """Comma-separated values with a header line; numbers read back exactly."""
    table = columns(run)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*(values.tolist() for values in table.values()), strict=True))
    return text.getvalue().encode()


def runs_to_csv(runs: Mapping[str, Trajectory]) -> bytes:
    """Several runs in one table, with a first column that names the run; one run alone needs no name.

    Where a run has no such column, its cells are empty.
    """
    if len(runs) == 1:
        return to_csv(*runs.values())
    tables = {name: {column: values.tolist() for column, values in columns(run).items()} for name, run in runs.items()}
    head = list(dict.fromkeys(column for table in tables.values() for column in table))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", *head])
    for name, table in tables.items():
        blank = [""] * len(table["t"])
        writer.writerows(zip([name] * len(blank), *(table.get(column, blank) for column in head), strict=True))
    return text.getvalue().encode()


def to_json(run: Trajectory) -> bytes:
    """The problem, why the run stopped, and the columns."""
    data = {
        "problem": run.problem.to_dict(),
        "stopped": run.stopped,
        "columns": {name: values.tolist() for name, values in columns(run).items()},
    }
    return json.dumps(data, allow_nan=False).encode()


def to_npz(run: Trajectory) -> bytes:
    """Numpy arrays by component and quantity, with the problem as text; no pickles inside."""
    arrays: dict[str, Any] = {"t": run.t, **run.components}
    arrays.update({q.id: run.quantity(q.id) for q in run.system.quantities if q.id not in arrays})
    buffer = io.BytesIO()
    np.savez_compressed(buffer, problem=np.array(run.problem.text()), stopped=np.array(run.stopped or ""), **arrays)
    return buffer.getvalue()


def check_target(path: str) -> Path:
    """The file to write, or a ParameterError: known ending, existing folder."""
    target = Path(path)
    if "\0" in path:
        raise ParameterError(f"--out: no file can be called {shown(path)}.", "out")
    if target.suffix not in FORMATS:
        raise ParameterError(f"--out must end in {', '.join(FORMATS)}, not {shown(target.name)}.", "out")
    if not is_folder(target.parent):
        raise ParameterError(f"--out: there is no folder {shown(str(target.parent))}.", "out")
    return target


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; a name that no file can have, or that may not be looked at, is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def write(run: Trajectory, target: Path) -> None:
    """Write a run in the format of the file's ending; a failure leaves no file behind."""
    write_content({".csv": to_csv, ".json": to_json, ".npz": to_npz}[target.suffix](run), target)


def write_content(content: bytes, target: Path) -> None:
    """Write a file, or leave none behind."""
    partial = target.with_name(target.name + ".part")
    try:
        partial.write_bytes(content)
        partial.replace(target)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise ParameterError(f"--out: cannot write {shown(str(target))}: {error.strerror}.", "out") from error


def short_table(run: Trajectory, rows: int = 12) -> str:
    """A few evenly spaced samples of the scalar columns, for a terminal."""
    table = {name: values for name, values in columns(run).items() if not name.startswith("R") or name == "R"}
    chosen = np.unique(np.linspace(0, len(run) - 1, min(rows, len(run))).round().astype(int))
    lines = ["".join(f"{name:>14}" for name in table)]
    lines += ["".join(f"{values[i]:>14.6g}" for values in table.values()) for i in chosen]
    return "\n".join(lines)
