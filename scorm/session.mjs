// A session with a course system by SCORM 1.2 (ADL, Sharable Content Object Reference Model 1.2, run-time environment, 2001). Nothing here
// touches the page.

/** Characters that the standard allows in `cmi.suspend_data` and in `cmi.core.lesson_location`; systems cut or refuse what is longer. */
const LONGEST = { data: 4096, location: 255 };
/** Windows above which nobody looks for the interface, so that a frame that is its own parent's parent ends the search. */
const DEEPEST = 500;

/** The course system's interface: the object `API` of a window around this one, or around the one that opened it; nothing where there is none. */
export function find(from) {
  const above = (start) => {
    let at = start;
    for (let depth = 0; at && depth < DEEPEST; depth++) {
      // A window of another origin, or a sandbox without one, throws when it is looked into.
      if (at.API) return at.API;
      if (!at.parent || at.parent === at) return undefined;
      at = at.parent;
    }
    return undefined;
  };
  const tries = [
    () => above(from),
    () => from.opener && above(from.opener),
    () => from.top?.opener && above(from.top.opener),
  ];
  for (const look of tries) {
    try {
      const found = look();
      if (found) return found;
    } catch {
      // Nothing is to be found this way.
    }
  }
  return undefined;
}

/** Seconds as the standard writes a span of time: HHHH:MM:SS. */
export function span(seconds) {
  const whole = Math.min(Math.max(0, Math.floor(seconds)), 9999 * 3600 + 3599);
  const two = (number) => String(number).padStart(2, "0");
  return `${String(Math.floor(whole / 3600)).padStart(4, "0")}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** JSON in ASCII, as some systems keep nothing else. */
const ascii = (value) =>
  JSON.stringify(value).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** As much of what is kept as fits: without the values of the figure, or without the address, if need be. */
export function fitting({ address, place, figure }) {
  const tries = [{ address, place, figure }, { place, figure }, { address, place }, { place }];
  return tries.map(ascii).find((text) => text.length <= LONGEST.data) ?? "";
}

/** What was kept; nothing where it cannot be read. */
export function kept(text) {
  try {
    const read = JSON.parse(text);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return {};
    const { address, place, figure } = read;
    return {
      ...(typeof address === "string" && { address }),
      ...(typeof place === "string" && { place }),
      ...(typeof figure === "object" && figure !== null && { figure }),
    };
  } catch {
    return {};
  }
}

export class Session {
  #api;
  #clock;
  #open = false;
  #writable = false;
  #begun;

  /** `clock` tells seconds. */
  constructor(api, clock = () => performance.now() / 1000) {
    this.#api = api;
    this.#clock = clock;
  }

  /** A call of the interface; nothing where it fails, however it does. */
  #call(name, ...values) {
    try {
      return String(this.#api[name](...values));
    } catch {
      return undefined;
    }
  }

  #get(element) {
    return this.#call("LMSGetValue", element) ?? "";
  }

  #set(element, value) {
    return this.#call("LMSSetValue", element, String(value)) === "true";
  }

  get open() {
    return this.#open;
  }

  /** Whether reports are written: not where an attempt is reviewed, or an activity is only looked at. */
  get writable() {
    return this.#writable;
  }

  /** Begins; returns what was kept by the attempt before, or nothing where the system does not answer. */
  begin() {
    if (!this.#api || this.#call("LMSInitialize", "") !== "true") return undefined;
    this.#open = true;
    this.#begun = this.#clock();
    // Some systems leave the mode empty: that is the normal one.
    this.#writable = !["browse", "review"].includes(this.#get("cmi.core.lesson_mode"));
    const status = this.#get("cmi.core.lesson_status");
    if (this.#writable && (status === "not attempted" || status === "")) {
      this.#set("cmi.core.lesson_status", "incomplete");
      this.#call("LMSCommit", "");
    }
    return kept(this.#get("cmi.suspend_data"));
  }

  /**
   * Reports how things stand: `score` from 0 to 100 or undefined, whether all is `done`, in a few words `location`, and what the next attempt is to
   * find. True if the system has taken it, or is not to be told.
   */
  report({ score, done, location, state }) {
    if (!this.#open) return false;
    if (!this.#writable) return true;
    const taken = [];
    if (score !== undefined) {
      taken.push(this.#set("cmi.core.score.raw", Math.round(Math.min(100, Math.max(0, score)))));
      // Not every system has these two.
      this.#set("cmi.core.score.min", 0);
      this.#set("cmi.core.score.max", 100);
    }
    // Who has passed stays so, whatever another attempt looks like.
    const status = this.#get("cmi.core.lesson_status");
    if (done && !["passed", "completed", "failed"].includes(status))
      taken.push(this.#set("cmi.core.lesson_status", "completed"));
    taken.push(this.#set("cmi.core.lesson_location", location.slice(0, LONGEST.location)));
    taken.push(this.#set("cmi.suspend_data", fitting(state)));
    taken.push(this.#call("LMSCommit", "") === "true");
    return taken.every(Boolean);
  }

  /** Ends the session, with everything reported before. */
  end({ done }) {
    if (!this.#open) return;
    this.#open = false;
    if (this.#writable) {
      this.#set("cmi.core.session_time", span(this.#clock() - this.#begun));
      this.#set("cmi.core.exit", done ? "" : "suspend");
      this.#call("LMSCommit", "");
    }
    this.#call("LMSFinish", "");
  }
}
