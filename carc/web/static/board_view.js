// What of the board is in view. It stands still as long as there is something to choose in it, and
// signs at its edges say what is beyond.
"use strict";

const REACH = 22; // pixels around a place that a finger may miss it by
const SIDES = { left: "◀", right: "▶", up: "▲", down: "▼" };
const board = () => document.querySelector("#table .board");
const box = (element) => element.getBoundingClientRect();
const frame = () => {
  const { left, top } = box(board());
  return { left, top, right: left + board().clientWidth, bottom: top + board().clientHeight };
};
const middle = (a) => [(a.left + a.right) / 2, (a.top + a.bottom) / 2];

// The point of the board that is in the middle, for `showSpot` when another picture has come.
export const spotInView = () => new DOMPoint(...middle(frame())).matrixTransform(board().firstElementChild.getScreenCTM().inverse());

export const showSpot = (spot) => {
  const at = spot.matrixTransform(board().firstElementChild.getScreenCTM()), [x, y] = middle(frame());
  board().scrollBy(at.x - x, at.y - y);
};

// Scroll so that all of these are in view, or if they are too far apart one of them. If `few`, one
// is enough.
export const reveal = (targets, few = false) => {
  if (!targets.length) return;
  const boxes = targets.map(box), f = frame();
  const seen = boxes.filter((a) => a.left >= f.left && a.right <= f.right && a.top >= f.top && a.bottom <= f.bottom);
  if (seen.length === boxes.length || (few && seen.length)) return;
  let a = {
    left: Math.min(...boxes.map((one) => one.left)), right: Math.max(...boxes.map((one) => one.right)),
    top: Math.min(...boxes.map((one) => one.top)), bottom: Math.max(...boxes.map((one) => one.bottom)),
  };
  if (a.right - a.left > f.right - f.left || a.bottom - a.top > f.bottom - f.top) {
    if (seen.length) return;
    [a] = boxes;
  }
  const [x, y] = middle(a), [toX, toY] = middle(f);
  if (a.left < f.left || a.right > f.right) board().scrollLeft += x - toX;
  if (a.top < f.top || a.bottom > f.bottom) board().scrollTop += y - toY;
};

// Scroll the places for a follower into view, or else other choices, or else the last tile.
export const scrollToChoices = () => {
  const all = (selector) => [...board().querySelectorAll(selector)];
  const own = all(".pick:not(.cell):not(.there)"), others = all(".pick.there");
  if (own.length) reveal(own);
  else if (others.length) reveal(others, true);
  else reveal(all(".c-la"));
  reveal(all(".pick"), true);
  showBeyond();
};

// The choices beyond each edge.
const beyond = () => {
  const f = frame(), found = { left: [], right: [], up: [], down: [] };
  for (const pick of board().querySelectorAll(".pick")) {
    const [x, y] = middle(box(pick));
    if (x < f.left) found.left.push(pick);
    else if (x > f.right) found.right.push(pick);
    else if (y < f.top) found.up.push(pick);
    else if (y > f.bottom) found.down.push(pick);
  }
  return found;
};

const showBeyond = () => {
  for (const [side, picks] of Object.entries(beyond())) {
    const sign = document.querySelector(`#table .beyond[data-side="${side}"]`);
    sign.hidden = !picks.length;
    sign.textContent = `${SIDES[side]} ${picks.length}`;
    sign.setAttribute("aria-label", `${picks.length} more to choose: ${side}`);
  }
};

// The place that a finger means that has hit none.
export const nearest = (event) => {
  const distance = (pick) => {
    const [x, y] = middle(box(pick));
    return Math.hypot(event.clientX - x, event.clientY - y);
  };
  const [best] = [...board().querySelectorAll(".pick[data-actions]")].sort((a, b) => distance(a) - distance(b));
  return best && distance(best) <= REACH ? best : null;
};

// The board gets the height of the window that the rest leaves, and keeps what is chosen in view.
const fit = () => {
  const panel = document.querySelector("#table .now"), isBelow = getComputedStyle(panel).position === "sticky";
  const room = innerHeight - box(board()).top - scrollY - (isBelow ? box(panel).height : 28) - 8;
  document.documentElement.style.setProperty("--room", `${Math.floor(room)}px`);
  reveal([...board().querySelectorAll(".chosen, .tapped")]);
  showBeyond();
};
const watcher = new ResizeObserver(fit);
export const watch = () => {
  watcher.disconnect();
  for (const part of document.querySelectorAll(".table-head, #table .brief, #table .now")) watcher.observe(part);
  fit();
};

addEventListener("resize", fit);
document.addEventListener("scroll", (event) => { if (event.target === board()) showBeyond(); }, true);
document.addEventListener("click", (event) => {
  const side = event.target.closest?.("#table .beyond")?.dataset.side;
  if (side) reveal(beyond()[side]);
});
