// Fetches the part of the page that changes every two seconds, and puts it in place if it has changed.
"use strict";
(() => {
  const again = async () => {
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
    } catch { /* the server is away: ask again */ }
    setTimeout(again, 2000);
  };
  setTimeout(again, 1000);
})();
