// The states that a lecturer saves for a presentation: a list in the address, "steps=k=5;pos=3/view=order;pe=on". A step may
// have a note for the speaker: "k=5;note=Ask%20first".
import { readHash, setLinkParameter } from "../core/posenc.js";
import { bench, lang, pictures } from "./target.mjs";

/** The longest address in characters that is read. */
const LONGEST = 100_000;
const MAX_STEPS = 200;

/** The longest note in characters. */
export const LONGEST_NOTE = 2000;
/** A note without what is too long; half of a character that is left cannot be in an address. */
const cut = (note) => note.slice(0, LONGEST_NOTE).replace(/\p{Cs}/gu, "");

const isNote = (part) => part.startsWith("note=");
/** A presentation is silent until someone turns the sound on. */
const isSound = (part) => part.startsWith("sound=");

function decode(text) {
  const parts = text.split(";");
  const step = readHash(parts.filter((part) => !isNote(part) && !isSound(part)).join("&"), lang());
  const said = parts.findLast(isNote);
  const note = said && cut(new URLSearchParams(said).get("note"));
  return step && note ? { ...step, note } : step;
}

function encode({ hash, note }) {
  const step = hash === "" ? "view=bench" : hash.replaceAll("&", ";");
  return note ? `${step};note=${encodeURIComponent(note).replaceAll("'", "%27")}` : step;
}

export const steps = [];

/** Reads the list from the address; returns the number of entries that are not valid states. */
export function read() {
  const part = location.hash
    .slice(1)
    .split("&")
    .findLast((part) => part.startsWith("steps="));
  const asked = part === undefined ? [] : part.slice("steps=".length).split("/");
  const good = asked.slice(0, MAX_STEPS).map(decode).filter(Boolean);
  steps.splice(0, steps.length, ...good);
  return asked.length - good.length;
}

addEventListener("hashchange", read);

/** Writes the list to the address; returns false if that would become too long. */
function write(list) {
  const text = list.map(encode).join("/");
  const rest = bench.link().replace(/[#&]steps=[^&]*/, "");
  if (list.length > MAX_STEPS || rest.length + "&steps=".length + text.length > LONGEST) return false;
  setLinkParameter("steps", list.length ? text : undefined);
  steps.splice(0, steps.length, ...list);
  return true;
}

/** Settings that are no part of a step. */
const others = ["lang", "theme", "hide", "lock", "sound"];

/** Returns the step for a state. */
export function stepOf(state) {
  const pairs = Object.entries(state).filter(([name]) => !others.includes(name));
  const text = (value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value));
  return readHash(new URLSearchParams(pairs.map(([name, value]) => [name, text(value)])).toString(), lang());
}

/** The settings of a step, in the form that the bench and the figures accept. */
export const settings = ({ state }) =>
  Object.fromEntries(Object.entries(state).filter(([name]) => !others.includes(name)));

export const add = (step) => write([...steps, step]);
export const remove = (index) => write(steps.filter((_, i) => i !== index));

/** Sets or removes the note of a step; returns false if the list would become too long. */
export function setNote(index, text) {
  const step = steps[index];
  if (!step) return true;
  const { note: _, ...bare } = step;
  const noted = text.trim() ? { ...bare, note: cut(text) } : bare;
  return write(steps.map((other) => (other === step ? noted : other)));
}

/** Exchanges a step with the one before or after it; returns false at the ends. */
export function move(index, by) {
  if (!steps[index] || !steps[index + by]) return false;
  const list = [...steps];
  [list[index], list[index + by]] = [list[index + by], list[index]];
  return write(list);
}

export const isOfBench = ({ view }) => ["bench", "formula", "tokens", ...pictures].includes(view);

/** The index of a step in the list, or -1. */
export const indexOf = (step) => steps.findIndex(({ hash }) => hash === step?.hash);

/** The label of a step: the figure and the settings that differ from its defaults. */
export function nameOf({ title, hash }) {
  const changes = [...new URLSearchParams(hash)]
    .filter(([name]) => name !== "view")
    .map(([name, value]) => `${name} = ${value}`);
  return changes.length ? `${title} · ${changes.join(", ")}` : title;
}

/** The address that presents the list from its first step; without steps, the address that presents the bench. */
export function link() {
  const kept = location.hash
    .slice(1)
    .split("&")
    .filter((part) => /^(lang|theme)=/.test(part));
  const first = steps[0]?.hash ? [steps[0].hash] : [];
  const list = steps.length ? [`steps=${steps.map(encode).join("/")}`] : [];
  return `${location.href.split(/[?#]/)[0]}#${[...first, ...kept, ...list, "present=1"].join("&")}`;
}
