// A ring around the pointer, visible from the back row.
import { el } from "./dialog.mjs";

export class Ring {
  #root;
  #element;
  /** The pointer's last position, in CSS pixels of the viewport; empty before the first movement. */
  #position = [];

  constructor(root) {
    this.#root = root;
  }

  /** Shows or hides the ring; returns whether it is shown. */
  toggle() {
    this.#element?.remove();
    this.#element = this.#element ? undefined : el("div", { className: "kit-ring", "aria-hidden": "true" });
    if (this.#element) this.#root.append(this.#element);
    this.#place();
    return Boolean(this.#element);
  }

  /**
   * Moves the ring to a pointer event; returns false if the position is unchanged: browsers also fire "pointermove" when
   * content moves under the pointer.
   */
  moveTo({ type, clientX, clientY }) {
    const [x, y] = this.#position;
    if (type === "pointermove" && clientX === x && clientY === y) return false;
    this.#position = [clientX, clientY];
    this.#place();
    return true;
  }

  #place() {
    const [x = innerWidth / 2, y = innerHeight / 2] = this.#position;
    if (this.#element) this.#element.style.transform = `translate(${x}px, ${y}px)`;
  }
}
