"""Engine and oracle side by side.

Every decision's player, kind and legal actions are compared; at every `every`-th decision and at
the end everything visible is.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import carc
from carc import CHANCE, Rules, State, playout
from carc.base.cells import cell_at
from carc.bots import by_name
from carc.testing import _pieces
from support.oracle.abbey import AbbeyOracle
from support.oracle.base import Oracle
from support.oracle.bigtop import BigTopOracle
from support.oracle.bonuses import (
    DarmstadtOracle,
    LabyrinthOracle,
    WatchtowersOracle,
    WindRosesOracle,
)
from support.oracle.bridges import BridgesOracle
from support.oracle.circles import CompetitiveCirclesOracle, CooperativeCirclesOracle
from support.oracle.classics import ClassicsOracle
from support.oracle.count import CountOracle
from support.oracle.crops import CropsOracle
from support.oracle.dragon import DragonOracle
from support.oracle.ferries import FerriesOracle
from support.oracle.flier import FlierOracle
from support.oracle.gates import GatesOracle
from support.oracle.ghosts import GhostsOracle
from support.oracle.hills import HillsOracle
from support.oracle.mists import MistsOracle
from support.oracle.monasteries import CultOracle, MonasteriesOracle
from support.oracle.russian import RussianOracle
from support.oracle.siege import SiegeOracle
from support.oracle.tower import TowerOracle
from support.oracle.treasures import FestivalOracle, GoldOracle, MageOracle
from support.oracle.tunnels import TunnelOracle
from support.oracle.without_tiles import BuildingsOracle, PhantomOracle, SonOracle

DATA = Path(carc.__file__).parent
BASE = (DATA / "base/tiles/base.txt").read_text(encoding="utf-8")
CIRCLES = (DATA / "spellcircles/data/circles.txt").read_text(encoding="utf-8")
GARDENS = (DATA / "classics/abbot/base_gardens.txt").read_text(encoding="utf-8")
# The classic expansions that the oracle knows. Where several do something at the same point of a
# turn, the one named first comes last.
EXPANSIONS: dict[str, type[ClassicsOracle]] = {
    "city_gates": GatesOracle,
    "count": CountOracle,
    "hills": HillsOracle,
    "buildings": BuildingsOracle,
    "labyrinth": LabyrinthOracle,
    "darmstadt": DarmstadtOracle,
    "mage": MageOracle,
    "tower": TowerOracle,
    "bigtop": BigTopOracle,
    "crops": CropsOracle,
    "siege": SiegeOracle,
    "russian": RussianOracle,
    "abbey": AbbeyOracle,
    "bridges": BridgesOracle,
    "ferries": FerriesOracle,
    "cult": CultOracle,
    "dragon": DragonOracle,
    "flier": FlierOracle,
    "monasteries": MonasteriesOracle,
    "phantom": PhantomOracle,
    "tunnel": TunnelOracle,
    "watchtowers": WatchtowersOracle,
    "gold": GoldOracle,
    "festival": FestivalOracle,
    "windroses": WindRosesOracle,
    "son": SonOracle,
    **dict.fromkeys(("abbot", "inns", "king", "river", "traders"), ClassicsOracle),
    **dict.fromkeys(("gq11", "spiel_doch"), ClassicsOracle),
}
CURVE = "road S W"
# By name and stem, their tile files besides the base's with gardens.
CLASSICS = {
    name: {
        path.stem: path.read_text(encoding="utf-8")
        for path in sorted((DATA / "classics" / name).glob("*.txt"))
        if path.stem != "base_gardens"
    }
    for name in sorted(EXPANSIONS)
}
MISTS = (DATA / "expansion_ghosts/data/mists.txt").read_text(encoding="utf-8")


def settings_of(spec: str) -> dict[str, dict[str, str]]:
    """By name, the options of the parts of a spec."""
    return {
        name: dict(re.findall(r"(\w+)=(\w+)", options))
        for name, options in re.findall(r"([a-z]\w*)(?::\d+)?(?:\(([^)]*)\))?", spec)
    }


def base_text(settings: dict[str, dict[str, str]]) -> str:
    """The base's tile file; with `son` curves of roads show the robber's son."""
    text = GARDENS if "abbot" in settings else BASE
    return text.replace(CURVE, f"{CURVE} robbers_son=1") if "son" in settings else text


def texts_of(settings: dict[str, dict[str, str]]) -> list[str]:
    """The tile files of a game: the base's, then those of its expansions, by name."""
    texts = [base_text(settings)]
    last = ("bridges", "count")
    for name, options in sorted(settings.items(), key=lambda one: (one[0] in last, one[0])):
        if name == "ghosts" and options.get("tiles") != "base":
            texts.append(MISTS)
        elif name == "river" and options.get("part") != "both":
            texts.append(CLASSICS[name]["river2" if options.get("part") == "two" else "river"])
        elif name == "gq11" and "river" not in settings:  # GQ-01
            texts.append(CLASSICS[name]["gq11"])
        elif name in CLASSICS:
            chosen = {"1": "circles", "2": "circles2"}.get(
                options.get("sets", ""), options.get("sets")
            )
            texts += [
                text if options.get("tiles") != "off" else in_hands(text)
                for stem, text in CLASSICS[name].items()
                if chosen in (None, "both") or stem.endswith(chosen)
            ]
    return texts


def in_hands(text: str) -> str:
    """The tiles of a file that players hold: they are played without the others."""
    head, *tiles = re.split(r"^(?=tile )", text, flags=re.MULTILINE)
    return head + "".join(tile for tile in tiles if re.search(r"^\s+hand", tile, re.MULTILINE))


@cache
def composed(spec: str) -> type[Any]:
    """The oracle of several expansions together."""
    settings = settings_of(spec)
    known = [kind for name, kind in EXPANSIONS.items() if name in settings]
    kinds: list[type[Oracle]] = [kind for kind in known if kind is not ClassicsOracle]
    kinds += [ClassicsOracle] if known else []
    kinds += [GhostsOracle] if "ghosts" in settings else []
    return type("Composed", tuple(kinds or [Oracle]), {"settings": settings})


OWN = (
    *("bigtop", "bridges", "flier", "festival", "gq11", "king", "mage", "monasteries", "phantom"),
    *("siege", "tunnel"),
)


def oracle(spec: str, players: int) -> Oracle:
    """The oracle of a spec."""
    settings = settings_of(spec)
    plays = {*settings} - {"base"}
    options = {
        key: value
        for name, chosen in settings.items()
        if name not in OWN  # castles, fields and others are others' options, too
        for key, value in chosen.items()
    }
    if "base" in settings and plays == {"ghosts", "spellcircles"}:
        return CompetitiveCirclesOracle([*texts_of(settings), CIRCLES], players, **options)
    if "base" in settings and plays <= {*EXPANSIONS, "ghosts"}:
        more = {"plays": plays} if plays - {"ghosts"} else {}
        made: Oracle = composed(spec)(texts_of(settings), players, **more, **options)
        return made
    level = re.fullmatch(r"mists:([1-6])(?:\(.*\))?(\+spellcircles)?", spec)
    if level is not None and level[2]:
        return CooperativeCirclesOracle([MISTS, CIRCLES], players, int(level[1]), **options)
    if level is not None:
        return MistsOracle([MISTS], players, int(level[1]), **options)
    raise SystemExit(f"there is no oracle of {spec}")


@lru_cache(64)
def _rules(spec: str, players: int) -> Rules:
    if "son" not in settings_of(spec):
        return Rules.from_spec(spec, players)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "base.txt"
        file.write_text(base_text(settings_of(spec)), encoding="utf-8")
        return Rules.from_spec(spec, players, [file])


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


def differ_in(where: str, legal: list[str], other: Oracle, actions: list[str]) -> str:
    """A disagreement about legal actions."""
    mine, theirs = Counter(legal), Counter(other.legal())
    return (
        f"{where}: {other.decision()}: only the engine {[*(mine - theirs)]}, only the oracle"
        f" {[*(theirs - mine)]}; {actions}"
    )


def tidiest(state: State, legal: Sequence[object], rng: random.Random) -> str:
    """Return one of a few placements at random: the one with most neighbours."""
    return max(
        (str(rng.choice(legal)) for _ in range(4)),
        key=lambda text: (
            state.board.count_neighbours(cell_at(*map(int, text[6:].split(",")[:2])))
            if text.startswith("place:")
            else 0
        ),
    )


def compare(
    spec: str,
    players: int,
    seed: int,
    every: int = 1,
    *,
    hasty: bool = False,
    bot: str = "",
    tidy: bool = False,
) -> int:
    """Play one random game, or one of a bot's in all seats; returns the decisions compared.

    Raises `AssertionError` at the first disagreement.

    Tidy players place their tiles where most neighbours are, and pass every other claim, so that
    more is completed.
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
        choices = state.legal_actions()
        decides = state.current_player, state.to_dict("decision")["decision"]
        assert decides == (other.current_player(), other.decision()), (
            f"{where}: {decides} or {other.decide}; {actions}"
        )
        if not (hasty and other.decision() == "place"):
            legal = [str(action) for action in choices]
            assert in_order(legal, other), differ_in(where, legal, other, actions)
        if hasty and state.is_terminal:
            supplies = state.to_dict("supplies")["supplies"]
            assert state.scores == other.scores, f"{where}: scores after {actions}"
            assert supplies == other.supply, f"{where}: supplies"
            assert len(state.discarded) == len(other.discarded), f"{where}: discarded"
        elif not hasty and (len(actions) % every == 0 or state.is_terminal):
            mine, theirs = state.to_dict(), other.to_dict()
            differ = [key for key in theirs if mine.get(key) != theirs[key]]
            assert not differ, f"{where}: {differ} after {actions}"
        if state.is_terminal:
            return len(actions)
        if state.current_player == CHANCE:
            action = str(deal.choose(state))
        elif player is not None:
            action = str(player.choose(state.copy()))
        elif tidy and len(choices) > 1 and str(choices[0]).startswith("place:"):
            action = tidiest(state, choices, rng)
        elif tidy and str(choices[-1]) == "pass" and rng.random() < 0.4:
            action = "pass"
        else:
            action = str(choices[int(rng.random() * len(choices))])
        actions.append(action)
        state.apply(rules.parse(action))
        other.apply(action)


def alone(spec: str, players: int, seed: int) -> int:
    """Play one random game without an oracle; returns its decisions.

    Raises `AssertionError` where pieces appear or vanish.
    """
    state = _rules(spec, players).start()
    pieces = _pieces(state)
    decisions = playout(state, random.Random(f"alone {seed}"))
    assert _pieces(state) == pieces, f"{spec}, {players} players, seed {seed}: pieces"
    return decisions
