// A bot in an arena, with nothing but Node: node client.mjs URL TOKEN NAME
import { randomUUID } from "node:crypto";

const [url, token, name] = process.argv.slice(2);
// One session: this bot remembers nothing, so it always knows enough to go on with a game.
const query = new URLSearchParams({ bot: name, version: "1", session: randomUUID() });
const address = `${url}/arena/play?${query}`;
const headers = { Authorization: `Bearer ${token}` };

// The bot: it sees `legal`, and the `state` if "ready" asked for it.
const choose = ({ legal }) => legal[Math.floor(Math.random() * legal.length)];

const answers = {
  ping: ({ id }) => ({ type: "pong", id }),
  hello: () => ({ type: "ready", protocol: 1 }),
  choose: (message) => ({ type: "action", id: message.id, action: choose(message) }),
};

async function hear(line) {
  const message = JSON.parse(line);
  const answer = answers[message.type]?.(message);
  if (answer) {
    const body = JSON.stringify(answer);
    const reply = await fetch(address, { method: "POST", headers, body });
    if (!reply.ok) console.log(await reply.text());
  } else if (message.type === "over" || message.type === "end") {
    console.log(line);
  }
}

for (;;) {
  try {
    const stream = await fetch(address, { headers });
    if (!stream.ok) {
      console.error(await stream.text());
      if (stream.status < 500 && stream.status !== 429) process.exit(1); // nor another time
    } else {
      let rest = "";
      for await (const text of stream.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) await hear(line);
      }
    }
  } catch (error) {
    console.error(String(error.cause ?? error));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
