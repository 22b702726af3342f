// Fetches the changing part of the page every two seconds and swaps it in if it has changed.
"use strict";
(() => {
  const poll = async () => {
    const live = document.getElementById("live");
    if (!live.dataset.news) return;
    try {
      const answer = await fetch(live.dataset.news);
      if (answer.status === 200) {
        const html = await answer.text();
        if (!live.contains(document.activeElement)) {
          const template = document.createElement("template");
          template.innerHTML = html;
          live.replaceWith(template.content);
        }
      }
    } catch { /* the server is away: try again */ }
    setTimeout(poll, 2000);
  };
  setTimeout(poll, 1000);
})();
