"""Tokens say row by row what the board and the legal actions say, whatever the rules."""

import random
from typing import Any

import numpy as np
import pytest

from carc import CHANCE, Rules
from carc.base.cells import cell_at, xy
from carc.base.game.state import State
from carc.errors import CarcError
from carc.learn.action_tokens import WHAT
from carc.learn.encoding import Encoding
from carc.learn.observation import encoding_for
from carc.learn.token_arrays import table_columns, tokens, views
from carc.learn.tokens import TokenWriter
from carc.learn.vector import VectorEnv

SPECS = [
    ("base", 2),
    ("base+ghosts", 3),
    ("base+inns+traders+abbey", 2),
    ("base+dragon+tower+hills", 2),
    ("base+mage+gold+gq11+watchtowers", 2),
    ("mists:4", 2),
    ("base+ghosts+spellcircles", 2),
]
# Expansions that join, part, close, keep open or change features that have no new tile.
CHANGING = [
    ("base+bridges+abbey", 2),
    ("base+ferries+hills", 2),
    ("base+tunnel+monasteries", 2),
    ("base+tower+dragon+festival", 3),
]
Row = dict[str, int]


def positions(spec: str, players: int, seed: int) -> list[State]:
    """Positions of a random game in which a player is to decide."""
    rng = random.Random(seed)
    state = Rules.from_spec(spec, players).start()
    deal = state.rules.deal(seed)
    seen = []
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
            continue
        seen.append(state.copy())
        state.apply(rng.choice(state.legal_actions()))
    return seen[3::7]


def read(state: State, encoding: Encoding) -> tuple[dict[str, list[Row]], list[int]]:
    """The tokens of the player to decide, each row by the names of its columns."""
    seen = tokens(state, state.current_player, encoding)
    codes = seen.pop("codes").tolist()
    columns = table_columns(encoding)
    return {
        name: [dict(zip(columns[name], row, strict=True)) for row in rows.tolist()]
        for name, rows in seen.items()
    }, codes


def feature_rows(state: State, rows: dict[str, list[Row]]) -> dict[int, int]:
    """By feature its row, as the rows of the tiles have it; each feature has one of its own."""
    board, found = state.board, set()
    for tile, row in enumerate(rows["tiles"][: board.tile_count]):
        there = [row[name] for name in row if name.startswith("feature ")]
        segments = board.segments_of(tile)
        assert there[len(segments) :] == [-1] * (len(there) - len(segments))
        features = [board.feature_of(segment) for segment in segments]
        found |= set(zip(features, there, strict=False))
    assert sorted(feature for feature, _ in found) == board.all_features()
    assert sorted(row for _, row in found) == list(range(len(rows["features"])))
    return dict(found)


@pytest.mark.parametrize(("spec", "players"), SPECS)
def test_the_rows_say_what_lies_on_the_table(spec: str, players: int) -> None:
    for state in positions(spec, players, seed=4):
        board, rules, player = state.board, state.rules, state.current_player
        encoding = encoding_for(rules)
        rows, _ = read(state, encoding)
        own = rules.colours[player][0]
        middle_x, middle_y = xy(board.middle())
        row_of = feature_rows(state, rows)
        for feature, at in row_of.items():
            row = rows["features"][at]
            assert rules.catalogue.kinds[row["kind"]].name == board.kind_of(feature)
            assert (row["tiles"], row["open"]) == (
                board.tiles_of(feature),
                board.open_edges(feature),
            )
            powers = [
                board.power(feature, (own + seat) % rules.owners) for seat in range(rules.owners)
            ]
            assert [row[f"power {seat}"] for seat in range(rules.owners)] == powers
            lead = [seat for seat, power in enumerate(powers) if power and power == max(powers)]
            assert row["leaders"] == sum(1 << seat for seat in lead)
            for mark in rules.catalogue.marks:
                assert row[f"mark {mark}"] == board.mark(feature, rules.catalogue.mark(mark))
        up = rows["tiles"][: board.tile_count]
        for tile, row in enumerate(up):
            x, y = xy(board.cell_of(tile))
            assert (row["x"], row["y"]) == (x - middle_x, y - middle_y)
            assert (row["kind"], row["rotation"]) == (
                board.kind_of_tile(tile),
                board.rotation_of(tile),
            )
        down = rows["tiles"][board.tile_count :]
        assert [(row["x"] + middle_x, row["y"] + middle_y, row["kind"]) for row in down] == [
            (*xy(cell), -1) for cell in board.face_down_cells()
        ]
        assert [
            (row["tile"], row["segment"], row["feature"], row["owner"], row["kind"])
            for row in rows["followers"]
        ] == [
            (
                board.tile_under(segment),
                board.place_of(segment)[2],
                row_of[board.feature_of(segment)],
                (owner - own) % rules.owners,
                kind,
            )
            for segment, owner, kind in board.all_followers()
        ]
        bag = {row["kind"]: row["left"] for row in rows["bag"] if row["left"]}
        assert bag == {kind: left for kind, left in enumerate(state.bag) if left}
        hand = [row["kind"] for row in rows["bag"] if row["in hand"]]
        assert hand == ([state.tile_in_hand] if state.tile_in_hand >= 0 else [])
        assert [row["score"] for row in rows["owners"]] == [
            state.scores[(own + seat) % rules.owners] for seat in range(rules.owners)
        ]
        assert [row["to decide"] for row in rows["owners"]] == [
            int((own + seat) % rules.owners in rules.colours[player])
            for seat in range(rules.owners)
        ]


@pytest.mark.parametrize(("spec", "players"), SPECS)
def test_there_is_a_row_for_each_legal_action_in_their_order(spec: str, players: int) -> None:
    for state in positions(spec, players, seed=7):
        encoding = encoding_for(state.rules)
        rows, codes = read(state, encoding)
        row_of = feature_rows(state, rows)
        x, y = xy(state.board.middle())
        assert codes == encoding.legal_codes(state)
        for action, row in zip(state.legal_actions(), rows["actions"], strict=True):
            verb, _, rest = str(action).partition(":")
            words = rest.split(",")
            what = WHAT[row["what"]]
            if verb in ("pass", "place", "claim"):
                assert what == verb
            if what == "place":
                assert [row["x"] + x, row["y"] + y, row["rotation"]] == list(map(int, words))
                sides = ["feature", "feature east", "feature south", "feature west"]
                met = met_at_sides(state.board, row["x"] + x, row["y"] + y)
                assert [row[side] for side in sides] == [
                    -1 if feature < 0 else row_of[feature] for feature in met
                ]
            if what == "claim":
                kind = state.rules.follower_kinds[row["follower"]].name
                assert [str(row["segment"]), kind] == words[:2]
                tile = state.board.last_tile
                feature = state.board.feature_of(state.board.segment_of(tile, row["segment"]))
                assert row["feature"] == row_of[feature]
            if what == "segment":
                assert [row["x"] + x, row["y"] + y, row["segment"]] == list(map(int, words[:3]))
                segment = state.board.segment_at(*map(int, words[:3]))
                assert row["feature"] == row_of[state.board.feature_of(segment)]
            if what == "cell":
                assert [row["x"] + x, row["y"] + y] == list(map(int, words[:2]))


def met_at_sides(board: Any, x: int, y: int) -> list[int]:
    """The features at the four sides of a free cell, -1 where there is none."""
    found = []
    for side, (dx, dy) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):
        tile = board.tile_at(x + dx, y + dy)
        segment = board.segment_at_side(tile, side ^ 2) if tile >= 0 else -1
        found.append(board.feature_of(segment) if segment >= 0 else -1)
    return found


def test_what_expansions_keep_is_a_row_for_each_place() -> None:
    state = positions("base+dragon", 2, seed=2)[-1]
    encoding = encoding_for(state.rules)
    names = TokenWriter(encoding).place_names
    rows, _ = read(state, encoding)
    x, y = xy(state.board.middle())
    (dragon,) = [row for row in rows["places"] if names[row["field"]] == "dragon.dragon"]
    (own,) = [each for each in state.expansion_states if hasattr(each, "dragon")]
    assert own.dragon == cell_at(dragon["x"] + x, dragon["y"] + y)
    assert dragon["amount"] == 1


def in_order(seen: dict[str, Any]) -> dict[str, Any]:
    """Tokens with the rows of features in the order in which tiles refer to them."""
    refer = {"tiles": slice(4, None), "followers": slice(2, 3), "places": slice(4, 5)}
    refer["actions"] = slice(8, None)
    named = seen["tiles"][:, refer["tiles"]]
    order = list(dict.fromkeys(named[named >= 0].tolist()))
    rank = np.append(np.argsort(order), -1)  # -1 stays what it is
    out = {name: rows.copy() for name, rows in seen.items()}
    out["features"] = out["features"][order]
    for name, columns in refer.items():
        out[name][:, columns] = rank[out[name][:, columns]]
    return out


@pytest.mark.parametrize(("spec", "players"), SPECS + CHANGING)
def test_the_rows_of_a_game_follow_it(spec: str, players: int) -> None:
    games = VectorEnv(spec, 3, players=players, seed=3)
    for turn in range(240):
        games.step(games.sample_actions())
        seen = games.observe_tokens()
        if turn % 6:
            continue
        for game in range(3):
            state = games.state(game)
            alone = in_order(tokens(state, state.current_player))
            for name, rows in in_order(seen.of(game)).items():
                assert np.array_equal(rows, alone[name]), name


def test_rows_follow_what_expansions_do_to_features() -> None:
    state = positions("base", 2, seed=4)[-1]
    board, writer = state.board, TokenWriter(encoding_for(state.rules))
    complete = next(f for f in board.all_features() if not board.is_open(f))
    roads = [f for f in board.all_features() if board.kind_of(f) == "road"]
    for change in (
        lambda: board.keep_open(complete),
        lambda: board.link(roads[0], roads[1]),
        lambda: board.unlink(roads[0], roads[1]),
    ):
        written(state, writer)
        change()
        seen, alone = in_order(written(state, writer)), in_order(tokens(state, 0))
        assert all(np.array_equal(seen[name], rows) for name, rows in alone.items())


def written(state: State, writer: TokenWriter) -> dict[str, Any]:
    """What player 0 sees, written by this writer."""
    writer.clear()
    writer.write(state, 0)
    return views(writer).of(0)


def test_many_games_stand_one_after_another() -> None:
    games = VectorEnv("base+ghosts", 5, players=2, seed=3)
    for _ in range(40):
        games.step(games.sample_actions())
    seen = games.observe_tokens()
    for game in range(5):
        state = games.state(game)
        alone = tokens(state, state.current_player)
        assert seen.of(game).keys() == alone.keys()
        for name, rows in seen.of(game).items():
            assert (rows == alone[name]).all()
    rows, there = seen.padded("actions")
    assert there.sum(axis=1).tolist() == seen.counts["actions"].tolist()
    assert (rows[2][there[2]] == seen.of(2)["actions"]).all()
    assert not rows[~there].any()
    few, there = seen.padded("tiles", 4)
    assert few.shape[:2] == (5, 4) == there.shape
    assert (few[1] == seen.of(1)["tiles"][:4]).all()
    with pytest.raises(CarcError, match="no table 'planes'; tables are tiles, features"):
        seen.padded("planes")


def test_owners_are_counted_from_the_player_who_looks() -> None:
    state = positions("base", 3, seed=1)[-1]
    scores = [tokens(state, player)["owners"][:, 0].tolist() for player in range(3)]
    assert scores == [[*state.scores[player:], *state.scores[:player]] for player in range(3)]
    with pytest.raises(CarcError, match="there is no player 3; players are 0 to 2"):
        tokens(state, 3)


def test_an_observation_of_the_base_game_is_small_at_its_end() -> None:
    state = positions("base", 2, seed=5)[-1]
    seen = tokens(state, 0)
    assert sum(np.ascontiguousarray(rows).nbytes for rows in seen.values()) <= 6000
