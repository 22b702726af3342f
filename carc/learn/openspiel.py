"""OpenSpiel games: importing this module registers `carc` and `carc_team`.

    pyspiel.load_game("carc(rules=base+ghosts,players=3)")

Chance is explicit. `carc` is for competitive rules, whose returns add up to 0. `carc_team` is for
the co-operative game, whose players all get the same; its parameter `rules` is required.

OpenSpiel reads a parameter that ends in a parenthesis as a game, so append a plus to such rules:
`carc(rules=base(fields=off)+)`. Actions of players are the codes of `carc.learn.action_codes`,
those of chance are indices of its legal actions.
"""

from __future__ import annotations

import math
from typing import Any

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.steps import CHANCE, finish
from carc.errors import CarcError, IllegalAction

try:
    import numpy as np
    import pyspiel
except ImportError:
    raise CarcError("carc.learn.openspiel needs OpenSpiel: pip install 'carc[openspiel]'") from None

from carc.learn.observation import encoding_for
from carc.learn.token_arrays import fixed_shapes, fixed_tokens
from carc.learn.tokens import TokenWriter

MAX_PLAYERS = 5
DECISIONS_PER_TILE = 40  # more than any known game takes


def _type(
    name: str, long_name: str, utility: Any, rules: str, fewest: int, *, secrets: bool = False
) -> Any:
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION
        if secrets
        else information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=fewest,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"rules": rules, "players": 2, "size": 0},
        default_loadable=bool(rules),
    )


COMPETITIVE = _type("carc", "Carcassonne", pyspiel.GameType.Utility.ZERO_SUM, "base", 2)
TEAM = _type("carc_team", "Carcassonne together", pyspiel.GameType.Utility.IDENTICAL, "", 1)


class CarcassonneGame(pyspiel.Game):
    """Some rules as an OpenSpiel game.

    Attributes:
        rules: The rules.
        encoding: The encoding of observations and actions.
    """

    def __init__(self, kind: Any, params: dict[str, Any]) -> None:
        """Make the game.

        Args:
            kind: Its `pyspiel.GameType`.
            params: Its parameters: `rules`, `players`, `size`.

        Raises:
            CarcError: The rules are missing or belong to the other game.
        """
        values = {**kind.parameter_specification, **params}
        if not values["rules"]:
            raise CarcError(f"{kind.short_name} needs rules: {kind.short_name}(rules=...)")
        spec = values["rules"].removesuffix("+")
        self.rules = Rules.coerce(spec, values["players"])
        # `str(game)` must be readable.
        values["rules"] = f"{spec}+" if spec.endswith(")") else spec
        team = len(set(self._returns_of_a_win())) == 1
        if team != (kind is TEAM):
            other = "carc_team" if team else "carc"
            raise CarcError(f"{self.rules.spec} is played as the game {other}")
        if self.rules.has_secrets:
            names = kind.short_name, kind.long_name
            kind = _type(*names, kind.utility, "", kind.min_num_players, secrets=True)
        self.encoding = encoding_for(self.rules, values["size"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.num_actions,
            max_chance_outcomes=max(64, len(self.rules.tile_names)),
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if team else 0.0,
            max_game_length=self.rules.catalogue.most_tiles * DECISIONS_PER_TILE,
        )
        super().__init__(kind, info, values)

    def _returns_of_a_win(self) -> list[float]:
        """Return what each player gets if player 0 wins by a point."""
        state = self.rules.start()
        finish(state)
        state._advance()
        state.scores[0] += 1
        return state.returns()

    def new_initial_state(self) -> CarcassonneState:
        """Return the state at the start."""
        return CarcassonneState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of planes and numbers; with the parameter `tokens`, of tokens."""
        public = iig_obs_type is None or iig_obs_type.public_info
        return Observer(self, public, bool((params or {}).get("tokens")))


class CarcassonneState(pyspiel.State):
    """A state of a game.

    Attributes:
        encoding: The encoding of observations and actions.
        game_state: The state.
    """

    def __init__(self, game: CarcassonneGame) -> None:
        super().__init__(game)
        self.encoding = game.encoding
        self.game_state: State = game.rules.start()

    def current_player(self) -> int:
        """Return the player to decide; the numbers of chance and of the end are OpenSpiel's."""
        return self.game_state.current_player

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(code for code in self.encoding.legal_codes(self.game_state) if code >= 0)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        indices = {action: index for index, action in enumerate(self.game_state._listed())}
        outcomes = self.game_state.chance_outcomes()
        return [(indices[action], probability) for action, probability in outcomes]

    def _action(self, player: int, action: int) -> Any:
        """Return the action that a number means now; raise `IllegalAction` if there is none."""
        state = self.game_state
        if state.is_terminal:
            raise IllegalAction("no action is legal: the game is over")
        if player != CHANCE:
            return self.encoding.action(state, action)
        outcomes = state._listed()
        if state.current_player != CHANCE or not 0 <= action < len(outcomes):
            legal = sorted(index for index, _ in self.chance_outcomes())
            raise IllegalAction(f"chance has no outcome {action} now; its outcomes are {legal}")
        return outcomes[action]

    def _apply_action(self, action: int) -> None:
        state = self.game_state
        state.apply(state.check(self._action(state.current_player, action)))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self._action(player, action))

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.game_state.is_terminal

    def returns(self) -> list[float]:
        """Return each player's utility (`State.returns`)."""
        return self.game_state.returns()

    def __str__(self) -> str:
        return self.game_state.to_text()


class Observer:
    """Writes observations as float32: what is public, and what the player alone sees.

    Attributes:
        tensor: The observation, flat.
        dict: Its parts, views of `tensor`: `board` and `numbers`, or the tables of `fixed_tokens`.
    """

    def __init__(self, game: CarcassonneGame, public: bool, tokens: bool) -> None:
        """Make an observer; one without public information sees nothing."""
        self._public = public
        self._encoding = encoding = game.encoding
        self._writer = TokenWriter(encoding) if tokens else None
        board = (len(encoding.plane_names), encoding.size, encoding.size)
        shapes = {"board": board, "numbers": (len(encoding.number_names),)}
        if tokens:
            shapes = fixed_shapes(encoding)
        self.tensor = np.zeros(sum(map(math.prod, shapes.values())), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in shapes.items():
            end = at + math.prod(shape)
            self.dict[name], at = self.tensor[at:end].reshape(shape), end

    def set_from(self, state: CarcassonneState, player: int) -> None:
        """Write what a player sees into `tensor`."""
        if not self._public:
            return
        if self._writer is not None:
            for name, rows in fixed_tokens(state.game_state, player, self._writer).items():
                self.dict[name][:] = rows
            return
        board: Any = self._encoding.board(state.game_state, player)
        numbers: Any = self._encoding.numbers(state.game_state, player)
        self.dict["board"].reshape(-1)[:] = np.frombuffer(board, np.uint8)
        self.dict["numbers"][:] = np.frombuffer(numbers, np.int64)

    def string_from(self, state: CarcassonneState, player: int) -> str:
        """Return the position as text, as a player sees it."""
        return state.game_state.view(player).to_text() if self._public else ""


class CompetitiveGame(CarcassonneGame):
    """The game `carc`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(COMPETITIVE, params or {})


class TeamGame(CarcassonneGame):
    """The game `carc_team`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(TEAM, params or {})


pyspiel.register_game(COMPETITIVE, CompetitiveGame)
pyspiel.register_game(TEAM, TeamGame)
