/* What is under the pointer, in words; why a cell is empty is asked for once the hand rests. */
(function () {
  "use strict";

  const REST = 350;
  const one = (selector) => document.querySelector(".sweep-page " + selector);
  let resting = 0;

  /* `question(shown, i, j)` asks the server for a cell. */
  function show(page, [i, j], pixels, question) {
    const { view, shown, reasons } = page;
    window.clearTimeout(resting);
    const cell = j * view.grid.columns + i;
    const value = view.grid.values[cell];
    fill(view, i, j, Number.isFinite(value) ? "" : view.grid.done[cell] ? reasons.get(cell) || "empty" : "not yet");
    place(pixels);
    if (Number.isFinite(value) || !view.grid.done[cell] || reasons.has(cell)) return;
    resting = window.setTimeout(async () => {
      const { data } = await question(shown, i, j);
      if (!data || page.shown !== shown) return;
      reasons.set(cell, data.reason);
      if (!one(".hint").hidden) show(page, [i, j], pixels, question);
    }, REST);
  }

  /* The value, or why there is none, and the values of the axes. */
  function fill(view, i, j, instead) {
    const { behind, place: placed, valued } = window.nhviz.sweeps.reading;
    const hint = one(".hint");
    hint.replaceChildren();
    const value = view.grid.values[j * view.grid.columns + i];
    hint.appendChild(document.createElement("b")).textContent = instead || valued(view, value, 1) + behind(view.unit);
    placed(hint.appendChild(document.createElement("span")), view, i, j);
  }

  /* Beside the pointer, inside of the picture. */
  function place([x, y]) {
    const hint = one(".hint");
    hint.hidden = false;
    hint.style.left = Math.min(x + 14, one(".surface").clientWidth - hint.offsetWidth - 4) + "px";
    hint.style.top = Math.max(2, y - hint.offsetHeight - 12) + "px";
  }

  function hide() {
    window.clearTimeout(resting);
    if (one(".hint")) one(".hint").hidden = true;
  }

  window.nhviz.sweeps.hint = { hide, show };
})();
