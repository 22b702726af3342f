"""Where JCloisterZone lets wagons move on, and carc does not, or the other way round."""

from collections.abc import Container, Sequence
from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.scoring import Scored
from carc.classics.abbey import Abbey
from carc.classics.bridges.bridges_state import CASTLE
from carc.classics.labyrinth import MARK as LABYRINTH
from carc.classics.steps import turn_order
from carc.formats.jcz.differences import is_surrounded
from carc.formats.jcz.places import segment_in


class AskedWagons:
    """Whose wagons may move on there in the turn under way.

    `lost` are wagons that lost to a shrine or a monastery: owner, and where they were. They may
    move on there, and stay at home here.
    """

    def __init__(self, rules: Rules) -> None:
        self._abbeys: Final = [each for each in rules.expansions if isinstance(each, Abbey)]
        self._may_lose: Final = any(each.name == "cult" for each in rules.expansions)
        self._stood: set[tuple[int, int]] = set()  # owner and segment of those in monasteries
        self.lost: Final[list[tuple[int, int]]] = []

    def follow(self, state: State, scorings: Sequence[Scored]) -> None:
        """Note which wagons an action has sent home from monasteries that lost."""
        for abbey in self._abbeys if self._may_lose else ():
            stood, self._stood = self._stood, _in_monasteries(state, abbey.wagons.kind)
            losers = {each.owner for each in scorings if each.text.startswith("challenge")}
            gone = [one for one in sorted(stood - self._stood) if one[0] in losers]
            # What was scored has tiles all around, what lost has not.
            self.lost.extend([one for one in gone if not is_surrounded(state, one[1])])

    def asks(self, state: State, text: str, player: int) -> tuple[bool, str]:
        """Return whether a wagon may go on there, too; and what they do otherwise."""
        (abbey,) = self._abbeys
        left = abbey.wagons.leaving(state, player)
        if state.board.kind_of(left[0]) == CASTLE.name:
            return False, "lets no wagon move on from a castle"
        others = [str(action) for action in state.legal_actions() if str(action) != "pass"]
        ways = self._ways(state, abbey, left[0], [segment_in(state, each) for each in others])
        reasons = dict(zip(others, ways, strict=True))
        return "" in (ways if text == "pass" else [reasons[text]]), reasons.get(text, "")

    def is_last(self, state: State, player: int) -> bool:
        """Return whether a player's wagon that may move on now is the player's last one."""
        left = [abbey.wagons.leaving(state, player) for abbey in self._abbeys]
        return all(len(some) < 2 for some in left) and player not in [one[0] for one in self.lost]

    def asks_losers(self, state: State, first: int, until: int) -> list[int]:
        """Return the players whom they ask about wagons that lost, in order, and ask no more.

        Args:
            state: The position.
            first: Who laid the tile.
            until: The player who is asked next; -1: all have been asked.
        """
        asked: list[int] = []
        for player in turn_order(state, first) if self.lost else ():
            while self._next_loser(state, player) is not None:
                asked += [player] * self.asks_loser(state, player)
            if player == until:
                break
        return asked

    def asks_loser(self, state: State, player: int) -> bool:
        """Return whether they ask a player about a wagon that lost, and ask no more.

        They do if there is a way for it. It may come back where it was.
        """
        lost = self._next_loser(state, player)
        if lost is None:
            return False
        self.lost.remove(lost)
        (abbey,), (owner, segment) = self._abbeys, lost
        board = state.board
        returns = abbey.chosen["wagon"] == "near" and board.is_unclaimed(segment)
        if returns and state.allows_figures(board.tile_under(segment)):
            return True
        after = state.copy()
        abbey.state_of(after).left[owner * abbey.wagons.each] = segment
        ways = abbey.wagons.goals(after, owner).actions(after)
        return "" in self._ways(state, abbey, segment, [segment_in(state, str(w)) for w in ways])

    def _next_loser(self, state: State, player: int) -> tuple[int, int] | None:
        """Return the wagon of a player that lost and is asked about next, if one is before others.

        They ask about two wagons of a player in the order in which they were placed.
        """
        lost = [one for one in self.lost if one[0] == player]
        if lost and state.step.name == "wagon" and state.current_player == player:
            (abbey,) = self._abbeys
            placed = [at for at, whose in abbey.state_of(state).standing if whose == player]
            now = placed.index(abbey.wagons.leaving(state, player)[0])
            lost = [one for one in lost if placed.index(one[1]) < now]
        return lost[0] if lost else None

    def _ways(
        self, state: State, abbey: Abbey, left: int, segments: Sequence[int]
    ) -> Sequence[str]:
        """Return for each of some segments why they send no wagon there; "": they do."""
        board, touches = state.board, abbey.chosen["wagon"] == "touching"
        if touches and board.kind_of_tile(board.tile_under(left)) == abbey.tile:
            return ["sends no wagon on from an abbey to what it touches"] * len(segments)
        beside = abbey.wagons.touching(state, left) if touches else None
        return [_keeps_away(state, segment, beside) for segment in segments]


def _in_monasteries(state: State, wagon: int) -> set[tuple[int, int]]:
    """Return owner and segment of the wagons in monasteries."""
    board = state.board
    return {
        (owner, segment)
        for segment, owner, kind in board.all_followers()
        if kind == wagon and board.kind_of(segment) == "monastery"
    }


def _keeps_away(state: State, segment: int, beside: Container[int] | None) -> str:
    """Return why they send no wagon to a segment; "": they do.

    Args:
        state: The position.
        segment: Where the wagon would go.
        beside: Where it may go if it stays beside the feature that was scored.
    """
    board = state.board
    if board.kind_of(segment) == "monastery" and is_surrounded(state, segment):
        return "sends no wagon to a monastery with tiles all around"
    part = board.tile_data(board.tile_under(segment)).segments[board.place_of(segment)[2]]
    if dict(part.marks).get(LABYRINTH) and board.is_claimed(board.feature_of(segment)):
        return "sends no wagon to a labyrinth on whose road somebody is"
    if beside is not None and segment not in beside:
        return "sends a wagon to a tile beside the feature that was scored only"
    return ""
