"""What anybody may know of a ladder, as the API tells it and pages show it (`carc.web.openapi`)."""

import attrs

from carc.web.board_cache import GameRow


@attrs.frozen
class Head:
    """The end of a ladder's chain; who keeps it can tell later whether anything was changed.

    Attributes:
        link: SHA-256 of everything that has happened; empty before anything has.
        entries: How many entries the chain has.
    """

    link: str
    entries: int


@attrs.frozen
class Ladder:
    """A ladder: bots that come and go, by one spec and at tables of one size.

    Attributes:
        name: Its name in addresses.
        title: Its title; may be empty.
        rules: The spec of the rules.
        rules_version: Their version.
        players: How many sit at a table.
        clock: The clock of bots that play in processes of their own.
        bots: How many bots play.
        games: How many games are rated.
        paused: Since when the organiser lets no game begin (UTC); empty while they do begin.
        latency: Seconds of each answer of a remote bot that are put down to the network, at most;
            null where its arena does not run.
        head: The end of its chain.
        exact: When the board with intervals was made (UTC); empty if it is being made.
    """

    name: str
    title: str
    rules: str
    rules_version: str
    players: int
    clock: str
    bots: int
    games: int
    paused: str
    latency: float | None
    head: Head
    exact: str


@attrs.frozen
class Ladders:
    """The ladders of an arena.

    Attributes:
        ladders: By name.
    """

    ladders: tuple[Ladder, ...]


@attrs.frozen
class Place:
    """A bot in a ladder. Another version is another bot.

    Attributes:
        place: Its place among the bots that play, from 1; null if it does not play.
        bot: Its name.
        author: Its author; empty for what the organiser entered.
        isolation: `remote`; or how it is isolated where it plays: `namespaces`, `confined`,
            `process`; `none` for the organiser's.
        latency: Of a remote bot that is connected, the seconds of each answer that are put down to
            the network; else null.
        state: `plays`, `rests` (a newer version plays), or `out` (the organiser said so).
        why: Why it does not play.
        since: When it was entered first (UTC).
        rating: The conservative estimate, mu - 3 sigma, by which places are given.
        mu: TrueSkill's mean.
        sigma: TrueSkill's standard deviation.
        games: Games that are rated.
        wins: Games that it won, alone or with others.
        score: Mean points in a game.
        faults: Games in which it was at fault.
        last: When its last game ended (UTC); empty if it has not played.
    """

    place: int | None
    bot: str
    author: str
    isolation: str
    latency: float | None
    state: str
    why: str
    since: str
    rating: float
    mu: float
    sigma: float
    games: int
    wins: int
    score: float
    faults: int
    last: str

    @property
    def where(self) -> str:
        """Where it plays, in words."""
        if self.isolation == "remote":
            if self.latency is None:
                return "remote, not connected" if self.state == "plays" else "remote"
            return f"remote, {1000 * self.latency:.0f} ms"
        return "organiser's" if self.isolation == "none" else f"isolated ({self.isolation})"


@attrs.frozen
class Board:
    """A page of the board: the bots that play, best first.

    Attributes:
        ladder: The ladder.
        page: Which page, from 1.
        pages: How many there are.
        places: The bots.
    """

    ladder: Ladder
    page: int
    pages: int
    places: tuple[Place, ...]


@attrs.frozen
class Point:
    """The rating of a bot after some of its games.

    Attributes:
        games: How many.
        mu: TrueSkill's mean.
        sigma: TrueSkill's standard deviation.
    """

    games: int
    mu: float
    sigma: float


@attrs.frozen
class Version:
    """A version of a bot and its history.

    Attributes:
        standing: How it stands.
        history: Its rating after its first game, and now and then since.
    """

    standing: Place
    history: tuple[Point, ...]


@attrs.frozen
class Versions:
    """The versions of a bot in a ladder.

    Attributes:
        versions: In the order in which they came.
    """

    versions: tuple[Version, ...]


@attrs.frozen
class Games:
    """A page of the games that have ended, latest first.

    Attributes:
        page: Which page, from 1.
        pages: How many there are.
        games: The games.
    """

    page: int
    pages: int
    games: tuple[GameRow, ...]


@attrs.frozen
class GameFault:
    """What a bot did wrong in a game.

    Attributes:
        seat: Its seat, from 0.
        action: The index of the action that it was asked for.
        verdict: The kind of fault.
        detail: A sentence about it.
    """

    seat: int
    action: int
    verdict: str
    detail: str


@attrs.frozen
class Game:
    """A game that has ended.

    Attributes:
        game: The game.
        number: Its number in the ladder.
        detail: Why it is void, if it is.
        seconds: How long it took.
        faults: What bots did wrong.
        actions: Every action, chance's included.
        record: The record, for `carc show` and `carc verify`; empty if it was not played.
    """

    game: GameRow
    number: int
    detail: str
    seconds: float
    faults: tuple[GameFault, ...]
    actions: tuple[str, ...]
    record: str


@attrs.frozen
class RunningGame:
    """A game under way.

    Attributes:
        id: The game.
        seats: The bots, by seat.
        since: When it was started (UTC).
    """

    id: str
    seats: tuple[str, ...]
    since: str


@attrs.frozen
class Live:
    """The games of a ladder that are under way.

    Attributes:
        games: The games, the longest first.
    """

    games: tuple[RunningGame, ...]


@attrs.frozen
class Position:
    """A game under way, as far as it has been played.

    Attributes:
        game: The game.
        actions: Every action so far, chance's included.
        scores: The points of each player so far.
        to_move: The seat that decides; null if chance does, or if the game is over.
        tiles_left: How many tiles are still to be drawn.
    """

    game: RunningGame
    actions: tuple[str, ...]
    scores: tuple[int, ...]
    to_move: int | None
    tiles_left: int


@attrs.frozen
class Waiting:
    """A remote bot that is connected.

    Attributes:
        bot: The bot.
        plays: Whether it is in a game; else it can be given one now.
        latency: Seconds of each answer that are put down to the network.
    """

    bot: str
    plays: bool
    latency: float


@attrs.frozen
class Queue:
    """Who can be given a game now. Nobody is promised one: the bot whose place is least sure is.

    Attributes:
        here: How many bots can always play, for they play where the games are.
        remote: The remote bots that are connected.
    """

    here: int
    remote: tuple[Waiting, ...]


@attrs.frozen
class Event:
    """Something that happened.

    Attributes:
        entry: Its number in the chain.
        what: `entered`, `rested`, `rated`, `void` (the host did not let it be played) or `voided`
            (the organiser took it back).
        bot: The bot that came or went.
        game: The game that ended or was taken back.
        why: Why a bot went, or why a game does not count.
    """

    entry: int
    what: str
    bot: str
    game: GameRow | None
    why: str


@attrs.frozen
class Activity:
    """What happened last, the latest first.

    Attributes:
        events: The events.
    """

    events: tuple[Event, ...]


@attrs.frozen
class OwnGame:
    """A game of an author's bot, with what nobody else is told.

    Attributes:
        game: The game.
        bot: The author's bot in it.
        seat: Its seat, from 0.
        lost: Whether others ranked ahead.
        verdict: `ok`, or what it did wrong.
        detail: What it did wrong, with what was received of it.
        printed: What it wrote to stderr. Nothing of remote bots, which print where they run.
    """

    game: GameRow
    bot: str
    seat: int
    lost: bool
    verdict: str
    detail: str
    printed: str


@attrs.frozen
class Own:
    """The bots of an author in a ladder, and their last games.

    Attributes:
        author: The author.
        bots: The bots, those included that rest.
        page: Which page of the games, from 1.
        pages: How many there are.
        games: The games, latest first.
    """

    author: str
    bots: tuple[Place, ...]
    page: int
    pages: int
    games: tuple[OwnGame, ...]
