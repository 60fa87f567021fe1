// The notebook of examples/jupyter in JupyterLab, with a kernel and the real anywidget: changes by the user reach Python,
// and values set in Python reach the figure.
import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { installWheel, isLeftOut, startServer } from "./notebooks.mjs";
import { dist } from "./serve.mjs";
import { TEST_TIMEOUT_MS, until as waitUntil } from "./wait.mjs";

/** Milliseconds after which a key that had no effect is pressed again. */
const AGAIN = 3000;
const examples = fileURLToPath(new URL("../../examples/jupyter", import.meta.url));
const cell = (source) => ({
  cell_type: "code",
  id: source.replace(/\W/g, "").slice(0, 40),
  metadata: {},
  execution_count: null,
  outputs: [],
  source,
});

/** Starts JupyterLab in `folder`, which also holds its own files. */
async function lab(folder) {
  const settings = join(folder, "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings");
  await mkdir(dirname(settings), { recursive: true });
  await writeFile(settings, `{ "fetchNews": "false", "checkForUpdates": false }`);
  const home = join(folder, "home");
  const args = [
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--port=0",
    "--IdentityProvider.token=",
    "--ServerApp.password=",
    `--ServerApp.root_dir=${join(folder, "notes")}`,
  ];
  const env = {
    ...process.env,
    HOME: home,
    PYTHONPATH: join(folder, "packages"),
    IPYTHONDIR: home,
    JUPYTER_CONFIG_DIR: home,
    JUPYTER_DATA_DIR: home,
    JUPYTER_RUNTIME_DIR: home,
    JUPYTERLAB_SETTINGS_DIR: join(folder, "settings"),
  };
  return startServer("jupyter-lab", args, { cwd: folder, env }, /http:\/\/127\.0\.0\.1:\d+(?=\/lab)/);
}

test("a figure in JupyterLab is Python's, too", {
  timeout: TEST_TIMEOUT_MS,
  skip: isLeftOut,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "posenc-"));
  await mkdir(join(folder, "notes"));
  const notebook = JSON.parse(await readFile(join(examples, "figure.ipynb"), "utf8"));
  const given = notebook.cells.length;
  const tell = "import json; print(json.dumps([figure.view, figure.state]))";
  notebook.cells.push(
    cell(tell),
    cell(`figure.state = {"k": 99999999}`),
    cell(`figure.state = {"weather": 1}`),
    cell(`figure.view = "waves"`),
    cell(`figure.theme = "dark"; figure.lang = "zh"`),
    // The figure function of the wheel.
    cell(`import posenc\nown = posenc.figure("clocks", d_model=16, k=2)\nown`),
    cell(`print(json.dumps([posenc.__version__, own.state["k"], [float(v) for v in posenc.encode(2, 1)[0]]]))`),
    // An object with detach(), cpu() and numpy(), like a tensor of torch; torch itself is not installed here.
    cell(`import numpy, types
pe = numpy.array(posenc.encode(16, 64), dtype="float32")
pe[7, 4] += 0.25
tensor = types.SimpleNamespace(dtype="torch.float32", detach=lambda: tensor, cpu=lambda: tensor, numpy=lambda: pe)
looked = posenc.inspect(tensor, "pe", lang="en")
looked`),
    cell(`import io
print(json.dumps([looked.view, looked.filename, bool((numpy.load(io.BytesIO(looked.file)) == pe).all())]))`),
  );
  await writeFile(join(folder, "notes/figure.ipynb"), JSON.stringify(notebook));
  await copyFile(join(examples, "posenc_widget.py"), join(folder, "notes/posenc_widget.py"));
  await copyFile(join(dist, "posenc-inline.js"), join(folder, "notes/posenc-inline.js"));
  await installWheel(folder);
  const server = await lab(folder);
  const browser = await launch();
  try {
    // High enough for all cells to be on the page.
    const page = await browser.newPage({ viewport: { width: 1280, height: 2400 }, locale: "en-GB" });
    const problems = [];
    page.on("console", (m) => /^posenc:|^\[anywidget\]/.test(m.text()) && problems.push(m.text()));
    // anywidget gives a model two seconds; a figure that takes longer to load is still shown.
    const late = "[anywidget] Failed to initialize model.";
    // On a busy computer JupyterLab connects to the kernel a second time and cancels its requests on the first connection.
    const forgotten = /^Error: Canceled future for create_subshell_request message before replies were done$/;
    page.on("pageerror", ({ message }) => {
      if (message !== late && !forgotten.test(message)) problems.push(message);
    });
    page.on(
      "request",
      (r) => /^https?:/.test(r.url()) && !r.url().startsWith(server.url) && problems.push(`asked for ${r.url()}`),
    );
    await page.goto(`${server.url}/lab/tree/figure.ipynb`);
    await page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").waitFor();

    /** Runs the nth cell and returns its output. */
    const execute = async (index) => {
      const cell = page.locator(".jp-Notebook .jp-Cell").nth(index);
      const prompt = cell.locator(".jp-InputPrompt");
      const before = await prompt.textContent();
      // A newly opened notebook misses some keys, and on a busy computer JupyterLab asks which kernel to use, because it
      // does not know the notebook's own yet.
      await waitUntil(async () => {
        const accept = page.locator(".jp-Dialog .jp-mod-accept");
        if (await accept.count()) await accept.last().click();
        const clicked = await prompt.click({ timeout: AGAIN }).then(
          () => true,
          () => false,
        );
        if (!clicked) return false;
        await page.keyboard.press("Control+Enter");
        const heard = page.waitForFunction(
          ([prompt, before]) => prompt.textContent !== before,
          [await prompt.elementHandle(), before],
          { timeout: AGAIN },
        );
        return heard.catch(() => false);
      }, `cell ${index} to run`);
      await page.waitForFunction((prompt) => /\[\d+\]/.test(prompt.textContent), await prompt.elementHandle());
      return (await cell.locator(".jp-OutputArea-output").allTextContents()).join("");
    };
    const figure = page.locator("pe-figure").first();
    const state = () => figure.evaluate((figure) => figure.state);
    const until = (condition, value) =>
      page.waitForFunction(
        ([condition, value]) =>
          new Function("state", "value", `return ${condition}`)(
            document.querySelector("pe-figure")?.state ?? {},
            value,
          ),
        [condition, value],
      );
    /** Waits until Python has the value `wanted` for the setting `name`, and returns what it reports. */
    const python = async (name, wanted) => {
      let settings;
      return waitUntil(
        async () => {
          const told = JSON.parse(await execute(given));
          settings = told[1];
          return settings[name] === wanted && told;
        },
        () => `${name}=${wanted} in Python, which has ${settings[name]}`,
      );
    };

    await execute(1);
    await until("state.k === 7");
    const first = { encoding: "sinusoidal", d_model: 64, max_len: 64, k: 7, pos: 10, pair: 4 };
    assert.deepEqual(await state(), { view: "rotation", ...first });
    assert.deepEqual(
      await figure.locator("input[type=number]").evaluateAll((inputs) => inputs.map((input) => input.name)),
      ["k", "pair"],
    );
    assert.deepEqual(await python("k", 7), ["rotation", first], "Python has all settings");

    const range = await figure.locator("input[type=range][name=pair]").boundingBox();
    await page.mouse.move(range.x + range.width * 0.13, range.y + range.height / 2);
    await page.mouse.down();
    for (let step = 1; step <= 10; step++)
      await page.mouse.move(range.x + range.width * (0.13 + 0.05 * step), range.y + range.height / 2);
    await page.mouse.up();
    await waitUntil(async () => (await state()).pair > 10, "the pair to follow the slider");
    const { pair } = await state();
    assert.deepEqual(await python("pair", pair), ["rotation", { ...first, pair }], "what was done by hand");
    assert.match(await execute(2), new RegExp(`'pair': ${pair}\\b`));

    // Elsewhere in JupyterLab, pressing 0 twice restarts the kernel, and d twice deletes the cell.
    const cells = await page.locator(".jp-Notebook .jp-Cell").count();
    await figure.locator("input[type=number][name=k]").fill("");
    await page.keyboard.type("100dd00");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("100");
    await page.keyboard.press("Enter");
    await until("state.k === 100");
    assert.equal(await page.locator(".jp-Dialog").count(), 0);
    assert.equal(await page.locator(".jp-Notebook .jp-Cell").count(), cells);
    await python("k", 100);

    await execute(4);
    await until("state.k === -3 && state.pair === 2 && state.d_model === 64");
    await execute(given + 1);
    await until("state.k === 1048576");
    await python("k", 1048576);
    const alert = page.locator(".jp-OutputArea-output [role=alert]").last();
    assert.equal(await alert.textContent(), "");
    assert.match(await execute(given + 2), /'weather' is no setting of the figure 'rotation'/);
    assert.equal("weather" in (await python("k", 1048576))[1], false);
    await execute(given + 3);
    await until(`state.view === "waves"`);
    assert.equal(await alert.textContent(), "");
    assert.equal((await python("k", 1048576))[0], "waves");
    await execute(given + 4);
    await page.waitForFunction(
      () => document.querySelector("pe-figure").shadowRoot.querySelector(".figure").dataset.theme === "dark",
    );
    assert.equal(await figure.locator(".figure").getAttribute("lang"), "zh");
    await execute(given + 5);
    // The execution of a cell ends before its widget is on the page.
    await page.waitForFunction(() => {
      const own = [...document.querySelectorAll("pe-figure")].find((figure) => figure.state?.d_model === 16);
      return own?.drawn;
    });
    assert.deepEqual(JSON.parse(await execute(given + 6)), ["0.0.0", 2, [0, 1]]);
    await execute(given + 7);
    // The report on the tensor's one wrong cell.
    await page.locator("pe-figure .inspected").getByText("One cell is not what the formula").first().waitFor();
    assert.match(await page.locator("pe-figure .caption").last().textContent(), /^pe\.npy, 64 × 16/);
    assert.deepEqual(JSON.parse(await execute(given + 8)), ["inspect", "pe.npy", true]);
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
