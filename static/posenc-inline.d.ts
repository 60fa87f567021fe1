export * from "./posenc.js";

/** What anywidget works: shows the figure that the model's traits `view` and `state` name, and in it the file of the trait `file`. */
export interface Widget {
  render(context: { model: WidgetModel; el: HTMLElement }): () => void;
}

export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

/** Starts the WebAssembly module, which this file holds. */
declare const init: Widget &
  ((source?: string | URL | Request | Response | BufferSource | WebAssembly.Module) => Promise<Widget>);
export default init;
