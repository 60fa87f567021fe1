// The same steps in Chromium, Firefox and WebKit: the bench, the lesson and the kit, used with mouse and keys.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { views } from "./browser.mjs";
import { engines, inEngine, Key } from "./engines.mjs";
import { record } from "./figures.mjs";
import { dist, serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS, until } from "./wait.mjs";

// Records problems from the start, because drivers do not report them.
const watch = `<script>
window.problems = [];
addEventListener("error", (event) => problems.push("error: " + (event.message ?? event.target.src ?? event.target.href)), true);
addEventListener("unhandledrejection", (event) => problems.push("rejection: " + event.reason));
for (const level of ["error", "warn"]) {
  const say = console[level];
  console[level] = (...words) => (problems.push(level + ": " + words.join(" ")), say.apply(console, words));
}
</script>`;

const notes = (body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${watch}<title>Notes</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

const element = notes(`
<script type="module" src="posenc.js"></script>
<style>* { box-sizing: content-box; font-family: serif } canvas { filter: invert(1) } pe-figure { max-width: 40rem }</style>
<pe-figure id="rotation" view="rotation" d-model="64" k="3" controls="k pair" group="turn">A pair of dimensions on its dial.</pe-figure>
<pe-figure id="waves" view="waves" d-model="64" k="3" controls="none" group="turn" loading="lazy">Sine and cosine.</pe-figure>`);

const frame = (url) =>
  notes(`
<iframe id="frame" src="${url}#view=rotation" title="A pair of dimensions on its dial" style="width: 800px; height: 300px"></iframe>
<script>
const heard = [];
addEventListener("message", ({ data, source }) => {
  if (source !== frame.contentWindow) return;
  if (data.subject === "lti.frameResize") frame.style.height = (window.told = data.height) + "px";
  else heard.push(data);
});
const frame = document.getElementById("frame");
window.say = (message) => frame.contentWindow.postMessage({ posenc: 1, ...message }, "*");
window.answer = (id) => heard.find((data) => data.id === id);
window.isReady = () => heard.some((data) => data.type === "ready");
</script>`);

let folder, elsewhere, site, other;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "posenc-"));
  elsewhere = await mkdtemp(join(tmpdir(), "posenc-"));
  for (const name of await readdir(dist))
    if (name !== "index.html") await symlink(join(dist, name), join(folder, name));
  const html = await readFile(join(dist, "index.html"), "utf8");
  await writeFile(join(folder, "index.html"), html.replace("<head>", `<head>${watch}`));
  await writeFile(join(folder, "notes.html"), element);
  [site, other] = await Promise.all([serve(0, folder), serve(0, elsewhere)]);
  await writeFile(join(elsewhere, "frame.html"), frame(site.url));
});
after(async () => {
  await Promise.all([site.close(), other.close()]);
  for (const place of [folder, elsewhere]) await rm(place, { recursive: true });
});

const box = (name) => `#posenc input[type=number][name=${name}]`;
const slider = (name) => `#posenc input[type=range][name=${name}]`;
const canvas = (view) => `#posenc canvas[data-view=${view}]`;
const heatmap = canvas("heatmap");

const value = (driver, name) => driver.run((path) => Number(document.querySelector(path).value), box(name));
const says = (driver, name, wanted) =>
  driver.until((path, wanted) => Number(document.querySelector(path).value) === wanted, box(name), wanted);
const address = (driver, part) => driver.until((part) => location.hash.slice(1).split("&").includes(part), part);

/** Opens a dialog of the kit by its button and the keyboard. */
async function dialog(driver, name) {
  const button = `#posenc [data-kit=${name}]`;
  await driver.run((path) => document.querySelector(path).closest("details")?.setAttribute("open", ""), button);
  await driver.focus(button);
  await driver.press(Key.ENTER);
  await driver.find("dialog[open]");
}

/** Closes it, and checks that the focus has returned to its button. */
async function shut(driver, name) {
  await driver.press(Key.ESCAPE);
  await driver.until(() => !document.querySelector("dialog"));
  assert.equal(await driver.run(() => document.activeElement.dataset.kit), name, "the focus is back");
}

/** Focuses the button of the dialog whose text begins with these words; waits until it exists. */
const focusOn = (driver, words) =>
  driver.until((words) => {
    const button = [...document.querySelectorAll("dialog button")].find((button) =>
      button.textContent.startsWith(words),
    );
    button?.focus();
    return Boolean(button);
  }, words);

/** Presses the button of the dialog whose text begins with these words and returns the downloaded file. */
async function file(driver, words) {
  const there = new Set(await readdir(driver.files));
  await focusOn(driver, words);
  await driver.press(Key.ENTER);
  return until(
    async () => {
      for (const name of await readdir(driver.files)) {
        if (there.has(name) || /\.(part|crdownload|wkdownload)$|^\.|^Unconfirmed/.test(name)) continue;
        const bytes = await readFile(join(driver.files, name));
        if (bytes.length) return { name, bytes };
      }
    },
    async () => `a file saved by ${words}; there are ${await readdir(driver.files)}`,
  );
}

const steps = {
  async "the bench draws its first frame"(driver) {
    await driver.open(site.url);
    for (const view of views) await driver.drawn(canvas(view));
    assert.deepEqual(
      [await value(driver, "d_model"), await value(driver, "max_len"), await value(driver, "k")],
      [128, 64, 3],
    );
    const [inside, wide] = await driver.run(() => [
      document.documentElement.clientWidth,
      document.documentElement.scrollWidth,
    ]);
    assert.ok(wide <= inside, `the page is ${wide} px wide in ${inside}`);
  },

  async "the slider of k is worked by keys and by mouse"(driver) {
    await driver.open(site.url);
    const before = await driver.drawn(canvas("rotation"));
    await driver.focus(slider("k"));
    await driver.press(Key.ARROW_RIGHT, Key.ARROW_RIGHT);
    await says(driver, "k", 5);
    await address(driver, "k=5");
    const keys = await driver.drawn(canvas("rotation"), before);
    await driver.drag(slider("k"), [0, 0], [0.3, 0]);
    await driver.until((path) => Number(document.querySelector(path).value) > 5, box("k"));
    await driver.until((path) => location.hash === `#k=${document.querySelector(path).value}`, box("k"));
    await driver.drawn(canvas("rotation"), keys);
  },

  async "the heatmap takes clicks, a drag and arrows"(driver) {
    await driver.open(`${site.url}#pos=2&pair=2`);
    const before = await driver.drawn(heatmap);
    await driver.click(heatmap);
    await driver.until((path) => Number(document.querySelector(path).value) > 20, box("pos"));
    await driver.drawn(heatmap, before);
    const [pos, pair] = [await value(driver, "pos"), await value(driver, "pair")];
    assert.equal(await driver.run(() => document.activeElement.dataset.view), "heatmap", "a click gives it the focus");
    await driver.press(Key.ARROW_DOWN, Key.ARROW_DOWN, Key.ARROW_LEFT, Key.ARROW_LEFT);
    await says(driver, "pos", pos + 2);
    await says(driver, "pair", pair - 1);
    await driver.drag(heatmap, [0, 0], [-0.2, -0.3]);
    await driver.until((path, pos) => Number(document.querySelector(path).value) < pos - 5, box("pos"), pos);
    await driver.until((path) => location.hash.includes(`pos=${document.querySelector(path).value}&`), box("pos"));
  },

  async "a number box takes digits of both widths"(driver) {
    await driver.open(site.url);
    await driver.type(box("d_model"), "６４");
    await says(driver, "d_model", 64);
    await address(driver, "d_model=64");
    await driver.type(box("d_model"), "32");
    await says(driver, "d_model", 32);
    await driver.press(Key.ARROW_UP);
    await says(driver, "d_model", 33);
    assert.equal(await driver.run(() => document.querySelectorAll("[data-notice]").length), 0);
  },

  async "language and theme change in place"(driver) {
    await driver.open(site.url);
    const before = await driver.drawn(heatmap);
    await driver.choose("#posenc select[name=lang]", "zh");
    await driver.until(
      () =>
        document.documentElement.lang === "zh" &&
        document.querySelector("#posenc h1").innerText.trim() === "位置编码探索台",
    );
    await driver.choose("#posenc select[name=theme]", "dark");
    await driver.until(() => document.documentElement.dataset.theme === "dark");
    await driver.drawn(heatmap, before);
    await address(driver, "lang=zh");
    await address(driver, "theme=dark");
  },

  async "a link opens what it says"(driver) {
    await driver.open(`${site.url}#k=7&pos=21&d_model=64&lang=zh&theme=projector`);
    assert.deepEqual(
      [await value(driver, "k"), await value(driver, "pos"), await value(driver, "d_model")],
      [7, 21, 64],
    );
    assert.equal(await driver.run(() => document.documentElement.lang), "zh");
    await driver.run(() => (location.hash = "#view=order&pe=on"));
    await driver.drawn("#posenc pe-figure >> canvas");
    await driver.run(() => (location.hash = "#view=ruler&max_len=1000000"));
    const number = await driver.find("#posenc pe-figure >> input[type=number][name=max_len]");
    const [shown, needed] = await driver.run((number) => [number.clientWidth, number.scrollWidth], number);
    assert.ok(needed <= shown, `a million is ${needed} px wide in ${shown}`);
  },

  async "a bad link is put right with a notice"(driver) {
    await driver.open(`${site.url}#d_model=99999999&k=x`);
    await driver.find("[data-notice]");
    assert.deepEqual([await value(driver, "d_model"), await value(driver, "k")], [16384, 3]);
    await driver.focus("[data-notice] button");
    await driver.press(Key.ENTER);
    await driver.until(
      () => ![...document.querySelectorAll("[data-notice]")].some((notice) => notice.checkVisibility()),
    );
  },

  async "it plays and stops"(driver) {
    await driver.open(site.url);
    await driver.focus("#posenc [data-action=play]");
    await driver.press(Key.SPACE);
    await driver.until((path) => Number(document.querySelector(path).value) > 11, box("pos"));
    await driver.press(Key.SPACE);
    const pos = await value(driver, "pos");
    await driver.frames(60);
    assert.ok((await value(driver, "pos")) - pos <= 1);
  },

  async "the share dialog opens, makes a link and closes"(driver) {
    await driver.open(`${site.url}#k=7`);
    await dialog(driver, "share");
    await driver.until(() => document.querySelector("[data-result=link]")?.value.includes("k=7"));
    await driver.press(Key.TAB, Key.TAB);
    assert.ok(await driver.run(() => Boolean(document.activeElement.closest("dialog"))), "Tab stays inside");
    await shut(driver, "share");
  },

  async "picture and table are saved"(driver) {
    await driver.open(`${site.url}#d_model=16&max_len=20`);
    await dialog(driver, "save");
    const png = await file(driver, "PNG 1×");
    assert.equal(png.name, "posenc-heatmap@1x.png");
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(png.bytes.length > 2000 && png.bytes.readUInt32BE(16) > 200, `${png.bytes.length} bytes`);
    const csv = await file(driver, "CSV");
    assert.match(csv.name, /20x16\.csv$/);
    assert.equal(
      csv.bytes
        .toString()
        .trim()
        .split("\n")
        .filter((line) => !line.startsWith("#")).length,
      21,
    );
    const npy = await file(driver, "NPY f32");
    assert.equal(npy.bytes.subarray(1, 6).toString(), "NUMPY");
    assert.equal(npy.bytes.length % 64, (20 * 16 * 4) % 64);
    await shut(driver, "save");
  },

  async "it is presented, with steps"(driver) {
    await driver.open(`${site.url}#k=5`);
    await driver.press("m");
    await address(driver, "steps=k=5");
    await driver.press("p");
    await driver.find(".kit-bar");
    for (const view of views) await driver.drawn(canvas(view));
    await driver.focus(slider("k"));
    await driver.press(Key.ARROW_RIGHT);
    await says(driver, "k", 6);
    await driver.press("m");
    await address(driver, "steps=k=5/k=6");
    await driver.press(Key.PAGE_UP);
    await says(driver, "k", 5);
    await driver.press(Key.PAGE_DOWN);
    await says(driver, "k", 6);
    await driver.press(Key.ESCAPE);
    await driver.until(() => !document.querySelector(".kit-show"));
    await says(driver, "k", 5);
  },

  async "every figure of the lesson is drawn and takes keys"(driver) {
    await driver.open(site.url);
    const ids = await driver.run(() => [...document.querySelectorAll(".prose pe-figure")].map((figure) => figure.id));
    assert.ok(ids.length > 30);
    const faults = [];
    for (const id of ids) {
      const figure = `#${id}`;
      await driver.see(figure);
      await driver.until((id) => document.getElementById(id).shadowRoot?.querySelector(".caption")?.textContent, id);
      if (
        await driver.run(
          (id) => Boolean(document.getElementById(id).shadowRoot.querySelector("canvas")?.checkVisibility()),
          id,
        )
      )
        await driver.drawn(`${figure} >> canvas`);
      const wide = await driver.run((id) => {
        const parts = document
          .getElementById(id)
          .shadowRoot.querySelectorAll(".figure, .caption, .above, .below, .controls, .equation");
        return [...parts]
          .filter(
            (e) =>
              e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "visible",
          )
          .map((e) => `${e.className} is ${e.scrollWidth} px wide in ${e.clientWidth}`);
      }, id);
      faults.push(...wide.map((what) => `${id}: ${what}`));
      const range = await driver.run((id) => {
        const range = [...document.getElementById(id).shadowRoot.querySelectorAll("input[type=range]")].find(
          (range) => !range.disabled && range.checkVisibility(),
        );
        range?.focus();
        return range && [range.name, range.value, range.value === range.max];
      }, id);
      if (!range) continue;
      const [name, before, atEnd] = range;
      await driver.press(atEnd ? Key.ARROW_LEFT : Key.ARROW_RIGHT);
      await driver.until(
        (id, name, before) =>
          document.getElementById(id).shadowRoot.querySelector(`input[type=range][name="${name}"]`).value !== before,
        id,
        name,
        before,
      );
    }
    assert.deepEqual(faults, []);
    return { figures: ids.length };
  },

  async "training has the losses that it has natively, bit for bit"(driver) {
    await driver.open(`${site.url}#view=lab&seed=17`);
    const losses = new URL("../../crates/lab/tests/reference/losses.tsv", import.meta.url);
    for (const line of (await readFile(losses, "utf8")).trim().split("\n")) {
      const [encoding, seed, ...bits] = line.split("\t");
      await driver.run(
        (pe, seed) => {
          window.lab = document.querySelector(".alone > pe-figure");
          lab.setState({ pe, seed });
        },
        encoding,
        seed,
      );
      // A run continues with the next settings, up to the step of the first.
      if (encoding === "none")
        await driver.until(() => {
          const run = lab.shadowRoot?.querySelector("[data-do=run]");
          run?.click();
          return Boolean(run);
        });
      const rows = await driver.until((encoding) => {
        let csv;
        try {
          csv = lab.measurements();
        } catch {
          return false;
        }
        const rows = csv.split("\n").filter((line) => /^\d/.test(line));
        return csv.includes(`encoding=${encoding}\n`) && rows.length >= 60 && rows;
      }, encoding);
      const found = [1, 30, 60].map((step) => {
        const loss = new DataView(new ArrayBuffer(8));
        loss.setFloat64(0, Number(rows[step - 1].split(",")[1]));
        return loss.getBigUint64(0).toString(16).padStart(16, "0");
      });
      assert.deepEqual(found, bits, encoding);
    }
  },

  async "an element on somebody's page"(driver) {
    await driver.goto(`${site.url}notes.html`);
    const before = await driver.drawn("#rotation >> canvas");
    await driver.focus("#rotation >> input[type=range][name=k]");
    await driver.press(Key.ARROW_RIGHT);
    await driver.until(() => document.querySelector("#rotation").state.k === 4);
    await driver.drawn("#rotation >> canvas", before);
    await driver.type("#rotation >> input[type=number][name=k]", "１２");
    await driver.until(() => document.querySelector("#rotation").state.k === 12);
    await driver.see("#waves");
    await driver.drawn("#waves >> canvas");
    await driver.until(() => document.querySelector("#waves").state.k === 12);
    await driver.run(() => document.querySelector("#waves").setState({ pair: 20 }));
    await driver.until(() => document.querySelector("#rotation").state.pair === 20);
    const bytes = await driver.run(async () => (await document.querySelector("#rotation").toBlob({ scale: 2 })).size);
    assert.ok(bytes > 2000, `${bytes} bytes`);
    await driver.drag("#waves >> canvas", [-0.2, 0], [0.2, 0]);
    await driver.until(() => document.querySelector("#rotation").state.pos > 25);
  },

  async "a frame in somebody's page"(driver) {
    await driver.goto(`${other.url.replace("localhost", "127.0.0.1")}frame.html`);
    await driver.until(() => window.isReady() && window.told > 200);
    await driver.run(() => say({ id: 1, type: "set", state: { k: 9 } }));
    assert.equal((await driver.until(() => answer(1))).type, "done");
    await driver.run(() => say({ id: 2, type: "export", format: "png", scale: 1 }));
    const [type, bytes] = await driver.until(() => answer(2) && [answer(2).type, answer(2).data.byteLength]);
    assert.equal(type, "file");
    assert.ok(bytes > 2000, `${bytes} bytes`);
    await driver.enter("#frame");
    await driver.drawn(canvas("rotation"));
    await says(driver, "k", 9);
    // A frame receives keys once something in it has been pressed.
    await driver.click(box("k"));
    await driver.press(Key.ARROW_DOWN);
    await says(driver, "k", 8);
    const within = await driver.run(() => window.problems);
    await driver.enter();
    assert.deepEqual(within, []);
    await driver.run(() => say({ id: 3, type: "get" }));
    assert.equal((await driver.until(() => answer(3))).state.k, 8);
  },

  async "the offline file from a folder"(driver) {
    await driver.open(`${pathToFileURL(join(dist, "posenc.html"))}#k=7&pos=21`);
    await driver.run(() => {
      window.problems = [];
      addEventListener("error", (event) => window.problems.push(event.message));
      addEventListener("unhandledrejection", (event) => window.problems.push(String(event.reason)));
    });
    assert.deepEqual([await value(driver, "k"), await value(driver, "pos")], [7, 21]);
    const before = await driver.drawn(heatmap);
    await driver.focus(slider("d_model"));
    await driver.press(Key.ARROW_RIGHT);
    await driver.drawn(heatmap, before);
    await driver.until(() => /d_model=\d/.test(location.hash));
    for (const name of ["share", "save"]) {
      await dialog(driver, name);
      await shut(driver, name);
    }
    await driver.see("#fig-codes");
    await driver.drawn("#fig-codes >> canvas");
  },
};

for (const name of Object.keys(engines)) {
  inEngine(name, (its) => {
    let passed = 0;
    for (const [what, work] of Object.entries(steps)) {
      test(what, { timeout: TEST_TIMEOUT_MS }, async () => {
        const driver = its();
        try {
          await driver.size();
          const seen = await work(driver);
          assert.deepEqual(await driver.run(() => window.problems), []);
          record(`engines-${name}`, { ...driver.where, ...seen, steps: ++passed });
        } catch (error) {
          // A step may fail because the core failed before and its elements were rebuilt.
          const problems = await driver.run(() => window.problems).catch(() => []);
          if (problems.length) error.message += `; the page says: ${problems.join("; ")}`;
          if (process.env.SCREENSHOT)
            await writeFile(join(process.env.SCREENSHOT, `${name} ${what}.png`), await driver.screenshot());
          throw error;
        } finally {
          await driver.enter();
        }
      });
    }
  });
}
