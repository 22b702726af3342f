"""Playing positions in notation; setting by hand what would take long to play."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carc import Expansion, Rules, State
from carc.base.cells import cell_at
from carc.base.game.rules import expansions_named
from carc.base.turn.scoring import Journal
from carc.expansion_ghosts import Ghosts


def tile_file(name: str, tiles: str) -> str:
    """The text of a tile file in short: a line a tile, its segments after a colon."""
    text = tiles.strip().replace(": ", "\n  ").replace("; ", "\n  ")
    return f"carc-tiles 1\nset {name}\n{text}\n"


def written(folder: Path, *texts: str) -> list[Path]:
    """Tile files with these texts."""
    files = [folder / f"tiles-{number}.txt" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    return files


def start(spec: str = "base", players: int = 2) -> State:
    """Return the start of a game."""
    return Rules.cached(spec, players).start()


def begin(spec: str, players: int, *tiles: Path, beside: Sequence[Expansion] = ()) -> State:
    """Return the start of a game, with a journal; `tiles` replace the sets of the same names."""
    state = Rules([*expansions_named(spec), *beside], players, "", tiles).start()
    state.journal = Journal()
    return state


def kept(state: State, expansion: str) -> Any:
    """What the expansion of this name keeps in a state, to be set by hand."""
    return state.expansion_states[expansion_of(state, expansion)._slot]


def expansion_of(state: State, name: str) -> Any:
    """The expansion of this name."""
    (expansion,) = (each for each in state.rules.expansions if each.name == name)
    return expansion


def estimates_of(state: State, name: str) -> Any:
    """What bots may expect of the expansion of this name."""
    return expansion_of(state, name).estimates()


def do(state: State, moves: str) -> State:
    """Play moves, each checked; where a claim is offered and the move is another's, pass."""
    for text in moves.split():
        if state.step.name == "claim" and text.startswith(("draw", "place")):
            state.apply(state.check(state.rules.parse("pass")))
        state.apply(state.check(state.rules.parse(text)))
    return state


def lay(state: State, *tiles: str) -> State:
    """Lay tiles by hand, `NAME X,Y,ROTATION`, without turns and whether they fit or not."""
    for text in tiles:
        name, place = text.split()
        x, y, rotation = map(int, place.split(","))
        state._lay(state.rules.catalogue.index[name], cell_at(x, y), rotation)
    return state


def put(state: State, owner: int, *places: tuple[int, int, int], kind: str = "meeple") -> State:
    """Put an owner's followers on segments, each by x, y, index."""
    for place in places:
        state.put_follower(state.board.segment_at(*place), owner, state.rules.follower_number(kind))
    return state


def feature_at(state: State, x: int, y: int, segment: int) -> int:
    """The feature of a segment."""
    return state.board.feature_of(state.board.segment_at(x, y, segment))


# Around the tile at 0,2, all of field but for roads that lead to its east and south; 1,3 is free.
RING = ("B 0,1,0", "B -1,1,0", "B 1,1,0", "B -1,2,0", "A 1,2,1", "B -1,3,0", "A 0,3,2")
LAST_OF_RING = "draw:B place:1,3,0 pass"


def skip(state: State) -> State:
    """Pass the claim that waits, if one does."""
    if state.step.name == "claim" and state.current_player >= 0:
        state.apply(state.check(state.rules.parse("pass")))
    return state


def legal(state: State) -> list[str]:
    """The legal actions in notation."""
    return [str(action) for action in state.legal_actions()]


def standing(state: State, kind: str) -> dict[tuple[int, int, int], int]:
    """How many pieces of a kind stand where, by x, y, segment; -1 for the whole tile."""
    return {
        (p["x"], p["y"], -1 if p["segment"] is None else p["segment"]): p["count"]
        for p in state.to_dict()["pieces"]
        if p["kind"] == kind
    }


def tiles_with(state: State, kind: str) -> list[tuple[int, int]]:
    """The tiles on which pieces of a kind stand, by x, y."""
    return [(x, y) for x, y, _ in standing(state, kind)]


def haunt(state: State, x: int, y: int, segment: int = 0, n: int = 1) -> State:
    """Put ghosts from the stock with the meeple there (`base+ghosts`)."""
    (ghosts,) = (e for e in state.rules.expansions if isinstance(e, Ghosts))
    for _ in range(n):
        ghosts.haunt(state, state.board.segment_at(x, y, segment))
    return state


def stock(state: State) -> int:
    """The ghosts in the stock."""
    return int(state.to_dict()["ghost_stock"])


def emptied(state: State, *left: str) -> State:
    """The bag holds these tiles only, by name."""
    state.bag = [0] * len(state.bag)
    for name in left:
        state.bag[state.rules.catalogue.index[name]] += 1
    state.tiles_left = len(left)
    return state


def scored(state: State) -> list[str]:
    """What was scored so far, itemised, by owner; the state has a journal."""
    assert state.journal is not None
    return [f"{s.owner}: {s.text}" for s in state.journal.scorings]


def finish(state: State) -> State:
    """End the game here: score what stands on the board."""
    state.end()
    for step in reversed(state.rules.ending):
        state.push(step, 0)
    state._advance()
    return state
