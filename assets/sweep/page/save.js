/* The map as a file: one SVG with the cells as an image in it and every colour written out, or that as PNG. */
(function () {
  "use strict";

  const { map } = window.nhviz.sweeps;
  const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-style", "font-weight", "paint-order"];
  const HEAD = 34;
  const FINER = 2;

  function saved(blob, name) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /* A copy of a drawing that looks the same without the style sheet. */
  function plain(drawing) {
    const copy = drawing.cloneNode(true);
    const [from, to] = [drawing, copy].map((root) => Array.from(root.querySelectorAll("path, text, tspan, circle, rect")));
    from.forEach((element, k) => {
      const style = window.getComputedStyle(element);
      LOOKS.forEach((name) => {
        /* A colour that stands in the drawing itself, as a ramp does, is there already. */
        if (!(name === "fill" && element.getAttribute("fill"))) to[k].setAttribute(name, style.getPropertyValue(name));
      });
      to[k].removeAttribute("class");
    });
    return copy;
  }

  /* The whole picture as text. */
  function svg(surface, view) {
    const { clientWidth: width, clientHeight: height } = surface;
    const page = window.getComputedStyle(surface.closest(".view"));
    const whole = map.make("svg", { xmlns: "http://www.w3.org/2000/svg", width, height: height + HEAD, viewBox: "0 0 " + width + " " + (height + HEAD) });
    map.make("rect", { width, height: height + HEAD, fill: page.backgroundColor }, whole);
    map.make("text", { x: 12, y: 22, fill: page.color, "font-family": page.fontFamily, "font-size": 15, "font-weight": 500 }, whole, view.title + ", " + view.caption);
    const room = map.make("g", { transform: "translate(0 " + HEAD + ")" }, whole);
    const { map: box } = view.boxes;
    const ground = window.getComputedStyle(surface.querySelector(".cells")).backgroundColor;
    if (view.state.y) {
      map.make("rect", { x: box.x, y: box.y, width: box.width, height: box.height, fill: ground }, room);
      map.make("image", { x: box.x, y: box.y, width: box.width, height: box.height, preserveAspectRatio: "none", style: "image-rendering: pixelated", href: surface.querySelector(".cells").toDataURL() }, room);
    }
    surface.querySelectorAll(".drawing > svg > g").forEach((layer) => room.append(plain(layer)));
    return { text: new XMLSerializer().serializeToString(whole), width, height: height + HEAD };
  }

  function save(surface, view, kind) {
    const name = [view.state.of, view.state.show].join("-") + "." + kind;
    const { text, width, height } = svg(surface, view);
    const drawing = new Blob([text], { type: "image/svg+xml" });
    if (kind === "svg") {
      saved(drawing, name);
      return;
    }
    const picture = new Image();
    picture.addEventListener("load", () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: FINER * width, height: FINER * height });
      const context = canvas.getContext("2d");
      context.imageSmoothingEnabled = false;
      context.drawImage(picture, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(picture.src);
      canvas.toBlob((blob) => saved(blob, name), "image/png");
    });
    picture.src = URL.createObjectURL(drawing);
  }

  window.nhviz.sweeps.save = { save, saved, svg };
})();
