// Keeps pictures and the line of rules in step, says what the choice means, remembers the name.
"use strict";
(() => {
  const form = document.querySelector("form.form");
  const line = document.getElementById("rules");
  const boxes = [...form.querySelectorAll("input[data-name]")];
  const levelOf = (name) => form.elements[`${name}-argument`];

  // The parts of a line of rules: name -> how it is written, with argument and options.
  const parts = (text) => {
    const found = new Map();
    for (const part of text.split("+")) {
      const name = part.trim().match(/^[a-z][a-z0-9_]*/);
      if (name) found.set(name[0], part.trim());
    }
    return found;
  };

  const toLine = () => {
    const before = parts(line.value);
    const written = [];
    for (const box of boxes) {
      if (!box.checked) continue;
      const name = box.dataset.name;
      let part = before.get(name) || name;
      const level = levelOf(name);
      if (level) part = `${name}:${level.value}${(part.match(/\(.*\)/) || [""])[0]}`;
      written.push(part);
    }
    line.value = written.join("+");
  };

  const toBoxes = () => {
    const now = parts(line.value || "base");
    for (const box of boxes) {
      box.checked = now.has(box.dataset.name);
      const argument = (now.get(box.dataset.name) || "").match(/:([a-z0-9]+)/);
      if (argument && levelOf(box.dataset.name)) levelOf(box.dataset.name).value = argument[1];
    }
  };

  let timer = 0, asked = 0;
  const explain = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const number = ++asked;
      const players = [...form.querySelectorAll("select[name^=seat]")].filter((each) => each.value).length;
      try {
        const response = await fetch(`/play/check?${new URLSearchParams({ rules: line.value, players })}`);
        if (response.ok && number === asked) {
          const html = await response.text();
          const template = document.createElement("template");
          template.innerHTML = html;
          document.getElementById("choice").replaceWith(template.content);
        }
      } catch { /* the server is away: it will say so when the game is started */ }
    }, 150);
  };

  // A name is wanted of people only.
  const showNames = () => {
    for (const select of form.querySelectorAll("select[name^=seat]")) {
      form.elements[select.name.replace("seat", "name")].hidden = select.value !== "person";
    }
  };

  const update = (event) => {
    const target = event.target;
    if (target === line) toBoxes();
    else if (target.dataset.name || target.name.endsWith("-argument")) {
      const owner = boxes.find((box) => `${box.dataset.name}-argument` === target.name);
      if (owner) owner.checked = true;
      toLine();
    } else if (target.name.startsWith("seat")) showNames();
    else return;
    explain();
  };
  for (const name of ["input", "change"]) form.addEventListener(name, update);
  form.addEventListener("submit", () => {
    try { localStorage.setItem("name", form.elements.name0.value); } catch { /* not allowed */ }
  });
  try { form.elements.name0.value ||= localStorage.getItem("name") || ""; } catch { /* not allowed */ }
  if (line.value) toBoxes(); else toLine();
  showNames();
  const many = form.querySelector(".expansions");
  if (matchMedia("(max-width: 760px)").matches && !many.querySelector(":checked")) many.open = false;
})();
