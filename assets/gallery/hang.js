/* The gallery: numbers are asked for once it stands there, few at a time, those in sight first; what is known is said at
   once. Filters are addresses, so that Back and links work. */
(function () {
  "use strict";

  const { gallery } = window.nhviz;
  const NO = () => window.dash_clientside.no_update;
  const [BATCH, LANES, AGAIN] = [4, 2, 2000];
  const GONE = "The server does not answer; this page tries again.";
  const told = new Map();
  let round = 0;

  const all = (selector, room) => Array.from((room || document).querySelectorAll(selector));
  const entries = () => all(".gallery [data-entry]");
  const prefix = () => JSON.parse(document.getElementById("_dash-config").textContent).requests_pathname_prefix;

  /* What the server answers, or nothing. */
  async function post(path, body) {
    try {
      const answer = await window.fetch(prefix() + path, {
        method: "POST", credentials: "same-origin", body: JSON.stringify(body),
        headers: { Accept: "application/json", "Content-Type": "application/json" },
      });
      const text = await answer.text();
      return { ok: answer.ok, status: answer.status, data: answer.ok ? JSON.parse(text) : null, sentence: text.trim() };
    } catch {
      return null;
    }
  }

  /* An entry with what it tells; one that is still computed is an outline. */
  function fill(element) {
    const found = told.get(element.dataset.entry);
    element.classList.toggle("pending", !found);
    element.classList.toggle("failed", Boolean(found && found.trouble && !found.again));
    const [room, badge] = [element.querySelector(".told"), element.querySelector(".line > .badge:not(.new)")];
    if (room) gallery.sentence(room, found ? found.sentence || [{ text: found.trouble, kind: "" }] : []);
    if (badge && element.matches(".fig")) gallery.badge(badge, (found && found.badge) || "");
  }

  /* How many claims of this page hold, as far as that is known. */
  function count() {
    const badges = entries().map(({ dataset }) => (told.get(dataset.entry) || {}).badge);
    all(".tally [data-tally]").forEach((one) => {
      const { tally, one: single, many } = one.dataset;
      const number = badges.filter((badge) => badge === tally).length;
      one.hidden = !number;
      one.querySelector("b").textContent = number;
      one.querySelector("span").textContent = number === 1 ? single : many;
    });
  }

  function show(names) {
    entries().filter(({ dataset }) => names.includes(dataset.entry)).forEach(fill);
    count();
  }

  /* The next entries of one kind that nobody has asked for: those in sight come first. */
  function next(waiting) {
    const found = entries().filter(({ dataset }) => waiting.has(dataset.entry));
    const first = found.filter((element) => !element.hidden).concat(found.filter((element) => element.hidden));
    const names = first.slice(0, BATCH).map(({ dataset }) => dataset.entry);
    names.forEach((name) => waiting.delete(name));
    return names;
  }

  /* Ask until nothing is left, or until another page stands here. */
  async function lane(mine, waiting) {
    const names = next(waiting);
    if (!names.length) return;
    const [kind] = names[0].split(" ");
    const answer = await post("gallery/told", { kind, ids: names.map((name) => name.slice(kind.length + 1)) });
    if (mine !== round) return;
    take(mine, waiting, kind, names, answer);
    lane(mine, waiting);
  }

  /* What has come is shown; what the answer leaves out is next, and what is not ready yet is asked for later. */
  function take(mine, waiting, kind, names, answer) {
    const lost = !answer || answer.status >= 500;
    const data = (answer && answer.data) || {};
    names.forEach((name) => {
      const id = name.slice(kind.length + 1);
      const found = id in data ? data[id] : answer && answer.ok ? null : { trouble: lost ? GONE : answer.sentence, again: lost };
      if (!found) waiting.add(name);
      else {
        told.set(name, found);
        if (found.again) window.setTimeout(() => retry(mine, name), AGAIN);
      }
    });
    show(names);
  }
  function retry(mine, name) {
    if (mine === round) lane(mine, new Set([name]));
  }

  /* A page of the gallery stands there. */
  function hung(facts) {
    if (!facts) return NO();
    Object.entries(facts.known).forEach(([name, found]) => told.set(name, found));
    round += 1;
    entries().forEach(fill);
    count();
    const waiting = new Set(entries().map(({ dataset }) => dataset.entry).filter((name) => !told.has(name) || told.get(name).again));
    for (let i = 0; i < LANES; i += 1) lane(round, waiting);
    window.nhviz.gallery.pictures.follow(facts.plotly);
    reveal();
    return NO();
  }

  /* An entry that an address opens is brought into sight, and a keyboard goes on there. */
  function reveal() {
    const open = document.querySelector(".gallery .unfolded");
    if (!open || !new URLSearchParams(window.location.search).has("open")) return;
    open.scrollIntoView({ block: "nearest" });
    if (document.activeElement === document.body) open.querySelector("h2").focus({ preventScroll: true });
  }

  /* To another address of this page, as a link would. */
  function go(href) {
    window.history.pushState({}, "", window.location.origin + href);
    window.dispatchEvent(new window.CustomEvent("_dashprivate_pushstate"));
  }
  document.addEventListener("click", ({ target }) => {
    const button = target.closest && target.closest(".gallery button[data-href]");
    if (button) go(button.dataset.href);
  });

  gallery.post = post;
  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.nhviz = Object.assign(window.dash_clientside.nhviz || {}, { hung });
})();
