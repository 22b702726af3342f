"""Pages on which puzzles are solved as at a table, and their answers with the reasons."""

from functools import lru_cache
from typing import Final

import attrs
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carc.base.game.state import State
from carc.drawing import board_svg
from carc.match.interactive import InteractiveMatch
from carc.puzzles import Puzzle
from carc.puzzles.reasons import reasons
from carc.puzzles.turns import after_turn, is_complete
from carc.web.live_table import LiveTable
from carc.web.rendering import render
from carc.web.solvers import Solvers
from carc.web.table_pages import (
    features_of_cell,
    preview_of_placement,
    table_values,
    unchanging_values,
)
from carc.web.turn_words import turn_words
from carc.web.visitors import keep_cookie

COOKIE: Final = "carc-solver"

Turn = tuple[str, ...]


@attrs.frozen
class _Board:
    """A turn on the board: whose it is, the turn as a command, a picture and its view box."""

    heading: str
    words: str
    box: str
    scene: str


def _solvers(request: Request) -> Solvers:
    solvers: Solvers = request.app.state.solvers
    return solvers


def _token(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _found(request: Request) -> tuple[Puzzle, Turn]:
    """Return the puzzle that an address names, and the actions played so far."""
    puzzle = _solvers(request).puzzles.get(request.path_params["puzzle"])
    if puzzle is None:
        raise HTTPException(404, "There is no such puzzle.")
    return puzzle, tuple(part for part in request.path_params["turn"].split("/") if part)


@lru_cache(maxsize=64)
def _table(puzzle: Puzzle, turn: Turn) -> LiveTable:
    """Return a table at the position of a puzzle after some actions, or raise `CarcError`."""
    start = puzzle.position()
    names = [f"player {number}" for number in range(1, puzzle.players + 1)]
    match = InteractiveMatch(start.rules, [None] * puzzle.players, names, start=start)
    live = LiveTable(match, "greedy", names)
    live.visited = set(live.keys)
    for action in turn:
        live.act(start.current_player, action, live.version)
    return live


def next_puzzle(request: Request) -> Response:
    """Lead to the puzzle nearest to the visitor's strength."""
    puzzle = _solvers(request).next(_token(request))
    if puzzle is not None:
        return RedirectResponse(f"/puzzles/{puzzle.id}", 303)
    message = "You have tried every puzzle that is here."
    return render(request, "message.html", heading="No more puzzles", message=message)


def puzzle_page(request: Request) -> Response:
    """Show a puzzle, or its answer to a visitor who has tried it."""
    puzzle, turn = _found(request)
    if puzzle.id in _solvers(request).solver(_token(request)).attempts:
        return _answer(request, puzzle)
    return _question(request, puzzle, turn, "puzzle.html")


def _question(request: Request, puzzle: Puzzle, turn: Turn, template: str) -> Response:
    live = _table(puzzle, turn)
    player = _table(puzzle, ()).match.state.current_player
    address = f"/puzzles/{puzzle.id}"
    return render(
        request,
        template,
        **{
            **table_values(live, live.view(), player, "/".join((address, *turn))),
            **unchanging_values(live),
            "again": address if turn else "",
            "is_live": False,
            "company": "",
            "rating": round(_solvers(request).rating(puzzle)[0]),
            "own": round(_solvers(request).solver(_token(request)).rating[0]),
        },
    )


def _answer(request: Request, puzzle: Puzzle) -> Response:
    solvers = _solvers(request)
    attempt = solvers.solver(_token(request)).attempts[puzzle.id]
    live = _table(puzzle, ())
    is_solved = puzzle.is_solved_by(attempt.turn)
    boards = [_board(live, puzzle.answer, "Your turn, the answer" if is_solved else "The answer")]
    if not is_solved:
        boards.insert(0, _board(live, attempt.turn, "Your turn"))
    return render(
        request,
        "puzzle_answer.html",
        puzzle=puzzle,
        is_solved=is_solved,
        boards=boards,
        rival=next((each for each in puzzle.rivals if each.turn == attempt.turn), None),
        reasons=reasons(puzzle),
        closest=turn_words(live, live.match.state, puzzle.rivals[0].turn)[0],
        before=round(attempt.before[0]),
        after=round(attempt.after[0]),
        rating=round(solvers.rating(puzzle)[0]),
        **unchanging_values(live),
    )


def _board(live: LiveTable, turn: Turn, heading: str) -> _Board:
    before: State = live.match.state
    words, cells = turn_words(live, before, turn)
    scene = board_svg.scene(after_turn(before, turn).to_dict(), live.tiles)
    marks = [board_svg.last_move(*cell) for cell in cells[:1]]
    return _Board(
        heading,
        words[0].upper() + words[1:],
        " ".join(map(str, board_svg.view(scene.box))),
        "".join((board_svg.axes(scene.box), *scene.tiles, *scene.pieces, *marks)),
    )


async def play(request: Request) -> Response:
    """Play an action of the turn. The last one is the answer of the visitor."""
    form = await request.form(max_files=0, max_fields=8)
    return await run_in_threadpool(_play, request, str(form.get("action", "")))


def _play(request: Request, action: str) -> Response:
    puzzle, turn = _found(request)
    turn = _played(puzzle, (*turn, action))
    start = _table(puzzle, ()).match.state
    is_part = request.headers.get("x-carc") == "part"
    if not is_complete(_table(puzzle, turn).match.state, start.current_player):
        if is_part:
            return _question(request, puzzle, turn, "_table.html")
        return RedirectResponse("/".join((f"/puzzles/{puzzle.id}", *turn)), 303)
    token = _solvers(request).attempt(_token(request), puzzle, turn)
    # A script that gets no part of a page loads it anew.
    response = Response() if is_part else RedirectResponse(f"/puzzles/{puzzle.id}", 303)
    keep_cookie(response, request, COOKIE, token)
    return response


def _played(puzzle: Puzzle, turn: Turn) -> Turn:
    """Return a turn with what has to be played after it; `CarcError` if an action is illegal."""
    player = _table(puzzle, ()).match.state.current_player
    state = _table(puzzle, turn).match.state
    while not is_complete(state, player) and state.count_actions() == 1:
        turn = (*turn, str(state.action_at(0)))
        state = _table(puzzle, turn).match.state
    return turn


def preview(request: Request) -> Response:
    """Show what the features of the tile in hand would be, as a part of the page."""
    live = _table(*_found(request))
    return preview_of_placement(request, live, live.match.state.current_player, live.version)


def features(request: Request) -> Response:
    """Show what the features of a tile on the board are worth, as a part of the page."""
    return features_of_cell(request, _table(*_found(request)))


ROUTES = [
    Route("/puzzles", next_puzzle),
    Route("/puzzles/{puzzle}{turn:path}/preview", preview),
    Route("/puzzles/{puzzle}{turn:path}/features", features),
    Route("/puzzles/{puzzle}{turn:path}", puzzle_page),
    Route("/puzzles/{puzzle}{turn:path}", play, methods=["POST"]),
]
