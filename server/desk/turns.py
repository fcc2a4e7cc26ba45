"""Whose tile is next: clients take turns tile by tile, and so do the sweeps of each client."""

from collections import OrderedDict

from server.desk.record import Record


class Turns:
    """Sweeps by client; who has had a turn waits for all others."""

    def __init__(self) -> None:
        self.lines: OrderedDict[str, OrderedDict[Record, None]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self.lines.values()))

    def of(self, client: str) -> int:
        """How many sweeps of a client there are."""
        return len(self.lines.get(client, ()))

    def add(self, record: Record) -> None:
        """Let a sweep take turns, after all others."""
        self.lines.setdefault(record.client, OrderedDict())[record] = None

    def drop(self, record: Record) -> None:
        """A sweep takes no more turns; nothing happens if it did not."""
        line = self.lines.get(record.client, OrderedDict())
        line.pop(record, None)
        if not line:
            self.lines.pop(record.client, None)

    def take(self) -> tuple[Record, int] | None:
        """The sweep whose turn it is, and the number of its next tile; None if none has any left."""
        for client, line in list(self.lines.items()):
            for record in list(line):
                line.move_to_end(record)
                if record.left:
                    self.lines.move_to_end(client)
                    return record, record.left.popleft()
        return None

    def ahead(self, record: Record) -> int:
        """How many other sweeps were begun before this one and still take turns; none for one that does not."""
        if record not in self.lines.get(record.client, ()):
            return 0
        others = (other for line in self.lines.values() for other in line if other is not record)
        return sum(other.began < record.began for other in others)
