"""The program `carc` as a user meets it: play, replay, bench, one sentence for what is wrong."""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.program import Run, python, refused

import carc as carc_package
from carc import Rules
from carc.base.expansions.base_game import TILES as BASE_TILES
from carc.commands.main import MODULES
from carc.expansion_ghosts.mist import TILES as MIST_TILES

PLAY = ("play", "--bots", "greedy,random", "--seed", "7")


def test_play_prints_scorings_board_scores_and_winner(run: Run) -> None:
    code, out, err = run(*PLAY)
    assert (code, err) == (0, "")
    assert "red scores city " in out
    assert out.splitlines()[-1] == "won by seat 0 (greedy)"
    assert "scores: red greedy " in out


def position(spec: str, players: int, actions: int) -> str:
    """A position of a random game, as text."""
    rng = random.Random(1)
    state = Rules.from_spec(spec, players).start()
    for _ in range(actions):
        state.apply(rng.choice(state.legal_actions()))
    return state.to_text()


def test_a_game_begins_from_a_position_and_its_record_says_so(run: Run, tmp_path: Path) -> None:
    text = position("base+ghosts", 3, 200)
    code, out, err = run("play", "--from", text, "--bots", "random", "--record", "end.jsonl")
    assert (code, err) == (0, "")
    assert "blue random" in out
    record = (tmp_path / "end.jsonl").read_text()
    assert json.loads(record.splitlines()[0])["position"] == text
    assert len(record.splitlines()) < 300
    assert run("replay", "end.jsonl", "--verify")[0] == 0
    assert run("show", "end.jsonl", "--move", "0")[1].count("next: ") == 1
    (tmp_path / "bad.jsonl").write_text(record.replace(" D:", " Y:", 1).replace("/D:", "/Y:"))
    code, _, err = run("replay", "bad.jsonl")
    assert code == 2
    assert "bad.jsonl:1: 'Y' names no tile" in err
    code, _, err = run("show", "bad.jsonl")
    assert code == 2
    assert "bad.jsonl:1: 'Y' names no tile" in err


def test_a_position_is_shown_and_drawn(run: Run, tmp_path: Path) -> None:
    text = position("base", 2, 40)
    code, out, err = run("show", text)
    assert (code, err) == (0, "")
    assert re.search(r"\na red \d+, b green \d+; ", out)
    assert run("show", text, "--svg", "board.svg")[0] == 0
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert run("show", text, "--move", "3") == (
        2,
        "",
        "carc: --move needs a game; this is a single position\n",
    )


@pytest.mark.parametrize("words", [("show",), ("play", "--bots", "random", "--from")])
def test_a_wrong_position_is_one_sentence(run: Run, words: tuple[str, ...]) -> None:
    code, out, err = run(*words, position("base", 2, 40).replace("base 2", "base 7"))
    assert (code, out) == (2, "")
    assert err == "carc: base is for 1 to 5 players, not 7\n"
    code, out, err = run(*words, position("base", 2, 40).rpartition(" ")[0])
    assert (code, out) == (2, "")
    assert re.match(r"carc: .*position has 16 fields .*, not 15", err)


def test_rules_beside_a_position_are_its_own(run: Run) -> None:
    text = position("base+ghosts", 3, 20)
    begun = ("play", "--from", text, "--bots", "random")
    assert run(*begun, "--players", "2") == (
        2,
        "",
        "carc: the game of --from has 3 players; leave out --players 2\n",
    )
    assert run(*begun, "--rules", "base") == (
        2,
        "",
        "carc: the game of --from is base+ghosts; leave out --rules base\n",
    )
    assert run(*begun, "--rules", "base + ghosts", "--players", "3")[0] == 0


def test_what_is_no_game_to_be_shown_is_one_sentence(run: Run) -> None:
    code, out, err = run("show", "foo")
    assert (code, out) == (2, "")
    assert err.startswith(
        "carc: 'foo' is not a file or a position, and not the id of a game either"
    )


def test_the_same_seed_is_the_same_match(run: Run) -> None:
    assert run(*PLAY) == run(*PLAY)
    assert run(*PLAY)[1] != run(*PLAY[:-1], "8")[1]


def test_one_bot_for_all_seats_of_a_team(run: Run) -> None:
    code, out, _ = run("play", "--rules", "mists:4", "--players", "3", "--bots", "random")
    assert code == 0
    assert "scores: red random " in out
    assert ", blue random " in out
    assert re.search(
        r"^outcome: won no, rule (COOP-14|LVL3-02), score \d+, goal 120, tiles left \d+$", out, re.M
    )
    assert out.splitlines()[-1] == "nobody wins"


def test_two_of_a_team_have_two_colours_each(run: Run) -> None:
    _, out, _ = run("play", "--rules", "mists:1", "--players", "2", "--bots", "random")
    assert re.search(r"^scores: red\+green random (\d+), blue\+yellow random \1$", out, re.M)


def test_a_bot_of_ones_own_in_the_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Lazy:\n    def choose(self, state):\n        return state.legal_actions()[-1]\n"
    )
    code, out, _ = run("play", "--bots", "mine:Lazy,random")
    assert code == 0
    assert "mine:Lazy 0, " in out  # it never puts a follower down


def test_a_bot_that_fails_is_named_and_the_match_goes_on(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lost.py").write_text(
        "class Lost:\n    def choose(self, state):\n        raise KeyError('where am I')\n"
    )
    code, out, _ = run("play", "--bots", "lost:Lost,random")
    assert code == 0
    assert "seat 0 (lost:Lost) was at fault, crash: KeyError: 'where am I'" in out
    assert out.splitlines()[-1] == "won by seat 1 (random)"


def test_a_record_is_written_replayed_and_verified(run: Run) -> None:
    shown = run(*PLAY, "--record", "m.jsonl")[1]
    code, out, _ = run("replay", "m.jsonl", "--verify")
    assert code == 0
    lines = Path("m.jsonl").read_text().splitlines()
    assert out.startswith(f"m.jsonl: {len(lines) - 2} actions verified\n")
    assert out.partition("\n")[2].strip() in shown  # the same board and scores


def test_ones_own_tile_file_is_played_with(run: Run) -> None:
    """Only start tiles and straight roads: whoever wins, no monastery is on the table."""
    Path("tiles.txt").write_text(
        "carc-tiles 1\nset base\n"
        "tile D 1 CRFR\n  city N\n  road E W\n  field EL WR touches=0\n  field ER S WL\n"
        "tile U 8 RFRF\n  road N S\n  field NR E SL\n  field NL SR W\n"
        "start D 0,0\n"
    )
    words = ("play", "--bots", "random,random", "--tiles", "tiles.txt", "--record", "m.jsonl")
    assert run(*words)[0] == 0
    record = Path("m.jsonl").read_text()
    assert record.count('"draw:U"') == 8
    assert record.count('"draw:') == 8
    assert run("replay", "m.jsonl", "--verify", "--tiles", "tiles.txt")[0] == 0
    code, _, err = run("replay", "m.jsonl")
    assert code == 2
    assert "played by rules version" in err


def test_bench_tells_speed_and_machine(run: Run) -> None:
    code, out, _ = run("bench", "--seconds", "0.05", "--json")
    figures = json.loads(out)
    assert code == 0
    assert figures["rules"] == "base"
    for name in (
        "games_per_second",
        "decisions_per_second",
        "copy_microseconds",
        "copy_and_draw_microseconds",
        "legal_actions_after_draw_microseconds",
        "to_dict_microseconds",
        "observation_microseconds",
        "tokens_microseconds",
        "peak_memory_megabytes",
        "calibration_per_second",
    ):
        assert figures[name] > 0, name
    assert isinstance(figures["compiled"], bool)


def test_tiles_are_printed_beside_the_base_set(run: Run) -> None:
    code, out, _ = run("tiles", "--set", "mists")
    assert code == 0
    assert "mists: 64 tiles" in out  # 60 and the large start tile's quarters
    assert "reconstructed" in out
    (row,) = [line for line in out.splitlines() if "tiles to draw" in line]
    assert row.split()[-2:] == ["60", "71"]


def test_tiles_of_ones_own_are_printed_and_checked(run: Run) -> None:
    own = Path(BASE_TILES).read_text(encoding="utf-8").replace("tile X 1", "tile X 3")
    Path("own.txt").write_text(own, encoding="utf-8")
    assert "base: 74 tiles" in run("tiles", "--tiles", "own.txt")[1]
    Path("mists.txt").write_text("carc-tiles 1\nset mists\ntile A 1 FFFF\n  field N E S W\n")
    code, out, err = run("tiles", "--check", "mists.txt")
    assert code == 2
    assert "tiles with a castle: 0; known: 5" in out.splitlines()
    assert err == f"carc: mists.txt: {len(out.splitlines())} contradictions of known facts\n"
    code, out, _ = run("tiles", "--check", str(MIST_TILES))
    assert (code, "no contradiction of known facts" in out) == (0, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nosuch"], "no command 'nosuch'; the commands are play, replay, show, analyse, "),
        (["play"], "Missing option '--bots'"),
        (["play", "--bots", ","], "no bots are named"),
        (["play", "--bots", "gredy,random"], "unknown bot 'gredy'; shipped are random, greedy"),
        (["play", "--bots", "nowhere:Bot,random"], "cannot import 'nowhere'"),
        (
            ["play", "--bots", "carc.bots.random:Nobody,random"],
            "'carc.bots.random' has no 'Nobody'",
        ),
        (["play", "--bots", "pathlib:Path,random"], "has no method choose(state)"),
        (["play", "--bots", "random", "--players", "6"], "base is for 1 to 5 players, not 6"),
        (["play", "--bots", "random,random", "--players", "3"], "2 bots for 3 players"),
        (["play", "--rules", "bse", "--bots", "random,random"], "unknown rules 'bse'; known are"),
        (["play", "--bots", "random,random", "--seed", "x"], "'x' is not a valid integer"),
        (["play", "--bots", "random,random", "--tiles", "none.txt"], "none.txt: cannot be read"),
        (["play", "--bots", "random,random", "--tiles", "odd.txt"], "odd.txt:4: "),
        (["play", "--bots", "random,random", "--record", "no/m"], "no/m cannot be written"),
        (["replay", "none.jsonl"], "none.jsonl: cannot be read: No such file"),
        (["replay", "odd.txt"], "odd.txt:1: not a line of JSON; is this a carc record?"),
        (["replay", "."], ".: cannot be read: Is a directory"),
        (["tiles", "--set", "towers"], "there is no tile set 'towers'; the sets are base mists "),
        (["tiles", "--tiles", "odd.txt"], "odd.txt:4: "),
        (["tiles", "--check", "none.txt"], "none.txt: cannot be read"),
        (["tiles", "--check", str(BASE_TILES)], "no known facts to check a set 'base' against"),
        (["tiles", "--tiles", str(MIST_TILES)], "ask for it with --set mists"),
        (["bench", "--rules", "bse"], "unknown rules 'bse'"),
        (["bench", "--seconds", "0"], "0.0 is not in the range"),
        (["bench", "--players", "9"], "base is for 1 to 5 players, not 9"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_sentence_and_code_2(run: Run, words: list[str], sentence: str) -> None:
    Path("odd.txt").write_text("carc-tiles 1\nset base\ntile A 1 FFFF\n  lake N\n")
    assert sentence in refused(run(*words))


def test_faults_of_the_program_itself_are_loud(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("carc.commands.play.play", broken)
    code, _, err = run(*PLAY)
    assert code == 70  # 1 and 2 mean other things
    assert err.startswith("Traceback")
    assert err.endswith("ZeroDivisionError: a bug\n")


def test_help_names_every_command(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for name in MODULES:
        assert f"\n  {name} " in out
        assert run(name, "--help")[0] == 0


def test_playing_a_match_loads_no_heavy_library() -> None:
    """A start costs what is used: numpy and trueskill belong to tournaments."""
    program = (
        "import sys; from carc.commands.main import main\n"
        "sys.argv = ['carc', 'play', '--bots', 'random,random']\n"
        "try: main()\n"
        "except SystemExit: print(sorted({'numpy', 'trueskill', 'sqlite3'} & set(sys.modules)))"
    )
    assert python(program).stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("shell", "code", "sentence"),
    [
        # As programs that a closed pipe ends, by SIGPIPE; 1 is for void games.
        ('{carc} play --bots random --seed 1 | true; exit "${{PIPESTATUS[0]}}"', 141, ""),
        ("{carc} play --bots random >&-", 2, "carc: standard output is closed"),
        ("{carc} bots < /dev/null", 0, ""),
    ],
)
def test_what_becomes_of_the_output(tmp_path: Path, shell: str, code: int, sentence: str) -> None:
    script = "import time; time.sleep(0.5); from carc.commands.main import main; main()"
    carc = f"{sys.executable} -P -c '{script}'"
    path = [
        str(Path(carc_package.__file__).parents[1]),
        *filter(None, [os.environ.get("PYTHONPATH")]),
    ]
    ran = subprocess.run(
        ["bash", "-c", shell.format(carc=carc)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    assert ran.stderr.startswith(sentence)
    assert len(ran.stderr.splitlines()) == bool(sentence)
