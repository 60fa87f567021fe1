// The full screen of a presentation. Leaving it with Esc, which only the browser hears of, ends the presentation, too.

const exitQuietly = () => document.fullscreenElement && document.exitFullscreen().catch(() => {});

export class FullScreen {
  #onBrowserExit;
  /** The full screen is wanted: when it ends all the same, it was the browser that ended it. */
  #isWanted = false;
  #isDisposed = false;

  /** `onBrowserExit` is called when the full screen ends without `toggle` or `dispose`. */
  constructor(onBrowserExit) {
    this.#onBrowserExit = onBrowserExit;
  }

  /** Enters or leaves the full screen. Rejects where the browser refuses. */
  async toggle() {
    this.#isWanted = false;
    if (document.fullscreenElement) return document.exitFullscreen();
    await document.documentElement.requestFullscreen();
    // Meanwhile the presentation may have ended, or the full screen been left.
    if (this.#isDisposed) return exitQuietly();
    this.#isWanted = true;
    return this.handleChange();
  }

  /** To be called on every `fullscreenchange` of the document. */
  handleChange() {
    if (this.#isWanted && !document.fullscreenElement) this.#onBrowserExit();
  }

  /** Leaves the full screen for good. */
  dispose() {
    this.#isDisposed = true;
    exitQuietly();
  }
}
