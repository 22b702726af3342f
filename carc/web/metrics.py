"""Numbers of an arena that anybody may see, in the text format of Prometheus.

They are read when they are asked for, which reads no game.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from statistics import median
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from carc.arena.relay import Relay
from carc.arena.service import Arena
from carc.errors import CarcError
from carc.tournaments.ledger.ledger import FILE, Ledger
from carc.tournaments.ledger.standings import PAUSED, PLAYS

TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
# By metric: its type, what it is, and the label of its values if it has several.
_METRICS: Final = {
    "bots": ("gauge", "Bots that play in a ladder.", "ladder"),
    "games_total": ("counter", "Games that count.", "ladder"),
    "faults_total": ("counter", "Faults of bots in them.", "ladder"),
    "last_game_timestamp_seconds": ("gauge", "When the last of them ended.", "ladder"),
    "ledger_bytes": ("gauge", "Size of a ladder's ledger.", "ladder"),
    "paused": ("gauge", "1 if the organiser lets no game begin.", "ladder"),
    "games_playing": ("gauge", "Games under way.", "ladder"),
    "jobs": ("gauge", "Games that can be played at once.", ""),
    "workers": ("gauge", "Processes that play.", ""),
    "orders_waiting": ("gauge", "Orders and entries that wait.", ""),
    "uploads_waiting": ("gauge", "Uploads that wait for their check.", ""),
    "remote_bots": ("gauge", "Remote bots that are connected.", ""),
    "remote_bots_free": ("gauge", "Those that wait for a game.", ""),
    "remote_latency_seconds": ("gauge", "Round trips to them: median and longest.", "quantile"),
    "answers_total": ("counter", "Answers of remote bots.", ""),
    "answer_seconds_total": ("counter", "What their clocks counted.", ""),
}

Values = Mapping[str, float]
"""By label."""


def exposition(metrics: Mapping[str, Values]) -> str:
    """Return the values of metrics as text."""
    return "".join(f"{line}\n" for name, values in metrics.items() for line in _lines(name, values))


def _lines(name: str, values: Values) -> Iterator[str]:
    kind, what, label = _METRICS[name]
    yield f"# HELP carc_{name} {what}"
    yield f"# TYPE carc_{name} {kind}"
    for of, value in values.items():
        labels = f'{{{label}="{of}"}}' if label else ""  # a ladder's name needs no escapes
        yield f"carc_{name}{labels} {value}"


def metrics(request: Request) -> Response:
    """Return the metrics of the arena."""
    state = request.app.state
    found = _of_ladders(state.arena)
    load = state.arena.load()
    found |= {
        "jobs": {"": load.jobs},
        "workers": {"": load.workers},
        "orders_waiting": {"": load.waiting},
        "uploads_waiting": {"": state.uploads.waiting},
        **_of_relay(state.arena.relay),
    }
    return Response(exposition(found), media_type=TYPE)


def _of_ladders(arena: Arena) -> dict[str, Values]:
    """Read what the ledgers know, and which games are under way."""
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for each in arena.settings.ladders:
        folder = arena.folder / each.name
        with suppress(CarcError), Ledger.reading(folder) as ledger:
            values = {
                "bots": ledger.standings.count(PLAYS),
                "games_total": ledger.played(each.configuration),
                "faults_total": ledger.standings.faults(),
                "ledger_bytes": sum(path.stat().st_size for path in folder.glob(f"{FILE}*")),
                "paused": int(PAUSED in ledger.settings),
                "games_playing": len(arena.games(each.name)),
            }
            if last := ledger.standings.last():
                values["last_game_timestamp_seconds"] = int(
                    datetime.fromisoformat(last).timestamp()
                )
            for name, value in values.items():
                found[name][each.name] = value
    return dict(found)


def _of_relay(relay: Relay) -> dict[str, Values]:
    """Read what the relay knows."""
    visits = relay.visits()
    latency = [visit.latency for visit in visits] or [0.0]
    return {
        "remote_bots": {"": len(visits)},
        "remote_bots_free": {"": len(relay.present())},
        "remote_latency_seconds": {"0.5": median(latency), "1": max(latency)},
        "answers_total": {"": relay.answers},
        "answer_seconds_total": {"": round(relay.answer_seconds, 3)},
    }


ROUTES = [Route("/metrics", metrics)]
