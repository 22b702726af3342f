"""`analyse_game`: what was lost where, who played well, and what the draws brought."""

import attrs
import pytest
from support.late_games import before_draw, match_from

from carc import CHANCE, Action, Match, Rules, State
from carc.analysis import BLUNDER, GameAnalysis, PositionAnalysis, analyse, analyse_game
from carc.analysis.outlook import Appraiser
from carc.analysis.position import Comparison
from carc.errors import BadRecord
from carc.match import Move, Result


def last_move(seed: int, best: bool) -> tuple[Match, PositionAnalysis]:
    """A match of one move, the best or the worst, with the last tile of a random game."""
    start = before_draw("base", 2, 1, seed)
    (outcome, _), *others = start.chance_outcomes()
    assert not others
    state = start.copy()
    state.apply(outcome)
    analysis = analyse(state, lines=1000)
    actions = analysis.lines[0 if best else -1].actions
    moves = [Move(CHANCE, str(outcome)), *(Move(analysis.player, action) for action in actions)]
    result = Result((), (), (), ())
    rules = start.rules
    names = ("a", "b")
    match = Match(
        rules.spec, rules.version, 2, names, 0, tuple(moves), result, position=start.to_text()
    )
    return match, analysis


def test_a_blunder_is_found_and_marked() -> None:
    """The last tile wins with the best line and loses with the one played: both are certain."""
    for seed in range(1, 60):
        match, before = last_move(seed, best=False)
        if before.lines[0].chance - before.lines[-1].chance >= BLUNDER:
            break
    analysis = analyse_game(match, playouts=4)
    (move,) = analysis.moves
    assert (move.mark, move.exact, move.playouts) == ("blunder", True, 0)
    assert (move.chance_before, move.margin_before) == (
        before.lines[0].chance,
        before.lines[0].margin,
    )
    assert move.chance_after == before.lines[-1].chance
    assert move.margin_after == before.lines[-1].margin
    assert analysis.players[move.player].blunders == 1
    assert analysis.players[move.player].accuracy < 100
    match, _ = last_move(seed, best=True)
    analysis = analyse_game(match, playouts=4)
    assert analysis.moves[0].mark == ""
    assert analysis.players[move.player].accuracy == 100
    assert not analysis.finished


def test_greedy_is_more_accurate_than_random() -> None:
    analysis = analyse_game(match_from(10, "greedy,random"), playouts=6)
    greedy, random = analysis.players
    assert greedy.accuracy > random.accuracy
    assert greedy.points_lost < random.points_lost
    assert 0 <= random.accuracy < greedy.accuracy <= 100


def test_the_moves_are_those_of_the_record() -> None:
    match = match_from(3, "greedy,random")
    analysis = analyse_game(match, playouts=4)
    decisions = [move.action for move in match.moves if move.player != CHANCE]
    assert [action for move in analysis.moves for action in move.played] == decisions
    assert [move.number for move in analysis.moves] == list(range(1, len(analysis.moves) + 1))
    for move in analysis.moves:
        assert match.actions[move.first_action : move.last_action] == move.played
        assert {match.moves[at].player for at in range(move.first_action, move.last_action)} == {
            move.player
        }
        assert match.moves[move.first_action - 1].player == CHANCE


def test_the_best_move_loses_nothing() -> None:
    for move in analyse_game(match_from(3, "greedy,random"), playouts=4).moves:
        if move.best == move.played:
            assert (move.chance_lost, move.points_lost, move.mark) == (0, 0, "")
        assert (move.chance_before, move.margin_before) >= (move.chance_after, 0.0) or (
            move.chance_before == move.chance_after
        )


def test_a_certain_draw_is_no_luck_and_luck_averages_out() -> None:
    """With the last tile there is nothing else to draw; else the mean over the tiles is 0."""
    match = match_from(2, "greedy,greedy")
    analysis = analyse_game(match, playouts=4)
    assert (analysis.moves[-1].luck.chance, analysis.moves[-1].luck.margin) == (0, 0)
    start = State.from_text(match.position)
    total = 0.0
    for outcome, weight in start.chance_outcomes():
        drawn = attrs.evolve(
            match,
            moves=(Move(CHANCE, str(outcome)), first_legal(start, outcome)),
            result=attrs.evolve(match.result, scores=()),
        )
        total += weight * analyse_game(drawn, playouts=1).moves[0].luck.margin
    assert total == pytest.approx(0, abs=1e-6)


def first_legal(start: State, outcome: Action) -> Move:
    after = start.copy()
    after.apply(outcome)
    return Move(after.current_player, str(after.legal_actions()[0]))


def test_the_work_is_bounded_and_does_not_depend_on_the_number_of_processes() -> None:
    match = match_from(4, "greedy,random")
    alone = analyse_game(match, playouts=10, seed=3)
    pairs = 10  # at most, to confirm a loss
    assert all(move.playouts <= 10 + 2 * pairs for move in alone.moves)
    assert sum(move.playouts for move in alone.moves) > 0
    done: list[tuple[int, int]] = []
    together = analyse_game(
        match, playouts=10, seed=3, jobs=2, progress=lambda *each: done.append(each)
    )
    assert together == alone
    total = len(alone.moves)
    assert done == [(n, total) for n in range(1, total + 1)]


@pytest.mark.parametrize(
    ("spec", "bots"),
    [
        ("base+ghosts", "random,random"),
        ("base+inns+dragon", "random,random,random"),
        ("mists:2", "random,random"),
        ("base+hills+gold", "random,random,random,random,random"),
    ],
)
def test_every_kind_of_game_is_analysed(spec: str, bots: str) -> None:
    match = match_from(57 if "mists" in spec else 3, bots, spec)
    unfinished = attrs.evolve(match.result, scores=())
    match = attrs.evolve(match, moves=match.moves[:8], result=unfinished)
    analysis = analyse_game(match, playouts=2)
    assert analysis.team == spec.startswith("mists")
    assert not analysis.finished
    decisions = [move.action for move in match.moves if move.player != CHANCE]
    assert [action for move in analysis.moves for action in move.played] == decisions
    assert len(analysis.players) == len(bots.split(","))
    assert all(0 <= move.chance_after <= move.chance_before <= 1 for move in analysis.moves)


def test_json_has_every_field_and_what_a_move_lost() -> None:
    analysis = analyse_game(match_from(2, "greedy,random"), playouts=2)
    data = analysis.to_dict()
    assert set(data) == {field.name for field in attrs.fields(GameAnalysis)}
    for move in data["moves"]:
        assert {"number", "played", "best", "chance_before", "mark", "chance_lost"} <= set(move)
        assert set(move["luck"]) == {"chance", "margin"}
    assert [player["name"] for player in data["players"]] == ["greedy", "random"]


def test_a_game_in_which_nobody_moved_is_refused() -> None:
    match = match_from(2, "greedy,random")
    match = attrs.evolve(match, moves=(), result=attrs.evolve(match.result, scores=()))
    with pytest.raises(BadRecord, match="nobody moved"):
        analyse_game(match)


def test_a_tile_that_completes_a_city_is_luck() -> None:
    """On the start tile, `E` completes a city of 4 points; `V`, a road, scores 2 at the end."""
    start = Rules.from_spec("base", 2).start()
    names = start.rules.tile_names
    start.bag = [{"E": 1, "V": 2}.get(name, 0) for name in names]
    start.tiles_left = 3
    luck = {}
    for outcome, _ in start.chance_outcomes():
        moves = (Move(CHANCE, str(outcome)), first_legal(start, outcome))
        none = Result((), (), (), ())
        match = Match("base", start.rules.version, 2, ("a", "b"), 0, moves, none, start.to_text())
        luck[str(outcome)] = analyse_game(match, playouts=1).moves[0].luck
    city, road = luck["draw:E"], luck["draw:V"]
    assert city.margin > 1 and city.chance > 0.05
    assert city.margin / 3 + road.margin * 2 / 3 == pytest.approx(0, abs=1e-9)
    assert city.chance / 3 + road.chance * 2 / 3 == pytest.approx(0, abs=1e-9)


def test_what_is_shown_is_measured_by_other_playouts_than_those_that_chose() -> None:
    """The best of many lines was also lucky in the playouts by which it was chosen."""
    state = before_draw("base", 2, 6, 3).copy()
    state.apply(state.rules.deal(1).choose(state))
    comparison = Comparison(Appraiser(state.rules))
    candidates = comparison.candidates(state, 1)
    best = comparison.select(candidates, state.current_player, 40)[0]
    chosen_by = list(best.outlooks)
    comparison.measure([best], len(chosen_by))
    assert len(best.outlooks) == len(chosen_by) > 2
    assert best.outlooks != chosen_by
