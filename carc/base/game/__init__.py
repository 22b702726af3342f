"""The game: positions, rules, the steps of a turn, and the hooks of expansions."""
