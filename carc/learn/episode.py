"""What the environments of PettingZoo and Gymnasium are alike in: the spaces, what is seen, the game that is on."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.validation import whole
from carc.errors import CarcError, IllegalAction, NoGame
from carc.learn.encoding import Encoding
from carc.learn.observation import encoding, mask, observation

try:
    from gymnasium import spaces
except ImportError:
    raise CarcError("this needs Gymnasium: pip install 'carc[gymnasium]'") from None


class Episode:
    """Games of some rules, one after another, each begun by `reset`; `table` is the state of the one that is on.

    An attribute that a game brings is not there before the first: to ask for it raises `NoGame`.
    """

    OF_A_GAME: tuple[str, ...] = ("table",)

    rules: Rules
    encoding: Encoding
    render_mode: str | None
    table: State

    def _plays(
        self, rules: Rules | str, players: int | None, size: int, render_mode: str | None
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise CarcError(f"render_mode is 'ansi' or None, not {render_mode!r}")
        self.rules = Rules.coerce(rules, players)
        self.encoding = encoding(self.rules, size)
        self.render_mode = render_mode

    def __getattr__(self, name: str) -> Any:
        if name in type(self).OF_A_GAME:
            raise NoGame(f"there is no {name}, for no game has begun: call reset() first")
        raise AttributeError(f"a {type(self).__name__} has no attribute {name!r}")

    def _first(self, options: Mapping[str, Any] | None) -> State:
        """The position a game begins from. Warns of options there are not; raises `BadPosition` for a text that tells of none."""
        if not isinstance(options, Mapping | None):
            raise CarcError(f"options are a mapping, such as {{'position': TEXT}}, not {options!r}")
        said = dict(options or {})
        position = said.pop("position", None)
        if said:
            # No error: PettingZoo's own test gives one.
            words = f"there is no option {', '.join(map(repr, said))}; there is position, a text"
            warnings.warn(words, stacklevel=3)
        if position is None:
            return self.rules.start()
        if not isinstance(position, str):
            raise CarcError(f"the option position is a text (State.to_text), not {position!r}")
        first = State.from_text(position, self.rules)
        if first.is_terminal:
            raise CarcError("the game of this position is over: there is nothing to play")
        return first

    def _act(self, code: object) -> None:
        """Perform the action of a code. Raises `IllegalAction`, or `CarcError` for what is no code, with nothing changed."""
        if self.table.is_terminal:
            raise IllegalAction("the game is over: reset() begins the next")
        chosen, codes = whole(code, "an action's code"), self.encoding.actions
        if not 0 <= chosen < codes:
            raise IllegalAction(f"no action has code {chosen}: codes are 0 to {codes - 1}")
        self.table.apply(self.encoding.action(self.table, chosen))

    def _seen(self, player: int) -> dict[str, Any]:
        """What a player sees, in arrays of its own; the mask has only the codes of the player who decides."""
        of, state = self.encoding, self.table
        mine = state.current_player == player
        allowed = mask(state, of).view(np.int8) if mine else np.zeros(of.actions, np.int8)
        return {"observation": observation(state, player, of=of), "action_mask": allowed}

    def render(self) -> Any:
        """The table as text, in the mode `ansi`."""
        return str(self.table) if self.render_mode == "ansi" else None


def spaces_of(of: Encoding) -> spaces.Dict:
    """What an agent sees: `observation`, of `board` and `numbers`, and `action_mask`."""
    top = np.iinfo(np.int32)
    seen: dict[str, spaces.Space[Any]] = {
        "board": spaces.Box(0, 255, (len(of.planes), of.size, of.size), np.uint8),
        "numbers": spaces.Box(top.min, top.max, (len(of.numbers),), np.int32),
    }
    mask = spaces.Box(0, 1, (of.actions,), np.int8)
    return spaces.Dict({"observation": spaces.Dict(seen), "action_mask": mask})
