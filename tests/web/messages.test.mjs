// The page in a frame of a page with another origin: its height and the messages that control it.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { desktop, frames, kept, noProblems, open, openMenu, press, ready, settle } from "./browser.mjs";
import { tools } from "./check.mjs";
import { serve } from "./serve.mjs";
import { CONDITION_TIMEOUT_MS, LONG, TEST_TIMEOUT_MS, until } from "./wait.mjs";

let folder, elsewhere;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "posenc-"));
  elsewhere = await serve(0, folder);
});
after(async () => {
  await elsewhere.close();
  await rm(folder, { recursive: true });
});

/**
 * The script of a page with another origin: records messages from the frame; `ask` sends a message and waits for its answer.
 */
const SCRIPT = `
window.heard = []; window.heights = [];
const frame = document.getElementById("frame");
addEventListener("message", ({ data, source }) => {
  if (source !== frame.contentWindow) return;
  if (data?.subject === "lti.frameResize") {
    heights.push(data.height);
    if (window.obey) frame.style.height = data.height + "px";
  } else heard.push(data);
});
window.say = (message) => frame.contentWindow.postMessage(message, "*");
window.ask = async (message, id = Math.random().toString(36)) => {
  say({ posenc: 1, id, ...message });
  for (const end = Date.now() + ${CONDITION_TIMEOUT_MS}; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 10))) {
    const answer = heard.find((data) => data.id === id);
    if (answer) return answer;
  }
  throw new Error("no answer to " + JSON.stringify(message));
};`;

async function embed(hash, { attributes = "", style = "width: 900px; height: 150px", body = "", ...options } = {}) {
  const context = await tools.browser.newContext({
    viewport: desktop,
    locale: "en-GB",
    colorScheme: "light",
    ...options,
  });
  const name = `page-${Math.random().toString(36).slice(2)}.html`;
  await writeFile(
    join(folder, name),
    `<!doctype html><title>Notes</title><link rel="icon" href="data:,"><style>iframe { border: 0; display: block }</style>${body}
<iframe id="frame" title="figure" style="${style}" ${attributes}></iframe><script>window.obey = true;${SCRIPT} frame.src = "${tools.site.url}${hash}";</script>`,
  );
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.problems.push(m.text()));
  page.on("pageerror", (error) => page.problems.push(error.message));
  await page.goto(elsewhere.url.replace("localhost", "127.0.0.1") + name);
  await page.waitForFunction(() => heard.some((data) => data.type === "ready"));
  page.figure = await (await page.$("#frame")).contentFrame();
  await ready(page.figure);
  return page;
}

const ask = (page, message) => page.evaluate((message) => ask(message), message);
const heights = (page) => page.evaluate(() => heights);

/** Waits until both pages are settled, and returns the last height. */
async function settled(page) {
  await page.waitForFunction(() => heights.length);
  for (let count; ; ) {
    await settle(page.figure);
    await frames(page.figure, 4);
    // Messages sent by the frame before its answer arrive before it; then the parent page reacts.
    await ask(page, { type: "get" });
    await frames(page, 4);
    const now = await heights(page);
    if (now.length === count) return now.at(-1);
    count = now.length;
  }
}

const overflow = (page) =>
  page.figure.evaluate(() => ({
    down: document.documentElement.scrollHeight - innerHeight,
    across: document.documentElement.scrollWidth - innerWidth,
    bar: innerWidth - document.documentElement.clientWidth,
  }));

describe("the height of a frame", () => {
  for (const hash of [
    "#view=heatmap",
    "#view=waves&hide=*",
    "#view=rotation",
    "#view=formula&hide=*",
    "#view=order",
    "#hide=*",
  ]) {
    test(`follows the width and nothing else: ${hash}`, async () => {
      const page = await embed(hash);
      const seen = {};
      for (const width of [900, 400, 1200, 900, 400]) {
        await page.evaluate((width) => (document.getElementById("frame").style.width = `${width}px`), width);
        const height = await settled(page);
        assert.ok(height > 100 && height < 3000, `${height}`);
        if (seen[width]) assert.ok(Math.abs(seen[width] - height) <= 1, `${width}: ${seen[width]}, then ${height}`);
        seen[width] = height;
        const { down, across, bar } = await overflow(page);
        assert.ok(down <= 1 && across <= 1 && bar === 0, `${width}: ${JSON.stringify({ down, across, bar, height })}`);
      }
      const sent = await heights(page);
      assert.ok(sent.length <= 24, `it swings: ${sent}`);
      const { length } = sent;
      await frames(page, 60);
      assert.equal((await heights(page)).length, length, "it goes on sending");
      await noProblems(page);
      await page.context().close();
    });
  }

  test("does not depend on the height that the frame has", async () => {
    for (const hash of ["#view=heatmap", "#view=order"]) {
      const said = [];
      for (const style of [
        "width: 900px; height: 150px",
        "width: 900px; height: 700px",
        "width: 900px; height: 3000px",
      ]) {
        const page = await embed(hash, { style });
        await page.evaluate(() => (window.obey = false));
        said.push(await settled(page));
        await page.context().close();
      }
      assert.ok(Math.max(...said) - Math.min(...said) <= 60, `${hash}: ${said}`);
    }
  });

  test("a parent that does not follow keeps a frame that scrolls, and is filled", async () => {
    const page = await embed("#view=heatmap&hide=*", { style: "width: 700px; height: 300px" });
    await page.evaluate(() => {
      window.obey = false;
      document.getElementById("frame").style.height = "200px";
    });
    await page.figure.waitForFunction(() => document.documentElement.scrollHeight > innerHeight);
    // The behaviour after the parent has had time to react.
    await settle(page.figure, 1000);
    assert.ok((await overflow(page)).down > 0);
    await page.figure.evaluate(() => scrollTo(0, 9999));
    assert.ok((await page.figure.evaluate(() => scrollY)) > 0);
    await page.evaluate(() => (document.getElementById("frame").style.height = "640px"));
    await page.figure.waitForFunction(() => innerHeight === 640);
    await settle(page.figure, 1000);
    const bottom = await page.figure.evaluate(() => document.querySelector(".heatmap").getBoundingClientRect().bottom);
    assert.ok(bottom > 600 && bottom <= 640, `${bottom}`);
    await page.context().close();
  });

  test("grows with a notice and shrinks when it goes", async () => {
    const page = await embed("#view=waves&k=abc", { style: "width: 700px; height: 150px" });
    const high = await settled(page);
    await page.figure.locator("[data-action=dismiss]").click();
    await until(async () => (await settled(page)) < high - 10, `less than ${high} px`);
    await page.context().close();
  });

  test("a whole page says nothing about its height", async () => {
    const page = await embed("#k=5");
    await settle(page.figure, 1000);
    await frames(page, 10);
    assert.deepEqual(await heights(page), []);
    await ask(page, { type: "set", state: { view: "waves" } });
    assert.ok((await settled(page)) > 100);
    await page.context().close();
  });
});

describe("messages", () => {
  test("work the bench", async () => {
    const page = await embed("#k=5");
    assert.equal((await page.evaluate(() => heard[0])).state.k, 5);
    const { type, state } = await ask(page, { type: "get" });
    assert.deepEqual([type, state.k, state.d_model, state.view], ["state", 5, 128, "bench"]);
    const done = await ask(page, { type: "set", state: { k: 7, dModel: 64, pair: 3 } });
    assert.deepEqual([done.type, done.state.k, done.state.d_model], ["done", 7, 64]);
    await page.waitForFunction(() => heard.some((data) => data.type === "change" && data.state.k === 7));
    assert.equal((await ask(page, { type: "step", by: 3 })).state.pos, 13);
    assert.equal((await ask(page, { type: "step" })).state.pos, 14);
    assert.equal((await ask(page, { type: "play" })).type, "done");
    await page.waitForFunction(() => heard.some((data) => data.type === "change" && data.state.pos > 14));
    await ask(page, { type: "pause" });
    const { state: paused } = await ask(page, { type: "get" });
    await frames(page.figure, 40);
    assert.equal((await ask(page, { type: "get" })).state.pos, paused.pos);
    const { state: reset } = await ask(page, { type: "reset" });
    assert.deepEqual([reset.k, reset.pos, reset.d_model], [5, 10, 128]);
    await noProblems(page);
    await page.context().close();
  });

  test("work a figure of the lesson and turn the page into another", async () => {
    const page = await embed("#view=order&hide=*");
    const { state } = await ask(page, { type: "get" });
    assert.equal(state.view, "order");
    assert.equal((await ask(page, { type: "set", state: { pe: true } })).state.pe, true);
    assert.equal((await ask(page, { type: "reset" })).state.pe, false);
    assert.match(
      (await ask(page, { type: "set", state: { d_model: 3, weather: 1 } })).message,
      /no setting of this figure/,
    );
    const other = await ask(page, { type: "set", state: { view: "compose", lang: "zh" } });
    assert.equal(other.state.view, "compose");
    await page.waitForFunction(() => heard.some((data) => data.type === "change" && data.state.view === "compose"));
    assert.equal(await page.figure.evaluate(() => document.documentElement.lang), "zh");
    await ask(page, { type: "set", state: { view: "quiz" } });
    assert.match((await ask(page, { type: "play" })).message, /nothing plays/);
    assert.match((await ask(page, { type: "step" })).message, /nothing steps/);
    await ask(page, { type: "set", state: { view: "code" } });
    assert.match((await ask(page, { type: "export", format: "png" })).message, /no picture/);
    await noProblems(page);
    await page.context().close();
  });

  test("give files", async () => {
    for (const hash of ["", "#view=waves", "#view=compose"]) {
      const page = await embed(hash);
      const sizes = await page.evaluate(async () => {
        const sizes = [];
        for (const scale of [1, 2]) {
          const { type, format, mime, data } = await ask({ type: "export", format: "png", scale });
          const image = await createImageBitmap(new Blob([data], { type: mime }));
          sizes.push([type, format, mime, image.width]);
        }
        return sizes;
      });
      assert.deepEqual(sizes[0].slice(0, 3), ["file", "png", "image/png"]);
      assert.equal(sizes[1][3], 2 * sizes[0][3]);
      for (const format of ["svg", "csv", "npy"]) {
        const answer = await ask(page, { type: "export", format });
        const isTable = format !== "svg";
        // The figure on composed shifts does not depend on a length, so it has no table.
        if (isTable && hash === "#view=compose") assert.match(answer.message, /no table/);
        else assert.equal(answer.type, "file", answer.message);
      }
      if (!hash) {
        await ask(page, { type: "set", state: { max_len: 1e6, d_model: 512 } });
        assert.match((await ask(page, { type: "export", format: "npy" })).message, /at most/);
      }
      await page.context().close();
    }
  });

  test("of a wrong shape are answered with words, others not at all", async () => {
    const page = await embed("");
    for (const [message, words] of [
      [{}, /type must be one of/],
      [{ type: "toString" }, /type must be one of/],
      [{ type: "get", more: 1 }, /get has no field more/],
      [{ type: "get", constructor: 1 }, /no field constructor/],
      [{ type: "set" }, /state is missing/],
      [{ type: "set", state: null }, /state must be/],
      [{ type: "set", state: [1] }, /state must be/],
      [{ type: "set", state: { k: {} } }, /state must be/],
      [{ type: "set", state: { k: null } }, /state must be/],
      [{ type: "set", state: { weather: 1 } }, /weather is no setting/],
      [{ type: "set", state: { k: "x".repeat(20_000) } }, /at most/],
      [{ type: "step", by: 1.5 }, /by must be/],
      [{ type: "step", by: 1e300 }, /by must be/],
      [{ type: "export", format: "exe" }, /format must be/],
      [{ type: "export", format: "png", scale: 0 }, /scale must be/],
      [{ type: "export", format: "png", scale: 9 }, /scale must be/],
      [{ type: "export", format: "npy", dtype: "int8" }, /dtype must be/],
    ]) {
      const answer = await ask(page, message);
      assert.equal(answer.type, "error", JSON.stringify(message));
      assert.match(answer.message, words);
    }
    const before = await page.evaluate(() => heard.length);
    await page.evaluate(() => {
      for (const message of [
        null,
        1,
        "get",
        [],
        {},
        { type: "get" },
        { posenc: 2, type: "get" },
        { posenc: "1", type: "get" },
        new Map(),
        [{ posenc: 1, type: "get" }],
      ])
        say(message);
    });
    // Answers arrive in the order of the messages.
    await ask(page, { type: "get" });
    assert.equal(await page.evaluate(() => heard.length), before + 1, "silence");
    await page.evaluate(() => say({ posenc: 1, id: {}, type: "get" }));
    const heard = await page.waitForFunction((before) => heard.length === before + 2 && heard.at(-1), before);
    const anonymous = await heard.jsonValue();
    assert.match(anonymous.message, /id must be/);
    assert.ok(!("id" in anonymous));
    // A value out of range is clamped, as in the address.
    assert.equal((await ask(page, { type: "set", state: { k: "<img src=x>", d_model: 1e9 } })).state.d_model, 16384);
    assert.equal(await page.figure.locator("img").count(), 0);
    await noProblems(page);
    await page.context().close();
  });

  test("from a sibling or from the page itself are not heard", async () => {
    const page = await embed("", { body: `<iframe id="sibling" srcdoc="<p>Sibling</p>"></iframe>` });
    await page.evaluate(() => {
      const sibling = document.getElementById("sibling").contentWindow;
      sibling.eval(
        `parent.document.getElementById("frame").contentWindow.postMessage({ posenc: 1, id: 1, type: "set", state: { k: 9 } }, "*")`,
      );
    });
    await page.figure.evaluate(() => postMessage({ posenc: 1, id: 2, type: "set", state: { k: 9 } }, "*"));
    await frames(page.figure, 10);
    assert.equal((await ask(page, { type: "get" })).state.k, 3);
    assert.equal(await page.evaluate(() => heard.filter(({ id }) => id === 1 || id === 2).length), 0);
    await page.context().close();
  });

  test("beyond sixty a second are dropped, with one error", async () => {
    const page = await embed("");
    // However long they take: to the frame's clock, all of them arrive at once.
    await page.figure.evaluate(() => {
      const now = performance.now();
      performance.now = () => now;
      window.pass = (ms) => (performance.now = () => now + ms);
    });
    await page.evaluate(() => {
      for (let id = 0; id < 500; id++) say({ posenc: 1, id, type: "get" });
    });
    const answers = () =>
      page.evaluate(() =>
        heard
          .filter(({ id }) => typeof id === "number")
          .map(({ type }) => type)
          .sort(),
      );
    await page.waitForFunction(() => heard.filter(({ id }) => typeof id === "number").length > 60);
    await page.figure.evaluate(() => window.pass(1000));
    assert.equal((await ask(page, { type: "get" })).type, "state");
    assert.deepEqual(await answers(), ["error", ...Array(60).fill("state")]);
    await page.context().close();
  });

  test("reach a sandboxed frame, which has no origin", async () => {
    const page = await embed("#view=order&hide=*", { attributes: `sandbox="allow-scripts"` });
    assert.equal((await ask(page, { type: "set", state: { pe: true } })).state.pe, true);
    assert.ok((await settled(page)) > 100);
    const { data } = await page.evaluate(async () => ({
      data: (await ask({ type: "export", format: "png" })).data.byteLength,
    }));
    assert.ok(data > 1000);
    await noProblems(page);
    await page.context().close();
  });
});

describe("changes", () => {
  /** Runs in the frame's page: sets consecutive values of k, `each` per frame, for `frames` frames. */
  const turn = (page, { frames, each }) =>
    page.figure.evaluate(
      async ({ frames, each }) => {
        const figure = document.querySelector(".alone > pe-figure");
        const box = document.querySelector("#posenc input[type=number][name=k]");
        const set = (k) => {
          if (figure) return figure.setState({ k });
          box.value = k;
          box.dispatchEvent(new Event("input", { bubbles: true }));
        };
        let k = 0;
        for (let frame = 0; frame < frames; frame++) {
          // However long it takes: a change has a frame of its own.
          await work.frame();
          for (let n = 0; n < each; n++) set(++k % 60);
        }
        return k % 60;
      },
      { frames, each },
    );
  const changes = (page) =>
    page.evaluate(() => heard.filter(({ type }) => type === "change").map(({ state }) => state.k));
  const last = (page, k) =>
    page.waitForFunction((k) => heard.findLast(({ type }) => type === "change")?.state.k === k, k);

  for (const hash of ["", "#view=rotation", "#view=formula&hide=*", "#view=shift-matrix", "#view=compose"]) {
    test(`are told of, every one of them, at most once a frame: ${hash || "the bench"}`, async () => {
      const page = await embed(hash, { style: "width: 1100px; height: 700px" });
      // Starts after the changes that follow the start have been reported.
      await ask(page, { type: "set", state: { k: 59 } });
      await last(page, 59);
      await page.evaluate(() => (heard.length = 0));
      await last(page, await turn(page, { frames: 40, each: 1 })).catch(() => {});
      assert.deepEqual(
        await changes(page),
        Array.from({ length: 40 }, (_, n) => n + 1),
      );
      await page.evaluate(() => (heard.length = 0));
      const end = await turn(page, { frames: 10, each: 7 });
      await last(page, end);
      const { length } = await changes(page);
      assert.ok(length <= 11, `${length} in 10 frames`);
      await noProblems(page);
      await page.context().close();
    });
  }

  test("of a drag are told while it lasts, its end too", async () => {
    const page = await embed("#view=rotation", { style: "width: 1100px; height: 700px" });
    await page.evaluate(() => (heard.length = 0));
    const slider = await page.figure.locator("input[type=range][name=k]").boundingBox();
    const y = slider.y + slider.height / 2;
    await page.mouse.move(slider.x + slider.width * 0.5, y);
    await page.mouse.down();
    for (let n = 1; n <= 30; n++) await page.mouse.move(slider.x + slider.width * (0.5 + n / 70), y);
    await page.mouse.up();
    const k = await page.figure.locator("input[type=number][name=k]").inputValue();
    await last(page, Number(k));
    assert.ok(new Set(await changes(page)).size >= 8, `${await changes(page)}`);
    await page.context().close();
  });
});

describe("another view", () => {
  /** Whether the shown view has been drawn. */
  const isThere = () => document.querySelector(".alone > pe-figure")?.hasAttribute("data-mounted") ?? true;

  test("has been drawn when it is done, and can be saved at once", { timeout: TEST_TIMEOUT_MS }, async () => {
    const page = await embed("#view=heatmap");
    for (const view of ["waves", "order", "rotation", "shift-matrix", "compose", "heatmap", "bench"]) {
      const done = await ask(page, { type: "set", state: { view } });
      assert.deepEqual([done.type, done.state.view], ["done", view]);
      assert.ok(await page.figure.evaluate(isThere), `${view} is there`);
      for (const format of ["png", "svg"]) {
        const { type, message } = await ask(page, { type: "export", format });
        assert.equal(type, "file", `${view}: ${message}`);
      }
    }
    // Also without waiting for the answer to `set`.
    for (const view of ["waves", "order", "rotation"]) {
      const answers = await page.evaluate(
        (view) =>
          Promise.all([ask({ type: "set", state: { view } }), ask({ type: "export", format: "png", scale: 1 })]).then(
            (answers) => answers.map(({ type, message }) => message ?? type),
          ),
        view,
      );
      assert.deepEqual(answers, ["done", "file"], view);
    }
    await noProblems(page);
    await page.context().close();
  });

  test("is there when the frame says that it is ready", async () => {
    for (const hash of ["#view=order", "#view=waves"]) {
      const page = await embed(hash);
      assert.ok(await page.figure.evaluate(isThere), hash);
      await page.context().close();
    }
  });

  test("is done, too, in a frame that is not drawn", async () => {
    const page = await embed("#view=heatmap", { body: `<div style="height: 5000px"></div>` });
    await page.evaluate(() => (document.getElementById("frame").style.display = "none"));
    const { type, state } = await ask(page, { type: "set", state: { view: "waves", k: 4 } });
    assert.deepEqual([type, state.view, state.k], ["done", "waves", 4]);
    await page.context().close();
  });
});

describe("where the clipboard is refused", () => {
  const selected = (field) => field.evaluate((e) => [e.value, e.value.slice(e.selectionStart, e.selectionEnd)]);

  test("the bench and a figure show what is to be copied, selected", async () => {
    const page = await embed("#k=5", { style: "width: 1100px; height: 700px" });
    await press(page.figure.locator("[data-action=link]"));
    const [link, marked] = await selected(page.figure.locator("[data-notice] input:focus"));
    assert.match(link, /#k=5$/);
    assert.equal(marked, link);
    await ask(page, { type: "set", state: { view: "code" } });
    await openMenu(page.figure.locator(".alone pe-figure"));
    for (const [button, words] of [
      ["[data-act=link]", /#view=code/],
      ["[data-do=copy]", /import torch/],
    ]) {
      await page.figure.locator(button).first().click();
      const field = page.figure.locator(".by-hand-copy:focus");
      const [text, marked] = await selected(field);
      assert.match(text, words);
      assert.equal(marked, text);
      await page.figure.evaluate(() => document.activeElement.shadowRoot.activeElement.blur());
      await page.figure.waitForFunction(
        () => !document.querySelector(".alone pe-figure").shadowRoot.querySelector(".by-hand-copy"),
      );
    }
    await page.context().close();
  });
});

describe("a message is done", () => {
  for (const [hash, message] of [
    ["", { type: "step" }],
    ["", { type: "set", state: { pos: 40, pair: 9 } }],
    ["#view=rotation", { type: "set", state: { k: -9 } }],
    ["#view=heatmap", { type: "set", state: { colour: "phase" } }],
    ["#view=helix", { type: "set", state: { from: "side" } }],
  ])
    test(`when its picture is there: ${hash} ${JSON.stringify(message)}`, { timeout: TEST_TIMEOUT_MS }, async () => {
      // A page of the same origin sees the frame as it is when the message comes.
      const page = await open(tools.browser, tools.site.url);
      const [before, done, later] = await page.evaluate(
        async ([hash, message]) => {
          const frame = document.createElement("iframe");
          frame.style = "position: fixed; inset: 0; width: 900px; height: 700px";
          const heard = (type) =>
            new Promise((resolve) => {
              const listener = ({ source, data }) => {
                if (source !== frame.contentWindow || data?.type !== type) return;
                removeEventListener("message", listener);
                resolve(look());
              };
              addEventListener("message", listener);
            });
          const look = () => {
            const { document } = frame.contentWindow;
            const root = document.querySelector(".alone > pe-figure")?.shadowRoot ?? document;
            return [...root.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()).join();
          };
          const rest = () => work.until(() => frame.contentWindow.work.pending(500).length === 0, "the frame to rest");
          frame.src = `${location.pathname}${hash}`;
          document.body.append(frame);
          await heard("ready");
          await rest();
          const before = look();
          const done = heard("done");
          frame.contentWindow.postMessage({ posenc: 1, ...message });
          const then = await done;
          await rest();
          return [before, then, look()];
        },
        [hash, message],
      );
      assert.notEqual(done, before);
      assert.equal(done, later);
      await page.context().close();
    });
});

describe("random messages", () => {
  test("leave the figure working", { timeout: TEST_TIMEOUT_MS }, async (t) => {
    const seed = Number(process.env.SEED ?? (LONG ? Math.floor(Math.random() * 2 ** 31) : 7));
    t.diagnostic(`SEED=${seed}`);
    const page = await embed("#view=rotation", { body: `<iframe id="sibling" srcdoc="<p>Sibling</p>"></iframe>` });
    // A frame with a process of its own has its own DevTools session.
    const context = page.context();
    const session = await context.newCDPSession(page.figure).catch(() => context.newCDPSession(page));
    const count = async () => {
      const heap = await page.figure.evaluate(
        async () => (await (await import("./core/posenc.js")).default()).memory.buffer.byteLength,
      );
      return { ...(await kept(session)), heap };
    };
    // The page answers sixty messages a second of its clock, which goes faster and can be put forward.
    await page.figure.evaluate(() => {
      const now = performance.now.bind(performance);
      window.later = 0;
      performance.now = () => 10 * now() + window.later;
    });
    const rain = (seed, number) =>
      page.evaluate(
        async ({ seed, number }) => {
          let bits = seed | 0;
          const random = () => {
            bits = (bits + 0x6d2b79f5) | 0;
            let t = Math.imul(bits ^ (bits >>> 15), 1 | bits);
            t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
            return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
          };
          const pick = (list) => list[Math.floor(random() * list.length)];
          const deep = () => {
            let value = 1;
            for (let n = 0; n < 2000; n++) value = random() < 0.5 ? [value] : { state: value };
            return value;
          };
          const round = () => {
            const value = {};
            value.state = value;
            return value;
          };
          const values = [
            () => 0,
            () => -1,
            () => NaN,
            () => Infinity,
            () => 1e300,
            () => 7,
            () => 2.5,
            () => true,
            () => null,
            () => undefined,
            () => 10n,
            () => "",
            () => "3",
            () => "<img src=x onerror=alert(1)>",
            () => "x".repeat(50_000),
            () => "__proto__",
            () => new Date(),
            () => new Map([[1, 2]]),
            () => [],
            () => [1, [2]],
            deep,
            round,
            () => new Uint8Array(1000),
            () => new ArrayBuffer(10),
            () => JSON.parse(`{"__proto__": {"k": 1}}`),
            () => ({ k: 1 }),
          ];
          const value = () => pick(values)();
          const names = [
            "k",
            "pos",
            "d_model",
            "max_len",
            "pair",
            "view",
            "hide",
            "lang",
            "theme",
            "positions",
            "__proto__",
            "constructor",
            "toString",
            "dModel",
            "pe",
            "x",
          ];
          const views = [
            "bench",
            "heatmap",
            "waves",
            "rotation",
            "formula",
            "order",
            "compose",
            "code",
            "quiz",
            "nowhere",
          ];
          const state = () => {
            const state = JSON.parse(random() < 0.1 ? `{"__proto__": 5}` : "{}");
            for (let n = random() * 5; n > 0; n--) {
              const name = pick(names);
              // A size that does not increase memory.
              if (["d_model", "dModel", "max_len"].includes(name)) state[name] = Math.round(random() * 400);
              else
                state[name] =
                  name === "view"
                    ? pick(views)
                    : random() < 0.6
                      ? pick([Math.round(random() * 4000), "zh", "en", "dark", "*", "", "5-9"])
                      : value();
            }
            return state;
          };
          const message = () => {
            if (random() < 0.1) return value();
            const message = { posenc: random() < 0.9 ? 1 : value() };
            if (random() < 0.8) message.id = random() < 0.9 ? Math.floor(random() * 1e6) : value();
            message.type =
              random() < 0.9 ? pick(["get", "set", "set", "set", "reset", "play", "pause", "step", "export"]) : value();
            if (message.type === "set") message.state = random() < 0.8 ? state() : value();
            if (random() < 0.3)
              message[pick(["state", "by", "format", "scale", "dtype", "__proto__", "html", "x"])] = value();
            if (message.type === "export") message.format = pick(["png", "svg", "csv", "npy", "exe"]);
            return message;
          };
          const sibling = document.getElementById("sibling").contentWindow;
          sibling.eval(
            `window.say = (message) => parent.document.getElementById("frame").contentWindow.postMessage(message, "*")`,
          );
          for (let n = 0; n < number; n++) {
            (random() < 0.15 ? sibling.say : say)(message());
            // Slowly enough for many of them to be answered, in bursts of which some are dropped.
            if (n % 50 === 0) await work.frames(1);
            heard.length = Math.min(heard.length, 50);
          }
        },
        { seed, number },
      );
    const rest = async () => {
      await page.figure.waitForFunction(() => document.documentElement.dataset.posenc === "ready");
      await page.figure.evaluate(() => (window.later += 10_000));
      await ask(page, { type: "pause" });
      await ask(page, { type: "set", state: { view: "rotation", lang: "en", theme: "light", hide: "" } });
      await ask(page, { type: "reset" });
      await settle(page.figure, 1000);
    };
    // The messages may ask for the translation, which stays.
    await ask(page, { type: "set", state: { lang: "zh" } });
    await page.figure.waitForFunction(() => document.documentElement.dataset.translation === "loaded");
    await rain(seed, LONG ? 1500 : 500);
    await rest();
    const few = await count();
    await rain(seed + 1, LONG ? 10_000 : 1500);
    await rest();
    const many = await count();
    t.diagnostic(JSON.stringify({ few, many }));
    assert.ok(many.nodes <= few.nodes + 300, "nodes");
    assert.ok(many.listeners <= few.listeners + 20, "listeners");
    assert.ok(many.heap <= few.heap + 16_000_000, "memory");
    assert.equal(await page.figure.evaluate(() => document.documentElement.dataset.posenc), "ready");
    assert.equal((await ask(page, { type: "set", state: { k: 4 } })).state.k, 4);
    assert.equal(await page.figure.locator("img").count(), 0);
    assert.equal(await page.figure.evaluate(() => ({}).k), undefined);
    await noProblems(page);
    await page.context().close();
  });
});
