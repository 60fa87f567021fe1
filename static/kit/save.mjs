// Saves what is shown: the picture as PNG or SVG, the table behind it as CSV or NPY.
import { tableOptions, TableFile } from "../posenc.js";
import { dialog, download, el, size } from "./dialog.mjs";
import { bench, lang as pageLang, pictures } from "./target.mjs";

const texts = {
  en: {
    title: "Save",
    close: "Close",
    picture: "Picture",
    which: "Which",
    views: { heatmap: "Heatmap", waves: "Waves", rotation: "Rotation" },
    png: (width, height) => `${width} × ${height} pixels`,
    svg: "lines and real text, for print",
    noPicture: "This figure has no picture.",
    table: "Table",
    learned: "The table as it has been learned so far.",
    rows: (positions, dimensions) =>
      `The encoding of ${positions} positions in ${dimensions} dimensions, whichever part of it is shown.`,
    csv: "text, for spreadsheets",
    npy32: "32-bit floats, numpy.load",
    npy64: "64-bit floats, numpy.load",
    noTable: "This figure is not about one table.",
    noTableHere: "This encoding has no table, or one too large to be stored here.",
    about: (size) => `about ${size}`,
    tooLarge: (size) => `${size}: a browser is asked for 512 MB at most. The command line has no limit.`,
    saving: (name) => `Writing ${name}`,
    cancel: "Cancel",
    cancelled: "Cancelled.",
    done: (name) =>
      `${name} is written. If nothing was saved, this page is shown inside another one that does not allow downloads: open it by itself.`,
    failed: (why) => `That did not work: ${why}`,
  },
  zh: {
    title: "保存",
    close: "关闭",
    picture: "图",
    which: "哪一幅",
    views: { heatmap: "热力图", waves: "波形", rotation: "旋转" },
    png: (width, height) => `${width} × ${height} 像素`,
    svg: "矢量线条与真实文字，适合印刷",
    noPicture: "这个图示没有画面。",
    table: "数据表",
    learned: "目前学到的表。",
    rows: (positions, dimensions) => `${positions} 个位置、${dimensions} 个维度的完整编码，与当前显示的局部无关。`,
    csv: "文本，可用电子表格打开",
    npy32: "32 位浮点数，用 numpy.load 读取",
    npy64: "64 位浮点数，用 numpy.load 读取",
    noTable: "这个图示讲的不是一张表。",
    noTableHere: "这种编码没有表，或者表太大，这里存不下。",
    about: (size) => `约 ${size}`,
    tooLarge: (size) => `${size}：在浏览器中最多写 512 MB，命令行没有这个限制。`,
    saving: (name) => `正在写入 ${name}`,
    cancel: "取消",
    cancelled: "已取消。",
    done: (name) => `${name} 已写好。如果没有保存下来，说明本页嵌在不允许下载的页面里，请单独打开本页。`,
    failed: (why) => `未能完成：${why}`,
  },
};

/** How large a file would be, in bytes. Exact for npy; for csv as an estimate from above. */
function sizeOf({ dModel, maxLen, dtype }, format) {
  const cells = dModel * maxLen;
  if (format === "npy") return cells * (dtype === "float64" ? 8 : 4);
  return cells * 14;
}

export function open(target) {
  const lang = pageLang();
  const t = texts[lang];
  const state = target.state;
  const busy = el("div", { className: "kit-row", role: "status" });
  let cancelled = false;
  let working = false;

  const say = (...what) => busy.replaceChildren(...what);

  /** One file at a time; the dialog stays in use while it is written. */
  async function save(name, make) {
    if (working) return;
    working = true;
    cancelled = false;
    try {
      const blob = await make(name);
      if (!blob) return say(t.cancelled);
      download(blob, name);
      say(t.done(name));
    } catch (error) {
      say(t.failed(error.message));
    } finally {
      working = false;
    }
  }

  const file = (words, note, work) =>
    el("button", { type: "button", className: "kit-file", onclick: work }, words, el("small", { textContent: note }));

  // The picture.
  const view = el("select", { "aria-label": t.which });
  const chosen = () => (target === bench ? { view: view.value } : {});
  const nameOf = () => `posenc-${target === bench ? view.value : state.view}`;
  const row = el("div", { className: "kit-row" });
  if (target === bench) {
    const shown = pictures.includes(state.view) ? [state.view] : pictures;
    view.append(...shown.map((value) => el("option", { value, textContent: t.views[value] })));
    row.append(view);
  }
  async function picture() {
    let image;
    try {
      image = await createImageBitmap(await target.toBlob({ scale: 1, ...chosen() }));
    } catch {
      return [el("p", { textContent: t.noPicture })];
    }
    const png = [1, 2, 4].map((scale) => {
      const note = t.png(scale * image.width, scale * image.height);
      return file(`PNG ${scale}×`, note, () =>
        save(`${nameOf()}@${scale}x.png`, () => target.toBlob({ scale, ...chosen() })),
      );
    });
    const svg = file("SVG", t.svg, () =>
      save(`${nameOf()}.svg`, async () => new Blob([await target.toSVG(chosen())], { type: "image/svg+xml" })),
    );
    return [...png, svg];
  }
  const files = el("div", { className: "kit-row" });
  const refill = async () => files.replaceChildren(...(await picture()));
  view.onchange = refill;
  refill();

  // The table.
  async function write(name, options, format) {
    const table = new TableFile(options, format);
    try {
      const bar = el("progress", { max: table.rows, value: 0, "aria-label": t.saving(name) });
      const stop = el("button", { type: "button", textContent: t.cancel, onclick: () => (cancelled = true) });
      const parts = [];
      let rows = 0;
      // About a megabyte at a time, as many as fit into a frame; then the page has its turn.
      const slice = Math.max(1, Math.floor(1_000_000 / (options.dModel * 14)));
      const begun = performance.now();
      for (let turn = performance.now(); ; ) {
        const part = table.next(slice);
        if (!part) break;
        parts.push(part);
        rows += slice;
        if (performance.now() - turn > 12) {
          bar.value = Math.min(rows, table.rows);
          if (!bar.isConnected && performance.now() - begun > 300)
            say(el("span", { textContent: t.saving(name) }), bar, stop);
          await new Promise((resolve) => setTimeout(resolve));
          turn = performance.now();
        }
        if (cancelled) return undefined;
      }
      return new Blob(parts, { type: format === "csv" ? "text/csv" : "application/octet-stream" });
    } finally {
      table.free();
    }
  }
  /** A figure that learns a table gives it as it stands when a button is pressed; it is small. */
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
    const buttons = [
      one("CSV", "csv", "float32", t.csv),
      one("NPY f32", "npy", "float32", t.npy32),
      one("NPY f64", "npy", "float64", t.npy64),
    ];
    return [
      el("p", { className: "kit-note", textContent: t.learned }),
      el("div", { className: "kit-row" }, ...buttons),
    ];
  }
  function tables() {
    let options;
    try {
      options = tableOptions(state);
    } catch {
      return learned() ?? [el("p", { textContent: t.noTable })];
    }
    try {
      // A formula makes a table of any size; whether others have one, they say themselves.
      if (options.encoding !== "sinusoidal") new TableFile(options, "npy").free();
    } catch {
      return [el("p", { textContent: t.noTableHere })];
    }
    const { dModel, maxLen } = options;
    const number = new Intl.NumberFormat(lang);
    const one = (words, format, dtype, note) => {
      const all = { ...options, dtype };
      const bytes = sizeOf(all, format);
      const large = bytes > 2 ** 29;
      const said = large
        ? t.tooLarge(size(bytes, lang))
        : `${format === "csv" ? t.about(size(bytes, lang)) : size(bytes, lang)} · ${note}`;
      const name = `posenc-${maxLen}x${dModel}${dtype === "float64" ? "-f64" : ""}.${format}`;
      const button = file(words, said, () => save(name, () => write(name, all, format)));
      button.disabled = large;
      return button;
    };
    return [
      el("p", { className: "kit-note", textContent: t.rows(number.format(maxLen), number.format(dModel)) }),
      el(
        "div",
        { className: "kit-row" },
        one("CSV", "csv", "float32", t.csv),
        one("NPY f32", "npy", "float32", t.npy32),
        one("NPY f64", "npy", "float64", t.npy64),
      ),
    ];
  }

  const box = dialog(
    { title: t.title, close: t.close, lang },
    el("h3", { textContent: t.picture }),
    row,
    files,
    el("h3", { textContent: t.table }),
    ...tables(),
    busy,
  );
  box.addEventListener("close", () => (cancelled = true));
  return box;
}
