"""Games that another engine played, played again by ours.

Every option offered, every chance, every scoring with its items, the position after each turn and
at the end are compared. The games are in `classics/games`, a line each; each option and event is
translated into our notation here, by a method for each of their words. Facts about positions are
taken from them, nothing else.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from carc import CHANCE, Rules
from carc.base.game.rules import COLOURS
from carc.base.game.scoring import Journal
from support import recorded_scorings
from support.recorded_chance import Unseen, flights, tokens

FOLDER = Path(__file__).parent.parent / "classics"
GAMES = FOLDER / "games"

# By a file's name: what it plays.
SPECS = {
    "river": "base+river",
    "river2": "base+river(part=two)",
    "abbot": "base+abbot",
    "king": "base+king",
    "traders": "base+traders",
    "inns-traders": "base+inns+traders",
    "inns-traders-king-river": "base+inns+king+river+traders",
    "inns-traders-abbot-river-flier": "base+abbot+flier(fields=off)+inns+river+traders",
    "circles": "base+crops",
    "dragon": "base+dragon",
    "festival": "base+festival",
    "flier": "base+flier(fields=off)",
    "gold": "base+gold",
    "hills": "base+hills",
    "inns": "base+inns",
    "mage": "base+mage",
}
FIGURES = {
    "SmallFollower": "meeple",
    "BigFollower": "big",
    "Abbot": "abbot",
    "Builder": "builder",
    "Pig": "pig",
    "Shepherd": "shepherd",
}
SHEEP = {"SHEEP_1X": 1, "SHEEP_2X": 2, "SHEEP_3X": 3, "SHEEP_4X": 4, "WOLF": 0}
PAIR = ("mage", "witch")
KNOWN = ("gold", "dragon")
TAKEN = {"FESTIVAL": "festival", "CORN_CIRCLE": "take"}
# Of base tiles that lie otherwise there before they are turned: by how many quarter turns.
TURNED = {"U": 1, "G": 1, "I": 3}

Option = list[Any]
Game = dict[str, Any]


def recorded(name: str, folder: Path = GAMES) -> list[Game]:
    """The games of a file."""
    with lzma.open(folder / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@cache
def names() -> dict[str, list[str]]:
    """Our names of a kind of tile, by theirs."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / "ids.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            ours, theirs = line.split()
            found.setdefault(theirs, []).append(ours)
    return found


@cache
def rules_of(spec: str, players: int) -> Rules:
    """The rules of a spec, made once."""
    return Rules.from_spec(spec, players)


class Replay:
    """One recorded game beside ours. Raises `AssertionError` at the first difference."""

    def __init__(self, spec: str, game: Game) -> None:
        self.rules = rules_of(spec, game["players"])
        self.state = self.rules.start()
        self.journal = self.state.journal = Journal()
        self.game = game
        self.noted = 0  # of the journal, how much was compared
        self.events: list[list[Any]] = []  # of the turn, those of chance still to come
        self.rest: list[list[Any]] = []  # of the last turn, what is compared at the end
        self.left = 0  # in the bag when the next tile is drawn; 0: not known
        self.told = 0  # options compared
        self.unseen = Unseen(self.rules)
        for tile in self.state.to_dict()["tiles"]:
            self.unseen.see(tile["kind"])
        self.flocks: Counter[str] = Counter()  # tokens that lie with shepherds
        self.where = f"{spec}, {game['policy']} game {game['seed']}"

    def run(self) -> int:
        """Play the game; returns how many options were compared."""
        for number, turn in enumerate(self.game["turns"]):
            self.at = f"{self.where}, turn {number} of {turn['player']}"
            self.turn(turn)
        self.at = f"{self.where}, the end"
        for tile in self.game.get("discardedAtEnd", []):
            self.draw(tile)
        self.same("over", self.state.is_terminal, True)
        self.points(self.rest, self.game["finalEvents"])
        self.same("scores", self.state.scores, self.game["final"])
        self.after(self.game["atEnd"])
        self.same("left", self.state.tiles_left, 0)
        return self.told

    def turn(self, turn: Game) -> None:
        self.events = [event for event in turn.get("events", []) if event[0] != "points"]
        for tile in turn.get("discardedBefore", []):
            self.draw(tile)
        self.draw(turn["tile"])
        self.same("bag", self.state.tiles_left, self.left or self.state.tiles_left)
        self.same("player", self.state.current_player, turn["player"])
        offered = {self.placement(turn["tile"], option) for option in turn["options"]}
        self.told += len(offered)
        self.same("placements", self.legal(), offered)
        self.do(self.placement(turn["tile"], turn["place"]))
        for decision in turn.get("decisions", []):
            self.chance()
            options = {self.text(option) for option in decision["options"]}
            if len(options) == 1 and self.legal() != options:
                continue  # a single way is gone without a word
            self.same("player", self.state.current_player, decision["by"])
            self.told += len(options)
            self.same("options", self.legal(), options)
            self.do(self.text(decision["do"]))
        self.chance()
        waits = self.legal() if self.state.current_player >= 0 else set()
        self.same("options", waits, set())
        if "after" not in turn:  # the last
            self.rest = turn.get("events", [])
        else:
            self.points(turn.get("events", []))
            self.same("scores", self.state.scores, turn["scores"])
            self.after(turn["after"])

    def after(self, after: Game) -> None:
        """The position after a turn."""
        kinds = [kind.name for kind in self.rules.follower_kinds]
        for owner, supply in enumerate(after["supply"]):
            wanted = {FIGURES[name]: n for name, n in supply.items()}
            ours = {name: self.state.board.supply_of(owner, i) for i, name in enumerate(kinds)}
            self.same("supply", {name: n for name, n in ours.items() if n}, wanted)
        self.left = after["left"]
        hidden = self.unseen.left.total() - self.state.tiles_left
        self.same("under hills", hidden, after.get("underHills", 0))
        self.flocks = Counter(
            token_action(token) for *_, tokens in after.get("flocks", ()) for token in tokens
        )
        standing = Counter(
            (int(code[0]), self.kind(code), *self.place(x, y, kind, where)[:3])
            for code, x, y, kind, where in after.get("followers", [])
        )
        self.same("followers", self.standing(), standing)
        data: dict[str, Any] = {"pieces": [], "out_of_play": {}}
        for expansion in self.rules.hooks.describe:
            data = expansion.describe(self.state, data)
        if "tokens" in after:
            self.same("tokens", self.tokens(data), after["tokens"])
        self.same("pieces", *self.pieces(data, after))

    def pieces(self, data: Game, after: Game) -> tuple[Counter[Any], Counter[Any]]:
        """Ours and theirs: gold, sheep, dragon and fairy by cell, mage and witch by feature."""
        ours: Counter[Any] = Counter()
        for one in data["pieces"]:
            place = (one["x"], one["y"], one["segment"])
            if one["kind"] in PAIR:
                ours[
                    one["kind"], self.state.board.feature_of(self.state.board.segment_at(*place))
                ] += 1
            elif one["kind"] == "sheep":
                ours["sheep", *place, one["text"]] += 1
            elif one["kind"] == "fairy":
                ours["fairy", *place] += 1
            elif one["kind"] in KNOWN:
                ours[one["kind"], *place[:2]] += one["count"]
        theirs: Counter[Any] = Counter()
        for x, y, n in after.get("board", {}).get("GOLD", ()):
            theirs["gold", x, y] += n
        for x, y, where, with_shepherd in after.get("flocks", ()):
            text = " ".join(str(SHEEP[token]) for token in with_shepherd)
            theirs["sheep", *self.place(x, y, "Field", where), text] += 1
        for name, (x, y, *where) in after.get("figures", {}).items():
            if name in PAIR:
                feature = self.state.board.feature_of(
                    self.state.board.segment_at(*self.place(x, y, *where))
                )
                # MAG-01: at the end it leaves what somebody scores; there it is left lying.
                if not (self.state.is_terminal and self.state.owners_of(feature)):
                    theirs[name, feature] += 1
            elif name == "fairy":
                *kept, segment = self.place(x, y, *where[:2])
                with_follower = len(where) == 3
                theirs[name, *kept, segment if with_follower else None] += 1
            else:
                theirs[name, x, y] += 1
        return +ours, +theirs

    def standing(self) -> Counter[tuple[Any, ...]]:
        """Our figures on the table: whose, of which kind, where."""
        state, kinds = self.state, self.rules.follower_kinds
        return Counter(
            (owner, kinds[kind].name, *state.board.place_of(s))
            for s in state.board.occupied_segments()
            for owner, kind in state.board.followers_at(s)
        )

    def tokens(self, data: Game) -> list[dict[str, int]]:
        """What each owner holds besides figures, by their names."""
        held: list[dict[str, int]] = [{} for _ in range(self.rules.owners)]
        for owner, goods in enumerate(data.get("goods", ())):
            held[owner].update({name.upper(): n for name, n in goods.items() if n})
        for name, title in data.get("titles", {}).items():
            if title["owner"] is not None:
                held[title["owner"]][name.upper()] = 1
        for owner, n in enumerate(data.get("gold", ())):
            held[owner].update({"GOLD": n} if n else {})
        return held

    def kind(self, code: str) -> str:
        """The kind of a figure by its code, `0.small.3`."""
        kind = code.split(".")[1]
        return "meeple" if kind == "small" else kind

    # -- what they say, in our notation ------------------------------------------------------------

    def tile(self, theirs: str) -> str:
        (found,) = (name for name in names()[theirs] if name in self.rules.catalogue.index)
        return found

    def placement(self, tile: str, option: Option) -> str:
        x, y, degrees = option
        turned = TURNED.get(self.tile(tile).partition("-")[0], 0)
        return f"place:{x},{y},{(degrees // 90 + turned) % 4}"

    def place(self, x: int, y: int, kind: str, where: str) -> tuple[int, int, int]:
        """A place of theirs: x, y, index of the segment in its tile's data."""
        tile = self.state.board.tile_at(x, y)
        rotation = self.state.board.rotation_of(tile)
        parts = self.state.board.tile_data(tile).segments
        inside = [
            i
            for i, part in enumerate(parts)
            if part.kind == kind.lower() and not (part.edges or part.halves)
        ]
        if set(where) == {"I"}:
            return x, y, inside[len(where) - 1]
        wanted = halves(where)
        for index, part in enumerate(parts):
            reached = {2 * edge + side for edge in part.edges for side in (0, 1)}
            turned = {(half + 2 * rotation) % 8 for half in reached | set(part.halves)}
            if part.kind == kind.lower() and turned == wanted:
                return x, y, index
        raise AssertionError(f"{self.at}: {kind} {where} at {x},{y} is no place of ours")

    def text(self, option: Option) -> str:
        """An option of theirs as an action of ours."""
        return str(getattr(self, f"text_{option[0]}")(*option[1:]))

    def text_pass(self) -> str:
        return "pass"

    def text_meeple(self, figure: str, x: int, y: int, kind: str, where: str) -> str:
        if kind == "FlyingMachine":
            return f"fly:{FIGURES[figure]}"
        place = self.place(x, y, kind, where)
        if self.state.step.name == "land":
            return "land:{},{},{}".format(*place)
        if self.state.step.name == "crops follow":
            return self.figure("add", place, FIGURES[figure])
        if self.state.board.tile_at(x, y) != self.state.board.last_tile:
            return self.figure("portal", place, FIGURES[figure])
        return f"claim:{place[2]},{FIGURES[figure]}"

    def figure(self, verb: str, place: tuple[int, int, int], kind: str) -> str:
        """The choice of a figure at a place."""
        return "{}:{},{},{},{}".format(verb, *place, kind)

    def text_fairy(self, x: int, y: int, kind: str, where: str, code: str) -> str:
        return self.figure("fairy", self.place(x, y, kind, where), self.kind(code))

    def text_return(self, why: str, *at: Any) -> str:
        if why == "ABBOT_RETURN":
            return "abbot"
        *where, code = at
        place = self.place(*where)
        if why == "PRINCESS":
            return f"{self.figure('princess', place, self.kind(code))},{COLOURS[int(code[0])]}"
        return self.figure(TAKEN[why], place, self.kind(code))

    def text_dragon(self, x: int, y: int) -> str:
        return f"dragon:{x},{y}"

    def text_gold(self, x: int, y: int) -> str:
        return f"gold:{x},{y}"

    def text_circle(self, kind: str, what: str) -> str:
        return {"DEPLOY": "crops:add", "REMOVE": "crops:take"}[what]

    def text_flock(self, x: int, y: int, where: str, what: str) -> str:
        return {"EXPAND": "flock:grow", "SCORE": "flock:home"}[what]

    def text_mage(self, x: int, y: int, kind: str, where: str) -> str:
        """Theirs are places, ours features, each named by its first segment."""
        return self.moved("mage", self.place(x, y, kind, where))

    def text_witch(self, x: int, y: int, kind: str, where: str) -> str:
        return self.moved("witch", self.place(x, y, kind, where))

    def moved(self, verb: str, place: tuple[int, int, int]) -> str:
        state = self.state
        feature = state.board.feature_of(state.board.segment_at(*place))
        first = state.board.in_order(state.board.members(feature))[0]
        return "{}:{},{},{}".format(verb, *state.board.place_of(first))

    def text_remove(self, which: str) -> str:
        return f"leave:{which}"

    # -- ours --------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        return {str(action) for action in self.state.legal_actions()}

    def do(self, text: str) -> None:
        self.state.apply(self.state.check(self.rules.parse(text)))

    def draw(self, tile: str) -> None:
        """Chance turns up a tile of theirs."""
        self.same("step", self.state.step.name, "draw")
        self.chances(self.unseen.chances())
        self.do(f"draw:{self.tile(tile)}")
        self.unseen.see(self.tile(tile))

    def chance(self) -> None:
        """What chance does in a turn besides drawing its tile, as the events tell."""
        while self.state.current_player == CHANCE and self.state.step.name != "draw":
            self.do(getattr(self, f"chance_{self.state.step.name}")())

    def chances(self, wanted: dict[str, Fraction]) -> None:
        """How likely each action of chance is."""
        told = {str(action): share for action, share in self.state.chance_outcomes()}
        self.same("chances", set(told), set(wanted))
        wrong = [name for name, share in wanted.items() if abs(told[name] - share) > 1e-12]
        self.same("chances", wrong, [])

    def chance_flight(self) -> str:
        self.chances(flights())
        return f"flight:{self.event('flier')[1]}"

    def chance_token(self) -> str:
        self.chances(tokens(self.flocks))
        return token_action(self.event("token")[1])

    def event(self, word: str) -> list[Any]:
        """The next event of this name."""
        found = next(event for event in self.events if event[0] == word)
        self.events.remove(found)
        return found

    def points(self, events: list[list[Any]], at_end: Sequence[list[Any]] = ()) -> None:
        """What was scored, in any order: whose, for what, how many, the items."""
        theirs = Counter(
            scoring
            for some, final in ((events, False), (at_end, True))
            for event in some
            if event[0] == "points"
            for scoring in recorded_scorings.theirs(event[1], final)
        )
        made = self.journal.scorings[self.noted :]
        self.noted = len(self.journal.scorings)
        self.same("points", Counter(map(recorded_scorings.ours, made)), theirs)

    def same(self, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            told = f"{self.at}: {what}"
            if isinstance(ours, set | Counter):
                raise AssertionError(
                    f"{told}: only ours {ours - theirs}, only theirs {theirs - ours}"
                )
            raise AssertionError(f"{told}: ours {ours}, theirs {theirs}")


def token_action(token: str) -> str:
    """The action of chance that draws this token of theirs."""
    return f"token:{SHEEP[token] or 'wolf'}"


def halves(where: str) -> set[int]:
    """A location by the half-edges it reaches, clockwise from north: `NW`, `_N` (all but north),
    `NL.WR`.
    """
    if where[0] == "_":
        return set(range(8)) - halves(where[1:])
    if where[-1] in "LR":
        return {2 * "NESW".index(word[0]) + "LR".index(word[1]) for word in where.split(".")}
    return {2 * "NESW".index(edge) + side for edge in where for side in (0, 1)}
