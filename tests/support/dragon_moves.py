"""Moves with which tests of The Princess & the Dragon begin."""

# Red on the road in the east, green on the one in the west; red's volcano in the south of the start
# tile.
ROADS = "draw:W place:1,0,0 claim:2,meeple draw:U place:-1,0,1 claim:2,meeple "
VOLCANO = "draw:PD01 place:0,1,0 "
FIRE = "draw:PD16 place:-2,0,0 "
