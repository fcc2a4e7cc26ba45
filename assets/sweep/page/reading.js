/* The cell at the cross-hair: its value, the range around it, the way to its lab, its run as a picture. */
(function () {
  "use strict";

  const { model, words } = window.nhviz.sweeps;
  const { element } = window.nhviz.controls;
  const REST = 160;
  const LOW = 280;
  const one = (selector) => document.querySelector(".sweep-page " + selector);
  let timer = 0;
  let asked = new AbortController();
  let drawn = null;

  /* The axes of a cell in words, as elements: I₁₃ = 1, I₂₃ = 0.5. */
  function place(parent, view, i, j) {
    [[view.state.x, i], [view.state.y, j]].filter(([axis]) => axis).forEach(([axis, k], n) => {
      if (n) parent.append(", ");
      window.nhviz.sweeps.controls.symbol(parent, view.numbers[axis.name]);
      parent.append(" = ");
      element("b", { textContent: words.short(model.cellValue(axis, k)) }, parent);
    });
    return parent;
  }

  /* A value with its unit, as text. */
  function valued(view, value, more) {
    const { from, to } = view.scale;
    const width = view.scale.log ? 0 : (to - from) * view.factor;
    return view.scale.kind === "count" ? String(value) : words.told(value * view.factor, width, more);
  }
  const behind = (unit) => (unit && unit !== "°" ? " " : "") + words.brief(unit);

  /* What the browser knows of the cell itself. */
  function follow(view) {
    const [i, j] = view.at;
    const cell = j * view.grid.columns + i;
    const value = view.grid.values[cell];
    const at = one(".reading .at");
    at.replaceChildren();
    place(at, view, i, j);
    const number = one(".reading .value");
    number.replaceChildren();
    if (Number.isFinite(value)) {
      number.append(valued(view, value, 1));
      element("small", { textContent: behind(view.unit) }, number);
    } else number.append(view.grid.done[cell] ? "empty" : "…");
    const near = words.around(view.grid, i, j);
    one(".reading .around").textContent = view.reason || (near ? "cells around it: " + (near[0] === near[1] ? "the same" : valued(view, near[0], 1) + " to " + valued(view, near[1], 1)) : "");
  }

  /* What the server knows: why it is empty, its lab, its run. Asked for when the hand rests; the newest wins. */
  function ask(page, view, told) {
    window.clearTimeout(timer);
    asked.abort();
    one(".run").dataset.asked = "yes";
    one(".reading a").removeAttribute("href");
    timer = window.setTimeout(async () => {
      const mine = new AbortController();
      asked = mine;
      const [i, j] = view.at;
      const theme = document.documentElement.dataset.theme || "light";
      const { data, sentence } = await window.nhviz.sweeps.wire.post("sweep/cell", { sweep: model.sweepOf(page.facts, view.state), i, j, theme }, mine.signal);
      if (!mine.signal.aborted && one(".reading")) told(data || { value: null, reason: sentence, href: "", problem: null, figure: null });
    }, REST);
  }

  /* The run of the cell, as its lab would draw it. */
  function picture(page, { figure, problem, href, reason }) {
    const link = one(".reading a");
    link.toggleAttribute("href", Boolean(href));
    if (href) link.href = href;
    link.setAttribute("aria-disabled", String(!href));
    const told = problem && problem.step ? words.unitOf("s", problem.step) : null;
    one(".run header p").textContent = told ? "step " + words.short(problem.step * told.factor) + " " + told.unit : "";
    one(".run .none").textContent = figure ? "" : reason || "This cell has no picture of a run.";
    one(".run").classList.add("drawn");
    const graph = one(".run .graph");
    if (!figure) {
      if (window.Plotly) window.Plotly.purge(graph);
      delete one(".run").dataset.asked;
      return;
    }
    window.nhviz.pictures.library(page.facts.plotly).then((Plotly) => {
      if (!graph.isConnected || !Plotly) return;
      drawn = { ...figure, data: window.nhviz.arrays.traces(figure.data) };
      draw(graph);
      delete one(".run").dataset.asked;
    });
  }

  /* The run in the size of its place; a low one has words at its edges only, and none of them those of a wide one. */
  function draw(graph) {
    const { clientWidth: width, clientHeight: height } = graph.parentElement;
    const fits = ({ name, xref }) => name !== "wide" && (height >= LOW || /paper|domain/.test(xref));
    /* plotly writes the ranges that fit this size into it. */
    const layout = Object.assign(window.nhviz.model.clone(drawn.layout), { autosize: false, width, height, showlegend: false });
    layout.annotations = (layout.annotations || []).filter(fits);
    window.Plotly.react(graph, drawn.data, layout, { staticPlot: true, displayModeBar: false });
    window.nhviz.pictures.tuck(graph);
  }

  /* Another size of the window is another size of the run. */
  function fit() {
    const graph = one(".run .graph");
    if (!graph || !graph.data || !drawn) return;
    const { clientWidth, clientHeight } = graph.parentElement;
    if (graph.layout.width !== clientWidth || graph.layout.height !== clientHeight) draw(graph);
  }

  /* The reading as a line of text. */
  function text(view) {
    const [i, j] = view.at;
    const spots = [[view.state.x, i], [view.state.y, j]].filter(([axis]) => axis);
    const where = spots.map(([axis, k]) => axis.name + " = " + model.cellValue(axis, k)).join(", ");
    return view.title + " at " + where + ": " + view.grid.values[j * view.grid.columns + i] + " " + view.measure.unit;
  }

  window.nhviz.sweeps.reading = { ask, behind, fit, follow, picture, place, text, valued };
})();
