"""Round robins of bots: what is played, who plays it, what became of it, and who is better.

schedule -> runner (over a pool of processes) -> ledger -> ratings -> report.
"""
