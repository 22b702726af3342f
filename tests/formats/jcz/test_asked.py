"""What JCloisterZone asks for and carc does not, in games written by hand."""

import json
import random
from typing import Any

import pytest
from support.notation import begin, do, emptied, expansion_of, lay, legal, put

from carc import Match, Rules, State
from carc.classics.count.count_state import QUARTERS
from carc.errors import BadRules
from carc.formats.jcz import export_game, import_game
from carc.formats.jcz.asking import Asking, joinable
from carc.formats.jcz.setup import setup_of
from carc.match.match import Result
from carc.match.moves import Move

NO_RESULT = Result((), (), (), ())


def played(spec: str, texts: str, players: int = 2) -> Match:
    """A game of these moves, cut off after the last."""
    rules = Rules.from_spec(spec, players)
    state, moves = rules.start(), []
    for text in texts.split():
        moves.append(Move(state.current_player, text))
        state.apply(state.check(rules.parse(text)))
    seats = tuple("abcdef"[:players])
    return Match(rules.spec, rules.version, players, seats, 0, tuple(moves), NO_RESULT)


def written(match: Match) -> list[dict[str, Any]]:
    """The moves of the file of a game, which comes back as it went."""
    text = export_game(match, Rules.from_spec(match.rules, match.players))
    assert import_game(text).match.actions == match.actions
    moves: list[dict[str, Any]] = json.loads(text)["replay"]
    return moves


def kinds(moves: list[dict[str, Any]]) -> list[str]:
    return [move["type"] for move in moves]


# The vodyanoy lies south of the start tile; the next tile comes beside both.
WATER = "draw:RQ02 place:0,1,0 draw:U place:1,0,1 "


def test_a_player_confirms_that_a_trap_catches_before_the_phantom_is_asked_for() -> None:
    moves = written(played("base+phantom+russian", WATER + "claim:0,meeple pass draw:V"))
    assert kinds(moves)[2:] == ["PLACE_TILE", "DEPLOY_MEEPLE", "COMMIT", "PASS", "COMMIT"]


def test_a_phantom_is_caught_after_the_follower_was() -> None:
    moves = written(played("base+phantom+russian", WATER + "claim:0,meeple claim:2,phantom draw:V"))
    assert kinds(moves)[3:] == ["DEPLOY_MEEPLE", "COMMIT", "DEPLOY_MEEPLE", "COMMIT"]


@pytest.mark.parametrize("phantom", ["pass", "claim:0,phantom"])
def test_who_lies_down_beside_a_trap_is_caught_before_a_phantom_is_asked_for(phantom: str) -> None:
    """After a flight. Their engine takes the file."""
    texts = (
        "draw:RQ02 place:0,1,0 draw:MO01 place:1,1,0 pass draw:B place:1,2,0 pass"
        f" draw:FL06 place:2,2,0 fly:meeple flight:1 rest {phantom} draw:V"
    )
    spec = "base(fields=off)+flier(fields=off)+monasteries+phantom+russian"
    moves = written(played(spec, texts))
    second = "PASS" if phantom == "pass" else "DEPLOY_MEEPLE"
    assert kinds(moves)[-5:] == ["DEPLOY_MEEPLE"] * 2 + ["COMMIT", second, "COMMIT"]
    assert moves[-4]["payload"]["pointer"]["location"] == "AS_ABBOT"


def test_a_caught_follower_leaves_room_for_a_phantom_there() -> None:
    """We ask for none where the other features are taken; they do, and it is declined."""
    spec = "base(fields=off)+phantom+russian"
    moves = written(played(spec, WATER + "claim:0,meeple draw:V"))
    assert kinds(moves)[2:] == ["PLACE_TILE", "DEPLOY_MEEPLE", "COMMIT", "PASS", "COMMIT"]


def test_the_same_move_ends_the_turn_where_nothing_more_is_asked_for() -> None:
    moves = written(played("base+russian", WATER + "claim:0,meeple draw:V"))
    assert kinds(moves)[2:] == ["PLACE_TILE", "DEPLOY_MEEPLE", "COMMIT"]


def test_a_phantom_that_flew_and_landed_nowhere_is_asked_for_again() -> None:
    spec = "base+flier(fields=off)+phantom"
    moves = written(played(spec, "draw:FL01 place:0,1,0 fly:phantom flight:3 draw:U"))
    assert kinds(moves) == ["PLACE_TILE", "DEPLOY_MEEPLE", "PASS", "COMMIT"]
    assert "phantom" in moves[1]["payload"]["meepleId"]


def test_a_phantom_that_flew_after_a_follower_was_placed_is_not_asked_for_again() -> None:
    spec = "base+flier(fields=off)+phantom"
    texts = "draw:FL01 place:0,1,0 claim:0,meeple fly:phantom flight:3 draw:U"
    moves = written(played(spec, texts))
    assert kinds(moves) == ["PLACE_TILE", "DEPLOY_MEEPLE", "DEPLOY_MEEPLE", "COMMIT"]


def test_no_phantom_lies_down_in_the_german_monastery_that_was_just_claimed() -> None:
    spec = "base(fields=off)+monasteries+phantom"
    moves = written(played(spec, "draw:MO01 place:0,1,0 claim:0,meeple draw:V"))
    assert kinds(moves) == ["PLACE_TILE", "DEPLOY_MEEPLE", "COMMIT"]


def test_nobody_confirms_a_trap_that_catches_others() -> None:
    """The robber's tile extends the road of the other player, who is caught with the tile."""
    texts = "draw:U place:1,0,1 claim:0,meeple pass draw:RQ01 place:2,0,0 pass draw:V"
    moves = written(played("base+phantom+russian", texts))
    assert kinds(moves)[-3:] == ["PLACE_TILE", "PASS", "COMMIT"]


def with_abbeys_until_the_end(seed: int, last: str) -> tuple[Match, list[int]]:
    """A random game in which all keep their abbeys until the bag is empty, and who placed the last
    tile does this then; and who is asked at the end.
    """
    rules, rng = Rules.from_spec("base+abbey(tiles=off,wagon_count=0)", 2), random.Random(seed)
    state, moves, laid = rules.start(), [], -1
    asked: list[int] = []
    while not state.is_terminal:
        legal = [str(action) for action in state.legal_actions()]
        player, text = state.current_player, rng.choice(legal)
        if state.step.name == "abbey":
            text = "pass"
            if state.tiles_left == 0:
                asked.append(player)
                text = last if player == laid else "pass"
        elif state.step.name == "place" and state.tiles_left:
            laid = 1 - player  # the last of these is followed by one more
        moves.append(Move(player, text))
        state.apply(state.check(rules.parse(text)))
    return Match(rules.spec, rules.version, 2, ("a", "b"), 0, tuple(moves), NO_RESULT), asked


def test_who_placed_the_last_tile_keeps_no_abbey() -> None:
    """Their engine asks for ever then."""
    match, asked = with_abbeys_until_the_end(1, "pass")
    assert len(asked) == 2
    with pytest.raises(BadRules, match="who placed the last tile keeps an abbey that has a place"):
        export_game(match, Rules.from_spec(match.rules, 2))


def test_nobody_confirms_that_an_abbey_is_kept_at_the_end() -> None:
    """While there are tiles, a player who keeps it goes on with the turn, and confirms that."""
    match, asked = with_abbeys_until_the_end(1, "abbey")
    moves = written(match)
    at = max(at for at, move in enumerate(moves) if move["payload"].get("tileId") == "AM/A")
    assert kinds(moves[at - 2 : at]) == ["COMMIT", "PASS"] and moves[at - 1]["player"] == asked[0]
    earlier = [
        kinds(moves[at : at + 2])
        for at, move in enumerate(moves[:-8])
        if move["type"] == "PASS" and moves[at - 1]["type"] == "COMMIT"
    ]
    assert earlier and all(pair == ["PASS", "COMMIT"] for pair in earlier)


def asked(state: State, text: str) -> bool:
    """Whether they ask for a decision, too."""
    asking = Asking(state.rules)
    return asking.is_asked(state, state.step.name, text, state.current_player)


def test_a_phantom_alone_on_a_tower_is_not_asked_for() -> None:
    """They ask for one where it may claim something, and offer the tower then, too."""
    state = do(
        begin("base(fields=off)+phantom+tower", 2),
        "draw:E place:0,-1,2 draw:TO02 place:0,-2,0 tower:0,-2,0,piece pass"
        " draw:B place:0,1,0 claim:0,meeple",
    )
    assert state.step.name == "phantom" and not asked(state, "pass")
    with pytest.raises(BadRules, match="does not ask for a phantom there"):
        asked(state, legal(state)[0])


def test_nobody_joins_a_road_that_was_completed_away_from_the_last_tile() -> None:
    """As by a tunnel token: they look for what is scored on the last tile."""
    state = begin("base+count", 2)
    city = expansion_of(state, "count").city
    city._move(state, list(QUARTERS).index("blacksmith"), 1, 0, 1)
    do(state, "draw:X place:0,2,0 pass")
    assert state.step.name == "join" and joinable(state) == legal(state)[:-1] != []
    lay(state, "B 5,5,0")
    assert joinable(state) == []


@pytest.mark.parametrize(
    ("spec", "scored", "herd"),
    [
        ("base+gq11+traders", True, "pig"),
        ("base+gq11+traders(herds=off)", False, "pig"),
        ("base+gq11(herd=none)+traders", True, "nothing"),
        ("base+gq11(herd=none)+traders(herds=off)", False, "pig"),
        ("base+river(part=two)+traders(tiles=off)", True, None),
    ],
)
def test_traders_say_whether_herds_of_pigs_score(spec: str, scored: bool, herd: str | None) -> None:
    """The herds of all sets of tiles; that of gq11 may be missing."""
    setup = setup_of(Rules.from_spec(spec, 2))
    assert ("pig-herd" in setup["elements"]) is scored
    assert setup["rules"].get("gq11-pig-herd") == herd


def test_nobody_escapes_before_a_double_turn_is_over() -> None:
    """With the last tile, too: they begin the second part and find no tile."""
    state = put(lay(begin("base+siege+traders", 2), "SB01 0,-1,2", "B 1,1,0"), 0, (0, 0, 0))
    emptied(put(put(state, 0, (0, 0, 1)), 0, (0, 0, 1), kind="builder"), "U")
    do(state, "draw:U place:1,0,1 pass")
    assert state.step.name == "escape" and not asked(state, "pass")
    with pytest.raises(BadRules, match=r"play siege\(escapes=turn\)"):
        asked(state, "escape:0,0,0,meeple")


def test_a_file_that_ends_in_a_double_turn_has_nobody_asked_for_an_escape() -> None:
    """Their engine takes such a file of a whole game: with the last tile no second part comes."""
    texts = (
        "draw:SB01 place:0,-1,2 claim:0,meeple draw:B place:0,1,0 pass draw:U place:1,0,1"
        " claim:0,meeple pass draw:V place:0,2,0 pass draw:U place:2,0,1 claim:0,builder pass"
        " draw:V place:1,1,3 pass draw:U place:3,0,1 pass pass draw:D"
    )
    moves = written(played("base+siege+traders", texts))
    assert kinds(moves)[-3:] == ["PLACE_TILE", "PASS", "COMMIT"]


@pytest.mark.parametrize(("figure", "refused"), [("builder", True), ("shepherd", False)])
def test_nobody_claims_a_branch_of_a_labyrinth_with_a_builder(figure: str, refused: bool) -> None:
    """Its follower is on the labyrinth, so the branch is free here; there it is occupied."""
    state = lay(begin("base+hills+labyrinth+traders", 2), "LA01 1,0,0")
    put(put(state, 0, (1, 0, 0)), 0, (0, 0, 1 if refused else 3), kind=figure)
    do(state, "draw:U place:-1,0,1")
    assert "claim:0,meeple" in legal(state)
    if not refused:
        assert asked(state, "claim:0,meeple")
        return
    with pytest.raises(BadRules, match="a branch of a labyrinth on which a builder is"):
        asked(state, "claim:0,meeple")


# Red scores 3 points by a road, and green captures red's monk.
CAPTURED = (
    "draw:W place:1,0,2 claim:0,meeple draw:W place:-1,0,2 pass draw:B place:1,1,0 claim:0,meeple"
    " draw:TO02 place:0,1,0 tower:0,1,0,piece capture:1,1,0,meeple,red draw:TU02 place:2,0,0 "
)


def test_a_ransom_after_a_token_is_paid_among_what_they_ask_for() -> None:
    texts = CAPTURED + "tunnel:2,0,1,a ransom:meeple,green claim:0,meeple draw:V"
    moves = written(played("base+tower+tunnel", texts))
    paid = ["PLACE_TILE", "PLACE_TOKEN", "PAY_RANSOM", "DEPLOY_MEEPLE", "COMMIT"]
    assert kinds(moves)[-5:] == paid


def test_a_ransom_after_a_token_is_paid_before_if_they_ask_for_nothing_more() -> None:
    """A follower closes the tower, and the tile that is laid has nothing to claim."""
    texts = CAPTURED + (
        "top:0,1,0,meeple pass draw:U place:-2,0,1 claim:0,meeple pass"
        " draw:U place:-3,0,1 tunnel:2,0,1,a ransom:meeple,green draw:V"
    )
    match = played("base(fields=off)+tower+tunnel", texts)
    text = export_game(match, Rules.from_spec(match.rules, 2))
    paid = ["PAY_RANSOM", "PLACE_TILE", "PLACE_TOKEN", "COMMIT"]
    game = json.loads(text)
    assert kinds(game["replay"])[-4:] == paid
    assert import_game(text).match.actions == match.actions
    del game["replay"][-4]["payload"]["carc"]  # as their client would save it: it is paid before
    imported = import_game(json.dumps(game))
    assert imported.match.actions[-3:-1] == match.actions[-2:-4:-1]
    assert imported.end.scores == [0, 3]


def test_a_phantom_is_caught_after_a_follower_was_freed() -> None:
    """As many are held as before, and yet one more was caught: that is confirmed."""
    texts = WATER + (
        "claim:0,meeple pass draw:B place:0,2,0 pass draw:FR02 place:-1,2,1"
        " free:0,1,0,meeple claim:0,phantom ferry:-1,2,1,to2 draw:V"
    )
    moves = written(played("base+ferries+phantom+russian", texts))
    freed = ["RETURN_MEEPLE", "DEPLOY_MEEPLE", "COMMIT", "PLACE_TOKEN", "COMMIT"]
    assert kinds(moves)[-5:] == freed


def test_a_ransom_is_paid_before_the_abbey_is_declined() -> None:
    """There it can be paid whenever the turn is the player's; tiles surround the cell 0,1."""
    texts = (
        "draw:W place:1,0,2 claim:0,meeple draw:W place:-1,0,2 pass draw:B place:1,1,0"
        " claim:0,meeple draw:B place:-1,1,0 pass draw:B place:-1,2,0 pass draw:B place:0,2,0 pass"
        " pass draw:U place:2,0,1 pass pass draw:TO02 place:1,2,0 tower:1,2,0,piece"
        " capture:1,1,0,meeple,red pass draw:U place:3,0,1 ransom:meeple,green claim:0,meeple"
    )
    match = played("base+abbey+tower", texts)
    game = json.loads(export_game(match, Rules.from_spec(match.rules, 2)))
    replay = game["replay"]
    at = kinds(replay).index("PAY_RANSOM")
    assert kinds(replay)[at - 2 : at] == ["PASS", "COMMIT"]
    replay.insert(at - 2, replay.pop(at))
    assert import_game(json.dumps(game)).match.actions == match.actions


def test_a_ransom_alone_is_not_asked_for_there() -> None:
    """The tower is closed and the tile has nothing to claim: red only moves the ferry."""
    texts = CAPTURED.replace("draw:TU02 place:2,0,0 ", "draw:U place:2,0,1 top:0,1,0,meeple")
    texts += " draw:FR02 place:-2,0,0 claim:0,meeple ferry:-2,0,0,to2"
    texts += " draw:U place:-3,0,1 pass ferry:-2,0,0,to1 draw:V"
    moves = written(played("base(fields=off)+ferries+tower", texts))
    assert kinds(moves)[-4:] == ["COMMIT", "PLACE_TILE", "PLACE_TOKEN", "COMMIT"]


def test_a_phantom_for_a_tower_alone_is_not_asked_for_before_a_flock() -> None:
    texts = (
        "draw:TO02 place:0,1,0 tower:0,1,0,piece pass draw:U place:1,0,1 pass draw:U place:-1,0,1"
        " claim:1,shepherd pass token:2 draw:B place:0,2,0 pass draw:U place:-2,0,1"
        " claim:0,meeple pass flock:home draw:V"
    )
    moves = written(played("base(fields=off)+hills+phantom+tower", texts))
    assert kinds(moves)[-3:] == ["DEPLOY_MEEPLE", "FLOCK_EXPAND_OR_SCORE", "COMMIT"]


def test_a_ransom_is_paid_when_the_ingots_lie() -> None:
    """There it is paid before the tile; the ingots of the tile come first here."""
    texts = CAPTURED.replace("draw:TU02 place:2,0,0 ", "draw:GO01 place:-1,-1,0 gold:0,0")
    moves = written(played("base+gold+tower", texts + " ransom:meeple,green claim:1,meeple draw:V"))
    paid = ["PAY_RANSOM", "PLACE_TILE", "PLACE_TOKEN", "DEPLOY_MEEPLE", "COMMIT"]
    assert kinds(moves)[-5:] == paid


# Red's first shepherd keeps the field south of the road; the second stands west of him on the field
# north of it. A tile at the eastern end is for both: here the western one comes first.
def test_flocks_are_asked_about_in_our_order() -> None:
    """They ask by the shepherds' numbers."""
    texts = (
        "draw:U place:1,0,1 claim:2,shepherd token:1 draw:B place:0,1,0 pass"
        " draw:U place:-1,0,1 claim:1,shepherd token:2 flock:grow token:1"
        " draw:B place:1,1,0 pass draw:U place:2,0,1 pass flock:grow token:3 flock:home draw:V"
    )
    moves = written(played("base(fields=off)+hills(shepherd_count=2)", texts))
    placed = [move["payload"] for move in moves if move["type"] == "DEPLOY_MEEPLE"]
    assert [(one["meepleId"], one["pointer"]["position"]) for one in placed] == [
        ("0.shepherd.2", [1, 0]),
        ("0.shepherd.1", [-1, 0]),
    ]


def test_the_fairys_companion_in_a_castle_is_pointed_at_there() -> None:
    """As where he stands is called there: in a city he would not be found."""
    texts = (
        "draw:E place:0,-1,2 claim:0,meeple castle:0,-1,0 draw:B place:0,1,0 pass"
        " draw:B place:1,1,0 fairy:0,-1,0,meeple draw:V"
    )
    moves = written(played("base(fields=off)+bridges(bridges=own)+dragon", texts))
    placed, token, fairy = (
        next(move["payload"] for move in moves if move["type"] == kind)
        for kind in ("DEPLOY_MEEPLE", "PLACE_TOKEN", "MOVE_NEUTRAL_FIGURE")
    )
    assert placed["pointer"]["feature"] == token["pointer"]["feature"] == "City"
    assert fairy["to"]["featurePointer"] == {**placed["pointer"], "feature": "Castle"}


def test_a_file_in_which_a_wagons_castle_scores_comes_in() -> None:
    """It does not say that the wagon stays."""
    texts = "draw:E place:0,-1,2 claim:0,wagon castle:0,-1,0 draw:W place:1,0,2 pass"
    texts += " draw:W place:-1,0,2 pass pass draw:V place:0,1,0"
    moves = written(played("base+abbey+bridges(bridges=own)", texts))
    assert kinds(moves)[-3:] == ["PASS", "COMMIT", "PLACE_TILE"]


def test_who_has_points_of_a_title_alone_is_asked_to_enter_carcassonne_there() -> None:
    """Red completes green's road as the robber, who scores at once."""
    texts = (
        "draw:B place:-1,2,0 pass draw:U place:0,2,0 pass draw:X place:0,3,0 pass"
        " draw:U place:1,3,1 claim:0,meeple draw:W place:2,3,2 pass draw:V"
    )
    moves = written(played("base+count+king(worth=at_once)", texts))
    assert kinds(moves)[-4:] == ["PLACE_TILE", "PASS", "COMMIT", "PASS"]


@pytest.mark.parametrize("choice", ["pass", "enter:0,1,0,meeple count:-1,-1,0"])
def test_who_makes_a_title_alone_score_is_not_asked_to_enter_carcassonne_there(choice: str) -> None:
    """Red completes nobody's road, and green, who has the title, scores."""
    texts = (
        f"draw:U place:0,2,0 pass draw:X place:0,3,0 pass draw:W place:1,3,2 pass {choice}"
        " draw:B place:-1,2,0 pass draw:V"
    )
    match = played("base+count+king(worth=at_once)", texts)
    if choice == "pass":
        assert kinds(written(match))[-6:] == ["PLACE_TILE", "PASS", "COMMIT"] * 2
        return
    with pytest.raises(BadRules, match="looks away from points of fairy, ringmaster, king"):
        written(match)


def test_prisoners_are_exchanged_before_who_captured_enters_carcassonne() -> None:
    """By a tower red frees her monk, and completes green's road."""
    texts = (
        "draw:B place:-1,2,0 claim:0,meeple"
        " draw:TO02 place:-1,3,0 tower:-1,3,0,piece capture:-1,2,0,meeple,red"
        " draw:B place:-2,3,0 pass draw:B place:-1,4,0 claim:0,meeple draw:B place:-2,4,0 pass"
        " draw:U place:0,2,0 claim:0,meeple"
        " draw:A place:0,3,2 tower:-1,3,0,piece capture:-1,4,0,meeple,green pass draw:V"
    )
    moves = written(played("base(fields=off)+count+tower", texts))
    assert kinds(moves)[-4:] == ["PLACE_TOKEN", "CAPTURE_FOLLOWER", "COMMIT", "PASS"]
