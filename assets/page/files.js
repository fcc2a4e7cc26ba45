/* Files that the server makes: asked for with the state of the page, saved under the name that they come with. */
(function () {
  "use strict";

  const LOST = "The server could not answer. Nothing is lost: change a value, or try again.";
  const GONE = "The server does not answer. Nothing is lost: try again when the connection is back.";
  const prefix = () => JSON.parse(document.getElementById("_dash-config").textContent).requests_pathname_prefix;
  const name = (answer) => (/filename="?([\w.-]+)/.exec(answer.headers.get("Content-Disposition")) || ["", "table.csv"])[1];

  function save(blob, called) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: called });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /* Save the table of all runs of a state; a sentence if there is none. */
  async function table(state) {
    try {
      const answer = await window.fetch(prefix() + "table", {
        method: "POST", credentials: "same-origin", body: JSON.stringify({ file: { state } }),
        headers: { "Content-Type": "application/json" },
      });
      if (!answer.ok) return (answer.status < 500 && (await answer.text()).trim()) || LOST;
      save(await answer.blob(), name(answer));
      return "";
    } catch {
      return GONE;
    }
  }

  window.nhviz = Object.assign(window.nhviz || {}, { files: { table } });
})();
