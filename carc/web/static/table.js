// Makes a table's page live: clicks and keys become the form's choices, and the part that changes is fetched anew.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const table = () => document.getElementById("table");
  let chosen = null; // the cell being looked at, and which of its ways
  let asking = false;

  const swap = (html, mine) => {
    const old = table();
    const board = old.querySelector(".board");
    const scrolled = [board.scrollLeft, board.scrollTop];
    const focused = old.contains(document.activeElement);
    const template = document.createElement("template");
    template.innerHTML = html;
    old.replaceWith(template.content);
    chosen = null;
    const fresh = table();
    fresh.querySelector(".board").scrollTo(...scrolled);
    if (focused || mine) (fresh.querySelector(".pick, .buttons button") || fresh.querySelector(".status")).focus({ preventScroll: true });
    arrive();
    advise();
  };

  // Bring the choices, or else the tile laid last, into sight if they are not.
  const arrive = () => {
    const board = table().querySelector(".board");
    const seen = [...board.querySelectorAll(".pick:not(.cell)")];
    if (!seen.length) seen.push(...board.querySelectorAll(".c-la"));
    if (!seen.length) return;
    const boxes = seen.map((one) => one.getBoundingClientRect()), b = board.getBoundingClientRect();
    const a = {
      left: Math.min(...boxes.map((one) => one.left)), right: Math.max(...boxes.map((one) => one.right)),
      top: Math.min(...boxes.map((one) => one.top)), bottom: Math.max(...boxes.map((one) => one.bottom)),
    };
    if (a.left < b.left || a.right > b.right) board.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
    if (a.top < b.top || a.bottom > b.bottom) board.scrollTop += (a.top + a.bottom - b.top - b.bottom) / 2;
  };

  // Point at what the hint says.
  const advise = () => {
    const advice = table().querySelector(".advice");
    if (!advice) return;
    const way = advice.dataset.action.match(/^place:(-?\d+,-?\d+),/);
    const at = way ? `[data-cell="${way[1]}"]` : `[data-action="${CSS.escape(advice.dataset.action)}"].pick`;
    table().querySelector(at)?.classList.add("advised");
  };

  const send = async (action) => {
    if (asking) return;
    asking = true;
    try {
      const body = new URLSearchParams({ action, version: table().dataset.version });
      const answer = await fetch(table().dataset.address, { method: "POST", body, headers: { "X-Carc": "part" } });
      const text = await answer.text();
      if (text.includes('id="table"')) swap(text, true);
      else location.reload();
    } catch {
      table().querySelector(".status").textContent = "The server does not answer. Trying again.";
    } finally {
      asking = false;
    }
  };

  const look = (cell, turn) => {
    const ways = cell.dataset.ways.split(" ").map(Number);
    const same = chosen && chosen.cell === cell;
    table().querySelector(".pick.chosen")?.classList.remove("chosen");
    table().querySelector(".preview")?.remove();
    chosen = { cell, ways, at: same ? (chosen.at + (turn ? 1 : 0)) % ways.length : 0 };
    cell.classList.add("chosen");
    const [x, y] = cell.dataset.cell.split(",").map(Number);
    const way = ways[chosen.at];
    const preview = document.createElementNS(SVG, "use");
    preview.setAttribute("href", `#c-${table().dataset.hand}`);
    preview.setAttribute("class", "preview");
    preview.setAttribute("transform", `translate(${100 * x} ${100 * y})rotate(${90 * way} 50 50)`);
    cell.append(preview);
    table().querySelector(".turning").setAttribute("transform", `rotate(${90 * way} 50 50)`);
    const laying = table().querySelector(".laying");
    laying.hidden = false;
    laying.querySelector('[data-do="turn"]').disabled = ways.length < 2;
  };

  const lay = () => {
    if (chosen) send(`place:${chosen.cell.dataset.cell},${chosen.ways[chosen.at]}`);
  };

  document.addEventListener("click", (event) => {
    const pick = event.target.closest(".pick");
    const button = event.target.closest("#table button");
    if (pick && pick.dataset.cell) look(pick, true);
    else if (pick) send(pick.dataset.action);
    else if (button && button.dataset.do === "turn") { if (chosen) look(chosen.cell, true); }
    else if (button && button.dataset.do === "lay") lay();
    else if (button && button.name === "action") { event.preventDefault(); send(button.value); }
  });

  document.addEventListener("dblclick", (event) => { if (event.target.closest(".pick.cell")) event.preventDefault(); });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const pick = event.target.closest?.(".pick");
    if ((event.key === "r" || event.key === "R") && chosen) { look(chosen.cell, true); event.preventDefault(); }
    if (!pick) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!pick.dataset.cell) send(pick.dataset.action);
      else if (chosen && chosen.cell === pick) lay();
      else look(pick, false);
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      const all = [...table().querySelectorAll(".pick")];
      all[(all.indexOf(pick) + step + all.length) % all.length].focus();
      event.preventDefault();
    }
  });

  // Waits for news; the server answers when there is some.
  const listen = async () => {
    for (;;) {
      if (table().dataset.over) return;
      const since = table().dataset.version;
      try {
        const answer = await fetch(`${table().dataset.address}/news?since=${since}`);
        if (answer.status === 200) {
          const html = await answer.text();
          if (!asking && table().dataset.version === since) swap(html, false);
        } else if (answer.status === 404) {
          table().querySelector(".status").textContent = "This table was closed.";
          return;
        } else if (answer.status !== 204) await new Promise((done) => setTimeout(done, 2000));
      } catch {
        await new Promise((done) => setTimeout(done, 2000));
      }
    }
  };
  arrive();
  listen();
})();
