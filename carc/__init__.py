"""carc: a Carcassonne engine for bots."""

import carc._interrupt  # noqa: F401 (for what it does)
from carc.base.evaluation.evaluation import Evaluation
from carc.base.evaluation.frontier import Frontier
from carc.base.game.actions import PASS, Action, Claim, Draw, Pass, Place
from carc.base.game.chance import Deal
from carc.base.game.expansion import Expansion, FollowerKind, Slice
from carc.base.game.playout import playout
from carc.base.game.rules import Rules
from carc.base.game.scoring import majority, points_for, value
from carc.base.game.state import State
from carc.base.game.steps import CHANCE, TERMINAL, Step
from carc.match import Bot, Match, play, read_record, replay

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "PASS",
    "TERMINAL",
    "Action",
    "Bot",
    "Claim",
    "Deal",
    "Draw",
    "Evaluation",
    "Expansion",
    "FollowerKind",
    "Frontier",
    "Match",
    "Pass",
    "Place",
    "Rules",
    "Slice",
    "State",
    "Step",
    "majority",
    "play",
    "playout",
    "points_for",
    "read_record",
    "replay",
    "value",
]
