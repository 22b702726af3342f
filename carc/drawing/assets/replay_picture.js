// Pictures of a position of a replay, to copy or to save.
(() => {
  "use strict";
  const CELL = 100, ROOM = 26, PIXELS = 72, MOST = 4000; // pixels a tile, and of a picture

  // Returns the position that a board shows as an SVG element of its own.
  const picture = (svg, box) => {
    const copy = svg.cloneNode(true);
    for (const part of copy.querySelectorAll("[data-t]")) {
      if (part.style.display === "none") part.remove();
      else part.removeAttribute("data-t");
    }
    const used = new Set([...copy.querySelectorAll("use")].map((use) => use.getAttribute("href").slice(1)));
    for (const kind of copy.querySelectorAll("defs > g")) if (!used.has(kind.id)) kind.remove();
    const [left, top, right, bottom] = box.map((cells) => CELL * cells);
    const view = [left - ROOM, top - ROOM, right - left + ROOM + 6, bottom - top + ROOM + 6];
    globalThis.carcReplay.drawAxes(copy.querySelector(".carc-axes"), box, view, 0.75 * ROOM);
    const scale = Math.min(PIXELS / CELL, MOST / Math.max(view[2], view[3]));
    copy.setAttribute("viewBox", view.join(" "));
    copy.setAttribute("width", Math.round(view[2] * scale));
    copy.setAttribute("height", Math.round(view[3] * scale));
    return copy;
  };

  const textOf = (svg) => new XMLSerializer().serializeToString(svg);

  // Returns a promise of the picture as PNG.
  const png = async (svg, paper) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(svg))}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.fillStyle = paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  };

  const save = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // Carries out `copy`, `png`, `svg` or `link`; returns a promise of what to tell the reader.
  const share = async (how, svg, box, name) => {
    if (how === "link") {
      const address = `${location.href.split("#")[0]}#${name}`;
      await navigator.clipboard.writeText(address);
      const own = /^(localhost|127\..*|\[::1\]|)$/.test(location.hostname); // no host: a file
      return own ? "Link copied. It works on this computer only. To send the game, send its page as a file." : "Link copied.";
    }
    const drawn = picture(svg, box);
    if (how === "svg") {
      save(new Blob([textOf(drawn)], { type: "image/svg+xml" }), `${name}.svg`);
      return `Saved as ${name}.svg.`;
    }
    const made = png(drawn, getComputedStyle(svg.closest(".carc-replay")).backgroundColor);
    if (how === "copy") {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": made })]);
      return "Picture copied.";
    }
    save(await made, `${name}.png`);
    return `Saved as ${name}.png.`;
  };

  globalThis.carcReplay = { ...globalThis.carcReplay, picture, png, share };
})();
