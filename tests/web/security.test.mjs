// The promises of SECURITY.md, checked on the built site: its policy is strict and blocks no feature, no string becomes a
// script, and there are no requests to other origins.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { hosting } from "./host.mjs";
import { dist, serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const html = readFileSync(join(dist, "index.html"), "utf8");
const policies = [...html.matchAll(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g)].map(
  ([, policy]) => policy,
);
const directives = new Map(
  policies[0]?.split("; ").map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1)]),
);

test("the page has one policy, and it is strict", () => {
  assert.equal(policies.length, 1);
  assert.ok(html.indexOf(policies[0]) < html.search(/<(script|link|style)\b/), "it comes before all that it governs");
  assert.deepEqual(directives.get("default-src"), ["'none'"]);
  for (const name of ["base-uri", "form-action", "trusted-types"])
    assert.deepEqual(directives.get(name), ["'none'"], name);
  assert.deepEqual(directives.get("require-trusted-types-for"), ["'script'"]);
  for (const [name, sources] of directives) {
    for (const source of sources) {
      const known =
        ["'none'", "'self'", "'script'", "'wasm-unsafe-eval'"].includes(source) ||
        /^'sha256-[\w+/=]{44}'$/.test(source);
      assert.ok(known || (name === "img-src" && ["data:", "blob:"].includes(source)), `${name} ${source}`);
    }
  }
  const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes);
  assert.ok(
    scripts.length >= 2 && scripts.every((attributes) => /src="\.\/[\w.]+"/.test(attributes)),
    "every script is a file beside the page",
  );
});

test("no script of the site makes scripts of texts", () => {
  const names = readdirSync(dist, { recursive: true }).filter((name) => /\.(m?js|html)$/.test(name));
  assert.ok(names.length > 15, names.join());
  record("security", { scripts: names.length });
  for (const name of names)
    assert.doesNotMatch(
      readFileSync(join(dist, name), "utf8"),
      /\beval\(|\bnew Function\b|\bFunction\(["'`]|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\.srcdoc\b/,
      name,
    );
});

test("a script or a style that is not the site's own is refused, and so is text where markup is made", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const site = await serve(0, dist, {
    "content-security-policy": "script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; frame-ancestors 'self'",
  });
  const page = await b.open(tools.browser, site.url);
  try {
    const names = ["img-src", "connect-src", "style-src-elem", "require-trusted-types-for"];
    const refused = await page.evaluate(async (names) => {
      const violations = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
        violations.push(effectiveDirective),
      );
      const script = document.createElement("script");
      const thrown = [];
      for (const attempt of [
        () => (document.createElement("div").innerHTML = "<b>bold</b>"),
        () => document.body.insertAdjacentHTML("beforeend", "<i>i</i>"),
        () => (script.textContent = "window.ran = true"),
        () => (script.src = "data:text/javascript,window.ran=true"),
        () => document.body.setAttribute("onclick", "window.ran = true"),
      ]) {
        try {
          attempt();
          thrown.push(false);
        } catch {
          thrown.push(true);
        }
      }
      // In a separate task: code evaluated by a driver may call eval.
      await new Promise((resolve) =>
        setTimeout(() => {
          try {
            new Function("window.ran = true")();
          } catch {
            thrown.push(true);
          }
          resolve();
        }),
      );
      document.body.append(script);
      const image = new Image();
      image.src = "https://example.org/pixel.png";
      await fetch("https://example.org/").catch(() => {});
      const style = document.createElement("style");
      style.textContent = "body { --own: 1 }";
      document.head.append(style);
      // Violations are reported in separate tasks.
      await work.until(() => names.every((name) => violations.includes(name)), "a report of every violation");
      return { thrown, ran: window.ran, own: getComputedStyle(document.body).getPropertyValue("--own"), violations };
    }, names);
    assert.deepEqual(refused.thrown, [true, true, true, true, true, true]);
    assert.equal(refused.ran, undefined);
    assert.equal(refused.own, "");
    for (const name of names) assert.ok(refused.violations.includes(name), `${name}: ${refused.violations}`);
    const asked = page.problems.filter((problem) => problem.startsWith("other origin"));
    assert.ok(
      asked.every((problem) => problem.includes("example.org")),
      "only what this test asked for, and was refused",
    );
    // An image, a request and a style do not throw, but are blocked, too.
    const attempts = refused.thrown.length + 3;
    record("security", { ...where(), attempts, refused: attempts });
  } finally {
    await page.context().close();
    await site.close();
  }
});

/** A complete visit; `open` records any request to another origin, and the console any violation. */
async function journey(page) {
  let requests = 0;
  page.on("request", () => requests++);
  await page.evaluate(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
      window.violations.push(`${effectiveDirective} ${blockedURI} ${sourceFile}`),
    );
  });
  await b.drag(page, "k", 0.5, 0.7);
  await b.type(page, "d_model", "64");
  await b.choose(page, "theme", "dark");
  await b.choose(page, "lang", "zh");
  await b.choose(page, "lang", "en");
  await b.canvas(page, "heatmap").press("+");
  await b.settle(page);
  await page.locator("[data-scroll=vertical]").press("ArrowDown");
  await b.press(page.locator("#posenc details.numbers summary"));
  await page.locator("#posenc details.numbers table").waitFor();
  await page.locator("#posenc details.numbers summary").click();

  await b.press(page.locator(".masthead [data-kit=share]"));
  await page.frameLocator("dialog.share iframe").locator("#posenc canvas").first().waitFor();
  for (const summary of await page.locator("dialog.share summary").all()) await summary.click();
  const file = page.locator("[data-save]");
  await file.waitFor();
  const [offline] = await Promise.all([page.waitForEvent("download"), file.click()]);
  assert.match(offline.suggestedFilename(), /\.html$/);
  await page.keyboard.press("Escape");

  await b.press(page.locator(".masthead [data-kit=save]"));
  for (const name of [/PNG 1×/, /SVG/, /CSV/]) {
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("dialog[open]").getByRole("button", { name }).click(),
    ]);
    assert.ok(saved.suggestedFilename());
  }
  await page.keyboard.press("Escape");

  await page.locator(".masthead [data-kit=present]").click();
  await page.locator(".kit-bar").first().waitFor();
  await page.keyboard.press("m");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.locator("dialog.kit-keys[open]").waitFor();
  await page.keyboard.press("Escape");

  for (const id of ["fig-heatmap", "fig-order"]) {
    const figure = page.locator(`#${id}`);
    if (!(await figure.count())) continue;
    await figure.evaluate((figure) => figure.scrollIntoView({ block: "center" }));
    await page.waitForFunction((id) => document.getElementById(id).hasAttribute("data-mounted"), id);
    await figure.locator("canvas[data-view]").click({ position: { x: 120, y: 60 } });
  }
  const sentence = page.locator("[data-set]:visible").first();
  await sentence.click();
  await b.settle(page);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  await b.noProblems(page);
  record("security", { requests, outside: 0 });
}

check(
  "nothing that a person does meets the policy, or asks anything of anybody else",
  { acceptDownloads: true },
  journey,
);

for (const hash of ["", "#view=waves", "#view=rotation&hide=*"])
  test(`nor does a frame in a page of another origin, when a person works it: ${hash || "the bench"}`, {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const host = await hosting();
    try {
      const asked = [];
      const body = `<iframe style="width: 1100px; height: 650px" src="${tools.site.url}${hash}"></iframe>`;
      const page = await host.open(tools.browser, body, {
        script: "",
        prepare: async (page) => {
          page.on("request", (request) => asked.push(request.url()));
          await page.addInitScript(() => {
            window.violations = [];
            document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
              window.violations.push(`${effectiveDirective} ${blockedURI}`),
            );
          });
        },
      });
      const frame = await (await page.$("iframe")).contentFrame();
      await b.ready(frame);
      const canvas = frame.locator("canvas[data-view]:visible").first();
      await canvas.waitFor();
      await b.settle(frame);
      const address = await frame.evaluate(() => location.hash);
      const { x, y, width, height } = await canvas.boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2 + 60, y + height / 2 + 30, { steps: 5 });
      await page.mouse.up();
      await canvas.press("ArrowRight");
      const box = frame.locator("input[type=number]:visible").first();
      if (await box.count()) {
        await box.fill("11");
        await box.press("Enter");
      }
      await b.settle(frame, 500);
      assert.notEqual(await frame.evaluate(() => location.hash), address, "it has been worked");
      await b.noProblems(page);
      assert.deepEqual(await frame.evaluate(() => window.violations), []);
      const own = [new URL(host.url).origin, new URL(tools.site.url).origin];
      assert.deepEqual(
        asked.filter((url) => !/^(data|blob):/.test(url) && !own.includes(new URL(url).origin)),
        [],
      );
    } finally {
      await host.close();
    }
  });
