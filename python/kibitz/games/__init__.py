"""Text formats of single games: pure functions, no rules beyond form."""
