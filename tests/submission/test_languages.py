"""Honest bots, of every kind that isolation must not break: each plays a game without a fault."""

import shutil
import subprocess
from pathlib import Path

import pytest
from support.playing import STRONG, Against

pytestmark = pytest.mark.parametrize("level", STRONG)
CLOCK = "cap=9,start=9"

C = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 16], action[128];

static void *first(void *found) {
    char *legal = strstr(line, "\"legal\":[\"");
    strncpy(found, legal + 10, strcspn(legal + 10, "\""));
    return NULL;
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"hello\"")) printf("{\"type\":\"ready\",\"protocol\":1}\n");
        else if (strstr(line, "\"type\":\"over\"")) return 0;
        else if (id) {
            pthread_t thread;
            memset(action, 0, sizeof action);
            if (pthread_create(&thread, NULL, first, action)) return 1;
            if (pthread_join(thread, NULL)) return 1;
            printf("{\"type\":\"action\",\"id\":%ld,\"action\":\"%s\"}\n", atol(id + 5), action);
        }
        fflush(stdout);
    }
    return 0;
}
"""

NODE = r"""
const fs = require('fs'), os = require('os'), path = require('path');
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (!isMainThread) {
  parentPort.on('message', legal => parentPort.postMessage(legal[0]));
} else {
  const worker = new Worker(__filename);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'bot-'));
  let current;
  worker.on('message', action => say({ type: 'action', id: current, action }));
  const say = message => process.stdout.write(JSON.stringify(message) + '\n');
  require('readline').createInterface({ input: process.stdin }).on('line', line => {
    const message = JSON.parse(line);
    if (message.type === 'hello') say({ type: 'ready', protocol: 1 });
    if (message.type === 'over') process.exit(0);
    if (message.type === 'choose') {
      current = message.id;
      fs.writeFileSync(path.join(scratch, 'last'), line);
      fs.readFile(path.join(scratch, 'last'), () => worker.postMessage(message.legal));
    }
  });
}
"""

NUMPY_AND_SQLITE = """
import sqlite3, tempfile
import numpy as np
where = tempfile.mkdtemp()
journals = []
for journal in ("delete", "truncate", "persist", "wal", "memory"):
    book = sqlite3.connect(f"{where}/{journal}.db", isolation_level=None)
    found = book.execute(f"PRAGMA journal_mode={journal}").fetchone()[0]
    assert found == journal, found
    book.execute("CREATE TABLE seen (number INTEGER PRIMARY KEY, text TEXT)")
    journals.append(book)
random = np.random.default_rng(1)
def choose(m):
    values = random.normal(size=(60, 60)) @ random.normal(size=(60, 60))
    assert np.isfinite(np.linalg.svd(values, compute_uv=False)).all()
    for book in journals:
        book.execute("BEGIN IMMEDIATE")
        book.execute("INSERT INTO seen (text) VALUES (?)", (m["legal"][0],))
        book.execute("COMMIT")
    again = sqlite3.connect(f"{where}/wal.db")
    assert again.execute("SELECT count(*) FROM seen").fetchone()[0] > 0
    again.execute("CREATE TEMPORARY TABLE sorted AS SELECT text FROM seen ORDER BY text")
    again.close()
    with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryFile() as other:
        np.save(file, values)
        other.write(b"x")
    reply(m)
play(choose)
"""

THREADS = """
import asyncio, concurrent.futures, queue, threading
pool = concurrent.futures.ThreadPoolExecutor(8)
asked, answered = queue.Queue(), queue.Queue()
def answer():
    while True: answered.put(min(asked.get()))
threading.Thread(target=answer, daemon=True).start()
async def sums():
    loop = asyncio.get_running_loop()
    return await asyncio.gather(*(loop.run_in_executor(pool, sum, range(10_000)) for _ in range(8)))
def choose(m):
    assert len(set(asyncio.run(sums()))) == 1
    asked.put(m["legal"])
    reply(m, answered.get())
play(choose)
"""


def test_numpy_and_sqlite(against: Against, level: str) -> None:
    played = against(level, NUMPY_AND_SQLITE, CLOCK)
    assert played.verdict == "ok", (played.detail, played.stderr)


def test_threads(against: Against, level: str) -> None:
    played = against(level, THREADS, CLOCK)
    assert played.verdict == "ok", (played.detail, played.stderr)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_node(against: Against, level: str, folder: Path) -> None:
    node = shutil.which("node") or ""
    (folder / "bot").mkdir()
    (folder / "bot" / "bot.js").write_text(NODE)
    played = against(level, "", CLOCK, command=[str(Path(node).resolve()), "bot.js"])
    assert played.verdict == "ok", (played.detail, played.stderr)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_c(against: Against, level: str, folder: Path) -> None:
    (folder / "bot").mkdir()
    (folder / "bot" / "bot.c").write_text(C)
    build = ["cc", "-O1", "-pthread", "-o", "bot/mine", "bot/bot.c"]
    subprocess.run(build, cwd=folder, check=True)
    played = against(level, "", CLOCK, command=["./mine"])
    assert played.verdict == "ok", (played.detail, played.stderr)
