// Keeps pictures, menus and the line of rules in step, says what the choice means, and refuses a
// colour that is taken.
"use strict";
(() => {
  const form = document.querySelector("form.form");
  const line = document.getElementById("rules");
  const boxes = [...form.querySelectorAll("input[data-name]")];
  const seats = [...form.querySelectorAll(".seat")];
  const levelOf = (name) => form.elements[`${name}-argument`];
  const menusOf = (name) => [...form.querySelectorAll(`.options[data-of="${name}"] select`)];

  // The parts of a line of rules: name -> its argument and options.
  const parts = (text) => {
    const found = new Map();
    for (const part of text.split(/\+(?![^(]*\))/)) {
      const match = part.trim().match(/^([a-z][a-z0-9_]*)(?::([a-z0-9]+))?(?:\(([^)]*)\)?)?/);
      if (!match) continue;
      const options = (match[3] || "").split(",").filter((one) => one.trim());
      found.set(match[1], { argument: match[2] || "", options: new Map(options.map((one) => one.split("=").map((word) => word.trim()))) });
    }
    return found;
  };

  const toLine = () => {
    const before = parts(line.value);
    const written = [];
    for (const box of boxes) {
      if (!box.checked) continue;
      const name = box.dataset.name;
      const options = before.get(name)?.options || new Map();
      for (const menu of menusOf(name)) {
        if (menu.selectedIndex === 0) options.delete(menu.dataset.option);
        else options.set(menu.dataset.option, menu.value);
      }
      const level = levelOf(name);
      const said = [...options].map((one) => one.join("=")).join(",");
      written.push(name + (level ? `:${level.value}` : "") + (said ? `(${said})` : ""));
    }
    line.value = written.join("+");
  };

  const toBoxes = () => {
    const now = parts(line.value || "base");
    for (const box of boxes) {
      const name = box.dataset.name, part = now.get(name);
      box.checked = Boolean(part);
      if (part?.argument && levelOf(name)) levelOf(name).value = part.argument;
      for (const menu of menusOf(name)) {
        const value = part?.options.get(menu.dataset.option);
        menu.value = value || menu.options[0].value;
        if (menu.selectedIndex < 0) menu.selectedIndex = 0; // the server says what is wrong with it
      }
    }
  };

  const showExpansions = () => {
    const all = boxes.filter((box) => box.type === "checkbox"), titles = all.filter((box) => box.checked).map((box) => box.dataset.title);
    document.getElementById("chosen-expansions").textContent = `: ${titles.join(" + ") || `none of ${all.length}`}`;
  };

  let timer = 0, asked = 0;
  const explain = () => {
    showExpansions();
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const number = ++asked;
      const players = seats.filter((seat) => kindOf(seat).value).length;
      try {
        const response = await fetch(`/play/check?${new URLSearchParams({ rules: line.value, players })}`);
        if (response.ok && number === asked) {
          const template = document.createElement("template");
          template.innerHTML = await response.text();
          document.getElementById("choice").replaceWith(template.content);
        }
      } catch { /* the server is away: it will say so when the game is started */ }
    }, 150);
  };

  // -- players ---------------------------------------------------------------------------

  const kindOf = (seat) => seat.querySelector("select[name^=seat]");
  const colourOf = (seat) => seat.querySelector("select[name^=colour]");
  const paint = (seat) => seat.querySelector("use").setAttribute("href", `#figure-${colourOf(seat).value}`);

  // Who plays, as a sentence has it.
  const showWho = () => {
    const all = [];
    let persons = 0;
    for (const seat of seats) {
      const kind = kindOf(seat);
      if (kind.value === "person") {
        all.push(seat.querySelector("input").value.trim() || (persons ? "a friend" : "You"));
        persons += 1;
      } else if (kind.value) all.push(kind.selectedOptions[0].textContent);
    }
    document.getElementById("who").textContent = all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all.join("");
  };

  // A name is wanted of people only, a colour of players only, and one empty row is enough.
  const showSeats = () => {
    let persons = 0, empty = 0;
    for (const seat of seats) {
      const kind = kindOf(seat), option = kind.selectedOptions[0];
      const isPerson = kind.value === "person";
      const person = kind.querySelector('option[value="person"]');
      person.textContent = persons ? "a friend, who gets a link" : "you";
      const name = seat.querySelector("input");
      name.placeholder = persons ? "their name" : "your name";
      persons += isPerson;
      name.hidden = !isPerson;
      colourOf(seat).hidden = !kind.value;
      seat.classList.toggle("nobody", !kind.value);
      seat.querySelector(".hint").textContent = option.dataset.hint || "";
      seat.hidden = !kind.value && empty++ > 0;
    }
    document.getElementById("for-friends")?.toggleAttribute("hidden", persons < 2);
    showWho();
  };

  // Refuse a colour that another player has, and keep the old one.
  const before = new Map(seats.map((seat) => [seat, colourOf(seat).value]));
  const refused = document.getElementById("refused");
  const ownerOf = (colour, not) => seats.find((seat) => seat !== not && kindOf(seat).value && colourOf(seat).value === colour);
  const chooseColour = (seat) => {
    const colour = colourOf(seat).value, owner = ownerOf(colour, seat);
    refused.textContent = owner ? `${colour[0].toUpperCase()}${colour.slice(1)} is taken by player ${Number(owner.dataset.seat) + 1}. Choose another colour.` : "";
    if (owner) colourOf(seat).value = before.get(seat);
    before.set(seat, colourOf(seat).value);
    paint(seat);
  };
  // A new player gets a colour that is free.
  const giveColour = (seat) => {
    if (!kindOf(seat).value || !ownerOf(colourOf(seat).value, seat)) return;
    const free = [...colourOf(seat).options].find((option) => !ownerOf(option.value, seat));
    if (free) colourOf(seat).value = free.value;
    before.set(seat, colourOf(seat).value);
    paint(seat);
  };

  // -- what happens ----------------------------------------------------------------------

  const find = document.getElementById("find");
  const filter = () => {
    const words = find.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    let count = 0;
    for (const card of form.querySelectorAll(".expansions .choosable")) {
      const text = `${card.textContent} ${card.querySelector("input").value}`.toLowerCase();
      card.hidden = words.length > 0 && !words.some((word) => text.includes(word));
      count += !card.hidden;
    }
    document.getElementById("matches").textContent = words.length ? `${count} found` : "";
  };

  const update = (event) => {
    const target = event.target, name = target.name || "";
    if (target === find) return filter();
    if (target === line) toBoxes();
    else if (target.dataset.name || name.endsWith("-argument") || target.dataset.option) {
      const owner = boxes.find((box) => `${box.dataset.name}-argument` === name);
      if (owner) owner.checked = true;
      toLine();
    } else if (name.startsWith("seat")) {
      giveColour(target.closest(".seat"));
      showSeats();
    } else if (name.startsWith("colour")) return chooseColour(target.closest(".seat"));
    else return showWho();
    explain();
  };
  for (const name of ["input", "change"]) form.addEventListener(name, update);
  find.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  form.addEventListener("submit", () => {
    try { localStorage.setItem("name", form.elements.name0.value); } catch { /* not allowed */ }
  });
  try { form.elements.name0.value ||= localStorage.getItem("name") || ""; } catch { /* not allowed */ }
  if (line.value) toBoxes(); else toLine();
  showSeats();
  showExpansions();
  document.querySelector(".find").hidden = false;
})();
