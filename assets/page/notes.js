/* Words that go with a run (`nhviz/figures/notes.py`), and a number in them that follows the clock. */
(function () {
  "use strict";

  const { model } = window.nhviz;
  const DIGITS = 2;

  /* What is said at an instant; nothing of a number that is too small to be seen. */
  function said({ note }, index) {
    const value = note.numbers[Math.min(index, note.numbers.length - 1)];
    const text = value < note.least ? "" : note.before + model.brief(Number(value.toPrecision(DIGITS))) + note.after;
    return { text: [text], textposition: [note.side] };
  }

  window.nhviz = Object.assign(window.nhviz || {}, { notes: { said } });
})();
