"""The page on which rules and opponents are chosen, and the table that is opened from it."""

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from carc.base.game.rules import COLOURS
from carc.bounded import whole_number
from carc.drawing import artwork
from carc.drawing.history import MatchHistory, read_history
from carc.errors import CarcError
from carc.web import rules_cards
from carc.web.live_table import LiveTable
from carc.web.live_tables import PERSON, LiveTables
from carc.web.rendering import is_local, render
from carc.web.suggestions import LEVEL, levels_among, presets

MOST_SEATS = 6
MOST_SPEC = 300
"""Characters of a spec."""
CLOCKS = (5, 10, 20, 40)
"""Minutes that each person may have for a game."""
_USUAL_LEVEL = 2  # of the first opponent: a casual player, counted from 0
_DAY = 24 * 3600


def _tables(request: Request) -> LiveTables:
    tables: LiveTables = request.app.state.live_tables
    return tables


def new(request: Request) -> Response:
    """Show the form that opens a table, filled in as a preset says."""
    wanted = request.query_params.get("preset", "")
    preset = next((each for each in presets() if each.id == wanted), None)
    form = {}
    if preset is not None:
        form = {f"seat{number}": "" for number in range(MOST_SEATS)}
        form |= {f"seat{number}": kind for number, kind in enumerate(preset.seats)}
        form["rules"] = preset.rules
    return _form(request, form, "")


def _form(request: Request, form: dict[str, str], error: str) -> Response:
    levels = levels_among(_tables(request).bots)
    usual = [PERSON, LEVEL + levels[min(_USUAL_LEVEL, len(levels) - 1)].id if levels else PERSON]
    chosen = [form.get(f"seat{number}", "") for number in range(MOST_SEATS)]
    if "seat0" not in form:
        chosen[: len(usual)] = usual
    spec = form.get("rules", "") or "base"
    players = sum(map(bool, chosen))
    return render(
        request,
        "new.html",
        bots=_tables(request).bots,
        levels=levels,
        presets=presets(),
        cards=rules_cards.cards(),
        chosen=chosen,
        names=rules_cards.names_in(spec),
        options=rules_cards.options_in(spec),
        choice=rules_cards.explain(spec, players, MOST_SPEC),
        figures={
            colour: artwork.figure("meeple", number, False) for number, colour in enumerate(COLOURS)
        },
        colours=[form.get(f"colour{number}") or colour for number, colour in enumerate(COLOURS)],
        person=PERSON,
        is_local=is_local(request),
        host=request.url.hostname,
        level_prefix=LEVEL,
        clocks=CLOCKS,
        form=form,
        error=error,
        code=400 if error else 200,
    )


def check(request: Request) -> Response:
    """Say what chosen rules mean, as a part of the page."""
    spec = request.query_params.get("rules", "").strip() or "base"
    players = whole_number(request.query_params.get("players", ""), 2, 2)
    choice = rules_cards.explain(spec, players, MOST_SPEC)
    return render(request, "_choice.html", choice=choice)


def picture(request: Request) -> Response:
    """Return the picture of a game or an expansion."""
    try:
        svg = rules_cards.picture(request.path_params["name"])
    except LookupError:
        raise HTTPException(404, "There is no such expansion.") from None
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": f"max-age={_DAY}"})


async def create(request: Request) -> Response:
    """Open a table and redirect to the seat of its first person."""
    async with request.form(max_files=1, max_fields=200) as data:
        form = {key: value for key, value in data.items() if isinstance(value, str)}
        form["rules"] = _spec(data)
        try:
            saved = await _saved(data)
            table = await run_in_threadpool(_open, _tables(request), form, saved)
        except CarcError as error:
            return await run_in_threadpool(_form, request, form, str(error))
    return RedirectResponse(f"/table/{table.id}/{table.keys[min(table.keys)]}", 303)


def _spec(data: FormData) -> str:
    """Return the spec as it was written, or else as the pictures were ticked."""
    written = str(data.get("rules", "")).strip()
    if written:
        return written
    form = {key: value for key, value in data.items() if isinstance(value, str)}
    parts = [str(part) for part in data.getlist("part")]
    return rules_cards.chosen_spec(form, str(data.get("game", "")) or "base", parts)


async def _saved(data: FormData) -> str:
    """Return the text of the uploaded record; empty if there is none."""
    file = data.get("saved")
    if not isinstance(file, UploadFile) or not file.filename:
        return ""
    content = await file.read()
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise CarcError("the saved game is not a text file; is it a carc record?") from None


def _open(tables: LiveTables, form: dict[str, str], record: str) -> LiveTable:
    saved = read_history(record, "the saved game") if record else None
    if saved is not None and saved.result is not None:
        raise CarcError("this game is over; see it with carc show or carc replay")
    spec = saved.rules.spec if saved else form["rules"]
    if len(spec) > MOST_SPEC:
        raise CarcError(f"a rules spec has at most {MOST_SPEC} characters")
    return tables.open(
        spec,
        _seats(tables, form, saved),
        seed=saved.seed if saved else _seed(form.get("seed", "").strip()),
        by_hand="by_hand" in form,
        adviser=form.get("adviser", "greedy"),
        minutes=_minutes(form.get("clock", "")),
        colours=[form.get(f"colour{number}", "") for number in _rows(form, saved)],
        saved=saved,
    )


def _seed(text: str) -> int | None:
    seed = whole_number(text, 18, -1)
    if text and seed < 0:
        raise CarcError(f"the seed is a whole number of at most 18 digits, not {text!r}")
    return seed if text else None


def _minutes(text: str) -> int | None:
    if text and text not in map(str, CLOCKS):
        raise CarcError(f"the clock is one of {', '.join(map(str, CLOCKS))} minutes, not {text!r}")
    return int(text) if text else None


def _seats(
    tables: LiveTables, form: dict[str, str], saved: MatchHistory | None
) -> list[tuple[str, str]]:
    """Return who sits where; seats of a saved game that the form leaves empty stay as saved."""
    seats = []
    for number in _rows(form, saved):
        kind = form.get(f"seat{number}", "")
        if saved is not None and kind == "":
            kind = tables.kind_of(saved.seats[number], saved.rules)
        seats.append((kind, form.get(f"name{number}", "")))
    return seats


def _rows(form: dict[str, str], saved: MatchHistory | None) -> list[int]:
    """Return the rows of the form that are seats at the table."""
    if saved is not None:
        return list(range(saved.rules.players))
    return [number for number in range(MOST_SEATS) if form.get(f"seat{number}")]


ROUTES = [
    Route("/play", new),
    Route("/play/check", check),
    Route("/rules/{name}.svg", picture),
    Route("/open", create, methods=["POST"]),
]
