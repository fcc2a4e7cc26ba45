"""Mechanisms that systems share: the energy ellipse and the reference flow."""
