"""Who asks: a client is its address as text, behind a proxy that is trusted the address that the proxy tells."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

LOCAL = "local"
"""Who comes through a socket in the file system: a proxy of this machine."""

Network = IPv4Network | IPv6Network
Peer = tuple | str | bytes
"""What the kernel says of the other end of a connection."""


def address(peer: Peer) -> str:
    """The other end of a connection as text, without its port; one of IPv4 as such, whatever was listened on."""
    return str(peer[0]).removeprefix("::ffff:") if isinstance(peer, tuple) else LOCAL


def identity(text: str) -> str:
    """The client at an address: one has a whole /64 of IPv6, and may use any address of it; raises ValueError."""
    found = ip_address(text.strip().partition("%")[0])
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


def is_proxy(where: str, proxies: tuple[Network, ...]) -> bool:
    """Whether an address may speak for others."""
    return where == LOCAL or any(ip_address(where.partition("%")[0]) in network for network in proxies)


def told(where: str, headers: Iterable[tuple[str, str]], proxies: tuple[Network, ...]) -> str:
    """The client of a request: who is connected, or whom a proxy names last; what is no address is not believed."""
    if is_proxy(where, proxies):
        named = [value for name, value in headers if name == "X-FORWARDED-FOR"]
        try:
            return identity(named[-1].rpartition(",")[2])
        except (IndexError, ValueError):
            pass
    return where if where == LOCAL else identity(where)
