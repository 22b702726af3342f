"""carc: a Carcassonne engine for bots."""

import carc._starting  # noqa: F401 (for what it does)
from carc.base.actions import PASS, Action, Claim, Draw, Pass, Place
from carc.base.deal import Deal
from carc.base.evaluation import Evaluation
from carc.base.expansion import Expansion, FollowerKind, Slice
from carc.base.frontier import Frontier
from carc.base.playout import playout
from carc.base.rules import Rules
from carc.base.scoring import majority, points_for, value
from carc.base.state import State
from carc.base.steps import CHANCE, TERMINAL, Step
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
