"""Playing matches: bots, the referee, records, and matches with people in some seats.

Called by: anybody.
Imports: base.
"""

from carc.match.bot import Bot, BotFault, Void
from carc.match.interactive import InteractiveMatch, NotYourTurn
from carc.match.match import Fault, Match, Result, initial_state
from carc.match.moves import Move
from carc.match.record import read_record, read_saved_game, read_text_file, replay
from carc.match.referee import BotAdapter
from carc.match.runner import play

__all__ = [
    "Bot",
    "BotAdapter",
    "BotFault",
    "Fault",
    "InteractiveMatch",
    "Match",
    "Move",
    "NotYourTurn",
    "Result",
    "Void",
    "initial_state",
    "play",
    "read_record",
    "read_saved_game",
    "read_text_file",
    "replay",
]
