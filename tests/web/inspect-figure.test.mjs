// The figure that inspects tables: files that are chosen, dropped or set by a script, read in parts, or rejected with a
// message; links contain nothing of them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { frames, noProblems, settle } from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { hosting } from "./host.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const corpus = (path) => fileURLToPath(new URL(`../corpus/${path}`, import.meta.url));
const figure = (page) => page.locator(".alone > pe-figure");
const picker = (page) => figure(page).locator("[data-file=choose]");
const report = (page) => figure(page).locator(".inspected");
const said = (page, words) => report(page).getByText(words).first().waitFor();
const alone = { hash: "#view=inspect&example=swapped" };

/** Records all reads of files, as [from, to] of each part. */
const noteParts = (page) =>
  page.addInitScript(() => {
    window.parts = [];
    const { slice } = Blob.prototype;
    Blob.prototype.slice = function (from, to, ...rest) {
      window.parts.push([from, to]);
      return slice.call(this, from, to, ...rest);
    };
    for (const name of ["arrayBuffer", "text", "stream", "bytes"]) {
      const whole = Blob.prototype[name];
      Blob.prototype[name] = function (...given) {
        if (this instanceof File) window.parts.push([0, this.size]);
        return whole?.apply(this, given);
      };
    }
  });

/**
 * Returns a .safetensors file with F32 tensors of these shapes, all zero except the first number of each, which is its
 * index.
 */
function safetensors(shapes) {
  const header = {};
  let end = 0;
  for (const [name, shape] of Object.entries(shapes)) {
    const bytes = 4 * shape.reduce((product, length) => product * length, 1);
    header[name] = { dtype: "F32", shape, data_offsets: [end, end + bytes] };
    end += bytes;
  }
  const words = Buffer.from(JSON.stringify(header));
  const file = Buffer.alloc(8 + words.length + end);
  file.writeBigUInt64LE(BigInt(words.length));
  words.copy(file, 8);
  return { file, start: 8 + words.length, header };
}

check("a file that is chosen is inspected, and no link knows of it", alone, async (page) => {
  await said(page, "Cosines come first");
  await picker(page).setInputFiles(corpus("tables/from_one-16x8.npy"));
  await said(page, "Row 0 is position 1");
  assert.match(await figure(page).locator(".caption").textContent(), /^from_one-16x8\.npy, 16 × 8/);
  assert.equal(await report(page).getByText("Cosine stands").count(), 0);
  await settle(page, 500);
  const links = await page.evaluate(
    () => location.href + document.querySelector(".alone > pe-figure").shadowRoot.innerHTML,
  );
  assert.match(page.url(), /example=swapped/);
  const link = await figure(page).locator("[data-act=link]").getAttribute("href");
  for (const address of [page.url(), link]) assert.doesNotMatch(address, /from_one|npy/);
  assert.doesNotMatch(JSON.stringify(await figure(page).evaluate((figure) => figure.state)), /from_one/);
  assert.ok(links.includes("from_one"), "the name is on the page");
  // The report that can be pasted into a bug report.
  await figure(page).locator(".inspected summary").last().click();
  await figure(page).locator("[data-do=copy]").click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /```\nfrom_one-16x8\.npy: 16 × 8, f\d\d[\s\S]*start-offset[\s\S]*np\.arange\(n\)/);
  // Another example, or the same again, replaces it.
  await figure(page).locator("[data-file=forget]").click();
  await said(page, "Cosines come first");
  assert.equal(await picker(page).evaluate((input) => input.getRootNode().activeElement === input), true);
  await picker(page).setInputFiles(corpus("tables/from_one-16x8.npy"));
  await said(page, "Row 0 is position 1");
  await figure(page).locator("select[name=example]").selectOption("degrees");
  await said(page, "Angles were taken for degrees");
});

check("a file that is dropped is inspected", alone, async (page) => {
  const bytes = [...readFileSync(corpus("tables/degrees-16x8.npy"))];
  const drop = (files) =>
    figure(page).evaluate((figure, files) => {
      const dataTransfer = new DataTransfer();
      for (const bytes of files) dataTransfer.items.add(new File([new Uint8Array(bytes)], "mine.npy"));
      const root = figure.shadowRoot.querySelector(".figure");
      const send = (type, transfer = dataTransfer) => {
        const event = new DragEvent(type, { bubbles: true, composed: true, cancelable: true, dataTransfer: transfer });
        return root.dispatchEvent(event);
      };
      const over = send("dragover");
      const marked = root.hasAttribute("data-dropping");
      send("drop");
      const words = new DataTransfer();
      words.setData("text/plain", "words");
      return { over, marked, after: root.hasAttribute("data-dropping"), words: send("dragover", words) };
    }, files);
  assert.deepEqual(await drop([bytes]), { over: false, marked: true, after: false, words: true });
  await said(page, "Angles were taken for degrees");
});

check("every hostile file is refused in words, and the next one is inspected", alone, async (page) => {
  const files = readdirSync(corpus("files"));
  assert.ok(files.length > 20);
  const sentences = new Set();
  for (const name of files) {
    await picker(page).setInputFiles(corpus(`files/${name}`));
    if (name === "choose-two.safetensors") {
      await figure(page).locator("select[data-file=tensor]").waitFor();
      continue;
    }
    await page.waitForFunction((name) => {
      const root = document.querySelector(".alone > pe-figure").shadowRoot;
      return root.querySelector(".file")?.textContent === name && root.querySelector(".refusal");
    }, name);
    const sentence = await figure(page).locator(".refusal").textContent();
    assert.ok(sentence.length > 30, `${name}: ${sentence}`);
    sentences.add(sentence);
    assert.equal(await figure(page).locator(".stage").isVisible(), false, name);
  }
  assert.ok(sentences.size > 15, `${sentences.size}`);
  await picker(page).setInputFiles(corpus("tables/from_one-16x8.npy"));
  await said(page, "Row 0 is position 1");
  assert.equal(await figure(page).locator("canvas").isVisible(), true);
});

check(
  "of a model of 45 MB the header and one tensor are read, and another one when it is chosen",
  { ...alone, prepare: noteParts },
  async (page) => {
    const shapes = { "h.0.mlp.weight": [4096, 2048], "wpe.weight": [512, 384], "wte.weight": [3000, 900] };
    const { file, start, header } = safetensors(shapes);
    await picker(page).setInputFiles({ name: "model.safetensors", mimeType: "", buffer: file });
    await said(page, /zero throughout|not alike|the same/);
    const read = async () =>
      (await page.evaluate(() => window.parts)).map(([from, to]) => [from, Math.min(to, file.length)]);
    const inside = ([from, to], [low, high]) => from >= start + low && to <= start + high;
    const count = (parts) => parts.reduce((sum, [from, to]) => sum + to - from, 0);
    const first = await read();
    const numbers = first.filter(([from]) => from >= start);
    assert.ok(
      numbers.every((part) => inside(part, header["wpe.weight"].data_offsets)),
      JSON.stringify(first),
    );
    assert.equal(count(numbers), 512 * 384 * 4);
    assert.ok(count(first) < 512 * 384 * 4 + 2000, `${count(first)} of ${file.length} bytes`);
    const list = figure(page).locator("select[data-file=tensor]");
    assert.deepEqual(await list.locator("option").evaluateAll((all) => all.map(({ value }) => value)), [
      "wpe.weight",
      "h.0.mlp.weight",
      "wte.weight",
    ]);
    await list.selectOption("wte.weight");
    await page.waitForFunction(() =>
      document
        .querySelector(".alone > pe-figure")
        .shadowRoot.querySelector(".caption")
        .textContent.includes("3000 × 900"),
    );
    const more = (await read()).slice(first.length);
    assert.ok(more.length > 3, "by parts");
    assert.ok(more.every((part) => inside(part, header["wte.weight"].data_offsets)));
    assert.equal(count(more), 3000 * 900 * 4);
  },
);

check("a large table can be given up, and a file that is withheld is said to be", alone, async (page) => {
  const buffer = safetensors({ pe: [8000, 1000] }).file;
  // Blocks the inspection until the button has been pressed.
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    let parts = 0;
    Blob.prototype.arrayBuffer = function () {
      return parts++ < 5
        ? arrayBuffer.call(this)
        : new Promise((go) => (window.goOn = () => go(arrayBuffer.call(this))));
    };
    window.restore = () => Object.assign(Blob.prototype, { arrayBuffer });
  });
  await picker(page).setInputFiles({ name: "large.safetensors", mimeType: "", buffer });
  await page.waitForFunction(() => window.goOn);
  assert.match(await figure(page).locator(".caption").textContent(), /large\.safetensors is being read/);
  assert.ok((await figure(page).locator("progress").getAttribute("value")) > 0);
  await figure(page).locator("[data-file=forget]").click();
  await said(page, "Cosines come first");
  await page.evaluate(() => window.goOn());
  await frames(page, 5);
  assert.equal(await figure(page).locator(".file").count(), 0);
  await page.evaluate(() => {
    window.restore();
    Blob.prototype.slice = () => {
      throw new DOMException("no", "SecurityError");
    };
  });
  await picker(page).setInputFiles(corpus("tables/from_one-16x8.npy"));
  await figure(page).locator(".refusal").getByText("SecurityError").waitFor();
});

check("a script gives a figure a file, and is told where that is wrong", { hash: "#view=inspect" }, async (page) => {
  const bytes = [...readFileSync(corpus("tables/degrees-16x8.npy"))];
  const wrong = await figure(page).evaluate((figure, bytes) => {
    const tried = (act) => {
      try {
        return void act();
      } catch (error) {
        return error.message;
      }
    };
    const errors = [tried(() => figure.open({})), tried(() => figure.open())];
    figure.open(new Blob([new Uint8Array(bytes)]));
    return errors;
  }, bytes);
  for (const message of wrong) assert.match(message, /a file or a Blob/);
  await said(page, "Angles were taken for degrees");
  const other = await page.evaluate(() => {
    const other = document.createElement("pe-figure");
    other.setAttribute("view", "waves");
    document.body.append(other);
    return new Promise((done) =>
      other.addEventListener("pe-ready", () => {
        try {
          done(other.open(new Blob(["1,2"])));
        } catch (error) {
          done(error.message);
        }
      }),
    );
  });
  assert.match(other, /view="inspect"/);
});

test("a widget of a notebook shows the bytes that its model has", { timeout: TEST_TIMEOUT_MS }, async () => {
  const pages = await hosting();
  try {
    const page = await pages.open(tools.browser, `<div id="cell"></div>`, { script: "posenc-inline.js" });
    const bytes = (name) => [...readFileSync(corpus(`tables/${name}.npy`))];
    await page.evaluate(
      async ([first, second]) => {
        const { default: widget } = await import("./site/posenc-inline.js");
        // The bytes from a kernel are a view of a message buffer.
        const view = (bytes) => new DataView(new Uint8Array([9, ...bytes]).buffer, 1);
        const values = { view: "inspect", state: {}, file: view(first), filename: "mine.npy", lang: "en" };
        const heard = new Map();
        const model = {
          get: (name) => values[name],
          set: (name, value) => (values[name] = value),
          save_changes: () => (window.saved = values.state),
          on: (name, act) => heard.set(name, act),
          off: (name) => heard.delete(name),
        };
        window.change = () => {
          values.file = view(second);
          heard.get("change:file")();
        };
        widget.render({ model, el: document.querySelector("#cell") });
      },
      [bytes("from_one-16x8"), bytes("degrees-16x8")],
    );
    const figure = page.locator("pe-figure");
    await figure.getByText("Row 0 is position 1").waitFor();
    assert.match(await figure.locator(".caption").textContent(), /^mine\.npy, 16 × 8/);
    assert.doesNotMatch(JSON.stringify(await page.evaluate(() => window.saved ?? {})), /mine/);
    await page.evaluate(() => window.change());
    await figure.getByText("Angles were taken for degrees").waitFor();
    await noProblems(page);
  } finally {
    await pages.close();
  }
});
