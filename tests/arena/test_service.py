"""The service of an arena, with games that are flips of a coin."""

import os
import signal
import socket
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from support.arenas import (
    BOTS,
    SETTINGS,
    Present,
    Turns,
    rated,
    serving,
    stages_of,
    standings_of,
)
from support.flips import flip
from support.playing import requires
from support.submitted import submit
from support.waiting import until

from carc.arena.authors import Authors
from carc.arena.deals import origin
from carc.arena.ledger import LadderLedger
from carc.arena.orders import Order, give
from carc.arena.service import Arena
from carc.arena.settings import read_settings
from carc.errors import CarcError
from carc.tournaments.isolation import host
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import BadLedger, Ledger, running
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.running.playing import void
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import VARIABLE, Registry


def test_games_are_played_until_it_ends_and_then_again(folder: Path) -> None:
    with serving(folder):
        until(lambda: rated(folder) > 5)
        assert running(folder)
        assert running(folder / "two")
    assert not running(folder)
    done = stages_of(folder)
    assert done.count("started") == done.count("rated"), "those under way ended first"
    assert done[-1] == "revealed"
    with serving(folder):
        until(lambda: rated(folder) > done.count("rated"))
    assert stages_of(folder)[: len(done)] == done
    assert stages_of(folder).count("entered") == 3, "each once"


def test_bots_come_and_go_while_it_runs(folder: Path) -> None:
    with serving(folder) as arena:
        until(lambda: rated(folder) > 1)
        told = give(folder, Order("enter", "two", "greedy:overlook=0.5"))
        assert told == "greedy:overlook=0.5 plays in two"
        give(folder, Order("remove", "two", "random", "it is too easy"))
        with pytest.raises(CarcError, match="no bot 'random' plays in this ladder"):
            arena.obey(Order("remove", "two", "random", "again"))
        until(lambda: standings_of(folder)["greedy:overlook=0.5"].games > 2)
    after = standings_of(folder)["random"]
    assert (after.state, after.why) == ("out", "it is too easy")
    with Ledger.reading(folder / "two") as ledger:
        entries = list(ledger.entries())
        (out,) = (entry.number for entry in entries if entry.stage == "rested")
        later = {entry.game for entry in entries if entry.stage == "started" and entry.number > out}
        assert later
        assert not any("random" in ledger.outcome(game).seats for game in later)
    with serving(folder):
        assert standings_of(folder)["random"].state == "out", "the settings do not bring it back"


def test_an_order_is_carried_out_where_no_service_runs(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:  # by a service that was killed
        left.bind(str(folder / "arena.sock"))
    assert give(folder, Order("enter", "two", "random")) == "random plays in two"
    assert stages_of(folder) == ["entered"]
    with pytest.raises(CarcError, match="random plays in this ladder already"):
        give(folder, Order("enter", "two", "random"))
    with pytest.raises(CarcError, match="there is no ladder 'three'; there is two"):
        give(folder, Order("enter", "three", "random"))
    with pytest.raises(CarcError, match="unknown bot 'nosuch'"):
        give(folder, Order("enter", "two", "nosuch"))
    with pytest.raises(CarcError, match=r"submit '\./mine' first"):
        give(folder, Order("enter", "two", "./mine"))
    with pytest.raises(CarcError, match="there is no order 'sing'"):
        give(folder, Order("sing", "two", "random"))


def test_what_is_put_down_to_the_network_is_a_setting(folder: Path) -> None:
    assert Arena(folder, Turns).relay.latency == 0.2
    (folder / "arena.toml").write_text("latency = 0.5\n" + SETTINGS)
    assert Arena(folder, Turns).relay.latency == 0.5


def test_one_service_a_folder(folder: Path) -> None:
    with (
        serving(folder),
        pytest.raises(BadLedger, match="another tournament is running in"),
        serving(folder),
    ):
        pass


def slow(game: Game, mark: str) -> Outcome:
    Path(mark).touch()
    time.sleep(60)
    return flip(game)


def test_what_is_interrupted_is_not_played_again(folder: Path) -> None:
    mark = folder / "mark"
    with serving(folder, at_once=True, play=partial(slow, mark=str(mark))):
        until(mark.exists)
    assert stages_of(folder)[-1] == "started"
    with serving(folder):
        until(lambda: rated(folder) > 3)
    with Ledger.reading(folder / "two") as ledger:
        entries = list(ledger.entries())
    games = [entry.attempt for entry in entries if entry.stage == "started"]
    assert games == list(range(len(games))), "each number once"
    assert {entry.attempt for entry in entries if entry.stage == "rated"}.isdisjoint({0, 1})


def test_a_disk_that_is_full_ends_the_service_and_nothing_that_was_rated_is_lost(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arena = Arena(folder, Turns, play=flip)
    ended = threading.Event()
    arena.start(ended.set)
    until(lambda: rated(folder) > 1)
    connection = arena._ladders["two"]._ledger._connection
    arena._do(lambda: connection.execute("PRAGMA max_page_count = 1"))
    assert ended.wait(60)
    with pytest.raises(BadLedger, match="cannot be written: database or disk is full; what was"):
        arena.close()
    log = (folder / "arena.log").read_text()
    assert "the arena cannot go on: a ledger in" in log
    assert "Traceback" not in log + capfd.readouterr().err
    before = rated(folder)
    with serving(folder):
        until(lambda: rated(folder) > before)
    with Ledger.reading(folder / "two") as ledger:
        assert list(chain.followed(ledger.entries(), origin(ledger.configuration)))
    assert sum(each.games for each in standings_of(folder).values()) == 2 * rated(folder)


def broken(game: Game) -> Outcome:
    return void(game, HostFailure(Cause.SHORTAGE, "no memory is left"))


def test_a_host_that_is_short_of_something_does_not_spend_a_thousand_deals(folder: Path) -> None:
    with serving(folder, play=broken):
        until(lambda: stages_of(folder).count("void") > 1)
        time.sleep(0.3)
        assert stages_of(folder).count("started") < 8


def kills(game: Game) -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    return flip(game)


def test_a_game_whose_worker_is_killed_is_void(folder: Path) -> None:
    with serving(folder, play=kills):
        until(lambda: "void" in stages_of(folder))
    with Ledger.reading(folder / "two") as ledger:
        (detail, *_) = {outcome.detail for outcome in ledger.outcomes()}
    assert "was killed by SIGKILL" in detail


# -- submitted bots -------------------------------------------------------------------------------


@requires("confined")
def test_a_submitted_bot_plays_at_once_in_every_ladder_of_its_rules(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upload that passed its check; a new version takes the place of the old one."""
    monkeypatch.setenv(VARIABLE, str(folder / "registry"))
    (folder / "arena.toml").write_text(SETTINGS + "[ladders.inns]\nrules = 'base+inns'\n")
    submit(folder, "mine")
    manifest = folder / "mine" / "bot.toml"
    text = manifest.read_text() + 'rules = ["base"]\n'
    with serving(folder) as arena:
        for version in "1", "2":
            manifest.write_text(text.replace('"1"', f'"{version}"'))
            told = arena.submitted(Registry().add(read(folder / "mine"), "ann"))
            assert told.startswith("It plays in two. Not in inns: mine@")
        Authors(folder).add("ann")
        Authors(folder).ban("ann", "two accounts")  # while another version is checked
        manifest.write_text(text.replace('"1"', '"3"'))
        told = arena.submitted(Registry().add(read(folder / "mine"), "ann"))
        assert told.startswith("Not in two: ann is banned: two accounts.")
    old, new = (standings_of(folder)[f"mine@{version}"] for version in "12")
    assert (new.state, new.author, new.isolation) == ("plays", "ann", host.strongest())
    assert (old.state, old.why) == ("rests", "mine@2 plays instead")
    assert stages_of(folder, "inns") == []


@requires("confined")
def test_a_submitted_bot_that_the_settings_name_is_entered_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its name alone, so that each start finds its latest version."""
    monkeypatch.setenv(VARIABLE, str(folder / "registry"))
    submit(folder, "mine")
    (folder / "arena.toml").write_text(SETTINGS + 'bots = ["mine", "random"]\n')
    Registry().add(read(folder / "mine"), "ann")
    for _ in range(2):
        with serving(folder):
            assert standings_of(folder)["mine@1"].state == "plays"
    assert stages_of(folder).count("entered") == 2


# -- remote bots ----------------------------------------------------------------------------------


def alone(game: Game, mark: Path) -> Outcome:
    mark.touch(exist_ok=False)
    time.sleep(0.02)
    mark.unlink()
    return flip(game)


def test_a_remote_bot_plays_one_game_at_a_time_and_only_while_it_is_here(folder: Path) -> None:
    (folder / "arena.toml").write_text(SETTINGS)
    here = {"remote:ann/bot@1", "remote:bob/bot@1"}
    play = partial(alone, mark=folder / "playing")
    with serving(folder, relay=Present(here), play=play) as arena:
        assert arena.admit("ann", "bot", "1") == "remote:ann/bot@1"
        assert arena.admit("bob", "bot", "1", ["two"]) == "remote:bob/bot@1"
        assert arena.admit("eve", "bot", "1") == "remote:eve/bot@1"  # and is gone
        until(lambda: arena.relay.is_chosen("remote:ann/bot@1"))
        until(lambda: rated(folder) > 2)
        assert not arena.relay.is_chosen("remote:eve/bot@1")
        assert arena.admit("ann", "bot", "2") == "remote:ann/bot@2"
        assert standings_of(folder)["ann/bot@1"].why == "ann/bot@2 plays instead"
        for bad in ("Bad Name", "1"), ("bot", "one two"):
            with pytest.raises(CarcError):
                arena.admit("ann", *bad)
        with pytest.raises(CarcError, match="there is no ladder 'three'"):
            arena.admit("ann", "bot", "1", ["three"])
    assert standings_of(folder)["eve/bot@1"].games == 0
    done = stages_of(folder)
    assert "void" not in done, "both play in every game"
    assert "started" not in done[done.index("rested") :], "only the old version is here"


def _has_rated(folder: Path, ladder: str) -> bool:
    return stages_of(folder, ladder).count("rated") > 2


def test_a_remote_bot_in_two_ladders_plays_one_game_at_a_time(folder: Path) -> None:
    (folder / "arena.toml").write_text(SETTINGS + "[ladders.inns]\nrules = 'base+inns'\n")
    here = Present(["remote:ann/bot@1", "remote:bob/bot@1"])
    with serving(folder, relay=here, play=partial(alone, mark=folder / "playing")) as arena:
        for author in "ann", "bob":
            arena.admit(author, "bot", "1")
        for ladder in "two", "inns":
            until(partial(_has_rated, folder, ladder))
    for ladder in "two", "inns":
        assert "void" not in stages_of(folder, ladder)


def test_whom_the_organiser_took_out_does_not_come_back_by_connecting(folder: Path) -> None:
    with serving(folder) as arena:
        arena.admit("ann", "bot", "1")
        arena.obey(Order("remove", "two", "ann/bot@1", "it stalls"))
        with pytest.raises(CarcError, match="the organiser took ann/bot@1 out: it stalls"):
            arena.admit("ann", "bot", "1")


def test_a_ladder_takes_whom_its_settings_say(folder: Path) -> None:
    (folder / "arena.toml").write_text(SETTINGS + BOTS + 'takes = "submitted"\n')
    with serving(folder) as arena:
        assert arena.ladders() == []
        with pytest.raises(CarcError, match="takes submitted bots, not remote ones"):
            arena.admit("ann", "bot", "1", ["two"])


def test_a_bot_that_is_not_here_any_more_rests(folder: Path) -> None:
    settings = read_settings(folder)
    with LadderLedger.opening(folder / "two", settings.ladders[0].configuration, 3) as ledger:
        ledger.enter(Entrant("greedy:0.5", "greedy:0.5", "of an older carc"))
        ledger.enter(Entrant("ann@1", "ann@1", "0" * 64, "confined"), "ann")
    with serving(folder):
        pass
    after = standings_of(folder)
    assert (after["greedy:0.5"].state, after["ann@1"].state) == ("rests", "rests")
    assert "has another greedy:0.5" in after["greedy:0.5"].why
    assert "holds no bot of digest 000000000000" in after["ann@1"].why
