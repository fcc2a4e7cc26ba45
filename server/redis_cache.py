"""Entries as values in Redis, for flask-caching: bytes in, the same bytes out, and nothing is unpickled.

How many it keeps is a matter of Redis (`maxmemory`). It has a moment to answer.
"""

from datetime import timedelta
from typing import Any

import redis
from flask import Flask
from flask_caching.backends.base import BaseCache

from server.entries import EntryError

PATIENCE = 0.25
"""Seconds that Redis may take to answer."""
LARGEST = 32 * 2**20
"""Most bytes of an entry; more are neither written nor read."""


class RedisCache(BaseCache):
    """Values of a Redis whose keys begin with a prefix."""

    def __init__(self, client: redis.Redis, prefix: str, timeout: int) -> None:
        super().__init__(default_timeout=timeout)
        self.client, self.prefix = client, prefix

    @classmethod
    def factory(cls, app: Flask, config: dict[str, Any], args: list[Any], kwargs: dict[str, Any]) -> "RedisCache":
        """As flask-caching makes it. An address that is none is a ValueError, whose words may hold the password."""
        client = redis.Redis.from_url(
            config["CACHE_REDIS_URL"], socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        )
        return cls(client, config["CACHE_KEY_PREFIX"], config["CACHE_DEFAULT_TIMEOUT"])

    def get(self, key: str) -> bytes | None:
        """The bytes of a key, or None; an EntryError if something else is in their place."""
        try:
            found = self.client.getrange(f"{self.prefix}{key}", 0, LARGEST)
        except redis.ResponseError as error:
            if str(error).startswith("WRONGTYPE"):
                raise EntryError("it is no text of bytes") from None
            raise
        if not isinstance(found, bytes) or len(found) > LARGEST:
            raise EntryError("it is too large")
        return found or None

    def set(self, key: str, value: bytes, timeout: int | timedelta | None = None) -> bool:
        """Keep bytes for a while, if they are not too many."""
        return len(value) <= LARGEST and bool(self.client.set(f"{self.prefix}{key}", value, ex=self.default_timeout))

    def delete(self, key: str) -> bool:
        """Remove whatever is in the place of a key."""
        return bool(self.client.delete(f"{self.prefix}{key}"))
