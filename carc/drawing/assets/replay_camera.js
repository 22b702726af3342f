// The camera of a replay: it follows the play, or goes where the reader drags and zooms.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const CELL = 100, MARGIN = 34, LEAST = 0.42, MOST = 1.3; // scales are in pixels a unit
  const clamp = (value, low, high) => low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high);

  // Puts the numbers of columns and rows at the edges of a view: left, top, width, height.
  const drawAxes = (group, box, view, size) => {
    const [left, top, right, bottom] = box;
    const [x, y, width, height] = view;
    const texts = [];
    const add = (text, at, over) => {
      const element = document.createElementNS(SVG, "text");
      element.setAttribute("class", "c-ax");
      element.setAttribute("x", at);
      element.setAttribute("y", over);
      element.setAttribute("font-size", size);
      element.textContent = text;
      texts.push(element);
    };
    for (let column = left; column < right; column++) {
      const at = CELL * column + CELL / 2;
      if (at > x && at < x + width) add(column, at, y + 1.2 * size);
    }
    for (let row = top; row < bottom; row++) {
      const at = CELL * row + CELL / 2;
      if (at > y && at < y + height) add(row, x + size, at + size / 3);
    }
    group.replaceChildren(...texts);
  };

  // Returns {show(box, last, jump), zoom(factor), follow()} for a board.
  const makeCamera = (board, alone) => {
    const svg = board.querySelector("svg");
    const axes = svg.querySelector(".carc-axes");
    const button = board.querySelector('[data-do="follow"]');
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    let box = [0, 0, 1, 1], last = [0, 0], follows = true, frame = 0;
    let now = { x: 50, y: 50, scale: 1 }; // the middle of the view

    const size = () => [board.clientWidth || 1, board.clientHeight || 1];
    const draw = (to) => {
      now = to;
      const [width, height] = size().map((pixels) => pixels / now.scale);
      const view = [now.x - width / 2, now.y - height / 2, width, height];
      svg.setAttribute("viewBox", view.map((each) => each.toFixed(1)).join(" "));
      drawAxes(axes, box, view, 12 / now.scale);
    };
    const target = () => {
      const [width, height] = size();
      const [left, top, right, bottom] = box.map((cells) => CELL * cells);
      const whole = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top));
      const scale = clamp(whole, LEAST, MOST);
      const [wide, high] = [width / scale / 2, height / scale / 2].map((half) => half - MARGIN / scale);
      return {
        x: clamp(CELL * last[0] + 50, left + wide, right - wide),
        y: clamp(CELL * last[1] + 50, top + high, bottom - high),
        scale,
      };
    };
    const moveTo = (to, jump) => {
      cancelAnimationFrame(frame);
      const from = now, start = performance.now();
      const far = Math.abs(to.x - from.x) + Math.abs(to.y - from.y) > 0.5 || to.scale !== from.scale;
      if (jump || calm.matches || !far) return draw(to);
      const step = (time) => {
        const part = clamp((time - start) / 180, 0, 1);
        const mixed = (name) => from[name] + (to[name] - from[name]) * part * (2 - part);
        draw({ x: mixed("x"), y: mixed("y"), scale: mixed("scale") });
        if (part < 1) frame = requestAnimationFrame(step);
      };
      frame = requestAnimationFrame(step);
    };
    const setFollows = (value) => {
      follows = value;
      button.setAttribute("aria-pressed", value);
    };
    const free = (to) => {
      cancelAnimationFrame(frame);
      setFollows(false);
      draw(to);
    };
    // Zooms about a point, in pixels from the middle of the board.
    const zoom = (factor, px = 0, py = 0) => {
      const scale = clamp(now.scale * factor, 0.08, 5);
      const kept = 1 / now.scale - 1 / scale;
      free({ x: now.x + px * kept, y: now.y + py * kept, scale });
    };
    const fromMiddle = (event) => {
      const place = board.getBoundingClientRect();
      return [event.clientX - place.left - place.width / 2, event.clientY - place.top - place.height / 2];
    };

    board.addEventListener("wheel", (event) => {
      if (!alone && !event.ctrlKey) return; // the page of somebody else scrolls
      event.preventDefault();
      const pixels = event.deltaY * [1, 30, 300][event.deltaMode];
      zoom(Math.exp(-clamp(pixels, -300, 300) / 500), ...fromMiddle(event));
    }, { passive: false });
    const fingers = new Map();
    board.addEventListener("pointerdown", (event) => {
      if (event.button || event.target.closest("button")) return;
      fingers.set(event.pointerId, fromMiddle(event));
      svg.setPointerCapture(event.pointerId);
    });
    board.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const at = fromMiddle(event);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
      fingers.set(event.pointerId, at);
      if (other) {
        const apart = (from) => Math.hypot(from[0] - other[0], from[1] - other[1]) || 1;
        zoom(apart(at) / apart(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
        free({ ...now, x: now.x - dx / 2 / now.scale, y: now.y - dy / 2 / now.scale });
      } else if (dx || dy) free({ ...now, x: now.x - dx / now.scale, y: now.y - dy / now.scale });
    });
    for (const name of ["pointerup", "pointercancel"])
      board.addEventListener(name, (event) => fingers.delete(event.pointerId));
    new ResizeObserver(() => follows ? moveTo(target(), true) : draw(now)).observe(board);
    setFollows(true);

    return {
      zoom,
      show: (newBox, newLast, jump) => {
        box = newBox;
        last = newLast;
        if (follows) moveTo(target(), jump);
        else draw(now);
      },
      follow: () => {
        setFollows(true);
        moveTo(target());
      },
    };
  };

  globalThis.carcReplay = { ...globalThis.carcReplay, drawAxes, makeCamera };
})();
