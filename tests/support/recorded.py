"""Games that another engine played, played again by ours.

Every option offered, every chance, every scoring with its items, the position after each turn and
at the end are compared. The games are in `classics/games`, a line each; each option and event is
translated into our notation here, by a method for each of their words. Facts about positions are
taken from them, nothing else.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from carc import CHANCE, Rules
from carc.base.turn.scoring import Journal
from carc.formats.jcz.places import QUARTERS
from carc.formats.jcz.translation import Translation
from support import recorded_scorings
from support.recorded_chance import Unseen, flights, tokens
from support.recorded_games import Game
from support.recorded_options import FIGURES, KNOWN, PAIR, SHEEP, Options


@cache
def rules_of(spec: str, players: int) -> Rules:
    """The rules of a spec, made once."""
    return Rules.from_spec(spec, players)


class Replay(Options):
    """One recorded game beside ours. Raises `AssertionError` at the first difference."""

    def __init__(self, spec: str, game: Game) -> None:
        self.rules = rules_of(spec, game["players"])
        self.state = self.rules.start()
        self.translation = Translation(self.rules, self.state)
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
        events = [*turn.get("events", [])]
        if "after" not in turn:
            events += self.game["finalEvents"]
        self.events = [event for event in events if event[0] != "points"]
        for decision in turn.get("before", []):
            self.decision(decision)
        for tile in turn.get("discardedBefore", []):
            self.draw(tile)
        if turn["tile"] == "AM/A":
            self.same("options", self.legal(), {"abbey", "pass"})
            self.do("abbey")
        elif self.state.step.name == "draw":  # else the tile was bought
            self.draw(turn["tile"])
        if self.left:  # counted before a decision that comes before the draw
            late = 1 + len(turn.get("discardedBefore", ())) if turn.get("before") else 0
            self.same("bag", self.state.tiles_left + late, self.left)
        self.same("player", self.state.current_player, turn["player"])
        offered = {self.placement(turn["tile"], option) for option in turn["options"]}
        if turn.get("mayPass") and turn["tile"] != "AM/A":
            offered.add("pass")  # the tile fits by bridges only
        self.told += len(offered)
        self.same("placements", self.legal(), offered)
        self.do(self.placement(turn["tile"], turn["place"]))
        for decision in turn.get("decisions", []):
            self.decision(decision)
        self.chance()
        waits = self.waits()
        if waits and all(text == "pass" or text.startswith("ransom") for text in waits):
            self.do("pass")  # the driver of theirs offered ransoms beside other things only
            self.chance()
            waits = self.waits()
        self.same("options", waits, set())
        if "after" not in turn:  # the last
            self.rest = turn.get("events", [])
        else:
            self.points(turn.get("events", []))
            self.same("scores", self.state.scores, turn["scores"])
            self.after(turn["after"])

    def decision(self, decision: Game) -> None:
        """One decision of theirs."""
        if self.state.current_player == CHANCE and self.state.step.name == "draw":
            for tile, *_ in decision.get("bazaar", ()):  # that is offered
                self.draw(tile)
        self.chance()
        options = {self.text(option) for option in decision["options"]}
        if len(options) == 1 and self.legal() != options:
            return  # a single way is gone without a word
        self.same("player", self.state.current_player, decision["by"])
        self.told += len(options)
        self.same("options", self.legal(), options)
        self.do(self.text(decision["do"]))

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
            if kind != "Quarter"
        )
        self.same("followers", self.standing(), standing)
        data: dict[str, Any] = {"pieces": [], "out_of_play": {}}
        for expansion in self.rules.hooks.describe:
            data = expansion.describe(self.state, data)
        self.same("in the city", *self.residents(data, after))
        prisoners = {
            (jailer, owner, FIGURES[figure], count)
            for jailer, some in enumerate(after.get("captured", ()))
            for figure, owner, count in some
        }
        held = {tuple(one.values()) for one in data.get("prisoners", ())}
        self.same("prisoners", held, prisoners)
        if "tokens" in after:
            self.same("tokens", self.tokens(data), after["tokens"])
        self.same("pieces", *self.pieces(data, after))

    def residents(self, data: Game, after: Game) -> tuple[Counter[Any], Counter[Any]]:
        """Ours and theirs: who is in which quarter of Carcassonne."""
        ours: Counter[Any] = Counter()
        for one in data.get("residents", ()):
            ours[one["quarter"], one["owner"], one["kind"]] += one["count"]
        theirs = Counter(
            (where.removeprefix("QUARTER_").lower(), int(code[0]), self.kind(code))
            for code, _, _, kind, where in after.get("followers", ())
            if kind == "Quarter"
        )
        return ours, theirs

    def pieces(self, data: Game, after: Game) -> tuple[Counter[Any], Counter[Any]]:
        """Ours and theirs: gold, sheep, dragon and fairy by cell, mage and witch by feature."""
        ours: Counter[Any] = Counter()
        for one in data["pieces"]:
            place = (one["x"], one["y"], one["segment"])
            if one["kind"] == "castle":
                if "rules" in self.game:  # other files do not say where castles stand
                    ours["castle", self.cells(*place)] += 1
            elif one["kind"] in PAIR:
                ours[
                    one["kind"], self.state.board.feature_of(self.state.board.segment_at(*place))
                ] += 1
            elif one["kind"] == "sheep":
                ours["sheep", *place, one["text"]] += 1
            elif one["kind"] in ("count", "fairy"):
                ours[one["kind"], *place] += 1
            elif one["kind"] == "ferry":
                ours["ferry", *place, one["to"]] += 1
            elif one["kind"] == "tunnel":
                ours["tunnel", *place, one["text"], one["owner"]] += 1
            elif one["kind"] in KNOWN:
                ours[one["kind"], *place[:2]] += one["count"]
        if "board" in after:
            ours += self.bridges()
        theirs: Counter[Any] = Counter()
        for name, lying in after.get("board", {}).items():
            for x, y, *more in lying:
                if name == "GOLD":
                    theirs["gold", x, y] += more[0]
                elif name.startswith("LB_"):
                    theirs[name.replace("LB_", "little ").lower(), x, y] += 1
                elif name == "BRIDGE":
                    theirs["bridge", x, y, more[1]] += 1
                elif name == "CASTLE":
                    theirs["castle", frozenset(map(tuple, (x, y)))] += 1
                elif name == "FERRY":
                    one, other = sorted(self.place(x, y, more[0], end)[2] for end in more[1])
                    theirs["ferry", x, y, one, other] += 1
                else:
                    pair, owner = name.removeprefix("TUNNEL_").lower().split(".")
                    theirs["tunnel", *self.place(x, y, *more), pair, int(owner)] += 1
        for x, y, where, with_shepherd in after.get("flocks", ()):
            text = " ".join(str(SHEEP[token]) for token in with_shepherd)
            theirs["sheep", *self.place(x, y, "Field", where), text] += 1
        for x, y, height in after.get("towers", ()):
            theirs["tower", x, y] += height
        for name, (x, y, *where) in after.get("figures", {}).items():
            if name == "bigtop":
                theirs["big top", x, y] += 1
            elif name in PAIR:
                feature = self.state.board.feature_of(
                    self.state.board.segment_at(*self.place(x, y, *where))
                )
                # MAG-01: at the end it leaves what somebody scores; there it is left lying.
                if not (self.state.is_terminal and self.state.owners_of(feature)):
                    theirs[name, feature] += 1
            elif name == "count":
                theirs["count", *QUARTERS[where[1]]] += 1
            elif name == "fairy":
                *kept, segment = self.place(x, y, *where[:2])
                with_follower = len(where) == 3
                theirs[name, *kept, segment if with_follower else None] += 1
            else:
                theirs[name, x, y] += 1
        return +ours, +theirs

    def cells(self, x: int, y: int, segment: int) -> frozenset[tuple[int, int]]:
        """The cells of a feature."""
        board = self.state.board
        feature = board.feature_of(board.segment_at(x, y, segment))
        return frozenset(board.place_of(member)[:2] for member in board.members(feature))

    def bridges(self) -> Counter[Any]:
        """Our bridges: where, and which way they run."""
        found: Counter[Any] = Counter()
        for tile in self.state.to_dict("tiles")["tiles"]:
            _, _, way = tile["kind"].partition("+")
            if way:
                across = (way == "we") ^ tile["rotation"] % 2
                found["bridge", tile["x"], tile["y"], "WE" if across else "NS"] += 1
        return found

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
        for owner, buildings in enumerate(data.get("buildings", ())):
            held[owner].update({f"LB_{name.upper()}": n for name, n in buildings.items() if n})
        for owner, n in enumerate(data.get("tower_pieces", ())):
            held[owner].update({"TOWER_PIECE": n} if n else {})
        for name in ("bridges", "castles"):
            for owner, n in enumerate(data.get(name, ())):
                held[owner].update({name[:-1].upper(): n} if n else {})
        for owner, tiles in enumerate(data.get("tiles_held", ())):
            held[owner].update({"ABBEY_TILE": 1} if "AM-abbey" in tiles else {})
        for owner, left in enumerate(data.get("tunnel_tokens", ())):
            pairs = zip("ABC", left, strict=True)
            held[owner].update({f"TUNNEL_{pair}": n for pair, n in pairs if n})
        return held

    # -- ours --------------------------------------------------------------------------------------

    def waits(self) -> set[str]:
        """What is still to be decided in the turn."""
        begins = self.state.current_player < 0 or self.state.step.name in ("abbey", "place")
        return set() if begins else self.legal()

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

    def chance_tent(self) -> str:
        return f"tent:{self.event('token')[1].removeprefix('BIGTOP_')}"

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
        made = [
            scoring
            for scoring in self.journal.scorings[self.noted :]
            if not scoring.text.startswith(recorded_scorings.UNSCORED)
        ]
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
