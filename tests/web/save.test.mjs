// Saving: the picture and its table as files that other programs can read.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { formatSize } from "../../static/kit/dialog.mjs";
import { check, tools } from "./check.mjs";

/** Presses a button that saves and reads the file. */
async function file(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const path = await download.path();
  return { name: download.suggestedFilename(), path, bytes: await readFile(path) };
}

/** Whether the style sheet of the dialog has loaded; runs in the page. */
const isStyled = () => {
  const header = document.querySelector("dialog.kit header");
  return header && getComputedStyle(header).position === "sticky";
};

const python = ["python3", "/usr/bin/python3"].find((python) => {
  try {
    execFileSync(python, ["-c", "import numpy"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

check("a button that is pressed twice opens one dialog", {}, async (page) => {
  await page
    .locator("[data-kit=save]")
    .first()
    .evaluate((button) => {
      button.click();
      button.click();
    });
  await page.locator("dialog.kit").first().waitFor();
  await b.frames(page, 15);
  assert.equal(await page.locator("dialog.kit").count(), 1);
});

check(
  "the bench's pictures and its table are saved",
  { hash: "#d_model=16&max_len=20&layout=concatenated" },
  async (page) => {
    const opener = page.locator("[data-kit=save]").first();
    await b.uncover(opener);
    await opener.focus();
    await page.keyboard.press("Enter");
    const dialog = page.locator("dialog.kit");
    await dialog.getByRole("button", { name: /PNG 2×/ }).waitFor();

    const png = await file(page, dialog.getByRole("button", { name: /PNG 2×/ }));
    assert.equal(png.name, "posenc-heatmap@2x.png");
    const once = await file(page, dialog.getByRole("button", { name: /PNG 1×/ }));
    assert.equal(png.bytes.readUInt32BE(16), 2 * once.bytes.readUInt32BE(16), "twice as wide");

    await dialog.locator("select").first().selectOption("rotation");
    const svg = await file(page, dialog.getByRole("button", { name: /SVG/ }));
    assert.equal(svg.name, "posenc-rotation.svg");
    const text = svg.bytes.toString();
    assert.match(text, /<text[^>]*>cosine<\/text>/);
    assert.ok(!text.includes("<image"), "the dials are lines");

    const csv = (await file(page, dialog.getByRole("button", { name: /CSV/ }))).bytes.toString().trim().split("\n");
    assert.match(csv.filter((line) => line.startsWith("#")).join(" "), /layout.?=.?concatenated/);
    const rows = csv
      .filter((line) => !line.startsWith("#"))
      .slice(1)
      .map((line) => line.split(",").map(Number));
    assert.deepEqual([rows.length, rows[0].length], [20, 17]);
    const encoded = await page.evaluate(async () => {
      const { encode } = await import("./posenc.js");
      return [...encode({ dModel: 16, maxLen: 20, layout: "concatenated" })];
    });
    assert.deepEqual(rows.flatMap((row) => row.slice(1)).map(Math.fround), encoded);

    const npy = await file(page, dialog.getByRole("button", { name: /NPY f64/ }));
    if (python) {
      const script =
        "import sys, numpy, json; a = numpy.load(sys.argv[1]); print(json.dumps([str(a.dtype), list(a.shape), a.ravel().tolist()]))";
      const [dtype, shape, values] = JSON.parse(execFileSync(python, ["-c", script, npy.path]));
      assert.deepEqual([dtype, shape], ["float64", [20, 16]]);
      assert.deepEqual(values.map(Math.fround), encoded);
    } else {
      assert.ok(!process.env.CI, "CI has NumPy");
      console.log("NPY files were not read: no Python with NumPy here");
    }

    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    assert.ok(await opener.evaluate((button) => button === document.activeElement), "the focus is back");
  },
);

check(
  "a large table shows how far it is and can be stopped; one that is too large is not offered",
  { hash: "#d_model=4096&max_len=20000&lang=zh" },
  async (page) => {
    await b.press(page.locator("[data-kit=save]").first());
    const dialog = page.locator("dialog.kit");
    assert.ok(await dialog.getByRole("button", { name: /CSV/ }).isDisabled());
    assert.match(await dialog.getByRole("button", { name: /CSV/ }).innerText(), /GB.*512 MB/s);
    // Cancelled in the page during the progress: a press sent from here might arrive after the table is complete.
    await page.evaluate(() => {
      const stop = (_, observer) => {
        const bar = document.querySelector("dialog.kit progress");
        const button = [...document.querySelectorAll("dialog.kit button")].find((it) => it.textContent === "取消");
        if (!button || !(bar?.value > 0)) return;
        observer.disconnect();
        window.stoppedAt = bar.value / bar.max;
        button.click();
      };
      new MutationObserver(stop).observe(document.body, { attributes: true, childList: true, subtree: true });
    });
    await dialog.getByRole("button", { name: /NPY f32/ }).click();
    await dialog.getByText("已取消").waitFor();
    const share = await page.evaluate(() => window.stoppedAt);
    assert.ok(share > 0 && share < 1, `${share}`);
  },
);

/** The address of the state, and all pictures of the bench as they are saved, at one time. */
const saved = (page) =>
  page.evaluate(async () => {
    const { benchLink, benchSvg } = await import("./core/posenc.js");
    await (await import("./core/figures.mjs")).load();
    return { link: benchLink(), pictures: ["heatmap", "waves", "rotation"].map((view) => benchSvg(view)) };
  });

const moments = {
  "a pointer is over a picture": async (page) => {
    for (const view of b.views) await b.canvas(page, view).hover();
  },
  "a hand is dragged": async (page) => {
    const { x, y, width, height } = await b.canvas(page, "rotation").boundingBox();
    const radius = 0.2 * Math.min(width, height);
    await page.mouse.move(x + width / 2 + radius, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + radius, y + height / 2 + 0.7 * radius, { steps: 5 });
  },
  "cells are dragged": async (page) => {
    const { x, y, width, height } = await b.canvas(page, "heatmap").boundingBox();
    await page.mouse.move(x + 0.5 * width, y + 0.5 * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.6 * width, y + 0.7 * height, { steps: 5 });
  },
  "it plays": (page) =>
    page.evaluate(async () => {
      const { playBench } = await import("./core/posenc.js");
      playBench(true);
      await work.frames(20);
    }),
  "it moves": (page) =>
    page.evaluate(async () => {
      document.querySelector("[data-action=next]").click();
      document.querySelector("[name=colour][value=phase]").click();
      await work.frames(8);
    }),
  "the window has forced colours": (page) => page.emulateMedia({ forcedColors: "active" }),
};

for (const [what, act] of Object.entries(moments))
  check(`pictures are saved as of a page at rest while ${what}`, { hash: "#pos=9&pair=5" }, async (page) => {
    await act(page);
    await b.frames(page, 4);
    const now = await saved(page);
    const other = await b.open(tools.browser, tools.site.url, { hash: new URL(now.link).hash });
    await b.settle(other);
    const rest = await saved(other);
    assert.equal(rest.link, now.link);
    for (const [index, view] of b.views.entries()) {
      assert.ok(rest.pictures[index].length > 1000, view);
      assert.ok(now.pictures[index] === rest.pictures[index], `${view} of ${now.link}`);
    }
  });

check("the dialog closes when its backdrop is pressed, but not its edge", {}, async (page) => {
  await b.press(page.locator("[data-kit=save]").first());
  await page.waitForFunction(isStyled);
  const dialog = page.locator("dialog.kit");
  const { x, y, height } = await dialog.boundingBox();
  await page.mouse.click(x + 6, y + height / 2);
  assert.ok(await dialog.isVisible());
  await page.mouse.click(4, 4);
  await dialog.waitFor({ state: "detached" });
});

check(
  "what has the focus is not below the header of the dialog",
  { viewport: { width: 640, height: 360 } },
  async (page) => {
    await b.press(page.locator("[data-kit=save]").first());
    await page.locator("dialog.kit .kit-file").first().waitFor();
    await page.waitForFunction(isStyled);
    // What the dialog offers arrives in parts; only then is there something to scroll.
    await page.waitForFunction(() => {
      const dialog = document.querySelector("dialog.kit");
      const [above, below] = [".kit-file", "dialog.kit"].map(
        (name) => document.querySelector(name).getBoundingClientRect().top,
      );
      return dialog.scrollHeight - dialog.clientHeight >= dialog.scrollTop + above - below;
    });
    const [before, after] = await page.evaluate(() => {
      const dialog = document.querySelector("dialog.kit");
      const [header, button] = ["header", ".kit-file"].map((name) => dialog.querySelector(name));
      const top = (element) => element.getBoundingClientRect().top;
      const isBelow = () => top(button) < header.getBoundingClientRect().bottom;
      dialog.scrollTop += top(button) - top(dialog) - 4;
      const before = isBelow();
      button.focus();
      return [before, isBelow()];
    });
    assert.deepEqual([before, after], [true, false]);
  },
);

check("a figure of the lesson saves its picture, and says when it is not about a table", {}, async (page) => {
  await page.locator("#fig-order").evaluate((figure) => figure.scrollIntoView({ block: "center" }));
  await b.openMenu(page.locator("#fig-order"));
  await page.locator("#fig-order [data-kit=save]").click();
  const dialog = page.locator("dialog.kit");
  const svg = await file(page, dialog.getByRole("button", { name: /SVG/ }));
  assert.equal(svg.name, "posenc-order.svg");
  assert.match(svg.bytes.toString(), /<text/);
  await dialog.getByText("not about one table").waitFor();
  await b.settle(page, 50);
});

check(
  "a figure that learns saves its picture and its table as they stand when it is stopped",
  { hash: "#view=trained" },
  async (page) => {
    const figure = page.locator(".alone > pe-figure");
    const untrained = await figure.evaluate((element) => element.toSVG());
    await figure.getByRole("button", { name: "Start learning" }).click();
    await page.waitForFunction(
      () => document.querySelector(".alone > pe-figure").shadowRoot.querySelector("progress").value >= 5,
    );
    await figure.getByRole("button", { name: "Stop" }).click();
    await b.settle(page);
    const steps = await figure.locator("progress").evaluate((bar) => bar.value);
    const stands = await figure.evaluate((element) => element.toSVG());
    assert.notEqual(stands, untrained);
    assert.equal(stands, await figure.evaluate((element) => element.toSVG()), "saving moves nothing");

    await b.openMenu(figure);
    await figure.locator("[data-kit=save]").click();
    const dialog = page.locator("dialog.kit");
    const csv = await file(page, dialog.getByRole("button", { name: /CSV/ }));
    assert.equal(csv.name, "posenc-trained.csv");
    const lines = csv.bytes.toString().trim().split("\n");
    assert.ok(lines.includes(`# steps=${steps}`), lines.slice(0, 6).join(" "));
    const rows = lines.filter((line) => /^\d/.test(line)).map((line) => line.split(",").slice(1).map(Number));
    assert.deepEqual([rows.length, rows[0].length], [32, 16]);
    // The initial values have a standard deviation of 0.02; a step of Adam changes each by about 0.01.
    assert.ok(rows.flat().some((number) => Math.abs(number) > 0.08));
    const npy = await file(page, dialog.getByRole("button", { name: /NPY f32/ }));
    const numbers = new Float32Array(
      npy.bytes.buffer.slice(npy.bytes.byteOffset + 128, npy.bytes.byteOffset + npy.bytes.length),
    );
    assert.deepEqual([...numbers], rows.flat().map(Math.fround));
  },
);

/** The rows of a measurements file below its header, as numbers. */
const rowsOf = (csv) => {
  const lines = csv.trim().split("\n");
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(",").map(Number));
};

check("the lab saves what it has measured so far", { hash: "#view=lab&pe=rope&seed=17" }, async (page) => {
  const figure = page.locator(".alone > pe-figure");
  await b.openMenu(figure);
  await figure.locator("[data-kit=save]").click();
  const dialog = page.locator("dialog.kit");
  await dialog.getByRole("button", { name: /SVG/ }).waitFor();
  assert.equal(await dialog.getByText("Measurements").count(), 0, "nothing has been measured");
  await page.keyboard.press("Escape");

  for (let step = 0; step < 3; step++) await figure.getByRole("button", { name: "One step" }).click();
  await b.settle(page);
  await b.openMenu(figure);
  await figure.locator("[data-kit=save]").click();
  const button = dialog.getByRole("button", { name: /accuracies/ });
  const csv = await file(page, button);
  assert.equal(csv.name, "posenc-lab-measurements.csv");
  const rows = rowsOf(csv.bytes.toString());
  assert.deepEqual(
    rows.map(([step]) => step),
    [1, 2, 3],
  );
  // Before training, the loss is close to that of guessing among the 20 tokens of the vocabulary.
  assert.ok(rows[0][1] > Math.log(16) && rows[0][2] < 0.2, rows[0].join());
});

check("the lab compares lengths and periods in files of its own", { hash: "#view=lab-length" }, async (page) => {
  const wait = (view) =>
    page.waitForFunction((view) => {
      const figure = document.querySelector(".alone > pe-figure");
      try {
        return figure.state.view === view && figure.measurements();
      } catch {
        return false;
      }
    }, view);
  const figure = page.locator(".alone > pe-figure");
  await figure.getByRole("button", { name: "Start learning" }).click();
  const lengths = rowsOf(await (await wait("lab-length")).jsonValue());
  assert.deepEqual(
    lengths.map(([length]) => length),
    [32, 48, 64, 96, 128],
  );
  assert.ok(lengths[0][1] > 0.99 && lengths[4][1] < 0.6, "the sinusoidal encoding is not sure beyond what it has seen");
  await page.evaluate(() => (location.hash = "#view=lab-induction&repeats=random"));
  await page.waitForFunction(() => document.querySelector(".alone > pe-figure").state.view === "lab-induction");
  await figure.getByRole("button", { name: "Start learning" }).click();
  const periods = rowsOf(await (await wait("lab-induction")).jsonValue());
  assert.deepEqual([periods.length, periods[0][0], periods.at(-1)[0]], [15, 2, 16]);
});

test("sizes are written in units that fit", () => {
  assert.deepEqual(
    [0, 999, 12_345, 8_192_000, 512e6, 4.5e9].map((bytes) => formatSize(bytes, "en")),
    ["0 B", "999 B", "12 kB", "8.2 MB", "512 MB", "4.5 GB"],
  );
});
