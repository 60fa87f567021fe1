// posenc.js as one file, with the WebAssembly in it, which is also a widget for notebooks: anywidget calls the default export, too,
// and works the widget that it resolves to; MyST works the default export as it is.
import load from "./posenc.js";

export * from "./posenc.js";

export default async function init(source) {
  await load(source);
  return { render };
}

const words = (settings) => JSON.stringify(Object.entries(settings).sort());

/** JupyterLab and VS Code have themes of their own. */
function themeOfHost() {
  const { classList, dataset } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "true" ? "light" : "dark";
  return ["light", "dark"].find((theme) => classList.contains(`vscode-${theme}`));
}

/**
 * A figure for a model: its trait `view` is the figure's name, `state` its settings, both of which follow the figure and are followed
 * by it; `controls`, `lock`, `lang` and `theme` are the element's attributes, where the model has them; `file`, bytes, is a file that the
 * figure is to show, under the name `filename`.
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

  /** The model learns what the figure shows. */
  function tell() {
    const { view, ...settings } = figure.state;
    const same = view === model.get("view") && words(settings) === words(model.get("state") ?? {});
    if (same) return;
    model.set("view", view);
    model.set("state", settings);
    model.save_changes();
  }

  /** The figure shows what the model says; what it does not say stays. */
  function follow() {
    const view = model.get("view") ?? figure.state.view;
    const moves = view !== figure.state.view;
    try {
      if (moves) figure.setState({ view });
      const now = figure.state;
      // Another figure takes over what it has too.
      const wanted = Object.entries(model.get("state") ?? {}).filter(([name]) => !moves || name in now);
      const news = wanted.filter(([name, value]) => now[name] !== value);
      if (!moves && !news.length) return;
      figure.setState(Object.fromEntries(news));
      say("");
    } catch (error) {
      say(error.message);
    }
    // What was out of range is in it now.
    queueMicrotask(tell);
  }

  /** What the model says, as it would be chosen by hand; bytes arrive as a view of a buffer. */
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
  // A figure that has started shows what is wrong by itself.
  figure.addEventListener("pe-error", (event) => figure.shadowRoot || say(event.detail.message));
  el.append(figure, problem);
  return () => {
    for (const [name, act] of Object.entries(events)) model.off(name, act);
    figure.remove();
    problem.remove();
  };
}

init.render = render;
