// Reduces the size of a browser's screenshot without changing a pixel: no alpha, the best filter for each row, the highest
// compression.
import { deflateSync, inflateSync } from "node:zlib";

const crcs = Int32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function chunk(type, data) {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  data.copy(bytes, 8);
  let crc = -1;
  for (const byte of bytes.subarray(4, -4)) crc = crcs[(crc ^ byte) & 255] ^ (crc >>> 8);
  bytes.writeInt32BE(~crc, data.length + 8);
  return bytes;
}

function paeth(left, up, corner) {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

// The predictors of PNG's five filters, from the bytes left, above and above left.
const expected = [() => 0, (left) => left, (_, up) => up, (left, up) => (left + up) >> 1, paeth];

/** Returns the unfiltered rows of an 8-bit RGB or RGBA screenshot. */
export function decode(png) {
  const [width, height, depth, color] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  if (depth !== 8 || (color !== 2 && color !== 6) || png[28] !== 0) return null;
  const parts = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const size = color === 2 ? 3 : 4;
  const rows = [];
  let above = Buffer.alloc(width * size);
  for (let y = 0, at = 0; y < height; y++, at += width * size + 1) {
    const guess = expected[raw[at]];
    const row = Buffer.from(raw.subarray(at + 1, at + 1 + width * size));
    for (let x = 0; x < row.length; x++) row[x] += guess(row[x - size] ?? 0, above[x], above[x - size] ?? 0);
    rows.push((above = row));
  }
  return { width, height, size, rows };
}

export function shrink(png) {
  const image = decode(png);
  if (!image) return png;
  const { width, height, size, rows } = image;
  for (const row of rows) for (let x = 3; size === 4 && x < row.length; x += 4) if (row[x] !== 255) return png;
  const rgb = rows.map((row) => (size === 3 ? row : row.filter((_, x) => x % 4 !== 3)));

  const body = Buffer.alloc(height * (width * 3 + 1));
  const plain = Buffer.alloc(body.length);
  rgb.forEach((row, y) => {
    const above = rgb[y - 1] ?? Buffer.alloc(row.length);
    let least = Infinity;
    expected.forEach((guess, filter) => {
      const line = Buffer.alloc(row.length + 1, filter);
      let cost = 0;
      for (let x = 0; x < row.length; x++) {
        const byte = (line[x + 1] = row[x] - guess(row[x - 3] ?? 0, above[x], above[x - 3] ?? 0));
        cost += Math.abs((byte << 24) >> 24);
      }
      if (cost < least) line.copy(body, y * line.length);
      least = Math.min(least, cost);
    });
    row.copy(plain, y * (row.length + 1) + 1);
  });
  const head = Buffer.from(png.subarray(16, 29));
  head[9] = 2;
  const packed = [body, plain].map((bytes) => deflateSync(bytes, { level: 9, memLevel: 9 }));
  packed.sort((a, b) => a.length - b.length);
  const best = Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", head),
    chunk("IDAT", packed[0]),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return best.length < png.length ? best : png;
}
