"""One row per measurement: what was compared, the ratio, its target, and the times behind it."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Row:
    """A number with a target. `at_most` says on which side of the target it should lie; no target, no verdict."""

    title: str
    value: float
    unit: str = "x"
    target: float | None = None
    at_most: bool = True
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the value is on the right side of the target."""
        if self.target is None:
            return None
        return self.value <= self.target if self.at_most else self.value >= self.target

    def record(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self) | {"met": self.met}

    def cells(self) -> tuple[str, str, str, str, str]:
        """The texts of the printed row."""
        sign = "<=" if self.at_most else ">="
        target = "" if self.target is None else f"{sign} {self.target:g} {self.unit}"
        verdict = {None: "", True: "yes", False: "NO"}[self.met]
        return self.title, f"{number(self.value)} {self.unit}", target, verdict, listed(self.details)


def number(value: float) -> str:
    """Three digits, without an exponent for ordinary sizes."""
    return f"{value:,.0f}" if 100 <= abs(value) < 1e7 else f"{value:.3g}"


def listed(details: dict[str, Any]) -> str:
    """Details on one line."""
    return ", ".join(f"{name} {number(v) if isinstance(v, float) else v}" for name, v in details.items())


def text(rows: list[Row]) -> str:
    """The table, its columns aligned; it is also valid Markdown."""
    head = ("what", "ratio", "target", "met", "details")
    lines = [head, *(row.cells() for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join("| " + " | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) + " |" for line in lines)
