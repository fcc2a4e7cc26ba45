"""Questions about systems, as plain functions on arrays."""
