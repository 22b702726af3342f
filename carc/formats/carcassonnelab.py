"""Links of CarcassonneLab, in which people share games of the base game.

What follows `#` in a link is `/0/DISCARDS/STACK/MOVES?players=A,B&colors=red,blue`:

- STACK is a number in digits of base 64; its digits of base 24 are the types of the tiles in the
  order in which they are drawn, each less 1, the start tile first.
- MOVES are four characters a turn: column, row, rotation (16 more if the column is negative, 32
  more if the row is), and the place of the follower, 0 for none.
- DISCARDS is `0`, and after it, with a dot before each, for each tile set aside the number of turns
  before it. These tiles are in STACK, too.
"""

import re
import string
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, unquote

import attrs

from carc.base.game.rules import COLOURS, Rules
from carc.base.turn.actions import Claim, Draw, Place
from carc.base.turn.steps import CHANCE
from carc.bounded import checked_name
from carc.errors import BadRecord, BadRules, CarcError
from carc.formats.bga_tiles import (
    MOST_PLAYERS,
    START,
    kind_of_type,
    our_rotation,
    place_of,
    segment_at,
    their_rotation,
    type_of_kind,
)
from carc.formats.imported import Imported
from carc.formats.turns import Turn, play_turns
from carc.match.match import Match
from carc.match.record import begin_replay, recorded_action

__all__ = ["ENDINGS", "NAME", "export_game", "import_games", "recognises"]

NAME: Final = "links of CarcassonneLab"
ENDINGS: Final = (".txt",)
MOST_LINKS: Final = 1000
"""Links in a file."""

_SITE: Final = "https://www.carcassonnelab.com/#/0/"
_64: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_58: Final = "".join(
    each
    for each in string.digits + string.ascii_uppercase + string.ascii_lowercase
    if each not in "0IOl"
)
_TYPES: Final = 24
_NEGATIVE_COLUMN, _NEGATIVE_ROW = 16, 32
_LONGEST: Final = 10_000  # characters of a link
_LONGEST_STACK: Final = 100
_LONGEST_NAME: Final = 100


@attrs.frozen
class _Move:
    """A turn without its tile, as a link has it: rotation and place are theirs, 0 is no place."""

    x: int
    y: int
    rotation: int
    place: int

    def with_tile(self, kind: str) -> Turn:
        """Return the turn in our numbers."""
        segment = segment_at(kind, self.place) if self.place else None
        return Turn(kind, self.x, self.y, our_rotation(kind, self.rotation), segment)


def recognises(text: str) -> bool:
    """Return whether a text is a link or a list of links, however damaged."""
    line = text.lstrip().partition("\n")[0].strip()[:_LONGEST]
    return "carcassonnelab" in line.lower() or "#/0/" in line or _is_bare(line)


def _is_bare(line: str) -> bool:
    """Return whether a line begins with a stack of tiles, as only such links do."""
    words = re.match(r"/?(?:[0-9]+/[0-9.]+/)?([\w-]{4,100})/", line, re.ASCII)
    try:
        return words is not None and _read_stack(words[1])[:1] == [START]
    except BadRecord:
        return False


def import_games(text: str, source: str = "file") -> list[Imported]:
    """Return the games in a text with a link in each line; empty lines are left out."""
    lines = [(at, line.strip()) for at, line in enumerate(text.split("\n"), start=1)]
    links = [(at, line) for at, line in lines if line]
    if len(links) > MOST_LINKS:
        raise BadRecord(f"{source}: {len(links)} links; at most {MOST_LINKS} are read")
    games = []
    for at, link in links:
        try:
            games.append(import_link(link))
        except CarcError as error:
            where = source if len(links) == 1 else f"{source}:{at}"
            raise BadRecord(f"{where}: {error}") from None
    return games


def import_link(link: str) -> Imported:
    """Return the game in a link, or in what follows `#` in it; `BadRecord` if it is not legal."""
    if len(link) > _LONGEST:
        raise BadRecord(f"the link has {len(link)} characters; at most {_LONGEST} are read")
    if "#" not in link and "%23" in link:  # encoded as a whole
        link = unquote(link)
    path, _, query = link.rpartition("#")[2].partition("?")
    parts = unquote(path).removeprefix("/").split("/")
    if len(parts) in (3, 5) and not parts[-1]:
        parts.pop()
    if len(parts) not in (2, 4):
        raise BadRecord("no link of CarcassonneLab: it ends in #/0/0/, the tiles, / and the moves")
    stack = _read_stack(parts[-2])
    if stack[:1] != [START]:
        raise BadRecord(f"the first tile is not the start tile of the base game, {START}")
    discards = _read_discards(parts[1]) if len(parts) == 4 else []
    moves = _read_moves(parts[-1])
    return play_turns(_turns(stack[1:], moves, discards), _read_names(query))


def _turns(stack: list[str], moves: list[_Move], discards: list[int]) -> list[Turn]:
    """Return the turns with their tiles, and the tiles set aside."""
    if len(moves) + len(discards) > len(stack):
        raise BadRecord(
            f"the link has {len(moves)} turns and {len(discards)} tiles set aside, but only"
            f" {len(stack)} tiles after the start tile"
        )
    if discards and discards[-1] > len(moves):
        raise BadRecord(f"a tile is set aside after turn {discards[-1]} of {len(moves)}")
    tiles = iter(stack)
    turns = []
    for at in range(len(moves) + 1):
        turns += [Turn(next(tiles), is_discard=True) for _ in range(discards.count(at))]
        if at < len(moves):
            try:
                turns.append(moves[at].with_tile(next(tiles)))
            except BadRecord as error:
                raise BadRecord(f"turn {at + 1}: {error}") from None
    return turns


def _read_stack(text: str) -> list[str]:
    """Return our kinds of tile in the order in which they are drawn."""
    if not 0 < len(text) <= _LONGEST_STACK or any(digit not in _64 for digit in text):
        raise BadRecord(f"the tiles are not up to {_LONGEST_STACK} characters of A-Z a-z 0-9 - _")
    number = 0
    for digit in text:
        number = number * len(_64) + _64.index(digit)
    kinds = []
    while number:
        number, digit_of_24 = divmod(number, _TYPES)
        kinds.append(kind_of_type(digit_of_24 + 1))
    return kinds[::-1]


def _read_discards(text: str) -> list[int]:
    """Return, for each tile set aside, the number of turns before it."""
    if not re.fullmatch(r"0(\.[0-9]{1,3}){0,72}", text, re.ASCII):
        raise BadRecord(
            "the part of the link before the tiles is not 0, or 0. and after how many turns tiles"
            " were set aside, such as 0.12"
        )
    discards = [int(each) for each in text.split(".")[1:]]
    if discards != sorted(discards):
        raise BadRecord("the tiles set aside are not in order")
    return discards


def _read_moves(text: str) -> list[_Move]:
    """Return the moves, which do not say the tiles."""
    if len(text) % 4:
        raise BadRecord(
            f"the moves are cut off: they have {len(text)} characters, not four for each turn"
        )
    return [_read_move(text[at : at + 4], at // 4 + 1) for at in range(0, len(text), 4)]


def _read_move(text: str, number: int) -> _Move:
    column, row, turned = (_58.find(each) for each in text[:3])
    rotation = turned % _NEGATIVE_COLUMN
    if min(column, row, turned) < 0 or rotation > 3 or text[3] not in string.digits:
        raise BadRecord(
            f"turn {number}: {text!r} is not column, row, rotation and the place of a follower"
        )
    return _Move(
        -column if turned & _NEGATIVE_COLUMN else column,
        -row if turned & _NEGATIVE_ROW else row,
        rotation,
        int(text[3]),
    )


def _read_names(query: str) -> list[str]:
    """Return the names of the players, two at least."""
    values = [part.partition("=")[2] for part in query.split("&") if part.startswith("players=")]
    names = values[0].split(",") if values else []
    if len(names) == 1:  # the commas are encoded, too
        names = unquote(names[0]).split(",")
    names = [_read_name(name) for name in names]
    if len(names) > MOST_PLAYERS:
        raise BadRecord(f"the link has {len(names)} players; a game has 2 to {MOST_PLAYERS}")
    names += [""] * (2 - len(names))
    return [name or f"player {seat}" for seat, name in enumerate(names, start=1)]


def _read_name(text: str) -> str:
    try:
        name = checked_name(unquote(text, errors="strict"))
    except UnicodeDecodeError:
        raise BadRecord("the name of a player is no text in UTF-8") from None
    except ValueError as error:
        raise BadRecord(str(error)) from None
    if len(name) > _LONGEST_NAME:
        raise BadRecord(f"the name of a player has more than {_LONGEST_NAME} letters")
    return name


# -- export -----------------------------------------------------------------------------------


def export_game(match: Match, source: str = "record") -> str:
    """Return the link of a game of the base game for two.

    Raises `BadRules` for another game, `BadRecord` if an action of it is not legal.
    """
    if match.rules != "base" or match.players != 2 or match.position:
        what = "a game from a position" if match.position else f"{match.rules}, {match.players}"
        raise BadRules(
            "a link of CarcassonneLab is of the base game for two from its start; this is"
            f" {what}{'' if match.position else ' players'}"
        )
    stack, moves, discards = _written(match, source)
    names = ",".join(quote(name, safe="~()*!'") for name in match.seats)
    return (
        f"{_SITE}{discards}/{_write_stack(stack)}/{moves}?players={names}"
        f"&colors={COLOURS[0]},{COLOURS[2]}"
    )


def _written(match: Match, source: str) -> tuple[list[str], str, str]:
    """Return the tiles, the moves and the tiles set aside of a match."""
    state = begin_replay(match, Rules.from_spec(match.rules, match.players), source)
    stack, moves, discards = [START], "", "0"
    for number, move in enumerate(match.moves, start=2):
        action = recorded_action(state, move, f"{source}:{number}")
        state.apply(action)
        if isinstance(action, Draw):
            stack.append(action.tile)
            if state.is_terminal or state.current_player == CHANCE:
                discards += f".{len(moves) // 4}"
        elif isinstance(action, Place):
            moves += _write_move(stack[-1], action.x, action.y, action.rotation)
        elif isinstance(action, Claim):
            moves = f"{moves[:-1]}{place_of(stack[-1], action.segment)}"
    if not state.is_terminal and state.step.name == "place":
        stack.pop()  # drawn, and not placed yet
    return stack, moves, discards


def _write_stack(stack: Sequence[str]) -> str:
    number = 0
    for kind in stack:
        number = number * _TYPES + type_of_kind(kind) - 1
    text = ""
    while number:
        number, digit = divmod(number, len(_64))
        text = _64[digit] + text
    return text


def _write_move(kind: str, x: int, y: int, rotation: int) -> str:
    turned = their_rotation(kind, rotation) + _NEGATIVE_COLUMN * (x < 0) + _NEGATIVE_ROW * (y < 0)
    return f"{_58[abs(x)]}{_58[abs(y)]}{_58[turned]}0"
