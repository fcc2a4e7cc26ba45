"""Why something long is not made."""


class BusyError(Exception):
    """There is no place, or there was no turn in time."""


class LateError(Exception):
    """The time was up before it was made."""


class GoneError(Exception):
    """Nobody waits for the answer any more."""


class LostError(Exception):
    """Something went wrong in the workshop; its log says what."""
