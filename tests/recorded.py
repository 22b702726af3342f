"""Games that another engine played, played again by ours: every option offered, every placement, every score compared.

The games are in `classics/games`, a line each; what each option and event of theirs is in our notation is said here, a method for each
word of theirs. Facts about positions are taken from them, nothing else.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from carc import CHANCE, Rules
from carc.base.scoring import Journal

FOLDER = Path(__file__).parent / "classics"
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
    "inns": "base+inns",
}
FIGURES = {
    "SmallFollower": "meeple",
    "BigFollower": "big",
    "Abbot": "abbot",
    "Builder": "builder",
    "Pig": "pig",
}
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
    return Rules.named(spec, players)


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
        self.points([*self.rest, *self.game["finalEvents"]])
        self.same("scores", self.state.scores, self.game["final"])
        return self.told

    def turn(self, turn: Game) -> None:
        self.events = [event for event in turn.get("events", []) if event[0] != "points"]
        for tile in turn.get("discardedBefore", []):
            self.draw(tile)
        self.draw(turn["tile"])
        self.same("bag", self.state.left, self.left or self.state.left)
        self.same("player", self.state.current_player, turn["player"])
        offered = {self.placement(turn["tile"], option) for option in turn["options"]}
        self.told += len(offered)
        self.same("placements", self.legal(), offered)
        self.do(self.placement(turn["tile"], turn["place"]))
        for decision in turn.get("decisions", []):
            self.chance()
            self.same("player", self.state.current_player, decision["by"])
            options = {self.text(option) for option in decision["options"]}
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
            ours = {name: self.state.supply_of(owner, i) for i, name in enumerate(kinds)}
            self.same("supply", {name: n for name, n in ours.items() if n}, wanted)
        self.left = after["left"]
        standing = Counter(
            (int(code[0]), self.kind(code), *self.place(x, y, kind, where)[:3])
            for code, x, y, kind, where in after.get("followers", [])
        )
        self.same("followers", self.standing(), standing)
        if "tokens" in after:
            self.same("tokens", self.tokens(), after["tokens"])

    def standing(self) -> Counter[tuple[Any, ...]]:
        """Our figures on the table: whose, of which kind, where."""
        state, kinds = self.state, self.rules.follower_kinds
        return Counter(
            (state.owner_at(s), kinds[state.follower_at(s)].name, *state.place_of(s))
            for s in state.followers
        )

    def tokens(self) -> list[dict[str, int]]:
        """What each owner holds besides figures, by their names."""
        data = self.state.to_dict()
        held: list[dict[str, int]] = [{} for _ in range(self.rules.owners)]
        for owner, goods in enumerate(data.get("goods", ())):
            held[owner].update({name.upper(): n for name, n in goods.items() if n})
        for name, title in data.get("titles", {}).items():
            if title["owner"] is not None:
                held[title["owner"]][name.upper()] = 1
        return held

    def kind(self, code: str) -> str:
        """The kind of a figure by its code, `0.small.3`."""
        kind = code.split(".")[1]
        return "meeple" if kind == "small" else kind

    # -- what they say, in our notation -----------------------------------------------------------------------

    def tile(self, theirs: str) -> str:
        (found,) = (name for name in names()[theirs] if name in self.rules.catalogue.index)
        return found

    def placement(self, tile: str, option: Option) -> str:
        x, y, degrees = option
        turned = TURNED.get(self.tile(tile).partition("-")[0], 0)
        return f"place:{x},{y},{(degrees // 90 + turned) % 4}"

    def place(self, x: int, y: int, kind: str, where: str) -> tuple[int, int, int]:
        """A place of theirs: x, y, index of the segment in its tile's data."""
        tile = self.state.tile_on(x, y)
        rotation = self.state.rotation_of(tile)
        parts = self.state.tile(tile).segments
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

    def text_return(self, why: str, *where: Any) -> str:
        return {"ABBOT_RETURN": "abbot"}[why]

    def text_pass(self) -> str:
        return "pass"

    def text_meeple(self, figure: str, x: int, y: int, kind: str, where: str) -> str:
        return f"claim:{self.place(x, y, kind, where)[2]},{FIGURES[figure]}"

    # -- ours -------------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        return {str(action) for action in self.state.legal_actions()}

    def do(self, text: str) -> None:
        self.state.apply(self.state.check(self.rules.parse(text)))

    def draw(self, tile: str) -> None:
        """Chance turns up a tile of theirs."""
        self.same("step", self.state.step.name, "draw")
        self.do(f"draw:{self.tile(tile)}")

    def chance(self) -> None:
        """What chance does in a turn besides drawing its tile, as the events tell."""
        while self.state.current_player == CHANCE and self.state.step.name != "draw":
            self.do(getattr(self, f"chance_{self.state.step.name}")())

    def event(self, word: str) -> list[Any]:
        """The next event of this name."""
        found = next(event for event in self.events if event[0] == word)
        self.events.remove(found)
        return found

    def points(self, events: list[list[Any]]) -> None:
        """Points other than 0, in any order: whose, how many."""
        theirs = Counter(
            (owner, points)
            for event in events
            if event[0] == "points"
            for owner, _, points, _ in event[1]
            if points
        )
        made = self.journal.scorings[self.noted :]
        self.noted = len(self.journal.scorings)
        ours = Counter((one.owner, one.points) for one in made if one.points)
        self.same("points", ours, theirs)

    def same(self, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            told = f"{self.at}: {what}"
            if isinstance(ours, set | Counter):
                raise AssertionError(
                    f"{told}: only ours {ours - theirs}, only theirs {theirs - ours}"
                )
            raise AssertionError(f"{told}: ours {ours}, theirs {theirs}")


def halves(where: str) -> set[int]:
    """A location by the half-edges it reaches, clockwise from north: `NW`, `_N` (all but north), `NL.WR`."""
    if where[0] == "_":
        return set(range(8)) - halves(where[1:])
    if where[-1] in "LR":
        return {2 * "NESW".index(word[0]) + "LR".index(word[1]) for word in where.split(".")}
    return {2 * "NESW".index(edge) + side for edge in where for side in (0, 1)}
