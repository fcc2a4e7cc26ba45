/* The start of a system in momenta: rows for what follows from its velocities. The state holds the velocities. A momentum
   that is dragged, or a direction while the momenta are kept, becomes velocities here. */
(function () {
  "use strict";

  const { model } = window.nhviz;

  const numbers = (page, words) => words.map((word) => page.now.state.numbers[word]);

  /* The momenta of a panel, or null as long as they are not known. */
  function now(page, panel) {
    const form = page.momenta[panel];
    const { velocities, along } = page.facts.momenta[panel];
    return form ? model.momentaOf(form, numbers(page, velocities), numbers(page, along)) : null;
  }

  /* An event that gives a panel momenta, with a direction of its own. */
  function given(page, panel, word, momenta, along) {
    const { velocities: words, along: names } = page.facts.momenta[panel];
    const velocities = model.velocitiesOf(page.momenta[panel], momenta, along);
    const problem = model.outOfRange(page.facts, words, velocities);
    const pairs = words.map((name, i) => [name, velocities[i]]).concat(names.map((name, i) => [name, along[i]]));
    return { kind: "given", word, values: Object.fromEntries(pairs), problem };
  }

  /* The event of a direction that is turned while momenta are the coordinates: they stay. Else nothing. */
  function kept(row, page, value) {
    const group = row.closest(".group");
    const { word } = row.dataset;
    const panel = Object.keys(page.facts.momenta).find((name) => page.facts.momenta[name].along.includes(word));
    if (panel === undefined || !group || group.dataset.coordinates !== "momenta") return null;
    const momenta = now(page, panel);
    const along = page.facts.momenta[panel].along.map((name) => (name === word ? value : page.now.state.numbers[name]));
    return momenta && along.some(Boolean) ? given(page, panel, word, momenta, along) : null;
  }

  function furnish(row, page, { slider, numberField, rooms, say }) {
    const { panel, meaning } = row.dataset;
    const index = Number(row.dataset.momentum);
    const word = page.facts.momenta[panel].momenta[index];
    const value = () => (now(page, panel) || [])[index] || 0;
    const changed = (next, preview) => {
      const momenta = now(page, panel);
      if (!momenta) return;
      momenta[index] = next;
      say(given(page, panel, word, momenta, numbers(page, page.facts.momenta[panel].along)), preview);
    };
    const [room, box] = rooms(row);
    const unit = () => model.roundBelow(Number(room.firstChild.max) / 200);
    const onGrid = (next) => Number((Math.round(next / unit()) * unit()).toPrecision(8));
    slider(room, { label: meaning, range: [-1, 1], value, changed: (next, preview) => changed(onGrid(next), preview) });
    numberField(box, {
      label: meaning, value, unit, changed,
      typed: (text) => {
        const { value: typed, problem } = model.readNumber(word, text);
        if (problem) say({ kind: "given", word, values: {}, problem }, false);
        else changed(typed, false);
      },
    });
  }

  /* The row shows the state; its range holds the largest of the momenta, with some room. */
  function follow(row, page, { write, isHeld }) {
    const momenta = now(page, row.dataset.panel);
    const word = page.facts.momenta[row.dataset.panel].momenta[Number(row.dataset.momentum)];
    if (!momenta || page.now.errors[word]) return;
    const input = row.querySelector(".slider");
    const largest = Math.max(...momenta.map(Math.abs), 1e-9);
    if (!isHeld(input) && !(Number(input.max) >= largest && Number(input.max) <= 20 * largest)) {
      input.max = 2 * model.roundBelow(2 * largest);
      input.min = -input.max;
    }
    const value = momenta[Number(row.dataset.momentum)];
    write(input, value);
    const box = row.querySelector(".number");
    box.dataset.value = model.shown(value);
    /* So many digits as mean something beside the others. */
    const digit = model.roundBelow(Number(input.max)) / 1e4;
    write(box, document.activeElement === box ? value : Math.round(value / digit) * digit);
  }

  window.nhviz = Object.assign(window.nhviz || {}, { momenta: { follow, furnish, kept } });
})();
