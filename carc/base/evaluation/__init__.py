"""How good a position is: estimates for bots. Play does not use them."""
