// Fetches the changing part of the page every two seconds and swaps it in if it has changed.
"use strict";
(() => {
  // The focus and tables that are scrolled sideways stay where they are.
  const name = (element) => element.getAttribute("href") ?? element.getAttribute("aria-label");
  const twins = (part, wanted) => [...part.querySelectorAll("a, .scroll")].filter((each) => name(each) === wanted);
  const swap = (live, html) => {
    const focused = live.contains(document.activeElement) ? document.activeElement : null;
    const number = focused && twins(live, name(focused)).indexOf(focused);
    const scrolled = [...live.querySelectorAll(".scroll")].map((each) => [name(each), each.scrollLeft]);
    const template = document.createElement("template");
    template.innerHTML = html;
    live.replaceWith(template.content);
    const fresh = document.getElementById("live");
    for (const [table, left] of scrolled) for (const each of twins(fresh, table)) each.scrollLeft = left;
    if (focused) twins(fresh, name(focused))[number]?.focus({ preventScroll: true });
  };
  const poll = async () => {
    const live = document.getElementById("live");
    if (!live.dataset.news) return;
    try {
      const answer = await fetch(live.dataset.news);
      if (answer.status === 200) {
        const html = await answer.text();
        const used = document.activeElement?.closest("form"); // a menu that is open stays
        if (!live.contains(used)) swap(live, html);
      }
    } catch { /* the server is away: try again */ }
    setTimeout(poll, 2000);
  };
  setTimeout(poll, 1000);
})();
