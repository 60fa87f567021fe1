// The other encodings on the bench: what each view shows for them, or the text in its place.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

/** Selects an encoding; the second half of the core, which some need, may have to be loaded. */
const choose = async (page, encoding) => {
  await page.selectOption("select[name=encoding]", encoding);
  await b.settle(page);
  await b.flush(page);
  await b.written(page);
};
const named = (page, view) => page.locator(`#posenc-${view}-words`).textContent();
/** The views that are shown, without the words, which every encoding has. */
const shown = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#posenc [data-stage]:not([data-stage=tokens])")]
      .filter((s) => !s.closest(".panel").hasAttribute("data-absent"))
      .map((s) => s.dataset.stage)
      .sort(),
  );
const usable = (page, name) => page.locator(`#posenc input[type=range][name=${name}]`).isEnabled();

for (const lang of ["en", "zh"]) {
  check(
    `each encoding shows its views, or its biases in their place, ${lang}`,
    { hash: `#lang=${lang}` },
    async (page) => {
      const biases = { en: /\badds\b/, zh: /所加的数|加一个数/ }[lang];
      const all = ["heatmap", "rotation", "waves"];
      const cases = { learned: all, rope: all, alibi: [], t5: [], sinusoidal: all };
      for (const [encoding, views] of Object.entries(cases)) {
        await choose(page, encoding);
        assert.deepEqual(await shown(page), views, encoding);
        for (const view of all) {
          const words = await named(page, view);
          (views.includes(view) ? assert.doesNotMatch : assert.match)(words, biases, `${encoding} ${view}`);
        }
        assert.equal(
          new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get("encoding"),
          encoding === "sinusoidal" ? null : encoding,
        );
        assert.equal(await page.locator(".instead:visible").count(), views.length === 3 ? 0 : 1, encoding);
        assert.equal(await usable(page, "base"), ["sinusoidal", "rope"].includes(encoding));
        assert.equal(await usable(page, "k"), true);
      }
    },
  );
}

check(
  "a learned table has other numbers, which the files and encode() have too",
  { hash: "#encoding=learned&d_model=8&max_len=6&pos=5&pair=2" },
  async (page) => {
    const cell = await page.locator(".readout b").innerText();
    const values = await page.evaluate(async () => {
      const { default: init, encode } = await import("./posenc.js");
      await init();
      return [...encode({ dModel: 8, maxLen: 6, encoding: "learned" })];
    });
    assert.equal(values.length, 48);
    assert.ok(values.every((value) => Math.abs(value) < 1));
    assert.ok(cell.replace("−", "-").endsWith(values[5 * 8 + 4].toFixed(4)), `${cell} is of ${values[44]}`);
    await b.press(page.locator("[data-kit=save]").first());
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /^CSV/ }).click(),
    ]);
    const text = await readFile(await download.path(), "utf8");
    assert.match(text, /^# encoding=learned\n/);
    const last = text.trimEnd().split("\n").at(-1).split(",").map(Number);
    assert.deepEqual(
      last,
      [5, ...values.slice(40).map((value) => Number(Math.fround(value)))].map((value, i) => (i ? last[i] : value)),
    );
    last.slice(1).forEach((value, i) => assert.equal(Math.fround(value), values[40 + i]));
  },
);

check("what has no table gives no file of one, and says so", { hash: "#encoding=rope" }, async (page) => {
  await b.press(page.locator("[data-kit=save]").first());
  await page.getByText("This encoding has no table").waitFor();
  assert.equal(await page.getByRole("button", { name: /^CSV/ }).count(), 0);
  const thrown = await page.evaluate(async () => {
    const { default: init, encode } = await import("./posenc.js");
    await init();
    try {
      encode({ dModel: 8, maxLen: 6, encoding: "alibi" });
    } catch (error) {
      return error.message;
    }
  });
  assert.match(thrown, /^encoding/);
});

check(
  "from the biases a button leads to the encoding's own figure, and the bench stays as it is",
  { hash: "#encoding=alibi" },
  async (page) => {
    await page.click(".instead");
    await page.waitForFunction(() => document.activeElement?.id === "fig-alibi");
    await b.written(page);
    const hash = await page.evaluate(() => location.hash);
    assert.match(hash, /fig-alibi/);
    assert.match(hash, /encoding=alibi/);
  },
);

check("whoever hears of a change reads the state at once", {}, async (page) => {
  // The first state is a change too, reported once it is drawn.
  await b.written(page);
  await page.evaluate(async () => {
    const { benchState } = await import("./core/posenc.js");
    document.addEventListener("posenc:change", () => (window.heard ??= benchState()?.k));
  });
  await page.fill("input[type=number][name=k]", "7");
  const heard = await page.waitForFunction(() => window.heard);
  assert.equal(await heard.jsonValue(), 7);
});

check("a reset brings the sinusoidal encoding back", { hash: "#encoding=learned&k=9" }, async (page) => {
  await b.press(page.locator("[data-action=reset]"));
  await b.settle(page);
  assert.equal(await page.locator("select[name=encoding]").inputValue(), "sinusoidal");
  assert.equal(await usable(page, "base"), true);
  assert.deepEqual(await shown(page), ["heatmap", "rotation", "waves"]);
});

const FIGURES = "**/core/figures.wasm";
const number = (page, name) => page.locator(`#posenc input[type=number][name=${name}]`);

test("Whisper's table comes after the bench, which can be used meanwhile", { timeout: TEST_TIMEOUT_MS }, async () => {
  let arrive;
  const wait = new Promise((resolve) => (arrive = resolve));
  const page = await b.open(tools.browser, tools.site.url, {
    hash: "#encoding=whisper&d_model=8&pos=999",
    prepare: (page) => page.route(FIGURES, async (route) => (await wait, route.continue())),
  });
  await b.written(page);
  const notice = await page.locator("[data-notice]").innerText();
  assert.match(notice, /d_model[^\n]*384/);
  assert.match(notice, /pos[^\n]*447/);
  await page.click("[data-action=dismiss]");
  assert.deepEqual(await shown(page), []);
  assert.match(await named(page, "heatmap"), /loading/);
  for (const [name, value] of [
    ["d_model", "384"],
    ["max_len", "448"],
  ]) {
    assert.equal(await number(page, name).inputValue(), value);
    assert.equal(await number(page, name).isDisabled(), true);
    assert.equal(await usable(page, name), false);
    const label = page.locator(`#posenc [data-control=${name}] label`);
    assert.match(await label.textContent(), /fixed/);
    assert.match(await label.getAttribute("title"), /there is no other/);
  }
  await number(page, "k").fill("5");
  await number(page, "pos").fill("11");
  await b.written(page);
  const thrown = await page.evaluate(async () => {
    const { encode } = await import("./posenc.js");
    try {
      encode({ dModel: 384, maxLen: 448, encoding: "whisper" });
    } catch (error) {
      return error.message;
    }
  });
  assert.match(thrown, /await init\(\) first/);

  arrive();
  await page.waitForFunction(() => !document.querySelector("#posenc .panel.heatmap").hasAttribute("data-absent"));
  await b.written(page);
  assert.deepEqual(await shown(page), ["heatmap", "rotation", "waves"]);
  assert.match(await named(page, "rotation"), /^No one turn leads exactly/);
  const values = await page.evaluate(async () => {
    const { encode, loadFigures } = await import("./posenc.js");
    await loadFigures();
    return [...encode({ dModel: 384, maxLen: 448, encoding: "whisper" }).slice(11 * 384, 12 * 384)];
  });
  const cell = (await page.locator(".readout b").innerText()).replace("−", "-");
  assert.ok(cell.endsWith(values[8].toFixed(4)), `${cell} is of ${values[8]}`);
  assert.ok(Math.max(...values.map(Math.abs)) > 0);
  const small = await page.evaluate(async () => {
    const { encode } = await import("./posenc.js");
    try {
      encode({ dModel: 8, maxLen: 448, encoding: "whisper" });
    } catch (error) {
      return error.message;
    }
  });
  assert.match(small, /448 positions and 384 dimensions.*dModel/);
  await choose(page, "sinusoidal");
  assert.equal(await usable(page, "d_model"), true);
  await b.noProblems(page);
  await page.context().close();
});

test("what ALiBi adds comes with the second file, and so do tables as numbers", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const page = await b.open(tools.browser, tools.site.url, {
    hash: "#encoding=alibi&hide=lesson",
    prepare: (page) => page.route(FIGURES, (route) => arrived.then(() => route.continue())),
  });
  const formula = page.locator("#posenc .panel.formula");
  await b.settle(page);
  assert.match(await formula.innerText(), /…/);
  assert.doesNotMatch(await formula.innerText(), /1\.5/);
  const call = (name, ...given) =>
    page.evaluate(
      async ([name, given]) => {
        const posenc = await import("./posenc.js");
        try {
          const made = name === "TableFile" ? new posenc.TableFile(...given).bytes : posenc[name](...given);
          return made.length ?? made;
        } catch (error) {
          return error.message;
        }
      },
      [name, given],
    );
  const calls = [
    [8, "encode", { dModel: 2, maxLen: 4 }],
    [4, "rotation", { dModel: 2, k: 0 }],
    [132, "tableNpy", { dModel: 1, maxLen: 1 }],
    [132, "TableFile", { dModel: 1, maxLen: 1 }, "npy"],
  ];
  for (const [, ...given] of [...calls, [0, "tableCsv", { dModel: 1, maxLen: 1 }]])
    assert.equal(await call(...given), "posenc: await init() first", given[0]);
  arrive();
  // Press et al. 2022, §3: the first of eight heads adds −1/2 per position of distance.
  await page.waitForFunction(() => /−1\.5/.test(document.querySelector("#posenc .panel.formula").textContent));
  await page.evaluate(() => import("./posenc.js").then(({ default: init }) => init()));
  for (const [size, ...given] of calls) assert.equal(await call(...given), size, given[0]);
  assert.ok((await call("tableCsv", { dModel: 1, maxLen: 1 })) > 3);
  await b.noProblems(page);
  await page.context().close();
});

test("where Whisper's table cannot be had the page says so, and it can be asked for again", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const page = await b.open(tools.browser, tools.site.url, {
    prepare: (page) => page.route(FIGURES, (route) => route.fulfill({ status: 404, body: "" })),
  });
  await choose(page, "whisper");
  await page.getByText("The numbers of this encoding could not be loaded").waitFor();
  assert.deepEqual(await shown(page), []);
  await page.unroute(FIGURES);
  await choose(page, "sinusoidal");
  assert.equal(await page.locator("[data-notice]").count(), 0);
  await choose(page, "whisper");
  await page.waitForFunction(() => !document.querySelector("#posenc .panel.heatmap").hasAttribute("data-absent"));
  assert.equal(await page.locator("[data-notice]").count(), 0);
  await page.context().close();
});
