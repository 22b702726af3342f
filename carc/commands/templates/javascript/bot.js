// A bot: lays tiles where the most tiles are around, and claims when it can. Speaks carc's protocol 1 (docs/protocol.md).
"use strict";
const readline = require("node:readline");

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function choose(legal, state) {
  const laid = new Set(state.tiles.map((tile) => `${tile.x},${tile.y}`));
  let best = legal[0];
  let most = -1;
  for (const action of legal) {
    if (!action.startsWith("place:")) continue;
    const [x, y] = action.slice("place:".length).split(",").map(Number);
    let around = 0;
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) if (laid.has(`${x + dx},${y + dy}`)) around++;
    if (around > most) [best, most] = [action, around];
  }
  return best;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready", protocol: 1, state: true });
  if (message.type === "choose")
    say({ type: "action", id: message.id, action: choose(message.legal, message.state) });
  if (message.type === "over") process.exit(0);
});
