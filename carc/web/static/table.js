// Makes a table's page live: clicks, drags and keys submit the form's choices, and news are swapped
// in.
"use strict";
import { nearest, reveal, scrollToChoices, showSpot, spotInView, watch } from "./board_view.js";
import { setUpDrag } from "./drag.js";
import { forget, remember } from "./own_games.js";
import { fold, setUpShare, showWhoIsHere } from "./share.js";
import { play, setUpSound } from "./sound.js";

const SVG = "http://www.w3.org/2000/svg";
const table = () => document.getElementById("table");
let chosen = null; // the chosen cell, its rotations, and the index of the current one
let turn = 0; // how the tile in hand is held, in quarter turns
let sending = false;
let explaining = matchMedia("(min-width: 761px)").matches; // whether symbols and pieces are explained

const swap = (html, own) => {
  const old = table();
  const template = document.createElement("template");
  template.innerHTML = html;
  const here = showWhoIsHere(template.content.firstElementChild.dataset.absent.split(" "));
  if (!own && template.content.firstElementChild.dataset.moved === old.dataset.moved) return showPeople(template.content.firstElementChild, here);
  const before = scores(), said = turns();
  const spot = spotInView();
  const focused = old.contains(document.activeElement), listed = old.querySelector(".every")?.open;
  explaining = old.querySelector(".terms")?.open ?? explaining;
  old.replaceWith(template.content);
  chosen = null;
  turn = 0;
  const fresh = table();
  if (focused || own) (fresh.querySelector(".pick, .buttons button") || fresh.querySelector(".status")).focus({ preventScroll: true });
  prepare(listed);
  keepInMind();
  if (own) fold();
  watch();
  showSpot(spot);
  scrollToChoices();
  markHint();
  announce([here, ...turns().filter((one) => !said.includes(one)).reverse(), ...showGains(before), fresh.querySelector(".status").textContent]);
  tick();
};

// Without a script there is no cell to choose; what was opened or closed stays so.
const prepare = (listed) => {
  table().querySelector(".placing")?.removeAttribute("hidden");
  table().querySelector(".every")?.toggleAttribute("open", Boolean(listed));
  table().querySelector(".terms")?.toggleAttribute("open", explaining);
};

// Somebody has come, and nothing has moved: whoever chooses is not disturbed.
const showPeople = (fresh, here) => {
  const old = table();
  for (const part of [".status", ".scores", ".brief", ".report"]) old.querySelector(part).replaceWith(fresh.querySelector(part));
  Object.assign(old.dataset, { version: fresh.dataset.version, absent: fresh.dataset.absent, titles: fresh.dataset.titles });
  for (const field of old.querySelectorAll('[name="version"]')) field.value = fresh.dataset.version;
  document.getElementById("announcement").textContent = here;
  keepInMind();
  tick();
};

// Name all players, by whose names one finds back from the home page until the game is over.
const keepInMind = () => {
  if (!table().dataset.live) return;
  document.querySelector("h1").firstChild.textContent = `${table().dataset.titles} `;
  const { address, over } = table().dataset;
  if (over) forget(address);
  else if (address.split("/").length > 3) remember(address, [...document.querySelector("h1").childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(": "));
};

const turns = () => [...table().querySelectorAll(".report li")].filter((one) => one.querySelector(".who").textContent).map((one) => one.querySelector("span").textContent.replace(/\s+/g, " ").trim());

// Tell a screen reader what happened, and everybody who wants it by a tone.
const announce = (sentences) => {
  document.getElementById("announcement").textContent = sentences.filter(Boolean).join(". ");
  if (table().querySelector(".gain")) play("gain");
  else play(table().dataset.decides ? "turn" : "place");
};

const scores = () => new Map([...table().querySelectorAll(".score")].map((cell) => [cell.dataset.owner, Number(cell.dataset.score)]));

// Let points that were gained fly from the tile placed last to the score. Return them in words.
const showGains = (before) => {
  const said = [];
  const from = (table().querySelector(".c-la") || table().querySelector(".board")).getBoundingClientRect();
  for (const cell of table().querySelectorAll(".score")) {
    const gain = Number(cell.dataset.score) - (before.get(cell.dataset.owner) ?? 0);
    if (!gain) continue;
    const text = gain > 0 ? `+${gain}` : `${gain}`;
    said.push(`${cell.dataset.name} ${text} point${Math.abs(gain) === 1 ? "" : "s"}`);
    const badge = document.createElement("span");
    badge.className = "gain";
    badge.textContent = text;
    badge.setAttribute("aria-hidden", "true");
    cell.prepend(badge);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || !badge.animate) continue;
    const to = badge.getBoundingClientRect();
    const x = from.left + from.width / 2 - to.left, y = from.top + from.height / 2 - to.top;
    badge.animate([{ transform: `translate(${x}px,${y}px)scale(2)` }, { transform: "none" }], { duration: 900, easing: "ease-in-out" });
  }
  return said.length ? [said.join(", ")] : [];
};

// Show the seconds left, those of one player running down.
let shownAt = performance.now();
const tick = (fresh = true) => {
  if (fresh) shownAt = performance.now();
  for (const cell of table().querySelectorAll(".clock")) {
    if (!cell.dataset.left) continue;
    const spent = cell.dataset.running ? (performance.now() - shownAt) / 1000 : 0;
    const left = Math.max(0, Math.ceil(Number(cell.dataset.left) - spent));
    cell.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
};
setInterval(() => tick(false), 500);

// Outline the cells of a feature, and mark where it is on the tile in hand.
const draw = (group, kind, numbers) => {
  const shape = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(numbers)) shape.setAttribute(name, value);
  group.append(shape);
};
const pairs = (text) => text ? text.trim().split(" ").map((pair) => pair.split(",").map(Number)) : [];
const outline = (element) => {
  const group = table().querySelector(".outline");
  group.replaceChildren();
  if (!element) return;
  for (const [x, y] of pairs(element.dataset.cells)) draw(group, "rect", { x: 100 * x + 3, y: 100 * y + 3, width: 94, height: 94, rx: 6 });
  for (const [cx, cy] of pairs(element.dataset.spots)) draw(group, "circle", { cx, cy, r: 8 });
};
for (const name of ["pointerover", "focusin"]) {
  document.addEventListener(name, (event) => {
    const pointed = event.target.closest?.("#table [data-cells]");
    const element = pointed || document.activeElement?.closest?.("#table [data-cells]");
    if (element || name === "pointerover") outline(element);
  });
}

// Show what the features of the tile would be if it were placed so.
let previews = 0;
const showConsequences = async (action) => {
  const number = ++previews;
  try {
    const query = new URLSearchParams({ action, version: table().dataset.version });
    const response = await fetch(`${table().dataset.address}/preview?${query}`);
    if (response.status === 200) {
      const html = await response.text();
      const place = table().querySelector(".consequences");
      if (number === previews && place && chosen) place.innerHTML = html;
    }
  } catch { /* only a preview is missing */ }
};

// Tell what the features of a tile on the board are worth.
const askAbout = async (event) => {
  const svg = table().querySelector(".board svg");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const cell = `${Math.floor(at.x / 100)},${Math.floor(at.y / 100)}`;
  try {
    const response = await fetch(`${table().dataset.address}/features?${new URLSearchParams({ cell })}`);
    table().querySelector(".asked").innerHTML = response.status === 200 ? await response.text() : "";
    outline(null);
  } catch { /* only an answer is missing */ }
};

// Mark the choice that the hint names, with the tile turned so; show the place of what was best.
const markHint = () => {
  const hint = table().querySelector(".advice");
  if (!hint) return;
  const place = hint.dataset.action.match(/^place:(-?\d+,-?\d+),([0-3])$/);
  const selector = place ? `[data-cell="${place[1]}"]` : `.pick[data-actions~="${CSS.escape(hint.dataset.action)}"]`;
  const advised = [...table().querySelectorAll(selector)];
  for (const pick of advised) pick.classList.add("advised");
  if (place && advised.length) {
    turn = Number(place[2]);
    choose(advised[0], false);
  }
  reveal([...advised, ...table().querySelectorAll(".best")]);
};

const send = async (action, name) => {
  if (sending) return;
  sending = true;
  try {
    const body = new URLSearchParams({ action, version: table().dataset.version, ...(name && { name }) });
    const response = await fetch(table().dataset.address, { method: "POST", body, headers: { "X-Carc": "part" } });
    const text = await response.text();
    if (text.includes('id="table"')) swap(text, true);
    else location.reload();
  } catch {
    table().querySelector(".status").textContent = "The server does not respond. Trying again.";
  } finally {
    sending = false;
  }
};

// The drawing of the tile in hand; if there is text on it, that is upright in each rotation.
const drawn = (rotation) => {
  const name = `c-${table().dataset.hand}`;
  return document.getElementById(`${name}@${rotation}`) ? `#${name}@${rotation}` : `#${name}`;
};

const hold = (rotation) => {
  const hand = table().querySelector(".hand .turning");
  hand?.setAttribute("transform", `rotate(${90 * rotation} 50 50)`);
  hand?.firstElementChild.setAttribute("href", drawn(rotation));
};

const unchoose = () => {
  table().querySelector(".pick.chosen")?.classList.remove("chosen");
  table().querySelector(".preview")?.remove();
  table().querySelector(".preview-list")?.remove();
  for (const button of table().querySelectorAll(".placing button")) button.disabled = button.dataset.do === "place";
  chosen = null;
  hold(turn);
};

// Show the tile in a cell, as it is held if it fits so; if it is there already, in its next
// rotation.
const choose = (cell, rotate) => {
  const rotations = cell.dataset.rotations.split(" ").map(Number);
  const old = chosen && chosen.cell === cell ? chosen.at : -1;
  unchoose();
  const at = old < 0 ? Math.max(0, rotations.indexOf(turn)) : (old + (rotate ? 1 : 0)) % rotations.length;
  chosen = { cell, rotations, at };
  cell.classList.add("chosen");
  const [x, y] = cell.dataset.cell.split(",").map(Number);
  const rotation = rotations[at];
  if (rotate && old >= 0) turn = rotation;
  const preview = document.createElementNS(SVG, "use");
  preview.setAttribute("href", drawn(rotation));
  preview.setAttribute("class", "preview");
  preview.setAttribute("transform", `translate(${100 * x} ${100 * y})rotate(${90 * rotation} 50 50)`);
  cell.prepend(preview);
  hold(rotation);
  table().querySelector('[data-do="rotate"]').disabled = rotations.length < 2;
  table().querySelector('[data-do="place"]').disabled = false;
  showConsequences(`place:${cell.dataset.cell},${rotation}`);
};

const rotateTile = () => {
  if (chosen) choose(chosen.cell, true);
  else if (table().querySelector(".hand .draggable")) hold(turn = (turn + 1) % 4);
};

const place = () => {
  if (chosen) send(`place:${chosen.cell.dataset.cell},${chosen.rotations[chosen.at]}`);
};

// A follower that is dropped on a place is put there.
const claim = (pick, kind) => {
  const action = pick.dataset.actions.split(" ").find((one) => one.startsWith("claim:") && one.split(",")[1] === kind);
  if (action) send(action);
};

setUpDrag({
  over: (cell, kind) => {
    if (kind) table().querySelectorAll(".pick").forEach((pick) => pick.classList.toggle("pointed", pick === cell));
    else if (cell) choose(cell, false);
    else unchoose();
  },
  drop: (cell, isCancelled, kind) => {
    if (!cell || isCancelled) unchoose();
    else if (kind) claim(cell, kind);
  },
  tap: (kind) => { if (!kind) rotateTile(); },
});

// A place with one action is clicked once. A finger may miss, and sees no words before it taps: it
// taps again, or the button. A place with several actions has a button for each.
const pickPlace = (pick, event) => {
  const again = pick.matches(".tapped");
  if (pick.dataset.action && (again || event.pointerType !== "touch")) return send(pick.dataset.action);
  table().querySelector(".tapped")?.classList.remove("tapped");
  pick.classList.add("tapped");
  table().querySelector(".meaning").textContent = `${pick.dataset.term || ""} ${pick.dataset.action ? "Tap again to do this." : "Choose one:"}`.trim();
  const actions = pick.dataset.actions.split(" ");
  const buttons = [...table().querySelectorAll(".every button")].filter((button) => actions.includes(button.value)).map((button) => button.cloneNode(true));
  if (buttons.length === 1) buttons[0].classList.add("main");
  table().querySelector(".at-place").replaceChildren(...buttons);
  if (event.type === "keydown") buttons[0].focus();
};
const say = (pick) => {
  const words = pick.getAttribute("aria-label");
  table().querySelector(".meaning").textContent = `${words[0].toUpperCase()}${words.slice(1)}. ${pick.dataset.term || ""}`;
};
// An action of the list shows its place.
const point = (button) => {
  table().querySelector(".pointed")?.classList.remove("pointed");
  const pick = button && table().querySelector(`.pick[data-actions~="${CSS.escape(button.value)}"]`);
  pick?.classList.add("pointed");
  if (pick?.dataset.cells) outline(pick);
};
for (const name of ["pointerover", "focusin"]) {
  document.addEventListener(name, (event) => {
    const pick = event.target.closest?.("#table .pick[data-actions]"), button = event.target.closest?.(".choices button[value]");
    const isMeant = name === "focusin" ? pick?.matches(":focus-visible") : event.pointerType !== "touch";
    if (pick && isMeant && !table().querySelector(".tapped")) say(pick);
    point(button);
  });
}

document.addEventListener("click", (event) => {
  const isFinger = event.pointerType === "touch" && event.target.closest("#table .board");
  const pick = event.target.closest(".pick") || (isFinger && nearest(event));
  const button = event.target.closest("#table button");
  if (pick && pick.dataset.cell) choose(pick, true);
  else if (pick) pickPlace(pick, event);
  else if (chosen && event.target.closest(".board")) unchoose();
  else if (event.target.closest("#table .board svg")) askAbout(event);
  else if (button && button.dataset.do === "rotate") rotateTile();
  else if (button && button.dataset.do === "place") place();
  else if (button && button.value === "rematch") return; // the form leads to another page
  else if (button && button.name === "action") {
    event.preventDefault();
    if (["hint", "best"].includes(button.value)) button.textContent = "Thinking …";
    send(button.value);
  }
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches(".greeting")) return;
  event.preventDefault();
  send("", event.target.elements.name.value);
});

document.addEventListener("dblclick", (event) => { if (event.target.closest(".pick.cell")) event.preventDefault(); });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const pick = event.target.closest?.(".pick");
  if ((event.key === "r" || event.key === "R") && !event.target.matches?.("input")) { rotateTile(); event.preventDefault(); }
  if (!pick) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (!pick.dataset.cell) pickPlace(pick, event);
    else if (chosen && chosen.cell === pick) place();
    else choose(pick, false);
  }
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step) {
    const all = [...table().querySelectorAll(".pick")];
    all[(all.indexOf(pick) + step + all.length) % all.length].focus();
    event.preventDefault();
  }
});

// Wait for news. The server answers when there are some.
const listen = async () => {
  for (;;) {
    const since = table().dataset.version;
    try {
      const response = await fetch(`${table().dataset.address}/news?since=${since}`);
      if (response.status === 200) {
        const html = await response.text();
        if (!sending && table().dataset.version === since) swap(html, false);
      } else if (response.status === 404) {
        table().querySelector(".status").textContent = "This table has been closed.";
        return;
      } else if (response.status !== 204) await new Promise((done) => setTimeout(done, 2000));
    } catch {
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
};

// The whole board, or larger tiles and a board that scrolls.
const whole = document.querySelector('[data-tool="whole"]');
const showWhole = (yes) => {
  document.documentElement.classList.toggle("whole-board", yes);
  whole.setAttribute("aria-pressed", yes);
  scrollToChoices();
};
whole.hidden = false;
whole.addEventListener("click", () => showWhole(whole.getAttribute("aria-pressed") !== "true"));

setUpSound(document.querySelector('[data-tool="sound"]'));
setUpShare();
keepInMind();
prepare(false);
watch();
scrollToChoices();
tick();
if (table().dataset.live) listen();
