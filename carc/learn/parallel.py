"""`ParallelBatch`: the games of a `VectorEnv`, shared out among processes."""

import math
import mmap
import multiprocessing
import os
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Semaphore
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carc.base.game.state import State
from carc.errors import CarcError, IllegalAction
from carc.learn.batches import SingleBatch
from carc.learn.encoding import Encoding
from carc.learn.observation import Observation
from carc.learn.token_arrays import Tokens, as_tokens, fixed_shapes, ranges_of, words_of
from carc.learn.tokens import TokenWriter

LOOK = 0.1  # seconds between two looks at whether the other processes live
ALIGN = 64  # bytes
LOOKS = 1000  # at the other processes, before one looks whether they live
AWAKE = 0.0005  # seconds for which a process looks for what comes next before it sleeps
QUESTIONS = ["begin", "step", "sample", "masks", "observe", "write_tokens", "games_played", "state"]

Arrays = Mapping[str, NDArray[Any]]


class ParallelBatch:
    """Games stepped together by this process and others, which write into shared memory."""

    def __init__(self, encoding: Encoding, size: int, seed: int, jobs: int) -> None:
        """Start the processes and `size` games.

        Raises `CarcError` if the system cannot share memory between processes, or has too little.
        """
        if "fork" not in multiprocessing.get_all_start_methods():
            raise CarcError("jobs above 1 need a system that can fork, such as Linux or macOS")
        self._encoding = encoding
        bounds = [size * job // jobs for job in range(jobs + 1)]
        self._arrays = _shared(encoding, size, jobs)
        words = {name: self._arrays[f"rows {name}"] for name in _words(encoding)}
        self._tokens = as_tokens(encoding, words, self._arrays["starts"], self._arrays["counts"])
        self._own = _Worker(encoding, slice(0, bounds[1]), self._arrays, 0, self._check_alive)
        context = multiprocessing.get_context("fork")
        self._pipes: list[Connection] = []
        self._asked: list[Semaphore] = []
        self._answered = context.Semaphore(0)
        self._processes: list[BaseProcess] = []
        for job, bound in enumerate(pairwise(bounds[1:]), start=1):
            near, far = context.Pipe()
            worker = _Worker(encoding, slice(*bound), self._arrays, job, _die_with(os.getpid()))
            asked = context.Semaphore(0)
            process = context.Process(
                target=_work, args=(far, asked, self._answered, worker), daemon=True
            )
            process.start()
            far.close()
            self._pipes.append(near)
            self._asked.append(asked)
            self._processes.append(process)
        self._finalizer = weakref.finalize(self, _end, self._pipes, self._processes)
        self._ask("begin", seed)

    def close(self) -> None:
        """End the processes."""
        self._finalizer()

    def _check_alive(self) -> None:
        """Raise `CarcError` if a process has ended."""
        if not all(process.is_alive() for process in self._processes):
            self.close()
            raise CarcError("a process that plays the games has ended: make another VectorEnv")

    def _ask(self, what: str, *args: Any) -> list[Any]:
        """Do the same in all processes, and return the answers."""
        if not self._finalizer.alive:
            raise CarcError("this VectorEnv is closed: make another")
        self._arrays["question"][:] = QUESTIONS.index(what), len(args)
        for pipe, asked in zip(self._pipes, self._asked, strict=True):
            if args:
                pipe.send(args)
            asked.release()
        answers = [self._own.answer(what, args)]
        for _ in self._processes:
            _wait(self._answered, self._check_alive)
        told = self._arrays["told"][1:]
        answers += [pipe.recv() for pipe, some in zip(self._pipes, told, strict=True) if some]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def reset(self, seed: int) -> None:
        """Start all games anew."""
        self._ask("begin", seed)

    def step(self, codes: NDArray[np.integer[Any]]) -> None:
        """Perform an action in each game, by its code, or in none: `IllegalAction`."""
        self._arrays["codes"][:] = codes
        self._ask("step")

    def sample(self, uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return a legal code for each game, chosen by a number from 0 to 1 each."""
        self._arrays["uniforms"][:] = uniforms
        self._ask("sample")
        return self._arrays["sampled"].copy()

    def array(self, name: str) -> NDArray[Any]:
        """Return `masks`, `ended`, `players`, `returns` or `scores`, the games first."""
        if name == "masks":
            self._ask("masks")
        return self._arrays[name]

    def games_played(self) -> int:
        """Return how many games have ended."""
        return sum(self._ask("games_played"))

    def state(self, index: int) -> State:
        """Return a copy of the state of a game."""
        (text,) = [text for text in self._ask("state", index) if text]
        return State.from_text(text, self._encoding.rules)

    def observe(self, out: Observation) -> None:
        """Write planes and numbers of all games."""
        self._ask("observe")
        out["board"][...] = self._arrays["board"]
        out["numbers"][...] = self._arrays["numbers"]

    def observe_tokens(self) -> Tokens:
        """Return the tokens of all games; `CarcError` if there is no room for the rows."""
        self._ask("write_tokens")
        return self._tokens


class _Worker:
    """One process's part of the games; its methods are what it may be asked."""

    def __init__(
        self,
        encoding: Encoding,
        part: slice,
        arrays: Arrays,
        job: int,
        check_others: Callable[[], None],
    ) -> None:
        self._encoding, self._part, self._arrays = encoding, part, arrays
        self._job, self.check_others, self._turn = job, check_others, 0
        self._mine = {
            name: array[part]
            for name, array in arrays.items()
            if len(array) == len(arrays["codes"]) and not name.startswith("rows ")
        }

    def answer(self, what: str, args: tuple[Any, ...]) -> Any:
        """Do what is asked; return the answer, or the error."""
        try:
            return getattr(self, what)(*args)
        except CarcError as error:
            return error

    def answer_next(self, pipe: Connection) -> None:
        """Do what the parent asks. What is more than "done" goes through the pipe."""
        question, count = self._arrays["question"]
        answer = self.answer(QUESTIONS[question], pipe.recv() if count else ())
        self._arrays["told"][self._job] = answer is not None
        if answer is not None:
            pipe.send(answer)

    def begin(self, seed: int) -> None:
        """Start the games, anew if they were."""
        part = self._part
        self._batch = SingleBatch(self._encoding, part.stop - part.start, seed, part.start)
        self._note("ended", "players", "returns", "scores")

    def _note(self, *names: str) -> None:
        for name in names:
            self._mine[name][...] = self._batch.array(name)

    def step(self) -> None:
        """Perform the actions that were chosen, if those of all processes are legal.

        Raises `IllegalAction` if one of this process's is not.
        """
        self._turn += 1
        turn, turns = self._turn, self._arrays["turns"]
        try:
            self._batch.choose(self._mine["codes"])
        except IllegalAction:
            turns[self._job] = -turn
            raise
        turns[self._job] = turn
        looks = 0
        while not (abs(turns) == turn).all():
            os.sched_yield()  # the others are awake, and nearly there
            looks += 1
            if looks % LOOKS == 0:
                self.check_others()
        if (turns < 0).any():
            return
        self._batch.perform()
        self._note("ended", "players")
        if self._mine["ended"].any():
            self._note("returns", "scores")

    def sample(self) -> None:
        """Choose legal codes."""
        self._mine["sampled"][:] = self._batch.sample(self._mine["uniforms"])

    def masks(self) -> None:
        """Write the masks."""
        self._note("masks")

    def games_played(self) -> int:
        """Return how many games have ended."""
        return self._batch.games_played()

    def state(self, index: int) -> str:
        """Return the text of a game's state; empty if another process plays it."""
        if not self._part.start <= index < self._part.stop:
            return ""
        return self._batch.state(index - self._part.start).to_text()

    def observe(self) -> None:
        """Write planes and numbers."""
        self._batch.observe({"board": self._mine["board"], "numbers": self._mine["numbers"]})

    def write_tokens(self) -> None:
        """Write the tokens; raise `CarcError` if there are more rows than there is room for."""
        writer = self._batch.write_tokens()
        self._mine["starts"][...], self._mine["counts"][...] = ranges_of(writer)
        games, part = len(self._arrays["codes"]), self._part
        for n, (name, rows) in enumerate(words_of(writer).items()):
            into = self._arrays[f"rows {name}"]
            most = len(into) // games
            first = part.start * most
            if len(rows) > (part.stop - part.start) * most:
                raise CarcError(f"there is room for {most} {name} a game with jobs above 1")
            into[first : first + len(rows)] = rows
            if name in writer.tables:
                self._mine["starts"][:, n] += first


def _words(encoding: Encoding) -> dict[str, NDArray[Any]]:
    """Return tokens of no game, as `words_of` has them."""
    return words_of(TokenWriter(encoding))


def _shared(encoding: Encoding, size: int, jobs: int) -> dict[str, NDArray[Any]]:
    """Return arrays in memory that is shared with the processes that are started next.

    Memory that nobody writes to takes no room.
    """
    rules = encoding.rules
    board = (size, len(encoding.plane_names), encoding.size, encoding.size)
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        "turns": ((jobs,), np.int64),  # what each process steps to; negative: it may not
        "question": ((2,), np.int64),  # its index, and how many arguments come by the pipes
        "told": ((jobs,), np.uint8),  # whether a process's answer comes by its pipe
        "codes": ((size,), np.int64),
        "uniforms": ((size,), np.float64),
        "masks": ((size, encoding.num_actions), np.uint8),
        "ended": ((size,), np.uint8),
        "players": ((size,), np.int64),
        "sampled": ((size,), np.int64),
        "returns": ((size, rules.players), np.float64),
        "scores": ((size, rules.owners), np.int64),
        "board": (board, np.uint8),
        "numbers": ((size, len(encoding.number_names)), np.int32),
    }
    fixed, words = fixed_shapes(encoding), _words(encoding)
    for name, rows in words.items():
        shapes[f"rows {name}"] = ((size * fixed[name][0], *rows.shape[1:]), rows.dtype)
    shapes["starts"] = shapes["counts"] = ((size, len(words) - 1), np.int64)
    needs = [
        -(-math.prod(shape) * np.dtype(kind).itemsize // ALIGN) * ALIGN
        for shape, kind in shapes.values()
    ]
    try:
        memory = mmap.mmap(-1, sum(needs))
    except OSError as error:
        raise CarcError(f"there is no memory for {size} games: {error.strerror}") from None
    offsets = [0, *accumulate(needs)]
    return {
        name: np.frombuffer(memory, kind, math.prod(shape), offset).reshape(shape)
        for (name, (shape, kind)), offset in zip(shapes.items(), offsets, strict=False)
    }


def _die_with(parent: int) -> Callable[[], None]:
    """Return a function that ends this process if its parent is gone."""

    def check() -> None:
        if os.getppid() != parent:
            os._exit(0)

    return check


def _wait(sign: Semaphore, check_others: Callable[[], None]) -> None:
    """Wait for a sign, at first awake: to wake up takes longer than most answers."""
    until = time.perf_counter() + AWAKE
    while not sign.acquire(False):
        os.sched_yield()
        if time.perf_counter() > until:
            while not sign.acquire(timeout=LOOK):
                check_others()
            return


def _work(pipe: Connection, asked: Semaphore, answered: Semaphore, worker: _Worker) -> None:
    """Do what is asked until the parent is gone: the life of a process."""
    while True:
        _wait(asked, worker.check_others)
        worker.answer_next(pipe)
        answered.release()


def _end(pipes: Sequence[Connection], processes: Sequence[BaseProcess]) -> None:
    for pipe in pipes:
        pipe.close()
    for process in processes:
        process.terminate()
        process.join()
