// The plain ways of making a table, for comparison. Interleaved, base 10000.

/** The straightforward good way: frequencies once, one sine and one cosine per pair, in f64. */
export function plainTable(out, maxLen, dModel) {
  const omega = new Float64Array(dModel / 2);
  for (let pair = 0; pair < omega.length; pair++) omega[pair] = frequency(pair, dModel);
  let at = 0;
  for (let position = 0; position < maxLen; position++) {
    for (let pair = 0; pair < omega.length; pair++) {
      const angle = position * omega[pair];
      out[at++] = Math.sin(angle);
      out[at++] = Math.cos(angle);
    }
  }
}

const frequency = (pair, dModel) => 10000 ** ((-2 * pair) / dModel);

/**
 * How many numbers of a table lie farther from the plain loop's than that loop can itself be wrong: a frequency is off by up to 1 unit
 * in the last place, its product with the position by another half, and whatever is left of that in the angle is left in the sine.
 */
export function mismatches(table, maxLen, dModel) {
  let count = 0;
  for (let position = 0; position < maxLen; position++) {
    for (let dimension = 0; dimension < dModel; dimension++) {
      const angle = position * frequency(dimension >> 1, dModel);
      const value = dimension & 1 ? Math.cos(angle) : Math.sin(angle);
      const error = angle * 2 ** -51 + 2 ** -52;
      const actual = table[position * dModel + dimension];
      if (!(Math.fround(value - error) <= actual && actual <= Math.fround(value + error))) count++;
    }
  }
  return count;
}

/** The f32 code found everywhere: exp of a multiple of the logarithm, and angles rounded to f32 before their sine is taken. */
export function copiedTable(maxLen, dModel) {
  const { fround } = Math;
  const omega = new Float32Array(dModel / 2);
  const factor = fround(-Math.log(10000) / dModel);
  for (let pair = 0; pair < omega.length; pair++) omega[pair] = Math.exp(fround(2 * pair * factor));
  const out = new Float32Array(maxLen * dModel);
  for (let position = 0, at = 0; position < maxLen; position++) {
    for (let pair = 0; pair < omega.length; pair++) {
      const angle = fround(position * omega[pair]);
      out[at++] = Math.sin(angle);
      out[at++] = Math.cos(angle);
    }
  }
  return out;
}
