/* Screenshots as small pictures and in blocks: what a person sees from afar, however letters are rasterised. */
(() => {
  const [WIDE, HIGH] = [640, 400];
  const BLOCK = 5;

  async function decode(text, type) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type }));
    const canvas = new OffscreenCanvas(WIDE, HIGH);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, WIDE, HIGH);
    return { canvas, context };
  }

  /* A screenshot made small, as a file. */
  async function small(text) {
    const { canvas } = await decode(text, "image/png");
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 1 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }

  /* The mean colour of every block, with the channels one after the other. */
  function blocks({ context }) {
    const { data } = context.getImageData(0, 0, WIDE, HIGH);
    const columns = WIDE / BLOCK;
    const means = new Float64Array((3 * columns * HIGH) / BLOCK);
    for (let y = 0; y < HIGH; y += 1) {
      for (let x = 0; x < WIDE; x += 1) {
        const block = Math.floor(y / BLOCK) * columns + Math.floor(x / BLOCK);
        for (let channel = 0; channel < 3; channel += 1) means[3 * block + channel] += data[4 * (y * WIDE + x) + channel] / BLOCK ** 2;
      }
    }
    return means;
  }

  /* How many blocks differ visibly. What is at the next block counts as the same: a letter may move by a pixel. */
  async function differing(now, before, visible) {
    const [first, second] = [blocks(await decode(now, "image/png")), blocks(await decode(before, "image/webp"))];
    const [columns, rows] = [WIDE / BLOCK, HIGH / BLOCK];
    const apart = (a, i, b, j) => Math.max(Math.abs(a[3 * i] - b[3 * j]), Math.abs(a[3 * i + 1] - b[3 * j + 1]), Math.abs(a[3 * i + 2] - b[3 * j + 2]));
    const nearest = (a, b, x, y) => {
      let best = apart(a, y * columns + x, b, y * columns + x);
      if (best <= visible) return best;
      for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, rows - 1); v += 1) {
        for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, columns - 1); u += 1) best = Math.min(best, apart(a, y * columns + x, b, v * columns + u));
      }
      return best;
    };
    const places = [];
    for (let y = 0; y < rows; y += 1) {
      for (let x = 0; x < columns; x += 1) {
        if (Math.max(nearest(first, second, x, y), nearest(second, first, x, y)) > visible) places.push([x * BLOCK, y * BLOCK]);
      }
    }
    return places;
  }

  window.reference = { small, differing };
})();
