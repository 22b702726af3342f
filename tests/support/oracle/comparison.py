"""Engine and oracle side by side.

Every decision's player, kind and legal actions are compared; at every `every`-th decision and at
the end everything visible is.
"""

from __future__ import annotations

import random
import re
from functools import cache, lru_cache
from pathlib import Path

import carc
from carc import CHANCE, Rules, playout
from carc.bots import by_name
from carc.testing import _pieces
from support.oracle.base import Oracle
from support.oracle.bonuses import (
    DarmstadtOracle,
    LabyrinthOracle,
    WatchtowersOracle,
    WindRosesOracle,
)
from support.oracle.circles import CompetitiveCirclesOracle, CooperativeCirclesOracle
from support.oracle.classics import ClassicsOracle
from support.oracle.dragon import DragonOracle
from support.oracle.ghosts import GhostsOracle
from support.oracle.mists import MistsOracle
from support.oracle.monasteries import CultOracle, MonasteriesOracle
from support.oracle.tunnels import TunnelOracle
from support.oracle.without_tiles import BuildingsOracle, PhantomOracle

DATA = Path(carc.__file__).parent
BASE = (DATA / "base/tiles/base.txt").read_text(encoding="utf-8")
CIRCLES = (DATA / "spellcircles/data/circles.txt").read_text(encoding="utf-8")
GARDENS = (DATA / "classics/abbot/base_gardens.txt").read_text(encoding="utf-8")
# By name, the tile files of the classic expansions that the oracle knows, besides the base's with
# gardens.
CLASSICS = {
    name: [
        path.read_text(encoding="utf-8")
        for path in sorted((DATA / "classics" / name).glob("*.txt"))
        if path.stem != "base_gardens"
    ]
    for name in (
        *("abbot", "buildings", "cult", "darmstadt", "dragon", "gq11", "inns", "king"),
        *("labyrinth", "monasteries", "phantom", "river", "spiel_doch", "traders", "tunnel"),
        *("watchtowers", "windroses"),
    )
}
# What the oracle knows of them beside ClassicsOracle.
ORACLES: dict[str, type[ClassicsOracle]] = {
    "buildings": BuildingsOracle,
    "cult": CultOracle,
    "darmstadt": DarmstadtOracle,
    "dragon": DragonOracle,
    "labyrinth": LabyrinthOracle,
    "monasteries": MonasteriesOracle,
    "phantom": PhantomOracle,
    "tunnel": TunnelOracle,
    "watchtowers": WatchtowersOracle,
    "windroses": WindRosesOracle,
}
MISTS = (DATA / "expansion_ghosts/data/mists.txt").read_text(encoding="utf-8")


@cache
def composed(plays: frozenset[str]) -> type[ClassicsOracle]:
    """The oracle that has the rules of all of these."""
    parts = [ORACLES[name] for name in sorted(plays) if name in ORACLES]
    ghosts = [GhostsOracle] if "ghosts" in plays else []
    return type("Composed", (*parts, ClassicsOracle, *ghosts), {})


def oracle(spec: str, players: int) -> Oracle:
    """The oracle of a spec."""
    options = dict(part.split("=") for part in re.findall(r"\w+=\w+", spec))
    spec = re.sub(r"^base\(fields=\w+\)", "base", spec)
    if spec == "base":
        return Oracle([BASE], players, **options)
    if re.fullmatch(r"base\+ghosts(\(.*\))?", spec):
        texts = [BASE] if options.get("tiles") == "base" else [BASE, MISTS]
        return GhostsOracle(texts, players, **options)
    if re.fullmatch(r"base\+ghosts(\(.*\))?\+spellcircles", spec):
        texts = [BASE] if options.get("tiles") == "base" else [BASE, MISTS]
        return CompetitiveCirclesOracle([*texts, CIRCLES], players, **options)
    plays = set(re.findall(r"\+(\w+)", spec))
    if plays and plays <= {*CLASSICS, "ghosts"}:
        texts = [GARDENS if "abbot" in plays else BASE]
        mists = [] if options.get("tiles") == "base" else [MISTS]
        for name in sorted(plays):
            texts += mists if name == "ghosts" else CLASSICS[name]
        if options.get("part", "one") == "two":
            texts.remove(CLASSICS["river"][0])
        elif options.get("part", "one") == "one" and "river" in plays:
            texts.remove(CLASSICS["river"][1])
        if "gq11" in plays and "river" not in plays:  # GQ-01
            texts.remove(CLASSICS["gq11"][1])
        return composed(frozenset(plays))(texts, players, plays=plays, **options)
    level = re.fullmatch(r"mists:([1-6])(?:\(.*\))?(\+spellcircles)?", spec)
    if level is not None and level[2]:
        return CooperativeCirclesOracle([MISTS, CIRCLES], players, int(level[1]), **options)
    if level is not None:
        return MistsOracle([MISTS], players, int(level[1]), **options)
    raise SystemExit(f"there is no oracle of {spec}")


@lru_cache(64)
def _rules(spec: str, players: int) -> Rules:
    return Rules.from_spec(spec, players)


def compare(
    spec: str, players: int, seed: int, every: int = 1, *, hasty: bool = False, bot: str = ""
) -> int:
    """Play one random game, or one of a bot's in all seats; returns the decisions compared.

    Raises `AssertionError` at the first disagreement.

    A hasty comparison asks the oracle whether the placement chosen fits instead of for all there
    are, and looks at scores, supplies and what was discarded at the end instead of at everything.
    """
    rules = _rules(spec, players)
    state = rules.start()
    other = oracle(spec, players)
    other.hasty = hasty
    deal = rules.deal(seed)
    rng = random.Random(f"oracle {seed}")
    player = by_name(bot, seed) if bot else None
    actions: list[str] = []
    where = f"{spec}, {players} players, seed {seed}"
    while True:
        legal = [str(action) for action in state.legal_actions()]
        assert state.current_player == other.current_player(), f"{where}: who decides; {actions}"
        if not (hasty and other.decision() == "place"):
            assert in_order(legal, other), f"{where}: {legal} or {other.legal()}; {actions}"
        if hasty and state.is_terminal:
            n = len(state.rules.follower_kinds)
            supplies = [list(state.board._supply[p * n : p * n + n]) for p in range(players)]
            assert state.scores == other.scores, f"{where}: scores after {actions}"
            assert supplies == [list(s.values()) for s in other.supply], f"{where}: supplies"
            assert len(state.discarded) == len(other.discarded), f"{where}: discarded"
        elif not hasty and (len(actions) % every == 0 or state.is_terminal):
            mine, theirs = state.to_dict(), other.to_dict()
            differ = [key for key in theirs if mine[key] != theirs[key]]
            assert not differ, f"{where}: {differ} after {actions}"
        if state.is_terminal:
            return len(actions)
        if state.current_player == CHANCE:
            action = str(deal.choose(state))
        elif player is not None:
            action = str(player.choose(state.copy()))
        else:
            action = legal[int(rng.random() * len(legal))]
        actions.append(action)
        state.apply(rules.parse(action))
        other.apply(action)


def in_order(legal: list[str], other: Oracle) -> bool:
    """Whether legal actions are the oracle's.

    They stand in the same order where the notation says so: draws, placements and claims in theirs,
    `pass` last. What expansions offer instead of a claim may stand in any order.
    """
    expected = other.legal()
    claims = [[text for text in texts if text.startswith("claim:")] for texts in (legal, expected)]
    return legal == expected or (
        other.decision() not in ("draw", "place")
        and sorted(legal) == sorted(expected)
        and claims[0] == claims[1] == legal[: len(claims[0])]
        and ("pass" not in legal or legal[-1] == "pass")
    )


def alone(spec: str, players: int, seed: int) -> int:
    """Play one random game without an oracle; returns its decisions.

    Raises `AssertionError` where pieces appear or vanish.
    """
    state = _rules(spec, players).start()
    pieces = _pieces(state)
    decisions = playout(state, random.Random(f"alone {seed}"))
    assert _pieces(state) == pieces, f"{spec}, {players} players, seed {seed}: pieces"
    return decisions
