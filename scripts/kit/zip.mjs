// Writes a zip archive (PKWARE APPNOTE 6.3.3): the same files give the same bytes, as all are of one date.
import { crc32, deflateRawSync } from "node:zlib";

const table = Int32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

/** Node has its own from version 20.15 on. */
function checksum(bytes) {
  if (crc32) return crc32(bytes);
  let crc = -1;
  for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** 1 January 1980, the first day that the format knows. */
const DATE = 0x21;

/** An archive of files, given as names with slashes and bytes. */
export function zip(files) {
  const parts = [];
  const entries = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const path = Buffer.from(name, "utf8");
    // Version 2.0, names in UTF-8, deflated.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(checksum(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, path, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, rest, path]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
