"""Importing this module registers `carc` and `carc_team` with OpenSpiel, for `pyspiel.load_game("carc(rules=base+ghosts,players=3)")`.

Chance is explicit. `carc` is for rules of rivals, whose returns add up to 0; `carc_team` for the co-operative game, whose
players all get the same, and has to be told its rules. OpenSpiel takes what ends in a parenthesis for a game, so rules that do are given a
plus behind it: `carc(rules=base(fields=off)+)`. Actions are the codes of `carc.learn.codes`, chance's the places in the list of what it may do.
"""

from __future__ import annotations

from typing import Any

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import CHANCE, finish
from carc.errors import CarcError, IllegalAction

try:
    import numpy as np
    import pyspiel
except ImportError:
    raise CarcError("carc.learn.openspiel needs OpenSpiel: pip install 'carc[openspiel]'") from None

from carc.learn.observation import encoding

MOST_PLAYERS = 5
DECISIONS = 40  # for each tile, more than any game known takes


def _type(name: str, long_name: str, utility: Any, rules: str, fewest: int) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS,
        min_num_players=fewest,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"rules": rules, "players": 2, "size": 0},
        default_loadable=bool(rules),
    )


RIVALS = _type("carc", "Carcassonne", pyspiel.GameType.Utility.ZERO_SUM, "base", 2)
TEAM = _type("carc_team", "Carcassonne together", pyspiel.GameType.Utility.IDENTICAL, "", 1)


class Game(pyspiel.Game):
    """Some rules as an OpenSpiel game."""

    def __init__(self, kind: Any, params: dict[str, Any]) -> None:
        said = {**kind.parameter_specification, **params}
        if not said["rules"]:
            raise CarcError(f"{kind.short_name} is told its rules: {kind.short_name}(rules=...)")
        spec = said["rules"].removesuffix("+")
        self.rules = Rules.coerce(spec, said["players"])
        said["rules"] = (
            f"{spec}+" if spec.endswith(")") else spec
        )  # so that `str(game)` is read again
        team = len(set(self.rules_returns())) == 1
        if team != (kind is TEAM):
            other = "carc_team" if team else "carc"
            raise CarcError(f"{self.rules.spec} is a game for {other}")
        self.codes = encoding(self.rules, said["size"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.codes.actions,
            max_chance_outcomes=max(64, len(self.rules.tile_names)),
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if team else 0.0,
            max_game_length=self.rules.catalogue.most_tiles * DECISIONS,
        )
        super().__init__(kind, info, said)

    def rules_returns(self) -> list[float]:
        """Whose interests are whose: what a sole first player's win would bring each."""
        state = self.rules.start()
        finish(state)
        state._advance()
        state.scores[0] += 1
        return state.returns()

    def new_initial_state(self) -> Table:
        """The start."""
        return Table(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """The planes and numbers of `carc.learn.observation`."""
        return Observer(self, iig_obs_type is None or iig_obs_type.public_info)


class Table(pyspiel.State):
    """A position of a game; `table` is the state."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.codes = game.codes
        self.table: State = game.rules.start()

    def current_player(self) -> int:
        """Whose decision it is: chance and the end have OpenSpiel's own numbers, which are carc's."""
        return self.table.current_player

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(code for code in self.codes.codes(self.table) if code >= 0)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, each with its probability."""
        places = {action: at for at, action in enumerate(self.table._listed())}
        return [(places[action], chance) for action, chance in self.table.chance_outcomes()]

    def _action(self, player: int, action: int) -> Any:
        """What a number means here. Raises `IllegalAction`."""
        table = self.table
        if table.is_terminal:
            raise IllegalAction("no action is legal: the game is over")
        if player != CHANCE:
            return self.codes.action(table, action)
        listed = table._listed()
        if table.current_player != CHANCE or not 0 <= action < len(listed):
            known = sorted(at for at, _ in self.chance_outcomes())
            raise IllegalAction(f"chance cannot do {action} now; it can do {known}")
        return listed[action]

    def _apply_action(self, action: int) -> None:
        table = self.table
        table.apply(table.check(self._action(table.current_player, action)))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self._action(player, action))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table.is_terminal

    def returns(self) -> list[float]:
        """Each player's utility, `State.returns`."""
        return self.table.returns()

    def __str__(self) -> str:
        return self.table.to_text()


class Observer:
    """`tensor` is flat; `dict` has its parts, `board` and `numbers`, as float32. What is not public is nothing."""

    def __init__(self, game: Game, public: bool) -> None:
        self._public = public
        self._encoding = of = encoding(game.rules, game.codes.size)
        cells = len(of.planes) * of.cells
        self.tensor = np.zeros(cells + len(of.numbers), np.float32)
        self.dict = {
            "board": self.tensor[:cells].reshape(len(of.planes), of.size, of.size),
            "numbers": self.tensor[cells:],
        }

    def set_from(self, state: Table, player: int) -> None:
        """Write what a player sees."""
        if not self._public:
            return
        board: Any = self._encoding.board(state.table, player)
        numbers: Any = self._encoding.row(state.table, player)
        self.dict["board"].reshape(-1)[:] = np.frombuffer(board, np.uint8)
        self.dict["numbers"][:] = np.frombuffer(numbers, np.int64)

    def string_from(self, state: Table, player: int) -> str:
        """The position: all of it is public."""
        return state.table.to_text() if self._public else ""


class Rivals(Game):
    """`carc`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(RIVALS, params or {})


class Team(Game):
    """`carc_team`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(TEAM, params or {})


pyspiel.register_game(RIVALS, Rivals)
pyspiel.register_game(TEAM, Team)
