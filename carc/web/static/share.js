// Copies and shares the links of a table.
"use strict";

const seats = (here) => [...document.querySelectorAll(`.invite li[data-seat]:not([data-seat=""])${here ? ".here" : ":not(.here)"}`)];

// The friends who have come need no link any more. The box stays as high as it is, so that nothing
// moves under the hand of whoever is playing.
export const showWhoIsHere = (absent) => {
  const names = [], friends = seats(true).length + seats(false).length;
  for (const item of seats(false)) {
    if (absent.includes(item.dataset.seat)) continue;
    names.push(friends > 1 ? item.querySelector("label").textContent.trim() : "Your friend");
    item.style.height = `${item.getBoundingClientRect().height}px`;
    item.className = "here";
    item.textContent = `${names.at(-1)} is here.`;
  }
  if (!names.length) return "";
  const said = `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} here`;
  if (!seats(false).length) document.querySelector(".invite summary").textContent = `${said}. Let someone watch`;
  return said;
};

// Close the box once all friends have come and one has made a move oneself.
export const fold = () => {
  if (seats(false).length || !seats(true).length) return;
  for (const item of seats(true)) item.remove();
  const box = document.querySelector(".invite");
  box.open = false;
  box.querySelector("summary").textContent = "Let someone watch";
};

export const setUpShare = () => {
  for (const item of document.querySelectorAll(".invite > ul > li")) {
    const field = item.querySelector("input");
    const address = new URL(field.dataset.address, location.href).href;
    field.value = address; // a proxy may have hidden it from the server
    field.addEventListener("focus", () => field.select());
    const copy = item.querySelector("[data-copy]"), share = item.querySelector("[data-share]");
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      field.select();
      try {
        if (navigator.clipboard) await navigator.clipboard.writeText(address);
        else if (!document.execCommand("copy")) return; // the link is selected, to be copied by hand
        copy.textContent = "Copied";
      } catch { /* not allowed: the same */ }
    });
    if (!navigator.share) continue;
    share.hidden = false;
    share.addEventListener("click", () => navigator.share({ title: document.title, url: address }).catch(() => {}));
  }
};
