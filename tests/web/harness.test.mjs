// Tests of the harness itself: whatever a test starts ends with it, and a wait ends when its condition is true.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { frames, open, settle } from "./browser.mjs";
import { tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

/** Runs a test file with these lines and returns its report. */
function run(lines, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), "posenc-"));
  try {
    const file = join(folder, "lines.test.mjs");
    const here = (name) => JSON.stringify(new URL(name, import.meta.url).href);
    writeFileSync(
      file,
      `import assert from "node:assert/strict";
import { test } from "node:test";
import { flush, open, openPages, settle } from ${here("browser.mjs")};
import { check, tools } from ${here("check.mjs")};
${lines}`,
    );
    // The nested test run must not detect that it runs inside another.
    const { NODE_TEST_CONTEXT, ...environment } = process.env;
    const { stdout, status } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], {
      encoding: "utf8",
      env: { ...environment, ...more },
    });
    return { stdout, status };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("an answer that is on its way to a page when it closes is nobody's", { timeout: TEST_TIMEOUT_MS }, () => {
  const { stdout, status } = run(`
    test("leaves", async () => {
      const context = await tools.browser.newContext();
      const page = await context.newPage();
      let fetched, answer;
      const isFetched = new Promise((resolve) => (fetched = resolve));
      const isOver = new Promise((resolve) => (answer = resolve));
      await page.route("**", async (route) => {
        const response = await route.fetch();
        fetched();
        await isOver;
        await route.fulfill({ response });
      });
      page.goto(tools.site.url).catch(() => {});
      await isFetched;
      // The moment in closing when what was fetched is gone and the page is not.
      const { request } = context;
      const { dispose } = request;
      request.dispose = async (...options) => {
        await dispose.apply(request, options);
        answer();
        await page.title();
      };
      await context.close();
    });`);
  assert.equal(status, 0, stdout);
});

test("a test that fails leaves no page behind", { timeout: TEST_TIMEOUT_MS }, () => {
  const { stdout } = run(`
    test("fails", async () => {
      await open(tools.browser, tools.site.url);
      throw new Error("on purpose");
    });
    check("has a page of its own", {}, () => assert.equal(openPages(tools.browser).length, 1));`);
  assert.match(stdout, /^not ok \d+ - fails$/m);
  assert.match(stdout, /^ok \d+ - has a page of its own$/m);
});

test("a page finds nothing of the page before it", { timeout: TEST_TIMEOUT_MS }, () => {
  const { stdout, status } = run(`
    let before;
    test("leaves much", async () => {
      const page = await open(tools.browser, tools.site.url);
      before = page.context();
      await before.addCookies([{ name: "left", value: "1", url: tools.site.url }]);
      await before.route("**/icon.svg", (route) => route.abort());
      await before.setOffline(true);
      await page.evaluate(() => localStorage.setItem("left", "1"));
    });
    check("finds nothing", {}, async (page) => {
      assert.equal(page.context(), before);
      assert.deepEqual(await before.cookies(), []);
      assert.equal(await page.evaluate(() => localStorage.length), 0);
      assert.equal(await page.evaluate(() => fetch("icon.svg").then(({ status }) => status)), 200);
    });`);
  assert.equal(status, 0, stdout);
});

test("settle waits for frames and timers that follow from one another, and for no others", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const page = await open(tools.browser, tools.site.url);
  await settle(page);
  await page.evaluate(() => {
    const hold = (ms) => {
      for (const end = performance.now() + ms; performance.now() < end; );
    };
    window.seen = [];
    setTimeout(() => window.seen.push("late"), 600_000);
    clearTimeout(setTimeout(() => window.seen.push("cleared"), 10));
    // On a busy computer, frames are late.
    requestAnimationFrame(() => {
      hold(400);
      setTimeout(() => {
        requestAnimationFrame(() => {
          hold(400);
          window.seen.push("drawn");
        });
      }, 200);
    });
  });
  await settle(page);
  assert.deepEqual(await page.evaluate(() => window.seen), ["drawn"]);
});

test("frames lets that many pass", { timeout: TEST_TIMEOUT_MS }, async () => {
  const page = await open(tools.browser, tools.site.url);
  await page.evaluate(() => {
    window.count = 0;
    const next = () => ++window.count && requestAnimationFrame(next);
    next();
  });
  const before = await page.evaluate(() => window.count);
  const begun = Date.now();
  await frames(page, 10);
  const passed = (await page.evaluate(() => window.count)) - before;
  // A frame that takes long is not waited for.
  assert.ok(passed >= 10 || Date.now() - begun >= (10 - passed) * 250, `${passed} frames`);
});

test("a page that does not settle says why", { timeout: TEST_TIMEOUT_MS }, () => {
  const { stdout } = run(
    `
    test("draws", async () => {
      const page = await open(tools.browser, tools.site.url);
      await page.evaluate(() => {
        const next = () => requestAnimationFrame(next);
        next();
        setTimeout(() => {}, 600_000);
      });
      await settle(page, 600_000);
    });`,
    { CONDITION_TIMEOUT_MS: "10000" },
  );
  assert.match(
    stdout,
    /waited in vain for the page to settle: pending are 1 frames, (a timer of \d+ ms, )*a timer of 600000 ms/,
  );
});

test("a problem that comes at the end is seen", { timeout: TEST_TIMEOUT_MS }, () => {
  const { stdout } = run(`
    check("asks in vain", {}, async (page) => {
      await page.route("**/nowhere", async (route) => {
        await page.evaluate(() => work.frames(20));
        await route.fulfill({ status: 404 });
      });
      await page.evaluate(() => void fetch("nowhere"));
    });`);
  assert.match(stdout, /^not ok \d+ - asks in vain$/m);
  assert.match(stdout, /404: .*nowhere/);
});

test("a document that a frame leaves before its end is not waited for", { timeout: TEST_TIMEOUT_MS }, () => {
  const { stdout, status } = run(
    `
    import { createServer } from "node:http";

    // A page, and a document that never ends.
    const server = createServer(({ url }, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      if (url === "/endless") response.write("<!doctype html><p>");
      else response.end("<!doctype html><title>page</title><iframe></iframe>");
    });
    await new Promise((resolve) => server.listen(0, resolve));
    const url = "http://localhost:" + server.address().port + "/";

    async function loading(name) {
      const page = await (await tools.browser.newContext()).newPage();
      await page.goto(url + "page");
      const isThere = page.waitForEvent("framenavigated");
      await page.evaluate((name) => void (document.querySelector("iframe").src = name), name);
      await isThere;
      return page;
    }
    const leave = {
      removed: (frame) => frame.removeAttribute("src"),
      replaced: (frame) => (frame.src = "page"),
      again: (frame) => (frame.src = frame.src),
    };
    for (const [name, act] of Object.entries(leave))
      test(name, async () => {
        const page = await loading("endless");
        const isLeft = page.waitForEvent("framenavigated");
        await page.evaluate("(" + act + ")(document.querySelector('iframe'))");
        await isLeft;
        if (name === "again") await assert.rejects(flush(page), /waited in vain for answers to [^,]*endless$/);
        else await flush(page);
      });
    test("end", () => server.closeAllConnections() ?? server.close());`,
    { CONDITION_TIMEOUT_MS: "5000" },
  );
  assert.equal(status, 0, stdout);
});

test("no test waits for a time or for frames by itself, loads a page again without waiting for it, or reads problems at once", () => {
  const here = new URL(".", import.meta.url);
  const marks = [
    /\bwaitForTimeout\(/,
    /\bsetDefaultTimeout\(\d/,
    /\btimeout: *\d/,
    /\broute\.fetch\(/,
    /new Promise\((?:\(\w+\) => )?requestAnimationFrame/,
    /\.reload\(\)/,
    /\bdeepEqual\(\s*page\.problems,/,
    /\bprocess\.env\.CI \?/,
  ];
  const names = readdirSync(here).filter((name) => name.endsWith(".test.mjs") && name !== "harness.test.mjs");
  assert.ok(names.length > 20);
  const found = names.flatMap((name) => {
    const text = readFileSync(new URL(name, here), "utf8");
    return marks.filter((mark) => mark.test(text)).map((mark) => `${name} has ${mark.source}`);
  });
  assert.deepEqual(found, []);
});
