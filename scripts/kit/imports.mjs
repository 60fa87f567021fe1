// Short names for the core's imports. wasm-bindgen names an import by its function and a hash, in the core and in the glue:
// 270 of these names add 8 KB (gzipped) to the first visit.

const MODULE = "./posenc_bg.js";

/**
 * Returns the text of the core and its glue with a short name for each import; throws if the glue does not have the expected
 * form.
 */
export function shortenImports(text, glue) {
  const pattern = new RegExp(String.raw`(\(import "${MODULE.replaceAll(".", "\\.")}" )"([^"]+)"`, "g");
  let count = 0;
  const shortenedText = text.replace(pattern, (_, before, name) => {
    const short = `i${(count++).toString(36)}`;
    const pieces = glue.split(new RegExp(String.raw`\b${name}(?=:)`));
    if (pieces.length !== 2) throw new Error(`the glue of the core gives the import ${name} otherwise than it did`);
    glue = pieces.join(short);
    return `${before}"${short}"`;
  });
  if (!count) throw new Error(`the core imports nothing from ${MODULE}`);
  return { text: shortenedText, glue };
}
