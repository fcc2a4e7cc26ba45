/* Undo and redo are the browser's own Back and Forward: each state that was shown is an entry of its history. */
(function () {
  "use strict";

  /* Changes of one word that follow each other within this time are one. */
  const TOGETHER = 900;
  let last = { at: 0, what: "" };
  /* The number of the newest entry of this lab. */
  let most = 0;
  let back = () => {};

  const mine = () => window.history.state && window.history.state.nhviz;

  /* With its origin: a path that begins with two slashes would name another one. */
  function address(search) {
    return window.location.origin + window.location.pathname + search;
  }

  /* A page that was opened: what it shows is the entry of its address. */
  function opened(state, listener) {
    back = listener;
    const found = mine();
    const number = found && found.state.lab === state.lab ? found.number : 0;
    most = number;
    write("replaceState", state, number, address(window.location.search));
  }

  function write(how, state, number, where) {
    window.history[how]({ nhviz: { number, state } }, "", where);
    tell();
  }

  /* A state that could be shown, after a change of `what`. What was undone before it is gone. */
  function shown(state, query, what) {
    const found = mine() || { number: 0 };
    if (JSON.stringify(found.state) === JSON.stringify(state)) return;
    const now = window.performance.now();
    const together = what && what === last.what && now - last.at < TOGETHER && found.number > 0;
    last = { at: now, what };
    most = together ? found.number : found.number + 1;
    write(together ? "replaceState" : "pushState", state, most, address(query ? "?" + query : ""));
  }

  const canUndo = () => Boolean(mine() && mine().number > 0);
  const canRedo = () => Boolean(mine() && mine().number < most);

  /* Buttons that would do nothing are not to be pressed. */
  function tell() {
    const [undo, redo] = [document.querySelector(".undo"), document.querySelector(".redo")];
    if (undo) undo.disabled = !canUndo();
    if (redo) redo.disabled = !canRedo();
  }

  /* Before Dash hears of it: a state of the lab that is open needs no new page. */
  window.addEventListener("popstate", (event) => {
    const found = event.state && event.state.nhviz;
    if (!found || !back(found.state)) return;
    event.stopImmediatePropagation();
    last = { at: 0, what: "" };
    tell();
  }, true);

  window.nhviz = Object.assign(window.nhviz || {}, {
    history: {
      opened, shown,
      undo: () => canUndo() && window.history.back(),
      redo: () => canRedo() && window.history.forward(),
    },
  });
})();
