// Divides the core's constants (strings and tables, which the linker lays out consecutively in memory) between the two files
// of the core. The map written by the linker (build.rs) lists the address and length of each. Code refers to a constant by
// its address, which looks like any other number: every number in the bench's functions that can be an address is taken for
// one.

/**
 * The largest distance in bytes between an address in the code and the constant it refers to, unless a constant begins at
 * that address: loops that count down, or up to an end, are compiled with addresses before or after the constant, by at most
 * one element.
 */
const OFF = 128;
/**
 * The largest array, in bytes, to which the code of a loop may refer by its end address alone, which is the start of the
 * next constant.
 */
const SMALL = 512;
/** The smallest size in bytes of a table of numbers. No other constant refers to an address inside such a table. */
const LARGE = 4096;
/** The longest run of zero bytes that is cheaper to store than to skip by a new segment. */
const GAP = 8;

const ESCAPED = { n: 10, t: 9, r: 13, '"': 34, "'": 39, "\\": 92 };

/** Decodes a string literal of the WebAssembly text format. */
function bytes(escaped) {
  const parts = escaped.matchAll(/\\([0-9a-f]{2})|\\(.)|([^\\]+)/gs);
  return Buffer.concat(
    [...parts].map(([, hex, letter, plain]) =>
      plain === undefined ? Buffer.of(hex ? Number.parseInt(hex, 16) : ESCAPED[letter]) : Buffer.from(plain),
    ),
  );
}

/** Returns the memory that the data segments of the module initialise. */
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

/** Returns the read-only constants from the linker's map, in order, as [address, end]. */
function spans(map) {
  const found = [];
  for (const [, address, size] of map.matchAll(/^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\S*:\(\.rodata\.[^)]*\)$/gm))
    found.push([Number.parseInt(address, 16), Number.parseInt(address, 16) + Number.parseInt(size, 16)]);
  if (found.length < 100) throw new Error("the linker's map does not list the constants of the core");
  return found.sort(([a], [b]) => a - b);
}

/**
 * Returns the numbers in the code to which other numbers are added: addresses of elements, at which the array may begin or
 * end.
 */
function indexed(code) {
  const found = new Set([...code.matchAll(/offset=(\d+)/g)].map(([, number]) => Number(number)));
  const open = [];
  // Quoted names may contain parentheses.
  for (const [text, number, operation] of code.matchAll(/"(?:[^"\\]|\\.)*"|\(i32\.const (-?\d+)\)|\(([^\s()"]+)|\)/g)) {
    if (operation) open.push(operation);
    else if (text === ")") open.pop();
    else if (number && /^i32\.(add|sub)$/.test(open.at(-1))) found.add(Number(number));
  }
  return found;
}

/**
 * Yields all numbers in the code that may be addresses. One constant can hold two or four numbers that are stored side by
 * side.
 */
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

/** Returns data segments for the bytes of `all` for which `has` returns true. */
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
    // A gap must not contain bytes of the other file.
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
 * Divides the data segments `data` of a module. `bench` is the text of all functions of the first file, `map` the linker's
 * map. Returns the segments of both files.
 */
export function divideConstants(data, bench, map) {
  const whole = memory(data);
  const { begin, end, all } = whole;
  const constants = spans(map).filter(([from, to]) => from >= begin && to <= end);
  /** The index of the first constant that ends after an address. */
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
      // A word in a constant that is an address refers to the start of another constant.
      const [first, last] = constants[i];
      for (let at = Math.ceil(first / 4) * 4; at + 4 <= last; at += 4) {
        const word = all.readUInt32LE(at - begin);
        if (word < begin || word >= end) continue;
        // Some numbers in a table happen to lie within the address range of a large table.
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
