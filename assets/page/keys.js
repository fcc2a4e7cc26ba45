/* Keys: space plays, arrows are one sample, 1 to 9 make a view large, Esc returns, P presents, F fits, G pins,
   Ctrl Z and Ctrl Y undo and redo. None of them is taken from a field in which somebody types. */
(function () {
  "use strict";

  let act = null;

  function furnish(actions) {
    act = actions;
  }

  const typing = (target) => target.closest && target.closest("input[type=text], textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=dialog][aria-modal=true]");
  const pressing = (target) => target.closest && target.closest("button, a, summary, [role=tab], [role=menuitem]");

  document.addEventListener("keydown", (event) => {
    if (!act || !document.querySelector(".lab") || event.altKey || typing(event.target)) return;
    const meant = event.ctrlKey || event.metaKey ? withControl(event) : alone(event);
    if (meant) {
      event.preventDefault();
      meant();
    }
  });

  function withControl({ key, shiftKey }) {
    if (key.toLowerCase() === "z") return shiftKey ? act.redo : act.undo;
    return key.toLowerCase() === "y" ? act.redo : null;
  }

  function alone({ key, target, repeat }) {
    const range = target.matches && target.matches("input[type=range]");
    if (key === " " && !pressing(target) && !repeat) return act.play;
    if ((key === "ArrowRight" || key === "ArrowLeft") && !range && !(target.closest && target.closest("[role=tablist], [role=menu]"))) return () => act.nudge(key === "ArrowRight" ? 1 : -1);
    if (key === "Escape") return act.escape;
    if (/^[1-9]$/.test(key)) return () => act.enlarge(Number(key) - 1);
    return { p: act.present, f: act.fit, g: act.pin }[key] || null;
  }

  window.nhviz = Object.assign(window.nhviz || {}, { keys: { furnish } });
})();
