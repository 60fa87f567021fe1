// Full screen for a presentation. Leaving it with Esc, which only the browser handles, ends the presentation, too.

const exitQuietly = () => document.fullscreenElement && document.exitFullscreen().catch(() => {});

/** Milliseconds within which a browser leaves full screen for another window. */
const OTHER_WINDOW_MS = 3000;

export class FullScreen {
  #onBrowserExit;
  /** Full screen is requested: if it ends while this is true, the browser has ended it. */
  #isWanted = false;
  #isDisposed = false;
  #timer;

  /** `onBrowserExit` is called when full screen ends without `toggle` or `dispose`. */
  constructor(onBrowserExit) {
    this.#onBrowserExit = onBrowserExit;
  }

  /** Enters or leaves full screen. Rejects if the browser refuses. */
  async toggle() {
    this.#isWanted = false;
    clearTimeout(this.#timer);
    if (document.fullscreenElement) return document.exitFullscreen();
    await document.documentElement.requestFullscreen();
    // Meanwhile the presentation may have ended, or full screen may have been left.
    if (this.#isDisposed) return exitQuietly();
    this.#isWanted = true;
    return this.handleChange();
  }

  /** Must be called before another window is opened or focused: Chromium leaves full screen for it, and the presentation goes on. */
  expectOtherWindow() {
    this.#isWanted = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#isWanted = Boolean(document.fullscreenElement)), OTHER_WINDOW_MS);
  }

  /** Must be called on every `fullscreenchange` event of the document. */
  handleChange() {
    if (this.#isWanted && !document.fullscreenElement) this.#onBrowserExit();
  }

  /** Leaves full screen for good. */
  dispose() {
    this.#isDisposed = true;
    exitQuietly();
  }
}
