// Leads back to the games that this browser plays, and says how they stand.
"use strict";
import { forget, ownGames } from "./own_games.js";

const section = document.getElementById("own-games"), list = section.querySelector("ul");

const show = async ({ address, title }) => {
  const item = document.createElement("li"), link = document.createElement("a"), name = document.createElement("b"), status = document.createElement("span");
  link.href = address;
  name.textContent = title;
  link.append(name, status);
  item.append(link);
  list.append(item);
  const response = await fetch(`${address}/news?since=`);
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  const table = template.content.querySelector("#table");
  if (response.status === 404 || table?.dataset.over) {
    forget(address);
    item.remove();
    section.hidden = !list.children.length;
  } else status.textContent = table?.querySelector(".status").textContent || "";
};

for (const game of ownGames()) show(game).catch(() => { /* the server is away */ });
section.hidden = !list.children.length;
