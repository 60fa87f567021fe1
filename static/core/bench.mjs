// Starts the first half of the core, all that the bench needs. In the built site static/core/compressed.mjs takes its place.
export { default as startCore } from "./posenc.js";
