// Files can be dropped on the form. The marks of a game are shown when they come, unless somebody is
// looking at its moves.
"use strict";
(() => {
  const form = document.getElementById("bring");
  if (form) {
    const files = document.getElementById("files");
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    document.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
    document.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      files.files = event.dataTransfer.files;
      form.requestSubmit();
    });
  }
  let touched = false;
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { touched = true; });
  const live = document.getElementById("live");
  if (live) new MutationObserver(() => {
    if (document.querySelector("#live[data-ready] a") && !touched) location.reload();
  }).observe(live.parentNode, { childList: true });
})();
