"""`carc export --dataset`: what was seen, chosen and won in games, for programs that learn."""

from pathlib import Path

import numpy as np
import pytest
from support.program import Run, refused

from carc import CHANCE, Action, Match, Rules, State, play
from carc.bots import by_name
from carc.errors import CarcError
from carc.learn.dataset import Dataset, DatasetWriter, read_dataset, tokens_of
from carc.learn.observation import encoding_for
from carc.learn.token_arrays import tokens


def played(spec: str = "base", players: int = 2, seed: int = 1) -> Match:
    bots = [by_name("random", seed * 10 + seat) for seat in range(players)]
    return play(Rules.cached(spec, players), bots, seed=seed)


class Lost:
    """A bot at fault."""

    def choose(self, state: State) -> Action:
        raise LookupError("I am lost")


def written(file: Path, *matches: Match) -> Dataset:
    with DatasetWriter(Rules.cached(matches[0].rules, matches[0].players)) as writer:
        for match in matches:
            writer.add_match(match, "game")
        writer.save(file)
    return read_dataset(file)


@pytest.mark.parametrize(("spec", "players"), [("base", 2), ("base+ghosts", 3)])
def test_it_has_what_was_seen_and_chosen_at_each_decision(
    spec: str, players: int, tmp_path: Path
) -> None:
    matches = [played(spec, players, seed) for seed in range(1, 5 - players)]
    data = written(tmp_path / "games.npz", *matches)
    of, position = encoding_for(data.rules), 0
    for number, match in enumerate(matches):
        state = data.rules.start()
        for text in match.actions:
            action, player = data.rules.parse(text), state.current_player
            if player != CHANCE:
                seen = data.seen.of(position)
                for table, rows in tokens(state, player).items():
                    assert np.array_equal(seen[table], rows)
                code = int(seen["codes"][data.columns["chosen"][position]])
                assert of.action(state, code) == action
                assert data.columns["player"][position] == player
                assert data.columns["game"][position] == number
                position += 1
            state.apply(action)
    assert position == len(data)


def test_the_outcome_is_told_from_who_chose_on(tmp_path: Path) -> None:
    match = played("base", 3)
    data = written(tmp_path / "games.npz", match)
    assert set(data.columns["player"]) == {0, 1, 2}
    for player, scores, returns in zip(
        *(data.columns[name].tolist() for name in ("player", "scores", "returns")), strict=True
    ):
        for seat in range(3):
            assert scores[(seat - player) % 3] == match.result.scores[seat]
            assert returns[(seat - player) % 3] == match.result.returns[seat]


def test_what_is_taken_is_what_the_games_have() -> None:
    states: list[State] = []
    state = Rules.cached("base+ghosts", 2).start()
    deal = state.rules.deal(5)
    while len(states) < 20:
        state.apply(deal.choose(state) if state.current_player == CHANCE else state.action_at(0))
        if state.current_player >= 0:
            states.append(state.copy())
    every = tokens_of(states)
    some = every.take(np.array([19, 3, 3, 0]))
    for at, game in enumerate([19, 3, 3, 0]):
        for table, rows in every.of(game).items():
            assert some.of(at)[table].tolist() == rows.tolist()


def test_games_of_a_folder_become_one_file(run: Run) -> None:
    Path("games").mkdir()
    for seed in (1, 2):
        Path(f"games/{seed}.jsonl").write_text(played(seed=seed).to_text())
    lines = played(seed=3).to_text().splitlines(keepends=True)
    Path("games/cut.jsonl").write_text("".join(lines[:40]))
    bots = [Lost(), by_name("random", 1)]
    Path("games/fault.jsonl").write_text(play(Rules.cached("base", 2), bots).to_text())
    code, out, err = run("export", "games", "--dataset", "--out", "games.npz")
    positions = len(read_dataset(Path("games.npz")))
    assert (code, out) == (0, f"games.npz: 2 games, {positions} positions\n")
    assert err.splitlines() == [
        "left out: cut.jsonl: it was not played to its end",
        "left out: fault.jsonl: a bot was at fault",
    ]
    first = Path("games.npz").read_bytes()
    assert run("export", "games", "--dataset", "--out", "games.npz")[0] == 0
    assert Path("games.npz").read_bytes() == first


def test_games_of_a_tournament_and_links_become_a_file(run: Run) -> None:
    assert run("tournament", "--bots", "random,greedy", "--deals", "1", "--seed", "1")[0] == 0
    out = run("export", "runs/tournament", "--dataset", "--out", "games.npz")[1]
    assert out.startswith("games.npz: 2 games, ")


def test_what_cannot_be_a_dataset_is_refused(run: Run) -> None:
    Path("games").mkdir()
    Path("games/1.jsonl").write_text(played().to_text())
    Path("games/2.jsonl").write_text(played("base+ghosts").to_text())
    export = ("export", "games", "--dataset", "--out")
    assert "2.jsonl is base+ghosts for 2, and a dataset has one set of rules" in refused(
        run(*export, "games.npz")
    )
    assert "games.csv does not end in .npz" in refused(run(*export, "games.csv"))
    assert "exclude each other" in refused(run(*export, "games.npz", "--lab"))
    assert "there is no none" in refused(run("export", "none", "--dataset", "--out", "x.npz"))
    Path("empty").mkdir()
    assert "empty has no game" in refused(run("export", "empty", "--dataset", "--out", "x.npz"))
    assert not list(Path().glob("*.npz"))


@pytest.mark.parametrize("damage", ["text", "other arrays", "cut", "columns"])
def test_other_files_are_no_datasets(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "games.npz"
    written(file, played())
    if damage == "text":
        file.write_text("no archive")
    elif damage == "other arrays":
        np.savez(file, tiles=np.zeros(3))
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:-1000])
    else:
        with np.load(file) as arrays:
            kept = {name: arrays[name] for name in arrays.files}
        np.savez(file, **{**kept, "tiles_columns": kept["tiles_columns"][::-1]})
    with pytest.raises(CarcError, match=r"no dataset|another version"):
        read_dataset(file)
