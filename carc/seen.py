"""What agents see in PettingZoo and Gymnasium: spaces, and arrays of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from carc.base.encoding import Encoding
from carc.base.state import State
from carc.errors import CarcError
from carc.observation import mask, observation

try:
    from gymnasium import spaces
except ImportError:
    raise CarcError("this needs Gymnasium: pip install 'carc[gymnasium]'") from None


def spaces_of(of: Encoding) -> spaces.Dict:
    """What an agent sees: `observation`, of `board` and `numbers`, and `action_mask`."""
    top = np.iinfo(np.int32)
    seen: dict[str, spaces.Space[Any]] = {
        "board": spaces.Box(0, 255, (len(of.planes), of.size, of.size), np.uint8),
        "numbers": spaces.Box(top.min, top.max, (len(of.numbers),), np.int32),
    }
    mask = spaces.Box(0, 1, (of.actions,), np.int8)
    return spaces.Dict({"observation": spaces.Dict(seen), "action_mask": mask})


def seen_by(of: Encoding, state: State, player: int) -> dict[str, Any]:
    """What `spaces_of` says, of a state; the mask has only the codes of the player who decides."""
    mine = state.current_player == player
    allowed = mask(state, of).view(np.int8) if mine else np.zeros(of.actions, np.int8)
    return {"observation": observation(state, player, of=of), "action_mask": allowed}
