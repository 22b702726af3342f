"""How games end: their outcomes, the verdicts on bots, and what makes a game void."""
