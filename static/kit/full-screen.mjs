// The full screen of a presentation, which whoever leaves it by Esc leaves as well.

const exit = () => document.fullscreenElement && document.exitFullscreen().catch(() => {});

export class FullScreen {
  #left;
  /** Whether the screen has been filled and nobody has asked for less. */
  #isFull = false;
  #isOver = false;

  /** `left` is called when the browser has left it by itself. */
  constructor(left) {
    this.#left = left;
  }

  /** Fills the screen, or no longer. Throws where the browser refuses. */
  async toggle() {
    this.#isFull = false;
    if (document.fullscreenElement) return document.exitFullscreen();
    await document.documentElement.requestFullscreen();
    // It may be over, or the full screen left, before the browser has said that the screen is filled.
    if (this.#isOver) return exit();
    this.#isFull = true;
    return this.changed();
  }

  changed() {
    if (this.#isFull && !document.fullscreenElement) this.#left();
  }

  end() {
    this.#isOver = true;
    exit();
  }
}
