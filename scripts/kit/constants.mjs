// Divides the core's constants – texts and tables, which the linker has put one after another into memory – between the two files of the core.
// Where each lies and how long it is stands in the map that the linker writes (build.rs). Code names a constant by its address, as a number
// among all others: every number of the bench's functions that can be an address is taken for one.

/**
 * Bytes that an address in the code may be off the constant it means, unless a constant begins there: code that counts down, or up to an end,
 * is compiled with addresses before or behind it, by at most one element.
 */
const OFF = 128;
/** Bytes up to which an array may be named by its end alone, in the code that goes through it: the begin of the constant behind it. */
const SMALL = 512;
/** Bytes from which a constant is a table of numbers, into the middle of which no other constant refers. */
const LARGE = 4096;
/** Bytes of zeros that cost less than the beginning of another segment. */
const GAP = 8;

const ESCAPED = { n: 10, t: 9, r: 13, '"': 34, "'": 39, "\\": 92 };

/** The bytes of a string in a module's text. */
function bytes(escaped) {
  const parts = escaped.matchAll(/\\([0-9a-f]{2})|\\(.)|([^\\]+)/gs);
  return Buffer.concat(
    [...parts].map(([, hex, letter, plain]) =>
      plain === undefined ? Buffer.of(hex ? Number.parseInt(hex, 16) : ESCAPED[letter]) : Buffer.from(plain),
    ),
  );
}

/** The memory that the segments of a module's text fill. */
function memory(segments) {
  const filled = segments.map((text) => {
    const [, address, escaped] = text.match(/^ \(data \S+ \(i32\.const (\d+)\) "(.*)"\)$/s) ?? [];
    if (address === undefined) throw new Error(`the core has data of a kind that is not known: ${text.slice(0, 80)}`);
    return [Number(address), bytes(escaped)];
  });
  const begin = Math.min(...filled.map(([address]) => address));
  const end = Math.max(...filled.map(([address, { length }]) => address + length));
  const all = Buffer.alloc(end - begin);
  for (const [address, part] of filled) part.copy(all, address - begin);
  return { begin, end, all };
}

/** The constants that never change, in order, from the linker's map: [address, end]. */
function spans(map) {
  const found = [];
  for (const [, address, size] of map.matchAll(/^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\S*:\(\.rodata\.[^)]*\)$/gm))
    found.push([Number.parseInt(address, 16), Number.parseInt(address, 16) + Number.parseInt(size, 16)]);
  if (found.length < 100) throw new Error("the linker's map does not list the constants of the core");
  return found.sort(([a], [b]) => a - b);
}

/** The numbers in the text of code to which others are added: addresses of elements, of which the array may begin or end there. */
function indexed(code) {
  const found = new Set([...code.matchAll(/offset=(\d+)/g)].map(([, number]) => Number(number)));
  const open = [];
  // Names in quotes may have brackets.
  for (const [text, number, operation] of code.matchAll(/"(?:[^"\\]|\\.)*"|\(i32\.const (-?\d+)\)|\(([^\s()"]+)|\)/g)) {
    if (operation) open.push(operation);
    else if (text === ")") open.pop();
    else if (number && /^i32\.(add|sub)$/.test(open.at(-1))) found.add(Number(number));
  }
  return found;
}

/** All numbers in the text of code that may be addresses. Two that are stored side by side, or four, can stand in one constant. */
function* numbers(code) {
  for (const [, number] of code.matchAll(/(?:i32\.const |offset=)(\d+)/g)) yield Number(number);
  for (const [, number] of code.matchAll(/i64\.const (-?\d+)/g)) {
    const both = BigInt.asUintN(64, BigInt(number));
    yield Number(both & 0xffff_ffffn);
    yield Number(both >> 32n);
  }
  for (const [, lanes] of code.matchAll(/v128\.const i32x4((?: 0x[0-9a-f]+)+)/g))
    for (const lane of lanes.trim().split(" ")) yield Number(lane);
}

/** Segments for the bytes of `all` that `has` says are to be there. */
function segments({ begin, all }, has) {
  const found = [];
  let [from, to] = [0, 0];
  const put = () => {
    if (to === from) return;
    const hex = [...all.subarray(from, to)].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
    found.push(` (data (i32.const ${begin + from}) "${hex}")`);
  };
  all.forEach((byte, at) => {
    if (byte === 0 || !has(at)) return;
    // Never across what the other file has.
    const near = at - to <= GAP && [...Array(at - to).keys()].every((i) => has(to + i));
    if (!near) {
      put();
      from = at;
    }
    to = at + 1;
  });
  put();
  return found;
}

/**
 * Divides the segments `data` of a module. `bench` is the text of all functions of the first file, `map` the linker's; returns the segments
 * of both files.
 */
export function divideConstants(data, bench, map) {
  const whole = memory(data);
  const { begin, end, all } = whole;
  const constants = spans(map).filter(([from, to]) => from >= begin && to <= end);
  /** The index of the first constant that ends behind an address. */
  const behind = (address) => {
    let [low, high] = [0, constants.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (constants[middle][1] > address) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const begins = new Set(constants.map(([from]) => from));
  const needed = new Set();
  const need = (from, to, most = Infinity) => {
    for (let i = behind(from); i < constants.length && constants[i][0] <= to; i++) {
      if (needed.has(i) || constants[i][1] - constants[i][0] > most) continue;
      needed.add(i);
      // A word in a constant that is an address refers to another one, from its beginning on.
      const [first, last] = constants[i];
      for (let at = Math.ceil(first / 4) * 4; at + 4 <= last; at += 4) {
        const word = all.readUInt32LE(at - begin);
        if (word < begin || word >= end) continue;
        // Among the numbers of a table some lie by chance between the ends of a large one.
        const [from, to] = constants[behind(word)] ?? [word, word];
        if (begins.has(word) || to - from < LARGE) need(word, word);
      }
    }
  };
  for (const address of indexed(bench)) if (begins.has(address)) need(address - 1, address - 1, SMALL);
  for (const address of numbers(bench)) {
    if (begins.has(address)) need(address, address);
    else if (address >= begin - OFF && address < end + OFF) need(address - OFF, address + OFF);
  }
  const later = new Uint8Array(all.length);
  constants.forEach(([from, to], i) => {
    if (!needed.has(i)) later.fill(1, from - begin, to - begin);
  });
  return { bench: segments(whole, (at) => !later[at]), figures: segments(whole, (at) => later[at] === 1) };
}
