// posenc.html, the page as one file, at any address, in Chromium and Firefox: it works and makes no requests.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { browsers, skip, start } from "./puppeteer.mjs";
import { dist } from "./serve.mjs";
import { TEST_TIMEOUT_MS, CONDITION_TIMEOUT_MS, until as waitUntil } from "./wait.mjs";

const file = join(dist, "posenc.html");
let folder, copy, server, site, html;
// All requests that reach the server, whatever their source.
let asked = [];

before(async () => {
  html = await readFile(file, "utf8");
  folder = await mkdtemp(join(tmpdir(), "posenc-"));
  copy = join(folder, "a folder #1 100% 讲义", "posenc 位置编码.html");
  await mkdir(join(copy, ".."));
  await copyFile(file, copy);
  server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      request.url === "/posenc.html"
        ? html
        : `<!doctype html><title>Notes</title><link rel="icon" href="data:,"><body style="margin: 0">`,
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${server.address().port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

test("it is at most 1.25 MB, 791 KB gzipped", async (t) => {
  const [raw, gzipped] = [(await stat(file)).size, gzipSync(await readFile(file)).length];
  t.diagnostic(`${raw} bytes, ${gzipped} gzipped`);
  assert.ok(raw <= 1_250_000 && gzipped <= 791_000, `${raw} bytes, ${gzipped} gzipped`);
});

/** Opens an empty page of another origin and inserts an iframe that `make` has filled. */
async function inFrame(page, make, text) {
  await page.goto(`${site}/host`);
  const element = await page.evaluateHandle(
    (text, make) => {
      const frame = document.createElement("iframe");
      frame.style.cssText = "width: 1280px; height: 715px; border: 0";
      new Function("frame", "html", make)(frame, text);
      document.body.append(frame);
      return frame;
    },
    text,
    make,
  );
  return element.contentFrame();
}

const hash = "#k=7&pos=21";
const places = {
  "a file": {
    hash,
    wanted: [],
    open: async (page) => (await page.goto(`${pathToFileURL(copy)}${hash}`), page.mainFrame()),
  },
  "a file shown by a site": {
    hash,
    wanted: ["/posenc.html"],
    open: async (page) => (await page.goto(`${site}/posenc.html${hash}`), page.mainFrame()),
  },
  srcdoc: { open: (page) => inFrame(page, "frame.srcdoc = html", html) },
  "a blob": {
    hash,
    open: (page) =>
      inFrame(page, `frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" })) + "${hash}"`, html),
  },
  "a data: address": {
    hash,
    open: (page) =>
      inFrame(page, `frame.src = "data:text/html;charset=utf-8," + encodeURIComponent(html) + "${hash}"`, html),
  },
  "a sandbox": {
    hash,
    wanted: ["/host", "/posenc.html"],
    open: (page) => inFrame(page, `frame.sandbox = "allow-scripts"; frame.src = "/posenc.html${hash}"`),
  },
  "srcdoc in a sandbox": {
    open: (page) => inFrame(page, `frame.sandbox = "allow-scripts"; frame.srcdoc = html`, html),
  },
};

/** Runs in the page: the number of formulas that lack a part. */
const incomplete = () =>
  [...document.querySelectorAll("msup, msub, munder, mover, mfrac, msubsup")].filter(
    (element) => element.childElementCount !== (element.localName === "msubsup" ? 3 : 2),
  ).length;

/** The number of colours on the canvas that `find` returns, and a checksum. */
const look = (frame, find) =>
  frame.evaluate((find) => {
    const canvas = new Function(`return ${find}`)();
    if (!canvas?.width || !canvas.height) return { colours: 0 };
    const reader = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    reader.drawImage(canvas, 0, 0);
    const { data } = reader.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    let sum = 0;
    new Uint32Array(data.buffer).forEach(
      (pixel, i) => ((sum = (Math.imul(sum, 31) + pixel + i) | 0), colours.size < 50 && colours.add(pixel)),
    );
    return { colours: colours.size, sum };
  }, find);

const heatmap = `document.querySelector("#posenc canvas[data-view=heatmap]")`;
const waves = `document.querySelector("#posenc canvas[data-view=waves]")`;
const figure = `document.querySelector("#fig-codes").shadowRoot?.querySelector("canvas")`;
const value = (frame, name) => frame.$eval(`#posenc input[type=number][name=${name}]`, (input) => Number(input.value));
const until = (frame, condition, ...values) =>
  frame.waitForFunction(condition, { timeout: CONDITION_TIMEOUT_MS, polling: 50 }, ...values);

async function works(page, place) {
  const frame = await place.open(page);
  await until(frame, () => document.documentElement.dataset.parts === "started" && document.readyState === "complete");
  if (place.hash) assert.deepEqual([await value(frame, "k"), await value(frame, "pos")], [7, 21]);
  for (const canvas of [heatmap, waves]) assert.ok((await look(frame, canvas)).colours > 10, canvas);

  // A drag of the slider changes value, picture and address.
  const slider = await (await frame.$("#posenc input[type=range][name=d_model]")).boundingBox();
  const [before, drawn] = [await value(frame, "d_model"), await look(frame, waves)];
  const y = slider.y + slider.height / 2;
  await page.mouse.move(slider.x + slider.width / 2, y);
  await page.mouse.down();
  for (let step = 1; step <= 5; step++) await page.mouse.move(slider.x + slider.width * (0.5 + 0.07 * step), y);
  await page.mouse.up();
  await until(
    frame,
    (before) => Number(document.querySelector("#posenc input[type=number][name=d_model]").value) > before,
    before,
  );
  await until(frame, () => /(^#|&)d_model=\d+/.test(location.hash));
  assert.notDeepEqual(await look(frame, waves), drawn);

  // Text and figures of the lesson, and the links to them.
  await frame.evaluate(() => document.querySelector(".contents a[href='#numbering']").click());
  await waitUntil(async () => (await look(frame, figure)).colours > 5, "a figure of the lesson");
  assert.ok(
    await frame.evaluate(() => document.querySelector("#numbering").getBoundingClientRect().top < 200),
    "the chapter is in view",
  );

  // The parts loaded by buttons are in the file, too.
  const kit = await frame.$$eval("#posenc button[data-kit]", (buttons) => buttons.map((button) => button.dataset.kit));
  assert.ok(kit.includes("share"));
  const numbers = await frame.$("#posenc [data-kit=numbers]");
  await frame.click("#posenc-tab-cell");
  await numbers.click();
  await until(frame, () => document.querySelector("#posenc details.numbers td"));
  await numbers.click();
  await until(frame, () => !document.querySelector("#posenc details.numbers td"));
  for (const name of kit) {
    const marks = () => document.querySelectorAll("dialog[open], [data-presenting]").length;
    const button = await frame.$(`#posenc [data-kit=${name}]`);
    await button.evaluate((button) => button.closest("details.menu")?.setAttribute("open", ""));
    await button.click();
    await until(frame, `(${marks})() > 0`);
    await waitUntil(async () => {
      await page.keyboard.press("Escape");
      return frame.evaluate(`(${marks})() === 0`);
    }, `the end of ${name}`);
  }

  // Both languages.
  await frame.select("#posenc select[name=lang]", "zh");
  await until(frame, () => document.documentElement.lang === "zh");
  assert.equal(await frame.$eval("#posenc h1", (title) => title.innerText.trim()), "位置编码探索台");
  assert.match(await frame.$eval("#numbering h2", (title) => title.innerText), /[一-鿿]/);
  await until(frame, () =>
    /[一-鿿]{5}/.test(document.querySelector("#numbering .with-figure > div[lang=zh] > p")?.innerText),
  );
  return frame;
}

for (const [name, { executablePath }] of Object.entries(browsers)) {
  describe(`in ${name}`, { skip: skip(name) }, () => {
    let browser;
    before(async () => {
      assert.ok(executablePath, `${name} is missing`);
      browser = await start(name);
    });
    after(() => browser?.close());

    for (const [where, place] of Object.entries(places)) {
      test(`it works from ${where} and asks for nothing`, { timeout: TEST_TIMEOUT_MS }, async () => {
        const page = await browser.newPage();
        const problems = [];
        const requests = [];
        asked = [];
        page.on("console", (m) => ["error", "warn"].includes(m.type()) && problems.push(`${m.type()}: ${m.text()}`));
        page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
        page.on("request", (request) => requests.push(request.url().slice(0, 200)));
        await page.evaluateOnNewDocument(() => {
          window.refused = [];
          window.addEventListener("securitypolicyviolation", (event) =>
            window.refused.push(`${event.violatedDirective} ${event.blockedURI}`),
          );
        });
        try {
          const frame = await works(page, place);
          assert.deepEqual(await frame.evaluate(() => window.refused), []);
          // Firefox lays out a partially loaded formula and reports that the rest is missing. By the end it must be
          // complete.
          const partly = /Invalid markup: Incorrect number of children/;
          assert.deepEqual(
            problems.filter((words) => !partly.test(words)),
            [],
          );
          assert.equal(await frame.evaluate(incomplete), 0);
          const foreign = requests.filter((url) => /^(https?|wss?):/.test(url) && !url.startsWith(site));
          assert.deepEqual(foreign, []);
          assert.deepEqual(
            asked.filter((url) => url !== "/favicon.ico"),
            place.wanted ?? ["/host"],
          );

          // Requests are blocked by the page's policy.
          const answer = await frame.evaluate(
            (url) =>
              fetch(url).then(
                () => "an answer",
                () => "refused",
              ),
            `${site}/asked`,
          );
          assert.equal(answer, "refused");
          assert.ok((await frame.evaluate(() => window.refused)).length, "it is the page's own policy that refuses");
          assert.ok(!asked.includes("/asked"));
        } finally {
          await page.close();
        }
      });
    }
  });
}
