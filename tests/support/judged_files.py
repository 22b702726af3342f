"""A judge of the files that we write: JCloisterZone's rules of who is asked when, and of numbers.

It reads the moves one after the other: in which phase of a turn each comes, who makes it, which
figure it names, and which moves carry a random number.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any, Final

from carc import Rules
from carc.base.game.state import State
from carc.formats.jcz.figures import figure_name
from carc.formats.jcz.importing import Replay
from carc.formats.jcz.places import QUARTERS
from carc.formats.jcz.saved_game import Message, read_saved_game
from carc.formats.jcz.setup import first_position, spec_of
from carc.formats.jcz.tiles import TileNames

Move = dict[str, Any]

# The phases of a turn until it is confirmed, in their order.
PHASES: Final = ("tile", "gold", "mage", "action", "ferry", "sheep", "dragon", "castle")
BY_OTHERS: Final = ("dragon", "castle")


def faults(game: Move) -> list[str]:
    """Return what is wrong with the order of the moves, and with who makes them."""
    found: list[str] = []
    replay = game["replay"]
    for number, message in enumerate(replay, start=1):
        if not 0 <= message["player"] < len(game["players"]):
            found.append(f"move {number}: there is no player {message['player']}")
        has_number = "random" in message["payload"]
        if has_number != _draws(message):
            says = "a number" if has_number else "no number"
            found.append(f"move {number}: {message['type']} has {says}")
        if has_number and not 0 <= message["payload"]["random"] < 1:
            found.append(f"move {number}: no number from 0 to 1")
    for turn in _turns(replay):
        found += _faults_in(turn)
    return found


def _draws(message: Move) -> bool:
    """Whether chance goes on with a move: a turn is confirmed, a flock grows, a flight begins."""
    if message["type"] == "DEPLOY_MEEPLE":
        return bool(message["payload"]["pointer"]["feature"] == "FlyingMachine")
    return message["type"] in ("COMMIT", "FLOCK_EXPAND_OR_SCORE")


def _turns(replay: list[Move]) -> list[list[tuple[int, Move]]]:
    """The moves, numbered, cut before each tile that is laid."""
    turns: list[list[tuple[int, Move]]] = [[]]
    for number, message in enumerate(replay, start=1):
        if message["type"] == "PLACE_TILE":
            turns.append([])
        turns[-1].append((number, message))
    return turns[1:]


def _faults_in(turn: list[tuple[int, Move]]) -> list[str]:
    """What is wrong in what follows one tile."""
    found: list[str] = []
    (number, first), *rest = turn
    player = first["player"]
    commits = [n for n, message in rest if message["type"] == "COMMIT"]
    if not commits:
        return [f"move {number}: the turn is never confirmed"]
    before = [(n, message) for n, message in rest if n < commits[0]]
    last = 0
    for n, message in before:
        phase = _phase(message)
        if phase is None:
            continue
        if phase < last:
            found.append(f"move {n}: {message['type']} comes after {PHASES[last]}")
        last = max(last, phase)
        if message["player"] != player and PHASES[phase] not in BY_OTHERS:
            found.append(f"move {n}: {message['type']} of player {message['player']}")
    (confirming,) = [message for n, message in rest if n == commits[0]]
    if confirming["player"] != player:
        found.append(f"move {commits[0]}: player {player} confirms the turn")
    after = [(n, message) for n, message in rest if n > commits[0]]
    for (n, message), following in pairwise([*after, (0, {"type": "", "player": -1})]):
        alone = message["type"] in ("RETURN_MEEPLE", "DEPLOY_MEEPLE") and _is_confirmed(message)
        confirmed = following[1]["type"] == "COMMIT"
        if alone and not (confirmed and following[1]["player"] == message["player"]):
            found.append(f"move {n}: {message['type']} is not confirmed")
    return found


def _is_confirmed(message: Move) -> bool:
    """Whether a move after the turn was confirmed is confirmed, too: not in Carcassonne."""
    payload = message["payload"]
    if message["type"] == "RETURN_MEEPLE":
        return bool(payload["source"] == "CORN_CIRCLE")
    return bool(payload["pointer"]["feature"] != "Quarter" and "wagon" in payload["meepleId"])


def _phase(message: Move) -> int | None:
    """The phase of a move before the turn is confirmed; None if it may come at any time."""
    kind, payload = message["type"], message["payload"]
    token, figure = payload.get("token"), str(payload.get("figureId"))
    match kind:
        case "PAY_RANSOM" | "PASS":
            return None
        case "PLACE_TOKEN":
            named = {"GOLD": "gold", "FERRY": "ferry", "CASTLE": "castle"}.get(token, "action")
            return None if token[:6] == "TUNNEL" else PHASES.index(named)
        case "MOVE_NEUTRAL_FIGURE":
            named = {"mage": "mage", "witch": "mage", "dragon": "dragon"}.get(
                figure.partition(".")[0], "action"
            )
            return PHASES.index(named)
        case "FLOCK_EXPAND_OR_SCORE":
            return PHASES.index("sheep")
        case "DEPLOY_MEEPLE" if ".phantom." in payload["meepleId"]:
            return None  # as the follower, or as a second one
        case _:
            return PHASES.index("action")


def misnumbered(text: str) -> list[str]:
    """Return which moves of a file name a figure that cannot be meant.

    Who is put on the board is the next one at home of its kind. Who is taken, captured or visited
    stands there. Who is bought free was captured. Where the figures are follows from the game, as
    we read it.
    """
    saved = read_saved_game(text)
    rules = Rules.from_spec(spec_of(saved.setup), len(saved.players))
    names = TileNames(rules)
    order = [names.named(name) for name in saved.draw_order]
    replay = Replay(saved, first_position(saved.setup, rules), order)
    found: list[str] = []
    on: dict[str, int] = {}  # figure -> segment, the first put there first
    held: dict[str, int] = {}  # figure -> jailer
    for message in saved.messages:
        named = _figure_named(message)
        if named is not None and not replay.journal.forced:
            _go_home(replay.state, on, held)
            if message.kind == "DEPLOY_MEEPLE":
                kind = named.rpartition(".")[0]
                away = {n for n in (*on, *held) if n.rpartition(".")[0] == kind}
                here = on.get(named, -1)
                free = next(f"{kind}.{n}" for n in range(1, 99) if f"{kind}.{n}" not in away)
                if named != free and here not in _quarters(replay.state):
                    found.append(f"move {message.number}: {named} is put down, not {free}")
            elif message.kind in ("PAY_RANSOM", "EXCHANGE_FOLLOWER"):
                if named not in held:
                    found.append(f"move {message.number}: {named} is no prisoner")
            elif on.get(named, -1) != _segment(replay, message):
                found.append(f"move {message.number}: {named} does not stand there")
        replay._play(message)
        if named is not None and message.kind == "DEPLOY_MEEPLE" and not _flies(message):
            on.pop(named, None)
            on[named] = _segment(replay, message)
        elif named is not None and message.kind in ("CAPTURE_FOLLOWER", "RETURN_MEEPLE"):
            del on[named]
            if message.kind == "CAPTURE_FOLLOWER":
                held[named] = message.player or 0
    return found


def _figure_named(message: Message) -> str | None:
    pointer = message.payload.get("to") or message.payload.get("pointer")
    inner = pointer.get("meepleId") if isinstance(pointer, dict) else None
    return message.payload.get("meepleId") or inner


def _flies(message: Message) -> bool:
    return message.pointer()[2] == "FlyingMachine"


def _segment(replay: Replay, message: Message) -> int:
    key = "to" if message.payload.get("to") else "pointer"
    place = replay.reader.translation.place(*message.pointer(key))
    return replay.state.board.segment_at(*place)


def _quarters(state: State) -> set[int]:
    has_city = any(each.name == "count" for each in state.rules.expansions)
    return {state.board.segment_at(*place) for place in QUARTERS.values()} if has_city else set()


def _go_home(state: State, on: dict[str, int], held: dict[str, int]) -> None:
    """Drop who is not where it was any more: of several alike, those who came first."""
    kinds = [kind.name for kind in state.rules.follower_kinds]
    stand = Counter(
        (figure_name(owner, kinds[kind], 0).rpartition(".")[0], segment)
        for segment, owner, kind in state.board.all_followers()
    )
    data = state.to_dict()
    for one in data.get("residents", []):
        segment = state.board.segment_at(*QUARTERS[f"QUARTER_{one['quarter'].upper()}"])
        kind = figure_name(one["owner"], one["kind"], 0).rpartition(".")[0]
        stand[kind, segment] += one["count"]
    gone: dict[str, list[str]] = {}
    for named, segment in reversed(list(on.items())):
        kind = named.rpartition(".")[0]
        if stand[kind, segment]:
            stand[kind, segment] -= 1
        else:
            gone.setdefault(kind, []).append(named)
            del on[named]
    for kind, segment in stand.elements():  # moved by a trap
        if gone.get(kind):
            on[gone[kind].pop()] = segment
    jailed = Counter(
        {
            (figure_name(o["owner"], o["kind"], 0).rpartition(".")[0], o["jailer"]): o["count"]
            for o in data.get("prisoners", [])
        }
    )
    for named, jailer in reversed(list(held.items())):
        kind = named.rpartition(".")[0]
        if jailed[kind, jailer]:
            jailed[kind, jailer] -= 1
        else:
            del held[named]
