"""Find out how many deals of a team's game can be won by one that knows the order of the tiles.

    python tools/find_won_lines.py --players 3 --deals 40 --tries 300

The team evaluates its options without playouts. A deal that it loses is played again and again,
now and then with the next best option, until it is won: a won line. Whoever knows the order of the
tiles may ignore it, so no team wins a larger share of games than that of deals with a won line. No
bound on perfect play by that knowledge can thus be below the share found here.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from carc import CHANCE, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.bots.lookahead import Lookahead
from carc.bots.team_mcts import TeamMCTS
from carc.bots.team_search import TeamSearch
from carc.tournaments.rating.ratings import wilson

NEXT_BEST = 0.05  # how often the next best option is tried in place of the best


def search_of(rules: Rules) -> TeamSearch:
    """Return what evaluates a team's options as `team-mcts` does."""
    return TeamSearch(
        Lookahead(rules, Evaluation(rules)),
        turns=TeamMCTS.turns,
        width=TeamMCTS.width,
        playout_width=TeamMCTS.playout_width,
    )


def play(search: TeamSearch, deal_seed: str, next_best: float, rng: random.Random) -> State:
    """Return the end of a game, where the next best option may replace the best."""
    state, deal = search.rules.start(), search.rules.deal(deal_seed)
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
            continue
        options = search.actions(state) if state.count_actions() > 1 else []
        at = 0
        while at + 1 < len(options) and rng.random() < next_best:
            at += 1
        state.apply(options[at].action if options else state.action_at(0))
    return state


def tries_until_won(search: TeamSearch, deal_seed: str, tries: int) -> tuple[int, str]:
    """Return which try won the deal, 0 for none, and how the first one ended."""
    rng = random.Random(deal_seed)
    how = ""
    for number in range(1, tries + 1):
        state = play(search, deal_seed, 0.0 if number == 1 else NEXT_BEST, rng)
        if number == 1:
            end = state.to_dict()
            how = f"{end['outcome']['rule']} in pile {end['pile']}"
        if state.returns()[0] > 0.0:
            return number, how
    return 0, how


def main() -> None:
    """Read the command line and print each deal, the shares won, and why the first tries lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", default="mists:6")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--tries", type=int, default=300, help="of each deal")
    parser.add_argument("--seed", default="lines")
    options = parser.parse_args()
    search = search_of(Rules.from_spec(options.spec, options.players))
    lost: Counter[str] = Counter()
    tries: list[int] = []
    for number in range(options.deals):
        won_by, how = tries_until_won(search, f"{options.seed} {number}", options.tries)
        tries.append(won_by)
        if won_by != 1:
            lost[how] += 1
        print(f"deal {number}: try {won_by}" if won_by else f"deal {number}: not won", flush=True)
    for name, won in (
        ("without the order", sum(won_by == 1 for won_by in tries)),
        ("won lines", sum(won_by > 0 for won_by in tries)),
    ):
        share = wilson(won / len(tries), len(tries))
        print(f"{name}: {won} of {len(tries)}, {share.low:.0%} to {share.high:.0%}")
    for how, n in lost.most_common():
        print(f"first tries lost by {how}: {n}")


if __name__ == "__main__":
    main()
