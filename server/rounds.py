"""A queue in which clients take turns: each has a line of its own, and the lines are served one after the other."""

from collections import OrderedDict, deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Rounds(Generic[Item]):
    """Items by client; at most so many of one client wait, and at most so many of all."""

    def __init__(self, of_one: int, of_all: int) -> None:
        self.of_one, self.of_all = of_one, of_all
        self.lines: OrderedDict[str, deque[Item]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self.lines.values()))

    def add(self, client: str, item: Item) -> bool:
        """Let an item wait at the end of its client's line; False if there is no room for it."""
        if len(self) >= self.of_all or len(self.lines.get(client, ())) >= self.of_one:
            return False
        self.lines.setdefault(client, deque()).append(item)
        return True

    def take(self) -> Item:
        """The first item of the line whose turn it is, which then waits for all others; IndexError if all are empty."""
        if not self.lines:
            raise IndexError
        client, line = self.lines.popitem(last=False)
        item = line.popleft()
        if line:
            self.lines[client] = line
        return item

    def drop(self, client: str, item: Item) -> None:
        """Take an item out of its line, wherever it stands; ValueError if it does not."""
        line = self.lines.get(client, deque())
        line.remove(item)
        if not line:
            self.lines.pop(client, None)

    def waiting(self) -> list[Item]:
        """All items that wait."""
        return [item for line in self.lines.values() for item in line]
