"""Ordering something from the workshop, and waiting for it as long as somebody waits for the request."""

import json
import logging
import socket
from array import array
from collections.abc import Callable

from nhviz.parameters import ParameterError
from server import workshop
from server.jobs import Job
from server.refusals import BusyError, GoneError, LateError, LostError

LOOK = 0.05
"""Seconds between two looks at whether the client is still there."""
PIECE = 1 << 20

log = logging.getLogger("nhviz.orders")


channels: list[socket.socket] = []
"""Where the workers of a server send their orders, one; outside of a server there is no workshop."""


def open_workshop(at_once: int) -> None:
    """In a server, before it forks: have a workshop for all its workers."""
    channels.append(workshop.opened(at_once))


def order(job: Job, client: str, seconds: float, until: float, is_gone: Callable[[], bool]) -> tuple[bytes, float]:
    """What a job makes and the seconds that it took, or the error that says why there is nothing.

    Leaving early gives the order up.
    """
    mine, theirs = socket.socketpair()
    with mine:
        with theirs:
            packet = json.dumps({"client": client, "job": job, "seconds": seconds, "until": until}).encode()
            try:
                # socket.send_fds would wait where the workshop does not listen.
                rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [theirs.fileno()]))
                channels[0].sendmsg([packet], [rights], socket.MSG_DONTWAIT)
            except BlockingIOError:
                raise BusyError from None
            except OSError as error:
                log.error("There is no workshop (%s): what takes long cannot be made.", error)
                raise LostError("there is no workshop") from None
        return understood(received(mine, is_gone))


def received(answer: socket.socket, is_gone: Callable[[], bool]) -> bytearray:
    """The bytes of an answer, as many as come; a GoneError as soon as nobody wants them."""
    found = bytearray()
    answer.settimeout(LOOK)
    while not is_whole(found):
        piece = next_piece(answer)
        if piece == b"":
            break
        found += piece or b""
        if piece is None and is_gone():
            raise GoneError
    return found


def next_piece(answer: socket.socket) -> bytes | None:
    """The next bytes of an answer; b"" after its end, or if the workshop has died, None if there are none yet."""
    try:
        return answer.recv(PIECE)
    except TimeoutError:
        return None
    except ConnectionError:
        return b""


def is_whole(answer: bytearray) -> bool:
    """Whether an answer is all there."""
    size = workshop.HEAD.size
    return len(answer) >= size and len(answer) >= size + workshop.HEAD.unpack(answer[:size])[1]


def understood(answer: bytearray) -> tuple[bytes, float]:
    """What was made and the seconds that it took, from an answer that is whole and says so."""
    if not is_whole(answer):
        raise LostError("it ended")
    size = workshop.HEAD.size
    letter, length, seconds = workshop.HEAD.unpack(answer[:size])
    # A child that was ended just after its answer has a letter of the workshop behind it.
    content = bytes(answer[size : size + length])
    if letter == workshop.MADE:
        return content, seconds
    if letter == workshop.REFUSED:
        sentence, name = json.loads(content)
        raise ParameterError(sentence, name)
    raise {workshop.BUSY: BusyError, workshop.LATE: LateError}.get(letter, LostError)
