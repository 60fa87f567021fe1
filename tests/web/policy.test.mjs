// Pages with a Content-Security-Policy: the directives in docs/embedding.md suffice, all of them are needed, and a missing
// one is named.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import "./remains.mjs";
import { flush, launch } from "./browser.mjs";
import { dist, serve } from "./serve.mjs";

let browser, folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "posenc-"));
  await symlink(dist, join(folder, "site"));
  browser = await launch();
});
after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

const documented = await readFile(new URL("../../docs/embedding.md", import.meta.url), "utf8");
/** The directives that docs/embedding.md requires, by file. */
const policies = Object.fromEntries(
  [...documented.matchAll(/^\| `(posenc(?:-inline)?\.js)`.*? \| `([^|]*)` \|$/gm)].map(([, file, policy]) => [
    file,
    policy.split("; ").map((directive) => directive.split(" ")),
  ]),
);

/** Opens a page under a policy that allows nothing else; returns the first event, with its message. */
async function visit(script, directives, lang = "en") {
  const said = directives.map((directive) => directive.join(" ")).join("; ");
  const policy = `default-src 'none'; ${said}`.replaceAll("https://example.org/posenc/", "ADDRESS/site/");
  await writeFile(
    join(folder, "page.html"),
    `<!doctype html><html lang="${lang}"><title>Notes</title><script type="module" src="site/${script}"></script>
<pe-figure id="f" view="rotation">A dial.</pe-figure></html>`,
  );
  const headers = {};
  const site = await serve(0, folder, headers);
  headers["content-security-policy"] = policy.replaceAll("ADDRESS", site.url.replace(/\/$/, ""));
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  try {
    await page.addInitScript(() => {
      window.events = [];
      for (const name of ["pe-ready", "pe-error"])
        addEventListener(name, ({ detail }) => window.events.push([name, detail.message]));
      addEventListener("error", ({ target }) => target.localName === "script" && window.events.push(["error"]), true);
    });
    await page.goto(`${site.url}page.html`);
    await page.waitForFunction(() => window.events.length);
    const [[event, message]] = await page.evaluate(() => window.events);
    const note = await page.evaluate(
      () => document.querySelector("#f").shadowRoot?.querySelector("[role=alert]")?.innerText,
    );
    const sentence = await page.getByText("A dial.").isVisible();
    await flush(page);
    return { event, message, problems: problems.filter((problem) => !/favicon/.test(problem)), note, sentence };
  } finally {
    await context.close();
    await site.close();
  }
}

describe("the policy that docs/embedding.md names", () => {
  test("is there for both files", () => assert.deepEqual(Object.keys(policies), ["posenc.js", "posenc-inline.js"]));

  for (const [script, directives] of Object.entries(policies)) {
    test(`is enough for ${script}`, async () => {
      const { event, problems } = await visit(script, directives);
      assert.deepEqual([event, problems], ["pe-ready", []]);
    });

    directives.forEach(([name, ...sources], index) => {
      for (const source of sources) {
        test(`needs ${name} ${source} for ${script}, which says so`, async () => {
          const left = sources.filter((other) => other !== source);
          const fewer = directives
            .map((directive, other) => (other === index ? [name, ...left] : directive))
            .filter(([, ...some]) => some.length);
          const { event, message, problems, note, sentence } = await visit(script, fewer);
          assert.ok(sentence, "the sentence in the figure's place stays");
          assert.ok(problems.length, "the console");
          // If the module itself is blocked, only the browser can report it.
          if (event === "error") return assert.equal(name, "script-src");
          assert.equal(event, "pe-error");
          for (const words of [message, note, problems.join()]) {
            assert.match(words, new RegExp(`${name}.*Content-Security-Policy`));
            if (source.startsWith("'")) assert.ok(words.includes(source), words);
          }
        });
      }
    });
  }

  test("is missed in the language of the page", async () => {
    const { note } = await visit("posenc-inline.js", [["script-src", "https://example.org/posenc/"]], "zh");
    assert.match(note, /^此图未能启动：.*'wasm-unsafe-eval'/);
  });
});
