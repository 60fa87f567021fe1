// The texts of the scripts and of index.html: each in English and in Chinese, with the same placeholders, and none outside
// the tables.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import ts from "typescript";

const root = new URL("../../", import.meta.url);
const read = (name) => readFile(new URL(name, root), "utf8");
const TABLES = "static/kit/words.mjs";
const tables = await import(new URL(TABLES, root));
const { say, ...groups } = tables;

const names = (await readdir(new URL("static", root), { recursive: true }))
  .filter((name) => /\.m?js$/.test(name) && !name.startsWith("core/"))
  .map((name) => `static/${name}`);
const sources = await Promise.all(
  names.map(async (name) =>
    ts.createSourceFile(name, await read(name), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS),
  ),
);

const CHINESE = /\p{Script=Han}/u;
/** Texts that are the same in both languages. */
const NAMES = new Set(["English", "中文", "PNG", "SVG", "CSV", "NPY f32", "NPY f64", "pos", "pos+k", "px"]);

const placesOf = (text) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name);

/** Returns the fault of an entry; undefined if it has both languages and their placeholders agree. */
function fault(entry) {
  const languages = Object.keys(entry).sort().join();
  if (languages !== "en,zh") return `has ${languages}`;
  if (!entry.en.trim() || !entry.zh.trim()) return "is empty";
  if (CHINESE.test(entry.en)) return "has Chinese for English";
  const [en, zh] = [entry.en, entry.zh].map((text) => [...new Set(placesOf(text))].sort().join());
  if (en !== zh) return `has the places ${en || "none"} and ${zh || "none"}`;
}

function each(node, look) {
  look(node);
  ts.forEachChild(node, (child) => each(child, look));
}

const where = (node) => {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText().slice(0, 80)}`;
};

const nameOf = (property) => property.name && (property.name.text ?? property.name.getText());

/** The entries defined in a script itself, as objects with `en` or `zh`. */
function entriesIn(source) {
  const found = [];
  each(source, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return;
    const texts = node.properties.filter((property) => ["en", "zh"].includes(nameOf(property)));
    if (!texts.length) return;
    found.push([
      node,
      Object.fromEntries(texts.map((property) => [nameOf(property), property.initializer.text ?? ""])),
    ]);
  });
  return found;
}

/** Properties and attributes whose value is visible or read out. */
const SAID =
  /^(textContent|innerText|title|placeholder|alt|label|ariaLabel|aria-label|aria-description|aria-valuetext)$/;
/** Methods that add texts to the page, with the index of their first text argument. */
const PUTS = {
  append: 0,
  prepend: 0,
  after: 0,
  before: 0,
  replaceChildren: 0,
  replaceWith: 0,
  createTextNode: 0,
  announce: 0,
  el: 2,
  make: 2,
  file: 0,
};

/** The literals that an expression may evaluate to, including those in conditions and templates. */
function literals(node) {
  if (ts.isStringLiteralLike(node)) return [node];
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.flatMap((span) => [...literals(span.expression), span.literal])];
  if (ts.isParenthesizedExpression(node) || ts.isSpreadElement(node)) return literals(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literals);
  if (ts.isBinaryExpression(node) && /^(\+|\?\?|\|\||&&)$/.test(node.operatorToken.getText()))
    return [node.left, node.right].flatMap(literals);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(literals);
  return [];
}

const isWord = (text) =>
  /\p{L}{2}/u.test(text) && ![...NAMES].some((name) => text.replace(/[\s()×]/g, "") === name.replace(/\s/g, ""));

/** The literals of a script that users would see in one language only. */
function untranslatedLiterals(source) {
  const found = [];
  const note = (nodes) => found.push(...nodes.filter((node) => isWord(node.text)).map(where));
  const isOfEntry = (node) => ts.isPropertyAssignment(node.parent) && ["en", "zh"].includes(nameOf(node.parent));
  each(source, (node) => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && CHINESE.test(node.text))
      if (!isOfEntry(node) && !NAMES.has(node.text)) found.push(where(node));
    if (ts.isPropertyAssignment(node) && SAID.test(nameOf(node))) note(literals(node.initializer));
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      if (ts.isPropertyAccessExpression(node.left) && SAID.test(node.left.name.text)) note(literals(node.right));
    if (!ts.isCallExpression(node)) return;
    const called = node.expression.name?.text ?? node.expression.text;
    const from = Object.hasOwn(PUTS, called) ? PUTS[called] : undefined;
    if (from !== undefined) note(node.arguments.slice(from).flatMap(literals));
    if (called === "setAttribute" && SAID.test(node.arguments[0]?.text)) note(literals(node.arguments[1]));
  });
  return found;
}

/** Maps the local names of a script's imports from words.mjs to the names of the tables. */
function importsOf(source) {
  const known = new Map();
  each(source, (node) => {
    if (!ts.isImportDeclaration(node) || !node.moduleSpecifier.text.endsWith("/words.mjs")) return;
    for (const { name, propertyName } of node.importClause.namedBindings.elements)
      known.set(name.text, (propertyName ?? name).text);
  });
  return known;
}

/** The values passed for one parameter of a function or method at all its calls in the script. */
function argumentsPassedTo(parameter, source) {
  const made = parameter.parent;
  const called = (made.name ?? made.parent.name)?.text;
  const index = made.parameters.indexOf(parameter);
  const texts = [];
  each(source, (node) => {
    if (!ts.isCallExpression(node) || (node.expression.name ?? node.expression).text !== called) return;
    const given = node.arguments[index];
    texts.push(given && ts.isStringLiteralLike(given) ? given.text : undefined);
  });
  return texts;
}

/** The parameter that an identifier refers to, if any. */
function parameterOf(identifier) {
  for (let node = identifier; node; node = node.parent)
    for (const parameter of node.parameters ?? []) if (parameter.name.text === identifier.text) return parameter;
}

/** Uses of entries that do not exist, or whose existence cannot be determined. */
function unknown(source, used) {
  const found = [];
  const known = importsOf(source);
  each(source, (node) => {
    const group = ts.isIdentifier(node.expression ?? source) && groups[known.get(node.expression.text)];
    if (!group) return;
    const use = (key) => {
      if (key !== undefined && Object.hasOwn(group, key)) used.add(group[key]);
      else found.push(where(node));
    };
    if (ts.isPropertyAccessExpression(node)) use(node.name.text);
    if (!ts.isElementAccessExpression(node)) return;
    const key = node.argumentExpression;
    const parameter = ts.isIdentifier(key) && parameterOf(key);
    const given = parameter && argumentsPassedTo(parameter, source);
    if (ts.isStringLiteralLike(key)) use(key.text);
    else if (given?.length && given.every((text) => text !== undefined)) given.forEach(use);
    // Names of pictures and controls are computed; their tables are looked up by such names.
    else if (group === groups.VIEWS || group === groups.CONTROLS) Object.keys(group).forEach(use);
    else found.push(where(node));
  });
  return found;
}

const parse = (text) => ts.createSourceFile("sample.mjs", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);

test("every entry has both languages, with the same places for values", () => {
  const faults = Object.entries(groups).flatMap(([group, entries]) =>
    Object.entries(entries).map(([key, entry]) => [`${group}.${key}`, fault(entry)]),
  );
  const own = sources.flatMap(entriesIn).map(([node, entry]) => [where(node), fault(entry)]);
  assert.deepEqual(
    [...faults, ...own].filter(([, fault]) => fault),
    [],
  );
  assert.ok(faults.length > 100);
});

test("every entry that is asked for exists, and every entry is asked for", () => {
  const used = new Set();
  assert.deepEqual(
    sources.flatMap((source) => unknown(source, used)),
    [],
  );
  const idle = Object.entries(groups).flatMap(([group, entries]) =>
    Object.entries(entries)
      .filter(([, entry]) => !used.has(entry))
      .map(([key]) => `${group}.${key}`),
  );
  assert.deepEqual(idle, []);
});

test("no word reaches the page past the tables", () => {
  assert.deepEqual(sources.flatMap(untranslatedLiterals), []);
});

test("the places of every use are those of its entry", () => {
  const found = [];
  for (const source of sources) {
    const known = importsOf(source);
    each(source, (node) => {
      if (!ts.isCallExpression(node) || known.get(node.expression.text) !== "say") return;
      const [asked, values] = node.arguments;
      const group = asked.expression && groups[known.get(asked.expression.text)];
      if (!group || !ts.isPropertyAccessExpression(asked)) return;
      const needed = [...new Set(placesOf(group[asked.name.text].en))].sort().join();
      const given = (values?.properties ?? []).map(nameOf).sort().join();
      if (needed !== given) found.push(`${where(node)}: needs ${needed || "nothing"}, is given ${given || "nothing"}`);
    });
  }
  assert.deepEqual(found, []);
});

test("index.html says in both languages why it does not work", async () => {
  const page = await read("index.html");
  const reasons = [...page.matchAll(/<div data-reason="(\w+)">([\s\S]*?)<\/div>/g)];
  assert.ok(reasons.length >= 6);
  for (const [, reason, texts] of reasons) {
    const [en, zh] = ["en", "zh"].map((lang) => [...texts.matchAll(new RegExp(`<p lang="${lang}">(.*?)</p>`, "g"))]);
    assert.ok(en.length === 1 && zh.length === 1, reason);
    assert.ok(!CHINESE.test(en[0][1]) && CHINESE.test(zh[0][1]), reason);
    const links = ([, text]) => text.match(/<a\b[^>]*>/g)?.length ?? 0;
    assert.equal(links(en[0]), links(zh[0]), reason);
  }
});

test("a number of one takes the word for one", () => {
  globalThis.document = { documentElement: { lang: "en" } };
  try {
    const entry = { en: "{n} {n|position|positions} by {name}", zh: "{name} 的 {n} 个位置" };
    assert.equal(say(entry, { n: 1, name: "x" }), "1 position by x");
    assert.equal(say(entry, { n: "1,000", name: "x" }), "1,000 positions by x");
    document.documentElement.lang = "zh";
    assert.equal(say(entry, { n: 1, name: "x" }), "x 的 1 个位置");
  } finally {
    delete globalThis.document;
  }
});

test("these checks find what they are for", () => {
  assert.match(fault({ en: "Close" }), /has en/);
  assert.match(fault({ en: "Step {step}", zh: "步" }), /places/);
  assert.match(fault({ en: "关闭", zh: "关闭" }), /Chinese/);
  for (const stray of [
    'button.textContent = "Close";',
    'button.textContent = busy ? "Wait" : name;',
    'el("button", { type: "button" }, "Close");',
    'el("button", { title: "Close " + name });',
    'box.append(el("p"), "Nothing here");',
    'button.setAttribute("aria-label", "Close");',
    'const word = "关闭";',
  ])
    assert.equal(untranslatedLiterals(parse(stray)).length, 1, stray);
  for (const fine of ['el("p", { className: "kit-note" }, say(SAVE.title));', 'throw new Error("one file at a time");'])
    assert.deepEqual(untranslatedLiterals(parse(fine)), []);
  const uses = (text) => unknown(parse(`import { PRESENT as WORDS, say } from "./words.mjs";\n${text}`), new Set());
  assert.equal(uses("say(WORDS.leaf);").length, 1);
  assert.equal(uses("say(WORDS[anything]);").length, 1);
  assert.deepEqual(uses("say(WORDS.leave);"), []);
  assert.equal(uses('const b = (name) => say(WORDS[name]); b("leave"); b("leaf");').length, 1);
  assert.equal(entriesIn(parse('const A = { en: "Close" };')).filter(([, entry]) => fault(entry)).length, 1);
});
