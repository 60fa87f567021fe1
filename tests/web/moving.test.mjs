// Animations: files from the save dialog are decoded by the browser's own decoder and compared with the pictures of figures.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Apng } from "../../static/kit/apng.mjs";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";
import { readFile } from "node:fs/promises";

/** Presses a button of the dialog and reads the file. */
async function file(page, name) {
  const button = page.locator("dialog.kit").getByRole("button", { name });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

async function openSave(page) {
  const opener = page.locator("[data-kit=save]").first();
  await b.uncover(opener);
  await b.press(opener);
  await page.locator("dialog.kit").getByRole("button", { name: "GIF" }).waitFor();
}

const box = (page, name) => page.locator("dialog.kit").getByRole("spinbutton", { name, exact: true });

/**
 * Decodes an animation in the page, frame by frame, and compares each frame with every picture of `pictures`, the PNG files
 * for the values. Returns the number of frames, their size and duration (in microseconds), the nearest picture, and the
 * distance of each frame from its own picture.
 */
const decode = (page, bytes, type, pictures) =>
  page.evaluate(
    async ([bytes, type, pictures]) => {
      const pixels = (image, width, height) => {
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, width, height).data;
      };
      const decoder = new ImageDecoder({ data: Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)), type });
      await decoder.tracks.ready;
      const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
      const expected = [];
      for (const picture of pictures) {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (c) => c.charCodeAt(0))]));
        expected.push(pixels(image, image.width, image.height));
      }
      const frames = [];
      for (let i = 0; i < frameCount; i++) {
        const { image } = await decoder.decode({ frameIndex: i });
        const { displayWidth: width, displayHeight: height, duration } = image;
        const shown = pixels(image, width, height);
        const apart = expected.map((other) => {
          let sum = 0;
          let most = 0;
          for (let p = 0; p < shown.length; p++) {
            const difference = Math.abs(shown[p] - other[p]);
            sum += difference;
            if (difference > most) most = difference;
          }
          return { mean: sum / shown.length, most };
        });
        const nearest = apart.reduce((best, { mean }, j) => (mean < apart[best].mean ? j : best), 0);
        frames.push({ width, height, duration, nearest, ...apart[i] });
      }
      return { frameCount, repeats: repetitionCount === Infinity, frames };
    },
    [bytes.toString("base64"), type, pictures],
  );

/** The pictures of a figure, 720 pixels wide, with these values of a field, made without the dialog. */
const pictures = (page, view, settings, name, values) =>
  page.evaluate(
    async ([view, settings, name, values]) => {
      const figure = document.createElement("pe-figure");
      for (const [key, value] of Object.entries({ view, controls: "none", ...settings }))
        figure.setAttribute(key, value);
      figure.style.cssText = "position: fixed; left: 0; top: 0; width: 720px; padding: 0; border: 0; --pe-padding: 0";
      const ready = new Promise((resolve) => figure.addEventListener("pe-ready", resolve));
      document.body.append(figure);
      await ready;
      const made = [];
      for (const value of values) {
        figure.setState({ [name]: value });
        await work.until(() => figure.drawn, "the picture");
        const bytes = new Uint8Array(await (await figure.toBlob()).arrayBuffer());
        made.push(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")));
      }
      figure.remove();
      return made;
    },
    [view, settings, name, values],
  );

check(
  "the rotation turns as GIF and APNG, each frame the picture of its k, and the bench stays as it is",
  { hash: "#view=rotation&d_model=32&pair=2&k=5" },
  async (page) => {
    await openSave(page);
    await box(page, "from").fill("-1");
    await box(page, "to").fill("4");
    await box(page, "seconds a frame").fill("0.25");
    await page.getByText("6 frames, 1.5 seconds").waitFor();
    const values = [-1, 0, 1, 2, 3, 4];
    const expected = await pictures(page, "rotation", { "d-model": 32, pair: 2 }, "k", values);

    const png = await file(page, /APNG/);
    assert.equal(png.name, "posenc-rotation-k.png");
    const apng = await decode(page, png.bytes, "image/png", expected);
    assert.equal(apng.frameCount, 6);
    assert.ok(apng.repeats);
    for (const [i, frame] of apng.frames.entries()) {
      assert.equal(frame.most, 0, `frame ${i} is the picture of k = ${values[i]}, to the pixel`);
      assert.deepEqual([frame.width, frame.duration], [720, 250_000]);
    }

    const gif = await file(page, /GIF/);
    assert.equal(gif.name, "posenc-rotation-k.gif");
    const moving = await decode(page, gif.bytes, "image/gif", expected);
    assert.equal(moving.frameCount, 6);
    assert.ok(moving.repeats);
    for (const [i, frame] of moving.frames.entries()) {
      assert.equal(frame.nearest, i, `frame ${i}`);
      assert.ok(frame.mean < 0.5 && frame.most <= 96, `frame ${i}: ${frame.mean}, ${frame.most}`);
      assert.deepEqual([frame.width, frame.duration], [720, 250_000]);
    }
    assert.equal(await page.locator("dialog.kit pe-figure").count(), 0, "what was filmed is gone");
    assert.match(page.url(), /k=5/);
  },
);

check("a film shows how far it is and can be cancelled; what cannot be made is not offered", {}, async (page) => {
  await openSave(page);
  const dialog = page.locator("dialog.kit");
  await box(page, "to").fill("500");
  assert.ok(await dialog.getByRole("button", { name: "GIF" }).isDisabled());
  // More values than a list can hold.
  await dialog.getByRole("combobox", { name: "What changes" }).selectOption("base");
  await box(page, "by").fill("0.1");
  await box(page, "to").fill("10");
  assert.ok(await dialog.getByRole("button", { name: "GIF" }).isEnabled());
  await box(page, "to").fill("1000000000");
  assert.ok(await dialog.getByRole("button", { name: "GIF" }).isDisabled());
  await dialog.getByRole("combobox", { name: "What changes" }).selectOption("k");
  await box(page, "by").fill("1");
  await box(page, "to").fill("150");
  // Cancels in the page, after the first progress.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const bar = document.querySelector("dialog.kit progress");
      if (!(bar?.value > 0)) return;
      observer.disconnect();
      window.stoppedAt = bar.value / bar.max;
      [...document.querySelectorAll("dialog.kit button")].find((it) => it.textContent === "Cancel").click();
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  await dialog.getByRole("button", { name: "GIF" }).click();
  await dialog.getByText("Cancelled").waitFor();
  const share = await page.evaluate(() => window.stoppedAt);
  assert.ok(share > 0 && share < 0.5, `${share}`);
  assert.equal(await page.locator("dialog.kit pe-figure").count(), 0);
});

check("on a phone, too, wherever the dialog is scrolled to", { viewport: b.phone }, async (page) => {
  await openSave(page);
  await box(page, "to").fill("3");
  const gif = page.locator("dialog.kit").getByRole("button", { name: "GIF" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    gif.click(),
    page.evaluate(() => document.querySelector("dialog.kit").scrollTo(0, 0)),
  ]);
  assert.equal(download.suggestedFilename(), "posenc-heatmap-k.gif");
});

check("a figure of the lesson moves, too, with the fields that it has", { hash: "#view=helix" }, async (page) => {
  const figure = page.locator(".alone > pe-figure");
  await b.openMenu(figure);
  await figure.locator("[data-kit=save]").click();
  const dialog = page.locator("dialog.kit");
  await dialog.getByRole("combobox", { name: "What changes" }).selectOption("pos");
  await box(page, "to").fill("6");
  await box(page, "by").fill("3");
  const expected = await pictures(page, "helix", {}, "pos", [0, 3, 6]);
  const { bytes } = await file(page, /APNG/);
  const { frameCount, frames } = await decode(page, bytes, "image/png", expected);
  assert.equal(frameCount, 3);
  for (const frame of frames) assert.equal(frame.most, 0);
});

check(
  "what a frame has limited is back in the next one",
  { hash: "#view=rotation&d_model=64&pair=20&k=5" },
  async (page) => {
    await openSave(page);
    await page.locator("dialog.kit").getByRole("combobox", { name: "What changes" }).selectOption("d_model");
    await box(page, "from").fill("4");
    await box(page, "to").fill("64");
    await box(page, "by").fill("60");
    const expected = [];
    for (const value of [4, 64])
      expected.push(...(await pictures(page, "rotation", { "d-model": 64, pair: 20, k: 5 }, "d_model", [value])));
    const { bytes } = await file(page, /APNG/);
    const { frames } = await decode(page, bytes, "image/png", expected);
    for (const frame of frames) assert.equal(frame.most, 0);
  },
);

check("every frame is as high as the highest", { hash: "#view=matrix-clocks" }, async (page) => {
  const figure = page.locator(".alone > pe-figure");
  await b.openMenu(figure);
  await figure.locator("[data-kit=save]").click();
  await page.locator("dialog.kit").getByRole("combobox", { name: "What changes" }).selectOption("d_model");
  await box(page, "from").fill("2");
  await box(page, "to").fill("16");
  await box(page, "by").fill("14");
  const expected = [];
  for (const value of [2, 16]) expected.push(...(await pictures(page, "matrix-clocks", {}, "d_model", [value])));
  const [low, high] = expected.map((png) => Buffer.from(png, "base64").readUInt32BE(20));
  assert.ok(low < high, `${low} and ${high} px high`);
  const { bytes } = await file(page, /APNG/);
  const { frames } = await decode(page, bytes, "image/png", expected);
  assert.deepEqual(
    frames.map(({ height }) => height),
    [high, high],
  );
  assert.equal(frames[1].most, 0);
});

check(
  "a setting of the bench that the film lacks is named, and not offered to change",
  { hash: "#d_model=32&compare=3,9" },
  async (page) => {
    await openSave(page);
    const dialog = page.locator("dialog.kit");
    for (const view of ["waves", "heatmap"]) {
      await dialog.getByRole("combobox", { name: "Which" }).selectOption(view);
      await dialog.getByText("Set on the bench, but not in the moving picture: compare.").waitFor();
      const options = await dialog
        .getByRole("combobox", { name: "What changes" })
        .evaluate((list) => [...list.options].map(({ value }) => value));
      const has = await page.evaluate(async (view) => {
        const figure = document.createElement("pe-figure");
        figure.setAttribute("view", view);
        const ready = new Promise((resolve) => figure.addEventListener("pe-ready", resolve));
        document.body.prepend(figure);
        await ready;
        figure.remove();
        return Object.keys(figure.state);
      }, view);
      assert.ok(options.length > 3);
      assert.deepEqual(
        options.filter((name) => !has.includes(name)),
        [],
      );
    }
  },
);

test("frames of two kinds are not put together", async () => {
  const png = (head) => new Blob([Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 73, 72, 68, 82, head, 0, 0, 0, 0)]);
  const apng = new Apng(2, 100);
  await apng.add(png(1));
  await assert.rejects(apng.add(png(2)), /size/);
});
