// The share dialog: its outputs, pasted where they are meant to be pasted.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { hosting } from "./host.mjs";

const hostile = `"><img src=x onerror=alert(1)>&amp;'</textarea></script>`;
const dialog = (page) => page.locator("dialog.share");
const result = (page, name) => page.locator(`[data-result=${name}]`).inputValue();
const checkbox = (page, name, column) =>
  page.locator(`.share-options [data-control-name=${name}]`).nth(column === "locked" ? 1 : 0);

/**
 * A test with a single file beside the page. Closing the dialog aborts what its preview still loads, which is not a problem.
 */
function share(name, options, work) {
  const prepare = async (page) => {
    await page
      .context()
      .route("**/posenc.html", (route) =>
        route.fulfill({ contentType: "text/html", body: "<!doctype html><html><title>x</title></html>" }),
      );
    await options.prepare?.(page);
  };
  check(name, { expected: /net::ERR_ABORTED$/, ...options, prepare }, work);
}

/** Waits for the dialog and opens what is folded in it. */
async function unfold(page) {
  await dialog(page).waitFor();
  await dialog(page)
    .locator("details")
    .evaluateAll((folded) => folded.forEach((details) => (details.open = true)));
}

async function openDialogOfBench(page) {
  await b.press(page.locator("#posenc .masthead [data-kit=share]"));
  await unfold(page);
}

/** Opens the dialog for a figure of the lesson. */
async function openDialogOfFigure(page, id) {
  const figure = page.locator(`pe-figure#${id}`);
  await figure.scrollIntoViewIfNeeded();
  await page.locator(`pe-figure#${id}[data-mounted]`).waitFor();
  await b.openMenu(figure);
  await figure.locator("[data-kit=share]").click();
  await unfold(page);
  return figure;
}

let notes;
before(async () => (notes = await hosting()));
after(() => notes.close());

/** Opens a page of another origin with this snippet in it. */
async function openWithSnippet(snippet) {
  // Another site, not just another port.
  const address = (await notes.write(`<p>Before</p>${snippet}<p id="after">After</p>`, { script: "" })).replace(
    "localhost",
    "127.0.0.1",
  );
  const context = await tools.browser.newContext({ viewport: b.desktop, locale: "en-GB", colorScheme: "light" });
  const other = await context.newPage();
  other.alerts = [];
  other.on("dialog", (dialog) => (other.alerts.push(dialog.message()), dialog.dismiss()));
  await other.goto(address);
  assert.equal(await other.locator("body > p#after").innerText(), "After", "the snippet ends where it ends");
  return other;
}

const figureOf = (page, view) => page.locator(`.prose pe-figure[view=${view}]`).first().getAttribute("id");

describe("the share dialog", () => {
  share("opens and closes by button and by keyboard, and the focus returns", {}, async (page) => {
    const button = page.locator("#posenc .masthead [data-kit=share]");
    await openDialogOfBench(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.copy), "link", "the most wanted thing first");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    assert.ok(await button.evaluate((e) => e === document.activeElement));
    await page.keyboard.press("Enter");
    await unfold(page);
    // Tab through the dialog: everything has a name and is visible when it has the focus, and the preview is skipped.
    const reached = new Set();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const e = document.activeElement;
        const { top, bottom, height } = e.getBoundingClientRect();
        const label = e.ariaLabel || [...(e.labels ?? [])].map((l) => l.textContent).join("") || e.textContent.trim();
        return {
          inside: Boolean(e.closest("dialog")),
          label,
          tag: e.tagName,
          seen: height > 0 && bottom > 0 && top < innerHeight,
          html: e.outerHTML.slice(0, 100),
        };
      });
      if (!at.inside) continue;
      assert.ok(at.label, at.html);
      assert.ok(at.seen, at.html);
      assert.notEqual(at.tag, "IFRAME");
      reached.add(at.label);
    }
    for (const words of [
      "Close",
      "Copy: Link",
      "Link",
      "Open",
      "What to show",
      "Language",
      "Theme",
      "Height in pixels",
      "k offset: shown",
      "k offset: locked",
    ])
      assert.ok(reached.has(words), `${words} among ${[...reached]}`);
    await page.locator("dialog.share [aria-label=Close]").press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    assert.ok(await button.evaluate((e) => e === document.activeElement));

    const figure = await openDialogOfFigure(page, await figureOf(page, "order"));
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    // The focus returns to the summary of the menu, since its button is hidden again.
    assert.equal(await figure.evaluate((f) => f.shadowRoot.activeElement?.localName), "summary");
    await page.keyboard.press("Enter");
    for (let entry = 0; entry < 3; entry++) await page.keyboard.press("Tab");
    assert.equal(await figure.evaluate((f) => f.shadowRoot.activeElement?.dataset.kit), "share");
    await page.keyboard.press("Space");
    await dialog(page).waitFor();
  });

  share("stays when text is selected up to its edge, and closes when its backdrop is pressed", {}, async (page) => {
    await openDialogOfBench(page);
    const { x, y, height } = await dialog(page).boundingBox();
    await page.locator("#share-title").hover();
    await page.mouse.down();
    await page.mouse.move(x + 6, y + height / 2);
    await page.mouse.up();
    assert.ok(await dialog(page).isVisible());
    await page.mouse.click(4, 4);
    await dialog(page).waitFor({ state: "detached" });
  });

  share("names the controls in browsers that do not reflect ARIA attributes, too", {}, async (page) => {
    const names = () => page.locator(".share-options tbody th").allTextContents();
    await openDialogOfBench(page);
    const expected = await names();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await page.evaluate(() => delete Element.prototype.ariaLabel);
    await openDialogOfBench(page);
    assert.deepEqual(await names(), expected);
  });

  share("shows a picture that can be judged and few choices, the others on request", {}, async (page) => {
    await b.press(page.locator("#posenc .masthead [data-kit=share]"));
    await dialog(page).waitFor();
    const preview = await page.locator(".share-preview iframe").boundingBox();
    assert.ok(preview.width > 560 && preview.height > 320, `${preview.width} × ${preview.height} px`);
    assert.equal(await page.locator(".share-options :is(input, select):visible").count(), 3);
    assert.equal(await page.locator(".share-results [data-result]:visible").count(), 2);
    await page.getByText("Choose controls and height").click();
    assert.ok(await checkbox(page, "pos", "shown").isChecked(), "pos can be dragged wherever k can");
    await page.getByText("As an element, a file").click();
    assert.ok(await page.locator("[data-course]").isVisible());
  });

  share(
    "hands students a worksheet without what chooses it",
    { hash: "#view=worksheet&seed=7&count=12" },
    async (page) => {
      const sheet = page.locator(".alone > pe-figure");
      await b.openMenu(sheet);
      await sheet.locator("[data-kit=share]").click();
      await unfold(page);
      const given = new URLSearchParams(new URL(await result(page, "link")).hash.slice(1));
      assert.deepEqual([given.get("seed"), given.get("count")], ["7", "12"]);
      assert.equal(given.get("hide"), "*", "it has no other control");
    },
  );

  share("has a name, labels and targets of a good size", { hash: "#theme=projector" }, async (page) => {
    await openDialogOfBench(page);
    assert.equal(await page.getByRole("dialog", { name: "Share: Positional Encoding Explorer" }).count(), 1);
    for (const view of ["bench", "formula"]) {
      await page.locator("#share-what").selectOption(view);
      const faults = await dialog(page).evaluate((dialog) =>
        [...dialog.querySelectorAll("button, a, input, select, textarea, iframe")]
          .filter((e) => e.checkVisibility())
          .flatMap((e) => {
            const holder = e.matches("[type=checkbox]") ? e.closest("label") : e;
            const { width, height } = holder.getBoundingClientRect();
            const name =
              e.title || e.ariaLabel || [...(e.labels ?? [])].map((l) => l.textContent).join("") || e.textContent;
            return [
              !name.trim() && `no name: ${e.outerHTML}`,
              (width < 24 || height < 24) && `${width}×${height}: ${e.outerHTML}`,
            ].filter(Boolean);
          }),
      );
      assert.deepEqual(faults, []);
      const ids = await page.evaluate(() => [...document.querySelectorAll("dialog [id]")].map((e) => e.id));
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(await dialog(page).evaluate((e) => e.scrollWidth <= e.clientWidth), "nothing sticks out");
    }
  });

  for (const [viewport, lang] of [
    [b.phone, "en"],
    [b.phone, "zh"],
    [b.desktop, "zh"],
  ]) {
    share(
      `fits at ${viewport.width}×${viewport.height} in ${lang}`,
      { viewport, hash: `#lang=${lang}`, colorScheme: "dark" },
      async (page) => {
        await openDialogOfBench(page);
        assert.ok(
          await dialog(page).evaluate(
            (e) => e.scrollWidth <= e.clientWidth && e.getBoundingClientRect().right <= innerWidth,
          ),
        );
        const latin = await dialog(page).evaluate((e) =>
          [...e.querySelectorAll("button, label, caption, th, option, p")]
            .map((x) => x.textContent)
            .filter((t) => /[A-Za-z]{4}/.test(t)),
        );
        // The switch of the heatmap goes by the name of the group, not by that of its first choice.
        const columns = page.locator(".share-options tr:has([data-control-name=colour]) th");
        assert.equal(await columns.innerText(), lang === "zh" ? "热力图的各列" : "Columns of the heatmap");
        if (lang === "zh")
          assert.deepEqual(
            latin.filter((t) => !/d_model|max_len|English|iframe|SCORM|Moodle|pair|base|text/.test(t)),
            [],
          );
      },
    );
  }

  // As in a course package itself, or on a host that rejects unknown files.
  share(
    "hands out the command that makes a course package of this state where the site's files cannot be read, and says why",
    { hash: "#lang=en&k=7", expected: /net::ERR_ABORTED$|404|no course package/ },
    async (page) => {
      await page.context().route("**/course/files.json", (route) => route.fulfill({ status: 404 }));
      await openDialogOfBench(page);
      const [, hash] = (await result(page, "link")).split("#");
      assert.match(hash, /k=7/);
      assert.equal(await page.locator("[data-result=course]").count(), 0);
      await page.locator("[data-course]").click();
      await page.getByText("could not be read").waitFor();
      assert.equal(await result(page, "course"), `scripts/package --scorm '${hash}'`);
      assert.equal(await page.evaluate(() => document.activeElement.dataset.copy), "course");
    },
  );

  share(
    "hands out the link that shows exactly what is there",
    { hash: "#d_model=32&k=-5&compare=1,3&positions=5-40&base=500&layout=concatenated&pos=20&utm=x&distance" },
    async (page) => {
      await openDialogOfBench(page);
      const link = await result(page, "link");
      const there = await b.open(tools.browser, link, {});
      const state = (page) => page.evaluate(async () => (await import("./kit/target.mjs")).bench.state);
      assert.deepEqual(await state(there), await state(page));
      await there.context().close();

      await page.locator("#share-what").selectOption("waves");
      await page.locator("#share-lang").selectOption("zh");
      await page.locator("#share-theme").selectOption("projector");
      await checkbox(page, "k", "locked").check();
      const waves = new URLSearchParams(new URL(await result(page, "link")).hash.slice(1));
      assert.deepEqual(Object.fromEntries(waves), {
        view: "waves",
        d_model: "32",
        k: "-5",
        compare: "1,3",
        positions: "5-40",
        base: "500",
        layout: "concatenated",
        pos: "20",
        lang: "zh",
        theme: "projector",
      });
      await page.locator("#share-everything").check();
      const restricted = new URLSearchParams(new URL(await result(page, "link")).hash.slice(1));
      assert.equal(restricted.get("lock"), "k");
      assert.match(restricted.get("hide"), /^k,play,/);
    },
  );

  share("hands out an iframe with nothing but the ticked controls", { hash: "#k=7&pos=20" }, async (page) => {
    await openDialogOfBench(page);
    await page.locator("#share-what").selectOption("rotation");
    await checkbox(page, "play", "shown").uncheck();
    await checkbox(page, "pair", "shown").check();
    await checkbox(page, "pair", "locked").check();
    await page.locator("#share-lang").selectOption("zh");
    await page.locator("#share-height").fill("640");
    const snippet = await result(page, "iframe");
    const other = await openWithSnippet(snippet);
    const frame = other.frameLocator("iframe");
    const attributes = await other
      .locator("iframe")
      .evaluate((f) => Object.fromEntries([...f.attributes].map(({ name, value }) => [name, value])));
    assert.deepEqual(
      { ...attributes, src: "" },
      {
        src: "",
        title: "Rotation – Positional Encoding Explorer",
        width: "100%",
        height: "640",
        style: "border: 0",
        loading: "lazy",
        allow: "fullscreen; clipboard-write",
      },
    );
    await frame.locator("html[data-posenc=ready]").waitFor({ state: "attached" });
    const seen = await frame
      .locator("body")
      .evaluate(() =>
        [...document.querySelectorAll("input, select, button, a")]
          .filter((e) => e.checkVisibility())
          .map((e) => `${e.name || e.dataset.action}${e.disabled ? " locked" : ""}`),
      );
    assert.deepEqual(seen, ["k", "k", "pos", "pos", "pair locked", "pair locked"]);
    assert.deepEqual(
      [
        await frame.locator("html").getAttribute("lang"),
        await frame.locator("input[type=number][name=k]").inputValue(),
        await frame.locator("[data-notice]").count(),
      ],
      ["zh", "7", 0],
    );
    await other.context().close();
  });

  share("hands out an iframe of the whole bench, without the lesson, and one without any control", {}, async (page) => {
    await openDialogOfBench(page);
    for (const all of [false, true]) {
      const ticked = page.locator(".share-options tbody td:nth-child(2) input:checked");
      while (all && (await ticked.count())) await ticked.first().uncheck();
      const other = await openWithSnippet(await result(page, "iframe"));
      const frame = other.frameLocator("iframe");
      await frame.locator("html[data-posenc=ready]").waitFor({ state: "attached" });
      const seen = await frame
        .locator("body")
        .evaluate(() =>
          [...document.querySelectorAll("#posenc :is(input, select, button, a):not(.formula-tabs *), .lesson")]
            .filter((e) => e.checkVisibility())
            .map((e) => e.name || e.dataset.action || e.className),
        );
      assert.deepEqual([...new Set(seen)], all ? [] : ["k", "play", "pos", "d_model", "max_len", "apply"]);
      assert.equal(await frame.locator("[data-notice]").count(), 0);
      await other.context().close();
    }
    assert.equal(await page.locator("[data-result=element]").isVisible(), false);
    assert.match(await dialog(page).innerText(), /embedded as an iframe/);
  });

  share(
    "hands out the element with its controls, locks, language and theme",
    { hash: "#max_len=20&base=500&k=4" },
    async (page) => {
      await openDialogOfBench(page);
      await page.locator("#share-what").selectOption("rotation");
      assert.match(await dialog(page).innerText(), /unknown to the element: base/);
      await checkbox(page, "d_model", "shown").check();
      await checkbox(page, "d_model", "locked").check();
      await page.locator("#share-lang").selectOption("zh");
      await page.locator("#share-theme").selectOption("projector");
      const other = await openWithSnippet(await result(page, "element"));
      await other.locator("pe-figure[data-mounted]").waitFor();
      const seen = await other.locator("pe-figure").evaluate((f) => ({
        state: f.state,
        controls: [...f.shadowRoot.querySelectorAll("input[type=number]")].map((e) => [e.name, e.disabled]),
        lang: f.shadowRoot.querySelector(".figure").lang,
        theme: f.shadowRoot.querySelector(".figure").dataset.theme,
        notice: f.shadowRoot.querySelector(".notice").textContent,
      }));
      assert.deepEqual(seen, {
        state: { view: "rotation", encoding: "sinusoidal", d_model: 128, max_len: 20, k: 4, pos: 10, pair: 4 },
        controls: [
          ["d_model", true],
          ["k", false],
          ["pos", false],
        ],
        lang: "zh",
        theme: "projector",
        notice: "",
      });
      await other.context().close();
    },
  );

  for (const view of b.views) {
    share(`knows the settings that the element has of ${view}`, { hash: `#view=${view}` }, async (page) => {
      await openDialogOfBench(page);
      for (const box of await page.locator(".share-options tbody td:nth-child(2) input").all()) await box.check();
      const snippet = await result(page, "element");
      const given = /controls="([^"]*)"/.exec(snippet)[1].replaceAll("-", "_").split(" ");
      const other = await openWithSnippet(snippet);
      await other.locator("pe-figure[data-mounted]").waitFor();
      const { notice, names } = await other
        .locator("pe-figure")
        .evaluate((f) => ({ notice: f.shadowRoot.querySelector(".notice").textContent, names: Object.keys(f.state) }));
      assert.equal(notice, "");
      const offered = await page
        .locator("[data-control-name]")
        .evaluateAll((all) => [...new Set(all.map((e) => e.dataset.controlName))]);
      assert.deepEqual(given.sort(), names.filter((name) => offered.includes(name)).sort());
      await other.context().close();
    });
  }

  share(
    "never lets words become markup",
    { hash: `#view=order&words=${encodeURIComponent(hostile)}&pe=on` },
    async (page) => {
      await page.locator(".alone > pe-figure[data-mounted]").waitFor();
      await b.openMenu(page.locator(".alone > pe-figure"));
      await page.locator(".alone > pe-figure [data-kit=share]").click();
      await unfold(page);
      const words = await page.locator(".alone > pe-figure").evaluate((f) => f.state.words);
      assert.ok(words.startsWith(`"><img src=x`), words);
      await page.locator("#share-everything").check();
      assert.equal(await page.locator("dialog img").count(), 0);
      const there = await b.open(tools.browser, await result(page, "link"), {});
      assert.equal(await there.locator(".alone > pe-figure[data-mounted]").evaluate((f) => f.state.words), words);
      await there.context().close();
      for (const name of ["iframe", "element"]) {
        const other = await openWithSnippet(await result(page, name));
        const figure =
          name === "iframe"
            ? other.frameLocator("iframe").locator(".alone > pe-figure[data-mounted]")
            : other.locator("pe-figure[data-mounted]");
        await figure.waitFor();
        assert.deepEqual(
          await figure.evaluate((f) => [f.state.words, f.state.pe, document.images.length]),
          [words, true, 0],
          name,
        );
        assert.deepEqual([other.alerts, await other.locator("img").count()], [[], 0], name);
        await other.context().close();
      }
    },
  );

  share(
    "keeps hidden what the address of a figure hides",
    { hash: "#view=worksheet&seed=7&count=6&hide=seed,topic,count" },
    async (page) => {
      await page.locator(".alone > pe-figure[data-mounted]").waitFor();
      await b.openMenu(page.locator(".alone > pe-figure"));
      await page.locator(".alone > pe-figure [data-kit=share]").click();
      await unfold(page);
      const hidden = (text) =>
        new URLSearchParams(
          text
            .split("#")[1]
            .split(/["&]?\s|"/)[0]
            .replaceAll("&amp;", "&"),
        ).get("hide");
      assert.equal(hidden(await result(page, "link")), "seed,topic,count");
      assert.equal(hidden(await result(page, "iframe")), "seed,topic,count");
      await page.locator("[data-control-name=theme]").first().uncheck();
      await page.locator("#share-everything").check();
      for (const name of ["link", "iframe"])
        assert.equal(hidden(await result(page, name)), "seed,topic,count,theme", name);
      assert.match(await result(page, "element"), / controls="none"/);
    },
  );

  share("shares a figure of the lesson as it stands", {}, async (page) => {
    const id = await figureOf(page, "order");
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await page.locator(`#${id}[data-mounted]`).waitFor();
    await page.locator(`#${id}`).evaluate((f) => f.setState({ pe: true, causal: true }));
    await b.settle(page);
    await openDialogOfFigure(page, id);
    const state = await page.locator(`#${id}`).evaluate((f) => f.state);
    for (const name of ["split", "weights"]) await checkbox(page, name, "shown").uncheck();
    await checkbox(page, "pe", "locked").check();
    const frame = page.frameLocator(".share-preview iframe");
    await frame.locator(".alone > pe-figure[controls='pe causal'][lock=pe][data-mounted]").waitFor();
    assert.match(await page.locator(".share-preview iframe").getAttribute("title"), /\w/);
    for (const name of ["iframe", "element"]) {
      const other = await openWithSnippet(await result(page, name));
      const figure =
        name === "iframe"
          ? other.frameLocator("iframe").locator(".alone > pe-figure[data-mounted]")
          : other.locator("pe-figure[data-mounted]");
      await figure.waitFor();
      const seen = await figure.evaluate((f) => [
        f.state,
        [...f.shadowRoot.querySelectorAll(".fields [name]")].map((e) => [e.name, e.disabled]),
        f.shadowRoot.querySelector(".notice").textContent,
      ]);
      assert.deepEqual(
        seen,
        [
          state,
          [
            ["pe", true],
            ["causal", false],
          ],
          "",
        ],
        name,
      );
      await other.context().close();
    }
  });

  share("follows what changes while it is open", {}, async (page) => {
    await openDialogOfBench(page);
    await page.evaluate(async () => (await import("./kit/target.mjs")).bench.setState({ k: 11 }));
    await page.waitForFunction(() => document.querySelector("[data-result=link]").value.endsWith("#k=11"));
    await page.waitForFunction(
      () =>
        document.querySelector(".share-preview iframe").contentDocument?.querySelector("input[type=number][name=k]")
          ?.value === "11",
    );
  });

  test("does not open for a bench that has given way to a figure alone", async () => {
    let arrive;
    const arrived = new Promise((resolve) => (arrive = resolve));
    const page = await b.open(tools.browser, tools.site.url, {
      prepare: (page) => page.route("**/kit/share.css", (route) => arrived.then(() => route.continue())),
    });
    const asked = page.waitForRequest("**/kit/share.css");
    await b.press(page.locator("#posenc .masthead [data-kit=share]"));
    await asked;
    await page.evaluate(() => (location.hash = "#view=helix"));
    await page.locator("#posenc[data-alone]").waitFor();
    const loaded = page.waitForResponse("**/kit/share.css");
    arrive();
    await loaded;
    await b.settle(page);
    assert.equal(await dialog(page).count(), 0);
    await b.noProblems(page);
    await page.context().close();
  });

  share("copies", {}, async (page) => {
    await openDialogOfBench(page);
    for (const name of ["link", "iframe"]) {
      const button = page.locator(`[data-copy=${name}]`);
      await b.flashes(button, "Copied", () => button.click());
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await result(page, name));
      const status = page.locator(".share-result", { has: button }).locator(".unseen[role=status]");
      assert.equal(await status.textContent(), "Copied", "screen readers are told");
    }
  });

  for (const [why, refuse] of [
    [
      "refused",
      () => (navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"))),
    ],
    ["missing", () => Object.defineProperty(navigator, "clipboard", { value: undefined })],
  ]) {
    share(
      `selects the text where the clipboard is ${why}, and says which keys copy it`,
      { prepare: (page) => page.addInitScript(refuse) },
      async (page) => {
        await openDialogOfBench(page);
        await page.locator("[data-copy=iframe]").click();
        await page.getByText("press Ctrl+C").waitFor();
        // The preview may be measured only at this time, which updates the texts.
        await page.locator("#share-theme").selectOption("dark");
        await page.waitForFunction(() => /theme=dark/.test(document.querySelector("#share-iframe").value));
        assert.ok(await page.getByText("press Ctrl+C").isVisible());
        await page.locator("[data-copy=iframe]").click();
        const selected = await page.evaluate(() => {
          const field = document.activeElement;
          return [field.dataset.result, field.value.slice(field.selectionStart, field.selectionEnd)];
        });
        assert.deepEqual(selected, ["iframe", await result(page, "iframe")]);
      },
    );
  }

  share("works in a frame that allows neither, and says so", { hash: "#k=6" }, async () => {
    const plain = "<!doctype html><html><title>x</title></html>";
    const other = await openWithSnippet(`<iframe width="1200" height="700" src="${tools.site.url}#k=6"></iframe>`);
    await other.context().route("**/posenc.html", (route) => route.fulfill({ contentType: "text/html", body: plain }));
    const frame = other.frameLocator("iframe").first();
    await b.press(frame.locator("#posenc .masthead [data-kit=share]"));
    await frame.locator("[data-copy=link]").click();
    await frame.getByText("press Ctrl+C").waitFor();
    await frame.getByText("As an element, a file").click();
    await frame.locator("[data-save]").click();
    await frame.getByText("If no file arrives").waitFor();
    await other.context().close();
  });

  share("offers no file where there is none", { expected: /404/ }, async (page) => {
    await page.context().unroute("**/posenc.html");
    await page.context().route("**/posenc.html", (route) => route.fulfill({ status: 404 }));
    await Promise.all([page.waitForResponse("**/posenc.html"), openDialogOfBench(page)]);
    await b.settle(page);
    assert.equal(await page.locator("[data-save]").isVisible(), false);
  });

  share(
    "writes the state into the offline file, and the file opens in it",
    { hash: "#view=order&words=%22%3E%3Cb%3E%26&pe=on&lang=zh" },
    async (page) => {
      const plain = await (await page.request.get(tools.site.url)).text();
      await page.context().unroute("**/posenc.html");
      await page
        .context()
        .route("**/posenc.html*", (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: plain }));
      await page.locator(".alone > pe-figure[data-mounted]").waitFor();
      await b.openMenu(page.locator(".alone > pe-figure"));
      await page.locator(".alone > pe-figure [data-kit=share]").click();
      await unfold(page);
      const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("[data-save]").click()]);
      assert.equal(saved.suggestedFilename(), "posenc-order.html");
      const chunks = [];
      for await (const chunk of await saved.createReadStream()) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      assert.equal(text.replace(/ data-state="[^"]*"/, ""), plain, "nothing else has changed");
      const there = await b.open(tools.browser, `${tools.site.url}saved.html`, {
        prepare: (page) =>
          page.route("**/saved.html", (route) =>
            route.fulfill({ contentType: "text/html; charset=utf-8", body: text }),
          ),
      });
      const figure = there.locator(".alone > pe-figure[data-mounted]");
      await figure.waitFor();
      assert.deepEqual(await figure.evaluate((f) => [f.state.words, f.state.pe, document.documentElement.lang]), [
        `"><b>&`,
        true,
        "zh",
      ]);
      await figure.locator("input[name=pe]").uncheck();
      await there.waitForFunction(() => /pe=off/.test(location.hash));
      await b.reload(there);
      await figure.waitFor();
      assert.equal(await figure.evaluate((f) => f.state.pe), false, "what was changed since is kept");
      await there.context().close();
    },
  );

  share("leaves nothing behind", {}, async (page) => {
    const entries = await page.evaluate(() => history.length);
    await openDialogOfBench(page);
    await page.locator("#share-what").selectOption("heatmap");
    await page.locator("#share-theme").selectOption("dark");
    await b.written(page);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    assert.deepEqual(
      await page.evaluate(() => [
        document.querySelectorAll("dialog, iframe").length,
        localStorage.length,
        document.cookie,
        location.hash,
      ]),
      [0, 0, "", ""],
    );
    assert.equal(await page.evaluate(() => history.length), entries);
  });
});
