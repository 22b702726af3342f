"""The public names of `carc`, which the package imports when the first of them is asked for."""

from carc.base import display
from carc.base.board.board import Board as Board
from carc.base.board.game_components import FollowerKind as FollowerKind
from carc.base.evaluation.evaluation import Evaluation as Evaluation
from carc.base.evaluation.frontier import Frontier as Frontier
from carc.base.expansions.expansion import Expansion as Expansion
from carc.base.game.chance import Deal as Deal
from carc.base.game.playout import playout as playout
from carc.base.game.playout import random_action as random_action
from carc.base.game.rules import Rules as Rules
from carc.base.game.state import State as State
from carc.base.position.expansion_state import ExpansionState as ExpansionState
from carc.base.tiles.tile import SegmentKind as SegmentKind
from carc.base.tiles.tile import Tile as Tile
from carc.base.tiles.tile import TileSet as TileSet
from carc.base.turn.actions import PASS as PASS
from carc.base.turn.actions import Action as Action
from carc.base.turn.actions import Claim as Claim
from carc.base.turn.actions import Draw as Draw
from carc.base.turn.actions import Pass as Pass
from carc.base.turn.actions import Place as Place
from carc.base.turn.choices import NO_CHOICES as NO_CHOICES
from carc.base.turn.choices import Choices as Choices
from carc.base.turn.choices import Listed as Listed
from carc.base.turn.scoring import majority as majority
from carc.base.turn.scoring import points_for as points_for
from carc.base.turn.scoring import value as value
from carc.base.turn.steps import CHANCE as CHANCE
from carc.base.turn.steps import TERMINAL as TERMINAL
from carc.base.turn.steps import Step as Step
from carc.match import Bot as Bot
from carc.match import Match as Match
from carc.match import play as play
from carc.match import read_record as read_record
from carc.match import replay as replay


def _text(state: State) -> str:
    from carc.drawing import draw_text  # noqa: PLC0415 (only where one looks)

    return draw_text(state)


def _svg(state: State) -> str:
    from carc.drawing import draw_svg  # noqa: PLC0415 (only where one looks)

    return draw_svg(state)


display.register("text", _text)
display.register("svg", _svg)
