"""The ledger of a ladder: standings with every game, deals spent once, secrets kept and told."""

import sqlite3
from contextlib import closing
from pathlib import Path

import attrs
import pytest
import trueskill
from support.arenas import Opening, entrant, fill, played, stages
from support.flips import flip

from carc.arena.deals import identity
from carc.arena.ledger import LadderLedger
from carc.errors import BadBot
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.ledger.standings import Standing
from carc.tournaments.outcomes.outcome import row
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.tournament import board


def standings(folder: Path) -> dict[str, Standing]:
    with Ledger.reading(folder) as ledger:
        return {each.bot: each for each in ledger.standings.all()}


def test_a_game_is_on_the_board_with_its_row(tmp_path: Path, opening: Opening) -> None:
    """A reader sees both or neither: TrueSkill as its authors' library has it, and the sums."""
    with opening() as ledger:
        fill(ledger, "ann", "bob", "eve")
        game = ledger.deal((entrant("ann"), entrant("bob")))
        assert standings(tmp_path / "two")["ann"].games == 0
        lost = flip(game)._replace(
            ranks=(1, 0), scores=(5, 9), winners=(1,), verdicts=("crash", "ok")
        )
        ledger.add([row(lost)])
        after = standings(tmp_path / "two")
        with Ledger.reading(tmp_path / "two") as reader:
            assert reader.ids() == {game.id}
            assert [each.bot for each in reader.standings.page(2)] == ["bob", "eve"]
            assert [each.bot for each in reader.standings.page(2, 2)] == ["ann"]
    won, beaten = trueskill.rate_1vs1(
        trueskill.Rating(25, 25 / 3),
        trueskill.Rating(25, 25 / 3),
        env=trueskill.TrueSkill(tau=0, draw_probability=0.02),
    )
    assert after["bob"][-7:-1] == pytest.approx((won.mu, won.sigma, 1, 1, 9, 0))
    assert after["ann"][-7:-1] == pytest.approx((beaten.mu, beaten.sigma, 1, 0, 5, 1))
    assert after["eve"][-7:-1] == (25, 25 / 3, 0, 0, 0, 0)
    assert (after["ann"].last, after["eve"].last) == (lost.finished, "")


def test_a_void_of_the_host_is_not_rated(tmp_path: Path, opening: Opening) -> None:
    with opening() as ledger:
        fill(ledger, "ann", "bob")
        played(ledger, "ann", "bob", verdict="void", detail="shortage: of memory")
        assert stages(ledger)[-2:] == ["started", "void"]
    assert standings(tmp_path / "two")["ann"].games == 0


def test_the_board_of_a_ladder_is_that_of_any_tournament(tmp_path: Path, opening: Opening) -> None:
    with opening() as ledger:
        fill(ledger, "ann", "bob", "eve")
        for pair in ("ann", "bob"), ("bob", "eve"), ("eve", "ann"), ("ann", "eve"), ("bob", "ann"):
            played(ledger, *pair)
        ledger.remove("eve", "her author said so")
    online, results = standings(tmp_path / "two"), board(tmp_path / "two")
    assert (results.games, results.unfinished, results.left_out) == (5, 0, {})
    for standing in results.standings:
        of = online[standing.bot]
        assert (standing.games, standing.wins) == (of.games, of.wins)
        assert (standing.mu, standing.sigma) == pytest.approx((of.mu, of.sigma))


# -- deals ----------------------------------------------------------------------------------------


def test_a_deal_is_spent_once_whatever_becomes_of_its_game(
    tmp_path: Path, opening: Opening
) -> None:
    with opening() as ledger:
        fill(ledger, "ann", "bob")
        first = ledger.deal((entrant("ann"), entrant("bob")))
    with opening() as ledger:  # the game was interrupted
        second = ledger.deal((entrant("ann"), entrant("bob")))
        third = ledger.deal((entrant("ann"), entrant("bob")))
    assert [game.deal for game in (first, second, third)] == [0, 1, 2]
    for what in "id", "deal_seed", "bot_seeds":
        assert len({getattr(game, what) for game in (first, second, third)}) == 3
    with pytest.raises(sqlite3.IntegrityError), opening() as ledger:
        for _ in range(2):
            ledger.add([row(flip(second))])


def test_a_game_is_named_by_all_that_makes_it(configuration: Configuration) -> None:
    ann, bob, other = ("ann", "1"), ("bob", "2"), ("ann", "3")
    made = [
        ([ann, bob], 0, configuration),
        ([bob, ann], 0, configuration),
        ([other, bob], 0, configuration),
        ([ann, bob], 1, configuration),
        ([ann, bob], 0, attrs.evolve(configuration, rules="base+inns")),
        ([ann, bob], 0, attrs.evolve(configuration, rules_version="2")),
    ]
    assert len({identity(of, bots, number) for bots, number, of in made}) == len(made)


def test_a_secret_is_told_when_its_games_have_ended(opening: Opening) -> None:
    with opening() as ledger:
        fill(ledger, "ann", "bob")
        table = (entrant("ann"), entrant("bob"))
        early = ledger.deal(table)
        for _ in range(2):
            played(ledger, "ann", "bob")
        assert chain.REVEALED not in stages(ledger)
        late = ledger.deal(table)  # of the next epoch
        ledger.add([row(flip(late))])
        assert chain.REVEALED not in stages(ledger), "a game of the first is being played"
        ledger.add([row(flip(early))])
        assert stages(ledger)[-2:] == ["rated", "revealed"]
        ledger.end()
        assert stages(ledger)[-1] == "revealed"
        entries = list(ledger.entries())
    told = {each.game: each.digest for each in entries if each.stage == chain.REVEALED}
    said = {each.game: each.digest for each in entries if each.stage == chain.COMMITTED}
    assert list(told) == ["0", "1"]
    assert {epoch: chain.commitment(secret) for epoch, secret in told.items()} == said


def test_nobody_else_can_read_a_secret_or_what_was_printed(
    tmp_path: Path, opening: Opening
) -> None:
    """A copy of the ledger is anybody's; the file beside it is the organiser's."""
    with opening() as ledger:
        fill(ledger, "ann", "bob")
        id = played(ledger, "ann", "bob", stderr=("ann thinks aloud", ""))
        assert ledger.outcome(id).stderr == ("ann thinks aloud", "")
        for path in (tmp_path / "two").glob("private*"):
            assert path.stat().st_mode & 0o077 == 0
    folder = tmp_path / "two"
    with closing(sqlite3.connect(folder / "private.sqlite")) as private:
        ((secret,),) = private.execute("SELECT secret FROM secrets").fetchall()
    public = b"".join(path.read_bytes() for path in folder.glob("ledger*"))
    assert secret.encode() not in public
    assert b"aloud" not in public
    (folder / "private.sqlite").unlink()
    with Ledger.reading(folder) as copy:
        assert copy.outcome(id).stderr == ()


@pytest.mark.parametrize("moment", ["before the commitment", "after the secret was told"])
def test_a_kill_between_the_two_files(tmp_path: Path, opening: Opening, moment: str) -> None:
    with opening() as ledger:
        fill(ledger, "ann", "bob")
        played(ledger, "ann", "bob")
        if moment == "before the commitment":
            ledger._private.keep(1, "a secret that nobody knows of")
        else:
            kept = ledger._private.secrets()
            ledger.end()
            for epoch, secret in kept.items():
                ledger._private.keep(epoch, secret)
    with opening() as ledger:
        assert ledger._private.secrets() == {}
        played(ledger, "ann", "bob")
        told = [entry.game for entry in ledger.entries() if entry.stage == chain.REVEALED]
        said = [entry.game for entry in ledger.entries() if entry.stage == chain.COMMITTED]
    assert (told, said) == (["0"], ["0", "1"])


# -- bots -----------------------------------------------------------------------------------------


def test_a_new_version_takes_the_place_of_the_old_one(tmp_path: Path, opening: Opening) -> None:
    with opening() as ledger:
        fill(ledger, "ann@1", "annie@1", "ann@2")
        assert [each.bot for each in ledger.standings.playing()] == ["ann@2", "annie@1"]
        old = ledger.standings.of("ann@1")
        assert old is not None
        assert (old.state, old.why) == ("rests", "ann@2 plays instead")
        ledger.enter(entrant("ann@1"))  # back again
        assert [each.bot for each in ledger.standings.playing()] == ["ann@1", "annie@1"]
        assert stages(ledger) == [*["entered"] * 2, "rested", "entered", "rested", "entered"]


def test_whom_the_organiser_takes_out_only_he_lets_in_again(opening: Opening) -> None:
    with opening() as ledger:
        fill(ledger, "ann@1", "ann@2")
        ledger.remove("ann@2", "it floods its log")
        with pytest.raises(BadBot, match=r"the organiser took ann@2 out: it floods its log"):
            ledger.enter(entrant("ann@2"), organiser=False)
        ledger.enter(entrant("ann@1"), organiser=False)
        ledger.enter(entrant("ann@2"))
        assert [each.bot for each in ledger.standings.playing()] == ["ann@2"]


def test_after_a_ban_those_play_that_rested_for_it_unless_a_newer_one_does(
    opening: Opening,
) -> None:
    with opening() as ledger:
        for bot in "ann@1", "other@1", "third@1", "third@2":
            ledger.enter(entrant(bot), "ann")
        assert sorted(ledger.ban("ann", "two accounts")) == ["ann@1", "other@1", "third@2"]
        ledger.enter(entrant("ann@2"), "ann")  # as the organiser wants
        assert {each.bot for each in ledger.unban("ann")} == {"other@1", "third@2"}
        playing = [each.bot for each in ledger.standings.playing()]
        assert playing == ["ann@2", "other@1", "third@2"]


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        (entrant("ann"), "ann plays in this ladder already"),
        (entrant("ann", digest="other"), "another bot ann is in this ladder"),
        (entrant("ann", isolation="process"), "another bot ann is in this ladder"),
    ],
)
def test_a_bot_is_entered_once(opening: Opening, bot: object, says: str) -> None:
    with opening() as ledger:
        fill(ledger, "ann")
        with pytest.raises(BadBot, match=says):
            ledger.enter(bot)  # type: ignore[arg-type]
        with pytest.raises(BadBot, match="no bot 'bob' plays"):
            ledger.remove("bob", "why not")
        assert stages(ledger) == ["entered"]


# -- voided by the organiser ----------------------------------------------------------------------


def test_a_voided_game_counts_no_more(tmp_path: Path, opening: Opening) -> None:
    """Voiding the last game is as if it had not been; another pair's games are untouched."""
    with opening() as ledger:
        fill(ledger, "ann", "bob", "cleo", "dan")
        played(ledger, "ann", "bob")
        before = standings(tmp_path / "two")
        game = played(ledger, "bob", "ann")
        played(ledger, "cleo", "dan")
        others = standings(tmp_path / "two")
        ledger.void(game[:8], "the power failed")
        after = standings(tmp_path / "two")
        assert ledger.outcome(game).detail == "the power failed"
        for bot in "ann", "bob":
            assert after[bot][-7:-1] == pytest.approx(before[bot][-7:-1])
        for bot in "cleo", "dan":
            assert after[bot] == others[bot]
        with pytest.raises(BadLedger, match="does not count: the power failed"):
            ledger.void(game, "twice")
        with pytest.raises(BadLedger, match="no game 'nosuch'"):
            ledger.void("nosuch", "?")
    results = board(tmp_path / "two")
    assert (results.games, [void.detail for void in results.void]) == (2, ["the power failed"])


def test_what_a_voided_game_told_is_taken_out_of_what_followed(
    tmp_path: Path, opening: Opening
) -> None:
    """With a first game voided, the second alone makes the rating, up to what it built on."""
    with opening() as ledger:
        fill(ledger, "ann", "bob", "cleo")
        first = played(ledger, "ann", "bob", ranks=(0, 1), winners=(0,))
        played(ledger, "ann", "cleo", ranks=(0, 1), winners=(0,))
        rated = standings(tmp_path / "two")
        ledger.void(first, "bob's author was ill")
        after = standings(tmp_path / "two")
    assert after["bob"][-7:-2] == pytest.approx((25, 25 / 3, 0, 0, 0))
    assert after["cleo"] == rated["cleo"]
    assert 25 < after["ann"].mu < rated["ann"].mu
    assert rated["ann"].sigma < after["ann"].sigma < 25 / 3


# -- of one ladder --------------------------------------------------------------------------------


def test_a_ladder_is_no_tournament(
    tmp_path: Path, opening: Opening, configuration: Configuration
) -> None:
    with opening():
        pass
    for changed in (
        attrs.evolve(configuration, clock="bank=1.0,start=1.0,increment=0.0,move=1.0"),
        attrs.evolve(configuration, bots=[entrant("ann"), entrant("bob")], format="random"),
    ):
        with (
            pytest.raises(BadLedger, match="games are not mixed"),
            Ledger.writing(tmp_path / "two", changed),
        ):
            pass
    with LadderLedger.opening(tmp_path / "two", attrs.evolve(configuration, title="2"), 9):
        pass
    with Ledger.reading(tmp_path / "two") as ledger:
        assert ledger.configuration.title == "2"
