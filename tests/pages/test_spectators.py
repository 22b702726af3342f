"""Many who watch one table: who is woken first, and that one rendering serves all of them."""

import asyncio
import time
from typing import Any

import pytest
from support.served import Visitor, offered

from carc.web import table_pages, waiters
from carc.web.waiters import BATCH, SharedResult, Waiters


def test_players_are_woken_first_and_spectators_a_few_at_a_time() -> None:
    async def main() -> list[tuple[str, float]]:
        waiting = Waiters()
        woken: list[tuple[str, float]] = []

        async def wait(name: str, *, is_player: bool) -> None:
            await waiting.wait(60, lambda: False, is_player=is_player)
            woken.append((name, time.monotonic()))

        tasks = [asyncio.create_task(wait("spectator", is_player=False)) for _ in range(3 * BATCH)]
        tasks.append(asyncio.create_task(wait("player", is_player=True)))
        await asyncio.sleep(0)
        await asyncio.to_thread(waiting.wake)
        await asyncio.wait_for(asyncio.gather(*tasks), 30)
        return woken

    woken = asyncio.run(main())
    assert woken[0][0] == "player"
    assert len(woken) == 3 * BATCH + 1
    assert woken[1][1] - woken[0][1] > waiters.DELAY / 2  # the player has the answer meanwhile
    assert woken[-1][1] - woken[1][1] > waiters.BATCH_INTERVAL  # not all at once


def test_who_comes_after_a_change_or_waits_in_vain_goes_on() -> None:
    waiting = Waiters()
    asyncio.run(asyncio.wait_for(waiting.wait(60, lambda: True, is_player=False), 30))
    asyncio.run(asyncio.wait_for(waiting.wait(0.01, lambda: False, is_player=True), 30))
    waiting.wake()  # nobody is there; their loops are closed


def test_a_result_is_made_once_for_all_and_again_after_an_error() -> None:
    made: list[str] = []

    async def make() -> str:
        made.append("")
        await asyncio.sleep(0.01)
        if len(made) == 1:
            raise ValueError("the first time")
        return "it"

    async def main() -> None:
        shared = SharedResult[str]()
        with pytest.raises(ValueError, match="the first time"):
            await shared.get(1, make)
        assert await asyncio.gather(*(shared.get(1, make) for _ in range(20))) == ["it"] * 20
        assert len(made) == 2
        await shared.get(2, make)
        assert len(made) == 3

    asyncio.run(main())


def test_spectators_share_a_rendering_that_gives_no_seat_away(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = visitor.open(seats=("person", "person"))
    text = visitor.look(seat)
    visitor.client.get(f"{seat}/news?since=x")  # a player's rendering is not for spectators
    rendered: list[str] = []
    render = table_pages.render

    def counted(request: Any, name: str, **values: Any) -> Any:
        rendered.append(name)
        return render(request, name, **values)

    monkeypatch.setattr(table_pages, "render", counted)
    address = seat.rpartition("/")[0]
    parts = [visitor.client.get(f"{address}/news?since=x").text for _ in range(3)]
    assert rendered == ["_table.html"]
    assert parts[0] == parts[1] == parts[2]
    assert 'data-decides=""' in parts[0] and not offered(parts[0])
    assert seat.rpartition("/")[2] not in parts[0]
    monkeypatch.undo()
    visitor.act(seat, offered(text)[0])
    assert visitor.client.get(f"{address}/news?since=x").text != parts[0]
