// What the Content-Security-Policy of the page refuses, in words that name the directive to be added.

/** The smallest module: whether it compiles is the policy's affair alone. */
const SMALLEST = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

// A file that holds everything is refused nothing of its own.
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

/** Why the module could not be loaded: an Error that says so if it is the policy, and the given one if not. */
export async function reason(error) {
  if (!globalThis.document) return error;
  // The page is told of a violation in a task of its own.
  await new Promise((resolve) => setTimeout(resolve));
  const words = !compiles()
    ? "'wasm-unsafe-eval' is missing in script-src"
    : refused && `${ours} is missing in ${refused}`;
  return words ? new Error(`${words} of the page's Content-Security-Policy`, { cause: error }) : error;
}
