// Starts the first half of the core, all that the bench needs. The built site has static/core/packed.mjs in place of this.
export { default as startCore } from "../core/posenc.js";
