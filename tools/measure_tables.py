"""Measure a bot against several others of one kind at a table.

    python tools/measure_tables.py strong:0.05s strong-1:0.026s --players 3 --deals 20

ONE plays each deal once from each seat; OTHER has all other seats. Printed is how often ONE came in
ahead of all others; a tie counts half. With three players it is a third if both are equally strong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from time import process_time
from typing import Protocol

import attrs
import click
from intervals import half_interval

from carc import CHANCE, Action, Rules, State
from carc.base.game.outcome import results
from carc.bots import by_name


class Chooses(Protocol):
    """A bot, as far as it is needed here."""

    def choose(self, state: State) -> Action:
        """Return the action for a state that may be changed."""


@attrs.define
class Tally:
    """What happened at the tables.

    Attributes:
        ahead: For each deal, the share of its games in which the one bot came in ahead.
        margins: For each deal, by how many points it was ahead of the best other on average.
        seconds: The CPU time of the one bot and of all others.
        games: How many games were played.
    """

    ahead: list[float] = attrs.Factory(list)
    margins: list[float] = attrs.Factory(list)
    seconds: list[float] = attrs.Factory(lambda: [0.0, 0.0])
    games: int = 0

    def add_deal(
        self,
        rules: Rules,
        one: Callable[[int], Chooses],
        other: Callable[[int], Chooses],
        deal: str,
    ) -> None:
        """Play a deal with one bot in each seat once.

        Args:
            rules: The rules.
            one: Makes the one bot, from a seed.
            other: Makes another bot, from a seed.
            deal: The seed of the deal.
        """
        leads: list[float] = []
        for seat in range(rules.players):
            bots = [(one if at == seat else other)(at + 1) for at in range(rules.players)]
            leads.append(self._lead(rules, bots, deal, seat))
        self.ahead.append(fmean((lead > 0) + 0.5 * (lead == 0) for lead in leads))
        self.margins.append(fmean(leads))

    def _lead(self, rules: Rules, bots: Sequence[Chooses], deal_seed: str, seat: int) -> float:
        """Play a game and return by how much the bot in a seat is ahead of the best other."""
        state, deal = rules.start(), rules.deal(deal_seed)
        while not state.is_terminal:
            player = state.current_player
            if player == CHANCE:
                state.apply(deal.choose(state))
            elif state.count_actions() == 1:
                state.apply(state.action_at(0))
            else:
                begun = process_time()
                action = bots[player].choose(state.copy())
                self.seconds[player != seat] += process_time() - begun
                state.apply(action)
        self.games += 1
        final = results(state)
        return final[seat] - max(points for at, points in enumerate(final) if at != seat)

    def share(self) -> tuple[float, float]:
        """Return the share of games ahead, and half of its 95 % interval (0 after one deal)."""
        return fmean(self.ahead), half_interval(self.ahead)

    def describe(self) -> str:
        """Say how often the one bot came in ahead, and by how much."""
        share, half = self.share()
        return (
            f"ahead in {share * self.games:g} of {self.games} games, {share:.1%}"
            f" [{share - half:.1%}, {share + half:.1%}]; margin {fmean(self.margins):+.1f}"
        )


@click.command(context_settings={"show_default": True})
@click.argument("one")
@click.argument("other")
@click.option("--rules", default="base", help="Rules, such as base+ghosts.")
@click.option("--players", default=2, type=click.IntRange(2, 6), help="How many play.")
@click.option("--deals", default=20, type=click.IntRange(min=1), help="Each is played once a seat.")
@click.option("--seed", default=0, help="Decides the deals.")
def main(*, one: str, other: str, rules: str, players: int, deals: int, seed: int) -> None:
    """Play ONE against tables of OTHER, and print the tally after each deal."""
    tally, played_by = Tally(), Rules.from_spec(rules, players)
    for deal in range(deals):
        tally.add_deal(
            played_by,
            lambda bot_seed: by_name(one, bot_seed),
            lambda bot_seed: by_name(other, bot_seed),
            f"table {seed} {deal}",
        )
        own, others = (seconds / tally.games for seconds in tally.seconds)
        click.echo(
            f"{tally.describe()}; CPU seconds a game {own:.2f}, for each other"
            f" {others / (players - 1):.2f}"
        )


if __name__ == "__main__":
    main()
