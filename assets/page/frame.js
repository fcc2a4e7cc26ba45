/* The frame around the pictures: chips, tabs, layouts, the clock's bar, saving, pinning, presenting, the sheet of a phone. */
(function () {
  "use strict";

  const { model } = window.nhviz;
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const one = (selector) => document.querySelector(selector);
  const NARROW = window.matchMedia("(max-width: 1000px)");
  const root = document.documentElement;
  let page = null;
  let dispatch = () => {};

  const on = (selector, kind, act) => all(selector).forEach((found) => found.addEventListener(kind, (event) => act(found, event)));

  function furnish(here, say) {
    page = here;
    dispatch = say;
    on(".chip", "click", (chip) => dispatch({ kind: "variant", word: chip.dataset.variants, name: chip.dataset.variant }, false));
    on(".chip", "pointerenter", (chip) => page.running.has(chip.dataset.key) && window.nhviz.pictures.front(chip.dataset.key));
    on(".chip", "pointerleave", () => window.nhviz.pictures.front(""));
    on(".tries button", "click", (button) => dispatch({ kind: "experiment", number: Number(button.dataset.experiment) }, false));
    on(".tabs button", "click", (tab) => dispatch({ kind: "tab", place: placeOf(tab), view: tab.dataset.tab }, false));
    on(".tabs", "keydown", walkTabs);
    on(".lay button", "click", (button) => dispatch({ kind: "layout", name: button.dataset.layout }, false));
    on(".view .expand", "click", (button) => enlarge(placeOf(button)));
    on(".view > header", "dblclick", (header, event) => !event.target.closest("button") && enlarge(placeOf(header)));
    on(".view .fit", "click", (button) => window.nhviz.pictures.fit(placeOf(button)));
    on(".view .save", "click", (button) => save(placeOf(button), button.dataset.save));
    on(".view > .plot", "pointerup", (plot, event) => window.nhviz.hands.tapped(event, placeOf(plot), plot));
    on(".seen button", "click", (button) => pick(button.dataset.see));
    on(".pin", "click", pin);
    on(".undo", "click", () => window.nhviz.history.undo());
    on(".redo", "click", () => window.nhviz.history.redo());
    on(".leave", "click", present);
    on(".cancel", "click", () => window.nhviz.page.cancel());
    on(".view > .text", "click", (text, event) => event.target.closest("[data-run]") && toFront(event.target.closest("[data-run]")));
    on(".scenes.many", "change", (list, event) => all("a", list)[event.target.selectedIndex].click());
    all(".scenes.many").forEach(listScenes);
    furnishClock();
    furnishSheet();
    window.nhviz.keys.furnish({
      play: window.nhviz.player.play, nudge: window.nhviz.player.nudge, escape, present, pin, undo: window.nhviz.history.undo, redo: window.nhviz.history.redo,
      enlarge: (number) => Object.keys(page.facts.places)[number] && enlarge(Object.keys(page.facts.places)[number]),
      fit: () => Object.keys(page.facts.places).forEach(window.nhviz.pictures.fit),
    });
    pages();
    crowds.disconnect();
    all(".switches").forEach((row) => crowds.observe(row));
  }

  /* Chips that need more room than there is leave out their small words, and may need another line. */
  const crowds = new ResizeObserver((entries) => entries.forEach(({ target }) => {
    if (target.dataset.width === String(target.clientWidth)) return;
    target.dataset.width = target.clientWidth;
    target.classList.remove("crowded");
    target.classList.toggle("crowded", target.scrollWidth > target.clientWidth);
  }));

  /* A row of a ranking brings its run to the front, and again all of them. */
  function toFront(row) {
    const chosen = row.classList.contains("front") ? "" : row.dataset.run;
    all("[data-run]").forEach((other) => {
      other.classList.toggle("front", other.dataset.run === chosen);
      press(other.querySelector("button"), other.dataset.run === chosen);
    });
    window.nhviz.pictures.front(chosen);
  }

  /* Many scenes are a list to choose from; behind it are their links. */
  function listScenes(list) {
    const select = window.nhviz.controls.element("select", {}, list);
    select.setAttribute("aria-label", list.getAttribute("aria-label"));
    const links = all("a", list);
    select.append(...links.map((link) => new Option(link.textContent, link.href)));
    select.selectedIndex = links.findIndex((link) => link.classList.contains("current"));
  }

  const placeOf = (inside) => inside.closest(".view").dataset.place;

  /* Arrow keys walk through tabs, as in any list of tabs. */
  function walkTabs(list, event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const tabs = all("[role=tab]", list);
    const next = tabs[(tabs.indexOf(document.activeElement) + by + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }

  /* Play, one sample back and on, the scale of the clock, its speed. */
  function furnishClock() {
    const { player } = window.nhviz;
    on("#play", "click", player.play);
    on("[data-nudge]", "click", (button) => player.nudge(Number(button.dataset.nudge)));
    const room = one(".beats");
    room.innerHTML = '<svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true"><path class="ones"></path><path class="tens"></path></svg><i class="knob"></i>';
    const clock = window.nhviz.controls.element("input", { type: "range", id: "clock", min: 0, max: 1000, step: "any", value: 0 }, room);
    clock.setAttribute("aria-label", "instant");
    clock.addEventListener("input", () => player.seek(Number(clock.value) / 1000));
    clock.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      event.preventDefault();
      player.nudge(event.key === "ArrowRight" ? 1 : -1);
    });
    const holder = one(".speed-room");
    const select = window.nhviz.controls.element("select", { className: "speed" }, holder);
    select.setAttribute("aria-label", "speed");
    holder.dataset.speeds.split(" ").forEach((speed) => select.append(new Option(Number(speed) + "×", speed)));
    select.value = String(holder.dataset.speeds.split(" ").find((speed) => Number(speed) === Number(holder.dataset.speed)));
    select.addEventListener("change", () => player.pace(Number(select.value)));
    player.pace(Number(select.value));
  }

  /* The sidebar is a dialog: always open beside the pictures, a sheet over them on a phone. */
  function furnishSheet() {
    const side = one(".side");
    const settle = () => {
      if (side.open) side.close();
      side.setAttribute("role", NARROW.matches ? "dialog" : "complementary");
      if (!NARROW.matches) side.setAttribute("open", "");
    };
    settle();
    NARROW.addEventListener("change", settle, { once: false });
    on(".sheet-open", "click", () => !side.open && side.showModal());
    on(".sheet-close", "click", () => side.close());
    side.addEventListener("click", (event) => {
      if (event.target === side && NARROW.matches) side.close();
    });
  }

  /* Dots below the pictures of a phone, which are swiped. */
  function pages() {
    const [views, dots] = [one(".views"), one(".pages")];
    dots.replaceChildren(...all(".view").map(() => document.createElement("span")));
    const mark = () => {
      const wide = views.scrollWidth / Math.max(dots.children.length, 1);
      const now = Math.round(views.scrollLeft / Math.max(wide, 1));
      Array.from(dots.children).forEach((dot, i) => dot.classList.toggle("on", i === now));
    };
    views.addEventListener("scroll", mark, { passive: true });
    mark();
  }

  /* Places as the layout wants them, tabs as the state says. */
  function follow() {
    const { state } = page.now;
    const kind = model.layoutKind(state.layout);
    const large = model.largePlace(state.layout);
    const presenter = root.classList.contains("presenter");
    one("#views").dataset.layout = kind;
    all(".view[data-place]").forEach((view) => {
      const { place } = view.dataset;
      view.hidden = presenter ? !page.picks.includes(place) : kind === "single" && place !== large;
      view.classList.toggle("big", place === large);
      view.classList.toggle("shows-text", page.facts.views[model.viewOf(state, page.facts, place)].kind === "text");
      all("[role=tab]", view).forEach((tab) => {
        const chosen = tab.dataset.tab === state.tabs[place];
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
      });
    });
    all(".lay button").forEach((button) => press(button, button.dataset.layout === kind));
    all(".seen button").forEach((button) => press(button, page.picks.includes(button.dataset.see)));
    all(".pin").forEach((button) => press(button, Boolean(page.pinned)));
    all(".tries button").forEach((button) => {
      const { state: told } = page.facts.experiments[Number(button.dataset.experiment)];
      button.classList.toggle("on", model.same([told.numbers, told.variants, told.options], [state.numbers, state.variants, state.options]));
    });
    window.nhviz.pictures.redraw();
  }

  function press(button, is) {
    button.classList.toggle("on", is);
    button.setAttribute("aria-pressed", String(is));
  }

  function enlarge(place) {
    if (root.classList.contains("presenter")) return;
    dispatch({ kind: "enlarge", place }, false);
  }

  function escape() {
    if (root.classList.contains("presenter")) present();
    else if (model.layoutKind(page.now.state.layout) === "single") dispatch({ kind: "enlarge", place: model.largePlace(page.now.state.layout) }, false);
  }

  /* Fewer and larger: two views, the sentence, the step, the clock. */
  function present() {
    if (!page || !one(".lab")) return;
    const is = root.classList.toggle("presenter");
    if (is) page.picks = page.picks.slice(0, 2);
    follow();
    window.nhviz.page.ask(false);
  }
  function pick(place) {
    if (page.picks.includes(place)) return;
    page.picks = [page.picks[page.picks.length - 1], place];
    follow();
    window.nhviz.page.ask(false);
  }

  /* The runs that are seen now stay as ghosts, or go again. */
  function pin() {
    if (page.pinned) {
      page.pinned = null;
      window.nhviz.pictures.unpin();
    } else {
      page.pinned = { state: model.clone(page.now.state), views: new Set() };
      window.nhviz.pictures.all().filter((picture) => picture.figure).forEach((picture) => {
        page.pinned.views.add(picture.view);
        window.nhviz.pictures.pin(picture.view, runsOf(picture.figure.data, picture.cursors));
      });
    }
    follow();
  }
  function runsOf(traces, cursors) {
    const moving = new Map(cursors.map((cursor) => [cursor.trace, cursor]));
    /* Of a path that is drawn up to the clock the whole stays. */
    const whole = ({ positions, counts }) => counts && Object.fromEntries(positions.map((values, i) => ["xyz"[i], Array.from(values)]));
    return traces.map((trace, i) => [trace, moving.get(i)])
      .filter(([trace, cursor]) => trace.meta && trace.meta.track && (!cursor || cursor.counts))
      .map(([trace, cursor]) => Object.assign(structuredClone(trace), cursor ? whole(cursor) : {}));
  }

  /* A view that was not in sight when the runs were pinned: the server is asked for them. */
  function missingGhosts() {
    if (!page.pinned) return;
    const seen = Object.keys(page.facts.places).map((place) => model.viewOf(page.now.state, page.facts, place));
    const missing = seen.filter((view) => page.facts.views[view].kind !== "text" && !page.pinned.views.has(view));
    if (!missing.length) return;
    missing.forEach((view) => page.pinned.views.add(view));
    window.dash_clientside.set_props("pinned", { data: { state: page.pinned.state, views: missing } });
  }
  function ghosts(found) {
    if (found && page && page.pinned) Object.entries(found).forEach(([view, traces]) => window.nhviz.pictures.pin(view, traces.map(window.nhviz.arrays.unpacked)));
    return window.dash_clientside.no_update;
  }

  function save(place, ending) {
    const graph = window.nhviz.pictures.holder(place);
    if (!graph || !graph.data) return;
    const name = window.location.pathname.split("/").pop() + "-" + place;
    window.Plotly.downloadImage(graph, { format: ending, filename: name, width: graph.clientWidth, height: graph.clientHeight, scale: ending === "png" ? 2 : 1 });
  }

  /* The header of the page: what it shares, its presentation, a link to the lab that is open. */
  document.addEventListener("click", (event) => {
    const target = event.target.closest && event.target.closest("a[href], button");
    if (!target || !page || !one(".lab")) return;
    if (target.id === "present") present();
    if (target.dataset.skip) document.getElementById(target.dataset.skip).focus();
    if (target.id === "save-png" || target.id === "save-svg") {
      all(".view:not([hidden]):not(.shows-text)").forEach((view) => save(view.dataset.place, target.id.slice(-3)));
    }
    if (target.id === "python") python();
    if (target.id === "link") copy(target);
    if (target.id === "sweep-this") sweep();
    if (target.tagName === "A" && target.pathname === window.location.pathname && !target.search && !target.closest(".companion")) {
      event.preventDefault();
      event.stopPropagation();
      dispatch({ kind: "state", state: page.facts.opening }, false);
    }
  }, true);

  function python() {
    const place = Object.keys(page.facts.places).find((name) => page.facts.places[name].includes("python"));
    if (!place) return;
    dispatch({ kind: "tab", place, view: "python" }, false);
    if (model.layoutKind(page.now.state.layout) === "single" && model.largePlace(page.now.state.layout) !== place) enlarge(place);
  }

  /* A map of what is set now: the server chooses quantity and axes. */
  function sweep() {
    const { requests_pathname_prefix: prefix } = JSON.parse(document.getElementById("_dash-config").textContent);
    const { lab } = page.now.state;
    const query = page.answer && page.answer.query;
    window.location.assign(prefix + "sweep?lab=" + lab + (query ? "&" + query : ""));
  }

  function copy(button) {
    const words = button.querySelector("[data-label]") || button;
    const told = words.textContent;
    const done = window.navigator.clipboard ? window.navigator.clipboard.writeText(window.location.href) : Promise.reject(new Error("no clipboard"));
    done.then(() => "Link copied", () => "Copy it from the address bar").then((text) => {
      words.textContent = text;
      window.setTimeout(() => {
        words.textContent = told;
      }, 2500);
    });
  }

  window.nhviz = Object.assign(window.nhviz || {}, { frame: { follow, furnish, missingGhosts, present } });
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, { ghosts });
})();
