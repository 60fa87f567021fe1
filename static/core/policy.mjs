// Error messages for violations of the page's Content-Security-Policy, which name the directive to be added.

/** The smallest module: whether it compiles depends on the policy only. */
const SMALLEST = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

// A single file loads no files of its own that could be blocked.
const ours = import.meta.url && new URL("..", import.meta.url).href;
let refused;

globalThis.document?.addEventListener("securitypolicyviolation", ({ disposition, effectiveDirective, blockedURI }) => {
  if (ours && disposition === "enforce" && blockedURI.startsWith(ours)) refused ??= effectiveDirective;
});

function compiles() {
  try {
    return Boolean(new WebAssembly.Module(SMALLEST));
  } catch {
    return false;
  }
}

/**
 * Returns the reason why the module could not be loaded: an Error that explains the policy if that blocked it, or what to
 * use in Node.js, or else the given error.
 */
export async function reason(error) {
  if (!globalThis.document) {
    if (!ours?.startsWith("file:") || error instanceof WebAssembly.CompileError) return error;
    const words =
      'fetch() reads no files in Node.js: import "posenc/inline", or give init() the bytes of posenc_bg.wasm';
    return new Error(words, { cause: error });
  }
  // The event for a violation is dispatched in a separate task.
  await new Promise((resolve) => setTimeout(resolve));
  const words = !compiles()
    ? "'wasm-unsafe-eval' is missing in script-src"
    : refused && `${ours} is missing in ${refused}`;
  return words ? new Error(`${words} of the page's Content-Security-Policy`, { cause: error }) : error;
}
