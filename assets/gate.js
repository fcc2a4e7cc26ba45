/* Which questions reach the server: while a hand drags at most one is under way, and the newest value wins. */
(function () {
  "use strict";

  const PATIENCE = 2000;

  /* `send` puts a question to the server; `answered` is to be called with each answer. */
  function gate(send, clock) {
    let asked = null;
    let held = null;
    let latest = 0;

    function put(question) {
      asked = clock();
      held = null;
      latest = question.number || 0;
      send(question);
    }

    return {
      /* A question of a resting hand is put at once: the newest answer is the one that is shown. One that was lost is
         not waited for. */
      ask(question) {
        if (!question.preview || asked === null || clock() - asked > PATIENCE) put(question);
        else held = question;
      },
      /* An answer to an earlier question than the last one does not count. */
      answered(number) {
        if ((number || 0) < latest) return;
        asked = null;
        if (held) put(held);
      },
    };
  }

  window.nhviz = Object.assign(window.nhviz || {}, { gate });
})();
