"""What is asked of a ladder, and the answers: the pages and the API show the same."""

from collections.abc import Iterator, Sequence

import attrs

from carc.arena.ladder import Running
from carc.arena.reading import EVENTS, LadderReader
from carc.arena.relay import Visit
from carc.arena.service import Arena
from carc.errors import CarcError
from carc.match import read_record
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.file import BadLedger
from carc.tournaments.ledger.standings import PAUSED, PLAYS, Standing
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import VOID
from carc.tournaments.players.remote import REMOTE
from carc.web import ladder_data as data
from carc.web.board_cache import GameRow
from carc.web.spectators import Spectators
from carc.web.tournament_reader import WatchedTournament

PLACES_ON_PAGE = 100
GAMES_ON_PAGE = 50
EVENTS_SHOWN = 50
POINTS = 24
"""Of a bot's history."""


class Unknown(CarcError):
    """Something that is not there."""


@attrs.frozen
class Ask:
    """What is asked of a ladder.

    Attributes:
        tournament: The ladder.
        arena: The arena that plays it, if this process does.
        spectators: Those of its games that are looked at.
        bot: The name of a bot.
        page: Which page, from 1.
        game: The id of a game.
        author: Who asks, if it is an author.
        faults: Whether only games are asked for in which a bot was at fault.
    """

    tournament: WatchedTournament
    arena: Arena | None = None
    spectators: Spectators | None = None
    bot: str = ""
    page: int = 1
    game: str = ""
    author: str | None = None
    faults: bool = False


def full_name(tournament: WatchedTournament, bot: str) -> str:
    """Return the name of a bot: of NAME without a version the one that plays, or the latest."""
    if not bot or "@" in bot:
        return bot
    with LadderReader.reading(tournament.folder) as ledger:
        found = ledger.standings.versions(bot) or ledger.standings.versions(bot, "")
        return found[-1].bot if found else bot


def ladder(ask: Ask) -> data.Ladder:
    """Return what a ladder is, and how far it is."""
    with LadderReader.reading(ask.tournament.folder) as ledger:
        return _ladder(ask, ledger)


def _ladder(ask: Ask, ledger: LadderReader) -> data.Ladder:
    configuration = ledger.configuration
    snapshot = ask.tournament.latest()[0]
    return data.Ladder(
        name=ask.tournament.name,
        title=configuration.title,
        rules=configuration.rules,
        rules_version=configuration.rules_version,
        players=configuration.tables[0],
        clock=configuration.clock,
        bots=ledger.standings.count(PLAYS),
        games=ledger.played(configuration),
        paused=ledger.settings.get(PAUSED, ""),
        latency=ask.arena.relay.latency if ask.arena else None,
        head=data.Head(*ledger.head()),
        exact=snapshot.made if snapshot and not snapshot.rough else "",
    )


def board(ask: Ask) -> data.Board:
    """Return a page of the board."""
    visits = _visits(ask)
    with LadderReader.reading(ask.tournament.folder) as ledger:
        about = _ladder(ask, ledger)
        page, pages, first = turned(ask.page, about.bots, PLACES_ON_PAGE)
        standings = ledger.standings.page(PLACES_ON_PAGE, first, PLAYS)
    places = [_place(each, at, visits) for at, each in enumerate(standings, start=first + 1)]
    return data.Board(about, page, pages, tuple(places))


def turned(page: int, count: int, on_page: int) -> tuple[int, int, int]:
    """Return the page that is asked for of so many things, the number of pages, its first thing."""
    pages = max(1, -(-count // on_page))
    page = min(page, pages)
    return page, pages, on_page * (page - 1)


def _visits(ask: Ask) -> dict[str, Visit]:
    """Return the remote bots that are connected, by spec."""
    return {visit.bot: visit for visit in ask.arena.relay.visits()} if ask.arena else {}


# What a place has as the ledger keeps it; its score is a mean.
_KEPT = {each.name for each in attrs.fields(data.Place)} & {*Standing._fields} - {"score"}


def _place(standing: Standing, place: int | None, visits: dict[str, Visit]) -> data.Place:
    visit = visits.get(standing.spec)
    return data.Place(
        place=place,
        latency=visit.latency if visit else None,
        rating=standing.conservative,
        score=standing.score / max(standing.games, 1),
        **{name: getattr(standing, name) for name in _KEPT},
    )


def head(ask: Ask) -> data.Head:
    """Return the end of the chain."""
    with LadderReader.reading(ask.tournament.folder) as ledger:
        return data.Head(*ledger.head())


def bot(ask: Ask) -> data.Place:
    """Return how a bot stands."""
    with LadderReader.reading(ask.tournament.folder) as ledger:
        return _bot(ledger, _standing(ask, ledger), _visits(ask))


def _bot(ledger: LadderReader, standing: Standing, visits: dict[str, Visit]) -> data.Place:
    plays = standing.state == PLAYS
    return _place(standing, ledger.standings.place(standing) if plays else None, visits)


def _standing(ask: Ask, ledger: LadderReader) -> Standing:
    standing = ledger.standings.of(ask.bot)
    if standing is None:
        raise Unknown(f"there is no bot {ask.bot!r:.80} in this ladder")
    return standing


def versions(ask: Ask) -> data.Versions:
    """Return the versions of a bot, each with its history."""
    visits = _visits(ask)
    with LadderReader.reading(ask.tournament.folder) as ledger:
        known = [_standing(ask, ledger)]
        name, at, _ = ask.bot.partition("@")
        if at:
            known = ledger.standings.versions(name, "")
        return data.Versions(
            tuple(
                data.Version(
                    _bot(ledger, each, visits),
                    tuple(data.Point(*point) for point in ledger.history(each.bot, POINTS)),
                )
                for each in known
            )
        )


# -- games ----------------------------------------------------------------------------------------


def games(ask: Ask) -> data.Games:
    """Return a page of the games that have ended, of a bot or of all."""
    with LadderReader.reading(ask.tournament.folder) as ledger:
        if ask.bot:
            _standing(ask, ledger)
        count = ledger.count_of(ask.bot) if ask.bot else ledger.ended
        page, pages, first = turned(ask.page, count, GAMES_ON_PAGE)
        if ask.bot:
            ids = ledger.latest_of([ask.bot], GAMES_ON_PAGE, first)
        else:
            ids = ledger.latest(GAMES_ON_PAGE, first)
        return data.Games(page, pages, tuple(map(GameRow.of, ledger.some(ids))))


def results(ask: Ask, author: str) -> tuple[list[str], list[GameRow]]:
    """Return the bots of an author, or the bot that is asked for, and their last games."""
    with LadderReader.reading(ask.tournament.folder) as ledger:
        if author:
            bots = [each.bot for each in ledger.standings.of_author(author)]
            if not bots:
                raise Unknown(f"no bot in this ladder is of an author {author!r:.80}")
        else:
            bots = [_standing(ask, ledger).bot]
        ids = ledger.latest_of(bots, GAMES_ON_PAGE)
        return bots, [GameRow.of(outcome) for outcome in ledger.some(ids)]


def game(ask: Ask) -> data.Game:
    """Return a game that has ended."""
    try:
        outcome = ask.tournament.outcome(ask.game)
    except BadLedger as error:
        raise Unknown(str(error)) from None
    return data.Game(
        game=GameRow.of(outcome),
        number=outcome.deal,
        detail=outcome.detail,
        seconds=outcome.seconds,
        faults=tuple(
            data.GameFault(*(fault[name] for name in ("seat", "action", "verdict", "detail")))
            for fault in outcome.faults
        ),
        actions=read_record(outcome.record, outcome.id).actions if outcome.record else (),
        record=outcome.record,
    )


def live(ask: Ask) -> data.Live:
    """Return the games under way."""
    running = ask.arena.games(ask.tournament.name) if ask.arena else []
    return data.Live(tuple(map(_running, sorted(running, key=lambda each: each.since))))


def _running(running: Running) -> data.RunningGame:
    game = running.game
    return data.RunningGame(game.id, tuple(bot.name for bot in game.seats), running.since)


def position(ask: Ask) -> data.Position:
    """Return a game under way as far as it has been played."""
    found = ask.spectators.look(ask.game) if ask.spectators else None
    if found is None or found.ladder != ask.tournament.name:
        raise Unknown(f"no game {ask.game!r:.40} is under way in this ladder")
    match = found.table.match
    state = match.state
    mover = state.current_player
    return data.Position(
        game=_running(found.running),
        actions=tuple(move.action for move in match.moves),
        scores=tuple(state.scores),
        to_move=mover if mover >= 0 else None,
        tiles_left=state.tiles_left,
    )


def queue(ask: Ask) -> data.Queue:
    """Return who can be given a game."""
    name = ask.tournament.name
    with LadderReader.reading(ask.tournament.folder) as ledger:
        standings = ledger.standings
        here = standings.count(PLAYS) - standings.count(PLAYS, REMOTE)
        found = [
            (standings.of(visit.bot.removeprefix(f"{REMOTE}:")), visit)
            for visit in _visits(ask).values()
            if not visit.ladders or name in visit.ladders
        ]
    return data.Queue(
        here,
        tuple(
            data.Waiting(standing.bot, visit.plays, visit.latency)
            for standing, visit in found
            if standing is not None and standing.state == PLAYS
        ),
    )


def activity(ask: Ask) -> data.Activity:
    """Return what happened last."""
    with LadderReader.reading(ask.tournament.folder) as ledger:
        entries = list(ledger.tail(EVENTS_SHOWN, EVENTS))
        of_games = {entry.game for entry in entries if entry.stage not in _OF_BOTS}
        outcomes = {each.id: each for each in ledger.some(of_games)}
        standings = {
            entry.game: ledger.standings.of(entry.game)
            for entry in entries
            if entry.stage in _OF_BOTS
        }
    return data.Activity(tuple(_events(entries, outcomes, standings)))


_OF_BOTS = (chain.ENTERED, chain.RESTED)


def _events(
    entries: Sequence[chain.Entry],
    outcomes: dict[str, Outcome],
    standings: dict[str, Standing | None],
) -> Iterator[data.Event]:
    for entry in entries:
        outcome = outcomes.get(entry.game)
        standing = standings.get(entry.game)
        why = outcome.detail if outcome else ""
        if standing is not None and entry.stage == chain.RESTED:
            why = standing.why
        yield data.Event(
            entry.number,
            entry.stage,
            standing.bot if standing else "",
            GameRow.of(outcome) if outcome else None,
            why,
        )


# -- of an author ---------------------------------------------------------------------------------


def own(ask: Ask) -> data.Own:
    """Return the bots of the author who asks, and their games, or those of one."""
    if ask.author is None:
        raise Unknown("only an author has a page here")
    visits = _visits(ask)
    with LadderReader.reading(ask.tournament.folder) as ledger:
        mine = ledger.standings.of_author(ask.author)
        names = [each.bot for each in mine]
        if ask.bot and ask.bot not in names:
            raise Unknown(f"no bot {ask.bot!r:.80} in this ladder is yours")
        wanted = [ask.bot] if ask.bot else names
        count = sum(map(ledger.count_of, wanted))
        page, pages, first = turned(ask.page, count, GAMES_ON_PAGE)
        if ask.faults:
            pages = page = 1
            ids = ledger.faulty(wanted, GAMES_ON_PAGE)
        else:
            ids = ledger.latest_of(wanted, GAMES_ON_PAGE, first)
        found = [each for id in ids for each in _own_games(ledger.outcome(id), wanted)]
        places = tuple(_bot(ledger, each, visits) for each in mine)
    return data.Own(ask.author, places, page, pages, tuple(found))


def _own_games(outcome: Outcome, bots: Sequence[str]) -> Iterator[data.OwnGame]:
    row = GameRow.of(outcome)
    for seat, name in enumerate(outcome.seats):
        if name not in bots:
            continue
        details = [str(fault["detail"]) for fault in outcome.faults if fault["seat"] == seat]
        yield data.OwnGame(
            game=row,
            bot=name,
            seat=seat,
            lost=bool(outcome.ranks) and outcome.ranks[seat] > 0,
            verdict=outcome.verdicts[seat] if outcome.verdicts else outcome.verdict,
            detail="; ".join(details) or (outcome.detail if outcome.verdict == VOID else ""),
            printed=outcome.stderr[seat] if outcome.stderr else "",
        )
