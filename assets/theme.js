/* The theme before anything is painted: the one chosen before, else what the system prefers. The page's head asks for
   this file; where the browser keeps nothing, a visit begins as a first one. */
(function () {
  "use strict";

  const THEMES = ["light", "dark", "projector"];
  const PLACE = "theme";

  function kept() {
    try {
      return JSON.parse(window.localStorage.getItem(PLACE));
    } catch {
      return null;
    }
  }

  function keep(name) {
    try {
      window.localStorage.setItem(PLACE, JSON.stringify(name));
    } catch {
      /* The next visit is a first one again. */
    }
  }

  function wear(name) {
    const { dataset } = document.documentElement;
    dataset.theme = name;
    dataset.mantineColorScheme = name === "dark" ? "dark" : "light";
  }

  const before = kept();
  const first = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const name = THEMES.includes(before) ? before : first;
  if (name !== before) keep(name);
  wear(name);
  window.nhviz = Object.assign(window.nhviz || {}, { themes: { names: THEMES, wear } });
})();
