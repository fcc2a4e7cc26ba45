"""Draw the thumbnails of the presets of sweeps, assets/sweep/*.png, from their values.

Colours are those of the page, read from its script. Empty cells are transparent, so that a picture fits every theme.

.venv/bin/python -m docs.make_maps [PRESET ...]
"""

import re
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

import nhviz
from nhviz.sweeps.presets import PRESETS, Preset

ASSETS = Path(__file__).parent.parent / "assets" / "sweep"
SIZE = (198, 114)
SHADES = 250
"""Colours of a picture; one more is for empty cells."""
EDGE = 0.02
DECADES = 50.0


def anchors() -> dict[str, list[str]]:
    """The colours of every kind, as the page has them."""
    text = (ASSETS / "colour.js").read_text()
    return {kind: re.findall(r"#[0-9a-f]{6}", listed) for kind, listed in re.findall(r"(\w+): \[([^\]]*)\]", text)}


def palette(kind: str) -> np.ndarray:
    """So many shades of a kind; a count has flat steps."""
    colours = anchors()[kind]
    channels = np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in colours])
    if kind == "count":
        return channels.repeat(-(-SHADES // len(colours)), axis=0)[:SHADES]
    at = np.linspace(0.0, len(colours) - 1.0, SHADES)
    return np.stack([np.interp(at, np.arange(len(colours)), channel) for channel in channels.T], axis=1).round()


def shares(kind: str, values: np.ndarray) -> np.ndarray:
    """Where values lie between both ends of the colours; a few that lie far out do not count."""
    if kind == "count":
        return (np.minimum(3.0, values / 2.0) + 0.5) / 4.0
    low, high = np.nanquantile(values, [EDGE, 1.0 - EDGE])
    least, greatest = np.nanmin(values), np.nanmax(values)
    if kind == "signed":
        reach = max(-low, high)
        least, greatest = -reach, reach
    elif kind == "magnitude" and least > 0.0 and high / low > DECADES:
        values, least, greatest, low, high = (np.log(v) for v in (values, least, greatest, low, high))
    wide = high - low
    least, greatest = (low if least < low - wide else least), (high if greatest > high + wide else greatest)
    return np.clip((values - least) / (greatest - least), 0.0, 1.0)


def fewer(preset: Preset) -> nhviz.Sweep:
    """The preset with a cell for every pixel of its thumbnail."""
    axes = {w: (*preset.sweep[w][:3], n, *preset.sweep[w][4:]) for w, n in zip("xy", SIZE, strict=True)}
    return preset.create(**axes)


def write(preset: Preset) -> None:
    """Save the thumbnail of a preset."""
    found = nhviz.sweep(fewer(preset))
    kind = found.sweep.measure.kind
    share = shares(kind, found.values)[::-1]
    pixels = np.where(np.isfinite(share), np.round(np.nan_to_num(share) * (SHADES - 1)), SHADES).astype(np.uint8)
    (ASSETS / f"{preset.id}.png").write_bytes(png(pixels, palette(kind).astype(np.uint8)))


def png(pixels: np.ndarray, table: np.ndarray) -> bytes:
    """Pixels (rows, columns) of a palette as a PNG; the number behind the last colour is transparent."""
    height, width = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels], axis=1).tobytes()
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", table.tobytes() + bytes(3)),
        (b"tRNS", bytes([255]) * len(table) + bytes(1)),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    chunks = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


if __name__ == "__main__":
    for one in PRESETS:
        if one.id in (sys.argv[1:] or [one.id]):
            write(one)
