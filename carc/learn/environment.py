"""`Environment`: what the PettingZoo and the Gymnasium environment have in common."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.validation import whole
from carc.errors import CarcError, IllegalAction, NoGame
from carc.learn.encoding import Encoding
from carc.learn.observation import action_mask, encoding_for, observation
from carc.learn.token_arrays import fixed_shapes, fixed_tokens
from carc.learn.tokens import TokenWriter

try:
    from gymnasium import spaces
except ImportError:
    raise CarcError(
        "carc.learn.environment needs Gymnasium: pip install 'carc[gymnasium]'"
    ) from None


class Environment:
    """Games of some rules, one after another; each begins with `reset`.

    Attributes that belong to a game do not exist before the first: reading one raises `NoGame`.

    Attributes:
        rules: The rules.
        encoding: The encoding of observations and actions.
        render_mode: "ansi" or None.
        game_state: The state of the current game.
    """

    GAME_ATTRIBUTES: tuple[str, ...] = ("game_state",)

    rules: Rules
    encoding: Encoding
    render_mode: str | None
    game_state: State

    def _configure(
        self,
        rules: Rules | str,
        players: int | None,
        size: int,
        render_mode: str | None,
        tokens: bool,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise CarcError(f"render_mode is 'ansi' or None, not {render_mode!r}")
        self.rules = Rules.coerce(rules, players)
        self.encoding = encoding_for(self.rules, size)
        self.render_mode = render_mode
        self._writer = TokenWriter(self.encoding) if tokens else None

    def __getattr__(self, name: str) -> Any:
        """Explain why an attribute of a game is missing."""
        if name in type(self).GAME_ATTRIBUTES:
            raise NoGame(f"there is no {name} before the first game: call reset() first")
        raise AttributeError(f"a {type(self).__name__} has no attribute {name!r}")

    def _initial_state(self, options: Mapping[str, Any] | None) -> State:
        """Return the state that a game begins with; warn of unknown options.

        Raises `BadPosition` if the text of the position is not valid, `CarcError` if the options
        are no mapping, or if the game of the position is over.
        """
        if not isinstance(options, Mapping | None):
            raise CarcError(f"options is a mapping, such as {{'position': TEXT}}, not {options!r}")
        unknown = dict(options or {})
        position = unknown.pop("position", None)
        if unknown:
            # Not an error: PettingZoo's own test passes an option.
            names = ", ".join(map(repr, unknown))
            warnings.warn(f"unknown option {names}; the only option is 'position'", stacklevel=3)
        if position is None:
            return self.rules.start()
        if not isinstance(position, str):
            raise CarcError(f"the option position is a text (State.to_text), not {position!r}")
        state = State.from_text(position, self.rules)
        if state.is_terminal:
            raise CarcError("the game of this position is over: there is nothing to play")
        return state

    def _act(self, code: object) -> None:
        """Perform the action of a code; nothing has changed if it raises.

        That is `IllegalAction` if it is not legal, `CarcError` if the code is no int.
        """
        if self.game_state.is_terminal:
            raise IllegalAction("the game is over: reset() starts the next")
        action, num_actions = whole(code, "an action's code"), self.encoding.num_actions
        if not 0 <= action < num_actions:
            raise IllegalAction(f"no action has code {action}: codes are 0 to {num_actions - 1}")
        self.game_state.apply(self.encoding.action(self.game_state, action))

    def _observation(self, player: int) -> dict[str, Any]:
        """Return what a player sees; the mask is empty unless the player is to decide."""
        encoding, state = self.encoding, self.game_state
        if state.current_player == player:
            mask = action_mask(state, encoding).view(np.int8)
        else:
            mask = np.zeros(encoding.num_actions, np.int8)
        seen: Mapping[str, Any]
        if self._writer is None:
            seen = observation(state, player, encoding=encoding)
        else:
            seen = fixed_tokens(state, player, self._writer)
        return {"observation": seen, "action_mask": mask}

    def render(self) -> Any:
        """Return the board as text if the render mode is `ansi`, else None."""
        return str(self.game_state) if self.render_mode == "ansi" else None


def observation_space(encoding: Encoding, tokens: bool) -> spaces.Dict:
    """Return the space of observations: `observation` and `action_mask`.

    The former has `board` and `numbers`, or the tables of `fixed_tokens`.
    """
    mask = spaces.Box(0, 1, (encoding.num_actions,), np.int8)
    limits = np.iinfo(np.int32)
    if tokens:
        tables: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(limits.min, limits.max, shape, np.int32)
            for name, shape in fixed_shapes(encoding).items()
        }
        return spaces.Dict({"observation": spaces.Dict(tables), "action_mask": mask})
    board_shape = (len(encoding.plane_names), encoding.size, encoding.size)
    parts: dict[str, spaces.Space[Any]] = {
        "board": spaces.Box(0, 255, board_shape, np.uint8),
        "numbers": spaces.Box(limits.min, limits.max, (len(encoding.number_names),), np.int32),
    }
    return spaces.Dict({"observation": spaces.Dict(parts), "action_mask": mask})
