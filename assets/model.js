/* The state of a page, and how events change it: plain functions of values, which know nothing of the page.
   The server checks every value and answers with pictures, or with a sentence. */
(function () {
  "use strict";

  const clone = (value) => JSON.parse(JSON.stringify(value));
  const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);
  const FOCUS = "focus.";

  /* As many digits as identify the number for a person. */
  function shown(value) {
    return String(Number(Number(value).toPrecision(10)));
  }

  /* Four digits, with a real minus. */
  function brief(value) {
    const size = Math.abs(value);
    const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential(2).replace(/\.?0*e\+?/, "e") : String(Number(value.toPrecision(4)));
    return text.replaceAll("-", "−");
  }

  function clamp(value, range) {
    return Math.min(Math.max(value, range[0]), range[1]);
  }

  /* A round number at most as large: 1, 2 or 5 times a power of ten. */
  function roundBelow(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    const share = value / power;
    return (share >= 5 ? 5 : share >= 2 ? 2 : 1) * power;
  }

  /* The value on the grid of a slider that a hand means: round numbers, about 400 of them. */
  function onGrid(value, facts) {
    const [low, high] = facts.slider;
    const unit = facts.whole ? 1 : roundBelow((high - low) / 400);
    return clamp(Number((Math.round(value / unit) * unit).toPrecision(8)), [Math.max(low, facts.min), Math.min(high, facts.max)]);
  }

  /* Whether the dimension leaves a number its meaning. */
  function isUsed(state, facts, word) {
    const needs = (facts.numbers[word] || {}).needs;
    return !needs || state.numbers[needs[0]] >= needs[1];
  }

  /* Whether something that is chosen listens to a word: a gain matters where a method with gains runs. */
  function isHeard(state, facts, word) {
    const users = facts.uses && facts.uses[word];
    if (!users) return true;
    const dot = word.lastIndexOf(".");
    const chosen = state.variants[dot < 0 ? "methods" : word.slice(0, dot) + ".methods"] || [];
    return users.some((name) => chosen.includes(name));
  }

  /* The value of a formula of numbers, pi, sqrt, + - * / ^ and brackets, or NaN. Nothing is evaluated as a program. */
  function calculate(text) {
    const signs = text.toLowerCase().replaceAll("−", "-").replaceAll("·", "*").replaceAll("π", "pi").replaceAll(",", ".")
      .match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|pi|sqrt|°|[-+*/^()]|\S/g) || [];
    let at = 0;
    const next = () => signs[at];
    const take = (sign) => next() === sign && (at += 1, true);

    function atom() {
      if (take("(")) {
        const inside = sum();
        return take(")") ? inside : NaN;
      }
      if (take("pi")) return Math.PI;
      if (take("sqrt")) return next() === "(" ? Math.sqrt(atom()) : NaN;
      const sign = next();
      if (sign === undefined || !/^[\d.]/.test(sign)) return NaN;
      at += 1;
      return Number(sign);
    }
    function power() {
      const base = atom();
      return take("^") ? base ** signed() : base;
    }
    function signed() {
      if (take("-")) return -signed();
      if (take("+")) return signed();
      const value = power();
      return take("°") ? (value * Math.PI) / 180 : value;
    }
    function product() {
      let value = signed();
      for (;;) {
        if (take("*")) value *= signed();
        else if (take("/")) value /= signed();
        else if (next() === "pi" || next() === "(" || next() === "sqrt") value *= power();
        else return value;
      }
    }
    function sum() {
      let value = product();
      for (;;) {
        if (take("+")) value += product();
        else if (take("-")) value -= product();
        else return value;
      }
    }
    const value = signs.length && signs.length < 60 ? sum() : NaN;
    return at === signs.length ? value : NaN;
  }

  /* A number from what was typed, or a sentence. */
  function readNumber(word, text) {
    const trimmed = String(text === null || text === undefined ? "" : text).trim();
    const value = calculate(trimmed);
    if (Number.isFinite(value)) return { value };
    const found = trimmed === "" ? "nothing" : "“" + Array.from(trimmed).slice(0, 20).join("") + "”";
    return { problem: word + " must be a number, or a formula such as pi/6, not " + found + "; the last good value stays." };
  }

  /* What a click at a place sets, where the view names it: six digits are finer than a pixel and keep the link short. */
  function startAt(state, facts, view, place) {
    const words = facts.views[view].start.filter((word) => isUsed(state, facts, word));
    if (!words.length || words.length !== place.length) return null;
    return Object.fromEntries(words.map((word, i) => [word, Number(place[i].toPrecision(6))]));
  }

  /* Energy and direction (degrees) of two momenta, and back; the form (a, b, d) is that of E = (a p² + 2 b p q + d q²)/2. */
  function energyAndAngle([a, b, d], [p, q]) {
    return { energy: (a * p * p + 2 * b * p * q + d * q * q) / 2, angle: (Math.atan2(q, p) * 180) / Math.PI };
  }
  function momenta([a, b, d], { energy, angle }) {
    const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const radius = Math.sqrt((2 * Math.max(energy, 0)) / (a * c * c + 2 * b * c * s + d * s * s));
    return [radius * c, radius * s].map((value) => Number(value.toPrecision(8)));
  }

  /* Momenta of velocities and back, K = diagonal * v - less <v, n> n, with n the direction of `along`; null where it has
     none. The sum of positive terms is 1 - less <n, n/diagonal>, which would cancel. */
  function directionOf(along) {
    const size = Math.hypot(...along);
    return size > 0 ? along.map((value) => value / size) : null;
  }
  const product = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);
  function momentaOf({ diagonal, less }, velocities, along) {
    const n = directionOf(along);
    return n && velocities.map((value, i) => diagonal[i] * value - less * product(velocities, n) * n[i]);
  }
  function velocitiesOf({ diagonal, less }, given, along) {
    const n = directionOf(along);
    if (!n) return null;
    const share = n.reduce((sum, value, i) => sum + ((diagonal[i] - less) / diagonal[i]) * value * value, 0);
    const push = (less * given.reduce((sum, value, i) => sum + (value * n[i]) / diagonal[i], 0)) / share;
    return given.map((value, i) => Number(((value + push * n[i]) / diagonal[i]).toPrecision(12)));
  }

  /* What is wrong with velocities that a momentum asks for: one that is out of its range. */
  function outOfRange(facts, words, velocities) {
    const i = words.findIndex((word, j) => !(velocities[j] >= facts.numbers[word].min && velocities[j] <= facts.numbers[word].max));
    if (i < 0) return "";
    const { min, max } = facts.numbers[words[i]];
    return "This momentum asks for " + words[i] + " = " + brief(velocities[i]) + ", which is not between " + brief(min) + " and " + brief(max) + ".";
  }

  /* The place that a layout makes large, or nothing. */
  function largePlace(layout) {
    if (layout === "all") return "";
    return layout.startsWith(FOCUS) ? layout.slice(FOCUS.length) : layout;
  }
  function layoutKind(layout) {
    return layout === "all" ? "all" : layout.startsWith(FOCUS) ? "focus" : "single";
  }

  const changes = {
    number(now, facts, { word, value }) {
      now.state.numbers[word] = value;
      delete now.errors[word];
    },
    numbers(now, facts, { values }) {
      Object.entries(values).forEach(([word, value]) => changes.number(now, facts, { word, value }));
    },
    text(now, facts, { word, text }) {
      const { value, problem } = readNumber(word, text);
      if (problem) now.errors[word] = problem;
      else changes.number(now, facts, { word, value });
    },
    option(now, facts, { word, value }) {
      now.state.options[word] = value;
    },
    /* One variant joins or leaves, in the order in which the lab declares them. */
    variant(now, facts, { word, name }) {
      const chosen = now.state.variants[word];
      const next = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name];
      now.state.variants[word] = facts.variants[word].filter((other) => next.includes(other));
    },
    tab(now, facts, { place, view }) {
      now.state.tabs[place] = view;
    },
    /* One view alone; again, and all is as it was before. */
    enlarge(now, facts, { place }) {
      const alone = now.state.layout === place;
      if (!alone && layoutKind(now.state.layout) !== "single") now.home = now.state.layout;
      now.state.layout = alone ? now.home || "all" : place;
    },
    layout(now, facts, { name }) {
      const place = largePlace(now.state.layout) || largePlace(facts.opening.layout) || Object.keys(facts.places)[0];
      now.state.layout = name === "all" ? "all" : name === "focus" ? FOCUS + place : place;
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
    /* A momentum, or the direction that goes with it: values of the start, or what is wrong with it, beside its word. */
    given(now, facts, { word, values, problem }) {
      Object.values(facts.momenta).forEach(({ momenta: words }) => words.forEach((other) => delete now.errors[other]));
      if (problem) now.errors[word] = problem;
      else changes.numbers(now, facts, { values });
    },
    /* A state of before, or the opening one. */
    state(now, facts, { state }) {
      now.state = clone(state);
      now.errors = {};
    },
  };

  /* One event, one new state. `now` has a state, what is wrong with what was typed, and the layout to come back to. */
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
    model: {
      after, brief, calculate, clamp, clone, energyAndAngle, isHeard, isUsed, largePlace, layoutKind, momenta, momentaOf, onGrid, outOfRange, placesToPaint,
      readNumber, roundBelow, same, shown, startAt, velocitiesOf, viewOf,
    },
  });
})();
