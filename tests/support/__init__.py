"""What several tests use: notation, fixtures of games and tournaments, and the oracle."""
