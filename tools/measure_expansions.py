"""Play bots against `random` with each expansion, and count what they use of it.

    python tools/measure_expansions.py --bots greedy --games 40

Each deal is played twice, with seats exchanged. A line of the table: the expansion, in how many
games the bot was ahead (a tie counts half), the mean scores, and for each action that the base game
does not have how often the bot chose it in a game.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from carc import Rules
from carc.bots import by_name

NEW = (
    "tower abbey count bridges bigtop phantom tunnel ferries labyrinth cult monasteries"
    " watchtowers windroses siege darmstadt gq11 spiel_doch russian buildings son city_gates"
)
PLAIN = {"place", "pass", "claim meeple"}


def used(text: str) -> str:
    """Return what an action uses: its verb; for a claim, the kind of follower too."""
    verb, _, rest = text.partition(":")
    kind = rest.rpartition(",")[2]
    if verb in ("claim", "lie"):
        return f"{verb} {kind}"
    return text if verb in ("crops", "flock", "building") else verb


def play_one(rules: Rules, bot: str, deal: int, seat: int, counts: Counter[str]) -> list[int]:
    """Return the scores of a game in which the bot has this seat; count what it does."""
    state, drawn = rules.start(), rules.deal(deal)
    rival = by_name("random", deal)
    chooser = by_name(bot, deal)
    while not state.is_terminal:
        player = state.current_player
        if player < 0:
            action = drawn.choose(state)
        elif player == seat:
            action = chooser.choose(state.copy())
            counts[used(str(action))] += 1
        else:
            action = rival.choose(state.copy())
        state.apply(action)
    return state.scores


def measure(name: str, bot: str, games: int) -> str:
    """Return a line of the table."""
    rules = Rules.from_spec(f"base+{name}", 2)
    counts: Counter[str] = Counter()
    ahead, own, other = 0.0, 0, 0
    for game in range(games):
        seat = game % 2
        scores = play_one(rules, bot, game // 2, seat, counts)
        margin = scores[seat] - scores[1 - seat]
        ahead += 0.5 if margin == 0 else float(margin > 0)
        own, other = own + scores[seat], other + scores[1 - seat]
    verbs = [f"`{verb}` {n / games:.1f}" for verb, n in counts.most_common() if verb not in PLAIN]
    words = [f"`{name}`", f"{ahead:g} of {games}", f"{own / games:.0f} : {other / games:.0f}"]
    return f"| {' | '.join([*words, ', '.join(verbs)])} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each bot with each expansion."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", default="greedy", help="bots, with a comma between two")
    parser.add_argument("--games", type=int, default=40, help="how many games for each")
    parser.add_argument("--expansions", default=",".join(NEW.split()))
    options = parser.parse_args(arguments)
    for bot in options.bots.split(","):
        print(f"\n`{bot}`\n\n| expansion | ahead | mean score | chosen in a game |")
        print("|---|---|---|---|")
        for name in options.expansions.split(","):
            print(measure(name, bot, options.games), flush=True)


if __name__ == "__main__":
    main()
