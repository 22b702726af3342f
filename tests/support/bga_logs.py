"""Games in the form of BoardGameArena's logs, and as links of CarcassonneLab, written for tests.

The places for followers stand here as people see them on the pictures of the tiles, apart from the
tables of the product.
"""

from functools import cache
from typing import Any

from carc import Match, Rules
from carc.base.tiles.tile import EDGES, HALVES, Tile

Event = dict[str, Any]

# By type, from 1: our kind of tile, by how many quarter turns ours lies otherwise, and the places
# for followers in their order: m(onastery), r(oad), c(ity), f(ield), with an edge or half an edge
# of the picture that it reaches; `-` is no place. Half an edge is left or right as one looks from
# the middle of the tile towards the edge: `SL` is in the south east.
PICTURES = """
T0 rS cN fSR fSL          | S0 rS cN fSR fSL | N0 cN fER       | M0 cN fER
P0 rE cN fEL fER          | O0 rE cN fEL fER | G1 cE fNL fSL   | F0 cE fNL fSL
I3 cN cW fSL              | H0 cN cS fEL     | E0 cN fSL       | K0 rS cN fEL fSR
J0 rE cN fEL fER          | L0 rW rE rS cN fEL fSR fSL         | D0 rE cN fEL fSL
U0 rN - fWL fER           | V0 rS fNL fSR    | W0 rW rE rS fNL fSR fSL
X0 rW rE rS rN fNL fNR fSL fSR               | B0 m fNL        | A0 m rS fNL
C0 cN                     | R0 cN fSL        | Q0 cN fSL
"""
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve")


def pictures() -> list[tuple[str, int, list[str]]]:
    """By type less 1: our kind of tile, the quarter turns, the places."""
    cells = [cell.split() for cell in PICTURES.replace("\n", "|").split("|") if cell.strip()]
    return [(first[0], int(first[1]), places) for first, *places in cells]


@cache
def places(kind: str) -> dict[int, int]:
    """By our segment the number of its place."""
    turns, words = next((turns, words) for name, turns, words in pictures() if name == kind)
    tile = next(each for each in Rules.cached("base", 2).catalogue.tiles if each.name == kind)
    return {
        _segment(tile, turns, word): number
        for number, word in enumerate(words, start=1)
        if word != "-"
    }


def _segment(tile: Tile, turns: int, word: str) -> int:
    """Our segment that a place of the picture is on."""
    kind = {"m": "monastery", "r": "road", "c": "city", "f": "field"}[word[0]]
    found = []
    for index, segment in enumerate(tile.segments):
        halves = {
            *segment.halves,
            *(2 * e for e in segment.edges),
            *(2 * e + 1 for e in segment.edges),
        }
        edges = {half // 2 for half in halves}
        at = word[1:]
        if segment.kind == kind and (
            not at
            or (len(at) == 1 and (EDGES.index(at) - turns) % 4 in edges)
            or (len(at) == 2 and (HALVES.index(at) - 2 * turns) % 8 in halves)
        ):
            found.append(index)
    (index,) = found
    return index


def told(match: Match) -> list[dict[str, int]]:
    """The turns of a match in their numbers. Of a tile set aside only the type is told."""
    types = {kind: (number, turns) for number, (kind, turns, _) in enumerate(pictures(), start=1)}
    turns: list[dict[str, int]] = []
    kind = ""
    for action in match.actions:
        verb, _, rest = action.partition(":")
        if verb == "draw":
            kind = rest
            turns.append({"type": types[kind][0]})
        elif verb == "place":
            x, y, rotation = map(int, rest.split(","))
            turns[-1] |= {"x": x, "y": y, "ori": (rotation - types[kind][1]) % 4 + 1, "pos": 0}
        elif verb == "claim":
            turns[-1]["pos"] = places(kind)[int(rest[0])]
    return turns


def ids(turns: list[dict[str, int]]) -> list[int]:
    """The number of each tile; copies of a type have neighbouring numbers."""
    copies = {tile.name: tile.copies for tile in Rules.cached("base", 2).catalogue.tiles}
    first, begins = 1, []
    for kind, _, _ in pictures():
        begins.append(first)
        first += copies[kind]
    used = [0] * len(begins)
    numbers = []
    for turn in turns:
        at = turn["type"] - 1
        numbers.append(begins[at] + used[at])
        used[at] += 1
    return numbers


def log(match: Match, *, form: str = "data", text_numbers: bool = True) -> dict[str, Any]:
    """A match as a log. `form`: `data`, or `logs` with the players and lists of arguments."""
    number: Any = str if text_numbers else int
    wrap: Any = (lambda args: [args]) if form == "logs" else (lambda args: args)
    players = [9000 + 7 * seat for seat in range(match.players)]
    turns = told(match)
    packets: list[dict[str, Any]] = [
        {"channel": "/table/t1", "data": [event("simpleNote", {"players": "..."})]}
    ]
    seat = 0
    for tile, turn in zip(ids(turns), turns, strict=True):
        drawn = {"id": number(tile), "type": number(turn["type"])}
        packets.append({"channel": f"/player/p{players[seat]}", "data": [event("pickTile", drawn)]})
        if "ori" not in turn:
            data = [event("cantPlay", wrap({"player_id": players[seat], "tile_id": number(tile)}))]
            packets.append({"channel": "/table/t1", "data": data})
            continue
        who = {"player_id": number(players[seat]), "player_name": match.seats[seat]}
        where = {key: number(turn[key]) for key in ("x", "y", "ori")}
        data = [event("playTile", wrap({**who, **drawn, **where}))]
        if turn["pos"]:
            spot = {**where, "id": number(tile), "pos": number(turn["pos"]), "ptype": "normal"}
            data.append(event("playPartisan", wrap({**who, **spot, "piece": "partisan"})))
        data.append(
            event("gameStateChange", {"id": 4, "active_player": players[seat], "args": None})
        )
        packets.append({"channel": "/table/t1", "data": data})
        seat = (seat + 1) % match.players
    if match.result.scores:
        result = [
            {"player": number(player), "name": name, "score": number(score), "color": "ff0000"}
            for player, name, score in zip(players, match.seats, match.result.scores, strict=True)
        ]
        end = event("gameStateChange", {"id": 99, "args": {"result": result[::-1]}})
        packets.append({"channel": "/table/t1", "data": [end]})
    if form == "data":
        return {"status": 1, "data": {"valid": 1, "data": packets}}
    listed = [
        {"id": player, "name": name} for player, name in zip(players, match.seats, strict=True)
    ]
    return {"status": 1, "data": {"logs": packets, "players": listed}}


def event(kind: str, args: Any) -> Event:
    """An event."""
    return {"type": kind, "log": "", "args": args}


def link(match: Match) -> str:
    """A match as a link: what stands between `#` and `?`."""
    turns = told(match)
    number = 14  # the start tile, type 15
    for turn in turns:
        number = 24 * number + turn["type"] - 1
    octal = f"{number:o}"
    octal = octal.zfill(len(octal) + len(octal) % 2)
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    stack = "".join(digits[int(octal[at : at + 2], 8)] for at in range(0, len(octal), 2))
    letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    aside, moves = "0", ""
    for turn in turns:
        if "ori" not in turn:
            aside += f".{len(moves) // 4}"
            continue
        signs = (16 if turn["x"] < 0 else 0) + (32 if turn["y"] < 0 else 0)
        numbers = (abs(turn["x"]), abs(turn["y"]), turn["ori"] - 1 + signs)
        moves += "".join(letters[each] for each in numbers) + str(turn["pos"])
    return f"/0/{aside}/{stack}/{moves}"
