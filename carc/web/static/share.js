// Copies and shares the links of a table.
"use strict";

// The friends who have come need no link any more.
export const showWhoIsHere = (absent) => {
  const box = document.querySelector(".invite"), names = [];
  for (const item of box.querySelectorAll("li[data-seat]:not([data-seat=''])")) {
    if (absent.includes(item.dataset.seat)) continue;
    names.push(item.querySelector("label").textContent.trim());
    item.remove();
  }
  if (!names.length) return "";
  const said = `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} here`;
  if (!box.querySelector("li[data-seat]:not([data-seat=''])")) {
    box.open = false;
    box.querySelector("summary").textContent = `${said}. Let someone watch`;
  }
  return said;
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
