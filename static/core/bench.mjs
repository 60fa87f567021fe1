// Starts the first half of the core, which is all that the bench needs. The built site has static/core/compressed.mjs in its
// place.
export { default as startCore } from "./posenc.js";
