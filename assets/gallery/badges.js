/* What entries of the gallery say: a sentence with its numbers in ink, and a badge with its word. */
(function () {
  "use strict";

  const BADGES = { yes: "holds", fix: "with correction", no: "does not hold" };

  /* A sentence, part by part. */
  function sentence(room, parts) {
    room.replaceChildren(...parts.map(({ text, kind }) => {
      if (!kind || kind === "coming") return document.createTextNode(text);
      return Object.assign(document.createElement("b"), { textContent: text });
    }));
  }

  /* A badge by its look; nothing for none. */
  function badge(room, look, words) {
    room.className = look ? "badge icon " + look : "badge";
    room.textContent = look ? words || BADGES[look] : "";
  }

  /* The page of a card, or of a step of a lesson: what its answer says of the claim. */
  function claim(answer) {
    const [verdict, room] = [document.getElementById("verdict"), document.getElementById("claim")];
    if (!verdict) return;
    verdict.className = answer.badge ? "verdict badge icon " + answer.badge : "verdict";
    verdict.textContent = answer.verdict;
    if (room) sentence(room, answer.claim || []);
  }

  window.nhviz = Object.assign(window.nhviz || {}, { gallery: { badge, claim, sentence } });
})();
