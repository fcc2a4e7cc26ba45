/* What a reader would stumble over, found by measuring: texts that are cut off or lie on one another, pale texts. */
(() => {
  /* Shortened on purpose, with an ellipsis; the whole text is a click, a tooltip or a larger view away. */
  const SHORTENED = [".fixed-row .meaning", ".view header p", ".note b", ".group > summary em", ".bar .phone span"];
  /* Scrolled on purpose: chips, tabs and views are swiped, sidebar, menus and texts are read downwards. */
  const SIDEWAYS = [".switches", ".tabs", ".view header .seg", ".views", ".view .text", ".view .text pre"];
  /* The switch of a group stands in the line of its title, where that has no words. */
  const ON_SUMMARY = ".group > .seg";
  const CONTROLS = "button, a[href], input, select, summary";

  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const width = (one) => one.right - one.left;
  const height = (one) => one.bottom - one.top;
  const is = (element, list) => list.some((selector) => element.matches(selector));

  function seen(element) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    return !element.closest(".unseen, .skip:not(:focus), [hidden]");
  }

  /* One entry for each text: of a page by lines, of a drawing as a whole. */
  function texts() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const words = node.textContent.trim();
      if (!words || element.closest("script, style, svg, noscript, mjx-container, mjx-assistive-mml, select") || !seen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      Array.from(range.getClientRects()).filter((one) => one.width > 0.5 && one.height > 0.5).forEach((one) => {
        /* A box of a line is higher than its letters. */
        const spare = 0.18 * one.height;
        found.push({ words, element, box: { left: one.left, right: one.right, top: one.top + spare, bottom: one.bottom - spare } });
      });
    }
    document.querySelectorAll("svg text").forEach((element) => {
      if (!element.textContent.trim() || !seen(element) || Number(getComputedStyle(element).fillOpacity) === 0) return;
      const lines = element.querySelectorAll("tspan.line");
      (lines.length ? Array.from(lines) : [element]).forEach((line) => {
        const one = line.getBoundingClientRect();
        if (one.width < 0.5) return;
        const spare = 0.14 * Math.min(one.height, one.width);
        found.push({ words: line.textContent.trim(), element, drawn: true, box: { left: one.left, right: one.right, top: one.top + spare, bottom: one.bottom - spare } });
      });
    });
    return found;
  }

  const isPart = (element) => element.namespaceURI.endsWith("svg") && element.tagName !== "svg";
  const scrolls = (style, axis) => ["auto", "scroll"].includes(style[axis]);

  /* What holds a text may not cut it off: sideways never, unless it is swiped; downwards only where it scrolls. */
  function cut({ element, box: own }) {
    if (is(element, SHORTENED) || element.closest(SHORTENED.join(","))) return null;
    let across = true;
    let down = true;
    for (let holder = element; holder && holder !== document.documentElement; holder = holder.parentElement) {
      const style = getComputedStyle(holder);
      const inner = holder.getBoundingClientRect();
      if (isPart(holder)) continue;
      if (style.position === "fixed") break;
      if (style.overflowX !== "visible" && across) {
        if (scrolls(style, "overflowX") && is(holder, SIDEWAYS)) across = false;
        else if (own.left < inner.left - 1.5 || own.right > inner.right + 1.5) return holder;
      }
      if (style.overflowY !== "visible" && down) {
        if (scrolls(style, "overflowY")) down = false;
        else if (own.top < inner.top - 1 || own.bottom > inner.bottom + 1) return holder;
      }
    }
    if (across && (own.left < -1 || own.right > window.innerWidth + 1)) return document.documentElement;
    if (down && (own.top < -1 || own.bottom > document.documentElement.scrollHeight + 1)) return document.documentElement;
    return null;
  }

  const name = (element) => (element.id && element.id.length < 40 ? "#" + element.id : element.tagName.toLowerCase() + (typeof element.className === "string" && element.className ? "." + element.className.split(" ").join(".") : ""));
  const where = (element) => {
    const view = element.closest(".view");
    return (view ? view.dataset.place + " " : "") + name(element.closest("[class]") || element);
  };

  function overlap(first, second) {
    const wide = Math.min(first.right, second.right) - Math.max(first.left, second.left);
    const high = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
    return wide > 1.5 && high > 1.5;
  }

  /* The part of a box that its scrolling holders let through. */
  function through({ element, box: own }) {
    const left = { ...own };
    for (let holder = element; holder && holder !== document.documentElement; holder = holder.parentElement) {
      if (getComputedStyle(holder).overflowX === "visible" || isPart(holder)) continue;
      const inner = holder.getBoundingClientRect();
      left.left = Math.max(left.left, inner.left);
      left.right = Math.min(left.right, inner.right);
      left.top = Math.max(left.top, inner.top);
      left.bottom = Math.min(left.bottom, inner.bottom);
    }
    return width(left) > 0 && height(left) > 0 ? left : null;
  }

  const top = () => document.querySelector("dialog:modal");

  function faults() {
    const found = texts();
    const said = found.map((one) => [one, cut(one)]).filter(([, by]) => by).map(([one, by]) => `cut off by ${name(by)}: "${one.words}" in ${where(one.element)}`);
    const open = found.map((one) => ({ ...one, box: through(one) })).filter((one) => one.box);
    for (let i = 0; i < open.length; i += 1) {
      for (let j = i + 1; j < open.length; j += 1) {
        const [a, b] = [open[i], open[j]];
        if (a.element === b.element || a.element.contains(b.element) || b.element.contains(a.element)) continue;
        if (overlap(a.box, b.box)) said.push(`overlap: "${a.words}" and "${b.words}" in ${where(a.element)}`);
      }
    }
    const controls = Array.from(document.querySelectorAll(CONTROLS)).filter((one) => seen(one) && Number(getComputedStyle(one).opacity) > 0)
      .map((element) => ({ element, box: through({ element, box: box(element.getBoundingClientRect()) }) })).filter((one) => one.box);
    open.forEach((one) => controls.forEach((control) => {
      const { element } = control;
      if (element.contains(one.element) || one.element.contains(element)) return;
      if (element.tagName === "SUMMARY" && one.element.closest(ON_SUMMARY)) return;
      if (overlap(one.box, control.box)) said.push(`text on a control: "${one.words}" on ${name(element)} in ${where(element)}`);
    }));
    document.querySelectorAll("input[type=text]").forEach((one) => {
      if (seen(one) && one.scrollWidth > one.clientWidth + 1) said.push(`cut off: the number ${one.value} in ${one.getAttribute("aria-label")}`);
    });
    [document.documentElement, ...document.querySelectorAll("main, .lab, .main, .side, .dock, .start")].forEach((one) => {
      if (seen(one) && one.scrollWidth > one.clientWidth + 1) said.push(`needs sideways scrolling: ${name(one)} by ${one.scrollWidth - one.clientWidth}`);
    });
    return Array.from(new Set(said));
  }

  /* Colours as numbers: the browser paints one, so that every way to write it is understood. */
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  function colour(text) {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  }
  const over = ([r, g, b, a], [x, y, z]) => [a * r + (1 - a) * x, a * g + (1 - a) * y, a * b + (1 - a) * z, 1];

  /* What is behind an element: the backgrounds of all that hold it, the outermost first. */
  function behind(element) {
    const layers = [];
    for (let holder = element; holder; holder = holder.parentElement) {
      const { backgroundColor } = getComputedStyle(holder);
      layers.push(colour(backgroundColor));
      if (layers[layers.length - 1][3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  }
  function strength(element) {
    let found = 1;
    for (let holder = element; holder; holder = holder.parentElement) found *= Number(getComputedStyle(holder).opacity);
    return found;
  }
  const channel = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  function ratio(first, second) {
    const [low, high] = [light(first), light(second)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  function contrast(element, drawn) {
    const style = getComputedStyle(element);
    const ground = behind(drawn ? element.closest("svg").parentElement : element);
    const [r, g, b, a] = colour(drawn ? style.fill : style.color);
    const shown = over([r, g, b, a * strength(element) * (drawn ? Number(style.fillOpacity) : 1)], ground);
    return ratio(shown, ground);
  }

  /* Words that stand on cells of a map are light or dark as these are, which no style knows. */
  const ON_CELLS = ".drawing :is(.level, .on-dark, .on-light)";

  /* Texts that are too pale for what is behind them; what cannot be used may be. */
  function pale() {
    const inputs = Array.from(document.querySelectorAll("input[type=text], select")).filter(seen).map((element) => ({ words: element.value, element }));
    return Array.from(new Set(texts().concat(inputs).filter(({ element }) => !element.closest(":disabled") && !element.closest(ON_CELLS)).map(({ words, element, drawn }) => {
      const { fontSize, fontWeight } = getComputedStyle(element);
      const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
      const found = contrast(element, drawn);
      return found < (large ? 3 : 4.5) ? `${found.toFixed(2)}: "${words}" in ${where(element)}` : "";
    }).filter(Boolean)));
  }

  /* Controls that a reader has to scroll for. */
  function outside() {
    return Array.from(document.querySelectorAll(".side :is(button, input, summary, select), .dock :is(button, input, select), .chip")).filter((one) => seen(one) || one.matches(".reach, #clock"))
      .filter((one) => one.checkVisibility() && !one.matches(".sheet-close"))
      .filter((one) => {
        const whole = one.getBoundingClientRect();
        const left = through({ element: one.parentElement, box: box(whole) });
        return !left || width(left) < whole.width - 4 || height(left) < whole.height - 4 || left.bottom > window.innerHeight || left.right > window.innerWidth;
      }).map((one) => `${name(one)} ${one.textContent || one.getAttribute("aria-label")}`);
  }

  /* Every picture in sight has the size of its place. */
  function drawn() {
    /* The map of a sweep is no plotly picture, and always has it. */
    return Array.from(document.querySelectorAll(".view > .plot:not(.surface)"), (plot) => plot.querySelector(".graph") || plot).every((plot) => plot.offsetParent === null || plot.closest(".shows-text") || plot.clientWidth <= 20 ||
      (plot._fullLayout && plot._fullLayout.width === plot.clientWidth && plot._fullLayout.height === plot.clientHeight));
  }

  window.looks = { texts, faults, pale, outside, drawn };
})();
