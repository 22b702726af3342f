// Lets the tile in hand be dragged to a marked cell, and a follower of the supply to a place for it. A
// press without a move is a tap.
"use strict";

const START = 6; // pixels from which a press is a drag
const PIECE = 44; // pixels of a follower that is dragged
const EDGE = 36, STEP = 9; // near an edge of the board it scrolls by so many pixels a frame

// `hooks`: over(place or null, kind) while the tile or a follower of that kind is dragged, drop(place
// or null, isCancelled, kind), tap(kind).
export const setUpDrag = (hooks) => {
  let drag = null;

  const placeAt = (x, y) => document.elementFromPoint(x, y)?.closest(drag.kind ? ".pick[data-actions]" : ".pick.cell") || null;

  const lift = () => {
    const cell = document.querySelector("#table .pick.cell rect")?.getBoundingClientRect();
    const ghost = drag.hand.cloneNode(true);
    ghost.classList.add("ghost");
    ghost.style.width = ghost.style.height = `${drag.kind ? PIECE : cell.width / 0.9 * 1.08}px`;
    ghost.setAttribute("aria-hidden", "true");
    document.body.append(ghost);
    drag.ghost = ghost;
    requestAnimationFrame(scroll);
  };

  const scroll = () => {
    if (!drag?.ghost) return;
    const board = document.querySelector("#table .board"), box = board.getBoundingClientRect();
    const inside = drag.x > box.left && drag.x < box.right && drag.y > box.top && drag.y < box.bottom;
    if (inside && !drag.cell) { // a cell to drop it on stays where it is
      const before = [board.scrollLeft, board.scrollTop];
      if (drag.x < box.left + EDGE) board.scrollLeft -= STEP;
      if (drag.x > box.right - EDGE) board.scrollLeft += STEP;
      if (drag.y < box.top + EDGE) board.scrollTop -= STEP;
      if (drag.y > box.bottom - EDGE) board.scrollTop += STEP;
      if (before[0] !== board.scrollLeft || before[1] !== board.scrollTop) point();
    }
    requestAnimationFrame(scroll);
  };

  const point = () => {
    const cell = placeAt(drag.x, drag.y);
    drag.ghost.classList.toggle("over", Boolean(cell));
    drag.ghost.style.transform = `translate(${drag.x}px,${drag.y}px)translate(-50%,-50%)`;
    drag.ghost.querySelector(".turning")?.setAttribute("transform", drag.hand.querySelector(".turning").getAttribute("transform") || "");
    if (cell === drag.cell) return;
    drag.cell = cell;
    hooks.over(cell, drag.kind);
  };

  const end = (isCancelled) => {
    const { ghost, cell, kind } = drag;
    drag = null;
    ghost?.remove();
    if (ghost) hooks.drop(cell, isCancelled, kind);
    else if (!isCancelled) hooks.tap(kind);
  };

  document.addEventListener("pointerdown", (event) => {
    const hand = event.target.closest?.("#table .draggable");
    if (drag && !drag.hand.isConnected) end(true);
    if (!hand || event.button || drag) return;
    event.preventDefault();
    drag = { hand, kind: hand.dataset.kind, id: event.pointerId, from: [event.clientX, event.clientY], cell: null };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    [drag.x, drag.y] = [event.clientX, event.clientY];
    if (!drag.hand.isConnected) return end(true); // the position has changed meanwhile
    if (!drag.ghost && Math.hypot(drag.x - drag.from[0], drag.y - drag.from[1]) > START) lift();
    if (drag.ghost) point();
  });
  document.addEventListener("pointerup", (event) => { if (drag && event.pointerId === drag.id) end(!drag.hand.isConnected); });
  document.addEventListener("pointercancel", (event) => { if (drag && event.pointerId === drag.id) end(true); });
  document.addEventListener("keydown", (event) => { if (drag && event.key === "Escape") end(true); });
};
