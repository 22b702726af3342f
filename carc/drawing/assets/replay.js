// Steps through a replay. Every part of the board names the positions in which it is visible.
(() => {
  "use strict";
  for (const root of document.querySelectorAll(".carc-replay:not([data-ready])")) {
    root.dataset.ready = "";
    const one = (selector) => root.querySelector(selector);
    const data = JSON.parse(one(".carc-data").textContent);
    const parts = [...root.querySelectorAll("[data-t]")].map((element) => ({
      element,
      times: element.dataset.t.split(" ").map(Number),
      seen: element.style.display !== "none",
    }));
    const moves = new Map([...root.querySelectorAll(".carc-moves [data-to]")].map((b) => [Number(b.dataset.to), b]));
    const slider = one(".carc-controls input");
    const now = one(".c-now");
    const cells = [...root.querySelectorAll(".carc-score")];
    const last = data.sentences.length - 1;
    let at = 0;
    let timer = null;

    const go = (to) => {
      at = Math.min(Math.max(to, 0), last);
      for (const part of parts) {
        let seen = false;
        for (let i = 0; i < part.times.length && part.times[i] <= at; i += 2) seen = at < part.times[i + 1];
        if (seen !== part.seen) {
          part.element.style.display = seen ? "" : "none";
          part.seen = seen;
        }
      }
      slider.value = at;
      one(".carc-number").textContent = `${at}/${last}`;
      one(".carc-sentence").textContent = data.sentences[at];
      cells.forEach((cell, owner) => { cell.textContent = data.scores[at][owner]; });
      now.setAttribute("transform", `translate(${(598 * at) / Math.max(1, last)} 0)`);
      one("[aria-current]")?.removeAttribute("aria-current");
      const move = moves.get(at);
      if (move) {
        move.setAttribute("aria-current", "step");
        const list = one(".carc-moves");
        const line = move.closest("li");
        if (line.offsetTop < list.offsetTop + list.scrollTop || line.offsetTop + line.offsetHeight > list.offsetTop + list.scrollTop + list.clientHeight)
          list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
      }
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      const button = one('[data-do="play"]');
      button.textContent = "▶";
      button.setAttribute("aria-label", "play");
    };
    const play = () => {
      if (timer) return stop();
      if (at === last) go(0);
      const button = one('[data-do="play"]');
      button.textContent = "II";
      button.setAttribute("aria-label", "pause");
      timer = setInterval(() => { if (at === last) stop(); else go(at + 1); }, 450);
    };
    const acts = {
      first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(last), play,
    };
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.do !== "play") stop();
      if (button.dataset.do) acts[button.dataset.do]();
      else if (button.dataset.to) go(Number(button.dataset.to));
    });
    slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    const alone = document.querySelectorAll(".carc-replay").length === 1;
    (alone ? document : root).addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.closest("input:not([type=range]), select, textarea")) return;
      if (event.key === " " && event.target.closest("button")) return;
      event.preventDefault();
      if (act !== "play") stop();
      acts[act]();
    });
    go(Number((location.hash.match(/^#move-(\d+)$/) || [])[1] || 0));
  }
})();
