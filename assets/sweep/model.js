/* What a page of sweeps shows, as a value, and what follows from it: the sweep that the server is asked for, the
   address, the lines of Python, a part of it to look closer at. Functions of values.

   A state is { of, show, map, x, y, given }: axes are { name, first, last, count, log }, y may be null, and given holds
   the fixed values that somebody has set. */
(function () {
  "use strict";

  const WORDS = new Set(["of", "show", "map", "x", "y"]);
  const clone = (value) => JSON.parse(JSON.stringify(value));

  const systemOf = (facts, state) => facts.systems[state.of];
  const measureOf = (facts, state) => systemOf(facts, state).measures[state.show];

  /* All numbers of a state by name: those of the body and the start, of the map, of the quantity. */
  function numbersOf(facts, state) {
    return { ...systemOf(facts, state).numbers, ...systemOf(facts, state).methods[state.map].numbers, ...measureOf(facts, state).numbers };
  }

  const axesOf = (state) => [state.x, state.y].filter(Boolean);
  const isAxis = (state, name) => axesOf(state).some((axis) => axis.name === name);
  const shape = (state) => [state.y ? state.y.count : 1, state.x.count];

  /* Whether the dimension leaves a number its meaning. */
  function isUsed(facts, state, name) {
    const { needs } = numbersOf(facts, state)[name];
    return !needs || isAxis(state, needs[0]) || fixed(facts, state, needs[0]) >= needs[1];
  }

  /* The value of a name that is no axis; a gain that nobody has set follows the step. */
  function fixed(facts, state, name) {
    if (name in state.given) return state.given[name];
    const number = numbersOf(facts, state)[name];
    if (!number.perStep) return number.default;
    return isAxis(state, facts.stepName) ? null : number.default / fixed(facts, state, facts.stepName);
  }

  /* What can be kept fixed: numbers, and choices of the map; optional names of the quantity only if somebody set them. */
  function keptOf(facts, state) {
    const numbers = numbersOf(facts, state);
    return Object.keys(numbers).filter((name) => !isAxis(state, name) && isUsed(facts, state, name) && (!numbers[name].optional || name in state.given));
  }
  const choicesOf = (facts, state) => systemOf(facts, state).methods[state.map].choices;

  /* The argument of nhviz.sweep that takes a name; nothing for one that is an argument itself. */
  const groupOf = (facts, state, name) => (numbersOf(facts, state)[name] || choicesOf(facts, state)[name]).group;

  /* The fixed values as arguments of nhviz.sweep. */
  function argumentsOf(facts, state) {
    const found = {};
    Object.entries(state.given).forEach(([name, value]) => {
      const group = groupOf(facts, state, name);
      if (group) (found[group] = found[group] || {})[name] = value;
      else found[name] = value;
    });
    return found;
  }

  /* The sweep as the server reads it. */
  function sweepOf(facts, state) {
    return { system: state.of, quantity: state.show, method: state.map, x: state.x, y: state.y, ...argumentsOf(facts, state) };
  }

  const axisText = ({ name, first, last, count, log }) => [name, first, last, count, ...(log ? ["log"] : [])].join(":");

  /* The address of a state, behind the question mark. */
  function query(state) {
    const words = [["of", state.of], ["show", state.show], ["map", state.map], ["x", axisText(state.x)], ...(state.y ? [["y", axisText(state.y)]] : [])];
    Object.entries(state.given).forEach(([name, value]) => words.push([WORDS.has(name) ? "kept." + name : name, value]));
    return words.map(([word, text]) => encodeURIComponent(word) + "=" + encodeURIComponent(text).replaceAll("%3A", ":")).join("&");
  }

  const quoted = (value) => (typeof value === "string" ? '"' + value + '"' : String(value));
  const entries = (values) => "{" + Object.entries(values).map(([name, value]) => quoted(name) + ": " + quoted(value)).join(", ") + "}";
  const tuple = ({ name, first, last, count, log }) => "(" + [name, first, last, count, ...(log ? ["log"] : [])].map(quoted).join(", ") + ")";

  /* The lines of Python that give the same array. */
  function python(facts, state) {
    const lines = [quoted(state.of) + ", " + quoted(state.show), "x=" + tuple(state.x), ...(state.y ? ["y=" + tuple(state.y)] : []), "method=" + quoted(state.map)];
    Object.entries(argumentsOf(facts, state)).forEach(([name, value]) => lines.push(name + "=" + (typeof value === "object" ? entries(value) : quoted(value))));
    return "found = nhviz.sweep(\n" + lines.map((line, k) => "  " + line + (k < lines.length - 1 ? "," : ")")).join("\n") + "\nfound.values";
  }

  /* The value of an axis at a place between its cells, counted from 0; and the place of a value. */
  function valueAt({ first, last, count, log }, place) {
    const share = place / (count - 1);
    return log ? first * (last / first) ** share : first + (last - first) * share;
  }
  function placeOf({ first, last, count, log }, value) {
    return (count - 1) * (log ? Math.log(value / first) / Math.log(last / first) : (value - first) / (last - first));
  }
  /* The value of a cell, without the last digits of the arithmetic. */
  const cellValue = (axis, i) => Number(valueAt(axis, i).toPrecision(12));
  const nearest = (axis, value) => Math.min(axis.count - 1, Math.max(0, Math.round(placeOf(axis, value))));

  /* A part of an axis, from one place to another, with ends as round as its cells are fine. */
  function part(axis, from, to) {
    const ends = [from, to].map((place) => valueAt(axis, place));
    const width = axis.log ? Math.min(...ends.map(Math.abs)) : Math.abs(ends[1] - ends[0]);
    const unit = 10 ** (Math.floor(Math.log10(width)) - 2);
    const [first, last] = ends.map((value) => Number((Math.round(value / unit) * unit).toPrecision(12)));
    return { ...axis, first, last };
  }

  /* The sweep of a rectangle between two places of the map. */
  function zoomed(state, [fromX, fromY], [toX, toY]) {
    const inside = (axis, place) => Math.min(axis.count - 1, Math.max(0, place));
    const cut = (axis, a, b) => part(axis, inside(axis, Math.min(a, b)), inside(axis, Math.max(a, b)));
    return { ...clone(state), x: cut(state.x, fromX, toX), y: state.y && cut(state.y, fromY, toY) };
  }

  /* The sweep of twice the ranges, as far as they are declared. */
  function widened(facts, state) {
    const wider = (axis) => {
      const { min, max } = numbersOf(facts, state)[axis.name];
      const quarter = (axis.count - 1) / 2;
      const wide = part(axis, -quarter, axis.count - 1 + quarter);
      return { ...wide, first: Math.max(wide.first, min), last: Math.min(wide.last, max) };
    };
    return { ...clone(state), x: wider(state.x), y: state.y && wider(state.y) };
  }

  /* What other choices of system, quantity or map leave of a state: values that still mean something stay. */
  function choose(facts, state, what, name) {
    if (what === "of") return clone(facts.systems[name].opening);
    const measure = systemOf(facts, state).measures[what === "show" ? name : state.show];
    const map = what === "map" ? name : measure.methods.includes(state.map) ? state.map : measure.methods[0];
    const next = { ...clone(state), show: what === "show" ? name : state.show, map };
    const known = numbersOf(facts, next);
    if (!axesOf(next).every((axis) => axis.name in known)) Object.assign(next, { x: clone(measure.axes.x), y: clone(measure.axes.y) });
    /* Names of the quantity itself are its axes: without them there is no such number. */
    if (what === "show" && Object.values(measure.numbers).some(({ optional }) => !optional)) Object.assign(next, { x: clone(measure.axes.x), y: clone(measure.axes.y) });
    next.given = Object.fromEntries(Object.entries(next.given).filter(([key]) => !isAxis(next, key) && (key in known || key in choicesOf(facts, next))));
    return next;
  }

  /* Another name along an axis, in its usual range; the one that was there is fixed again. No name leaves a curve. */
  function rename(facts, state, which, name) {
    const next = clone(state);
    if (!name) return { ...next, y: null };
    const other = which === "x" ? "y" : "x";
    const count = (next[which] || next.x).count;
    if (next[other] && next[other].name === name) return { ...next, x: next.y, y: next.x };
    const { slider } = numbersOf(facts, state)[name];
    const perStep = numbersOf(facts, state)[name].perStep ? 1 / (fixed(facts, state, facts.stepName) || numbersOf(facts, state)[facts.stepName].default) : 1;
    next[which] = { name, first: slider[0] * perStep, last: slider[1] * perStep, count, log: false };
    delete next.given[name];
    return next;
  }

  window.nhviz = window.nhviz || {};
  window.nhviz.sweeps = Object.assign(window.nhviz.sweeps || {}, {
    model: {
      axesOf, cellValue, choicesOf, choose, clone, fixed, isAxis, isUsed, keptOf, measureOf, nearest, numbersOf, placeOf, python, query, rename, shape,
      sweepOf, systemOf, valueAt, widened, zoomed,
    },
  });
})();
