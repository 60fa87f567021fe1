// A learning management system with the SCORM 1.2 interface that accepts only what the standard allows: elements, values,
// order of calls, lengths.

const TEXT = (most) => (text) => text.length <= most;
const number = (text) => /^-?\d+(\.\d+)?$/.test(text) && Number(text) >= 0 && Number(text) <= 100;
const one = (words) => (text) => words.split(",").includes(text);

/** The elements that can be read and written, and their valid values (run-time environment 1.2, section 3.4). */
const ELEMENTS = {
  "cmi.core.lesson_mode": { read: true },
  "cmi.core.lesson_status": { read: true, write: one("passed,completed,failed,incomplete,browsed") },
  "cmi.core.lesson_location": { read: true, write: TEXT(255) },
  "cmi.core.score.raw": { read: true, write: number },
  "cmi.core.score.min": { read: true, write: number },
  "cmi.core.score.max": { read: true, write: number },
  "cmi.core.session_time": { write: (text) => /^\d{2,4}:[0-5]\d:[0-5]\d(\.\d{1,2})?$/.test(text) },
  "cmi.core.exit": { write: one("time-out,suspend,logout,") },
  "cmi.suspend_data": { read: true, write: TEXT(4096) },
};

/**
 * `kept` is the stored data from one attempt to the next. `fails(call, count)` returns how a call fails: "throw", "false",
 * or undefined for success. `faults` collects violations of the standard.
 */
export function system({ kept = {}, mode = "normal", fails = () => undefined } = {}) {
  const values = {
    "cmi.core.lesson_mode": mode,
    "cmi.core.lesson_status": "not attempted",
    "cmi.core.lesson_location": "",
    "cmi.suspend_data": "",
    "cmi.core.score.raw": "",
    ...kept,
  };
  const calls = [];
  const faults = [];
  let phase = "new";
  const fault = (text) => {
    faults.push(text);
    return "false";
  };
  const during =
    (name, work) =>
    (...given) => {
      calls.push([name, ...given]);
      const how = fails(name, calls.length);
      if (how === "throw") throw new Error("the line is dead");
      if (how) return how;
      if (given.some((value) => typeof value !== "string")) return fault(`${name} was given ${given}`);
      if (name !== "LMSInitialize" && phase !== "open") return fault(`${name} while ${phase}`);
      return work(...given);
    };
  const API = {
    LMSInitialize: during("LMSInitialize", (empty) => {
      if (phase !== "new" || empty !== "") return fault(`LMSInitialize("${empty}") while ${phase}`);
      phase = "open";
      return "true";
    }),
    LMSGetValue: during("LMSGetValue", (name) =>
      ELEMENTS[name]?.read ? (values[name] ?? "") : (fault(`${name} was read`), ""),
    ),
    LMSSetValue: during("LMSSetValue", (name, text) => {
      const { write } = ELEMENTS[name] ?? {};
      if (!write) return fault(`${name} was written`);
      if (!write(text) || /[^ -~]/.test(text)) return fault(`${name} = ${text.slice(0, 80)} (${text.length})`);
      values[name] = text;
      return "true";
    }),
    LMSCommit: during("LMSCommit", (empty) => {
      if (empty !== "") return fault(`LMSCommit("${empty}")`);
      Object.assign(kept, values);
      return "true";
    }),
    LMSFinish: during("LMSFinish", (empty) => {
      if (empty !== "") return fault(`LMSFinish("${empty}")`);
      Object.assign(kept, values);
      phase = "finished";
      return "true";
    }),
    LMSGetLastError: during("LMSGetLastError", () => "0"),
  };
  return { API, values, calls, faults, kept, phase: () => phase };
}
