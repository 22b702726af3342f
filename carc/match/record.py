"""Reading records and replaying them (`docs/records.md`)."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.scoring import Journal, Scored
from carc.base.turn.steps import CHANCE
from carc.bounded import (
    checked_name,
    fields,
    list_of,
    of_kind,
    parse_json,
    read_named,
    shortly,
)
from carc.errors import BadRecord, CarcError
from carc.match.match import FORMAT, Fault, Match, Result, initial_state, make_result
from carc.match.moves import Move
from carc.match.referee import take_scorings

GIVEN = "given"  # the deal of a record in which chance does not follow the seed
_HEADER: dict[str, type] = {
    "carc": int,
    "rules": str,
    "rules_version": str,
    "players": int,
    "seats": list,
    "seed": int,
}
_HEADER_OPTIONAL: dict[str, type] = {"position": str, "deal": str}
_RESULT: dict[str, type] = dict.fromkeys(
    ("scores", "ranks", "winners", "returns", "faults", "final"), list
)


def read_text_file(path: Path) -> str:
    """Return the text of a record's file; raise `BadRecord` if it cannot be read or is not text."""
    return read_named(path, BadRecord, "a carc record")


def read_record(text: str, source: str = "record") -> Match:
    """Return the match in a record.

    Args:
        text: The record.
        source: What error messages call it, such as the name of its file.

    Raises:
        BadRecord: This is not a complete record of this format. The message names the line.
    """
    lines = text.splitlines()
    header = _object(lines, 0, source)
    if header.get("carc") != FORMAT:
        raise BadRecord(f"{source}:1: not a record of a carc match in format {FORMAT}")
    last = _object(lines, len(lines) - 1, source)
    if "result" not in last:
        raise BadRecord(f"{source}:{len(lines)}: the record is cut off: the last line is no result")
    moves: list[Move] = []
    number = 1
    try:
        for number in range(1, len(lines) - 1):
            moves += _moves_of_line(_object(lines, number, source))
        number = len(lines) - 1
        result = _result(last["result"])
        number = 0
        head = fields(header, _HEADER, "the first line", _HEADER_OPTIONAL)
        seats = list_of(head.pop("seats"), str, "seats")
        deal = _deal(head.pop("deal", ""))
        del head["carc"]
        return Match(
            seats=tuple(map(checked_name, seats)),
            moves=tuple(moves),
            result=result,
            deal=deal,
            **head,
        )
    except ValueError as error:
        raise BadRecord(f"{source}:{number + 1}: not a line of a record: {error}") from None


def _moves_of_line(line: dict[str, Any]) -> list[Move]:
    """Return the move in a line, or all moves of the compact form."""
    if "moves" in line:
        compact = fields(line, {"moves": str, "scored": dict}, "the moves")
        return _compact_moves(compact["moves"], compact["scored"])
    move = fields(line, {"player": int, "action": str}, "the move", {"scored": list})
    return [Move(move["player"], move["action"], _scorings(move.get("scored", [])))]


def _compact_moves(text: str, scored: Mapping[str, object]) -> list[Move]:
    words = text.split(" ")
    if len(words) % 2:
        raise ValueError("the moves are players and actions in turn, and one is missing")
    if unknown := scored.keys() - set(map(str, range(len(words) // 2))):
        raise ValueError(f"there is no move {shortly(min(unknown))}")
    return [
        Move(_player(player), action, _scorings(scored.get(str(at), [])))
        for at, (player, action) in enumerate(zip(words[::2], words[1::2], strict=True))
    ]


def _player(word: str) -> int:
    if not re.fullmatch(r"-1|\d{1,3}", word, re.ASCII):
        raise ValueError(f"the player of a move is a whole number, not {shortly(word)}")
    return int(word)


def _scorings(data: object) -> tuple[Scored, ...]:
    return tuple(
        Scored(**fields(each, {"owner": int, "points": int, "text": str}, "a scoring"))
        for each in of_kind(data, list, "what is scored")
    )


def _result(data: object) -> Result:
    known = fields(data, _RESULT, "the result", {"outcome": dict})
    kinds = {"seat": int, "action": int, "verdict": str, "detail": str}
    return Result(
        scores=list_of(known["scores"], int, "scores"),
        ranks=list_of(known["ranks"], int, "ranks"),
        winners=list_of(known["winners"], int, "winners"),
        returns=list_of(known["returns"], float, "returns"),
        faults=tuple(Fault(**fields(each, kinds, "a fault")) for each in known["faults"]),
        final=_scorings(known["final"]),
        outcome=known.get("outcome", {}),
    )


def _deal(value: str) -> str:
    if value not in ("", GIVEN):
        raise ValueError(f"'deal' is {shortly(value)}; it may only be {GIVEN!r}")
    return value


def _object(lines: Sequence[str], number: int, source: str) -> dict[str, Any]:
    try:
        data = parse_json(lines[number])
    except (IndexError, ValueError) as error:
        why = str(error) if "digits" in str(error) else "not a line of JSON"
        raise BadRecord(f"{source}:{max(number, 0) + 1}: {why}; is this a carc record?") from None
    if not isinstance(data, dict):
        raise BadRecord(f"{source}:{number + 1}: not a JSON object; is this a carc record?")
    return data


def read_saved_game(text: str, source: str) -> tuple[Match, bool]:
    """Return the match in a record, and whether it is finished; raise `BadRecord` if it is none.

    A game saved before its end is a record without its last line.
    """
    try:
        finished = "result" in parse_json(text.splitlines()[-1])
    except (IndexError, ValueError, TypeError):
        finished = True  # not a record at all: let `read_record` say so
    if finished:
        return read_record(text, source), True
    ending = json.dumps({"result": dict.fromkeys(_RESULT, ())})
    return read_record(f"{text.rstrip()}\n{ending}\n", source), False


def begin_replay(match: Match, rules: Rules, source: str) -> State:
    """Return the state that a recorded match begins from.

    Raises `BadRecord` if it was played by other rules, or cannot begin.
    """
    if rules.version != match.rules_version:
        raise BadRecord(
            f"{source}:1: played by rules version {match.rules_version}; these are {rules.version}"
        )
    try:
        return initial_state(match, rules)
    except CarcError as error:
        raise BadRecord(f"{source}:1: {error}") from None


def recorded_action(state: State, move: Move, where: str) -> Action:
    """Return the action of a recorded move; `BadRecord` begins with `where` if it is illegal."""
    try:
        return state.check(state.rules.parse(move.action))
    except CarcError as error:
        raise BadRecord(f"{where}: {error}") from None


def replay(
    match: Match,
    rules: Rules,
    source: str = "record",
    verify: bool = True,
    *,
    is_finished: bool = True,
) -> State:
    """Replay a recorded match and return its final state.

    Args:
        match: The match.
        rules: Its rules.
        source: What error messages call the record.
        verify: Check every line: the player decides there, chance's actions are those that the
            seed deals unless the deal is given, and the points and the result are those recorded.
            Without it, only that each action is legal.
        is_finished: Whether it has a result; otherwise its game was saved before the end.

    Raises:
        BadRecord: A check fails. The message names the line.
    """
    state = begin_replay(match, rules, source)
    journal = Journal()
    state.journal = journal
    deal = rules.deal(match.seed)
    for number, move in enumerate(match.moves, start=2):
        action = recorded_action(state, move, f"{source}:{number}")
        if verify and move.player != state.current_player:
            raise BadRecord(
                f"{source}:{number}: player {state.current_player} decides here, not {move.player}"
            )
        if verify and state.current_player == CHANCE and match.deal != GIVEN:
            dealt = deal.choose(state)
            if action != dealt:
                raise BadRecord(f"{source}:{number}: seed {match.seed} deals {dealt} here")
        state.apply(action)
        scored = take_scorings(journal)
        if verify and scored != move.scored:
            texts = [s.text for s in scored]
            raise BadRecord(f"{source}:{number}: the points differ: the move scores {texts}")
    end = len(match.moves) + 2
    if is_finished and not state.is_terminal:
        raise BadRecord(f"{source}:{end}: the record ends before the game does")
    if state.is_terminal and not is_finished:
        raise BadRecord(f"{source}:{end}: the game is over, and the record has no result")
    if verify and is_finished and match.result != make_result(state, match.result.faults, journal):
        raise BadRecord(f"{source}:{end}: these actions lead to another result")
    return state
