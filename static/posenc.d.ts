export interface EncodeOptions {
  dModel: number;
  maxLen: number;
  /** above 1, up to 1e9; 10000 by default */
  base?: number;
  layout?: "interleaved" | "concatenated" | "tensor2tensor";
  /** `learned` is simulated: seeded random numbers, up to 2²² of them; `whisper` is a trained table, dModel 384 and maxLen 448, after `loadFigures()` */
  encoding?: "sinusoidal" | "learned" | "whisper";
  dtype?: "float32" | "float64";
}

export interface RotationOptions {
  dModel: number;
  /** a whole number, negative too */
  k: number;
  base?: number;
  layout?: "interleaved" | "concatenated" | "tensor2tensor";
}

/** Loads the WebAssembly modules, once. `source` may be the address of the first, a response, bytes or a compiled module; the second lies beside it. */
export default function init(
  source?: string | URL | Request | Response | BufferSource | WebAssembly.Module,
): Promise<unknown>;

/** An older name of `init`. */
export function loadFigures(): Promise<void>;

/** The table, row-major [maxLen, dModel]. Throws an Error that names a bad argument, or an option that does not exist. */
export function encode(options: EncodeOptions & { dtype: "float64" }): Float64Array;
export function encode(options: EncodeOptions): Float32Array;

/** The table as CSV, or as NumPy's .npy. Throws an Error that names a bad argument, or a table that would be too large. */
export function tableCsv(options: EncodeOptions): string;
export function tableNpy(options: EncodeOptions): Uint8Array;

/** The same in slices of rows. */
export class TableFile {
  constructor(options: EncodeOptions, format: "csv" | "npy");
  /** of the whole file; exact for npy, an estimate from above for csv */
  readonly bytes: number;
  readonly rows: number;
  /** The next rows, or so many of them; undefined at the end. */
  next(rows?: number): Uint8Array | undefined;
  free(): void;
}

/**
 * M_k, row-major [dModel, dModel]: PE(pos+k) = M_k · PE(pos), vectors being columns. An odd dModel leaves its last sine without a
 * cosine, and so without a turn: its row and its column are zero.
 */
export function rotation(options: RotationOptions): Float64Array;

export interface InspectOptions {
  /** positions and dimensions; axes of length 1 beside them are left out */
  shape: readonly number[];
  /** of the words; English by default */
  lang?: "en" | "zh";
  /** called now and then with a number from 0 to 1 */
  onprogress?: (progress: number) => void;
  signal?: AbortSignal;
}

/** What was found in a table; null is what cannot be known. docs/inspect.md has the codes of the findings. */
export interface InspectReport {
  shape: [number, number];
  dtype: string;
  kind:
    | "sinusoidal"
    | "rope-cos"
    | "rope-sin"
    | "rope-cos-sin"
    | "frequencies"
    | "angles"
    | "bias"
    | "not-positions"
    | "learned"
    | "constant"
    | "unknown";
  layout: "interleaved" | "concatenated" | "tensor2tensor" | null;
  base: number | null;
  /** position of row 0 */
  start: number | null;
  exponent: "2i/d" | "i/(d/2-1)" | "column/d" | "4i/d" | "none" | null;
  swapped: boolean | null;
  sign: 1 | -1 | null;
  scale: number | null;
  arithmetic: "bf16" | "f16" | "f32" | "f64" | null;
  transposed: boolean;
  residual: { max: number; rms: number } | null;
  runner_up: { what: string; rms: number } | null;
  /** the name of the table in a file with several; null for an array */
  tensor: string | null;
  /** what comes closest, never worse than `runner_up` */
  nearest: { what: string; rms: number } | null;
  /** conventions that have the same numbers */
  also: string[];
  frequencies: {
    rule:
      | "geometric"
      | "llama3"
      | "yarn"
      | "longrope"
      | "linear-scaled"
      | "proportional"
      | "powers-of-two"
      | "linear"
      | "listed";
    base: number | null;
    factor: number | null;
    /** the first pair whose frequency is not that of the base alone */
    from_pair: number | null;
    /** in radians per position, if no rule gives them */
    listed: number[] | null;
  } | null;
  positions: {
    rule: "arithmetic" | "restarts" | "repeated" | "clamped" | "listed";
    start: number;
    step: number | null;
    /** the row at which the rule sets in */
    row: number | null;
  } | null;
  /** of an encoding of several axes, such as the height and width of an image */
  axes: { sizes: number[]; first: number; special_rows: number } | null;
  findings: { code: string; words: string; position: number | null; dimension: number | null }[];
  /** the coarsest format that holds all numbers */
  rounded_to: "bf16" | "f16" | "f32" | "f64";
}

/**
 * Which encoding a table is, and what is wrong with it: what `posenc inspect --json` prints. The numbers are row-major; the work is done in
 * slices of some milliseconds, and nothing is sent anywhere. Rejects with an Error that says what is wrong with the array or its shape.
 */
export function inspect(array: Float32Array | Float64Array, options: InspectOptions): Promise<InspectReport>;

export type Setting = string | number | boolean;
/** The figure's `view` and its settings under their names, such as `d_model`. */
export type State = Record<string, Setting>;

/** `<pe-figure view="rotation" d-model="64" k="3">`; attributes are the settings in kebab-case. */
export class PeFigure extends HTMLElement {
  /** Before the figure has started, what the attributes and earlier calls say. */
  get state(): State;
  /**
   * As `setState` does, except that it never throws: what is no setting of this figure is reported by `pe-error`. It may be assigned before
   * the module has loaded. null and undefined change nothing.
   */
  set state(changes: State | null | undefined);
  /** Whether the picture on the screen is that of the state; true as well while the figure is far from the screen. */
  readonly drawn: boolean;
  /**
   * Settings that are not named stay. The picture moves to the new ones; with `moves: false`, for the steps of a drag, it shows them at
   * once. Throws an Error that names what is no setting of this figure.
   */
  setState(changes: State, options?: { moves?: boolean }): void;
  /** Back to what the attributes say. */
  reset(): void;
  /**
   * In a figure with `view="inspect"`: shows what is in a file or another `Blob`, as if it had been chosen, until another example is.
   * Throws an Error in other figures.
   */
  open(file: Blob): void;
  readonly playing: boolean;
  /** Position, step or offset goes on by itself; false for a figure in which nothing does. */
  play(): boolean;
  pause(): void;
  /** So many steps, from the end to the beginning; false for a figure in which nothing steps. */
  step(by?: number): boolean;
  /** The picture as PNG, with `scale` pixels per CSS pixel: above 0, up to 8. */
  toBlob(options?: { scale?: number }): Promise<Blob>;
  /** The picture as SVG, its words as text. Throws an Error before any figure of the page has been shown, as `toCSV` and `toNPY` do. */
  toSVG(): string;
  /**
   * The encoding of the figure's settings, or the table that the figure has learned so far. Throws an Error for a figure that is about no
   * table: it has no d_model and max_len.
   */
  toCSV(options?: { dtype?: "float32" | "float64" }): string;
  toNPY(options?: { dtype?: "float32" | "float64" }): Blob;
  /** What a figure that trains something has measured so far, as CSV. Throws an Error where that is nothing. */
  measurements(): string;
}

export interface PeFigureEvents {
  "pe-ready": CustomEvent<{ state: State }>;
  "pe-change": CustomEvent<{ state: State }>;
  "pe-error": CustomEvent<{ message: string; state: State }>;
}

/** What JSX passes to `<pe-figure>`: settings as attributes in kebab-case, and what every element has. */
export interface PeFigureAttributes {
  view?: string;
  /** names of settings, `none`, or `*` for all */
  controls?: string;
  lock?: string;
  group?: string;
  theme?: "light" | "dark" | "projector";
  loading?: "lazy";
  state?: State | null;
  "onpe-ready"?: (event: PeFigureEvents["pe-ready"]) => void;
  "onpe-change"?: (event: PeFigureEvents["pe-change"]) => void;
  "onpe-error"?: (event: PeFigureEvents["pe-error"]) => void;
  [name: string]: unknown;
}

// The name of a module that is not installed would be an error.
// @ts-ignore
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "pe-figure": PeFigureAttributes;
    }
  }
}
// @ts-ignore
declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "pe-figure": PeFigureAttributes;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "pe-figure": PeFigure;
  }
  interface HTMLElementEventMap extends PeFigureEvents {}
}
