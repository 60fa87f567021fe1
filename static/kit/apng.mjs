// Combines PNG files of one size, as encoded by the browser, into an animated one (APNG):
// https://www.w3.org/TR/png-3/#apng-frame-based-animation

const crcs = Int32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

/** Returns a chunk: the length of its data, its name, the data, and the checksum of name and data. */
function chunk(name, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = name.charCodeAt(i);
  let at = 8;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  let crc = -1;
  for (let i = 4; i < at; i++) crc = crcs[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  view.setInt32(at, ~crc);
  return bytes;
}

/** Encodes unsigned integers in big-endian order; each is given as [value, bytes]. */
function fields(...numbers) {
  const bytes = [];
  for (const [value, size] of numbers) for (let i = size - 1; i >= 0; i--) bytes.push((value >>> (8 * i)) & 255);
  return Uint8Array.from(bytes);
}

/** Yields name and data of the chunks of a PNG file. */
function* chunks(png) {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = 8; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    yield [String.fromCharCode(...png.subarray(at + 4, at + 8)), png.subarray(at + 8, at + 8 + length)];
    at += length + 12;
  }
}

/** Takes the frames one by one; `delay` is in milliseconds. */
export class Apng {
  #count;
  #delay;
  #head;
  #parts = [];
  #sequence = 0;

  constructor(count, delay) {
    this.#count = count;
    this.#delay = delay;
  }

  async add(file) {
    const png = new Uint8Array(await file.arrayBuffer());
    const all = [...chunks(png)];
    const [, head] = all.find(([name]) => name === "IHDR");
    if (!this.#head) {
      this.#head = head;
      this.#parts.push(png.subarray(0, 8), chunk("IHDR", head), chunk("acTL", fields([this.#count, 4], [0, 4])));
    }
    // All frames share one header with size, colour type and bit depth.
    if (head.some((byte, i) => byte !== this.#head[i])) throw new Error("the frames are not of one size");
    const [width, height] = [head.subarray(0, 4), head.subarray(4, 8)];
    const times = fields([0, 4], [0, 4], [this.#delay, 2], [1000, 2], [0, 1], [0, 1]);
    const first = this.#sequence === 0;
    this.#parts.push(chunk("fcTL", fields([this.#sequence++, 4]), width, height, times));
    for (const [name, data] of all)
      if (name === "IDAT")
        this.#parts.push(first ? chunk("IDAT", data) : chunk("fdAT", fields([this.#sequence++, 4]), data));
  }

  finish() {
    return new Blob([...this.#parts, chunk("IEND")], { type: "image/png" });
  }
}
