// <pe-figure view="…">: wasm holds the figure; the class says when it comes, goes and is changed.
import { Mounted, figureAttributes } from "./posenc.js";

// The one style sheet that the shadows of all figures share: the page's own, from the browser's cache, as it was
// written. Its rules as the browser has read them would not do: they have lost shorthands with variables in them.
// Without it a figure is plain but works.
const sheets = [];
try {
  const answer = await fetch(new URL("./figure.css", import.meta.url), { cache: "force-cache" });
  if (answer.ok) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(await answer.text());
    sheets.push(sheet);
  }
} catch (error) {
  console.warn(`posenc: ${error}`);
}

class PeFigure extends HTMLElement {
  static observedAttributes = figureAttributes();
  #mounted;

  connectedCallback() {
    this.#mounted ??= new Mounted(this);
    if (this.shadowRoot) this.shadowRoot.adoptedStyleSheets = sheets;
  }

  disconnectedCallback() {
    // An element that is only moved keeps its figure.
    queueMicrotask(() => {
      if (this.isConnected || !this.#mounted) return;
      this.#mounted.left();
      this.#mounted.free();
      this.#mounted = undefined;
    });
  }

  attributeChangedCallback(name, before, value) {
    if (before !== value) this.#mounted?.changed(name, value ?? undefined);
  }
}

customElements.define("pe-figure", PeFigure);
