/* A view of a lab as a small picture: no words, no ticks, lines that can still be seen. */
(() => {
  const [WIDTH, HEIGHT, SCALE, QUALITY] = [295, 178, 2, 0.6];
  const [THIN, EDGE] = [1.5, 6];
  let quiet = 0;
  let seen = "";

  /* Drawn, filled by its sweeps, and the same as a quarter of a second ago. */
  function isReady(place, theme) {
    const { answer } = window.nhviz.page.state;
    if (!answer || answer.theme !== theme) return false;
    const one = window.nhviz.pictures.of(place);
    if (!one || !one.element || !one.element.data || !one.figure) return false;
    const now = theme + JSON.stringify(one.figure.layout).length + " " + one.element.data.length;
    quiet = window.nhviz.coming.isUnderWay() || now !== seen ? 0 : quiet + 1;
    seen = now;
    return quiet > 3;
  }

  function bare(trace) {
    const found = { ...trace, showlegend: false, hoverinfo: "skip" };
    if (found.mode === "text" || found.name === "words") return { ...found, visible: false };
    if (found.mode) found.mode = found.mode.replace(/\+?text/, "") || "markers";
    if (found.line && found.line.width) found.line = { ...found.line, width: Math.max(THIN, found.line.width) };
    if (found.colorbar || found.showscale) found.showscale = false;
    return found;
  }

  const still = { showticklabels: false, ticks: "", title: { text: "" } };

  function plain(layout, meta) {
    const found = JSON.parse(JSON.stringify(layout));
    Object.assign(found, {
      width: WIDTH, height: HEIGHT, autosize: false, showlegend: false, annotations: [], title: { text: "" },
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", margin: { l: EDGE, r: EDGE, t: EDGE, b: EDGE },
    });
    Object.keys(found).forEach((key) => {
      if (/^[xy]axis\d*$/.test(key)) Object.assign(found[key], still, { automargin: false });
      if (/^scene\d*$/.test(key)) {
        ["xaxis", "yaxis", "zaxis"].forEach((axis) => Object.assign(found[key][axis] || {}, still));
        found[key].annotations = [];
        const eye = (found[key].camera || {}).eye || {};
        Object.keys(eye).forEach((axis) => { eye[axis] *= meta.upright || 1; });
      }
    });
    return found;
  }

  async function draw(place) {
    const { element, figure } = window.nhviz.pictures.of(place);
    const layout = plain(figure.layout, figure.layout.meta || {});
    const picture = await window.Plotly.toImage({ data: element.data.map(bare), layout }, { format: "png", width: WIDTH, height: HEIGHT, scale: SCALE });
    const image = new Image();
    image.src = picture;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: SCALE * WIDTH, height: SCALE * HEIGHT });
    const context = canvas.getContext("2d");
    /* On the paper of the theme: what is transparent takes twice the bytes. */
    context.fillStyle = window.getComputedStyle(document.documentElement).getPropertyValue("--paper");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/webp", QUALITY).split(",")[1];
  }

  window.thumbnail = { isReady, draw };
})();
