/* The state of a page, and how events change it: plain functions of values, which know nothing of the page.
   No mathematics here: the server checks every value and answers with pictures, or with a sentence. */
(function () {
  "use strict";

  const clone = (value) => JSON.parse(JSON.stringify(value));
  const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);

  /* As many digits as identify the number for a person. */
  function shown(value) {
    return String(Number(Number(value).toPrecision(10)));
  }

  function clamp(value, range) {
    return Math.min(Math.max(value, range[0]), range[1]);
  }

  /* Whether the dimension leaves a number its meaning. */
  function isUsed(state, facts, word) {
    const needs = facts.numbers[word].needs;
    return !needs || state.numbers[needs[0]] >= needs[1];
  }

  /* A number from what was typed, or a sentence. */
  function readNumber(word, text) {
    const trimmed = String(text === null || text === undefined ? "" : text).trim().replace(",", ".");
    const value = Number(trimmed);
    if (trimmed !== "" && Number.isFinite(value)) return { value };
    const found = trimmed === "" ? "nothing" : "“" + Array.from(trimmed).slice(0, 20).join("") + "”";
    return { problem: word + " must be a number, not " + found + "; the last good value stays." };
  }

  /* What a click at a place sets, where the view names it: six digits are finer than a pixel and keep the link short. */
  function startAt(state, facts, view, place) {
    const words = facts.views[view].start.filter((word) => isUsed(state, facts, word));
    if (!words.length || words.length !== place.length) return null;
    return Object.fromEntries(words.map((word, i) => [word, Number(place[i].toPrecision(6))]));
  }

  const changes = {
    number(now, facts, { word, value }) {
      now.state.numbers[word] = value;
      delete now.errors[word];
    },
    text(now, facts, { word, text }) {
      const { value, problem } = readNumber(word, text);
      if (problem) now.errors[word] = problem;
      else changes.number(now, facts, { word, value });
    },
    option(now, facts, { word, value }) {
      now.state.options[word] = value;
    },
    /* In the order in which the lab declares them. */
    variants(now, facts, { word, value }) {
      now.state.variants[word] = facts.variants[word].filter((name) => (value || []).includes(name));
    },
    tab(now, facts, { place, view }) {
      now.state.tabs[place] = view;
    },
    enlarge(now, facts, { place }) {
      now.state.layout = now.state.layout === place ? "all" : place;
    },
    /* What is shown stays, unless the experiment says what to show. */
    experiment(now, facts, { number }) {
      const { state, shows } = clone(facts.experiments[number]);
      const { tabs, layout } = now.state;
      now.state = shows ? state : { ...state, tabs, layout };
      now.errors = {};
    },
    start(now, facts, { values, problem }) {
      if (problem) now.errors.click = problem;
      Object.entries(values).forEach(([word, value]) => {
        if (word in now.state.numbers) changes.number(now, facts, { word, value });
        else if (word in now.state.options) now.state.options[word] = value;
      });
    },
  };

  /* One event, one new state. `now` has a state and what is wrong with what was typed. */
  function after(now, facts, event) {
    const next = clone(now);
    delete next.errors.click;
    changes[event.kind](next, facts, event);
    return next;
  }

  /* The places whose picture must be painted again: those with another tab, or all (null). */
  function placesToPaint(before, next) {
    const rest = (state) => ({ ...state, tabs: null });
    if (!before || !same(rest(before), rest(next))) return null;
    return Object.keys(next.tabs).filter((place) => next.tabs[place] !== before.tabs[place]);
  }

  /* The view that a place shows. */
  function viewOf(state, facts, place) {
    return state.tabs[place] || facts.places[place][0];
  }

  window.nhviz = Object.assign(window.nhviz || {}, {
    model: { after, clamp, clone, isUsed, placesToPaint, readNumber, same, shown, startAt, viewOf },
  });
})();
