"""What a sweep has found as csv, json or npz, with full precision, and in a few lines for a terminal."""

import csv
import io
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np

from nhviz import export
from nhviz.sweeps.found import Found
from nhviz.system import Array

# Empty cells that are asked for their reasons: one in so many, spread over all of them.
ASKED = 50


def to_csv(found: Found, reasons: bool = False) -> bytes:
    """A line for every cell that is done: x, y, the value or nothing, and the reason of an empty one if asked for."""
    sweep = found.sweep
    names = [sweep.x.name, *([sweep.y.name] if sweep.y else []), sweep.quantity, *(["reason"] if reasons else [])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    x = sweep.x.values.tolist()
    heights = [[y] for y in sweep.y.values.tolist()] if sweep.y else [[]]
    for j, (height, values, done) in enumerate(zip(heights, rows(found.values), rows(found.done), strict=True)):
        for i, value in enumerate(values.tolist()):
            if done[i]:
                told = [found.reason(i, j) if np.isnan(value) else ""] if reasons else []
                writer.writerow([x[i], *height, "" if np.isnan(value) else value, *told])
    return text.getvalue().encode()


def rows(values: Array) -> Array:
    """A curve as a map of one row."""
    return values.reshape(-1, values.shape[-1])


def to_json(found: Found) -> bytes:
    """The sweep, its axes, and the values row by row; null for an empty cell."""
    values = [[None if math.isnan(value) else value for value in row] for row in rows(found.values).tolist()]
    y = None if found.y is None else found.y.tolist()
    data = {
        "sweep": found.sweep.to_dict(),
        "x": found.x.tolist(),
        "y": y,
        "values": values if found.sweep.y else values[0],
    }
    return json.dumps(data, allow_nan=False).encode()


def to_npz(found: Found) -> bytes:
    """Numpy arrays x, y (not for a curve) and values, with the sweep as text; no pickles inside."""
    arrays = {"x": found.x, "values": found.values} | ({} if found.y is None else {"y": found.y})
    buffer = io.BytesIO()
    np.savez_compressed(buffer, sweep=np.array(found.sweep.text()), **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def write(found: Found, target: Path) -> None:
    """Write in the format of the file's ending; a failure leaves no file behind."""
    export.write_content({".csv": to_csv, ".json": to_json, ".npz": to_npz}[target.suffix](found), target)


def summary(found: Found) -> str:
    """The least and the greatest value and where they are, how many cells are empty, and their commonest reason."""
    sweep, measure = found.sweep, found.sweep.measure
    unit = f" {measure.unit}" if measure.unit else ""
    lines = [f"{measure.title} of {sweep.system} by {sweep.method}, {' x '.join(map(str, sweep.shape[::-1]))} cells"]
    if not np.isnan(found.values).all():
        for word, place in (("least", np.nanargmin(found.values)), ("greatest", np.nanargmax(found.values))):
            value = found.values.flat[place]
            lines.append(f"{word:9}{value:.6g}{unit} at {where(found, int(place))}")
    empty = np.flatnonzero(np.isnan(found.values) & found.done)
    if empty.size:
        chosen = empty[:: -(-empty.size // ASKED)].tolist()
        told = Counter(found.reason(place % sweep.x.count, place // sweep.x.count) for place in chosen)
        lines.append(f"empty    {empty.size}, mostly: {told.most_common(1)[0][0]}")
    return "\n".join(lines)


def where(found: Found, place: int) -> str:
    """The values of a cell's axes, in words."""
    j, i = divmod(place, found.sweep.x.count)
    words = f"{found.sweep.x.name} = {found.x[i]:.6g}"
    return words if found.sweep.y is None else f"{words}, {found.sweep.y.name} = {found.sweep.y.values[j]:.6g}"
