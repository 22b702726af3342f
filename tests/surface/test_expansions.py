"""The expansion mechanism, shown by two expansions that live here and touch nothing in `carc/base`."""

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carc import (
    PASS,
    Action,
    Expansion,
    FollowerKind,
    Rules,
    Slice,
    State,
    Step,
    play,
    playout,
)
from carc.base.rules import configured
from carc.base.tiles import SegmentKind, TileSet, parse_tiles
from carc.errors import BadRules
from carc.testing import check

ROOT = Path(__file__).resolve().parents[2]


class Inert(Expansion):
    """Overrides every hook and changes nothing."""

    def tile_placed(self, state: State, tile: int) -> None: ...
    def follower_placed(self, state: State, segment: int) -> None: ...
    def follower_removed(self, state: State, segment: int) -> None: ...
    def feature_scored(self, state: State, feature: int, final: bool) -> None: ...
    def game_ended(self, state: State) -> None: ...

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        return actions

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        return actions

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        return powers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        return points

    def results(self, state: State, results: list[int]) -> list[int]:
        return results


class Veto(Step):
    """Another player decides: the next one may forbid the active player's follower this turn."""

    def __init__(self, expansion: "Everything") -> None:
        super().__init__("veto")
        self.expansion = expansion

    def actions(self, state: State, player: int) -> list[Action]:
        return [VETO, PASS]

    def apply(self, state: State, player: int, action: Action | None) -> None:
        self.expansion.piece(state).forbidden = action == VETO


class Ask(Step):
    """Puts the question to the player after the active one."""

    def __init__(self, veto: Veto) -> None:
        super().__init__("ask")
        self.veto = veto

    def apply(self, state: State, player: int, action: Action | None) -> None:
        state.push(self.veto, (player + 1) % state.rules.players)


VETO = Action("veto")


class Piece(Slice):
    def __init__(self, forbidden: bool = False, laid: int = 0, sent: int = 0, ended: int = 0):
        self.forbidden, self.laid, self.sent, self.ended = forbidden, laid, sent, ended

    def copy(self) -> "Piece":
        return Piece(self.forbidden, self.laid, self.sent, self.ended)


SHRINE = """\
carc-tiles 1
set shrines
tile SHRINE 2 FFFF
  shrine
  field N E S W
"""


class Everything(Expansion):
    """Uses every hook: a tile, a kind of feature and follower, a step, powers, points, scores, results."""

    HELPERS: ClassVar[tuple[str, ...]] = ("piece",)

    def segment_kinds(self) -> Sequence[SegmentKind]:
        return [SegmentKind("shrine", completed_by="neighbours")]

    def follower_kinds(self) -> Sequence[FollowerKind]:
        return [FollowerKind("giant", power=2, supply=1)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, parse_tiles(SHRINE, [*self.segment_kinds(), _FIELD], "shrines")]

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        return low, high + 1

    def turn(self, steps: list[Step]) -> list[Step]:
        self.veto = Veto(self)
        at = next(i for i, step in enumerate(steps) if step.name == "claim")
        return [*steps[:at], Ask(self.veto), *steps[at:]]

    def parse(self, text: str) -> Action | None:
        return VETO if text == "veto" else None

    def piece(self, state: State) -> Piece:
        piece = state.slices[self.slot]
        assert isinstance(piece, Piece)
        return piece

    def setup(self, state: State) -> Slice:
        return Piece()

    def tile_placed(self, state: State, tile: int) -> None:
        self.piece(state).laid += 1

    def follower_removed(self, state: State, segment: int) -> None:
        self.piece(state).sent += 1

    def game_ended(self, state: State) -> None:
        self.piece(state).ended += 1

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        return actions[: max(1, len(actions) // 2)] if actions else actions

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        return [] if self.piece(state).forbidden else actions

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        powers[0] *= 3  # the first seat is mighty
        return powers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        state.note("luck", 1, 1)
        return points + 1

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        return points * 2  # not itemised by the hook: the journal says so itself

    def score(self, state: State, owner: int, score: int) -> int:
        return min(score, 30)

    def results(self, state: State, results: list[int]) -> list[int]:
        return [-result for result in results]  # the lowest wins

    def returns(self, state: State, returns: list[float]) -> list[float]:
        return [value / 2 for value in returns]

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "laid": self.piece(state).laid}


_FIELD = SegmentKind("field", "F")


def rules(*expansions: Expansion, players: int = 2) -> Rules:
    for number, expansion in enumerate(expansions):
        configured(expansion, f"test{number}", "", "")
    return Rules(expansions, players, "base+" + "+".join(e.name for e in expansions))


class Steady:
    """Chooses by its own generator."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        return self.rng.choice(state.legal_actions())


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 3))
def test_inert_expansions_change_nothing(seed: int, players: int, copies: int) -> None:
    plain = Rules.named("base", players)
    with_inert = rules(*(Inert() for _ in range(copies)), players=players)
    games = [
        play(each, [Steady(seed + i) for i in range(players)], seed) for each in (plain, with_inert)
    ]
    assert games[0].moves == games[1].moves
    assert games[0].result == games[1].result


def test_every_hook_does_its_part() -> None:
    made = rules(Everything(), players=3)
    match = play(made, [Steady(i) for i in range(3)], seed=5)
    texts = [s.text for move in match.moves for s in move.scored]
    texts += [s.text for s in match.result.final]
    assert any("luck 1x1" in text for text in texts)  # feature_points, itemised
    assert any(re.search(r"test0 \+\d", text) for text in texts)  # player_points, noted as a change
    assert {move.action for move in match.moves} >= {"veto", "draw:SHRINE"}
    assert max(match.result.scores) <= 30  # score
    lowest = min(match.result.scores)
    assert all(match.result.scores[winner] == lowest for winner in match.result.winners)  # results
    assert max(match.result.returns) <= 0.5  # returns


def test_another_player_is_asked_and_decides() -> None:
    state = rules(Everything()).start()
    state.apply(state.check(state.rules.parse("draw:B")))
    state.apply(state.legal_actions()[0])
    assert (state.active, state.current_player, state.step.name) == (0, 1, "veto")
    state.apply(VETO)
    assert (state.active, state.step.name) == (1, "draw")  # no claim for player 0


def test_a_giant_counts_twice() -> None:
    state = rules(Everything()).start()
    for text in ("draw:B", "place:0,1,0", "pass"):
        state.apply(state.check(state.rules.parse(text)))
    assert "claim:0,giant" in [str(a) for a in state.legal_actions()]
    assert state.to_dict()["supplies"][0] == {"meeple": 7, "giant": 1}


def test_events_are_told() -> None:
    state = rules(Everything()).start()
    playout(state, random.Random(2))
    piece = state.slices[0]
    assert isinstance(piece, Piece)
    assert (piece.laid, piece.ended) == (state.tiles, 1)
    assert state.to_dict()["laid"] == state.tiles
    assert piece.sent > 0


def test_expansions_of_ones_own_pass_the_checks() -> None:
    assert check(rules(Everything(), Inert(), players=4), games=1, every=10)


def test_a_misspelt_hook_is_refused() -> None:
    class Misspelt(Expansion):
        def tile_place(self, state: State, tile: int) -> None: ...

    with pytest.raises(BadRules, match=r"Misspelt\.tile_place is not a hook"):
        rules(Misspelt())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nonsense", "unknown rules 'nonsense'; known are base"),
        ("base+", "is no rules spec"),
        ("base ghosts", "expected '\\+' before 'ghosts'"),
        ("base+ghosts(castles=maybe)", "castles is on or off, not 'maybe'"),
        ("base+ghosts(moats=on)", "has no option 'moats'; it has ghosts castles"),
        ("base+ghosts+ghosts", "named twice"),
        ("ghosts", "comes after a game: base\\+ghosts"),
        ("base+mists:3", "mists comes first"),
        ("mists:9", "X one of 1 2 3 4 5 6"),
        ("base+ghosts:2", "takes nothing after a colon"),
    ],
)
def test_a_bad_spec_says_what_is_allowed(spec: str, message: str) -> None:
    with pytest.raises(BadRules, match=message):
        Rules.named(spec, 2)


def test_the_base_names_no_expansion() -> None:
    words = re.compile(
        r"ghost|mist\b|mists|castle|cemeter|hound|circle(?!s? of)|spell|guard|cat\b", re.I
    )
    for path in (ROOT / "carc" / "base").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        allowed = re.sub(r"`[^`]*`|circular|misty?pe|misspelt", "", text)
        found = words.findall(allowed)
        assert not found, f"{path.name} names {set(found)}"


def test_data_flows_one_way() -> None:
    for package, forbidden in (("carc", "bots|tournaments"), ("bots", "tournaments")):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(rf"^\s*(from|import) ({forbidden})\b", text, re.M), path
    for path in (ROOT / "carc" / "expansion_ghosts").rglob("*.py"):
        assert "spellcircles" not in path.read_text(encoding="utf-8"), path


def test_a_tile_set_of_ones_own_takes_the_place_of_its_name(tmp_path: Path) -> None:
    text = (ROOT / "carc/base/data/base.txt").read_text(encoding="utf-8")
    path = tmp_path / "mine.txt"
    path.write_text(re.sub(r"tile C 1.*?(?=tile D)", "", text, flags=re.S), encoding="utf-8")
    made = Rules.named("base", 2, tiles=[path])
    assert "C" not in made.catalogue.index
    assert made.version != Rules.named("base", 2).version
    with pytest.raises(BadRules, match="plays with no tile set named 'base'"):
        Rules.named("mists:1", 2, tiles=[path])
