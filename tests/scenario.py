"""Scenarios as text a rules expert can read: what is drawn, laid and claimed, and what must follow.

A file holds several scenarios, each begun by its title; `#` starts a comment. Every sentence is one line:

    scenario A city of two tiles is scored like any other
    shows BASE-08
    red draws E, lays it at 0,-1 turned 2 with a knight
    red scored city for 4

`rules SPEC` and `players N` come first where it is not `base` for 2. The start tile lies at 0,0; x grows east, y south; `turned` counts
quarter turns clockwise from the tile's data. A follower is called by what it is there (knight, highwayman, monk,
farmer); if the tile has several such places, `in the north` says at which side of the tile as it lies, or `on segment 2` which
by the tile's data. Every scoring must be told before the next draw and at the end of the scenario.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from carc import CHANCE, TERMINAL, Claim, Place, Rules, State
from carc.base.rules import COLOURS
from carc.base.scoring import Journal

FOLDER = Path(__file__).with_name("scenarios")
SIDES = ("north", "east", "south", "west")
CELL = r"(-?\d+),(-?\d+)"
WHO = rf"({'|'.join(COLOURS)})"


@attrs.frozen
class Scenario:
    """A title, the rules it shows, and its sentences with their lines."""

    file: str
    title: str
    rules: tuple[str, ...]
    spec: str
    players: int
    sentences: tuple[tuple[int, str], ...]

    @property
    def name(self) -> str:
        """Where it stands: `base.txt: A city of two tiles`."""
        return f"{self.file}: {self.title}"


def scenarios(folder: Path = FOLDER) -> list[Scenario]:
    """Every scenario of a folder."""
    return [one for path in sorted(folder.glob("*.txt")) for one in read(path)]


def read(path: Path) -> Iterator[Scenario]:
    """The scenarios of a file."""
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if text.startswith("scenario "):
            blocks.append([])
        if text:
            assert blocks, f"{path.name}:{number}: a file starts with a scenario"
            blocks[-1].append((number, text))
    for block in blocks:
        said = {"shows": "", "rules": "base", "players": "2"}
        sentences = block[1:]
        while sentences and sentences[0][1].partition(" ")[0] in said:
            key, _, value = sentences.pop(0)[1].partition(" ")
            said[key] = value
        title = block[0][1].removeprefix("scenario ")
        rules = tuple(said["shows"].split())
        yield Scenario(
            path.name, title, rules, said["rules"], int(said["players"]), tuple(sentences)
        )


def play(scenario: Scenario) -> State:
    """Play a scenario; raises `AssertionError`, naming the line, where it is not as told."""
    state = Rules.named(scenario.spec, scenario.players).start()
    state.journal = Journal()
    table = Table(state, state.journal)
    for number, sentence in scenario.sentences:
        try:
            table.hear(sentence)
            if (number, sentence) == scenario.sentences[-1]:
                table.nothing_untold()
        except Exception as error:
            raise AssertionError(f"{scenario.file}:{number}: {error}") from error
    return state


class Table:
    """A state and the sentences that are said of it."""

    def __init__(self, state: State, journal: Journal) -> None:
        self.state = state
        self.journal = journal
        self.told: set[int] = set()  # which of the journal's scorings were told
        self.grammar: list[tuple[str, Callable[..., None]]] = [
            (rf"{WHO} draws (\S+)", self.draws),
            (rf"{WHO} draws (\S+), it fits nowhere", self.fits_nowhere),
            (
                rf"{WHO} draws (\S+), lays it at (-?\d+,-?\d+)(?: turned ([0-3]))?(?: with (.+))?",
                self.turn,
            ),
            (rf"{WHO} does (\S+)", self.does),
            (rf"{WHO} scored ([a-z ]+?) for (-?\d+)(?:: (.+))?", self.scored),
            (r"nobody scored", self.nothing_untold),
            (r"it may lie only at (.+)", self.may_lie),
            (rf"it may not lie at {CELL}", self.may_not_lie),
            (r"the follower may be (.+)", self.may_be),
            (rf"{WHO} has (\d+) (\w+)s?", self.has),
            (r"the score is (.+)", self.score),
            (rf"the (\w+) at {CELL} is (complete|incomplete)", self.is_complete),
            (r"the game ends here", self.ends_here),
            (r"the game is over", self.is_over),
            (r"(.+) wins?", self.wins),
            (rf"{WHO} is to draw", self.to_draw),
            (rf"given {WHO} has (\d+) (\w+)s?", self.given_supply),
            (rf"given a (\w+) of {WHO} on segment (\d+) at {CELL}", self.given_follower),
            (r"given the bag holds only (\S+)", self.given_bag),
        ]

    def hear(self, sentence: str) -> None:
        """Do or check what a sentence says."""
        for pattern, what in self.grammar:
            match = re.fullmatch(pattern, sentence)
            if match:
                what(*match.groups())
                return
        known = "; ".join(pattern for pattern, _ in self.grammar)
        raise AssertionError(f"no sentence of a scenario: {sentence!r}; sentences are {known}")

    def apply(self, text: str) -> None:
        self.state.apply(self.state.check(self.state.rules.parse(text)))

    # -- what players do ----------------------------------------------------------------------------------------

    def draws(self, who: str, tile: str) -> None:
        self.nothing_untold()
        self.pass_on()
        self.to_draw(who)
        self.apply(f"draw:{tile}")

    def fits_nowhere(self, who: str, tile: str) -> None:
        before = self.state.to_dict()["discarded"]
        self.draws(who, tile)
        assert self.state.to_dict()["discarded"] == [*before, tile], f"{tile} was not discarded"

    def turn(self, who: str, tile: str, where: str, turned: str | None, follower: str) -> None:
        self.draws(who, tile)
        self.apply(f"place:{where},{turned or 0}")
        if follower:
            self.apply(self.claim(follower))

    def does(self, who: str, text: str) -> None:
        assert self.state.current_player == COLOURS.index(who), f"it is not {who} who decides"
        self.apply(text)

    def pass_on(self) -> None:
        if self.state.current_player >= 0 and self.state.step.name == "claim":
            self.apply("pass")

    def claim(self, phrase: str) -> str:
        """The claim that `a knight in the north` means on the tile just laid."""
        match = re.fullmatch(r"an? (\w+)(?: in the (\w+)| on segment (\d+))?", phrase)
        assert match, f"{phrase!r} is no follower on a tile"
        role, side, segment = match.groups()
        found = [
            index
            for index, name in enumerate(self.roles())
            if name == role
            and (side is None or SIDES.index(side) in self.sides(index))
            and (segment is None or int(segment) == index)
        ]
        assert len(found) == 1, f"{phrase} could stand on segments {found}"
        return f"claim:{found[0]},meeple"

    def roles(self) -> list[str]:
        """What a follower on each segment of the tile just laid is called."""
        state = self.state
        kinds = state.rules.catalogue.kinds
        tile = state.rules.catalogue.tiles[state.row[state.last] // 4]
        names = {kind.name: kind.follower for kind in kinds}
        return [names[segment.kind] for segment in tile.segments]

    def sides(self, index: int) -> set[int]:
        """The sides of the tile just laid, as it lies, that a segment reaches."""
        kind, rotation = divmod(self.state.row[self.state.last], 4)
        segment = self.state.rules.catalogue.tiles[kind].segments[index]
        edges = {*segment.edges, *(half // 2 for half in segment.halves)}
        return {(edge + rotation) % 4 for edge in edges}

    # -- what must follow ---------------------------------------------------------------------------------------

    def scored(self, who: str, feature: str, points: str, items: str | None) -> None:
        self.pass_on()
        for number, scoring in enumerate(self.journal.scorings):
            said, _, _ = scoring.text.rpartition(" = ")
            label = re.sub(r" -?\d+(x-?\d+)?$", "", said.split(", ")[0])
            name = {"completed city": "field"}.get(label, label)
            happened = (COLOURS[scoring.owner], name, str(scoring.points))
            same = happened == (who, feature, points) and items in (None, said)
            if same and number not in self.told:
                self.told.add(number)
                return
        raise AssertionError(f"not so; untold is {self.untold() or 'nothing'}")

    def untold(self) -> str:
        return "; ".join(
            f"{COLOURS[scoring.owner]} scored {scoring.text}"
            for number, scoring in enumerate(self.journal.scorings)
            if number not in self.told
        )

    def nothing_untold(self) -> None:
        self.pass_on()
        assert not self.untold(), f"it is not told that {self.untold()}"

    def may_lie(self, where: str) -> None:
        told = set()
        for one in where.split("; "):
            match = re.fullmatch(rf"{CELL}(?: turned ([0-3 ]+))?", one)
            assert match, f"{one!r} is no cell"
            for turned in (match[3] or "0 1 2 3").split():
                told.add((int(match[1]), int(match[2]), int(turned)))
        assert self.lies() == told, f"it may lie at {sorted(self.lies())}"

    def may_not_lie(self, x: str, y: str) -> None:
        assert (int(x), int(y)) not in {(cx, cy) for cx, cy, _ in self.lies()}

    def lies(self) -> set[tuple[int, int, int]]:
        legal = self.state.legal_actions()
        return {(a.x, a.y, a.rotation) for a in legal if isinstance(a, Place)}

    def may_be(self, followers: str) -> None:
        """Exactly these claims are offered: roles, one for each segment; `none`."""
        claims = [a for a in self.state.legal_actions() if isinstance(a, Claim)]
        offered = sorted(self.roles()[claim.segment] for claim in claims)
        told = [] if followers == "none" else sorted(followers.replace(" or ", ", ").split(", "))
        assert [f"a {role}" for role in offered] == told, f"it may be {offered}"

    def has(self, who: str, number: str, kind: str) -> None:
        self.pass_on()
        supply = self.state.to_dict()["supplies"][COLOURS.index(who)]
        assert supply[kind.removesuffix("s")] == int(number), f"{who} has {supply}"

    def score(self, told: str) -> None:
        self.pass_on()
        scores = ", ".join(
            f"{COLOURS[owner]} {points}" for owner, points in enumerate(self.state.scores)
        )
        assert scores == told, f"the score is {scores}"

    def is_complete(self, kind: str, x: str, y: str, how: str) -> None:
        cell = [int(x), int(y)]
        found = [f for f in self.state.features() if f["kind"] == kind and cell in f["tiles"]]
        assert len(found) == 1, f"{len(found)} features of kind {kind} at {cell}"
        assert found[0]["complete"] == (how == "complete")

    def ends_here(self) -> None:
        self.nothing_untold()
        state = self.state
        state.end()
        state.push(state.rules.final_score, 0)
        state._advance()

    def is_over(self) -> None:
        self.pass_on()
        assert self.state.current_player == TERMINAL, "the game goes on"

    def wins(self, who: str) -> None:
        winners = " and ".join(COLOURS[player] for player in self.state.winners)
        assert winners == who, f"{winners} won"

    def to_draw(self, who: str) -> None:
        self.pass_on()
        assert self.state.current_player == CHANCE, "nobody is to draw"
        assert COLOURS[self.state.active] == who, f"it is {COLOURS[self.state.active]}'s turn"

    # -- what is taken as given ---------------------------------------------------------------------------------

    def given_supply(self, who: str, number: str, kind: str) -> None:
        names = [one.name for one in self.state.rules.follower_kinds]
        at = COLOURS.index(who) * len(names) + names.index(kind.removesuffix("s"))
        self.state.supply[at] = int(number)

    def given_follower(self, kind: str, who: str, segment: str, x: str, y: str) -> None:
        names = [one.name for one in self.state.rules.follower_kinds]
        number = self.state.segment_at(int(x), int(y), int(segment))
        self.state.put_follower(number, COLOURS.index(who), names.index(kind))

    def given_bag(self, tile: str) -> None:
        index = self.state.rules.catalogue.index[tile]
        self.state.bag = [int(kind == index) for kind in range(len(self.state.bag))]
        self.state.left = 1
