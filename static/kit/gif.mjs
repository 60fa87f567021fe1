// Animated GIF with one palette for all frames, so that no colour flickers; gifenc does the encoding.
import { GIFEncoder, quantize } from "gifenc";

/** The largest number of colours in the palette; one more index marks unchanged pixels. */
const COLOURS = 255;
/** If the frames have more colours than the palette, this many of the most frequent colours are kept exactly. */
const KEPT = 128;

const parts = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];

/** The pixels of an image as integers with red in the lowest byte; all are opaque. */
const numbers = (image) => new Uint32Array(image.data.buffer, image.data.byteOffset, image.width * image.height);

/**
 * Counts the colours of all frames in a first pass, and encodes the same frames in a second pass. `yieldToPage` is awaited
 * often enough that no work in between takes longer than a few milliseconds, except for the encoding of one frame.
 */
export class Gif {
  #counts = new Map();
  #palette;
  #indices;
  #same;
  #encoder = GIFEncoder();
  #before;
  #delay;

  /** `delay` is the duration of a frame in milliseconds; GIF stores hundredths of a second. */
  constructor(delay) {
    this.#delay = delay;
  }

  async count(image, yieldToPage) {
    const pixels = numbers(image);
    for (let row = 0; row < image.height; row++) {
      const end = (row + 1) * image.width;
      for (let i = row * image.width; i < end; ) {
        const colour = pixels[i];
        const begin = i;
        while (i < end && pixels[i] === colour) i++;
        this.#counts.set(colour, (this.#counts.get(colour) ?? 0) + i - begin);
      }
      if (row % 16 === 0) await yieldToPage();
    }
  }

  async #choose(yieldToPage) {
    const colours = [...this.#counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    let palette = colours.slice(0, colours.length > COLOURS ? KEPT : COLOURS).map(([colour]) => parts(colour));
    if (colours.length > COLOURS) {
      const others = colours.slice(KEPT).flatMap(([colour, count]) => Array(32 - Math.clz32(count)).fill(colour));
      await yieldToPage();
      const quantized = quantize(new Uint8Array(Uint32Array.from(others).buffer), COLOURS - KEPT, { format: "rgb565" });
      palette = palette.concat(quantized.slice(0, COLOURS - KEPT));
    }
    await yieldToPage();
    this.#same = palette.length;
    this.#palette = [...palette, [0, 0, 0]];
    this.#indices = new Map();
    for (const [at, [colour]] of colours.entries()) {
      const [r, g, b] = parts(colour);
      let nearest = 0;
      let least = Infinity;
      for (let i = 0; i < palette.length && least > 0; i++) {
        const [red, green, blue] = palette[i];
        const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
        if (distance < least) [least, nearest] = [distance, i];
      }
      this.#indices.set(colour, nearest);
      if (at % 256 === 0) await yieldToPage();
    }
  }

  async add(image, yieldToPage) {
    if (!this.#palette) await this.#choose(yieldToPage);
    const { width, height } = image;
    const pixels = numbers(image);
    const now = new Uint8Array(pixels.length);
    const changed = new Uint8Array(pixels.length);
    for (let row = 0; row < height; row++) {
      for (let i = row * width, last = -1, index = 0; i < (row + 1) * width; i++) {
        if (pixels[i] !== last) {
          last = pixels[i];
          index = this.#indices.get(last);
        }
        now[i] = index;
        changed[i] = this.#before?.[i] === index ? this.#same : index;
      }
      if (row % 16 === 0) await yieldToPage();
    }
    const first = !this.#before;
    this.#encoder.writeFrame(changed, width, height, {
      ...(first ? { palette: this.#palette, repeat: 0 } : { transparent: true, transparentIndex: this.#same }),
      delay: this.#delay,
      dispose: 1,
    });
    this.#before = now;
    await yieldToPage();
  }

  finish() {
    this.#encoder.finish();
    return new Blob([this.#encoder.bytes()], { type: "image/gif" });
  }
}
