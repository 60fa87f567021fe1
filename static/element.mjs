// <pe-figure view="…">: wasm holds the figure; the class says when it comes, goes and is changed.
import { Mounted, figureAttributes } from "./posenc.js";

class PeFigure extends HTMLElement {
  static observedAttributes = figureAttributes();
  #mounted;

  connectedCallback() {
    this.#mounted ??= new Mounted(this);
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
