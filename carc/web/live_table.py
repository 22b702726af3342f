"""A table where people and bots play: its match, secret links to seats, the log, news."""

import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from carc.base.game.hidden import read_by
from carc.base.game.state import State
from carc.base.turn.steps import CHANCE
from carc.bots import by_name
from carc.drawing import board_svg, board_text, tiles_by_name
from carc.drawing.descriptions import describe, target
from carc.errors import CarcError
from carc.match.interactive import InteractiveMatch
from carc.match.match import Match
from carc.web.clock import Clock
from carc.web.consequences import NEEDED, consequences
from carc.web.feature_views import FeatureView, Place, feature_views, features_at
from carc.web.palette import Palette
from carc.web.people import checked_person
from carc.web.table_view import TableView
from carc.web.turn_log import UNFIT, recent_turns
from carc.web.waiters import SharedResult, Waiters

SUBSTITUTE = "greedy"
"""The bot that plays on for a person whose time is up."""
# Of a position, to tell what was done in it.
_NEEDED = ("tile_in_hand", "tiles", "discarded", *NEEDED)


class StalePosition(CarcError):
    """An action was chosen in a position that has changed since."""


class LiveTable:
    """One table. Thread-safe."""

    def __init__(
        self,
        match: InteractiveMatch,
        adviser: str,
        titles: Sequence[str],
        minutes: int | None = None,
        colours: Sequence[int] | None = None,
    ) -> None:
        """Open a table.

        Args:
            match: The match played at it.
            adviser: The name of the bot that gives hints.
            titles: What each seat is called on the page.
            minutes: What each person has for the game. None: there is no clock.
            colours: The index of each player's colour. None: the usual ones.
        """
        self.id = secrets.token_urlsafe(9)
        self.match = match
        self.adviser = adviser
        self.is_deal_known = False
        """Whether who opened the table gave the seed of the deal."""
        self.titles = tuple(titles)
        self.minutes = None if match.by_hand else minutes
        self.clock = Clock(match.human_seats, 60 * self.minutes) if self.minutes else None
        self.tiles = tiles_by_name(match.rules)
        owners = match.rules.colours
        self.palette = Palette() if colours is None else Palette.of(owners, colours)
        self.names = board_text.names_by_owner(match.rules.colours, self.titles)
        self.keys = {seat: secrets.token_urlsafe(18) for seat in match.human_seats}
        self.visited: set[int] = set()
        """Seats whose person has come."""
        self.rematch: Mapping[int, str] = {}
        """By seat the address of the same person's seat at the table of the next game."""
        self.version = 0
        self.moved = 0
        """The version in which the position came about."""
        self.touched = time.monotonic()
        self.is_advancing = False
        """Whether a thread plays chance and bots."""
        self.spectators_part = SharedResult[bytes]()
        """The changing part of the page as all spectators see it."""
        self.is_asking = False
        """Whether a player waits for a hint or for the analysis of a move."""
        self._lock = threading.Lock()
        self._waiters = Waiters()
        self._views: dict[int, TableView] = {}
        self._words: list[str] = []  # the moves as verb phrases
        self._run_clock()

    def seat_of(self, key: str) -> int | None:
        """Return the seat that a secret key belongs to."""
        match = None
        for seat, known in self.keys.items():
            # No early exit: the time must not tell how much of a key is right.
            if secrets.compare_digest(known.encode(), key.encode()):
                match = seat
        return match

    @property
    def is_solo(self) -> bool:
        """Whether a single person plays."""
        return len(self.keys) == 1

    @property
    def colours(self) -> list[str]:
        """The name of each player's colour."""
        return [self.palette.names[owners[0]] for owners in self.match.rules.colours]

    def may_enter_draws(self, seat: int) -> bool:
        """Return True if the seat enters the tiles that are drawn: the first person does."""
        return self.match.by_hand and seat == min(self.keys)

    def view(self, seat: int | None = None) -> TableView:
        """Return the position now, as a seat sees it; None: as those do who only look on."""
        viewer = CHANCE if seat is None or not self.match.rules.has_secrets else seat
        with self._lock:
            view = self._views.get(viewer)
            if view is None or view.version != self.version:
                view = self._views[viewer] = self._make_view(viewer)
            return view

    def _make_view(self, viewer: int) -> TableView:
        match, state = self.match, self.match.state.view(viewer)
        data = state.to_dict()
        awaited, thinking = match.awaited, ""
        if awaited is None and not match.is_over and match.state.current_player != CHANCE:
            thinking = self.titles[match.state.current_player]
        scene = board_svg.scene(data, self.tiles, colours=self.palette.colours)
        features: Mapping[Place, FeatureView] = {}
        if awaited is not None and data["tiles"]:
            at = data["tiles"][-1]["x"], data["tiles"][-1]["y"]
            features = feature_views(state, data["features"], at, self.palette)
        # Many small objects, kept for each of a thousand tables, would slow the server down.
        del data["features"]
        return TableView(
            version=self.version,
            moved=self.moved,
            data=data,
            scene=scene,
            legal=() if awaited is None else tuple(map(str, state.legal_actions())),
            awaited=awaited,
            thinking=thinking,
            turns=recent_turns(match.moves, self._words, self.titles),
            features=features,
        )

    def _run_clock(self) -> None:
        """Let the clock run for who decides, once all persons are here."""
        if self.clock is not None and self.visited >= self.keys.keys():
            self.clock.run(self.match.awaited)

    def stop_expired(self) -> bool:
        """Let a bot play on for a person whose time is up. Return False if nobody's is."""
        if self.clock is None or self.clock.expired is None:
            return False
        with self._lock:
            seat = self.clock.expired
            if seat is None:
                return False
            self.match.replace(seat, by_name(SUBSTITUTE))
            self._changed()
            return True

    def visit(self, seat: int) -> bool:
        """Note that the person of a seat has come. Return True if it is news."""
        with self._lock:
            if seat in self.visited:
                return False
            self.visited.add(seat)
            self._run_clock()
            self._tell()
            return True

    def rename(self, seat: int, name: str) -> None:
        """Give the person of a seat a name that no other has; `CarcError` if nobody may."""
        with self._lock:
            others = (title for at, title in enumerate(self.titles) if at != seat)
            name = checked_person(name, others)
            self.match.rename(seat, name)
            self.titles = (*self.titles[:seat], name, *self.titles[seat + 1 :])
            self.names = board_text.names_by_owner(self.match.rules.colours, self.titles)
            self._tell()

    def _tell(self) -> None:
        self.version += 1
        self.touched = time.monotonic()
        self._waiters.wake()

    def _changed(self) -> None:
        self.moved = self.version + 1
        self._run_clock()
        self._tell()

    async def wait_for_change(self, since: str, seconds: float, *, is_player: bool) -> bool:
        """Return True if the version differs from `since`, now or within so many seconds."""

        def has_changed() -> bool:
            return str(self.version) != since

        await self._waiters.wait(seconds, has_changed, is_player=is_player)
        return has_changed()

    def _require_version(self, version: int) -> None:
        if not self.moved <= version <= self.version:
            raise StalePosition("the position has changed; look again")

    def act(self, seat: int, action: str, version: int) -> None:
        """Play a person's action, chosen in a version of the table.

        Raises:
            StalePosition: The table has changed since.
            NotYourTurn: Another seat decides.
            BadNotation: The text is not an action.
            IllegalAction: The action is not legal.
        """
        with self._lock:
            self._require_version(version)
            before = self.match.state.to_dict(*_NEEDED)
            enters = self.match.awaited == CHANCE and self.may_enter_draws(seat)
            self.match.act(CHANCE if enters else seat, action)
            self._note(action, before, self.match.state)
            self._changed()

    def _note(self, action: str, before: Mapping[str, Any], state: State) -> Mapping[str, Any]:
        """Keep in words what was done and what it brought about; return the position after it."""
        after = state.to_dict(*_NEEDED)
        rules = self.match.rules
        words = [describe(read_by(rules, action, CHANCE), before, rules)]
        words += [] if state.is_terminal else consequences(before, after, words[0])
        is_unfit = len(after["discarded"]) > len(before["discarded"])
        self._words.append(UNFIT if is_unfit else self._in_colours("; ".join(words), before))
        return after

    def words_for(self, action: str, before: Mapping[str, Any]) -> str:
        """Return an action as a verb phrase, with the colours of this table."""
        return self._in_colours(describe(action, before, self.match.rules), before)

    def _in_colours(self, words: str, before: Mapping[str, Any]) -> str:
        hand = before["tile_in_hand"]  # the page shows it: its code tells a person nothing
        if hand:
            words = words.replace(f"places {hand} at", "places the tile at")
        return self.palette.words(words)

    def undo(self, version: int) -> None:
        """Take back the last action of the only person.

        Raises `StalePosition` if the table has changed since, `CarcError` if several people play.
        """
        with self._lock:
            if not self.is_solo:
                raise CarcError("only a person who plays alone can take moves back")
            self._require_version(version)
            if self.match.undo():
                del self._words[len(self.match.moves) :]
                self._changed()

    def hint(self, seat: int) -> tuple[str, str, str]:
        """Return the action that the adviser would play, in notation and in words, and why.

        Raises `CarcError` if several people play, another seat decides, or the adviser fails.
        """
        with self._lock:
            if not self.is_solo:
                raise CarcError("only a person who plays alone gets hints")
            if self.match.awaited != seat:
                raise CarcError("it is not your turn")
            ask = self.match.advise(by_name(self.adviser))
            before = self.match.state.to_dict(*_NEEDED)
            self.touched = time.monotonic()
        action, reason = ask()  # the lock is free
        return str(action), self.words_for(str(action), before), self.palette.words(reason)

    def advance(self) -> None:
        """Play chance and bots until a person decides. The lock is free while a bot thinks.

        If another thread is at it, return at once.
        """
        with self._lock:
            if self.is_advancing:
                return
            self.is_advancing = True
        try:
            while self._step():
                pass
        except BaseException:
            self.is_advancing = False
            raise

    def _step(self) -> bool:
        """Play one move of chance or a bot. Return False, and stop advancing, if there is none."""
        with self._lock:
            moved = self.moved
            before = self.match.state.to_dict(*_NEEDED)
            move = self.match.deal()
            if move is not None:
                self._note(move.action, before, self.match.state)
                self._changed()
                return True
            ask = self.match.bot_request()
            if ask is None:
                self.is_advancing = False
                return False
        choice = ask()
        with self._lock:
            if moved == self.moved:  # otherwise the position has been taken back
                move = self.match.answer(choice)
                self._note(move.action, before, self.match.state)
                self._changed()
        return True

    def preview(self, seat: int, action: str, version: int) -> Mapping[Place, FeatureView]:
        """Return the features of the tile in hand as they would be after it is placed.

        Raises `StalePosition` if the table has changed since, `CarcError` for another or illegal
        action.
        """
        with self._lock:
            self._require_version(version)
            if self.match.awaited != seat:
                raise CarcError("it is not your turn")
            state = self.match.state.copy()
        state.journal = None
        to = target(action, state.to_dict("tiles"))
        if to.cell is None or to.rotation is None:
            raise CarcError("only the placing of a tile has a preview")
        state.apply(state.check(state.rules.parse(action)))
        return features_at(state, to.cell, self.palette)

    def features_at(self, cell: tuple[int, int]) -> Mapping[Place, FeatureView]:
        """Return the features of the tile on a cell; none if there is no tile."""
        with self._lock:
            return features_at(self.match.state, cell, self.palette)

    def resume(self, actions: Sequence[str]) -> None:
        """Continue a saved game; raise `CarcError` if its actions cannot be replayed."""
        with self._lock:
            self.match.restart(actions)
            state = self.match.rules.start()
            self._words = []
            before: Mapping[str, Any] = state.to_dict(*_NEEDED)
            for action in actions:
                state.apply(state.check(state.rules.parse(action)))
                before = self._note(action, before, state)
            self._changed()

    def offer_rematch(self, seats: Mapping[int, str]) -> None:
        """Lead the people of this table to the next one: the address of each seat."""
        with self._lock:
            self.rematch = seats
            self._changed()

    def saved(self) -> dict[str, Any]:
        """Return what is needed to go on after a restart, as JSON data."""
        with self._lock:
            match = self.match
            return {
                "spec": match.rules.spec,
                "rules_version": match.rules.version,
                "names": match.names,
                "titles": self.titles,
                "seed": match.seed,
                "by_hand": match.by_hand,
                "adviser": self.adviser,
                "is_deal_known": self.is_deal_known,
                "keys": {str(seat): key for seat, key in self.keys.items()},
                "people": match.human_seats,
                "visited": sorted(self.visited),
                "minutes": self.minutes,
                "colours": self.colours,
                "left": {str(seat): left for seat, left in self.clock.left().items()}
                if self.clock
                else None,
                "rematch": {str(seat): address for seat, address in self.rematch.items()},
                "version": self.version,
                "actions": [move.action for move in match.moves],
            }

    def match_so_far(self) -> Match:
        """Return the match as it is now."""
        with self._lock:
            return self.match.match()

    def record(self) -> tuple[str, bool]:
        """Return the record so far, and whether the game is over."""
        with self._lock:
            return self.match.record(), self.match.is_over
