"""A control group for each bot. The tree is made of plain files, because few hosts that run tests
delegate a group; what the kernel does with such files is its documentation's.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from carc.match import BotFault
from carc.tournaments.isolation import control_group, sandbox
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Limits, Program
from carc.tournaments.isolation.reaping import reap

LIMITS = Limits(memory=100 << 20, scratch=10 << 20)
ECHO = Program(sandbox.python("-c", "print(input())"), None, "process", LIMITS)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """This process's group, delegated to it."""
    group = tmp_path / "user.slice" / "contest.scope"
    group.mkdir(parents=True)
    (group / "cgroup.controllers").write_text("cpu memory pids\n")
    (group / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (group / "cgroup.subtree_control").write_text("")
    member = tmp_path / "cgroup"
    member.write_text("4:memory:/elsewhere\n0::/user.slice/contest.scope\n")
    monkeypatch.setattr(control_group, "TOP", tmp_path)
    monkeypatch.setattr(control_group, "MEMBERSHIP", member)
    # In the kernel's tree a group's files go with it.
    monkeypatch.setattr(Path, "rmdir", shutil.rmtree)
    control_group._above.cache_clear()
    yield group
    control_group._above.cache_clear()


def bots(own: Path) -> list[Path]:
    return [path for path in own.iterdir() if path.name.startswith("carc-bot-")]


def test_each_bot_has_a_group_with_all_that_it_may_use(own: Path) -> None:
    for _ in range(2):
        with closing(Process(ECHO)) as bot:
            bot.launched()
            assert bot.ask(b"x\n", 20, "20 s") == b"x"
            (group,) = bots(own)
            assert group.joinpath("cgroup.procs").read_text() == "0\n", "it went in by itself"
            limit = int(group.joinpath("memory.max").read_text())
            # Its memory, its files, 8 MB of stack, 15 MB of buffers; not much more.
            assert (100 + 10 + 8 + 15) << 20 <= limit < (100 + 10 + 64) << 20
            assert group.joinpath("memory.swap.max").read_text() == "0"
            assert group.joinpath("memory.oom.group").read_text() == "1"
        assert not bots(own), "a group is left"
    assert own.joinpath("carc-runners", "cgroup.procs").read_text() == "0"
    assert own.joinpath("cgroup.subtree_control").read_text() == "+memory"


@pytest.mark.parametrize(
    "events, verdict",
    [
        ("low 0\nmax 9\noom 1\noom_kill 3\n", "memory limit"),
        ("max 0\noom 0\noom_kill 1\n", "crash"),
    ],
)
def test_more_than_its_group_may_have_is_over_its_limit(
    own: Path, events: str, verdict: str
) -> None:
    """If the kernel looked for memory for a group above, the bot is killed like any other."""
    with closing(Process(ECHO)) as bot:
        bot.launched()
        bot.ask(b"x\n", 20, "20 s")
        (group,) = bots(own)
        group.joinpath("memory.events").write_text(events)
        with pytest.raises(BotFault) as fault:
            bot.ask(b"x\n", 20, "20 s")
        assert fault.value.verdict == verdict


@pytest.mark.parametrize(
    "file, text",
    [
        ("cgroup.procs", "1\n"),  # who else is there would have to be moved, too
        ("cgroup.controllers", "cpu pids\n"),
        ("../../cgroup", "4:memory:/elsewhere\n"),  # version 1 only
        ("../../cgroup", "0::/not/to/be/seen/from/here\n"),
    ],
)
def test_where_no_group_is_to_be_had_bots_play_without(own: Path, file: str, text: str) -> None:
    (own / file).write_text(text)
    assert not control_group.granted()
    with closing(Process(ECHO)) as bot:
        bot.launched()
        assert bot.ask(b"x\n", 20, "20 s") == b"x"
    assert not bots(own)
    assert own.joinpath("cgroup.subtree_control").read_text() == "", "nothing was changed"


def test_workers_make_groups_beside_their_own(own: Path) -> None:
    assert control_group.granted()
    control_group.MEMBERSHIP.write_text("0::/user.slice/contest.scope/carc-runners\n")
    control_group._above.cache_clear()
    group = control_group.make(LIMITS)
    assert group.path is not None and group.path.parent == own


def test_groups_of_runners_that_are_gone_are_removed(own: Path) -> None:
    gone = 2**22 + 1  # more than any process id
    for pid in (gone, os.getppid()):
        (own / f"carc-bot-{pid}-00").mkdir()
    assert control_group.granted()
    assert [path.name for path in bots(own)] == [f"carc-bot-{os.getppid()}-00"]


def test_a_group_that_is_still_in_use_is_removed_later(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(control_group.Group, "remove", lambda group: False)
        Process(ECHO).close()
    assert len(bots(own)) == 1
    reap(0)
    assert not bots(own)


def test_a_bot_that_cannot_be_started_leaves_no_group(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "start", lambda *args: ["\0"])
    with pytest.raises((OSError, ValueError)):
        Process(ECHO)
    assert not bots(own)
