"""Who asks: addresses, networks of IPv6, proxies, and what they tell."""

from ipaddress import ip_network

import pytest

from server import clients

PROXIES = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "address", "proxy"),
    [
        (("10.1.2.3", 4000), "10.1.2.3", True),
        (("11.1.2.3", 4000), "11.1.2.3", False),
        (("::ffff:10.1.2.3", 4000, 0, 0), "10.1.2.3", True),
        (("fd00::1%eth0", 4000, 0, 0), "fd00::1%eth0", True),
        (("2001:db8::1", 4000, 0, 0), "2001:db8::1", False),
        ("", clients.LOCAL, True),
        (b"", clients.LOCAL, True),
    ],
)
def test_the_other_end_of_a_connection(peer, address, proxy):
    assert clients.address(peer) == address
    assert clients.is_proxy(address, PROXIES) == proxy


@pytest.mark.parametrize(
    ("address", "forwarded", "client"),
    [
        ("11.1.2.3", ["1.2.3.4"], "11.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", [], "2001:db8:1:2::/64"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("10.1.2.3", ["9.9.9.9, 1.2.3.4"], "1.2.3.4"),
        ("10.1.2.3", ["9.9.9.9", "2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        ("10.1.2.3", ["::ffff:1.2.3.4"], "1.2.3.4"),
        ("10.1.2.3", ["somebody"], "10.1.2.3"),
        ("10.1.2.3", [""], "10.1.2.3"),
        (clients.LOCAL, [" 1.2.3.4 "], "1.2.3.4"),
        (clients.LOCAL, [], clients.LOCAL),
    ],
)
def test_the_client_of_a_request(address, forwarded, client):
    headers = [("HOST", "a"), *(("X-FORWARDED-FOR", value) for value in forwarded)]
    assert clients.told(address, headers, PROXIES) == client
