"""A judge of the files that we write: JCloisterZone's rules of who is asked when, and of numbers.

It reads the moves one after the other: in which phase of a turn each comes, who makes it, which
figure it names, and which moves carry a random number. Nothing of `carc.formats` is used.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from carc import Match, Rules
from carc.base.game.state import State
from carc.base.turn.scoring import Journal

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


# Our verbs by the kind of move that they are there, for moves that name a figure.
MOVES: Final = {
    **dict.fromkeys(("claim", "lie", "portal", "wagon", "join", "add", "land"), "DEPLOY_MEEPLE"),
    **dict.fromkeys(("acrobat", "top", "barn", "enter", "fly"), "DEPLOY_MEEPLE"),
    **dict.fromkeys(("festival", "take", "free", "escape", "abbot"), "RETURN_MEEPLE"),
    **dict.fromkeys(("princess", "rob"), "RETURN_MEEPLE"),
    "capture": "CAPTURE_FOLLOWER",
    "ransom": "PAY_RANSOM",
    "exchange": "EXCHANGE_FOLLOWER",
    "fairy": "MOVE_NEUTRAL_FIGURE",
}
CITY: Final = (0, 0)  # where their tile with the quarters of Carcassonne lies
Place = tuple[int, int]


def misnumbered(game: Move, match: Match) -> list[str]:
    """Return which moves of a file name a figure that cannot be meant.

    Who is put on the board is at home, or comes from Carcassonne. Who is taken, captured or visited
    stands on that tile. Who is bought free was captured. Where figures are is known from the match,
    which is played beside the file; only the moves that name figures are paired.
    """
    return list(_Numbers(game, match).faults())


class _Numbers:
    """The figures by their names, while a match is played beside its file."""

    def __init__(self, game: Move, match: Match) -> None:
        self.rules = Rules.from_spec(match.rules, match.players)
        self.match = match
        self.messages = [
            (number, message)
            for number, message in enumerate(game["replay"], start=1)
            if _figure_named(message) is not None
        ]
        self.on: dict[str, Place] = {}  # the first put there first
        self.held: dict[str, int] = {}  # by whom

    def faults(self) -> Iterator[str]:
        state = self.rules.start()
        state.journal = journal = Journal()
        for action in self.match.actions:
            yield from self._pair(action)
            journal.forced.clear()
            state.apply(state.check(self.rules.parse(action)))
            for _, forced in journal.forced:
                if not forced.startswith("exchange:"):  # they do not ask for this
                    yield from self._pair(forced)
            self._go_home(state)
        yield from (f"move {number}: too many" for number, _ in self.messages)

    def _pair(self, action: str) -> Iterator[str]:
        """Check the next move against an action that names a figure."""
        verb = action.partition(":")[0]
        if verb not in MOVES:
            return
        if not self.messages or self.messages[0][1]["type"] != MOVES[verb]:
            yield f"{action} has no move"
            return
        number, message = self.messages.pop(0)
        named = str(_figure_named(message))
        at = _position(message)
        match MOVES[verb]:
            case "DEPLOY_MEEPLE":
                if named in self.held or (named in self.on and self.on[named] != CITY):
                    yield f"move {number}: {named} is not at home"
                self.on.pop(named, None)
                if verb != "fly":
                    self.on[named] = at
            case "PAY_RANSOM" | "EXCHANGE_FOLLOWER":
                if self.held.pop(named, None) is None:
                    yield f"move {number}: {named} is no prisoner"
            case _:
                if self.on.get(named) != at:
                    yield f"move {number}: {named} does not stand there"
                if message["type"] != "MOVE_NEUTRAL_FIGURE":
                    self.on.pop(named, None)
                if message["type"] == "CAPTURE_FOLLOWER":
                    self.held[named] = message["player"]

    def _go_home(self, state: State) -> None:
        """Drop who is not where it was any more: of several alike, those who came first."""
        kinds = [kind.name for kind in self.rules.follower_kinds]
        stand: Counter[tuple[str, Place]] = Counter()
        for segment, owner, kind in state.board.all_followers():
            x, y, _ = state.board.place_of(segment)
            stand[_alike({"owner": owner, "kind": kinds[kind]}), (x, y)] += 1
        data = state.to_dict()
        for one in data.get("residents", []):
            stand[_alike(one), CITY] += one["count"]
        gone: dict[str, list[str]] = {}
        for named, at in reversed(list(self.on.items())):
            alike = named.rpartition(".")[0]
            if stand[alike, at]:
                stand[alike, at] -= 1
            else:
                gone.setdefault(alike, []).append(named)
                del self.on[named]
        for alike, at in stand.elements():  # moved by a trap
            if gone.get(alike):
                self.on[gone[alike].pop()] = at
        jailed = Counter({(_alike(o), o["jailer"]): o["count"] for o in data.get("prisoners", [])})
        for named, jailer in reversed(list(self.held.items())):
            if jailed[named.rpartition(".")[0], jailer]:
                jailed[named.rpartition(".")[0], jailer] -= 1
            else:
                del self.held[named]


def _alike(figures: dict[str, Any]) -> str:
    """Whose they are, and of which kind, as their names begin."""
    kind = "small" if figures["kind"] == "meeple" else figures["kind"]
    return f"{figures['owner']}.{kind}"


def _figure_named(message: Move) -> str | None:
    payload = message["payload"]
    pointer = payload.get("to") or payload.get("pointer")
    inner = pointer.get("meepleId") if isinstance(pointer, dict) else None
    return payload.get("meepleId") or inner


def _position(message: Move) -> Place:
    pointer = message["payload"].get("to") or message["payload"].get("pointer") or {}
    x, y = pointer.get("featurePointer", pointer).get("position", CITY)
    return x, y
