// A bot that places tiles where the most neighbors are, and followers whenever it can.
// It speaks the protocol of carc, version 1.
"use strict";
const readline = require("node:readline");

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function neighbors(action, tiles) {
  const [x, y] = action.slice("place:".length).split(",").map(Number);
  return tiles.filter((tile) => Math.abs(tile.x - x) <= 1 && Math.abs(tile.y - y) <= 1).length;
}

function choose(legal, state) {
  const placements = legal.filter((action) => action.startsWith("place:"));
  if (placements.length === 0) return legal[0]; // a claim, if there is one; claims come before pass
  const counts = placements.map((action) => neighbors(action, state.tiles));
  return placements[counts.indexOf(Math.max(...counts))];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") send({ type: "ready", protocol: 1, state: true });
  if (message.type === "choose")
    send({ type: "action", id: message.id, action: choose(message.legal, message.state) });
  if (message.type === "over") process.exit(0);
});
