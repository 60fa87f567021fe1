// Moves the lesson's Chinese out of the page: a first visit in English does not need it, and a single file is smaller if it
// is compressed. Its elements stay in the page, empty, and static/before.js restores their content.

const OPEN = /<(div|p|section|dl)\b[^>]*\blang="zh"[^>]*>/g;

/**
 * Returns the index at which the content from `from` of an element ends: its end tag, not one of a nested element of the
 * same name.
 */
function endOf(page, name, from) {
  let depth = 1;
  for (const { 1: slash, index } of page.slice(from).matchAll(new RegExp(`<(/?)${name}\\b[^>]*>`, "g"))) {
    depth += slash ? -1 : 1;
    if (depth === 0) return from + index;
  }
  throw new Error(`index.html has a <${name}> that does not end`);
}

/**
 * Returns the page without the content of the lesson's Chinese elements, and a page of these elements alone, in the same
 * order. `state` tells static/before.js where the latter is: "separate" for a file beside the page, or "carried" for a
 * section of the core (bundle.mjs).
 */
export function divideTranslation(page, state) {
  const lesson = page.indexOf('<div class="lesson">');
  if (lesson < 0) throw new Error("index.html has no lesson");
  const rest = [];
  const elements = [];
  let done = 0;
  OPEN.lastIndex = lesson;
  for (let found = OPEN.exec(page); found; found = OPEN.exec(page)) {
    const [tag, name] = found;
    const begin = found.index + tag.length;
    const end = endOf(page, name, begin);
    if (begin === end) throw new Error("index.html has an empty element in Chinese");
    rest.push(page.slice(done, begin));
    elements.push(`<${name}>${page.slice(begin, end)}</${name}>`);
    OPEN.lastIndex = done = end;
  }
  rest.push(page.slice(done));
  const divided = rest.join("").replace('<html lang="en">', `<html lang="en" data-translation="${state}">`);
  if (!divided.includes(`data-translation="${state}"`)) throw new Error("index.html begins otherwise than it did");
  const translation = `<!doctype html>\n<html lang="zh">\n<meta charset="utf-8">\n<title>位置编码探索台：讲解</title>\n<body>\n${elements.join("\n")}\n`;
  return { page: divided, translation };
}
