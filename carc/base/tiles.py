from __future__ import annotations
import attrs
from pathlib import Path
from collections.abc import Iterable
@attrs.frozen
class SegmentKind:
    name: str
    terrain: str = ""
    overlay: bool = False
    completed_by: str = "never"
    claimable: bool = True
    follower: str = ""
BASE_KINDS = (SegmentKind("city","C",False,"edges"),SegmentKind("road","R",False,"edges"),SegmentKind("field","F"),SegmentKind("monastery","",False,"neighbours"))
@attrs.frozen
class Segment:
    kind: str
    edges: tuple[int, ...]
    halves: tuple[int, ...]
    touches: tuple[int, ...]
    marks: tuple[tuple[str, int], ...]
@attrs.frozen
class Tile:
    name: str
    copies: int
    edges: str
    segments: tuple[Segment, ...]
@attrs.frozen
class TileSet:
    name: str
    tiles: tuple[Tile, ...]
    start: tuple[tuple[str,int,int], ...]
    digest: str
H=["NL","NR","EL","ER","SL","SR","WL","WR"]
def read_tiles(path: Path, kinds: Iterable[SegmentKind]) -> TileSet:
    tiles=[]; start=[]; name=""
    cur=None
    for l in Path(path).read_text().splitlines():
        l=l.split("#")[0]; w=l.split()
        if not w: continue
        if w[0]=="set": name=w[1]
        elif w[0]=="tile": cur=[w[1],int(w[2]),w[3],[]]; tiles.append(cur)
        elif w[0]=="start": x,y=w[2].split(","); start.append((w[1],int(x),int(y)))
        elif w[0] in ("carc-tiles","known:","reconstructed:","number"): pass
        else:
            e=[];h=[];t=();m=[]
            for q in w[1:]:
                if "=" in q:
                    k,v=q.split("=")
                    if k=="touches": t=tuple(map(int,v.split(",")))
                    else: m.append((k,int(v)))
                elif q in H: h.append(H.index(q))
                else: e.append("NESW".index(q))
            cur[3].append(Segment(w[0],tuple(e),tuple(h),t,tuple(m)))
    return TileSet(name,tuple(Tile(a,b,c,tuple(d)) for a,b,c,d in tiles),tuple(start),"x")
def without_start(one: TileSet) -> TileSet:
    """The set with its start tiles gone back to the box."""
    names = [name for name, _, _ in one.start]
    tiles = tuple(attrs.evolve(t, copies=t.copies - names.count(t.name)) for t in one.tiles)
    return attrs.evolve(one, tiles=tiles, start=())
