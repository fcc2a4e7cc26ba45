/* The page around the labs: its theme, its title, where the visitor is, and the search. */
(function () {
  "use strict";

  const NO = () => window.dash_clientside.no_update;
  const { themes } = window.nhviz;

  /* The theme after this one. */
  function cycle(presses, now) {
    return presses ? themes.names[(themes.names.indexOf(now) + 1) % themes.names.length] : NO();
  }

  /* The page wears a theme, and so do the menus; the button says which it is. */
  function dress(name) {
    const known = themes.names.includes(name) ? name : themes.names[0];
    themes.wear(known);
    if (window.nhviz.page) window.nhviz.page.repaint();
    if (window.nhviz.sweeps) window.nhviz.sweeps.page.repaint();
    if (window.nhviz.gallery) window.nhviz.gallery.pictures.repaint();
    return [known === "dark" ? "dark" : "light", "Theme: " + known + ". Change it"];
  }

  /* What an address names: a lab, a card or a lesson; the number of a step aside. */
  function named(path, facts) {
    const name = decodeURI(path || "/").slice(facts.prefix.length).replace(/^\/|\/$/g, "");
    return [name, name.replace(/\/\d+$/, "")].find((one) => one in facts.titles) || name;
  }

  /* The title of the page, and the kind of system and the lab that the visitor is at. */
  function arrive(path, facts) {
    const name = named(path, facts);
    const title = name ? facts.titles[name] || "No such lab" : "";
    document.title = title ? title + " · " + facts.title : facts.title;
    const { outputs_list: [kinds] } = window.dash_clientside.callback_context;
    const here = facts.families[name];
    return [kinds.map(({ id }) => (id.name === here ? "kind here" : "kind")), title || "All labs"];
  }

  /* A press on the search opens it; its opening empties it, and the first one fetches what can be found. */
  function seek(presses, { search }) {
    if (presses) window.nhviz.search.load(search);
    return presses ? [true, null, ""] : [NO(), NO(), NO()];
  }

  /* What was chosen opens; its number keeps entries with one address apart. */
  function found(choice) {
    if (!choice) return [NO(), NO(), NO()];
    const [path, query] = choice.slice(choice.indexOf(" ") + 1).split("?");
    return [path, query ? "?" + query : "", false];
  }

  function isTyping(element) {
    return element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName);
  }

  /* A stroke opens the search; what the box would keep to itself closes it. */
  document.addEventListener("keydown", (event) => {
    const button = document.getElementById("search");
    if (event.key === "Escape" && event.target.id === "found") {
      window.dash_clientside.set_props("search-dialog", { opened: false });
    } else if (event.key === "/" && button && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
      event.preventDefault();
      button.click();
    }
  }, true);

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.shell = { cycle, dress, arrive, seek, found };
})();
