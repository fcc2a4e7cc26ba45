/* The pictures of the entry that is open: asked for when it stands there, drawn in the size of their place. No other
   entry has any, so that few are alive. */
(function () {
  "use strict";

  const { gallery } = window.nhviz;
  /* A flat picture is so much lower than wide, one in space less so. */
  const [FLAT, SPACE, LEAST, MOST] = [0.42, 0.6, 210, 420];
  const AGAIN = 3000;
  let [shown, round, address] = [null, 0, ""];

  const isSpace = ({ layout }) => Object.keys(layout).some((key) => /^scene\d*$/.test(key));
  const theme = () => document.documentElement.dataset.theme;

  function heightOf(figure, width) {
    const wanted = figure.layout.height || width * (isSpace(figure) ? SPACE : FLAT);
    return Math.round(Math.min(MOST, Math.max(LEAST, wanted)));
  }

  /* A picture in its place. It stands still: what moves in it is for the lab. */
  function draw(place, figure) {
    const width = place.clientWidth;
    const height = heightOf(figure, width);
    place.style.height = height + "px";
    const layout = Object.assign(window.nhviz.model.clone(figure.layout), { autosize: false, width, height });
    layout.annotations = (layout.annotations || []).filter(({ name }) => name !== "wide" || width >= 440);
    window.Plotly.react(place, figure.data, layout, { staticPlot: !isSpace(figure), displayModeBar: false, scrollZoom: false });
    window.nhviz.pictures.tuck(place);
  }

  function drop() {
    if (!shown) return;
    shown.places.forEach((place) => {
      if (window.Plotly) window.Plotly.purge(place);
      place.remove();
    });
    shown.room.classList.remove("drawn");
    shown = null;
  }

  /* What was asked for has come, and its place is still there. */
  function hang(room, figures, worn) {
    drop();
    room.dataset.worn = worn;
    const places = figures.map(() => Object.assign(document.createElement("div"), { className: "plot" }));
    room.append(...places);
    shown = { room, places, figures: figures.map((figure) => ({ ...figure, data: figure.data.map(window.nhviz.arrays.unpacked) })) };
    room.classList.toggle("drawn", figures.length > 0);
    shown.figures.forEach((figure, i) => draw(places[i], figure));
  }

  function say(room, sentence) {
    drop();
    const words = Object.assign(document.createElement("p"), { className: "trouble", textContent: sentence });
    room.append(words);
    shown = { room, places: [words], figures: [] };
  }

  /* Draw the pictures of the entry that is open now, if there is one. */
  async function follow(plotly) {
    address = plotly || address;
    round += 1;
    const mine = round;
    const room = document.querySelector(".gallery .drawings");
    if (!room) return drop();
    if (shown && shown.room !== room) drop();
    const [kind] = room.closest("[data-entry]").dataset.entry.split(" ");
    const worn = theme();
    const [answer] = await Promise.all([
      gallery.post("gallery/pictures", { kind, id: room.dataset.draw, theme: worn }),
      window.nhviz.pictures.library(address),
    ]);
    if (mine !== round || !room.isConnected) return undefined;
    if (answer && answer.ok) return hang(room, answer.data, worn);
    /* A lab may be being prepared, or the server busy. */
    window.setTimeout(() => mine === round && room.isConnected && follow(), AGAIN);
    return say(room, answer && answer.status < 500 ? answer.sentence : "The pictures could not be loaded; this page tries again.");
  }

  /* Another theme has other colours, another window another size. */
  function repaint() {
    if (document.querySelector(".gallery .drawings")) follow();
  }
  let later = 0;
  window.addEventListener("resize", () => {
    window.clearTimeout(later);
    later = window.setTimeout(() => shown && shown.figures.forEach((figure, i) => draw(shown.places[i], figure)), 120);
  });

  gallery.pictures = { follow, repaint };
})();
