"""What makes the dashboard a server that many can lean on: settings, shared cache, limits, headers, health."""
