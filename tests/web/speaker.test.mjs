// The speaker's window: on the site, from a local folder, and when the browser blocks it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { dist } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const NOTES = ["Ask: what stays the same?", "等 30 秒；再问 a/b & c", "50 % say “yes” #1"];
const STEPS = `steps=k=5;note=${encodeURIComponent(NOTES[0])}/view=order;pe=on;note=${encodeURIComponent(NOTES[1])}/k=7;note=${encodeURIComponent(NOTES[2])}`;

const count = (page) => page.locator(".kit-bar output").textContent();
const isAt = (page, text) =>
  page.waitForFunction((text) => document.querySelector(".kit-bar output")?.textContent === text, text);

async function openNotes(page) {
  await page.waitForFunction(() => document.querySelector(".kit-bar"));
  const [notes] = await Promise.all([page.waitForEvent("popup"), b.pressBar(page.locator("[data-do=notes]"))]);
  await notes.locator("textarea").waitFor();
  return notes;
}

const note = (notes) => notes.locator("textarea").inputValue();
const says = (notes, text) => notes.waitForFunction((text) => document.querySelector("textarea")?.value === text, text);
/** The number of colours in the copy of the picture: a blank one has one. */
const colours = (notes) =>
  notes.evaluate(() => {
    const canvas = document.querySelector("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
const picture = (notes) => notes.evaluate(() => document.querySelector("canvas").toDataURL());

/** Checks steps from either window, notes, the next step and the picture. */
async function works(page) {
  const notes = await openNotes(page);
  assert.equal(await note(notes), NOTES[0]);
  assert.match(await notes.locator("h1").textContent(), /^1 \/ 3 · .*k = 5/);
  assert.match(await notes.locator(".next").textContent(), /^Next: .*pe = on/);
  assert.ok((await colours(notes)) > 20);
  const before = await picture(notes);

  await notes.keyboard.press("PageDown");
  await isAt(page, "2 / 3");
  await says(notes, NOTES[1]);
  await notes.waitForFunction((before) => document.querySelector("canvas").toDataURL() !== before, before);

  await page.bringToFront();
  await page.keyboard.press("PageDown");
  await isAt(page, "3 / 3");
  await says(notes, NOTES[2]);
  assert.match(await notes.locator(".next").textContent(), /No step follows/);

  await notes.bringToFront();
  await notes.getByRole("button", { name: "Step before" }).click();
  await isAt(page, "2 / 3");
  await notes.keyboard.press("b");
  await page.locator(".kit-black").waitFor();
  await notes.keyboard.press("b");
  await page.locator(".kit-black").waitFor({ state: "detached" });

  // Leaving the presentation closes the window.
  const closed = notes.waitForEvent("close");
  await page.bringToFront();
  await page.keyboard.press("Escape");
  await closed;
  await page.waitForFunction(() => !document.querySelector(".kit-show"));
}

describe("the speaker's window", () => {
  check(
    "has notes, next step and picture, and keys in either window step both",
    { hash: `#${STEPS}&present=1` },
    works,
  );

  test("works the same in the single file, opened from a folder", { timeout: TEST_TIMEOUT_MS }, async () => {
    const context = await tools.browser.newContext({ viewport: b.desktop, locale: "en-GB" });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
    await page.goto(`${pathToFileURL(join(dist, "posenc.html"))}#${STEPS}&present=1`);
    await works(page);
    await b.flush(page);
    assert.deepEqual(problems, []);
    await context.close();
  });

  check(
    "leaves the presentation as it is where the browser leaves full screen for it",
    { hash: "#steps=k=5/k=7&present=1" },
    async (page) => {
      const fill = async () => {
        await page.keyboard.press("f");
        await page.waitForFunction(() => document.fullscreenElement);
      };
      const isLeft = () => page.waitForFunction(() => !document.fullscreenElement);
      await page.waitForFunction(() => document.querySelector(".kit-bar"));
      await fill();
      // As Chromium does, with its user interface.
      await page.evaluate(() => {
        const { open } = window;
        window.open = (...given) => (document.exitFullscreen(), open(...given));
      });
      const notes = await openNotes(page);
      await isLeft();
      await page.bringToFront();
      await fill();
      await b.pressBar(page.locator("[data-do=notes]"));
      await page.evaluate(() => document.exitFullscreen());
      await isLeft();
      await b.frames(page, 15);
      assert.equal(await count(page), "1 / 2");
      assert.equal(await notes.isClosed(), false);
      await page.bringToFront();
      await fill();
      await page.evaluate(() => document.exitFullscreen());
      await page.waitForFunction(() => !document.querySelector(".kit-show"));
    },
  );

  check("keeps what is written into it in the link", { hash: "#steps=k=5/k=7&present=1" }, async (page) => {
    const notes = await openNotes(page);
    assert.equal(await note(notes), "");
    await notes.locator("textarea").fill("Draw a circle; mark 0 / 90°");
    // Letters are not shortcuts while the note has the focus.
    await notes.locator("textarea").press("b");
    await notes.keyboard.press("PageDown");
    await isAt(page, "2 / 2");
    const link = await page.evaluate(async () => (await import("./kit/steps.mjs")).link());
    await notes.close();
    await page.waitForFunction(() => document.querySelector("[data-do=notes]").ariaPressed === "false");
    const again = await b.open(tools.browser, tools.site.url, { hash: new URL(link).hash });
    const other = await openNotes(again);
    assert.equal(await note(other), "Draw a circle; mark 0 / 90°b");
    // The window may close before the key is released.
    await Promise.all([other.waitForEvent("close"), other.keyboard.press("Escape").catch(() => {})]);
    assert.equal(await count(again), "1 / 2", "Escape there closes that window alone");
    await b.noProblems(again);
  });

  check(
    "leaves the keys of an input method alone, in both windows",
    { hash: "#steps=k=5/k=7&present=1" },
    async (page) => {
      const notes = await openNotes(page);
      for (const view of [page, notes]) {
        const taken = await view.evaluate(() => {
          const keys = [{ isComposing: true }, { keyCode: 229 }].flatMap((how) =>
            ["PageDown", "Escape"].map((key) => ({ key, ...how, bubbles: true, cancelable: true })),
          );
          const element = document.querySelector("textarea") ?? document.body;
          return keys.filter((key) => !element.dispatchEvent(new KeyboardEvent("keydown", key)));
        });
        assert.deepEqual(taken, []);
      }
      assert.equal(await count(page), "1 / 2");
    },
  );

  check(
    "cuts a note that is too long between two characters, and takes no longer one",
    { hash: `#steps=k=5;note=${encodeURIComponent(`a${"😀".repeat(1000)}`)}&present=1` },
    async (page) => {
      const notes = await openNotes(page);
      const whole = `a${"😀".repeat(999)}`;
      assert.equal(await note(notes), whole);
      assert.equal(await notes.locator("textarea").getAttribute("maxlength"), "2000");
      const link = await page.evaluate(async () => {
        const steps = await import("./kit/steps.mjs");
        steps.setNote(0, `b${"😀".repeat(1000)}`);
        return steps.link();
      });
      assert.ok(link.includes(encodeURIComponent(`b${whole.slice(1)}`)));
    },
  );

  check("is told nothing any more once it closes", { hash: "#steps=k=5/k=7&present=1" }, async (page) => {
    const notes = await openNotes(page);
    // In a single call: afterwards the window and its events are gone.
    await notes
      .evaluate(() => {
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
        dispatchEvent(new Event("resize"));
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown" }));
      })
      // The window may close before the call returns.
      .catch(() => {});
    await page.waitForFunction(() => document.querySelector("[data-do=notes]").ariaPressed === "false");
    assert.equal(await count(page), "1 / 2");
  });

  check("has a clock for the whole and one for the step", { hash: "#steps=k=5/k=7&present=1" }, async (page) => {
    // The test alone puts the clock forward.
    await page.evaluate(() => {
      window.time = performance.now();
      performance.now = () => window.time;
    });
    const notes = await openNotes(page);
    const show = (...clocks) =>
      notes.waitForFunction(
        (wanted) => [...document.querySelectorAll("[role=timer]")].map((e) => e.textContent).join() === wanted,
        clocks.join(),
      );
    await show("0:00", "0:00");
    await page.evaluate(() => (window.time += 754_000));
    await show("12:34", "12:34");
    await notes.keyboard.press("PageDown");
    await show("12:34", "0:00");
    await page.evaluate(() => (window.time += 5_000));
    await notes.getByRole("button", { name: "Reset clock" }).click();
    await show("0:00", "0:00");
  });

  check(
    "has no note to write between steps, and a state that is kept there has one",
    { hash: "#present=1" },
    async (page) => {
      const notes = await openNotes(page);
      assert.ok(await notes.locator("textarea").isDisabled());
      await page.bringToFront();
      await page.keyboard.press("m");
      await notes.waitForFunction(() => !document.querySelector("textarea").disabled);
    },
  );

  test("is refused in a frame that may open none, and that is said", { timeout: TEST_TIMEOUT_MS }, async () => {
    const context = await tools.browser.newContext({ viewport: b.desktop, locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(`${tools.site.url}theme.css`);
    await page.evaluate((src) => {
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts allow-same-origin";
      frame.style.cssText = "width: 900px; height: 600px";
      frame.src = src;
      document.body.replaceChildren(frame);
    }, `${tools.site.url}#${STEPS}&present=1`);
    const frame = page.frameLocator("iframe");
    await b.pressBar(frame.locator("[data-do=notes]"));
    await frame.getByText("Allow pop-ups for this page").waitFor();
    assert.equal(await frame.locator("[data-do=notes]").getAttribute("aria-pressed"), "false");
    assert.equal(context.pages().length, 1);
    await b.pressBar(frame.locator("[data-do=on]"));
    await frame.getByText("2 / 3", { exact: true }).waitFor();
    await context.close();
  });
});
