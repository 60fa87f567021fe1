// posenc.js in one file together with the WebAssembly. It is also a widget for notebooks: anywidget calls the default export
// and uses the widget that it resolves to; MyST uses the default export directly.
import load from "./posenc.js";

export * from "./posenc.js";

export default async function init(source) {
  await load(source);
  return { render };
}

const words = (settings) => JSON.stringify(Object.entries(settings).sort());

/** The theme of JupyterLab, marimo or VS Code, which have themes of their own; undefined elsewhere. */
function themeOfHost() {
  const { classList, dataset } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "true" ? "light" : "dark";
  return ["light", "dark"].find((theme) => classList.contains(`vscode-${theme}`) || dataset.theme === theme);
}

/**
 * Renders a figure for a model. The traits `view` (the figure's name) and `state` (its settings) are synchronised in both
 * directions; `controls`, `lock`, `lang` and `theme` are the element's attributes if the model has them; `file`, bytes, is a
 * file for the figure to show, under the name `filename`.
 */
function render({ model, el }) {
  const figure = document.createElement("pe-figure");
  const problem = document.createElement("p");
  problem.setAttribute("role", "alert");
  problem.hidden = true;

  function say(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }

  function dress() {
    for (const name of ["controls", "lock", "lang", "theme"]) {
      const value = model.get(name) ?? (name === "theme" ? themeOfHost() : undefined);
      if (value === undefined) figure.removeAttribute(name);
      else figure.setAttribute(name, value);
    }
  }

  /** Copies view and state of the figure to the model. */
  function tell() {
    const { view, ...settings } = figure.state;
    const same = view === model.get("view") && words(settings) === words(model.get("state") ?? {});
    if (same) return;
    model.set("view", view);
    model.set("state", settings);
    model.save_changes();
  }

  /** Applies view and state of the model to the figure; settings missing from the model stay unchanged. */
  function follow() {
    const view = model.get("view") ?? figure.state.view;
    const moves = view !== figure.state.view;
    try {
      if (moves) figure.setState({ view });
      const now = figure.state;
      // A new view takes over only the settings that it has.
      const wanted = Object.entries(model.get("state") ?? {}).filter(([name]) => !moves || name in now);
      const news = wanted.filter(([name, value]) => now[name] !== value);
      if (!moves && !news.length) return;
      figure.setState(Object.fromEntries(news));
      say("");
    } catch (error) {
      say(error.message);
    }
    // Values that were out of range have been clamped.
    queueMicrotask(tell);
  }

  /** Opens the file of the model as if the reader had chosen it; the bytes arrive as a view of a buffer. */
  function open() {
    const bytes = model.get("file");
    if (!bytes?.byteLength) return;
    try {
      figure.open(new File([bytes], model.get("filename") || "table.npy"));
    } catch (error) {
      say(error.message);
    }
  }

  const events = { "change:view": follow, "change:state": follow, "change:file": open };
  for (const name of ["controls", "lock", "lang", "theme"]) events[`change:${name}`] = dress;

  function start() {
    follow();
    open();
    for (const [name, act] of Object.entries(events)) model.on(name, act);
  }

  dress();
  figure.setAttribute("view", model.get("view") ?? "rotation");
  figure.addEventListener("pe-ready", start, { once: true });
  figure.addEventListener("pe-change", tell);
  // A figure that has started displays its errors itself.
  figure.addEventListener("pe-error", (event) => figure.shadowRoot || say(event.detail.message));
  el.append(figure, problem);
  return () => {
    for (const [name, act] of Object.entries(events)) model.off(name, act);
    figure.remove();
    problem.remove();
  };
}

init.render = render;
