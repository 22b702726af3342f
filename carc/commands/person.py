"""A person at a table in the terminal: the board, the choices numbered and in words, undo, hint, save."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from carc.base.game.rules import COLOURS
from carc.base.game.steps import CHANCE
from carc.base.tiles.tile import Tile
from carc.bots import by_name
from carc.drawing import text, tiles_of
from carc.drawing.words import target, words
from carc.errors import BadNotation, CarcError
from carc.escape import escape_unprintable
from carc.match import InteractiveMatch
from carc.match.moves import Move

HELP = "a number or its notation chooses; u undo, h hint, l all choices, s FILE save, q quit"
_SHOWN = 24  # choices listed without being asked


class Person:
    """Plays a table through to its end, or until the person leaves."""

    def __init__(self, table: InteractiveMatch, adviser: str) -> None:
        self.table = table
        self.adviser = adviser
        self.tiles: Mapping[str, Tile] = tiles_of(table.rules)
        self.names = text.by_owner(table.rules.colours, table.names)
        self.console = Console(soft_wrap=True, highlight=False, markup=False)

    def play(self) -> bool:
        """Ask for every choice; whether the game was played to its end."""
        while True:
            self._forward()
            if self.table.is_over:
                return True
            if not self._choose():
                return False

    def _say(self, line: str) -> None:
        click.echo(escape_unprintable(line))

    def _forward(self) -> None:
        """Chance and bots play, and are reported."""
        while True:
            before = self.table.state.to_dict()
            move = self.table.step()
            if move is None:
                return
            self._report(move, before)

    def _report(self, move: Move, before: Mapping[str, Any]) -> None:
        said = words(move.action, before, self.tiles)
        if move.player != CHANCE:
            self._say(f"{self._who(move.player)} {said}")
        for scored in move.scored:
            self._say(f"    {COLOURS[scored.owner]} scores {scored.text}")

    def _who(self, player: int) -> str:
        colours = "+".join(COLOURS[owner] for owner in self.table.rules.colours[player])
        return f"{colours} {self.table.names[player]}"

    def _choose(self) -> bool:
        """One choice of a person's; False to leave."""
        asked = self.table.awaited
        assert asked is not None
        data = self.table.state.to_dict()
        choices = [str(action) for action in self.table.state.legal_actions()]
        self._show(data, choices)
        self._list(data, choices, everything=False)
        who = "the tile drawn" if asked == CHANCE else self._who(asked)
        while True:
            click.echo(f"{escape_unprintable(who)}> ", nl=False)
            try:
                said = input().strip()
            except EOFError:
                click.echo()
                return False
            if said == "q":
                return False
            if self._command(said, data, choices):
                continue
            if said == "u":
                if not self.table.undo():
                    self._say("nothing to take back")
                    continue
                return True
            if said.isdecimal() and not 1 <= int(said) <= len(choices):
                self._say(f"there is no choice {said}: they are 1 to {len(choices)}")
                continue
            action = self._meant(said, choices)
            try:
                move = self.table.act(asked, action)
            except CarcError as error:
                self._say(f"{error}; {HELP}" if isinstance(error, BadNotation) else str(error))
                continue
            self._report(move, data)
            return True

    def _command(self, said: str, data: Mapping[str, Any], choices: list[str]) -> bool:
        """Do what changes nothing at the table; whether it was that."""
        verb, _, rest = said.partition(" ")
        if verb == "h" and not rest and self.table.awaited != CHANCE:
            try:
                action, why = self.table.hint(by_name(self.adviser))
            except CarcError as error:
                self._say(str(error))
                return True
            number = choices.index(str(action)) + 1
            told = f" ({why})" if why else ""
            self._say(f"{self.adviser} {words(str(action), data, self.tiles)}: {number}{told}")
        elif verb == "l" and not rest:
            self._list(data, choices, everything=True)
        elif verb == "s" and rest:
            self._say(saved(self.table, Path(rest.strip())))
        elif said in ("", "?"):
            self._say(HELP)
        else:
            return False
        return True

    def _meant(self, said: str, choices: list[str]) -> str:
        """The notation for a number, a tile's name or notation itself."""
        if said.isdecimal():
            return choices[int(said) - 1]
        return f"draw:{said}" if f"draw:{said}" in choices else said

    def _show(self, data: Mapping[str, Any], choices: list[str]) -> None:
        """The board with what may be done on it, the tile in hand, the scores."""
        cells = {
            to.cell
            for to in (target(action, data) for action in choices)
            if to.cell is not None and to.rotation is not None
        }
        free = sorted(cells, key=lambda cell: (cell[1], cell[0]))
        board, below = text.page(data, self.tiles, self.names, free)
        click.echo()
        self.console.print(board.rich())
        click.echo()
        if data["tile_in_hand"]:
            for line in text.tile_lines(self.tiles[data["tile_in_hand"]]):
                click.echo(f"    {line}")
        for line in below.splitlines()[:-1]:
            self._say(line)

    def _list(self, data: Mapping[str, Any], choices: list[str], everything: bool) -> None:
        shown = choices if everything else choices[:_SHOWN]
        for number, action in enumerate(shown, start=1):
            self._say(f"{number:4}  {words(action, data, self.tiles)}")
        if len(shown) < len(choices):
            self._say(f"      and {len(choices) - len(shown)} more: l lists them")


def saved(table: InteractiveMatch, path: Path) -> str:
    """Save the game where it stands; a sentence that says so. Raises `CarcError`."""
    try:
        path.write_text(table.record(), encoding="utf-8")
    except OSError as error:
        return f"{path} cannot be written: {error.strerror}"
    if table.is_over:
        return f"saved in {path}"
    by_hand = " --by-hand" if table.by_hand else ""
    return f"saved in {path}; carc play --resume {path}{by_hand} goes on"
