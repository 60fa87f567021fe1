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
import { HANGS, until } from "./wait.mjs";

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

const value = (hands, name) => hands.run((path) => Number(document.querySelector(path).value), box(name));
const says = (hands, name, wanted) =>
  hands.until((path, wanted) => Number(document.querySelector(path).value) === wanted, box(name), wanted);
const address = (hands, part) => hands.until((part) => location.hash.slice(1).split("&").includes(part), part);

/** Opens a dialog of the kit by its button and the keyboard. */
async function dialog(hands, name) {
  const button = `#posenc [data-kit=${name}]`;
  await hands.run((path) => document.querySelector(path).closest("details")?.setAttribute("open", ""), button);
  await hands.focus(button);
  await hands.press(Key.ENTER);
  await hands.find("dialog[open]");
}

/** Closes it, and checks that the focus has returned to its button. */
async function shut(hands, name) {
  await hands.press(Key.ESCAPE);
  await hands.until(() => !document.querySelector("dialog"));
  assert.equal(await hands.run(() => document.activeElement.dataset.kit), name, "the focus is back");
}

/** Focuses the button of the dialog whose text begins with these words; waits until it exists. */
const focusOn = (hands, words) =>
  hands.until((words) => {
    const button = [...document.querySelectorAll("dialog button")].find((button) =>
      button.textContent.startsWith(words),
    );
    button?.focus();
    return Boolean(button);
  }, words);

/** Presses the button of the dialog whose text begins with these words and returns the downloaded file. */
async function file(hands, words) {
  const there = new Set(await readdir(hands.files));
  await focusOn(hands, words);
  await hands.press(Key.ENTER);
  return until(
    async () => {
      for (const name of await readdir(hands.files)) {
        if (there.has(name) || /\.(part|crdownload|wkdownload)$|^\.|^Unconfirmed/.test(name)) continue;
        const bytes = await readFile(join(hands.files, name));
        if (bytes.length) return { name, bytes };
      }
    },
    async () => `a file saved by ${words}; there are ${await readdir(hands.files)}`,
  );
}

const steps = {
  async "the bench draws its first frame"(hands) {
    await hands.open(site.url);
    for (const view of views) await hands.drawn(canvas(view));
    assert.deepEqual(
      [await value(hands, "d_model"), await value(hands, "max_len"), await value(hands, "k")],
      [128, 64, 3],
    );
    const [inside, wide] = await hands.run(() => [
      document.documentElement.clientWidth,
      document.documentElement.scrollWidth,
    ]);
    assert.ok(wide <= inside, `the page is ${wide} px wide in ${inside}`);
  },

  async "the slider of k is worked by keys and by mouse"(hands) {
    await hands.open(site.url);
    const before = await hands.drawn(canvas("rotation"));
    await hands.focus(slider("k"));
    await hands.press(Key.ARROW_RIGHT, Key.ARROW_RIGHT);
    await says(hands, "k", 5);
    await address(hands, "k=5");
    const keys = await hands.drawn(canvas("rotation"), before);
    await hands.drag(slider("k"), [0, 0], [0.3, 0]);
    await hands.until((path) => Number(document.querySelector(path).value) > 5, box("k"));
    await hands.until((path) => location.hash === `#k=${document.querySelector(path).value}`, box("k"));
    await hands.drawn(canvas("rotation"), keys);
  },

  async "the heatmap takes clicks, a drag and arrows"(hands) {
    await hands.open(`${site.url}#pos=2&pair=2`);
    const before = await hands.drawn(heatmap);
    await hands.click(heatmap);
    await hands.until((path) => Number(document.querySelector(path).value) > 20, box("pos"));
    await hands.drawn(heatmap, before);
    const [pos, pair] = [await value(hands, "pos"), await value(hands, "pair")];
    assert.equal(await hands.run(() => document.activeElement.dataset.view), "heatmap", "a click gives it the focus");
    await hands.press(Key.ARROW_DOWN, Key.ARROW_DOWN, Key.ARROW_LEFT, Key.ARROW_LEFT);
    await says(hands, "pos", pos + 2);
    await says(hands, "pair", pair - 1);
    await hands.drag(heatmap, [0, 0], [-0.2, -0.3]);
    await hands.until((path, pos) => Number(document.querySelector(path).value) < pos - 5, box("pos"), pos);
    await hands.until((path) => location.hash.includes(`pos=${document.querySelector(path).value}&`), box("pos"));
  },

  async "a number box takes digits of both widths"(hands) {
    await hands.open(site.url);
    await hands.type(box("d_model"), "６４");
    await says(hands, "d_model", 64);
    await address(hands, "d_model=64");
    await hands.type(box("d_model"), "32");
    await says(hands, "d_model", 32);
    await hands.press(Key.ARROW_UP);
    await says(hands, "d_model", 33);
    assert.equal(await hands.run(() => document.querySelectorAll("[data-notice]").length), 0);
  },

  async "language and theme change in place"(hands) {
    await hands.open(site.url);
    const before = await hands.drawn(heatmap);
    await hands.choose("#posenc select[name=lang]", "zh");
    await hands.until(
      () =>
        document.documentElement.lang === "zh" &&
        document.querySelector("#posenc h1").innerText.trim() === "位置编码探索台",
    );
    await hands.choose("#posenc select[name=theme]", "dark");
    await hands.until(() => document.documentElement.dataset.theme === "dark");
    await hands.drawn(heatmap, before);
    await address(hands, "lang=zh");
    await address(hands, "theme=dark");
  },

  async "a link opens what it says"(hands) {
    await hands.open(`${site.url}#k=7&pos=21&d_model=64&lang=zh&theme=projector`);
    assert.deepEqual([await value(hands, "k"), await value(hands, "pos"), await value(hands, "d_model")], [7, 21, 64]);
    assert.equal(await hands.run(() => document.documentElement.lang), "zh");
    await hands.run(() => (location.hash = "#view=order&pe=on"));
    await hands.drawn("#posenc pe-figure >> canvas");
    await hands.run(() => (location.hash = "#view=ruler&max_len=1000000"));
    const number = await hands.find("#posenc pe-figure >> input[type=number][name=max_len]");
    const [shown, needed] = await hands.run((number) => [number.clientWidth, number.scrollWidth], number);
    assert.ok(needed <= shown, `a million is ${needed} px wide in ${shown}`);
  },

  async "a bad link is put right with a notice"(hands) {
    await hands.open(`${site.url}#d_model=99999999&k=x`);
    await hands.find("[data-notice]");
    assert.deepEqual([await value(hands, "d_model"), await value(hands, "k")], [16384, 3]);
    await hands.focus("[data-notice] button");
    await hands.press(Key.ENTER);
    await hands.until(
      () => ![...document.querySelectorAll("[data-notice]")].some((notice) => notice.checkVisibility()),
    );
  },

  async "it plays and stops"(hands) {
    await hands.open(site.url);
    await hands.focus("#posenc [data-action=play]");
    await hands.press(Key.SPACE);
    await hands.until((path) => Number(document.querySelector(path).value) > 11, box("pos"));
    await hands.press(Key.SPACE);
    const pos = await value(hands, "pos");
    await hands.frames(60);
    assert.ok((await value(hands, "pos")) - pos <= 1);
  },

  async "the share dialog opens, makes a link and closes"(hands) {
    await hands.open(`${site.url}#k=7`);
    await dialog(hands, "share");
    await hands.until(() => document.querySelector("[data-result=link]")?.value.includes("k=7"));
    await hands.press(Key.TAB, Key.TAB);
    assert.ok(await hands.run(() => Boolean(document.activeElement.closest("dialog"))), "Tab stays inside");
    await shut(hands, "share");
  },

  async "picture and table are saved"(hands) {
    await hands.open(`${site.url}#d_model=16&max_len=20`);
    await dialog(hands, "save");
    const png = await file(hands, "PNG 1×");
    assert.equal(png.name, "posenc-heatmap@1x.png");
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(png.bytes.length > 2000 && png.bytes.readUInt32BE(16) > 200, `${png.bytes.length} bytes`);
    const csv = await file(hands, "CSV");
    assert.match(csv.name, /20x16\.csv$/);
    assert.equal(
      csv.bytes
        .toString()
        .trim()
        .split("\n")
        .filter((line) => !line.startsWith("#")).length,
      21,
    );
    const npy = await file(hands, "NPY f32");
    assert.equal(npy.bytes.subarray(1, 6).toString(), "NUMPY");
    assert.equal(npy.bytes.length % 64, (20 * 16 * 4) % 64);
    await shut(hands, "save");
  },

  async "it is presented, with steps"(hands) {
    await hands.open(`${site.url}#k=5`);
    await hands.press("m");
    await address(hands, "steps=k=5");
    await hands.press("p");
    await hands.find(".kit-bar");
    for (const view of views) await hands.drawn(canvas(view));
    await hands.focus(slider("k"));
    await hands.press(Key.ARROW_RIGHT);
    await says(hands, "k", 6);
    await hands.press("m");
    await address(hands, "steps=k=5/k=6");
    await hands.press(Key.PAGE_UP);
    await says(hands, "k", 5);
    await hands.press(Key.PAGE_DOWN);
    await says(hands, "k", 6);
    await hands.press(Key.ESCAPE);
    await hands.until(() => !document.querySelector(".kit-show"));
    await says(hands, "k", 5);
  },

  async "every figure of the lesson is drawn and takes keys"(hands) {
    await hands.open(site.url);
    const ids = await hands.run(() => [...document.querySelectorAll(".prose pe-figure")].map((figure) => figure.id));
    assert.ok(ids.length > 30);
    const faults = [];
    for (const id of ids) {
      const figure = `#${id}`;
      await hands.see(figure);
      await hands.until((id) => document.getElementById(id).shadowRoot?.querySelector(".caption")?.textContent, id);
      if (
        await hands.run(
          (id) => Boolean(document.getElementById(id).shadowRoot.querySelector("canvas")?.checkVisibility()),
          id,
        )
      )
        await hands.drawn(`${figure} >> canvas`);
      const wide = await hands.run((id) => {
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
      const range = await hands.run((id) => {
        const range = [...document.getElementById(id).shadowRoot.querySelectorAll("input[type=range]")].find(
          (range) => !range.disabled && range.checkVisibility(),
        );
        range?.focus();
        return range && [range.name, range.value, range.value === range.max];
      }, id);
      if (!range) continue;
      const [name, before, atEnd] = range;
      await hands.press(atEnd ? Key.ARROW_LEFT : Key.ARROW_RIGHT);
      await hands.until(
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

  async "training has the losses that it has natively, bit for bit"(hands) {
    await hands.open(`${site.url}#view=lab&seed=17`);
    const losses = new URL("../../crates/lab/tests/reference/losses.tsv", import.meta.url);
    for (const line of (await readFile(losses, "utf8")).trim().split("\n")) {
      const [encoding, seed, ...bits] = line.split("\t");
      await hands.run(
        (pe, seed) => {
          window.lab = document.querySelector(".alone > pe-figure");
          lab.setState({ pe, seed });
        },
        encoding,
        seed,
      );
      // A run continues with the next settings, up to the step of the first.
      if (encoding === "none")
        await hands.until(() => {
          const run = lab.shadowRoot?.querySelector("[data-do=run]");
          run?.click();
          return Boolean(run);
        });
      const rows = await hands.until((encoding) => {
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

  async "an element on somebody's page"(hands) {
    await hands.goto(`${site.url}notes.html`);
    const before = await hands.drawn("#rotation >> canvas");
    await hands.focus("#rotation >> input[type=range][name=k]");
    await hands.press(Key.ARROW_RIGHT);
    await hands.until(() => document.querySelector("#rotation").state.k === 4);
    await hands.drawn("#rotation >> canvas", before);
    await hands.type("#rotation >> input[type=number][name=k]", "１２");
    await hands.until(() => document.querySelector("#rotation").state.k === 12);
    await hands.see("#waves");
    await hands.drawn("#waves >> canvas");
    await hands.until(() => document.querySelector("#waves").state.k === 12);
    await hands.run(() => document.querySelector("#waves").setState({ pair: 20 }));
    await hands.until(() => document.querySelector("#rotation").state.pair === 20);
    const bytes = await hands.run(async () => (await document.querySelector("#rotation").toBlob({ scale: 2 })).size);
    assert.ok(bytes > 2000, `${bytes} bytes`);
    await hands.drag("#waves >> canvas", [-0.2, 0], [0.2, 0]);
    await hands.until(() => document.querySelector("#rotation").state.pos > 25);
  },

  async "a frame in somebody's page"(hands) {
    await hands.goto(`${other.url.replace("localhost", "127.0.0.1")}frame.html`);
    await hands.until(() => window.isReady() && window.told > 200);
    await hands.run(() => say({ id: 1, type: "set", state: { k: 9 } }));
    assert.equal((await hands.until(() => answer(1))).type, "done");
    await hands.run(() => say({ id: 2, type: "export", format: "png", scale: 1 }));
    const [type, bytes] = await hands.until(() => answer(2) && [answer(2).type, answer(2).data.byteLength]);
    assert.equal(type, "file");
    assert.ok(bytes > 2000, `${bytes} bytes`);
    await hands.enter("#frame");
    await hands.drawn(canvas("rotation"));
    await says(hands, "k", 9);
    // A frame receives keys once something in it has been pressed.
    await hands.click(box("k"));
    await hands.press(Key.ARROW_DOWN);
    await says(hands, "k", 8);
    const within = await hands.run(() => window.problems);
    await hands.enter();
    assert.deepEqual(within, []);
    await hands.run(() => say({ id: 3, type: "get" }));
    assert.equal((await hands.until(() => answer(3))).state.k, 8);
  },

  async "the offline file from a folder"(hands) {
    await hands.open(`${pathToFileURL(join(dist, "posenc.html"))}#k=7&pos=21`);
    await hands.run(() => {
      window.problems = [];
      addEventListener("error", (event) => window.problems.push(event.message));
      addEventListener("unhandledrejection", (event) => window.problems.push(String(event.reason)));
    });
    assert.deepEqual([await value(hands, "k"), await value(hands, "pos")], [7, 21]);
    const before = await hands.drawn(heatmap);
    await hands.focus(slider("d_model"));
    await hands.press(Key.ARROW_RIGHT);
    await hands.drawn(heatmap, before);
    await hands.until(() => /d_model=\d/.test(location.hash));
    for (const name of ["share", "save"]) {
      await dialog(hands, name);
      await shut(hands, name);
    }
    await hands.see("#fig-codes");
    await hands.drawn("#fig-codes >> canvas");
  },
};

for (const name of Object.keys(engines)) {
  inEngine(name, (its) => {
    let passed = 0;
    for (const [what, work] of Object.entries(steps)) {
      test(what, { timeout: HANGS }, async () => {
        const hands = its();
        try {
          await hands.size();
          const seen = await work(hands);
          assert.deepEqual(await hands.run(() => window.problems), []);
          record(`engines-${name}`, { ...hands.where, ...seen, steps: ++passed });
        } catch (error) {
          // A step may fail because the core failed before and its elements were rebuilt.
          const problems = await hands.run(() => window.problems).catch(() => []);
          if (problems.length) error.message += `; the page says: ${problems.join("; ")}`;
          if (process.env.SCREENSHOT)
            await writeFile(join(process.env.SCREENSHOT, `${name} ${what}.png`), await hands.screenshot());
          throw error;
        } finally {
          await hands.enter();
        }
      });
    }
  });
}
