"""A match with people in the terminal: board, numbered choices, undo, hints, saving."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from carc.base.game.hidden import read_by
from carc.base.game.rules import COLOURS
from carc.base.tiles.tile import Tile
from carc.base.turn.steps import CHANCE
from carc.bots import by_name
from carc.drawing import board_text, tiles_by_name
from carc.drawing.descriptions import describe, imperative, target
from carc.errors import BadNotation, CarcError
from carc.escape import escape_unprintable
from carc.files import write_file
from carc.match.interactive import InteractiveMatch
from carc.match.moves import Move

HELP = "enter a number or notation; u undo, h hint, l list all, s FILE save, q quit"
_LISTED = 24  # choices listed unasked


class TerminalGame:
    """Plays a match to its end, or until the person quits."""

    def __init__(self, match: InteractiveMatch, adviser: str) -> None:
        """Begin with a match, and the name of the bot that gives hints."""
        self.match = match
        self.adviser = adviser
        self.tiles: Mapping[str, Tile] = tiles_by_name(match.rules)
        self.names = board_text.names_by_owner(match.rules.colours, match.names)

    def play(self) -> bool:
        """Ask for every choice. Return True if the match was played to its end."""
        while True:
            self._advance()
            if self.match.is_over:
                return True
            if not self._choose():
                return False

    def _print(self, line: str) -> None:
        click.echo(escape_unprintable(line))

    def _advance(self) -> None:
        """Play and print the moves of chance and bots."""
        while True:
            before = self.match.state.to_dict()
            move = self.match.step()
            if move is None:
                return
            self._print_move(move, before)

    def _print_move(self, move: Move, before: Mapping[str, Any]) -> None:
        rules = self.match.rules
        reader = move.player if move.player in self.match.human_seats else CHANCE
        words = describe(read_by(rules, move.action, reader), before, rules)
        if move.player != CHANCE:
            self._print(f"{self._player(move.player)} {words}")
        for scored in move.scored:
            self._print(f"    {COLOURS[scored.owner]} scores {scored.text}")

    def _player(self, player: int) -> str:
        colours = "+".join(COLOURS[owner] for owner in self.match.rules.colours[player])
        return f"{colours} {self.match.names[player]}"

    def _choose(self) -> bool:
        """Ask for one choice. Return False to quit."""
        awaited = self.match.awaited
        assert awaited is not None
        data = self.match.state.to_dict()
        choices = [str(action) for action in self.match.state.legal_actions()]
        self._print_board(data, choices)
        self._print_choices(data, choices, everything=False)
        prompt = "tile drawn" if awaited == CHANCE else self._player(awaited)
        while True:
            click.echo(f"{escape_unprintable(prompt)}> ", nl=False)
            try:
                entry = input().strip()
            except EOFError:
                click.echo()
                return False
            if entry == "q":
                return False
            if self._run_command(entry, data, choices):
                continue
            if entry == "u":
                if self.match.undo():
                    return True
                self._print("there is nothing to undo")
                continue
            if self._act(awaited, entry, data, choices):
                return True

    def _act(self, awaited: int, entry: str, data: Mapping[str, Any], choices: list[str]) -> bool:
        """Play what was entered. Return False, after a message, if it is not legal."""
        if entry.isdecimal() and not 1 <= int(entry) <= len(choices):
            self._print(f"there is no choice {entry}; the choices are 1 to {len(choices)}")
            return False
        try:
            move = self.match.act(awaited, self._action(entry, choices))
        except CarcError as error:
            self._print(f"{error}; {HELP}" if isinstance(error, BadNotation) else str(error))
            return False
        self._print_move(move, data)
        return True

    def _run_command(self, entry: str, data: Mapping[str, Any], choices: list[str]) -> bool:
        """Run a command that leaves the position as it is. Return False if this is none."""
        verb, _, rest = entry.partition(" ")
        if verb == "h" and not rest and self.match.awaited != CHANCE:
            self._print(self._hint(data, choices))
        elif verb == "l" and not rest:
            self._print_choices(data, choices, everything=True)
        elif verb == "s" and rest:
            self._print(save_game(self.match, Path(rest.strip())))
        elif entry in ("", "?"):
            self._print(HELP)
        else:
            return False
        return True

    def _hint(self, data: Mapping[str, Any], choices: list[str]) -> str:
        try:
            action, reason = self.match.advise(by_name(self.adviser))()
        except CarcError as error:
            return str(error)
        number = choices.index(str(action)) + 1
        words = describe(str(action), data, self.match.rules)
        return f"{self.adviser} {words}: {number}{f' ({reason})' if reason else ''}"

    def _action(self, entry: str, choices: list[str]) -> str:
        """Return the notation for a number, a tile's name or notation."""
        if entry.isdecimal():
            return choices[int(entry) - 1]
        return f"draw:{entry}" if f"draw:{entry}" in choices else entry

    def _print_board(self, data: Mapping[str, Any], choices: list[str]) -> None:
        """Print the board with the cells that the tile fits, the tile in hand, and the scores."""
        cells = {
            to.cell
            for to in (target(action, data) for action in choices)
            if to.cell is not None and to.rotation is not None
        }
        free = sorted(cells, key=lambda cell: (cell[1], cell[0]))
        board, below = board_text.board_with_caption(data, self.tiles, self.names, free)
        click.echo()
        click.echo(board.coloured())
        click.echo()
        if data["tile_in_hand"]:
            for line in board_text.tile_lines(self.tiles[data["tile_in_hand"]]):
                click.echo(f"    {line}")
        for line in below.splitlines()[:-1]:
            self._print(line)

    def _print_choices(self, data: Mapping[str, Any], choices: list[str], everything: bool) -> None:
        listed = choices if everything else choices[:_LISTED]
        for number, action in enumerate(listed, start=1):
            words = imperative(describe(action, data, self.match.rules))
            self._print(f"{number:4}  {words}")
        if len(listed) < len(choices):
            self._print(f"      and {len(choices) - len(listed)} more: enter l to list them")


def save_game(match: InteractiveMatch, path: Path) -> str:
    """Save a match as it stands and return a sentence that says so, or why not."""
    try:
        write_file(path, match.record())
    except CarcError as error:
        return str(error)
    if match.is_over:
        return f"saved in {path}"
    by_hand = " --by-hand" if match.by_hand else ""
    return f"saved in {path}; continue with carc play --resume {path}{by_hand}"
