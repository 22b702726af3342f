"""The public names of `carc`, which the package imports when the first of them is asked for."""

from carc.base.evaluation.evaluation import Evaluation as Evaluation
from carc.base.evaluation.frontier import Frontier as Frontier
from carc.base.game.actions import PASS as PASS
from carc.base.game.actions import Action as Action
from carc.base.game.actions import Claim as Claim
from carc.base.game.actions import Draw as Draw
from carc.base.game.actions import Pass as Pass
from carc.base.game.actions import Place as Place
from carc.base.game.chance import Deal as Deal
from carc.base.game.expansion import Expansion as Expansion
from carc.base.game.expansion import FollowerKind as FollowerKind
from carc.base.game.expansion import Slice as Slice
from carc.base.game.playout import playout as playout
from carc.base.game.rules import Rules as Rules
from carc.base.game.scoring import majority as majority
from carc.base.game.scoring import points_for as points_for
from carc.base.game.scoring import value as value
from carc.base.game.state import State as State
from carc.base.game.steps import CHANCE as CHANCE
from carc.base.game.steps import TERMINAL as TERMINAL
from carc.base.game.steps import Step as Step
from carc.match import Bot as Bot
from carc.match import Match as Match
from carc.match import play as play
from carc.match import read_record as read_record
from carc.match import replay as replay
