"""Slow, plain references to check the fast core against."""
