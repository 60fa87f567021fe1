// Chromium, Firefox and WebKit with one interface, controlled through the drivers of their vendors.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, open as openFile, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe } from "node:test";
import { Builder, By, Key } from "selenium-webdriver";
import { leave } from "./remains.mjs";
import { CHROMIUM, desktop, FULL_CHROMIUM_FLAGS, NOWHERE } from "./browser.mjs";
import { CONDITION_TIMEOUT_MS, until, within } from "./wait.mjs";

export { Key };

const { CHROMEDRIVER = "/usr/bin/chromedriver", FIREFOX, GECKODRIVER, WEBKITDRIVER } = process.env;

/** How each engine is started; `files` is its download folder. */
export const engines = {
  chromium: {
    title: "Chromium",
    missing: "",
    driver: (port) => [CHROMEDRIVER, `--port=${port}`],
    capabilities: (files) => ({
      browserName: "chrome",
      "goog:chromeOptions": {
        binary: CHROMIUM,
        args: ["--headless=new", "--no-sandbox", ...FULL_CHROMIUM_FLAGS, "--lang=en-GB"],
        prefs: { "download.default_directory": files },
      },
    }),
  },
  firefox: {
    title: "Firefox",
    missing: FIREFOX && GECKODRIVER ? "" : "FIREFOX and GECKODRIVER may name it and its driver",
    driver: (port) => [GECKODRIVER, `--port=${port}`, "--log=warn"],
    capabilities: (files) => ({
      browserName: "firefox",
      "moz:firefoxOptions": {
        binary: FIREFOX,
        args: ["-headless"],
        // Without these settings Firefox makes network requests of its own.
        prefs: {
          "intl.accept_languages": "en-GB",
          "network.captive-portal-service.enabled": false,
          "browser.download.folderList": 2,
          "browser.download.dir": files,
          // The panel would take the key presses.
          "browser.download.alwaysOpenPanel": false,
        },
      },
    }),
  },
  webkit: {
    title: "WebKitGTK",
    missing: WEBKITDRIVER ? "" : "WEBKITDRIVER may name WebKitWebDriver",
    // It has no headless mode, its sandbox does not start in containers, and with an emulated GPU it draws only twice a
    // second.
    environment: {
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: "1",
    },
    needsScreen: true,
    driver: (port) => [WEBKITDRIVER, `--port=${port}`, "--host=127.0.0.1"],
    capabilities: () => ({ browserName: "MiniBrowser" }),
  },
};

/** Milliseconds after which a driver that does not end its session is killed. */
const GOODBYE = 10_000;
/** The number of characters of a driver's log that are kept. */
const LOG_TAIL = 4000;
/** Frames without drawing after which the page counts as settled. */
const QUIET_FRAMES = 20;

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts an X server on the first free display; several can be started at the same time. */
async function startScreen() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = new Promise((resolve, reject) => {
    server.once("error", reject).once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    let said = "";
    server.stdio[3].on("data", (data) => {
      said += data;
      if (said.includes("\n")) resolve(`:${said.trim()}`);
    });
  });
  try {
    return { display: await within(display, () => "Xvfb to name its display"), close: () => server.kill() };
  } catch (error) {
    server.kill();
    throw error;
  }
}

/**
 * Starts an engine; its downloads go to `driver.files`, `driver.where` is for `record`, and `log()` returns the end of what
 * its driver has written.
 */
export async function start(engine) {
  try {
    return await startOnce(engine);
  } catch (error) {
    // Between the search for a free port and the driver's start another program may have taken it.
    console.error(`started again after: ${error.message}`);
    return startOnce(engine);
  }
}

async function startOnce({ title, driver, capabilities, environment, needsScreen }) {
  const home = await mkdtemp(join(tmpdir(), "posenc-"));
  const files = join(home, "Downloads");
  await mkdir(files);
  // The folder from which WebKit's browser reads its configuration.
  await mkdir(join(home, ".config"));
  await writeFile(join(home, ".config/user-dirs.dirs"), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
  const screen = needsScreen ? await startScreen() : undefined;
  const port = await freePort();
  const [command, ...options] = driver(port);
  const output = await openFile(join(home, "driver.log"), "w");
  const log = async () => (await readFile(join(home, "driver.log"), "utf8").catch(String)).slice(-LOG_TAIL);
  // A process group of its own, so that its child processes end with it.
  const child = spawn(command, options, {
    detached: true,
    stdio: ["ignore", output.fd, output.fd],
    env: {
      ...process.env,
      ...NOWHERE,
      HOME: home,
      TMPDIR: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      ...environment,
      ...(screen && { DISPLAY: screen.display }),
    },
  });
  const failed = new Promise((_, reject) =>
    child.once("error", reject).once("exit", (code) => reject(new Error(`${command} ended with ${code}`))),
  );
  failed.catch(() => {});
  let session;
  const close = async () => {
    // A driver that is still waiting for something answers no other request.
    const late = AbortSignal.timeout(GOODBYE);
    const isLate = new Promise((resolve) => late.addEventListener("abort", resolve));
    await Promise.race([session?.quit().catch(() => {}), isLate]);
    try {
      process.kill(-child.pid);
    } catch {
      // The process has ended already.
    }
    screen?.close();
    await output.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const server = `http://127.0.0.1:${port}`;
    const isUp = () =>
      fetch(`${server}/status`).then(
        async (answer) => answer.ok && (await answer.json()).value.ready,
        () => false,
      );
    await Promise.race([until(isUp, `${command} to answer`), failed]);
    const starting = new Builder()
      .disableEnvironmentOverrides()
      .usingServer(server)
      .withCapabilities({
        ...capabilities(files),
        timeouts: { script: CONDITION_TIMEOUT_MS, pageLoad: CONDITION_TIMEOUT_MS },
      })
      .build();
    session = await within(Promise.race([starting, failed]), () => `${title} to start`);
    limitCommands(session, title);
    const version = (await session.getCapabilities()).getBrowserVersion();
    return { driver: new PageDriver(session, files, { engine: title, version }), log, close };
  } catch (error) {
    error.message += `\n${await log()}`;
    await close();
    throw error;
  }
}

/** Lets commands of a session fail if their driver does not answer; after the first such, all others fail at once. */
function limitCommands(session, title) {
  const execute = session.execute.bind(session);
  let isLost = false;
  session.execute = (command) => {
    if (isLost) return Promise.reject(new Error(`the driver of ${title} answers no more`));
    return within(execute(command), () => {
      isLost = true;
      return `the driver of ${title} to answer ${command.getName()}`;
    });
  };
}

/** The `skip` option of `test` for an engine that may be missing on a developer's computer; in CI all must be present. */
export const skip = ({ title, missing }) => (missing && !process.env.CI ? `${title} is missing: ${missing}` : false);

/** A suite in one engine, started once for it; `tests` gets a function that returns the driver. */
export function inEngine(name, tests) {
  const engine = engines[name];
  describe(`in ${name}`, { skip: skip(engine) }, () => {
    let browser;
    before(async () => {
      assert.equal(engine.missing, "");
      browser = await start(engine);
    });
    afterEach(async (t) => {
      if (!t.error || !browser) return;
      await leave(t.name, "log", await browser.log());
      await leave(t.name, "png", await browser.driver.screenshot().catch(String));
    });
    after(() => browser?.close());
    tests(() => browser.driver);
  });
}

/** User actions on a page, and queries of what is visible. */
export class PageDriver {
  #driver;

  constructor(driver, files, where) {
    this.#driver = driver;
    this.files = files;
    this.where = where;
  }

  /** Sets the size of the viewport. */
  async size({ width, height } = desktop) {
    const window = this.#driver.manage().window();
    const [w, h] = await this.run(() => [innerWidth, innerHeight]);
    if (w === width && h === height) return;
    const outer = await window.getRect();
    await window.setRect({ x: 0, y: 0, width: outer.width + width - w, height: outer.height + height - h });
    await this.until((width, height) => innerWidth === width && innerHeight === height, width, height);
  }

  async goto(url) {
    // Navigation to the same page with another hash would not reload it.
    await this.#driver.get("about:blank");
    await this.#driver.get(url);
  }

  async open(url) {
    await this.goto(url);
    // All that the page loads by itself listens, and no translation is on its way.
    await this.until(() => {
      const { posenc, parts, translation } = document.documentElement.dataset;
      return posenc === "ready" && parts === "started" && translation !== "loading";
    });
  }

  /** Runs a function in the page. */
  run(work, ...values) {
    return this.#driver.executeScript(work, ...values);
  }

  /** Waits until a function in the page returns a truthy value, and returns that value. */
  async until(work, ...values) {
    return until(
      () => this.run(work, ...values),
      () => `${work} with ${JSON.stringify(values)}`,
    );
  }

  /** Waits for this many frames, or for as long as they may take: in a covered window none may come. */
  frames(count) {
    return this.run(async (count) => {
      while (count-- > 0)
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
          setTimeout(resolve, 250);
        });
    }, count);
  }

  /** Waits until every figure near the viewport is built, and nothing more is drawn. */
  async settled() {
    let seen;
    await until(
      async () => {
        seen = await this.run(async (frames) => {
          const drawn = () => performance.getEntriesByName("posenc:frame").at(-1)?.startTime;
          const isMissing = (figure) => {
            const { top, bottom } = figure.getBoundingClientRect();
            const isNear = figure.checkVisibility() && bottom > -innerHeight / 2 && top < 1.5 * innerHeight;
            return isNear && !figure.shadowRoot?.querySelector(".caption")?.textContent;
          };
          const before = drawn();
          for (let passed = 0; passed < frames; passed++)
            await new Promise((resolve) => {
              requestAnimationFrame(resolve);
              setTimeout(resolve, 250);
            });
          const missing = [...document.querySelectorAll("pe-figure")].filter(isMissing).map(({ id }) => id);
          return { draws: drawn() !== before, missing };
        }, QUIET_FRAMES);
        return !seen.draws && !seen.missing.length;
      },
      () => `the page to rest: ${JSON.stringify(seen)}`,
    );
  }

  /** Waits for and returns the element that `path` selects; each `>>` enters a shadow root. */
  find(path) {
    return this.until(
      (path) =>
        path.split(" >> ").reduce((root, selector) => (root?.shadowRoot ?? root)?.querySelector(selector), document),
      path,
    );
  }

  /** The same, scrolled to the middle of the window. */
  async see(path) {
    const element = await this.find(path);
    await this.run((element) => element.scrollIntoView({ block: "center", behavior: "instant" }), element);
    return element;
  }

  async click(path) {
    await this.#driver
      .actions()
      .move({ origin: await this.see(path) })
      .click()
      .perform();
  }

  /**
   * Presses the button, moves and releases, between points given as fractions of the element's width and height from its
   * centre.
   */
  async drag(path, from, to) {
    const origin = await this.see(path);
    const [width, height] = await this.run(
      (element) => [element.getBoundingClientRect().width, element.getBoundingClientRect().height],
      origin,
    );
    const at = ([x, y]) => ({ origin, x: Math.round(x * width), y: Math.round(y * height), duration: 40 });
    const actions = this.#driver.actions().move(at(from)).press();
    for (let step = 1; step <= 4; step++)
      actions.move(at(from.map((start, axis) => start + ((to[axis] - start) * step) / 4)));
    await actions.release().perform();
  }

  async focus(path) {
    await this.run((element) => element.focus(), await this.find(path));
  }

  /** Presses keys in sequence on the focused element. */
  async press(...keys) {
    await this.#driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  /** Types into a box like a user: replaces everything, then presses Enter. */
  async type(path, text) {
    await this.focus(path);
    await this.#driver
      .actions()
      .keyDown(Key.CONTROL)
      .sendKeys("a")
      .keyUp(Key.CONTROL)
      .sendKeys(text, Key.ENTER)
      .perform();
  }

  /** Chooses from a list, which may be in a closed menu. */
  async choose(path, value) {
    const list = await this.find(path);
    await this.run((list) => list.closest("details")?.setAttribute("open", ""), list);
    const select = await this.see(path);
    await select.findElement(By.css(`option[value="${value}"]`)).click();
  }

  /** Switches to a frame, or back to the page. */
  async enter(path) {
    if (!path) return this.#driver.switchTo().defaultContent();
    const frame = await this.find(path);
    await this.run((frame) => frame.scrollIntoView(), frame);
    await this.#driver.switchTo().frame(frame);
  }

  /** Returns the number of colours on a canvas, up to 50, and a checksum of its picture. */
  async look(path) {
    return this.run(
      (canvas) => {
        if (!canvas.width || !canvas.height) return { colours: 0, sum: 0 };
        const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
        const reader = copy.getContext("2d", { willReadFrequently: true });
        reader.drawImage(canvas, 0, 0);
        const colours = new Set();
        let sum = 0;
        new Uint32Array(reader.getImageData(0, 0, canvas.width, canvas.height).data.buffer).forEach((pixel, i) => {
          sum = (Math.imul(sum, 31) + pixel + i) | 0;
          if (colours.size < 50) colours.add(pixel);
        });
        return { colours: colours.size, sum };
      },
      await this.find(path),
    );
  }

  /** Waits until a canvas shows a picture, different from `before` if that is given. */
  async drawn(path, before) {
    let now;
    return until(
      async () => {
        now = await this.look(path);
        return now.colours > 5 && now.sum !== before?.sum && now;
      },
      () => `a picture in ${path}, which has ${now.colours} colours${before ? " and does not change" : ""}`,
    );
  }

  async screenshot() {
    return Buffer.from(await this.#driver.takeScreenshot(), "base64");
  }
}
