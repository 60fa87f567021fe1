// QR codes as a phone reads them, in pictures of the screen and of the printed page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import jsqr from "jsqr";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { decode } from "./png.mjs";
import { dist } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

/** Decodes a QR code in a screenshot; also returns the colour near its corner, two pixels inside. */
function read(png) {
  const { width, height, size, rows } = decode(png);
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  rows.forEach((row, y) => {
    for (let x = 0; x < width; x++)
      for (let part = 0; part < 3; part++) pixels[4 * (y * width + x) + part] = row[x * size + part];
  });
  const found = jsqr(pixels, width, height, { inversionAttempts: "dontInvert" });
  return { text: found?.data, corner: [...pixels.subarray(8 * (width + 1), 8 * (width + 1) + 3)] };
}

const shot = async (locator) => read(await locator.screenshot({ animations: "disabled" }));

async function share(page) {
  await b.press(page.locator("#posenc .masthead [data-kit=share]"));
  const code = page.locator("dialog.share .qr");
  await code.waitFor();
  return code;
}

/**
 * Closing the page aborts what the preview still loads, which is not a problem. The single file does not exist in this test.
 */
const expected = /net::ERR_ABORTED$/;

let arrive;
const arrives = new Promise((resolve) => (arrive = resolve));

check(
  "a code cannot be taken away before it is there",
  {
    prepare: (page) =>
      page.route("**/core/figures.wasm", async (route) => {
        await arrives;
        await route.continue();
      }),
  },
  async (page) => {
    await b.press(page.locator("#posenc .masthead [data-kit=share]"));
    const [copy, save] = ["copy", "save"].map((name) => page.locator(`[data-code=${name}]`));
    await save.waitFor();
    assert.deepEqual([await copy.isEnabled(), await save.isEnabled()], [false, false]);
    arrive();
    await page.locator("dialog.share .qr").waitFor();
    assert.deepEqual([await copy.isEnabled(), await save.isEnabled()], [true, true]);
  },
);

for (const [theme, hash] of [
  ["light", "#lang=en&k=7"],
  ["dark", "#lang=en&theme=dark&k=7&pos=13&pair=5&d_model=512&max_len=1000&base=500000&compare=3,9,11"],
  ["projector", `#lang=zh&theme=projector&k=-12&steps=${encodeURIComponent("k=1".repeat(4))}`],
]) {
  check(`the code in Share says the link (${theme})`, { hash, expected }, async (page) => {
    const code = await share(page);
    const link = () => page.locator("[data-result=link]").inputValue();
    const { text, corner } = await shot(code);
    assert.equal(text, await link());
    assert.deepEqual(corner, [255, 255, 255], "its quiet zone is white in every theme");
    assert.ok((await code.getAttribute("aria-label")).includes(await link()));
    assert.equal(await code.getAttribute("role"), "img");
    // The code follows the options of the link.
    await page.locator("#share-lang").selectOption("zh");
    await page.locator("#share-theme").selectOption("dark");
    assert.match(await link(), /theme=dark/);
    await page.waitForFunction(() =>
      document.querySelector("dialog.share .qr").ariaLabel.includes(document.querySelector("#share-link").value),
    );
    assert.equal((await shot(code)).text, await link());
  });
}

check(
  "the code is copied and saved as a picture that says the same",
  { hash: "#lang=en&k=7", expected },
  async (page) => {
    await share(page);
    const link = await page.locator("[data-result=link]").inputValue();
    await page.locator("[data-code=copy]").click();
    await page.locator(".share-code-words [role=status]:has-text('Copied')").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-code=save]").click()]);
    assert.equal(download.suggestedFilename(), "posenc-qr.svg");
    assert.equal(await readFile(await download.path(), "utf8"), copied);
    const alone = await tools.browser.newContext({ viewport: { width: 400, height: 400 } });
    const picture = await alone.newPage();
    await picture.goto(`data:image/svg+xml,${encodeURIComponent(copied)}`);
    assert.equal(read(await picture.screenshot()).text, link);
  },
);

check(
  "a link that is too long for a code is told of",
  { hash: `?course=${"x".repeat(1300)}#lang=en&k=7`, expected },
  async (page) => {
    await b.press(page.locator("#posenc .masthead [data-kit=share]"));
    await page.waitForFunction(() => document.querySelector(".share-code-words .note")?.textContent);
    assert.ok((await page.locator("[data-result=link]").inputValue()).length > 1300);
    assert.match(await page.locator(".share-code-words .note").first().innerText(), /too long for a QR code/);
    assert.equal(await page.locator("dialog.share .qr, [data-code]:visible").count(), 0);
  },
);

/** Prepares the page for printing, without a print dialog. */
async function onPaper(page) {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height: 1000 });
  await page.waitForFunction(() => [...document.querySelectorAll("pe-figure")].every((figure) => figure.shadowRoot));
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
}

for (const hash of ["#lang=en&k=9&pos=20", "#view=rotation&k=5&lang=zh&theme=dark", "#view=order&pe=on&lang=en"]) {
  check(`what is printed says where it was printed from: ${hash}`, { hash }, async (page) => {
    await onPaper(page);
    const source = page.locator(".source");
    const address = await page.evaluate(() => location.href);
    assert.equal(await source.innerText(), address);
    const code = source.locator(".qr");
    const { text, corner } = await shot(code);
    assert.equal(text, address);
    assert.deepEqual(corner, [255, 255, 255]);
    // Half a millimetre per module, at 96 pixels per inch.
    const { width } = await code.boundingBox();
    const side = Number((await code.getAttribute("viewBox")).split(" ")[2]);
    assert.ok(width / side >= (0.5 * 96) / 25.4 - 0.01, `${width} for ${side} modules`);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator(".source").count(), 0);
  });
}

check("a chapter that is printed alone has its own address", { hash: "#lang=en&k=9" }, async (page) => {
  await page.evaluate(() => {
    window.print = () => dispatchEvent(new Event("beforeprint"));
  });
  await page.locator("#rope > h2 button.print").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => "printed" in document.documentElement.dataset);
  await page.emulateMedia({ media: "print" });
  const { text } = await shot(page.locator(".source .qr"));
  assert.equal(text, `${tools.site.url}#rope`);
});

test("Share of a copy that is a file gives the links of the public site, if it knows one", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const page = await b.open(tools.browser, `${pathToFileURL(`${dist}/posenc.html`)}`, { hash: "#lang=en&k=7" });
  await page.evaluate(() => {
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "canonical", href: "https://a.example/" }),
    );
  });
  const code = await share(page);
  const link = await page.locator("[data-result=link]").inputValue();
  assert.match(link, /^https:\/\/a\.example\/#.*k=7/);
  assert.equal((await shot(code)).text, link);
  assert.match(await page.locator("[data-result=iframe]").inputValue(), /^<iframe src="https:\/\/a\.example\/#/);
  await page.context().close();
});

test("a copy that is a file has no code, on the screen or on paper", { timeout: TEST_TIMEOUT_MS }, async () => {
  const page = await b.open(tools.browser, `${pathToFileURL(`${dist}/posenc.html`)}`, { hash: "#lang=en" });
  await b.press(page.locator("#posenc .masthead [data-kit=share]"));
  await page.waitForFunction(() => document.querySelector(".share-code-words .note")?.textContent);
  assert.match(await page.locator(".share-code-words .note").first().innerText(), /a file, which no phone can open/);
  assert.equal(await page.locator("dialog.share .qr, [data-code]:visible").count(), 0);
  await page.keyboard.press("Escape");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator(".source").count(), 0);
});
