// The save dialog: the picture as PNG, SVG or animation, and its table as CSV or NPY.
import { arrived } from "../core/figures.mjs";
import { loadFigures, tableOptions, TableFile } from "../posenc.js";
import { download, el, formatSize, openDialog } from "./dialog.mjs";
import { animationForm, recordAnimation } from "./moving.mjs";
import { bench, lang as pageLang, pictures } from "./target.mjs";
import { SAVE, VIEWS, say } from "./words.mjs";

/** The size of a file in bytes: for npy without the header; for csv an estimate of 14 bytes per number. */
function sizeOf({ dModel, maxLen, dtype }, format) {
  const cells = dModel * maxLen;
  if (format === "npy") return cells * (dtype === "float64" ? 8 : 4);
  return cells * 14;
}

export function open(target) {
  // Pressed again before this module had loaded.
  if (document.querySelector("dialog.kit")) return undefined;
  const lang = pageLang();
  const state = target.state;
  const busy = el("div", { className: "kit-row", role: "status" });
  /** Cancels the file in progress; undefined if there is none. */
  let making;

  const report = (...what) => busy.replaceChildren(...what);

  /** Writes one file at a time; the dialog remains usable in the meantime. */
  async function save(name, make) {
    if (making) return;
    making = new AbortController();
    try {
      download(await make(making.signal), name);
      report(say(SAVE.done, { name }));
    } catch (error) {
      report(error.name === "AbortError" ? say(SAVE.cancelled) : say(SAVE.failed, { why: error.message }));
    } finally {
      making = undefined;
    }
  }

  /**
   * Returns a progress bar with this many parts; `show` displays it in the dialog, with the name of the file, a cancel
   * button and `more`.
   */
  function progress(name, parts, ...more) {
    const words = say(SAVE.saving, { name });
    const bar = el("progress", { max: parts, value: 0, "aria-label": words });
    const stop = el("button", { type: "button", textContent: say(SAVE.cancel), onclick: () => making?.abort() });
    return { bar, show: () => report(el("span", { textContent: words }), bar, stop, ...more) };
  }

  const file = (words, note, work) =>
    el("button", { type: "button", className: "kit-file", onclick: work }, words, el("small", { textContent: note }));

  // The picture.
  const view = el("select", { "aria-label": say(SAVE.which) });
  const chosen = () => (target === bench ? { view: view.value } : {});
  const shown = () => (target === bench ? view.value : state.view);
  const nameOf = () => `posenc-${shown()}`;
  const row = el("div", { className: "kit-row" });
  if (target === bench) {
    const all = pictures.includes(state.view) ? [state.view] : pictures;
    view.append(...all.map((value) => el("option", { value, textContent: say(VIEWS[value]) })));
    row.append(view);
  }
  async function picture() {
    let image;
    try {
      image = await createImageBitmap(await target.toBlob({ scale: 1, ...chosen() }));
    } catch {
      return [el("p", { textContent: say(SAVE.noPicture) })];
    }
    const png = [1, 2, 4].map((scale) => {
      const note = say(SAVE.png, { width: scale * image.width, height: scale * image.height });
      return file(`PNG ${scale}×`, note, () =>
        save(`${nameOf()}@${scale}x.png`, () => target.toBlob({ scale, ...chosen() })),
      );
    });
    const svg = file("SVG", say(SAVE.svg), () =>
      save(`${nameOf()}.svg`, async () => new Blob([await target.toSVG(chosen())], { type: "image/svg+xml" })),
    );
    return [...png, svg];
  }
  const files = el("div", { className: "kit-row" });
  const films = el("div");
  const refill = async () => {
    films.replaceChildren(
      el("h3", { textContent: say(SAVE.moving) }),
      ...animationForm(target, shown(), (name, parts, wish) =>
        save(name, (signal) => {
          const preview = el("div", { className: "kit-film", "aria-hidden": "true" });
          const { bar, show } = progress(name, parts, preview);
          show();
          preview.scrollIntoView({ block: "nearest" });
          return recordAnimation(target, shown(), wish, { box: preview, report: (done) => (bar.value = done), signal });
        }),
      ),
    );
    const made = await picture();
    files.replaceChildren(...made);
    films.hidden = made.length === 1;
  };
  view.onchange = refill;
  refill();

  // The table.
  async function write(name, options, format, signal) {
    await loadFigures();
    const table = new TableFile(options, format);
    try {
      const { bar, show } = progress(name, table.rows);
      const parts = [];
      let rows = 0;
      // Slices of about a megabyte, as many as fit into a frame; then control returns to the page.
      const slice = Math.max(1, Math.floor(1_000_000 / (options.dModel * 14)));
      const begun = performance.now();
      for (let turn = performance.now(); ; ) {
        const part = table.next(slice);
        if (!part) break;
        parts.push(part);
        rows += slice;
        if (performance.now() - turn > 12) {
          bar.value = Math.min(rows, table.rows);
          if (!bar.isConnected && performance.now() - begun > 300) show();
          await new Promise((resolve) => setTimeout(resolve));
          turn = performance.now();
        }
        signal.throwIfAborted();
      }
      return new Blob(parts, { type: format === "csv" ? "text/csv" : "application/octet-stream" });
    } finally {
      table.free();
    }
  }
  const formats = (one) =>
    el(
      "div",
      { className: "kit-row" },
      one("CSV", "csv", "float32", say(SAVE.csv)),
      one("NPY f32", "npy", "float32", say(SAVE.npy32)),
      one("NPY f64", "npy", "float64", say(SAVE.npy64)),
    );
  /** A figure that learns a table saves its current values when a button is pressed; the table is small. */
  function learned() {
    try {
      target.toCSV();
    } catch {
      return undefined;
    }
    const one = (words, format, dtype, note) => {
      const name = `posenc-${state.view}${dtype === "float64" ? "-f64" : ""}.${format}`;
      const make = () =>
        format === "csv" ? new Blob([target.toCSV({ dtype })], { type: "text/csv" }) : target.toNPY({ dtype });
      return file(words, note, () => save(name, make));
    };
    return [el("p", { className: "kit-note", textContent: say(SAVE.learned) }), formats(one)];
  }
  function tables() {
    let options;
    try {
      options = tableOptions(state);
    } catch {
      return learned() ?? [el("p", { textContent: say(SAVE.noTable) })];
    }
    try {
      // A formula defines a table of any size; other encodings throw if they have none.
      if (options.encoding !== "sinusoidal") new TableFile(options, "npy").free();
    } catch {
      return [el("p", { textContent: say(SAVE.noTableHere) })];
    }
    const { dModel, maxLen } = options;
    const number = new Intl.NumberFormat(lang);
    const one = (words, format, dtype, note) => {
      const all = { ...options, dtype };
      const bytes = sizeOf(all, format);
      const large = bytes > 2 ** 29;
      const said = large
        ? say(SAVE.tooLarge, { size: formatSize(bytes, lang) })
        : `${format === "csv" ? say(SAVE.about, { size: formatSize(bytes, lang) }) : formatSize(bytes, lang)} · ${note}`;
      const name = `posenc-${maxLen}x${dModel}${dtype === "float64" ? "-f64" : ""}.${format}`;
      const button = file(words, said, () => save(name, (signal) => write(name, all, format, signal)));
      button.disabled = large;
      return button;
    };
    return [
      el("p", {
        className: "kit-note",
        textContent: say(SAVE.rows, { positions: number.format(maxLen), dimensions: number.format(dModel) }),
      }),
      formats(one),
    ];
  }

  /** The measurements recorded during training, up to the moment when the button is pressed. */
  function measurements() {
    try {
      if (!target.measurements?.()) return [];
    } catch {
      return [];
    }
    const name = `posenc-${state.view}-measurements.csv`;
    const make = () => new Blob([target.measurements()], { type: "text/csv" });
    return [
      el("h3", { textContent: say(SAVE.measurements) }),
      el(
        "div",
        { className: "kit-row" },
        file("CSV", say(SAVE.measured), () => save(name, make)),
      ),
    ];
  }

  const table = el("div", { style: "display: contents" }, ...tables());
  // The code that computes the table may not be loaded yet.
  if (!arrived())
    loadFigures()
      .then(() => table.replaceChildren(...tables()))
      .catch(() => {});
  const box = openDialog(
    { title: say(SAVE.title), close: say(SAVE.close), lang },
    el("h3", { textContent: say(SAVE.picture) }),
    row,
    files,
    films,
    el("h3", { textContent: say(SAVE.table) }),
    table,
    ...measurements(),
    busy,
  );
  box.addEventListener("close", () => making?.abort());
  return box;
}
