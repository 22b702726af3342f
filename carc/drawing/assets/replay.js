// Steps through a replay. Every part of the board names the positions in which it is visible.
(() => {
  "use strict";
  const { makeCamera, share } = globalThis.carcReplay;
  const LEFT = 34, SPAN = 598, WIDTH = 640; // of plots, as in carc/drawing/plot.py
  const KEYS = {
    ArrowLeft: "back", ArrowRight: "next", ArrowUp: "turnBack", ArrowDown: "turnNext", Home: "first",
    End: "last", " ": "play", "+": "in", "=": "in", "-": "out", 0: "follow", b: "mark",
  };
  const STEADY = new Set(["play", "in", "out", "follow", "copy", "png", "svg", "link"]); // these do not stop the play

  const start = (root, alone) => {
    root.dataset.ready = "";
    const one = (selector) => root.querySelector(selector);
    const all = (selector) => [...root.querySelectorAll(selector)];
    const data = JSON.parse(one(".carc-data").textContent);
    const boxes = data.boxes.map((box) => box.split(" ").map(Number));
    const parts = all("[data-t]").map((element) => ({
      element,
      times: element.dataset.t.split(" ").map(Number),
      seen: element.style.display !== "none",
    }));
    const lines = all(".carc-moves > li");
    const buttons = new Map(all(".carc-moves [data-to]").map((button) => [Number(button.dataset.to), button]));
    const advice = new Map(data.advice.map((each) => [each.at, each]));
    const slider = one(".carc-controls input"), speed = one(".carc-speed");
    const cells = all(".carc-score"), plots = all(".carc-plot > svg"), nows = all(".c-now");
    const camera = makeCamera(one(".carc-board"), alone);
    const last = data.sentences.length - 1;
    let at = 0, timer = null, noted = 0, said = 0;

    const showParts = () => {
      for (const part of parts) {
        let seen = false;
        for (let i = 0; i < part.times.length && part.times[i] <= at; i += 2) seen = at < part.times[i + 1];
        if (seen !== part.seen) {
          part.element.style.display = seen ? "" : "none";
          part.seen = seen;
        }
      }
    };
    const showLine = () => {
      for (const old of all("[aria-current]")) old.removeAttribute("aria-current");
      buttons.get(at)?.setAttribute("aria-current", "step");
      const line = lines.find((each) => each.dataset.from <= at && at <= each.dataset.until);
      one(".carc-now-line")?.classList.remove("carc-now-line");
      const list = one(".carc-moves");
      if (!line) return list.scrollTo(0, 0);
      line.classList.add("carc-now-line");
      const top = line.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight)
        list.scrollTop = top - list.clientHeight / 2;
    };
    const showAdvice = () => {
      const found = advice.get(at), verdict = one(".carc-verdict");
      verdict.textContent = found?.text ?? data.lucky?.[at] ?? "";
      verdict.hidden = !verdict.textContent;
      const hand = one(".carc-hand");
      hand.toggleAttribute("hidden", !data.hands[at]);
      hand.firstChild.setAttribute("href", `#c-${data.hands[at]}`);
      const better = one(".carc-better");
      better.replaceChildren();
      if (!found?.place) return;
      const [x, y, rotation] = found.place;
      const element = (name, attributes) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
        better.append(made);
      };
      // On the cell that was taken, it is small and in a corner: both tiles can be seen.
      const [left, size] = found.same ? [100 * x + 50, 0.5] : [100 * x, 1];
      const place = `translate(${left} ${100 * y})scale(${size})`;
      if (found.tile) element("use", { href: `#c-${found.tile}`, transform: `${place}rotate(${90 * rotation} 50 50)`, opacity: found.same ? 1 : 0.6 });
      element("rect", { class: "carc-better-frame", transform: place, x: 3, y: 3, width: 94, height: 94 });
      if (!found.piece) return;
      const [across, down, drawing] = found.piece;
      element("g", { class: "carc-better-piece", transform: `${place}translate(${across} ${down})` });
      better.lastChild.innerHTML = drawing;
    };
    const viewed = () => { // the box of the position, with the better place
      const place = advice.get(at)?.place;
      const [left, top, right, bottom] = boxes[at];
      if (!place) return boxes[at];
      const [x, y] = place;
      return [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
    };
    const go = (to, jump = false) => {
      at = Math.min(Math.max(to, 0), last);
      showParts();
      slider.value = at;
      one(".carc-number").textContent = `${at}/${last}`;
      const turn = data.ends.findIndex((end) => at <= end);
      one(".carc-turn-number").textContent = `${turn < 0 ? data.ends.length - 1 : turn}/${data.ends.length - 1}`;
      one(".carc-sentence").textContent = data.sentences[at];
      const chance = data.chances?.findLast(([position]) => position <= at);
      if (data.chances) one(".carc-chance").textContent = chance ? `: ${chance[1]}` : "";
      cells.forEach((cell, owner) => { cell.textContent = data.scores[at][owner]; });
      for (const now of nows) now.setAttribute("transform", `translate(${(SPAN * at) / Math.max(1, last)} 0)`);
      showLine();
      showAdvice();
      camera.show(viewed(), data.last[at], jump);
      if (alone && !jump) noteAddress();
    };
    const noteAddress = () => { // once it rests: browsers limit how often an address may change
      clearTimeout(noted);
      noted = setTimeout(() => history.replaceState(null, "", `#move-${at}`), 400);
    };
    const setPlaying = (plays) => {
      const button = one('[data-do="play"]');
      button.textContent = plays ? "II" : "▶";
      button.setAttribute("aria-label", plays ? "pause" : "play");
    };
    const stop = () => {
      clearTimeout(timer);
      timer = null;
      setPlaying(false);
    };
    const tick = () => {
      if (at === last) return stop();
      go(at + 1);
      timer = setTimeout(tick, Number(speed.value));
    };
    const play = () => {
      if (timer) return stop();
      if (at === last) go(0);
      setPlaying(true);
      timer = setTimeout(tick, Math.min(300, Number(speed.value)));
    };
    const say = (words) => {
      const done = one(".carc-done");
      done.textContent = words;
      clearTimeout(said);
      said = setTimeout(() => { done.textContent = ""; }, 6000);
    };
    // Goes to the next costly move, of a player or of all; the last is followed by the first.
    const goToMark = (player, mark) => {
      const some = data.advice.filter((each) => player === undefined || (each.player === player && each.mark === mark));
      if (!some.length) return say("No move was costly.");
      const next = some.find((each) => each.at > at);
      if (!next && some.some((each) => each.at === at) && some.length > 1) say("That was the last; this is the first.");
      go((next ?? some[0]).at);
    };
    const send = async (how) => {
      try {
        say(await share(how, one(".carc-board svg"), viewed(), `move-${at}`));
      } catch {
        say(how === "copy" ? "This browser copies no pictures here; save one instead."
          : "This browser does not allow that here.");
      }
      one(".carc-more").open = false;
    };
    const acts = {
      first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(last), play,
      turnBack: () => go(data.ends.findLast((end) => end < at) ?? 0),
      turnNext: () => go(data.ends.find((end) => end > at) ?? last),
      mark: () => goToMark(),
      in: () => camera.zoom(1.3), out: () => camera.zoom(1 / 1.3), follow: () => camera.follow(),
      copy: () => send("copy"), png: () => send("png"), svg: () => send("svg"), link: () => send("link"),
    };
    const act = (name) => {
      if (!STEADY.has(name)) stop();
      acts[name]();
    };
    const jumpTo = (to) => {
      stop();
      go(to);
    };

    const closeMenus = (but) => {
      for (const menu of all(".carc-more[open]")) menu.open = menu === but;
    };
    root.addEventListener("click", (event) => {
      closeMenus(event.target.closest(".carc-more"));
      if (event.target.closest(".carc-download")) {
        closeMenus();
        return say("The file is being made. Your browser saves it.");
      }
      const mark = event.target.closest("[data-mark]");
      if (mark) {
        stop();
        return goToMark(Number(mark.dataset.player), mark.dataset.mark);
      }
      const from = event.target.closest("[data-do], [data-to]");
      if (from?.dataset.do) return act(from.dataset.do);
      const line = event.target.closest(".carc-moves > li[data-until]");
      if (from || line) return jumpTo(Number(from ? from.dataset.to : line.dataset.until));
      const plot = plots.find((each) => each.contains(event.target));
      if (!plot) return;
      const place = plot.getBoundingClientRect();
      const x = (WIDTH * (event.clientX - place.left)) / place.width;
      jumpTo(Math.round((last * (x - LEFT)) / SPAN));
    });
    slider.addEventListener("input", () => jumpTo(Number(slider.value)));
    (alone ? document : root).addEventListener("keydown", (event) => {
      if (event.key === "Escape") closeMenus();
      const name = KEYS[event.key];
      if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.closest("input:not([type=range]), select, textarea")) return;
      if (event.key === " " && event.target.closest("button, summary")) return;
      event.preventDefault();
      act(name);
    });
    const address = () => Number((location.hash.match(/^#move-(\d{1,6})$/) || [])[1] || 0);
    if (alone) addEventListener("hashchange", () => jumpTo(address()));
    go(address(), true);
  };

  const roots = document.querySelectorAll(".carc-replay:not([data-ready])");
  for (const root of roots) start(root, document.querySelectorAll(".carc-replay").length === 1);
})();
